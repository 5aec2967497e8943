"""The commands as a script meets them: a process of its own, its two outputs, its exit code."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app import __version__
from app.engine.protocol import FinishReason
from app.paths import STARTER_MODEL
from tests.conftest import STARTER, model_file
from tests.model import tiny_models

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[2]
QUESTION = "Name three colours."
ANSWER = {"text", "token_ids", "finish_reason", "stats", "energy", "versions"}
STATS = set(
    "prompt_tokens cached_tokens prompt_seconds ttft_seconds generated_tokens generation_seconds"
    " tokens_per_second target_passes drafted_tokens accepted_tokens acceptance"
    " accepted_by_position drafted_by_position tokens_per_pass mean_depth target_seconds"
    " draft_seconds host_seconds".split()
)
ROOFLINE = {
    "target",
    "draft",
    "verify_seconds",
    "draft_seconds",
    "repetitions",
    "break_even_acceptance",
    "best_depth",
    "memory_bound",
    "bandwidth_bytes_per_second",
}

Run = subprocess.CompletedProcess[bytes]


def run(*arguments: str | Path, given: bytes = b"", **environment: str) -> Run:
    """`python main.py ...` and what came of it."""
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *map(str, arguments)],
        input=given,
        capture_output=True,
        timeout=300,
        check=False,
        env=os.environ | environment,
    )


def chat(*arguments: str | Path, prompt: str = QUESTION, given: bytes = b"") -> Run:
    """A short greedy answer of the starter model, with one thread."""
    how = ("--temperature", "0", "--max-tokens", "8", "--threads", "1", "--ctx", "512")
    target = ("--target", model_file(STARTER), "--prompt", prompt)
    return run("chat", *target, *how, *arguments, given=given)


def parsed(done: Run) -> dict[str, Any]:
    """The one object on standard output."""
    assert done.stdout.count(b"\n") == 1
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@cache
def as_json() -> dict[str, Any]:
    """The answer that others are compared with."""
    done = chat("--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    return parsed(done)


# --- chat -----------------------------------------------------------------------------------------


def test_text_goes_to_standard_output_and_figures_to_standard_error() -> None:
    done = chat()
    assert done.returncode == 0
    assert done.stdout.decode() == as_json()["text"] + os.linesep
    assert done.stderr.decode().startswith("8 tokens, first after ")
    assert done.stderr.count(b"\n") == 1


def test_json_has_exactly_the_promised_keys() -> None:
    answer = as_json()
    assert set(answer) == ANSWER
    assert set(answer["stats"]) == STATS
    assert answer["finish_reason"] in {reason.value for reason in FinishReason}
    assert answer["energy"]["available"] is False
    assert "not available" in answer["energy"]["reason"]
    assert answer["versions"]["slipstream"] == __version__
    assert {"llama-cpp-python", "numpy", "cpu_module"} <= set(answer["versions"])


def test_the_numbers_agree_with_each_other() -> None:
    answer = as_json()
    stats = answer["stats"]
    assert answer["finish_reason"] == "length"
    assert stats["generated_tokens"] == len(answer["token_ids"]) == 8
    assert stats["cached_tokens"] == 0
    assert stats["ttft_seconds"] >= stats["prompt_seconds"] > 0
    inside = stats["target_seconds"] + stats["draft_seconds"] + stats["host_seconds"]
    assert inside == pytest.approx(stats["generation_seconds"])
    assert stats["tokens_per_second"] == pytest.approx(7 / stats["generation_seconds"])
    assert stats["tokens_per_pass"] == pytest.approx(7 / stats["target_passes"])


def test_the_prompt_may_come_from_a_file_or_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "question.txt"
    file.write_text("\ufeff" + QUESTION, encoding="utf-8")  # as Windows editors save it
    from_file = parsed(chat("--json", prompt=f"@{file}"))
    piped = parsed(chat("--json", prompt="-", given=QUESTION.encode()))
    assert from_file["token_ids"] == piped["token_ids"] == as_json()["token_ids"]


def test_a_system_prompt_counts_and_raw_leaves_the_template_out() -> None:
    usual = as_json()["stats"]["prompt_tokens"]
    other = parsed(chat("--json", "--system", "You answer in French, and only in French, always."))
    assert other["stats"]["prompt_tokens"] != usual
    raw = parsed(chat("--json", "--raw", prompt="one two three"))
    assert raw["stats"]["prompt_tokens"] == 3
    both = chat("--json", "--raw", "--system", "Be brief.")
    assert both.returncode == 1
    assert parsed(both)["error"]["code"] == "system_prompt_needs_template"


def test_an_answer_in_any_script_survives_a_pipe_in_any_encoding() -> None:
    prompt = "Привет, 你好, 🙂. Привет, 你好, 🙂. Привет, 你好, 🙂. Привет, 你好,"
    target = ("--target", model_file(STARTER), "--prompt", "-", "--raw", "--temperature", "0")
    done = run(
        "chat",
        *target,
        "--max-tokens",
        "4",
        "--threads",
        "1",
        given=prompt.encode(),
        PYTHONIOENCODING="ascii",
    )
    assert done.returncode == 0, done.stderr
    assert not done.stdout.decode().isascii()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[str | Path, ...]:
    """A made-up target and a smaller draft of its family."""
    folder = tmp_path_factory.mktemp("pair")
    target = tiny_models.llama(folder / "target.gguf")
    draft = tiny_models.llama(folder / "draft.gguf", layers=1)
    return "--target", target, "--draft", draft


def test_a_seed_makes_a_drawn_answer_repeatable(pair: tuple[str | Path, ...]) -> None:
    how = ("--prompt", "abc", "--raw", "--max-tokens", "8", "--threads", "1", "--temperature", "2")
    drawn = [
        parsed(run("chat", *pair[:2], *how, "--json", "--seed", seed))["token_ids"]
        for seed in ("7", "7", "8")
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_draft_is_used_and_its_part_is_told(pair: tuple[str | Path, ...]) -> None:
    how = ("--prompt", "abc", "--raw", "--max-tokens", "12", "--threads", "1", "--temperature", "0")
    done = run("chat", *pair, *how, "--speculation", "draft", "--depth", "2", "--json")
    assert done.returncode == 0, done.stderr
    stats = parsed(done)["stats"]
    assert stats["drafted_tokens"] > 0
    assert len(stats["drafted_by_position"]) == 2
    assert sum(stats["drafted_by_position"]) == stats["drafted_tokens"]
    assert stats["draft_seconds"] > 0
    off = run("chat", *pair, *how, "--speculation", "off", "--json")
    assert parsed(off)["token_ids"] == parsed(done)["token_ids"]
    words = run("chat", *pair, *how, "--speculation", "draft", "--depth", "2")
    assert b"drafted tokens accepted" in words.stderr


def test_a_draft_asked_for_and_not_given_is_refused() -> None:
    done = chat("--speculation", "draft")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no draft is loaded" in done.stderr


# --- failures -------------------------------------------------------------------------------------


def test_a_failure_is_a_sentence_and_exit_code_1(tmp_path: Path) -> None:
    done = run("chat", "--target", tmp_path / "none.gguf", "--prompt", "a")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"none.gguf is not there" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_failure_in_json_is_an_object_too(tmp_path: Path) -> None:
    done = run("chat", "--target", tmp_path / "none.gguf", "--prompt", "a", "--json")
    assert done.returncode == 1
    error = parsed(done)
    assert set(error) == {"error"}
    assert set(error["error"]) == {"code", "detail", "message"}
    assert error["error"]["code"] == "file_missing"
    assert error["error"]["message"] in done.stderr.decode()


@pytest.mark.parametrize(
    ("prompt", "given", "code"),
    [
        ("  ", b"", "prompt_empty"),
        ("-", b"", "prompt_empty"),
        ("-", b"\xff\xfe\x00", "prompt_not_text"),
        ("@no such file", b"", "prompt_file_unreadable"),
    ],
)
def test_a_prompt_that_cannot_be_had(prompt: str, given: bytes, code: str) -> None:
    done = chat("--json", prompt=prompt, given=given)
    assert done.returncode == 1
    assert parsed(done)["error"]["code"] == code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "COMMAND"),
        (("dance",), "dance"),
        (("chat", "--prompt", "a"), "--target"),
        (("chat", "--target", "x.gguf"), "--prompt"),
        (("chat", "--target", "x", "--prompt", "a", "--temperature", "-1"), "not between"),
        (("chat", "--target", "x", "--prompt", "a", "--speculation", "best"), "off, draft, lookup"),
        (("roofline",), "--target"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_nothing_on_standard_output(
    arguments: tuple[str, ...], said: str
) -> None:
    if not arguments:
        arguments = ("--json",)  # nothing at all opens the window
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()


def test_version_is_told_without_an_engine() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert __version__ in done.stdout.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is another thing on Windows")
def test_interrupting_ends_the_engine_and_keeps_what_was_written() -> None:
    arguments = ("chat", "--target", str(model_file(STARTER)), "--prompt", "Tell a long story.")
    with subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), *arguments, "--threads", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        begun = process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        rest, err = process.stdout.read(), process.stderr.read()
        assert process.wait(60) == 130
    assert (begun + rest).strip()
    assert b"Stopped." in err
    assert b"Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows tells it otherwise")
def test_a_reader_that_goes_away_is_no_crash() -> None:
    arguments = ("chat", "--target", str(model_file(STARTER)), "--prompt", "Tell a long story.")
    with subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), *arguments, "--threads", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        err = process.stderr.read()
        assert process.wait(60) == 1
    assert err == b""


# --- roofline, self-test --------------------------------------------------------------------------


def test_roofline_measures_up_to_sixteen_rows(pair: tuple[str | Path, ...]) -> None:
    done = run("roofline", *pair, "--repeat", "1", "--threads", "1", "--ctx", "512", "--json")
    assert done.returncode == 0, done.stderr
    answer = parsed(done)
    assert set(answer) == ROOFLINE
    assert len(answer["verify_seconds"]) == 16
    assert all(seconds > 0 for seconds in (*answer["verify_seconds"], answer["draft_seconds"]))
    assert list(answer["break_even_acceptance"]) == [str(depth) for depth in range(1, 16)]
    assert (answer["target"], answer["draft"]) == (str(pair[1]), str(pair[3]))


def test_roofline_in_words(pair: tuple[str | Path, ...]) -> None:
    done = run("roofline", *pair[:2], "--repeat", "1", "--threads", "1", "--ctx", "512")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert [line.split()[0] for line in lines[1:17]] == [str(rows) for rows in range(1, 17)]
    assert lines[-1].startswith("Checking 5 tokens costs ")


def place_for_starter(home: Path) -> Path:
    place = home / "models" / STARTER_MODEL
    place.parent.mkdir(parents=True)
    return place


def test_self_test_starts_every_part(tmp_path: Path) -> None:
    place: Callable[[Path, Path], object] = shutil.copy if sys.platform == "win32" else os.symlink
    place(model_file(STARTER), place_for_starter(tmp_path))
    done = run("self-test", "--json", SLIPSTREAM_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    report = parsed(done)
    assert report["ok"] is True
    assert report["starter"]["present"] is True
    assert report["starter"]["tokens"] > 0
    assert report["engine"]["devices"][0]["total_bytes"] > 0
    assert "llama-cpp-python" in report["engine"]["versions"]


def test_self_test_fails_with_a_sentence_when_the_starter_is_damaged(tmp_path: Path) -> None:
    place_for_starter(tmp_path).write_bytes(b"GGUF and nothing more")
    done = run("self-test", SLIPSTREAM_HOME=str(tmp_path))
    assert done.returncode == 1
    assert STARTER in done.stdout.decode()
    assert "ok: False" in done.stdout.decode()
