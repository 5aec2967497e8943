"""What a GGUF header says, as one frozen value. Reads nothing. Imports neighbours and errors.

`app.hub.gguf` makes headers; the split is only for length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, auto

from app.errors import ModelFileError
from app.hub import architectures
from app.hub.ggml_types import FILE_TYPES, TENSOR_TYPES, TensorType
from app.hub.sources import ByteSource
from app.hub.vocabulary import Vocabulary


class Want(Flag):
    """How far to read; each costs more bytes than the one before."""

    SIZING = auto()  # the keys before the token list: architecture, layers, heads, vocabulary size
    KEYS = auto()  # all keys: BOS and EOS, chat template
    TENSORS = auto()  # the list of tensors too: parameters, weights by layer
    VOCABULARY = auto()  # all keys, and the token texts


class Role(Enum):
    """What a file is for."""

    MODEL = "model"
    PROJECTOR = "projector"  # pictures or sound for another model (mmproj)
    DRAFT_HEAD = "draft head"  # MTP, EAGLE and the like: part of one target, not a model
    ADAPTER = "adapter"
    OTHER = "other"  # an encoder, an importance matrix, a vocabulary alone


@dataclass(frozen=True, slots=True)
class Unread:
    """A value left in the file: an array or a long text; `end` is None until it was passed."""

    element: int
    count: int
    at: int
    end: int | None = None


Scalar = int | float | bool | str
Value = Scalar | tuple[Scalar, ...] | Unread


@dataclass(frozen=True, slots=True)
class Tensor:
    """One entry of the tensor list; `offset` counts from the start of the data section."""

    name: str
    shape: tuple[int, ...]
    kind: int
    offset: int

    @property
    def type(self) -> TensorType:
        return TENSOR_TYPES[self.kind]

    @property
    def elements(self) -> int:
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def used_bytes(self) -> int:
        return self.elements // self.type.block * self.type.block_bytes

    @property
    def layer(self) -> int | None:
        """The block this tensor belongs to, None for embeddings and output."""
        found = re.match(r"blk\.(\d{1,6})\.", self.name)
        return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class SplitInfo:
    """This file is part `number` (from 0) of `count`."""

    number: int
    count: int
    tensors: int


@dataclass(frozen=True, slots=True)
class Rest:
    """Where reading stopped, so that it can go on. `pending` names an array that begins there."""

    source: ByteSource = field(repr=False)
    at: int
    keys_left: int
    pending: str | None


@dataclass(frozen=True, slots=True)
class Header:
    """A GGUF header as far as it was read; `have` says how far.

    Attributes:
        keys: every key read, by its name in the file.
        tensors: the tensor list, empty until Want.TENSORS.
        data_offset: where the data section begins, None until Want.TENSORS.
    """

    name_of_file: str
    file_bytes: int
    version: int
    tensor_count: int
    have: Want
    keys: Mapping[str, Value] = field(repr=False)
    vocabulary: Vocabulary
    tensors: tuple[Tensor, ...] = field(repr=False)
    data_offset: int | None
    rest: Rest = field(repr=False, compare=False)

    def integer(self, key: str, default: int | None = None) -> int | None:
        """A whole number of this architecture, `{arch}.` left out of the key."""
        value = self.keys.get(f"{self.architecture}.{key}")
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def number(self, key: str) -> float | None:
        """A number of this architecture, whole or not."""
        value = self.keys.get(f"{self.architecture}.{key}")
        return float(value) if isinstance(value, int | float) else None

    def per_layer(self, key: str, default: int = 0) -> tuple[int, ...]:
        """A value that may be given once for all layers or once for each."""
        value = self.keys.get(f"{self.architecture}.{key}")
        layers = self.block_count or 0
        if isinstance(value, tuple):
            whole = [int(item) for item in value if isinstance(item, int)]
            return tuple((whole + [default] * layers)[:layers])
        if isinstance(value, int) and not isinstance(value, bool):
            default = value
        return (default,) * layers

    def text(self, key: str) -> str | None:
        """A text by its full key; None where it is absent, or too long to have been read."""
        value = self.keys.get(key)
        return value if isinstance(value, str) else None

    @property
    def architecture(self) -> str:
        return self.text("general.architecture") or ""

    @property
    def name(self) -> str | None:
        return self.text("general.name")

    @property
    def licence(self) -> str | None:
        return self.text("general.license")

    @property
    def size_label(self) -> str | None:
        return self.text("general.size_label")

    @property
    def chat_template(self) -> str | None:
        return self.text("tokenizer.chat_template")

    @property
    def file_type(self) -> int | None:
        value = self.keys.get("general.file_type")
        return value if isinstance(value, int) else None

    @property
    def quantisation(self) -> str | None:
        """For example "Q4_K_M"; None where the file does not say or says something new."""
        return FILE_TYPES.get(self.file_type) if self.file_type is not None else None

    @property
    def context_length(self) -> int | None:
        return self.integer("context_length")

    @property
    def block_count(self) -> int | None:
        return self.integer("block_count")

    @property
    def embedding_length(self) -> int | None:
        return self.integer("embedding_length")

    @property
    def head_counts(self) -> tuple[int, ...]:
        return self.per_layer("attention.head_count")

    @property
    def head_counts_kv(self) -> tuple[int, ...]:
        """Key and value heads by layer; as many as attention heads where the file does not say."""
        if f"{self.architecture}.attention.head_count_kv" in self.keys:
            return self.per_layer("attention.head_count_kv")
        return self.head_counts

    @property
    def key_length(self) -> int | None:
        return self.integer("attention.key_length", self._head_length())

    @property
    def value_length(self) -> int | None:
        return self.integer("attention.value_length", self._head_length())

    @property
    def expert_count(self) -> int:
        return self.integer("expert_count") or 0

    @property
    def expert_used_count(self) -> int:
        return self.integer("expert_used_count") or 0

    @property
    def sliding_window(self) -> int:
        return self.integer("attention.sliding_window") or 0

    @property
    def split(self) -> SplitInfo | None:
        """None for a whole file."""
        number, count, tensors = (
            value if isinstance(value := self.keys.get(key), int) else 0
            for key in ("split.no", "split.count", "split.tensors.count")
        )
        return SplitInfo(number, count, tensors) if count > 1 else None

    @property
    def is_recurrent(self) -> bool:
        """A hint from the name of the architecture: all memory is a running state."""
        return self.architecture in architectures.RECURRENT

    @property
    def is_hybrid(self) -> bool:
        """A hint from the name of the architecture: part of the memory is a running state."""
        return self.architecture in architectures.HYBRID

    @property
    def role(self) -> Role:
        """What the file is for, from the header alone; its name is no evidence."""
        architecture, kind = self.architecture, self.text("general.type") or "model"
        if architecture in architectures.PROJECTORS or kind == "mmproj":
            return Role.PROJECTOR
        if architecture in architectures.DRAFT_HEADS or self._is_prediction_head():
            return Role.DRAFT_HEAD
        if kind == "adapter":
            return Role.ADAPTER
        if kind == "imatrix" or architecture in architectures.NOT_CHAT:
            return Role.OTHER
        return Role.MODEL

    @property
    def is_sidecar(self) -> bool:
        """Belongs beside another file: never offered as a target or a draft."""
        return self.role in (Role.PROJECTOR, Role.DRAFT_HEAD, Role.ADAPTER)

    @property
    def parameters(self) -> int | None:
        """Values in all tensors; what the label says where not all tensors are known."""
        if self.tensors and self.split is None:
            return sum(tensor.elements for tensor in self.tensors)
        return parse_size_label(self.size_label)

    @property
    def needed_bytes(self) -> int | None:
        """Length the file must have for its tensors; None until they are read, or without any."""
        if self.data_offset is None or not self.tensors:
            return None
        last = max(tensor.offset + tensor.used_bytes for tensor in self.tensors)
        return self.data_offset + last

    def require_complete(self) -> None:
        """Raise ModelFileError("file_truncated") when the file is too short for its tensors."""
        need = self.needed_bytes
        if need is not None and need > self.file_bytes:
            raise ModelFileError(
                "file_truncated", path=self.name_of_file, need=need, have=self.file_bytes
            )

    def _head_length(self) -> int | None:
        heads = next((count for count in self.head_counts if count), 0)
        return self.embedding_length // heads if self.embedding_length and heads else None

    def _is_prediction_head(self) -> bool:
        """Layers for multi-token prediction without the model they belong to."""
        if not self.integer("nextn_predict_layers") or not self.tensors or self.split:
            return False
        return not any(tensor.layer == 0 for tensor in self.tensors)


def parse_size_label(label: str | None) -> int | None:
    """A label such as "0.5B", "135M" or "8x7B" as a number; None for anything else."""
    found = re.fullmatch(r"(?:(\d{1,4})x)?(\d{1,6}(?:\.\d{1,6})?)([KMBTQ])(?:-.*)?", label or "")
    if found is None:
        return None
    unit = {"K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12, "Q": 10**15}[found[3]]
    return int(int(found[1] or 1) * float(found[2]) * unit)
