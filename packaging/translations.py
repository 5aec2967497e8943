"""Keeps the window's texts in its languages: resources/translations/slipstream_de.ts and .qm.

    python packaging/translations.py            take in new texts, drop old ones, build the .qm
    python packaging/translations.py missing    print what is not translated yet, as JSON
    python packaging/translations.py fill FILE  take translations from JSON {source: translation}
    python packaging/translations.py check      fail if anything is missing or out of date

The .qm is committed: a fresh clone speaks German without any tool. Needs PySide6's lupdate and
lrelease, which come with PySide6-Essentials.
"""

from __future__ import annotations

import json
import shutil
import string
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("de",)
Messages = dict[tuple[str, str], str]


def sources() -> list[Path]:
    """Every file that may hold a text."""
    return [ROOT / "app" / "messages.py", *sorted((ROOT / "app" / "ui").rglob("*.py"))]


def ts_file(language: str) -> Path:
    """The translations of a language, as text."""
    return FOLDER / f"slipstream_{language}.ts"


def qm_file(language: str) -> Path:
    """The same as the program reads it."""
    return ts_file(language).with_suffix(".qm")


def tool(name: str) -> str:
    """A tool of PySide6, beside the interpreter or on the path."""
    beside = Path(sys.executable).parent / f"pyside6-{name}"
    for candidate in (beside, beside.with_suffix(".exe")):
        if candidate.exists():
            return str(candidate)
    found = shutil.which(f"pyside6-{name}")
    if found is None:
        raise SystemExit(f"pyside6-{name} is not there. Install PySide6-Essentials.")
    return found


def extract(language: str, into: Path) -> None:
    """Bring a .ts file up to the sources; what is translated already stays."""
    arguments = ["-no-obsolete", "-locations", "none", "-source-language", "en"]
    arguments += ["-target-language", language, "-ts", str(into), "-silent"]
    files = [str(path.relative_to(ROOT)) for path in sources()]
    subprocess.run([tool("lupdate"), *files, *arguments], check=True, cwd=ROOT)


def release(language: str, into: Path) -> None:
    """Build the .qm of a .ts file."""
    command = [tool("lrelease"), str(ts_file(language)), "-qm", str(into), "-silent"]
    subprocess.run(command, check=True, cwd=ROOT)


def read(path: Path) -> Messages:
    """Translations by context and source; "" where there is none."""
    found: Messages = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            translation = message.find("translation")
            text = "" if translation is None else translation.text or ""
            found[name, message.findtext("source") or ""] = text
    return found


def problems(messages: Messages) -> list[str]:
    """What is wrong with translations: missing, or with other values than their source."""
    found = []
    for (context, source), text in messages.items():
        if not text:
            found.append(f"{context}: not translated: {source}")
        elif _values(source) != _values(text):
            found.append(f"{context}: other values than the source: {text}")
    return found


def _values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def fill(language: str, given: dict[str, str]) -> int:
    """Put translations where there are none; returns how many."""
    tree = ElementTree.parse(ts_file(language))
    count = 0
    for message in tree.getroot().iter("message"):
        translation = message.find("translation")
        text = given.get(message.findtext("source") or "")
        if translation is None or translation.text or not text:
            continue
        translation.text = text
        translation.attrib.pop("type", None)
        count += 1
    body = ElementTree.tostring(tree.getroot(), encoding="unicode")
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    ts_file(language).write_text(f"{head}{body}\n", encoding="utf-8")
    return count


def check(language: str) -> list[str]:
    """What is missing or out of date."""
    with tempfile.TemporaryDirectory() as folder:
        fresh_ts, fresh_qm = Path(folder) / "fresh.ts", Path(folder) / "fresh.qm"
        shutil.copy(ts_file(language), fresh_ts)
        extract(language, fresh_ts)
        release(language, fresh_qm)
        found = problems(read(fresh_ts))
        if read(fresh_ts).keys() != read(ts_file(language)).keys():
            found.append(f"{ts_file(language).name} is not up to date with the sources")
        built = qm_file(language)
        if not built.exists() or fresh_qm.read_bytes() != built.read_bytes():
            found.append(f"{built.name} is not built from {ts_file(language).name}")
    return found


def main(arguments: list[str]) -> int:
    """Do what is asked for, for every language; the exit code says whether all is complete."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    what = arguments[0] if arguments else "update"
    bad: list[str] = []
    for language in LANGUAGES:
        if what == "check":
            bad += check(language)
            continue
        extract(language, ts_file(language))
        if what == "fill":
            given = json.loads(Path(arguments[1]).read_text(encoding="utf-8"))
            print(f"{language}: {fill(language, given)} filled in")
            extract(language, ts_file(language))
        messages = read(ts_file(language))
        if what == "missing":
            texts = {source: "" for (_, source), text in messages.items() if not text}
            print(json.dumps(texts, ensure_ascii=False, indent=1))
            return 0
        release(language, qm_file(language))
        bad += problems(messages)
    print("\n".join(bad) or f"{', '.join(LANGUAGES)}: complete")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
