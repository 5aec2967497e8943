"""llama.cpp's log: who gets its lines, what they say of a failure and of the memory taken."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.engine import native_log

INFO, ERROR, DEBUG, CONTINUE = 2, 4, 1, 5

NOT_LOADED = [
    "llama_model_loader: - kv   8:  llama.attention.value_length u32 = 32\n",
    "print_info: rope_finetuned        = unknown\n",
    "llama_model_load: error loading model: error loading model hyperparameters: invalid n_rot: 31,"
    " expected 32\n",
    "llama_model_load_from_file_impl: failed to load model\n",
    ".\n",
]
NO_ROOM = [
    "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 134217728\n",
    "llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv"
    " cache\n",
]
LOADED = [
    "load_tensors:   CPU_Mapped model buffer size =    91.73 MiB\n",
    "load_tensors:  CPU_REPACK model buffer size =    10.00 MiB\n",
    "load_tensors:        CUDA0 model buffer size =  1000.50 MiB\n",
    "llama_context:        CPU  output buffer size =     0.19 MiB\n",
    "llama_kv_cache:      CUDA0 KV buffer size =    45.00 MiB\n",
    "llama_kv_cache:      CUDA0 KV buffer size =     5.00 MiB\n",
    "llama_memory_recurrent:  CPU RS buffer size =     0.50 MiB\n",
    "sched_reserve:      CUDA0 compute buffer size =    97.12 MiB\n",
    "llama_params_fit: CUDA0 margin buffer size = 12 MiB\n",
]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The installed callback, called as llama.cpp does."""
    given: list[Any] = []

    class Set:
        argtypes: object = None

        def __call__(self, callback: Any, _user: object) -> None:
            given.append(callback)

    monkeypatch.setattr(native_log, "_keep", [])
    monkeypatch.delenv("GGML_NO_BACKTRACE", raising=False)
    native_log.install(cast(ctypes.CDLL, SimpleNamespace(llama_log_set=Set())))
    native_log.install(cast(ctypes.CDLL, SimpleNamespace(llama_log_set=Set())))
    assert len(given) == 1  # a second callback would leave the first one dangling
    yield lambda level, text: given[0](level, text, None)
    assert native_log._sinks == []


def test_an_abort_starts_no_debugger(say: Any) -> None:
    del say
    assert os.environ["GGML_NO_BACKTRACE"] == "1"


def test_lines_go_to_standard_error_but_for_debugging(
    say: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    say(INFO, b"loaded\n")
    say(DEBUG, b"details\n")
    say(ERROR, "kaputt \xe9".encode("latin-1"))
    say(INFO, None)
    assert capsys.readouterr().err == "loaded\nkaputt \ufffd"


def test_a_capture_holds_what_was_said_meanwhile(say: Any) -> None:
    say(INFO, b"before\n")
    with native_log.capture() as outer:
        say(INFO, b"one ")
        say(CONTINUE, b"line\n")
        with native_log.capture() as inner:
            say(INFO, b"both\n")
        say(INFO, b"outer\n")
    say(INFO, b"after\n")
    assert outer == ["one line\n", "both\n", "outer\n"]
    assert inner == ["both\n"]


def test_a_capture_ends_with_the_block_even_when_that_fails(say: Any) -> None:
    kept: list[list[str]] = []

    def fail() -> None:
        with native_log.capture() as lines:
            kept.append(lines)
            say(INFO, b"in vain\n")
            raise ValueError("in between")

    with pytest.raises(ValueError, match="between"):
        fail()
    say(INFO, b"later\n")
    assert kept == [["in vain\n"]]


def test_equal_captures_are_told_apart(say: Any) -> None:
    with native_log.capture() as outer:
        with native_log.capture():
            pass
        say(INFO, b"still heard\n")
    assert outer == ["still heard\n"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (NOT_LOADED, "error loading model hyperparameters: invalid n_rot: 31, expected 32"),
        (NO_ROOM, "failed to initialize the context: failed to allocate buffer for kv cache"),
        (["a: failed to load model\n"], "failed to load model"),
        (["all well\n", "...\n"], "all well"),
        (["\n", " . \n"], "no reason given"),
        ([], "no reason given"),
    ],
)
def test_the_last_words_name_the_cause_and_not_the_speaker(lines: list[str], said: str) -> None:
    assert native_log.last_words(lines) == said


def test_buffer_sizes_by_device_and_kind() -> None:
    mib = 2**20
    memory = native_log.buffers(LOADED)
    assert memory.by_device == {
        "CPU_Mapped": {"weights": round(91.73 * mib)},
        "CPU_REPACK": {"weights": 10 * mib},
        "CUDA0": {
            "weights": round(1000.5 * mib),
            "kv": 50 * mib,
            "compute": round(97.12 * mib),
        },
        "CPU": {"output": round(0.19 * mib), "kv": mib // 2},
    }
    assert memory.total_bytes == sum(sum(each.values()) for each in memory.by_device.values())
    assert native_log.buffers([]).total_bytes == 0
