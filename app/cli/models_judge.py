"""`models check` and `models estimate`: from headers alone, here or read by ranges from a Hub."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.cli.models_hub import open_hub
from app.cli.models_machine import memory_here
from app.hub.download import Hub
from app.hub.gguf import FileSource, Header, Want, read_header, read_model_file
from app.hub.library import split_bytes
from app.hub.memory import CPU, MemoryEstimate
from app.hub.pairing import Verdict, judge
from app.hub.partial import gigabytes
from app.hub.reference import find_choice, parse_reference
from app.hub.remote import RemoteBytes
from app.messages import sentence
from app.session import LoadOptions
from app.session.fitting import FitLevel, FitReport, MachineMemory, fit_pair

FAILED = 1


@dataclass(frozen=True, slots=True)
class Opened:
    """A model to be judged.

    Attributes:
        whole_bytes: of all its parts.
        remote: where it is read from, if it is far.
    """

    header: Header
    whole_bytes: int
    remote: RemoteBytes | None = None


def check(arguments: argparse.Namespace) -> int:
    """May this draft serve this target? Exit code 1 if not."""
    with _opened((arguments.target, arguments.draft), Want.SIZING) as models:
        target, draft = models
        verdict = judge(target.header, draft.header)
        fetched = sum(one.remote.fetched_bytes for one in models if one.remote is not None)
    if arguments.json:
        print(json.dumps({**verdict_json(verdict), "fetched_bytes": fetched}, ensure_ascii=False))
        return 0 if verdict.ok else FAILED
    if fetched:
        print(f"read {gigabytes(fetched)} over the network", file=sys.stderr)
    if verdict.reason is not None:
        print(sentence(verdict.reason.code, dict(verdict.reason.detail)))
        return FAILED
    print("These two go together.")
    for hint in verdict.hints:
        print(sentence(hint.code, dict(hint.detail)))
    return 0


def verdict_json(verdict: Verdict) -> dict[str, object]:
    """A verdict as plain data."""
    reason = verdict.reason
    return {
        "ok": verdict.ok,
        "reason": _said(reason.code, dict(reason.detail)) if reason is not None else None,
        "hints": [
            {**_said(hint.code, dict(hint.detail)), "discourages": hint.discourages}
            for hint in verdict.hints
        ],
    }


def _said(code: str, detail: dict[str, str | int | float | None]) -> dict[str, object]:
    return {"code": code, "detail": detail, "message": sentence(code, detail)}


def estimate(arguments: argparse.Namespace) -> int:
    """What a target, with its draft, would take of memory, and whether that is free."""
    names = (arguments.target, arguments.draft) if arguments.draft else (arguments.target,)
    with _opened(names, Want.SIZING | Want.TENSORS) as models:
        headers = [one.header for one in models]
        whole = models[0].whole_bytes
    machine = memory_here()
    options = LoadOptions(n_ctx=arguments.ctx, min_ctx=arguments.ctx, kv_type=arguments.kv_type)
    draft = headers[1] if len(headers) > 1 else None
    weights = whole if whole != headers[0].file_bytes else None
    report = fit_pair(headers[0], draft, machine, options, weights)
    if arguments.json:
        print(json.dumps(_report_json(report, machine), ensure_ascii=False))
    else:
        _print_report(report, machine)
    return 0


def _report_json(report: FitReport, machine: MachineMemory) -> dict[str, object]:
    needed = report.estimate
    return {
        "rows": [
            {
                "device": row.device,
                "part": row.part.value,
                "kind": row.kind.value,
                "bytes": row.used_bytes,
                "reclaimable": row.is_reclaimable,
            }
            for row in needed.rows
        ],
        "total_bytes": needed.total(),
        "by_device": {device: needed.total(device) for device in needed.devices},
        "free_bytes": dict(machine.free_bytes),
        "context_tokens": report.n_ctx,
        "fits": report.level is FitLevel.FITS,
        "level": report.level.value,
        "approximate": needed.is_approximate,
        "doubts": [sentence(doubt, {}) for doubt in needed.doubts],
    }


def _print_report(report: FitReport, machine: MachineMemory) -> None:
    needed = report.estimate
    for row in needed.rows:
        note = "   (can be taken back)" if row.is_reclaimable else ""
        print(
            f"{row.device:8}  {row.part.value:6}  {row.kind.value:20}"
            f"  {gigabytes(row.used_bytes):>9}{note}"
        )
    for device in needed.devices:
        name = "RAM" if device == CPU else device
        free = gigabytes(machine.free_bytes.get(device, 0))
        print(f"{name}: {gigabytes(needed.total(device))} needed, {free} free")
    for doubt in needed.doubts:
        print(sentence(doubt, {}))
    print(_fit_words(report, needed))
    for notice in report.advice():
        print(sentence(notice.code, notice.detail))


def _fit_words(report: FitReport, needed: MemoryEstimate) -> str:
    about = "about " if needed.is_approximate else ""
    fits = "It fits" if report.level is FitLevel.FITS else "It does not fit"
    total = gigabytes(needed.total())
    return f"{fits}: {about}{total} with a context of {report.n_ctx} tokens, 1 GiB left free."


@contextmanager
def _opened(names: tuple[str, ...], want: Want) -> Iterator[list[Opened]]:
    """The models named, near or far; far ones stay open while the block runs."""
    hub: Hub | None = None
    with ExitStack() as stack:
        models = []
        for name in names:
            if _is_local(name):
                models.append(_open_file(Path(name), want))
                continue
            hub = hub or open_hub()
            models.append(_open_remote(name, hub, want, stack))
        yield models


def _is_local(name: str) -> bool:
    """A path that is there, or that can be nothing else."""
    return Path(name).exists() or parse_reference(name) is None


def _open_file(path: Path, want: Want) -> Opened:
    if Want.TENSORS in want:
        header = read_model_file(path, want)
    else:
        header = read_header(FileSource(path), want)
    return Opened(header, split_bytes(path) or header.file_bytes)


def _open_remote(name: str, hub: Hub, want: Want, stack: ExitStack) -> Opened:
    reference = parse_reference(name)
    assert reference is not None  # else it is taken for a path
    choice = find_choice(hub.repository(reference.repo, reference.revision), reference)
    remote = stack.enter_context(hub.open(choice.files[0]))
    header = read_header(remote, want)
    return Opened(header, choice.size_bytes or header.file_bytes, remote)
