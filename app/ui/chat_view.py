"""The messages of the conversation on screen, newest at the bottom.

Only some of them are built at once: those the reader sees and some around them. More follow in
slices of a few milliseconds as the reader comes near an end, and what is far away is let go, so
that neither opening nor scrolling a long conversation holds up the window.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.conversation import Message, Role
from app.engine.protocol import TextPiece
from app.ui.answer_view import AnswerView, view_of
from app.ui.message_view import MessageView
from app.ui.reading_place import ReadingPlace
from app.ui.stretch import Stretch, common
from app.ui.theme import GRID, Theme

AT_ONCE = 4
SLICE_SECONDS = 0.006
COLUMN_WIDTH = 800
SCROLL_BAR_WIDTH = 10  # as in the style sheet
ABOVE_FOUND = GRID * 3


class ChatView(QScrollArea):
    """The column of messages; stays at the bottom while the reader is there.

    Signals:
        link_clicked: a web address in a message was clicked.
        retry_clicked: another answer is wanted beside the given one.
        branch_wanted: another version of a message is wanted: its id.
        edited: message id and new text.
        unfinished_shown: the view of an answer in progress was made anew, and knows no text yet.
    """

    link_clicked = Signal(str)
    retry_clicked = Signal(str)
    branch_wanted = Signal(str)
    edited = Signal(str, str)
    unfinished_shown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tint = False
        self._enter_sends = True
        self._path: tuple[Message, ...] = ()
        self._branches: Mapping[str, Sequence[str]] = {}
        self._cut: str | None = None
        self._gone: list[MessageView] = []
        self._views: list[MessageView] = []  # of path[stretch.first : stretch.last]
        self._stretch = Stretch()
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
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(0)
        self._settle.timeout.connect(self._on_settled)
        self._page = QWidget()
        self._reader = ReadingPlace(self.verticalScrollBar(), self._page)
        self._earlier = QPushButton(self.tr("Show earlier messages"))
        self._later = QPushButton(self.tr("Show later messages"))
        self._lay_out()
        bar = self.verticalScrollBar()
        bar.setSingleStep(GRID * 5)
        bar.rangeChanged.connect(self._on_range)
        bar.valueChanged.connect(self._on_scrolled)

    def _lay_out(self) -> None:
        for button in (self._earlier, self._later):
            button.setObjectName("link")
            button.hide()
        self._earlier.clicked.connect(self._on_earlier)
        self._later.clicked.connect(self._on_later)
        self._page.setObjectName("chatPage")
        column_widget = QWidget()
        column_widget.setMaximumWidth(COLUMN_WIDTH)
        self._column = QVBoxLayout(column_widget)
        self._column.setContentsMargins(GRID * 3, GRID * 3, GRID * 3, GRID * 3)
        self._column.setSpacing(GRID * 3)
        self._column.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addWidget(self._later, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addStretch()
        row = QHBoxLayout(self._page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(column_widget, 100)
        row.addStretch(1)
        self.setWidget(self._page)

    # --- what to show -------------------------------------------------------------------------

    def show_path(
        self,
        path: tuple[Message, ...],
        branches: Mapping[str, Sequence[str]] | None = None,
        cut: str | None = None,
    ) -> None:
        """Show a conversation's active path; what is on screen already stays.

        Args:
            branches: the versions of each message that has several, itself included.
            cut: the first message that the model is given, if it is not the first of all.
        """
        shown = tuple(message for message in path if message.role is not Role.SYSTEM)
        self._branches, self._cut = branches or {}, cut
        self._keep_common(shown)
        for view, message in zip(self._views, self._path[self._stretch.first :], strict=False):
            view.show_message(message)
            self._dress(view)
        while len(self._views) < min(AT_ONCE, self._stretch.wanted):
            self._build_one()
        self._continue()

    def _keep_common(self, path: tuple[Message, ...]) -> None:
        """Remove the views that are not on the new path, and see what is wanted of it."""
        same = common([m.id for m in self._path], [m.id for m in path])
        changed = same < max(len(self._path), len(path))
        self._path = path
        while len(self._views) > max(0, same - self._stretch.first):
            self._remove(self._views.pop())
        if not self._views:
            self._reader.at_bottom, self._reader.anchor = True, None
            self._stretch.begin_at_end(len(path))
        elif changed:
            self._stretch.follow(same, len(path))
        self._stretch.built(self._stretch.first, self._stretch.first + len(self._views))

    def _remove(self, view: MessageView) -> None:
        self._reader.forget(view)
        self._column.removeWidget(view)
        view.hide()
        self._gone.append(view)  # destroying takes its time: see _on_slice
        self._slices.start()

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

    def set_enter_sends(self, on: bool) -> None:
        """What Enter does in a message that is edited."""
        self._enter_sends = on
        for view in self._views:
            view.enter_sends = on

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        for view in self._views:
            view.refresh_theme()

    def scroll_to_bottom(self) -> None:
        """Go to the newest message and stay there."""
        if self._stretch.last < len(self._path):
            self._begin_anew()
            self._stretch.begin_at_end(len(self._path))
            self._continue()
        self._reader.at_bottom = True
        self._reader.hold()

    def scroll_to(self, message_id: str) -> None:
        """Bring a message of the path into sight, and draw attention to it."""
        at = next((i for i, m in enumerate(self._path) if m.id == message_id), None)
        if at is None:
            return
        if not self._stretch.first <= at < self._stretch.last:
            self._begin_anew()
            self._stretch.begin_around(at, len(self._path))
            while self._stretch.last <= at:
                self._build_one()
        view = self._views[at - self._stretch.first]
        self._reader.at_bottom, self._reader.anchor = False, (view, ABOVE_FOUND)
        self._continue()
        view.show_found()
        self._settle.start()

    def _begin_anew(self) -> None:
        while self._views:
            self._remove(self._views.pop())

    # --- views --------------------------------------------------------------------------------

    def _answer(self, message_id: str) -> AnswerView | None:
        for view in reversed(self._views):
            if view.message_id == message_id and isinstance(view, AnswerView):
                return view
        return None

    def _build_one(self) -> None:
        """Build or remove one view, whichever brings the stretch nearer to what is wanted."""
        stretch = self._stretch
        if stretch.lacks_below:
            view = self._new_view(self._path[stretch.last])
            self._column.insertWidget(len(self._views) + 1, view)
            self._views.append(view)
            stretch.built(stretch.first, stretch.last + 1)
        elif stretch.lacks_above:
            view = self._new_view(self._path[stretch.first - 1])
            self._column.insertWidget(1, view)
            self._views.insert(0, view)
            stretch.built(stretch.first - 1, stretch.last)
        elif stretch.spare_above:
            self._remove(self._views.pop(0))
            stretch.built(stretch.first + 1, stretch.last)
        elif stretch.spare_below:
            self._remove(self._views.pop())
            stretch.built(stretch.first, stretch.last - 1)

    def _new_view(self, message: Message) -> MessageView:
        view = view_of(message, self._theme)
        view.enter_sends = self._enter_sends
        view.set_tint(self._tint)
        view.link_clicked.connect(self.link_clicked)
        view.resend_wanted.connect(self.retry_clicked)
        view.branch_wanted.connect(self.branch_wanted)
        view.edited.connect(self.edited)
        self._dress(view)
        if message.role is Role.ASSISTANT and message.finish_reason is None:
            self.unfinished_shown.emit()
        return view

    def _dress(self, view: MessageView) -> None:
        view.show_branches(self._branches.get(view.message_id, ()))
        view.show_cut(view.message_id == self._cut)

    def _continue(self) -> None:
        if not self._stretch.complete:
            self._slices.start()
        self._show_buttons()

    def _show_buttons(self) -> None:
        self._earlier.setVisible(self._stretch.first > 0)
        self._later.setVisible(self._stretch.last < len(self._path))

    @Slot()
    def _on_slice(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        while not self._stretch.complete and time.perf_counter() < until:
            self._build_one()
        while self._gone and time.perf_counter() < until:
            shiboken6.delete(self._gone.pop())
        if self._stretch.complete and not self._gone:
            self._slices.stop()
        self._show_buttons()
        # Lay out now: what is read would jump for a frame until the next turn of the loop.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    @Slot()
    def _on_earlier(self) -> None:
        self._stretch.want_above()
        self._continue()

    @Slot()
    def _on_later(self) -> None:
        self._reader.at_bottom = False
        self._stretch.want_below(len(self._path))
        self._continue()

    # --- scrolling ----------------------------------------------------------------------------

    @Slot()
    def _on_scrolled(self) -> None:
        if self._reader.is_moving:
            return
        self._reader.look(self._views, is_end=self._stretch.last == len(self._path))
        if self._reader.at_bottom or self._slices.isActive():
            return
        near = self.viewport().height()
        if self.verticalScrollBar().value() < near and self._stretch.first > 0:
            self._on_earlier()
        elif self._reader.below < near and self._stretch.last < len(self._path):
            self._on_later()

    @Slot()
    def _on_settled(self) -> None:
        self._reader.hold()

    @Slot(int, int)
    def _on_range(self, _low: int, high: int) -> None:
        """The content grew: stay at the bottom, or where the reader is if it grew above."""
        self.verticalScrollBar().setEnabled(high > 0)  # without a handle when all is seen
        self._reader.hold(high)
