"""An answer's text, numbers and end do not depend on who drafted it; stop strings included."""

from __future__ import annotations

import random

import pytest

from app.engine.answers import Answer
from app.engine.decoding import Decoder
from app.engine.protocol import (
    FinishReason,
    Generate,
    GenerationFinished,
    GenerationOptions,
    Speculation,
    TokensGenerated,
)
from app.engine.stats import StatsRecorder
from app.engine.text import AnswerText
from tests.unit.engine.scripted_model import END, Bench, ScriptedModel, peaked

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letter(token: int) -> bytes:
    """Token 0 ends an answer; the others are letters."""
    return LETTERS[token % len(LETTERS)].encode()


def run(
    seed: int, kind: str, depth: int | None, *, stops: tuple[str, ...], budget: int, n_ctx: int
) -> tuple[str, list[int], FinishReason, int]:
    """One answer through Decoder and Answer: text, committed tokens, reason, generated tokens."""
    n_vocab = 9
    bench = Bench(
        ScriptedModel(peaked(n_vocab, seed), n_vocab),
        ScriptedModel(peaked(n_vocab, seed, wrong_in_hundred=20), n_vocab),
    )
    track = bench.track(0, [1, 2, 3], bench.drafter(kind, depth, [0]), budget, n_ctx)
    command = Generate("x", prompt="", options=GenerationOptions(stop=stops))
    answer = Answer(
        command,
        track,
        AnswerText(stops),
        StatsRecorder(started_at=0.0, prompt_tokens=3),
        Speculation.AUTO,
    )
    decoder = Decoder(bench.target, lambda token: token == END)
    text, now = "", 0.0
    result = decoder.read_prompt(track, 64)
    while True:
        assert result is not None
        now += 0.1
        pieces = {token: letter(token) for token in (*result.emitted, *result.refused)}
        for event in answer.take(result, pieces, now):
            if isinstance(event, TokensGenerated | GenerationFinished):
                text += "".join(piece.text for piece in event.pieces)
            if isinstance(event, GenerationFinished):
                return text, track.tokens, event.reason, event.stats.generated_tokens
        if track.in_memory > len(track.tokens) - 1:
            decoder.rewind(track, len(track.tokens) - 1)
        result = decoder.step([track])[0]


@pytest.mark.parametrize("kind", ["draft", "lookup", "chain"])
def test_every_way_of_drafting_ends_alike(kind: str) -> None:
    random_ = random.Random(kind)
    for trial in range(500):
        stops = tuple(
            "".join(random_.choice(LETTERS[:9]) for _ in range(random_.randint(1, 3)))
            for _ in range(random_.randint(0, 2))
        )
        budget, n_ctx = random_.choice([1, 5, 40]), random_.choice([6, 20, 80])
        depth = random_.choice([None, 1, 3, 8])
        plain = run(trial, "off", None, stops=stops, budget=budget, n_ctx=n_ctx)
        fast = run(trial, kind, depth, stops=stops, budget=budget, n_ctx=n_ctx)
        assert fast == plain, f"trial {trial}, stops {stops}, depth {depth}"


def test_nothing_behind_a_stop_string_is_committed_or_counted() -> None:
    text, tokens, reason, generated = run(3, "draft", 8, stops=("b",), budget=40, n_ctx=80)
    assert reason is FinishReason.STOP_STRING
    assert "b" not in text
    # the token that completed the stop string was generated; what was accepted behind it was not
    assert generated == len(tokens) - 3
    assert letter(tokens[-1]) == b"b"


def test_auto_says_what_it_came_to() -> None:
    track = Bench(ScriptedModel(peaked(9, 1), 9), ScriptedModel(peaked(9, 1), 9))
    answer = Answer(
        Generate("x"),
        track.track(0, [1], track.drafter("off", None, [0]), 5, 10),
        AnswerText(()),
        StatsRecorder(started_at=0.0),
        Speculation.AUTO,
    )
    assert answer.in_force is Speculation.OFF
    answer.speculation = Speculation.DRAFT
    assert answer.in_force is Speculation.DRAFT


def test_the_pass_that_only_ends_the_answer_counts_for_nothing() -> None:
    for seed in range(200):
        bench = Bench(ScriptedModel(peaked(9, seed), 9), ScriptedModel(peaked(9, seed), 9))
        track = bench.track(0, [1, 2, 3], bench.drafter("off", None, [0]), 60, 80)
        answer = Answer(
            Generate("x"), track, AnswerText(()), StatsRecorder(started_at=0.0), Speculation.OFF
        )
        decoder = Decoder(bench.target, lambda token: token == END)
        result, now = decoder.read_prompt(track, 64), 0.0
        while result is not None:
            now += 0.1
            pieces = {token: letter(token) for token in result.emitted}
            events = answer.take(result, pieces, now)
            if isinstance(events[-1], GenerationFinished):
                break
            result = decoder.step([track])[0]
        stats = events[-1].stats
        assert stats.target_passes == max(0, stats.generated_tokens - 1)
        assert stats.target_seconds == pytest.approx(0.001 * stats.target_passes)
