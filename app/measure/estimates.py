"""Median, percentile and the bootstrap interval of a speed-up. Imports nothing of app."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

import numpy as np

RESAMPLES = 10_000
CONFIDENCE = 0.95
LEAST_PAIRS = 4  # an interval from fewer says nothing
_SEED = 20_260_101


class Finding(StrEnum):
    """What an interval allows to say."""

    FASTER = "faster"
    SLOWER = "slower"
    NO_DIFFERENCE = "no difference shown"
    TOO_FEW = "too few to say"


@dataclass(frozen=True, slots=True)
class SpeedUp:
    """How much faster an arm is than "off" on the same prompts.

    Attributes:
        factor: geometric mean of the ratios, prompt by prompt.
        low, high: bootstrap interval; None with too few pairs.
        pairs: how many ratios.
    """

    factor: float
    low: float | None
    high: float | None
    pairs: int

    @property
    def finding(self) -> Finding:
        """Faster or slower only when the whole interval is."""
        if self.low is None or self.high is None:
            return Finding.TOO_FEW
        if self.low > 1.0:
            return Finding.FASTER
        return Finding.SLOWER if self.high < 1.0 else Finding.NO_DIFFERENCE


def percentile(values: Sequence[float], percent: float) -> float:
    """By straight lines between the order statistics, as numpy and spreadsheets do."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def median(values: Sequence[float]) -> float:
    """The middle value."""
    return percentile(values, 50)


def speed_up(pairs: Sequence[tuple[float, float]]) -> SpeedUp | None:
    """From (speed of the arm, speed without drafting) of the same prompts; None without any.

    Percentile bootstrap over the pairs (Efron and Tibshirani 1993, chapter 13), on the logarithms
    of the ratios: a pair is drawn as a whole, so that easy and hard prompts do not blur it.
    """
    ratios = [math.log(arm / off) for arm, off in pairs if arm > 0 and off > 0]
    if not ratios:
        return None
    factor = math.exp(fmean(ratios))
    if len(ratios) < LEAST_PAIRS:
        return SpeedUp(factor, None, None, len(ratios))
    logs = np.asarray(ratios)
    picks = np.random.default_rng(_SEED).integers(len(logs), size=(RESAMPLES, len(logs)))
    means = logs[picks].mean(axis=1)
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = (float(np.exp(np.percentile(means, each))) for each in (tail, 100 - tail))
    return SpeedUp(factor, low, high, len(ratios))
