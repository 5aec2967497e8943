"""What code is coloured by: languages, kinds of words, and a colour for each.

Pygments is imported at the first use. No Qt here.
"""

from __future__ import annotations

import html
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_LIGHT = {
    "Keyword": "#8b2fa8",
    "Name.Builtin": "#0b6a8f",
    "Name.Function": "#1457a8",
    "Name.Class": "#1457a8",
    "Name.Decorator": "#80530f",
    "Name.Tag": "#1457a8",
    "Name.Attribute": "#80530f",
    "Literal.String": "#2c6b2f",
    "Literal.Number": "#a1440c",
    "Comment": "#697380",
    "Operator.Word": "#8b2fa8",
    "Generic.Deleted": "#b3261e",
    "Generic.Inserted": "#2c6b2f",
    "Generic.Heading": "#1457a8",
}
_DARK = {
    "Keyword": "#d4a1ec",
    "Name.Builtin": "#7cc7e8",
    "Name.Function": "#8ab8f5",
    "Name.Class": "#8ab8f5",
    "Name.Decorator": "#e3bd7c",
    "Name.Tag": "#8ab8f5",
    "Name.Attribute": "#e3bd7c",
    "Literal.String": "#9fd49b",
    "Literal.Number": "#f2ab7d",
    "Comment": "#8793a0",
    "Operator.Word": "#d4a1ec",
    "Generic.Deleted": "#ff8f86",
    "Generic.Inserted": "#9fd49b",
    "Generic.Heading": "#8ab8f5",
}


def colours(*, dark: bool) -> dict[str, str]:
    """The colour of each kind of word that has one."""
    return _DARK if dark else _LIGHT


def lexer_for(language: str) -> Lexer | None:
    """The lexer of a fence's language, None for no or an unknown one."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language:
        return None
    try:
        return get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@cache
def look_of(kind: str) -> str:
    """The coloured kind that a token type, as "Token.Name.Function.Magic", belongs to, or ""."""
    name = kind.removeprefix("Token").lstrip(".")
    while name and name not in _LIGHT:
        name = name.rpartition(".")[0]
    return name


def class_of(look: str) -> str:
    """The name of a coloured kind in HTML and its style sheet."""
    return "hl_" + look.replace(".", "_").lower()


def to_html(code: str, language: str) -> str:
    """Code as HTML, with classes for its coloured words."""
    lexer = lexer_for(language)
    if lexer is None:
        return html.escape(code)
    parts = []
    for _index, kind, value in lexer.get_tokens_unprocessed(code):
        look, text = look_of(str(kind)), html.escape(str(value))
        parts.append(f'<span class="{class_of(look)}">{text}</span>' if look else text)
    return "".join(parts)
