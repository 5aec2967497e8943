"""A model of a few tokens whose logits follow from exactly what its memory holds, so that a wrong
rewind changes the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.engine.calibration import Calibration
from app.engine.chain_drafter import ChainDrafter
from app.engine.costs import CostModel
from app.engine.decoding import Decoder, StepResult
from app.engine.depth import DepthController, FixedDepth
from app.engine.drafters import Drafter, NoDrafter
from app.engine.lookup_drafter import LookupDrafter
from app.engine.model_drafter import ModelDrafter, ModelMemory
from app.engine.protocol import SamplingOptions
from app.engine.sampling import Sampler
from app.engine.tracks import Row, Track

END = 0
Rule = Callable[[tuple[int, ...]], NDArray[np.float32]]


class ScriptedModel:
    """Implements TokenModel. `rule` gives the logits that follow a text."""

    def __init__(
        self, rule: Rule, n_vocab: int, *, n_batch: int = 64, can_rewind: bool = True
    ) -> None:
        self.rule = rule
        self.n_vocab = n_vocab
        self.n_batch = n_batch
        self.max_outputs = n_batch
        self.cells: dict[int, list[int]] = {}
        self.passes = 0
        self.rows = 0
        self._can_rewind = can_rewind
        self._logits: dict[int, NDArray[np.float32]] = {}

    def decode(self, rows: Sequence[Row]) -> float:
        assert 0 < len(rows) <= self.n_batch
        self.passes += 1
        self.rows += len(rows)
        self._logits = {}
        for index, (token, position, sequence, wanted) in enumerate(rows):
            held = self.cells.setdefault(sequence, [])
            assert position == len(held), f"position {position}, memory holds {len(held)}"
            held.append(token)
            if wanted:
                self._logits[index] = self.rule(tuple(held))
        return 0.001

    def logits(self, row: int) -> NDArray[np.float32]:
        return self._logits[row]

    def remove_tail(self, sequence: int, start: int) -> bool:
        held = self.cells.setdefault(sequence, [])
        if 0 < start < len(held) and not self._can_rewind:
            return False
        del held[start:]
        return True

    def first_position(self, sequence: int) -> int:
        return 0 if self.cells.get(sequence) else -1


def hashed(text: Sequence[int], salt: int) -> int:
    """A number that depends on the last three tokens."""
    value = salt
    for token in text[-3:]:
        value = (value * 1_000_003 + token + 1) % 2_147_483_647
    return value


def peaked(n_vocab: int, salt: int, *, wrong_in_hundred: int = 0, never_end: bool = False) -> Rule:
    """Logits with one clear best token; a draft made with `wrong_in_hundred` disagrees that often
    with one made without.
    """

    def rule(text: tuple[int, ...]) -> NDArray[np.float32]:
        best = hashed(text, salt) % n_vocab
        if hashed(text, salt + 7) % 100 < wrong_in_hundred:
            best = (best + 1) % n_vocab
        if never_end and best == END:
            best = 1
        spread = np.random.default_rng(hashed(text, salt)).random(n_vocab, dtype=np.float32)
        spread[best] += 3.0
        return spread

    return rule


@dataclass
class Bench:
    """A target, a draft and everything between them, for one test."""

    target: ScriptedModel
    draft: ScriptedModel
    sampling: SamplingOptions = field(default_factory=lambda: SamplingOptions(temperature=0.0))

    def drafter(self, kind: str, depth: int | None, ids: Sequence[int]) -> Drafter:
        """A drafter by name; depth None is depth control."""

        def control() -> FixedDepth | DepthController:
            if depth is not None:
                return FixedDepth(depth)
            return DepthController(
                CostModel({1: 0.01, 4: 0.011}, 0.001), Calibration(), max_depth=8
            )

        memory = ModelMemory(self.draft, target_vocab=self.target.n_vocab)
        model = ModelDrafter(memory, {each: control() for each in ids})
        lookup = LookupDrafter({each: control() for each in ids})
        drafters: dict[str, Drafter] = {
            "off": NoDrafter(),
            "draft": model,
            "lookup": lookup,
            "chain": ChainDrafter(lookup, model),
        }
        return drafters[kind]

    def track(
        self, sequence: int, prompt: Sequence[int], drafter: Drafter, budget: int, n_ctx: int
    ) -> Track:
        track = Track(sequence, list(prompt), Sampler(self.sampling), drafter, n_ctx, budget)
        drafter.begin(track)
        return track

    def run(self, tracks: Sequence[Track]) -> dict[int, list[StepResult]]:
        """Decode all tracks to their ends, checking the invariant of the step after each."""
        decoder = Decoder(self.target, lambda token: token == END)
        results: dict[int, list[StepResult]] = {track.id: [] for track in tracks}
        active: list[Track] = []
        for track in tracks:
            first = None
            while first is None:
                first = decoder.read_prompt(track, 5)
            results[track.id].append(first)
            self._check(track)
            if self._goes_on(track, first):
                active.append(track)
        while active:
            for result in decoder.step(active):
                results[result.track.id].append(result)
                self._check(result.track)
                if not self._goes_on(result.track, result):
                    active.remove(result.track)
        return results

    def _goes_on(self, track: Track, result: StepResult) -> bool:
        return not result.ended and track.budget > 0 and not track.full

    def _check(self, track: Track) -> None:
        """The invariant: the target's memory holds every committed token but the last."""
        assert self.target.cells[track.id] == track.tokens[:-1]
        held = self.draft.cells.get(track.id, [])
        assert held == track.tokens[: len(held)], "the draft remembers what was never said"


def plain(rule: Rule, prompt: Sequence[int], budget: int, n_ctx: int) -> list[int]:
    """Greedy decoding in three lines: the truth that every drafter must reproduce."""
    text = list(prompt)
    while len(text) - len(prompt) < budget and len(text) <= n_ctx:
        token = int(np.argmax(rule(tuple(text))))
        if token == END:
            break
        text.append(token)
    return text[len(prompt) :]


def emitted(results: Sequence[StepResult]) -> list[int]:
    """All tokens of a run."""
    return [token for result in results for token in result.emitted]
