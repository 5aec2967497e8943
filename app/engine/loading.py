"""Loading target and draft as one transaction, and what to give up when memory is short.

Order of giving up: shrink the context to the least the user accepts, then drop the draft, then move
target layers to the CPU. Each step is reported; none is silent. If only the draft fails, the target
stays usable. Policy only: the models come from llama.py.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from app.engine import llama
from app.engine.devices import ThreadPool
from app.engine.model_drafter import HINTED_TOKENS
from app.engine.pair import ALL_LAYERS, MAX_DEPTH, Pair
from app.engine.placement import (
    Placement,
    available_ram_bytes,
    fewer_layers,
    physical_cores,
    placements,
)
from app.engine.protocol import Detail, KvType, LoadModels, LoadStep
from app.errors import AppError, LoadError, RequestError

logger = logging.getLogger(__name__)

_RAM_RESERVE_BYTES = 512 * 2**20
_PROBE_ROWS = 3
# Faults that neither a shorter context nor fewer layers on the GPU would cure.
_HOPELESS = ("load_cancelled", "not_a_text_model", "model_damaged")
# What a fault of the target is called when the draft has it.
_DRAFT_CODES = {
    "model_not_loaded": "draft_not_loaded",
    "not_a_text_model": "draft_not_a_text_model",
    "model_damaged": "draft_damaged",
}

Progress = Callable[[str, float], bool]
Refusal = tuple[str, Detail]


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
            if error.code in _HOPELESS or not layers:
                raise
            logger.warning("not loaded with %d layers on the GPU: %s", layers, error)
            failure = error
            continue
        if failure is not None:
            moved: Detail = {"layers": pair.gpu_layers, "of": pair.target.layers}
            pair.steps.append(LoadStep("layers_moved_to_cpu", moved))
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
    yield from fewer_layers(_count_layers(command.target))


def _count_layers(path: Path) -> int:
    """Layers of a file. A load of the vocabulary alone counts none, but keeps the header."""
    model = llama.Model(path, vocabulary_only=True)
    try:
        return int(model.metadata(f"{model.architecture}.block_count") or 0)
    finally:
        model.close()


def _load_with_layers(command: LoadModels, layers: int, progress: Progress) -> Pair:
    """Load target, draft and contexts with this many target layers on the GPU."""
    draft_wanted = command.draft is not None and command.no_draft_because is None
    shares = _progress_shares(command.target, command.draft if draft_wanted else None)
    refusal: Refusal | None = None
    if command.no_draft_because is not None:
        refusal = (command.no_draft_because, command.no_draft_detail)
    with ExitStack() as undo:
        target = llama.Model(
            command.target,
            gpu_layers=layers,
            progress=lambda done: progress("target", done * shares[0]),
        )
        undo.callback(target.close)
        _require_text_model(target)
        draft: llama.Model | None = None
        if draft_wanted and command.draft is not None:
            try:
                draft = _load_draft(
                    command.draft,
                    ALL_LAYERS if layers else 0,
                    lambda done: progress("draft", shares[0] + done * shares[1]),
                )
                undo.callback(draft.close)
            except LoadError as error:
                if error.code == "load_cancelled":
                    raise
                refusal = _draft_refusal(error)
        pool = llama.thread_pool(command.threads or physical_cores())
        undo.callback(pool.close)
        pair = _make_contexts(command, pool, target, draft)
        undo.callback(pair.close)
        pair.gpu_layers = min(layers, target.layers + 1)
        pair.no_draft = pair.no_draft or refusal
        _probe(pair)
        if not progress("context", 0.95):
            raise LoadError("load_cancelled", path=str(command.target))
        undo.pop_all()
    return pair


def _load_draft(path: Path, layers: int, progress: Callable[[float], bool]) -> llama.Model:
    draft = llama.Model(path, gpu_layers=layers, progress=progress)
    try:
        _require_text_model(draft)
    except LoadError:
        draft.close()
        raise
    return draft


def _require_text_model(model: llama.Model) -> None:
    if not model.generates:
        raise LoadError("not_a_text_model", path=str(model.path), architecture=model.architecture)


def _draft_refusal(error: AppError) -> Refusal:
    """A fault of the draft alone: the target works without it."""
    return _DRAFT_CODES.get(error.code, error.code), error.detail


def _progress_shares(target: Path, draft: Path | None) -> tuple[float, float]:
    """Shares of the progress bar for target and draft, by file size; the rest is for contexts and
    warm-up.
    """
    whole = 0.9
    sizes = _file_bytes(target), _file_bytes(draft) if draft is not None else 0
    if not all(sizes):
        return whole, 0.0
    return whole * sizes[0] / sum(sizes), whole * sizes[1] / sum(sizes)


def _file_bytes(path: Path) -> int:
    """0 for a file that is not there: llama.cpp says what is wrong with it."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _make_contexts(
    command: LoadModels, pool: ThreadPool, target: llama.Model, draft: llama.Model | None
) -> Pair:
    """Allocate contexts for the first placement that fits."""
    failure: LoadError | None = None
    wanted = _wanted_context(command, target)
    least = min(command.min_ctx, wanted)
    for placement in placements(wanted, least, draft is not None):
        used = draft if placement.with_draft else None
        try:
            pair = _allocate(command, pool, target, used, placement.n_ctx)
        except LoadError as error:
            if error.code == "not_a_text_model":
                if draft is None or error.detail.get("path") != str(draft.path):
                    raise
                draft.close()
                pair = _make_contexts(command, pool, target, None)
                pair.no_draft = _draft_refusal(error)
                return pair
            failure = LoadError(error.code, **{**error.detail, "n_ctx": placement.n_ctx})
            logger.warning("context of %d not allocated: %s", placement.n_ctx, error)
            continue
        pair.steps = _said(command, target, placement, draft is not None)
        if draft is not None and used is None:
            draft.close()
            pair.no_draft = ("no_memory_for_draft", {"n_ctx": least})
        return pair
    assert failure is not None  # there is at least one placement
    raise failure


def _wanted_context(command: LoadModels, target: llama.Model) -> int:
    """What was asked, no longer than the model can use."""
    trained = target.context_length
    return min(command.n_ctx, trained) if trained > 0 else command.n_ctx


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
        LoadError: "context_not_allocated", "no_memory_for_context", "not_a_text_model".
    """
    cells = n_ctx * command.n_parallel
    need = target.kv_bytes_per_token(command.kv_type) * cells
    need += draft.kv_bytes_per_token(KvType.F16) * cells if draft is not None else 0
    _refuse_beyond_ram(need, n_ctx)
    with ExitStack() as undo:
        target_context = llama.Context(
            target,
            n_ctx=cells,
            n_sequences=command.n_parallel,
            pool=pool,
            max_outputs=(MAX_DEPTH + 1) * command.n_parallel,
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
                # more than one for each sequence: a hint is read along with a draft pass
                max_outputs=(HINTED_TOKENS + 1) * command.n_parallel,
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
            "no_memory_for_context",
            n_ctx=n_ctx,
            need_mb=round(need_bytes / 1e6),
            free_mb=round(free / 1e6),
        )


def _probe(pair: Pair) -> None:
    """Let both models make a first pass and drop a tail; a model that cannot drop it is run without
    a draft, and that is said.

    Raises:
        LoadError: "model_damaged": the target's first pass gives no numbers.
    """
    pair.target_rewinds = _first_pass(pair.target, pair.target_context)
    refusal: Refusal | None = None
    if not pair.target_rewinds:
        refusal = ("target_cannot_rewind", {"architecture": pair.target.architecture})
    elif pair.draft is not None and pair.draft_context is not None:
        try:
            if not _first_pass(pair.draft, pair.draft_context):
                refusal = ("draft_cannot_rewind", {"architecture": pair.draft.architecture})
        except LoadError as error:
            refusal = _draft_refusal(error)
    if pair.draft is not None and refusal is not None:
        pair.drop_draft(*refusal)
    pair.no_draft = pair.no_draft or refusal


def _first_pass(model: llama.Model, context: llama.Context) -> bool:
    """Whether this memory can drop the tail of a sequence; asked by trying. Leaves the memory
    empty.

    Raises:
        LoadError: "model_damaged", "model_not_loaded".
    """
    last = _PROBE_ROWS - 1
    context.clear()
    try:
        context.decode([(0, place, 0, place == last) for place in range(_PROBE_ROWS)])
        numbers = context.logits(last)
    except RequestError as error:
        raise LoadError(
            "model_not_loaded", path=str(model.path), reason="its first pass failed"
        ) from error
    if np.isnan(numbers).all():
        raise LoadError("model_damaged", path=str(model.path))
    able = context.remove_tail(0, 1)
    context.clear()
    return able
