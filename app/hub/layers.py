"""What each layer of a model keeps per token or per conversation, from the header alone.

Follows `llama-model.cpp`, `llama-hparams.cpp` and `models/*.cpp` as of llama-cpp-python 0.3.36.
Imports the header only.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.hub.header import Header

# Every how many layers one attends to everything, whether that is the first of them, and the
# window where the file names none (None: then no window at all).
_SLIDING: dict[str, tuple[int, bool, int | None]] = {
    "afmoe": (4, False, None),
    "cohere2": (4, False, None),
    "cohere2moe": (4, True, None),
    "exaone-moe": (4, False, 128),
    "exaone4": (4, False, None),
    "gemma2": (2, False, 4096),
    "gemma3": (6, False, None),
    "gemma3n": (5, False, None),
    "gpt-oss": (2, False, None),
    "llama4": (4, False, 8192),
    "mellum": (4, False, None),
    "muse-glimmer": (4, False, None),
    "olmo2": (4, False, None),
    "plamo3": (8, False, None),
    "smallthinker": (4, True, None),
}
# The file lists the sliding layers one by one.
_SLIDING_LISTED = frozenset(
    {"gemma4", "granite_swa", "laguna", "maple", "mimo2", "spark2_5", "step35"}
)

_EVERY_FOURTH_ATTENDS = frozenset({"qwen3next", "qwen35", "qwen35moe", "minimax-01"})

_PLAIN_NAMES = """
    llama mistral3 mistral4 deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder starcoder2
    refact bloom stablelm qwen qwen2 qwen2moe qwen2vl qwen3 qwen3moe qwen3vl qwen3vlmoe phi2 phi3
    phimoe plamo codeshell orion internlm2 minicpm minicpm3 gemma xverse command-r dbrx olmo olmoe
    openelm arctic deepseek deepseek2 chatglm glm4 glm4moe bitnet jais jais2 nemotron exaone granite
    granitemoe chameleon plm bailingmoe bailingmoe2 dots1 arcee ernie4_5 ernie4_5-moe hunyuan-moe
    hunyuan-dense hunyuan_vl smollm3 seed_oss grovemoe apertus minimax-m2 cogvlm pangu-embedded
    maincoder mamba mamba2 jamba falcon-h1 plamo2 granitehybrid lfm2 lfm2moe nemotron_h
    nemotron_h_moe kimi-linear rwkv6 rwkv6qwen2 rwkv7 arwkv7
    """
_KNOWN = set(_PLAIN_NAMES.split()) | _SLIDING.keys() | _SLIDING_LISTED | _EVERY_FOURTH_ATTENDS


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: values per token in keys and values, and values of running state per conversation.

    Attributes:
        window: tokens it looks back, 0 for all.
    """

    key_values: int
    value_values: int
    window: int
    state_values: int


def is_known(header: Header) -> bool:
    """Whether the memory of this architecture was read from llama.cpp's source, not guessed."""
    return header.architecture in _KNOWN


def attending_layers(header: Header) -> int:
    """Layers of the model proper: the last ones may serve multi-token prediction only."""
    count = header.block_count or 0
    rest = count - (header.integer("nextn_predict_layers") or 0)
    return rest if rest > 0 else count


def layers_of(header: Header) -> tuple[Layer, ...]:
    """What each layer keeps; layers for multi-token prediction keep nothing."""
    count = header.block_count or 0
    attending = attending_layers(header)
    windows = _windows(header, count)
    states = _states(header, count)
    heads = header.head_counts_kv
    found = []
    for index in range(count):
        if index >= attending:
            found.append(Layer(0, 0, 0, 0))
            continue
        keys, values = _lengths(header, windows[index] > 0)
        held = heads[index] if _has_cache(header, index, states[index] > 0) else 0
        found.append(Layer(held * keys, held * values, windows[index], states[index]))
    return tuple(found)


def _windows(header: Header, count: int) -> tuple[int, ...]:
    architecture = header.architecture
    pattern, dense_first, default = _SLIDING.get(architecture, (0, False, None))
    stated = header.integer("attention.sliding_window")
    window = stated if stated is not None else default or 0
    if architecture == "llama4":
        window = 8192 if stated != 0 else 0
    key = f"{architecture}.attention.sliding_window_pattern"
    listed = header.keys.get(key)
    if window <= 0 or (not pattern and architecture not in _SLIDING_LISTED):
        return (0,) * count
    if isinstance(listed, tuple):
        flags = [bool(flag) for flag in listed][:count]
        return tuple(window if flag else 0 for flag in flags + [False] * (count - len(flags)))
    if isinstance(listed, int) and not isinstance(listed, bool):
        pattern = listed
    if pattern <= 0:
        return (0 if architecture in _SLIDING_LISTED else window,) * count
    full = 0 if dense_first else pattern - 1
    return tuple(0 if index % pattern == full else window for index in range(count))


def _lengths(header: Header, is_sliding: bool) -> tuple[int, int]:
    """Values per head in keys and in values."""
    keys, values = header.key_length or 0, header.value_length or 0
    if is_sliding:
        keys = header.integer("attention.key_length_swa", keys) or keys
        values = header.integer("attention.value_length_swa", values) or values
    if header.integer("attention.key_length_mla"):
        values = 0  # latent attention keeps one compressed entry for both
    return keys, values


def _has_cache(header: Header, index: int, has_state: bool) -> bool:
    """Some layers keep no keys and values: they use an earlier layer's, or a running state."""
    if header.is_recurrent:
        return False
    if header.architecture == "gemma3n":
        return index < 20
    if header.architecture == "gemma4":
        shared = header.integer("attention.shared_kv_layers") or 0
        return index < (header.block_count or 0) - shared
    return not has_state or header.architecture == "falcon-h1"


def _states(header: Header, count: int) -> tuple[int, ...]:
    """Values of running state by layer: what a recurrent or hybrid model keeps per conversation."""
    if not (header.is_recurrent or header.is_hybrid):
        return (0,) * count
    size = _state_size(header)
    flags = header.keys.get(f"{header.architecture}.attention.recurrent_layers")
    if header.is_recurrent or header.architecture == "falcon-h1":
        return (size,) * count
    if isinstance(flags, tuple):
        recurrent = [bool(flag) for flag in flags][:count]
        return tuple(size if flag else 0 for flag in recurrent + [False] * (count - len(recurrent)))
    if header.architecture in _EVERY_FOURTH_ATTENDS:
        interval = header.integer("full_attention_interval") or 4
        return tuple(size if (index + 1) % interval else 0 for index in range(count))
    forward = header.per_layer("feed_forward_length")
    only_one = header.architecture.startswith("nemotron_h")  # its layers are either or neither
    return tuple(
        0 if heads or (only_one and forward[index]) else size
        for index, heads in enumerate(header.head_counts_kv)
    )


def _state_size(header: Header) -> int:
    """Values of one layer's running state: the convolution's history and the state proper."""
    width = header.embedding_length or 0
    heads = max(header.head_counts, default=0)
    kernel = header.integer("ssm.conv_kernel") or 0
    if head := header.integer("wkv.head_size"):
        shifts = header.integer("token_shift_count") or (2 if "rwkv6" in header.architecture else 1)
        return shifts * width + width * head
    if cached := header.integer("shortconv.l_cache"):
        return width * (cached - 1)
    if head := header.integer("kda.head_dim"):
        return 3 * (kernel - 1 if kernel else 3) * heads * head + head * head * heads
    inner, state = header.integer("ssm.inner_size") or 0, header.integer("ssm.state_size") or 0
    groups = header.integer("ssm.group_count") or 0
    return max(kernel - 1, 0) * (inner + 2 * groups * state) + state * inner
