"""Text files that go along with a message, as fenced text with a name below the question.

What the model reads is what is stored; `split` finds the files again, so that the window can show
them folded. No Qt here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from app.errors import AppError

MAX_BYTES = 2_000_000
_LOOK_BYTES = 8192
_MAX_CONTROLS = 0.02  # share of control characters above which nobody would call it text
_FENCE_RUN = re.compile(r"`{3,}")
_FILE = re.compile(
    r"(?:\A|\n\n)File \"([^\"\n]{1,255})\":\n(`{3,})([^`\n]*)\n(.*?)\n\2(?=\n\n|\Z)", re.DOTALL
)
_LANGUAGES = {
    "py": "python", "js": "javascript", "ts": "typescript", "c": "c", "h": "c", "cpp": "cpp",
    "cc": "cpp", "hpp": "cpp", "rs": "rust", "go": "go", "java": "java", "rb": "ruby",
    "sh": "bash", "html": "html", "css": "css", "json": "json", "toml": "toml", "yml": "yaml",
    "yaml": "yaml", "xml": "xml", "sql": "sql", "md": "markdown", "cs": "csharp", "kt": "kotlin",
    "swift": "swift", "php": "php", "lua": "lua", "r": "r", "tex": "latex", "csv": "csv",
}  # fmt: skip


class AttachError(AppError):
    """A file cannot go along with a message."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file.

    Attributes:
        name: without its folder.
    """

    name: str
    text: str

    @property
    def language(self) -> str:
        """As a fence names it; "" when its ending says nothing."""
        return _LANGUAGES.get(Path(self.name).suffix.lstrip(".").lower(), "")


def read(path: Path) -> Attachment:
    """A file from disk.

    Raises:
        AttachError: "attach_unreadable", "attach_too_large", "attach_not_text".
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            have, most = size / 1e6, MAX_BYTES / 1e6
            raise AttachError("attach_too_large", path=path.name, have=f"{have:.1f}", most=most)
        raw = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise AttachError("attach_unreadable", path=path.name, reason=reason) from error
    text = _decoded(raw)
    if text is None:
        raise AttachError("attach_not_text", path=path.name)
    name = "".join(c if c.isprintable() and c not in '"`' else "_" for c in path.name)
    return Attachment(name, text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n"))


def compose(question: str, files: tuple[Attachment, ...]) -> str:
    """A message: the question first, then each file under its name."""
    parts = [question.rstrip()] if question.strip() else []
    parts += [_fenced(file) for file in files]
    return "\n\n".join(parts)


def split(content: str) -> tuple[str, tuple[Attachment, ...]]:
    """The question and the files of a message made by `compose`."""
    if '"' not in content or "```" not in content:
        return content, ()
    files = tuple(Attachment(found[1], found[4]) for found in _FILE.finditer(content))
    return _FILE.sub("", content).strip("\n") if files else content, files


def _fenced(file: Attachment) -> str:
    runs = [len(run) for run in _FENCE_RUN.findall(file.text)]
    fence = "`" * (max(runs, default=2) + 1)
    return f'File "{file.name}":\n{fence}{file.language}\n{file.text}\n{fence}'


def _decoded(raw: bytes) -> str | None:
    """As text, or None for what is none."""
    for encoding in _encodings(raw):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        head = text[:_LOOK_BYTES]
        controls = sum((c < " " and c not in "\t\n\r\f") or c == "\x7f" for c in head)
        return text if controls <= _MAX_CONTROLS * len(head) and "\0" not in text else None
    return None


def _encodings(raw: bytes) -> tuple[str, ...]:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16",)
    return ("utf-8-sig", "cp1252")
