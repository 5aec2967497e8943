"""Processor counters, AMD and Apple devices on made-up systems; wall figures and prices."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import messages
from app.errors import AppError
from app.monitor import first_probe, open_meter, parse_price, per_million, tariff_of
from app.monitor.account import Account, Part
from app.monitor.amd import AmdSource
from app.monitor.apple import AppleSource
from app.monitor.probes import CarefulProbe
from app.monitor.rapl import RaplSource
from app.monitor.sample import GpuSample, MachineSample, Method, Missing, Reading, Scope
from app.monitor.sources import AbsentError, AsleepError, ProbeError, SourceSet
from app.monitor.tariff import Tariff
from app.monitor.wall import WallFigures
from app.settings import Settings

from .conftest import Clock

RANGE = 262_143_328_850


def zone(root: Path, name: str, title: str, microjoules: int, **more: int) -> Path:
    folder = root / "class/powercap" / name
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{title}\n")
    (folder / "energy_uj").write_text(f"{microjoules}\n")
    for file, value in more.items():
        (folder / file).write_text(f"{value}\n")
    return folder


def test_rapl_reads_packages_and_memory_and_nothing_twice(tmp_path: Path) -> None:
    zone(tmp_path, "intel-rapl:0", "package-0", 5_000_000, max_energy_range_uj=RANGE)
    zone(tmp_path, "intel-rapl:0:0", "core", 4_000_000)
    zone(tmp_path, "intel-rapl:0:1", "dram", 1_000_000)
    zone(tmp_path, "intel-rapl:1", "psys", 9_000_000)
    zone(tmp_path, "intel-rapl-mmio:0", "package-0", 5_000_000)
    source = RaplSource(tmp_path)
    source.open()
    readings = source.read()
    assert [reading.joules for reading in readings] == [5.0, 1.0]
    assert {reading.scope for reading in readings} == {Scope.CPU}
    assert len({reading.device for reading in readings}) == 2


def test_rapl_begins_again_at_its_range(tmp_path: Path) -> None:
    package = zone(tmp_path, "intel-rapl:0", "package-0", RANGE - 30_000_000)
    (package / "max_energy_range_uj").write_text(str(RANGE))
    source = RaplSource(tmp_path)
    source.open()
    (before,) = source.read()
    account = Account(0.0, 0.0, before)
    (package / "energy_uj").write_text("20000000")
    (after,) = source.read()
    account.add(1.0, after, 1.0)
    part = account.close(1.0)
    assert isinstance(part, Part)
    assert part.joules == pytest.approx(50.0)
    assert (part.method, part.was_reset) == (Method.COUNTER, False)


def test_rapl_for_the_administrator_only_leaves_its_rated_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone(tmp_path, "intel-rapl:0", "package-0", 1, constraint_0_power_limit_uw=125_000_000)
    real = Path.read_bytes

    def refuse(path: Path) -> bytes:  # root, who runs some tests, may read anything
        if path.name == "energy_uj":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    source = RaplSource(tmp_path)
    with pytest.raises(AbsentError) as caught:
        source.open()
    assert caught.value.code == "rapl_not_allowed"
    assert [rated.watts for rated in source.rated()] == [125.0]


def test_no_rapl_here(tmp_path: Path) -> None:
    source = RaplSource(tmp_path)
    with pytest.raises(AbsentError):
        source.open()
    assert source.rated() == ()


@pytest.mark.parametrize("content", ["", "abc", "\xff"])
def test_a_damaged_rapl_file_is_a_failure(tmp_path: Path, content: str) -> None:
    package = zone(tmp_path, "intel-rapl:0", "package-0", 1)
    source = RaplSource(tmp_path)
    source.open()
    (package / "energy_uj").write_text(content, encoding="latin-1")
    with pytest.raises(ProbeError):
        source.read()
    (package / "energy_uj").unlink()
    with pytest.raises(ProbeError):
        source.read()


def amd(root: Path, state: str = "active", **files: int) -> Path:
    folder = root / "bus/pci/devices/0000:03:00.0"
    (folder / "power").mkdir(parents=True)
    (folder / "hwmon/hwmon4").mkdir(parents=True)
    (folder / "vendor").write_text("0x1002\n")
    (folder / "class").write_text("0x030000\n")
    (folder / "power/runtime_status").write_text(f"{state}\n")
    (folder / "mem_info_vram_total").write_text("16000\n")
    (folder / "mem_info_vram_used").write_text("6000\n")
    (folder / "gpu_busy_percent").write_text("88\n")
    for name, value in files.items():
        (folder / "hwmon/hwmon4" / name).write_text(f"{value}\n")
    return folder


def test_amd_from_the_kernels_files(tmp_path: Path) -> None:
    amd(tmp_path, power1_average=180_000_000, power1_cap=250_000_000)
    source = AmdSource(tmp_path)
    source.open()
    (reading,) = source.read()
    assert (reading.watts, reading.joules, reading.scope) == (180.0, None, Scope.GPU)
    (gpu,) = source.gpus()
    assert (gpu.total_bytes, gpu.used_bytes, gpu.free_bytes) == (16000, 6000, 10000)
    assert (gpu.busy_fraction, gpu.power_limit_watts) == (0.88, 250.0)
    source.close()


def test_amd_without_power_leaves_its_cap(tmp_path: Path) -> None:
    amd(tmp_path, power1_average=0, power1_cap=250_000_000)
    sources = SourceSet([AmdSource(tmp_path)], Clock())
    assert not sources.read().readings
    assert sources.all_gone
    assert [rated.watts for rated in sources.rated()] == [250.0]


def test_amd_asleep_is_not_woken(tmp_path: Path) -> None:
    amd(tmp_path, "suspended", power1_average=5)
    with pytest.raises(AsleepError):
        AmdSource(tmp_path).open()
    assert AmdSource(tmp_path).rated() == ()


def fake_amdsmi(folder: Path, count: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The package amdsmi with its library, as far as it is used."""
    package = folder / "amdsmi"
    package.mkdir()
    (package / "__init__.py").write_text(
        "class AmdSmiException(Exception): pass\n"
        "def amdsmi_init(): pass\n"
        "def amdsmi_shut_down(): pass\n"
        "def amdsmi_get_processor_handles(): return [7]\n"
        "def amdsmi_get_gpu_device_bdf(handle): return '0000:03:00.0'\n"
        f"def amdsmi_get_energy_count(handle): return {count!r}\n"
    )
    (package / "libamd_smi.so").touch()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "amdsmi", raising=False)


@pytest.mark.parametrize(
    ("count", "joules"),
    [
        ({"energy_accumulator": 2_000_000, "counter_resolution": 15.3}, 30.6),
        ({"power": 2_000_000, "counter_resolution": 15.3}, 30.6),
        ({"energy_accumulator": "N/A", "counter_resolution": 15.3}, None),
        ({"energy_accumulator": 0, "counter_resolution": 15.3}, None),
        ({}, None),
    ],
)
def test_amds_own_counter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: dict[str, Any], joules: float | None
) -> None:
    amd(tmp_path, power1_input=100_000_000)
    fake_amdsmi(tmp_path, count, monkeypatch)
    source = AmdSource(tmp_path)
    source.open()
    (reading,) = source.read()
    assert reading.joules == (pytest.approx(joules) if joules is not None else None)
    assert reading.doubtful
    source.close()
    sys.modules.pop("amdsmi", None)


@pytest.mark.parametrize(("counted", "method"), [(98.0, Method.COUNTER), (7.0, Method.POWER)])
def test_a_doubtful_counter_is_believed_if_power_agrees(counted: float, method: Method) -> None:
    def reading(joules: float) -> Reading:
        return Reading("amd", Scope.GPU, joules=joules, watts=100.0, doubtful=True)

    account = Account(0.0, 0.0, reading(50.0))
    account.add(1.0, reading(50.0 + counted), 1.0)
    part = account.close(1.0)
    assert isinstance(part, Part)
    assert part.method is method
    assert part.joules == pytest.approx(100.0, rel=0.03)


@pytest.mark.parametrize(("late", "known"), [(0.04, True), (0.06, False)])
def test_a_late_first_reading_is_filled_in_only_if_little_is_missing(
    late: float, known: bool
) -> None:
    reading = Reading("gpu", Scope.GPU, watts=100.0)
    account = Account(0.0, late, reading)
    account.add(1.0, reading, 1.0)
    part = account.close(1.0)
    if known:
        assert isinstance(part, Part)
        assert part.joules == pytest.approx(100.0)
    else:
        assert part == Missing("energy_started_late")


@pytest.mark.parametrize("end_late", [0.0, 0.01, 0.4])
def test_what_is_read_late_after_the_end_is_not_the_tasks(end_late: float) -> None:
    """With a counter, with power, and with both; 300 W, and 60 W as soon as it has ended."""
    for has_counter, has_power in ((True, True), (False, True), (True, False)):

        def at(seconds: float, watts: float) -> Reading:
            joules = 300 * min(seconds, 2.0) + 60 * max(0.0, seconds - 2.0)
            return Reading(
                "gpu",
                Scope.GPU,
                joules=joules if has_counter else None,  # noqa: B023 - called at once
                watts=watts if has_power else None,  # noqa: B023
            )

        account = Account(0.0, 0.0, at(0.0, 300.0))
        account.add(1.9, at(1.9, 300.0), None)
        now = 2.0 + end_late
        account.add(now, at(now, 300.0 if end_late <= 0.01 else 60.0), 2.0)
        part = account.close(2.0)
        assert isinstance(part, Part)
        assert part.joules == pytest.approx(600.0, rel=0.07 if not has_power else 0.02)


def apple(monkeypatch: pytest.MonkeyPatch, **parts: int | None) -> AppleSource:
    class Monitor:
        def get_cumulative_energy(self) -> types.SimpleNamespace:
            return types.SimpleNamespace(**parts)

    library: Any = types.ModuleType("zeus_apple_silicon")
    library.AppleEnergyMonitor = Monitor
    monkeypatch.setitem(sys.modules, "zeus_apple_silicon", library)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    source = AppleSource()
    source.open()
    return source


def test_apple_silicon_adds_the_parts_a_chip_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    source = apple(
        monkeypatch, cpu_total_mj=2000, gpu_mj=5000, gpu_sram_mj=None, dram_mj=500, ane_mj=0
    )
    (reading,) = source.read()
    assert (reading.joules, reading.scope) == (7.5, Scope.CHIP)


def test_apple_silicon_without_graphics_energy_is_not_half_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(AbsentError):
        apple(monkeypatch, cpu_total_mj=2000, gpu_mj=None).read()


def test_apple_silicon_elsewhere() -> None:
    if sys.platform == "darwin":
        pytest.skip("this is a Mac")
    with pytest.raises(AbsentError):
        AppleSource().open()


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("0.15", 0.15),
        ("0,15", 0.15),
        (" 0,3 ", 0.3),
        ("0", 0.0),
        (",25", 0.25),
        ("1.234,5", 1234.5),
        ("1,234.5", 1234.5),
        ("1 234,5", 1234.5),
        ("1\u2019234.5", 1234.5),
        ("30", 30.0),
    ],
)
def test_prices_as_people_type_them(text: str, price: float) -> None:
    assert parse_price(text) == price


@pytest.mark.parametrize(
    "text", ["", " ", "abc", "nan", "inf", "1e3", "1_0", "0,1,5", "0.1.5", "٣"]
)
def test_what_is_no_price(text: str) -> None:
    with pytest.raises(AppError) as caught:
        parse_price(text)
    assert caught.value.code == "price_not_a_number"


@pytest.mark.parametrize("text", ["-0.15", "-0", "-1,2"])
def test_a_negative_price(text: str) -> None:
    with pytest.raises(AppError) as caught:
        parse_price(text)
    assert caught.value.code == "price_negative"


@given(st.text())
def test_no_text_breaks_the_price(text: str) -> None:
    try:
        price = parse_price(text)
    except AppError as error:
        price = float(len(messages.describe(error)))  # refused, in words
    assert price >= 0


def test_money() -> None:
    tariff = Tariff(0.30, "EUR")
    assert tariff.cost(3_600_000) == pytest.approx(0.30)
    assert tariff.cost(36_000) == pytest.approx(0.003)
    assert Tariff(0.0, "EUR").cost(3_600_000) == 0.0
    assert per_million(0.003, 1000) == pytest.approx(3.0)
    assert per_million(0.003, 0) is None
    assert tariff_of(Settings()).is_example
    assert not tariff_of(Settings(price_is_set=True)).is_example


@pytest.mark.parametrize(
    ("load", "idle", "code"),
    [
        (60.0, 300.0, "wall_figures_swapped"),
        (300.0, 300.0, "wall_figures_swapped"),
        (0.0, None, "wall_figures_unusable"),
        (float("nan"), None, "wall_figures_unusable"),
        (300.0, -1.0, "wall_figures_unusable"),
    ],
)
def test_wall_figures_that_cannot_be(load: float, idle: float | None, code: str) -> None:
    with pytest.raises(AppError) as caught:
        WallFigures(load, idle).check()
    assert caught.value.code == code
    assert "{" not in messages.describe(caught.value)


def test_the_settings_reach_the_meter() -> None:
    meter = open_meter(Settings(wall_load_watts=300.0, wall_idle_watts=50.0, subtract_idle=True))
    meter.begin("a")
    energy = meter.finish("a")
    assert energy.method is Method.WALL
    assert energy.joules == pytest.approx(250 * energy.seconds)
    meter.close()


def test_a_probe_that_fails_twice_is_asked_no_more(caplog: pytest.LogCaptureFixture) -> None:
    class Failing:
        asked = 0
        closed = False

        def sample(self, pid: int | None = None) -> MachineSample:
            self.asked += 1
            raise OSError("no /proc")

        def close(self) -> None:
            self.closed = True

    failing = Failing()
    probe = CarefulProbe(failing)
    for _ in range(4):
        sample = probe.sample()
        assert sample.ram_total_bytes is None
        assert sample.reason == "probe_failed"
    assert (failing.asked, failing.closed) == (2, True)
    assert caplog.text.count("no /proc") == 2


def test_the_first_probe_says_what_the_sampler_saw() -> None:
    gpu = GpuSample("fake", 1000, 400)
    probe = first_probe(lambda: (gpu,))
    sample = probe.sample()
    assert sample.gpus == (gpu,)
    assert sample.ram_total_bytes
    assert sample.reason is None
    probe.close()


def test_every_reason_has_a_sentence() -> None:
    room = Path(__file__).resolve().parents[3] / "app/monitor"
    text = "".join(file.read_text(encoding="utf-8") for file in room.glob("*.py"))
    raised = set(
        re.findall(r'(?:Missing|AbsentError|AsleepError|ProbeError|AppError)\(\s*"(\w+)"', text)
    )
    assert len(raised) > 20
    assert raised <= set(messages.SENTENCES), raised - set(messages.SENTENCES)
