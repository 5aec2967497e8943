"""The arithmetic of break-even, and the sentence made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as each
from hypothesis import strategies as st

from app import cli
from app.cli import roofline
from app.engine.protocol import LoadModels, Measured
from app.errors import StorageError
from app.measure.roofline import Roofline, verdict
from tests.unit.cli.scripted_run import LOADED, given, scripted
from tests.unit.hub import made_up

FLAT = tuple(1.0 for _ in range(16))
STEEP = tuple(float(rows) for rows in range(1, 17))


def break_even(verify: tuple[float, ...], draft: float | None) -> dict[int, float | None]:
    return Roofline(verify, draft).break_even()


def expected(acceptance: float, depth: int) -> float:
    return sum(acceptance**power for power in range(depth + 1))


def test_free_checking_and_drafting_pay_at_once() -> None:
    assert all(least == pytest.approx(0.0, abs=1e-9) for least in break_even(FLAT, 0.0).values())


def test_checking_that_costs_as_much_as_plain_decoding_never_pays() -> None:
    assert set(break_even(STEEP, 0.1).values()) == {None}


def test_a_known_case() -> None:
    # one drafted token at 0.1, two rows at 1.2: a step costs 1.3 and emits 1 + a
    assert break_even((1.0, 1.2), 0.1) == {1: pytest.approx(0.3)}
    assert break_even((1.0, 1.2), None) == {1: pytest.approx(0.2)}


def test_every_depth_that_was_measured_has_an_answer() -> None:
    assert list(break_even(FLAT, 0.1)) == list(range(1, 16))
    assert break_even((1.0,), 0.1) == {}


@each(
    st.lists(st.floats(0.1, 3.0), min_size=2, max_size=16).map(sorted),
    st.floats(0.0, 1.0),
)
def test_at_break_even_a_step_earns_its_price(verify: list[float], draft: float) -> None:
    for depth, least in break_even(tuple(verify), draft).items():
        price = (depth * draft + verify[depth]) / verify[0]
        if least is None:
            assert price >= depth + 1
        else:
            assert expected(least, depth) == pytest.approx(max(1.0, price), abs=1e-6)


def said(verify: tuple[float, ...], draft: float | None) -> str:
    return verdict(Roofline(verify, draft))


def test_the_verdict_names_the_bound_and_the_cheapest_depth() -> None:
    flat = (1.0, 1.01, 1.02, 1.05, 1.2)
    text = said(flat, 0.05)
    assert text.startswith("Checking 5 tokens costs 1.2 × checking one here: memory-bound.")
    assert "Drafting 1 token pays above 6% acceptance." in text
    steps = (1.0, 1.9, 1.9, 1.9, 1.9)  # kernels in groups: only a longer draft pays
    assert "compute-bound. Drafting 4 tokens pays above 5" in said(steps, 0.01)


def test_the_verdict_when_nothing_pays() -> None:
    text = said(STEEP, 0.5)
    assert "compute-bound" in text
    assert "No acceptance makes drafting pay" in text


def test_the_verdict_of_a_target_with_few_rows() -> None:
    assert said((1.0, 1.1), None).startswith("Checking 2 tokens costs 1.1 ×")
    assert said((1.0,), None).startswith("Checking 1 tokens costs 1.0 ×")


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command(
    as_json: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.gguf"
    path.write_bytes(made_up.model())
    measured = Measured("roofline", (0.010, 0.012), 0.001, 2)
    kept: list[object] = []
    _, run = scripted([LOADED], [measured])
    monkeypatch.setattr(roofline, "engine", lambda: given(run))
    monkeypatch.setattr(roofline, "load_command", lambda _: LoadModels(path))
    monkeypatch.setattr(roofline.profiles, "save", lambda *what: kept.append(what))
    arguments = ["roofline", "--target", str(path), "--repeat", "2"]
    assert cli.main([*arguments, "--json"] if as_json else arguments) == 0
    assert kept == [(LoadModels(path), measured)]
    out = capsys.readouterr().out
    if not as_json:
        assert out.splitlines()[2].split() == ["2", "12.0", "1.20"]
        assert "one drafted token: 1.0 ms" in out
        assert out.splitlines()[-1].startswith("Checking 2 tokens costs 1.2 ×")
        return
    answer: dict[str, Any] = json.loads(out)
    assert (answer["target"], answer["draft"]) == ("/t.gguf", None)
    assert answer["verify_seconds"] == [0.010, 0.012]
    assert (answer["draft_seconds"], answer["repetitions"]) == (0.001, 2)
    assert answer["break_even_acceptance"] == {"1": pytest.approx(0.3)}
    assert answer["memory_bound"] is True


def test_a_profile_that_cannot_be_kept_costs_no_measurement(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise StorageError("disk_full_saving", path="/full")

    monkeypatch.setattr(roofline.profiles, "save", refuse)
    roofline.keep_profile(LoadModels(Path("/t.gguf")), Measured("r", FLAT, None, 1))
    assert "/full" in capsys.readouterr().err
