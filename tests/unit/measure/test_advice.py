"""Advice with its numbers, and recipes with current option names."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.protocol import KvType
from app.engine.stats import GenerationStats
from app.measure import advice, recipes
from app.measure.advice import Advice, OtherDraft
from app.measure.estimates import SpeedUp
from app.measure.roofline import Roofline
from app.measure.summary import Row, Spread, Summary
from app.messages import SENTENCES, sentence
from tests.unit.measure.scripted_link import load_command, loaded

PAIR = loaded(load_command())
LOW = GenerationStats(
    generated_tokens=200,
    target_passes=100,
    drafted_tokens=400,
    accepted_tokens=100,
    drafted_by_position=(100, 100, 100, 100),
    accepted_by_position=(60, 25, 10, 5),
)


def codes(found: list[Advice]) -> list[str]:
    return [each.code for each in found]


def is_whole(each: Advice) -> bool:
    """Whether the sentence is there and all its places are filled."""
    return each.code in SENTENCES and "{" not in sentence(each.code, each.detail)


def test_low_acceptance_on_a_dear_machine_asks_for_shorter_drafts() -> None:
    roofline = Roofline((0.1, 0.11, 0.2, 0.3, 0.4), 0.005)
    found = advice.on_acceptance(LOW, PAIR, roofline)
    assert codes(found) == ["advice_shorter"]
    assert found[0].detail == {"percent": 25, "drafted": 400, "depth": 4.0, "best": 1, "gain": 39}
    assert is_whole(found[0])


def test_where_no_depth_pays_it_says_switch_off() -> None:
    found = advice.on_acceptance(LOW, PAIR, Roofline((0.1, 0.2, 0.3, 0.4, 0.5), 0.05))
    assert codes(found) == ["advice_switch_off"]
    assert is_whole(found[0])


def test_a_larger_draft_of_at_most_a_tenth_is_named() -> None:
    others = [
        OtherDraft("same", 500_000_000),
        OtherDraft("good", 700_000_000),
        OtherDraft("too large", 1_500_000_000),
    ]
    found = advice.on_acceptance(LOW, PAIR, others=others)
    assert codes(found) == ["advice_other_draft"]
    assert found[0].detail["name"] == "good"
    assert is_whole(found[0])


def test_without_a_roofline_it_still_says_the_numbers() -> None:
    found = advice.on_acceptance(LOW, PAIR)
    assert codes(found) == ["advice_low_acceptance"]
    assert is_whole(found[0])


@pytest.mark.parametrize(
    "stats",
    [
        GenerationStats(),
        replace(LOW, drafted_tokens=40, accepted_tokens=2),
        replace(LOW, accepted_tokens=200),
    ],
)
def test_no_advice_from_little_or_from_good(stats: GenerationStats) -> None:
    assert advice.on_acceptance(stats, PAIR) == []


def test_compute_bound_is_said_with_its_ratio() -> None:
    found = advice.on_bound(Roofline((0.1, 0.12, 0.15, 0.2, 0.25), 0.01))
    assert codes(found) == ["advice_compute_bound"]
    assert found[0].detail["ratio"] == 2.5
    assert is_whole(found[0])
    assert codes(advice.on_bound(Roofline((0.1, 0.2, 0.3, 0.4, 0.5), 0.1))) == [
        "advice_compute_bound_never"
    ]
    assert advice.on_bound(Roofline((0.1, 0.1, 0.1, 0.1, 0.11), 0.01)) == []


def test_short_headroom_names_what_each_change_frees() -> None:
    found = advice.on_headroom(PAIR, 300 << 20)
    assert codes(found) == [
        "advice_headroom_short",
        "advice_drop_draft",
        "advice_halve_context",
        "advice_smaller_cache",
    ]
    freed = {each.code: each.detail.get("freed") for each in found}
    assert freed["advice_drop_draft"] == 464
    assert freed["advice_halve_context"] == (512 + 64) // 2
    assert freed["advice_smaller_cache"] == 240  # of 512 MiB, 34 bytes for 64 stay
    assert all(is_whole(each) for each in found)
    assert advice.on_headroom(PAIR, 2 << 30) == []


def test_what_cannot_free_anything_is_not_offered() -> None:
    small = replace(PAIR, draft=None, kv_type=KvType.Q8_0)
    assert codes(advice.on_headroom(small, 0)) == ["advice_headroom_short", "advice_halve_context"]


# --- benchmarks ----------------------------------------------------------------------------------


def a_row(arm: str, gain: SpeedUp | None, workload: str = "chat", at_once: int = 1) -> Row:
    spread = Spread(1.0, 2.0)
    return Row(
        workload,
        at_once,
        arm,
        requests=30,
        ttft_seconds=spread,
        latency_seconds=spread,
        tokens_per_second=spread,
        total_tokens_per_second=1.0,
        generated_tokens=100,
        process_bytes=None,
        gpu_bytes=None,
        acceptance=None,
        accepted_per_proposal=None,
        acceptance_by_position=(),
        joules_per_task=None,
        joules_per_token=None,
        speed_up=gain,
        other_texts=0,
        compared_texts=0,
        speeds=(),
    )


def summary(*rows: Row) -> Summary:
    return Summary(rows, complete=True, crashes=0, energy_scope="", energy_method="")


def test_the_best_shown_arm_is_named() -> None:
    found = advice.on_benchmark(
        summary(
            a_row("off", None),
            a_row("auto", SpeedUp(1.4, 1.3, 1.5, 30)),
            a_row("lookup", SpeedUp(1.9, 0.9, 2.4, 30)),
        )
    )
    assert codes(found) == ["advice_best_arm"]
    assert found[0].detail["arm"] == "auto"
    assert is_whole(found[0])


def test_no_claim_where_no_interval_is_above_one() -> None:
    found = advice.on_benchmark(
        summary(a_row("off", None), a_row("auto", SpeedUp(1.1, 0.9, 1.3, 30)))
    )
    assert codes(found) == ["advice_no_arm"]
    assert is_whole(found[0])


def test_a_gain_that_is_gone_at_four_is_said() -> None:
    found = advice.on_benchmark(
        summary(
            a_row("off", None, "long"),
            a_row("auto", SpeedUp(1.5, 1.4, 1.6, 10), "long"),
            a_row("off", None, "long", 4),
            a_row("auto", SpeedUp(0.95, 0.8, 1.1, 12), "long", 4),
        )
    )
    assert codes(found) == ["advice_best_arm", "advice_gone_at_once", "advice_no_arm"]
    assert found[1].detail["many_factor"] == "0.95"
    assert is_whole(found[1])


# --- recipes -------------------------------------------------------------------------------------


def test_llama_server_gets_the_same_pair_and_placement() -> None:
    command = load_command()
    recipe = recipes.llama_server(command, replace(PAIR, kv_type=KvType.Q8_0), depth=5)
    words = shlex.split(recipe.for_posix().replace("\\\n", " "))
    assert words[0] == "llama-server"
    options = dict(zip(words[1:-3:2], words[2:-3:2], strict=True))
    assert options["-m"] == "/models/target.gguf"
    assert options["--spec-draft-model"] == "/models/draft.gguf"
    assert options["--spec-draft-n-max"] == "5"
    assert options["-c"] == str(4096 * 4)
    assert options["-np"] == "4"
    assert options["-ctk"] == options["-ctv"] == "q8_0"
    assert not {"--draft", "--draft-max", "--draft-min"} & set(words)


def test_names_with_spaces_survive_both_shells() -> None:
    path = Path("/models/my model's.gguf")
    pair = replace(PAIR, draft=None, target=replace(PAIR.target, path=path))
    recipe = recipes.llama_server(load_command(), pair)
    assert str(path) in shlex.split(recipe.for_posix().replace("\\\n", " "))
    assert f'"{path}"' in recipe.for_windows()


def test_vllm_takes_repositories_and_says_so() -> None:
    recipe = recipes.vllm(PAIR, 5, target_repo="a/b", draft_repo="c/d")
    config = json.loads(recipe.arguments[recipe.arguments.index("--speculative-config") + 1])
    assert config == {"method": "draft_model", "model": "c/d", "num_speculative_tokens": 5}
    assert recipe.notes == ("recipe_original_weights",)
    unknown = recipes.vllm(replace(PAIR, draft=None))
    assert "TARGET-REPOSITORY" in unknown.arguments
    assert unknown.notes == ("recipe_name_repositories",)
    assert "ngram" in unknown.for_posix()


def test_every_note_has_a_sentence() -> None:
    without = replace(PAIR, draft=None)
    for recipe in (
        recipes.llama_server(load_command(), PAIR),
        recipes.llama_server(load_command(), without),
        recipes.vllm(PAIR),
        recipes.vllm(PAIR, target_repo="a/b", draft_repo="c/d"),
    ):
        assert all(note in SENTENCES for note in recipe.notes)
