"""Commands and events: the one language between window, command line and engine process.

Frozen slotted dataclasses that pickle; no behaviour. Commands go to the worker, events come back.
Imports only conversation and stats, so that the window can import this file without loading
llama.cpp.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from app.conversation import ChatMessage
from app.engine.stats import GenerationStats

PROTOCOL_VERSION = 1

Detail = dict[str, str | int | float | None]


class Speculation(StrEnum):
    """Who proposes tokens: nobody, the draft model, the text so far, or whatever pays best."""

    OFF = "off"
    DRAFT = "draft"
    LOOKUP = "lookup"
    AUTO = "auto"


class FinishReason(StrEnum):
    """Why an answer ended."""

    END = "end"  # the model said so
    STOP_STRING = "stop_string"
    LENGTH = "length"  # max_tokens reached
    CONTEXT = "context"  # the context is full
    CANCELLED = "cancelled"


class KvType(StrEnum):
    """Number format of the target's KV cache; the draft's is always f16."""

    F16 = "f16"
    Q8_0 = "q8_0"
    Q4_0 = "q4_0"


class PieceSource(StrEnum):
    """Where an emitted piece of text came from."""

    TARGET = "target"  # the target's own token
    DRAFT = "draft"  # proposed by the draft model and accepted
    LOOKUP = "lookup"  # proposed from the text so far and accepted


@dataclass(frozen=True, slots=True)
class SamplingOptions:
    """How the next token is chosen. temperature 0 is greedy; top_k 0, top_p 1, min_p 0 switch a cut
    off.

    Penalties look at the last `penalty_last_n` tokens of prompt and answer; 1.0 / 0.0 / 0.0 switch
    them off.
    """

    temperature: float = 0.8
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repeat_penalty: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    penalty_last_n: int = 64
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class GenerationOptions:
    """One answer's settings.

    Attributes:
        depth: fixed number of tokens to draft each step; None lets depth control decide.
        max_depth: upper limit for depth control.
        max_tokens: length limit of the answer; None means until the context is full.
        stop: stop strings; the answer ends before the first of them.
        draw_and_match: verify sampled drafts by drawing from the target and comparing (for
            measurements only).
    """

    sampling: SamplingOptions = field(default_factory=SamplingOptions)
    speculation: Speculation = Speculation.AUTO
    depth: int | None = None
    max_depth: int = 8
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    draw_and_match: bool = False


# --- commands ---


@dataclass(frozen=True, slots=True)
class LoadModels:
    """Load a target and perhaps a draft as one transaction, unloading what was loaded before.

    Attributes:
        n_ctx: context length wanted for each conversation, tokens; min_ctx is the least the user
            accepts.
        n_parallel: answers that may run at once.
        gpu_layers: target layers to place on the GPU; None places as many as fit.
        no_draft_because: a code when a draft was asked for and refused before loading, kept for the
            report.
        profile: what was measured of this pair before, a DepthProfile as JSON; None if nothing.
    """

    target: Path
    draft: Path | None = None
    n_ctx: int = 8192
    min_ctx: int = 2048
    n_parallel: int = 1
    threads: int | None = None
    gpu_layers: int | None = None
    kv_type: KvType = KvType.F16
    profile: str | None = None
    no_draft_because: str | None = None
    no_draft_detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnloadModels:
    """Free the models; the worker process ends, so the memory is really free."""


@dataclass(frozen=True, slots=True)
class Generate:
    """Answer a conversation, or continue a raw prompt when `prompt` is given (no chat template
    then).
    """

    request_id: str
    messages: tuple[ChatMessage, ...] = ()
    prompt: str | None = None
    options: GenerationOptions = field(default_factory=GenerationOptions)


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop one answer within a step; what was written stays."""

    request_id: str


@dataclass(frozen=True, slots=True)
class ClearCache:
    """Forget all prompts kept in memory: the next answer starts cold (for fair comparison)."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Time the target by batch size and the draft by token (roofline)."""

    request_id: str
    max_rows: int = 16
    repetitions: int = 5


@dataclass(frozen=True, slots=True)
class LogitsAt:
    """Ask what the target holds of some tokens at one place of an answer, on a quiet engine.

    Attributes:
        messages, prompt: as in Generate.
        answer: the tokens of the answer before that place.
        candidates: the tokens asked about.
    """

    request_id: str
    messages: tuple[ChatMessage, ...] = ()
    prompt: str | None = None
    answer: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shutdown:
    """End the worker process."""


Command = LoadModels | UnloadModels | Generate | Cancel | ClearCache | Measure | LogitsAt | Shutdown


# --- events ---


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """One device llama.cpp can use; bytes. kind is "cpu", "gpu", "igpu" or "accel"."""

    name: str
    description: str
    kind: str
    free_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class WorkerStarted:
    """First message of a worker."""

    protocol_version: int
    pid: int
    versions: dict[str, str]
    devices: tuple[DeviceInfo, ...]
    cpu_module: str | None = None


@dataclass(frozen=True, slots=True)
class LoadProgress:
    """`stage` is "target", "draft", "context" or "warmup"; fraction 0..1 of the whole load."""

    stage: str
    fraction: float


@dataclass(frozen=True, slots=True)
class LoadStep:
    """A fallback taken while loading, in order: a code for app.messages and its values."""

    code: str
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelMemory:
    """What one model really took, bytes, as llama.cpp reported it.

    device -> kind -> bytes, kinds weights, kv, compute, output.
    """

    by_device: dict[str, dict[str, int]]

    @property
    def total_bytes(self) -> int:
        return sum(sum(kinds.values()) for kinds in self.by_device.values())


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in memory."""

    path: Path
    name: str
    architecture: str
    parameters: int
    size_bytes: int
    layers: int
    gpu_layers: int
    memory: ModelMemory


@dataclass(frozen=True, slots=True)
class ModelsLoaded:
    """What was placed where.

    Attributes:
        n_ctx: context of each conversation, tokens, after fallbacks.
        steps: fallbacks taken, each said in words; empty when everything was placed as asked.
        no_draft_because: code of the reason why draft-model speculation is off, None when it is
            possible.
        has_template: whether the target brings its own chat template.
    """

    target: LoadedModel
    draft: LoadedModel | None
    n_ctx: int
    n_ctx_train: int
    n_parallel: int
    threads: int
    kv_type: KvType
    load_seconds: float
    steps: tuple[LoadStep, ...] = ()
    no_draft_because: str | None = None
    no_draft_detail: Detail = field(default_factory=dict)
    has_template: bool = True
    devices: tuple[DeviceInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadFailed:
    """Nothing is loaded now; code and values for app.messages."""

    code: str
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unloaded:
    """The models are gone from memory."""


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """Prompt tokens in memory so far; cached ones were there before."""

    request_id: str
    done_tokens: int
    total_tokens: int
    cached_tokens: int


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of the answer.

    reasoning: inside a reasoning block (its markers are not part of the text).
    """

    text: str
    source: PieceSource = PieceSource.TARGET
    reasoning: bool = False


@dataclass(frozen=True, slots=True)
class TokensGenerated:
    """One verification step of one answer: whole characters only, stop strings held back.

    Attributes:
        refused: text of the proposed tokens that the target refused in this step, "" when none.
        context_used: tokens this conversation holds in the context now.
    """

    request_id: str
    pieces: tuple[TextPiece, ...]
    token_ids: tuple[int, ...]
    stats: GenerationStats
    refused: str = ""
    context_used: int = 0


@dataclass(frozen=True, slots=True)
class GenerationFinished:
    """An answer ended; stats are final. `pieces` is what was held back until now.

    Attributes:
        speculation: what was in force at the end (auto resolves to draft, lookup or off).
        note: code of something the user should know ("speculation_lost_here"), None when nothing.
    """

    request_id: str
    reason: FinishReason
    stats: GenerationStats
    pieces: tuple[TextPiece, ...] = ()
    context_used: int = 0
    speculation: Speculation = Speculation.OFF
    note: str | None = None
    note_detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestFailed:
    """One request could not be answered; the engine is well."""

    request_id: str
    code: str
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Measured:
    """Roofline: median seconds of a target batch of 1..n rows, and of one drafted token (None
    without a draft).
    """

    request_id: str
    verify_seconds: tuple[float, ...]
    draft_seconds: float | None
    repetitions: int


@dataclass(frozen=True, slots=True)
class LogitsRead:
    """The target's logits of the candidates, in their order, with the text each would add.

    Attributes:
        best_token, best_logit: the target's own choice at this place.
    """

    request_id: str
    logits: tuple[float, ...]
    texts: tuple[str, ...]
    best_token: int
    best_logit: float


@dataclass(frozen=True, slots=True)
class WorkerExited:
    """Made by the client when the worker's end is seen.

    Attributes:
        exit_code: of the process, None when unknown; negative means a signal on POSIX.
        signal_name: "SIGILL", "SIGKILL", ..., None when it ended by itself.
        expected: it ended because it was asked to.
        while_doing: "starting", "loading", "prompt", "generating", "idle" or "measuring".
        retrying: the client is starting it again by itself (illegal instruction: next CPU module).
    """

    exit_code: int | None
    signal_name: str | None
    last_log_lines: tuple[str, ...] = ()
    expected: bool = False
    while_doing: str = "idle"
    retrying: bool = False
    detail: Detail = field(default_factory=dict)


Event = (
    WorkerStarted
    | LoadProgress
    | ModelsLoaded
    | LoadFailed
    | Unloaded
    | PromptProgress
    | TokensGenerated
    | GenerationFinished
    | RequestFailed
    | Measured
    | LogitsRead
    | WorkerExited
)
