"""The plain pages of the Settings dialog: window, answers, energy. Engine and models are larger."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel

from app.errors import AppError
from app.monitor import WallFigures
from app.settings import Settings
from app.ui.settings.fields import ChoiceField, NumberField, SwitchField, said
from app.ui.settings.page import Page
from app.ui.settings.text_fields import TextField

TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
MOST_CURRENCY = 8

translate = QCoreApplication.translate


class WindowPage(Page):
    """How the window looks and speaks."""

    def __init__(self) -> None:
        super().__init__(translate("WindowPage", "Window"))
        self.add_field(
            ChoiceField(
                "appearance",
                self.tr("Appearance"),
                (
                    ("system", self.tr("As the system")),
                    ("light", self.tr("Light")),
                    ("dark", self.tr("Dark")),
                ),
            )
        )
        sizes = [(size, self.tr("{percent} %").format(percent=size)) for size in TEXT_SIZES]
        self.add_field(ChoiceField("text_percent", self.tr("Text size"), sizes))
        self.add_field(
            ChoiceField(
                "language",
                self.tr("Language"),
                (
                    ("system", self.tr("As the system")),
                    ("en", "English"),
                    ("de", "Deutsch"),
                ),
                self.tr("Another language is used from the next start on."),
            )
        )
        self.add_field(
            SwitchField(
                "enter_sends",
                self.tr("Enter sends"),
                self.tr("Otherwise Ctrl and Enter send, and Enter begins a new line."),
            )
        )
        self.add_field(
            SwitchField(
                "notify",
                self.tr("Tell me when a long answer or a download ends"),
                self.tr("By a system notification, and only while another window is in front."),
            )
        )


class AnswersPage(Page):
    """Speculation and sampling, as new answers use them."""

    def __init__(self) -> None:
        super().__init__(translate("AnswersPage", "Answers"))
        self.add_title(self.tr("Speculation"))
        self.add_field(
            ChoiceField(
                "speculation",
                self.tr("Who guesses ahead"),
                (
                    ("auto", self.tr("Auto: whatever pays here")),
                    ("draft", self.tr("Draft: the draft model")),
                    ("lookup", self.tr("Lookup: the text so far")),
                    ("off", self.tr("Off: nobody")),
                ),
                self.tr("The answer is the target's own either way; guessing only changes speed."),
            )
        )
        self.add_field(
            NumberField(
                "max_depth",
                self.tr("Guess at most"),
                self.tr("How far ahead, where Slipstream decides from what it measures."),
                unit=self.tr("tokens"),
            )
        )
        self.add_field(
            NumberField(
                "depth",
                self.tr("Always guess exactly"),
                self.tr("Empty lets Slipstream decide, which is faster on almost any text."),
                unit=self.tr("tokens"),
            )
        )
        self.add_title(self.tr("Choice of words"))
        self.add_field(
            NumberField(
                "temperature",
                self.tr("Temperature"),
                self.tr("0 always takes the likeliest word; higher is more varied."),
                whole=False,
            )
        )
        self.add_field(NumberField("top_p", self.tr("Top-p"), whole=False))
        self.add_field(NumberField("top_k", self.tr("Top-k"), self.tr("0 switches it off.")))
        self.add_field(NumberField("min_p", self.tr("Min-p"), whole=False))
        limit = NumberField(
            "max_tokens",
            self.tr("Longest answer"),
            self.tr("Empty means until the context is full."),
            unit=self.tr("tokens"),
        )
        limit.set_placeholder(self.tr("no limit"))
        self.add_field(limit)


class EnergyPage(Page):
    """What a kilowatt-hour costs, and what the plug meter says."""

    def __init__(self) -> None:
        super().__init__(translate("EnergyPage", "Energy and cost"))
        self.add_title(self.tr("Tariff"))
        self.add_field(
            NumberField(
                "price_per_kwh",
                self.tr("Price of a kilowatt-hour"),
                self.tr("With a comma or a point, as on your bill: 0,32 or 0.32."),
                whole=False,
            )
        )
        self.add_field(
            TextField(
                "currency",
                self.tr("Currency"),
                self.tr("As you write it: EUR, €, USD."),
                judge=self._judge_currency,
                width=0,
            )
        )
        self.add_title(self.tr("Figures of a plug meter"))
        self.add_field(
            NumberField(
                "wall_load_watts",
                self.tr("While an answer is written"),
                self.tr(
                    "With this figure the cost is that of the whole computer, whatever its own "
                    "meters say. Empty uses the computer's meters."
                ),
                unit=self.tr("watts"),
                whole=False,
            )
        )
        self.add_field(
            NumberField(
                "wall_idle_watts",
                self.tr("While nothing happens"),
                unit=self.tr("watts"),
                whole=False,
            )
        )
        for name in ("wall_load_watts", "wall_idle_watts"):
            field = self.fields[name]
            assert isinstance(field, NumberField)
            field.set_placeholder(self.tr("not measured"))
        self._wall_problem = QLabel()
        self._wall_problem.setObjectName("problemText")
        self._wall_problem.setWordWrap(True)
        self._wall_problem.hide()
        self.add(self._wall_problem)
        self.add_field(
            SwitchField(
                "subtract_idle",
                self.tr("Leave out what the computer draws anyway"),
                self.tr("Then an answer's energy is only what it took on top."),
            )
        )

    def show_settings(self, settings: Settings) -> None:
        super().show_settings(settings)
        problem = ""
        if settings.wall_load_watts is not None:
            try:
                WallFigures(settings.wall_load_watts, settings.wall_idle_watts).check()
            except AppError as error:
                problem = said(error)
        self._wall_problem.setText(problem)
        self._wall_problem.setVisible(bool(problem))

    def wall_problem(self) -> str:
        """What is wrong with the two figures together; "" when nothing is."""
        return self._wall_problem.text()

    def _judge_currency(self, text: str) -> str:
        if not text or len(text) > MOST_CURRENCY or any(c.isdigit() for c in text):
            return self.tr("Enter a currency of one to eight letters or signs.")
        return ""
