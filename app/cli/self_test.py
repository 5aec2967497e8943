"""`self-test`: start every part once, in the shipped program as in the source tree, and say what
was found.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable

from app import __version__
from app.cli.engine_run import EngineRun, engine
from app.conversation import ChatMessage, Role
from app.engine.protocol import (
    Generate,
    GenerationFinished,
    GenerationOptions,
    LoadModels,
    SamplingOptions,
    Speculation,
    WorkerStarted,
)
from app.errors import AppError
from app.messages import describe
from app.paths import starter_model

_ANSWER_TOKENS = 8


def run(arguments: argparse.Namespace, window_check: Callable[[], dict[str, object]] | None) -> int:
    """Print the report; 0 when every part that is there works."""
    report: dict[str, object] = {
        "slipstream": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "frozen": bool(getattr(sys, "frozen", False)),
    }
    with engine() as run_:
        while run_.started is None:
            run_.next()
        report["engine"] = _engine(run_.started)
        report["starter"] = _starter(run_)
    if window_check is not None:
        report["window"] = window_check()
    failed = [part for part in ("starter", "window") if _failed(report.get(part))]
    report["ok"] = not failed
    if arguments.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        _print(report)
    return 1 if failed else 0


def _engine(started: WorkerStarted) -> dict[str, object]:
    return {
        "versions": started.versions,
        "cpu_module": started.cpu_module,
        "devices": [
            {
                "name": device.name,
                "description": device.description,
                "kind": device.kind,
                "free_bytes": device.free_bytes,
                "total_bytes": device.total_bytes,
            }
            for device in started.devices
        ],
    }


def _starter(run_: EngineRun) -> dict[str, object]:
    """Let the starter model say a few words, if it is here."""
    path = starter_model()
    if not path.exists():
        return {"present": False}
    try:
        run_.load(LoadModels(path, n_ctx=512, min_ctx=512))
        options = GenerationOptions(
            sampling=SamplingOptions(temperature=0.0),
            speculation=Speculation.LOOKUP,
            max_tokens=_ANSWER_TOKENS,
        )
        run_.send(
            Generate("self-test", messages=(ChatMessage(Role.USER, "Say hello."),), options=options)
        )
        while not isinstance(event := run_.next(), GenerationFinished):
            continue
    except AppError as error:
        return {"present": True, "error": describe(error)}
    return {
        "present": True,
        "tokens": event.stats.generated_tokens,
        "speed": event.stats.tokens_per_second,
    }


def _failed(part: object) -> bool:
    return isinstance(part, dict) and "error" in part


def _print(report: dict[str, object]) -> None:
    for name, value in report.items():
        print(
            f"{name}: {json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value}"
        )
