"""What may be typed after `main.py`: one place for names, defaults and help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from app import APP_NAME, __version__
from app.engine.protocol import KvType, Speculation

MOST_DRAFTED = 15

Words = TypeVar("Words", bound=StrEnum)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parsed arguments; wrong ones end the program with exit code 2 and a usage line."""
    parser = argparse.ArgumentParser(
        prog=APP_NAME.lower(),
        description="Slipstream without its window. Without a command the window opens.",
    )
    parser.add_argument("--version", action="version", version=f"{APP_NAME} {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _chat(commands.add_parser("chat", help="answer one prompt"))
    _compare(commands.add_parser("compare", help="one prompt, without and with speculation"))
    _bench(commands.add_parser("bench", help="measure workloads and write a report"))
    _roofline(
        commands.add_parser(
            "roofline", help="is this computer memory-bound? cost of checking 1 to 16 tokens"
        )
    )
    _model_files(commands.add_parser("models", help="find, judge and download pairs of models"))
    check = commands.add_parser("self-test", help="start every part once and say what was found")
    _json(check)
    return parser.parse_args(argv)


def _chat(parser: argparse.ArgumentParser) -> None:
    _models(parser)
    parser.add_argument(
        "--prompt",
        required=True,
        metavar="TEXT|@FILE|-",
        help="the question; @FILE reads a file, - reads standard input",
    )
    parser.add_argument("--system", metavar="TEXT", help="system prompt")
    parser.add_argument(
        "--speculation",
        type=_word(Speculation),
        default=Speculation.AUTO,
        metavar="off|draft|lookup|auto",
    )
    parser.add_argument(
        "--depth", type=_whole(0, MOST_DRAFTED), metavar="N", help="always draft N tokens"
    )
    parser.add_argument(
        "--max-depth",
        type=_whole(0, MOST_DRAFTED),
        default=8,
        metavar="N",
        help="draft at most N tokens (default 8)",
    )
    parser.add_argument(
        "--temperature",
        type=_number(0.0, 10.0),
        default=0.8,
        metavar="X",
        help="0 is greedy (default 0.8)",
    )
    parser.add_argument("--top-k", type=_whole(0, 10**6), default=40, metavar="N")
    parser.add_argument("--top-p", type=_number(0.0, 1.0), default=0.95, metavar="X")
    parser.add_argument("--min-p", type=_number(0.0, 1.0), default=0.05, metavar="X")
    parser.add_argument("--seed", type=_whole(0, 2**63 - 1), metavar="N")
    parser.add_argument(
        "--max-tokens", type=_whole(1, 10**6), metavar="N", help="length limit of the answer"
    )
    parser.add_argument(
        "--raw", action="store_true", help="no chat template: continue the prompt as it is"
    )
    _json(parser)


def _compare(parser: argparse.ArgumentParser) -> None:
    _chat(parser)
    parser.add_argument(
        "--repeat",
        type=_whole(1, 100),
        default=1,
        metavar="N",
        help="measure both sides N times, by turns (default 1)",
    )


def _bench(parser: argparse.ArgumentParser) -> None:
    _models(parser)
    parser.add_argument(
        "--workloads",
        default="chat,code,long",
        metavar="LIST",
        help="any of chat,code,long (default all)",
    )
    parser.add_argument(
        "--arms",
        metavar="LIST",
        help="off, auto, lookup, draft, draft:N (default off,draft:3,auto,lookup; without a"
        " draft off,lookup)",
    )
    parser.add_argument(
        "--requests",
        type=_whole(1, 10_000),
        default=30,
        metavar="N",
        help="measured requests for each workload and arm; a third as many long ones (default 30)",
    )
    parser.add_argument(
        "--warmups", type=_whole(0, 1000), default=5, metavar="N", help="not counted (default 5)"
    )
    parser.add_argument(
        "--concurrency",
        metavar="LIST",
        help="answers at once, for all workloads (default 1; long ones 1,4)",
    )
    parser.add_argument(
        "--max-tokens",
        type=_whole(2, 10**6),
        metavar="N",
        help="shorten answers (default 128; long ones 1024)",
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where results and report go")
    parser.add_argument(
        "--resume", action="store_true", help="go on with the stopped benchmark in --out"
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="an earlier benchmark to set this one against",
    )
    _json(parser)


def _roofline(parser: argparse.ArgumentParser) -> None:
    _models(parser)
    parser.add_argument(
        "--repeat",
        type=_whole(1, 100),
        default=5,
        metavar="N",
        help="passes for each row count (default 5)",
    )
    _json(parser)


def _model_files(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    place = "a file here, or owner/repository/file.gguf"
    listed = actions.add_parser("list", help="models and complete pairs on this computer")
    suits = actions.add_parser("recommend", help="the pair that suits this computer, and why")
    suits.add_argument("--use", choices=("chat", "code", "reasoning"), default="chat")
    search = actions.add_parser("search", help="repositories with models that can be loaded")
    search.add_argument("text", metavar="TEXT")
    search.add_argument("--licence", metavar="NAME", help="for example apache-2.0")
    search.add_argument("--limit", type=_whole(1, 200), default=20, metavar="N")
    get = actions.add_parser("get", help="download and check; again to go on after a stop")
    get.add_argument(
        "what",
        metavar="PAIR-OR-REPO/FILE",
        help="a pair of the list, owner/repository/file.gguf, or owner/repository:Q4_K_M",
    )
    check = actions.add_parser("check", help="may this draft serve this target? Exit code 1 if not")
    check.add_argument("target", metavar="TARGET", help=place)
    check.add_argument("draft", metavar="DRAFT", help=place)
    need = actions.add_parser("estimate", help="memory that a model, or a pair, will need")
    need.add_argument("target", metavar="TARGET", help=place)
    need.add_argument("draft", metavar="DRAFT", nargs="?", help=place)
    need.add_argument("--ctx", type=_whole(256, 10**7), default=8192, metavar="N")
    need.add_argument("--kv-type", type=_word(KvType), default=KvType.F16, metavar="f16|q8_0|q4_0")
    for action in (listed, suits, search, get, check, need):
        _json(action)


def _models(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target", type=Path, required=True, metavar="FILE", help="the model that answers (GGUF)"
    )
    parser.add_argument(
        "--draft", type=Path, metavar="FILE", help="the small model that drafts (GGUF)"
    )
    parser.add_argument(
        "--ctx",
        type=_whole(256, 10**7),
        default=4096,
        metavar="N",
        help="context, tokens (default 4096)",
    )
    parser.add_argument(
        "--threads", type=_whole(1, 512), metavar="N", help="CPU threads (default: one a core)"
    )
    parser.add_argument(
        "--gpu-layers",
        type=_layers,
        metavar="auto|N",
        help="target layers on the GPU (default: as many as fit)",
    )
    parser.add_argument(
        "--kv-type",
        type=_word(KvType),
        default=KvType.F16,
        metavar="f16|q8_0|q4_0",
        help="number format of the target's cache",
    )


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def _whole(least: int, most: int) -> Callable[[str], int]:
    def convert(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is not between {least} and {most}")
        return value

    convert.__name__ = "whole number"
    return convert


def _number(least: float, most: float) -> Callable[[str], float]:
    def convert(text: str) -> float:
        value = float(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between {least:g} and {most:g}")
        return value

    convert.__name__ = "number"
    return convert


def _word(kind: type[Words]) -> Callable[[str], Words]:
    def convert(text: str) -> Words:
        try:
            return kind(text)
        except ValueError:
            words = ", ".join(each.value for each in kind)
            raise argparse.ArgumentTypeError(f"{text!r} is none of {words}") from None

    return convert


def _layers(text: str) -> int | None:
    if text == "auto":
        return None
    try:
        return _whole(0, 10_000)(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither auto nor a whole number") from None
