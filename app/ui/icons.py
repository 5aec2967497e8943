"""The icons of resources/icons: line drawings on a 24-unit grid, coloured as the theme says.

Rendered by QtSvg at the sizes a window needs, for screens at scale 1 to 3. Knows no widget.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app import paths

SCALES = (1.0, 2.0, 3.0)


@lru_cache(maxsize=256)
def icon(name: str, colour: str, disabled: str | None = None, size: int = 18) -> QIcon:
    """The icon `name`.svg with lines in `colour`, and in `disabled` where it cannot be used."""
    result = QIcon()
    for scale in SCALES:
        result.addPixmap(pixmap(name, colour, size, scale))
        if disabled is not None:
            result.addPixmap(pixmap(name, disabled, size, scale), QIcon.Mode.Disabled)
    return result


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int = 18, scale: float = 1.0) -> QPixmap:
    """One rendering of an icon; `size` in logical pixels."""
    source = paths.resource(f"icons/{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))
    picture = QPixmap(QSize(round(size * scale), round(size * scale)))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter)
    painter.end()
    picture.setDevicePixelRatio(scale)
    return picture


def app_icon() -> QIcon:
    """The program's own icon, in its own colours."""
    result = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(pixmap("app", "#0b7285", size))
    return result
