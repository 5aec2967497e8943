"""Writing a report's files."""

from __future__ import annotations

import json
from pathlib import Path

from app.measure.report import Report
from app.measure.report_data import requests_csv, summary_csv, to_json
from app.measure.report_page import to_html, to_markdown
from app.measure.results import ResultsError


def write(report: Report, folder: Path) -> dict[str, Path]:
    """Write all files; returns them by kind.

    Raises:
        ResultsError: "results_unwritable".
    """
    texts = {
        "report.json": json.dumps(to_json(report), ensure_ascii=False, indent=1),
        "summary.csv": summary_csv(report),
        "requests.csv": requests_csv(report.results.requests),
        "report.md": to_markdown(report),
        "report.html": to_html(report),
    }
    written: dict[str, Path] = {}
    for name, text in texts.items():
        path = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            reason = error.strerror or str(error)
            raise ResultsError("results_unwritable", path=str(path), reason=reason) from error
        written[name] = path
    return written
