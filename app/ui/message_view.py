"""One message: who says it, its text, and below an answer what it cost and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.conversation import FAILED, INTERRUPTED, Message, Role
from app.engine.protocol import FinishReason, PieceSource, TextPiece
from app.ui.icons import icon
from app.ui.message_body import MessageBody
from app.ui.messages import say, say_number, say_percent
from app.ui.readable import readable
from app.ui.reasoning_view import ReasoningView
from app.ui.text_view import TextView
from app.ui.theme import GRID, Theme

# Enough to be wider than any column.
LINES_MEASURED = 40
CHARACTERS_MEASURED = 300


class MessageView(QFrame):
    """What both kinds of message have in common.

    Attributes:
        message_id: of the message shown.

    Signals:
        link_clicked: a web address in the text was clicked.
    """

    link_clicked = Signal(str)

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message_id = message.id
        self._theme = theme

    def show_message(self, message: Message) -> None:
        """Bring the text up to date with the message."""

    def set_tint(self, on: bool) -> None:
        """Show or hide which parts were drafted and accepted."""

    def refresh_theme(self) -> None:
        """The theme changed."""


class UserView(MessageView):
    """What a person wrote, as it was written."""

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(message, theme, parent)
        self.setAccessibleName(self.tr("You"))
        text = TextView()
        text.setAccessibleName(self.tr("Your message"))
        text.append_plain(readable(message.content.replace("\r", "")))
        bubble = QFrame()
        bubble.setObjectName("bubble")
        inner = QHBoxLayout(bubble)
        inner.setContentsMargins(GRID * 2, GRID, GRID * 2, GRID)
        inner.addWidget(text)
        # As wide as its text, on the right; a long text leaves a little room on the left.
        metrics = text.fontMetrics()
        lines = message.content.splitlines()[:LINES_MEASURED]
        widest = max(
            (metrics.horizontalAdvance(line[:CHARACTERS_MEASURED]) for line in lines), default=0
        )
        bubble.setMaximumWidth(widest + GRID * 4 + 4)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID * 8, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(bubble, 100)


class AnswerView(MessageView):
    """What the model answered: reasoning, text, and a line about the answer.

    Signals:
        retry_clicked: another answer is wanted in the place of this one.
    """

    retry_clicked = Signal(str)

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(message, theme, parent)
        self._message = message
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
        self._retry = self._tool("restart", self.tr("Answer again"))
        self._retry.clicked.connect(self._on_retry)
        self._facts = QLabel()
        self._facts.setObjectName("facts")
        self._facts.setMinimumWidth(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID // 2)
        self._lay_out()
        self._body = self._new_body()
        self.show_message(message)

    def _tool(self, name: str, text: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("quiet")
        button.setIcon(icon(name, self._theme.tones.muted, size=16))
        button.setToolTip(text)
        button.setAccessibleName(text)
        return button

    def _lay_out(self) -> None:
        self._foot = QWidget()
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(self._copy)
        row.addWidget(self._retry)
        row.addSpacing(GRID // 2)
        row.addWidget(self._facts)
        row.addStretch()
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
        self._message = message
        self._who.setText(message.model or self.tr("Answer"))
        if message.finish_reason is None:
            return
        if len(message.reasoning) > (self._reasoning.length if self._reasoning else 0):
            self._reason(message.reasoning[self._reasoning.length if self._reasoning else 0 :])
        self._body.append(_rest(message, self._body.length))
        self._body.finish()
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
        self._copy.setIcon(icon("copy", self._theme.tones.muted, size=16))
        self._retry.setIcon(icon("restart", self._theme.tones.muted, size=16))
        self._body.refresh_theme()
        if self._reasoning is not None:
            self._reasoning.refresh_theme()

    def _reason(self, text: str) -> None:
        if self._reasoning is None:
            self._reasoning = ReasoningView(self._theme, self)
            self._column.insertWidget(1, self._reasoning)
        self._reasoning.append(text)

    # --- end ----------------------------------------------------------------------------------

    def _show_end(self, message: Message) -> None:
        problem = self._problem_text(message)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self._facts.setText("  ·  ".join(self._fact_texts(message)))
        self._copy.setVisible(bool(message.content))
        self._foot.show()

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

    def _fact_texts(self, message: Message) -> Iterator[str]:
        stats: dict[str, Any] = dict(message.stats or {})
        if (speed := stats.get("tokens_per_second")) is not None:
            yield self.tr("{speed} tok/s").format(speed=say_number(speed, 1))
        if stats.get("generated_tokens"):
            seconds = say_number(stats.get("ttft_seconds", 0.0), 2)
            yield self.tr("first token {seconds} s").format(seconds=seconds)
            yield self.tr("{count} tokens").format(count=say_number(stats["generated_tokens"]))
        if (acceptance := stats.get("acceptance")) is not None:
            yield self.tr("{share} accepted").format(share=say_percent(acceptance))
        if message.finish_reason == FinishReason.CANCELLED:
            yield self.tr("stopped by you")
        if message.finish_reason == FinishReason.LENGTH:
            yield self.tr("ended at the length limit")

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._message.content)

    @Slot()
    def _on_retry(self) -> None:
        self.retry_clicked.emit(self.message_id)


def _rest(message: Message, given: int) -> Iterator[tuple[str, PieceSource]]:
    """The text from character `given` on, with its sources; the target's where nothing is known."""
    at = 0
    for source, length in message.spans:
        start, at = at, at + length
        if at > given:
            yield message.content[max(start, given) : at], PieceSource(source)
    yield message.content[max(at, given) :], PieceSource.TARGET


def view_of(message: Message, theme: Theme) -> MessageView:
    """The right widget for a message."""
    if message.role is Role.ASSISTANT:
        return AnswerView(message, theme)
    return UserView(message, theme)
