"""The scenes of the panel, the settings and the helpers around the window, for screenshots.py."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.protocol import (
    DeviceInfo,
    FinishReason,
    Generate,
    GenerationFinished,
    Speculation,
)
from app.errors import StorageError
from app.ui.worth import Worth
from tests.ui.fake_engine import GB, STATS, loaded_pair, model

if TYPE_CHECKING:
    from scenes import Stage

TARGET = Path("/models/Qwen2.5-Coder-7B-Instruct-Q4_K_M.gguf")
DRAFT = Path("/models/Qwen2.5-Coder-0.5B-Instruct-Q8_0.gguf")


def pair_files() -> tuple[Path, Path]:
    """A pair on this computer, if it was fetched."""
    folder = Path(
        os.environ.get("SLIPSTREAM_TEST_MODELS", Path.home() / ".cache/slipstream-test-models")
    )
    return (
        folder / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        folder / "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    )


def settings_window(stage: Stage) -> None:
    """The settings, as they open."""
    stage.load()
    stage.application.settings.on_open()


def settings_engine(stage: Stage) -> None:
    """The engine's options with what they cost; real files if there are any."""
    from app.ui.settings.engine_page import EnginePage
    from app.ui.settings.fields import NumberField

    stage.load()
    stage.application.settings.on_open()
    controller = stage.application.settings
    assert controller.dialog is not None
    assert controller._reader is not None
    controller._reader.start(*pair_files())
    controller.dialog.open_page(EnginePage)
    field = controller.dialog.page(EnginePage).fields["n_parallel"]
    assert isinstance(field, NumberField)
    field.edit("2")
    stage.settle(1.5)


def settings_energy(stage: Stage) -> None:
    """A price that cannot be one."""
    from app.ui.settings.fields import NumberField
    from app.ui.settings.pages import EnergyPage

    stage.load()
    stage.application.settings.on_open()
    dialog = stage.application.settings.dialog
    assert dialog is not None
    dialog.open_page(EnergyPage)
    field = dialog.page(EnergyPage).fields["price_per_kwh"]
    assert isinstance(field, NumberField)
    field.edit("0,3o")


def settings_help(stage: Stage) -> None:
    """Help, after the report was copied."""
    from app.ui.settings.help_page import HelpPage

    stage.application.settings.on_open()
    dialog = stage.application.settings.dialog
    assert dialog is not None
    dialog.open_page(HelpPage)
    dialog.help._on_copy()


def keys(stage: Stage) -> None:
    """All keys."""
    stage.load()
    stage.application.around.keys.on_sheet()


def drop(stage: Stage) -> None:
    """A model file held over the window."""
    stage.load()
    cover = stage.application.around.drops._cover
    cover.resize(stage.application.window.size())
    cover.raise_()
    cover.show()


def graphics(stage: Stage) -> None:
    """A pair on a graphics device whose memory is nearly full, and a comparison that was made."""
    card = DeviceInfo("CUDA0", "NVIDIA GeForce RTX 4070", "gpu", round(0.7 * GB), 12 * GB)
    processor = DeviceInfo("CPU", "Processor", "cpu", 20 * GB, 32 * GB)
    stage.begin_load()
    target = model(TARGET, round(4.7 * GB), "CUDA0")
    draft = model(DRAFT, round(0.5 * GB), "CUDA0")
    stage.engine.say(
        loaded_pair(TARGET, DRAFT, target=target, draft=draft, devices=(card, processor))
    )
    stage.settle()
    stage.application.numbers.show_worth(Worth(1.42, time.time()))
    stage.talk()


def loses(stage: Stage) -> None:
    """Drafting does not pay here, and was switched off."""
    stage.load()
    stage.ask("Tell me about rivers.")
    stage.write("A river is a natural stream of water that flows towards the sea.")
    request = stage.engine.last(Generate).request_id
    stage.engine.say(
        GenerationFinished(
            request,
            FinishReason.END,
            STATS,
            speculation=Speculation.OFF,
            note="drafting_loses_here",
        )
    )


def disk_full(stage: Stage) -> None:
    """The disk refuses an answer; it is kept in memory and tried again."""
    stage.load()

    retry = stage.storage.retry
    refusals = iter(range(8))  # then there is room again: closing would ask a person

    def refuse() -> None:
        if next(refusals, None) is None:
            retry()
            return
        raise StorageError("disk_full_saving", path="conversations.sqlite3")

    stage.storage.retry = refuse  # type: ignore[method-assign]
    stage.ask("Is this kept?")
    stage.write("In memory, until there is room again.")
    stage.engine.finish()


PANEL_SCENES = (
    settings_window,
    settings_engine,
    settings_energy,
    settings_help,
    keys,
    drop,
    graphics,
    loses,
    disk_full,
)
