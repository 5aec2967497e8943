"""The set-up scripts: what is reused, what is resumed, what is thrown away."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

import app
import checks
import engine_recipe
import environment
import lock
import setup_state
import system_packages
from console import CommandFailed, SetupError, run_logged
from setup_state import Request, Stamp

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "packaging" / "locks").glob("*.lock"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


# --- locks and versions --------------------------------------------------------------------------


def test_there_is_a_lock_for_each_purpose() -> None:
    assert [path.stem for path in LOCKS] == sorted(lock.LOCK_INPUTS)


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_locks_name_no_address_and_hash_every_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"https?:|://|--index-url|--find-links|--trusted-host", text)
    for pin, block in lock.entries(text).items():
        assert re.fullmatch(r"[a-z0-9-]+==\S+", pin)
        assert "--hash=sha256:" in block, pin


def test_dev_lock_repeats_nothing_of_the_runtime_lock() -> None:
    """Otherwise the app could be tested with other versions than it runs with."""
    runtime, dev = (
        {
            pin.split("==")[0]
            for pin in lock.entries((ROOT / f"packaging/locks/{n}.lock").read_text())
        }
        for n in ("runtime", "dev")
    )
    assert not runtime & dev


def test_every_direct_dependency_is_locked() -> None:
    locked = set()
    for path in LOCKS:
        locked |= {pin.split("==")[0] for pin in lock.entries(path.read_text(encoding="utf-8"))}
    groups = PYPROJECT["dependency-groups"]
    wanted = [*PYPROJECT["project"]["dependencies"], *(need for g in groups.values() for need in g)]
    names = {re.split(r"[^\w.-]", need)[0].lower().replace("_", "-") for need in wanted}
    assert names <= locked


def test_versions_are_written_once() -> None:
    assert "version" not in PYPROJECT["project"]
    assert PYPROJECT["tool"]["setuptools"]["dynamic"]["version"]["attr"] == "app.__version__"
    assert re.fullmatch(r"\d+\.\d+\.\d+", app.__version__)
    engine = engine_recipe.pinned_version()
    assert PYPROJECT["dependency-groups"]["engine"] == [f"llama-cpp-python=={engine}"]


# --- when nothing has to be done -----------------------------------------------------------------


def stamp(**changes: object) -> Stamp:
    values: dict[str, object] = {
        "runtime": setup_state.runtime_hash(),
        "dev": "",
        "backend": "cpu",
        "forced": False,
        "engine": "k",
        "gpu_tools": setup_state.gpu_tools(),
    }
    return Stamp(**{**values, **changes})  # type: ignore[arg-type]


APP = Request(None, "app", ())


def test_a_matching_stamp_spares_the_set_up() -> None:
    assert setup_state.is_current(stamp(), APP)
    assert not setup_state.is_current(None, APP)
    assert not setup_state.is_current(stamp(runtime="older"), APP)


def test_checks_need_their_own_tools() -> None:
    testing = Request(None, "test", ())
    assert not setup_state.is_current(stamp(), testing)
    assert setup_state.is_current(stamp(dev=setup_state.dev_hash()), testing)


def test_a_backend_asked_for_is_kept_until_auto_is() -> None:
    forced = stamp(backend="cuda", forced=True, gpu_tools="gone")
    assert setup_state.is_current(forced, APP)
    assert setup_state.is_current(forced, Request("cuda", "app", ()))
    assert not setup_state.is_current(forced, Request("cpu", "app", ()))
    assert not setup_state.is_current(forced, Request("auto", "app", ()))


def test_a_new_toolkit_makes_the_backend_be_chosen_anew() -> None:
    assert not setup_state.is_current(stamp(gpu_tools="something else"), APP)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"runtime": "x"}', '{"unknown": 1}'])
def test_a_broken_stamp_is_no_stamp(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup_state, "STAMP", tmp_path / "stamp.json")
    (tmp_path / "stamp.json").write_text(text)
    assert setup_state.read_stamp() is None


def test_a_stamp_reads_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup_state, "STAMP", tmp_path / "stamp.json")
    setup_state.write_stamp(stamp(window_missing=("libEGL.so.1",)))
    assert setup_state.read_stamp() == stamp(window_missing=("libEGL.so.1",))


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        ([], Request(None, "app", ())),
        (["cuda"], Request("cuda", "app", ())),
        (["cpu", "test", "unit", "-x"], Request("cpu", "test", ("unit", "-x"))),
        (["chat", "--target", "cpu"], Request(None, "app", ("chat", "--target", "cpu"))),
        (["setup"], Request(None, "setup", ())),
        (["--help"], Request(None, "help", ("--help",))),
    ],
)
def test_own_words_are_told_from_the_apps(words: list[str], request_: Request) -> None:
    assert setup_state.parse(words) == request_


def test_all_checks_run_unless_an_area_is_named() -> None:
    assert [check.name for check in checks.plan([])] == [
        "format",
        "lint",
        "types",
        "contracts",
        "tests",
    ]
    assert "tests" not in [check.name for check in checks.plan(["lint"])]
    only = checks.plan(["unit", "-k", "draft"])
    assert [check.name for check in only] == ["tests"]
    assert only[0].command[-3:] == ("tests/unit", "-k", "draft")


def test_one_failed_check_fails_the_run_but_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []

    def run(check: checks.Check) -> tuple[bool, float]:
        ran.append(check.name)
        return check.name != "format", 0.0

    monkeypatch.setattr(checks, "run", run)
    assert checks.main([]) == 1
    assert ran[-1] == "tests"
    assert "format     FAILED" in capsys.readouterr().out


# --- programs and system packages ----------------------------------------------------------------


def test_a_failing_program_names_its_log_and_last_lines(tmp_path: Path) -> None:
    log = tmp_path / "deep" / "setup.log"
    with pytest.raises(CommandFailed) as caught:
        run_logged("Building", ["sh", "-c", "echo one; echo two >&2; exit 3"], log)
    assert caught.value.tail == ("one", "two")
    assert str(log) in str(caught.value)
    assert "two" in log.read_text()


def test_a_program_that_is_not_there_is_a_failure_too(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed):
        run_logged("Building", [tmp_path / "no-such-program"], tmp_path / "log")


def test_missing_libraries_are_read_from_ldd() -> None:
    output = (
        "\tlibEGL.so.1 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\n\tlinux-vdso.so.1 (0x2)\n"
    )
    assert system_packages.missing_in_ldd(output) == ["libEGL.so.1"]


def test_packages_are_named_as_the_system_names_them() -> None:
    managers = {manager.program: manager for manager in system_packages.MANAGERS}
    missing = ["libEGL.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0", system_packages.FONTS]
    names = system_packages.package_names
    assert names(managers["apt-get"], missing) == ["libegl1", "libglib2.0-0", "fonts-dejavu-core"]
    assert names(managers["dnf"], ["libEGL.so.1"]) == ["'libEGL.so.1()(64bit)'"]


def test_without_rights_one_line_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apt = system_packages.MANAGERS[0]
    monkeypatch.setattr(system_packages, "find_manager", lambda: apt)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SetupError, match=r"sudo apt-get install .* build-essential"):
        system_packages.install(
            [system_packages.COMPILER], "It needs a compiler.", tmp_path / "log"
        )


def test_cuda_asked_for_without_toolkit_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="nvcc"):
        environment._prepare_engine("cuda", None, tmp_path, tmp_path / "log")


def test_no_set_up_file_names_an_address() -> None:
    """Where packages come from is the choice of whoever installs."""
    scripts = "bootstrap checks console engine_recipe engine_wheel environment fetch_models"
    files = [ROOT / "packaging" / f"{name}.py" for name in scripts.split()]
    for path in [ROOT / "run", ROOT / "run.cmd", ROOT / "pyproject.toml", *files, *LOCKS]:
        assert "://" not in path.read_text(encoding="utf-8"), path
