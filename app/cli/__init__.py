"""The same things without a window: chat, compare, bench, roofline, models, self-test. For scripts,
servers and tests.

Text by default, `--json` for one JSON object on standard output; logs and figures go to standard
error. Exit code 0, 1 (failed, with a sentence) or 2 (usage). Must not import ui.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Sequence

from app.cli import bench, chat, compare, roofline, self_test
from app.cli.arguments import parse
from app.errors import AppError
from app.messages import describe

FAILED = 1
INTERRUPTED = 130


def main(
    argv: Sequence[str], *, window_check: Callable[[], dict[str, object]] | None = None
) -> int:
    """Run one command.

    Args:
        argv: without the program's name.
        window_check: how self-test asks whether a window could open; given by whoever may import
            ui.
    """
    _speak_utf8()
    arguments = parse(argv)
    commands: dict[str, Callable[[], int]] = {
        "chat": lambda: chat.run(arguments),
        "compare": lambda: compare.run(arguments),
        "bench": lambda: bench.run(arguments),
        "roofline": lambda: roofline.run(arguments),
        "models": lambda: _models(arguments),
        "self-test": lambda: self_test.run(arguments, window_check),
    }
    try:
        return commands[arguments.command]()
    except AppError as error:
        return _say(error, as_json=arguments.json)
    except BrokenPipeError:
        # Whoever read the answer has had enough; the interpreter's last flush must not fail too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED


def _models(arguments: argparse.Namespace) -> int:
    from app.cli import models  # what it imports the other commands need not wait for

    return models.run(arguments)


def _speak_utf8() -> None:
    """A pipe gets UTF-8 on every system, so that no character of an answer can fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _say(error: AppError, *, as_json: bool) -> int:
    """Report a failure: the sentence for people, and the code for scripts."""
    sentence = describe(error)
    if as_json:
        failure = {"error": {"code": error.code, "detail": error.detail, "message": sentence}}
        print(json.dumps(failure, ensure_ascii=False))
    print(sentence, file=sys.stderr)
    return FAILED
