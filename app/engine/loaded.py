"""What belongs to the loaded pair and goes with it: sequences, template, drafters, what was
learned.

Which sequence, drafter and depth control a request gets is decided here. Knows requests, but
neither process nor window.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.engine.answers import Answer
from app.engine.calibration import Calibration
from app.engine.chain_drafter import ChainDrafter
from app.engine.costs import CostModel
from app.engine.decoding import Decoder
from app.engine.depth import DepthController, FixedDepth, Rate
from app.engine.depth_control import DepthControl, DepthReason
from app.engine.depth_profile import DepthProfile
from app.engine.drafters import Drafter, NoDrafter
from app.engine.lookup_drafter import LookupDrafter
from app.engine.model_drafter import ModelDrafter, ModelMemory
from app.engine.pair import MAX_DEPTH, Pair
from app.engine.protocol import Generate, LoadStep, PieceSource, Speculation
from app.engine.templates import ChatTemplate
from app.engine.tracks import Track, common_prefix
from app.errors import RequestError

SMALLEST_CHUNK = 32


@dataclass(slots=True)
class Slot:
    """One sequence of the context: what its memory holds of the last answer there."""

    id: int
    tokens: list[int] = field(default_factory=list)
    in_memory: int = 0
    used_at: float = 0.0
    answer: Answer | None = None

    def shared(self, prompt: list[int]) -> int:
        """How many tokens of the prompt are in memory already."""
        return common_prefix(self.tokens[: self.in_memory], prompt)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt in tokens, and what its format says about the answer.

    Attributes:
        stops: strings by which the format ends an answer.
        reasoning: the answer begins inside a reasoning block.
    """

    tokens: list[int]
    stops: tuple[str, ...] = ()
    reasoning: bool = False


class Loaded:
    """All that belongs to the loaded pair.

    Attributes:
        chunk: prompt tokens to read in one pass, so that a pass stays short.
        loss_told: the user has heard that drafting loses with this pair.
    """

    def __init__(self, pair: Pair, costs: CostModel) -> None:
        self.pair = pair
        self.costs = costs
        self.decoder = Decoder(pair.target_context, pair.target.is_end)
        self.slots = [Slot(number) for number in range(pair.command.n_parallel)]
        self.template = ChatTemplate(
            pair.target.template,
            bos=pair.target.bos,
            eos=pair.target.eos,
            name=pair.target.name,
            knows=pair.target.knows,
        )
        self.chunk = 2 * SMALLEST_CHUNK
        self.loss_told = False
        self._profile = DepthProfile.from_json(pair.command.profile or "")
        self._calibrations: dict[bool, Calibration] = {}  # of the draft, by whether it was greedy
        self._off = NoDrafter()
        self._lookup = LookupDrafter({})
        self.model: ModelDrafter | None = None
        self._chain: ChainDrafter | None = None
        if pair.draft_context is not None:
            memory = ModelMemory(pair.draft_context, target_vocab=pair.target.n_vocab)
            self.model = ModelDrafter(memory, {})
            self._chain = ChainDrafter(self._lookup, self.model)

    def template_step(self) -> LoadStep | None:
        """Said when the model's own template is not in use."""
        if self.template.is_own:
            return None
        if self.pair.target.template is None:
            return LoadStep("template_missing", {"format": self.template.format_name})
        detail = {"format": self.template.format_name, "reason": self.template.problem}
        return LoadStep("template_unusable", {**detail})

    def prompt(self, command: Generate) -> Prompt:
        """The request's prompt.

        Raises:
            RequestError: "prompt_too_long" with its length and what fits, "prompt_empty",
                "template_failed".
        """
        target = self.pair.target
        if command.prompt is not None:
            prompt = Prompt(target.tokenize(command.prompt, special=True))
        else:
            text = self.template.render(command.messages)
            tokens = target.tokenize(text, special=True)
            prompt = Prompt(tokens, self.template.stops, self.template.opens_reasoning)
        if not prompt.tokens:
            raise RequestError("prompt_empty")
        fits = self.pair.n_ctx - 1
        if len(prompt.tokens) > fits:
            raise RequestError("prompt_too_long", prompt_tokens=len(prompt.tokens), fits=fits)
        return prompt

    def slot(self, prompt: list[int]) -> Slot:
        """The idle sequence that remembers most of the prompt; the longest unused among equals.

        Raises:
            RequestError: "all_busy".
        """
        idle = [slot for slot in self.slots if slot.answer is None]
        if not idle:
            raise RequestError("all_busy", n_parallel=len(self.slots))
        return max(idle, key=lambda slot: (slot.shared(prompt), -slot.used_at))

    def keep_prefix(self, slot: Slot, prompt: list[int]) -> int:
        """Drop what the memory holds beyond the common prefix; returns how many tokens stay."""
        context = self.pair.target_context
        keep = min(slot.shared(prompt), len(prompt) - 1)
        window = self.pair.target.window
        # a sliding window that has moved on no longer holds what the tokens before `keep` need
        if window and context.first_position(slot.id) > max(0, keep - window):
            keep = 0
        if keep and not context.remove_tail(slot.id, keep):
            keep = 0
        if not keep:
            context.remove_tail(slot.id, 0)
        slot.tokens, slot.in_memory = [], 0
        return keep

    def forget(self, sequence: int) -> None:
        """Empty a sequence in both memories."""
        self.pair.target_context.remove_tail(sequence, 0)
        self.slots[sequence].tokens, self.slots[sequence].in_memory = [], 0
        if self.model is not None:
            self.model.memory.clear(sequence)

    def drafter(self, command: Generate) -> Drafter:
        """The drafter for a request.

        Raises:
            RequestError: "no_draft_for_request", "target_cannot_rewind", "depth_out_of_range".
        """
        options = command.options
        for depth in (options.depth, options.max_depth):
            if depth is not None and not 0 <= depth <= MAX_DEPTH:
                raise RequestError("depth_out_of_range", depth=depth, most=MAX_DEPTH)
        how = options.speculation
        if how is Speculation.OFF or (how is Speculation.AUTO and not self.pair.target_rewinds):
            return self._off
        if not self.pair.target_rewinds:
            architecture = self.pair.target.architecture
            raise RequestError("target_cannot_rewind", architecture=architecture)
        if how is Speculation.DRAFT:
            if self.model is None:
                raise RequestError("no_draft_for_request")
            return self.model
        if how is Speculation.AUTO and self._chain is not None:
            return self._chain
        return self._lookup

    def loss_to_tell(self, answer: Answer) -> str | None:
        """What to say, once for a pair, when the draft model is kept idle because it loses."""
        asked = answer.speculation in (Speculation.AUTO, Speculation.DRAFT)
        if self.model is None or self.loss_told or not asked:
            return None
        control = self.model.depths[answer.track.id]
        loses = control.reason in (DepthReason.LOSES, DepthReason.PROBING)
        return "drafting_loses_here" if loses and not answer.drafts_lately else None

    def give_depth(self, command: Generate, track: Track) -> None:
        """A depth control for each drafter the request may use."""
        rate = Rate()  # one answer, one rate, whoever drafts
        for drafter in (self._lookup, self.model):
            if drafter is not None:
                control = self._control(command, drafter.source, track.sampler.greedy, rate)
                drafter.depths[track.id] = control

    def _control(
        self, command: Generate, source: PieceSource, greedy: bool, rate: Rate
    ) -> DepthControl:
        options = command.options
        if options.depth is not None:
            return FixedDepth(options.depth)
        known = None
        if source is PieceSource.DRAFT:
            known = self._calibrations.setdefault(greedy, Calibration(self._profile.calibration))
        return DepthController(
            self.costs,
            known,
            max_depth=options.max_depth,
            steady=self.pair.on_cuda,
            free_draft=source is PieceSource.LOOKUP,
            rate=rate,
            look_always=options.speculation is Speculation.DRAFT,
        )
