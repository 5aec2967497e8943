"""The meter with its thread: what sources come first, what is shared, and that it sleeps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from app.monitor import account
from app.monitor.energy import EnergyMeter
from app.monitor.recorder import Overlaps
from app.monitor.sample import GpuSample, Method, Missing, Rated, Reading, Scope
from app.monitor.sources import AbsentError, ProbeError
from app.monitor.task_energy import TaskEnergy
from app.monitor.wall import WallFigures

from .conftest import Clock

WATTS = 200.0


class FakeSource:
    """Draws constant power on the real clock; counts what is asked of it."""

    name = "fake"

    def __init__(self, scope: Scope = Scope.GPU, *, counter: bool = True, rated: float = 0) -> None:
        self.scope = scope
        self.counter = counter
        self.rated_watts = rated
        self.opened = self.closed = self.reads = 0
        self.fails: Callable[[], None] = lambda: None
        self.slow_seconds = 0.0
        self.threads: set[str] = set()

    def open(self) -> None:
        self.fails()
        self.opened += 1

    def read(self) -> tuple[Reading, ...]:
        self.reads += 1
        self.threads.add(threading.current_thread().name)
        self.fails()
        joules = time.perf_counter() * WATTS if self.counter else None
        reading = Reading(f"{self.name} {self.scope}", self.scope, joules=joules, watts=WATTS)
        if self.slow_seconds:
            time.sleep(self.slow_seconds)
        return (reading,)

    def gpus(self) -> tuple[GpuSample, ...]:
        return (GpuSample("fake", 1000, 400),) if self.scope is Scope.GPU else ()

    def rated(self) -> tuple[Rated, ...]:
        return (Rated("fake", self.scope, self.rated_watts),) if self.rated_watts else ()

    def close(self) -> None:
        self.closed += 1


class Absent(FakeSource):
    def open(self) -> None:
        self.opened += 1
        raise AbsentError("nvidia_no_driver")


@pytest.fixture(autouse=True)
def begun_late_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may read late. The power is constant here, so what is filled in is right.

    Accuracy is tested on a made-up clock (test_nvidia.py); these tests only look for gross errors.
    """
    monkeypatch.setattr(account, "HEAD_SHARE", 1.0)


@pytest.fixture
def made() -> Iterator[Callable[..., EnergyMeter]]:
    """Makes meters that are closed in the end."""
    meters: list[EnergyMeter] = []

    def make(*sources: FakeSource, period_seconds: float = 0.01) -> EnergyMeter:
        meters.append(EnergyMeter(sources, period_seconds=period_seconds))
        return meters[-1]

    yield make
    for meter in meters:
        meter.close()


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def measure(meter: EnergyMeter, *sources: FakeSource) -> TaskEnergy:
    """One task during which every source is read a few times."""
    meter.begin("a")
    before = [source.reads for source in sources]
    until(lambda: all(s.reads > b + 3 for s, b in zip(sources, before, strict=True)))
    return meter.finish("a", 20)


def about(joules: float) -> object:
    return pytest.approx(joules, rel=0.5)


def samplers() -> Sequence[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "sampler"]


def codes(reasons: Sequence[Missing]) -> list[str]:
    return [reason.code for reason in reasons]


@pytest.mark.parametrize(("counter", "method"), [(True, Method.COUNTER), (False, Method.POWER)])
def test_joules_of_a_task(made: Callable[..., EnergyMeter], counter: bool, method: Method) -> None:
    source = FakeSource(counter=counter)
    energy = measure(made(source), source)
    assert energy.method is method
    assert energy.scope is Scope.GPU
    assert energy.joules == about(WATTS * energy.seconds)


def test_graphics_and_processor_add_up(made: Callable[..., EnergyMeter]) -> None:
    sources = FakeSource(Scope.GPU), FakeSource(Scope.CPU, counter=False)
    energy = measure(made(*sources), *sources)
    assert energy.scope is Scope.GPU_AND_CPU
    assert energy.method is Method.POWER  # the weaker of the two
    assert energy.joules == about(2 * WATTS * energy.seconds)


def test_asleep_there_is_no_thread_no_reading_and_no_handle(
    made: Callable[..., EnergyMeter],
) -> None:
    source = FakeSource()
    meter = made(source)
    assert (samplers(), source.opened, source.reads) == ([], 0, 0)
    for _ in range(2):
        meter.begin("a")
        assert meter.awake
        until(lambda: bool(meter.gpus))
        assert meter.watts == WATTS
        assert len(samplers()) == 1
        meter.finish("a", 20)
        until(lambda: not meter.awake)
        until(lambda: not samplers())
        assert source.closed == source.opened
        assert (meter.gpus, meter.watts) == ((), None)
    reads = source.reads
    time.sleep(0.1)
    assert source.reads == reads
    assert source.threads == {"sampler"}


def test_kept_open_it_holds_the_handle_but_reads_nothing(made: Callable[..., EnergyMeter]) -> None:
    source = FakeSource()
    meter = made(source)
    meter.keep_open(True)
    meter.begin("a")
    meter.finish("a", 20)
    until(lambda: not samplers())
    assert (source.opened, source.closed) == (1, 0)
    meter.keep_open(False)
    until(lambda: source.closed == 1)
    until(lambda: not samplers())


def test_wall_figures_come_first_and_ask_nobody(made: Callable[..., EnergyMeter]) -> None:
    source = FakeSource()
    meter = made(source)
    meter.configure(WallFigures(300.0, 60.0), subtract_idle=False)
    meter.begin("a")
    time.sleep(0.02)
    energy = meter.finish("a")
    assert (energy.method, energy.scope) == (Method.WALL, Scope.MACHINE)
    assert energy.joules == pytest.approx(300 * energy.seconds)
    meter.configure(WallFigures(300.0, 60.0), subtract_idle=True)
    meter.begin("a")
    time.sleep(0.02)
    energy = meter.finish("a")
    assert energy.joules == pytest.approx(240 * energy.seconds)
    assert codes(energy.notes) == ["idle_subtracted"]
    assert source.opened == 0


def test_swapped_wall_figures_are_not_used_and_it_is_said(
    made: Callable[..., EnergyMeter],
) -> None:
    source = FakeSource()
    meter = made(source)
    meter.configure(WallFigures(60.0, 300.0), subtract_idle=False)
    energy = measure(meter, source)
    assert energy.method is Method.COUNTER
    assert codes(energy.notes) == ["wall_figures_swapped"]


def test_idle_is_subtracted_only_if_it_is_known(made: Callable[..., EnergyMeter]) -> None:
    source = FakeSource(counter=False)
    meter = made(source)
    meter.configure(None, subtract_idle=True)
    energy = measure(meter, source)
    assert codes(energy.notes) == ["idle_unknown"]
    assert energy.joules is not None
    quarter = replace(energy.parts[0], joules=energy.seconds * WATTS / 4)
    meter.learn_idle(replace(energy, parts=(quarter,)))
    energy = measure(meter, source)
    assert codes(energy.notes) == ["idle_subtracted"]
    assert energy.joules == about(WATTS * 0.75 * energy.seconds)
    twice = replace(energy.parts[0], joules=energy.seconds * WATTS * 2)
    meter.learn_idle(replace(energy, parts=(twice,)))
    energy = measure(meter, source)
    assert codes(energy.notes) == ["idle_above_task"]
    assert energy.joules == about(WATTS * energy.seconds)  # never zero, never below


def test_idle_draw_is_learnt_from_a_quiet_moment(made: Callable[..., EnergyMeter]) -> None:
    meter = made(FakeSource())
    meter.configure(None, subtract_idle=True)
    meter.get_ready()
    meter.measure_idle(0.2)  # it "idles" at full power, so there is about nothing left
    meter.begin("a")
    time.sleep(0.1)
    assert codes(meter.finish("a", 20).notes) != ["idle_unknown"]


def test_nothing_to_read_is_no_number_and_says_why(made: Callable[..., EnergyMeter]) -> None:
    source = Absent()
    meter = made(source)
    for _ in range(3):
        meter.begin("a")
        time.sleep(0.02)
        energy = meter.finish("a", 20)
        assert (energy.joules, energy.scope, energy.method) == (None, None, None)
        assert codes(energy.missing) == ["energy_no_meter", "nvidia_no_driver"]
    assert source.opened == 1
    until(lambda: not samplers())


def test_no_source_at_all(made: Callable[..., EnergyMeter]) -> None:
    meter = made()
    meter.begin("a")
    assert codes(meter.finish("a").missing) == ["energy_no_meter"]


def test_rated_power_is_an_estimate_by_name(made: Callable[..., EnergyMeter]) -> None:
    meter = made(Absent(Scope.CPU, rated=125.0))
    meter.begin("a")
    time.sleep(0.02)
    energy = meter.finish("a", 20)
    assert (energy.method, energy.scope) == (Method.ESTIMATE, Scope.CPU)
    assert energy.joules == pytest.approx(125 * energy.seconds)
    assert "energy_estimated" in codes(energy.notes)


def test_a_source_that_breaks_midway_leaves_the_other(made: Callable[..., EnergyMeter]) -> None:
    broken, whole = FakeSource(Scope.GPU), FakeSource(Scope.CPU)
    meter = made(broken, whole)
    meter.begin("a")
    until(lambda: broken.reads > 3)

    def fail() -> None:
        raise ProbeError("nvidia_failed", reason="gone")

    broken.fails = fail
    asked = whole.reads
    time.sleep(0.7)  # past its second chance
    until(lambda: whole.reads > asked + 3)
    energy = meter.finish("a", 20)
    assert energy.scope is Scope.CPU
    assert "nvidia_failed" in codes(energy.missing)


def test_a_source_that_breaks_in_its_own_way_ends_the_task_not_the_app(
    made: Callable[..., EnergyMeter], caplog: pytest.LogCaptureFixture
) -> None:
    source = FakeSource()
    meter = made(source)
    meter.begin("a")

    def fail() -> None:
        raise ZeroDivisionError

    source.fails = fail
    until(lambda: not meter.awake)
    energy = meter.finish("a", 20)
    assert energy.joules is None
    assert "reading the energy meters failed" in caplog.text


def test_a_source_slower_than_the_period_is_not_asked_without_pause(
    made: Callable[..., EnergyMeter],
) -> None:
    source = FakeSource()
    source.slow_seconds = 0.05
    meter = made(source, period_seconds=0.001)
    meter.begin("a")
    time.sleep(0.6)
    energy = meter.finish("a", 20)
    assert energy.joules is not None
    assert source.reads <= energy.seconds / 0.1 + 4  # at most half of the time is spent reading


def test_answers_at_the_same_time_share(made: Callable[..., EnergyMeter]) -> None:
    source = FakeSource()
    meter = made(source)
    meter.begin("a")
    meter.begin("b")
    until(lambda: source.reads > 10)
    first, second = meter.end("a").result(20), meter.end("b").result(20)
    assert first.joules is not None
    assert second.joules is not None
    assert first.joules + second.joules == about(WATTS * second.seconds)
    assert "energy_shared" in codes(first.notes)


def test_overlaps_add_up_to_the_time_that_passed() -> None:
    overlaps = Overlaps()
    overlaps.begin("a", 0.0)
    overlaps.begin("b", 2.0)
    overlaps.begin("c", 3.0)
    assert overlaps.end("a", 6.0) * 6 == pytest.approx(2 + 0.5 + 1)
    assert overlaps.end("c", 6.0) * 3 == pytest.approx(1)
    assert overlaps.end("b", 8.0) * 6 == pytest.approx(0.5 + 1 + 2)
    overlaps.begin("d", 100.0)
    assert overlaps.end("d", 101.0) == 1.0


def test_a_dropped_task_lets_the_sampler_sleep(made: Callable[..., EnergyMeter]) -> None:
    meter = made(FakeSource())
    meter.begin("a")
    meter.begin("a")  # never ended: the first is dropped
    meter.drop("a")
    meter.drop("unknown")
    until(lambda: not meter.awake)


def test_a_clock_that_jumps_gives_no_false_number() -> None:
    """Forward by an hour: power is not integrated over it. Backward: no negative time."""
    for jump in (3600.0, -50.0):
        clock, source = Clock(), FakeSource(counter=False)
        meter = EnergyMeter([source], clock=clock, period_seconds=0.01)
        meter.begin("a")
        until(lambda source=source: source.reads > 2)  # type: ignore[misc]
        clock.now += jump
        energy = meter.end("a").result(20)
        assert energy.joules is None
        assert energy.seconds >= 0
        assert energy.missing
        meter.close()
