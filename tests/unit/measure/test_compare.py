"""A comparison on an engine of known timings: fairness, and every number right to 1 %."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.conversation import ChatMessage, Role
from app.engine.protocol import (
    Cancel,
    Generate,
    GenerationOptions,
    LogitsAt,
    SamplingOptions,
    Speculation,
    TokensGenerated,
)
from app.engine.stats import GenerationStats
from app.errors import RequestError
from app.measure import words
from app.measure.arms import Arm
from app.measure.asking import Asker, EngineLost, Stopped
from app.measure.compare import Comparison, Live, Side, common_length, compare
from app.measure.meters import Energy, MonitorMeter
from app.monitor.sample import Method, Missing, Scope
from app.monitor.tariff import Tariff
from app.monitor.task_energy import TaskEnergy
from tests.unit.measure.bench_help import an_asker
from tests.unit.measure.scripted_link import (
    FAST,
    PROMPT_SECONDS,
    WATTS,
    Pace,
    ScriptedLink,
    is_cleared_before_each,
    load_command,
    loaded,
)

AUTO = Arm(Speculation.AUTO)
GREEDY = SamplingOptions(temperature=0.0)
REQUEST = Generate(
    "mine",
    messages=(ChatMessage(Role.USER, "What is a tide?"),),
    options=GenerationOptions(sampling=GREEDY, max_tokens=61),
)


def close(value: float) -> object:
    return pytest.approx(value, rel=0.01)


def compared(link: ScriptedLink, request: Generate = REQUEST, repeat: int = 1) -> Comparison:
    return compare(an_asker(link), request, AUTO, repeat=repeat)


def test_every_number_is_what_the_engine_took() -> None:
    result = compared(ScriptedLink())
    steps = 20  # 60 tokens after the first, three a pass
    assert result.off.ttft_seconds == close(PROMPT_SECONDS)
    assert result.off.tokens_per_second == close(10.0)
    assert result.on.tokens_per_second == close(FAST.speed)
    assert result.off.latency_seconds == close(PROMPT_SECONDS + 6.0)
    assert result.on.latency_seconds == close(PROMPT_SECONDS + steps * FAST.seconds)
    assert result.on.acceptance == close(2 / 3)
    assert result.on.tokens_per_pass == close(3.0)
    assert result.off.joules == close(WATTS * 6.5)
    assert result.on.joules_per_token == close(WATTS * (0.5 + steps * 0.16) / 61)
    assert result.speed_up is not None
    assert result.speed_up.factor == close(1.875)
    assert result.first(Side.ON).peak.process_bytes is not None


def test_the_recorded_pace_is_the_engines() -> None:
    moments = compared(ScriptedLink()).first(Side.ON).answer.moments
    assert moments[0].seconds == close(PROMPT_SECONDS)
    assert moments[1].seconds - moments[0].seconds == close(FAST.seconds)
    assert sum(moment.tokens for moment in moments) == 61


def test_both_sides_get_the_same_and_start_cold() -> None:
    link = ScriptedLink()
    compared(link, repeat=3)
    asked = [each for each in link.commands if isinstance(each, Generate)]
    assert is_cleared_before_each(link.commands)
    warm, measured = asked[:2], asked[2:]
    assert [each.options.speculation for each in warm] == [Speculation.OFF, Speculation.AUTO]
    assert all((each.options.max_tokens or 0) < 61 for each in warm)
    sides = [each.options.speculation for each in measured]
    off, on = Speculation.OFF, Speculation.AUTO
    assert sides == [off, on, on, off, off, on]
    alike = {
        replace(each, request_id="", options=replace(each.options, speculation=off))
        for each in measured
    }
    assert alike == {
        replace(REQUEST, request_id="", options=replace(REQUEST.options, speculation=off))
    }


def test_several_rounds_give_an_interval() -> None:
    result = compared(ScriptedLink(), repeat=4)
    assert result.speed_up is not None
    assert result.speed_up.low == close(1.875)
    assert any("4 rounds: faster" in line for line in words.verdict(result))


def test_watching_sees_both_sides_as_they_are_written() -> None:
    seen: list[Live] = []
    compare(an_asker(ScriptedLink()), REQUEST, AUTO, watch=seen.append)
    for side in Side:
        text = "".join(live.text for live in seen if live.side is side and not live.warm_up)
        assert text == "".join(f"w{token} " for token in range(61))


# --- texts ---------------------------------------------------------------------------------------


def differs_at(place: int) -> ScriptedLink:
    """The speculating side writes another token at one place."""

    def write(request: Generate, count: int) -> list[int]:
        ids = list(range(count))
        if request.options.speculation is Speculation.AUTO and count > place:
            ids[place] = 900
        return ids

    return ScriptedLink(words=write)


def test_the_first_difference_is_found_and_its_gap_asked_for() -> None:
    link = differs_at(30)
    result = compared(link)
    found = result.difference
    assert found is not None
    assert (found.token, found.off_word, found.on_word) == (30, "w30", "w900")
    assert found.gap == pytest.approx(0.125)
    assert found.is_near_tie
    assert result.first(Side.OFF).answer.text[: found.character].endswith("w29 w")
    asked = next(each for each in link.commands if isinstance(each, LogitsAt))
    assert asked.answer == tuple(range(30))
    assert asked.candidates == (30, 900)
    assert asked.messages == REQUEST.messages
    assert any("near-tie" in line for line in words.verdict(result))


def test_a_wide_gap_is_called_what_it_is() -> None:
    result = compared(differs_at(3))
    assert result.difference is not None
    odd = replace(result, difference=replace(result.difference, gap=4.0))
    assert any("please report" in line for line in words.verdict(odd))


def test_one_answer_that_ends_earlier() -> None:
    link = ScriptedLink(
        words=lambda request, count: list(
            range(count - 5 if request.options.speculation is Speculation.AUTO else count)
        )
    )
    found = compared(link).difference
    assert found is not None
    assert (found.token, found.off_word, found.on_word, found.gap) == (56, "w56", "", None)


def test_the_same_text_is_said_only_after_comparing() -> None:
    result = compared(ScriptedLink())
    assert result.same_text is True
    assert "Both wrote the same text, token for token." in words.verdict(result)


def test_nothing_is_said_about_sampled_texts() -> None:
    options = replace(REQUEST.options, sampling=SamplingOptions(temperature=0.8))
    result = compared(differs_at(3), replace(REQUEST, options=options))
    assert result.same_text is None
    assert result.difference is None
    assert any("sampled" in line for line in words.verdict(result))


def test_common_length() -> None:
    assert common_length("abcd", "abxd") == 2
    assert common_length("ab", "abc") == 2
    assert common_length((), (1,)) == 0


# --- what spoils it ------------------------------------------------------------------------------


def test_kept_prompt_tokens_spoil_it() -> None:
    with pytest.raises(RequestError, match="bench_differs"):
        compared(ScriptedLink(cached_tokens=3))


def test_an_off_side_that_drafts_spoils_it() -> None:
    with pytest.raises(RequestError, match="bench_arm_not_in_force"):
        compared(ScriptedLink(pace=lambda _request: Pace(0.1, depth=2, accepted=1)))


def test_an_engine_busy_with_something_else_is_refused_and_left_quiet() -> None:
    link = ScriptedLink()
    link.events.append(TokensGenerated("somebody", (), (1,), GenerationStats()))
    with pytest.raises(RequestError, match="measuring_needs_quiet"):
        compared(link)
    assert [each.request_id for each in link.commands if isinstance(each, Cancel)] == ["warm/off"]


def test_stopping_cancels_what_runs() -> None:
    link = ScriptedLink()
    asker = Asker(link, should_stop=lambda: len(link.commands) > 6, clock=link.clock)
    with pytest.raises(Stopped):
        compare(asker, REQUEST, AUTO, repeat=50)
    assert isinstance(link.commands[-1], Cancel)


def test_a_crash_is_told_with_its_reason() -> None:
    with pytest.raises(EngineLost) as caught:
        compared(ScriptedLink(crashes={3}))
    assert caught.value.code == "engine_crashed"


def test_a_fault_at_the_first_work_that_the_client_mends_is_survived() -> None:
    """An illegal instruction: the client loads again with a simpler CPU module by itself."""
    link = ScriptedLink(crashes={1})
    link.report = loaded(load_command())
    crash = link._crash

    def crash_and_reload(requests: list[Generate]) -> None:
        crash(requests)
        link.events[-1] = replace(link.events[-1], retrying=True)  # type: ignore[type-var]
        assert link.report is not None
        link.events.append(link.report)

    link._crash = crash_and_reload  # type: ignore[method-assign]
    assert compared(link).same_text is True
    assert link.restarts == 0


def test_without_a_meter_the_reason_is_said_and_never_a_zero() -> None:
    link = ScriptedLink()
    result = compare(Asker(link, clock=link.clock), REQUEST, AUTO)
    assert result.on.joules is None
    assert any("not available" in line for line in words.verdict(result))
    assert "not available" in words.markdown(result)


def test_the_cost_is_the_tariffs() -> None:
    result = compared(ScriptedLink())
    said = " ".join(words.verdict(result, Tariff(0.36, "EUR", is_example=True)))
    assert result.off.joules_per_token is not None
    million = result.off.joules_per_token * 1e6 / 3.6e6 * 0.36
    assert f"{million:.2f} EUR without" in said
    assert "an example" in said


# --- the monitor's meter -------------------------------------------------------------------------


class _Task:
    """Stands in for the monitor's EnergyMeter."""

    def __init__(self, took: TaskEnergy) -> None:
        self.took, self.begun = took, 0

    def begin(self, task: str) -> None:
        self.begun += 1

    def finish(self, task: str) -> TaskEnergy:
        return self.took


def test_joules_come_with_scope_and_method() -> None:
    task = _Task(TaskEnergy(2.0, 80.0, Scope.GPU_AND_CPU, Method.POWER))
    meter = MonitorMeter(task)
    meter.begin()
    assert meter.end() == Energy(80.0, "gpu+cpu", "power")
    assert task.begun == 1


@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        ((), "energy_no_meter"),
        (("nvidia_absent", "rapl_absent"), "energy_no_meter"),
        (("nvidia_absent", "energy_gap"), "energy_gap"),
    ],
)
def test_why_there_are_no_joules(missing: tuple[str, ...], reason: str) -> None:
    took = TaskEnergy(2.0, missing=tuple(Missing(code) for code in missing))
    assert MonitorMeter(_Task(took)).end() == Energy(reason=reason)
