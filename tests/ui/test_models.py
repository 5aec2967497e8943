"""Loading, failing, crashing, restarting: every state has its words and its way on."""

from __future__ import annotations

from app.engine.protocol import (
    Generate,
    LoadFailed,
    LoadModels,
    LoadProgress,
    LoadStep,
    Speculation,
    Unloaded,
    UnloadModels,
    WorkerExited,
)
from app.ui.notices import Action
from tests.ui.conftest import DRAFT, TARGET, Stage


def begin_load(stage: Stage) -> None:
    for command in stage.session.load(TARGET, DRAFT):
        stage.engine.send(command)
    stage.application.chat.refresh()


def test_loading_shows_its_progress(stage: Stage) -> None:
    begin_load(stage)
    stage.engine.say(LoadProgress("target", 0.4))
    stage.wait_state("Loading 40 %")
    assert stage.window.empty._progress.value() == 400
    assert "Reading the model into memory" in stage.window.empty._text.text()
    stage.engine.say(LoadProgress("warmup", 0.95))
    stage.qtbot.waitUntil(lambda: "Warming up" in stage.window.empty._text.text())


def test_a_loaded_pair_is_named(ready: Stage) -> None:
    assert ready.window.pair_bar._target.text() == "target"
    assert ready.window.pair_bar._draft.text() == "draft: draft"
    assert ready.window.empty._title.text() == "What would you like to know?"


def test_a_failed_load_says_why_and_offers_a_way_on(stage: Stage) -> None:
    begin_load(stage)
    stage.engine.say(LoadFailed("not_a_gguf", {"path": "/models/target.gguf"}))
    stage.wait_state("Could not be loaded")
    assert "is not a GGUF model file" in stage.window.empty._text.text()
    assert stage.window.notices.texts() == [], "it is said once"
    stage.window.empty._buttons[0].click()
    assert stage.engine.count(LoadModels) == 2
    assert stage.state() == "Loading 0 %"


def test_a_failed_load_beside_messages_is_said_above_the_composer(ready: Stage) -> None:
    ready.answer("Hello")
    begin_load(ready)
    ready.engine.say(LoadFailed("not_a_gguf", {"path": "/models/target.gguf"}))
    ready.wait_state("Could not be loaded")
    assert "is not a GGUF model file" in ready.window.notices.texts()[0]


def test_a_refused_draft_is_said_and_the_target_answers(stage: Stage) -> None:
    begin_load(stage)
    detail: dict[str, str | int | float | None] = {"token": 139, "target": "a", "draft": "b"}
    stage.engine.load(draft=False, no_draft_because="pair_token_text", no_draft_detail=detail)
    stage.wait_state("Ready")
    (text,) = stage.window.notices.texts()
    assert "Token 139 is 'a' in the target and 'b' in the draft" in text
    button = stage.window.composer.switch._buttons[Speculation.DRAFT]
    assert not button.isEnabled()
    assert "Token 139" in button.toolTip()
    stage.answer("I answer without a draft")
    assert stage.engine.count(Generate) == 1


def test_a_notice_can_be_dismissed(stage: Stage) -> None:
    begin_load(stage)
    stage.engine.load(steps=(LoadStep("not_loaded"), LoadStep("empty_message")))
    stage.wait_state("Ready")
    first, second = stage.window.notices.texts()
    stage.window.notices.dismissed.emit("0")
    assert stage.window.notices.texts() == [second]
    assert first != second


def test_unloading_frees_the_pair(ready: Stage) -> None:
    ready.window.pair_bar._unload.click()
    assert ready.engine.count(UnloadModels) == 1
    ready.wait_state("Unloading")
    ready.engine.say(Unloaded())
    ready.wait_state("No model")
    assert not ready.application.numbers.watch.active
    assert ready.window.panel.memory._empty.isVisible()
    assert "target was unloaded" in ready.window.empty._text.text()
    ready.window.empty._buttons[0].click()
    assert ready.engine.last(LoadModels).draft == DRAFT


def test_a_crash_keeps_the_answer_and_a_restart_loads_the_same_pair(ready: Stage) -> None:
    ready.ask("Tell me")
    ready.engine.write("Half of it")
    ready.wait_state("Writing")
    ready.engine.say(WorkerExited(-9, "SIGKILL", ("the last line",), while_doing="generating"))
    ready.wait_state("Stopped unexpectedly")
    (text,) = ready.window.notices.texts()
    assert "SIGKILL" in text
    assert ready.session.conversation.path()[-1].content == "Half of it"
    ready.window.composer.set_text("Too early")
    ready.window.composer.submitted.emit("Too early")
    assert ready.window.composer.text() == "Too early"
    ready.window.notices.acted.emit(Action.RESTART)
    command = ready.engine.last(LoadModels)
    assert (command.target, command.draft) == (TARGET, DRAFT)
    assert ready.engine.count(LoadModels) == 2
    ready.engine.load()
    ready.wait_state("Ready")
    ready.answer("Whole", "Again")
    assert ready.session.conversation.path()[-1].content == "Whole"


def test_a_restart_can_leave_the_draft_out(ready: Stage) -> None:
    ready.engine.say(WorkerExited(1, None, while_doing="idle"))
    ready.wait_state("Stopped unexpectedly")
    ready.window.empty._buttons[1].click()
    assert ready.engine.last(LoadModels).draft is None


def test_a_worker_that_comes_back_by_itself_is_only_mentioned(ready: Stage) -> None:
    detail: dict[str, str | int | float | None] = {
        "code": "illegal_instruction_retry",
        "cpu_module": "sapphirerapids",
    }
    ready.engine.say(WorkerExited(-4, "SIGILL", retrying=True, detail=detail))
    ready.wait_state("Loading 0 %")
    assert "CPU module sapphirerapids" in ready.window.notices.texts()[0]


def test_faulting_modules_are_remembered_for_this_computer(stage: Stage) -> None:
    from app import settings

    stage.application.bridge.post_skipped(frozenset({"sapphirerapids"}))
    kept = settings.load()
    assert kept.cpu_modules_to_skip(stage.application.preferences.computer) == ("sapphirerapids",)
