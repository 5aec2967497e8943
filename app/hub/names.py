"""What a file's name says about it, and whether a name may be used on any disk.

Names come from servers and are treated as hostile. What a name claims (quantisation, split,
sidecar) is a first guess that the header confirms later. Pure functions. Imports only errors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath

from app.errors import DownloadFailed

LONGEST_PART_BYTES = 200  # most file systems allow 255; partial downloads need room for a suffix

_SPLIT = re.compile(r"^(?P<stem>.+)-(?P<index>\d{5})-of-(?P<count>\d{5})$", re.IGNORECASE)
_QUANTISATION = re.compile(
    r"(?<![A-Za-z0-9])(?:UD-)?(?:IQ[1-4](?:_[A-Z0-9]+)+|TQ[12]_0|Q[1-8](?:_[A-Z0-9]+)*"
    r"|MXFP4(?:_MOE)?|NVFP4|BF16|FP?16|F32)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_DRAFTER = re.compile(
    r"(?:^|/)mtp[-/]|-mtp$|(?<![a-z0-9])(?:eagle3?|dflash|dspark)(?![a-z0-9])", re.IGNORECASE
)
_DRAFT = re.compile(r"(?<![a-z])draft(?:er)?(?![a-z])", re.IGNORECASE)
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789¹²³"}
)
_FORBIDDEN = frozenset('<>:"|?*\\')


class FileKind(Enum):
    """What a file in a repository is for."""

    MODEL = "model"
    DRAFT = "draft"  # an ordinary model, trained to be a draft; never a target
    NATIVE_DRAFTER = "native_drafter"  # MTP, EAGLE and the like: not a model by itself
    PROJECTOR = "projector"  # the eyes of a model that sees (mmproj)
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Split:
    """Place of one file in a model that was cut into several.

    Attributes:
        stem: path without the numbering; equal for all parts.
        index: from 1.
        count: parts in all.
    """

    stem: str
    index: int
    count: int

    def part(self, index: int) -> str:
        """The file name of another part."""
        return f"{self.stem}-{index:05d}-of-{self.count:05d}.gguf"


def is_gguf(name: str) -> bool:
    """Whether the name ends as model files do."""
    return name.lower().endswith(".gguf")


def kind_of(name: str) -> FileKind:
    """What the file is for, going by its name alone."""
    lower = name.lower()
    if not is_gguf(lower):
        return FileKind.OTHER
    stem = lower.removesuffix(".gguf")
    base = stem.rpartition("/")[2]
    if "mmproj" in base:
        return FileKind.PROJECTOR
    if "imatrix" in base:
        return FileKind.OTHER
    if _DRAFTER.search(stem):
        return FileKind.NATIVE_DRAFTER
    return FileKind.DRAFT if _DRAFT.search(base) else FileKind.MODEL


def split_of(name: str) -> Split | None:
    """The place of a file in a split model; nothing if it is whole or the numbers make no sense."""
    if not is_gguf(name):
        return None
    match = _SPLIT.match(name[: -len(".gguf")])
    if match is None:
        return None
    index, count = int(match["index"]), int(match["count"])
    return Split(match["stem"], index, count) if 1 <= index <= count else None


def quantisation_of(name: str) -> str | None:
    """The quantisation in a file name, in capitals, for example "Q4_K_M"; the last one counts."""
    base = name.rpartition("/")[2].removesuffix(".gguf")
    split = split_of(name)
    if split is not None:
        base = split.stem.rpartition("/")[2]
    found = _QUANTISATION.findall(base)
    return found[-1].upper() if found else None


def safe_path(repo: str, name: str) -> PurePosixPath:
    """The path of a repository's file below a models folder, usable on every system.

    Raises:
        DownloadFailed: "unsafe_name", for `..`, absolute paths, reserved names and characters.
    """
    owner_and_repo = repo.split("/")
    if len(owner_and_repo) > 2:
        raise DownloadFailed("unsafe_name", name=repo)
    parts = [*owner_and_repo, *name.split("/")]
    for part in parts:
        if not _is_safe_part(part):
            raise DownloadFailed("unsafe_name", name=f"{repo}/{name}")
    return PurePosixPath(*parts)


def _is_safe_part(part: str) -> bool:
    """Whether one path component is an ordinary name on Linux, macOS and Windows."""
    if not part or part.startswith(".") or part[-1] in " .":
        return False
    if any(character in _FORBIDDEN or not character.isprintable() for character in part):
        return False
    try:
        too_long = len(part.encode()) > LONGEST_PART_BYTES
    except UnicodeEncodeError:
        return False
    # Windows takes "nul.gguf" and "nul .gguf" for the device as well.
    return not too_long and part.split(".")[0].strip().lower() not in _RESERVED
