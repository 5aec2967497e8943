"""Speed of the engine on a real pair: prints tables, fails on nothing.

    python tests/bench/engine_speed.py [arms] [host] [server] [rejection] [memory]
        --target FILE --draft FILE [--server PATH_OF_LLAMA_SERVER] [--repeat 3] [--tokens 128]

All arms are interleaved in one run and their order rotates, since timings drift. Medians of
`--repeat`. Without files the test models are used (see packaging/fetch_models.py). `server`
compares with llama.cpp's own llama-server, built from the same source.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.conversation import ChatMessage, Role
from app.engine.engine import Engine, create
from app.engine.protocol import (
    Generate,
    GenerationFinished,
    GenerationOptions,
    LoadModels,
    RequestFailed,
    SamplingOptions,
    Speculation,
)
from app.engine.stats import GenerationStats

CODE_TO_CHANGE = """class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough money")
        self.balance -= amount

    def __repr__(self):
        return f"Account({self.owner!r}, {self.balance})"
"""
PROMPTS = {
    "chat": "What should I look at when I buy a used bicycle? Answer in a few sentences.",
    "story": "Tell a story about a lighthouse keeper who finds a letter.",
    "code": "Write a Python class for a binary search tree with insert, find and an in-order walk.",
    "rewrite": "Rename `Account` to `Wallet` in this code and give me all of it:\n\n"
    + CODE_TO_CHANGE,
}
PROSE = (
    "Tell a story about a lighthouse keeper who finds a letter.",
    "Describe a rainy morning in a small harbour town.",
    "Write a letter from a gardener to her sister about the first warm day.",
)
FIXED = (0, 1, 2, 3, 4, 7)
GREEDY = SamplingOptions(temperature=0.0)


def options(
    speculation: Speculation, depth: int | None, tokens: int, **more: object
) -> GenerationOptions:
    settings: dict[str, object] = {"sampling": GREEDY} | more
    return GenerationOptions(speculation=speculation, depth=depth, max_tokens=tokens, **settings)  # type: ignore[arg-type]


def answer(engine: Engine, prompt: str, how: GenerationOptions) -> GenerationStats:
    """One answer; the prompt may be in memory already, which no figure here counts."""
    command = Generate("bench", messages=(ChatMessage(Role.USER, prompt),), options=how)
    engine.start(command, time.perf_counter())
    while True:
        for event in engine.step():
            if isinstance(event, GenerationFinished):
                return event.stats
            if isinstance(event, RequestFailed):
                raise SystemExit(f"{event.code} {event.detail}")


def interleaved(arms: dict[str, Callable[[], float]], repeat: int) -> dict[str, list[float]]:
    """Run every arm `repeat` times, the order rotating, after one unmeasured round."""
    found: dict[str, list[float]] = {name: [] for name in arms}
    names = list(arms)
    for round_ in range(repeat + 1):
        for place in range(len(names)):
            name = names[(place + round_) % len(names)]
            value = arms[name]()
            if round_:
                found[name].append(value)
    return found


def measured(engine: Engine, prompt: str, how: GenerationOptions) -> float:
    """tok/s of one answer."""
    return speed(answer(engine, prompt, how))


def speed(stats: GenerationStats) -> float:
    return stats.tokens_per_second or 0.0


def bench_arms(engine: Engine, args: argparse.Namespace) -> None:
    """auto against each fixed depth, lookup and off, on each prompt."""
    print(f"\ntok/s, greedy, {args.tokens} tokens, medians of {args.repeat} (interleaved)")
    print(
        "prompt   "
        + "".join(f"{f'd={depth}':>8}" for depth in FIXED)
        + f"{'lookup':>8}{'auto':>8}   auto/best  auto/off  lookup/off"
    )
    for name, prompt in PROMPTS.items():
        arms: dict[str, Callable[[], float]] = {}
        for depth in FIXED:
            how = options(Speculation.DRAFT, depth, args.tokens)
            if depth == 0:
                how = options(Speculation.OFF, None, args.tokens)
            arms[str(depth)] = partial(measured, engine, prompt, how)
        for kind in (Speculation.LOOKUP, Speculation.AUTO):
            how = options(kind, None, args.tokens)
            arms[kind.value] = partial(measured, engine, prompt, how)
        found = {arm: median(values) for arm, values in interleaved(arms, args.repeat).items()}
        best = max(found[str(depth)] for depth in FIXED)
        row = "".join(f"{found[str(depth)]:8.2f}" for depth in FIXED)
        row += f"{found['lookup']:8.2f}{found['auto']:8.2f}"
        print(
            f"{name:9}{row}   {found['auto'] / best:9.3f}"
            f" {found['auto'] / found['0']:9.3f} {found['lookup'] / found['0']:11.3f}",
            flush=True,
        )


def bench_host(engine: Engine, args: argparse.Namespace) -> None:
    """Time outside llama.cpp."""
    print(f"\nhost time outside llama.cpp, medians of {args.repeat}")
    print("arm                         share of generation   ms a step")
    sampled = SamplingOptions(temperature=0.8, seed=1)
    arms = {
        "greedy, off": options(Speculation.OFF, None, args.tokens),
        "greedy, depth 4": options(Speculation.DRAFT, 4, args.tokens),
        "greedy, auto": options(Speculation.AUTO, None, args.tokens),
        "sampled 0.8, off": options(Speculation.OFF, None, args.tokens, sampling=sampled),
        "sampled 0.8, depth 4": options(Speculation.DRAFT, 4, args.tokens, sampling=sampled),
    }
    shares: dict[str, list[float]] = {name: [] for name in arms}
    steps: dict[str, list[float]] = {name: [] for name in arms}
    for _ in range(args.repeat):
        for name, how in arms.items():
            stats = answer(engine, PROMPTS["code"], how)
            shares[name].append(stats.host_seconds / stats.generation_seconds)
            steps[name].append(stats.host_seconds / stats.target_passes * 1000)
    for name in arms:
        print(f"{name:28}{median(shares[name]):17.2%} {median(steps[name]):13.3f}", flush=True)


def bench_rejection(engine: Engine, args: argparse.Namespace) -> None:
    """Acceptance of rejection sampling against draw-and-match, temperature 0.8, same prompts and
    seeds.
    """
    print("\nacceptance at temperature 0.8, depth 4, prose (accepted / drafted)")
    totals = {True: [0, 0], False: [0, 0]}
    for seed in range(args.repeat):
        for prompt in PROSE:
            for match in (False, True):
                sampling = SamplingOptions(temperature=0.8, seed=seed)
                how = options(
                    Speculation.DRAFT, 4, args.tokens, sampling=sampling, draw_and_match=match
                )
                stats = answer(engine, prompt, how)
                totals[match][0] += stats.accepted_tokens
                totals[match][1] += stats.drafted_tokens
    for match, name in ((False, "rejection"), (True, "draw and match")):
        accepted, drafted = totals[match]
        print(f"{name:16}{accepted / drafted:7.3f}   ({accepted} of {drafted})", flush=True)


def bench_server(engine: Engine, args: argparse.Namespace) -> None:
    """llama-server at the same depth, threads and context; its own timings, first token left out as
    in ours.
    """
    if args.server is None:
        print("\nserver: no --server given, not measured")
        return
    print(
        f"\ntok/s against llama-server, greedy, {args.tokens} tokens,"
        f" medians of {args.repeat} (interleaved)"
    )
    print("prompt   mode        ours   server   ours/server")
    with server(args, draft=True) as fast, server(args, draft=False) as plain:
        for name in ("code", "story", "chat"):
            text = _templated(engine, PROMPTS[name])
            arms: dict[str, Callable[[], float]] = {
                "ours 3": lambda text=text: speed(
                    _raw(engine, text, options(Speculation.DRAFT, 3, args.tokens))
                ),
                "server 3": lambda text=text: _ask_server(fast, text, args.tokens),
                "ours 0": lambda text=text: speed(
                    _raw(engine, text, options(Speculation.OFF, None, args.tokens))
                ),
                "server 0": lambda text=text: _ask_server(plain, text, args.tokens),
            }
            found = {arm: median(values) for arm, values in interleaved(arms, args.repeat).items()}
            for mode, label in (("3", "depth 3"), ("0", "plain")):
                ours, theirs = found[f"ours {mode}"], found[f"server {mode}"]
                print(
                    f"{name:9}{label:8}{ours:8.2f} {theirs:8.2f} {ours / theirs:12.3f}", flush=True
                )


def _templated(engine: Engine, prompt: str) -> str:
    loaded = engine._loaded
    assert loaded is not None
    return loaded.template.render((ChatMessage(Role.USER, prompt),))


def _raw(engine: Engine, text: str, how: GenerationOptions) -> GenerationStats:
    engine.start(Generate("bench", prompt=text, options=how), time.perf_counter())
    while True:
        for event in engine.step():
            if isinstance(event, GenerationFinished):
                return event.stats


@contextmanager
def server(args: argparse.Namespace, *, draft: bool) -> Iterator[str]:
    """A llama-server on loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    threads = str(os.cpu_count() or 1)
    command = [args.server, "-m", args.target, "--host", "127.0.0.1", "--port", str(port)]
    command += ["-c", "4096", "-t", threads, "-np", "1", "--no-warmup", "-ngl", "0"]
    if draft:
        command += [
            "--spec-type",
            "draft-simple",
            "-md",
            args.draft,
            "--spec-draft-n-max",
            "3",
            "--spec-draft-n-min",
            "0",
        ]
        command += ["--spec-draft-ngl", "0"]
    process = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{address}/health", timeout=2) as reply:
                    if reply.status == 200:
                        break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait()


def _ask_server(address: str, text: str, tokens: int) -> float:
    body = {"prompt": text, "n_predict": tokens, "temperature": 0, "top_k": 1, "cache_prompt": True}
    request = urllib.request.Request(
        f"{address}/completion", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=600) as reply:
        timings = json.load(reply)["timings"]
    return float((timings["predicted_n"] - 1) / timings["predicted_ms"] * 1000)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    models = Path(
        os.environ.get("SLIPSTREAM_TEST_MODELS") or Path.home() / ".cache/slipstream-test-models"
    )
    parts = {
        "arms": bench_arms,
        "host": bench_host,
        "server": bench_server,
        "rejection": bench_rejection,
    }
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    parser.add_argument(
        "--target", type=Path, default=models / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    )
    parser.add_argument(
        "--draft", type=Path, default=models / "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
    )
    parser.add_argument("--server", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=128)
    args = parser.parse_args()
    engine = create()
    loaded = engine.load(
        LoadModels(args.target, args.draft, n_ctx=4096), lambda _stage, _done: True
    )
    _, _, module = engine.describe()
    print(
        f"{loaded.target.name} with {loaded.draft.name if loaded.draft else 'no draft'},"
        f" {loaded.threads} threads, CPU module {module}"
    )
    for part in args.parts or parts:
        parts[part](engine, args)
    engine.close()


if __name__ == "__main__":
    main()
