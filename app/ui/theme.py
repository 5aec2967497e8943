"""How the window looks: one palette for light and one for dark, one accent colour, an 8-pixel grid.

Fusion with a palette and one style sheet (resources/styles/app.qss) whose `@names` are the tones
below. Knows no widget.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from app import paths

GRID = 8


class Appearance(StrEnum):
    """What the user asked for."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Tones:
    """The colours of one scheme, as #rrggbb or #aarrggbb."""

    window: str
    surface: str
    raised: str
    hover: str
    border: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    danger: str
    danger_soft: str
    warning: str
    warning_soft: str
    code: str
    tint_draft: str
    tint_lookup: str
    other: str
    memory_draft: str
    memory_kv: str
    memory_compute: str


LIGHT = Tones(
    window="#f4f6f8",
    surface="#ffffff",
    raised="#ffffff",
    hover="#e6eaee",
    border="#d9dfe5",
    text="#1a1f25",
    muted="#586370",
    accent="#0b7285",
    accent_hover="#095c6b",
    on_accent="#ffffff",
    accent_soft="#dcf0f3",
    danger="#b3261e",
    danger_soft="#fbebea",
    warning="#805300",
    warning_soft="#fff3d9",
    code="#f4f6f8",
    tint_draft="#b5e3ea",
    tint_lookup="#e3f4f6",
    other="#aab4bf",
    memory_draft="#45a5b5",
    memory_kv="#86c7d1",
    memory_compute="#c3e3e8",
)

DARK = Tones(
    window="#15181c",
    surface="#1b1f24",
    raised="#242a31",
    hover="#2c333b",
    border="#353d47",
    text="#e7eaee",
    muted="#9da8b4",
    accent="#4cc2d0",
    accent_hover="#7ad6e0",
    on_accent="#06262b",
    accent_soft="#173a40",
    danger="#ff8f86",
    danger_soft="#3b2222",
    warning="#f0c470",
    warning_soft="#392e19",
    code="#15181c",
    tint_draft="#1d5a63",
    tint_lookup="#1d3a40",
    other="#5c6773",
    memory_draft="#2f8f9c",
    memory_kv="#1f6b76",
    memory_compute="#174c54",
)


def palette_of(tones: Tones) -> QPalette:
    """The Qt palette of a scheme, so that plain Fusion widgets fit in."""
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: tones.window,
        QPalette.ColorRole.WindowText: tones.text,
        QPalette.ColorRole.Base: tones.surface,
        QPalette.ColorRole.AlternateBase: tones.code,
        QPalette.ColorRole.Text: tones.text,
        QPalette.ColorRole.Button: tones.raised,
        QPalette.ColorRole.ButtonText: tones.text,
        QPalette.ColorRole.BrightText: tones.danger,
        QPalette.ColorRole.ToolTipBase: tones.raised,
        QPalette.ColorRole.ToolTipText: tones.text,
        QPalette.ColorRole.Highlight: tones.accent,
        QPalette.ColorRole.HighlightedText: tones.on_accent,
        QPalette.ColorRole.Link: tones.accent,
        QPalette.ColorRole.LinkVisited: tones.accent,
        QPalette.ColorRole.PlaceholderText: tones.muted,
        QPalette.ColorRole.Accent: tones.accent,
    }
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tones.muted))
    return palette


def style_sheet(tones: Tones, text_percent: int = 100) -> str:
    """The style sheet with every `@name` replaced by its colour, its text sizes scaled."""
    colours = asdict(tones)
    check = "checked-dark" if tones is DARK else "checked-light"
    colours["on_check"] = paths.resource(f"icons/{check}.svg").as_posix()
    template = paths.resource("styles/app.qss").read_text(encoding="utf-8")
    sized = re.sub(
        r"(\d+)pt\b", lambda found: f"{int(found.group(1)) * text_percent / 100:g}pt", template
    )
    return re.sub(r"@(\w+)", lambda found: colours[found.group(1)], sized)


def number_font(base: QFont, *, scale: float = 1.0, bold: bool = False) -> QFont:
    """A font whose digits all have one width, so that changing numbers do not dance."""
    font = QFont(base)
    font.setFeature(QFont.Tag("tnum"), 1)
    if scale != 1.0:
        font.setPointSizeF(base.pointSizeF() * scale)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def code_font(base: QFont) -> QFont:
    """The system's fixed-width font at the size of the text around it."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(max(8.0, base.pointSizeF() * 0.95))
    return font


class Theme(QObject):
    """The scheme in force; widgets that paint for themselves ask it and listen.

    Attributes:
        tones: the colours now.
        dark: whether they are the dark ones.

    Signals:
        changed: the tones are others now.
    """

    changed = Signal()

    def __init__(self, app: QApplication, appearance: Appearance = Appearance.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._appearance = appearance
        self._text_percent = 100
        self._usual_font = QFont(app.font())
        self.dark = False
        self.tones = LIGHT
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(self._on_system_scheme)
        self._apply()

    def set_appearance(self, appearance: Appearance) -> None:
        """Follow the system, or be light or dark whatever it says."""
        self._appearance = appearance
        self._apply()

    def set_look(self, appearance: Appearance, text_percent: int) -> None:
        """Both at once, if they are other ones: a style sheet on the application is costly."""
        if (appearance, text_percent) == (self._appearance, self._text_percent):
            return
        self._appearance = appearance
        if text_percent != self._text_percent:
            self._text_percent = text_percent
            font = QFont(self._usual_font)
            font.setPointSizeF(self._usual_font.pointSizeF() * text_percent / 100)
            self._app.setFont(font)
        self._apply()

    def _wants_dark(self) -> bool:
        if self._appearance is Appearance.SYSTEM:
            return self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self._appearance is Appearance.DARK

    def _apply(self) -> None:
        self.dark = self._wants_dark()
        self.tones = DARK if self.dark else LIGHT
        self._app.setPalette(palette_of(self.tones))
        self._app.setStyleSheet(style_sheet(self.tones, self._text_percent))
        self.changed.emit()

    @Slot()
    def _on_system_scheme(self) -> None:
        if self._appearance is Appearance.SYSTEM:
            self._apply()
