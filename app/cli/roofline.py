"""`roofline`: what checking n tokens at once costs here, and at which acceptance drafting pays."""

from __future__ import annotations

import argparse
import json
import sys

from app.cli.engine_run import engine, load_command
from app.engine.protocol import LoadModels, Measure, Measured
from app.errors import StorageError
from app.hub.gguf import read_model_file
from app.measure import profiles
from app.measure.roofline import Roofline, verdict
from app.messages import describe

ASSUMED = (0.4, 0.6, 0.8, 0.9)  # acceptances for which the best depth is told


def run(arguments: argparse.Namespace) -> int:
    """Measure, keep the result as the pair's profile, and print."""
    command = load_command(arguments)
    with engine() as run_:
        loaded = run_.load(command)
        run_.send(Measure("roofline", repetitions=arguments.repeat))
        while not isinstance(event := run_.next(), Measured):
            continue
    keep_profile(command, event)
    roofline = Roofline.of(event, read_model_file(command.target))
    best = {acceptance: roofline.best_depth(acceptance) for acceptance in ASSUMED}
    if arguments.json:
        answer = {
            "target": str(loaded.target.path),
            "draft": str(loaded.draft.path) if loaded.draft else None,
            "verify_seconds": list(event.verify_seconds),
            "draft_seconds": event.draft_seconds,
            "repetitions": event.repetitions,
            "break_even_acceptance": roofline.break_even(),
            "best_depth": {
                acceptance: {"depth": choice.depth, "speed_up": choice.speed_up}
                for acceptance, choice in best.items()
            },
            "memory_bound": roofline.is_memory_bound,
            "bandwidth_bytes_per_second": roofline.bandwidth_bytes_per_second,
        }
        print(json.dumps(answer))
        return 0
    print("rows   milliseconds   times one row")
    for rows, seconds in enumerate(event.verify_seconds, start=1):
        print(f"{rows:4d}   {seconds * 1000:12.1f}   {seconds / event.verify_seconds[0]:13.2f}")
    if event.draft_seconds is not None:
        print(f"one drafted token: {event.draft_seconds * 1000:.1f} ms")
    if roofline.bandwidth_bytes_per_second is not None:
        print(f"weights are read at {roofline.bandwidth_bytes_per_second / 1e9:.1f} GB/s")
    for acceptance, choice in best.items():
        print(
            f"at {acceptance:.0%} acceptance: draft {choice.depth}, {choice.speed_up:.2f} × by "
            "these costs"
        )
    print(verdict(roofline))
    return 0


def keep_profile(command: LoadModels, measured: Measured) -> None:
    """Save the costs for depth control; that it failed is said and costs nothing else."""
    try:
        profiles.save(command, measured)
    except StorageError as error:
        print(describe(error), file=sys.stderr)
