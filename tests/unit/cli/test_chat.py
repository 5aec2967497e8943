"""`chat`: where the prompt comes from, what goes to which output, what the figures say."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.cli import chat
from app.conversation import Role
from app.engine.protocol import (
    Cancel,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    LoadModels,
    LoadStep,
    ModelsLoaded,
    TextPiece,
    TokensGenerated,
)
from app.engine.stats import GenerationStats
from app.errors import RequestError
from tests.unit.cli.scripted_run import LOADED, ScriptedClient, given, scripted

STATS = GenerationStats(
    prompt_tokens=3, ttft_seconds=0.5, generated_tokens=9, generation_seconds=2.0, target_passes=4,
    drafted_tokens=8, accepted_tokens=6,
)  # fmt: skip
PIECES = (TextPiece("Hel"), TextPiece("thinking", reasoning=True), TextPiece("lo"))
ANSWER: tuple[Event, ...] = (
    TokensGenerated("chat", PIECES, (5, 6), STATS),
    GenerationFinished("chat", FinishReason.END, STATS, pieces=(TextPiece("!"),)),
)

Chat = Callable[..., int]


# --- the prompt -----------------------------------------------------------------------------------


class Input:
    def __init__(self, raw: bytes) -> None:
        self.buffer = io.BytesIO(raw)


def test_the_prompt_itself_is_taken_as_it_is() -> None:
    assert chat.read_prompt(" two  spaces\n") == " two  spaces\n"


def test_a_prompt_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_bytes("\ufeffzwölf\r\n".encode())
    assert chat.read_prompt(f"@{file}").splitlines() == ["zwölf"]


def test_a_prompt_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Input("zwölf\n".encode()))
    assert chat.read_prompt("-") == "zwölf\n"


@pytest.mark.parametrize("prompt", ["", " \n\t", "@"])
def test_an_empty_prompt_is_refused(prompt: str) -> None:
    with pytest.raises(RequestError) as raised:
        chat.read_prompt(prompt)
    assert raised.value.code in ("prompt_empty", "prompt_file_unreadable")


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name in ("missing", "binary"):
        with pytest.raises(RequestError) as raised:
            chat.read_prompt(f"@{tmp_path / name}")
        assert raised.value.code == "prompt_file_unreadable"
        assert raised.value.detail["path"] == str(tmp_path / name)


def test_standard_input_that_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Input(b"\xff"))
    with pytest.raises(RequestError) as raised:
        chat.read_prompt("-")
    assert raised.value.code == "prompt_not_text"


# --- a whole command ------------------------------------------------------------------------------


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> tuple[list[ScriptedClient], Chat]:
    """Runs `chat` on an engine that loads and then answers as told."""
    clients: list[ScriptedClient] = []

    def start(
        *arguments: str, loaded: ModelsLoaded = LOADED, answer: Sequence[Event] = ANSWER
    ) -> int:
        client, engine_run = scripted([loaded], answer)
        clients.append(client)
        monkeypatch.setattr(chat, "engine", lambda _: given(engine_run))
        monkeypatch.setattr(chat, "load_command", lambda _: LoadModels(Path("/t.gguf")))
        return cli.main(["chat", "--target", "/t.gguf", "--prompt", "hi", *arguments])

    return clients, start


def test_the_answer_goes_out_and_reasoning_and_figures_to_the_side(
    run: tuple[list[ScriptedClient], Chat], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run[1]() == 0
    out, err = capsys.readouterr()
    assert out == "Hello!\n"
    assert err.startswith("thinking")
    assert chat.summary(STATS) in err


def test_json_is_one_object_with_the_promised_keys(
    run: tuple[list[ScriptedClient], Chat], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run[1]("--json") == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    promised = ["text", "token_ids", "finish_reason", "stats", "energy", "versions"]
    assert list(answer) == promised
    assert (answer["text"], answer["token_ids"], answer["finish_reason"]) == (
        "Hello!",
        [5, 6],
        "end",
    )
    assert answer["stats"] == STATS.to_json()
    assert answer["versions"]["cpu_module"] == "fast"


def test_options_reach_the_engine(run: tuple[list[ScriptedClient], Chat]) -> None:
    clients, start = run
    start("--system", "Be brief.", "--depth", "3", "--temperature", "0", "--max-tokens", "7")
    request = clients[0].sent[1]
    assert isinstance(request, Generate)
    assert [message.role for message in request.messages] == [Role.SYSTEM, Role.USER]
    assert request.prompt is None
    assert (request.options.depth, request.options.max_tokens) == (3, 7)
    assert request.options.sampling.temperature == 0.0
    start("--raw")
    raw = clients[1].sent[1]
    assert isinstance(raw, Generate)
    assert (raw.prompt, raw.messages) == ("hi", ())


def test_a_system_prompt_without_a_template_is_refused_before_loading(
    run: tuple[list[ScriptedClient], Chat], capsys: pytest.CaptureFixture[str]
) -> None:
    clients, start = run
    assert start("--raw", "--system", "Be brief.") == 1
    assert "--raw" in capsys.readouterr().err
    assert clients[0].sent == []


def test_what_was_given_up_is_said(
    run: tuple[list[ScriptedClient], Chat], capsys: pytest.CaptureFixture[str]
) -> None:
    step = LoadStep("context_shrunk", {"asked": 8192, "n_ctx": 2048})
    reason = {"no_draft_because": "draft_cannot_rewind", "no_draft_detail": {"architecture": "x"}}
    run[1](loaded=replace(LOADED, steps=(step,), **reason))  # type: ignore[arg-type]
    err = capsys.readouterr().err
    assert "2048 tokens instead of 8192" in err
    assert "This draft (x) cannot take back" in err


def test_interrupting_cancels_and_says_so(
    run: tuple[list[ScriptedClient], Chat],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(chat, "_receive", interrupt)
    assert run[1]() == cli.INTERRUPTED
    assert run[0][0].sent[-1] == Cancel("chat")
    assert capsys.readouterr().err == "Stopped.\n"


# --- figures --------------------------------------------------------------------------------------


def test_the_summary_is_one_line() -> None:
    assert chat.summary(STATS) == (
        "9 tokens, first after 0.50 s, 4.0 tok/s, 75% of 8 drafted tokens accepted,"
        " 2.00 tokens a pass"
    )


def test_the_summary_leaves_out_what_cannot_be_had() -> None:
    assert chat.summary(GenerationStats(generated_tokens=1)) == "1 token, first after 0.00 s"
