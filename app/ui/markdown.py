"""Markdown to the HTML subset that Qt's rich text understands.

Raw HTML is shown as text, pictures become their description, links survive only as http and
https, formulas are shown readable. The parser is imported at the first use. No Qt here.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from app.ui import code_colours

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

References = dict[str, Any]  # what "[name]: address" defines, as the parser keeps it

_TASK = re.compile(r"^\[([ xX])\](?: |$)")
_COPY = "copy:"
MAX_NESTING = 20
MAX_BRACKETS = 300  # the parser's time grows with the square of unmatched ones
MAX_TABLE_CELLS = 600  # of one block; laying out more takes longer than anybody waits


def to_html(source: str, references: References | None = None, copy_word: str = "Copy") -> str:
    """One block of Markdown as HTML; what is nested too deep to be meant is shown as it is.

    Args:
        references: definitions of the blocks before, to which this block's are added.
        copy_word: what the link beside code in a list says.
    """
    if source.count("[") > MAX_BRACKETS:
        return as_plain(source)
    parser = _parser()
    known = {} if references is None else references
    environment: dict[str, Any] = {"references": known, "copy": copy_word}
    tokens = parser.parse(source, environment)
    # The parser drops what lies deeper than it looks; nothing a model says may be lost.
    if any(token.level >= MAX_NESTING - 2 for token in tokens):
        return as_plain(source)
    if sum(token.type in ("td_open", "th_open") for token in tokens) > MAX_TABLE_CELLS:
        return as_plain(source)
    _mark_tasks(tokens)
    return str(parser.renderer.render(tokens, parser.options, environment))


def as_plain(source: str) -> str:
    """Text as it is, line breaks kept."""
    return f'<p style="white-space:pre-wrap">{html.escape(source)}</p>'


def is_web_address(address: str) -> bool:
    """Whether a link may be opened at all."""
    return address.lower().startswith(("http://", "https://")) and not re.search(
        r"[\s\x00-\x1f]", address
    )


def copied_text(address: str) -> str | None:
    """What a link of our own beside code copies; None for any other link."""
    if not address.startswith(_COPY):
        return None
    try:
        return base64.urlsafe_b64decode(address.removeprefix(_COPY)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _copy_address(code: str) -> str:
    return _COPY + base64.urlsafe_b64encode(code.encode("utf-8", "replace")).decode()


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    from app.ui.math_rules import add_math

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING, "linkify": False})
    parser.enable(["table", "strikethrough"])
    add_math(parser)
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _mark_tasks(tokens: Sequence[Token]) -> None:
    """Turn "[ ]" at the beginning of a list item into a box; the box takes the bullet's place."""
    for item, paragraph, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        kinds = (item.type, paragraph.type, inline.type)
        if kinds != ("list_item_open", "paragraph_open", "inline") or not inline.children:
            continue
        text = inline.children[0]
        task = _TASK.match(text.content) if text.type == "text" else None
        if task:
            done = task.group(1) != " "
            text.content = ("☑ " if done else "☐ ") + text.content[task.end() :]
            item.attrSet("style", "list-style-type: none")


def _link_open(
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, env: dict[str, Any]
) -> str:
    address = str(tokens[index].attrs.get("href", ""))
    allowed = is_web_address(address)
    env.setdefault("links", []).append(allowed)
    return f'<a href="{html.escape(address)}">' if allowed else ""


def _link_close(
    _self: Any, _tokens: Sequence[Token], _index: int, _options: Any, env: dict[str, Any]
) -> str:
    return "</a>" if env["links"].pop() else ""


def _image(
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: dict[str, Any]
) -> str:
    return html.escape(f"[{tokens[index].content}]")


def _code_inline(
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: dict[str, Any]
) -> str:
    return f'<span class="code">{html.escape(tokens[index].content)}</span>'


def _code_block(
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, env: dict[str, Any]
) -> str:
    # Only table cells take a background with padding in Qt's rich text.
    raw = tokens[index].content.rstrip("\n")
    language = tokens[index].info.strip().split(" ")[0]
    code = code_colours.to_html(raw, language)
    copy = f'<a class="copy" href="{_copy_address(raw)}">{html.escape(env["copy"])}</a>'
    head = (
        '<tr><td class="box head">'
        f'<span class="language">{html.escape(language)}</span></td>'
        f'<td class="box head" align="right">{copy}</td></tr>'
    )
    return (
        '<table class="box" width="100%" cellpadding="6" cellspacing="0">'
        f'{head}<tr><td class="box" colspan="2"><pre>{code}</pre></td></tr></table>'
    )


def _table_open(
    _self: Any, _tokens: Sequence[Token], _index: int, _options: Any, _env: dict[str, Any]
) -> str:
    return '<table class="grid" border="1" cellspacing="0" cellpadding="6">'


def _rule(
    _self: Any, _tokens: Sequence[Token], _index: int, _options: Any, _env: dict[str, Any]
) -> str:
    return "<hr/>"


def _quote_open(
    _self: Any, _tokens: Sequence[Token], _index: int, _options: Any, _env: dict[str, Any]
) -> str:
    return '<blockquote class="quote">'


def _heading_open(
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: dict[str, Any]
) -> str:
    # Qt's own heading sizes shout in a chat: three sizes are enough.
    return f'<p class="h{min(3, int(tokens[index].tag[1]))}">'


def _heading_close(
    _self: Any, _tokens: Sequence[Token], _index: int, _options: Any, _env: dict[str, Any]
) -> str:
    return "</p>"


_RULES = {
    "link_open": _link_open,
    "link_close": _link_close,
    "image": _image,
    "code_inline": _code_inline,
    "code_block": _code_block,
    "fence": _code_block,
    "table_open": _table_open,
    "hr": _rule,
    "blockquote_open": _quote_open,
    "heading_open": _heading_open,
    "heading_close": _heading_close,
}
