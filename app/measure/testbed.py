"""What a measurement was made on: machine, devices, versions, files, settings. Written into every
report; two reports are compared only where it agrees.

Imports engine and monitor data; asks the operating system nothing that needs rights.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from app import __version__
from app.engine.protocol import LoadedModel, LoadModels, ModelsLoaded, WorkerStarted
from app.errors import ModelFileError
from app.hub.gguf import read_model_file
from app.hub.header import Want

_CPU_INFO = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """One model file; `sha256` names its content whatever the file is called."""

    file: str
    name: str
    architecture: str
    quantisation: str
    size_bytes: int
    sha256: str
    gpu_layers: int


@dataclass(frozen=True, slots=True)
class Circumstances:
    """All that a reader needs to judge, or repeat, a measurement.

    Attributes:
        machine: operating system, processor, cores, memory, devices, drivers, power limits.
        versions: Slipstream, Python, engine libraries.
        settings: of the loaded pair: context, answers at once, threads, cache type.
    """

    machine: dict[str, str]
    versions: dict[str, str]
    target: ModelFacts
    draft: ModelFacts | None
    settings: dict[str, str]

    def to_json(self) -> dict[str, object]:
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the caller knows and the engine does not say.

    Attributes:
        machine: more lines for the machine: driver, power limit, wall meter.
        started: the worker's first message.
    """

    machine: Mapping[str, str] = field(default_factory=dict)
    started: WorkerStarted | None = None


def describe(command: LoadModels, loaded: ModelsLoaded, around: Surroundings) -> Circumstances:
    """Write the testbed down; reads the model files whole for their hashes.

    Raises:
        ModelFileError: a file cannot be read.
    """
    return Circumstances(
        machine=_machine() | _devices(loaded) | dict(around.machine),
        versions=_versions(around.started),
        target=_model(loaded.target),
        draft=_model(loaded.draft) if loaded.draft is not None else None,
        settings=settings_of(command, loaded),
    )


def settings_of(command: LoadModels, loaded: ModelsLoaded) -> dict[str, str]:
    """How the pair was loaded in the end, fallbacks included."""
    return {
        "context": str(loaded.n_ctx),
        "answers at once": str(loaded.n_parallel),
        "threads": str(loaded.threads),
        "target layers on GPU": str(loaded.target.gpu_layers),
        "draft layers on GPU": str(loaded.draft.gpu_layers) if loaded.draft else "no draft",
        "KV cache": loaded.kv_type.value,
        "asked for": f"{command.n_ctx} context, {command.gpu_layers} GPU layers",
        "fallbacks": ", ".join(step.code for step in loaded.steps) or "none",
    }


def _model(model: LoadedModel) -> ModelFacts:
    header = read_model_file(model.path, Want.KEYS)
    return ModelFacts(
        file=model.path.name,
        name=model.name,
        architecture=model.architecture,
        quantisation=header.quantisation or "unknown",
        size_bytes=header.file_bytes,
        sha256=sha256_of(model.path),
        gpu_layers=model.gpu_layers,
    )


def sha256_of(path: Path) -> str:
    """Of a model file; read whole, for a record of its download may be of another file by now.

    Raises:
        ModelFileError: "file_unreadable".
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelFileError("file_unreadable", path=str(path), reason=reason) from error


def _versions(started: WorkerStarted | None) -> dict[str, str]:
    versions = {"slipstream": __version__, "python": platform.python_version()}
    if started is not None:
        versions |= {name: str(value) for name, value in started.versions.items()}
        versions["cpu module"] = started.cpu_module or "none"
    return versions


def _machine() -> dict[str, str]:
    return {
        "system": platform.platform(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "logical processors": str(os.cpu_count()),
        "program": "packaged" if getattr(sys, "frozen", False) else "from source",
    }


def _processor() -> str:
    """The processor's name; Linux keeps it in a file, others tell Python."""
    try:
        for line in _CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        return platform.processor() or "unknown"
    return platform.processor() or "unknown"


def _devices(loaded: ModelsLoaded) -> dict[str, str]:
    return {
        f"device {device.name}": f"{device.description} ({device.kind}, "
        f"{device.total_bytes / 1024**3:.1f} GiB)"
        for device in loaded.devices
    }
