"""What the worker was doing, for every order of commands and events that occurs."""

from __future__ import annotations

from pathlib import Path

from app.engine.activity import Activity
from app.engine.protocol import (
    Cancel,
    FinishReason,
    Generate,
    GenerationFinished,
    LoadFailed,
    LoadModels,
    LoadProgress,
    Measure,
    Measured,
    PromptProgress,
    RequestFailed,
    TokensGenerated,
    Unloaded,
    UnloadModels,
    WorkerStarted,
)
from app.engine.stats import GenerationStats

STATS = GenerationStats()
STARTED = WorkerStarted(1, 42, {}, (), "haswell")


def started() -> Activity:
    activity = Activity()
    activity.saw(STARTED)
    return activity


def test_it_is_starting_until_it_said_so_even_with_a_load_waiting() -> None:
    activity = Activity()
    activity.sent(LoadModels(Path("a")))
    assert activity.doing == "starting"
    activity.saw(STARTED)
    assert activity.doing == "loading"
    assert activity.cpu_module == "haswell"


def test_two_loads_need_two_answers() -> None:
    activity = started()
    activity.sent(LoadModels(Path("a")))
    activity.sent(LoadModels(Path("b")))
    activity.saw(LoadProgress("target", 0.5))
    activity.saw(LoadFailed("load_cancelled"))
    assert activity.doing == "loading"
    activity.saw(LoadFailed("file_empty"))
    assert activity.doing == "idle"
    assert activity.start_failure is None


def test_a_failure_before_the_start_is_the_reason_of_the_end() -> None:
    activity = Activity()
    activity.saw(LoadFailed("engine_library_missing", {"path": "/x"}))
    assert activity.start_failure == {"code": "engine_library_missing", "path": "/x"}


def test_prompt_then_generating_then_idle() -> None:
    activity = started()
    activity.sent(Generate("a"))
    activity.saw(PromptProgress("a", 1, 2, 0))
    assert activity.doing == "prompt"
    activity.saw(TokensGenerated("a", (), (), STATS))
    activity.sent(Cancel("a"))
    assert (activity.doing, activity.unanswered) == ("generating", ("a",))
    activity.saw(GenerationFinished("a", FinishReason.CANCELLED, STATS))
    assert (activity.doing, activity.unanswered) == ("idle", ())


def test_measuring_and_failing() -> None:
    activity = started()
    activity.sent(Measure("m"))
    assert activity.doing == "measuring"
    activity.sent(Generate("a"))
    activity.saw(Measured("m", (), None, 1))
    assert list(activity.unanswered) == ["a"]
    activity.saw(RequestFailed("a", "prompt_too_long"))
    assert list(activity.unanswered) == []


def test_unloading_is_open_until_answered() -> None:
    activity = started()
    activity.sent(UnloadModels())
    assert activity.unloading
    activity.saw(Unloaded())
    assert not activity.unloading
