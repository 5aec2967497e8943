"""Markdown to the HTML subset that Qt's rich text understands.

Raw HTML is shown as text, pictures become their description, links survive only as http and
https. The parser is imported at the first use. No Qt here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_TASK = re.compile(r"^\[([ xX])\] ")
MAX_NESTING = 20
MAX_BRACKETS = 300  # the parser's time grows with the square of unmatched ones


def to_html(source: str) -> str:
    """One block of Markdown as HTML; what is nested too deep to be meant is shown as it is."""
    if source.count("[") > MAX_BRACKETS:
        return as_plain(source)
    parser = _parser()
    environment: dict[str, Any] = {}
    tokens = parser.parse(source, environment)
    # The parser drops what lies deeper than it looks; nothing a model says may be lost.
    if any(token.level >= MAX_NESTING - 2 for token in tokens):
        return as_plain(source)
    return str(parser.renderer.render(tokens, parser.options, environment))


def as_plain(source: str) -> str:
    """Text as it is, line breaks kept."""
    return f'<p style="white-space:pre-wrap">{html.escape(source)}</p>'


def is_web_address(address: str) -> bool:
    """Whether a link may be opened at all."""
    return address.lower().startswith(("http://", "https://")) and not re.search(
        r"[\s\x00-\x1f]", address
    )


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING, "linkify": False})
    parser.enable(["table", "strikethrough"])
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


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
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: dict[str, Any]
) -> str:
    # Only table cells take a background with padding in Qt's rich text.
    code = html.escape(tokens[index].content.rstrip("\n"))
    language = html.escape(tokens[index].info.strip())
    head = f'<span class="language">{language}</span><br/>' if language else ""
    return (
        '<table class="box" width="100%" cellpadding="8" cellspacing="0"><tr><td class="box">'
        f"{head}<pre>{code}</pre></td></tr></table>"
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


def _text(
    _self: Any, tokens: Sequence[Token], index: int, _options: Any, env: dict[str, Any]
) -> str:
    content = tokens[index].content
    task = _TASK.match(content) if index == 0 else None
    if task:
        content = ("☐ " if task.group(1) == " " else "☑ ") + content[task.end() :]
    return html.escape(content)


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
    "text": _text,
    "heading_open": _heading_open,
    "heading_close": _heading_close,
}
