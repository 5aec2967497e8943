"""Editing, answering again, and stepping between the versions of a message."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.conversation import Role
from app.engine.protocol import Generate
from app.ui.answer_view import AnswerView
from app.ui.message_view import MessageView
from app.ui.user_view import UserView
from tests.ui.conftest import Stage


def question(stage: Stage, place: int = 0) -> UserView:
    view = stage.window.chat._views[place]
    assert isinstance(view, UserView)
    return view


def answer(stage: Stage) -> AnswerView:
    view = stage.window.chat._views[-1]
    assert isinstance(view, AnswerView)
    return view


def steps(view: MessageView) -> str:
    """What stands between the arrows; "" when there is nothing to step to."""
    stepper = view._stepper
    return "" if stepper is None or stepper.isHidden() else stepper._count.text()


def contents(stage: Stage) -> list[str]:
    return [message.content for message in stage.session.conversation.path()]


def edit(stage: Stage, view: MessageView, text: str) -> None:
    """As a person does it: press the pencil, write, press the button."""
    assert isinstance(view, UserView | AnswerView)
    view._edit.click()
    QApplication.processEvents()
    editor = view._editor
    assert editor is not None
    assert editor.field.hasFocus()
    editor.field.setPlainText(text)
    editor.accept.click()
    QApplication.processEvents()


def two_answers(stage: Stage) -> None:
    stage.answer("First answer")
    answer(stage)._retry.click()
    stage.engine.write("Second answer")
    stage.engine.finish()
    stage.wait_state("Ready")


def test_another_answer_can_be_stepped_back_from(ready: Stage) -> None:
    ready.answer("First answer")
    assert steps(answer(ready)) == ""
    two = answer(ready)
    two._retry.click()
    ready.engine.write("Second answer")
    ready.engine.finish()
    ready.wait_state("Ready")
    assert steps(answer(ready)) == "2/2"
    stepper = answer(ready)._stepper
    assert stepper is not None
    assert not stepper._on.isEnabled()
    stepper._back.click()
    assert contents(ready) == ["Hello?", "First answer"]
    assert steps(answer(ready)) == "1/2"
    again = ready.storage.load(ready.session.conversation.id)
    assert again.path()[-1].content == "First answer", "the choice is kept"
    stepper = answer(ready)._stepper
    assert stepper is not None
    stepper._on.click()
    assert contents(ready) == ["Hello?", "Second answer"]


def test_an_edited_question_is_answered_anew_and_the_old_one_stays(ready: Stage) -> None:
    ready.answer("Paris", "Capital of France?")
    edit(ready, question(ready), "Capital of Spain?")
    assert ready.engine.last(Generate).messages[-1].content == "Capital of Spain?"
    ready.engine.write("Madrid")
    ready.engine.finish()
    ready.wait_state("Ready")
    assert contents(ready) == ["Capital of Spain?", "Madrid"]
    assert steps(question(ready)) == "2/2"
    stepper = question(ready)._stepper
    assert stepper is not None
    stepper._back.click()
    assert contents(ready) == ["Capital of France?", "Paris"]


def test_an_edited_answer_stands_and_goes_to_the_model(ready: Stage) -> None:
    ready.answer("The sky is green")
    count = ready.engine.count(Generate)
    edit(ready, answer(ready), "The sky is blue")
    assert ready.engine.count(Generate) == count
    assert contents(ready) == ["Hello?", "The sky is blue"]
    assert "edited by you" in answer(ready)._facts.text()
    ready.ask("Sure?")
    given = [m.content for m in ready.engine.last(Generate).messages]
    assert given == ["Hello?", "The sky is blue", "Sure?"]


def test_an_edit_can_be_given_up(ready: Stage) -> None:
    ready.answer("x", "Keep me")
    view = question(ready)
    view._edit.click()
    editor = view._editor
    assert editor is not None
    QApplication.processEvents()
    editor.field.setPlainText("changed")
    QTest.keyClick(editor.field, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert view._editor is None
    assert view._body.isVisible()
    assert contents(ready) == ["Keep me", "x"]
    assert len(ready.session.conversation) == 2


def test_an_edit_that_changes_nothing_makes_no_branch(ready: Stage) -> None:
    ready.answer("x", "Same")
    edit(ready, question(ready), "Same")
    assert len(ready.session.conversation) == 2
    assert question(ready)._editor is None


def test_enter_sends_an_edit_as_in_the_composer(ready: Stage) -> None:
    ready.answer("x", "One")
    view = question(ready)
    view._edit.click()
    editor = view._editor
    assert editor is not None
    editor.field.setPlainText("Two")
    QTest.keyClick(editor.field, Qt.Key.Key_Return)
    assert ready.engine.last(Generate).messages[-1].content == "Two"


def test_an_edit_while_an_answer_is_written_is_refused_and_nothing_lost(ready: Stage) -> None:
    ready.answer("x", "One")
    ready.ask("Two")
    ready.engine.write("half")
    ready.wait_state("Writing")
    edit(ready, question(ready), "Changed")
    assert "still being written" in ready.window.notices.texts()[0]
    editor = question(ready)._editor
    assert editor is not None
    assert editor.field.toPlainText() == "Changed"
    assert len(ready.session.conversation) == 4


def test_branches_below_come_back_as_they_were_left(ready: Stage) -> None:
    ready.answer("A1", "Q1")
    ready.answer("A2", "Q2")
    edit(ready, question(ready), "Q1 changed")
    ready.engine.write("B1")
    ready.engine.finish()
    ready.wait_state("Ready")
    assert contents(ready) == ["Q1 changed", "B1"]
    stepper = question(ready)._stepper
    assert stepper is not None
    stepper._back.click()
    assert contents(ready) == ["Q1", "A1", "Q2", "A2"]
    assert [type(v) for v in ready.window.chat._views] == [UserView, AnswerView] * 2


def test_the_cut_is_shown_where_the_context_begins(ready: Stage) -> None:
    for number in range(3):
        ready.answer(f"a{number}", f"q{number}")
    conversation = ready.session.conversation
    conversation.context_from = conversation.path()[2].id
    ready.application.chat.refresh()
    cut = [v for v in ready.window.chat._views if v._cut is not None and v._cut.isVisible()]
    assert [view.message_id for view in cut] == [conversation.context_from]
    assert "2 older messages" in ready.window.composer.meter.toolTip()
    ready.ask("next")
    assert ready.engine.last(Generate).messages[0].role is Role.USER
    assert len(ready.engine.last(Generate).messages) == 5
