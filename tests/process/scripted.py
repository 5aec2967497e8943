"""A scripted engine for a real worker process: what it does is written in file names and prompts.

`script(crash="SIGSEGV", at=3)` makes the text; a load reads it from the target's file name, a
request from its prompt. Runs inside the worker; knows no native library.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from app.engine.protocol import (
    DeviceInfo,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    KvType,
    LoadedModel,
    LoadModels,
    LogitsAt,
    LogitsRead,
    Measure,
    Measured,
    ModelMemory,
    ModelsLoaded,
    PromptProgress,
    TextPiece,
    TokensGenerated,
)
from app.engine.stats import GenerationStats
from app.errors import AppError, LoadError, RequestError

CPU_MODULES = ("fast", "medium", "baseline")
GIB = 1 << 30
BLOCKED = "inside native code now"


def script(**directives: Any) -> str:
    """Directives as text, safe in file names."""
    return quote(json.dumps(directives), safe="")


def model(**directives: Any) -> Path:
    """A target that loads as told: stages, sleep, fail, crash, crash_on, block, say."""
    return Path("/models") / (script(**directives) + ".gguf")


def _read(text: str) -> dict[str, Any]:
    directives: dict[str, Any] = json.loads(unquote(text)) if text.startswith("%7B") else {}
    return directives


def crash(how: str) -> None:
    """End this process as native code does."""
    if how == "abort":
        os.abort()
    elif how == "exit":
        os._exit(7)
    else:
        os.kill(os.getpid(), signal.Signals[how])
        time.sleep(10)


def block(seconds: int) -> None:
    """Stay inside native code, where no Python of this thread runs; the log says when."""
    os.write(1, f"{BLOCKED}\n".encode())
    ctypes.CDLL(None).sleep(seconds)


@dataclass
class Answer:
    """A request on its way."""

    request_id: str
    directives: dict[str, Any]
    prompt_left: int
    tokens_left: int
    given: int = 0
    cancelled: bool = False
    pieces: list[str] = field(default_factory=list)


class ScriptedEngine:
    """See app.engine.contract.EngineLike."""

    def __init__(self, skip_cpu_modules: frozenset[str]) -> None:
        self.cpu_module = next(m for m in CPU_MODULES if m not in skip_cpu_modules)
        self.answers: dict[str, Answer] = {}
        self.cleared = 0

    @property
    def active(self) -> int:
        return len(self.answers)

    def describe(self) -> tuple[dict[str, str], tuple[DeviceInfo, ...], str | None]:
        devices = (DeviceInfo("CPU", "scripted", "cpu", GIB, 2 * GIB),)
        versions = {"scripted": "1", "cwd": str(Path.cwd()), "core": _core_limit()}
        return versions, devices, self.cpu_module

    def load(self, command: LoadModels, progress: Callable[[str, float], bool]) -> ModelsLoaded:
        told = _read(command.target.stem)
        if "say" in told:
            os.write(1, f"native stdout: {told['say']}\n".encode())
            os.write(2, f"native stderr: {told['say']}\n".encode())
            sys.stdout.write(f"python: {told['say']}\n")
        stages = told.get("stages", 4)
        for stage in range(stages):
            time.sleep(told.get("sleep", 0.0))
            go_on = progress("target" if stage < stages / 2 else "draft", (stage + 1) / stages)
            if not go_on:
                raise LoadError("load_cancelled")
            if "crash" in told and self.cpu_module in told.get("crash_on", CPU_MODULES):
                crash(told["crash"])
            if "block" in told:
                block(told["block"])
        if told.get("fail") == "app":
            raise LoadError("context_too_large", want=8192, fits=1024)
        if told.get("fail") == "bug":
            raise KeyError("a bug in load")
        return loaded(command)

    def unload(self) -> None:
        self.answers.clear()

    def start(self, command: Generate, received_at: float) -> None:
        told = _read(command.prompt or "")
        if told.get("refuse"):
            raise RequestError("prompt_too_long", have=9000, fits=8192)
        assert received_at <= time.perf_counter()
        self.answers[command.request_id] = Answer(
            command.request_id, told, told.get("prompt", 2), told.get("tokens", 3)
        )

    def cancel(self, request_id: str) -> None:
        if request_id in self.answers:
            self.answers[request_id].cancelled = True

    def clear_cache(self) -> None:
        self.cleared += 1

    def step(self) -> list[Event]:
        events: list[Event] = []
        for answer in list(self.answers.values()):
            events += self._advance(answer)
        return events

    def _advance(self, answer: Answer) -> list[Event]:
        told, request_id = answer.directives, answer.request_id
        if answer.cancelled:
            return [self._finish(answer, FinishReason.CANCELLED)]
        time.sleep(told.get("sleep", 0.0))
        if answer.prompt_left > 0:
            answer.prompt_left -= 1
            self._fault(answer, "prompt")
            total = told.get("prompt", 2)
            return [PromptProgress(request_id, total - answer.prompt_left, total, 0)]
        if answer.tokens_left <= 0:
            return [self._finish(answer, FinishReason.END)]
        answer.tokens_left -= 1
        answer.given += 1
        self._fault(answer, answer.given)
        stats = GenerationStats(generated_tokens=answer.given)
        burst = told.get("burst", 1)
        piece = TextPiece(f"t{answer.given} ")
        return [TokensGenerated(request_id, (piece,), (answer.given,), stats)] * burst

    def _fault(self, answer: Answer, where: str | int) -> None:
        told = answer.directives
        if told.get("at") != where:
            return
        if "crash" in told and self.cpu_module in told.get("crash_on", CPU_MODULES):
            crash(told["crash"])
        if "block" in told:
            block(told["block"])
        if "fail" in told:
            if told["fail"] == "bug":
                raise ZeroDivisionError("a bug in step")
            del self.answers[answer.request_id]
            raise AppError("context_full", request_id=answer.request_id)

    def _finish(self, answer: Answer, reason: FinishReason) -> Event:
        del self.answers[answer.request_id]
        stats = GenerationStats(generated_tokens=answer.given)
        return GenerationFinished(answer.request_id, reason, stats)

    def measure(self, command: Measure, keep_going: Callable[[], bool]) -> Measured:
        for _ in range(command.repetitions):
            time.sleep(0.01)
            if not keep_going():
                raise AppError("measure_cancelled")
        return Measured(command.request_id, (0.01,) * command.max_rows, None, command.repetitions)

    def logits_at(self, command: LogitsAt) -> LogitsRead:
        logits = tuple(float(token) for token in command.candidates)
        return LogitsRead(command.request_id, logits, ("t",) * len(logits), 0, 0.0)

    def close(self) -> None:
        sys.stdout.write("scripted engine closed\n")


def create(skip_cpu_modules: frozenset[str]) -> ScriptedEngine:
    return ScriptedEngine(skip_cpu_modules)


def create_aborting(skip_cpu_modules: frozenset[str]) -> ScriptedEngine:
    """Dies while starting."""
    sys.stdout.write("ggml_abort: something native is wrong\n")
    sys.stdout.flush()
    os.abort()


def create_refusing(skip_cpu_modules: frozenset[str]) -> ScriptedEngine:
    """Says why it cannot start."""
    raise AppError("engine_library_missing", path="/nowhere/libllama.so")


def create_broken(skip_cpu_modules: frozenset[str]) -> ScriptedEngine:
    """Raises what nobody expected."""
    raise RuntimeError("the factory is broken")


class _OtherVersion(ScriptedEngine):
    def describe(self) -> tuple[dict[str, str], tuple[DeviceInfo, ...], str | None]:
        from app.engine import worker

        vars(worker)["PROTOCOL_VERSION"] = 999
        return super().describe()


def create_other_version(skip_cpu_modules: frozenset[str]) -> ScriptedEngine:
    """Belongs to a newer program whose files replaced ours."""
    return _OtherVersion(skip_cpu_modules)


class _Unending(ScriptedEngine):
    def close(self) -> None:
        block(600)


def create_unending(skip_cpu_modules: frozenset[str]) -> ScriptedEngine:
    """Never ends by itself: stuck in a driver's teardown, and deaf to a polite request."""
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return _Unending(skip_cpu_modules)


def _core_limit() -> str:
    import resource

    return str(resource.getrlimit(resource.RLIMIT_CORE)[0])


def loaded(command: LoadModels) -> ModelsLoaded:
    target = LoadedModel(
        path=command.target,
        name="scripted",
        architecture="none",
        parameters=1,
        size_bytes=1,
        layers=1,
        gpu_layers=0,
        memory=ModelMemory({"CPU": {"weights": 1}}),
    )
    return ModelsLoaded(
        target=target,
        draft=None,
        n_ctx=command.n_ctx,
        n_ctx_train=8192,
        n_parallel=command.n_parallel,
        threads=1,
        kv_type=KvType.F16,
        load_seconds=0.0,
    )
