"""A jinja environment that a template from an unknown file can neither escape nor hang.

A chat template comes with a downloaded model, so it is a stranger's program. jinja2's own sandbox
keeps it from Python; this one also bounds what it may cost: every loop turn and call counts, and
there are limits for the length of a text, the size of a list and the time of one run. Filters and
string methods whose cost cannot be bounded are left out. Knows nothing of models or messages;
imports nothing of app.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from jinja2 import Template, TemplateRuntimeError, nodes
from jinja2.ext import Extension
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.parser import Parser
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

MAX_CHARS = 8_000_000  # a prompt of a million tokens and more
MAX_STEPS = 500_000  # loop turns and calls; a chat of a thousand messages needs some ten thousand
MAX_SECONDS = 10.0
MAX_ITEMS = 100_000
_MAX_BITS = 4_096
_MAX_INDENT = 64

_FILTERS = (
    *("abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float"),
    *("groupby", "int", "items", "last", "length", "list", "lower", "map", "max", "min", "reject"),
    *("rejectattr", "reverse", "safe", "select", "selectattr", "sort", "string", "sum", "title"),
    *("trim", "unique", "upper"),
)
_COSTLY_METHODS = frozenset(
    {"center", "ljust", "rjust", "zfill", "expandtabs", "format", "format_map", "translate"}
)
_CONTAINERS = (list, tuple, dict)
_SCOPES = ("_loop_vars", "_block_vars")  # which jinja2 adds to the arguments of a call
_WIDE_FORMAT = re.compile(r"\*|\d{4}")


class TemplateTooCostly(TemplateRuntimeError):
    """The template asked for more steps, text or time than any chat needs."""


class _GenerationTag(Extension):
    """`{% generation %}` marks what to train on; here its body is just printed."""

    tags = {"generation"}  # noqa: RUF012 - declared so by jinja2

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """The environment that chat templates are written for, with limits. For one thread."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, now: Callable[[], datetime] = datetime.now) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,
            finalize=self._printable,
            extensions=["jinja2.ext.loopcontrols", _GenerationTag],
        )
        self.begin()
        self.filters = {name: FILTERS[name] for name in _FILTERS} | {
            "each": self._each,
            "weighed": self._weighed,
            "stored": self._stored,
            "concat": self._concat_values,
            "indent": self._indent,
            "join": self._join,
            "replace": self._replace,
            "tojson": _tojson,
        }
        for name in ("lipsum", "cycler", "joiner"):
            del self.globals[name]
        self.globals["raise_exception"] = _raise_exception
        self.globals["strftime_now"] = lambda form: now().strftime(form)

    def begin(self) -> None:
        """Start counting anew, for one run of a template."""
        self._steps = 0
        self._deadline = time.monotonic() + MAX_SECONDS

    def step(self, count: int = 1) -> None:
        """Count steps; raises TemplateTooCostly when there were too many or it took too long."""
        self._steps += count
        if self._steps > MAX_STEPS or time.monotonic() > self._deadline:
            raise TemplateTooCostly("the template does not come to an end")

    def bounded_from_string(self, source: str) -> Template:
        """Compile with every loop, list and concatenation counted."""
        return self.from_string(_Counted().visit(self.parse(source)))

    # --- what jinja2 asks ---

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str) and attr in _COSTLY_METHODS:
            return False
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """Formatting is refused by is_safe_attribute: a width alone can fill the memory."""

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str) and _WIDE_FORMAT.search(left):
            raise TemplateTooCostly("a format is too wide")
        if operator == "*":
            _check_product(left, right)
        if operator == "**" and _bits(left) * max(1, abs(right)) > _MAX_BITS:
            raise TemplateTooCostly("a power is too large")
        return self._weighed(super().call_binop(context, operator, left, right))

    def call(self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        self.step()
        own = {name: value for name, value in kwargs.items() if name not in _SCOPES}
        text = getattr(__obj, "__self__", None)
        if isinstance(text, str) and __obj.__name__ == "replace":
            return self._replace(text, *args, **own)
        if isinstance(text, str) and __obj.__name__ == "join":
            (values,) = args
            return self._join(values, text)
        if isinstance(__obj, LoopContext):
            args = tuple(self._each(argument) for argument in args)
        if __obj is Namespace:
            for value in own.values():
                self._stored(value)
        result = super().call(__context, __obj, *args, **kwargs)
        if isinstance(result, range):
            self.step(len(result))
        return self._weighed(result)

    # --- what templates call ---

    def _each(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            self.step()
            yield value

    def _weighed(self, value: Any) -> Any:
        """The value itself, if printing or comparing it is affordable."""
        if isinstance(value, str):
            _check_length(len(value))
        elif isinstance(value, _CONTAINERS):
            _check_items(value)
        elif isinstance(value, int) and value.bit_length() > _MAX_BITS:
            raise TemplateTooCostly("a number is too large")
        return value

    def _stored(self, value: Any) -> Any:
        """What a namespace may hold: another one could be printed in ever more copies."""
        if isinstance(value, Namespace):
            raise TemplateTooCostly("a namespace within a namespace")
        return self._weighed(value)

    def _printable(self, value: Any) -> Any:
        if isinstance(value, str | int | float | None):
            return value
        return self._text(value)

    def _text(self, value: Any) -> str:
        return str(self._weighed(value))

    def concat(self, parts: Iterable[str]) -> str:
        """Used for blocks and macros, whose output becomes a value."""
        texts = list(parts)
        _check_length(sum(map(len, texts)))
        return "".join(texts)

    def _concat_values(self, values: Iterable[Any]) -> str:
        return self.concat(map(self._text, values))

    def _join(self, values: Iterable[Any], d: str = "", attribute: str | None = None) -> str:
        if attribute is not None:
            values = map(make_attrgetter(self, attribute), values)
        texts = [self._text(value) for value in values]
        _check_length(sum(map(len, texts)) + len(d) * len(texts))
        return str(d).join(texts)

    def _replace(self, value: Any, old: str, new: str, count: int | None = None) -> str:
        text = self._text(value)
        times = text.count(old)
        _check_length(len(text) + times * len(new))
        return text.replace(old, new, -1 if count is None else count)

    def _indent(
        self, value: Any, width: int | str = 4, first: bool = False, blank: bool = False
    ) -> str:
        text = self._text(value)
        size = width if isinstance(width, int) else len(width)
        if size > _MAX_INDENT:
            raise TemplateTooCostly("an indentation is too wide")
        _check_length(len(text) + (text.count("\n") + 1) * size)
        indented: str = FILTERS["indent"](text, width, first, blank)
        return indented


class _Counted(NodeTransformer):
    """Puts a counting filter around what can grow or go on without a call."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - named after the node
        self.generic_visit(node)
        node.iter = _filtered(node.iter, "each")
        return node

    def visit_Assign(self, node: nodes.Assign) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        if isinstance(node.target, nodes.NSRef):
            node.node = _filtered(node.node, "stored")
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _filtered(nodes.List(node.nodes, lineno=node.lineno), "concat")

    def visit_List(self, node: nodes.List) -> nodes.Node:  # noqa: N802
        return _filtered(self.generic_visit(node), "weighed")

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:  # noqa: N802
        return _filtered(self.generic_visit(node), "weighed")

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _filtered(node, "weighed") if node.ctx == "load" else node


def _filtered(node: Any, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


def _check_length(chars: int) -> None:
    if chars > MAX_CHARS:
        raise TemplateTooCostly("the template writes too much text")


def _check_items(value: Any) -> None:
    """Count as printing would: what is contained twice counts twice."""
    waiting = [value]
    items = 0
    while waiting:
        inside = waiting.pop()
        items += len(inside)
        if items > MAX_ITEMS:
            raise TemplateTooCostly("a list of the template is too large")
        contents = inside.values() if isinstance(inside, dict) else inside
        if any(isinstance(item, Namespace) for item in contents):
            raise TemplateTooCostly("a namespace within a list")
        waiting += [item for item in contents if isinstance(item, _CONTAINERS)]


def _check_product(left: Any, right: Any) -> None:
    for sequence, times in ((left, right), (right, left)):
        if isinstance(sequence, str | list | tuple) and isinstance(times, int):
            limit = MAX_CHARS if isinstance(sequence, str) else MAX_ITEMS
            if len(sequence) * times > limit:
                raise TemplateTooCostly("a repetition is too long")


def _bits(value: Any) -> int:
    return value.bit_length() if isinstance(value, int) else 1


def _raise_exception(message: str) -> None:
    """What templates call to refuse a conversation."""
    raise TemplateRuntimeError(str(message))


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    if indent is not None and indent > _MAX_INDENT:
        raise TemplateTooCostly("an indentation is too wide")
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )
