"""Starts Slipstream: the window, or a command when one is given.

A spawned engine process imports this file again, so nothing but the standard library may be
imported at top level, and everything happens below the guard.
"""

from __future__ import annotations

import multiprocessing
import sys


def main(arguments: list[str]) -> int:
    """Open the window, or run a command; the exit code is the program's."""
    if arguments:
        from app import cli

        return cli.main(arguments, window_check=check_window)
    from app.ui import program

    return program.run(arguments)


def check_window() -> dict[str, object]:
    """Whether a window could open; asked by self-test, which may not import the window itself."""
    from app.ui.self_check import check

    return check()


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main(sys.argv[1:]))
