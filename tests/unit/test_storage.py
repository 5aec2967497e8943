"""Storage: nothing is lost, whatever happens to the disk, the file or the process."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app import messages
from app.conversation import INTERRUPTED, Conversation, Message, Problem, Role
from app.errors import StorageError
from app.storage import MATCH_END, MATCH_START, Run, Storage, from_json, to_json, to_markdown
from app.storage.opening import open_database
from app.storage.schema import STEPS, version_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "conversations.sqlite3"


@pytest.fixture
def storage(file: Path) -> Iterator[Storage]:
    opened = Storage(file)
    yield opened
    opened.close()


def conversation_of(*texts: str, title: str = "") -> Conversation:
    """A straight conversation of questions and answers."""
    conversation = Conversation(title=title or texts[0], created_at=1.0, updated_at=2.0)
    for number, text in enumerate(texts):
        role = Role.ASSISTANT if number % 2 else Role.USER
        reason = "end" if role is Role.ASSISTANT else None
        name = f"{conversation.id}-{number}"
        conversation.add(Message(name, conversation.leaf, role, text, finish_reason=reason))
    return conversation


def kept(storage: Storage, *texts: str, title: str = "") -> Conversation:
    """The same, saved."""
    conversation = conversation_of(*texts, title=title)
    storage.save(conversation, conversation.messages())
    return conversation


# --- what goes in comes out -----------------------------------------------------------------------


def test_a_conversation_survives_a_restart_with_everything_in_it(file: Path) -> None:
    conversation = Conversation(
        title="Titel ✓",
        created_at=1.5,
        updated_at=2.5,
        pinned=True,
        system_prompt="Be brief.",
        options={"temperature": 0.2, "speculation": "off"},
    )
    conversation.add(Message("q", None, Role.USER, "What is é\u0301 😀?", created_at=3.0))
    answer = Message(
        "a",
        "q",
        Role.ASSISTANT,
        "An accent.",
        reasoning="Hmm.",
        reasoning_seconds=1.25,
        created_at=4.0,
        finish_reason="end",
        stats={"generated_tokens": 3, "accepted_by_position": [1, 0]},
        model="Small",
        spans=(("target", 4), ("draft", 6)),
    )
    conversation.add(answer)
    conversation.rewind("q")
    problem = Problem("engine_crashed", {"reason": "SIGKILL"})
    broken = replace(
        answer, id="b", finish_reason=INTERRUPTED, complete=False, problem=problem, stats=None
    )
    conversation.add(broken)
    first = Storage(file)
    first.save(conversation, conversation.messages())
    first.close()
    second = Storage(file)
    loaded = second.load(conversation.id)
    second.close()
    assert loaded.messages() == conversation.messages()
    assert loaded.path() == conversation.path()
    for name in ("title", "created_at", "updated_at", "pinned", "system_prompt", "options"):
        assert getattr(loaded, name) == getattr(conversation, name)


def test_text_that_is_no_valid_unicode_is_saved_readable(storage: Storage) -> None:
    conversation = kept(storage, "half a \ud83d pair")
    assert storage.load(conversation.id).path()[0].content == "half a ? pair"


def test_the_list_has_pinned_ones_first_then_the_newest(storage: Storage) -> None:
    old = kept(storage, "old", "the  old\nanswer")
    new = conversation_of("new")
    new.updated_at = 9.0
    storage.save(new, new.messages())
    assert [s.title for s in storage.conversations()] == ["new", "old"]
    storage.pin(old.id, True)
    first = storage.conversations()[0]
    assert (first.title, first.pinned, first.message_count) == ("old", True, 2)
    assert first.preview == "the old answer"
    storage.save(old)  # the open conversation does not know that it was pinned
    assert storage.conversations()[0].pinned


def test_rename_delete_undo_purge(storage: Storage) -> None:
    conversation = kept(storage, "hello", "world")
    storage.rename(conversation.id, "Greeting")
    assert storage.load(conversation.id).title == "Greeting"
    storage.delete(conversation.id)
    assert storage.conversations() == ()
    assert storage.search("world") == ()
    with pytest.raises(StorageError) as caught:
        storage.load(conversation.id)
    assert caught.value.code == "conversation_gone"
    storage.undelete(conversation.id)
    assert [hit.conversation_id for hit in storage.search("world")] == [conversation.id]
    storage.purge(deleted_before=1e12)
    assert len(storage.conversations()) == 1, "only what is deleted is purged"
    storage.delete(conversation.id)
    storage.purge(deleted_before=0.0)
    storage.undelete(conversation.id)
    assert len(storage.load(conversation.id)) == 2
    storage.delete(conversation.id)
    storage.purge(deleted_before=1e12)
    storage.undelete(conversation.id)
    assert storage.conversations() == ()
    assert storage.search("world") == ()


def test_runs_come_back_newest_first_and_outlive_their_conversation(storage: Storage) -> None:
    runs = [
        Run(f"m{n}", float(n), "t.gguf", None, "off", "end", {"depth": n}, {"generated_tokens": n})
        for n in range(3)
    ]
    for run in runs:
        storage.add_run(run)
    assert storage.runs(2) == (runs[2], runs[1])


# --- search ---------------------------------------------------------------------------------------


def test_search_finds_words_beginnings_accents_and_titles(storage: Storage) -> None:
    cat = kept(storage, "Where does the café cat sleep?", "On the quantised sofa.")
    dog = kept(storage, "dogs", title="Über Hunde")

    def found(text: str) -> list[str]:
        return [hit.conversation_id for hit in storage.search(text)]

    assert found("cafe CAT") == [cat.id]
    assert found("quanti") == [cat.id]
    assert found("antised") == []
    assert found("über h") == [dog.id]
    assert found("ÜBER") == [dog.id]
    assert found("cat dogs") == []
    assert found("   ") == []
    (titled,) = storage.search("über")
    assert (titled.snippet, titled.message_id) == (f"{MATCH_START}Über{MATCH_END} Hunde", None)
    (hit,) = storage.search("sofa")
    assert hit.snippet == f"On the quantised {MATCH_START}sofa{MATCH_END}."
    assert hit.message_id == f"{cat.id}-1"


def test_search_of_scripts_without_spaces_and_of_signs(storage: Storage) -> None:
    text = "我想了解投机解码的原理。"
    chinese = kept(storage, text, "x" * 300 + " a+=b 100%")
    (hit,) = storage.search("解码")
    assert hit.conversation_id == chinese.id
    assert f"{MATCH_START}解码{MATCH_END}" in hit.snippet
    assert [h.message_id for h in storage.search("+=")] == [f"{chinese.id}-1"]
    assert len(storage.search("%")) == 1
    assert storage.search("_%") == (), "a wildcard of the database is a plain sign here"
    (cut,) = storage.search("+=")
    assert cut.snippet.startswith("…")


@pytest.mark.parametrize(
    "text",
    ['"', "'", "AND", "NEAR(", "a OR", "col:x", "*", "-x", "^", "(", '""', "\0", "a\0b", "%"],
)
def test_no_search_text_is_an_error(storage: Storage, text: str) -> None:
    kept(storage, "something")
    storage.search(text)
    storage.search(text * 50)


def test_each_conversation_is_found_once(storage: Storage) -> None:
    other = kept(storage, "needle 针", title="short")
    many = kept(storage, *["needle 针"] * 3000, title="long")
    for text in ("needle", "针"):
        newest, older = storage.search(text)
        assert (newest.conversation_id, newest.message_id) == (many.id, f"{many.id}-2999")
        assert (older.conversation_id, older.message_id) == (other.id, f"{other.id}-0")
        assert len(storage.search(text, limit=1)) == 1


def test_an_answer_is_found_once_it_has_ended_and_never_by_its_old_text(storage: Storage) -> None:
    conversation = kept(storage, "question")
    writing = conversation.add(
        Message("a", conversation.leaf, Role.ASSISTANT, "alpha", complete=False)
    )
    storage.save(conversation, [writing])
    storage.save(conversation, [replace(writing, content="alpha beta")])
    assert storage.search("alpha") == ()
    storage.save(conversation, [replace(writing, content="beta gamma", finish_reason="end")])
    assert len(storage.search("gamma")) == 1
    assert storage.search("alpha") == ()
    with sqlite3.connect(storage.path) as other:  # raises if index and text disagree
        other.execute("INSERT INTO message_text (message_text, rank) VALUES ('integrity-check', 1)")
    other.close()


# --- the disk is full -----------------------------------------------------------------------------


def fill(storage: Storage) -> None:
    (pages,) = storage._connection.execute("PRAGMA page_count").fetchone()
    storage._connection.execute(f"PRAGMA max_page_count = {pages}")


def make_room(storage: Storage) -> None:
    storage._connection.execute("PRAGMA max_page_count = 1000000")


def test_a_full_disk_keeps_the_text_in_memory_and_the_next_save_writes_it(storage: Storage) -> None:
    before = kept(storage, "before")
    fill(storage)
    conversation = conversation_of("long " * 20_000, "answer " * 20_000)
    for _ in range(2):
        with pytest.raises(StorageError) as caught:
            storage.save(conversation, conversation.messages())
        assert caught.value.code == "disk_full_saving"
    assert "{" not in messages.describe(caught.value)
    with pytest.raises(StorageError):
        storage.add_run(Run(None, 1.0, "t" * 100_000, None, "off", "end"))
    assert storage.unsaved
    assert storage.load(conversation.id).messages() == conversation.messages()
    assert {s.id for s in storage.conversations()} == {before.id, conversation.id}
    assert len(storage.load(before.id)) == 1
    make_room(storage)
    storage.save(before)  # any save brings along what waited
    assert not storage.unsaved
    other = Storage(storage.path)
    assert other.load(conversation.id).messages() == conversation.messages()
    assert len(other.runs()) == 1
    other.close()


def test_closing_tries_once_more_and_says_if_text_would_be_lost(file: Path) -> None:
    storage = Storage(file)
    fill(storage)
    big = conversation_of("long " * 20_000)
    with pytest.raises(StorageError):
        storage.save(big, big.messages())
    with pytest.raises(StorageError, match="disk_full_saving"):
        storage.close()
    Storage(file).close()  # the file itself is well


# --- damaged, newer, busy -------------------------------------------------------------------------


def damage(file: Path, how: str) -> None:
    content = file.read_bytes()
    if how == "no database":
        file.write_bytes(b"This is not a database.\n" * 400)
    elif how == "cut off":
        file.write_bytes(content[: len(content) // 2])
    else:
        file.write_bytes(content[:100] + b"\xa5" * 3996 + content[4096:])


@pytest.mark.parametrize("how", ["no database", "cut off", "overwritten"])
def test_a_damaged_file_is_set_aside_and_never_overwritten(file: Path, how: str) -> None:
    sound = Storage(file)
    kept(sound, "word " * 5000, "answer " * 5000)
    sound.close()
    damage(file, how)
    damaged = file.read_bytes()
    storage = Storage(file)
    assert storage.set_aside is not None
    assert storage.set_aside.read_bytes() == damaged
    assert storage.conversations() == ()
    kept(storage, "new")
    storage.close()
    damage(file, how)
    again = Storage(file)
    assert again.set_aside is not None
    assert again.set_aside.exists()
    again.close()
    assert len(list(file.parent.glob("*.damaged-*.sqlite3"))) == 2


def test_an_empty_file_is_a_new_database(file: Path) -> None:
    file.parent.mkdir()
    file.touch()
    storage = Storage(file)
    assert storage.set_aside is None
    storage.close()


def test_a_newer_database_is_refused_and_left_as_it_is(file: Path) -> None:
    Storage(file).close()
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(StorageError) as caught:
        Storage(file)
    assert caught.value.code == "database_newer"
    assert "{" not in messages.describe(caught.value)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_migration_keeps_what_is_there_and_is_whole_or_not_at_all(file: Path) -> None:
    storage = Storage(file)
    conversation = kept(storage, "stays")
    storage.close()
    good = ("CREATE TABLE ledger (joules REAL)", "INSERT INTO ledger VALUES (1.5)")
    bad = ("CREATE TABLE more (x)", "INSERT INTO nowhere VALUES (1)")
    with pytest.raises(StorageError):
        open_database(file, steps=(*STEPS, good, bad))
    connection, set_aside = open_database(file, steps=(*STEPS, good))
    assert set_aside is None
    assert version_of(connection) == len(STEPS) + 1
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert "ledger" in tables
    assert "more" not in tables
    (title,) = connection.execute("SELECT title FROM conversations").fetchone()
    assert title == conversation.title
    connection.close()


def test_a_file_that_another_program_holds_is_said_and_not_taken_for_damage(file: Path) -> None:
    Storage(file).close()
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageError) as caught:
        Storage(file, busy_seconds=0.05)
    holder.execute("COMMIT")
    holder.close()
    assert caught.value.code == "database_busy"
    assert list(file.parent.glob("*damaged*")) == []
    Storage(file).close()


def test_what_a_busy_file_refused_is_saved_later(storage: Storage) -> None:
    storage._connection.execute("PRAGMA busy_timeout = 50")
    holder = sqlite3.connect(storage.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    conversation = conversation_of("hello")
    with pytest.raises(StorageError, match="database_busy"):
        storage.save(conversation, conversation.messages())
    holder.execute("ROLLBACK")
    holder.close()
    storage.retry()
    assert not storage.unsaved
    assert len(storage.conversations()) == 1


def test_a_folder_in_the_way_is_said(file: Path) -> None:
    file.mkdir(parents=True)
    with pytest.raises(StorageError) as caught:
        Storage(file)
    assert caught.value.code == "database_unreadable"
    assert file.is_dir()


# --- processes and threads ------------------------------------------------------------------------


WRITER = """
import sys, time
from pathlib import Path
from app.conversation import Conversation
from app.engine.protocol import *
from app.engine.stats import GenerationStats
from app.session import ChatSession
from app.storage import Storage

now = 0.0
session = ChatSession(Storage(Path(sys.argv[1])), clock=lambda: now, wall_clock=lambda: now)
model = LoadedModel(Path("t.gguf"), "T", "llama", 1, 1, 1, 0, ModelMemory({}))
session.load(Path("t.gguf"))
session.apply(ModelsLoaded(model, None, 4096, 4096, 1, 1, KvType.F16, 1.0))
(generate,) = session.send("count")
for number in range(100_000):
    now += 0.1  # ten tokens a second, by the session's clock
    piece = TextPiece(f"{number} ")
    session.apply(TokensGenerated(generate.request_id, (piece,), (1,), GenerationStats()))
    print(number, flush=True)
"""


def run_writer(file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_killed_window_loses_at_most_half_a_second(file: Path) -> None:
    with run_writer(file) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 200:
                break
        process.kill()
        shown = [int(line) for line in process.stdout] or [200]
    storage = Storage(file)
    assert storage.set_aside is None
    (summary,) = storage.conversations()
    _, answer = storage.load(summary.id).path()
    written = [int(word) for word in answer.content.split()]
    assert written == list(range(len(written)))
    assert shown[-1] - written[-1] <= 5, "0.5 s at ten tokens a second"
    assert answer.finish_reason == INTERRUPTED
    assert not answer.complete
    assert len(storage.search(str(written[-1]))) == 1
    storage.close()


def test_two_processes_write_the_same_file(file: Path, storage: Storage) -> None:
    with run_writer(file) as process:
        assert process.stdout is not None
        mine = []
        for line in process.stdout:
            mine.append(kept(storage, f"mine {line.strip()}", "answer"))
            if int(line) >= 50:
                break
        process.kill()
    assert len(storage.conversations()) == len(mine) + 1
    assert storage.set_aside is None


def test_a_second_window_does_not_spoil_an_answer_of_the_first(file: Path) -> None:
    first = Storage(file)
    conversation = kept(first, "question")
    writing = conversation.add(
        Message("a", conversation.leaf, Role.ASSISTANT, "half", complete=False)
    )
    first.save(conversation, [writing])
    Storage(file).close()  # takes the answer for one that a dead process left
    first.save(conversation, [replace(writing, content="half and", complete=False)])
    ended = replace(writing, content="whole", complete=True, finish_reason="end")
    first.save(conversation, [ended])
    assert first.load(conversation.id).get("a") == ended
    assert len(first.search("whole")) == 1
    assert first.search("half") == ()
    first.close()


def test_a_stray_call_from_another_thread_is_safe(storage: Storage) -> None:
    failed: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(20):
                kept(storage, f"{name} {number}", "answer")
                storage.search(name)
        except StorageError as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(storage.conversations()) == 40


def test_a_checkpoint_leaves_everything_in_the_main_file(storage: Storage, tmp_path: Path) -> None:
    conversation = kept(storage, "hello", "there")
    storage.checkpoint()
    copy = tmp_path / "copy.sqlite3"
    shutil.copy(storage.path, copy)  # without the log beside it
    other = Storage(copy)
    assert other.load(conversation.id).messages() == conversation.messages()
    other.close()


# --- files for others -----------------------------------------------------------------------------


def test_json_out_and_in_is_the_same_conversation_under_new_ids(storage: Storage) -> None:
    original = conversation_of("question", "answer", "more", title="T")
    original.rewind(original.path()[0].id)
    original.add(
        Message("b", original.leaf, Role.ASSISTANT, "other", spans=(("draft", 5),), stats={"a": 1})
    )
    original.choose(original.path()[0].id)
    for _ in range(2):
        again = from_json(to_json(original))
        storage.save(again, again.messages())
    assert again.title == "T"
    assert [m.content for m in again.path()] == [m.content for m in original.path()]
    assert [m.spans for m in again.messages()] == [m.spans for m in original.messages()]
    assert not {m.id for m in again.messages()} & {m.id for m in original.messages()}
    assert [s.message_count for s in storage.conversations()] == [4, 4]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"format": "slipstream-conversation", "version": 99}',
        "[" * 100_000,
        "not json",
    ],
)
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(StorageError) as caught:
        from_json(text)
    assert caught.value.code == "import_unreadable"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("role", "king"),
        ("content", 3),
        ("id", None),
        ("stats", [1]),
        ("spans", 3),
        ("problem", "x"),
    ],
)
def test_a_file_with_a_wrong_value_is_refused(name: str, value: object) -> None:
    raw = json.loads(to_json(conversation_of("question", "answer")))
    raw["messages"][1][name] = value
    with pytest.raises(StorageError):
        from_json(json.dumps(raw))


def test_a_file_with_a_circle_is_read_as_roots() -> None:
    raw = json.loads(to_json(conversation_of("question", "answer")))
    raw["messages"][0]["parent"] = raw["messages"][1]["id"]
    raw["messages"][1]["parent"] = raw["messages"][1]["id"]
    assert len(from_json(json.dumps(raw))) == 2


def test_markdown_shows_the_active_path_in_the_users_words() -> None:
    conversation = conversation_of("question", "answer", title="T")
    conversation.system_prompt = "Be brief."
    words = {Role.SYSTEM: "System", Role.USER: "Ich", Role.ASSISTANT: "Modell"}
    assert to_markdown(conversation, words) == (
        "# T\n\n## System\n\nBe brief.\n\n## Ich\n\nquestion\n\n## Modell\n\nanswer\n"
    )
