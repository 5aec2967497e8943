"""The steps of a set-up: virtual environment, libraries, engine, what the system has to give.

Standard library only.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import engine_recipe
import engine_wheel
import system_packages
from console import CommandFailed, Progress, SetupError, run_logged, say
from engine_recipe import Engine, Toolkit
from setup_state import (
    LOCKS,
    UNFINISHED,
    VENV,
    Request,
    Stamp,
    dev_hash,
    gpu_tools,
    runtime_hash,
    venv_python,
)


def set_up(request: Request, before: Stamp | None) -> Stamp:
    """Bring `.venv` to what the request needs; the stamp to write when all of it is done."""
    cache = engine_recipe.cache_folder()
    log = cache / "logs" / "setup.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(f"{datetime.now(UTC):%Y-%m-%d %H:%M} {sys.version}\n", encoding="utf-8")
    say("Setting Slipstream up. Later starts skip this.")
    with_dev = request.action == "test" or bool(before and before.dev)
    forced = _forced_backend(request, before)
    toolkit = engine_recipe.find_toolkit() if forced in (None, "cuda") else None
    backend = forced or default_backend(toolkit)
    engine = _prepare_engine(backend, toolkit, cache, log)
    make_environment(log)
    install_libraries(with_dev, log)
    engine = install_engine(engine, may_fall_back=forced is None, log=log)
    return Stamp(
        runtime=runtime_hash(),
        dev=dev_hash() if with_dev else "",
        backend=engine.backend,
        forced=forced is not None,
        engine=engine.key,
        gpu_tools=gpu_tools(),
        window_missing=provide_window_libraries(request, log),
    )


def _forced_backend(request: Request, before: Stamp | None) -> str | None:
    """The backend asked for by name, now or at an earlier start."""
    asked = request.backend
    if asked is None:
        return before.backend if before and before.forced else None
    if asked == "auto":
        return None
    if (asked == "metal") != (sys.platform == "darwin"):
        raise SetupError(
            "On a Mac the engine always has Metal and the processor: start with ./run"
            if sys.platform == "darwin"
            else "Metal is Apple's; here ./run can build for cpu, cuda or vulkan."
        )
    return asked


def default_backend(toolkit: Toolkit | None) -> str:
    """Metal on a Mac, CUDA where driver and toolkit are, else the processor."""
    if sys.platform == "darwin":
        return "metal"
    if toolkit is not None:
        return "cuda"
    if shutil.which("nvidia-smi"):
        say(
            "There is an NVIDIA driver here but no CUDA toolkit (nvcc) that fits it, so the engine "
            "will use\nthe processor. Install the toolkit, and the next start builds for the card."
        )
    return "cpu"


def _prepare_engine(backend: str, toolkit: Toolkit | None, cache: Path, log: Path) -> Engine:
    """Plan the engine, and check what its build needs before anything long is begun."""
    if backend == "cuda" and toolkit is None:
        raise SetupError(
            "CUDA needs NVIDIA's driver (nvidia-smi) and the CUDA toolkit (nvcc); "
            f"found: {gpu_tools() or 'neither'}. Install them, or start with ./run auto"
        )
    engine = engine_recipe.plan(backend, toolkit, cache)
    if engine.wheel() is None:
        system_packages.require_compiler(log)
        if backend == "vulkan":
            system_packages.require_vulkan_tools(log)
    return engine


def make_environment(log: Path) -> None:
    """Make `.venv`, or make it anew when it is broken or was left half installed."""
    python = venv_python()
    if python.exists() and not UNFINISHED.exists() and _fits(python):
        return
    if importlib.util.find_spec("ensurepip") is None:
        why = "This Python cannot make virtual environments."
        system_packages.install([system_packages.PYTHON_VENV], why, log)
    if VENV.exists():
        say("  clearing away an unfinished or outdated environment")
        shutil.rmtree(VENV)
    # The interpreter of the old .venv may be the one that runs this; its base stays.
    base = getattr(sys, "_base_executable", None) or sys.executable
    run_logged("Making the virtual environment", [base, "-m", "venv", VENV], log)


def _fits(python: Path) -> bool:
    probe = "import pip, sys; print(sys.version_info[:2])"
    done = subprocess.run([python, "-c", probe], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == str(sys.version_info[:2])


def install_libraries(with_dev: bool, log: Path) -> None:
    """Install exactly what the locks name."""
    locks = [LOCKS / "runtime.lock", *([LOCKS / "dev.lock"] if with_dev else [])]
    total = sum(line[:1].isalnum() for lock in locks for line in lock.read_text().splitlines())
    progress = Progress("libraries")
    seen = 0

    def count(line: str) -> None:
        nonlocal seen
        if line.startswith(("Collecting ", "Processing ", "Ignoring ", "Requirement already")):
            seen += 1
            progress.show(min(0.9, 0.9 * seen / total))  # copying them is the rest

    UNFINISHED.touch()
    run_logged(
        "Installing the libraries",
        [
            *(venv_python(), "-m", "pip", "install", "--no-input", "--no-deps"),
            *("--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes"),
            *(word for lock in locks for word in ("-r", lock)),
        ],
        log,
        on_line=count,
    )
    UNFINISHED.unlink()
    progress.finish()


def install_engine(engine: Engine, *, may_fall_back: bool, log: Path) -> Engine:
    """Install the engine and see that it starts; the engine that is installed in the end."""
    try:
        _install_working(engine, log)
    except SetupError as error:
        if engine.backend != "cuda" or not may_fall_back:
            raise
        say(f"{error}\n\nGoing on without CUDA: the engine will use the processor.")
        plain = _prepare_engine("cpu", None, engine.cache, log)
        return install_engine(plain, may_fall_back=False, log=log)
    return engine


def _install_working(engine: Engine, log: Path) -> None:
    """Install, start, and build anew if a kept wheel does not start; SetupError if none does."""
    kept = engine.wheel() is not None
    try:
        devices = _install_wheel(engine, log)
    except CommandFailed:
        if not kept:
            raise
        say("The kept engine does not start here; building it anew.")
        engine.discard()
        system_packages.require_compiler(log)
        devices = _install_wheel(engine, log)
    if engine.backend in ("cuda", "vulkan") and devices < 2:
        raise SetupError(
            f"The engine was built for {engine.backend} but finds no card to run on. "
            f"Is the card's driver as new as the toolkit? Details: {log}"
        )


def _install_wheel(engine: Engine, log: Path) -> int:
    """Put the engine into `.venv`; the number of devices it finds."""
    wheel = engine_wheel.ensure(engine)
    UNFINISHED.touch()
    run_logged(
        "Installing the engine",
        [
            *(venv_python(), "-m", "pip", "install", "--no-input", "--no-deps", "--no-index"),
            *("--disable-pip-version-check", "--force-reinstall", wheel),
        ],
        log,
    )
    UNFINISHED.unlink()
    return engine_wheel.verify(venv_python(), log)


def site_packages() -> Path:
    """Where `.venv` keeps its libraries."""
    if sys.platform == "win32":
        return VENV / "Lib" / "site-packages"
    return VENV / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"


def provide_window_libraries(request: Request, log: Path) -> tuple[str, ...]:
    """Install system libraries that Qt lacks; those still missing, for the window to name."""
    missing = system_packages.missing_window_libraries(site_packages())
    if not missing:
        return ()
    try:
        system_packages.install(missing, "The window needs libraries of the system.", log)
    except SetupError as error:
        if request.action == "test":  # its window tests cannot run
            raise
        say(str(error))
    return tuple(system_packages.missing_window_libraries(site_packages()))
