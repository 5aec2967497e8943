"""The engine of the worker process: loads a pair, runs answers, one unit of work at a time.

Everything that decides lives in the files around it; this one wires them: requests become answers,
steps become events. Single-threaded; knows no process and no window.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from app.engine import llama
from app.engine.answers import Answer
from app.engine.decoding import StepResult
from app.engine.loaded import SMALLEST_CHUNK, Loaded
from app.engine.loading import load_pair
from app.engine.measuring import first_costs, measure_pair, read_logits
from app.engine.protocol import (
    DeviceInfo,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    LoadModels,
    LogitsAt,
    LogitsRead,
    Measure,
    Measured,
    ModelsLoaded,
    PromptProgress,
    RequestFailed,
)
from app.engine.sampling import Sampler
from app.engine.stats import StatsRecorder
from app.engine.text import AnswerText
from app.engine.tracks import Track
from app.errors import AppError, RequestError

# A prompt is read in chunks of about this long, so that Cancel is quick.
CHUNK_SECONDS = 0.25


class Engine:
    """See the module's docstring. All failures are AppError."""

    def __init__(self, skip_cpu_modules: frozenset[str] = frozenset()) -> None:
        self._cpu_module = llama.start(skip_cpu_modules)
        self._loaded: Loaded | None = None
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
            loaded = Loaded(pair, first_costs(pair))
        except AppError:
            pair.close()
            raise
        step = loaded.template_step()
        if step is not None:
            pair.steps.append(step)
        self._loaded = loaded
        progress("warmup", 1.0)
        return pair.describe(self._clock() - began, llama.devices(), own_template=step is None)

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
                loaded.forget(slot.id)

    # requests

    def start(self, command: Generate, received_at: float) -> None:
        """Begin an answer; its events come from `step`.

        Raises:
            RequestError: "prompt_too_long", "no_draft_for_request", "template_failed", "all_busy",
                ...
        """
        loaded = self._require()
        prompt = loaded.prompt(command)
        drafter = loaded.drafter(command)
        slot = loaded.slot(prompt.tokens)
        options = command.options
        limit = options.max_tokens if options.max_tokens is not None else loaded.pair.n_ctx
        track = Track(
            id=slot.id,
            tokens=prompt.tokens,
            sampler=Sampler(options.sampling),
            drafter=drafter,
            n_ctx=loaded.pair.n_ctx,
            budget=max(1, limit),
            in_memory=loaded.keep_prefix(slot, prompt.tokens),
            match_by_draw=options.draw_and_match,
        )
        recorder = StatsRecorder(
            started_at=received_at,
            prompt_tokens=len(prompt.tokens),
            cached_tokens=track.in_memory,
        )
        loaded.give_depth(command, track)
        drafter.begin(track)
        text = AnswerText((*options.stop, *prompt.stops), reasoning_open=prompt.reasoning)
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

    def logits_at(self, command: LogitsAt) -> LogitsRead:
        """What the target holds of some tokens at one place; no answer may be in progress."""
        loaded = self._require()
        if self._answers:
            raise RequestError("measuring_needs_quiet", request_id=command.request_id)
        self.clear_cache()
        asked = Generate(command.request_id, command.messages, command.prompt)
        target = loaded.pair.target
        logits = read_logits(
            loaded.pair.target_context,
            [*loaded.prompt(asked).tokens, *command.answer],
            loaded.pair.n_ctx,
        )
        best = int(logits.argmax())
        return LogitsRead(
            command.request_id,
            tuple(float(logits[token]) for token in command.candidates),
            tuple(target.piece(token).decode("utf-8", "replace") for token in command.candidates),
            best,
            float(logits[best]),
        )

    # inside

    def _require(self) -> Loaded:
        if self._loaded is None:
            raise RequestError("not_loaded")
        return self._loaded

    def _read_prompt(self, loaded: Loaded, answer: Answer) -> list[Event]:
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
        if count >= SMALLEST_CHUNK:
            in_time = int(count * CHUNK_SECONDS / spent)
            most = loaded.pair.target_context.n_batch
            loaded.chunk = max(SMALLEST_CHUNK, min(most, in_time))
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

    def _generate(self, loaded: Loaded, answers: list[Answer]) -> list[Event]:
        by_track = {id(answer.track): answer for answer in answers}
        events: list[Event] = []
        for result in loaded.decoder.step([answer.track for answer in answers]):
            events.extend(self._take(loaded, by_track[id(result.track)], result))
        return events

    def _take(self, loaded: Loaded, answer: Answer, result: StepResult) -> list[Event]:
        piece = loaded.pair.target.piece
        pieces = {token: piece(token) for token in (*result.emitted, *result.refused)}
        answer.note = loaded.loss_to_tell(answer)
        events = answer.take(result, pieces, self._clock())
        track = answer.track
        if track.in_memory > len(track.tokens) - 1:
            loaded.decoder.rewind(track, len(track.tokens) - 1)
        if any(isinstance(event, GenerationFinished) for event in events):
            loaded.loss_told |= answer.note is not None
            self._release(loaded, answer)
        return events

    def _release(self, loaded: Loaded, answer: Answer) -> None:
        """Keep the sequence's memory for the next turn and free its place."""
        slot = loaded.slots[answer.track.id]
        slot.tokens, slot.in_memory = answer.track.tokens, answer.track.in_memory
        slot.used_at = self._clock()
        slot.answer = None
        answer.track.drafter.end(answer.track)
        self._answers.pop(answer.id, None)

    def _guarded(
        self, loaded: Loaded, answers: list[Answer], work: Callable[[], list[Event]]
    ) -> list[Event]:
        """Do `work`; when it fails, the answers concerned fail and their memory is forgotten."""
        try:
            return work()
        except AppError as error:
            for answer in answers:
                self._release(loaded, answer)
                loaded.forget(answer.track.id)
            return [RequestFailed(answer.id, error.code, error.detail) for answer in answers]


def create(skip_cpu_modules: frozenset[str] = frozenset()) -> Engine:
    """The engine the worker runs."""
    return Engine(skip_cpu_modules)
