"""What can be done with files on this computer, on a thread: check, delete, add."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.errors import AppError
from app.hub.progress import Control, Progress, Stop
from app.ui.messages import say, say_bytes, say_percent
from app.ui.models.background import Background
from app.ui.models.depot import Depot

if TYPE_CHECKING:
    from app.hub.library import Deletion, LibraryFile


class LibraryTasks(QObject):
    """One task at a time for each kind; a newer one ends the older.

    Signals:
        said: progress, result or failure in words.
        planned: what deleting would do: the Deletion, to be asked about.
        ended: a task is over.
    """

    said = Signal(str)
    planned = Signal(object)
    ended = Signal()

    def __init__(self, depot: Depot, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._depot = depot
        self._control: Control | None = None
        self._background = Background(self)
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._background.told.connect(self._on_told)

    def close_work(self) -> None:
        """The dialog goes; what runs is ended."""
        if self._control is not None:
            self._control.stop(Stop.CANCEL)
        self._background.close()

    def verify(self, file: LibraryFile) -> None:
        """Compare a file with what was downloaded."""
        stock = self._depot.stock
        if stock is None:
            return
        control = self._fresh_control()

        def check() -> str:
            verdict = stock.library.verify(file, control, self._seen("verify"))
            return self._verdict_words(verdict.value).format(name=file.path.name)

        self._background.run("verify", check)

    def plan_deletion(self, file: LibraryFile) -> None:
        """Find out what deleting would free and break; `planned` follows."""
        stock = self._depot.stock
        if stock is not None:
            in_use = self._depot.pairs_in_use()
            self._background.run("plan", lambda: stock.library.plan_deletion(file, in_use))

    def delete(self, deletion: Deletion) -> None:
        """Delete what was planned and asked about."""
        stock = self._depot.stock
        if stock is None:
            return

        def delete() -> str:
            stock.library.delete(deletion)
            freed = say_bytes(deletion.freed_bytes)
            return self.tr("Deleted. {size} are free again.").format(size=freed)

        self._background.run("delete", delete)

    def bring_in(self, path: Path, how: str) -> None:
        """Add a file by "link" or "copy"."""
        stock = self._depot.stock
        if stock is None:
            return
        control = self._fresh_control()

        def bring() -> str:
            from app.hub.importing import ImportMode, import_file

            folder = stock.library.folder
            import_file(path, folder, ImportMode(how), control, self._seen("import"))
            return self.tr("{name} was added.").format(name=path.name)

        self._background.run("import", bring)

    def _fresh_control(self) -> Control:
        if self._control is not None:
            self._control.stop(Stop.CANCEL)
        self._control = Control()
        return self._control

    def _seen(self, topic: str) -> _Teller:
        return _Teller(self._background, topic)

    def _verdict_words(self, verdict: str) -> str:
        return {
            "right": self.tr("{name} is exactly what was downloaded."),
            "damaged": self.tr("{name} is damaged. Delete it and get it again."),
            "unknown": self.tr(
                "{name} was not downloaded by this app, so there is nothing to compare it with."
            ),
        }[verdict]

    @Slot(str, object)
    def _on_told(self, topic: str, progress: object) -> None:
        assert isinstance(progress, Progress)
        share = progress.done_bytes / progress.total_bytes if progress.total_bytes else 0.0
        words = self.tr("Copying: {share}") if topic == "import" else self.tr("Checking: {share}")
        self.said.emit(words.format(share=say_percent(share)))

    @Slot(str, object)
    def _on_done(self, topic: str, result: object) -> None:
        if topic == "plan":
            self.planned.emit(result)
            return
        self.said.emit(str(result))
        self.ended.emit()
        if topic != "verify":
            self._depot.look()

    @Slot(str, object)
    def _on_failed(self, _topic: str, error: AppError) -> None:
        self.said.emit(say(error.code, error.detail))
        self.ended.emit()


class _Teller:
    """Passes progress on from the thread that makes it."""

    def __init__(self, background: Background, topic: str) -> None:
        self._background = background
        self._topic = topic

    def __call__(self, progress: Progress) -> None:
        self._background.tell(self._topic, progress)
