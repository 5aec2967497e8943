"""Formulas become text that can be read, and money stays money."""

# ruff: noqa: RUF001 - the signs are what is tested

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.markdown import to_html
from app.ui.math_text import to_text


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"E = mc^2", "E = mc²"),
        (r"\frac{a}{b} \le x_1", "a/b ≤ x₁"),
        (r"\sum_{i=1}^{n} i", "∑ᵢ₌₁ⁿ i"),
        (r"\alpha \times \beta \in \mathbb{R}", "α × β ∈ ℝ"),
        (r"\sqrt{x+1}", "√(x+1)"),
        (r"e^{-\lambda t}", "e^(-λ t)"),
        (r"\left( x \right)", "( x )"),
        (r"\text{speed} = 3\,\text{m/s}", "speed = 3 m/s"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a  = b\nc  = d"),
        (r"\log x + \unknown{y} + \zeta", r"log x + \unknown{y} + ζ"),
        (r"\hat{y}", "y\u0302"),
        (r"50\%", "50%"),
    ],
)
def test_usual_formulas(tex: str, text: str) -> None:
    assert to_text(tex) == text


@given(st.text(alphabet="\\{}^_$ab1 &~frac\n", max_size=200))
def test_no_formula_is_an_error(tex: str) -> None:
    to_text(tex)


def test_deep_and_long_ones_stay_as_they_are_and_end() -> None:
    begin = time.perf_counter()
    for tex in ("{" * 3000, "^" * 3000, "\\frac" * 600, "x" * 5000, "\\sqrt{" * 500):
        assert to_text(tex)
    assert time.perf_counter() - begin < 10


def formulas(source: str) -> list[str]:
    return re.findall(r'class="(?:math|formula)">(.*?)</', to_html(source))


def test_formulas_in_markdown() -> None:
    assert formulas(r"so \(x^2\) and $y_1$ hold") == ["x²", "y₁"]
    assert formulas("$$\nx = y\n- z\n$$\n") == ["x = y - z"]
    assert formulas("\\[\nE = mc^2\n\\]\n") == ["E = mc²"]
    assert formulas("text\n$$ a $$\nmore") == ["a"]


@pytest.mark.parametrize(
    "source",
    ["It costs $5 and $6.", "`$x$` is code", "$ x $", "a $10 bill", "\\$x\\$", "```\n$x$\n```"],
)
def test_money_and_code_are_no_formulas(source: str) -> None:
    assert formulas(source) == []


def test_a_formula_is_harmless() -> None:
    html = to_html("$<img src=x>$ and $$<script>$$")
    assert "<img" not in html
    assert "<script" not in html


def test_many_dollars_end_soon() -> None:
    begin = time.perf_counter()
    to_html("$a " * 1300)
    to_html("\\(" * 1900)
    to_html("$$\n" * 1300)
    assert time.perf_counter() - begin < 20
