"""What may be typed: defaults, limits, and words for what may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import __version__
from app.cli.arguments import parse
from app.engine.protocol import KvType, SamplingOptions, Speculation

CHAT = ("chat", "--target", "t.gguf", "--prompt", "hello")


def test_defaults_are_those_of_the_engine() -> None:
    given = parse(CHAT)
    usual = SamplingOptions()
    assert (given.command, given.target, given.draft) == ("chat", Path("t.gguf"), None)
    assert given.speculation is Speculation.AUTO
    assert given.kv_type is KvType.F16
    assert (given.depth, given.max_depth, given.max_tokens, given.seed) == (None, 8, None, None)
    assert (given.temperature, given.top_k) == (usual.temperature, usual.top_k)
    assert (given.top_p, given.min_p) == (usual.top_p, usual.min_p)
    assert (given.ctx, given.threads, given.gpu_layers) == (4096, None, None)
    assert (given.raw, given.json, given.system) == (False, False, None)


def test_everything_can_be_said() -> None:
    given = parse(
        (
            *CHAT,
            *"--draft d.gguf --system s --speculation lookup --depth 0 --max-depth 15".split(),
            *"--temperature 0 --top-k 0 --top-p 1 --min-p 0 --seed 0 --max-tokens 1".split(),
            *"--ctx 256 --threads 1 --gpu-layers 0 --kv-type q8_0 --raw --json".split(),
        )
    )
    assert given.draft == Path("d.gguf")
    assert given.speculation is Speculation.LOOKUP
    assert (given.depth, given.max_depth) == (0, 15)
    assert (given.temperature, given.top_p, given.min_p) == (0.0, 1.0, 0.0)
    assert (given.seed, given.max_tokens, given.ctx, given.threads) == (0, 1, 256, 1)
    assert (given.gpu_layers, given.kv_type) == (0, KvType.Q8_0)
    assert given.raw
    assert given.json


def test_layers_may_be_left_to_the_engine() -> None:
    assert parse((*CHAT, "--gpu-layers", "auto")).gpu_layers is None


def test_a_prompt_may_begin_with_a_dash_or_be_one() -> None:
    assert parse(("chat", "--target", "t", "--prompt=-5 + 3?")).prompt == "-5 + 3?"
    assert parse(("chat", "--target", "t", "--prompt", "-")).prompt == "-"


def test_other_commands() -> None:
    roofline = parse(("roofline", "--target", "t", "--draft", "d", "--repeat", "3"))
    assert (roofline.command, roofline.repeat, roofline.json) == ("roofline", 3, False)
    assert parse(("self-test", "--json")).json


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "COMMAND"),
        (("sing",), "invalid choice"),
        (("chat", "--prompt", "a"), "--target"),
        (("chat", "--target", "a"), "--prompt"),
        ((*CHAT, "--speculation", "fast"), "'fast' is none of off, draft, lookup, auto"),
        ((*CHAT, "--kv-type", "q5"), "'q5' is none of f16, q8_0, q4_0"),
        ((*CHAT, "--gpu-layers", "all"), "'all' is neither auto nor a whole number"),
        ((*CHAT, "--gpu-layers", "-1"), "-1 is not between 0 and"),
        ((*CHAT, "--depth", "16"), "16 is not between 0 and 15"),
        ((*CHAT, "--depth", "two"), "invalid whole number value: 'two'"),
        ((*CHAT, "--temperature", "nan"), "nan is not between 0 and 10"),
        ((*CHAT, "--temperature", "inf"), "inf is not between"),
        ((*CHAT, "--temperature", "warm"), "invalid number value: 'warm'"),
        ((*CHAT, "--top-p", "1.1"), "1.1 is not between 0 and 1"),
        ((*CHAT, "--seed", str(2**63)), "is not between 0 and"),
        ((*CHAT, "--max-tokens", "0"), "0 is not between 1 and"),
        ((*CHAT, "--ctx", "100"), "100 is not between 256 and"),
        ((*CHAT, "--threads", "0"), "0 is not between 1 and"),
        (("roofline", "--target", "t", "--repeat", "0"), "0 is not between 1 and 100"),
        (("roofline", "--target", "t", "--prompt", "a"), "--prompt"),
    ],
)
def test_wrong_usage_says_what_would_be_right(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        parse(arguments)
    assert raised.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.startswith("usage: slipstream")


@pytest.mark.parametrize("arguments", [("--help",), ("chat", "--help"), ("roofline", "--help")])
def test_help_is_no_failure(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        parse(arguments)
    assert raised.value.code == 0
    assert "usage: slipstream" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(("--version",))
    assert __version__ in capsys.readouterr().out
