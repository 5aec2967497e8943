"""From settings, which know no engine, to what the engine is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.engine.protocol import GenerationOptions, KvType, SamplingOptions, Speculation
from app.session.models import LoadOptions
from app.settings import Settings, accepts

_SAMPLING = (
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "repeat_penalty",
    "frequency_penalty",
    "presence_penalty",
    "seed",
)
_REST = ("speculation", "max_tokens", "depth", "max_depth")
OWN_OPTIONS = (*_SAMPLING, *_REST)


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


def own_options(values: Mapping[str, object]) -> dict[str, Any]:
    """What of a conversation's or preset's options is known and allowed, by name of the setting.

    They may come from an imported file; the rest is left out.
    """
    return {name: values[name] for name in OWN_OPTIONS if name in values and _fits(name, values)}


def with_own(base: GenerationOptions, values: Mapping[str, object]) -> GenerationOptions:
    """The usual options with what a conversation sets differently."""
    own = own_options(values)
    sampling = replace(base.sampling, **{k: v for k, v in own.items() if k in _SAMPLING})
    rest = {k: v for k, v in own.items() if k in _REST}
    if "speculation" in rest:
        rest["speculation"] = Speculation(rest["speculation"])
    return replace(base, sampling=sampling, **rest)


def _fits(name: str, values: Mapping[str, object]) -> bool:
    value = values[name]
    return accepts(name, value) or (type(value) is int and accepts(name, float(value)))
