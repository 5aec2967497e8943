"""`roofline`:

what checking n tokens at once costs here, and from which acceptance on drafting pays.
"""

from __future__ import annotations

import argparse
import json

from app.cli.engine_run import engine, load_command
from app.engine.protocol import Measure, Measured

# checking four tokens and the bonus: the depth the sentence speaks of
SPOKEN_DEPTH = 4
BOUND_RATIO = 1.5


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    command = load_command(arguments)
    with engine() as run_:
        loaded = run_.load(command)
        run_.send(Measure("roofline", repetitions=arguments.repeat))
        while not isinstance(event := run_.next(), Measured):
            continue
    pays_from = break_even(event.verify_seconds, event.draft_seconds)
    if arguments.json:
        answer = {
            "target": str(loaded.target.path),
            "draft": str(loaded.draft.path) if loaded.draft else None,
            "verify_seconds": list(event.verify_seconds),
            "draft_seconds": event.draft_seconds,
            "repetitions": event.repetitions,
            "break_even_acceptance": pays_from,
        }
        print(json.dumps(answer))
        return 0
    print("rows   milliseconds   times one row")
    for rows, seconds in enumerate(event.verify_seconds, start=1):
        print(f"{rows:4d}   {seconds * 1000:12.1f}   {seconds / event.verify_seconds[0]:13.2f}")
    if event.draft_seconds is not None:
        print(f"one drafted token: {event.draft_seconds * 1000:.1f} ms")
    print(verdict(event, pays_from))
    return 0


def break_even(verify: tuple[float, ...], draft: float | None) -> dict[int, float | None]:
    """For each depth the acceptance from which speculation is faster than plain decoding; None when
    none suffices.

    With acceptance a for each token alike, a step at depth k emits 1 + a + ... + a^k tokens in k *
    draft + verify(k+1) seconds (Leviathan et al. 2023, section 3.2, with measured costs).
    """
    return {
        depth: _least_acceptance(depth, (depth * (draft or 0.0) + verify[depth]) / verify[0])
        for depth in range(1, len(verify))
    }


def _least_acceptance(depth: int, price: float) -> float | None:
    """The acceptance at which a step of this price, in plain passes, earns it; by bisection."""
    if price >= depth + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if sum(middle**power for power in range(depth + 1)) < price:
            low = middle
        else:
            high = middle
    return high


def verdict(measured: Measured, pays_from: dict[int, float | None]) -> str:
    """The plain sentence."""
    rows = min(SPOKEN_DEPTH + 1, len(measured.verify_seconds))
    ratio = measured.verify_seconds[rows - 1] / measured.verify_seconds[0]
    bound = "memory-bound" if ratio < BOUND_RATIO else "compute-bound"
    said = f"Checking {rows} tokens costs {ratio:.1f} x checking one here: {bound}."
    usable = {depth: least for depth, least in pays_from.items() if least is not None}
    if not usable:
        return (
            f"{said} No acceptance makes drafting pay with this pair; leave it off or use lookup."
        )
    depth = min(usable, key=lambda each: usable[each])
    tokens = "1 token" if depth == 1 else f"{depth} tokens"
    return f"{said} Drafting {tokens} pays above {usable[depth]:.0%} acceptance."
