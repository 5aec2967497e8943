"""Building the engine: the key it is kept under, what is pruned, what happens when it fails."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import engine_recipe
import engine_wheel
import environment
import system_packages
from console import CommandFailed, SetupError
from engine_recipe import Engine, Toolkit

# --- the key of a built engine -------------------------------------------------------------------

CARD = Toolkit(Path("/opt/cuda/bin/nvcc"), "13.0", ("8.9", "12.0"))


def key(backend: str = "cpu", toolkit: Toolkit | None = None, version: str = "1.0") -> str:
    arguments = engine_recipe.recipe(backend, system="linux", machine="x86_64", toolkit=toolkit)
    tools = f"cuda {toolkit.release}" if toolkit else ""
    return engine_recipe.cache_key(version, backend, "linux_x86_64", arguments, tools)


def test_key_changes_with_everything_that_shapes_the_wheel() -> None:
    other_card = Toolkit(CARD.compiler, "13.0", ("8.6",))
    other_release = Toolkit(CARD.compiler, "12.8", CARD.capabilities)
    keys = [
        key(),
        key(version="1.1"),
        key("vulkan"),
        key("cuda", CARD),
        key("cuda", other_card),
        key("cuda", other_release),
    ]
    assert len(set(keys)) == len(keys)
    assert key("cuda", CARD) == key("cuda", CARD)


def test_key_is_a_plain_folder_name() -> None:
    assert re.fullmatch(r"1\.0-cuda-linux_x86_64-[0-9a-f]{12}", key("cuda", CARD))


def test_blackwell_is_built_with_its_own_instructions() -> None:
    assert CARD.architectures == "89-real;120a-real"


def test_every_loadable_build_starts_on_any_processor() -> None:
    for backend in ("cpu", "cuda", "vulkan"):
        arguments = engine_recipe.recipe(
            backend, system="linux", machine="x86_64", toolkit=CARD if backend == "cuda" else None
        )
        assert "-DGGML_NATIVE=OFF" in arguments
        assert "-DGGML_CPU_ALL_VARIANTS=ON" in arguments


def test_cache_follows_the_custom_of_the_system() -> None:
    folder = engine_recipe.cache_folder
    assert folder({"XDG_CACHE_HOME": "/x"}, "linux") == Path("/x/slipstream")
    assert folder({"XDG_CACHE_HOME": "relative"}, "linux") == Path.home() / ".cache/slipstream"
    assert folder({}, "darwin") == Path.home() / "Library/Caches/slipstream"
    assert folder({"LOCALAPPDATA": "/l"}, "win32") == Path("/l/slipstream/Cache")


# --- pruning -------------------------------------------------------------------------------------


def wheel_with(path: Path, names: list[str]) -> Path:
    with zipfile.ZipFile(path, "w") as wheel:
        for name in names:
            wheel.writestr(name, name)
        record = "p-1.dist-info/RECORD"
        wheel.writestr(record, "".join(f"{name},sha256=x,1\n" for name in [*names, record]))
    return path


def test_pruning_keeps_one_of_each_library(tmp_path: Path) -> None:
    lib = "llama_cpp/lib"
    keep = [
        "llama_cpp/llama_cpp.py",
        f"{lib}/libllama.so",
        f"{lib}/libggml.so.0",
        f"{lib}/libggml-base.so.0",
        f"{lib}/libggml-cpu-x64.so",
        f"{lib}/libggml-cuda.so",
    ]
    drop = [
        f"{lib}/libllama.so.0",
        f"{lib}/libllama.so.0.5.0",
        f"{lib}/libggml.so",
        f"{lib}/libggml.so.0.25.3",
        f"{lib}/libggml-base.so",
        f"{lib}/libllama-common.so",
        f"{lib}/cmake/ggml/ggml-config.cmake",
        "include/llama.h",
        "lib/libllama.so",
    ]
    out = tmp_path / "out.whl"
    engine_wheel.prune(wheel_with(tmp_path / "in.whl", keep + drop), out)
    with zipfile.ZipFile(out) as made:
        assert set(made.namelist()) == {*keep, "p-1.dist-info/RECORD"}
        listed = made.read("p-1.dist-info/RECORD").decode().splitlines()
    assert {line.split(",")[0] for line in listed} == {*keep, "p-1.dist-info/RECORD"}


def test_pruning_keeps_what_windows_and_macos_load(tmp_path: Path) -> None:
    lib = "llama_cpp/lib"
    for keep in (
        [f"{lib}/llama.dll", f"{lib}/ggml.dll", f"{lib}/ggml-base.dll", f"{lib}/ggml-cpu-x64.dll"],
        [f"{lib}/libllama.dylib", f"{lib}/libggml.0.dylib", f"{lib}/libggml-metal.0.dylib"],
    ):
        out = tmp_path / "out.whl"
        engine_wheel.prune(wheel_with(tmp_path / "in.whl", keep), out)
        assert set(zipfile.ZipFile(out).namelist()) == {*keep, "p-1.dist-info/RECORD"}


def test_a_wheel_without_its_library_is_refused(tmp_path: Path) -> None:
    built = wheel_with(tmp_path / "in.whl", ["llama_cpp/llama_cpp.py"])
    with pytest.raises(SetupError):
        engine_wheel.prune(built, tmp_path / "out.whl")


# --- installing what was built --------------------------------------------------------------------


@dataclass
class Outcomes:
    """Stands for building and starting an engine: what each attempt comes to, in order."""

    starts: list[int | CommandFailed]
    built: list[str] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)

    def install(self, engine: Engine, log: Path) -> int:
        self.built.append(engine.backend)
        outcome = self.starts.pop(0)
        if isinstance(outcome, CommandFailed):
            raise outcome
        return outcome


def attempt(
    outcomes: Outcomes, patch: pytest.MonkeyPatch, tmp_path: Path, *, backend: str, forced: bool
) -> Engine:
    patch.setattr(environment, "_install_wheel", outcomes.install)
    patch.setattr(Engine, "wheel", lambda self: tmp_path)
    patch.setattr(Engine, "discard", lambda self: outcomes.discarded.append(self.backend))
    patch.setattr(system_packages, "require_compiler", lambda log: None)
    engine = engine_recipe.plan(backend, CARD if backend == "cuda" else None, tmp_path)
    return environment.install_engine(engine, may_fall_back=not forced, log=tmp_path / "log")


def test_a_kept_engine_that_does_not_start_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = Outcomes([CommandFailed("Starting", tmp_path, []), 1])
    attempt(outcomes, monkeypatch, tmp_path, backend="cpu", forced=False)
    assert (outcomes.built, outcomes.discarded) == (["cpu", "cpu"], ["cpu"])


def test_cuda_that_finds_no_card_gives_way_to_the_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half an hour of building anew would not make the driver any newer."""
    outcomes = Outcomes([1, 1])
    engine = attempt(outcomes, monkeypatch, tmp_path, backend="cuda", forced=False)
    assert engine.backend == "cpu"
    assert outcomes.discarded == []
    assert "Going on without CUDA" in capsys.readouterr().out


def test_cuda_asked_for_by_name_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SetupError, match="finds no card"):
        attempt(Outcomes([1]), monkeypatch, tmp_path, backend="cuda", forced=True)
