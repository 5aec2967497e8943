"""What the engine of this computer is built from, and under which key it is kept.

One recipe for the set-up and for installers. On Linux and Windows every backend is a module that
is loaded at run time, with one CPU module per generation of processors, so that one build is fast
on a new processor and still starts on an old one. On macOS Metal and CPU are linked in.
Standard library only.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from console import SetupError

LOCKS = Path(__file__).resolve().parent / "locks"
PACKAGE = "llama-cpp-python"
BACKENDS = ("cpu", "cuda", "vulkan", "metal")

COMMON = ("-DGGML_OPENMP=OFF", "-DLLAVA_BUILD=OFF")
# Without these two, libraries also land in site-packages/lib, and the CPU modules only in bin.
PLACES = ("-DCMAKE_INSTALL_BINDIR:PATH=llama_cpp/lib", "-DCMAKE_INSTALL_LIBDIR:PATH=llama_cpp/lib")
LOADABLE = (
    *("-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON", "-DGGML_NATIVE=OFF"),
    *COMMON,
    "-DCMAKE_INSTALL_RPATH=$ORIGIN",
    *PLACES,
)
STATIC_METAL = ("-DGGML_METAL=ON", "-DGGML_NATIVE=OFF", *COMMON, *PLACES)
# What every Apple chip has, since GGML_NATIVE is off to keep the wheel good for any of them.
APPLE_ARM = "-DGGML_CPU_ARM_ARCH=armv8.2-a+dotprod+fp16"
EXTRA = {
    "cpu": (),
    "cuda": ("-DGGML_CUDA=ON", "-DGGML_CUDA_NCCL=OFF"),
    "vulkan": ("-DGGML_VULKAN=ON",),
}


@dataclass(frozen=True, slots=True)
class Toolkit:
    """The CUDA compiler of this computer and the cards it should build for.

    Attributes:
        compiler: the nvcc program.
        release: its version, "13.0".
        capabilities: compute capabilities of the cards, ("8.9", "12.0").
    """

    compiler: Path
    release: str
    capabilities: tuple[str, ...]

    @property
    def architectures(self) -> str:
        """The cards as CMake names them: "89-real;120a-real"."""
        names = []
        for capability in self.capabilities:
            number = capability.replace(".", "")
            # From Blackwell on, the fast low-precision kernels need the "a" target.
            names.append(f"{number}{'a' if int(number) >= 120 else ''}-real")
        return ";".join(names)


def cache_folder(environ: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Where built engines and logs are kept, by the custom of the system."""
    if system == "win32":
        local = environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData/Local") / "slipstream" / "Cache"
    if system == "darwin":
        return Path.home() / "Library" / "Caches" / "slipstream"
    given = environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if given.startswith("/") else Path.home() / ".cache"
    return base / "slipstream"


def pinned_version(lock: Path = LOCKS / "engine.lock") -> str:
    """The version of llama-cpp-python that the lock names."""
    found = re.search(rf"^{PACKAGE}==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise SetupError(f"{lock} does not name {PACKAGE}; make it anew with packaging/lock.py.")
    return found[1]


def recipe(backend: str, *, system: str, machine: str, toolkit: Toolkit | None) -> tuple[str, ...]:
    """CMake arguments of a build."""
    if system == "darwin":
        return (*STATIC_METAL, APPLE_ARM) if machine == "arm64" else STATIC_METAL
    if backend == "cuda" and toolkit is not None:
        cards = f"-DCMAKE_CUDA_ARCHITECTURES={toolkit.architectures}"
        return (*LOADABLE, *EXTRA["cuda"], cards)
    return (*LOADABLE, *EXTRA[backend])


def cache_key(version: str, backend: str, tag: str, arguments: tuple[str, ...], tools: str) -> str:
    """Folder name of a built wheel: everything that shapes it, readable where that is short."""
    digest = hashlib.sha256("\0".join([*arguments, tools]).encode()).hexdigest()
    return f"{version}-{backend}-{tag}-{digest[:12]}"


def find_toolkit() -> Toolkit | None:
    """Find CUDA's compiler and an NVIDIA driver that answers; None if one of them is not there."""
    roots = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    bins = os.pathsep.join(str(Path(root) / "bin") for root in roots if root)
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path=bins)
    if nvcc is None or shutil.which("nvidia-smi") is None:
        return None
    cards = _output("nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader")
    release = re.search(r"release (\d+\.\d+)", _output(nvcc, "--version"))
    capabilities = sorted(set(re.findall(r"^\d+\.\d+$", cards, re.MULTILINE)))
    if release is None or not capabilities:
        return None
    return Toolkit(Path(nvcc), release[1], tuple(capabilities))


def _output(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


@dataclass(frozen=True, slots=True)
class Engine:
    """One build of the engine: what is asked for and where it lies in the cache."""

    version: str
    backend: str
    arguments: tuple[str, ...]
    toolkit: Toolkit | None
    cache: Path

    @property
    def key(self) -> str:
        """Folder name in the cache."""
        tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        tools = f"cuda {self.toolkit.release}" if self.toolkit else ""
        return cache_key(self.version, self.backend, tag, self.arguments, tools)

    @property
    def folder(self) -> Path:
        """Where the finished wheel is kept."""
        return self.cache / "wheels" / self.key

    @property
    def log(self) -> Path:
        """Everything the build said."""
        return self.cache / "logs" / f"engine-{self.key}.log"

    def wheel(self) -> Path | None:
        """The finished wheel, if it was built before."""
        return next(iter(sorted(self.folder.glob("*.whl"))), None)

    def discard(self) -> None:
        """Throw the wheel away, so that it is built anew."""
        shutil.rmtree(self.folder, ignore_errors=True)


def plan(backend: str, toolkit: Toolkit | None, cache: Path) -> Engine:
    """What `backend` means on this computer."""
    toolkit = toolkit if backend == "cuda" else None
    arguments = recipe(backend, system=sys.platform, machine=platform.machine(), toolkit=toolkit)
    return Engine(pinned_version(), backend, arguments, toolkit, cache)
