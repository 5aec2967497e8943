"""An engine made by hand: it keeps the commands it is sent, and says what it is told to say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from app.engine.protocol import (
    Command,
    DeviceInfo,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    KvType,
    LoadedModel,
    LoadModels,
    ModelMemory,
    ModelsLoaded,
    PieceSource,
    Shutdown,
    Speculation,
    TextPiece,
    TokensGenerated,
    UnloadModels,
)
from app.engine.stats import GenerationStats

AnyCommand = TypeVar("AnyCommand")
GB = 10**9


class FakeEngine:
    """Stands in for the engine client.

    Attributes:
        commands: all it was sent, in order.
        stopped: the window asked it to end.
    """

    def __init__(self, post: Callable[[Event], None]) -> None:
        self._post = post
        self.commands: list[Command] = []
        self.started = False
        self.stopped = False
        self.pid: int | None = None

    def start(self) -> None:
        self.started = True

    def send(self, command: Command) -> None:
        self.commands.append(command)

    def stop(self, timeout_seconds: float = 3.0) -> None:
        del timeout_seconds
        self.stopped = True

    def say(self, *events: Event) -> None:
        """Send events to the window, as the client's thread would."""
        for event in events:
            self._post(event)

    def last(self, kind: type[AnyCommand]) -> AnyCommand:
        """The newest command of a kind."""
        return next(c for c in reversed(self.commands) if isinstance(c, kind))

    def count(self, kind: type) -> int:
        return sum(isinstance(command, kind) for command in self.commands)

    # --- what an engine would say -----------------------------------------------------------------

    def load(self, *, draft: bool = True, **changes: Any) -> None:
        """Answer the newest LoadModels."""
        command = self.last(LoadModels)
        self.say(loaded_pair(command.target, command.draft if draft else None, **changes))

    def write(
        self, text: str, source: PieceSource = PieceSource.TARGET, *, reasoning: bool = False
    ) -> None:
        """A step of the newest answer."""
        request = self.last(Generate).request_id
        piece = TextPiece(text, source, reasoning)
        self.say(TokensGenerated(request, (piece,), (1,), STATS, context_used=321))

    def finish(
        self, reason: FinishReason = FinishReason.END, pieces: tuple[TextPiece, ...] = ()
    ) -> None:
        """End the newest answer."""
        request = self.last(Generate).request_id
        self.say(
            GenerationFinished(
                request, reason, STATS, pieces, context_used=400, speculation=Speculation.DRAFT
            )
        )

    @property
    def is_told_to_end(self) -> bool:
        return self.stopped or any(isinstance(c, Shutdown | UnloadModels) for c in self.commands)


STATS = GenerationStats(
    prompt_tokens=212,
    cached_tokens=12,
    prompt_seconds=0.81,
    ttft_seconds=0.86,
    generated_tokens=187,
    generation_seconds=6.9,
    target_passes=71,
    drafted_tokens=213,
    accepted_tokens=131,
    accepted_by_position=(58, 41, 22, 10),
    drafted_by_position=(71, 64, 48, 30),
    target_seconds=5.9,
    draft_seconds=0.9,
    live_tokens_per_second=27.4,
    live_acceptance=0.66,
    depth=4,
)


def model(path: Path, size_bytes: int, device: str = "CPU") -> LoadedModel:
    """A loaded model whose memory is on one device."""
    kinds = {"weights": size_bytes, "kv": size_bytes // 8, "compute": size_bytes // 16}
    return LoadedModel(
        path=path,
        name=path.stem,
        architecture="qwen2",
        parameters=1_543_714_304,
        size_bytes=size_bytes,
        layers=28,
        gpu_layers=0,
        memory=ModelMemory({device: kinds}),
    )


def loaded_pair(target_file: Path, draft_file: Path | None = None, **changes: Any) -> ModelsLoaded:
    """What an engine says of a pair in memory."""
    values: dict[str, Any] = {
        "target": model(target_file, 1_120_000_000),
        "draft": model(draft_file, 400_000_000) if draft_file is not None else None,
        "n_ctx": 8192,
        "n_ctx_train": 32768,
        "n_parallel": 1,
        "threads": 2,
        "kv_type": KvType.F16,
        "load_seconds": 1.2,
        "devices": (DeviceInfo("CPU", "Processor", "cpu", 9 * GB, 16 * GB),),
    }
    return ModelsLoaded(**(values | changes))
