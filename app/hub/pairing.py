"""May this draft serve this target? Judged from the two headers alone, so before any download.

Imports its neighbours in this room and errors; never llama_cpp. The rules are those of llama.cpp
(`common/speculative.cpp`) followed by two of ours. They are tried in order, and each reads no more
of a file than it needs: `judge` takes headers of which only the first 64 KiB have been read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from app.errors import ModelFileError, PairingError
from app.hub.architectures import ROLLBACK
from app.hub.gguf import Header, Role, VocabularyKind, Want, read_more

LARGEST_SIZE_DIFFERENCE = 128
FIRST_TOKEN_COMPARED = 5

# Published pairs: up to a sixth gains, up to a third may, above a third it lost.
LARGE_DRAFT_RATIO = 1 / 6
HEAVY_DRAFT_RATIO = 1 / 3
IDEAL_DRAFT_RATIO = 1 / 20
SMALL_TARGET_PARAMETERS = 3_500_000_000

_COARSE = ("Q1_", "Q2_", "Q3_", "IQ1_", "IQ2_", "IQ3_", "TQ")
_WHOLE = ("F32", "F16", "BF16")

Detail = Mapping[str, str | int | float | None]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a pair was refused: a code of `app.messages` and its values."""

    code: str
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hint:
    """Worth knowing about a pair that may be used; `discourages`: usually not worth it."""

    code: str
    discourages: bool
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a draft may serve a target; `reason` is the first rule that fails."""

    ok: bool
    reason: Reason | None
    hints: tuple[Hint, ...]

    @property
    def discouraged(self) -> bool:
        """Allowed, but usually not worth it."""
        return any(hint.discourages for hint in self.hints)

    def require(self) -> None:
        """Raise PairingError with the reason of a refusal."""
        if self.reason is not None:
            raise PairingError(self.reason.code, **self.reason.detail)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate draft, as far as its header had to be read, and what became of it."""

    draft: Header
    verdict: Verdict


def judge(target: Header, draft: Header, *, allow_same_size: bool = False) -> Verdict:
    """The first rule that fails, or none and what is worth knowing.

    `allow_same_size` lets a model draft for itself or for one as large: right for a test, of no use
    to anyone else. Raises ModelFileError, or what the source raises, when more must be read and
    cannot be.
    """
    return _Pair(target, draft, allow_same_size).verdict()


def propose(target: Header, candidates: Iterable[Header]) -> tuple[Proposal, ...]:
    """All candidates judged: those that may serve, best first, then the refused with reasons."""
    proposals: list[Proposal] = []
    for candidate in candidates:
        pair = _Pair(target, candidate, allow_same_size=False)
        try:
            verdict = pair.verdict()
        except ModelFileError as error:
            # One broken file must not hide the others.
            verdict = Verdict(False, Reason(error.code, error.detail), ())
        target = pair.target  # what was read of it serves the next candidate
        proposals.append(Proposal(pair.draft, verdict))
    return tuple(sorted(proposals, key=lambda proposal: _rank(target, proposal)))


class _Pair:
    """One judgement. Both headers grow as later rules ask for more.

    Attributes:
        target, draft: the headers as far as they have been read.
    """

    def __init__(self, target: Header, draft: Header, allow_same_size: bool) -> None:
        self.target = target
        self.draft = draft
        self._allow_same_size = allow_same_size

    def verdict(self) -> Verdict:
        rules: tuple[Callable[[], Reason | None], ...] = (
            self._roles,
            self._kinds,
            self._sizes_if_cheaper,
            self._edges,
            self._sizes,
            self._texts,
            self._smaller,
            self._rewinds,
        )
        for rule in rules:
            reason = rule()
            if reason is not None:
                return Verdict(False, reason, ())
        return Verdict(True, None, _hints(self.target, self.draft))

    def _roles(self) -> Reason | None:
        for code, header in (("target", self.target), ("draft", self.draft)):
            if header.role is not Role.MODEL:
                return Reason(f"pair_{code}_not_a_model", _named(header, role=header.role.value))
        return None

    def _kinds(self) -> Reason | None:
        target, draft = self.target.vocabulary, self.draft.vocabulary
        for code, header in (("target", self.target), ("draft", self.draft)):
            if header.vocabulary.kind in (VocabularyKind.UNKNOWN, VocabularyKind.NONE):
                model = header.vocabulary.model
                return Reason(f"pair_{code}_vocabulary_unknown", _named(header, model=model))
        if target.kind is not draft.kind:
            values = {"target": target.kind.name, "draft": draft.kind.name}
            return Reason("pair_vocabulary_kind", values)
        return None

    def _sizes_if_cheaper(self) -> Reason | None:
        """The sizes stand near the start of a file, BOS and EOS behind megabytes of tokens.

        So a difference in size is not made to wait for a read that cannot change the verdict.
        """
        known = Want.KEYS in self.target.have and Want.KEYS in self.draft.have
        return None if known else self._sizes()

    def _edges(self) -> Reason | None:
        self._read(Want.KEYS)
        target, draft = self.target.vocabulary.specials, self.draft.vocabulary.specials
        assert target is not None  # Want.KEYS includes them
        assert draft is not None
        return _edge(
            "bos", (target.add_bos, target.bos_id), (draft.add_bos, draft.bos_id)
        ) or _edge("eos", (target.add_eos, target.eos_id), (draft.add_eos, draft.eos_id))

    def _sizes(self) -> Reason | None:
        target, draft = self.target.vocabulary.size, self.draft.vocabulary.size
        if abs(target - draft) <= LARGEST_SIZE_DIFFERENCE:
            return None
        values = {"target": target, "draft": draft, "limit": LARGEST_SIZE_DIFFERENCE}
        return Reason("pair_vocabulary_size", values)

    def _texts(self) -> Reason | None:
        target, draft = self.target.vocabulary.tokens, self.draft.vocabulary.tokens
        if target is None or draft is None:
            return None  # no list on either side: sizes were 0 and equal
        token = target.first_difference(draft, FIRST_TOKEN_COMPARED)
        if token is None:
            return None
        values: Detail = {
            "token": token,
            "target": target.shown(token),
            "draft": draft.shown(token),
        }
        return Reason("pair_token_text", values)

    def _smaller(self) -> Reason | None:
        self._read(Want.TENSORS)
        role = self._roles()  # only the tensors tell a lone prediction head from a model
        if role is not None or self._allow_same_size:
            return role
        target, draft = _sizes_of(self.target, self.draft)
        if draft < target:
            return None
        values = {"target": round(target / 1e6), "draft": round(draft / 1e6)}
        counted = self.target.parameters is not None and self.draft.parameters is not None
        return Reason(f"pair_draft_{'not_smaller' if counted else 'file_not_smaller'}", values)

    def _rewinds(self) -> Reason | None:
        draft = self.draft
        if (draft.is_recurrent or draft.is_hybrid) and draft.architecture not in ROLLBACK:
            return Reason("pair_draft_cannot_rewind", _named(draft, model=draft.architecture))
        return None

    def _read(self, want: Want) -> None:
        self.target = read_more(self.target, want, like=self.draft)
        self.draft = read_more(self.draft, want, like=self.target)


def _edge(
    what: str, target: tuple[bool, int | None], draft: tuple[bool, int | None]
) -> Reason | None:
    """Whether BOS (or EOS) is added by both or neither, and, where it is, with the same id."""
    if target[0] != draft[0]:
        side = "target" if target[0] else "draft"
        return Reason(f"pair_{what}_only_{side}", {"id": target[1] if target[0] else draft[1]})
    if target[0] and target[1] != draft[1]:
        return Reason(f"pair_{what}_ids", {"target": target[1], "draft": draft[1]})
    return None


def _sizes_of(target: Header, draft: Header) -> tuple[int, int]:
    """Parameters of both; bytes of both where one of them does not tell."""
    if target.parameters is not None and draft.parameters is not None:
        return target.parameters, draft.parameters
    return target.file_bytes, draft.file_bytes


def _hints(target: Header, draft: Header) -> tuple[Hint, ...]:
    target_size, draft_size = _sizes_of(target, draft)
    ratio = draft_size / max(target_size, 1)
    percent = {"percent": round(100 * ratio)}
    known = target.parameters
    quantisation = draft.quantisation or ""
    cannot_rewind = target.is_recurrent or target.is_hybrid
    found = (
        (ratio > HEAVY_DRAFT_RATIO, Hint("hint_draft_heavy", True, percent)),
        (
            LARGE_DRAFT_RATIO < ratio <= HEAVY_DRAFT_RATIO,
            Hint("hint_draft_large", False, percent),
        ),
        (target.expert_count > 0, Hint("hint_target_experts", True)),
        (
            known is not None and known < SMALL_TARGET_PARAMETERS,
            Hint("hint_target_small", True, {"billions": round((known or 0) / 1e9, 1)}),
        ),
        (
            quantisation.startswith(_COARSE),
            Hint("hint_draft_coarse", False, {"quantisation": quantisation}),
        ),
        (
            quantisation in _WHOLE,
            Hint("hint_draft_unquantised", False, {"quantisation": quantisation}),
        ),
        (
            cannot_rewind and target.architecture not in ROLLBACK,
            Hint("hint_target_cannot_rewind", True, {"model": target.architecture}),
        ),
        (
            cannot_rewind and target.architecture in ROLLBACK,
            Hint("hint_target_snapshots", False, {"model": target.architecture}),
        ),
    )
    return tuple(hint for applies, hint in found if applies)


def _rank(target: Header, proposal: Proposal) -> tuple[bool, bool, int, float]:
    """Allowed first, then those worth it, then those nearest to the ratio that gained most."""
    target_size, draft_size = _sizes_of(target, proposal.draft)
    ratio = max(draft_size, 1) / max(target_size, 1)
    verdict = proposal.verdict
    distance = abs(math.log(ratio / IDEAL_DRAFT_RATIO))
    return not verdict.ok, verdict.discouraged, len(verdict.hints), distance


def _named(header: Header, **detail: str | int) -> Detail:
    return {"path": header.name_of_file, **detail}
