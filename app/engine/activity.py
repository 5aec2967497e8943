"""What a worker is busy with, learned from the commands sent to it and the events that came back.

Pure; the client uses it to say what a crash interrupted. Imports only protocol.
"""

from __future__ import annotations

from app.engine.protocol import (
    Command,
    Detail,
    Event,
    Generate,
    GenerationFinished,
    LoadFailed,
    LoadModels,
    LogitsAt,
    LogitsRead,
    Measure,
    Measured,
    ModelsLoaded,
    PromptProgress,
    RequestFailed,
    TokensGenerated,
    Unloaded,
    UnloadModels,
    WorkerStarted,
)


class Activity:
    """Bookkeeping of one worker's life.

    Attributes:
        started: its first message came.
        cpu_module: the one it said it uses.
        start_failure: code and values it gave for not starting.
        loads: LoadModels commands without an answer yet.
        unloading: UnloadModels was sent and not answered.
    """

    def __init__(self) -> None:
        self.started = False
        self.cpu_module: str | None = None
        self.start_failure: Detail | None = None
        self.loads = 0
        self.unloading = False
        self._requests: dict[str, str] = {}

    @property
    def unanswered(self) -> tuple[str, ...]:
        """Requests that have neither finished nor failed, oldest first."""
        return tuple(self._requests)

    @property
    def doing(self) -> str:
        """The word for WorkerExited.while_doing."""
        if not self.started:
            return "starting"
        if self.loads:
            return "loading"
        stages = self._requests.values()
        return next((s for s in ("generating", "prompt", "measuring") if s in stages), "idle")

    def sent(self, command: Command) -> None:
        """A command goes to the worker."""
        match command:
            case LoadModels():
                self.loads += 1
            case UnloadModels():
                self.unloading = True
            case Generate(request_id=request_id):
                self._requests[request_id] = "prompt"
            case Measure(request_id=request_id) | LogitsAt(request_id=request_id):
                self._requests[request_id] = "measuring"
            case _:
                return

    def saw(self, event: Event) -> None:
        """An event came from the worker."""
        match event:
            case WorkerStarted(cpu_module=cpu_module):
                self.started = True
                self.cpu_module = cpu_module
            case LoadFailed(code=code, detail=detail) if not self.started:
                self.start_failure = {**detail, "code": code}
            case ModelsLoaded() | LoadFailed():
                self.loads = max(0, self.loads - 1)
            case Unloaded():
                self.unloading = False
            case _:
                self._saw_of_request(event)

    def _saw_of_request(self, event: Event) -> None:
        match event:
            case TokensGenerated(request_id=request_id):
                self._requests[request_id] = "generating"
            case PromptProgress(request_id=request_id):
                self._requests[request_id] = "prompt"
            case (
                GenerationFinished(request_id=request_id)
                | RequestFailed(request_id=request_id)
                | Measured(request_id=request_id)
                | LogitsRead(request_id=request_id)
            ):
                self._requests.pop(request_id, None)
            case _:
                return
