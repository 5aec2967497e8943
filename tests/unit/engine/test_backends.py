"""Which CPU module is taken: by score, but for those known to fault; nothing for a static build."""

from __future__ import annotations

import ctypes.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.engine import backends
from app.errors import LoadError
from app.messages import describe

SCORES = {"x64": 1, "haswell": 64, "zen4": 1984, "sapphirerapids": 3000, "armv9": 0}


class Library:
    """What is asked of libllama: it loads what it may and remembers it."""

    def __init__(self, *refused: str) -> None:
        self.loaded: list[str] = []

        def load(path: bytes) -> int:
            name = Path(path.decode()).name
            self.loaded.append(name)
            return 0 if any(each in name for each in refused) else 1

        self.ggml_backend_load = load


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build with modules; the files are empty, so their scores are read from their names."""
    monkeypatch.setattr(backends, "sys", SimpleNamespace(platform="linux"))
    for name in SCORES:
        (tmp_path / f"libggml-cpu-{name}.so").touch()
    for other in ("libggml-base.so.0", "libggml-cpu.so", "libllama.so", "libggml-cpu-zen4.so.1"):
        (tmp_path / other).touch()
    monkeypatch.setattr(
        backends, "_score", lambda path: SCORES.get(path.stem.removeprefix("libggml-cpu-"), 0)
    )
    return tmp_path


def load(library: Library, folder: Path, *skip: str) -> backends.CpuModule | None:
    return backends.load_backends(cast(Any, _callable(library)), folder, frozenset(skip))


def _callable(library: Library) -> object:
    """ctypes lets types be set on its functions; a bound method does not."""
    function = library.ggml_backend_load
    return SimpleNamespace(ggml_backend_load=cast(Any, _Function(function)))


class _Function:
    argtypes: object = None
    restype: object = None

    def __init__(self, body: Any) -> None:
        self._body = body

    def __call__(self, path: bytes) -> int:
        result: int = self._body(path)
        return result


def test_modules_that_run_here_are_listed_best_first(folder: Path) -> None:
    names = [module.name for module in backends.cpu_modules(folder)]
    assert names == ["sapphirerapids", "zen4", "haswell", "x64"]


def test_the_best_is_loaded_and_no_other(folder: Path) -> None:
    library = Library()
    module = load(library, folder)
    assert module == backends.CpuModule(
        "sapphirerapids", folder / "libggml-cpu-sapphirerapids.so", 3000
    )
    assert library.loaded == ["libggml-cpu-sapphirerapids.so"]


def test_one_that_faulted_is_skipped(folder: Path) -> None:
    library = Library()
    module = load(library, folder, "sapphirerapids")
    assert module is not None
    assert module.name == "zen4"
    assert library.loaded == ["libggml-cpu-zen4.so"]


def test_when_all_have_faulted_the_plainest_is_tried_once_more(folder: Path) -> None:
    module = load(Library(), folder, *SCORES)
    assert module is not None
    assert module.name == "x64"


def test_a_module_that_does_not_load_gives_way_to_the_next(folder: Path) -> None:
    library = Library("sapphirerapids", "zen4")
    module = load(library, folder)
    assert module is not None
    assert module.name == "haswell"


@pytest.mark.parametrize("reason", ["none loads", "none runs here"])
def test_no_module_at_all_is_a_sentence(
    folder: Path, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library("cpu")
    if reason == "none runs here":
        monkeypatch.setattr(backends, "_score", lambda _: 0)
    with pytest.raises(LoadError) as raised:
        load(library, folder)
    assert raised.value.code == "no_cpu_module"
    assert raised.value.detail == {"count": len(SCORES), "folder": str(folder)}
    assert str(folder) in describe(raised.value)


def test_a_static_build_has_nothing_to_choose(folder: Path) -> None:
    for name in SCORES:
        (folder / f"libggml-cpu-{name}.so").unlink()
    library = Library()
    assert load(library, folder) is None
    assert load(library, folder / "missing") is None
    assert library.loaded == []


def test_gpu_modules_come_first_and_may_fail(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("cuda", "vulkan"):
        (folder / f"libggml-{name}.so").touch()
    library = Library("vulkan")
    module = load(library, folder)
    assert module is not None
    assert library.loaded == [
        "libggml-cuda.so",
        "libggml-vulkan.so",
        "libggml-cpu-sapphirerapids.so",
    ]
    assert "libggml-vulkan.so could not be loaded" in caplog.text


def test_windows_names_its_files_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(backends, "_score", lambda _: 5)
    (tmp_path / "ggml-cpu-haswell.dll").touch()
    (tmp_path / "ggml-base.dll").touch()
    assert [module.name for module in backends.cpu_modules(tmp_path)] == ["haswell"]


def test_a_file_that_is_no_library_scores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "libggml-cpu-broken.so"
    path.write_text("no library")
    assert backends._score(path) == 0
    assert backends._score(Path(ctypes.util.find_library("c") or "none")) == 0
