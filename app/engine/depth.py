"""How many tokens to draft next: one more while it pays for itself on this machine, with this text.

One `DepthController` per sequence and drafter; the costs and the calibration behind it are shared
by the requests of a loaded pair. Pure Python without a clock; imports only its estimates.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.calibration import AsSaid, Calibration, Outlook
from app.engine.costs import MAX_ROWS, CostModel
from app.engine.depth_control import DepthControl, DepthReason, FixedDepth
from app.engine.depth_profile import DepthProfile
from app.engine.gain import (
    Ledger,
    Prices,
    Rate,
    best_depth,
    best_gain,
    best_hint,
    gain_ahead,
    worth_keeping,
)

__all__ = [
    "Calibration",
    "CostModel",
    "DepthControl",
    "DepthController",
    "DepthProfile",
    "DepthReason",
    "FixedDepth",
    "Rate",
]

# Above 8 rows CUDA changes kernels.
STEADY_MAX_DEPTH = 7


class DepthController:
    """Depth by marginal gain, for one sequence and one drafter.

    Without a calibration the drafter's confidences are taken as chances. `free_draft` is for
    drafters without a model (lookup). `steady` is for devices that pay for each change of the
    batch's shape: the depth is held, and moves after a while and for a clear gain only.
    """

    uses_confidence = True

    # Steps that draft whatever is expected, at the start of an answer: as many as can be afforded,
    # and at least so many, since the first may be unlucky.
    LOOK_STEPS = 3
    LEAST_LOOKS = 2
    # At depth 0: plain steps before the first probe, doubled after each that found nothing. Where
    # looking has cost enough already, only the last holds.
    FIRST_GAP = 4
    LAST_GAP = 48
    # While c_v(1) rests on few timings: one more after so many drafting steps for each.
    MEASURE_GAP = 8
    # Until c_d has been measured, go no deeper than this.
    UNMEASURED_DEPTH = 3
    # Tokens that a step must promise beyond a plain one's, while nothing was lost so far, and
    # after.
    LEAST_GAIN = 0.05
    GAIN_AFTER_LOSS = 0.2
    # Steady: steps for which a depth is held, the depth of a look, and what another depth must
    # promise.
    HOLD_STEPS = 8
    STEADY_LOOK = 3
    # How wrong measured costs may be before a pair is called hopeless.
    DOUBT_IN_COSTS = 1.25
    CLEAR_GAIN = 1.04

    def __init__(  # noqa: PLR0913 - each is a separate fact of the drafter
        self,
        costs: CostModel,
        calibration: Calibration | None,
        *,
        max_depth: int,
        steady: bool = False,
        free_draft: bool = False,
        rate: Rate | None = None,
        look_always: bool = False,
    ) -> None:
        self._costs = costs
        self._calibration = calibration or AsSaid()
        self._max_depth = max(min(max_depth, STEADY_MAX_DEPTH if steady else MAX_ROWS - 2), 0)
        self._steady = steady
        self._free_draft = free_draft
        self._look_always = look_always
        self._rate = rate or Rate()
        self._reason = DepthReason.LOOKING
        self.begin_answer()

    def begin_answer(self) -> None:
        """Forget the last answer's text; keep what was learned about the draft and the machine."""
        self._outlook = Outlook()
        self._rate.reset()
        self._looks_left = self.LOOK_STEPS
        self._gap = self.FIRST_GAP
        self._plain_steps = 0
        self._drafting_steps = 0
        self._ledger = Ledger()
        self._limit = 0
        self._drafted: Sequence[float] = ()
        self._kept: int | None = None
        # what the other sequences of the batch add: rows, and tokens per token of this one
        self._other_rows = 0
        self._batch_tokens = 1.0
        self._behind = 0
        self._held = 0
        self._held_steps = 0

    @property
    def reason(self) -> DepthReason:
        """Why the depth is what it is now."""
        return self._reason

    def plan(self, room: int, behind: int = 0) -> int:
        """The most this step may draft, within `room` (budget and context); 0 for a plain step.

        `behind` tokens must be read before the first can be drafted.
        """
        self._behind = behind
        self._drafted, self._kept = (), None
        self._limit = max(min(room, self._max_depth, self._known_depth()), 0)
        self._prices = self._price(self._rate.tokens_per_second(self._plain_seconds))
        self._reason = self._judge()
        if self._reason in (DepthReason.LOSES, DepthReason.MEASURING):
            self._limit = 0
        elif self._steady:
            paying = self._reason is DepthReason.PAYS
            self._limit = min(self._limit, self._held if paying else self.STEADY_LOOK)
        return self._limit

    def wants_more(self, confidences: Sequence[float], passes: float = 1.0) -> bool:
        """Whether to draft another token, given those of this step's tokens so far."""
        if len(confidences) >= self._limit:
            return False
        if not confidences or self._free_draft or self._steady:
            return True
        return self._gain(confidences, passes) > 0.0

    def pass_cost(self, rows: int) -> float:
        """What a draft pass over so many rows costs, in passes over one: the target's own ratio,
        since both run on the same machine.
        """
        table = self._costs.table
        return table[min(rows, MAX_ROWS)] * max(1.0, rows / MAX_ROWS) / table[1]

    def hinted(self, chances: Sequence[float]) -> tuple[int, float]:
        """How many tokens of a hint to read along; see `DepthControl.hinted`."""
        costs = [self.pass_cost(rows) for rows in range(1, len(chances) + 2)]
        count, passes = best_hint(chances, costs)
        if self._steady and 0 < count < len(chances):
            # passes of few different shapes
            return len(chances), passes
        return count, passes

    def promise(self, passes: float) -> float:
        """Tokens that drafting promises beyond a plain step, if the first takes so many passes."""
        if self._limit == 0:
            return 0.0
        if not self._steady:
            return self._gain((), passes)
        prices, depth = self._prices, self._limit
        expected = sum(self._outlook.survival(depth))
        drafting = (depth - 1 + passes) * prices.draft
        return expected - drafting - prices.verify[depth] + prices.verify[0]

    def worth(self, chances: Sequence[float]) -> tuple[int, float]:
        """How many tokens of these chances to verify, and the gain over a plain step."""
        return best_gain(chances[: len(self._prices.verify) - 1], self._prices)

    def _gain(self, confidences: Sequence[float], passes: float) -> float:
        chances = [self._calibration.chance(each) for each in confidences]
        prices = self._prices
        ahead = gain_ahead(chances, self._outlook, prices, self._limit)
        return ahead + (1.0 - passes) * prices.draft

    def keep(self, confidences: Sequence[float]) -> int:
        """How many of the drafted tokens are worth verifying. Once per step."""
        self._drafted = tuple(confidences)
        self._kept = len(confidences)
        if confidences and not self._steady:
            chances = [self._calibration.chance(each) for each in confidences]
            self._kept = worth_keeping(chances, self._prices)
            if self._free_draft:
                self._kept = self._judge_free(self._kept)
        return self._kept

    def observe(  # noqa: PLR0913 - all of it is measured in one step
        self,
        drafted_confidences: Sequence[float],
        accepted: int,
        *,
        verify_rows: int,
        verify_seconds: float,
        draft_seconds: float,
        draft_passes: float,
        emitted: int,
        step_seconds: float,
    ) -> None:
        """Learn from a finished step; see `DepthControl.observe`."""
        costs = self._costs
        if not self._free_draft:
            costs.observe_draft(draft_passes, draft_seconds)
        costs.observe_host(step_seconds - verify_seconds - draft_seconds)
        # the caller may have left out the tail that was dropped; its doubts are worth learning from
        drafted = max(self._drafted, drafted_confidences, key=len)
        verified = len(drafted_confidences) if self._kept is None else self._kept
        costs.observe_verify(verify_rows, verify_seconds, shared=verify_rows > verified + 1)
        self._note_batch(min(verify_rows, MAX_ROWS), verified + 1)
        seconds = self._draft_seconds * draft_passes + costs.table[min(verify_rows, MAX_ROWS)]
        seconds += costs.host_seconds
        self._rate.observe(emitted, seconds)
        self._ledger.observe(emitted, seconds / self._plain_seconds)
        first_wrong = accepted + 1
        self._outlook.observe([self._calibration.chance(each) for each in drafted[:first_wrong]])
        for index, confidence in enumerate(drafted[: min(first_wrong, verified)]):
            self._calibration.observe(confidence, index < accepted)
        self._space_probes(drafted=verified > 0 if self._free_draft else len(drafted) > 0)

    @property
    def could_pay(self) -> bool:
        """Whether drafting would win if every token were accepted, timings being off by a quarter.

        Where it would not, there is nothing to look for: not even the prompt need be read by the
        draft. Without measured costs, or where the user wants to see drafts, it could.
        """
        costs = self._costs
        if self._free_draft or self._look_always or not (costs.knows_draft and costs.knows_plain):
            return True
        plain, table = costs.table[1] + costs.host_seconds, costs.table
        most = min(self._max_depth, self._known_depth())
        return any(
            table[depth + 1] + depth * costs.draft_seconds + costs.host_seconds
            < (depth + 1) * plain * self.DOUBT_IN_COSTS
            for depth in range(1, most + 1)
        )

    @property
    def _draft_seconds(self) -> float:
        return 0.0 if self._free_draft else self._costs.draft_seconds

    @property
    def _plain_seconds(self) -> float:
        rows = min(self._other_rows + 1, MAX_ROWS)
        return self._costs.table[rows] + self._costs.host_seconds

    def _note_batch(self, rows: int, own_rows: int) -> None:
        self._other_rows = max(rows - own_rows, 0)
        self._batch_tokens = max(rows / own_rows, 1.0)

    def _known_depth(self) -> int:
        """No cost is believed far beyond what was measured."""
        if not self._free_draft and not self._costs.knows_draft:
            return self.UNMEASURED_DEPTH
        return max(2 * self._costs.most_rows_known, self.UNMEASURED_DEPTH)

    def _price(self, rate: float) -> Prices:
        """Costs in tokens, at a rate in tokens per second.

        A draft pass serves the whole batch, so it is shared; a longer target pass delays all of it.
        """
        table, first = self._costs.table, min(self._other_rows + 1, MAX_ROWS)
        rows = range(first, first + self._limit + 1)
        verify = [rate * self._batch_tokens * table[min(each, MAX_ROWS)] for each in rows]
        return Prices(verify, rate * self._draft_seconds)

    def _judge(self) -> DepthReason:
        costs = self._costs
        if self._limit == 0:
            return DepthReason.NO_ROOM
        if not costs.knows_plain and self._drafting_steps >= self.MEASURE_GAP * costs.plain_timings:
            return DepthReason.MEASURING
        if self._free_draft:
            return DepthReason.PAYS
        if not costs.knows_draft:
            return DepthReason.LOOKING
        if not self.could_pay:
            return DepthReason.LOSES
        if self._looks_on():
            return DepthReason.LOOKING
        if self._pays():
            return DepthReason.PAYS
        due = self._plain_steps >= (self._gap if self._ledger.affordable else self.LAST_GAP)
        due = due and self._ledger.bears(self._reading)
        return DepthReason.PROBING if due else DepthReason.LOSES

    @property
    def _reading(self) -> float:
        """What reading all that the draft missed takes, in plain steps; on a CPU that is much."""
        passes = self.pass_cost(self._behind + 1) - 1.0
        return passes * self._draft_seconds / self._plain_seconds

    def _looks_on(self) -> bool:
        looked = self.LOOK_STEPS - self._looks_left
        return looked < self.LEAST_LOOKS or (self._looks_left > 0 and self._ledger.affordable)

    def _judge_free(self, kept: int) -> int:
        """A free draft is judged when seen, and now and then verified though it seems to lose."""
        if kept == 0 and self._plain_steps >= self._gap and self._ledger.affordable:
            self._reason, kept = DepthReason.PROBING, 1
        elif kept == 0:
            self._reason = DepthReason.LOSES
        return kept

    def _pays(self) -> bool:
        """Whether a step that drafts promises enough more than a plain one."""
        if self._steady:
            return self._held_depth() > 0
        hurdle = self.LEAST_GAIN if self._ledger.affordable else self.GAIN_AFTER_LOSS
        hurdle += self._reading
        # against plain decoding, so at its rate: no confidence is known yet that could make this
        # step special
        prices = self._price(1.0 / self._plain_seconds)
        return gain_ahead((), self._outlook, prices, self._limit) > hurdle

    def _held_depth(self) -> int:
        self._held_steps += 1
        if self._held_steps >= self.HOLD_STEPS or self._held == 0:
            depth, yields = best_depth(self._outlook, self._prices, self._limit)
            if self._held >= len(yields) or yields[depth] > self.CLEAR_GAIN * yields[self._held]:
                self._held, self._held_steps = depth, 0
        return self._held

    def _space_probes(self, *, drafted: bool) -> None:
        """The longer drafting goes on losing, the rarer the probes."""
        if not drafted:
            self._plain_steps += 1
            self._drafting_steps = 0
            return
        self._looks_left -= 1
        self._drafting_steps += 1
        self._plain_steps = 0
        if self._reason is DepthReason.PROBING:
            self._gap = min(self._gap * 2, self.LAST_GAP)
        elif self._reason is DepthReason.PAYS:
            self._gap = self.FIRST_GAP
