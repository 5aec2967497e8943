"""Chat templates: the published formats, the prefix across turns, fallbacks, hostile templates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from struct import unpack_from

import pytest

from app.conversation import ChatMessage, Role
from app.engine import sandbox
from app.engine.templates import FALLBACKS, ChatTemplate
from app.errors import RequestError


def user(text: str) -> ChatMessage:
    return ChatMessage(Role.USER, text)


def assistant(text: str) -> ChatMessage:
    return ChatMessage(Role.ASSISTANT, text)


def system(text: str) -> ChatMessage:
    return ChatMessage(Role.SYSTEM, text)


def template(source: str | None, *known: str) -> ChatTemplate:
    return ChatTemplate(source, bos="<s>", eos="</s>", name="m", knows=lambda token: token in known)


# --- shortened templates in the manner of each family ---------------------------------------------

CHATML_WITH_DEFAULT = """\
{%- if messages[0]['role'] == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}
{%- else %}
    {{- '<|im_start|>system\\nBe helpful.<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if message.role != 'system' or not loop.first %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""

LLAMA_3 = """\
{{- bos_token }}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = '' %}
{%- endif %}
{%- if strftime_now is defined %}
    {%- set date = strftime_now('%d %b %Y') %}
{%- else %}
    {%- set date = '26 Jul 2024' %}
{%- endif %}
{{- '<|start_header_id|>system<|end_header_id|>\\n\\nToday Date: ' + date + '\\n\\n' }}
{{- system_message + '<|eot_id|>' }}
{%- for message in messages %}
    {{- '<|start_header_id|>' ~ message['role'] ~ '<|end_header_id|>\\n\\n' }}
    {{- message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""

GEMMA = """\
{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}
    {{- raise_exception('System role not supported') }}
{%- endif %}
{%- for message in messages %}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('Conversation roles must alternate user/assistant/user/...') }}
    {%- endif %}
    {%- set role = 'model' if message['role'] == 'assistant' else message['role'] %}
    {{- '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<start_of_turn>model\\n' }}
{%- endif %}
"""

# the system prompt goes into the newest user message
MISTRAL = """\
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if message['role'] == 'user' %}
        {%- if loop.last and system_message is defined %}
            {{- '[INST] ' + system_message + '\\n\\n' + message['content'] + '[/INST]' }}
        {%- else %}
            {{- '[INST] ' + message['content'] + '[/INST]' }}
        {%- endif %}
    {%- elif message['role'] == 'assistant' %}
        {{- ' ' + message['content'] + eos_token }}
    {%- else %}
        {{- raise_exception('Only user and assistant roles are supported') }}
    {%- endif %}
{%- endfor %}
"""

DEEPSEEK_R1 = """\
{% set ns = namespace(is_first=false, system_prompt='') %}
{%- for message in messages %}
    {%- if message['role'] == 'system' %}{% set ns.system_prompt = message['content'] %}{%- endif %}
{%- endfor %}
{{- bos_token }}{{ ns.system_prompt }}
{%- for message in messages %}
    {%- if message['role'] == 'user' %}
        {{- '<\uff5cUser\uff5c>' + message['content'] }}
    {%- elif message['role'] == 'assistant' %}
        {%- set content = message['content'] %}
        {%- if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}
        {{- '<\uff5cAssistant\uff5c>' + content + '<\uff5cend\u2581of\u2581sentence\uff5c>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<\uff5cAssistant\uff5c><think>\\n' }}{% endif %}
"""

QWEN_3 = """\
{%- set ns = namespace(last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if message.role == 'user' and message.content is string %}
        {%- set ns.last_query_index = index %}
        {%- break %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- set content = message.content %}
    {%- if message.role == 'assistant' %}
        {%- if message.reasoning_content is string %}
            {%- set reasoning = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set reasoning = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1] %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query_index and reasoning %}
            {%- set content = '<think>\\n' ~ reasoning ~ '\\n</think>\\n\\n' ~ content %}
        {%- endif %}
    {%- endif %}
    {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""

TRAINING_TAGS = """\
{% for m in messages %}
{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}
{%- else %}({{ m.content }}){% endif %}
{% endfor %}"""

ALL = {
    "chatml": CHATML_WITH_DEFAULT,
    "llama 3": LLAMA_3,
    "gemma": GEMMA,
    "mistral": MISTRAL,
    "deepseek r1": DEEPSEEK_R1,
    "qwen 3": QWEN_3,
    "training tags": TRAINING_TAGS,
}

TALK = (user("Hi"), assistant("Yo"), user("So?"))


@pytest.mark.parametrize("source", ALL.values(), ids=ALL.keys())
def test_templates_of_every_family_are_understood(source: str) -> None:
    own = template(source)
    assert (own.is_own, own.problem, own.format_name, own.stops) == (True, "", "own", ())
    prompt = own.render(TALK)
    assert prompt.index("Hi") < prompt.index("Yo") < prompt.index("So?")


def test_chatml_writes_its_default_system_prompt_only_when_none_is_given() -> None:
    own = template(CHATML_WITH_DEFAULT)
    assert own.render([user("Hi")]).startswith("<|im_start|>system\nBe helpful.<|im_end|>\n")
    assert own.render([system("Rhyme."), user("Hi")]) == (
        "<|im_start|>system\nRhyme.<|im_end|>\n"
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    )


def test_llama_3_is_given_bos_and_date() -> None:
    own = ChatTemplate(LLAMA_3, bos="<bos>", eos="", now=lambda: datetime(2031, 5, 7, 12, 0))
    assert own.render([user(" Hi ")]) == (
        "<bos><|start_header_id|>system<|end_header_id|>\n\nToday Date: 07 May 2031\n\n<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
    )


def test_without_a_generation_prompt_the_conversation_ends_with_its_last_message() -> None:
    prompt = template(CHATML_WITH_DEFAULT).render([user("Hi")], add_generation_prompt=False)
    assert prompt.endswith("user\nHi<|im_end|>\n")


def test_text_of_messages_is_not_read_as_a_template() -> None:
    text = "{{ 7 * 6 }} {% if x %} <b>&amp;"
    assert text in template(CHATML_WITH_DEFAULT).render([user(text)])


# --- system messages and irregular conversations --------------------------------------------------


def test_a_system_message_the_template_refuses_goes_before_the_first_user_message() -> None:
    own = template(GEMMA)
    assert not own.takes_system
    assert own.render([system("Rhyme."), *TALK]) == (
        "<s><start_of_turn>user\nRhyme.\n\nHi<end_of_turn>\n<start_of_turn>model\nYo<end_of_turn>\n"
        "<start_of_turn>user\nSo?<end_of_turn>\n<start_of_turn>model\n"
    )


def test_a_system_message_the_template_silently_drops_is_not_lost() -> None:
    drops = (
        "{% for m in messages if m.role != 'system' %}{{ m.role }}: {{ m.content }}|{% endfor %}"
    )
    assert template(drops).render([system("Rhyme."), user("Hi")]) == "user: Rhyme.\n\nHi|"


def test_a_system_message_alone_is_still_a_prompt() -> None:
    assert "<start_of_turn>user\nRhyme.<end_of_turn>" in template(GEMMA).render([system("Rhyme.")])


def test_two_user_messages_in_a_row_become_one_where_the_template_insists() -> None:
    prompt = template(GEMMA).render([user("One"), user("Two")])
    assert "<start_of_turn>user\nOne\n\nTwo<end_of_turn>" in prompt
    prompt = template(CHATML_WITH_DEFAULT).render([user("One"), user("Two")])
    assert "user\nOne<|im_end|>\n<|im_start|>user\nTwo" in prompt


def test_a_conversation_the_template_refuses_is_reported_with_its_reason() -> None:
    with pytest.raises(RequestError) as caught:
        template(GEMMA).render([assistant("I begin."), user("Hi")])
    assert caught.value.code == "template_failed"
    assert caught.value.detail["model"] == "m"
    assert "must alternate" in str(caught.value.detail["reason"])


# --- reasoning ------------------------------------------------------------------------------------


def test_a_prompt_that_opens_a_reasoning_block_is_known_as_such() -> None:
    assert template(DEEPSEEK_R1).opens_reasoning
    assert not template(QWEN_3).opens_reasoning
    assert not template(CHATML_WITH_DEFAULT).opens_reasoning


def test_a_block_the_prompt_opens_and_closes_is_not_open() -> None:
    assert not template(QWEN_3.replace("enable_thinking is defined and", "not")).opens_reasoning


def test_instructions_that_mention_the_tags_open_nothing() -> None:
    source = "Think inside <think> first.{% for m in messages %}{{ m.content }}|{% endfor %}A:"
    assert not template(
        source.replace("A:", "{% if add_generation_prompt %}A:{% endif %}")
    ).opens_reasoning


# --- the prefix across turns ----------------------------------------------------------------------


def assert_prefix_is_stable(own: ChatTemplate, end: str, opening: Sequence[ChatMessage]) -> None:
    """Three turns; answers with white space at both ends, markup and an emoji."""
    messages = list(opening)
    for question, answer in (("Hi", "Yo! 🦊"), (" x\n", "  if a:\n    b()\n"), ("So?", "<b>So.")):
        messages.append(user(question))
        prompt = own.render(messages)
        messages.append(assistant(answer))
        assert own.render([*messages, user("Next")]).startswith(prompt + answer + end)


@pytest.mark.parametrize("opening", [(), (system("Be."),)], ids=["default", "system"])
def test_a_chatml_prompt_begins_with_the_turn_before(opening: Sequence[ChatMessage]) -> None:
    assert_prefix_is_stable(template(CHATML_WITH_DEFAULT), "<|im_end|>\n", opening)


@pytest.mark.parametrize(
    ("token", "end"),
    [
        ("<|im_start|>", "<|im_end|>\n"),
        ("<|start_header_id|>", "<|eot_id|>"),
        ("<start_of_turn>", "<end_of_turn>\n"),
        ("[INST]", "</s>"),
    ],
)
def test_a_fallback_prompt_begins_with_the_turn_before(token: str, end: str) -> None:
    assert_prefix_is_stable(template(None, token), end, (system("Be."),))


def test_in_plain_text_an_answer_fits_its_prompt_with_or_without_the_leading_space() -> None:
    plain = template(None)
    prompt = plain.render([user("Hi")])
    again = [plain.render([user("Hi"), assistant(text), user("So?")]) for text in (" Yo", "Yo")]
    assert again[0] == again[1]
    assert again[0].startswith(prompt + " Yo\n")


# --- fallbacks ------------------------------------------------------------------------------------

HI = (system("Be."), user("Hi"))


@pytest.mark.parametrize(
    ("token", "name", "expected"),
    [
        (
            "<|im_start|>",
            "ChatML",
            "<|im_start|>system\nBe.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
            "<|im_start|>assistant\n",
        ),
        (
            "<|start_header_id|>",
            "Llama 3",
            "<s><|start_header_id|>system<|end_header_id|>\n\nBe.<|eot_id|>"
            "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
            "<|start_header_id|>assistant<|end_header_id|>\n\n",
        ),
        (
            "<start_of_turn>",
            "Gemma",
            "<s><start_of_turn>user\nBe.\n\nHi<end_of_turn>\n<start_of_turn>model\n",
        ),
        ("[INST]", "Mistral", "<s>[INST] Be.\n\nHi[/INST]"),
        ("", "plain text", "Be.\n\nUser: Hi\nAssistant:"),
    ],
)
def test_without_a_template_the_vocabulary_chooses_the_format(
    token: str, name: str, expected: str
) -> None:
    chosen = template(None, token)
    assert (chosen.is_own, chosen.format_name) == (False, name)
    assert chosen.problem
    assert chosen.render(HI) == expected
    assert chosen.stops
    assert not chosen.opens_reasoning


def test_stops_of_a_fallback_do_not_occur_where_an_answer_begins() -> None:
    for fallback in FALLBACKS:
        prompt = template(None, fallback.token).render([user("Hi")])
        assert not any(stop in prompt[-1:] for stop in fallback.stops)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("", "brings none"),
        ("{% for m in %}", "Expected an expression"),
        ("{{ messages | no_such_filter }}", "No filter named"),
        ("{% include 'x' %}", "no loader"),
        ("{{ messages[0].content.encode().decode.__globals__ }}", "leaves the message out"),
        ("{{ messages[0].content.__class__.__mro__ }}", "unsafe"),
        ("chatml", "leaves the message out"),
        ("{{ raise_exception('never') }}", "never"),
        ("(" * 600_000, "too long"),
        ("{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}", ""),
        ("{{ 1 / 0 }}", "division"),
    ],
)
def test_a_template_of_no_use_is_replaced_and_says_why(source: str, problem: str) -> None:
    chosen = template(source, "<|im_start|>")
    assert (chosen.is_own, chosen.format_name) == (False, "ChatML")
    assert problem in chosen.problem
    assert 0 < len(chosen.problem) <= 200
    assert chosen.render([user("Hi")]).endswith("user\nHi<|im_end|>\n<|im_start|>assistant\n")


# --- hostile templates ----------------------------------------------------------------------------


def growing(start: str, step: str) -> str:
    """A template that does a step a hundred times, on what the step before has left."""
    begin = "{% set n = namespace(x=" + start + ") %}{% for i in range(99) %}"
    return begin + step + "{% endfor %}"


MANY = "{% for i in range(50000) %}"
BOMBS = {  # name: (template, why it is refused)
    "nested loops": (MANY * 3 + "{% endfor %}" * 3, "come to an end"),
    "a loop over one long range": ("{% for i in range(10**12) %}{% endfor %}", "Range too big"),
    "endless output": ("{% for i in range(9000) %}{{ 'x' * 1000 }}{% endfor %}", "too much text"),
    "recursive macro": ("{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}", "recursion"),
    "branching macro": (
        "{% macro f(n) %}{{ f(n - 1) ~ f(n - 1) if n }}{% endmacro %}{{ f(60) }}",
        "come to an end",
    ),
    "recursive loop": ("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}", "recursion"),
    "branching loop": (
        "{% for x in [60] recursive %}{% if x %}{{ loop([x - 1, x - 1]) }}{% endif %}{% endfor %}",
        "come to an end",
    ),
    "long repetition": ("{{ 'x' * 10**11 }}", "repetition is too long"),
    "long list": ("{{ ([1] * 10**11) | length }}", "repetition is too long"),
    "large power": ("{{ 10 ** (10 ** 10) }}", "power is too large"),
    "growing number": (growing("3", "{% set n.x = n.x * n.x %}"), "number is too large"),
    "doubling by plus": (growing("'x'", "{% set n.x = n.x + n.x %}"), "too much text"),
    "doubling by tilde": (growing("'x'", "{% set n.x = n.x ~ n.x %}"), "too much text"),
    "doubling by block": (
        growing("'x'", "{% set n.x %}{{ n.x }}{{ n.x }}{% endset %}"),
        "too much text",
    ),
    "doubling by replace": (
        growing("'x'", "{% set n.x = n.x.replace('x', 'xx') %}"),
        "too much text",
    ),
    "doubling by replacing filter": (
        growing("'x'", "{% set n.x = n.x | replace('x', 'xx') %}"),
        "too much text",
    ),
    "doubling by join": (growing("'x'", "{% set n.x = n.x.join([n.x, n.x]) %}"), "too much text"),
    "doubling by joining filter": (
        growing("'x'", "{% set n.x = [n.x, n.x] | join(n.x) %}"),
        "too much text",
    ),
    "lists in lists": (growing("[1]", "{% set n.x = [n.x, n.x] %}"), "list of the template"),
    "lists in pairs": (growing("[1]", "{% set n.x = (n.x, n.x) %}"), "list of the template"),
    "dicts in dicts": (growing("{}", "{% set n.x = {'a': n.x, 'b': n.x} %}"), "list of the"),
    "dicts by call": (growing("{}", "{% set n.x = dict(a=n.x, b=n.x) %}"), "list of the template"),
    "namespaces by call": (
        "{% set a = namespace() %}{% set b = namespace(x=a) %}",
        "namespace within a namespace",
    ),
    "namespaces by assignment": (
        "{% set a = namespace() %}{% set b = namespace() %}{% set b.x = a %}",
        "namespace within a namespace",
    ),
    "namespaces in a list": ("{% set a = [namespace()] %}", "namespace within a list"),
    "wide format": ("{{ '%99999999999d' % 1 }}", "format is too wide"),
    "wide format by argument": ("{{ '%*d' % (99999999999, 1) }}", "format is too wide"),
    "wide format method": ("{{ '{:99999999999}'.format(1) }}", "unsafe"),
    "wide padding": ("{{ 'x'.center(10**11) }}", "unsafe"),
    "wide padding filter": ("{{ 'x' | center(100000000000) }}", "No filter named"),
    "wide indent": ("{{ 'x\ny' | indent(10000000000) }}", "indentation is too wide"),
    "wide json": ("{{ [1] | tojson(indent=10000000000) }}", "indentation is too wide"),
    "precise rounding": ("{{ 1.5 | round(10000000000, 'ceil') }}", "No filter named"),
    "words for nothing": ("{{ lipsum(n=1000000) }}", "undefined"),
}


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same limits at a smaller scale, so that reaching one is quick."""
    monkeypatch.setattr(sandbox, "MAX_STEPS", 20_000)
    monkeypatch.setattr(sandbox, "MAX_CHARS", 1_000_000)
    monkeypatch.setattr(sandbox, "MAX_ITEMS", 10_000)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(("bomb", "problem"), BOMBS.values(), ids=BOMBS.keys())
def test_a_template_bomb_is_replaced_while_loading(bomb: str, problem: str) -> None:
    chosen = template(bomb + "{{ messages[0].content }}")
    assert not chosen.is_own
    assert problem in chosen.problem


@pytest.mark.usefixtures("small_limits")
def test_a_bomb_that_goes_off_later_costs_one_request() -> None:
    bomb, _ = BOMBS["nested loops"]
    talk = "{% for m in messages %}{{ m.content }}|{% endfor %}"
    own = template("{% if messages | length > 2 %}" + bomb + "{% endif %}" + talk)
    assert own.is_own
    with pytest.raises(RequestError, match="template_failed"):
        own.render(TALK)
    assert own.render([user("Hi")]) == "Hi|"


HARMLESS = {
    "{% for m in messages %}{{ m.content.replace('H', 'h').replace('i', '', 1) }}{% endfor %}": "h",
    "{% for m in messages %}{{ ', '.join([m.content, m.role]) }}{% endfor %}": "Hi, user",
    "{{ messages | map(attribute='content') | join(' ') }}": "Hi",
    "{{ messages | join(' ', attribute='content') }}": "Hi",
    "{{ messages[0] | tojson }}": '{"role": "user", "content": "Hi"}',
    "{{ {'é': [1, none, true]} | tojson(indent=1) }}": '{\n "é": [\n  1,\n  null,\n  true\n ]\n}',
    "{{ 'a\nb' | indent(2) }}": "a\n  b",
    "{{ '%02d' % 7 }}{{ 2 ** 5 }}{{ 3 * 'x' }}{{ 1 ~ 2.5 ~ none ~ nothing }}": "0732xxx12.5None",
    "{% for k, v in {'a': 1}.items() %}{{ k }}{{ v }}{{ loop.last }}{% endfor %}": "a1True",
    "{% for m in messages %}{{ loop.length }}{% else %}none{% endfor %}": "1",
    "{% for x in [1, 2, 3] %}{% if x == 2 %}{% continue %}{% endif %}{{ x }}{% endfor %}": "13",
    "{% for x in [[1, [2]]] recursive %}{{ x if x is number else loop(x) }}{% endfor %}": "12",
    "{% for x in undefined_thing %}{% else %}empty{% endfor %}": "empty",
    "{% macro f(x, y=[1]) %}{{ x }}{{ y }}{% endmacro %}{{ f('a') }}": "a[1]",
    "{% set n = namespace(a=1) %}{% set n.a = n.a + 1 %}{{ n.a }}": "2",
    "{{ messages[::-1] | length }}{{ (messages + messages)[1:] | length }}": "11",
    "{{ tools is none }}{{ bos_token }}{{ eos_token }}{{ unk_token }}": "True<s></s>",
}


@pytest.mark.parametrize(("source", "expected"), HARMLESS.items())
def test_the_limits_change_nothing_in_what_templates_write(source: str, expected: str) -> None:
    own = template(source + "|{{ messages[0].content }}")
    assert own.problem == ""
    assert own.render([user("Hi")]).split("|")[0] == expected


def test_a_long_conversation_stays_within_the_limits() -> None:
    talk = [message for _ in range(1000) for message in (user("Hi " * 50), assistant("Yo " * 300))]
    for source in (QWEN_3, MISTRAL, LLAMA_3):
        assert template(source).render([*talk, user("So?")]).count("Yo ") > 200_000


def test_time_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    own = template(CHATML_WITH_DEFAULT)
    monkeypatch.setattr(sandbox, "MAX_SECONDS", -1.0)
    with pytest.raises(RequestError, match="come to an end"):
        own.render([user("Hi")])


def test_a_template_cannot_change_the_messages() -> None:
    assert not template("{{ messages.append(1) }}{{ messages[0].content }}").is_own


# --- the real templates of the test models --------------------------------------------------------

QWEN = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."
DEFAULT_SYSTEM = {
    "starter_model": "You are a helpful AI assistant named SmolLM, trained by Hugging Face",
    "draft_model": QWEN,
    "target_model": QWEN,
}


@pytest.fixture(params=DEFAULT_SYSTEM)
def real(request: pytest.FixtureRequest) -> tuple[ChatTemplate, str]:
    """The template in a model file, and the system prompt it writes when none is given."""
    path: Path = request.getfixturevalue(request.param)
    with path.open("rb") as file:
        head = file.read(16_000_000)  # the keys come before the weights
    key = b"tokenizer.chat_template"
    place = head.index(key) + len(key) + 4  # after the type, "string"
    (length,) = unpack_from("<Q", head, place)
    source = head[place + 8 : place + 8 + length].decode()
    return ChatTemplate(source, bos="", eos="<|im_end|>"), DEFAULT_SYSTEM[request.param]


@pytest.mark.model
def test_the_published_format_of_both_families(real: tuple[ChatTemplate, str]) -> None:
    own, default = real
    assert (own.is_own, own.takes_system, own.opens_reasoning) == (True, True, False)
    start, end = "<|im_start|>", "<|im_end|>\n"
    body = f"{start}user\nHi{end}{start}assistant\nYo{end}{start}user\nSo?{end}{start}assistant\n"
    assert own.render(TALK) == f"{start}system\n{default}{end}{body}"
    assert own.render([system("Rhyme."), *TALK]) == f"{start}system\nRhyme.{end}{body}"


@pytest.mark.model
@pytest.mark.parametrize("opening", [(), (system("Be."),)], ids=["default", "system"])
def test_the_prompt_of_a_real_model_begins_with_the_turn_before(
    real: tuple[ChatTemplate, str], opening: Sequence[ChatMessage]
) -> None:
    assert_prefix_is_stable(real[0], "<|im_end|>\n", opening)
