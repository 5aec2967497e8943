"""Writes the lock files in packaging/locks/ anew from pyproject.toml.

One file per purpose, exact versions and sha256 of every file, for Linux, macOS and Windows at once,
and no index address: whoever installs chooses where packages come from. `dev.lock` has only what
`runtime.lock` has not, so the two are installed together and cannot disagree.

    python packaging/lock.py             keeps versions that still fit
    python packaging/lock.py --upgrade   takes the newest that fit

Needs uv in the environment that runs it (`python -m pip install uv`).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "packaging" / "locks"

# Lock name -> what goes in. "dev" comes after "runtime" and starts from its versions.
LOCK_INPUTS = {
    "runtime": ["pyproject.toml"],
    "dev": ["pyproject.toml", "--group", "dev"],
    "build": ["--group", "build"],
    "engine": ["--group", "engine", "--no-deps"],
}
HEADER = "# Made by packaging/lock.py from pyproject.toml; do not edit.\n"

# The systems of [tool.uv] environments: true wherever Slipstream runs, so noise in the file.
ANY_SYSTEM = "sys_platform == 'darwin' or sys_platform == 'linux' or sys_platform == 'win32'"


def entries(text: str) -> dict[str, str]:
    """Split a lock into its entries: {"numpy==2.4.6": the lines that belong to it}."""
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)
    return {block.split(maxsplit=1)[0]: block for block in blocks if block[:1].isalnum()}


def resolve(name: str, extra: list[str]) -> str:
    """Let uv solve one lock. It keeps the versions it finds in the output file, so that is filled.

    (--constraint would hold "dev" to "runtime" too, but uv then solves for each marker of the
    constraints apart and fails for machines nobody has.)
    """
    seeds = ["runtime", "dev"] if name == "dev" else [name]
    if name == "dev" and extra:
        seeds, extra = ["runtime"], []
    files = [LOCKS / f"{seed}.lock" for seed in seeds]
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / f"{name}.lock"
        out.write_text("".join(f.read_text(encoding="utf-8") for f in files if f.exists()))
        command = [
            *(sys.executable, "-m", "uv", "pip", "compile", *LOCK_INPUTS[name]),
            *("--universal", "--python-version", "3.11", "--generate-hashes", "--no-header"),
            *("--quiet", "--no-emit-index-url", "--output-file", str(out), *extra),
        ]
        subprocess.run(command, cwd=ROOT, check=True)
        text = out.read_text(encoding="utf-8")
    return text.replace(f" ; {ANY_SYSTEM}", "").replace(f" and ({ANY_SYSTEM})", "")


def write_lock(name: str, extra: list[str]) -> None:
    """Resolve one lock and replace its file; the old one stays if that fails."""
    found = entries(resolve(name, extra))
    if name == "dev":
        runtime = entries((LOCKS / "runtime.lock").read_text(encoding="utf-8"))
        if missing := runtime.keys() - found.keys():
            sys.exit(f"The development tools do not go with these versions: {sorted(missing)}")
        found = {pin: block for pin, block in found.items() if pin not in runtime}
    text = HEADER + "".join(found.values())
    if "://" in text:
        sys.exit(f"{name}.lock would name an address; nothing written.")
    staged = LOCKS / f"{name}.lock.new"
    staged.write_text(text, encoding="utf-8", newline="\n")
    staged.replace(LOCKS / f"{name}.lock")
    print(f"packaging/locks/{name}.lock: {len(found)} packages")


def main() -> None:
    """Write all locks; arguments are handed to uv."""
    LOCKS.mkdir(exist_ok=True)
    for name in LOCK_INPUTS:
        write_lock(name, sys.argv[1:])


if __name__ == "__main__":
    main()
