"""What comparisons of a pair said, kept from start to start in one small file.

A help, never a need: what cannot be read or written is as if never measured, and logged.
"""

from __future__ import annotations

import json
import logging
import math
from pathlib import Path

from app import paths
from app.engine.protocol import LoadedModel, ModelsLoaded
from app.ui.worth import Worth

log = logging.getLogger(__name__)

MOST = 200  # pairs; the oldest go


class WorthStore:
    """Newest comparison by pair, and by where its layers lie."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or paths.folders().data / "worth.json"

    def of(self, loaded: ModelsLoaded) -> Worth:
        """What is known of a pair as it is loaded."""
        found = self._read().get(_key(loaded))
        return Worth(*found) if found is not None else Worth()

    def keep(self, loaded: ModelsLoaded, worth: Worth) -> None:
        """The newest comparison replaces the one before."""
        if worth.factor is None:
            return
        known = self._read()
        known.pop(_key(loaded), None)
        known[_key(loaded)] = (worth.factor, worth.measured_at)
        newest = dict(sorted(known.items(), key=lambda item: item[1][1])[-MOST:])
        new = self._file.with_suffix(".new")
        try:
            new.write_text(json.dumps(newest), encoding="utf-8")
            new.replace(self._file)
        except OSError as error:
            log.warning("the comparison could not be kept: %s", error)

    def _read(self) -> dict[str, tuple[float, float]]:
        try:
            raw = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            log.warning("earlier comparisons cannot be read: %s", error)
            return {}
        items = raw.items() if isinstance(raw, dict) else ()
        return {key: (value[0], value[1]) for key, value in items if _is_sound(value)}


def _is_sound(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(one, int | float) and math.isfinite(one) for one in value)
        and 0 < value[0] < 1000
        and 0 < value[1] < 1e11
    )


def _key(loaded: ModelsLoaded) -> str:
    models = (loaded.target, loaded.draft)
    return " + ".join(_name(model) for model in models if model is not None)


def _name(model: LoadedModel) -> str:
    return f"{model.path.name} {model.size_bytes} {model.gpu_layers}"
