"""The Compare button: what is asked, who measures it, and where it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.conversation import ChatMessage, Role
from app.engine.protocol import Command, Event, Generate, GenerationOptions, Speculation
from app.errors import AppError, RequestError
from app.monitor import EnergyMeter, Probe, Tariff
from app.session import ChatSession
from app.ui.compare.dialog import CompareDialog
from app.ui.compare.runner import CompareRunner, WindowLink
from app.ui.theme import Theme

if TYPE_CHECKING:
    from app.measure.compare import Comparison

FRAME_MS = 33
MOST_TOKENS = 400  # a longer answer shows nothing more, and takes longer than one likes to wait


class CompareController(QObject):
    """One comparison at a time, in a dialog.

    Attributes:
        dialog: while it is open.
        tariff: for what a million tokens cost.

    Signals:
        compared: speed with speculation / speed without.
        refused: why it cannot be done now: the AppError.
    """

    compared = Signal(float)
    refused = Signal(object)

    def __init__(
        self,
        session: ChatSession,
        send: Callable[[Command], None],
        meter: EnergyMeter,
        probe: Probe,
        theme: Theme,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._send = send
        self._theme = theme
        self._window = window
        self._request: Generate | None = None
        self.dialog: CompareDialog | None = None
        self.tariff: Tariff | None = None
        self._runner = CompareRunner(meter, probe, self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        self._frames = QTimer(self)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._on_frame)

    def open(self, text: str) -> None:
        """Compare the answers to a text, or to the last question when it is empty."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        try:
            request = self._request_for(text)
        except AppError as error:
            self.refused.emit(error)
            return
        self._request = request
        arm = request.options.speculation.value
        dialog = CompareDialog(request.messages[-1].content, arm, self._theme, self._window)
        dialog.start_wanted.connect(self._on_start)
        dialog.stop_wanted.connect(self._runner.stop)
        dialog.finished.connect(self._on_closed)
        self.dialog = dialog
        dialog.open()
        self._on_start()

    @Slot(list)
    def on_events(self, events: list[Event]) -> None:
        """What the engine said."""
        self._runner.on_events(events)

    def close(self) -> None:
        """The window goes."""
        self._frames.stop()
        self._runner.close()

    def _request_for(self, text: str) -> Generate:
        """What both sides are asked.

        Raises:
            RequestError: there is no question, or the engine is not free.
        """
        view = self._session.view()
        if view.loaded is None:
            raise RequestError("not_loaded")
        if not view.quiet:
            raise RequestError("engine_busy")
        messages = self._session.conversation.chat_messages()
        while messages and messages[-1].role is not Role.USER:
            messages = messages[:-1]
        if text.strip():
            whole = self._session.conversation.chat_messages()
            messages = (*whole, ChatMessage(Role.USER, text))
        if not messages:
            raise RequestError("compare_needs_question")
        return Generate("compare", messages, options=_options(self._session.answer_options))

    # --- measuring ----------------------------------------------------------------------------

    @Slot()
    def _on_start(self) -> None:
        if self._request is None or self.dialog is None or self._runner.is_running:
            return
        if not self._session.view().quiet:
            self.dialog.show_failure(RequestError("engine_busy"))
            return
        self.dialog.show_running()
        self._runner.start(WindowLink(self._send, None), self._request)
        self._frames.start()

    @Slot()
    def _on_frame(self) -> None:
        if self.dialog is not None:
            for live in self._runner.take():
                self.dialog.show_live(live)

    @Slot(object)
    def _on_finished(self, outcome: object) -> None:
        result = cast("Comparison", outcome)
        self._on_frame()
        self._frames.stop()
        if self.dialog is not None:
            self.dialog.show_result(result, self.tariff)
        if result.speed_up is not None:
            self.compared.emit(result.speed_up.factor)

    @Slot(object)
    def _on_failed(self, error: AppError) -> None:
        self._on_frame()
        self._frames.stop()
        if self.dialog is not None:
            self.dialog.show_failure(error)

    @Slot()
    def _on_closed(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()


def _options(options: GenerationOptions) -> GenerationOptions:
    """The chat's own, but not without speculation and not without end."""
    limit = options.max_tokens
    speculation = options.speculation
    return replace(
        options,
        max_tokens=MOST_TOKENS if limit is None else min(limit, MOST_TOKENS),
        speculation=Speculation.AUTO if speculation is Speculation.OFF else speculation,
    )
