"""Reports: complete, equal in all forms, hostile names harmless, no network; two set against each
other.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.engine.protocol import Generate
from app.measure import plots, report, words
from app.measure.against import set_against
from app.measure.arms import parse_arms
from app.measure.report_data import summary_csv
from app.measure.report_files import write
from app.measure.report_page import to_html, to_markdown
from app.measure.results import Results, ResultsError
from app.measure.roofline import Roofline
from app.monitor.tariff import Tariff
from tests.unit.measure.bench_help import a_plan, run
from tests.unit.measure.scripted_link import Pace, ScriptedLink, pace_of

TARIFF = Tariff(0.3, "EUR")
ROOFLINE = Roofline((0.1, 0.11, 0.12, 0.2), 0.01, 1_000_000_000)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run(ScriptedLink(), tmp_path_factory.mktemp("report"))


def with_head(results: Results, part: str, change: dict[str, object]) -> Results:
    head = json.loads(json.dumps(dict(results.head)))
    head["circumstances"][part] |= change
    return replace(results, head=head)


def test_all_files_are_written_and_say_the_same(results: Results, tmp_path: Path) -> None:
    made = report.make(results, TARIFF, ROOFLINE)
    files = write(made, tmp_path / "new" / "folder")
    data = json.loads(files["report.json"].read_text())
    table = list(csv.DictReader(io.StringIO(files["summary.csv"].read_text())))
    requests = list(csv.DictReader(io.StringIO(files["requests.csv"].read_text())))
    assert len(requests) == len(results.requests)
    assert len(table) == len(data["rows"]) == 12
    for line, row in zip(table, data["rows"], strict=True):
        assert line["arm"] == row["arm"]
        assert float(line["tok_s_median"]) == pytest.approx(row["tokens_per_second"]["median"])
        assert float(line["cost_per_task"]) == pytest.approx(row["joules_per_task"] / 3.6e6 * 0.3)
        gain = row["speed_up"]
        assert (line["speed_up"] == "") == (gain is None)
        shown = words.factor(made.summary.rows[data["rows"].index(row)].speed_up)
        if gain is not None:
            assert shown in files["report.md"].read_text()
            assert shown in files["report.html"].read_text()


def test_an_unwritable_folder_is_said(results: Results, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ResultsError, match="results_unwritable"):
        write(report.make(results, TARIFF), tmp_path / "file")


class _Links(HTMLParser):
    """Collects what a page would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "data", "action") or name.startswith("on"):
                self.found.append(f"{tag} {name}={value}")


def links_of(page: str) -> _Links:
    links = _Links()
    links.feed(page)
    return links


def test_the_page_loads_nothing_and_runs_nothing(results: Results) -> None:
    page = to_html(report.make(results, TARIFF, ROOFLINE, "main.py bench"))
    links = links_of(page)
    assert links.found == []
    assert "script" not in links.tags
    assert "link" not in links.tags
    assert "@import" not in page
    assert not re.findall(r"url\(", page)
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) == {"http://www.w3.org/2000/svg"}


def test_hostile_names_stay_text(results: Results) -> None:
    bad = '<script>alert(1)</script>"><img src=x onerror=1>'
    hostile = with_head(results, "machine", {"processor": bad, bad: bad})
    hostile = with_head(hostile, "target", {"name": bad, "file": bad})
    links = links_of(to_html(report.make(hostile, TARIFF, command=bad)))
    assert links.found == []
    assert "script" not in links.tags
    assert "img" not in links.tags


def test_the_plots_are_well_formed_and_keep_inside(results: Results) -> None:
    rows = [row for row in report.make(results, TARIFF).summary.rows if row.workload == "chat"]
    for plot in (
        plots.speed_ups(rows),
        plots.speeds(rows),
        plots.acceptance(rows),
        plots.costs(ROOFLINE),
    ):
        root = ElementTree.fromstring(str(plot))
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for mark in root.iter():
            for name in ("x", "cx", "x1", "x2"):
                assert 0 <= float(mark.attrib.get(name, 0)) <= width
            for name in ("y", "cy", "y1", "y2"):
                assert 0 <= float(mark.attrib.get(name, 0)) <= height


def test_plots_of_nothing_are_nothing() -> None:
    assert not plots.speed_ups([])
    assert not plots.speeds([])
    assert not plots.acceptance([])


def test_without_energy_it_says_why_and_shows_no_zero(results: Results) -> None:
    bare = replace(
        results,
        waves=tuple(
            replace(wave, joules=None, energy_reason="energy_no_meter") for wave in results.waves
        ),
    )
    made = report.make(bare, TARIFF)
    page = to_html(made)
    assert "joules and cost are not available" in page
    assert "0.0 J" not in page
    assert next(csv.DictReader(io.StringIO(summary_csv(made))))["joules_per_task"] == ""


def test_one_wave_without_joules_leaves_no_cheap_looking_sum(results: Results) -> None:
    first = replace(results.waves[0], joules=None)
    made = report.make(replace(results, waves=(first, *results.waves[1:])), TARIFF)
    assert made.summary.rows[0].joules_per_task is None
    assert made.summary.rows[1].joules_per_task is not None


def test_a_report_of_an_unfinished_benchmark_says_so(results: Results) -> None:
    partly = replace(results, waves=results.waves[:9])
    assert "Not complete" in to_markdown(report.make(partly, TARIFF))


def test_an_answer_of_one_token_has_no_speed(tmp_path: Path) -> None:
    link = ScriptedLink(words=lambda _request, _count: [7])
    made = report.make(run(link, tmp_path), TARIFF)
    assert made.summary.rows[1].speed_up is None
    assert words.NOT_AVAILABLE in to_html(made)


# --- two benchmarks ------------------------------------------------------------------------------


def test_a_repetition_agrees_with_itself(results: Results) -> None:
    found = set_against(results, results)
    assert found.differs == ()
    assert {change.agree for change in found.changes if change.arm == "lookup"} <= {True, None}
    for change in found.changes:
        assert change.speed is not None
        assert change.speed.factor == pytest.approx(1.0)


def test_a_faster_machine_is_seen_and_named(results: Results, tmp_path: Path) -> None:
    def quicker(request: Generate) -> Pace:
        pace = pace_of(request)
        return replace(pace, seconds=pace.seconds / 2)

    other = run(ScriptedLink(pace=quicker), tmp_path)
    found = set_against(results, with_head(other, "machine", {"processor": "new"}))
    assert found.differs == (("processor", "Some CPU <8 cores>", "new"),)
    chat = next(change for change in found.changes if change.workload == "chat")
    assert chat.speed is not None
    assert chat.speed.factor == pytest.approx(2.0)
    assert any("2.00 ×" in line for line in words.against(found))


@pytest.mark.parametrize(
    ("part", "change", "what"),
    [
        ("target", {"sha256": "other"}, "target file"),
        ("draft", {"sha256": "other"}, "draft file"),
        ("settings", {"context": "2048"}, "context"),
        ("settings", {"KV cache": "q8_0"}, "KV cache"),
    ],
)
def test_what_should_be_equal_and_is_not_is_refused(
    results: Results, part: str, change: dict[str, object], what: str
) -> None:
    with pytest.raises(ResultsError) as caught:
        set_against(results, with_head(results, part, change))
    assert caught.value.code == "reports_not_comparable"
    assert str(caught.value.detail["what"]).startswith(what)


def test_other_prompts_or_lengths_are_refused(results: Results) -> None:
    head = json.loads(json.dumps(dict(results.head)))
    head["plan"]["workloads"]["chat"]["max_tokens"] = 64
    with pytest.raises(ResultsError, match="workload chat max_tokens"):
        set_against(results, replace(results, head=head))


def test_only_what_both_have_is_compared(results: Results, tmp_path: Path) -> None:
    fewer = run(ScriptedLink(), tmp_path, a_plan(arms=parse_arms("lookup"), requests=2))
    assert {change.arm for change in set_against(results, fewer).changes} == {"off", "lookup"}
