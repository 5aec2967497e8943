"""Which pair suits this computer, why, and what the next smaller and larger choice would be.

Speed first: a chat whose answers arrive faster than one reads, on the memory that is free now, and
among those the best. Pure: free memory comes from outside. Imports errors and its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from app.hub.catalog import Catalog, Evidence, Pair, PairVerdict, Use
from app.hub.partial import gigabytes

GIB = 1 << 30
# The catalogue's needs already hold 0.35 GiB for the runtime; together this is the usual 1 GiB.
MARGIN_BYTES = round(0.65 * GIB)
CONTEXTS = (8192, 4096)
# Faster than most people read (about 5 words a second), before any draft helps.
READING_TOKENS_PER_SECOND = 10.0
Need = Callable[[Pair, int], int]


class DeviceKind(Enum):
    """What memory it is."""

    GPU = "gpu"
    UNIFIED = "unified"  # shared by processor and graphics, as on Apple silicon
    CPU = "cpu"


@dataclass(frozen=True, slots=True)
class Device:
    """Memory that a model could use.

    Attributes:
        free_bytes: now; other programs' use is already subtracted.
        bytes_per_second: how fast it is read, where that was measured; else a typical figure for
            its kind and size is assumed.
    """

    name: str
    kind: DeviceKind
    free_bytes: int
    total_bytes: int
    bytes_per_second: float | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """A code for a sentence in app/messages.py, and its values."""

    code: str
    detail: dict[str, str | int | float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A choice that was not made, and why."""

    pair: Pair
    why: Reason


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The answer; without a choice, `why` says what is missing.

    Attributes:
        context_tokens: the context at which the choice fits.
        device: name of the memory it fits in.
    """

    choice: Pair | None
    why: Reason
    context_tokens: int
    device: str | None
    smaller: Neighbour | None = None
    larger: Neighbour | None = None


@dataclass(frozen=True, slots=True)
class _Memory:
    """Where the pair would live: one kind of device, all of them together."""

    name: str
    usable_bytes: int
    bytes_per_second: float


def recommend(
    catalog: Catalog,
    devices: Sequence[Device],
    use: Use = Use.CHAT,
    need: Need = Pair.needed_bytes,
) -> Recommendation:
    """Choose for the machine at hand. `need` replaces the catalogue's figures by better ones."""
    offered = [
        pair
        for pair in catalog.pairs
        if use in pair.uses and pair.verdict is not PairVerdict.NOT_WORTH_IT
    ]
    memories = _memories(devices)
    tried = (_choose(offered, memory, context, need) for memory in memories for context in CONTEXTS)
    found = [one for one in tried if one is not None]
    if found:
        # Better a shorter context or slower memory than a model that is only for trying out.
        return next((one for one in found if _is_decent(one)), found[0])
    smallest = min(offered, key=lambda pair: need(pair, CONTEXTS[-1]), default=None)
    if smallest is None:
        return Recommendation(None, Reason("recommend_nothing_listed"), CONTEXTS[-1], None)
    needed = need(smallest, CONTEXTS[-1])
    have = max((memory.usable_bytes for memory in memories), default=0)
    detail = _figures(smallest, needed, have)
    return Recommendation(None, Reason("recommend_none_fits", detail), CONTEXTS[-1], None)


def _memories(devices: Sequence[Device]) -> list[_Memory]:
    """Accelerators first. Several are used together, as the engine spreads layers over them."""
    found = []
    for kind in (DeviceKind.GPU, DeviceKind.UNIFIED, DeviceKind.CPU):
        mine = [device for device in devices if device.kind is kind]
        if not mine:
            continue
        usable = sum(max(0, device.free_bytes - MARGIN_BYTES) for device in mine)
        speed = min(device.bytes_per_second or _typical_speed(device) for device in mine)
        found.append(_Memory(" + ".join(device.name for device in mine), usable, speed))
    return found


def _typical_speed(device: Device) -> float:
    """What memory of this kind and size usually reads per second; a rule of thumb, no promise."""
    steps = {
        DeviceKind.GPU: ((10, 270e9), (14, 360e9), (20, 500e9), (1000, 900e9)),
        DeviceKind.UNIFIED: ((20, 100e9), (34, 150e9), (50, 270e9), (1000, 400e9)),
        DeviceKind.CPU: ((1000, 40e9),),
    }[device.kind]
    total_gib = device.total_bytes / GIB
    return next((speed for limit, speed in steps if total_gib < limit), steps[-1][1])


def _choose(
    offered: list[Pair], memory: _Memory, context: int, need: Need
) -> Recommendation | None:
    fitting = [pair for pair in offered if need(pair, context) <= memory.usable_bytes]
    if not fitting:
        return None
    quick = [pair for pair in fitting if _pace(pair, memory) >= READING_TOKENS_PER_SECOND]
    if quick:
        choice = max(quick, key=lambda pair: _rank(offered, pair))
        code = "recommend_quick" if context == CONTEXTS[0] else "recommend_short_context"
    else:
        choice = max(fitting, key=lambda pair: _pace(pair, memory))
        code = "recommend_slow"
    detail = _figures(choice, need(choice, context), memory.usable_bytes)
    detail |= {"device": memory.name, "pace": round(_pace(choice, memory)), "context": context}
    return Recommendation(
        choice,
        Reason(code, detail),
        context,
        memory.name,
        _smaller(offered, fitting, choice),
        _larger(offered, choice, memory, lambda pair: need(pair, context)),
    )


def _is_decent(found: Recommendation) -> bool:
    return (
        found.choice is not None
        and found.choice.verdict is not PairVerdict.SMALLEST
        and found.why.code != "recommend_slow"
    )


def _pace(pair: Pair, memory: _Memory) -> float:
    """Tokens per second without a draft: each token reads the target's weights once."""
    return memory.bytes_per_second / pair.target.size_bytes


def _rank(offered: list[Pair], pair: Pair) -> tuple[int, float, int, int]:
    """Expected gain, then size, then evidence, then the catalogue's order."""
    tier = {
        PairVerdict.GOOD: 3,
        PairVerdict.FAIR: 2,
        PairVerdict.UNMEASURED: 1,
        PairVerdict.MARGINAL: 1,
    }.get(pair.verdict, 0)
    evidence = {Evidence.MEASURED: 2, Evidence.DOCUMENTED: 1}.get(pair.evidence, 0)
    return tier, _billions(pair), evidence, -offered.index(pair)


def _billions(pair: Pair) -> float:
    """Size of the target to two digits: 7.6 and 8.2 differ, 32.76 and 32.77 do not."""
    return float(f"{pair.target.parameters / 1e9:.2g}")


def _smaller(offered: list[Pair], fitting: list[Pair], choice: Pair) -> Neighbour | None:
    # Smaller in both senses: fewer parameters, and something saved.
    below = [
        pair
        for pair in fitting
        if _billions(pair) < _billions(choice) and pair.size_bytes < choice.size_bytes
    ]
    if not below:
        return None
    nearest = max(_billions(pair) for pair in below)
    pair = max(
        (pair for pair in below if _billions(pair) == nearest),
        key=lambda pair: _rank(offered, pair),
    )
    saved = gigabytes(choice.size_bytes - pair.size_bytes)
    return Neighbour(pair, Reason("recommend_smaller", {"title": pair.title, "saved": saved}))


def _larger(
    offered: list[Pair], choice: Pair, memory: _Memory, need: Callable[[Pair], int]
) -> Neighbour | None:
    above = [pair for pair in offered if _billions(pair) > _billions(choice)]
    if not above:
        return None
    nearest = min(_billions(pair) for pair in above)
    pair = max(
        (pair for pair in above if _billions(pair) == nearest),
        key=lambda pair: _rank(offered, pair),
    )
    detail = _figures(pair, need(pair), memory.usable_bytes)
    if need(pair) > memory.usable_bytes:
        detail["short"] = gigabytes(need(pair) - memory.usable_bytes)
        return Neighbour(pair, Reason("recommend_larger_does_not_fit", detail))
    if _pace(pair, memory) < READING_TOKENS_PER_SECOND:
        detail["pace"] = round(_pace(pair, memory))
        return Neighbour(pair, Reason("recommend_larger_is_slow", detail))
    return Neighbour(pair, Reason("recommend_larger_gains_less", detail))


def _figures(pair: Pair, need_bytes: int, have_bytes: int) -> dict[str, str | int | float | None]:
    return {"title": pair.title, "need": gigabytes(need_bytes), "have": gigabytes(have_bytes)}
