"""Which stretch of a long conversation is built, and which is wanted. No Qt here."""

from __future__ import annotations

from collections.abc import Sequence

PAGE = 30  # messages that one step adds
MOST = 80  # messages that are kept
BEFORE_FOUND = 8


class Stretch:
    """Messages first..last of a path are built; wanted_first..wanted_last shall be.

    Grows before it shrinks, so that there is always something around the reader.
    """

    def __init__(self) -> None:
        self.first = 0
        self.last = 0
        self._wanted_first = 0
        self._wanted_last = 0

    @property
    def wanted(self) -> int:
        """How many messages shall be built."""
        return self._wanted_last - self._wanted_first

    @property
    def complete(self) -> bool:
        """Nothing is left to do."""
        return (self.first, self.last) == (self._wanted_first, self._wanted_last)

    @property
    def lacks_below(self) -> bool:
        return self.last < self._wanted_last

    @property
    def lacks_above(self) -> bool:
        return self.first > self._wanted_first

    @property
    def spare_above(self) -> bool:
        return self.first < self._wanted_first

    @property
    def spare_below(self) -> bool:
        return self.last > self._wanted_last

    def built(self, first: int, last: int) -> None:
        """So much is there now."""
        self.first, self.last = first, last

    def begin_at_end(self, count: int) -> None:
        """Nothing is there; the newest are wanted."""
        self.first = self.last = self._wanted_last = count
        self._wanted_first = max(0, count - PAGE)
        # The newest is built first, then upwards.

    def begin_around(self, place: int, count: int) -> None:
        """Nothing is there; a place in the middle is wanted."""
        self.first = self.last = place
        self._wanted_first = max(0, place - BEFORE_FOUND)
        self._wanted_last = min(count, place + PAGE)

    def follow(self, same: int, count: int) -> None:
        """The path is another one from message `same` on: go on to its end if that is near."""
        was_near = self._wanted_last >= same
        if was_near:
            self._wanted_last = count
            first = min(self._wanted_first, max(0, count - PAGE))
            self._wanted_first = max(first, count - MOST)
        self._wanted_first = min(self._wanted_first, self._wanted_last)

    def want_above(self) -> None:
        """A page more before the first; what is far below may go."""
        self._wanted_first = max(0, self.first - PAGE)
        self._wanted_last = min(self._wanted_last, self._wanted_first + MOST)

    def want_below(self, count: int) -> None:
        """A page more after the last; what is far above may go."""
        self._wanted_last = min(count, self.last + PAGE)
        self._wanted_first = max(self._wanted_first, self._wanted_last - MOST)


def common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many leading messages, by their ids, are the same."""
    pairs = zip(old, new, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
