"""Command lines for those who outgrow one machine: the loaded pair under llama-server and vLLM.

Option names of llama.cpp as vendored by llama-cpp-python 0.3.36, and of vLLM 0.32.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.engine.protocol import KvType, LoadModels, ModelsLoaded
from app.hub.gguf import read_model_file
from app.hub.header import Want

PORT = 8080


@dataclass(frozen=True, slots=True)
class Recipe:
    """One command line.

    Attributes:
        program: "llama-server" or "vllm".
        arguments: the words after it.
        notes: codes for app.messages: what to mind.
    """

    program: str
    arguments: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def for_posix(self) -> str:
        """To paste into a shell on Linux or macOS, one option a line."""
        return " \\\n  ".join(_lines([self.program, *self.arguments]))

    def for_windows(self) -> str:
        """To paste into the Windows command prompt, in one line."""
        return subprocess.list2cmdline([self.program, *self.arguments])


def llama_server(command: LoadModels, loaded: ModelsLoaded, depth: int = 4) -> Recipe:
    """The same pair, context and placement. Its drafts are of fixed depth and drafted greedily, so
    acceptance and speed differ from here.
    """
    words = ["-m", str(loaded.target.path)]
    words += ["-c", str(loaded.n_ctx * loaded.n_parallel), "-np", str(loaded.n_parallel)]
    words += ["-t", str(loaded.threads), "-ngl", str(loaded.target.gpu_layers)]
    if loaded.kv_type is not KvType.F16:
        words += ["-fa", "on", "-ctk", loaded.kv_type.value, "-ctv", loaded.kv_type.value]
    if loaded.draft is not None:
        words += ["--spec-type", "draft-simple", "--spec-draft-model", str(loaded.draft.path)]
        words += ["--spec-draft-n-max", str(depth)]
        words += ["--spec-draft-ngl", str(loaded.draft.gpu_layers)]
        notes: tuple[str, ...] = ("recipe_fixed_depth",)
    else:
        words += ["--spec-type", "ngram-simple"]
        notes = ("recipe_without_draft",)
    if command.gpu_layers is None:
        notes = (*notes, "recipe_layers_of_this_machine")
    return Recipe("llama-server", (*words, "--metrics", "--port", str(PORT)), notes)


def vllm(
    loaded: ModelsLoaded,
    depth: int = 4,
    *,
    target_repo: str | None = None,
    draft_repo: str | None = None,
) -> Recipe:
    """vLLM runs the original weights, not GGUF files: give the repositories they were made from, or
    they stand as words to be replaced.
    """
    words = ["serve", target_repo or "TARGET-REPOSITORY", "--max-model-len", str(loaded.n_ctx)]
    words += ["--max-num-seqs", str(loaded.n_parallel), "--port", str(PORT)]
    if loaded.draft is not None:
        config: dict[str, object] = {
            "method": "draft_model",
            "model": draft_repo or "DRAFT-REPOSITORY",
            "num_speculative_tokens": depth,
        }
    else:
        config = {"method": "ngram", "num_speculative_tokens": depth, "prompt_lookup_max": 6}
        config["prompt_lookup_min"] = 2
    words += ["--speculative-config", json.dumps(config)]
    is_known = target_repo is not None and (loaded.draft is None or draft_repo is not None)
    notes = ("recipe_original_weights",) if is_known else ("recipe_name_repositories",)
    return Recipe("vllm", tuple(words), notes)


def source_repository(path: Path) -> str | None:
    """The repository a GGUF file says it was made from, "owner/name"; None when it does not say.

    Raises:
        ModelFileError: the file cannot be read.
    """
    header = read_model_file(path, Want.KEYS)
    for key in ("general.source.repo_url", "general.base_model.0.repo_url", "general.repo_url"):
        url = header.text(key)
        if url is not None and url.startswith("https://") and url.count("/") >= 4:
            owner, name = url.rstrip("/").split("/")[-2:]
            return f"{owner}/{name}"
    return None


def _lines(words: Sequence[str]) -> list[str]:
    """Quoted words, an option and its value on one line."""
    lines: list[str] = []
    for word in words:
        if word.startswith("-") or not lines:
            lines.append(shlex.quote(word))
        else:
            lines[-1] += " " + shlex.quote(word)
    return lines
