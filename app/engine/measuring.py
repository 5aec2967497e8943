"""Timing the loaded pair: the target by rows of a batch, the draft by token. For the roofline and
for depth control's first costs. And reading logits, where two answers differ.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from app.engine.costs import CostModel
from app.engine.depth_profile import DepthProfile
from app.engine.pair import Pair
from app.engine.protocol import Measure, Measured
from app.engine.tracks import Row, TokenModel
from app.errors import RequestError

_PREFIX = 64  # cells in memory while measuring: attention over an empty memory would flatter
_FIRST_ROWS = (1, 2, 4, 5, 8)
_FIRST_SECONDS = 3.0


def first_costs(pair: Pair) -> CostModel:
    """Warm both models up and time each once, within about three seconds; depth control learns the
    rest while it works.
    """
    target = pair.target_context
    _fill(target)
    _pass(target, 1)
    if pair.command.profile is not None:
        known = DepthProfile.from_json(pair.command.profile)
        if known.verify_seconds and (known.draft_seconds > 0.0) == (pair.draft is not None):
            return _warmed_up(pair, known.costs())
    began = time.perf_counter()
    verify: dict[int, float] = {}
    # twice, the better of both: one disturbed pass could make a pair look hopeless
    for rows in (*_FIRST_ROWS, *_FIRST_ROWS):
        if verify and (time.perf_counter() - began > _FIRST_SECONDS or not pair.target_rewinds):
            break
        verify[rows] = min(_pass(target, rows), verify.get(rows, float("inf")))
    draft = 0.0
    if pair.draft_context is not None:
        _fill(pair.draft_context)
        _pass(pair.draft_context, 1)
        draft = min(_pass(pair.draft_context, 1) for _ in range(3))
        pair.draft_context.clear()
    target.clear()
    return CostModel(verify, draft)


def _warmed_up(pair: Pair, costs: CostModel) -> CostModel:
    """Costs that were measured before; one pass each tells whether they still hold."""
    costs.observe_verify(1, _pass(pair.target_context, 1))
    if pair.draft_context is not None:
        _fill(pair.draft_context)
        _pass(pair.draft_context, 1)
        costs.observe_draft(1, _pass(pair.draft_context, 1))
        pair.draft_context.clear()
    pair.target_context.clear()
    return costs


def measure_pair(pair: Pair, command: Measure, keep_going: Callable[[], bool]) -> Measured:
    """Medians of `repetitions` passes for each number of rows, row counts interleaved so that drift
    hits all alike.

    Raises:
        RequestError: "measure_cancelled" when `keep_going` says no.
    """
    target, draft = pair.target_context, pair.draft_context
    most = min(command.max_rows, target.max_outputs)
    verify: dict[int, list[float]] = {rows: [] for rows in range(1, most + 1)}
    drafted: list[float] = []
    _fill(target)
    if draft is not None:
        _fill(draft)
    for round_ in range(command.repetitions + 1):
        for rows, times in verify.items():
            if not keep_going():
                target.clear()
                raise RequestError("measure_cancelled", request_id=command.request_id)
            seconds = _pass(target, rows)
            if round_:  # the first round warms up
                times.append(seconds)
        if draft is not None:
            seconds = _pass(draft, 1)
            if round_:
                drafted.append(seconds)
    target.clear()
    if draft is not None:
        draft.clear()
    return Measured(
        command.request_id,
        tuple(median(times) for times in verify.values()),
        median(drafted) if drafted else None,
        command.repetitions,
    )


def read_logits(context: TokenModel, tokens: Sequence[int], n_ctx: int) -> NDArray[np.float32]:
    """Logits after `tokens`, through sequence 0, which must be empty and is left so.

    The last token is a batch of its own, as in decoding without a draft.

    Raises:
        RequestError: "prompt_too_long".
    """
    if len(tokens) > n_ctx:
        raise RequestError("prompt_too_long", prompt_tokens=len(tokens), fits=n_ctx)
    last = len(tokens) - 1
    for start in range(0, last, context.n_batch):
        stop = min(last, start + context.n_batch)
        context.decode([(tokens[place], place, 0, False) for place in range(start, stop)])
    context.decode([(tokens[last], last, 0, True)])
    logits = context.logits(0).copy()
    context.remove_tail(0, 0)
    return logits


def _fill(context: TokenModel) -> None:
    """Put a prefix into sequence 0."""
    context.remove_tail(0, 0)
    context.decode([(0, place, 0, place == _PREFIX - 1) for place in range(_PREFIX)])


def _pass(context: TokenModel, rows: int) -> float:
    """Seconds of one batch of `rows` rows behind the prefix, logits fetched, memory rewound."""
    batch: list[Row] = [(0, _PREFIX + place, 0, True) for place in range(rows)]
    began = time.perf_counter()
    context.decode(batch)
    context.logits(rows - 1)
    spent = time.perf_counter() - began
    if not context.remove_tail(0, _PREFIX):
        # a memory that cannot rewind is filled anew
        _fill(context)
    return spent
