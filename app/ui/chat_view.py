"""The messages of the conversation on screen, newest at the bottom.

Only the newest are built at once; older ones follow in slices of a few milliseconds and on
request, so that opening a long conversation does not hold up the window.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.conversation import Message, Role
from app.engine.protocol import TextPiece
from app.ui.message_view import AnswerView, MessageView, view_of
from app.ui.theme import GRID, Theme

PAGE = 40  # messages built without being asked for
AT_ONCE = 4
SLICE_SECONDS = 0.012
COLUMN_WIDTH = 800
SCROLL_BAR_WIDTH = 10  # as in the style sheet
NEAR_BOTTOM = 24  # pixels


class ChatView(QScrollArea):
    """The column of messages; stays at the bottom while the reader is there.

    Signals:
        link_clicked: a web address in a message was clicked.
        retry_clicked: another answer is wanted beside the given one.
    """

    link_clicked = Signal(str)
    retry_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tint = False
        self._path: tuple[Message, ...] = ()
        self._views: list[MessageView] = []  # of the newest messages, oldest first
        self._wanted = 0  # how many views there shall be
        self._at_bottom = True
        self._from_bottom = 0
        self.setObjectName("chat")
        self.setAccessibleName(self.tr("Conversation"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always there, so that no message is laid out again when it first appears.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._on_slice)
        self._lay_out()
        bar = self.verticalScrollBar()
        bar.setSingleStep(GRID * 5)
        bar.rangeChanged.connect(self._on_range)
        bar.valueChanged.connect(self._on_scrolled)

    def _lay_out(self) -> None:
        self._earlier = QPushButton(self.tr("Show earlier messages"))
        self._earlier.setObjectName("link")
        self._earlier.clicked.connect(self._on_earlier)
        self._earlier.hide()
        page = QWidget()
        page.setObjectName("chatPage")
        column_widget = QWidget()
        column_widget.setMaximumWidth(COLUMN_WIDTH)
        self._column = QVBoxLayout(column_widget)
        self._column.setContentsMargins(GRID * 3, GRID * 3, GRID * 3, GRID * 3)
        self._column.setSpacing(GRID * 3)
        self._column.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addStretch()
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(column_widget, 100)
        row.addStretch(1)
        self.setWidget(page)

    # --- what to show -------------------------------------------------------------------------

    def show_path(self, path: tuple[Message, ...]) -> None:
        """Show a conversation's active path; what is on screen already stays."""
        shown = tuple(message for message in path if message.role is not Role.SYSTEM)
        self._keep_common(shown)
        self._path = shown
        self._wanted = min(len(shown), max(PAGE, len(self._views)))
        self._add_newer()
        while len(self._views) < min(AT_ONCE, self._wanted):
            self._add_older()
        for view, message in zip(self._views, shown[len(shown) - len(self._views) :], strict=True):
            view.show_message(message)
        self._continue()

    def _keep_common(self, path: tuple[Message, ...]) -> None:
        """Remove the views that are not on the new path."""
        same = 0
        for old, new in zip(self._path, path, strict=False):
            if old.id != new.id:
                break
            same += 1
        first = len(self._path) - len(self._views)
        keep = max(0, same - first)
        while len(self._views) > keep:
            self._remove(self._views.pop())
        if not self._views:
            self._at_bottom = True

    def _remove(self, view: MessageView) -> None:
        self._column.removeWidget(view)
        view.hide()
        view.deleteLater()

    def append(self, message_id: str, pieces: Sequence[TextPiece]) -> None:
        """More of the answer that is being written."""
        view = self._answer(message_id)
        if view is not None and pieces:
            view.append(pieces)

    def show_status(self, message_id: str, text: str) -> None:
        """A line in the place of an answer's text until it begins."""
        view = self._answer(message_id)
        if view is not None:
            view.show_status(text)

    def set_tint(self, on: bool) -> None:
        """Show or hide which parts were drafted and accepted, in every answer."""
        self._tint = on
        for view in self._views:
            view.set_tint(on)

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        for view in self._views:
            view.refresh_theme()

    def scroll_to_bottom(self) -> None:
        """Go to the newest message and stay there."""
        self._at_bottom = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    # --- views --------------------------------------------------------------------------------

    def _answer(self, message_id: str) -> AnswerView | None:
        for view in reversed(self._views):
            if view.message_id == message_id and isinstance(view, AnswerView):
                return view
        return None

    def _add_newer(self) -> None:
        """Add views for messages after the newest one shown."""
        if not self._views:
            return
        known = {view.message_id for view in self._views}
        last = max(i for i, message in enumerate(self._path) if message.id in known)
        for message in self._path[last + 1 :]:
            view = self._new_view(message)
            self._column.insertWidget(self._column.count() - 1, view)
            self._views.append(view)

    def _add_older(self) -> None:
        """Add the view of the message before the oldest one shown."""
        message = self._path[len(self._path) - len(self._views) - 1]
        view = self._new_view(message)
        self._column.insertWidget(1, view)
        self._views.insert(0, view)

    def _new_view(self, message: Message) -> MessageView:
        view = view_of(message, self._theme)
        view.set_tint(self._tint)
        view.link_clicked.connect(self.link_clicked)
        if isinstance(view, AnswerView):
            view.retry_clicked.connect(self.retry_clicked)
        return view

    def _continue(self) -> None:
        if len(self._views) < self._wanted:
            self._slices.start()
        self._earlier.setVisible(len(self._views) < len(self._path))

    @Slot()
    def _on_slice(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        while len(self._views) < self._wanted and time.perf_counter() < until:
            self._add_older()
        if len(self._views) >= self._wanted:
            self._slices.stop()
        self._earlier.setVisible(len(self._views) < len(self._path))

    @Slot()
    def _on_earlier(self) -> None:
        self._wanted = min(len(self._path), self._wanted + PAGE)
        self._continue()

    # --- scrolling ----------------------------------------------------------------------------

    @Slot()
    def _on_scrolled(self) -> None:
        bar = self.verticalScrollBar()
        self._from_bottom = bar.maximum() - bar.value()
        self._at_bottom = self._from_bottom <= NEAR_BOTTOM

    @Slot(int, int)
    def _on_range(self, _low: int, high: int) -> None:
        """The content grew: stay at the bottom, or where the reader is if it grew above."""
        self.verticalScrollBar().setEnabled(high > 0)  # without a handle when all is seen
        if self._at_bottom:
            self.verticalScrollBar().setValue(high)
        elif self._slices.isActive():
            self.verticalScrollBar().setValue(high - self._from_bottom)
