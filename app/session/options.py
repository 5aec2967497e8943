"""From settings, which know no engine, to what the engine is asked."""

from __future__ import annotations

from app.engine.protocol import GenerationOptions, KvType, SamplingOptions, Speculation
from app.session.models import LoadOptions
from app.settings import Settings


def load_options(settings: Settings) -> LoadOptions:
    """How to place a pair."""
    return LoadOptions(
        n_ctx=settings.n_ctx,
        min_ctx=settings.min_ctx,
        n_parallel=settings.n_parallel,
        threads=settings.threads,
        gpu_layers=settings.gpu_layers,
        kv_type=KvType(settings.kv_type),
    )


def generation_options(settings: Settings) -> GenerationOptions:
    """How to answer."""
    return GenerationOptions(
        sampling=SamplingOptions(
            temperature=settings.temperature,
            top_k=settings.top_k,
            top_p=settings.top_p,
            min_p=settings.min_p,
            repeat_penalty=settings.repeat_penalty,
            frequency_penalty=settings.frequency_penalty,
            presence_penalty=settings.presence_penalty,
            seed=settings.seed,
        ),
        speculation=Speculation(settings.speculation),
        depth=settings.depth,
        max_depth=settings.max_depth,
        max_tokens=settings.max_tokens,
    )
