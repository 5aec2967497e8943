"""Joins the session, the engine and the window.

The user's wishes become commands, events become pictures.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from app.conversation import Conversation
from app.engine.protocol import Command, Event, LoadModels, ModelsLoaded, Speculation
from app.errors import AppError
from app.measure import profiles
from app.session import (
    ChatSession,
    Level,
    LoadedPair,
    LoadOptions,
    SessionState,
    SessionView,
)
from app.session.energy import AnswerEnergy, energy_facts
from app.ui import wording
from app.ui.chat_picture import ChatPicture, without_repeated
from app.ui.engine_bridge import Engine, EngineBridge
from app.ui.main_window import MainWindow
from app.ui.markdown import is_web_address
from app.ui.messages import say
from app.ui.notices import Action, Banner
from app.ui.pair_check import PairCheck, PairReport

log = logging.getLogger(__name__)

TICK_MS = 500
WRITING = (SessionState.PROMPT, SessionState.GENERATING, SessionState.STOPPING)


class ChatController(QObject):
    """Runs one session.

    Attributes:
        session: the chat on screen.
        system_prompt: instructions of new chats.
        check: looks at the files before they are loaded.

    Signals:
        loaded: a pair is in memory: the ModelsLoaded.
        saved: something of a conversation that the list shows may have changed.
        open_wanted: the user wants to choose a pair.
        sending: a command is about to go to the engine.
    """

    loaded = Signal(object)
    saved = Signal()
    open_wanted = Signal()
    sending = Signal(object)

    def __init__(
        self, session: ChatSession, engine: Engine, bridge: EngineBridge, window: MainWindow
    ) -> None:
        super().__init__(window)
        self.session = session
        self._engine = engine
        self._window = window
        self._picture = ChatPicture(session, window.chat)
        self.checking: LoadedPair | None = None
        self._options: LoadOptions | None = None
        self._complaint: Banner | None = None
        self.system_prompt = ""
        self.check = PairCheck(self)
        self.check.finished.connect(self._on_checked)
        self._ticker = QTimer(self)
        self._ticker.setInterval(TICK_MS)
        self._ticker.timeout.connect(self._on_tick)
        bridge.events_arrived.connect(self.on_events)
        self._connect_window()

    def _connect_window(self) -> None:
        window = self._window
        window.composer.submitted.connect(self.on_submitted)
        window.composer.stopped.connect(self.on_stopped)
        window.stop_wanted.connect(self.on_stopped)
        window.chat.retry_clicked.connect(self.on_retry)
        window.chat.link_clicked.connect(self.on_link)
        window.chat.edited.connect(self.on_edited)
        window.chat.branch_wanted.connect(self.on_branch)
        window.pair_bar.unload_clicked.connect(self.on_unload)
        window.empty.acted.connect(self.on_action)
        window.notices.acted.connect(self.on_action)
        window.notices.dismissed.connect(self.on_dismissed)

    # --- models -------------------------------------------------------------------------------

    def open_pair(self, target: Path, draft: Path | None, options: LoadOptions) -> None:
        """Look at two files on a thread, then load them."""
        self.checking = LoadedPair(target, draft)
        self._options = options
        self.check.start(target, draft)
        self.refresh()

    def load_report(self, report: PairReport, options: LoadOptions) -> None:
        """Load a pair whose files were looked at already."""
        self.check.cancel()
        self.checking = None
        self._try(lambda: self.session.load_checked(report.check, options))

    @Slot(object)
    def _on_checked(self, report: object) -> None:
        assert isinstance(report, PairReport)
        assert self._options is not None
        self.load_report(report, self._options)

    @Slot()
    def on_unload(self) -> None:
        """The memory is wanted back."""
        self._try(self.session.unload)

    @Slot(Action)
    def on_action(self, action: Action) -> None:
        """A button of a notice or of the empty page."""
        if action is Action.OPEN:
            self.open_wanted.emit()
        elif action is Action.RESTART:
            self._try(self.session.restart)
        elif action is Action.RESTART_WITHOUT_DRAFT:
            self._try(lambda: self.session.restart(without_draft=True))

    # --- answers ------------------------------------------------------------------------------

    @Slot(str)
    def on_submitted(self, text: str) -> None:
        """Send; a text that is refused stays in the composer."""
        if self._try(lambda: self.session.send(text)):
            self._window.composer.clear()
            self._window.chat.scroll_to_bottom()
            self.saved.emit()

    @Slot()
    def on_stopped(self) -> None:
        """End the answer on screen."""
        self._try(self.session.stop)

    @Slot(str)
    def on_retry(self, message_id: str) -> None:
        """Another answer in the place of one."""
        self._try(lambda: self.session.regenerate(message_id))

    @Slot(str, str)
    def on_edited(self, message_id: str, text: str) -> None:
        """Another text for a message: a branch beside it."""
        if self._try(lambda: self.session.edit(message_id, text)):
            self.saved.emit()

    @Slot(str)
    def on_branch(self, message_id: str) -> None:
        """Another version of a message."""

        def step() -> tuple[Command, ...]:
            self.session.choose(message_id)
            return ()

        self._try(step)

    @Slot(object)
    def on_energy(self, answer: AnswerEnergy) -> None:
        """What an answer took is known: it is kept with it and shown below it."""
        if self.session.attach(answer.answered.message_id, "energy", energy_facts(answer)):
            self._picture.forget()
            self.refresh()

    @Slot(Speculation)
    def on_speculation(self, choice: Speculation) -> None:
        """Who proposes tokens, from the next answer on."""
        self.session.set_options(replace(self.session.options, speculation=choice))

    def set_own(self, system_prompt: str, options: Mapping[str, object]) -> None:
        """What this chat does differently."""
        self.session.set_own(system_prompt, options)
        self.refresh()

    def send_command(self, command: Command) -> None:
        """Pass a command on that belongs to no chat."""
        self._engine.send(command)

    @Slot(str)
    def on_link(self, address: str) -> None:
        """A link was clicked: the browser opens it, if it is a web address."""
        if is_web_address(address):
            QDesktopServices.openUrl(QUrl(address))

    @Slot(str)
    def on_dismissed(self, key: str) -> None:
        """A banner was closed."""
        notices = self.session.view().notices
        if key.isdigit() and int(key) < len(notices):
            self.session.dismiss(notices[int(key)])
        else:
            self._complaint = None
        self.refresh()

    def show_conversation(self, conversation: Conversation | None) -> None:
        """Put a conversation on screen; None for a new one."""
        if conversation is None:
            self.session.new_conversation(self.system_prompt)
        else:
            self.session.open(conversation)
        self.refresh()

    def complain(self, banner: Banner | None) -> None:
        """Show a sentence that is not the session's, until the next one."""
        self._complaint = banner
        self.refresh()

    def withdraw(self, key: str) -> None:
        """Take such a sentence back, if it is still there."""
        if self._complaint is not None and self._complaint.key == key:
            self.complain(None)

    def show_message(self, message_id: str) -> None:
        """Bring a message of this conversation into sight, whatever branch it lies on."""
        if all(message.id != message_id for message in self._picture.path):
            self.on_branch(message_id)
        self._window.chat.scroll_to(message_id)

    def close(self) -> None:
        """Keep what is written, tell the engine to end, and ask nothing more."""
        self.check.close()
        self._ticker.stop()
        self._send(self.session.close())

    # --- events -------------------------------------------------------------------------------

    @Slot(list)
    def on_events(self, events: list[Event]) -> None:
        """What the engine said since the last frame."""
        ended = self._picture.answer
        for event in events:
            self._send(self.session.apply(event))
            if isinstance(event, ModelsLoaded):
                self.loaded.emit(event)
        self.refresh()
        if ended is not None and self._picture.answer != ended:
            self.saved.emit()

    @Slot()
    def _on_tick(self) -> None:
        self.session.tick()
        self.refresh()

    # --- pictures -----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring the window up to the session."""
        view = self._view()
        path = self._picture.show(view)
        window = self._window
        window.show_view(view, is_empty=not path)
        conversation = self.session.conversation
        window.composer.show_own(bool(conversation.options or conversation.system_prompt))
        window.composer.switch.show_choice(self.session.answer_options.speculation)
        window.panel.show_source(view.speculation)
        window.panel.show_stats(view.stats, view.answer_id, generating=view.state in WRITING)
        view = without_repeated(self.session, view)
        own = [self._complaint] if self._complaint is not None else []
        window.notices.show_banners([*wording.banners(view, centre_says=not path), *own])
        busy = view.answer_id is not None or view.unsaved
        if busy != self._ticker.isActive():
            (self._ticker.start if busy else self._ticker.stop)()

    def _view(self) -> SessionView:
        view = self.session.view()
        if self.checking is None:
            return view
        return replace(view, state=SessionState.LOADING, wanted=self.checking, load_fraction=0.0)

    # --- commands -----------------------------------------------------------------------------

    def _try(self, wish: Callable[[], Iterable[Command]]) -> bool:
        """Carry out what the user wants; a refusal becomes a sentence. Whether it went well."""
        try:
            commands = wish()
        except AppError as error:
            text = say(error.code, error.detail)
            self._complaint = Banner("complaint", text, Level.WARNING)
            self.refresh()
            return False
        self._complaint = None
        self._send(commands)
        self.refresh()
        return True

    def _send(self, commands: Iterable[Command]) -> None:
        for command in commands:
            if isinstance(command, LoadModels):
                command = replace(command, profile=profiles.load(command))
            self.sending.emit(command)
            self._engine.send(command)
