"""The models commands against a Hub on loopback: outputs, exit codes, and every failure's words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backends import null

from app import cli
from app.cli import models as models_command
from app.cli import models_get, models_judge
from app.engine.protocol import DeviceInfo
from app.errors import AppError
from app.hub import catalog
from app.hub.partial import Place
from app.hub.queue import DownloadQueue
from app.paths import resource
from app.session.fitting import MachineMemory, machine_memory
from tests import hub_cases, tiny_pair
from tests.hub_cases import NAME, QUICK, REPO, SIZE, Case, Scene
from tests.loopback_hub import Fault, LoopbackHub
from tests.tiny_pair import DRAFT_FILE, PAIR_REPO, TARGET_FILE
from tests.unit.hub import made_up as made

GIB = 1 << 30


def machine(ram_gib: float = 12) -> MachineMemory:
    free = round(ram_gib * GIB)
    return machine_memory([DeviceInfo("CPU", "Processor", "cpu", free, free)], free, free)


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A Hub, an empty home, a small waiting time, no engine and no keyring."""
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    monkeypatch.setattr(models_get, "POLICY", QUICK)
    for module in (models_command, models_judge):
        monkeypatch.setattr(module, "memory_here", machine)
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())  # type: ignore[no-untyped-call]
    with ExitStack() as undo, LoopbackHub() as hub:
        yield hub_cases.scene(hub, tmp_path, monkeypatch, undo)
    keyring.set_keyring(before)


def run(*arguments: str | Path) -> int:
    return cli.main(["models", *map(str, arguments)])


def answer(capsys: pytest.CaptureFixture[str]) -> Any:
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return json.loads(out)


def serve_pair(at: Scene, **changes: Any) -> tuple[str, str]:
    """A pair as the Hub has it, target and draft; `changes` are the draft's."""
    target, draft = tiny_pair.made_up_pair(at.models.parent)
    if changes:
        draft.write_bytes(made.model(width=64, tail=tiny_pair.TAIL, **changes))
    tiny_pair.serve_pair(at.hub, target, draft)
    return f"{PAIR_REPO}/{TARGET_FILE}", f"{PAIR_REPO}/{DRAFT_FILE}"


def list_pair(at: Scene) -> None:
    """A catalogue of one pair, which the Hub serves."""
    serve_pair(at)
    path = tiny_pair.write_catalog(at.hub, at.models.parent / "pairs.json")
    tiny_pair.use_catalog(at.patch, path)


# --- getting --------------------------------------------------------------------------------------


def test_a_pair_of_the_list_arrives_checked_and_fits(
    at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    list_pair(at)
    assert run("get", "tiny", "--json") == 0
    got = answer(capsys)
    assert (got["pair"], got["verdict"]) == ("tiny", "The two go together.")
    for file in got["files"]:
        assert Path(file["path"]).stat().st_size == file["size_bytes"]
        assert file["sha256"] == at.hub.file("owner/pair-GGUF", file["file"]).sha256
    assert run("list", "--json") == 0
    listed = answer(capsys)
    assert {file["repo"] for file in listed["files"]} == {"owner/pair-GGUF"}
    assert listed["pairs"] == ["tiny"]


def test_a_single_file_arrives_and_its_path_is_printed(
    at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("get", f"{at.hub.endpoint}/{REPO}/blob/main/{NAME}") == 0
    out = capsys.readouterr().out
    assert Path(out.strip()).stat().st_size == SIZE
    assert Path(out.strip()) == at.models / REPO / NAME
    at.hub.requests.clear()
    assert run("get", f"{REPO}:q4_k_m") == 0
    assert not [seen for seen in at.hub.requests if seen.server == "storage"], "it is here already"


def test_all_parts_of_a_split_model_come_along(
    at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {}
    for index in (1, 2):
        name = f"big-Q8_0-{index:05d}-of-00002.gguf"
        files[name] = at.models.parent / name
        files[name].write_bytes(b"GGUF" + bytes(50_000 * index))
    at.hub.add("owner/big", files)
    assert run("get", "owner/big") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("case", hub_cases.cases())
def test_every_failure_is_said_and_ends_with_1(
    case: Case, at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    case.prepare(at)
    assert run("get", at.what, "--json") == 1
    out, err = capsys.readouterr()
    assert case.words in err
    assert case.words in json.loads(out)["error"]["message"]
    assert "{" not in json.loads(out)["error"]["message"]
    assert not (at.models / at.what).is_file()


def test_a_revoked_token_is_said(at: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    at.patch.setenv("HF_TOKEN", "hf_revoked")
    assert run("get", at.what) == 1
    assert "does not accept the access token" in capsys.readouterr().err


def test_a_token_of_the_environment_opens_a_gated_model(at: Scene) -> None:
    at.hub.repos[REPO].gated = True
    at.patch.setenv("HF_TOKEN", "hf_loopback")
    assert run("get", at.what) == 0


def test_a_file_that_changed_since_the_last_attempt_comes_whole(at: Scene) -> None:
    at.fault(ignore_range=True, drop_after=500_000)
    assert run("get", at.what) == 1, "given up, and what arrived is kept"
    other = at.models.parent / "other.gguf"
    other.write_bytes(b"GGUF" + bytes(SIZE))
    at.hub.add(REPO, {NAME: other})
    at.hub.faults.clear()
    assert run("get", at.what) == 0
    assert (at.models / at.what).read_bytes() == other.read_bytes()


def test_ctrl_c_keeps_what_arrived_and_the_next_run_goes_on(
    at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    at.hub.faults[REPO, NAME] = Fault(times=1, stall_after=1_000_000)
    at.patch.setattr(models_get, "POLICY", hub_cases.RetryPolicy(stall_seconds=30))
    place = Place(at.models, hub_cases.PurePosixPath(at.what))
    wait = DownloadQueue.wait

    def interrupted(self: DownloadQueue, seconds: float | None = None) -> bool:
        while place.part_bytes() < 1_000_000:
            wait(self, 0.02)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DownloadQueue, "wait", interrupted)
        assert run("get", at.what) == 130
    assert "What arrived is kept" in capsys.readouterr().err
    assert place.part_bytes() >= 1_000_000
    assert run("get", at.what) == 0
    assert at.hub.sent[NAME] == SIZE, "not a byte twice"


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("nonsense", "neither a pair of the list"),
        (f"{REPO}/other.gguf", "is not in"),
        ("owner/none", "does not exist"),
    ],
)
def test_a_wrong_name_is_said(
    what: str, words: str, at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("get", what) == 1
    assert words in capsys.readouterr().err


def test_several_models_are_named(at: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    at.serve("model-Q8_0.gguf")
    assert run("get", REPO) == 1
    assert "model-Q8_0.gguf" in capsys.readouterr().err


# --- finding --------------------------------------------------------------------------------------


def test_search_shows_licence_and_gate(at: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    serve_pair(at)
    _gate(at)
    assert run("search", "gguf", "--json") == 0
    found = {one["repo"]: one for one in answer(capsys)["repositories"]}
    assert found["owner/pair-GGUF"]["gated"] is True
    assert found[REPO]["licence"] == "apache-2.0"
    assert run("search", "pair", "--licence", "mit") == 0
    assert capsys.readouterr().out == ""
    assert run("search", "pair") == 0
    assert "licence must be accepted first" in capsys.readouterr().out


def _gate(at: Scene) -> None:
    at.hub.repos["owner/pair-GGUF"].gated = True


def test_the_choice_for_this_computer_comes_with_its_reasons(
    at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("recommend", "--json") == 0
    found = answer(capsys)
    assert found["choice"]["id"] in {pair.id for pair in _listed().pairs}
    assert found["choice"]["title"] in found["why"]
    assert found["smaller"]["why"]
    assert run("recommend") == 0
    assert f"models get {found['choice']['id']}" in capsys.readouterr().out


def _listed() -> catalog.Catalog:
    return catalog.load_catalog(resource("pairs.json"))


def test_a_damaged_list_is_said(at: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    path = at.models.parent / "pairs.json"
    path.write_text('{"version": 1, "pairs": [{"id": 7}]}')
    tiny_pair.use_catalog(at.patch, path)
    assert run("recommend") == 1
    assert "list of recommended pairs cannot be read" in capsys.readouterr().err


def test_an_empty_folder_says_what_to_do(at: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    assert "models recommend" in capsys.readouterr().out


# --- judging --------------------------------------------------------------------------------------


def test_a_far_pair_is_judged_by_ranges(at: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    target, draft = serve_pair(at)
    assert run("check", target, draft, "--json") == 0
    verdict = answer(capsys)
    assert (verdict["ok"], verdict["reason"]) == (True, None)
    assert 0 < verdict["fetched_bytes"] < 200_000
    assert not at.models.exists(), "nothing is downloaded"


def test_a_refusal_ends_with_1_and_its_reason(
    at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    words = made.tokens_of(300)
    words[139] = "another"
    target, draft = serve_pair(at, tokens=words)
    here = at.models.parent / "draft-Q8_0.gguf"
    assert run("check", target, here) == 1
    assert "Token 139 is 't139' in the target and 'another' in the draft" in capsys.readouterr().out
    assert run("check", target, draft, "--json") == 1
    assert answer(capsys)["reason"]["code"] == "pair_token_text"


def test_an_estimate_has_a_table_a_total_and_a_verdict(
    at: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    target, draft = serve_pair(at)
    assert run("estimate", target, draft, "--ctx", "4096", "--json") == 0
    found = answer(capsys)
    assert found["fits"] is True
    assert sum(r["bytes"] for r in found["rows"] if not r["reclaimable"]) == found["total_bytes"]
    assert {row["part"] for row in found["rows"]} == {"target", "draft"}
    assert run("estimate", target) == 0
    assert "It fits" in capsys.readouterr().out
    at.patch.setattr(models_judge, "memory_here", lambda: machine(0.1))
    assert run("estimate", target) == 0
    assert "It does not fit" in capsys.readouterr().out


def test_a_missing_file_is_said(at: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    gone = at.models.parent / "gone.gguf"
    assert run("estimate", gone) == 1
    assert "is not there any more" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["get"], ["check", "one"], ["recommend", "--use", "poetry"], ["search"]]
)
def test_wrong_usage_ends_with_2(arguments: list[str], at: Scene) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == 2


def test_without_an_engine_ram_alone_is_known(
    at: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from app.cli import models_machine

    def broken() -> None:
        raise AppError("engine_stopped")

    monkeypatch.setattr(models_machine, "engine", broken)
    assert models_machine.memory_here().all_bytes > 0
    assert capsys.readouterr().err
