"""Where things live."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from app import paths
from app.errors import StorageError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_one_variable_moves_everything(home: Path) -> None:
    assert paths.folders() == paths.Folders(home, home, home / "logs", home / "models")
    assert paths.database_file().parent == home
    assert paths.settings_file().parent == home
    assert paths.log_file("worker") == home / "logs" / "worker.log"
    assert paths.starter_model().is_relative_to(home / "models")
    assert not home.exists(), "asking creates nothing"


def test_a_relative_home_does_not_follow_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLIPSTREAM_HOME", "here")
    monkeypatch.chdir(tmp_path)
    assert paths.folders().data == tmp_path / "here"


def test_without_the_variable_the_folders_are_absolute_and_named_after_the_app(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SLIPSTREAM_HOME", raising=False)
    found = paths.folders()
    for folder in (found.data, found.config, found.logs, found.models):
        assert folder.is_absolute()
        assert "slipstream" in str(folder)


@pytest.mark.parametrize("variable", ["", "/somewhere/else"])
def test_set_up_puts_the_starter_model_where_the_app_looks(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLIPSTREAM_HOME", variable)
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    set_up = importlib.import_module("fetch_models")
    assert paths.starter_model().parent == set_up.starter_folder()
    assert paths.starter_model().name == set_up.STARTER.name


def test_ensure_creates_and_says_what_is_in_the_way(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert paths.ensure(folder).is_dir()
    assert paths.ensure(folder) == folder
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError) as caught:
        paths.ensure(tmp_path / "file" / "below")
    assert caught.value.code == "folder_unusable"


def test_resources_of_the_source_tree_and_of_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert paths.resource("icons/app.svg") == ROOT / "resources" / "icons" / "app.svg"
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.resource("icons/app.svg") == tmp_path / "resources" / "icons" / "app.svg"


@pytest.mark.parametrize(
    "name",
    ["", "/etc/passwd", "../app/paths.py", "icons/../../x", "C:\\x", "C:x", "\\x", "a\\..\\..\\x"],
)
def test_a_resource_lies_below_the_folder(name: str) -> None:
    with pytest.raises(ValueError, match="below the folder"):
        paths.resource(name)


def test_the_starter_model_of_a_bundle_serves_until_the_user_has_one(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "bundle"), raising=False)
    bundled = tmp_path / "bundle" / "models" / paths.STARTER_MODEL
    own = home / "models" / paths.STARTER_MODEL
    assert paths.starter_model() == own
    for file in (bundled, own):
        file.parent.mkdir(parents=True)
        file.write_bytes(b"GGUF")
        assert paths.starter_model() == file
