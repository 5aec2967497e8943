"""Replay the recorded traces through depth control, without a clock, and print tables.

A step that drafts k tokens costs k * c_d + c_v(kept + 1). Past the recorded end of a
proposal (its first disagreement) every token counts as rejected, with the mean confidence.

Run: python -m tests.bench.depth_traces
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.engine.depth import Calibration, CostModel, DepthControl, DepthController, DepthReason

FIXED_DEPTHS = (0, 1, 2, 3, 4, 7)
MAX_DEPTH = 7
# What the warm-up at load measures.
WARM_UP_ROWS = (1, 2, 4, 5, 8)

Noise = Callable[[], float]


@dataclass(frozen=True)
class Proposal:
    """What the draft says at one place, and how many tokens of it the target agrees with."""

    confidences: tuple[float, ...]
    agreed: int

    def confidence(self, index: int) -> float:
        if index < len(self.confidences):
            return self.confidences[index]
        return sum(self.confidences) / len(self.confidences)


Trace = tuple[Proposal, ...]
Figures = dict[str, list[tuple[float, float]]]


@dataclass(frozen=True)
class Costs:
    """c_v by rows and c_d, in seconds."""

    verify: dict[int, float]
    draft: float

    def model(self, *, rows: Sequence[int] = (), noise: Noise = lambda: 1.0) -> CostModel:
        known = rows or tuple(self.verify)
        return CostModel({n: self.verify[n] * noise() for n in known}, self.draft * noise())

    def scaled_to(self, plain: float) -> Costs:
        scale = plain / self.verify[1]
        return Costs({n: each * scale for n, each in self.verify.items()}, self.draft * scale)


@dataclass(frozen=True)
class Step:
    """What one step did."""

    position: int
    drafted: int
    kept: int
    accepted: int
    reason: DepthReason


def load() -> tuple[dict[str, Trace], dict[str, Costs]]:
    """The recorded traces and the cost tables, by name."""
    path = Path(__file__).parents[1] / "data" / "depth_traces.json"
    recorded = json.loads(path.read_text(encoding="utf-8"))
    traces = {}
    for name, trace in recorded["traces"].items():
        target = trace["target"]
        proposals = []
        for place, draft in enumerate(trace["draft"]):
            pairs = zip(draft["tokens"], target[place + 1 :], strict=False)
            agreed = next((n for n, (a, b) in enumerate(pairs) if a != b), None)
            if agreed is None:
                agreed = min(len(draft["tokens"]), len(target) - place - 1)
            proposals.append(Proposal(tuple(draft["p"]), agreed))
        traces[name] = tuple(proposals)
    tables = {
        name: Costs({int(n): ms / 1000 for n, ms in table["verify"].items()}, table["draft"] / 1000)
        for name, table in recorded["cost_tables_ms"].items()
    }
    return traces, tables


def replay(
    trace: Trace,
    costs: Costs | Sequence[Costs],
    control: DepthControl,
    *,
    noise: Noise = lambda: 1.0,
    steps: list[Step] | None = None,
) -> float:
    """Tokens per second of one answer. Noise is in what the control is told, not in the result."""
    place, seconds = 0, 0.0
    control.begin_answer()
    while place < len(trace):
        now = costs if isinstance(costs, Costs) else costs[place]
        proposal, confidences = trace[place], list[float]()
        limit = control.plan(len(trace) - place - 1)
        while len(confidences) < limit and (not confidences or control.wants_more(confidences)):
            confidences.append(proposal.confidence(len(confidences)))
        kept = control.keep(confidences) if confidences else 0
        accepted = min(kept, proposal.agreed)
        draft, verify = len(confidences) * now.draft, now.verify[kept + 1]
        seconds += draft + verify
        told_draft, told_verify = draft * noise(), verify * noise()
        control.observe(
            confidences,
            accepted,
            verify_rows=kept + 1,
            verify_seconds=told_verify,
            draft_seconds=told_draft,
            draft_passes=len(confidences),
            emitted=accepted + 1,
            step_seconds=told_draft + told_verify,
        )
        if steps is not None:
            steps.append(Step(place, len(confidences), kept, accepted, control.reason))
        place += accepted + 1
    return place / seconds


def at_fixed_depth(trace: Trace, costs: Costs, depth: int) -> float:
    """Tokens per second at a constant depth."""
    place, seconds = 0, 0.0
    while place < len(trace):
        drafted = min(depth, len(trace) - place - 1)
        seconds += drafted * costs.draft + costs.verify[drafted + 1]
        place += min(drafted, trace[place].agreed) + 1
    return place / seconds


def against_fixed(trace: Trace, costs: Costs, rate: float) -> tuple[float, float]:
    """A rate against the best fixed depth, and against none."""
    fixed = [at_fixed_depth(trace, costs, depth) for depth in FIXED_DEPTHS]
    return rate / max(fixed), rate / fixed[0]


def controller(costs: CostModel, *, steady: bool = False) -> DepthController:
    """One with nothing learned of the draft."""
    return DepthController(costs, Calibration(), max_depth=MAX_DEPTH, steady=steady)


def timing_noise(seed: str) -> Noise:
    """A tenth up or down, and one timing in fifty three times too long."""
    chance = random.Random(seed)
    return lambda: chance.uniform(0.9, 1.1) * (3.0 if chance.random() < 0.02 else 1.0)


def profile_noise(seed: str) -> Noise:
    """A warm-up that measured each thing once."""
    chance = random.Random(seed)
    return lambda: chance.uniform(0.85, 1.15)


def mix(traces: dict[str, Trace], *names: str) -> Trace:
    """Answers one after another, as one that changes its topic."""
    return tuple(proposal for name in names for proposal in traces[name])


def foreseen(trace: Trace, costs: Costs) -> float:
    """Tokens per second of a planner that knows every confidence ahead, but not acceptance.

    It minimises the expected time to the end. No control sees as much: about what there is to win.
    """
    calibration = Calibration()
    ends = len(trace)
    left, depths = [0.0] * (ends + MAX_DEPTH + 2), [0] * ends
    for place in reversed(range(ends)):
        chance, rejected = 1.0, 0.0
        best = costs.verify[1] + left[place + 1]
        for depth in range(1, min(MAX_DEPTH, ends - place - 1) + 1):
            accept = calibration.chance(trace[place].confidence(depth - 1))
            rejected += chance * (1.0 - accept) * left[place + depth]
            chance *= accept
            seconds = depth * costs.draft + costs.verify[depth + 1]
            seconds += rejected + chance * left[place + depth + 1]
            if seconds < best:
                best, depths[place] = seconds, depth
        left[place] = best
    place, seconds = 0, 0.0
    while place < ends:
        depth = depths[place]
        seconds += depth * costs.draft + costs.verify[depth + 1]
        place += min(depth, trace[place].agreed) + 1
    return place / seconds


def bound(traces: dict[str, Trace], costs: Costs) -> Figures:
    return {n: [against_fixed(each, costs, foreseen(each, costs))] for n, each in traces.items()}


def exact(traces: dict[str, Trace], costs: Costs) -> Figures:
    return {
        name: [against_fixed(trace, costs, replay(trace, costs, controller(costs.model())))]
        for name, trace in traces.items()
    }


def later_starts(traces: dict[str, Trace], costs: Costs) -> Figures:
    """The same answers from a later token on: other steps, other luck."""
    starts = range(2, 24, 2)
    return {
        name: [exact({name: trace[start:]}, costs)[name][0] for start in starts]
        for name, trace in traces.items()
    }


def held_out(traces: dict[str, Trace], costs: Costs) -> Figures:
    """With the calibration learned from the other prompts."""
    figures: Figures = {}
    for name, trace in traces.items():
        calibration = Calibration()
        for other in (*(n for n in traces if n != name), name):
            control = DepthController(costs.model(), calibration, max_depth=MAX_DEPTH)
            rate = replay(traces[other], costs, control)
        figures[name] = [against_fixed(trace, costs, rate)]
    return figures


def noisy(traces: dict[str, Trace], costs: Costs, *, known: bool, seeds: int = 10) -> Figures:
    """Noisy timings, from a noisy warm-up or from nothing."""
    figures: Figures = {}
    for name, trace in traces.items():
        figures[name] = []
        for seed in range(seeds):
            start = costs.model(rows=WARM_UP_ROWS, noise=profile_noise(f"{name}{seed}"))
            control = controller(start if known else CostModel())
            rate = replay(trace, costs, control, noise=timing_noise(f"{name}{seed}"))
            figures[name].append(against_fixed(trace, costs, rate))
    return figures


def wrong_profile(traces: dict[str, Trace], costs: Costs, others: Sequence[Costs]) -> Figures:
    """Starting from each of the other tables, scaled to this one's plain step."""
    figures: Figures = {}
    for name, trace in traces.items():
        figures[name] = []
        for other in others:
            rate = replay(trace, costs, controller(other.scaled_to(costs.verify[1]).model()))
            figures[name].append(against_fixed(trace, costs, rate))
    return figures


def mixed(traces: dict[str, Trace], costs: Costs) -> Figures:
    topics = (("chat", "code", "story"), ("story", "rewrite", "chat"), ("code", "chat", "code"))
    return exact({" > ".join(each): mix(traces, *each) for each in topics}, costs)


def show(title: str, tables: dict[str, Figures]) -> None:
    """Mean (worst) against the best fixed depth, for each prompt and all; worst against off."""
    print(f"\n{title}: mean (worst) x the best fixed depth of each prompt")
    for table, figures in tables.items():
        print(f"  {table}")
        every = [each for some in figures.values() for each in some]
        for name, some in (*figures.items(), ("all", every)):
            best = [each[0] for each in some]
            off = min(each[1] for each in some)
            mean = sum(best) / len(best)
            print(f"    {name:24s} {mean:.3f} ({min(best):.3f})   off x {off:.3f} at worst")


def main() -> None:
    """Print all."""
    traces, tables = load()
    show("Exact costs", {name: exact(traces, costs) for name, costs in tables.items()})
    show("Every confidence foreseen", {name: bound(traces, each) for name, each in tables.items()})
    show("Later starts", {name: later_starts(traces, costs) for name, costs in tables.items()})
    show("Held out", {name: held_out(traces, costs) for name, costs in tables.items()})
    for known, title in ((True, "Noise, noisy warm-up"), (False, "Noise, no profile")):
        show(title, {name: noisy(traces, costs, known=known) for name, costs in tables.items()})
    show(
        "Another machine's profile",
        {
            name: wrong_profile(traces, costs, [c for n, c in tables.items() if n != name])
            for name, costs in tables.items()
        },
    )
    show("Topics change", {name: mixed(traces, costs) for name, costs in tables.items()})


if __name__ == "__main__":
    main()
