"""Replay the recorded traces through the real step loop in auto mode, without a clock, and print
tables.

The prompts were not recorded, so the lookup knows the answer so far and nothing else.

Run: python -m tests.bench.auto_traces
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.engine.calibration import Calibration
from app.engine.chain_drafter import ChainDrafter
from app.engine.costs import CostModel
from app.engine.decoding import Decoder, StepResult
from app.engine.depth import DepthController, FixedDepth, Rate
from app.engine.depth_control import DepthControl
from app.engine.drafters import Drafter
from app.engine.lookup_drafter import LookupDrafter
from app.engine.model_drafter import ModelDrafter, ModelMemory
from app.engine.protocol import SamplingOptions
from app.engine.sampling import Sampler
from app.engine.tracks import Track
from tests.bench.depth_traces import (
    FIXED_DEPTHS,
    MAX_DEPTH,
    WARM_UP_ROWS,
    Costs,
    Figures,
    Noise,
    load,
    profile_noise,
    show,
    timing_noise,
)
from tests.unit.engine.trace_models import Answer, TraceDraft, TraceTarget, Watch


@dataclass(frozen=True)
class Run:
    """One answer replayed.

    Attributes:
        passes: of the draft.
    """

    tokens_per_second: float
    steps: list[StepResult]
    passes: int


@cache
def answers() -> dict[str, Answer]:
    """The recorded answers, by name."""
    path = Path(__file__).parents[1] / "data" / "depth_traces.json"
    found = {}
    for name, trace in json.loads(path.read_text(encoding="utf-8"))["traces"].items():
        draft = [(each["tokens"][0], each["p"][0]) for each in trace["draft"]]
        found[name] = Answer.of(trace["target"], draft)
    return found


class Machine:
    """A target and a draft at the prices of a table; answers one after the other, learning."""

    def __init__(
        self, costs: Costs, known: CostModel, *, noise: Noise = lambda: 1.0, steady: bool = False
    ) -> None:
        self._costs = costs
        self._known = known
        self._noise = noise
        self._steady = steady
        self._calibration = Calibration()
        self._lookup = LookupDrafter({})

    def auto(self, answer: Answer) -> Run:
        """Replay an answer in auto mode."""
        rate = Rate()

        def control(calibration: Calibration | None, *, free: bool) -> DepthControl:
            return DepthController(
                self._known,
                calibration,
                max_depth=MAX_DEPTH,
                steady=self._steady,
                free_draft=free,
                rate=rate,
            )

        def drafter(memory: ModelMemory) -> Drafter:
            self._lookup.depths[0] = control(None, free=True)
            model = ModelDrafter(memory, {0: control(self._calibration, free=False)})
            return ChainDrafter(self._lookup, model)

        return self._replay(answer, drafter)

    def drafting(self, answer: Answer, control: DepthControl) -> Run:
        """Replay an answer with the draft model alone."""
        return self._replay(answer, lambda memory: ModelDrafter(memory, {0: control}))

    def _replay(self, answer: Answer, drafter_of: Callable[[ModelMemory], Drafter]) -> Run:
        watch = Watch()
        target = TraceTarget(answer, self._costs, watch, self._noise)
        draft = TraceDraft(answer, self._costs, watch, self._noise)
        drafter = drafter_of(ModelMemory(draft, target_vocab=target.n_vocab))
        sampler = Sampler(SamplingOptions(temperature=0.0))
        count = len(answer.tokens)
        track = Track(0, [answer.prompt], sampler, drafter, n_ctx=count + 1, budget=count)
        decoder = Decoder(target, lambda token: False, clock=watch)
        drafter.begin(track)
        assert decoder.read_prompt(track, 1) is not None
        began, steps = watch.true, list[StepResult]()
        while track.budget > 0:
            steps += decoder.step([track])
        drafter.end(track)
        assert track.tokens[1:] == list(answer.tokens)
        return Run((count - 1) / (watch.true - began), steps, draft.passes)


def at_fixed_depth(answer: Answer, costs: Costs, depth: int) -> float:
    """Tokens per second of the draft model at a constant depth."""
    run = Machine(costs, CostModel()).drafting(answer, FixedDepth(depth))
    return run.tokens_per_second


def against_fixed(answer: Answer, costs: Costs, rate: float) -> tuple[float, float]:
    """A rate against the best fixed depth, and against none."""
    fixed = [at_fixed_depth(answer, costs, depth) for depth in FIXED_DEPTHS]
    return rate / max(fixed), rate / fixed[0]


def exact(some: dict[str, Answer], costs: Costs, *, steady: bool = False) -> Figures:
    """Each answer as the first of a newly loaded pair, its costs known."""
    figures: Figures = {}
    for name, answer in some.items():
        run = Machine(costs, costs.model(), steady=steady).auto(answer)
        figures[name] = [against_fixed(answer, costs, run.tokens_per_second)]
    return figures


def held_out(some: dict[str, Answer], costs: Costs) -> Figures:
    """After all other answers."""
    figures: Figures = {}
    for name, answer in some.items():
        machine = Machine(costs, costs.model())
        for other in some:
            if other != name:
                machine.auto(some[other])
        rate = machine.auto(answer).tokens_per_second
        figures[name] = [against_fixed(answer, costs, rate)]
    return figures


def noisy(some: dict[str, Answer], costs: Costs, *, known: bool, seeds: int = 10) -> Figures:
    """Noisy timings, from a noisy warm-up or from nothing."""
    figures: Figures = {}
    for name, answer in some.items():
        figures[name] = []
        for seed in range(seeds):
            start = costs.model(rows=WARM_UP_ROWS, noise=profile_noise(f"{name}{seed}"))
            noise = timing_noise(f"{name}{seed}")
            machine = Machine(costs, start if known else CostModel(), noise=noise)
            rate = machine.auto(answer).tokens_per_second
            figures[name].append(against_fixed(answer, costs, rate))
    return figures


def wrong_profile(some: dict[str, Answer], costs: Costs, others: Sequence[Costs]) -> Figures:
    """Starting from each of the other tables, scaled to this one's plain step."""
    figures: Figures = {}
    for name, answer in some.items():
        figures[name] = []
        for other in others:
            known = other.scaled_to(costs.verify[1]).model()
            rate = Machine(costs, known).auto(answer).tokens_per_second
            figures[name].append(against_fixed(answer, costs, rate))
    return figures


def mixed(some: dict[str, Answer], costs: Costs) -> Figures:
    """Answers one after another, as one that changes its topic."""
    topics = (("chat", "code", "story"), ("story", "rewrite", "chat"), ("code", "chat", "json"))
    return exact(
        {
            " > ".join(each): some[each[0]].then(some[each[1]]).then(some[each[2]])
            for each in topics
        },
        costs,
    )


def main() -> None:
    """Print all."""
    some = answers()
    _, tables = load()
    show("Exact costs", {name: exact(some, costs) for name, costs in tables.items()})
    show(
        "Exact costs, steady depth",
        {name: exact(some, costs, steady=True) for name, costs in tables.items() if "gpu" in name},
    )
    show("After the other answers", {name: held_out(some, costs) for name, costs in tables.items()})
    for known, title in ((True, "Noise, noisy warm-up"), (False, "Noise, no profile")):
        show(title, {name: noisy(some, costs, known=known) for name, costs in tables.items()})
    show(
        "Another machine's profile",
        {
            name: wrong_profile(some, costs, [c for n, c in tables.items() if n != name])
            for name, costs in tables.items()
        },
    )
    show("Topics change", {name: mixed(some, costs) for name, costs in tables.items()})


if __name__ == "__main__":
    main()
