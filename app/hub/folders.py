"""Where models may lie on this computer: the app's own folder and those of other programs.

Imports nothing of the app.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class Origin(Enum):
    """Whose folder a file lies in."""

    OWN = "own"
    HUGGING_FACE = "hugging_face"
    LM_STUDIO = "lm_studio"
    LLAMA_CPP = "llama_cpp"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder to look for models in."""

    path: Path
    origin: Origin


def known_folders(
    environment: dict[str, str] | None = None, home: Path | None = None, platform: str = os.name
) -> list[ModelFolder]:
    """Where other programs keep models on this computer; only folders that exist."""
    env = dict(os.environ) if environment is None else environment
    home = home or Path.home()
    cache = Path(env.get("XDG_CACHE_HOME") or home / ".cache")
    hub = env.get("HF_HUB_CACHE") or (
        Path(env["HF_HOME"]) / "hub" if env.get("HF_HOME") else cache / "huggingface" / "hub"
    )
    candidates = [
        (Path(hub), Origin.HUGGING_FACE),
        (home / ".lmstudio" / "models", Origin.LM_STUDIO),
        (_lm_studio_home(home) / "models", Origin.LM_STUDIO),
        (home / ".cache" / "lm-studio" / "models", Origin.LM_STUDIO),
        (cache / "llama.cpp", Origin.LLAMA_CPP),
        (home / "Library" / "Caches" / "llama.cpp", Origin.LLAMA_CPP),
    ]
    if env.get("LLAMA_CACHE"):
        candidates.append((Path(env["LLAMA_CACHE"]), Origin.LLAMA_CPP))
    if platform == "nt" and env.get("LOCALAPPDATA"):
        candidates.append((Path(env["LOCALAPPDATA"]) / "llama.cpp", Origin.LLAMA_CPP))
    seen: set[Path] = set()
    found = []
    for path, origin in candidates:
        if path.is_dir() and real_path(path) not in seen:
            seen.add(real_path(path))
            found.append(ModelFolder(path, origin))
    return found


def _lm_studio_home(home: Path) -> Path:
    """LM Studio notes in a file where its user moved it to."""
    try:
        text = (home / ".lmstudio-home-pointer").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return home / ".lmstudio"
    return Path(text) if text and "\0" not in text else home / ".lmstudio"


def real_path(path: Path) -> Path:
    """A path without links; the path itself where they go in circles."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path
