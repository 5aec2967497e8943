"""What exit codes mean, on every platform, without a process."""

from __future__ import annotations

import pytest

from app.engine.outcome import Outcome, signal_name
from app.messages import SENTENCES


@pytest.mark.parametrize(
    ("exit_code", "platform", "name"),
    [
        (0, "linux", None),
        (1, "linux", None),
        (None, "linux", None),
        (-4, "linux", "SIGILL"),
        (-6, "darwin", "SIGABRT"),
        (-9, "linux", "SIGKILL"),
        (-15, "win32", "SIGTERM"),
        (0xC000001D, "win32", "SIGILL"),
        (0xC000001D - (1 << 32), "win32", "SIGILL"),
        (0xC0000005, "win32", "SIGSEGV"),
        (0xC0000409, "win32", "SIGABRT"),
        (1, "win32", None),
        (0xC000001D, "linux", None),
    ],
)
def test_signals_have_one_name_on_all_systems(
    exit_code: int | None, platform: str, name: str | None
) -> None:
    assert signal_name(exit_code, platform) == name


GGML_OUT_OF_MEMORY = (
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9216.00 MiB on device 0: cudaMalloc"
    " failed: out of memory",
    "GGML_ASSERT(buffer) failed",
)


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome(-9, "SIGKILL"), "probably_out_of_memory"),
        (Outcome(-9, "SIGKILL", ended_by_us=True), "engine_crashed"),
        (Outcome(-6, "SIGABRT", GGML_OUT_OF_MEMORY), "probably_out_of_memory"),
        (Outcome(-11, "SIGSEGV", GGML_OUT_OF_MEMORY), "engine_crashed"),
        (Outcome(1, None, ("MemoryError",)), "probably_out_of_memory"),
        (Outcome(0xC000012D, None), "probably_out_of_memory"),
        (Outcome(-6, "SIGABRT"), "engine_crashed"),
        (Outcome(None, None), "engine_crashed"),
        (Outcome(0, None), "engine_crashed"),  # an end nobody asked for, however orderly
        (Outcome(1, None, while_doing="starting"), "engine_start_failed"),
        (Outcome(-6, "SIGABRT", while_doing="loading"), "engine_crashed_loading"),
        (Outcome(-9, "SIGKILL", while_doing="loading"), "probably_out_of_memory"),
        (Outcome(82, None), "protocol_mismatch"),
        (Outcome(-4, "SIGILL", cpu_module="fast"), "illegal_instruction"),
        (Outcome(-15, "SIGTERM", known_reason={"code": "protocol_mismatch"}), "protocol_mismatch"),
    ],
)
def test_the_code_of_an_unexpected_end(outcome: Outcome, code: str) -> None:
    why = outcome.why()
    assert why["code"] == code
    sentence = SENTENCES[code].format_map({"reason": "?", "cpu_module": "?", **why})
    assert "{" not in sentence


def test_an_end_that_was_asked_for_needs_no_words() -> None:
    event = Outcome(-9, "SIGKILL", expected=True, ended_by_us=True).to_event(retrying=False)
    assert event.expected
    assert event.detail == {}
    assert not Outcome(-4, "SIGILL", expected=True).is_illegal_instruction


def test_a_retry_is_said_in_other_words() -> None:
    event = Outcome(-4, "SIGILL", cpu_module="fast").to_event(retrying=True)
    assert event.retrying
    assert event.detail["code"] == "illegal_instruction_retry"
    assert event.detail["cpu_module"] == "fast"
