"""Bad input against the real engine: a clear sentence each time, and the engine goes on."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.engine import backends
from app.engine.engine import Engine
from app.engine.protocol import (
    Detail,
    Event,
    FinishReason,
    Generate,
    GenerationFinished,
    LoadFailed,
    LoadModels,
    LoadProgress,
    ModelsLoaded,
    PromptProgress,
    RequestFailed,
    Speculation,
    TokensGenerated,
    WorkerExited,
)
from app.hub.gguf import read_model_file
from app.hub.pairing import judge
from app.messages import sentence
from tests.model import tiny_models
from tests.model.conftest import Loader
from tests.model.engine_help import ask, options
from tests.process.conftest import Harness

pytestmark = pytest.mark.model

REAL = "app.engine.engine:create"
SKIP_NONE: frozenset[str] = frozenset()
Make = Callable[[Path], Path]


# --- helpers --------------------------------------------------------------------------------------


def said(code: str, detail: Detail) -> str:
    """The sentence of a failure: known, complete, and with a next step."""
    text = sentence(code, detail)
    assert "unexpected happened" not in text, f"{code} has no sentence"
    assert "{" not in text, text
    assert len(re.findall(r"[.!](?:\s|$)", text)) >= 2, f"no next step in: {text}"
    return text


def load(harness: Harness, target: Path, draft: Path | None = None, **how: Any) -> Event:
    """Load and wait for what comes of it: loaded, refused, or dead."""
    before = len(harness.of(ModelsLoaded, LoadFailed, WorkerExited))
    settings = {"n_ctx": 1024, "min_ctx": 256, "threads": 1} | how
    harness.client.send(LoadModels(target, draft, **settings))
    harness.wait(object, lambda _: len(harness.of(ModelsLoaded, LoadFailed, WorkerExited)) > before)
    return harness.of(ModelsLoaded, LoadFailed, WorkerExited)[before]


def loaded(harness: Harness, target: Path, draft: Path | None = None, **how: Any) -> ModelsLoaded:
    event = load(harness, target, draft, **how)
    assert isinstance(event, ModelsLoaded), event
    return event


def refused(harness: Harness, target: Path, draft: Path | None = None, **how: Any) -> LoadFailed:
    event = load(harness, target, draft, **how)
    assert isinstance(event, LoadFailed), event
    return event


def answer(
    harness: Harness, name: str, how: Speculation = Speculation.AUTO, prompt: str = "abc"
) -> GenerationFinished | RequestFailed:
    """Ask for a few tokens and wait for the end."""
    harness.client.send(Generate(name, prompt=prompt, options=options(how, max_tokens=4)))

    def is_end(event: object) -> bool:
        ends = isinstance(event, GenerationFinished | RequestFailed)
        return ends and getattr(event, "request_id", None) == name

    end = harness.wait(object, is_end)
    assert isinstance(end, GenerationFinished | RequestFailed)
    return end


def still_answers(harness: Harness, name: str, how: Speculation = Speculation.AUTO) -> None:
    end = answer(harness, name, how)
    assert isinstance(end, GenerationFinished), end
    assert end.stats.generated_tokens == 4


def chat(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> tuple[int, dict[str, Any], str]:
    """`chat --json` in this process: exit code, the object on standard output, standard error."""
    how = ("--prompt", "a", "--threads", "1", "--max-tokens", "2", "--raw", "--json")
    code = cli.main(["chat", *map(str, arguments), *how])
    out, err = capsys.readouterr()
    return code, json.loads(out), err


def fails(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[str, str]:
    """Code and sentence of a `chat` that must fail."""
    exit_code, out, err = chat(capsys, *arguments)
    assert exit_code == 1
    assert set(out) == {"error"}
    error = out["error"]
    assert set(error) == {"code", "detail", "message"}
    assert error["message"] == said(error["code"], error["detail"])
    assert err.strip().endswith(error["message"])
    return error["code"], error["message"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Make], Path]:
    """Made-up models, each written once."""
    folder = tmp_path_factory.mktemp("models")
    known: dict[Make, Path] = {}

    def make(how: Make) -> Path:
        if how not in known:
            known[how] = how(folder / f"{how.__name__}.gguf")
        return known[how]

    return make


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    """One real worker for all that it must survive."""
    harness = Harness(tmp_path_factory.mktemp("shared"), REAL, SKIP_NONE)
    harness.started()
    pid = harness.client.pid
    yield harness
    assert harness.client.pid == pid, "something ended the worker"
    harness.client.stop()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Callable[..., Harness]]:
    """Real workers for tests that end them."""
    started: list[Harness] = []

    def make(factory: str = REAL, skip: frozenset[str] = SKIP_NONE) -> Harness:
        started.append(Harness(tmp_path / "logs", factory, skip))
        started[-1].started()
        return started[-1]

    yield make
    for harness in started:
        harness.client.stop()


# --- files that are no models ---------------------------------------------------------------------


def web_page(path: Path) -> Path:
    path.write_text("<!doctype html><title>Sign in</title>" * 100)
    return path


def empty(path: Path) -> Path:
    path.touch()
    return path


def folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


def missing(path: Path) -> Path:
    return path


def cut_in_header(path: Path) -> Path:
    path.write_bytes(tiny_models.llama(path).read_bytes()[:2_000])
    return path


def cut_in_weights(path: Path) -> Path:
    path.write_bytes(tiny_models.llama(path).read_bytes()[:-20_000])
    return path


def boasts_of_keys(path: Path) -> Path:
    raw = bytearray(tiny_models.llama(path).read_bytes())
    raw[16:24] = struct.pack("<Q", 2**61)
    path.write_bytes(raw)
    return path


def boasts_of_tokens(path: Path) -> Path:
    raw = bytearray(tiny_models.llama(path).read_bytes())
    name = b"tokenizer.ggml.tokens"
    count = raw.index(name) + len(name) + 8  # behind the kinds of value and element
    assert struct.unpack_from("<Q", raw, count) == (tiny_models.TOKENS,)
    raw[count : count + 8] = struct.pack("<Q", 2**60)
    path.write_bytes(raw)
    return path


def boasts_of_text(path: Path) -> Path:
    raw = bytearray(tiny_models.llama(path).read_bytes())
    name = b"general.architecture"
    length = raw.index(name) + len(name) + 4
    raw[length : length + 8] = struct.pack("<Q", 2**63 - 1)
    path.write_bytes(raw)
    return path


NO_MODELS: list[tuple[Make, str]] = [
    (web_page, "not_a_gguf"),
    (empty, "file_empty"),
    (folder, "file_unreadable"),
    (missing, "file_missing"),
    (cut_in_header, "file_truncated"),
    (cut_in_weights, "file_truncated"),
    (boasts_of_keys, "header_lies"),
    (boasts_of_tokens, "header_lies"),
    (boasts_of_text, "header_lies"),
]


@pytest.mark.parametrize(
    ("make", "code"), NO_MODELS, ids=lambda each: getattr(each, "__name__", "")
)
def test_a_file_that_is_no_model_is_refused_before_the_engine_starts(
    make: Make, code: str, made: Callable[[Make], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(make)
    found, message = fails(capsys, "--target", path)
    assert found == code
    assert str(path) in message


@pytest.mark.parametrize("make", [make for make, _ in NO_MODELS], ids=lambda make: make.__name__)
def test_the_engine_itself_survives_a_file_that_is_no_model(
    make: Make, made: Callable[[Make], Path], shared: Harness
) -> None:
    failed = refused(shared, made(make))
    assert failed.code == "model_not_loaded"
    assert str(made(make)) in said(failed.code, failed.detail)
    # nothing is loaded, and that is said too
    nothing = answer(shared, f"after {make.__name__}")
    assert isinstance(nothing, RequestFailed)
    assert nothing.code == "not_loaded"


@pytest.mark.parametrize("make", [missing, cut_in_weights], ids=lambda make: make.__name__)
def test_a_draft_that_is_no_model_costs_only_the_draft(
    make: Make, made: Callable[[Make], Path], shared: Harness
) -> None:
    event = loaded(shared, made(tiny_models.llama), made(make))
    assert event.draft is None
    assert event.no_draft_because == "draft_not_loaded"
    assert str(made(make)) in said(event.no_draft_because, event.no_draft_detail)
    still_answers(shared, f"without {make.__name__}")


# --- pairs ----------------------------------------------------------------------------------------


def one_word_apart(path: Path) -> Path:
    words = [chr(letter) for letter in tiny_models.LETTERS]
    words[139] = "other"
    return tiny_models.llama(path, layers=1, tokens=words)


def larger(path: Path) -> Path:
    return tiny_models.llama(path, layers=3)


@pytest.mark.parametrize(
    ("make", "code", "values"),
    [
        (one_word_apart, "pair_token_text", ("139", "'other'")),
        (larger, "pair_draft_not_smaller", ("million",)),
        (tiny_models.mamba, "pair_draft_cannot_rewind", ("mamba",)),
        (tiny_models.encoder, "pair_draft_not_a_model", ()),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_draft_that_may_not_serve_is_refused_with_rule_and_values(
    make: Make,
    code: str,
    values: tuple[str, ...],
    made: Callable[[Make], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, message = fails(capsys, "--target", made(tiny_models.llama), "--draft", made(make))
    assert found == code
    for value in values:
        assert value in message


def test_a_draft_of_another_family_names_both_vocabularies(
    starter_model: Path, made: Callable[[Make], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    draft = made(tiny_models.llama)
    found, message = fails(capsys, "--target", starter_model, "--draft", draft)
    assert found == "pair_vocabulary_size"
    assert "49152" in message
    assert str(tiny_models.TOKENS) in message


def test_a_refused_pair_still_gives_the_target_and_the_reason(
    made: Callable[[Make], Path], shared: Harness
) -> None:
    target, draft = made(tiny_models.llama), made(one_word_apart)
    reason = judge(read_model_file(target), read_model_file(draft)).reason
    assert reason is not None
    event = loaded(
        shared, target, draft, no_draft_because=reason.code, no_draft_detail=dict(reason.detail)
    )
    assert event.draft is None
    assert event.no_draft_because == "pair_token_text"
    assert "'other'" in said(event.no_draft_because, event.no_draft_detail)
    still_answers(shared, "target alone")


# --- models that cannot rewind --------------------------------------------------------------------


def test_a_recurrent_draft_is_found_out_by_asking_it(
    made: Callable[[Make], Path], shared: Harness
) -> None:
    event = loaded(shared, made(tiny_models.llama), made(tiny_models.mamba))
    assert event.draft is None
    assert event.no_draft_because == "draft_cannot_rewind"
    assert "mamba" in said(event.no_draft_because, event.no_draft_detail)
    still_answers(shared, "without the recurrent draft")
    asked = answer(shared, "draft asked for", Speculation.DRAFT)
    assert isinstance(asked, RequestFailed)
    assert asked.code == "no_draft_for_request"
    said(asked.code, asked.detail)


def test_a_recurrent_target_answers_without_a_draft_and_says_so(
    made: Callable[[Make], Path], shared: Harness
) -> None:
    event = loaded(shared, made(tiny_models.mamba), made(tiny_models.llama))
    assert event.draft is None
    assert event.no_draft_because == "target_cannot_rewind"
    assert "mamba" in said(event.no_draft_because, event.no_draft_detail)
    still_answers(shared, "recurrent, auto")
    still_answers(shared, "recurrent, off", Speculation.OFF)
    for how in (Speculation.LOOKUP, Speculation.DRAFT):
        asked = answer(shared, f"recurrent, {how}", how)
        assert isinstance(asked, RequestFailed)
        assert asked.code == "target_cannot_rewind"


def test_a_recurrent_target_in_the_command_line(
    made: Callable[[Make], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = chat(capsys, "--target", made(tiny_models.mamba), "--temperature", "0")
    assert code == 0
    assert out["stats"]["generated_tokens"] == 2
    assert out["stats"]["drafted_tokens"] == 0
    assert sentence("target_cannot_rewind", {"architecture": "mamba"}) in err


@pytest.mark.parametrize("roles", ["target", "draft", "both"])
@pytest.mark.parametrize("depth", [3, 15])
def test_a_hybrid_with_snapshots_drafts_and_is_drafted_for_without_loss(
    roles: str, depth: int, made: Callable[[Make], Path], loader: Loader
) -> None:
    hybrid, plain = made(tiny_models.hybrid), made(tiny_models.llama)
    target = plain if roles == "draft" else hybrid
    draft = plain if roles == "target" else hybrid
    event = loader(target, draft, n_ctx=512, min_ctx=256, threads=1)
    assert event.no_draft_because is None
    engine: Engine = loader.engine
    off = ask(engine, "abc", options(Speculation.OFF, max_tokens=40), raw=True)
    fast = ask(engine, "abc", options(Speculation.DRAFT, depth=depth, max_tokens=40), raw=True)
    assert fast.token_ids == off.token_ids
    assert fast.end.stats.drafted_tokens > 0
    if roles == "both":
        assert fast.end.stats.acceptance == 1.0


# --- models that write no text, or nonsense -------------------------------------------------------


def test_an_embedding_model_is_refused_and_costs_nothing(
    made: Callable[[Make], Path], shared: Harness, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(tiny_models.encoder)
    found, message = fails(capsys, "--target", path)
    assert found == "not_a_text_model"
    assert "bert" in message
    # also when it gets past the header: llama.cpp would abort at its first pass
    failed = refused(shared, path)
    assert failed.code == "not_a_text_model"
    event = loaded(shared, made(tiny_models.llama), path)
    assert event.no_draft_because == "draft_not_a_text_model"
    assert "bert" in said(event.no_draft_because, event.no_draft_detail)
    still_answers(shared, "without the encoder")


def no_numbers(path: Path) -> Path:
    return tiny_models.llama(path, weights=tiny_models.broken)


def test_weights_that_are_no_numbers_are_found_at_the_first_pass(
    made: Callable[[Make], Path], shared: Harness, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(no_numbers)
    found, message = fails(capsys, "--target", path)
    assert found == "model_damaged"
    assert str(path) in message
    event = loaded(shared, made(tiny_models.llama), path)
    assert event.no_draft_because == "draft_damaged"
    assert str(path) in said(event.no_draft_because, event.no_draft_detail)
    still_answers(shared, "without the damaged draft")


def too_many_layers(path: Path) -> Path:
    """Passes every check of the header, and fails an assertion inside llama.cpp."""
    return tiny_models.llama(path, keys={"block_count": 600})


def test_a_file_on_which_llama_cpp_aborts_costs_the_worker_and_no_more(
    made: Callable[[Make], Path], own: Callable[..., Harness]
) -> None:
    path = made(too_many_layers)
    read_model_file(path)  # the header alone does not tell
    harness = own()
    died = load(harness, path)
    assert isinstance(died, WorkerExited)
    assert (died.signal_name, died.while_doing) == ("SIGABRT", "loading")
    code = str(died.detail["code"])
    assert code == "engine_crashed_loading"
    said(code, died.detail)
    assert any("GGML_ASSERT" in line for line in died.last_log_lines)
    loaded(harness, made(tiny_models.llama))
    still_answers(harness, "after the abort")


def test_a_file_on_which_llama_cpp_aborts_in_the_command_line(
    made: Callable[[Make], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    found, message = fails(capsys, "--target", made(too_many_layers))
    assert found == "engine_crashed_loading"
    assert "SIGABRT" in message


# --- no template, no room -------------------------------------------------------------------------


def test_without_a_template_another_format_is_used_and_named(
    made: Callable[[Make], Path], shared: Harness, capsys: pytest.CaptureFixture[str]
) -> None:
    event = loaded(shared, made(tiny_models.llama))
    assert not event.has_template
    step = next(step for step in event.steps if step.code == "template_missing")
    text = said(step.code, step.detail)
    assert str(step.detail["format"]) in text
    arguments = ["chat", "--target", str(made(tiny_models.llama)), "--prompt", "abc"]
    assert cli.main([*arguments, "--threads", "1", "--max-tokens", "2"]) == 0
    assert text in capsys.readouterr().err


def test_a_prompt_longer_than_the_context_says_how_long_and_what_fits(
    made: Callable[[Make], Path], shared: Harness, capsys: pytest.CaptureFixture[str]
) -> None:
    event = loaded(shared, made(tiny_models.llama), n_ctx=256, min_ctx=256)
    fits = event.n_ctx - 1
    failed = answer(shared, "too long", prompt="c" * (fits + 1))
    assert isinstance(failed, RequestFailed)
    assert failed.code == "prompt_too_long"
    assert (failed.detail["prompt_tokens"], failed.detail["fits"]) == (fits + 1, fits)
    text = said(failed.code, failed.detail)
    assert str(fits) in text
    assert str(fits + 1) in text
    # one token less is answered, as far as there is room
    end = answer(shared, "just fits", prompt="c" * fits)
    assert isinstance(end, GenerationFinished)
    assert end.reason is FinishReason.CONTEXT
    still_answers(shared, "after the long one")
    target = ("--target", made(tiny_models.llama), "--ctx", "256", "--prompt", "c" * 300)
    code = cli.main(["chat", *map(str, target), "--threads", "1", "--raw"])
    assert code == 1
    assert "300 tokens" in capsys.readouterr().err


needs_address_limit = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux holds a process to a limit of its addresses"
)


@needs_address_limit
def test_a_context_that_does_not_fit_shrinks_to_what_does(
    made: Callable[[Make], Path], own: Callable[..., Harness]
) -> None:
    harness = own("tests.model.limited:create")
    path = made(tiny_models.thirsty)
    event = loaded(harness, path, n_ctx=32_768, min_ctx=512)
    assert 512 <= event.n_ctx < 32_768
    step = next(step for step in event.steps if step.code == "context_shrunk")
    assert step.detail == {"asked": 32_768, "n_ctx": event.n_ctx}
    assert str(event.n_ctx) in sentence(step.code, step.detail)
    still_answers(harness, "in the shorter context")


@needs_address_limit
def test_a_context_that_can_never_fit_is_an_error_and_the_worker_lives(
    made: Callable[[Make], Path], own: Callable[..., Harness]
) -> None:
    harness = own("tests.model.limited:create")
    failed = refused(harness, made(tiny_models.thirsty), n_ctx=65_536, min_ctx=32_768)
    assert failed.code == "context_not_allocated"
    assert failed.detail["n_ctx"] == 32_768  # the least that was tried
    assert "32768" in said(failed.code, failed.detail)
    loaded(harness, made(tiny_models.thirsty), n_ctx=512, min_ctx=512)
    still_answers(harness, "after the error")


@needs_address_limit
def test_a_draft_that_does_not_fit_is_left_out_and_the_target_keeps_its_context(
    made: Callable[[Make], Path], own: Callable[..., Harness]
) -> None:
    harness = own("tests.model.limited:create")
    event = loaded(
        harness,
        made(tiny_models.llama),
        made(tiny_models.thirsty),
        n_ctx=16_384,
        min_ctx=4_096,
        n_parallel=4,
    )
    assert event.draft is None
    assert event.n_ctx == 4_096  # what the target was made for
    assert [step.code for step in event.steps] == [
        "context_limited_by_model",
        "draft_dropped",
        "template_missing",
    ]
    assert event.no_draft_because == "no_memory_for_draft"
    assert "4096" in said(event.no_draft_because, event.no_draft_detail)
    still_answers(harness, "without the draft")


# --- a worker that is killed ----------------------------------------------------------------------


class Killer:
    """Kills the worker at the n-th event of a kind, in the moment it arrives."""

    def __init__(self, harness: Harness, kind: type, number: int = 1) -> None:
        self._harness, self._kind, self._left = harness, kind, number
        self._pass_on = harness._on_event
        harness.client._on_event = self

    def __call__(self, event: Event) -> None:
        self._pass_on(event)
        if isinstance(event, self._kind):
            self._left -= 1
            pid = self._harness.client.pid
            if self._left == 0 and pid is not None:
                os.kill(pid, signal.SIGKILL)


def killed(harness: Harness, while_doing: str) -> None:
    died = harness.exited()
    assert (died.signal_name, died.while_doing) == ("SIGKILL", while_doing)
    assert not died.retrying
    assert died.detail["code"] == "probably_out_of_memory"
    said(str(died.detail["code"]), died.detail)


def test_killed_while_loading(own: Callable[..., Harness], starter_model: Path) -> None:
    harness = own()
    Killer(harness, LoadProgress)
    load(harness, starter_model)
    killed(harness, "loading")
    harness.client.restart()
    harness.wait(ModelsLoaded)  # the same model, without being asked again
    still_answers(harness, "after the restart")


@pytest.mark.parametrize(
    ("kind", "number", "doing"), [(PromptProgress, 1, "prompt"), (TokensGenerated, 3, "generating")]
)
def test_killed_during_an_answer(
    kind: type, number: int, doing: str, own: Callable[..., Harness], starter_model: Path
) -> None:
    harness = own()
    loaded(harness, starter_model, n_ctx=2048)
    Killer(harness, kind, number)
    words = "word " * (1_500 if doing == "prompt" else 3)
    how = options(Speculation.OFF, max_tokens=200)
    harness.client.send(Generate("a", prompt=words, options=how))
    failed = harness.wait(RequestFailed)
    assert failed == RequestFailed("a", "engine_crashed", {"reason": "SIGKILL"})
    said(failed.code, failed.detail)
    killed(harness, doing)
    written = len(harness.of(TokensGenerated))
    assert written >= (number if kind is TokensGenerated else 0)  # what was written had arrived
    harness.client.restart()
    harness.wait(ModelsLoaded, number=2)
    still_answers(harness, "b", Speculation.LOOKUP)


def test_the_next_cpu_module_answers_when_the_best_is_to_be_skipped(
    own: Callable[..., Harness], made: Callable[[Make], Path]
) -> None:
    found = importlib.util.find_spec("llama_cpp")
    assert found is not None
    assert found.origin is not None
    modules = backends.cpu_modules(Path(found.origin).parent / "lib")
    if len(modules) < 2:
        pytest.skip("this build of llama.cpp has no choice of CPU modules")
    harness = own(skip=frozenset({modules[0].name}))
    assert harness.started().cpu_module == modules[1].name
    loaded(harness, made(tiny_models.llama))
    still_answers(harness, "by the second best")
