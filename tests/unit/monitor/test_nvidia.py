"""NVIDIA's library: the energy of a task against known power, and every way it can fail."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from app.monitor.nvidia import NvidiaSource, slowdowns
from app.monitor.recorder import Recorder, Result
from app.monitor.sample import Method, Scope
from app.monitor.sources import SourceSet
from app.monitor.task_energy import TaskEnergy, measured

from .conftest import COUNTER, EVERYTHING, INSTANT, USAGE, Clock, Curve, StandIn

ROOT = Path(__file__).resolve().parents[3]
NOT_SUPPORTED, DRIVER_NOT_LOADED, MISMATCH, GPU_IS_LOST, UNKNOWN = 3, 9, 18, 15, 999
BEGIN = 100.0
NO_BUS = Path("/nonexistent")


def answer_of(seconds: float, load: float = 300.0, idle: float = 60.0) -> Curve:
    """An answer: the prompt draws most, then the load swings; it is there and gone in 10 ms."""
    end = BEGIN + seconds
    swings = [
        (
            BEGIN + 0.01 + (seconds - 0.02) * part / 9,
            load * (1.15 if part == 0 else 0.9 + 0.1 * (part % 3)),
        )
        for part in range(10)
    ]
    return [(0.0, idle), (BEGIN, idle), *swings, (end, swings[-1][1]), (end + 0.01, idle)]


def play(
    nvml: StandIn,
    seconds: float,
    *,
    period: float = 0.05,
    phase: float = 0.0,
) -> TaskEnergy:
    """Read as the sampler does: at once at the begin and the end, and every period in between."""
    clock, begin = Clock(), BEGIN
    sources = SourceSet([NvidiaSource(NO_BUS)], clock)
    recorder, results = Recorder(begin), list[tuple[Result, ...]]()
    end, ended, at = begin + seconds, False, begin + 0.0005
    jitter = random.Random(1)
    for _ in range(10_000):
        clock.now = at
        nvml.time(at)
        if at >= end and not ended:
            ended = True
            recorder.end(end, results.append)
        if recorder.take(sources.read()):
            break
        step = period * (1 + jitter.uniform(0, 0.1)) if at > begin + 0.001 else period - phase
        at = min(at + step, end + 0.0005) if not ended else at + step
    if not results:
        recorder.end(end, results.append)
    missing = sources.missing
    sources.close()
    return measured(seconds, results[0], missing)


@pytest.mark.parametrize("seconds", [1.0, 1.37, 4.0, 20.0])
@pytest.mark.parametrize("step", [0.0, 0.0191, 0.0973])
def test_the_counter_is_right_to_two_percent(nvml: StandIn, seconds: float, step: float) -> None:
    nvml.play(answer_of(seconds))
    for phase in range(5):
        nvml.counter(step_seconds=step)
        energy = play(nvml, seconds, phase=phase * 0.009)
        assert energy.method is Method.COUNTER
        assert energy.scope is Scope.GPU
        true = nvml.joules(BEGIN, BEGIN + seconds)
        assert energy.joules == pytest.approx(true, rel=0.02), (phase, energy.joules / true)


@pytest.mark.parametrize("seconds", [1.0, 1.37, 4.0, 20.0])
@pytest.mark.parametrize("offered", [INSTANT, USAGE])
def test_integrated_power_is_right_to_five_percent(
    nvml: StandIn, seconds: float, offered: int
) -> None:
    for phase in range(5):
        nvml.offer(offered)
        nvml.play(answer_of(seconds))
        energy = play(nvml, seconds, phase=phase * 0.009)
        assert energy.method is Method.POWER
        true = nvml.joules(BEGIN, BEGIN + seconds)
        assert energy.joules == pytest.approx(true, rel=0.05), (phase, energy.joules / true)


def test_a_counter_that_is_reset_midway_is_bridged_and_said(nvml: StandIn) -> None:
    nvml.play(answer_of(3.0))
    nvml.counter(reset_at=BEGIN + 1.6)
    energy = play(nvml, 3.0)
    assert energy.joules == pytest.approx(nvml.joules(BEGIN, BEGIN + 3.0), rel=0.02)
    assert [note.code for note in energy.notes] == ["energy_counter_reset"]


def test_a_reset_without_power_to_bridge_it_is_no_number(nvml: StandIn) -> None:
    nvml.offer(COUNTER)
    nvml.play(answer_of(3.0))
    nvml.counter(reset_at=BEGIN + 1.6)
    energy = play(nvml, 3.0)
    assert energy.joules is None
    assert "energy_gap" in [reason.code for reason in energy.missing]


def test_a_counter_that_stands_still_is_not_zero_joules(nvml: StandIn) -> None:
    nvml.offer(COUNTER)
    nvml.play([(0.0, 0.0)])
    energy = play(nvml, 3.0)
    assert energy.joules is None
    assert [reason.code for reason in energy.missing] == ["energy_counter_stuck"]
    nvml.offer(COUNTER | INSTANT)  # but power is told: then that is used
    nvml.play([(0.0, 200.0)])
    nvml.counter(step_seconds=1e6)
    assert play(nvml, 3.0).joules == pytest.approx(600.0, rel=0.01)


def test_a_power_of_zero_watts_is_not_told(nvml: StandIn) -> None:
    nvml.offer(INSTANT)
    nvml.play([(0.0, 0.0)])
    assert play(nvml, 2.0).joules is None


def test_neither_counter_nor_power_leaves_the_limit_for_an_estimate(nvml: StandIn) -> None:
    nvml.offer(0)
    source = NvidiaSource(NO_BUS)
    assert source.rated() == ()
    sources = SourceSet([source], Clock())
    assert not sources.read().readings
    assert sources.all_gone
    assert [reason.code for reason in sources.missing] == ["nvidia_no_meter"]
    (rated,) = sources.rated()
    assert rated.watts == 320.0


def test_one_failure_is_survived_two_are_the_end(nvml: StandIn) -> None:
    nvml.play([(0.0, 200.0)])
    clock = Clock()
    sources = SourceSet([NvidiaSource(NO_BUS)], clock)
    assert sources.read().readings
    nvml.fail(calls=GPU_IS_LOST)
    lost = sources.read()
    assert not lost.readings
    assert lost.wavering
    assert [reason.code for reason in sources.missing] == ["nvidia_failed"]
    calls = nvml.calls
    assert not sources.read().readings  # half a second has not passed: it is left in peace
    assert nvml.calls == calls
    nvml.fail()
    clock.now += 0.6
    assert sources.read().readings
    assert sources.missing == ()
    for _ in range(2):
        nvml.fail(calls=UNKNOWN)
        clock.now += 0.6
        gone = sources.read()
    assert not gone.wavering
    assert sources.all_gone
    nvml.fail()
    clock.now += 60
    calls = nvml.calls
    assert not sources.read().readings
    assert nvml.calls == calls


@pytest.mark.parametrize("after", [0, 1, 40, 90])
def test_a_library_that_fails_midway_gives_no_number(nvml: StandIn, after: int) -> None:
    nvml.play(answer_of(3.0))
    nvml.fail(calls=GPU_IS_LOST, after=after)
    energy = play(nvml, 3.0)
    assert energy.joules is None
    assert "nvidia_failed" in [reason.code for reason in energy.missing]


def test_a_short_failure_midway_loses_nothing(nvml: StandIn) -> None:
    nvml.play(answer_of(3.0))
    clock = Clock()
    sources = SourceSet([NvidiaSource(NO_BUS)], clock)
    recorder, results = Recorder(BEGIN), list[tuple[Result, ...]]()
    for tick in range(61):
        clock.now = BEGIN + tick * 0.05
        nvml.time(clock.now)
        nvml.fail(calls=UNKNOWN if tick == 20 else 0)
        recorder.take(sources.read())
    recorder.end(BEGIN + 3.0, results.append)
    for tick in range(61, 65):
        clock.now = BEGIN + tick * 0.05
        nvml.time(clock.now)
        recorder.take(sources.read())
    sources.close()
    energy = measured(3.0, results[0], ())
    assert energy.joules == pytest.approx(nvml.joules(BEGIN, BEGIN + 3.0), rel=0.02)


@pytest.mark.parametrize(
    ("error", "code"),
    [(DRIVER_NOT_LOADED, "nvidia_driver_not_loaded"), (MISMATCH, "nvidia_driver_changed")],
)
def test_a_driver_that_is_not_there_is_asked_once(nvml: StandIn, error: int, code: str) -> None:
    nvml.fail(init=error)
    sources = SourceSet([NvidiaSource(NO_BUS)], Clock())
    sources.read()
    assert sources.all_gone
    assert [reason.code for reason in sources.missing] == [code]


def test_no_device_at_all(nvml: StandIn) -> None:
    nvml.offer(EVERYTHING, devices=0)
    sources = SourceSet([NvidiaSource(NO_BUS)], Clock())
    sources.read()
    assert [reason.code for reason in sources.missing] == ["nvidia_no_device"]


def test_two_devices_are_two_readings(nvml: StandIn) -> None:
    nvml.offer(EVERYTHING, devices=2)
    sources = SourceSet([NvidiaSource(NO_BUS)], Clock())
    assert len(sources.read().readings) == 2
    sources.close()


def test_what_a_device_lacks_is_asked_once(nvml: StandIn) -> None:
    nvml.offer(USAGE)
    source = NvidiaSource(NO_BUS)
    for _ in range(2):
        source.open()
        source.read()
        source.close()
    source.open()
    before = nvml.calls
    (reading,) = source.read()
    assert nvml.calls - before == 1  # power only
    assert (reading.joules, reading.watts) == (None, 100.0)
    source.close()


def test_memory_load_clocks_and_limits(nvml: StandIn) -> None:
    source = NvidiaSource(NO_BUS)
    source.open()
    (gpu,) = source.gpus()
    assert (gpu.total_bytes, gpu.used_bytes, gpu.free_bytes) == (24000, 10000, 13500)
    assert gpu.reserved_bytes == 500
    assert (gpu.busy_fraction, gpu.memory_busy_fraction) == (0.97, 0.61)
    assert (gpu.clock_mhz, gpu.memory_clock_mhz) == (2520, 10501)
    assert (gpu.power_watts, gpu.power_limit_watts) == (100.0, 320.0)
    assert gpu.slowed_by == ("power", "heat")
    source.close()
    nvml.offer(INSTANT)  # an old driver: version 1 of the memory question
    source.open()
    (gpu,) = source.gpus()
    assert (gpu.used_bytes, gpu.reserved_bytes) == (10500, None)
    source.close()


@pytest.mark.parametrize(
    ("bits", "words"),
    [(0, ()), (1, ()), (0x04, ("power",)), (0x08, ("hardware",)), (0x48, ("heat",))],
)
def test_slowdowns_in_words(bits: int, words: tuple[str, ...]) -> None:
    assert slowdowns(bits) == words


def bus(root: Path, **states: str) -> Path:
    """A sysfs tree with NVIDIA devices in these states."""
    for index, state in enumerate(states.values()):
        folder = root / f"bus/pci/devices/0000:0{index}:00.0"
        (folder / "power").mkdir(parents=True)
        (folder / "vendor").write_text("0x10de\n")
        (folder / "class").write_text("0x030200\n")
        (folder / "power/runtime_status").write_text(f"{state}\n")
    return root


def test_a_suspended_device_is_not_woken(nvml: StandIn, tmp_path: Path) -> None:
    sources = SourceSet([NvidiaSource(bus(tmp_path, only="suspended"))], Clock())
    for _ in range(3):
        assert not sources.read().readings
    assert nvml.calls == 0
    assert not sources.all_gone
    assert [reason.code for reason in sources.missing] == ["nvidia_asleep"]
    (tmp_path / "bus/pci/devices/0000:00:00.0/power/runtime_status").write_text("active\n")
    assert not sources.read().readings  # not in the middle of a task
    sources.wake()
    assert sources.read().readings
    sources.close()


def test_a_device_that_is_awake_is_read_beside_one_that_sleeps(
    nvml: StandIn, tmp_path: Path
) -> None:
    source = NvidiaSource(bus(tmp_path, one="suspended", other="active"))
    source.open()
    assert source.read()
    source.close()


def test_the_loader_finds_the_library_by_its_own_name(nvml_library: Path) -> None:
    """In a process of its own: pynvml's loader, the sampler's thread, the real clock."""
    code = """
import time
from app.monitor import EnergyMeter
from app.monitor.nvidia import NvidiaSource
from app.monitor import account
account.HEAD_SHARE = 1.0  # a busy machine may begin late; the power is constant
meter = EnergyMeter([NvidiaSource()])
meter.get_ready()
meter.begin("a")
while not meter.gpus:
    time.sleep(0.01)
time.sleep(0.3)
energy = meter.finish("a", 60)
assert energy.method == "counter", energy
assert 0.5 < energy.joules / (100 * energy.seconds) < 1.5, energy
meter.close()
"""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(nvml_library.parent)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
