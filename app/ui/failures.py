"""The last net: what nobody caught is logged and said once, in the window's own words."""

from __future__ import annotations

import logging
import sys
import threading
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

log = logging.getLogger(__name__)


class Failures(QObject):
    """Receives uncaught exceptions of all threads.

    Signals:
        happened: the exception's kind, for the dialog; emitted on any thread.
    """

    happened = Signal(str)

    def __init__(self, window: QWidget, log_file: str) -> None:
        super().__init__(window)
        self._window = window
        self._log_file = log_file
        self._said = False
        self.happened.connect(self._on_happened, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take over Python's hooks."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception

    def uninstall(self) -> None:
        """Give them back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        log.critical("nobody caught this", exc_info=(kind, error, trace))
        self.happened.emit(kind.__name__)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        log.critical(
            "nobody caught this in thread %s",
            args.thread.name if args.thread is not None else "?",
            exc_info=(args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback),
        )
        self.happened.emit(args.exc_type.__name__)

    @Slot(str)
    def _on_happened(self, kind: str) -> None:
        if self._said:
            return
        self._said = True
        text = self.tr(
            "Something unexpected happened ({kind}). Your conversations are saved. You can go on; "
            "if things look odd, restart the app. Details are in {file}."
        )
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(text.format(kind=kind, file=self._log_file))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()
