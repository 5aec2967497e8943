"""What the engine's options cost in memory with the loaded pair, read from the files' headers.

The headers are read once on a thread: a large vocabulary takes a moment. The rest is arithmetic.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.engine.protocol import DeviceInfo, KvType
from app.errors import AppError
from app.session.models import LoadOptions

if TYPE_CHECKING:
    from app.hub.gguf import Header

CLOSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class PairCost:
    """Bytes of a pair as it would be loaded.

    Attributes:
        by_kv_type: the caches' bytes for each number format of the target's.
        next_answer_bytes: what one more answer at a time adds.
        layers: of the target, the output layer counting as one.
        layer_bytes: of one layer of the target on the graphics device, on average.
        free_bytes: where the pair would go first; None where nobody told yet.
    """

    weight_bytes: int
    kv_bytes: int
    compute_bytes: int
    by_kv_type: dict[str, int]
    next_answer_bytes: int
    layers: int
    layer_bytes: int
    free_bytes: int | None = None

    @property
    def total_bytes(self) -> int:
        """All together."""
        return self.weight_bytes + self.kv_bytes + self.compute_bytes


def cost_of(
    headers: tuple[Header, Header | None], options: LoadOptions, devices: Sequence[DeviceInfo]
) -> PairCost:
    """The cost with these options on these devices, before the pair is loaded there."""
    from app.hub.memory import Kind, MemoryOptions, Part, estimate
    from app.session.fitting import machine_memory

    target, draft = headers
    machine = machine_memory(devices)
    n_ctx = min(options.n_ctx, target.context_length or options.n_ctx)
    plan = MemoryOptions(
        cells=n_ctx * options.n_parallel,
        n_parallel=options.n_parallel,
        kv_type=options.kv_type.value.upper(),
        gpus=machine.gpus,
        gpu_layers=options.gpu_layers,
    )

    def kv_of(plan: MemoryOptions) -> int:
        table = estimate(target, draft, plan)
        return table.total(kind=Kind.KV) + table.total(kind=Kind.STATE)

    table = estimate(target, draft, plan)
    weights = table.total(kind=Kind.WEIGHTS) + table.total(kind=Kind.REPACKED)
    caches = kv_of(plan)
    more = replace(plan, n_parallel=plan.n_parallel + 1, cells=n_ctx * (plan.n_parallel + 1))
    layers = (target.block_count or 0) + 1
    of_target = table.total(kind=Kind.WEIGHTS, part=Part.TARGET)
    return PairCost(
        weight_bytes=weights,
        kv_bytes=caches,
        compute_bytes=table.total() - weights - caches,
        by_kv_type={
            kind.value: kv_of(replace(plan, kv_type=kind.value.upper())) for kind in KvType
        },
        next_answer_bytes=kv_of(more) - caches,
        layers=layers,
        layer_bytes=of_target // layers,
        free_bytes=machine.fast_bytes if devices else None,
    )


class HeaderReader(QObject):
    """Reads the headers of a pair on a thread.

    Signals:
        finished: the two Headers (the draft's may be None); None where they cannot be read.
    """

    finished = Signal(object)
    _done = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: threading.Thread | None = None
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    def start(self, target: Path, draft: Path | None) -> None:
        """Read; once for each dialog."""
        self._thread = threading.Thread(
            target=self._work, args=(target, draft), name="pair-cost", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Wait for the thread: it may not speak to an object that is gone."""
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)

    def _work(self, target: Path, draft: Path | None) -> None:
        from app.hub.gguf import read_model_file

        try:
            read = (read_model_file(target), read_model_file(draft) if draft is not None else None)
        except AppError:
            self._done.emit(None)  # the dialog then says nothing of costs; loading says why
            return
        self._done.emit(read)

    @Slot(object)
    def _on_done(self, headers: object) -> None:
        self.finished.emit(headers)
