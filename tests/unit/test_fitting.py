"""What fits: by device, by context, and what is said before a load that will not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.protocol import DeviceInfo, LoadModels
from app.hub.gguf import FileSource, Header, read_header
from app.hub.memory import MARGIN_BYTES
from app.hub.recommend import DeviceKind
from app.messages import sentence
from app.session import ChatSession, LoadCheck, LoadOptions, Notice
from app.session.fitting import FitLevel, FitReport, fit_pair, fit_size, machine_memory
from app.storage import Storage
from tests.ui.fake_engine import loaded_pair
from tests.unit.hub import made_up as made

GIB = 1 << 30
OPTIONS = LoadOptions(n_ctx=8192, min_ctx=2048)


def cpu(free_gib: float) -> DeviceInfo:
    return DeviceInfo("CPU", "Processor", "cpu", round(free_gib * GIB), 64 * GIB)


def gpu(free_gib: float, name: str = "CUDA0", kind: str = "gpu") -> DeviceInfo:
    return DeviceInfo(name, "Card", kind, round(free_gib * GIB), 24 * GIB)


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Header:
    """A model whose cache takes 1 MiB for each token: 8 GiB for 8,192."""
    path = tmp_path_factory.mktemp("models") / "m.gguf"
    early = [
        made.scalar("llama.attention.head_count_kv", made.U32, 4),
        made.scalar("llama.attention.key_length", made.U32, 65536),
        made.scalar("llama.attention.value_length", made.U32, 65536),
    ]
    path.write_bytes(made.model(width=64, early=early))
    return read_header(FileSource(path))


def fitted(header: Header, *devices: DeviceInfo, ram_gib: float = 32) -> FitReport:
    return fit_pair(header, None, machine_memory(devices, round(ram_gib * GIB), 64 * GIB), OPTIONS)


def test_the_context_is_as_long_as_fits_with_the_margin(header: Header) -> None:
    assert fitted(header, cpu(32)).n_ctx == 8192
    found = fitted(header, cpu(9), ram_gib=9)
    assert (found.level, found.n_ctx) == (FitLevel.FITS, 4096)
    assert found.need_bytes + MARGIN_BYTES <= 9 * GIB
    (notice,) = found.advice()
    assert "A context of 8192 tokens" in sentence(notice.code, notice.detail)
    assert "it is 4096" in sentence(notice.code, notice.detail)


def test_what_does_not_fit_is_said_with_both_figures(header: Header) -> None:
    found = fitted(header, cpu(2), ram_gib=2)
    assert found.level is FitLevel.TOO_LARGE
    (notice,) = found.advice()
    assert "{" not in sentence(notice.code, notice.detail)
    assert notice.detail["free"] == "2.1 GB"


def test_a_card_that_is_too_small_spills_into_ram(header: Header) -> None:
    found = fitted(header, cpu(32), gpu(2))
    assert (found.level, found.n_ctx) == (FitLevel.PARTLY, 8192)
    assert found.advice()[0].code == "pair_partly_fits"
    assert fitted(header, cpu(32), gpu(20)).advice() == ()


def test_shared_memory_counts_once(header: Header) -> None:
    for device in (gpu(16, "MTL0"), gpu(16, "Vulkan0", "igpu")):
        machine = machine_memory([cpu(16), device], 14 * GIB, 16 * GIB)
        assert [one.kind for one in machine.devices] == [DeviceKind.UNIFIED]
        assert machine.fast_bytes == machine.all_bytes == 14 * GIB
        assert fit_pair(header, None, machine, OPTIONS).n_ctx == 8192


def test_an_integrated_device_beside_a_card_is_left_out() -> None:
    machine = machine_memory([cpu(8), gpu(6), gpu(4, "Vulkan1", "igpu")], 8 * GIB)
    assert [one.name for one in machine.gpus] == ["CUDA0"]
    assert machine.all_bytes == 14 * GIB


def test_two_cards_share_by_what_is_free() -> None:
    machine = machine_memory([gpu(6), gpu(18, "CUDA1")], 8 * GIB)
    assert [round(one.share, 2) for one in machine.gpus] == [0.25, 0.75]


def test_a_loaded_pair_makes_room_for_the_next() -> None:
    before = machine_memory([cpu(4)], 4 * GIB, 16 * GIB)
    after = machine_memory([cpu(4)], 4 * GIB, 16 * GIB, loaded_pair(Path("/t"), Path("/d")))
    assert after.all_bytes - before.all_bytes == 3 * (1_120_000_000 + 400_000_000) // 16


def test_without_any_figure_nothing_is_free() -> None:
    assert machine_memory([]).all_bytes == 0


@pytest.mark.parametrize(
    ("size_gib", "level"), [(2.5, "fits"), (6.0, "partly"), (30.0, "too_large"), (None, "unknown")]
)
def test_a_size_alone_gives_a_rule_of_thumb(size_gib: float | None, level: str) -> None:
    machine = machine_memory([cpu(16), gpu(5)], 16 * GIB)
    size = None if size_gib is None else round(size_gib * GIB)
    assert fit_size(size, machine) == level


def test_a_session_loads_what_fits_says_so_and_keeps_to_it(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "c.sqlite3")
    session = ChatSession(storage, clock=lambda: 0.0, wall_clock=lambda: 0.0)
    advice = Notice("context_reduced_to_fit", {"asked": 8192, "n_ctx": 4096})
    check = LoadCheck(Path("/t.gguf"), n_ctx=4096, advice=(advice,))
    (command,) = session.load_checked(check, OPTIONS)
    assert isinstance(command, LoadModels)
    assert (command.n_ctx, command.min_ctx) == (4096, 2048)
    assert session.view().notices == (advice,)
    again = session.restart()[-1]
    assert isinstance(again, LoadModels)
    assert again.n_ctx == 4096, "a restart asks for no more"
    other = session.load(Path("/other.gguf"), options=OPTIONS)[-1]
    assert isinstance(other, LoadModels)
    assert other.n_ctx == 8192, "another pair is another matter"
    storage.close()
