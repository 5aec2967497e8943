"""`models`: what is here, what suits this computer, what the Hub has; getting and judging it.

The listing commands are here, `get` in models_get.py, `check` and `estimate` in models_judge.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app import paths
from app.cli import models_get, models_judge
from app.cli.models_hub import open_hub
from app.cli.models_machine import memory_here
from app.hub.catalog import Catalog, CatalogFile, Pair, Use, find_installed, load_catalog
from app.hub.folders import known_folders
from app.hub.library import Library, LibraryFile
from app.hub.partial import gigabytes
from app.hub.recommend import Recommendation, recommend
from app.messages import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hub.recommend import Neighbour
    from app.hub.repository import RepoSummary


def run(arguments: argparse.Namespace) -> int:
    """Run one of the actions."""
    actions: dict[str, Callable[[argparse.Namespace], int]] = {
        "list": _list,
        "recommend": _recommend,
        "search": _search,
        "get": models_get.run,
        "check": models_judge.check,
        "estimate": models_judge.estimate,
    }
    with _questions_closed():
        return actions[arguments.action](arguments)


@contextmanager
def _questions_closed() -> Iterator[None]:
    """Leave no connection of the Hub's library open."""
    try:
        yield
    finally:
        if "huggingface_hub" in sys.modules:
            from app.hub import download

            download.close()


def _list(arguments: argparse.Namespace) -> int:
    library = Library(paths.folders().models, known_folders())
    files = library.scan()
    catalog = load_catalog(paths.resource("pairs.json"))
    if arguments.json:
        listed = [_file_json(file) for file in files]
        complete = [pair.id for pair in catalog.pairs if _has_all(pair, files)]
        print(json.dumps({"folder": str(library.folder), "files": listed, "pairs": complete}))
        return 0
    if not files:
        print(f"No models in {library.folder}. See what suits this computer: models recommend")
    for file in files:
        print(f"{gigabytes(file.size_bytes):>9}  {file.quantisation or '-':8}  {_place(file)}")
    for pair in catalog.pairs:
        if _has_all(pair, files):
            print(f"complete pair: {pair.id} ({pair.title})")
    return 0


def _place(file: LibraryFile) -> str:
    remarks = [] if file.is_complete else ["parts missing"]
    if file.is_read_only:
        remarks.append(file.origin.value.replace("_", " "))
    return str(file.path) + (f"  ({', '.join(remarks)})" if remarks else "")


def _has_all(pair: Pair, files: list[LibraryFile]) -> bool:
    return all(find_installed(one, files) is not None for one in (pair.target, pair.draft))


def _file_json(file: LibraryFile) -> dict[str, object]:
    source = file.record.file if file.record is not None else None
    return {
        "path": str(file.path),
        "size_bytes": file.size_bytes,
        "quantisation": file.quantisation,
        "kind": file.kind.value,
        "origin": file.origin.value,
        "complete": file.is_complete,
        "repo": source.repo if source else None,
        "commit": source.commit if source else None,
        "sha256": file.record.whole_sha256 if file.record is not None else None,
    }


def _recommend(arguments: argparse.Namespace) -> int:
    catalog: Catalog = load_catalog(paths.resource("pairs.json"))
    machine = memory_here()
    found = recommend(catalog, machine.devices, Use(arguments.use))
    if arguments.json:
        devices = [
            {"name": d.name, "kind": d.kind.value, "free_bytes": d.free_bytes}
            for d in machine.devices
        ]
        print(json.dumps({**_recommendation_json(found), "devices": devices}, ensure_ascii=False))
        return 0
    for device in machine.devices:
        print(f"{device.name}: {gigabytes(device.free_bytes)} free", file=sys.stderr)
    print(sentence(found.why.code, found.why.detail))
    if found.choice is not None:
        choice = found.choice
        print(f"get it with: models get {choice.id}   ({gigabytes(choice.size_bytes)} to download)")
    for neighbour in (found.smaller, found.larger):
        if neighbour is not None:
            said = sentence(neighbour.why.code, neighbour.why.detail)
            print(f"{said}   ({neighbour.pair.id})")
    return 0


def _recommendation_json(found: Recommendation) -> dict[str, object]:
    return {
        "choice": pair_json(found.choice) if found.choice else None,
        "why": sentence(found.why.code, found.why.detail),
        "context_tokens": found.context_tokens,
        "device": found.device,
        "smaller": _neighbour_json(found.smaller),
        "larger": _neighbour_json(found.larger),
    }


def _neighbour_json(neighbour: Neighbour | None) -> dict[str, object] | None:
    if neighbour is None:
        return None
    why = sentence(neighbour.why.code, neighbour.why.detail)
    return {**pair_json(neighbour.pair), "why": why}


def pair_json(pair: Pair) -> dict[str, object]:
    """A pair of the catalogue as plain data."""
    return {
        "id": pair.id,
        "title": pair.title,
        "size_bytes": pair.size_bytes,
        "need_bytes": dict(pair.need_bytes),
        "target": _catalog_file_json(pair.target),
        "draft": _catalog_file_json(pair.draft),
        "note": pair.note,
    }


def _catalog_file_json(file: CatalogFile) -> dict[str, object]:
    return {
        "repo": file.repo,
        "file": file.file,
        "size_bytes": file.size_bytes,
        "quantisation": file.quantisation,
        "licence": file.licence,
        "gated": file.gated,
    }


def _search(arguments: argparse.Namespace) -> int:
    hub = open_hub()
    found = hub.search(arguments.text, licence=arguments.licence, limit=arguments.limit)
    if arguments.json:
        print(json.dumps({"repositories": [_summary_json(one) for one in found]}))
        return 0
    if not found:
        print("Nothing was found. Try fewer or other words.", file=sys.stderr)
    for one in found:
        size = f"{one.parameters / 1e9:.1f}B" if one.parameters else "-"
        gate = "  licence must be accepted first" if one.is_gated else ""
        print(f"{one.downloads:>10,}  {size:>7}  {one.licence or '-':14}  {one.repo}{gate}")
    return 0


def _summary_json(one: RepoSummary) -> dict[str, object]:
    return {
        "repo": one.repo,
        "page": one.page,
        "licence": one.licence,
        "gated": one.is_gated,
        "downloads": one.downloads,
        "parameters": one.parameters,
        "architecture": one.architecture,
        "context_length": one.context_length,
        "updated": one.updated,
    }
