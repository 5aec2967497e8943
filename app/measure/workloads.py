"""The workloads of the benchmark and their prompts, from resources/prompts/.

A prompt file is plain text: a line "=== name ===" and the prompt below it, up to the next such
line. Imports only paths and errors.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace

from app import paths
from app.errors import RequestError

_HEAD = re.compile(r"^=== ([a-z0-9-]+)(?: ===)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt; its name is unique in its workload."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Workload:
    """Prompts of one kind.

    Attributes:
        name: "chat", "code-repetitive", "code-novel", "long".
        title: for people.
        raw: continue the prompt as it is, without the chat template.
        max_tokens: length limit of each answer.
        share: part of the wanted number of requests that this workload takes.
        concurrency: how many at once, if the user does not say.
    """

    name: str
    title: str
    prompts: tuple[Prompt, ...]
    raw: bool
    max_tokens: int
    share: float = 1.0
    concurrency: tuple[int, ...] = (1,)

    @property
    def digest(self) -> str:
        """Changes with any prompt and with the way they are asked."""
        text = repr((self.name, self.raw, [(each.name, each.text) for each in self.prompts]))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def with_limit(self, max_tokens: int | None) -> Workload:
        """The same with a lower length limit."""
        if max_tokens is None or max_tokens >= self.max_tokens:
            return self
        return replace(self, max_tokens=max_tokens)


# "code" counts as one workload in two kinds. A long answer is as much work as eight short ones, so
# there are a third as many of them.
_KINDS: dict[str, tuple[Workload, ...]] = {
    "chat": (Workload("chat", "Short chat", (), raw=False, max_tokens=128),),
    "code": (
        Workload("code-repetitive", "Code, repetitive", (), raw=True, max_tokens=128, share=0.5),
        Workload("code-novel", "Code, novel", (), raw=True, max_tokens=128, share=0.5),
    ),
    "long": (
        Workload(
            "long",
            "Long form",
            (),
            raw=False,
            max_tokens=1024,
            share=1 / 3,
            concurrency=(1, 4),
        ),
    ),
}
NAMES = tuple(_KINDS)


def load(name: str) -> tuple[Workload, ...]:
    """The workloads that a name stands for: "chat", "code" (two kinds of it) or "long".

    Raises:
        RequestError: "workload_unknown".
    """
    if name not in _KINDS:
        raise RequestError("workload_unknown", name=name, known=", ".join(NAMES))
    return tuple(replace(each, prompts=_prompts(each.name)) for each in _KINDS[name])


def _prompts(name: str) -> tuple[Prompt, ...]:
    text = paths.resource(f"prompts/{name}.txt").read_text(encoding="utf-8")
    return parse_prompts(text)


def parse_prompts(text: str) -> tuple[Prompt, ...]:
    """The prompts of a file, without the line ends around them."""
    parts = _HEAD.split(text)
    return tuple(
        Prompt(name, body.strip("\n")) for name, body in zip(parts[1::2], parts[2::2], strict=True)
    )
