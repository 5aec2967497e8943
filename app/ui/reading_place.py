"""Where the reader of a long column is: at its end, or at one message that has to stay in place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QScrollBar, QWidget

NEAR_BOTTOM = 24  # pixels


class ReadingPlace:
    """Moves the scroll bar so that what is read does not move.

    Attributes:
        at_bottom: the end is read, and stays in sight whatever is added.
        anchor: a part in sight and how far below the upper edge it begins; None at the end.
        is_moving: the bar is moved from here, not by the reader.
    """

    def __init__(self, bar: QScrollBar, page: QWidget) -> None:
        self._bar = bar
        self._page = page
        self.at_bottom = True
        self.anchor: tuple[QWidget, int] | None = None
        self.is_moving = False

    def look(self, parts: Sequence[QWidget], *, is_end: bool) -> None:
        """The reader moved; `is_end`: below the last of the parts comes nothing."""
        self.at_bottom = self.below <= NEAR_BOTTOM and is_end
        self.anchor = None if self.at_bottom else self._find(parts)

    def forget(self, part: QWidget) -> None:
        """A part goes."""
        if self.anchor is not None and self.anchor[0] is part:
            self.anchor = None

    def hold(self, high: int | None = None) -> None:
        """The column changed; `high` is the bar's new maximum, where it has one."""
        if self.at_bottom:
            self._move(self._bar.maximum() if high is None else high)
        elif self.anchor is not None:
            part, offset = self.anchor
            self._move(self.top_of(part) - offset)

    def top_of(self, part: QWidget) -> int:
        """Where a part begins in the column."""
        return part.mapTo(self._page, QPoint(0, 0)).y()

    @property
    def below(self) -> int:
        """How much of the column is below the lower edge, pixels."""
        return self._bar.maximum() - self._bar.value()

    def _find(self, parts: Sequence[QWidget]) -> tuple[QWidget, int] | None:
        top = self._bar.value()
        for part in parts:
            y = self.top_of(part)
            if y + part.height() > top:
                return part, y - top
        return None

    def _move(self, value: int) -> None:
        self.is_moving = True
        self._bar.setValue(value)
        self.is_moving = False
