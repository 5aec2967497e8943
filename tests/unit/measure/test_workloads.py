"""Prompts, arms and plans."""

from __future__ import annotations

import pytest

from app.engine.protocol import Generate, GenerationOptions, SamplingOptions, Speculation
from app.errors import RequestError
from app.measure import workloads
from app.measure.arms import OFF, Arm, parse_arm, parse_arms
from app.measure.plan import Plan
from app.measure.workloads import Prompt, parse_prompts


def test_the_prompts_are_there_and_differ() -> None:
    counts = {"chat": [30], "code": [15, 15], "long": [10]}
    for name, expected in counts.items():
        kinds = workloads.load(name)
        assert [len(kind.prompts) for kind in kinds] == expected
        for kind in kinds:
            assert len({prompt.name for prompt in kind.prompts}) == len(kind.prompts)
            assert len({prompt.text for prompt in kind.prompts}) == len(kind.prompts)
            assert all(prompt.text.strip() for prompt in kind.prompts)


def test_code_is_continued_and_chat_is_answered() -> None:
    assert [kind.raw for name in workloads.NAMES for kind in workloads.load(name)] == [
        False,
        True,
        True,
        False,
    ]


def test_a_prompt_keeps_its_inner_lines_and_loses_those_around() -> None:
    text = "=== one ===\n\na\n\nb  \n\n=== two ===\nc === d\n"
    assert parse_prompts(text) == (Prompt("one", "a\n\nb  "), Prompt("two", "c === d"))


def test_an_unknown_workload_is_named() -> None:
    with pytest.raises(RequestError, match="workload_unknown"):
        workloads.load("poetry")


def test_the_digest_follows_the_prompts() -> None:
    chat = workloads.load("chat")[0]
    assert chat.digest == workloads.load("chat")[0].digest
    assert len({kind.digest for name in workloads.NAMES for kind in workloads.load(name)}) == 4


@pytest.mark.parametrize("text", ["off", "auto", "lookup", "draft", "draft:3", "lookup:15"])
def test_arms_have_names_that_read_back(text: str) -> None:
    assert parse_arm(text).name == text


@pytest.mark.parametrize(
    "text", ["", "on", "draft:", "draft:0", "draft:16", "draft:x", "off:1", "Draft", "draft:-1"]
)
def test_what_is_no_arm(text: str) -> None:
    with pytest.raises(RequestError, match="arm_unknown"):
        parse_arm(text)


def test_off_is_always_there_once_and_first() -> None:
    assert [arm.name for arm in parse_arms("auto,draft:2,auto")] == ["off", "auto", "draft:2"]
    assert parse_arms("lookup,off")[0] == OFF


def test_arms_change_nothing_but_the_way_tokens_are_proposed() -> None:
    options = GenerationOptions(sampling=SamplingOptions(seed=7), max_tokens=9, max_depth=5)
    applied = Arm(Speculation.DRAFT, 3).apply(options)
    assert applied == GenerationOptions(
        sampling=options.sampling,
        speculation=Speculation.DRAFT,
        depth=3,
        max_tokens=9,
        max_depth=5,
    )


# --- the plan ------------------------------------------------------------------------------------


def a_plan(**other: object) -> Plan:
    kinds = tuple(kind for name in workloads.NAMES for kind in workloads.load(name))
    values: dict[str, object] = {
        "workloads": kinds,
        "arms": parse_arms("off,draft:3,auto,lookup"),
    } | other
    return Plan(**values)  # type: ignore[arg-type]


def test_defaults_are_thirty_requests_and_long_ones_also_four_at_once() -> None:
    plan = a_plan()
    waves = {each.name: plan.waves(each) for each in plan.conditions()}
    assert waves == {
        "chat x1": 30,
        "code-repetitive x1": 15,
        "code-novel x1": 15,
        "long x1": 10,
        "long x4": 3,
    }
    assert plan.most_at_once == 4


def test_every_arm_gets_the_same_prompts_and_each_goes_first_in_turn() -> None:
    plan = a_plan(requests=8)
    chat = plan.conditions()[0]
    measured = [step for step in plan.steps(chat) if not step.warm_up]
    firsts = [step.arm.name for step in measured[:: len(plan.arms)]]
    assert firsts == ["off", "draft:3", "auto", "lookup"] * 2
    for wave in range(8):
        of_wave = [step for step in measured if step.wave == wave]
        assert {step.arm for step in of_wave} == set(plan.arms)
        assert len({step.prompts for step in of_wave}) == 1


def test_warm_ups_come_first_for_every_arm_and_are_short() -> None:
    plan = a_plan(warm_ups=5)
    for condition in plan.conditions():
        steps = list(plan.steps(condition))
        warm = [step for step in steps if step.warm_up]
        assert steps[: len(warm)] == warm
        for arm in plan.arms:
            asked = sum(len(step.prompts) for step in warm if step.arm == arm)
            assert asked >= 5
        assert all(
            (request.options.max_tokens or 0) <= 24
            for step in warm
            for request in plan.generates(step)
        )


def test_requests_of_a_wave_are_apart_and_options_equal_but_for_the_arm() -> None:
    plan = a_plan()
    long_four = plan.conditions()[-1]
    by_arm: dict[str, list[Generate]] = {}
    for step in plan.steps(long_four):
        if not step.warm_up and step.wave == 2:
            assert len({prompt.name for prompt in step.prompts}) == 4
            by_arm[step.arm.name] = plan.generates(step)
    ids = [request.request_id for requests in by_arm.values() for request in requests]
    assert len(set(ids)) == 16
    texts = {tuple(r.messages for r in requests) for requests in by_arm.values()}
    assert len(texts) == 1
    assert {OFF.apply(r.options) for requests in by_arm.values() for r in requests} == {
        by_arm["off"][0].options
    }


def test_more_requests_than_prompts_start_again() -> None:
    plan = a_plan(requests=40)
    chat = plan.conditions()[0]
    names = [
        step.prompts[0].name for step in plan.steps(chat) if step.arm == OFF and not step.warm_up
    ]
    assert len(names) == 40
    assert names[30] == names[0]
