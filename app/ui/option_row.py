"""One number of a chat that follows the settings until the chat has its own."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject, Slot
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QSpinBox

from app.settings import limits

MOST = 2_147_483_647  # what a spin box holds

_FIRST = {"max_tokens": 512, "seed": 1}  # where the settings leave it open

translate = QCoreApplication.translate


class OptionRow(QObject):
    """A check box that says whether the chat has its own value, and the value.

    Attributes:
        own: the check box, with the name.
        field: the number.
    """

    NAMES = (
        "temperature",
        "top_k",
        "top_p",
        "min_p",
        "repeat_penalty",
        "seed",
        "max_tokens",
    )
    _DECIMALS = ("temperature", "top_p", "min_p", "repeat_penalty")

    def __init__(self, name: str, usual: object) -> None:
        super().__init__()
        text, tip = _words(name)
        self._usual = usual
        self._first = _FIRST.get(name, 0)
        self._open = translate("options", "open")
        self.own = QCheckBox(text)
        self.own.setToolTip(tip)
        low, high = limits(name) or (0, MOST)
        self.field: QDoubleSpinBox | QSpinBox
        if name in self._DECIMALS:
            self.field = QDoubleSpinBox()
            self.field.setDecimals(2)
            self.field.setSingleStep(0.05)
            self.field.setRange(low, high)
        else:
            self.field = QSpinBox()
            self.field.setRange(int(low), min(MOST, int(high)))
        self.field.setAccessibleName(text)
        self.field.setToolTip(tip)
        self.own.toggled.connect(self._on_toggled)
        self.show_value(None, is_own=False)

    def show_value(self, value: object, *, is_own: bool) -> None:
        """The chat's own value, or the usual one."""
        self.own.setChecked(is_own)
        self._set(value if is_own else self._usual)
        self._on_toggled()

    def value(self) -> float | int:
        """The number."""
        value = self.field.value()
        return value if isinstance(value, int) else round(value, 4)

    def _set(self, value: object) -> None:
        if not isinstance(value, int | float) or isinstance(value, bool):
            value = self.field.minimum()
        if isinstance(self.field, QSpinBox):
            self.field.setValue(min(MOST, int(value)))
        else:
            self.field.setValue(float(value))

    @Slot()
    def _on_toggled(self) -> None:
        own = self.own.isChecked()
        self.field.setEnabled(own)
        if own and self._usual is None and self.field.value() == self.field.minimum():
            self.field.setValue(self._first)
        elif not own:
            self._set(self._usual)
        # What the settings leave open is no number.
        self.field.setSpecialValueText("" if own or self._usual is not None else self._open)


def _words(name: str) -> tuple[str, str]:
    return {
        "temperature": (
            translate("options", "Temperature"),
            translate("options", "0 always takes the likeliest word; more is more varied"),
        ),
        "top_k": (
            translate("options", "Top-k"),
            translate("options", "Only so many of the likeliest tokens; 0 switches it off"),
        ),
        "top_p": (
            translate("options", "Top-p"),
            translate("options", "Only the likeliest tokens up to this share; 1 switches it off"),
        ),
        "min_p": (
            translate("options", "Min-p"),
            translate("options", "Only tokens at least this likely beside the likeliest"),
        ),
        "repeat_penalty": (
            translate("options", "Repeat penalty"),
            translate("options", "Above 1 makes repeating less likely"),
        ),
        "seed": (
            translate("options", "Seed"),
            translate("options", "The same seed draws the same words"),
        ),
        "max_tokens": (
            translate("options", "Longest answer"),
            translate("options", "Tokens after which an answer ends"),
        ),
    }[name]
