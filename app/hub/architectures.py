"""What the name of an architecture tells. Imports nothing.

Hints only: the engine asks the loaded model itself.
The lists follow `llama-arch.cpp` as of llama-cpp-python 0.3.36.
"""

from __future__ import annotations

RECURRENT = frozenset({"mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7", "arwkv7"})

HYBRID = frozenset(
    {
        "jamba",
        "falcon-h1",
        "plamo2",
        "granitehybrid",
        "lfm2",
        "lfm2moe",
        "nemotron_h",
        "nemotron_h_moe",
        "qwen3next",
        "kimi-linear",
        "bailingmoe3",
        "kimi-k3",
        "glm5-next",
        "qwen35",
        "qwen35moe",
        "qwen4exp",
        "deepseek4",
        "minimax-01",
    }
)

# Recurrent or hybrid, yet able to take back the last tokens from snapshots (`n_rs_seq`).
ROLLBACK = frozenset(
    {
        "kimi-k3",
        "qwen35",
        "qwen35moe",
        "qwen4exp",
        "deepseek4",
        "glm5-next",
        "nemotron_h",
        "nemotron_h_moe",
        "lfm2",
        "lfm2moe",
        "bailingmoe3",
    }
)

# Drafters that read the target's hidden states: useless without their own decoding path.
DRAFT_HEADS = frozenset({"gemma4-assistant", "eagle3", "dflash", "dspark"})

PROJECTORS = frozenset({"clip"})

# Models that do not continue a text token by token: encoders, diffusion, sound.
NOT_CHAT = frozenset(
    {
        "bert",
        "modern-bert",
        "nomic-bert",
        "nomic-bert-moe",
        "neo-bert",
        "jina-bert-v2",
        "jina-bert-v3",
        "eurobert",
        "gemma-embedding",
        "llama-embed",
        "t5",
        "t5encoder",
        "wavtokenizer-dec",
        "pockettts",
        "qwen3tts",
        "dream",
        "llada",
        "llada-moe",
        "rnd1",
    }
)
