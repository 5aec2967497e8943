"""What is given up when memory is short, in which order, and that it is said; on a made-up machine
that counts every byte and every model still open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.engine import loading, pair
from app.engine.placement import Placement, fewer_layers, placements
from app.engine.protocol import DeviceInfo, KvType, LoadModels
from app.errors import LoadError, RequestError
from app.messages import SENTENCES, sentence

TARGET, DRAFT = Path("/models/target.gguf"), Path("/models/draft.gguf")
CPU = DeviceInfo("CPU", "made up", "cpu", 0, 0)
GPU = DeviceInfo("GPU0", "made up", "gpu", 0, 0)


@dataclass(frozen=True)
class Spec:
    """A model file: what it costs on the device, and how it behaves."""

    layers: int = 10
    layer_cost: int = 10
    token_cost: float = 0.01
    n_ctx_train: int = 8192
    rewinds: bool = True
    recurrent: bool = False
    generates: bool = True
    has_memory: bool = True
    numbers: bool = True
    fault: str | None = None


SMALL = Spec(layers=2, token_cost=0.002)


@dataclass
class Machine:
    """A device with so much room, and everything that was tried on it."""

    room: float
    has_gpu: bool = False
    specs: dict[Path, Spec] = field(default_factory=lambda: {TARGET: Spec(), DRAFT: SMALL})
    used: dict[object, float] = field(default_factory=dict)
    tried: list[tuple[str, int, int]] = field(default_factory=list)
    opened: list[Path] = field(default_factory=list)

    @property
    def devices(self) -> tuple[DeviceInfo, ...]:
        return (GPU, CPU) if self.has_gpu else (CPU,)

    def take(self, who: object, cost: float) -> bool:
        if sum(self.used.values()) + cost > self.room:
            return False
        self.used[who] = cost
        return True


class Model:
    """llama.Model on the made-up machine."""

    def __init__(
        self,
        machine: Machine,
        path: Path,
        *,
        gpu_layers: int = 0,
        vocabulary_only: bool = False,
        progress: Callable[[float], bool] | None = None,
    ) -> None:
        self.machine, self.path, self.spec = machine, path, machine.specs[path]
        spec = self.spec
        self.layers, self.context_length = spec.layers, spec.n_ctx_train
        self.share = min(gpu_layers, spec.layers) / spec.layers if machine.has_gpu else 1.0
        self.recurrent, self.generates = spec.recurrent, spec.generates
        self.name, self.architecture = path.stem, f"arch of {path.stem}"
        self.template, self.log = None, ()
        self.parameters = self.size_bytes = 1
        if not vocabulary_only:
            machine.opened.append(path)
        for done in (0.0, 0.5, 1.0):
            if progress is not None and not progress(done):
                raise LoadError("load_cancelled", path=str(path))
        cost = 0.0 if vocabulary_only else spec.layers * spec.layer_cost * self.share
        if spec.fault is not None or not machine.take(self, cost):
            raise LoadError("model_not_loaded", path=str(path), reason=spec.fault or "no room")
        if vocabulary_only:
            self.layers = 0  # as llama.cpp has it

    def metadata(self, key: str) -> str | None:
        return str(self.spec.layers) if key == f"{self.architecture}.block_count" else None

    def kv_bytes_per_token(self, kv_type: KvType) -> int:
        del kv_type
        return 1_000_000

    def close(self) -> None:
        self.machine.used.pop(self, None)


class Context:
    """llama.Context on the made-up machine."""

    def __init__(self, model: Model, *, n_ctx: int, n_sequences: int, **how: Any) -> None:
        self.model, self.machine, self.log = model, model.machine, ()
        self.snapshots: int = how["snapshots"]
        self.machine.tried.append((model.path.stem, n_ctx // n_sequences, round(100 * model.share)))
        if not self.machine.take(self, n_ctx * model.spec.token_cost * model.share):
            raise LoadError("context_not_allocated", n_ctx=n_ctx, reason="no room")
        if not model.spec.has_memory:
            self.close()
            raise LoadError(
                "not_a_text_model", path=str(model.path), architecture=model.architecture
            )

    def clear(self) -> None:
        pass

    def decode(self, rows: Sequence[object]) -> float:
        if self.model.spec.fault == "first pass":
            raise RequestError("decode_failed", status=-1)
        return 0.0 * len(rows)

    def logits(self, row: int) -> NDArray[np.float32]:
        return np.full(4, row if self.model.spec.numbers else np.nan, dtype=np.float32)

    def remove_tail(self, sequence: int, start: int) -> bool:
        del sequence, start
        return self.model.spec.rewinds

    def close(self) -> None:
        self.machine.used.pop(self, None)


class Pool:
    def __init__(self, machine: Machine, threads: int) -> None:
        self.machine, self.threads = machine, threads
        machine.used[self] = 0

    def close(self) -> None:
        self.machine.used.pop(self, None)


def load(
    machine: Machine, progress: Callable[..., bool] = lambda *_: True, **how: Any
) -> pair.Pair:
    """Load target and draft on the machine."""
    with pytest.MonkeyPatch.context() as patch:
        made_up = SimpleNamespace(
            Model=lambda path, **rest: Model(machine, path, **rest),
            Context=Context,
            devices=lambda: machine.devices,
            thread_pool=lambda threads: Pool(machine, threads),
        )
        patch.setattr(loading, "llama", made_up)
        settings = {"draft": DRAFT, "n_ctx": 8192, "min_ctx": 2048} | how
        ram = settings.pop("ram", None)
        patch.setattr(loading, "available_ram_bytes", lambda: ram)
        return loading.load_pair(LoadModels(TARGET, **settings), progress)


def codes(loaded: pair.Pair) -> list[str]:
    for step in loaded.steps:
        assert "{" not in sentence(step.code, step.detail)
    if loaded.no_draft is not None:
        assert loaded.no_draft[0] in SENTENCES
        assert "{" not in sentence(*loaded.no_draft)
    return [step.code for step in loaded.steps]


@pytest.fixture
def machine() -> Iterator[Machine]:
    """Whatever a test did, closing the pair must leave nothing open."""
    made = Machine(room=1e9)
    yield made
    assert made.used == {}


# weights: target 100, draft 20; contexts at 8192: target 81.92, draft 16.384


def test_what_fits_is_loaded_as_asked(machine: Machine) -> None:
    loaded = load(machine)
    assert codes(loaded) == []
    assert (loaded.n_ctx, loaded.no_draft, loaded.target_rewinds) == (8192, None, True)
    assert loaded.draft is not None
    loaded.close()


def test_the_context_shrinks_first(machine: Machine) -> None:
    machine.room = 120 + 50  # for a context of 4096 with the draft: 49.2
    loaded = load(machine)
    assert codes(loaded) == ["context_shrunk"]
    assert loaded.steps[0].detail == {"asked": 8192, "n_ctx": 4096}
    assert loaded.draft is not None
    loaded.close()


def test_then_the_draft_is_dropped_and_its_room_goes_to_the_context(machine: Machine) -> None:
    machine.specs[DRAFT] = Spec(layers=2, token_cost=0.05)
    machine.room = 120 + 82  # 2048 with the draft would need 122.9
    loaded = load(machine)
    assert codes(loaded) == ["draft_dropped"]
    assert loaded.no_draft == ("no_memory_for_draft", {"n_ctx": 2048})
    assert (loaded.n_ctx, loaded.draft, loaded.draft_context) == (8192, None, None)
    asked = [n_ctx for name, n_ctx, _ in machine.tried if name == "target"]
    assert asked == [8192, 4096, 2048, 8192]
    loaded.close()


def test_only_then_do_layers_go_to_the_cpu(machine: Machine) -> None:
    machine.has_gpu = True
    machine.room = 100  # all weights of the target but no context
    loaded = load(machine)
    assert codes(loaded)[-1] == "layers_moved_to_cpu"
    assert loaded.steps[-1].detail == {"layers": loaded.gpu_layers, "of": 10}
    shares = [share for name, _, share in machine.tried if name == "target"]
    assert shares == sorted(shares, reverse=True)
    assert set(shares) <= {100, 70, 50, 20, 0}
    # at each share everything else was given up before
    assert machine.tried[0] == ("target", 8192, 100)
    assert loaded.draft is not None
    loaded.close()


def test_a_target_too_large_for_the_gpu_is_split_by_the_layers_of_its_header(
    machine: Machine,
) -> None:
    machine.has_gpu = True
    machine.room = 80 + 20
    loaded = load(machine, draft=None, n_ctx=2048)
    assert loaded.gpu_layers == 7  # three quarters of ten
    assert codes(loaded) == ["layers_moved_to_cpu"]
    loaded.close()


def test_a_number_of_layers_that_was_asked_for_is_not_changed(machine: Machine) -> None:
    machine.has_gpu = True
    machine.room = 60
    with pytest.raises(LoadError):
        load(machine, draft=None, gpu_layers=8)
    assert machine.opened == [TARGET]


@pytest.mark.parametrize("has_gpu", [False, True])
def test_when_nothing_helps_the_last_reason_is_raised(machine: Machine, has_gpu: bool) -> None:
    machine.has_gpu = has_gpu
    machine.specs[TARGET] = Spec(token_cost=1.0, layer_cost=0)
    machine.room = 30 if not has_gpu else -1
    with pytest.raises(LoadError) as raised:
        load(machine, n_parallel=2)
    if not has_gpu:
        assert raised.value.code == "context_not_allocated"
        assert raised.value.detail["n_ctx"] == 2048  # of one conversation, the least tried
    assert "{" not in sentence(raised.value.code, raised.value.detail)


def test_a_cache_larger_than_free_memory_is_refused_before_the_system_kills(
    machine: Machine,
) -> None:
    gib = 2**30
    loaded = load(machine, draft=None, ram=6 * gib)  # a megabyte for each token
    assert codes(loaded) == ["context_shrunk"]
    assert loaded.n_ctx == 4096
    loaded.close()
    with pytest.raises(LoadError) as raised:
        load(machine, draft=None, ram=2 * gib)
    assert raised.value.code == "no_memory_for_context"
    assert raised.value.detail == {"n_ctx": 2048, "need_mb": 2048, "free_mb": 2147}
    machine.has_gpu = True
    load(machine, draft=None, ram=2 * gib).close()  # caches on a GPU take nothing of it


def test_no_more_context_than_the_model_was_made_for(machine: Machine) -> None:
    machine.specs[TARGET] = Spec(n_ctx_train=1024)
    loaded = load(machine, draft=None)
    assert codes(loaded) == ["context_limited_by_model"]
    assert loaded.steps[0].detail == {"asked": 8192, "n_ctx": 1024}
    assert [n_ctx for _, n_ctx, _ in machine.tried] == [1024]
    loaded.close()


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        (replace(SMALL, fault="bad magic"), "draft_not_loaded"),
        (replace(SMALL, fault="first pass"), "draft_not_loaded"),
        (replace(SMALL, generates=False), "draft_not_a_text_model"),
        (replace(SMALL, has_memory=False), "draft_not_a_text_model"),
        (replace(SMALL, rewinds=False), "draft_cannot_rewind"),
        (replace(SMALL, numbers=False), "draft_damaged"),
    ],
)
def test_a_draft_that_fails_costs_only_the_draft(machine: Machine, spec: Spec, code: str) -> None:
    machine.specs[DRAFT] = spec
    if spec.fault == "first pass":
        machine.specs[DRAFT] = replace(spec, fault=None)
        with pytest.MonkeyPatch.context() as patch:
            usual = Context.decode

            def decode(self: Context, rows: Sequence[object]) -> float:
                if self.model.path == DRAFT:
                    raise RequestError("decode_failed", status=-1)
                return usual(self, rows)

            patch.setattr(Context, "decode", decode)
            loaded = load(machine)
    else:
        loaded = load(machine)
    assert codes(loaded) == []
    assert loaded.n_ctx == 8192
    assert (loaded.draft, loaded.draft_context) == (None, None)
    assert loaded.no_draft is not None
    assert loaded.no_draft[0] == code
    assert not any(getattr(each, "path", None) == DRAFT for each in machine.used)
    loaded.close()


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        (Spec(fault="bad magic"), "model_not_loaded"),
        (Spec(generates=False), "not_a_text_model"),
        (Spec(has_memory=False), "not_a_text_model"),
        (Spec(numbers=False), "model_damaged"),
    ],
)
@pytest.mark.parametrize("has_gpu", [False, True])
def test_a_target_that_fails_is_an_error_and_leaves_nothing_open(
    machine: Machine, spec: Spec, code: str, has_gpu: bool
) -> None:
    machine.has_gpu = has_gpu
    machine.specs[TARGET] = spec
    with pytest.raises(LoadError) as raised:
        load(machine)
    assert raised.value.code == code
    if code != "model_not_loaded":
        assert machine.opened.count(TARGET) == 1  # fewer layers would not help


def test_a_target_that_cannot_rewind_runs_alone_and_says_so(machine: Machine) -> None:
    machine.specs[TARGET] = Spec(rewinds=False, recurrent=True)
    loaded = load(machine)
    assert not loaded.target_rewinds
    assert loaded.no_draft == ("target_cannot_rewind", {"architecture": "arch of target"})
    assert loaded.draft is None
    assert loaded.target_context.snapshots == pair.MAX_DEPTH  # type: ignore[attr-defined]
    loaded.close()
    alone = load(machine, draft=None)
    assert alone.no_draft is not None  # lookup is off too, so it is said without a draft as well
    assert alone.no_draft[0] == "target_cannot_rewind"
    alone.close()


def test_a_draft_refused_before_is_not_even_opened(machine: Machine) -> None:
    why = {"no_draft_because": "pair_token_text", "no_draft_detail": {"token": 5}}
    loaded = load(machine, **why)
    assert machine.opened == [TARGET]
    assert loaded.no_draft == ("pair_token_text", {"token": 5})
    loaded.close()


@pytest.mark.parametrize("stage", ["target", "draft", "context"])
def test_a_load_can_be_stopped_at_each_stage(machine: Machine, stage: str) -> None:
    with pytest.raises(LoadError) as raised:
        load(machine, lambda now, _: now != stage)
    assert raised.value.code == "load_cancelled"


def test_progress_never_goes_back(machine: Machine) -> None:
    seen: list[float] = [0.0]

    def progress(_: str, fraction: float) -> bool:
        seen.append(fraction)
        return True

    load(machine, progress).close()
    assert seen == sorted(seen)
    assert 0.9 < seen[-1] <= 1.0


@given(
    room=st.floats(0, 260),
    has_gpu=st.booleans(),
    draft_cost=st.floats(0, 0.05),
    n_ctx=st.integers(256, 20_000),
    min_ctx=st.integers(256, 20_000),
)
def test_whatever_the_room_it_is_kept_and_the_steps_are_true(
    room: float, has_gpu: bool, draft_cost: float, n_ctx: int, min_ctx: int
) -> None:
    machine = Machine(room, has_gpu, {TARGET: Spec(), DRAFT: replace(SMALL, token_cost=draft_cost)})
    try:
        loaded = load(machine, n_ctx=n_ctx, min_ctx=min_ctx)
    except LoadError:
        assert machine.used == {}
        return
    assert sum(machine.used.values()) <= room
    wanted = min(n_ctx, 8192)
    assert min(min_ctx, wanted) <= loaded.n_ctx <= wanted
    said = codes(loaded)
    assert ("context_limited_by_model" in said) == (n_ctx > 8192)
    assert ("context_shrunk" in said) == (loaded.n_ctx < wanted)
    assert (loaded.draft is None) == (loaded.no_draft is not None)
    assert ("layers_moved_to_cpu" in said) == (has_gpu and loaded.gpu_layers <= 10)
    loaded.close()
    assert machine.used == {}


# --- the plan itself ------------------------------------------------------------------------------


def test_the_least_context_is_tried_before_the_draft_goes() -> None:
    assert list(placements(8000, 3000, with_draft=True)) == [
        Placement(8000, True),
        Placement(4000, True),
        Placement(3000, True),
        Placement(8000, False),
        Placement(4000, False),
        Placement(3000, False),
    ]
    assert list(placements(512, 512, with_draft=False)) == [Placement(512, False)]


def test_shares_of_few_layers_repeat_nothing_and_end_on_the_cpu() -> None:
    assert fewer_layers(40) == [30, 20, 10, 0]
    assert fewer_layers(1) == [0]
    assert fewer_layers(0) == [0]
