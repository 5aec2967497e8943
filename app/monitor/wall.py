"""Watts the user read from a plug meter: the whole machine idle, and under load. Imports errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.errors import AppError


@dataclass(frozen=True, slots=True)
class WallFigures:
    """What the plug meter said.

    Attributes:
        load_watts: while an answer is written.
        idle_watts: while nothing happens; None when it was not read.
    """

    load_watts: float
    idle_watts: float | None = None

    def check(self) -> None:
        """Refuse figures that cannot be right.

        Raises:
            AppError: "wall_figures_swapped", "wall_figures_unusable".
        """
        idle = self.idle_watts
        if not math.isfinite(self.load_watts) or self.load_watts <= 0:
            raise AppError("wall_figures_unusable", watts=f"{self.load_watts:g}")
        if idle is None:
            return
        if not math.isfinite(idle) or idle < 0:
            raise AppError("wall_figures_unusable", watts=f"{idle:g}")
        if idle >= self.load_watts:
            raise AppError("wall_figures_swapped", idle=f"{idle:g}", load=f"{self.load_watts:g}")

    def joules(self, seconds: float, *, subtract_idle: bool) -> float:
        """Energy of a task; without an idle figure nothing is subtracted."""
        idle = self.idle_watts if subtract_idle and self.idle_watts is not None else 0.0
        return (self.load_watts - idle) * seconds
