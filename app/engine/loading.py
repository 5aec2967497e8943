"""Loading target and draft as one transaction, and what to give up when memory is short.

Order of giving up: shrink the context to the least the user accepts, then drop the draft, then move
target layers to the CPU. Each step is reported; none is silent. If only the draft fails, the target
stays usable. Policy only: the models come from llama.py.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from app.engine import llama, native_log
from app.engine.devices import ThreadPool
from app.engine.protocol import (
    Detail,
    DeviceInfo,
    KvType,
    LoadedModel,
    LoadModels,
    LoadStep,
    ModelMemory,
    ModelsLoaded,
)
from app.errors import AppError, LoadError

logger = logging.getLogger(__name__)

MAX_DEPTH = 15  # so that a verification has at most 16 rows, the widest that the roofline measures
ALL_LAYERS = 999
_RAM_RESERVE_BYTES = 512 * 2**20
_LAYER_SHARES = (0.75, 0.5, 0.25, 0.0)

Progress = Callable[[str, float], bool]


@dataclass(slots=True)
class Placement:
    """One way to place a pair: context per conversation, with or without the draft."""

    n_ctx: int
    with_draft: bool


@dataclass(slots=True)
class Pair:
    """A loaded target, perhaps with a draft.

    Owns the native memory; `close` frees it in the right order.
    """

    command: LoadModels
    pool: ThreadPool
    target: llama.Model
    target_context: llama.Context
    draft: llama.Model | None = None
    draft_context: llama.Context | None = None
    n_ctx: int = 0
    gpu_layers: int = 0
    target_rewinds: bool = True
    steps: list[LoadStep] = field(default_factory=list)
    no_draft: tuple[str, Detail] | None = None

    def close(self) -> None:
        """Free contexts, then models, then threads."""
        for part in (self.draft_context, self.target_context, self.draft, self.target, self.pool):
            if part is not None:
                part.close()

    def drop_draft(self, code: str, detail: Detail) -> None:
        """Go on without the draft, and say why."""
        for part in (self.draft_context, self.draft):
            if part is not None:
                part.close()
        self.draft_context = self.draft = None
        self.no_draft = (code, detail)

    def describe(
        self, load_seconds: float, devices: tuple[DeviceInfo, ...], *, own_template: bool
    ) -> ModelsLoaded:
        """What was placed where, for the window."""
        code, detail = self.no_draft or (None, {})
        draft = None
        if self.draft is not None and self.draft_context is not None:
            draft = _describe_model(self.draft, self.draft_context, self.gpu_layers and ALL_LAYERS)
        return ModelsLoaded(
            target=_describe_model(self.target, self.target_context, self.gpu_layers),
            draft=draft,
            n_ctx=self.n_ctx,
            n_ctx_train=self.target.context_length,
            n_parallel=self.command.n_parallel,
            threads=self.pool.threads,
            kv_type=self.command.kv_type,
            load_seconds=load_seconds,
            steps=tuple(self.steps),
            no_draft_because=code,
            no_draft_detail=detail,
            has_template=own_template,
            devices=devices,
        )


def load_pair(command: LoadModels, progress: Progress) -> Pair:
    """Load what `command` names, giving up in order what does not fit.

    Raises:
        LoadError: the target itself cannot be loaded or has no room even for the least context;
            "load_cancelled".
    """
    began = time.perf_counter()
    failure: LoadError | None = None
    for layers in _layer_plan(command):
        try:
            pair = _load_with_layers(command, layers, progress)
        except LoadError as error:
            if error.code in ("load_cancelled", "not_a_text_model") or not layers:
                raise
            failure = error
            continue
        if failure is not None:
            pair.steps.append(
                LoadStep(
                    "layers_moved_to_cpu", {"layers": pair.gpu_layers, "of": pair.target.layers}
                )
            )
        logger.info("loaded in %.1f s", time.perf_counter() - began)
        return pair
    raise failure or LoadError("model_not_loaded", path=str(command.target), reason="")


def _layer_plan(command: LoadModels) -> Iterator[int]:
    """How many target layers to put on the GPU, most wanted first."""
    if not any(device.kind in ("gpu", "igpu") for device in llama.devices()):
        yield 0
        return
    if command.gpu_layers is not None:
        yield command.gpu_layers
        return
    yield ALL_LAYERS
    total = _count_layers(command.target)
    for share in _LAYER_SHARES:
        yield int(total * share)


def _count_layers(path: Path) -> int:
    """Layers of a file, from its header through a vocabulary-only load."""
    model = llama.Model(path, vocabulary_only=True)
    try:
        return model.layers
    finally:
        model.close()


def _load_with_layers(command: LoadModels, layers: int, progress: Progress) -> Pair:
    """Load target, draft and contexts with this many target layers on the GPU."""
    draft_wanted = command.draft is not None and command.no_draft_because is None
    shares = _progress_shares(command if draft_wanted else None, command.target)
    with ExitStack() as undo:
        target = llama.Model(
            command.target,
            gpu_layers=layers,
            progress=lambda done: progress("target", done * shares[0]),
        )
        undo.callback(target.close)
        if not target.generates:
            raise LoadError(
                "not_a_text_model", path=str(command.target), architecture=target.architecture
            )
        no_draft: tuple[str, Detail] | None = None
        if command.no_draft_because is not None:
            no_draft = (command.no_draft_because, command.no_draft_detail)
        draft: llama.Model | None = None
        if draft_wanted and command.draft is not None:
            try:
                draft = llama.Model(
                    command.draft,
                    gpu_layers=ALL_LAYERS if layers else 0,
                    progress=lambda done: progress("draft", shares[0] + done * shares[1]),
                )
            except LoadError as error:
                if error.code == "load_cancelled":
                    raise
                no_draft = (_draft_code(error), error.detail)
        if draft is not None:
            undo.callback(draft.close)
        pool = llama.thread_pool(command.threads or physical_cores())
        undo.callback(pool.close)
        pair = _make_contexts(command, pool, target, draft)
        undo.pop_all()
    pair.gpu_layers = min(layers, target.layers + 1)
    if pair.no_draft is None:
        pair.no_draft = no_draft
    _probe(pair)
    if not progress("context", 0.95):
        pair.close()
        raise LoadError("load_cancelled", path=str(command.target))
    return pair


def _draft_code(error: AppError) -> str:
    return "draft_not_loaded" if error.code == "model_not_loaded" else error.code


def _progress_shares(command: LoadModels | None, target: Path) -> tuple[float, float]:
    """Shares of the progress bar for target and draft, by file size;

    the rest is for contexts and warm-up.
    """
    whole = 0.9
    if command is None or command.draft is None:
        return whole, 0.0
    sizes = target.stat().st_size, command.draft.stat().st_size
    return whole * sizes[0] / sum(sizes), whole * sizes[1] / sum(sizes)


def _make_contexts(
    command: LoadModels, pool: ThreadPool, target: llama.Model, draft: llama.Model | None
) -> Pair:
    """Allocate contexts for the first placement that fits."""
    failure: LoadError | None = None
    wanted = _wanted_context(command, target)
    for placement in _placements(wanted, min(command.min_ctx, wanted), draft is not None):
        used = draft if placement.with_draft else None
        try:
            pair = _allocate(command, pool, target, used, placement.n_ctx)
        except LoadError as error:
            failure = error
            logger.warning("context of %d not allocated: %s", placement.n_ctx, error)
            continue
        pair.steps = _said(command, target, placement, draft is not None)
        if draft is not None and used is None:
            draft.close()
            pair.no_draft = ("no_memory_for_draft", {"n_ctx": placement.n_ctx})
        return pair
    assert failure is not None
    raise LoadError(
        "context_not_allocated", **{**failure.detail, "least": min(command.min_ctx, wanted)}
    )


def _wanted_context(command: LoadModels, target: llama.Model) -> int:
    """What was asked, no longer than the model can use."""
    trained = target.context_length
    return min(command.n_ctx, trained) if trained > 0 else command.n_ctx


def _placements(wanted: int, least: int, with_draft: bool) -> Iterator[Placement]:
    """Ways to place the pair, most wanted first."""
    n_ctx = wanted
    while True:
        yield Placement(n_ctx, with_draft)
        if n_ctx <= least:
            break
        n_ctx = max(least, n_ctx // 2)
    if with_draft:
        yield Placement(least, with_draft=False)


def _said(
    command: LoadModels, target: llama.Model, placement: Placement, had_draft: bool
) -> list[LoadStep]:
    """The fallbacks that a placement means, in the order they were taken."""
    steps = []
    wanted = _wanted_context(command, target)
    if wanted < command.n_ctx:
        steps.append(
            LoadStep("context_limited_by_model", {"asked": command.n_ctx, "n_ctx": wanted})
        )
    if placement.n_ctx < wanted:
        steps.append(LoadStep("context_shrunk", {"asked": wanted, "n_ctx": placement.n_ctx}))
    if had_draft and not placement.with_draft:
        steps.append(LoadStep("draft_dropped", {"n_ctx": placement.n_ctx}))
    return steps


def _allocate(
    command: LoadModels,
    pool: ThreadPool,
    target: llama.Model,
    draft: llama.Model | None,
    n_ctx: int,
) -> Pair:
    """Contexts for one placement.

    Raises:
        LoadError: "context_not_allocated".
    """
    cells = n_ctx * command.n_parallel
    need = target.kv_bytes_per_token(command.kv_type) * cells
    need += draft.kv_bytes_per_token(KvType.F16) * cells if draft is not None else 0
    _refuse_beyond_ram(need, n_ctx)
    outputs = (MAX_DEPTH + 1) * command.n_parallel
    with ExitStack() as undo:
        target_context = llama.Context(
            target,
            n_ctx=cells,
            n_sequences=command.n_parallel,
            pool=pool,
            max_outputs=outputs,
            kv_type=command.kv_type,
            snapshots=MAX_DEPTH if target.recurrent else 0,
        )
        undo.callback(target_context.close)
        draft_context = None
        if draft is not None:
            draft_context = llama.Context(
                draft,
                n_ctx=cells,
                n_sequences=command.n_parallel,
                pool=pool,
                max_outputs=command.n_parallel,
                snapshots=MAX_DEPTH if draft.recurrent else 0,
            )
        undo.pop_all()
    return Pair(command, pool, target, target_context, draft, draft_context, n_ctx)


def _refuse_beyond_ram(need_bytes: int, n_ctx: int) -> None:
    """A cache larger than free memory would be allocated lazily and end in a kill; refuse it
    before.

    Only where the caches lie in ordinary memory; a GPU refuses by itself.
    """
    if any(device.kind == "gpu" for device in llama.devices()):
        return
    free = available_ram_bytes()
    if free is not None and need_bytes > free - _RAM_RESERVE_BYTES:
        raise LoadError(
            "context_not_allocated",
            n_ctx=n_ctx,
            need_bytes=need_bytes,
            free_bytes=free,
            reason="memory",
        )


def _probe(pair: Pair) -> None:
    """Ask both models to drop a tail;

    a model that cannot is run without a draft, and that is said.
    """
    pair.target_rewinds = rewinds(pair.target_context)
    if pair.draft is None or pair.draft_context is None:
        if not pair.target_rewinds:
            pair.no_draft = pair.no_draft or (
                "target_cannot_rewind",
                {"architecture": pair.target.architecture},
            )
        return
    if not pair.target_rewinds:
        pair.drop_draft("target_cannot_rewind", {"architecture": pair.target.architecture})
    elif not rewinds(pair.draft_context):
        pair.drop_draft("draft_cannot_rewind", {"architecture": pair.draft.architecture})


def rewinds(context: llama.Context) -> bool:
    """Whether this memory can drop the tail of a sequence;

    asked by trying. Leaves the memory empty.
    """
    context.clear()
    context.decode([(0, 0, 0, False), (0, 1, 0, False), (0, 2, 0, True)])
    able = context.remove_tail(0, 1)
    context.clear()
    return able


def physical_cores() -> int:
    """Threads worth using:

    half the logical processors where there are more than two, since two threads of one core share
    its units.
    """
    logical = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return logical if logical <= 2 else max(2, logical // 2)


def available_ram_bytes() -> int | None:
    """Memory that can be had without swapping;

    None where only psutil could tell (that is the monitor's business).
    """
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        return None
    return None


def _describe_model(model: llama.Model, context: llama.Context, gpu_layers: int) -> LoadedModel:
    by_device: dict[str, dict[str, int]] = {}
    for log in (model.log, context.log):
        for device, kinds in native_log.buffers(log).by_device.items():
            into = by_device.setdefault(device, {})
            for kind, size in kinds.items():
                into[kind] = into.get(kind, 0) + size
    return LoadedModel(
        path=model.path,
        name=model.name,
        architecture=model.architecture,
        parameters=model.parameters,
        size_bytes=model.size_bytes,
        layers=model.layers,
        gpu_layers=min(gpu_layers, model.layers + 1),
        memory=ModelMemory(by_device),
    )
