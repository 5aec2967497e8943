"""The catalogue as shipped, and every way its file can be wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.errors import AppError
from app.hub.catalog import Catalog, Pair, PairVerdict, Use, find_installed, load_catalog
from app.hub.folders import Origin
from app.hub.library import LibraryFile
from app.hub.names import FileKind, quantisation_of
from app.hub.records import Record, RemoteFile

SHIPPED = Path(__file__).parents[3] / "resources" / "pairs.json"
GIB = 1 << 30


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(SHIPPED)


def test_there_are_pairs_for_machines_from_8_to_64_gb(catalog: Catalog) -> None:
    useful = [pair for pair in catalog.pairs if pair.verdict is not PairVerdict.NOT_WORTH_IT]
    assert len(useful) >= 12
    for machine_gib, free_gib in ((8, 5), (16, 10), (24, 16), (32, 21), (64, 47)):
        fitting = [p for p in useful if p.needed_bytes(8192) <= free_gib * GIB]
        largest = max(fitting, key=lambda p: p.needed_bytes(8192))
        assert largest.needed_bytes(8192) > free_gib * GIB * 0.6, machine_gib


def test_every_pair_can_be_shown_and_downloaded(catalog: Catalog) -> None:
    for pair in catalog.pairs:
        for file in (pair.target, pair.draft):
            assert file.quantisation == quantisation_of(file.file) or "qat" in file.repo.lower()
            bits = file.size_bytes * 8 / file.parameters
            assert 3 < bits < 17, f"{file.file}: size and parameters disagree"
            assert file.revision is None or len(file.revision) == 40
        assert pair.needed_bytes(4096) > pair.size_bytes
        target, draft = pair.downloads()
        assert (target.name, draft.name) == (pair.target.file, pair.draft.file)
        assert target.size_bytes == pair.target.size_bytes


def test_a_file_is_the_same_wherever_it_is_listed(catalog: Catalog) -> None:
    seen: dict[tuple[str, str], object] = {}
    for pair in catalog.pairs:
        for file in (pair.target, pair.draft):
            assert seen.setdefault((file.repo, file.file), file) == file


def test_what_loses_is_listed_with_the_reason(catalog: Catalog) -> None:
    losing = [pair for pair in catalog.pairs if pair.verdict is PairVerdict.NOT_WORTH_IT]
    assert losing
    assert all(pair.note for pair in losing)
    assert any(pair.is_mixture_of_experts for pair in losing)


def test_memory_between_and_beyond_the_listed_contexts(catalog: Catalog) -> None:
    pair = catalog.pairs[0]
    four, eight = pair.needed_bytes(4096), pair.needed_bytes(8192)
    assert pair.needed_bytes(6144) == pytest.approx((four + eight) / 2, abs=1)
    assert pair.needed_bytes(12288) == pytest.approx(eight + (eight - four), abs=1)
    assert pair.needed_bytes(512) == four  # less is not promised


def test_pairs_are_found_by_id(catalog: Catalog) -> None:
    found = catalog.get("Qwen3-8B+0.6B")
    assert found is not None
    assert Use.CHAT in found.uses
    assert catalog.get("no such pair") is None


# wrong files


def at(data: Any, path: str) -> tuple[Any, Any]:
    *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in way:
        data = data[step]
    return data, last


WRONG: list[tuple[str, object, str]] = [
    ("version", 2, "top.version"),
    ("version", None, "top.version"),
    ("pairs", {}, "top.pairs"),
    ("pairs", [], "top.pairs"),
    ("pairs/0", "x", "top.pairs[0]"),
    ("pairs/0/id", "With Spaces", "pairs[0].id"),
    ("pairs/0/uses", [], "pairs[0].uses"),
    ("pairs/0/uses/0", "cooking", "pairs[0].uses"),
    ("pairs/0/verdict", "great", "pairs[0].verdict"),
    ("pairs/0/target/size_bytes", "1 GB", "pairs[0].target.size_bytes"),
    ("pairs/0/target/size_bytes", -1, "pairs[0].target.size_bytes"),
    ("pairs/0/target/size_bytes", True, "pairs[0].target.size_bytes"),
    ("pairs/0/target/size_bytes", 1, "pairs[0].draft"),
    ("pairs/0/target/sha256", "abc", "pairs[0].target.sha256"),
    ("pairs/0/target/revision", "main", "pairs[0].target.revision"),
    ("pairs/0/target/file", "../../evil.gguf", "pairs[0].target.file"),
    ("pairs/0/target/file", "setup.exe", "pairs[0].target.file"),
    ("pairs/0/target/repo", "no-owner", "pairs[0].target.repo"),
    ("pairs/0/target/gated", "yes", "pairs[0].target.gated"),
    ("pairs/0/need_bytes/8192", 5, "need_bytes.8192"),
    ("pairs/0/need_bytes", None, "pairs[0].need_bytes"),
    ("pairs/0/measured", None, "pairs[0].measured"),
]


@pytest.mark.parametrize(("path", "value", "where"), WRONG)
def test_a_wrong_field_is_named_with_its_place(
    tmp_path: Path, path: str, value: object, where: str
) -> None:
    data = copy.deepcopy(json.loads(SHIPPED.read_text(encoding="utf-8")))
    holder, last = at(data, path)
    holder[last] = value
    error = damaged(tmp_path, json.dumps(data))
    assert where in str(error.detail["where"])


def test_a_pair_listed_twice(tmp_path: Path) -> None:
    data = json.loads(SHIPPED.read_text(encoding="utf-8"))
    data["pairs"].append(data["pairs"][0])
    assert "twice" in str(damaged(tmp_path, json.dumps(data)).detail["where"])


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"version": 1}'])
def test_a_file_that_is_no_catalogue(tmp_path: Path, text: str) -> None:
    damaged(tmp_path, text)


def test_bytes_that_are_no_text_and_a_file_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "pairs.json"
    path.write_bytes(b"\xff\xfe\x00")
    for _ in range(2):
        with pytest.raises(AppError) as caught:
            load_catalog(path)
        assert caught.value.code == "catalog_damaged"
        path.unlink(missing_ok=True)


def damaged(folder: Path, text: str) -> AppError:
    path = folder / "pairs.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AppError) as caught:
        load_catalog(path)
    assert caught.value.code == "catalog_damaged"
    return caught.value


# what is installed


def on_disk(pair: Pair, **changes: Any) -> LibraryFile:
    path = Path("/models") / pair.target.repo / pair.target.file
    file = LibraryFile(path, (path,), pair.target.size_bytes, FileKind.MODEL, "Q4_K_M", Origin.OWN)
    return replace(file, **changes)


@pytest.mark.parametrize(
    ("change", "is_found"),
    [
        (lambda pair, file: file, True),  # same name and size, from another program
        (lambda pair, file: replace(file, size_bytes=5), False),
        (lambda pair, file: replace(file, missing_parts=(2,)), False),
        (lambda pair, file: replace(file, record=recorded(pair, name="renamed.gguf")), True),
        (lambda pair, file: replace(file, record=recorded(pair, sha="0" * 64)), True),  # newer
        (lambda pair, file: replace(file, record=recorded(pair, "other", "x", "0" * 64)), False),
    ],
)
def test_installed_files_are_recognised(
    catalog: Catalog, change: Callable[[Pair, LibraryFile], LibraryFile], is_found: bool
) -> None:
    pair = catalog.pairs[0]
    file = change(pair, on_disk(pair))
    assert (find_installed(pair.target, [file]) is file) is is_found


def recorded(
    pair: Pair, repo: str | None = None, name: str | None = None, sha: str | None = None
) -> Record:
    source = RemoteFile("https://hub", repo or pair.target.repo, name or pair.target.file, "1" * 40)
    return Record(source, None, sha or pair.target.sha256)
