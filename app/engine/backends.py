"""Choosing and loading ggml's backend modules: one CPU module by score, and every GPU module that
its driver allows.

ggml's own search takes the best-scoring CPU module, even one that faults on this machine (seen on
x86 virtual machines that report AMX but trap on it), and looks into the working directory. So the
choice is made here, by the same scores, from one folder.
"""

from __future__ import annotations

import ctypes
import logging
import sys
from dataclasses import dataclass
from pathlib import Path

from app.errors import LoadError

logger = logging.getLogger(__name__)

_GPU_FAMILIES = ("cuda", "hip", "sycl", "vulkan", "metal", "blas")
_CPU_MARK = "ggml-cpu"


@dataclass(frozen=True, slots=True)
class CpuModule:
    """A loadable CPU backend.

    score: ggml's own measure of fit, higher is better, 0 does not run here.
    """

    name: str
    path: Path
    score: int


def load_backends(lib: ctypes.CDLL, folder: Path, skip: frozenset[str]) -> CpuModule | None:
    """Load GPU modules, then the best CPU module whose name is not in `skip`.

    Returns:
        The CPU module, None when this is a static build without modules.

    Raises:
        LoadError: "no_cpu_module": modules are there, but none runs on this computer.
    """
    files = [path for path in _module_files(folder, _CPU_MARK) if _module_name(path)]
    if not files:
        return None
    candidates = cpu_modules(folder)
    lib.ggml_backend_load.argtypes = [ctypes.c_char_p]
    lib.ggml_backend_load.restype = ctypes.c_void_p
    for family in _GPU_FAMILIES:
        for path in _module_files(folder, f"ggml-{family}"):
            if not lib.ggml_backend_load(str(path).encode()):
                logger.warning(
                    "backend %s could not be loaded: its driver is missing or too old", path.name
                )
    usable = [module for module in candidates if module.name not in skip] or candidates[-1:]
    for module in usable:
        if lib.ggml_backend_load(str(module.path).encode()):
            logger.info("cpu module %s (score %d)", module.name, module.score)
            return module
        logger.warning("cpu module %s could not be loaded", module.name)
    raise LoadError("no_cpu_module", count=len(files), folder=str(folder))


def cpu_modules(folder: Path) -> list[CpuModule]:
    """CPU modules that run here by their own score, best first."""
    found = []
    for path in _module_files(folder, _CPU_MARK):
        name, score = _module_name(path), _score(path)
        if name and score > 0:
            found.append(CpuModule(name, path, score))
    return sorted(found, key=lambda module: (-module.score, module.name))


def _module_name(path: Path) -> str:
    """ "" for the one CPU library of a build without modules, which is linked already."""
    return path.stem.removeprefix("lib").removeprefix(_CPU_MARK).removeprefix("-")


def _module_files(folder: Path, prefix: str) -> list[Path]:
    """Module files of a family; names with a version behind the ending are links or copies."""
    ending = ".dll" if sys.platform == "win32" else ".so"
    return sorted(
        path
        for path in folder.glob(f"*{prefix}*{ending}")
        if path.name.removeprefix("lib").startswith(prefix)
    )


def _score(path: Path) -> int:
    try:
        module = ctypes.CDLL(str(path))
        function = module.ggml_backend_score
    except (OSError, AttributeError):
        return 0
    function.restype = ctypes.c_int
    return int(function())
