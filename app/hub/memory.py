"""What a pair will need in memory, before it is loaded: by device, by part and by kind.

Weights and caches follow from the header exactly; compute buffers follow a rule read off
llama.cpp's graphs (llama-cpp-python 0.3.36), within a few percent for ordinary models. Nothing is
asked of the machine here: free memory comes from outside. Imports its neighbours in this room.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

from app.hub.ggml_types import TENSOR_TYPES, TYPE_BY_NAME
from app.hub.header import Header, Tensor
from app.hub.layers import Layer, attending_layers, is_known, layers_of
from app.hub.memory_table import (
    CPU,
    REPACKED_ON_X86,
    Fit,
    Gpu,
    Kind,
    MemoryEstimate,
    MemoryOptions,
    MemoryRow,
    Part,
)

__all__ = [
    "CPU",
    "MARGIN_BYTES",
    "REPACKED_ON_X86",
    "Fit",
    "Gpu",
    "Kind",
    "MemoryEstimate",
    "MemoryOptions",
    "MemoryRow",
    "Part",
    "estimate",
    "fits",
]

MARGIN_BYTES = 1 << 30
CELL_STEP = 256
FLOAT_BYTES = 4
DRAFT_KV = "F16"  # a quantised draft cache is known to ruin acceptance


def estimate(target: Header, draft: Header | None, options: MemoryOptions) -> MemoryEstimate:
    """The table for a target, with its draft if there is one. Both headers need their tensors."""
    plans = [_Plan(target, Part.TARGET, options)]
    if draft is not None:
        plans.append(_Plan(draft, Part.DRAFT, options))
    rows = [row for plan in plans for row in plan.rows() if row.used_bytes > 0]
    doubts = dict.fromkeys(doubt for plan in plans for doubt in plan.doubts())
    return MemoryEstimate(tuple(rows), tuple(doubts))


def fits(
    needed: MemoryEstimate, free_bytes: Mapping[str, int], margin_bytes: int = MARGIN_BYTES
) -> Fit:
    """Compare with free memory by device; a device that is not listed counts as having none."""
    left = {
        device: free_bytes.get(device, 0) - needed.total(device) - margin_bytes
        for device in needed.devices
    }
    return Fit(all(rest >= 0 for rest in left.values()), left)


class _Plan:
    """One model placed on the devices."""

    def __init__(self, header: Header, part: Part, options: MemoryOptions) -> None:
        is_target = part is Part.TARGET
        self._header = header
        self._part = part
        self._options = options
        self._layers = layers_of(header)
        self._kv_type = options.kv_type if is_target else DRAFT_KV
        self._rows_wanted = options.output_rows if is_target else options.draft_output_rows
        self._places = _placement(
            header.block_count or 0,
            options.gpus,
            options.gpu_layers if is_target else options.draft_gpu_layers,
        )

    def doubts(self) -> list[str]:
        """Why this model's part of the table may be off."""
        header, found = self._header, []
        if not is_known(header):
            found.append("estimate_unknown_architecture")
        if header.expert_count:
            found.append("estimate_experts")
        if not header.tensors:
            found.append("estimate_without_tensors")
        elif header.split is not None and self._options.weight_bytes is None:
            found.append("estimate_split_file")
        return found

    def rows(self) -> list[MemoryRow]:
        """All lines of this model."""
        return [*self._weights(), *self._caches(), *self._compute(), self._output()]

    def _row(self, device: str, kind: Kind, used_bytes: int) -> MemoryRow:
        return MemoryRow(device, self._part, kind, used_bytes)

    def _weights(self) -> list[MemoryRow]:
        header, options = self._header, self._options
        if not header.tensors or header.split is not None:
            given = options.weight_bytes if self._part is Part.TARGET else None
            whole = given or sum(tensor.used_bytes for tensor in header.tensors)
            return self._spread(Kind.WEIGHTS, whole or header.file_bytes)
        used: dict[str, int] = {}
        repacked = 0
        for tensor in header.tensors:
            if tensor.layer is not None and tensor.layer >= attending_layers(header):
                continue  # layers for multi-token prediction are left in the file
            device = self._device_of(tensor)
            is_copied = device == CPU and self._is_repacked(tensor)
            repacked += tensor.used_bytes if is_copied else 0
            if options.is_mapped or not is_copied:
                used[device] = used.get(device, 0) + tensor.used_bytes
        if self._is_tied and self._places[-1] != CPU:
            # The embedding serves as output too, and a GPU needs a copy of its own.
            used[self._places[-1]] = used.get(self._places[-1], 0) + self._embedding_bytes
        rows = [self._row(device, Kind.WEIGHTS, size) for device, size in used.items()]
        # With the file mapped, as much of it as was rearranged is never touched again.
        rows.append(MemoryRow(CPU, self._part, Kind.REPACKED, repacked, options.is_mapped))
        return rows

    def _spread(self, kind: Kind, whole: int) -> list[MemoryRow]:
        """Weights of which only the sum is known, by the number of layers on each device."""
        count = len(self._places)
        shares = {device: self._places.count(device) for device in self._places}
        return [self._row(device, kind, whole * n // count) for device, n in shares.items()]

    def _device_of(self, tensor: Tensor) -> str:
        if tensor.layer is not None:
            return self._places[min(tensor.layer, len(self._places) - 1)]
        return self._places[-1] if tensor.name.startswith("output") else CPU

    def _is_repacked(self, tensor: Tensor) -> bool:
        is_input = tensor.name.startswith(("token_embd", "per_layer_token_embd"))
        return (
            tensor.type.name in self._options.repacked
            and not is_input
            and len(tensor.shape) >= 2
            and tensor.shape[1] % 8 == 0
        )

    @property
    def _is_tied(self) -> bool:
        return not any(tensor.name == "output.weight" for tensor in self._header.tensors)

    @property
    def _embedding_bytes(self) -> int:
        found = (t.used_bytes for t in self._header.tensors if t.name == "token_embd.weight")
        return next(found, 0)

    def _caches(self) -> list[MemoryRow]:
        used: dict[tuple[str, Kind], int] = {}
        streams = 1 if self._options.is_unified else self._options.n_parallel
        states = max(1, self._options.n_parallel) * (1 + self._options.snapshots)
        for device, layer in zip(self._places, self._layers, strict=False):
            tokens = self._cells(layer.window) * streams
            held = tokens * self._token_bytes(layer)
            used[device, Kind.KV] = used.get((device, Kind.KV), 0) + held
            kept = layer.state_values * FLOAT_BYTES * states
            used[device, Kind.STATE] = used.get((device, Kind.STATE), 0) + kept
        return [self._row(device, kind, size) for (device, kind), size in used.items()]

    def _token_bytes(self, layer: Layer) -> int:
        kind = TYPE_BY_NAME.get(self._kv_type.upper(), TENSOR_TYPES[1])
        values = layer.key_values + layer.value_values
        return values * kind.block_bytes // kind.block

    def _cells(self, window: int) -> int:
        """Cells of one stream, for layers that look back `window` tokens (0: all)."""
        options = self._options
        share = options.cells if options.is_unified else options.cells // options.n_parallel
        full = _stepped(share)
        if not window or options.is_window_full:
            return full
        seen = window * (options.n_parallel if options.is_unified else 1) + options.ubatch
        return _stepped(min(full, seen))

    def _compute(self) -> list[MemoryRow]:
        inside, output = self._working_bytes(), self._output_phase_bytes()
        used = dict.fromkeys(self._places[:-1], inside)
        used[self._places[-1]] = max(used.get(self._places[-1], 0), output)
        if CPU not in used:
            # The inputs are written on the host and copied from there.
            width = self._header.embedding_length or 0
            used[CPU] = self._mask_bytes() + self._tokens * width * FLOAT_BYTES
        return [self._row(device, Kind.COMPUTE, size) for device, size in used.items()]

    @property
    def _tokens(self) -> int:
        return min(self._options.ubatch, _stepped(self._options.cells))

    def _mask_bytes(self) -> int:
        """One mask for each kind of layer: which cell each token of a pass may see."""
        width = 2 if self._options.has_flash_attention else FLOAT_BYTES
        windows = {layer.window for layer in self._layers if layer.key_values}
        return sum(self._cells(window) * self._tokens * width for window in windows)

    def _working_bytes(self) -> int:
        """The larger of what attention and the feed-forward part of a layer hold at once.

        Counted from the buffers of llama.cpp: three rows of the feed-forward width and four of the
        model's (three with a quantised cache, whose graph differs); for attention five of the
        model's, keys and values, and the scores if they are written out. With experts, one more
        row of the model's for each expert used and one to add them up.
        """
        header = self._header
        width = header.embedding_length or 0
        forward = max(header.per_layer("feed_forward_length"), default=0)
        heads = max(header.head_counts, default=0)
        query = max(width, heads * (header.key_length or 0))
        held = max((layer.key_values + layer.value_values for layer in self._layers), default=0)
        experts = header.expert_used_count * max(
            header.per_layer("expert_feed_forward_length"), default=0
        )
        rows = 4 if self._kv_type.upper() in ("F16", "BF16", "F32") else 3
        if header.expert_used_count:
            forward, rows = experts, rows + 1 + header.expert_used_count
        inner = 3 * forward + rows * width
        attention = 2 * width + 3 * query + held
        if not self._options.has_flash_attention:
            attention += heads * self._cells(0)
        return FLOAT_BYTES * self._tokens * max(inner, attention) + self._mask_bytes()

    def _output_phase_bytes(self) -> int:
        rows = min(self._tokens, max(self._rows_wanted, self._options.n_parallel))
        width = self._header.embedding_length or 0
        return FLOAT_BYTES * rows * (self._header.vocabulary.size + 2 * width)

    def _output(self) -> MemoryRow:
        """The logits that are handed out, always on the host."""
        rows = max(self._rows_wanted, self._options.n_parallel)
        return self._row(CPU, Kind.OUTPUT, rows * self._header.vocabulary.size * FLOAT_BYTES)


def _placement(layers: int, gpus: tuple[Gpu, ...], wanted: int | None) -> tuple[str, ...]:
    """The device of each layer and, last, of the output layer: the last `wanted` go to the GPUs."""
    count = layers + 1
    moved = 0 if not gpus else count if wanted is None else min(max(wanted, 0), count)
    bounds = list(accumulate(gpu.share for gpu in gpus))
    places = [CPU] * (count - moved)
    for index in range(moved):
        chosen = bisect_right(bounds, bounds[-1] * index / moved)
        places.append(gpus[min(chosen, len(gpus) - 1)].name)
    return tuple(places)


def _stepped(cells: int) -> int:
    return -(-cells // CELL_STEP) * CELL_STEP
