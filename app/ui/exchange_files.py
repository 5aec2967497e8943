"""Conversations to and from files that the user chooses."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app.conversation import Conversation, Role
from app.errors import StorageError
from app.storage.exchange import from_json, to_json, to_markdown
from app.ui.conversation_menu import ExportKind

MAX_IMPORT_BYTES = 256_000_000
NAME_LENGTH = 60

translate = QCoreApplication.translate


def ask_where_to_export(
    conversation: Conversation, kind: ExportKind, parent: QWidget
) -> Path | None:
    """The file to write; None when the user thinks better of it."""
    suffix = "md" if kind is ExportKind.MARKDOWN else "json"
    filters = {
        ExportKind.MARKDOWN: translate("exchange", "Markdown (*.md)"),
        ExportKind.JSON: translate("exchange", "Slipstream conversation (*.json)"),
    }
    title = translate("exchange", "Export conversation")
    name = f"{file_name(conversation.title)}.{suffix}"
    chosen, _ = QFileDialog.getSaveFileName(parent, title, name, filters[kind])
    return Path(chosen) if chosen else None


def ask_what_to_import(parent: QWidget) -> Path | None:
    """The file to read; None when the user thinks better of it."""
    title = translate("exchange", "Import a conversation")
    known = translate("exchange", "Slipstream conversation (*.json);;All files (*)")
    chosen, _ = QFileDialog.getOpenFileName(parent, title, "", known)
    return Path(chosen) if chosen else None


def write(conversation: Conversation, kind: ExportKind, path: Path) -> None:
    """Export.

    Raises:
        StorageError: "export_unsaved".
    """
    speakers = {
        Role.SYSTEM: translate("exchange", "Instructions"),
        Role.USER: translate("exchange", "You"),
        Role.ASSISTANT: translate("exchange", "Answer"),
    }
    markdown = kind is ExportKind.MARKDOWN
    text = to_markdown(conversation, speakers) if markdown else to_json(conversation)
    try:
        path.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError("export_unsaved", path=str(path), reason=reason) from error


def read(path: Path) -> Conversation:
    """Import.

    Raises:
        StorageError: "import_not_opened", "import_too_large", "import_unreadable".
    """
    try:
        size = path.stat().st_size
        if size > MAX_IMPORT_BYTES:
            raise StorageError("import_too_large", path=str(path), have=size // 1_000_000)
        text = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError("import_not_opened", path=str(path), reason=reason) from error
    return from_json(text)


def file_name(title: str) -> str:
    """A title as a name that every file system takes."""
    name = re.sub(r'[\x00-\x1f<>:"/\\|?*]+', " ", title)
    name = " ".join(name.split())[:NAME_LENGTH].strip(" .")
    return name or translate("exchange", "conversation")
