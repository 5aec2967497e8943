"""`compare`: one prompt, without and with speculation, and the verdict."""

from __future__ import annotations

import argparse
import json
import sys

from app.cli.chat import request_of, say_steps
from app.cli.engine_run import engine, load_command, settings_or_usual
from app.cli.instruments import instruments
from app.engine.protocol import Speculation
from app.errors import RequestError
from app.measure import words
from app.measure.arms import Arm
from app.measure.compare import Live, Side, compare
from app.measure.comparison_data import to_json


def run(arguments: argparse.Namespace) -> int:
    """Measure both sides; the texts and then the verdict go to standard output."""
    if arguments.speculation is Speculation.OFF:
        raise RequestError("compare_needs_speculation")
    request = request_of(arguments)
    command = load_command(arguments)
    arm = Arm(arguments.speculation, arguments.depth)
    with engine() as run_:
        say_steps(run_.load(command))
        with instruments(run_, settings_or_usual()) as tools:
            watch = _Silent() if arguments.json else _Columns(arm)
            result = compare(tools.asker, request, arm, repeat=arguments.repeat, watch=watch.show)
            if arguments.json:
                print(json.dumps(to_json(result, tools.tariff), ensure_ascii=False))
            else:
                print("\n")
                print("\n".join(words.verdict(result, tools.tariff)))
    return 0


class _Silent:
    """Shows nothing."""

    def show(self, live: Live) -> None:
        """Nothing to show."""


class _Columns:
    """Prints the first answer of each side as it is written, one below the other."""

    def __init__(self, arm: Arm) -> None:
        self._titles = {Side.OFF: "Without speculation", Side.ON: f"With ({arm.name})"}
        self._shown: Side | None = None
        self._round = 0

    def show(self, live: Live) -> None:
        """Print new text of the first round; later rounds only repeat it."""
        if live.warm_up:
            return
        if live.round:
            if live.round != self._round:
                self._round = live.round
                print(f"\nround {live.round + 1} ...", end="", file=sys.stderr, flush=True)
            return
        if self._shown is not live.side:
            print(f"{'' if self._shown is None else chr(10) * 2}--- {self._titles[live.side]} ---")
            self._shown = live.side
        print(live.text, end="", flush=True)
