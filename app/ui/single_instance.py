"""One window per user and data folder: a second start raises the first window and ends."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app import APP_ID

CONNECT_MS = 300
GREETING = b"raise 1\n"  # the number is the version of this tiny protocol


class SingleInstance(QObject):
    """Owns the name by which a second start finds the first.

    Signals:
        raised: another start asks for the window.
    """

    raised = Signal()

    def __init__(self, data_folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        digest = hashlib.sha256(str(data_folder.absolute()).encode()).hexdigest()[:16]
        self._name = f"{APP_ID}-{digest}"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def claim(self) -> bool:
        """Whether this is the first start; if not, the first one was asked to show its window."""
        if self._greet():
            return False
        if self._server.listen(self._name):
            return True
        # Nobody answers at the name: what is left of it belongs to a program that died.
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return True

    def close(self) -> None:
        """Give the name up."""
        self._server.close()

    def _greet(self) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(CONNECT_MS):
            return False
        socket.write(GREETING)
        socket.waitForBytesWritten(CONNECT_MS)
        socket.disconnectFromServer()
        return True

    @Slot()
    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            self.raised.emit()
