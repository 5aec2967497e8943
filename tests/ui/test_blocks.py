"""A message is cut into the same blocks however it arrived, and nothing of it is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.blocks import MAX_PROSE, Block, BlockSplitter

SAMPLE = """\
# Title

A paragraph
of two lines.

- a list
- with two

  and a second paragraph inside

1. one
   ```py
   inner = 1

   still = 2
   ```
2. two

```python
x = 1

```not the end
y = 2
```
After the code.

| a | b |
|---|---|
| 1 | 2 |

> quote

~~~
tildes
~~~

    indented code

end"""


def split(text: str, cuts: list[int] | None = None) -> list[Block]:
    splitter = BlockSplitter()
    at = 0
    for cut in [*sorted(cuts or []), len(text)]:
        splitter.feed(text[at:cut])
        at = max(at, cut)
    splitter.finish()
    return splitter.blocks


def outline(blocks: list[Block]) -> list[tuple[str | None, str, int]]:
    return [(block.language, block.source, block.start) for block in blocks]


def test_the_sample_falls_into_its_blocks() -> None:
    blocks = split(SAMPLE)
    assert [block.language for block in blocks] == [
        None, None, None, "python", None, None, None, "", None, None,
    ]  # fmt: skip
    assert blocks[3].source == "x = 1\n\n```not the end\ny = 2\n"
    assert blocks[2].source.startswith("- a list")
    assert blocks[2].source.rstrip().endswith("2. two")
    assert all(block.finished for block in blocks)
    assert all(
        SAMPLE[block.start : block.start + len(block.source)] == block.source for block in blocks
    )


def test_letter_by_letter_gives_the_same() -> None:
    assert outline(split(SAMPLE, list(range(len(SAMPLE))))) == outline(split(SAMPLE))


@given(
    st.text(alphabet="a `~\n-1.>|#*\t", max_size=200),
    st.lists(st.integers(0, 200), max_size=6),
)
def test_any_text_cut_anywhere_gives_the_same(text: str, cuts: list[int]) -> None:
    assert outline(split(text, [min(c, len(text)) for c in cuts])) == outline(split(text))


@given(st.text(alphabet="ab \n", max_size=300))
def test_no_word_is_lost(text: str) -> None:
    kept = "".join(block.source for block in split(text))
    assert kept.split() == text.split()


@pytest.mark.parametrize("pieces", [1, 7, 4096])
def test_a_megabyte_without_a_line_break_is_cut_into_bearable_blocks(pieces: int) -> None:
    text = "word " * 40_000
    size = len(text) // pieces + 1
    blocks = split(text, list(range(0, len(text), size)))
    assert max(len(block.source) for block in blocks) <= MAX_PROSE
    assert "".join(block.source for block in blocks) == text


def test_a_long_table_goes_on_with_its_head() -> None:
    head = "| a | b |\n|---|---|\n"
    blocks = split(head + "| 1 | 2 |\n" * 2000)
    assert len(blocks) > 2
    assert all(block.source.startswith(head) for block in blocks)
    assert sum(block.source.count("| 1 | 2 |") for block in blocks) == 2000


def test_an_unclosed_fence_is_code_to_the_end() -> None:
    (block,) = split("```c\nint main")
    assert (block.language, block.source) == ("c", "int main")


def test_a_finished_paragraph_is_known_with_the_first_letter_of_the_next() -> None:
    splitter = BlockSplitter()
    splitter.feed("One.\n\nT")
    assert splitter.blocks[0].finished
    splitter = BlockSplitter()
    splitter.feed("- One.\n\n-")
    assert not splitter.blocks[0].finished, "it may be the next item"
