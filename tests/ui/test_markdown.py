"""Markdown becomes harmless HTML, and nothing a model says gets lost on the way."""

from __future__ import annotations

import re
import time

import pytest

from app.ui.markdown import copied_text, is_web_address, to_html


def words(html: str) -> str:
    return re.sub(r"<[^>]*>", " ", html)


def test_the_usual_signs() -> None:
    html = to_html("# Head\n\n**b** *i* `c<d`\n\n1. x\n2. y\n\n- [x] done\n- [ ] open\n")
    assert '<p class="h1">Head</p>' in html
    assert "<strong>b</strong> <em>i</em>" in html
    assert '<span class="code">c&lt;d</span>' in html
    assert "☑ done" in html
    assert "☐ open" in html


def test_tables_keep_their_alignment() -> None:
    html = to_html("| a | b |\n|---|--:|\n| 1 | 2 |\n")
    assert 'class="grid"' in html
    assert "text-align:right" in html


def test_web_links_stay_and_others_become_text() -> None:
    html = to_html("[a](https://x.org) [b](ftp://x.org) [c](/etc/passwd) [d](data:text/html,x)")
    assert html.count("<a ") == 1
    assert html.count("</a>") == 1
    assert 'href="https://x.org"' in html
    assert "b" in words(html)


@pytest.mark.parametrize(
    "source",
    [
        "<img src='file:///etc/passwd'>",
        "![x](file:///etc/passwd)",
        "![x](https://x.org/pixel.png)",
        "<script>alert(1)</script>",
        "<a href='javascript:alert(1)'>x</a>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "<style>* {}</style>\n\n<iframe src=//x.org></iframe>",
        "`<img src=x>`",
        "    <img src=x>",
        "|<img src=x>|b|\n|-|-|\n",
        '[x](https://x.org/"onclick="y)',
        "<https://x.org> <javascript:alert(1)>",
        "# <img src=x>",
        "> <img src=x>",
        "![<img src=x>](https://x.org)",
    ],
)
def test_nothing_loads_and_nothing_runs(source: str) -> None:
    html = to_html(source)
    tags = set(re.findall(r"<\s*([a-zA-Z]+)", html))
    assert not tags & {"img", "script", "iframe", "style", "object", "link", "meta", "input"}
    addresses = re.findall(r'href="([^"]*)"', html)
    assert all(a.startswith("https://") or copied_text(a) is not None for a in addresses)
    assert "onclick=" not in re.sub(r'href="[^"]*"', "", html)


@pytest.mark.parametrize(
    "source",
    [
        ">" * 3000 + " deep",
        "".join("  " * depth + "- item\n" for depth in range(60)) + "\n",
        "- " * 50 + "deep",
        "[" * 2000 + "deep" + "]" * 1000,
        "*" * 2000 + "deep",
        "`" * 3000 + "deep",
        "![" * 1000 + "deep",
    ],
)
def test_deep_nesting_loses_no_text_and_ends(source: str) -> None:
    begin = time.perf_counter()
    assert "deep" in words(to_html(source)) or "item" in words(to_html(source))
    assert words(to_html(source)).count("item") == source.count("item")
    assert time.perf_counter() - begin < 30


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("https://example.org", True),
        ("HTTP://example.org", True),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("//example.org", False),
        ("https://a\nb", False),
        ("", False),
    ],
)
def test_what_a_web_address_is(address: str, may: bool) -> None:
    assert is_web_address(address) is may
