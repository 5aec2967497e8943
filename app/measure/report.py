"""A benchmark's report: what was measured, and what follows from it.

Its forms are in report_data.py (JSON, CSV) and report_page.py (Markdown, HTML); report_files.py
writes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.measure.advice import Advice, on_benchmark, on_bound
from app.measure.results import Results
from app.measure.roofline import Roofline
from app.measure.summary import Summary, summarise
from app.monitor.tariff import Tariff


@dataclass(frozen=True, slots=True)
class Report:
    """All that goes into the files.

    Attributes:
        command: the command line that repeats it; "" when it was not started by one.
    """

    results: Results
    summary: Summary
    tariff: Tariff
    roofline: Roofline | None = None
    command: str = ""

    @property
    def advice(self) -> list[Advice]:
        """What follows from the figures."""
        bound = on_bound(self.roofline) if self.roofline is not None else []
        return on_benchmark(self.summary) + bound


def make(
    results: Results, tariff: Tariff, roofline: Roofline | None = None, command: str = ""
) -> Report:
    """A report of what was measured so far."""
    return Report(results, summarise(results), tariff, roofline, command)
