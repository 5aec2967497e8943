"""A loaded target, perhaps with a draft: what is in memory, and what is told of it.

The only one that knows in which order native memory must be freed. Policy is in `loading.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.engine import llama, native_log
from app.engine.devices import ThreadPool
from app.engine.protocol import (
    Detail,
    DeviceInfo,
    LoadedModel,
    LoadModels,
    LoadStep,
    ModelMemory,
    ModelsLoaded,
)

MAX_DEPTH = 15  # so that a verification has at most 16 rows, the widest that the roofline measures
ALL_LAYERS = 999


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

    @property
    def on_cuda(self) -> bool:
        """Layers lie on a CUDA device, which pays for each change of the batch's shape."""
        names = (device.name for device in llama.devices())
        return self.gpu_layers > 0 and any(name.startswith("CUDA") for name in names)

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
