"""What is known of a pair on this machine, kept in a file, so that depth control starts from it.

One small file per pair, placement and computer below the data folder. A profile is a help, never a
need: one that cannot be read is as if never measured. Imports the engine's DepthProfile and paths.
"""

from __future__ import annotations

import hashlib
import logging
import platform
from dataclasses import replace
from pathlib import Path

from app.engine.depth_profile import DepthProfile
from app.engine.protocol import LoadModels, Measured
from app.errors import StorageError
from app.paths import ensure, folders

log = logging.getLogger(__name__)


def profile_file(command: LoadModels, computer: str | None = None) -> Path:
    """Where the profile of this load is kept: by file names and sizes and by how they are placed,
    for all of that changes the costs.
    """
    parts = (
        computer if computer is not None else platform.node(),
        _file(command.target),
        _file(command.draft),
        str(command.threads),
        str(command.gpu_layers),
        command.kv_type.value,
    )
    name = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]
    return folders().data / "profiles" / f"{name}.json"


def load(command: LoadModels) -> str | None:
    """The profile as JSON, to go into the load command; None when there is none."""
    try:
        text = profile_file(command).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        log.warning("the pair's profile cannot be read: %s", error)
        return None
    return None if DepthProfile.from_json(text) == DepthProfile() else text


def save(command: LoadModels, measured: Measured) -> Path:
    """Keep measured costs; what was learned of the draft's confidence stays.

    Raises:
        StorageError: "profile_unsaved", "folder_unusable".
    """
    known = DepthProfile.from_json(load(command) or "")
    costs = replace(
        known,
        verify_seconds=measured.verify_seconds,
        draft_seconds=measured.draft_seconds or 0.0,
    )
    path = profile_file(command)
    ensure(path.parent)
    new = path.with_name(path.name + ".new")
    try:
        new.write_text(costs.to_json(), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError("profile_unsaved", path=str(path), reason=reason) from error
    return path


def _file(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return f"{path.name} {path.stat().st_size}"
    except OSError:
        return path.name
