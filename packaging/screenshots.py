"""Takes pictures of the real window in every state, with a scripted engine.

    python packaging/screenshots.py FOLDER [NAME...]

Uses whatever platform Qt is set to: "offscreen", or "xcb" under Xvfb. Two sizes, light and dark,
scale 1 and 2. Each scale runs in a process of its own, because Qt reads it once at its start.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = ("1280x800", "1920x1080")


def main(arguments: list[str]) -> int:
    """Take the pictures named, or all of them."""
    if not arguments:
        print(__doc__)
        return 2
    folder, names = Path(arguments[0]).resolve(), arguments[1:]
    folder.mkdir(parents=True, exist_ok=True)
    for size, scale, appearance in product(SIZES, ("1", "2"), ("light", "dark")):
        with tempfile.TemporaryDirectory() as home:
            environment = {
                **os.environ,
                "QT_SCALE_FACTOR": scale,
                "SLIPSTREAM_HOME": home,
                "PYTHONPATH": os.pathsep.join(
                    filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)])
                ),
            }
            command = [sys.executable, str(Path(__file__).parent / "scenes.py"), str(folder)]
            arguments = [size, scale, appearance, *names]
            subprocess.run([*command, *arguments], check=True, env=environment)
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
