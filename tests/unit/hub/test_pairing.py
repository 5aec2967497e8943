"""Which rule refuses which pair, in which order, and what it cost to find out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.errors import PairingError
from app.hub.gguf import FileSource, Header, Want, read_header
from app.hub.pairing import Verdict, judge, propose
from app.messages import SENTENCES, sentence
from tests.unit.hub import made_up as made

TAIL = {"bos_token_id": 1, "eos_token_id": 2, "add_bos_token": True, "add_eos_token": False}


Write = Callable[..., Header]


@pytest.fixture
def model(tmp_path: Path) -> Write:
    """Write a made-up model and read as little of it as a judgement may start with."""

    def write(name: str, **how: Any) -> Header:
        path = tmp_path / f"{name}.gguf"
        settings: dict[str, Any] = {"tail": TAIL, **how}
        path.write_bytes(made.model(**settings))
        return read_header(FileSource(path), Want.SIZING)

    return write


def code(verdict: Verdict) -> str | None:
    """The reason's code, having checked that its sentence can be said in full."""
    if verdict.reason is None:
        return None
    said = sentence(verdict.reason.code, dict(verdict.reason.detail))
    assert verdict.reason.code in SENTENCES
    assert "{" not in said
    return verdict.reason.code


def tail(**changes: int | bool) -> dict[str, int | bool]:
    return {**TAIL, **changes}


def test_a_smaller_model_with_the_same_vocabulary_may_draft(model: Write) -> None:
    verdict = judge(model("target", width=640), model("draft", width=64))
    assert verdict.ok
    assert verdict.reason is None
    verdict.require()


def test_the_first_rule_that_fails_is_the_one_that_is_named(model: Write) -> None:
    """Each draft breaks its rule and all later ones, so any change of the order shows."""
    target = model("target", width=64)
    broken: dict[str, Any] = {"width": 64, "architecture": "mamba"}
    expected = []
    steps: list[tuple[str, dict[str, Any]]] = [
        ("pair_draft_cannot_rewind", {"width": 32}),
        ("pair_draft_not_smaller", {}),
        ("pair_token_text", {"tokens": [*made.tokens_of(200), "other", *made.tokens_of(99, "x")]}),
        ("pair_vocabulary_size", {"tokens": [*made.tokens_of(200), *made.tokens_of(300, "x")]}),
        ("pair_eos_only_draft", {"tail": tail(add_eos_token=True)}),
        ("pair_bos_ids", {"tail": tail(add_eos_token=True, bos_token_id=3)}),
        ("pair_vocabulary_kind", {"tokenizer": "llama"}),
        ("pair_draft_not_a_model", {"architecture": "clip"}),
    ]
    for rule, how in steps:
        broken = {**broken, **how}
        if rule == "pair_draft_not_smaller":
            broken["width"] = 64
        expected.append((code(judge(target, model("draft", **broken))), rule))
    assert [found for found, _ in expected] == [rule for _, rule in expected]


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ({"add_bos_token": False}, "pair_bos_only_target"),
        ({"bos_token_id": 3}, "pair_bos_ids"),
        ({"add_eos_token": True}, "pair_eos_only_draft"),
        ({"eos_token_id": 3}, None),  # an id that is never added does not matter
    ],
)
def test_bos_and_eos(model: Write, theirs: dict[str, int], expected: str | None) -> None:
    target, draft = model("target", width=640), model("draft", tail=tail(**theirs))
    assert code(judge(target, draft)) == expected


def test_ids_matter_once_they_are_added(model: Write) -> None:
    both = tail(add_eos_token=True)
    target, draft = model("t", tail=both, width=640), model("d", tail={**both, "eos_token_id": 9})
    assert code(judge(target, draft)) == "pair_eos_ids"
    with pytest.raises(PairingError) as caught:
        judge(target, draft).require()
    assert caught.value.detail == {"target": 2, "draft": 9}


@pytest.mark.parametrize(("size", "expected"), [(428, None), (429, "pair_vocabulary_size")])
@pytest.mark.parametrize("larger", ["target", "draft"])
def test_sizes_may_differ_by_128(
    model: Write, size: int, expected: str | None, larger: str
) -> None:
    sizes = {"target": 300, "draft": 300, larger: size}
    target = model("target", tokens=made.tokens_of(sizes["target"]), width=640)
    draft = model("draft", tokens=made.tokens_of(sizes["draft"]))
    assert code(judge(target, draft)) == expected


@pytest.mark.parametrize(("token", "expected"), [(4, None), (5, "pair_token_text")])
def test_texts_count_from_id_5_on(model: Write, token: int, expected: str | None) -> None:
    tokens = made.tokens_of(300)
    tokens[token] = "⟨b⟩"
    verdict = judge(model("target", width=640), model("draft", tokens=tokens))
    assert code(verdict) == expected
    if verdict.reason is not None:
        assert verdict.reason.detail == {"token": 5, "target": "t5", "draft": "⟨b⟩"}


def test_a_difference_in_the_last_shared_token_is_found(model: Write) -> None:
    tokens = [*made.tokens_of(299), "other"]
    verdict = judge(model("target", width=640), model("draft", tokens=tokens))
    assert verdict.reason is not None
    assert verdict.reason.detail["token"] == 299


def test_a_model_may_draft_for_itself_only_when_asked(model: Write) -> None:
    same = model("same")
    verdict = judge(same, same)
    assert code(verdict) == "pair_draft_not_smaller"
    with pytest.raises(PairingError, match="pair_draft_not_smaller"):
        verdict.require()
    assert judge(same, same, allow_same_size=True).ok


def test_hybrids_with_snapshots_may_draft(model: Write) -> None:
    target = model("target", width=640)
    assert judge(target, model("a", architecture="qwen35")).ok
    assert code(judge(target, model("b", architecture="jamba"))) == "pair_draft_cannot_rewind"
    assert code(judge(target, model("c", architecture="rwkv7"))) == "pair_draft_cannot_rewind"


def test_an_unknown_tokenizer_is_refused_by_name(model: Write) -> None:
    target, odd = model("target", width=640), model("odd", tokenizer="novel")
    assert code(judge(target, odd)) == "pair_draft_vocabulary_unknown"
    assert code(judge(odd, odd)) == "pair_target_vocabulary_unknown"


def test_hints_say_what_is_usually_not_worth_it(model: Write) -> None:
    experts = [made.scalar("llama.expert_count", made.U32, 8)]
    verdict = judge(model("target", width=640, early=experts), model("draft", width=320))
    codes = {hint.code for hint in verdict.hints}
    assert codes == {
        *("hint_draft_heavy", "hint_target_experts", "hint_target_small"),
        "hint_draft_unquantised",
    }
    assert verdict.discouraged
    for hint in verdict.hints:
        assert "{" not in sentence(hint.code, dict(hint.detail))
    large = judge(model("t", width=640), model("d", width=128))
    assert "hint_draft_large" in {hint.code for hint in large.hints}


def test_proposals_put_the_best_first_and_keep_the_refused(model: Write, tmp_path: Path) -> None:
    target = model("target", width=6400)
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(made.model(tokens=made.tokens_of(9000))[:90_000])
    candidates = [
        model("huge", width=6400),
        read_header(FileSource(broken), Want.SIZING),
        model("heavy", width=3200),
        model("tenth", width=640),
        model("tiny", width=4),
        model("other", tokenizer="llama"),
        model("twentieth", width=320),
    ]
    proposals = propose(target, candidates)
    order = [Path(proposal.draft.name_of_file).stem for proposal in proposals]
    assert order[:4] == ["twentieth", "tenth", "tiny", "heavy"]
    assert {proposal.verdict.ok for proposal in proposals[:4]} == {True}
    refused = {Path(p.draft.name_of_file).stem: code(p.verdict) for p in proposals[4:]}
    assert refused == {
        "huge": "pair_draft_not_smaller",
        "broken": "pair_vocabulary_size",
        "other": "pair_vocabulary_kind",
    }


def test_a_broken_file_does_not_hide_the_others(model: Write, tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(made.model(tokens=made.tokens_of(9000), tail=TAIL)[:90_000])
    target = model("target", tokens=made.tokens_of(9000), width=640)
    broken = read_header(FileSource(path), Want.SIZING)
    proposals = propose(target, [broken, model("draft", tokens=made.tokens_of(9000))])
    assert [code(proposal.verdict) for proposal in proposals] == [None, "file_truncated"]


def far_pair(folder: Path, **draft: Any) -> tuple[made.Counted, made.Counted]:
    """Two files as large as those of a real family, read as if over a network."""
    merges = [f"{'a' * (i % 5 + 1)} b{i}" for i in range(150_000)]
    usual: dict[str, Any] = {
        "tokens": made.tokens_of(150_000, "token"),
        "merges": merges,
        "tail": TAIL,
    }
    sources = []
    both: dict[str, dict[str, Any]] = {"target": {"width": 640}, "draft": draft}
    for name, how in both.items():
        path = folder / f"{name}.gguf"
        path.write_bytes(made.model(**{**usual, **how}))
        sources.append(made.Counted(path))
    return sources[0], sources[1]


@pytest.mark.parametrize(
    ("draft", "expected", "most_bytes"),
    [
        ({"tokenizer": "llama"}, "pair_vocabulary_kind", 132_000),
        ({"tokens": made.tokens_of(50_000)}, "pair_vocabulary_size", 132_000),
        ({"tail": {**TAIL, "add_eos_token": True}}, "pair_eos_only_draft", 200 * 1024),
        ({"width": 64}, None, 8 * 1024 * 1024),
    ],
)
def test_what_a_verdict_costs_before_the_download(
    tmp_path: Path, draft: dict[str, Any], expected: str | None, most_bytes: int
) -> None:
    near, far = far_pair(tmp_path, **draft)
    verdict = judge(read_header(near, Want.SIZING), read_header(far, Want.SIZING))
    assert code(verdict) == expected
    assert near.bytes_read + far.bytes_read <= most_bytes
