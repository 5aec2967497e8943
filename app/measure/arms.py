"""Arms: the ways of producing tokens that a measurement sets against each other. Imports only the
engine's protocol.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.engine.protocol import GenerationOptions, Speculation
from app.errors import RequestError

MOST_DRAFTED = 15


@dataclass(frozen=True, slots=True)
class Arm:
    """One way. `depth` is fixed; None lets depth control decide."""

    speculation: Speculation
    depth: int | None = None

    @property
    def name(self) -> str:
        """ "off", "auto", "lookup", "draft", "draft:3"."""
        word = self.speculation.value
        return word if self.depth is None else f"{word}:{self.depth}"

    @property
    def needs_draft(self) -> bool:
        """Whether it cannot do without a draft model."""
        return self.speculation is Speculation.DRAFT

    def apply(self, options: GenerationOptions) -> GenerationOptions:
        """The same options but for the way tokens are proposed: all that arms may differ in."""
        return replace(options, speculation=self.speculation, depth=self.depth)


OFF = Arm(Speculation.OFF)


def parse_arm(text: str) -> Arm:
    """An arm from its name.

    Raises:
        RequestError: "arm_unknown".
    """
    word, colon, number = text.strip().partition(":")
    try:
        speculation = Speculation(word)
        depth = int(number) if colon else None
    except ValueError:
        raise RequestError("arm_unknown", arm=text) from None
    in_range = depth is None or 1 <= depth <= MOST_DRAFTED
    if not in_range or (speculation is Speculation.OFF and depth is not None):
        raise RequestError("arm_unknown", arm=text)
    return Arm(speculation, depth)


def parse_arms(text: str) -> tuple[Arm, ...]:
    """Arms from a list with commas, each once, "off" first: all others are compared with it.

    Raises:
        RequestError: "arm_unknown".
    """
    named = dict.fromkeys(parse_arm(part) for part in text.split(","))
    return (OFF, *(arm for arm in named if arm != OFF))
