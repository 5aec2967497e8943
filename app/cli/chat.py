"""`chat`: one prompt, one answer."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from app import __version__
from app.cli.energy import energy_json, energy_words, meter_of, prepare
from app.cli.engine_run import EngineRun, engine, load_command, settings_or_usual
from app.conversation import ChatMessage, Role
from app.engine.protocol import (
    Cancel,
    Generate,
    GenerationFinished,
    GenerationOptions,
    ModelsLoaded,
    SamplingOptions,
    TextPiece,
    TokensGenerated,
)
from app.engine.stats import GenerationStats
from app.errors import RequestError
from app.messages import sentence
from app.monitor.here import tariff_of

REQUEST = "chat"


def run(arguments: argparse.Namespace) -> int:
    """Answer the prompt; the text goes to standard output while it is written."""
    request = request_of(arguments)
    command = load_command(arguments)
    settings = settings_or_usual()
    with engine(settings) as run_, meter_of(settings) as meter:
        loaded = run_.load(command)
        say_steps(loaded)
        prepare(meter, settings)
        meter.begin(REQUEST)
        run_.send(request)
        try:
            text, ids, finished = _receive(run_, show=not arguments.json)
        except KeyboardInterrupt:
            run_.send(Cancel(REQUEST))
            raise
        energy, tariff = meter.finish(REQUEST), tariff_of(settings)
        if arguments.json:
            _print_json(text, ids, finished, run_, energy_json(energy, tariff))
        else:
            print()
            print(f"{summary(finished.stats)}, {energy_words(energy, tariff)}", file=sys.stderr)
    return 0


def request_of(arguments: argparse.Namespace) -> Generate:
    """The request that the options describe.

    Raises:
        RequestError: as `read_prompt`, and "system_prompt_needs_template".
    """
    prompt = read_prompt(arguments.prompt)
    options = GenerationOptions(
        sampling=SamplingOptions(
            temperature=arguments.temperature,
            top_k=arguments.top_k,
            top_p=arguments.top_p,
            min_p=arguments.min_p,
            seed=arguments.seed,
        ),
        speculation=arguments.speculation,
        depth=arguments.depth,
        max_depth=arguments.max_depth,
        max_tokens=arguments.max_tokens,
    )
    if arguments.raw:
        if arguments.system:
            raise RequestError("system_prompt_needs_template")
        return Generate(REQUEST, prompt=prompt, options=options)
    system = (ChatMessage(Role.SYSTEM, arguments.system),) if arguments.system else ()
    return Generate(REQUEST, messages=(*system, ChatMessage(Role.USER, prompt)), options=options)


def read_prompt(given: str) -> str:
    """The prompt itself, the content of @FILE, or standard input for "-".

    Raises:
        RequestError: "prompt_file_unreadable", "prompt_not_text", "prompt_empty".
    """
    if given == "-":
        text = _standard_input()
    elif given.startswith("@"):
        try:
            text = Path(given[1:]).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise RequestError(
                "prompt_file_unreadable", path=given[1:], reason=str(error)
            ) from error
    else:
        text = given
    if not text.strip():
        raise RequestError("prompt_empty")
    return text


def _standard_input() -> str:
    """What was typed or piped: UTF-8 whatever this system's own encoding is."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RequestError("prompt_not_text", reason=str(error)) from error


def _receive(run_: EngineRun, *, show: bool) -> tuple[str, list[int], GenerationFinished]:
    text: list[str] = []
    ids: list[int] = []
    while True:
        event = run_.next()
        if isinstance(event, TokensGenerated):
            ids.extend(event.token_ids)
            _write(event.pieces, text, show=show)
        elif isinstance(event, GenerationFinished):
            _write(event.pieces, text, show=show)
            return "".join(text), ids, event


def _write(pieces: tuple[TextPiece, ...], text: list[str], *, show: bool) -> None:
    """Reasoning is shown dimly on standard error and is not part of the answer's text."""
    for piece in pieces:
        if piece.reasoning:
            print(piece.text, end="", file=sys.stderr, flush=True)
            continue
        text.append(piece.text)
        if show:
            print(piece.text, end="", flush=True)


def say_steps(loaded: ModelsLoaded) -> None:
    """Say what was placed otherwise than asked."""
    for step in loaded.steps:
        print(sentence(step.code, step.detail), file=sys.stderr)
    if loaded.no_draft_because is not None:
        print(sentence(loaded.no_draft_because, loaded.no_draft_detail), file=sys.stderr)


def summary(stats: GenerationStats) -> str:
    """The figures of an answer in one line."""
    count = stats.generated_tokens
    tokens = "1 token" if count == 1 else f"{count} tokens"
    parts = [tokens, f"first after {stats.ttft_seconds:.2f} s"]
    if stats.tokens_per_second is not None:
        parts.append(f"{stats.tokens_per_second:.1f} tok/s")
    if stats.acceptance is not None:
        parts.append(f"{stats.acceptance:.0%} of {stats.drafted_tokens} drafted tokens accepted")
    if stats.tokens_per_pass is not None:
        parts.append(f"{stats.tokens_per_pass:.2f} tokens a pass")
    return ", ".join(parts)


def _print_json(
    text: str,
    ids: list[int],
    finished: GenerationFinished,
    run_: EngineRun,
    energy: dict[str, object],
) -> None:
    versions: dict[str, object] = {"slipstream": __version__}
    if run_.started is not None:
        versions |= run_.started.versions
        versions["cpu_module"] = run_.started.cpu_module
    answer = {
        "text": text,
        "token_ids": ids,
        "finish_reason": finished.reason.value,
        "stats": finished.stats.to_json(),
        "energy": energy,
        "versions": versions,
    }
    print(json.dumps(answer, ensure_ascii=False))
