"""What is kept of a pair on this machine, so that depth control need not learn it again.

Knows neither files nor models: text in, text out. Imports nothing of the engine but its two
estimates.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeGuard

from app.engine.calibration import BINS, Calibration, Counts
from app.engine.costs import MAX_ROWS, CostModel

PROFILE_VERSION = 1


@dataclass(frozen=True, slots=True)
class DepthProfile:
    """Costs and calibration of one pair on one machine. The default knows nothing.

    Attributes:
        verify_seconds: the target's time for 1, 2, ... rows; 0.0 where it was not measured.
        draft_seconds: the draft's time per token; 0.0 if not measured.
        calibration: (accepted, seen) for each confidence bin of the draft model; empty if unknown.
    """

    verify_seconds: tuple[float, ...] = ()
    draft_seconds: float = 0.0
    calibration: Counts = ()

    @classmethod
    def of(cls, costs: CostModel, calibration: Calibration) -> DepthProfile:
        """What the running estimates say now."""
        measured = costs.measured
        rows = range(1, max(measured, default=0) + 1)
        draft_seconds = costs.draft_seconds if costs.knows_draft else 0.0
        return cls(tuple(measured.get(n, 0.0) for n in rows), draft_seconds, calibration.counts)

    def costs(self) -> CostModel:
        """Running estimates that start here."""
        return CostModel(dict(enumerate(self.verify_seconds, start=1)), self.draft_seconds)

    def to_json(self) -> str:
        """One JSON object, with its version."""
        return json.dumps(
            {
                "version": PROFILE_VERSION,
                "verify_seconds": self.verify_seconds,
                "draft_seconds": self.draft_seconds,
                "calibration": self.calibration,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> DepthProfile:
        """The saved profile; a damaged part, or another version, is as if never measured."""
        try:
            saved = json.loads(text)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(saved, dict) or saved.get("version") != PROFILE_VERSION:
            return cls()
        draft_seconds = saved.get("draft_seconds")
        return cls(
            _seconds(saved.get("verify_seconds")),
            draft_seconds if _is_amount(draft_seconds) else 0.0,
            _counts(saved.get("calibration")),
        )


def _is_amount(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value < 1e9


def _seconds(value: object) -> tuple[float, ...]:
    if not isinstance(value, list) or len(value) > MAX_ROWS or not all(map(_is_amount, value)):
        return ()
    return tuple(float(each) for each in value)


def _counts(value: object) -> Counts:
    if not isinstance(value, list) or len(value) != BINS:
        return ()
    pairs = []
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2 or not all(map(_is_amount, pair)):
            return ()
        accepted, seen = float(pair[0]), float(pair[1])
        if accepted > seen:
            return ()
        pairs.append((accepted, seen))
    return tuple(pairs)
