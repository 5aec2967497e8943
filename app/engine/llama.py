"""llama.cpp through its C interface: models, contexts, devices. The ONLY file that imports
llama_cpp.

What goes in and out is plain Python and numpy; everything that decides (drafting, accepting,
falling back) is elsewhere and runs against the protocol of `tracks.py`. Works with a static build
and with loadable backends: those are loaded from the library's own folder before
`llama_backend_init`, never from the working directory.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import llama_cpp.llama_cpp as C  # noqa: N812 - C for the C interface
import numpy as np
from numpy.typing import NDArray

from app.engine import native_log
from app.engine.backends import CpuModule, load_backends
from app.engine.devices import ThreadPool, list_devices
from app.engine.protocol import DeviceInfo, KvType
from app.engine.text import is_marker_part
from app.engine.tracks import Row
from app.errors import LoadError, RequestError

_lib = (
    C._lib
)  # WORKAROUND: llama_cpp._ggml opens a second libggml with its own registry; go through libllama's
_GGML_TYPES = {
    KvType.F16: C.GGML_TYPE_F16,
    KvType.Q8_0: C.GGML_TYPE_Q8_0,
    KvType.Q4_0: C.GGML_TYPE_Q4_0,
}
# The same as llama_cpp's own binding, but for the plain address it returns.
_logits_address = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(("llama_get_logits", _lib))
_MOST_VIEWS = 64
_FLASH_AUTO, _FLASH_ON = -1, 1


def start(skip_cpu_modules: frozenset[str]) -> CpuModule | None:
    """Load the backends (once per process) and initialise llama.cpp.

    Returns:
        The CPU module chosen, None for a static build.
    """
    native_log.install(_lib)
    module = load_backends(_lib, Path(C.__file__).parent / "lib", skip_cpu_modules)
    C.llama_backend_init()
    return module


def versions() -> dict[str, str]:
    """Versions of the binding and of numpy; what llama.cpp says of itself."""
    system = C.llama_print_system_info()
    return {
        "llama-cpp-python": version("llama-cpp-python"),
        "numpy": np.__version__,
        "system": (system or b"").decode(errors="replace").strip(),
    }


def devices() -> tuple[DeviceInfo, ...]:
    """Every device llama.cpp can use, with its memory now."""
    return list_devices(_lib)


def thread_pool(threads: int) -> ThreadPool:
    """CPU threads for the contexts of a pair."""
    return ThreadPool(_lib, threads)


class Model:
    """Weights and vocabulary of one GGUF file.

    Attributes:
        path: the file.
        n_vocab: number of token ids.
        log: what llama.cpp reported while loading, one line each.
    """

    def __init__(
        self,
        path: Path,
        *,
        gpu_layers: int = 0,
        vocabulary_only: bool = False,
        progress: Callable[[float], bool] | None = None,
    ) -> None:
        """Load `path`; `progress` gets 0..1 and may return False to stop.

        Raises:
            LoadError: "model_not_loaded" with llama.cpp's last words, or "load_cancelled".
        """
        self.path = path
        cancelled = False

        def on_progress(fraction: float, _user: object) -> bool:
            nonlocal cancelled
            if progress is not None and not progress(fraction):
                cancelled = True
            return not cancelled

        params = C.llama_model_default_params()
        params.n_gpu_layers = gpu_layers
        params.vocab_only = vocabulary_only
        callback = C.llama_progress_callback(on_progress)
        params.progress_callback = callback
        with native_log.capture() as lines:
            handle = C.llama_model_load_from_file(str(path).encode(), params)
        if not handle:
            if cancelled:
                raise LoadError("load_cancelled", path=str(path))
            raise LoadError("model_not_loaded", path=str(path), reason=native_log.last_words(lines))
        self._handle = handle
        self._vocab = C.llama_model_get_vocab(handle)
        self.log = tuple(lines)
        self.n_vocab: int = C.llama_vocab_n_tokens(self._vocab)
        self._pieces: dict[int, bytes] = {}
        self._ends: dict[int, bool] = {}

    def close(self) -> None:
        """Free the weights; every context of this model must be closed before."""
        if self._handle:
            C.llama_model_free(self._handle)
            self._handle = None

    # what the file says

    @property
    def parameters(self) -> int:
        return int(C.llama_model_n_params(self._handle))

    @property
    def size_bytes(self) -> int:
        return int(C.llama_model_size(self._handle))

    @property
    def layers(self) -> int:
        return int(C.llama_model_n_layer(self._handle))

    @property
    def context_length(self) -> int:
        """Context the model was trained for, tokens."""
        return int(C.llama_model_n_ctx_train(self._handle))

    @property
    def window(self) -> int:
        """Sliding attention window, tokens; 0 when it has none."""
        return int(C.llama_model_n_swa(self._handle))

    @property
    def recurrent(self) -> bool:
        """Recurrent or hybrid: cannot drop the tail of its memory without snapshots."""
        return bool(
            C.llama_model_is_recurrent(self._handle) or C.llama_model_is_hybrid(self._handle)
        )

    @property
    def generates(self) -> bool:
        """It has a decoder, so it can write text (embedding models and the like cannot)."""
        return bool(
            C.llama_model_has_decoder(self._handle)
            and not C.llama_model_has_encoder(self._handle)
            and not C.llama_model_is_diffusion(self._handle)
        )

    def kv_bytes_per_token(self, kv_type: KvType) -> int:
        """Upper estimate of the KV cache for one token, bytes (sliding windows and shared layers
        need less).
        """
        heads = max(1, C.llama_model_n_head(self._handle))
        heads_kv = max(1, C.llama_model_n_head_kv(self._handle))
        head_size = int(self.metadata(f"{self.architecture}.attention.key_length") or 0)
        head_size = head_size or C.llama_model_n_embd(self._handle) // heads
        bits = {KvType.F16: 16.0, KvType.Q8_0: 8.5, KvType.Q4_0: 4.5}[kv_type]
        return int(self.layers * heads_kv * head_size * 2 * bits / 8)

    @property
    def architecture(self) -> str:
        return self.metadata("general.architecture") or "unknown"

    @property
    def name(self) -> str:
        return self.metadata("general.name") or self.path.stem

    def metadata(self, key: str) -> str | None:
        """A header value as text, None when absent."""
        buffer = ctypes.create_string_buffer(256)
        size = C.llama_model_meta_val_str(self._handle, key.encode(), buffer, len(buffer))
        if size < 0:
            return None
        if size >= len(buffer):
            buffer = ctypes.create_string_buffer(size + 1)
            C.llama_model_meta_val_str(self._handle, key.encode(), buffer, len(buffer))
        return buffer.value.decode(errors="replace")

    @property
    def template(self) -> str | None:
        """The model's own chat template."""
        source = C.llama_model_chat_template(self._handle, None)
        return source.decode(errors="replace") if source else None

    # vocabulary

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Token ids; `special` reads markers such as <|im_start|> as their tokens. BOS as the model
        wants it.

        A template that writes BOS itself does not get a second one.
        """
        data = text.encode()
        add = bool(C.llama_vocab_get_add_bos(self._vocab))
        if add and special:
            bos = self.token_text(C.llama_vocab_bos(self._vocab)).encode()
            add = not (bos and data.startswith(bos))
        room = len(data) + 8
        ids = (C.llama_token * room)()
        count = C.llama_tokenize(self._vocab, data, len(data), ids, room, add, special)
        if count < 0:
            room = -count
            ids = (C.llama_token * room)()
            count = C.llama_tokenize(self._vocab, data, len(data), ids, room, add, special)
        if count < 0:
            raise RequestError("prompt_not_tokenized", characters=len(text))
        return list(ids[:count])

    def piece(self, token: int) -> bytes:
        """The bytes a token adds to the text; control tokens add none."""
        known = self._pieces.get(token)
        if known is None:
            known = self._pieces[token] = self._read_piece(token)
        return known

    def _read_piece(self, token: int) -> bytes:
        # control tokens that open or close reasoning must be seen by whoever reads the text
        shown = is_marker_part(self.token_text(token))
        buffer = ctypes.create_string_buffer(64)
        size = C.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, shown)
        if size < 0:
            buffer = ctypes.create_string_buffer(-size)
            size = C.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, shown)
        return buffer.raw[: max(0, size)]

    def is_end(self, token: int) -> bool:
        """The token ends an answer."""
        known = self._ends.get(token)
        if known is None:
            known = self._ends[token] = bool(C.llama_vocab_is_eog(self._vocab, token))
        return known

    def token_text(self, token: int) -> str:
        """The token as the vocabulary writes it, "" when there is none."""
        if not 0 <= token < self.n_vocab:
            return ""
        return (C.llama_vocab_get_text(self._vocab, token) or b"").decode(errors="replace")

    @property
    def bos(self) -> str:
        return self.token_text(C.llama_vocab_bos(self._vocab))

    @property
    def eos(self) -> str:
        return self.token_text(C.llama_vocab_eos(self._vocab))

    def knows(self, text: str) -> bool:
        """`text` is one special token of the vocabulary."""
        return len(self.tokenize(text, special=True)) - self._adds_bos() == 1

    def _adds_bos(self) -> int:
        return int(C.llama_vocab_get_add_bos(self._vocab))


class Context:
    """A model's working memory for 1..n sequences, and the passes over it.

    Attributes:
        n_vocab: row length of the logits.
        n_ctx: cells in all, tokens.
        seconds: time spent inside llama.cpp so far.
        log: what llama.cpp reported while allocating, one line each.
    """

    def __init__(  # noqa: PLR0913 - each is a separate decision of the loader
        self,
        model: Model,
        *,
        n_ctx: int,
        n_sequences: int,
        pool: ThreadPool,
        max_outputs: int,
        kv_type: KvType = KvType.F16,
        snapshots: int = 0,
        n_batch: int = 512,
    ) -> None:
        """Allocate `n_ctx` cells shared by `n_sequences`, with at most `max_outputs` rows of
        logits.

        Raises:
            LoadError: "context_not_allocated" with llama.cpp's last words, "not_a_text_model".
        """
        params = C.llama_context_default_params()
        params.n_ctx = n_ctx
        params.n_batch = params.n_ubatch = min(n_batch, n_ctx)
        params.n_seq_max = n_sequences
        params.n_rs_seq = snapshots
        params.n_outputs_max = params.n_outputs_max_per_seq = min(max_outputs, params.n_batch)
        params.n_threads = params.n_threads_batch = pool.threads
        params.type_k = params.type_v = _GGML_TYPES[kv_type]
        params.flash_attn_type = _FLASH_AUTO if kv_type is KvType.F16 else _FLASH_ON
        params.no_perf = True
        # one buffer for all sequences: rows of several answers then go through the model in one
        # pass
        params.kv_unified = True
        params.swa_full = False
        with ExitStack() as undo, native_log.capture() as lines:
            handle = C.llama_init_from_model(model._handle, params)
            if not handle:
                raise LoadError(
                    "context_not_allocated", n_ctx=n_ctx, reason=native_log.last_words(lines)
                )
            undo.callback(C.llama_free, handle)
            self._handle = handle
            self._memory = C.llama_get_memory(handle)
            if not self._memory:  # an encoder: llama.cpp would abort the process at its first pass
                raise LoadError(
                    "not_a_text_model", path=str(model.path), architecture=model.architecture
                )
            pool.attach(handle)
            self._batch = _Batch(params.n_batch)
            undo.pop_all()
        self.log = tuple(lines)
        self.model = model
        self.n_vocab = model.n_vocab
        self.n_ctx = int(C.llama_n_ctx(handle))
        self.n_batch = int(params.n_batch)
        self.max_outputs = int(params.n_outputs_max)
        self.seconds = 0.0
        self._table: NDArray[np.float32] | None = None
        self._tables: dict[tuple[int, int], NDArray[np.float32]] = {}

    def close(self) -> None:
        if self._handle:
            self._batch.close()
            C.llama_free(self._handle)
            self._handle = None

    def decode(self, rows: Sequence[Row]) -> float:
        """Run one batch (at most n_batch rows) and wait for it.

        Returns:
            Seconds inside llama.cpp.

        Raises:
            RequestError: "context_full" when no cells are left, "decode_failed" otherwise.
        """
        self._batch.fill(rows)
        self._table = None
        began = time.perf_counter()
        result = C.llama_decode(self._handle, self._batch.struct)
        if result == 0:
            C.llama_synchronize(self._handle)
        spent = time.perf_counter() - began
        self.seconds += spent
        if result == 1:
            raise RequestError("context_full", n_ctx=self.n_ctx)
        if result != 0:
            raise RequestError("decode_failed", status=result)
        return spent

    def logits(self, row: int) -> NDArray[np.float32]:
        """Logits of a row of the newest batch, float32[n_vocab].

        A view, valid until the next decode.
        """
        place = self._batch.outputs.get(row)
        if place is None:
            raise RequestError("decode_failed", status=row)
        if self._table is None:
            self._table = self._read_table()
        floats: NDArray[np.float32] = self._table[place]
        return floats

    def _read_table(self) -> NDArray[np.float32]:
        """All rows of logits of the newest batch, in the order in which they were asked for.

        The library's buffer rarely moves, so the views are kept: making one costs more than a pass
        over a row.
        """
        address = _logits_address(self._handle)
        if not address:
            raise RequestError("decode_failed", status=-1)
        key = (address, len(self._batch.outputs))
        table = self._tables.get(key)
        if table is None:
            values = (ctypes.c_float * (key[1] * self.n_vocab)).from_address(address)
            flat = np.frombuffer(memoryview(values).cast("B"), dtype=np.float32)
            if len(self._tables) > _MOST_VIEWS:
                self._tables.clear()
            table = self._tables[key] = flat.reshape(-1, self.n_vocab)
        return table

    def remove_tail(self, sequence: int, start: int) -> bool:
        """Forget positions `start` and later of a sequence; False when this memory cannot."""
        return bool(C.llama_memory_seq_rm(self._memory, sequence, start, -1))

    def first_position(self, sequence: int) -> int:
        """Smallest position still in memory, -1 when empty; above 0 only with sliding windows."""
        return int(C.llama_memory_seq_pos_min(self._memory, sequence))

    def clear(self) -> None:
        """Forget all sequences."""
        C.llama_memory_clear(self._memory, False)


class _Batch:
    """A llama_batch that is allocated once and filled through views of its arrays.

    Attributes:
        outputs: batch row -> place among the rows of logits.
    """

    def __init__(self, capacity: int) -> None:
        self.struct = C.llama_batch_init(capacity, 0, 1)
        self.capacity = capacity
        self.outputs: dict[int, int] = {}
        self._token = _view(self.struct.token, capacity, "i")
        self._pos = _view(self.struct.pos, capacity, "i")
        self._logits = _view(self.struct.logits, capacity, "b")
        for index in range(capacity):
            self.struct.n_seq_id[index] = 1
        # what seq_id holds, so that it is written only where it changes
        self._sequences = [-1] * capacity

    def fill(self, rows: Sequence[Row]) -> None:
        count = len(rows)
        if not 0 < count <= self.capacity:
            raise RequestError("decode_failed", status=count)
        outputs: dict[int, int] = {}
        for index, (token, position, sequence, want) in enumerate(rows):
            self._token[index] = token
            self._pos[index] = position
            self._logits[index] = want
            if self._sequences[index] != sequence:
                self._sequences[index] = sequence
                self.struct.seq_id[index][0] = sequence
            if want:
                outputs[index] = len(outputs)
        self.struct.n_tokens = count
        self.outputs = outputs

    def close(self) -> None:
        C.llama_batch_free(self.struct)


def _view(pointer: Any, count: int, letter: Literal["i", "b"]) -> memoryview[int]:
    """A writable view of a C array; setting an item costs a fraction of ctypes' own way."""
    kind = type(pointer.contents) * count
    array = kind.from_address(ctypes.addressof(pointer.contents))
    return memoryview(array).cast("B").cast(letter)
