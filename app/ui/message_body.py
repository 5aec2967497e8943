"""The text of one answer: rendered where it is finished, plain where it is still being written.

Prose and code lie under each other as widgets of their own. A finished message is built the same
way as a streamed one, so both look the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.engine.protocol import PieceSource
from app.ui.blocks import Block, BlockSplitter
from app.ui.code_view import CodeView
from app.ui.guesses import Guesses
from app.ui.markdown import References, to_html
from app.ui.readable import readable
from app.ui.text_view import TextView
from app.ui.theme import GRID, Theme
from app.ui.tint import Span, Spans, locate, places

MAX_RUN = 5000  # characters of prose in one widget: what is laid out again when a block is added


@dataclass(slots=True)
class _Run:
    """Prose blocks that share one widget, so that they can be selected together.

    Attributes:
        html: of each block.
        known: how many link definitions were known when each block was rendered.
    """

    view: TextView
    blocks: list[Block] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    known: list[int] = field(default_factory=list)

    @property
    def length(self) -> int:
        return sum(len(block.source) for block in self.blocks)


class MessageBody(QWidget):
    """The growing or finished text of one answer.

    Attributes:
        length: characters of the answer it was given so far.

    Signals:
        link_clicked: a web address in the text was clicked.
    """

    link_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._splitter = BlockSplitter()
        self._spans = Spans()
        self._parts: list[_Run | tuple[CodeView, Block]] = []
        self._settled = 0  # blocks that have their final widget
        self._coded = 0  # characters of the open code block already shown
        self._tail = self._new_text()
        self._tail.hide()
        self._tail_block = -1
        self._tail_shown = ""
        self._tint = False
        self._references: References = {}
        self._guesses = Guesses(self._spans, ())
        self._dropped: list[int] = []  # places of carriage returns, which are not shown
        self.length = 0
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)
        self._column.addWidget(self._tail)

    def _new_text(self) -> TextView:
        view = TextView(self)
        view.setAccessibleName(self.tr("Answer text"))
        view.link_clicked.connect(self.link_clicked)
        return view

    # --- growing ------------------------------------------------------------------------------

    def append(self, pieces: Iterable[tuple[str, PieceSource]]) -> None:
        """More of the answer."""
        text = []
        for piece, source in pieces:
            if "\r" in piece:
                self._dropped += [self.length + i for i, c in enumerate(piece) if c == "\r"]
            self.length += len(piece)
            kept = piece.replace("\r", "")
            self._spans.add(len(kept), source)
            text.append(kept)
        self._splitter.feed("".join(text))
        self._sync()

    def finish(self, refused: Sequence[tuple[int, str]] = ()) -> None:
        """The answer is complete; `refused` are guesses by their place in it, to be told of."""
        self._splitter.finish()
        self._sync()
        self._resolve_references()
        self._guesses = Guesses(self._spans, self._shown_places(refused))

    def set_tint(self, on: bool) -> None:
        """Show or hide which parts were drafted and accepted."""
        if on != self._tint:
            self._tint = on
            self._retint()

    @Slot()
    def refresh_theme(self) -> None:
        """The theme changed."""
        for part in self._parts:
            if isinstance(part, _Run):
                part.view.show_rich("".join(part.html), self._theme.tones)
            else:
                part[0].refresh_theme()
        self._retint()

    # --- widgets ------------------------------------------------------------------------------

    def _sync(self) -> None:
        """Bring the widgets up to the splitter's blocks."""
        dirty: list[_Run] = []
        blocks = self._splitter.blocks
        while self._settled < len(blocks):
            block = blocks[self._settled]
            if block.is_code:
                self._grow_code(block)
            elif block.finished:
                run = self._add_prose(block)
                if run not in dirty:
                    dirty.append(run)
            if not block.finished:
                break
            self._settled += 1
        for run in dirty:
            run.view.show_rich("".join(run.html), self._theme.tones)
            if self._tint:
                self._tint_run(run)
        self._show_tail()

    def _add_prose(self, block: Block) -> _Run:
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, _Run) or last.length + len(block.source) > MAX_RUN:
            last = _Run(self._new_text())
            last.view.set_hints(_RunHints(self, last))
            self._parts.append(last)
            self._insert(last.view)
        last.blocks.append(block)
        last.html.append(self._render(block))
        last.known.append(len(self._references))
        return last

    def _render(self, block: Block) -> str:
        return to_html(readable(block.source), self._references, self.tr("Copy"))

    def _resolve_references(self) -> None:
        """Render anew what may use a link that was defined further down."""
        count = len(self._references)
        for run in (part for part in self._parts if isinstance(part, _Run)):
            stale = [i for i, known in enumerate(run.known) if known < count]
            stale = [i for i in stale if "[" in run.blocks[i].source]
            for index in stale:
                run.html[index], run.known[index] = self._render(run.blocks[index]), count
            if stale:
                run.view.show_rich("".join(run.html), self._theme.tones)
                if self._tint:
                    self._tint_run(run)

    def _grow_code(self, block: Block) -> None:
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, tuple) or last[1] is not block:
            last = (CodeView(block.language or "", self._theme, self), block)
            last[0].set_hints(_CodeHints(self, block))
            self._parts.append(last)
            self._insert(last[0])
            self._coded = 0
        view = last[0]
        pending = self._splitter.pending if self._splitter.pending_is_code else ""
        view.append(block.source[self._coded :], "" if block.finished else pending)
        self._coded = len(block.source)
        if block.finished:
            view.finish()
        if self._tint:
            self._tint_code(view, block)

    def _insert(self, widget: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, widget)

    def _show_tail(self) -> None:
        """Show the block that is still being written, as it is."""
        key, start, raw = self._tail_source()
        text = readable(raw).rstrip()
        if key != self._tail_block or not text.startswith(self._tail_shown):
            self._tail.clear()
            self._tail_shown = ""
            self._tail_block = key
        self._tail.append_plain(text[len(self._tail_shown) :])
        self._tail_shown = text
        self._tail.setVisible(bool(text))
        if self._tint and text:
            self._tail.show_tint(self._shifted(start, len(text)), self._theme.tones)

    def _tail_source(self) -> tuple[int, int, str]:
        """Number, start and text of what is being written; code has a widget of its own."""
        blocks, pending = self._splitter.blocks, self._splitter.pending
        if blocks and not blocks[-1].finished:
            if blocks[-1].is_code:
                return -1, 0, ""
            return len(blocks) - 1, blocks[-1].start, blocks[-1].source + pending
        return len(blocks), len(self._spans) - len(pending), pending

    # --- tint ---------------------------------------------------------------------------------

    def _retint(self) -> None:
        for part in self._parts:
            if isinstance(part, _Run):
                self._tint_run(part)
            else:
                self._tint_code(*part)
        _, start, _ = self._tail_source()
        spans = self._shifted(start, len(self._tail_shown)) if self._tint else []
        self._tail.show_tint(spans, self._theme.tones)

    def _tint_run(self, run: _Run) -> None:
        spans: list[Span] = []
        raw = ""
        for block in run.blocks if self._tint else ():
            inside = self._shifted(block.start, len(block.source))
            spans += [Span(s.start + len(raw), s.end + len(raw), s.source) for s in inside]
            raw += readable(block.source)
        shown = run.view.shown_text() if spans else ""
        run.view.show_tint(locate(raw, shown, spans) if spans else [], self._theme.tones)

    def _tint_code(self, view: CodeView, block: Block) -> None:
        length = min(len(block.source), len(view.shown_text()))
        view.show_tint(self._shifted(block.start, length) if self._tint else [])

    def hint(self, place: int) -> str:
        """What is known of the guess at a character of the answer; "" while nothing is tinted."""
        return self._guesses.hint(place) if self._tint else ""

    def _shown_places(self, refused: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
        return [(place - bisect_left(self._dropped, place), guess) for place, guess in refused]

    def _shifted(self, start: int, length: int) -> Sequence[Span]:
        """Drafted spans of a part of the text, counted from the part's beginning."""
        found = self._spans.drafted(start, start + length)
        return [Span(span.start - start, span.end - start, span.source) for span in found]


@dataclass(frozen=True, slots=True)
class _CodeHints:
    """What to say of a character of a code block."""

    body: MessageBody
    block: Block

    def __call__(self, index: int) -> str:
        return self.body.hint(self.block.start + index)


@dataclass(frozen=True, slots=True)
class _RunHints:
    """What to say of a character of rendered prose, which is found in its source first."""

    body: MessageBody
    run: _Run

    def __call__(self, index: int) -> str:
        raw = "".join(readable(block.source) for block in self.run.blocks)
        shown = self.run.view.shown_text()[: index + 1]
        place = next((raw_at for at, raw_at in places(raw, shown) if at == index), None)
        for block in self.run.blocks:
            if place is not None and place < len(block.source):
                return self.body.hint(block.start + place)
            place = None if place is None else place - len(block.source)
        return ""
