"""Asks llama.cpp itself, in a process of its own: a native crash then costs one test, not the run.

    python ask_llama.py '{"what": "vocabulary" | "memory", "path": ..., ...}'

Prints one JSON object on the last line of standard output. The tests beside it run it.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

import llama_cpp.llama_cpp as C  # noqa: N812 - C for the C interface

LINES: list[str] = []


@C.llama_log_callback
def keep(_level: int, line: bytes, _data: ctypes.c_void_p) -> None:
    """Collect what llama.cpp says."""
    LINES.append(line.decode(errors="replace"))


def start() -> None:
    """Load one CPU module: the plainest there is, which every machine of its kind can run."""
    C.llama_log_set(keep, ctypes.c_void_p(0))
    folder = Path(C.__file__).parent / "lib"
    modules = sorted(folder.glob("*ggml-cpu-*"))
    chosen = [path for name in ("haswell", "x64") for path in modules if name in path.name]
    if chosen:
        C._lib.ggml_backend_load.restype = ctypes.c_void_p
        C._lib.ggml_backend_load.argtypes = [ctypes.c_char_p]
        if not any(C._lib.ggml_backend_load(str(path).encode()) for path in chosen):
            sys.exit("no CPU module could be loaded")
    elif modules:
        C._lib.ggml_backend_load_all_from_path.argtypes = [ctypes.c_char_p]
        C._lib.ggml_backend_load_all_from_path(str(folder).encode())
    C.llama_backend_init()


def vocabulary(path: str, ids: list[int]) -> dict[str, Any]:
    """What the loaded vocabulary says; texts as hexadecimal, for they need not be UTF-8."""
    settings = C.llama_model_default_params()
    settings.vocab_only = True
    model = C.llama_model_load_from_file(path.encode(), settings)
    if not model:
        return {"error": "".join(LINES)[-2000:]}
    vocab = C.llama_model_get_vocab(model)
    size = C.llama_vocab_n_tokens(vocab)
    known = [token for token in ids if token < size]
    return {
        "kind": C.llama_vocab_type(vocab),
        "size": size,
        "bos_id": C.llama_vocab_bos(vocab),
        "eos_id": C.llama_vocab_eos(vocab),
        "add_bos": bool(C.llama_vocab_get_add_bos(vocab)),
        "add_eos": bool(C.llama_vocab_get_add_eos(vocab)),
        "texts": {token: C.llama_vocab_get_text(vocab, token).hex() for token in known},
    }


def fill(structure: ctypes.Structure, values: dict[str, Any]) -> None:
    """Set fields by name; ctypes itself would accept a name that is no field, and do nothing."""
    known = {name for name, *_ in structure._fields_}
    for name, value in values.items():
        if name not in known:
            raise AttributeError(name)
        setattr(structure, name, value)


def memory(path: str, model_settings: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """The lines about buffers after loading the model and making a context."""
    for_model = C.llama_model_default_params()
    fill(for_model, model_settings)
    model = C.llama_model_load_from_file(path.encode(), for_model)
    if not model:
        return {"error": "".join(LINES)[-2000:]}
    for_context = C.llama_context_default_params()
    fill(for_context, settings)
    context = C.llama_init_from_model(model, for_context)
    if not context:
        return {"error": "".join(LINES)[-2000:]}
    C.llama_free(context)
    C.llama_model_free(model)
    return {"lines": [line for line in "".join(LINES).splitlines() if "buffer size" in line]}


def main() -> None:
    """Answer the one question on the command line."""
    question = json.loads(sys.argv[1])
    start()
    ask = {"vocabulary": vocabulary, "memory": memory}[question.pop("what")]
    sys.stdout.write("\n" + json.dumps(ask(**question)) + "\n")


if __name__ == "__main__":
    main()
