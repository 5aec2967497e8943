"""ChatSession: the state machine of a chat. Pure Python: no threads, no timers, no Qt, no files.

Methods return the commands to send to the engine, in order; the engine's events are fed to
`apply`, which may return commands too. A window reads `view()` once per frame. One engine, one
conversation on screen; an answer goes on in its own conversation when another one is opened.
`app.storage.Storage` is a store.

    session = ChatSession(store, clock=time.monotonic, wall_clock=time.time,
                          check_file=..., check_pair=...)     # both optional
    for command in session.load(target, draft): client.send(command)
    for command in session.send("Hello"): client.send(command)
    for event in client.events(): for command in session.apply(event): client.send(command)

Models (what goes wrong here becomes a notice or a state, nothing is raised)
    load(target, draft=None, options=None) -> list[Command]   LoadOptions are kept for later loads
    load_checked(LoadCheck, options=None) -> list[Command]    the same, files looked at before, by
    check_files(target, draft, check_file, check_pair)        ... this function, on any thread
    unload() -> list[Command]
    restart(without_draft=False) -> list[Command]             the same pair again, after a crash
                                                              or a failed load

Answers (a refusal raises AppError and changes nothing: the text stays in the composer)
    send(text) -> list[Command]              queued while loading; refused when nothing is loaded
    regenerate(message_id=None) -> ...       another answer beside the given (or last) one
    edit(message_id, text) -> ...            a branch beside it; an edited question is answered
    stop() -> list[Command]                  what was written stays
    set_options(GenerationOptions)           sampling and speculation of the next answers

Conversation on screen (AppError as above)
    conversation                             the live Conversation: path(), siblings(), ...
    open(Conversation), new_conversation(system_prompt="")
    choose(message_id)                       step to another branch
    rename(title), set_system_prompt(text), set_own(system_prompt, options)
    answer_options                           the usual ones with the conversation's own
    attach(message_id, name, facts)          what was measured of an answer after its end

From the settings
    load_options(Settings) -> LoadOptions, generation_options(Settings) -> GenerationOptions

Reading
    view() -> SessionView
    pieces(since=0) -> tuple[TextPiece, ...]     of the answer being written on screen
    dismiss(notice)
    apply(event) -> list[Command]
    tick()                                   call now and then (0.5 s): saves text that is due
    close() -> list[Command]                 before the window goes: keeps what is written
"""

from app.session.chat import ChatSession
from app.session.keeping import ConversationStore
from app.session.models import LoadCheck, LoadOptions, check_files
from app.session.options import generation_options, load_options, own_options, with_own
from app.session.view import Level, LoadedPair, Notice, SessionState, SessionView

__all__ = [
    "ChatSession",
    "ConversationStore",
    "Level",
    "LoadCheck",
    "LoadOptions",
    "LoadedPair",
    "Notice",
    "SessionState",
    "SessionView",
    "check_files",
    "generation_options",
    "load_options",
    "own_options",
    "with_own",
]
