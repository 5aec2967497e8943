"""An answer: reasoning, text, and below it what it cost and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.conversation import FAILED, INTERRUPTED, Message, Role
from app.engine.protocol import FinishReason, PieceSource, TextPiece
from app.ui.answer_facts import all_facts, short_facts
from app.ui.branch_stepper import BranchStepper
from app.ui.icons import icon
from app.ui.message_body import MessageBody
from app.ui.message_view import MessageView
from app.ui.messages import say
from app.ui.reasoning_view import ReasoningView
from app.ui.theme import GRID, Theme, number_font
from app.ui.user_view import UserView

_SOURCES = {source.value: source for source in PieceSource}


class AnswerView(MessageView):
    """What the model answered."""

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(message, theme, parent)
        self._tint = False
        self._reasoning: ReasoningView | None = None
        self._who = QLabel(message.model or self.tr("Answer"))
        self._who.setTextFormat(Qt.TextFormat.PlainText)
        self._who.setObjectName("who")
        self._who.setMinimumWidth(1)  # the name comes from a file, and may not widen the window
        self.setAccessibleName(self.tr("Answer"))
        self._status = QLabel()
        self._status.setObjectName("muted")
        self._problem = QLabel()
        self._problem.setObjectName("problem")
        self._problem.setWordWrap(True)
        self._problem.setMinimumWidth(1)
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.hide()
        self._copy = self._tool("copy", self.tr("Copy answer"))
        self._copy.clicked.connect(self._on_copy)
        self._edit = self._tool("pencil", self.tr("Edit answer"))
        self._edit.clicked.connect(self._on_edit)
        self._retry = self._tool("restart", self.tr("Answer again"))
        self._retry.clicked.connect(self._on_retry)
        self._facts = QLabel()
        self._facts.setObjectName("facts")
        self._facts.setFont(number_font(self._facts.font()))
        self._facts.setMinimumWidth(1)
        self._facts.setWordWrap(True)
        self._facts.setTextFormat(Qt.TextFormat.PlainText)
        self._lay_out()
        self._body = self._new_body()
        self.show_message(message)

    def _lay_out(self) -> None:
        self._foot = QWidget()
        self._tools = QHBoxLayout(self._foot)
        self._tools.setContentsMargins(0, 0, 0, 0)
        self._tools.setSpacing(GRID // 4)
        for tool in (self._copy, self._edit, self._retry):
            self._tools.addWidget(tool)
        self._tools.addSpacing(GRID // 2)
        self._tools.addWidget(self._facts, 1)
        self._foot.hide()
        for widget in (self._who, self._status, self._problem, self._foot):
            self._column.addWidget(widget)

    def _new_body(self) -> MessageBody:
        body = MessageBody(self._theme, self)
        body.set_tint(self._tint)
        body.link_clicked.connect(self.link_clicked)
        self._column.insertWidget(self._column.indexOf(self._status), body)
        return body

    # --- text ---------------------------------------------------------------------------------

    def append(self, pieces: Sequence[TextPiece]) -> None:
        """More of the answer as it is written."""
        thoughts = "".join(piece.text for piece in pieces if piece.reasoning)
        if thoughts:
            self._reason(thoughts)
        said = [(piece.text, piece.source) for piece in pieces if not piece.reasoning]
        if said:
            self._body.append(said)

    def show_message(self, message: Message) -> None:
        """Show a finished answer, or what is missing of one that was streamed."""
        super().show_message(message)
        self._who.setText(message.model or self.tr("Answer"))
        if message.finish_reason is None:
            return
        if len(message.reasoning) > (self._reasoning.length if self._reasoning else 0):
            self._reason(message.reasoning[self._reasoning.length if self._reasoning else 0 :])
        self._body.append(_rest(message, self._body.length))
        self._body.finish(message.refused)
        if self._reasoning is not None:
            self._reasoning.finish(message.reasoning_seconds)
        self._status.hide()
        self._show_end(message)

    def show_status(self, text: str) -> None:
        """One line while nothing can be read yet: waiting, reading the prompt. "" for none."""
        self._status.setText(text)
        self._status.setVisible(bool(text))

    def set_tint(self, on: bool) -> None:
        self._tint = on
        self._body.set_tint(on)

    def refresh_theme(self) -> None:
        super().refresh_theme()
        muted = self._theme.tones.muted
        self._copy.setIcon(icon("copy", muted, size=16))
        self._edit.setIcon(icon("pencil", muted, size=16))
        self._retry.setIcon(icon("restart", muted, size=16))
        self._body.refresh_theme()
        if self._reasoning is not None:
            self._reasoning.refresh_theme()

    def _reason(self, text: str) -> None:
        if self._reasoning is None:
            self._reasoning = ReasoningView(self._theme, self)
            self._column.insertWidget(self._column.indexOf(self._who) + 1, self._reasoning)
        self._reasoning.append(text)

    def _place_stepper(self, stepper: BranchStepper) -> None:
        self._tools.insertWidget(3, stepper)

    def _reading_parts(self) -> Sequence[QWidget]:
        return (self._body, self._foot)

    # --- end ----------------------------------------------------------------------------------

    def _show_end(self, message: Message) -> None:
        problem = self._problem_text(message)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self._facts.setText("  ·  ".join(short_facts(message)))
        self._facts.setToolTip("\n".join(all_facts(message)))
        self._copy.setVisible(bool(message.content))
        self._edit.setVisible(bool(message.content))
        self._foot.setVisible(self._editor is None)

    def _problem_text(self, message: Message) -> str:
        if message.problem is not None and message.finish_reason != INTERRUPTED:
            return say(message.problem.code, message.problem.detail)
        if message.finish_reason == INTERRUPTED:
            return self.tr(
                "This answer was interrupted. What was written is kept; ask again to get all of it."
            )
        if message.finish_reason == FAILED:
            return self.tr("This question could not be answered. Ask again, or change it.")
        if message.finish_reason == FinishReason.CONTEXT:
            return self.tr(
                "The context is full, so the answer ends here. Start a new chat, or open the model "
                "with a longer context."
            )
        return ""

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._message.content)

    @Slot()
    def _on_edit(self) -> None:
        self.edit(is_question=False)

    @Slot()
    def _on_retry(self) -> None:
        self.resend_wanted.emit(self.message_id)


def _rest(message: Message, given: int) -> Iterator[tuple[str, PieceSource]]:
    """The text from character `given` on, with its sources; the target's where nothing is known."""
    at = 0
    for source, length in message.spans:
        start, at = at, at + max(0, length)
        if at > given:
            yield message.content[max(start, given) : at], _SOURCES.get(source, PieceSource.TARGET)
    yield message.content[max(at, given) :], PieceSource.TARGET


def view_of(message: Message, theme: Theme) -> MessageView:
    """The right widget for a message."""
    if message.role is Role.ASSISTANT:
        return AnswerView(message, theme)
    return UserView(message, theme)
