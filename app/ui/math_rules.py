r"""Formulas in Markdown: `$x$`, `\(x\)`, and on lines of their own `$$x$$` and `\[x\]`.

Rules for the Markdown parser, which is handed in. No Qt here.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.ui.math_text import to_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_INLINE = 400  # characters; a dollar sign whose partner is further away is money
MAX_LINES = 60
_BLOCKS = {"$$": "$$", "\\[": "\\]"}


def add_math(parser: MarkdownIt) -> None:
    """Teach a parser formulas."""
    parser.inline.ruler.before("escape", "math_inline", _inline)
    ends = ["paragraph", "reference", "blockquote", "list"]  # what a formula may interrupt
    parser.block.ruler.before("fence", "math_block", _block, {"alt": ends})
    parser.add_render_rule("math_inline", _render_inline)
    parser.add_render_rule("math_block", _render_block)


def _inline(state: StateInline, silent: bool) -> bool:
    found = _inline_end(state.src, state.pos, state.posMax)
    if found is None:
        return False
    start, end, after = found
    if not silent:
        token = state.push("math_inline", "", 0)
        token.content = state.src[start:end]
    state.pos = after
    return True


def _inline_end(source: str, at: int, most: int) -> tuple[int, int, int] | None:
    """Where a formula's text begins and ends, and where the rest goes on."""
    if source.startswith(("\\(", "\\["), at):
        close = "\\)" if source[at + 1] == "(" else "\\]"
        end = source.find(close, at + 2, min(most, at + MAX_INLINE))
        return (at + 2, end, end + 2) if end > at + 2 else None
    if source.startswith("$$", at):
        end = source.find("$$", at + 2, min(most, at + MAX_INLINE))
        return (at + 2, end, end + 2) if end > at + 2 else None
    if source[at] != "$":
        return None
    end = source.find("$", at + 1, min(most, at + MAX_INLINE))
    # As Pandoc has it: "$5 and $6" is money.
    if end <= at + 1 or source[at + 1].isspace() or source[end - 1].isspace():
        return None
    if end + 1 < most and source[end + 1].isdigit():
        return None
    return at + 1, end, end + 1


def _block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    if state.is_code_block(first):
        return False
    line = _line(state, first)
    opening = next((sign for sign in _BLOCKS if line.startswith(sign)), None)
    if opening is None:
        return False
    closing = _BLOCKS[opening]
    rest = line[len(opening) :]
    lines: list[str] = []
    at = first
    while True:
        if rest.rstrip().endswith(closing):
            lines.append(rest.rstrip().removesuffix(closing))
            break
        if closing in rest:
            return False  # more than a formula stands on the line
        lines.append(rest)
        at += 1
        if at >= last or at - first > MAX_LINES or state.sCount[at] < state.blkIndent:
            return False
        rest = _line(state, at)
    if silent:
        return True
    token = state.push("math_block", "", 0)
    token.block = True
    token.content = "\n".join(lines).strip()
    token.map = [first, at + 1]
    state.line = at + 1
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _render_inline(
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: dict[str, Any]
) -> str:
    return f'<span class="math">{html.escape(to_text(tokens[index].content))}</span>'


def _render_block(
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: dict[str, Any]
) -> str:
    lines = html.escape(to_text(tokens[index].content)).replace("\n", "<br/>")
    return f'<p class="formula">{lines}</p>'
