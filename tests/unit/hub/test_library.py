"""Models on disk: what is found, imported, deleted and checked."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import AppError, DownloadFailed, ModelFileError
from app.hub.folders import ModelFolder, Origin, known_folders
from app.hub.importing import ImportMode, import_file
from app.hub.library import Library, LibraryFile, PairInUse, Verdict
from app.hub.names import FileKind
from app.hub.partial import Place, hash_file, place_of
from app.hub.progress import Control, Progress, Reporter, Stop, Stopped
from app.hub.records import Record, RemoteFile, save_record

REPO = "owner/model-GGUF"


def write(path: Path, size: int = 100) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"GGUF" + bytes(size - 4))
    return path


def installed(models: Path, name: str, size: int = 100) -> Path:
    """A file as a download leaves it."""
    file = RemoteFile("https://hub", REPO, name, "1" * 40, size)
    place = place_of(models, file)
    write(place.final, size)
    digest = hash_file(place.final, lambda _: None).hexdigest()
    place.record.parent.mkdir(parents=True, exist_ok=True)
    save_record(place.record, Record(replace(file, sha256=digest), None, digest))
    return place.final


def only(library: Library) -> LibraryFile:
    (file,) = library.scan()
    return file


def test_what_was_downloaded_is_found_with_where_it_came_from(tmp_path: Path) -> None:
    path = installed(tmp_path, "model-Q4_K_M.gguf")
    write(tmp_path / ".downloads" / "owner" / "half.gguf")
    file = only(Library(tmp_path))
    assert (file.path, file.size_bytes, file.quantisation) == (path, 100, "Q4_K_M")
    assert (file.origin, file.is_read_only, file.kind) == (Origin.OWN, False, FileKind.MODEL)
    assert file.record is not None
    assert (file.record.file.repo, file.record.file.commit) == (REPO, "1" * 40)


def test_a_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert Library(tmp_path / "none").scan() == []


def test_split_files_are_one_entry_and_say_what_is_missing(tmp_path: Path) -> None:
    for index in (1, 2, 3):
        write(tmp_path / "a" / f"big-Q8_0-0000{index}-of-00003.gguf", index * 10)
    write(tmp_path / "b" / "half-Q8_0-00002-of-00003.gguf")
    big, half = Library(tmp_path).scan()
    assert (big.path.name, big.size_bytes) == ("big-Q8_0-00001-of-00003.gguf", 60)
    assert big.is_complete
    assert half.missing_parts == (1, 3)
    assert not half.is_complete


def test_sidecars_are_not_models(tmp_path: Path) -> None:
    for name in ("mmproj-F16.gguf", "mtp-x.gguf", "x-DRAFT-Q4_0.gguf"):
        write(tmp_path / name)
    kinds = {file.path.name: file.kind for file in Library(tmp_path).scan()}
    assert kinds == {
        "mmproj-F16.gguf": FileKind.PROJECTOR,
        "mtp-x.gguf": FileKind.NATIVE_DRAFTER,
        "x-DRAFT-Q4_0.gguf": FileKind.DRAFT,
    }


def test_empty_files_and_dangling_links_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "empty.gguf").write_bytes(b"")
    (tmp_path / "gone.gguf").symlink_to(tmp_path / "nowhere")
    assert Library(tmp_path).scan() == []


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    write(tmp_path / "a" / "x.gguf")
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    (tmp_path / "loop.gguf").symlink_to(tmp_path / "loop.gguf")
    assert [file.path.name for file in Library(tmp_path).scan()] == ["x.gguf"]


# folders of other programs


def hugging_face(home: Path) -> Path:
    repo = home / ".cache" / "huggingface" / "hub" / "models--owner--model-GGUF"
    blob = write(repo / "blobs" / "abc")
    for commit in ("1" * 40, "2" * 40):
        (repo / "snapshots" / commit).mkdir(parents=True)
        (repo / "snapshots" / commit / "m-Q4_0.gguf").symlink_to(blob)
    return repo


def test_models_of_other_programs_are_offered_and_not_touched(tmp_path: Path) -> None:
    hugging_face(tmp_path)
    write(tmp_path / ".lmstudio" / "models" / "o" / "r" / "lm.gguf")
    write(tmp_path / ".cache" / "llama.cpp" / "o_r_l.gguf")
    folders = known_folders({}, tmp_path, "posix")
    files = Library(tmp_path / "models", folders).scan()
    assert {(file.path.name, file.origin) for file in files} == {
        ("m-Q4_0.gguf", Origin.HUGGING_FACE),  # once, though two snapshots hold it
        ("lm.gguf", Origin.LM_STUDIO),
        ("o_r_l.gguf", Origin.LLAMA_CPP),
    }
    assert len(files) == 3
    for file in files:
        assert file.is_read_only
        with pytest.raises(ModelFileError) as caught:
            Library(tmp_path / "models").plan_deletion(file)
        assert caught.value.code == "not_ours_to_delete"


def test_moved_folders_are_followed(tmp_path: Path) -> None:
    (tmp_path / ".lmstudio-home-pointer").write_text(str(tmp_path / "moved"))
    for name in ("moved/models", "hf/hub", "llama", "local/llama.cpp"):
        (tmp_path / name).mkdir(parents=True)
    environment = {
        "HF_HOME": str(tmp_path / "hf"),
        "LLAMA_CACHE": str(tmp_path / "llama"),
        "LOCALAPPDATA": str(tmp_path / "local"),
    }
    found = {folder.path for folder in known_folders(environment, tmp_path, "nt")}
    assert found == {
        tmp_path / name for name in ("moved/models", "hf/hub", "llama", "local/llama.cpp")
    }


# importing


def test_a_link_takes_no_space_and_deleting_it_leaves_the_original(tmp_path: Path) -> None:
    source = write(tmp_path / "elsewhere" / "mine-Q4_0.gguf")
    library = Library(tmp_path / "models")
    path = import_file(source, library.folder, ImportMode.LINK)
    assert path.read_bytes() == source.read_bytes()
    file = only(library)
    assert file.is_link
    plan = library.plan_deletion(file)
    assert plan.freed_bytes == 0
    library.delete(plan)
    assert source.exists()
    assert library.scan() == []


def test_where_links_are_forbidden_a_second_name_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object) -> None:
        raise OSError(errno.EPERM, "A required privilege is not held by the client")

    monkeypatch.setattr(Path, "symlink_to", forbidden)
    source = write(tmp_path / "mine.gguf")
    library = Library(tmp_path / "models")
    path = import_file(source, library.folder, ImportMode.LINK)
    assert path.samefile(source)
    assert library.plan_deletion(only(library)).freed_bytes == 0

    monkeypatch.setattr(os, "link", forbidden)
    with pytest.raises(ModelFileError) as caught:
        import_file(write(tmp_path / "other.gguf"), library.folder, ImportMode.LINK)
    assert caught.value.code == "link_impossible"


def test_a_copy_brings_all_parts_and_says_how_far_it_is(tmp_path: Path) -> None:
    parts = [write(tmp_path / f"s-0000{index}-of-00002.gguf", 3_000_000) for index in (1, 2)]
    shown: list[Progress] = []
    library = Library(tmp_path / "models")
    import_file(parts[1], library.folder, ImportMode.COPY, callback=shown.append)
    file = only(library)
    assert (file.size_bytes, file.is_complete, file.is_link) == (6_000_000, True, False)
    assert shown[0].total_bytes == 6_000_000
    plan = library.plan_deletion(file)
    assert plan.freed_bytes == 6_000_000
    library.delete(plan)
    assert not (library.folder / "imported").exists()


def test_a_stopped_copy_leaves_nothing(tmp_path: Path) -> None:
    control = Control()
    control.stop(Stop.CANCEL)
    with pytest.raises(Stopped):
        import_file(write(tmp_path / "a.gguf"), tmp_path / "models", ImportMode.COPY, control)
    assert list((tmp_path / "models" / "imported").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("gone.gguf", None, "file_missing"),
        ("zip.gguf", b"PK\x03\x04", "not_a_model"),
        ("model.bin", b"GGUF....", "not_a_model"),
        ("s-00001-of-00002.gguf", b"GGUF....", "parts_missing"),
    ],
)
def test_what_is_no_model_is_not_imported(
    tmp_path: Path, name: str, content: bytes | None, code: str
) -> None:
    source = tmp_path / name
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(ModelFileError) as caught:
        import_file(source, tmp_path / "models", ImportMode.LINK)
    assert caught.value.code == code


def test_an_import_overwrites_nothing(tmp_path: Path) -> None:
    source = write(tmp_path / "a.gguf")
    import_file(source, tmp_path / "models", ImportMode.COPY)
    with pytest.raises(ModelFileError) as caught:
        import_file(source, tmp_path / "models", ImportMode.LINK)
    assert caught.value.code == "import_exists"


def test_a_copy_needs_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path / "a.gguf")
    with pytest.raises(DownloadFailed) as caught:
        import_file(source, tmp_path / "models", ImportMode.COPY, free=lambda _: 1000)
    assert caught.value.code == "disk_full"

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Reporter, "show", full)
    with pytest.raises(AppError) as also:
        import_file(source, tmp_path / "models", ImportMode.COPY)
    assert also.value.code == "disk_filled"
    assert list((tmp_path / "models" / "imported").iterdir()) == []


# deleting and checking


def test_deleting_says_what_it_frees_and_which_pairs_break(tmp_path: Path) -> None:
    target = installed(tmp_path, "big-Q4_K_M.gguf", 1000)
    draft = installed(tmp_path, "small-Q8_0.gguf", 100)
    library = Library(tmp_path)
    pairs = [PairInUse("Big + small", target, draft), PairInUse("Other", tmp_path / "x", target)]
    file = next(file for file in library.scan() if file.path == draft)
    plan = library.plan_deletion(file, pairs)
    assert (plan.freed_bytes, plan.pairs) == (100, ("Big + small",))
    library.delete(plan)
    assert [file.path for file in library.scan()] == [target]
    assert not Place(tmp_path, place_of(tmp_path, record_file(draft)).relative).record.exists()
    rest = library.plan_deletion(only(library), pairs)
    assert rest.pairs == ("Big + small", "Other")
    library.delete(rest)
    assert not (tmp_path / "owner").exists()  # no empty folders stay behind


def record_file(path: Path) -> RemoteFile:
    return RemoteFile("https://hub", REPO, path.name, "1" * 40)


def test_a_file_that_cannot_be_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "m.gguf")
    library = Library(tmp_path)
    plan = library.plan_deletion(only(library))

    def locked(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file")

    monkeypatch.setattr(Path, "unlink", locked)
    with pytest.raises(ModelFileError) as caught:
        library.delete(plan)
    assert caught.value.code == "delete_failed"


def test_files_are_checked_against_what_was_downloaded(tmp_path: Path) -> None:
    path = installed(tmp_path, "m.gguf", 3000)
    library = Library(tmp_path)
    file = only(library)
    assert library.verify(file) is Verdict.RIGHT
    data = bytearray(path.read_bytes())
    data[2000] ^= 1
    path.write_bytes(data)
    assert library.verify(file) is Verdict.DAMAGED
    path.unlink()
    with pytest.raises(ModelFileError) as caught:
        library.verify(file)
    assert caught.value.code == "file_missing"


def test_a_file_without_a_record_cannot_be_checked(tmp_path: Path) -> None:
    write(tmp_path / "models" / "m.gguf")
    write(tmp_path / "other" / "n.gguf")
    library = Library(tmp_path / "models", [ModelFolder(tmp_path / "other", Origin.OTHER)])
    assert [library.verify(file) for file in library.scan()] == [Verdict.UNKNOWN] * 2


def test_a_check_can_be_stopped(tmp_path: Path) -> None:
    installed(tmp_path, "m.gguf", 3000)
    library = Library(tmp_path)
    control = Control()
    control.stop(Stop.PAUSE)
    with pytest.raises(Stopped):
        library.verify(only(library), control)
