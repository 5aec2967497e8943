"""The scenes of conversations, messages, the composer and the comparison, for screenshots.py."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.protocol import Generate, PieceSource, TextPiece, TokensGenerated
from app.monitor import Tariff
from app.ui.answer_view import AnswerView
from app.ui.compare.dialog import CompareDialog
from app.ui.user_view import UserView
from tests.ui.compare_samples import comparison
from tests.ui.fake_engine import STATS

if TYPE_CHECKING:
    from scenes import Stage

RICH = r"""For a draft of length $k$ and acceptance $\alpha$ the expected number of tokens per pass is

$$
E[n] = \frac{1 - \alpha^{k+1}}{1 - \alpha}
$$

so at \(\alpha = 0.8\) and $k = 4$ about 3.4 tokens come out of one pass.

- [x] measure $\alpha$ on your own prompts
- [ ] try another draft
- plain items stay plain

1. Put this beside your test:

   ```python
   def expected(alpha: float, k: int) -> float:
       return (1 - alpha ** (k + 1)) / (1 - alpha)  # tokens per pass
   ```

2. Read [the paper][1], then plot it.

| α | k = 2 | k = 4 |
|---|------:|------:|
| 0.6 | 1.96 | 2.31 |
| 0.8 | 2.44 | 3.36 |

[1]: https://arxiv.org/abs/2211.17192
"""
LONG_CODE = """```json
{"model": "Qwen2.5-Coder-7B-Instruct", "draft": "Qwen2.5-Coder-0.5B-Instruct", "speculation": "auto", "max_depth": 8, "temperature": 0.0}
```
"""


def exchange(stage: Stage, question: str, answer: str) -> None:
    """A finished question and answer."""
    stage.ask(question)
    stage.write(answer)
    stage.engine.finish()
    stage.settle(0.15)


def rich_answer(stage: Stage) -> None:
    """Formulas, tasks, code in a list, a table, long code that is wrapped."""
    stage.load()
    exchange(stage, "How many tokens come out of one pass?", RICH)


def wrapped_code(stage: Stage) -> None:
    """A long line of code, wrapped on request."""
    from app.ui.code_view import CodeView

    stage.load()
    exchange(stage, "Show me the settings as JSON.", LONG_CODE)
    for view in stage.application.window.chat.findChildren(CodeView):
        view._wrap.setChecked(True)


def found(stage: Stage) -> None:
    """A search with hits, one of them opened."""
    stage.load()
    for question, answer in (
        ("What does a cache do?", "A cache keeps what was fetched before. Reading it is cheap."),
        ("Write a haiku about rain", "Soft rain on the roof\nevery drop a quiet word\nspring"),
        ("Why is my page slow?", "Without a cache every visit fetches the same files again."),
    ):
        exchange(stage, question, answer)
        stage.application.window.new_chat.emit()
    stage.application.shelf.on_pinned(stage.storage.conversations()[1].id, True)
    window = stage.application.window
    window.conversations._search.setText("cache")
    stage.settle(0.5)
    hit = window.conversations._list.item(0)
    window.conversations._list.setCurrentItem(hit)
    window.conversations._list.itemActivated.emit(hit)


def pinned_chats(stage: Stage) -> None:
    """A list with something pinned."""
    found(stage)
    stage.application.window.conversations._search.clear()


def versions(stage: Stage) -> None:
    """Two questions, two answers, and the steps between them."""
    stage.load()
    exchange(stage, "Name three rivers of Asia.", "The Yangtze, the Mekong and the Ganges.")
    chat = stage.application.chat
    chat.on_edited(stage.application.chat.session.conversation.path()[0].id, "Name four rivers.")
    stage.write("The Nile, the Danube, the Amazon and the Mekong.")
    stage.engine.finish()
    stage.settle(0.15)
    chat.on_retry(chat.session.conversation.path()[-1].id)
    stage.write("The Rhine, the Volga, the Congo and the Ganges.")
    stage.engine.finish()


def editing(stage: Stage) -> None:
    """A question while it is changed."""
    versions(stage)
    stage.settle(0.2)
    view = stage.application.window.chat._views[0]
    assert isinstance(view, UserView)
    view._edit.click()


def files(stage: Stage) -> None:
    """A file sent, and two about to be."""
    stage.load()
    folder = Path(tempfile.mkdtemp())
    for name, text in (
        ("cache.py", "def get(key):\n    return store.get(key)\n" * 30),
        ("notes.txt", "Ask about invalidation.\n" * 200),
    ):
        (folder / name).write_text(text)
    composer = stage.application.window.composer
    composer.attach([folder / "cache.py"])
    composer.set_text("What is missing here?")
    composer.submitted.emit(composer.message())
    stage.write("Nothing is ever thrown away: give entries an age.")
    stage.engine.finish()
    stage.settle(0.2)
    composer.attach([folder / "cache.py", folder / "notes.txt"])
    composer.set_text("And now?")


def left_out(stage: Stage) -> None:
    """Older messages that no longer fit."""
    stage.load()
    for number in range(3):
        exchange(stage, f"Question {number + 1}", "An answer of a few words.")
    conversation = stage.application.chat.session.conversation
    conversation.context_from = conversation.path()[2].id
    stage.application.chat.refresh()


def guesses(stage: Stage) -> None:
    """Tinted text, with what a guess was."""
    stage.load()
    stage.ask("Finish the sentence.")
    request = stage.engine.last(Generate).request_id
    for text, source, refused in (
        ("The ", PieceSource.TARGET, ""),
        ("quick brown ", PieceSource.DRAFT, ""),
        ("fox ", PieceSource.TARGET, "dog"),
        ("jumps over the lazy ", PieceSource.LOOKUP, ""),
        ("cat.", PieceSource.TARGET, "dog."),
    ):
        event = TokensGenerated(request, (TextPiece(text, source),), (1,), STATS, refused)
        stage.engine.say(event)
    stage.engine.finish()
    stage.settle(0.3)
    stage.application.window.composer.set_tint(True)
    answer = stage.application.window.chat._views[-1]
    assert isinstance(answer, AnswerView)


def chat_options(stage: Stage) -> None:
    """What this chat does differently."""
    stage.load()
    tools = stage.application.tools
    tools.on_options()
    dialog = tools.options
    assert dialog is not None
    dialog.show_values("Answer in one sentence.", {"temperature": 0.2, "speculation": "lookup"})


def _comparison(stage: Stage) -> CompareDialog:
    stage.load()
    window = stage.application.window
    dialog = CompareDialog("What does a cache do?", "auto", stage.application._theme, window)
    dialog.show_running()
    for run in comparison().runs:
        dialog.columns[run.side].append(run.answer.text)
    dialog.show_result(comparison(), Tariff(0.32, "EUR"))
    dialog.show()
    return dialog


def compared(stage: Stage) -> None:
    """A comparison with its verdict."""
    _comparison(stage)


def race(stage: Stage) -> None:
    """The race, half way."""
    dialog = _comparison(stage)
    dialog.race()
    dialog._frames.stop()
    dialog.show_race_at(0.9)


CHAT_SCENES = (
    rich_answer,
    wrapped_code,
    found,
    pinned_chats,
    versions,
    editing,
    files,
    left_out,
    guesses,
    chat_options,
    compared,
    race,
)
