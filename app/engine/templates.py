"""Messages to the text of a prompt, by the model's own chat template or by a fallback.

Knows nothing of llama.cpp; turning the text into tokens is the caller's work: with special tokens
recognised, and without adding a BOS where the text begins with one already.

The prefix across turns
-----------------------
The prompt cache keeps what two prompts have in common from their start. For most templates the
prompt of turn n + 1 *begins with* the prompt of turn n, then the answer, then the end-of-turn
marker, so that only the new message is evaluated. To keep that so, rendering here depends on
nothing but the messages and, where the template asks for it, today's date; messages are passed
on unchanged. It does not hold, and the cache then keeps a shorter part, where a template leaves out
the reasoning of earlier turns (kept up to the answer before), strips white space around messages,
or moves the system prompt into the newest message (kept up to that message). The answer itself is
best kept as the tokens that were generated: the same text may tokenise differently.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from jinja2 import Template, TemplateError

from app.conversation import ChatMessage, Role
from app.engine.sandbox import MAX_CHARS, BoundedEnvironment, TemplateTooCostly
from app.engine.text import ends_inside_reasoning
from app.errors import RequestError

MAX_SOURCE_CHARS = 512_000
_REASON_CHARS = 200

# What a stranger's program can raise while it is compiled or run; MemoryError and RecursionError
# come from templates nested too deeply, SyntaxError and the like from what Python makes of them.
_FAULTS = (
    TemplateError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    NameError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)

_PROBE = "Xylophone 42"
_SYSTEM_PROBE = "Zeppelin 17"


@dataclass(frozen=True, slots=True)
class Fallback:
    """A prompt format for models without a template of their own.

    Attributes:
        token: the special token by which a vocabulary shows that it was trained on this format.
        stops: strings that end an answer, also when the model has no single token for them.
    """

    name: str
    token: str
    source: str
    stops: tuple[str, ...]


_NO_SYSTEM = "{% if m.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"

FALLBACKS = (
    Fallback(
        "ChatML",
        "<|im_start|>",
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
        "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
        ("<|im_end|>", "<|im_start|>"),
    ),
    Fallback(
        "Llama 3",
        "<|start_header_id|>",
        "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
        "{{ m.content }}<|eot_id|>{% endfor %}{% if add_generation_prompt %}"
        "<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}",
        ("<|eot_id|>", "<|start_header_id|>"),
    ),
    Fallback(
        "Gemma",
        "<start_of_turn>",
        "{{ bos_token }}{% for m in messages %}" + _NO_SYSTEM + "<start_of_turn>"
        "{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content }}<end_of_turn>\n"
        "{% endfor %}{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}",
        ("<end_of_turn>", "<start_of_turn>"),
    ),
    Fallback(
        "Mistral",
        "[INST]",
        "{{ bos_token }}{% for m in messages %}" + _NO_SYSTEM + "{% if m.role == 'assistant' %}"
        "{{ m.content }}{{ eos_token }}{% else %}[INST] {{ m.content }}[/INST]{% endif %}"
        "{% endfor %}",
        ("[INST]",),
    ),
    Fallback(
        "plain text",
        "",
        "{% for m in messages %}{% if m.role == 'system' %}{{ m.content }}\n\n"
        "{% elif m.role == 'user' %}User: {{ m.content }}\n"
        "{% else %}Assistant:{{ '' if m.content[:1] == ' ' else ' ' }}{{ m.content }}\n"
        "{% endif %}{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}",
        ("\nUser:", "\nAssistant:"),
    ),
)


class ChatTemplate:
    """How one model wants a conversation to be written. For one thread.

    Attributes:
        is_own: the model's own template is in use; False: a fallback is, because of `problem`.
        problem: why the model's own template is not in use, "" when it is.
        format_name: "own", or the name of the fallback.
        stops: further stop strings that the fallback needs.
        takes_system: the template has a place for a system message; without one, it is put before
            the first user message.
    """

    def __init__(
        self,
        source: str | None,
        *,
        bos: str,
        eos: str,
        name: str = "",
        knows: Callable[[str], bool] = lambda token: False,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._name = name
        self._tokens = {"bos_token": bos, "eos_token": eos}
        self._environment = BoundedEnvironment(now)
        self._template: Template
        self.problem = self._try_own(source)
        self.is_own = not self.problem
        self.format_name = "own"
        self.stops: tuple[str, ...] = ()
        if not self.is_own:
            fallback = next(f for f in FALLBACKS if not f.token or knows(f.token))
            self._template = self._environment.bounded_from_string(fallback.source)
            self.format_name = fallback.name
            self.stops = fallback.stops
        self.takes_system = self._prints_system()
        self.opens_reasoning = self._ends_inside_reasoning()

    def render(self, messages: Sequence[ChatMessage], *, add_generation_prompt: bool = True) -> str:
        """The prompt. Raises RequestError("template_failed", reason=..., model=...)."""
        wanted = list(messages) if self.takes_system else _without_system(messages)
        try:
            return self._run(wanted, add_generation_prompt)
        except TemplateTooCostly as error:
            raise self._failed(error) from error
        except _FAULTS as error:
            regular = _alternating(_without_system(messages))
            if regular == wanted:
                raise self._failed(error) from error
        try:
            return self._run(regular, add_generation_prompt)
        except _FAULTS as error:
            raise self._failed(error) from error

    def _failed(self, error: BaseException) -> RequestError:
        return RequestError(
            "template_failed", reason=_reason(error), model=self._name or "this model"
        )

    def _run(self, messages: Sequence[ChatMessage], add_generation_prompt: bool) -> str:
        self._environment.begin()
        pieces = []
        size = 0
        for piece in self._template.generate(
            messages=[{"role": m.role.value, "content": m.content} for m in messages],
            add_generation_prompt=add_generation_prompt,
            tools=None,
            documents=None,
            **self._tokens,
        ):
            pieces.append(piece)
            size += len(piece)
            if size > MAX_CHARS:
                raise TemplateTooCostly("the template writes too much text")
        return "".join(pieces)

    def _try_own(self, source: str | None) -> str:
        """Compile the model's template and try it on one message; why it is of no use, or ""."""
        if not source:
            return "the model file brings none"
        if len(source) > MAX_SOURCE_CHARS:
            return "it is too long"
        try:
            self._template = self._environment.bounded_from_string(source)
            prompt = self._run([ChatMessage(Role.USER, _PROBE)], True)
        except _FAULTS as error:
            return _reason(error)
        return "" if _PROBE in prompt else "it leaves the message out"

    def _prints_system(self) -> bool:
        """Whether a system message ends up in the prompt: some templates refuse or drop it."""
        system = ChatMessage(Role.SYSTEM, _SYSTEM_PROBE)
        try:
            return _SYSTEM_PROBE in self._run([system, ChatMessage(Role.USER, _PROBE)], True)
        except _FAULTS:
            return False

    def _ends_inside_reasoning(self) -> bool:
        """Whether answers begin inside a block that the prompt has opened ("<think>")."""
        message = [ChatMessage(Role.USER, _PROBE)]
        prompt = self._run(message, True)
        try:
            history = self._run(message, False)
        except _FAULTS:
            history = ""  # it insists on a generation prompt; then all of it is looked at
        begun = prompt[len(history) :] if prompt.startswith(history) else prompt
        return ends_inside_reasoning(begun or prompt)


def _without_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """System messages put before the user message that follows, with a blank line between."""
    kept: list[ChatMessage] = []
    waiting: list[str] = []
    for message in messages:
        if message.role is Role.SYSTEM:
            waiting.append(message.content)
        elif message.role is Role.USER:
            kept.append(replace(message, content="\n\n".join([*waiting, message.content])))
            waiting = []
        else:
            kept.append(message)
    return [*kept, *(ChatMessage(Role.USER, text) for text in waiting)]


def _alternating(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Neighbours of the same role made one: some templates refuse two user messages in a row."""
    kept: list[ChatMessage] = []
    for message in messages:
        if kept and kept[-1].role is message.role:
            text = f"{kept[-1].content}\n\n{message.content}"
            kept[-1] = replace(message, content=text)
        else:
            kept.append(message)
    return kept


def _reason(error: BaseException) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0][:_REASON_CHARS]
