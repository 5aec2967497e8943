"""A hostile model's answers: nothing loads, nothing runs, nothing hangs, the text stays."""

from __future__ import annotations

import re
import socket
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QUrl
from PySide6.QtGui import QGuiApplication, QHelpEvent, QTextDocument
from PySide6.QtWidgets import QApplication, QTextBrowser, QToolTip
from pytestqt.qtbot import QtBot

from app.engine.protocol import PieceSource
from app.session import Level
from app.ui.code_view import CodeView
from app.ui.message_body import MessageBody
from app.ui.notices import Banner
from app.ui.text_view import TextView
from app.ui.theme import Theme
from tests.ui.conftest import Stage
from tests.ui.test_blocks import SAMPLE

RICH = r"""Costs $5, and $x^2$ is \(y_1\), see [far] and [near][n].

$$
\frac{a}{b}
$$

- [x] done $a$
- [ ] open

1. one

   ```py
   def f(): return "[far]"
   ```

2. two [far][]

[n]: https://near.org
"""
SECRET = "the secret of a local file"
SLOW_SECONDS = 30  # nothing here takes one; only a hang does

CORPUS = {
    "image": "![a](file://{file}) <img src='file://{file}'> <img src='https://x.org/a.png'> text",
    "style": "<style>@import url(file://{file})</style><link rel=stylesheet href='{file}'> text",
    "frames": "<iframe src='file://{file}'></iframe><object data='{file}'></object> text",
    "table cell": "| <img src='{file}'> | text |\n|---|---|\n| ![x]({file}) | y |\n",
    "links": "[text](javascript:alert(1)) [b](file://{file}) <file://{file}> [c](vbscript:x)",
    "reference": "[text][x]\n\n[x]: file://{file}\n",
    "quotes": ">" * 10_000 + " text",
    "lists": "".join(" " * (2 * n) + "- text\n" for n in range(200)),
    "brackets": "[" * 10_000 + "text",
    "stars": "*a " * 5_000 + "text",
    "backticks": "`" * 10_001 + "text",
    "long line": "text" + "x" * 1_000_000,
    "long words": "text " * 100_000,
    "open fence": "```python\nprint('text')\n" * 3,
    "many fences": "```\ntext\n```\n" * 200,
    "wide table": "|" + "text|" * 400 + "\n|" + "-|" * 400 + "\n",
    "long table": "| text | b |\n|---|---|\n" + "| 1 | 2 |\n" * 2_000,
    "control": "text \x00\x01\x1b[31m\x1b]0;title\x07\x7f\x9b1m",
    "bidi": "text \u202eevil\u202c \u2066x\u2069 \u200f",
    "marks": "text" + "\u0301" * 5_000,
    "separators": "text\u2028a\u2029b\x0bc\x0cd\x85e\r\nf\rg",
    "surrogates": "text \ud800 \udfff \ufdd0 \ufffc \uffff",
    "entities": "text &lt;img src=x&gt; &#x3c;script&#x3e; " * 50,
    "language": "```<img src=x>\ntext\n```\n",
    "quotes on lines": "".join(">" * min(n, 60) + " text\n" for n in range(10_000)),
    "quoted in turn": "> " * 10_000 + "text",
    "ansi art": "text \x1b[2J\x1b[H\x1b[31;1mred\x1b[0m \x1b]8;;file://{file}\x07link\x1b]8;;\x07\n"
    * 300,
    "bidi code": "```c\n/* text \u202e } \u2066if (admin)\u2069 \u2066 begin */\n```\n",
    "bidi marks": "\u200e\u200f\u061c\u2067text" * 2_000,
    "giant table": "| a | text |\n|---|---|\n" + "| x | " + "y" * 50_000 + " |\n",
    "many tables": "| text |\n|---|\n| b |\n\n" * 600,
    "formulas": "$x^" * 5_000 + "text" + "\\(" * 3_000,
    "deep formula": "$$" + "\\frac{" * 900 + "text" + "}" * 900 + "$$\n",
    "definitions": "".join(f"[text {n}]: https://x.org/{n}\n" for n in range(2_000)) + "[text 7]",
    "references": "[text][x] " * 2_000 + "\n\n[x]: https://x.org\n",
    "code in lists": "1. text\n   ```py\n   x = '<img src={file}>'\n   ```\n" * 300,
    "copy link": "[text](copy:aGVsbG8=) <copy:aGVsbG8=>",
    "tasks": "- [ ] text <img src='{file}'>\n" * 1_000,
    "zalgo": ("t" + "\u0335\u0336\u0337" * 40) * 500 + "text",
    "nul": "text\0" * 20_000,
}


@pytest.fixture
def body(qtbot: QtBot, theme: Theme) -> MessageBody:
    made = MessageBody(theme)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def everything(body: MessageBody) -> str:
    texts = [view.toPlainText() for view in body.findChildren(QTextBrowser)]
    for view in body.findChildren(CodeView):
        texts += [view._title.text(), view.shown_text()]
    return "\n".join(texts)


def html_of(body: MessageBody) -> list[str]:
    return [view.toHtml() for view in body.findChildren(TextView)]


@pytest.mark.parametrize("name", CORPUS)
def test_the_corpus(
    body: MessageBody, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret.png"
    file.write_text(SECRET)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("it reached out"))
    asked: list[str] = []
    monkeypatch.setattr(
        TextView, "loadResource", lambda self, kind, url: asked.append(str(url)), raising=True
    )
    text = CORPUS[name].replace("{file}", str(file))
    begin = time.perf_counter()
    for at in range(0, len(text), max(1, len(text) // 40)):
        piece = text[at : at + max(1, len(text) // 40)]
        body.append([(piece, PieceSource.DRAFT)])
    body.set_tint(True)
    body.finish()
    body.grab()
    assert time.perf_counter() - begin < SLOW_SECONDS
    shown = everything(body)
    assert "text" in shown
    assert SECRET not in shown
    assert asked == [], "not even the question is put"
    assert not any("<img" in html for html in html_of(body))


def test_nothing_is_loaded_even_if_something_asked(qtbot: QtBot, tmp_path: Path) -> None:
    """The second wall, should the first ever have a hole."""
    view = TextView()
    qtbot.addWidget(view)
    file = tmp_path / "a.css"
    file.write_text("p {}")
    address = QUrl.fromLocalFile(str(file))
    for kind in QTextDocument.ResourceType:
        answer = view.document().resource(kind.value, address)
        assert "p {}" not in str(answer)
        assert answer


def test_a_click_on_a_bad_link_says_nothing(qtbot: QtBot) -> None:
    view = TextView()
    qtbot.addWidget(view)
    heard: list[str] = []
    view.link_clicked.connect(heard.append)
    for address in ("file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "x"):
        view.anchorClicked.emit(QUrl(address))
    assert heard == []
    view.anchorClicked.emit(QUrl("https://example.org/a?b=c"))
    assert heard == ["https://example.org/a?b=c"]


@pytest.mark.parametrize("pieces", [1, 2, 10, 1000])
def test_a_finished_message_looks_the_same_however_it_came(
    qtbot: QtBot, theme: Theme, pieces: int
) -> None:
    whole, streamed = MessageBody(theme), MessageBody(theme)
    text = RICH + SAMPLE * 5 + CORPUS["control"] + CORPUS["bidi"] + "\n\n[far]: https://far.org\n"
    whole.append([(text, PieceSource.TARGET)])
    size = max(1, len(text) // pieces)
    for at in range(0, len(text), size):
        streamed.append([(text[at : at + size], PieceSource.TARGET)])
    for body in (whole, streamed):
        qtbot.addWidget(body)
        body.finish()
    assert html_of(whole) == html_of(streamed)
    assert everything(whole) == everything(streamed)
    assert streamed.length == len(text)


def test_links_are_found_wherever_they_are_defined(body: MessageBody) -> None:
    for piece in ("See [a][x] and [b].\n\nMore text.\n\n", "[x]: https://x.org\n\n", "[b]: "):
        body.append([(piece, PieceSource.TARGET)])
    assert "https://" not in "".join(html_of(body))
    body.append([("https://b.org\n\n[x]: https://second.org", PieceSource.TARGET)])
    body.finish()
    html = "".join(html_of(body))
    assert 'href="https://x.org"' in html
    assert 'href="https://b.org"' in html
    assert "second" not in html, "the first definition counts"


def test_code_in_a_list_is_coloured_and_copied(body: MessageBody) -> None:
    code = "def f():\n    return '<b>'"
    indented = code.replace("\n", "\n   ")
    body.append([(f"1. one\n   ```python\n   {indented}\n   ```\n", PieceSource.TARGET)])
    body.finish()
    (view,) = (part.view for part in body._parts if not isinstance(part, tuple))
    assert "color:#8b2fa8" in view.toHtml(), "def is a keyword"
    address = re.findall(r'href="(copy:[^"]*)"', view.toHtml())[0]
    opened: list[str] = []
    body.link_clicked.connect(opened.append)
    view.anchorClicked.emit(QUrl(address))
    assert QGuiApplication.clipboard().text() == code
    assert opened == []


def test_tasks_have_boxes_in_the_place_of_bullets(body: MessageBody) -> None:
    body.append([("- [x] done\n- [ ] open\n- plain\n\n[x] no task", PieceSource.TARGET)])
    body.finish()
    shown = everything(body)
    assert "☑ done" in shown
    assert "☐ open" in shown
    assert "[x] no task" in shown


def test_long_lines_of_code_wrap_on_request(body: MessageBody) -> None:
    body.append([("```\n" + "word " * 200 + "\n```\n", PieceSource.TARGET)])
    body.finish()
    (view,) = body.findChildren(CodeView)
    before = view._text.height()
    view._wrap.click()
    assert view._text.height() > before * 2
    assert view._text.horizontalScrollBar().maximum() == 0
    view._wrap.click()
    assert view._text.height() == before


def test_resting_on_tinted_text_tells_what_was_refused(body: MessageBody) -> None:
    body.append(
        [
            ("The **qu", PieceSource.TARGET),
            ("ick** brown", PieceSource.DRAFT),
            (" fox\r\n\n```py\nx", PieceSource.TARGET),
            (" = 1", PieceSource.LOOKUP),
            ("\n```\n", PieceSource.TARGET),
        ]
    )
    body.finish(((19, " dog\nnow"), (35, "2")))
    first, second = body._parts
    assert not isinstance(first, tuple)
    assert isinstance(second, tuple)
    shown = first.view.shown_text()
    hints = first.view._hints
    assert hints is not None
    assert hints(shown.index("brown")) == "", "nothing is said while nothing is tinted"
    body.set_tint(True)
    said = hints(shown.index("brown"))
    assert said.startswith("Guessed by the draft model, accepted")
    assert "“ dog⏎now”" in said
    assert hints(shown.index("fox")) == "Guessed here and refused: “ dog⏎now”"
    assert hints(0) == ""
    code = second[0]._text
    assert code.hints is not None
    assert code.hints(2).startswith("Guessed from the text so far")


def test_the_hint_is_shown_where_the_mouse_rests(
    body: MessageBody, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda *arguments: told.append(arguments[1]))
    body.append([("drafted words", PieceSource.DRAFT)])
    body.finish()
    body.set_tint(True)
    (view,) = (part.view for part in body._parts if not isinstance(part, tuple))
    QApplication.processEvents()
    place = view.cursorRect().center() + QPoint(12, 0)
    event = QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    assert told == ["Guessed by the draft model, accepted"]


def test_tint_survives_markdown_code_and_emoji(body: MessageBody) -> None:
    body.append(
        [
            ("Some **bo", PieceSource.TARGET),
            ("ld \U0001f600 wo", PieceSource.DRAFT),
            ("rd** and\n\n```py\nx = ", PieceSource.TARGET),
            ("'\U0001f600'", PieceSource.LOOKUP),
            (" + y\n```\n", PieceSource.TARGET),
        ]
    )
    body.finish()
    body.set_tint(True)
    first, second = body._parts
    assert not isinstance(first, tuple)
    assert isinstance(second, tuple)
    tinted = [s.cursor.selectedText() for s in first.view.extraSelections()]
    assert tinted == ["ld \U0001f600 wo"]
    tinted = [s.cursor.selectedText() for s in second[0]._text.extraSelections()]
    assert tinted == ["'\U0001f600'"]


def test_long_names_do_not_widen_the_window(ready: Stage) -> None:
    ready.window.resize(900, 600)
    name = "x" * 3000
    ready.answer(f"```{name}\ncode\n```\n\n{name}\n\n`{name}`\n\n| {name} | b |\n|---|---|\n", name)
    ready.application.chat.complain(Banner("x", name, Level.WARNING))
    ready.qtbot.wait(50)
    assert ready.window.width() == 900
    chat = ready.window.chat
    assert chat.widget().width() <= chat.viewport().width()
