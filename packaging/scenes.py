"""The scenes that screenshots.py takes pictures of: one process, one scale, one appearance.

Called as: scenes.py FOLDER WIDTHxHEIGHT SCALE light|dark [NAME...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app import paths
from app import settings as store
from app.engine.protocol import (
    Generate,
    LoadFailed,
    LoadModels,
    LoadProgress,
    PieceSource,
    PromptProgress,
    TextPiece,
    TokensGenerated,
    WorkerExited,
)
from app.session import LoadOptions
from app.storage import Storage
from app.ui.application import Application
from app.ui.theme import Appearance, Theme
from chat_scenes import CHAT_SCENES
from model_scenes import MODEL_SCENES
from panel_scenes import PANEL_SCENES, pair_files
from tests.ui.fake_engine import STATS, FakeEngine

TARGET = Path("/models/Qwen2.5-Coder-7B-Instruct-Q4_K_M.gguf")
DRAFT = Path("/models/Qwen2.5-Coder-0.5B-Instruct-Q8_0.gguf")

ANSWER = """\
Speculative decoding lets a *small* model guess a few tokens, which the **large** model then \
checks in one pass. What it accepts costs almost nothing.

1. The draft proposes `k` tokens.
2. The target scores all of them at once.
3. The longest correct beginning is kept, plus one token of the target's own.

```python
def step(target, draft, tokens, depth=4):
    # Guess ahead, then check every guess in a single pass.
    guesses = draft.propose(tokens, depth)
    rows = target.evaluate(tokens[-1:] + guesses)
    accepted = 0
    for guess, row in zip(guesses, rows):
        if row.argmax() != guess:
            break
        accepted += 1
    return guesses[:accepted] + [rows[accepted].argmax()]
```

| text | accepted | speed-up |
|------|---------:|---------:|
| code | 94 % | 1.9 x |
| chat | 57 % | 1.2 x |

> The answer is the same as without a draft: only sooner.

More is in [the paper](https://arxiv.org/abs/2211.17192).
"""


class Stage:
    """An application with a scripted engine, and the means to play a scene."""

    def __init__(self, appearance: Appearance, size: tuple[int, int]) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        theme = Theme(app, appearance)
        self.storage = Storage()
        self.engine = FakeEngine(lambda event: self.application.bridge.post(event))
        self.application = Application(theme, self.storage, lambda *_: self.engine)
        self.application.window.resize(*size)
        # What the person of these pictures has set; the appearance is the caller's.
        store.save(
            store.Settings(
                appearance=appearance,
                wall_load_watts=118.0,
                wall_idle_watts=34.0,
                price_per_kwh=0.32,
                currency="EUR",
                price_is_set=True,
            )
        )
        self.application.start()
        self.settle()

    def settle(self, seconds: float = 0.25) -> None:
        """Let events, timers and layouts come to rest."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            QApplication.processEvents()
            time.sleep(0.005)

    def load(self, *, draft: bool = True) -> None:
        """A pair in memory."""
        self.begin_load(draft=draft)
        self.engine.load()
        self.settle()

    def begin_load(self, *, draft: bool = True) -> None:
        """A pair on its way."""
        commands = self.application.chat.session.load(
            TARGET, DRAFT if draft else None, LoadOptions()
        )
        for command in commands:
            self.engine.send(command)

    def ask(self, text: str) -> None:
        """Send a message as the user would."""
        self.application.window.composer.set_text(text)
        self.application.window.composer.submitted.emit(text)
        self.settle(0.05)

    def write(self, text: str, *, reasoning: bool = False) -> None:
        """Stream a text word by word, some of it drafted."""
        request = self.engine.last(Generate).request_id
        for number, word in enumerate(text.split(" ")):
            source = (PieceSource.DRAFT, PieceSource.DRAFT, PieceSource.TARGET, PieceSource.LOOKUP)[
                (number * 7 // 3) % 4
            ]
            piece = TextPiece(word + " ", source, reasoning)
            speed = 24 + 6 * ((number * 37) % 11) / 11
            stats = replace(STATS, live_tokens_per_second=speed, generated_tokens=number + 2)
            self.engine.say(
                TokensGenerated(request, (piece,), (1,), stats, context_used=400 + number)
            )
            self.settle(0.012)

    def talk(self) -> None:
        """A finished question and answer."""
        self.ask("How does speculative decoding work? Show me some code.")
        self.write(ANSWER)
        self.engine.finish()
        self.settle()

    def close(self) -> None:
        """End the application; the files are kept for the next stage."""
        self.application.window.close()
        self.settle(0.05)
        self.application.dispose()


def nothing_loaded(_stage: Stage) -> None:
    """The first start without any model."""


def loading(stage: Stage) -> None:
    """A pair on its way into memory."""
    stage.begin_load()
    stage.engine.say(LoadProgress("target", 0.42))


def ready(stage: Stage) -> None:
    """A pair in memory, nothing said yet."""
    stage.load()


def prompt(stage: Stage) -> None:
    """The engine reads a long question."""
    stage.load()
    stage.ask("Summarise the following report in three sentences, please. " * 12)
    request = stage.engine.last(Generate).request_id
    stage.engine.say(PromptProgress(request, 1536, 3210, 0))


def generating(stage: Stage) -> None:
    """An answer half written."""
    stage.load()
    stage.ask("How does speculative decoding work? Show me some code.")
    stage.write("The user wants a short explanation with code. Let me plan it.", reasoning=True)
    stage.write(ANSWER[: ANSWER.index("break")])


def finished(stage: Stage) -> None:
    """An answer in all its glory."""
    stage.load()
    stage.talk()


def tinted(stage: Stage) -> None:
    """The same with the guesses shown."""
    finished(stage)
    stage.application.window.composer.set_tint(True)


def stopped(stage: Stage) -> None:
    """Stopped by the user, with reasoning opened."""
    from app.engine.protocol import FinishReason

    stage.load()
    stage.ask("Write a long story about a river.")
    stage.write("A story needs a beginning. The river could be the hero.", reasoning=True)
    stage.write("Once upon a time there was a river that could not decide where to")
    stage.engine.finish(FinishReason.CANCELLED)


def crashed(stage: Stage) -> None:
    """The engine died under an answer."""
    stage.load()
    stage.ask("How does speculative decoding work?")
    stage.write("Speculative decoding lets a small model guess a few tokens, which")
    stage.engine.say(WorkerExited(-9, "SIGKILL", ("out of memory",), while_doing="generating"))


def load_failed(stage: Stage) -> None:
    """A model that cannot be loaded."""
    stage.begin_load(draft=False)
    detail: dict[str, str | int | float | None] = {
        "path": str(TARGET),
        "have": 1_234_567,
        "need": 4_683_071_456,
    }
    stage.engine.say(LoadFailed("file_truncated", detail))


def draft_refused(stage: Stage) -> None:
    """The target runs, the draft does not fit."""
    stage.begin_load()
    command = stage.engine.last(LoadModels)
    del command
    stage.engine.load(
        draft=False,
        no_draft_because="pair_token_text",
        no_draft_detail={"token": 139, "target": "⟨a⟩", "draft": "⟨b⟩"},
    )


def many_chats(stage: Stage) -> None:
    """A list of conversations and a long one on screen."""
    stage.load()
    for title in (
        "Packing list for a week in the mountains",
        "Explain monads without a burrito",
        "A birthday poem for Ada",
        "Why does my regular expression backtrack so much on this long line?",
    ):
        stage.ask(title)
        stage.write("Here is a short answer with **bold** words and a list:\n\n- one\n- two\n")
        stage.engine.finish()
        stage.settle(0.1)
        stage.application.window.new_chat.emit()
    stage.talk()
    stage.ask("And what does it cost?")
    stage.write("Memory for the draft model, and a little time for each wrong guess.")
    stage.engine.finish()


def open_dialog(stage: Stage) -> None:
    """The dialog with a pair, judged; real files if there are any."""
    application = stage.application
    application.on_open()
    dialog = application._dialog
    assert dialog is not None
    dialog.set_files(*pair_files())
    stage.settle(1.5)


SCENES: tuple[Callable[[Stage], None], ...] = (
    nothing_loaded,
    loading,
    ready,
    prompt,
    generating,
    finished,
    tinted,
    stopped,
    crashed,
    load_failed,
    draft_refused,
    open_dialog,
    many_chats,
    *MODEL_SCENES,
    *PANEL_SCENES,
    *CHAT_SCENES,
)


def main(arguments: list[str]) -> int:
    """Play the scenes and save a picture of each."""
    folder, size_text, scale = Path(arguments[0]), arguments[1], arguments[2]
    appearance, names = Appearance(arguments[3]), arguments[4:]
    width, height = (int(part) for part in size_text.split("x"))
    app = QApplication([])
    del app
    for place in (paths.folders().data, paths.folders().logs):
        paths.ensure(place)
    for scene in SCENES:
        if names and scene.__name__ not in names:
            continue
        stage = Stage(appearance, (width, height))
        scene(stage)
        stage.settle(0.5)
        name = f"{scene.__name__}-{appearance}-{height}-{scale}x.png"
        picture_of(stage).save(str(folder / name))
        stage.close()
    return 0


def picture_of(stage: Stage) -> QPixmap:
    """The window; an open dialog lies in the middle of it."""
    window: QWidget = stage.application.window
    picture = window.grab()
    for dialog in window.findChildren(QDialog):
        if not dialog.isVisible():
            continue
        painter = QPainter(picture)
        size = (window.size() - dialog.size()) / 2
        painter.drawPixmap(QPoint(size.width(), size.height()), dialog.grab())
        painter.end()
    return picture


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
