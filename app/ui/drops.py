"""Model files dropped on the window: which of them is the target, which the draft."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMainWindow


def model_files(data: QMimeData) -> list[Path]:
    """The GGUF files among what is dragged, the largest first; at most a pair."""
    files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    models = [file for file in files if file.suffix.lower() == ".gguf"]
    return sorted(models, key=_size_bytes, reverse=True)[:2]


def _size_bytes(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # gone again: whoever opens it says so
        return 0


class Drops(QObject):
    """Takes model files wherever they fall on a window that none of its parts took.

    Signals:
        dropped: target and draft (or None).
    """

    dropped = Signal(Path, object)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self._cover = QLabel(self.tr("Drop to open: the larger file answers, the smaller guesses"))
        self._cover.setObjectName("dropCover")
        self._cover.setParent(window)
        self._cover.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._cover.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._cover.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._window:
            return False
        if isinstance(event, QDragEnterEvent) and event.type() == QEvent.Type.DragEnter:
            return self._on_enter(event)
        if event.type() == QEvent.Type.DragLeave:
            self._cover.hide()
        elif isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            return self._on_drop(event)
        elif isinstance(event, QResizeEvent):
            self._cover.resize(event.size())
        return False

    def _on_enter(self, event: QDragEnterEvent) -> bool:
        if not model_files(event.mimeData()):
            return False
        event.acceptProposedAction()
        self._cover.resize(self._window.size())
        self._cover.raise_()
        self._cover.show()
        return True

    def _on_drop(self, event: QDropEvent) -> bool:
        self._cover.hide()
        files = model_files(event.mimeData())
        if not files:
            return False
        event.acceptProposedAction()
        self.dropped.emit(files[0], files[1] if len(files) > 1 else None)
        return True
