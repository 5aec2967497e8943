"""The scenes of the Models dialog, for screenshots.py: real pages, made-up files and answers.

No network is asked: what a Hub would answer is written down here.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from app import paths
from app.engine.protocol import DeviceInfo, WorkerStarted
from app.errors import DownloadFailed
from app.hub.catalog import CatalogFile
from app.hub.items import Item, ItemState, Wanted, sum_up
from app.hub.progress import Phase, Progress
from app.hub.records import RemoteFile
from app.hub.repository import Repository, RepoSummary, group_files
from app.ui.models.depot import Depot
from app.ui.models.dialog import ModelsDialog, Page
from tests.unit.hub import made_up

if TYPE_CHECKING:
    from scenes import Stage

GIB = 2**30
DEVICES = (
    DeviceInfo("CPU", "Processor", "cpu", 24 * GIB, 32 * GIB),
    DeviceInfo("CUDA0", "GeForce RTX 4070", "gpu", round(11.2 * GIB), 12 * GIB),
)
TAIL = {"bos_token_id": 1, "eos_token_id": 2, "add_bos_token": True, "add_eos_token": False}


def _far(repo: str, name: str, size_bytes: int) -> RemoteFile:
    return RemoteFile("https://huggingface.co", repo, name, "1" * 40, size_bytes, "a" * 64)


class WrittenHub:
    """Answers from this file."""

    def search(self, text: str, **_: object) -> list[RepoSummary]:
        """A few repositories."""
        del text
        rows = (
            ("Qwen/Qwen3-8B-GGUF", "apache-2.0", False, 412_345, 8_190_735_360),
            (
                "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF",
                "llama3.1",
                False,
                287_004,
                8_030_261_312,
            ),
            ("google/gemma-3-12b-it-qat-q4_0-gguf", "gemma", True, 95_410, 11_765_788_416),
            ("Qwen/Qwen3-32B-GGUF", "apache-2.0", False, 51_220, 32_762_123_264),
            ("someone/a-model-without-many-facts-GGUF", None, False, 312, None),
        )
        return [
            RepoSummary(
                repo,
                f"https://huggingface.co/{repo}",
                licence,
                gated,
                downloads,
                0,
                None,
                parameters,
                "llama",
                40960,
            )
            for repo, licence, gated, downloads, parameters in rows
        ]

    def repository(self, repo: str, revision: str | None = None) -> Repository:
        """The files of one."""
        del revision
        stem = repo.rpartition("/")[2].removesuffix("-GGUF").removesuffix("-gguf")
        sizes = {"Q4_K_M": 5.0, "Q5_K_M": 5.9, "Q6_K": 6.7, "Q8_0": 8.7, "F16": 16.4}
        files = [_far(repo, f"{stem}-{q}.gguf", round(size * 1e9)) for q, size in sizes.items()]
        files.append(_far(repo, "mmproj-F16.gguf", 800_000_000))
        summary = next((one for one in self.search("") if one.repo == repo), self.search("")[0])
        return Repository(summary, "1" * 40, *group_files(files))

    def open(self, file: RemoteFile) -> object:
        """Nothing can be read: badges come from sizes."""
        raise DownloadFailed("no_connection", host=file.repo)


def _known(stage: Stage) -> Depot:
    """The application with its devices known and the depot open."""
    stage.engine.say(WorkerStarted(1, 7, {}, DEVICES))
    depot = stage.application.models.depot
    while depot.stock is None:
        stage.settle(0.05)
    depot.stock = replace(depot.stock, hub=cast("Any", WrittenHub()))
    return depot


def _dialog(stage: Stage, page: Page) -> ModelsDialog:
    _known(stage)
    stage.application.models.on_models()
    dialog = stage.application.models.dialog
    assert dialog is not None
    dialog.show_page(page)
    stage.settle(0.4)
    return dialog


def _put(file: CatalogFile | Path, content: bytes | None = None) -> Path:
    """A file of the right size that takes no room on the disk."""
    models = paths.folders().models
    path = models / file if isinstance(file, Path) else models / file.repo / file.file
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        out.write(content or b"GGUF")
        if isinstance(file, CatalogFile):
            out.truncate(file.size_bytes)
    return path


def first_offer(stage: Stage) -> None:
    """The first start: a pair that suits the computer, with one click."""
    _known(stage)
    stage.settle(0.4)


def models_recommended(stage: Stage) -> None:
    """The choice for this computer."""
    _dialog(stage, Page.RECOMMENDED)


def models_downloading(stage: Stage) -> None:
    """The same while the pair is on its way."""
    dialog = _dialog(stage, Page.RECOMMENDED)
    pair = dialog.recommended.card.pair
    depot = stage.application.models.depot
    assert pair is not None
    assert depot.stock is not None
    item = _item(
        pair.target.repo, pair.target.file, ItemState.RUNNING, 3.1e9, pair.target.size_bytes
    )
    waiting = _item(pair.draft.repo, pair.draft.file, ItemState.QUEUED, 0, pair.draft.size_bytes)
    snapshot = sum_up((item, waiting))
    shown, wanted = [item, waiting], pair
    depot.items_of = lambda pair: shown if pair == wanted else []  # type: ignore[method-assign]
    depot.downloads_changed.emit(snapshot)


def models_search(stage: Stage) -> None:
    """Results with badges."""
    dialog = _dialog(stage, Page.SEARCH)
    dialog.search.type_text("instruct")
    dialog.search.search()


def models_repository(stage: Stage) -> None:
    """The files of a gated repository."""
    dialog = _dialog(stage, Page.SEARCH)
    dialog.search.open_repo("google/gemma-3-12b-it-qat-q4_0-gguf")


def models_pairs(stage: Stage) -> None:
    """Drafts for a target, refused ones with their reasons."""
    other = made_up.tokens_of(300)
    other[139] = "another"
    _put(Path("imported/Big-32B-Q4_K_M.gguf"), made_up.model(width=64000, tail=TAIL))
    _put(Path("imported/Small-1.5B-Q8_0.gguf"), made_up.model(width=3200, tail=TAIL))
    _put(Path("imported/Middle-14B-Q4_K_M.gguf"), made_up.model(width=28800, tail=TAIL))
    _put(
        Path("imported/Stranger-0.5B-Q8_0.gguf"),
        made_up.model(width=640, tail=TAIL, tokens=other),
    )
    dialog = _dialog(stage, Page.PAIRS)
    stage.application.models.depot.look()
    stage.settle(0.3)
    dialog.pairs.choose("Big-32B-Q4_K_M.gguf")
    dialog.pairs.check()


def models_installed(stage: Stage) -> None:
    """Files on this computer."""
    depot = _known(stage)
    assert depot.stock is not None
    for pair in depot.stock.catalog.pairs[2:4]:
        _put(pair.target)
        _put(pair.draft)
    _put(Path("imported/my-own-model-Q5_K_M.gguf"), made_up.model(width=64000))
    dialog = _dialog(stage, Page.INSTALLED)
    depot.look()
    stage.settle(0.3)
    dialog.installed.select(depot.files[1].path)


def models_downloads(stage: Stage) -> None:
    """A queue in every state."""
    dialog = _dialog(stage, Page.DOWNLOADS)
    repo = "Qwen/Qwen3-14B-GGUF"
    failed = _item(repo, "Qwen3-14B-Q5_K_M.gguf", ItemState.FAILED, 2.2e9, 10_500_000_000)
    error = DownloadFailed("disk_filled", name="Qwen3-14B-Q5_K_M.gguf")
    items = (
        _item(repo, "Qwen3-14B-Q4_K_M.gguf", ItemState.RUNNING, 3.1e9, 9_001_752_960),
        _item("Qwen/Qwen3-0.6B-GGUF", "Qwen3-0.6B-Q8_0.gguf", ItemState.QUEUED, 0, 639_446_688),
        replace(failed, error=error),
        _item(repo, "Qwen3-14B-Q8_0.gguf", ItemState.PAUSED, 0.4e9, 15_698_532_640),
        _item(repo, "Qwen3-14B-Q6_K.gguf", ItemState.DONE, 12.1e9, 12_100_000_000),
    )
    stage.application.models.depot.downloads_changed.emit(sum_up(items))
    del dialog


def _item(repo: str, name: str, state: ItemState, done: float, total: int) -> Item:
    speed = 24.3e6 if state is ItemState.RUNNING else 0.0
    left = (total - done) / speed if speed else None
    progress = Progress(Phase.RECEIVING, round(done), total, speed, left)
    path = paths.folders().models / repo / name
    return Item(f"{repo}/{name}", Wanted(repo, name, None, total), path, state, progress)


MODEL_SCENES = (
    first_offer,
    models_recommended,
    models_downloading,
    models_search,
    models_repository,
    models_pairs,
    models_installed,
    models_downloads,
)
