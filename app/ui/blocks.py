"""Cuts a growing Markdown text into top-level blocks: prose and fenced code.

A block is finished when nothing that follows can change it. The cut depends only on the text,
never on the pieces it arrived in. No Qt here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_PROSE = (
    4000  # characters; a longer block is cut, so that no single rendering can hold up the window
)
_FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_LIST_ITEM = re.compile(r"^( {0,3})(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$")


@dataclass(slots=True)
class Block:
    """A top-level piece of a message.

    Attributes:
        start: where its source text begins in the message, characters.
        source: its Markdown; for code the text between the fences.
        language: what the fence says; None for prose.
        finished: nothing that follows can change it.
    """

    start: int
    source: str = ""
    language: str | None = None
    finished: bool = False

    @property
    def is_code(self) -> bool:
        return self.language is not None


class BlockSplitter:
    """Feeds on text, keeps the blocks.

    Attributes:
        blocks: all blocks so far; only the last can be unfinished.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._line = ""  # the line that is not complete yet
        self._line_start = 0
        self._open: _Prose | _Code | None = None

    def feed(self, text: str) -> None:
        """More of the message."""
        *lines, rest = (self._line + text).split("\n")
        for line in lines:
            self._take(self._cut(line) + "\n")
        self._line = self._cut(rest)
        if isinstance(self._open, _Prose) and self._open.surely_ends_before(self._line):
            self._close()

    def finish(self) -> None:
        """The message is complete: so is its last block, a fence that was never closed included."""
        if self._line:
            line, self._line = self._line, ""
            self._take(line)
        self._close()

    @property
    def pending(self) -> str:
        """The incomplete last line: shown at once, belonging to no block yet."""
        return self._line

    @property
    def pending_is_code(self) -> bool:
        """Whether that line is most likely code: in a fence, and not beginning to close it."""
        return isinstance(self._open, _Code) and not self._line.lstrip().startswith(("`", "~"))

    def _cut(self, line: str) -> str:
        """Take what is too long from the front of a line; the rest of it."""
        while len(line) >= MAX_PROSE:
            end = line.rfind(" ", MAX_PROSE // 2, MAX_PROSE) + 1 or MAX_PROSE
            self._take(line[:end])
            line = line[end:]
        return line

    def _take(self, line: str) -> None:
        start = self._line_start
        self._line_start += len(line)
        if isinstance(self._open, _Code):
            if self._open.closes(line):
                self._close()
            else:
                self._open.block.source += line
            return
        fence = _FENCE.match(line.rstrip("\n"))
        if fence and not (isinstance(self._open, _Prose) and self._open.holds_fence(fence)):
            self._close()
            language = fence.group(3).strip().split(" ")[0] if fence.group(3).strip() else ""
            self._begin(_Code(Block(self._line_start, language=language), fence.group(2)))
            return
        self._take_prose(line, start)

    def _take_prose(self, line: str, start: int) -> None:
        prose = self._open if isinstance(self._open, _Prose) else None
        prefix = ""
        if prose is not None and (prose.is_full(line) or prose.ends_before(line)):
            prefix = prose.table_head() if prose.is_full(line) else ""
            self._close()
            prose = None
        if prose is None:
            if not line.strip():
                return
            prose = _Prose(Block(start - len(prefix), prefix))
            self._begin(prose)
        prose.add(line)

    def _begin(self, opened: _Prose | _Code) -> None:
        self._open = opened
        self.blocks.append(opened.block)

    def _close(self) -> None:
        if self._open is not None:
            self._open.block.finished = True
            self._open = None


class _Code:
    """An open fence."""

    def __init__(self, block: Block, fence: str) -> None:
        self.block = block
        self._fence = fence

    def closes(self, line: str) -> bool:
        bare = line.strip()
        mark = self._fence[0]
        return len(bare) >= len(self._fence) and bare == mark * len(bare)


class _Prose:
    """Open prose: a paragraph, list, table, quote or heading with what belongs to it."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._is_list = False
        self._after_blank = False
        self._inner_fence = ""

    def holds_fence(self, fence: re.Match[str]) -> bool:
        """Whether a fence is part of the list it stands in (then it is drawn with the list)."""
        if self._inner_fence:
            return True
        return self._is_list and len(fence.group(1)) >= 2

    def is_full(self, line: str) -> bool:
        """Whether this line would make the block too long."""
        return len(self.block.source) + len(line) > MAX_PROSE

    def ends_before(self, line: str) -> bool:
        """Whether this line begins something new."""
        if self._inner_fence or not self._after_blank or not line.strip():
            return False
        indented = line.startswith(("  ", "\t"))
        return not indented and not (self._is_list and _LIST_ITEM.match(line))

    def surely_ends_before(self, beginning: str) -> bool:
        """The same for a line of which only the beginning is known."""
        maybe_item = self._is_list and beginning[:1] in "-*+0123456789"
        known = beginning[:1].strip() != "" and not maybe_item
        return known and self.ends_before(beginning)

    def add(self, line: str) -> None:
        if not self.block.source:
            self._is_list = _LIST_ITEM.match(line) is not None
        elif _LIST_ITEM.match(line):
            self._is_list = True
        self._track_inner_fence(line)
        self._after_blank = not line.strip()
        self.block.source += line

    def _track_inner_fence(self, line: str) -> None:
        bare = line.strip()
        if self._inner_fence:
            if len(bare) >= 3 and bare == self._inner_fence[0] * len(bare):
                self._inner_fence = ""
        elif self._is_list and (found := re.match(r"^\s+(`{3,}|~{3,})", line)):
            self._inner_fence = found.group(1)

    def table_head(self) -> str:
        """Head and rule of a table, to be repeated where it had to be cut; "" for anything else."""
        lines = self.block.source.split("\n", 2)
        head = "\n".join(lines[:2]) + "\n"
        is_table = len(lines) > 2 and len(head) < MAX_PROSE // 4 and _TABLE_RULE.match(lines[1])
        return head if is_table else ""
