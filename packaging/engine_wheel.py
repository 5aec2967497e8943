"""Builds the engine (llama-cpp-python with its llama.cpp) for this computer, once, and keeps it.

The wheel is kept in the user's cache folder under the key of its recipe, so that a fresh copy of
the repository, or a `.venv` made anew, needs no compiler. A build that was interrupted goes on
where it stopped. Standard library only.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

from console import Progress, SetupError, exclusive, run_logged, say
from engine_recipe import LOCKS, Engine
from setup_state import venv_python

# Run in the environment the wheel was installed into: prints how many devices the engine found.
VERIFY = """
import ctypes, pathlib, sys
import llama_cpp.llama_cpp as native
folder = pathlib.Path(native.__file__).parent / "lib"
ggml = ctypes.CDLL(str(folder / "ggml.dll")) if sys.platform == "win32" else native._lib
if sys.platform != "darwin":
    load_all = ggml.ggml_backend_load_all_from_path
    load_all.argtypes, load_all.restype = [ctypes.c_char_p], None
    load_all(str(folder).encode())
native.llama_backend_init()
count = ggml.ggml_backend_dev_count
count.restype = ctypes.c_size_t
print("devices:", count())
sys.exit(0 if count() else "no device: not even the processor")
"""


def ensure(engine: Engine) -> Path:
    """The wheel of `engine`: from the cache, else built now."""
    with exclusive(engine.cache / "wheels" / f"{engine.key}.lock"):
        if (ready := engine.wheel()) is not None:
            return ready
        minutes = "about half an hour" if engine.backend == "cuda" else "about 10 minutes"
        say(f"Building the engine for this computer ({engine.backend}): {minutes}, once.")
        return build(engine)


def build(engine: Engine) -> Path:
    """Compile, tidy, and move into the cache in one step. What was compiled before is reused."""
    work = engine.cache / "build" / engine.key
    work.mkdir(parents=True, exist_ok=True)
    engine.log.unlink(missing_ok=True)
    python = _build_environment(work, engine.log)
    source = _source(work, python, engine)
    out = work / "out"
    shutil.rmtree(out, ignore_errors=True)
    progress = Progress("engine")
    run_logged(
        "Building the engine",
        [
            *(python, "-m", "pip", "wheel", "--verbose", "--no-deps", "--no-build-isolation"),
            *("--config-settings", f"build-dir={work / 'cmake'}", "--wheel-dir", out, source),
        ],
        engine.log,
        env=_build_variables(engine, python),
        on_line=lambda line: _show_progress(line, progress),
    )
    built = next(out.glob("*.whl"))
    staged = engine.folder.with_name(f"{engine.key}.new")
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(parents=True)
    prune(built, staged / built.name)
    staged.replace(engine.folder)
    shutil.rmtree(work, ignore_errors=True)  # about 400 MB
    progress.finish()
    return engine.folder / built.name


def _build_environment(work: Path, log: Path) -> Path:
    """A virtual environment with the pinned build tools; its Python."""
    home = work / "env"
    python = venv_python(home)
    if not (home / "ready").exists():
        shutil.rmtree(home, ignore_errors=True)
        run_logged("Preparing the build", [sys.executable, "-m", "venv", home], log)
        install: list[str | Path] = [python, "-m", "pip", "install", "--no-deps"]
        install += ["--require-hashes", "-r", LOCKS / "build.lock"]
        run_logged("Fetching the build tools", install, log)
        (home / "ready").touch()
    return python


def _source(work: Path, python: Path, engine: Engine) -> Path:
    """The unpacked source, checked against the lock's hash."""
    source = work / "source"
    if source.exists():
        return source
    say("  fetching its source (80 MB)")
    sdist = work / "sdist"
    shutil.rmtree(sdist, ignore_errors=True)
    run_logged(
        "Fetching the engine's source",
        [
            *(python, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:"),
            *("--no-build-isolation", "--require-hashes", "-r", LOCKS / "engine.lock"),
            *("--dest", sdist),
        ],
        engine.log,
        env=_build_variables(engine, python),
    )
    unpacked = work / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(next(sdist.glob("*.tar.gz"))) as archive:
        if hasattr(tarfile, "data_filter"):  # from Python 3.11.4 on
            archive.extractall(unpacked, filter="data")
        else:
            archive.extractall(unpacked)  # its sha256 is the lock's
    next(unpacked.iterdir()).replace(source)
    shutil.rmtree(unpacked)
    shutil.rmtree(sdist)
    return source


def _build_variables(engine: Engine, python: Path) -> dict[str, str]:
    # The build tools are programs beside the environment's Python; CMAKE_ARGS of the caller would
    # make a wheel that does not fit its key, so it is replaced.
    path = [str(python.parent)]
    variables = {"CMAKE_ARGS": shlex.join(engine.arguments)}
    if engine.toolkit is not None:
        path.append(str(engine.toolkit.compiler.parent))
        variables["CUDACXX"] = str(engine.toolkit.compiler)
    variables["PATH"] = os.pathsep.join([*path, os.environ.get("PATH", "")])
    if "CMAKE_BUILD_PARALLEL_LEVEL" not in os.environ:
        variables["CMAKE_BUILD_PARALLEL_LEVEL"] = str(build_jobs(engine.backend))
    return variables


def build_jobs(backend: str) -> int:
    """How many compilers to run at once: one per processor, if there is memory for them."""
    cores = os.cpu_count() or 1
    if sys.platform == "win32":
        return cores
    memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    bytes_each = (3 if backend == "cuda" else 1) * 2**30
    return max(1, min(cores, memory_bytes // bytes_each))


def _show_progress(line: str, progress: Progress) -> None:
    if found := re.search(r"\[(\d+)/(\d+)\]", line):
        progress.show(int(found[1]) / int(found[2]))


def is_ballast(name: str, names: frozenset[str]) -> bool:
    """Whether a file of the built wheel is of no use at run time.

    Wheels cannot hold links, so each library comes up to three times, and two copies of ggml in
    one process would be two registries of devices.
    """
    if name.startswith(("include/", "lib/", "bin/", "share/")):
        return True
    folder, _, file = name.rpartition("/")
    if not folder.startswith("llama_cpp/lib"):
        return False
    if folder != "llama_cpp/lib" or "llama-common" in file or file.endswith(".lib"):
        return True
    if re.search(r"\.so\.\d+\.\d|\.\d+\.\d+\.\d+\.dylib$", file):
        return True
    if file.startswith("libllama.so."):  # the bindings open libllama.so
        return True
    # Others are opened by their versioned name, CPU modules have no version.
    return file.endswith(".so") and file != "libllama.so" and f"{name}.0" in names


def prune(built: Path, out: Path) -> None:
    """Copy a wheel without its ballast."""
    with zipfile.ZipFile(built) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        names = frozenset(source.namelist())
        drop = {name for name in names if is_ballast(name, names)}
        if not any(re.fullmatch(r"llama_cpp/lib/(lib)?llama\.(so|dylib|dll)", n) for n in names):
            raise SetupError("The engine was built without its library; see the log.")
        for item in source.infolist():
            if item.filename in drop:
                continue
            data = source.read(item)
            if item.filename.endswith(".dist-info/RECORD"):
                lines = data.decode().splitlines(keepends=True)
                kept = [line for line in lines if line.rsplit(",", 2)[0].strip('"') not in drop]
                data = "".join(kept).encode()
            made.writestr(item, data, zipfile.ZIP_DEFLATED)


def verify(python: Path, log: Path) -> int:
    """Start the engine installed beside `python`; the number of devices it found, CPU included.

    Raises CommandFailed when it does not load here.
    """
    devices = 0

    def count(line: str) -> None:
        nonlocal devices
        if found := re.match(r"devices: (\d+)", line):
            devices = int(found[1])

    run_logged("Starting the engine", [python, "-c", VERIFY], log, on_line=count)
    return devices
