"""Break-even, best depth, bandwidth, the sentence; and the profile kept of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.depth_profile import DepthProfile
from app.engine.protocol import KvType, LoadModels, Measured
from app.errors import StorageError
from app.hub.gguf import read_model_file
from app.measure import profiles
from app.measure.roofline import Roofline, bytes_per_pass, expected_tokens, verdict

FLAT = Roofline((0.1,) * 8, 0.01)  # more rows for nothing: memory-bound
STEEP = Roofline(tuple(0.1 * rows for rows in range(1, 9)), 0.01)  # each row as dear as a pass


def test_break_even_earns_exactly_its_price() -> None:
    roofline = Roofline(tuple(0.05 + 0.02 * rows for rows in range(1, 17)), 0.008)
    for depth, least in roofline.break_even().items():
        if least is not None:
            assert expected_tokens(least, depth) == pytest.approx(roofline.price(depth), rel=1e-6)


def test_one_token_for_the_price_of_a_fifth() -> None:
    """A depth of 1 at flat cost and a draft of a tenth pays from 10 % on: 1 + a > 1.1."""
    assert FLAT.break_even()[1] == pytest.approx(0.1)


def test_where_rows_are_dear_nothing_pays() -> None:
    assert set(STEEP.break_even().values()) == {None}
    assert STEEP.pays_from() is None
    assert STEEP.best_depth(0.99).depth == 0
    assert "leave it off" in verdict(STEEP)


@pytest.mark.parametrize("acceptance", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_best_depth_is_no_worse_than_any(acceptance: float) -> None:
    roofline = Roofline((0.063, 0.064, 0.07, 0.108, 0.136, 0.14, 0.17, 0.197), 0.012)
    best = roofline.best_depth(acceptance)
    every = [expected_tokens(acceptance, d) / roofline.price(d) for d in range(8)]
    assert best.speed_up == pytest.approx(max(every))
    assert roofline.best_depth(acceptance, most=2).depth <= 2


def test_full_acceptance_on_flat_costs_goes_to_the_end() -> None:
    best = FLAT.best_depth(1.0)
    assert best.depth == 7
    assert best.speed_up == pytest.approx(8 / 1.7)


def test_lookup_drafts_for_nothing() -> None:
    assert replace(FLAT, draft_seconds=None).break_even()[1] == pytest.approx(0.0, abs=1e-9)


def test_the_sentence_says_what_the_machine_is() -> None:
    assert "memory-bound" in verdict(FLAT)
    assert "compute-bound" in verdict(STEEP)
    assert "costs 1.0 × checking one" in verdict(FLAT)


def test_bandwidth_is_weights_over_time() -> None:
    assert replace(FLAT, pass_bytes=2_000_000_000).bandwidth_bytes_per_second == pytest.approx(2e10)
    assert FLAT.bandwidth_bytes_per_second is None


@pytest.mark.model
def test_the_embedding_counts_only_where_the_output_shares_it(target_model: Path) -> None:
    header = read_model_file(target_model)
    whole = sum(tensor.used_bytes for tensor in header.tensors)
    embedding = next(t.used_bytes for t in header.tensors if t.name == "token_embd.weight")
    is_tied = not any(tensor.name == "output.weight" for tensor in header.tensors)
    assert bytes_per_pass(header) == (whole if is_tied else whole - embedding)


# --- profiles ------------------------------------------------------------------------------------

COMMAND = LoadModels(Path("/models/a.gguf"), Path("/models/b.gguf"))
MEASURED = Measured("m", (0.1, 0.11, 0.12), 0.02, 5)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    return tmp_path


def test_what_is_saved_comes_back_for_the_same_load() -> None:
    assert profiles.load(COMMAND) is None
    profiles.save(COMMAND, MEASURED)
    profile = DepthProfile.from_json(profiles.load(COMMAND) or "")
    assert profile.verify_seconds == MEASURED.verify_seconds
    assert profile.draft_seconds == 0.02


@pytest.mark.parametrize(
    "other",
    [{"threads": 3}, {"gpu_layers": 5}, {"kv_type": KvType.Q8_0}, {"draft": None}],
)
def test_another_placement_has_other_costs(other: dict[str, object]) -> None:
    profiles.save(COMMAND, MEASURED)
    assert profiles.load(replace(COMMAND, **other)) is None  # type: ignore[arg-type]


def test_another_computer_or_another_file_of_the_name(tmp_path: Path) -> None:
    assert profiles.profile_file(COMMAND, "one") != profiles.profile_file(COMMAND, "two")
    target = tmp_path / "t.gguf"
    command = LoadModels(target)
    target.write_bytes(b"one")
    before = profiles.profile_file(command)
    target.write_bytes(b"longer")
    assert profiles.profile_file(command) != before


def test_what_was_learned_of_the_draft_stays() -> None:
    path = profiles.save(COMMAND, MEASURED)
    known = DepthProfile.from_json(path.read_text())
    bins = len(DepthProfile.from_json(known.to_json()).calibration) or 10
    learned = replace(known, calibration=tuple((1.0, 2.0) for _ in range(bins)))
    path.write_text(learned.to_json())
    profiles.save(COMMAND, replace(MEASURED, verify_seconds=(0.2, 0.3)))
    again = DepthProfile.from_json(path.read_text())
    assert again.verify_seconds == (0.2, 0.3)
    assert again.calibration == DepthProfile.from_json(learned.to_json()).calibration


@pytest.mark.parametrize("damage", ["", "{", '{"version": 99}', "\ufffd\x00", "[1,2]"])
def test_a_damaged_profile_is_as_if_never_measured(damage: str) -> None:
    profiles.save(COMMAND, MEASURED).write_text(damage)
    assert profiles.load(COMMAND) is None


def test_a_folder_that_cannot_be_used_is_said(home: Path) -> None:
    (home / "profiles").write_text("in the way")
    with pytest.raises(StorageError):
        profiles.save(COMMAND, MEASURED)
