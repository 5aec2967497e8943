"""Where things live: settings, conversations, logs, models, and the resources the app came with.

SLIPSTREAM_HOME puts all of a user's files below one folder. Nothing is created by asking where it
is; `ensure` creates. Imports only errors.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

import platformdirs

from app import APP_ID
from app.errors import StorageError

HOME_VARIABLE = "SLIPSTREAM_HOME"
STARTER_MODEL = "starter/SmolLM2-135M-Instruct.Q4_1.gguf"  # below the models folder


@dataclass(frozen=True, slots=True)
class Folders:
    """A user's folders; any of them may not exist yet."""

    data: Path
    config: Path
    logs: Path
    models: Path


def folders() -> Folders:
    """The folders of this user, by the platform's habits or below SLIPSTREAM_HOME."""
    if home := os.environ.get(HOME_VARIABLE):
        base = Path(home).absolute()
        return Folders(base, base, base / "logs", base / "models")
    dirs = platformdirs.PlatformDirs(APP_ID)  # the set-up finds the models folder the same way
    data = dirs.user_data_path
    return Folders(data, dirs.user_config_path, dirs.user_log_path, data / "models")


def database_file() -> Path:
    """Where conversations and runs are kept."""
    return folders().data / "conversations.sqlite3"


def settings_file() -> Path:
    """Where the settings are kept."""
    return folders().config / "settings.json"


def log_file(name: str) -> Path:
    """A log by name, for example "worker"."""
    return folders().logs / f"{name}.log"


def ensure(folder: Path) -> Path:
    """Create a folder if it is not there.

    Raises:
        StorageError: "folder_unusable": it cannot be created, or a file is in its place.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError("folder_unusable", path=str(folder), reason=reason) from error
    return folder


def resource(name: str) -> Path:
    """A file the app came with, by its name below resources/: "icons/app.svg".

    Raises:
        ValueError: the name is absolute or climbs out of the folder.
    """
    return _below(resource_root(), name)


def resource_root() -> Path:
    """The resources folder of the source tree, or of the frozen bundle."""
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if isinstance(bundle, str) else Path(__file__).resolve().parent.parent
    return root / "resources"


def starter_model() -> Path:
    """The small model that answers before any is chosen: the user's copy, else the bundle's.

    The file may be missing; then this is where it is put.
    """
    own = folders().models / STARTER_MODEL
    bundled = _below(resource_root().parent, "models/" + STARTER_MODEL)
    return bundled if not own.exists() and bundled.exists() else own


def _below(root: Path, name: str) -> Path:
    # Both spellings on every system: a name is the same name wherever the app runs.
    windows, posix = PureWindowsPath(name), PurePosixPath(name)
    if not name or windows.drive or windows.root or posix.is_absolute() or ".." in windows.parts:
        raise ValueError(f"not a name below the folder: {name!r}")
    return root / name
