"""An engine link whose every time is known: nothing runs, a clock is moved.

Each request costs `prompt_seconds`, then a step for each pass; how many tokens a pass gives follows
from the arm. So every number of a report can be told beforehand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.engine.protocol import (
    Cancel,
    ClearCache,
    Command,
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
    RequestFailed,
    Speculation,
    TextPiece,
    TokensGenerated,
    WorkerExited,
)
from app.engine.stats import StatsRecorder
from app.measure.meters import Energy
from app.monitor.sample import MachineSample

PROMPT_SECONDS = 0.5
WATTS = 40.0


@dataclass(frozen=True)
class Pace:
    """What one pass of an arm takes and gives; `depth` drafted, all but one accepted."""

    seconds: float
    depth: int = 0
    accepted: int = 0

    @property
    def speed(self) -> float:
        return (self.accepted + 1) / self.seconds


OFF = Pace(0.1)
FAST = Pace(0.16, depth=3, accepted=2)  # 18.75 tok/s against 10: 1.875 times
SLOW = Pace(0.25, depth=2, accepted=1)  # 8 tok/s: 0.8 times


def pace_of(request: Generate) -> Pace:
    """By the way tokens are proposed."""
    options = request.options
    return {
        Speculation.OFF: OFF,
        Speculation.DRAFT: FAST,
        Speculation.AUTO: FAST,
        Speculation.LOOKUP: SLOW,
    }[options.speculation]


@dataclass
class ScriptedLink:
    """See app.measure.link.EngineLink.

    Attributes:
        pace: a request's pace; tests put their own.
        words: the token ids of an answer of n tokens.
        crashes: numbers of requests (counted over the link's life) at which the engine dies.
    """

    pace: Callable[[Generate], Pace] = pace_of
    words: Callable[[Generate, int], list[int]] = lambda _request, count: list(range(count))
    crashes: set[int] = field(default_factory=set)
    now: float = 100.0
    pid: int | None = 4242
    cached_tokens: int = 0
    started: int = 0
    restarts: int = 0
    commands: list[Command] = field(default_factory=list)
    events: deque[Event] = field(default_factory=deque)
    report: ModelsLoaded | None = None
    batch: list[Generate] = field(default_factory=list)
    dead: bool = False

    def clock(self) -> float:
        return self.now

    def send(self, command: Command) -> None:
        self.commands.append(command)
        if isinstance(command, Generate):
            self.batch.append(command)
        elif isinstance(command, Cancel):
            self.batch = [each for each in self.batch if each.request_id != command.request_id]
            self.events = deque(
                each
                for each in self.events
                if getattr(each, "request_id", None) != command.request_id
            )
            stats = StatsRecorder(0.0).snapshot()
            self.events.append(
                GenerationFinished(command.request_id, FinishReason.CANCELLED, stats)
            )
        elif isinstance(command, Measure):
            seconds = tuple(0.1 + 0.01 * row for row in range(command.max_rows))
            self.events.append(Measured(command.request_id, seconds, 0.02, command.repetitions))
        elif isinstance(command, LogitsAt):
            logits = tuple(1.0 - 0.125 * each for each in range(len(command.candidates)))
            texts = tuple(f"w{token}" for token in command.candidates)
            self.events.append(LogitsRead(command.request_id, logits, texts, 0, 1.0))

    def next_event(self, timeout_seconds: float) -> Event | None:
        if not self.events and self.batch:
            self._run(self.batch)
            self.batch = []
        if self.events:
            return self.events.popleft()
        self.now += timeout_seconds
        return None

    def restart(self) -> None:
        self.restarts += 1
        self.dead = False
        assert self.report is not None
        self.events.append(self.report)

    def _run(self, requests: list[Generate]) -> None:
        """All answers at once, pass by pass; each pass serves all of them."""
        began = self.now
        alive = []
        for request in requests:
            self.started += 1
            if self.started in self.crashes:
                self._crash(requests)
                return
            alive.append(_Answer(request, began, self))
        for answer in alive:
            self.now += PROMPT_SECONDS
            answer.first()
        while any(not answer.done for answer in alive):
            running = [answer for answer in alive if not answer.done]
            self.now += max(self.pace(answer.request).seconds for answer in running)
            for answer in running:
                answer.step()

    def _crash(self, requests: list[Generate]) -> None:
        for request in requests:
            self.events.append(
                RequestFailed(request.request_id, "engine_crashed", {"reason": "SIGKILL"})
            )
        self.events.append(
            WorkerExited(
                -9,
                "SIGKILL",
                while_doing="prompt",
                detail={"code": "engine_crashed", "reason": "x"},
            )
        )


class _Answer:
    def __init__(self, request: Generate, began: float, link: ScriptedLink) -> None:
        self.request, self.link = request, link
        self.limit = request.options.max_tokens or 10
        self.ids = link.words(request, self.limit)
        self.recorder = StatsRecorder(
            began, prompt_tokens=_prompt_tokens(request), cached_tokens=link.cached_tokens
        )
        self.done = False
        link.events.append(PromptProgress(request.request_id, 1, 1, 0))

    def first(self) -> None:
        self.recorder.emit(now=self.link.now, tokens=1)
        self._tell(1)

    def step(self) -> None:
        pace = self.link.pace(self.request)
        left = len(self.ids) - self.recorder.generated
        emitted = min(left, pace.accepted + 1)
        self.recorder.step(
            now=self.link.now, drafted=pace.depth, accepted=pace.accepted, emitted=emitted
        )
        self._tell(emitted)

    def _tell(self, count: int) -> None:
        end = self.recorder.generated
        ids = tuple(self.ids[end - count : end])
        text = "".join(f"w{token} " for token in ids)
        stats = self.recorder.snapshot()
        name = self.request.request_id
        self.link.events.append(TokensGenerated(name, (TextPiece(text),), ids, stats))
        if end >= len(self.ids):
            self.done = True
            speculation = self.request.options.speculation
            self.link.events.append(
                GenerationFinished(name, FinishReason.LENGTH, stats, speculation=speculation)
            )


def _prompt_tokens(request: Generate) -> int:
    text = request.prompt or "".join(message.content for message in request.messages)
    return max(1, len(text) // 4)


class SteadyMeter:
    """Joules at a steady power, by the link's clock."""

    def __init__(self, link: ScriptedLink) -> None:
        self.link = link
        self.began = 0.0

    def begin(self) -> None:
        self.began = self.link.now

    def end(self) -> Energy:
        return Energy(WATTS * (self.link.now - self.began), "gpu", "counter")


class GrowingProbe:
    """Memory that grows with each look."""

    def __init__(self) -> None:
        self.looks = 0

    def sample(self, pid: int | None = None) -> MachineSample:
        assert pid == 4242
        self.looks += 1
        return MachineSample(0.0, process_bytes=1000 + self.looks)


def load_command(n_parallel: int = 4) -> LoadModels:
    return LoadModels(
        Path("/models/target.gguf"), Path("/models/draft.gguf"), n_parallel=n_parallel
    )


def loaded(command: LoadModels, **other: object) -> ModelsLoaded:
    """What the engine reports of the pair."""

    def model(name: str, parameters: int, weights: int, kv: int) -> LoadedModel:
        return LoadedModel(
            path=Path(f"/models/{name}.gguf"),
            name=name,
            architecture="llama",
            parameters=parameters,
            size_bytes=weights,
            layers=24,
            gpu_layers=0,
            memory=ModelMemory({"CPU": {"weights": weights, "kv": kv}}),
        )

    values: dict[str, object] = {
        "target": model("target", 7_000_000_000, 4 << 30, 512 << 20),
        "draft": model("draft", 500_000_000, 400 << 20, 64 << 20),
        "n_ctx": 4096,
        "n_ctx_train": 32768,
        "n_parallel": command.n_parallel,
        "threads": 8,
        "kv_type": KvType.F16,
        "load_seconds": 1.0,
    } | other
    return ModelsLoaded(**values)  # type: ignore[arg-type]


def is_cleared_before_each(commands: list[Command]) -> bool:
    """Whether every batch of requests follows a ClearCache."""
    previous: Command | None = None
    for command in commands:
        if isinstance(command, Generate) and not isinstance(previous, Generate | ClearCache):
            return False
        previous = command
    return True
