"""The engine of the worker process: loads a pair, starts and cancels answers, and does one unit of
work at a time.

Everything that decides lives in the files around it; this one wires them: prompts go to the
sequence that remembers most of them, requests get a drafter and a depth control, steps become
events. Single-threaded; knows no process and no window.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app.engine import llama
from app.engine.answers import Answer
from app.engine.calibration import Calibration
from app.engine.costs import CostModel
from app.engine.decoding import Decoder, StepResult
from app.engine.depth import DepthControl, DepthController, FixedDepth
from app.engine.drafters import (
    ChainDrafter,
    Drafter,
    LookupDrafter,
    ModelDrafter,
    ModelMemory,
    NoDrafter,
)
from app.engine.loading import MAX_DEPTH, Pair, load_pair
from app.engine.measuring import first_costs, measure_pair
from app.engine.protocol import (
    DeviceInfo,
    Event,
    FinishReason,
    Generate,
    LoadModels,
    Measure,
    Measured,
    ModelsLoaded,
    PieceSource,
    PromptProgress,
    RequestFailed,
    Speculation,
)
from app.engine.sampling import Sampler
from app.engine.stats import StatsRecorder
from app.engine.templates import ChatTemplate
from app.engine.text import AnswerText
from app.engine.tracks import Track, common_prefix
from app.errors import AppError, RequestError

CHUNK_SECONDS = 0.25  # a prompt is read in chunks of about this long, so that Cancel is quick
_SMALLEST_CHUNK = 32


@dataclass(slots=True)
class _Slot:
    """One sequence of the context: what its memory holds of the last answer there."""

    id: int
    tokens: list[int] = field(default_factory=list)
    in_memory: int = 0
    used_at: float = 0.0
    answer: Answer | None = None


class _Loaded:
    """All that belongs to the loaded pair and goes with it."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.decoder = Decoder(pair.target_context, pair.target.is_end)
        self.slots = [_Slot(number) for number in range(pair.command.n_parallel)]
        self.template = ChatTemplate(
            pair.target.template,
            bos=pair.target.bos,
            eos=pair.target.eos,
            name=pair.target.name,
            knows=pair.target.knows,
        )
        self.costs = CostModel()
        self.calibrations: dict[tuple[PieceSource, bool], Calibration] = {}
        self.chunk = _SMALLEST_CHUNK * 2
        self.off = NoDrafter()
        self.lookup = LookupDrafter({})
        self.model: ModelDrafter | None = None
        self.chain: ChainDrafter | None = None
        if pair.draft_context is not None:
            memory = ModelMemory(pair.draft_context, target_vocab=pair.target.n_vocab)
            self.model = ModelDrafter(memory, {})
            self.chain = ChainDrafter(self.lookup, self.model)

    def calibration(self, source: PieceSource, greedy: bool) -> Calibration:
        """What a drafter's confidence is worth, learned over all answers of this pair."""
        exponent = 1.0 if source is PieceSource.LOOKUP else 1.3
        return self.calibrations.setdefault((source, greedy), Calibration(exponent=exponent))


class Engine:
    """See the module's docstring. All failures are AppError."""

    def __init__(self, skip_cpu_modules: frozenset[str] = frozenset()) -> None:
        self._cpu_module = llama.start(skip_cpu_modules)
        self._loaded: _Loaded | None = None
        self._answers: dict[str, Answer] = {}
        self._clock = time.perf_counter

    @property
    def active(self) -> int:
        """Answers in progress."""
        return len(self._answers)

    def describe(self) -> tuple[dict[str, str], tuple[DeviceInfo, ...], str | None]:
        """Versions, devices, and the CPU module in use."""
        module = self._cpu_module.name if self._cpu_module else None
        return llama.versions(), llama.devices(), module

    # loading

    def load(self, command: LoadModels, progress: Callable[[str, float], bool]) -> ModelsLoaded:
        """Load a pair, unloading what was loaded before.

        Raises:
            LoadError: nothing is loaded then.
        """
        self.unload()
        began = self._clock()
        pair = load_pair(command, progress)
        try:
            loaded = _Loaded(pair)
            loaded.costs = first_costs(pair)
        except AppError:
            pair.close()
            raise
        self._loaded = loaded
        progress("warmup", 1.0)
        return pair.describe(self._clock() - began, llama.devices())

    def unload(self) -> None:
        """Free the models; answers in progress are gone."""
        self._answers.clear()
        if self._loaded is not None:
            self._loaded.pair.close()
            self._loaded = None

    def close(self) -> None:
        """Unload."""
        self.unload()

    def clear_cache(self) -> None:
        """Forget kept prompts of idle sequences, in target and draft."""
        loaded = self._require()
        for slot in loaded.slots:
            if slot.answer is None:
                slot.tokens, slot.in_memory = [], 0
                loaded.pair.target_context.remove_tail(slot.id, 0)
                if loaded.model is not None:
                    loaded.model.memory.clear(slot.id)

    # requests

    def start(self, command: Generate, received_at: float) -> None:
        """Begin an answer; its events come from `step`.

        Raises:
            RequestError: "prompt_too_long", "no_draft_for_request", "template_failed", "all_busy", ...
        """
        loaded = self._require()
        prompt, stops, reasoning = self._prompt(loaded, command)
        n_ctx = loaded.pair.n_ctx
        if len(prompt) > n_ctx - 1:
            raise RequestError("prompt_too_long", prompt_tokens=len(prompt), fits=n_ctx - 1)
        drafter = _drafter(loaded, command)
        slot = self._slot(loaded, prompt)
        options = command.options
        limit = options.max_tokens if options.max_tokens is not None else n_ctx
        track = Track(
            id=slot.id,
            tokens=prompt,
            sampler=Sampler(options.sampling),
            drafter=drafter,
            n_ctx=n_ctx,
            budget=max(1, limit),
            in_memory=self._keep_prefix(loaded, slot, prompt),
            match_by_draw=options.draw_and_match,
        )
        recorder = StatsRecorder(
            started_at=received_at, prompt_tokens=len(prompt), cached_tokens=track.in_memory
        )
        self._give_depth(loaded, command, track)
        drafter.begin(track)
        text = AnswerText((*options.stop, *stops), reasoning_open=reasoning)
        slot.answer = Answer(command, track, text, recorder, options.speculation)
        self._answers[command.request_id] = slot.answer

    def cancel(self, request_id: str) -> None:
        """Let the next step finish this answer as cancelled."""
        answer = self._answers.get(request_id)
        if answer is not None:
            answer.cancelled = True

    def step(self) -> list[Event]:
        """One prompt chunk, if a prompt is waiting, and one verification step over all that
        generate.
        """
        loaded = self._require()
        events: list[Event] = []
        for answer in [each for each in self._answers.values() if each.cancelled]:
            events.append(answer.finish(FinishReason.CANCELLED))
            self._release(loaded, answer)
        waiting = next((each for each in self._answers.values() if not each.prompt_ready), None)
        if waiting is not None:
            events.extend(
                self._guarded(loaded, [waiting], lambda: self._read_prompt(loaded, waiting))
            )
        ready = [each for each in self._answers.values() if each.prompt_ready]
        if ready:
            events.extend(self._guarded(loaded, ready, lambda: self._generate(loaded, ready)))
        return events

    def measure(self, command: Measure, keep_going: Callable[[], bool]) -> Measured:
        """Time the target by batch size and the draft by token; no answer may be in progress."""
        loaded = self._require()
        if self._answers:
            raise RequestError("measuring_needs_quiet", request_id=command.request_id)
        self.clear_cache()
        return measure_pair(loaded.pair, command, keep_going)

    # inside

    def _require(self) -> _Loaded:
        if self._loaded is None:
            raise RequestError("not_loaded")
        return self._loaded

    def _prompt(
        self, loaded: _Loaded, command: Generate
    ) -> tuple[list[int], tuple[str, ...], bool]:
        """Prompt tokens, the template's own stop strings, and whether the answer begins inside a
        reasoning block.
        """
        target = loaded.pair.target
        if command.prompt is not None:
            tokens = target.tokenize(command.prompt, special=True)
            stops: tuple[str, ...] = ()
            reasoning = False
        else:
            rendered = loaded.template.render(command.messages)
            tokens = target.tokenize(rendered, special=True)
            stops, reasoning = loaded.template.stops, loaded.template.opens_reasoning
        if not tokens:
            raise RequestError("prompt_empty")
        return tokens, stops, reasoning

    def _slot(self, loaded: _Loaded, prompt: list[int]) -> _Slot:
        """The idle sequence that remembers most of the prompt;

        the longest unused one among equals.
        """
        idle = [slot for slot in loaded.slots if slot.answer is None]
        if not idle:
            raise RequestError("all_busy", n_parallel=len(loaded.slots))
        return max(
            idle,
            key=lambda slot: (common_prefix(slot.tokens[: slot.in_memory], prompt), -slot.used_at),
        )

    def _keep_prefix(self, loaded: _Loaded, slot: _Slot, prompt: list[int]) -> int:
        """Drop what the memory holds beyond the common prefix; returns how many tokens stay."""
        context = loaded.pair.target_context
        keep = min(common_prefix(slot.tokens[: slot.in_memory], prompt), len(prompt) - 1)
        window = loaded.pair.target.window
        # a sliding window that has moved on no longer holds what the tokens before `keep` need
        if window and context.first_position(slot.id) > max(0, keep - window):
            keep = 0
        if keep and not context.remove_tail(slot.id, keep):
            keep = 0
        if not keep:
            context.remove_tail(slot.id, 0)
        slot.tokens, slot.in_memory = [], 0
        return keep

    def _give_depth(self, loaded: _Loaded, command: Generate, track: Track) -> None:
        """A depth control for each drafter this request may use."""
        options = command.options
        for drafter in (loaded.lookup, loaded.model):
            if drafter is None:
                continue
            drafter.depths[track.id] = _depth_control(
                loaded, options.depth, options.max_depth, drafter.source, track
            )

    def _read_prompt(self, loaded: _Loaded, answer: Answer) -> list[Event]:
        """Read one chunk of a prompt, the draft's first, so that generation starts with both
        memories ready.
        """
        track = answer.track
        done, _ = track.drafter.prepare(track, loaded.chunk)
        if done:
            return []
        left = len(track.tokens) - track.in_memory
        began = self._clock()
        result = loaded.decoder.read_prompt(track, loaded.chunk)
        spent = self._clock() - began
        count = min(loaded.chunk, left)
        if count >= _SMALLEST_CHUNK:
            loaded.chunk = max(
                _SMALLEST_CHUNK,
                min(loaded.pair.target_context.n_batch, int(count * CHUNK_SECONDS / spent)),
            )
        recorder = answer.recorder
        progress = PromptProgress(
            answer.id,
            done_tokens=recorder.prompt_tokens - left + count,
            total_tokens=recorder.prompt_tokens,
            cached_tokens=recorder.cached_tokens,
        )
        if result is None:
            recorder.prompt_seconds += spent
            return [progress]
        return [progress, *self._take(loaded, answer, result)]

    def _generate(self, loaded: _Loaded, answers: list[Answer]) -> list[Event]:
        by_track = {id(answer.track): answer for answer in answers}
        events: list[Event] = []
        for result in loaded.decoder.step([answer.track for answer in answers]):
            events.extend(self._take(loaded, by_track[id(result.track)], result))
        return events

    def _take(self, loaded: _Loaded, answer: Answer, result: StepResult) -> list[Event]:
        piece = loaded.pair.target.piece
        pieces = {token: piece(token) for token in (*result.emitted, *result.refused)}
        events = answer.take(result, pieces, self._clock())
        track = answer.track
        if track.in_memory > len(track.tokens) - 1:
            loaded.decoder.rewind(track, len(track.tokens) - 1)
        if any(not hasattr(event, "token_ids") for event in events):
            self._release(loaded, answer)
        return events

    def _release(self, loaded: _Loaded, answer: Answer) -> None:
        """Keep the sequence's memory for the next turn and free its place."""
        slot = loaded.slots[answer.track.id]
        slot.tokens, slot.in_memory = answer.track.tokens, answer.track.in_memory
        slot.used_at = self._clock()
        slot.answer = None
        answer.track.drafter.end(answer.track)
        self._answers.pop(answer.id, None)

    def _guarded(
        self, loaded: _Loaded, answers: list[Answer], work: Callable[[], list[Event]]
    ) -> list[Event]:
        """Do `work`; when it fails, the answers concerned fail and their memory is forgotten."""
        try:
            return work()
        except AppError as error:
            for answer in answers:
                loaded.pair.target_context.remove_tail(answer.track.id, 0)
                answer.track.in_memory = 0
                self._release(loaded, answer)
                if loaded.model is not None:
                    loaded.model.memory.clear(answer.track.id)
            return [RequestFailed(answer.id, error.code, error.detail) for answer in answers]


def _drafter(loaded: _Loaded, command: Generate) -> Drafter:
    """The drafter for a request.

    Raises:
        RequestError: "no_draft_for_request", "target_cannot_rewind", "depth_out_of_range".
    """
    options = command.options
    for depth in (options.depth, options.max_depth):
        if depth is not None and not 0 <= depth <= MAX_DEPTH:
            raise RequestError("depth_out_of_range", depth=depth, most=MAX_DEPTH)
    if options.speculation is Speculation.OFF:
        return loaded.off
    if not loaded.pair.target_rewinds:
        if options.speculation is Speculation.AUTO:
            return loaded.off
        raise RequestError("target_cannot_rewind", architecture=loaded.pair.target.architecture)
    if options.speculation is Speculation.LOOKUP:
        return loaded.lookup
    if options.speculation is Speculation.DRAFT:
        if loaded.model is None:
            raise RequestError("no_draft_for_request")
        return loaded.model
    return loaded.chain or loaded.lookup


def _depth_control(
    loaded: _Loaded, depth: int | None, max_depth: int, source: PieceSource, track: Track
) -> DepthControl:
    if depth is not None:
        return FixedDepth(depth)
    greedy = track.sampler.greedy
    return DepthController(
        loaded.costs,
        loaded.calibration(source, greedy),
        max_depth=max_depth,
        steady=loaded.pair.gpu_layers > 0,
        free_draft=source is PieceSource.LOOKUP,
    )


def create(skip_cpu_modules: frozenset[str] = frozenset()) -> Engine:
    """The engine the worker runs."""
    return Engine(skip_cpu_modules)
