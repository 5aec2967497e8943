"""The choice for a machine, and the reasons that come with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.hub.catalog import Catalog, Pair, PairVerdict, Use, load_catalog
from app.hub.recommend import MARGIN_BYTES, Device, DeviceKind, Recommendation, recommend
from app.messages import sentence

GIB = 1 << 30
GPU, UNIFIED, CPU = DeviceKind.GPU, DeviceKind.UNIFIED, DeviceKind.CPU


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(Path(__file__).parents[3] / "resources" / "pairs.json")


def device(
    kind: DeviceKind, usable_gib: float, total_gib: float, speed: float | None = None
) -> Device:
    free = round(usable_gib * GIB) + MARGIN_BYTES
    return Device(f"{kind.value} {total_gib}", kind, free, round(total_gib * GIB), speed)


def chosen(found: Recommendation) -> str | None:
    return found.choice.id if found.choice else None


@pytest.mark.parametrize(
    ("kind", "usable_gib", "total_gib", "pair"),
    [
        (UNIFIED, 5.3, 8, "gemma3-4b+270m"),
        (GPU, 7.0, 8, "qwen2.5-7b+0.5b"),
        (UNIFIED, 10.6, 16, "qwen3-8b+0.6b"),
        (GPU, 11.0, 12, "qwen3-8b+0.6b"),
        (GPU, 15.0, 16, "qwen3-14b+0.6b"),
        (UNIFIED, 16.0, 24, "qwen3-14b+0.6b"),
        (GPU, 22.5, 24, "qwen2.5-32b+0.5b"),
        (GPU, 30.0, 32, "qwen3-32b+1.7b"),
        (UNIFIED, 48.0, 64, "qwen3-32b+1.7b"),
    ],
)
def test_common_machines(
    catalog: Catalog, kind: DeviceKind, usable_gib: float, total_gib: float, pair: str
) -> None:
    found = recommend(catalog, [device(kind, usable_gib, total_gib)])
    assert chosen(found) == pair
    assert (found.why.code, found.context_tokens) == ("recommend_quick", 8192)


@pytest.mark.parametrize("use", list(Use))
@pytest.mark.parametrize("kind", list(DeviceKind))
@pytest.mark.parametrize("usable_gib", [1, 2.95, 4, 6, 9, 13, 22, 47, 200])
def test_a_choice_always_fits_and_serves_the_use(
    catalog: Catalog, use: Use, kind: DeviceKind, usable_gib: float
) -> None:
    found = recommend(catalog, [device(kind, usable_gib, usable_gib * 1.2)], use)
    for why in (found.why, *(n.why for n in (found.smaller, found.larger) if n)):
        assert "{" not in sentence(why.code, why.detail)
    if found.choice is None:
        assert found.why.code == "recommend_none_fits"
        assert found.why.detail["need"]
        return
    assert found.choice.needed_bytes(found.context_tokens) <= usable_gib * GIB
    assert use in found.choice.uses
    assert found.choice.verdict is not PairVerdict.NOT_WORTH_IT
    for neighbour, sign in ((found.smaller, -1), (found.larger, 1)):
        if neighbour is not None:
            difference = neighbour.pair.target.parameters - found.choice.target.parameters
            assert difference * sign > 0
            assert neighbour.why.detail["title"] == neighbour.pair.title


def test_speed_comes_first(catalog: Catalog) -> None:
    slow = recommend(catalog, [device(UNIFIED, 22, 32, speed=100e9)])
    fast = recommend(catalog, [device(UNIFIED, 22, 32, speed=800e9)])
    assert slow.choice is not None
    assert slow.larger is not None
    assert slow.larger.why.code == "recommend_larger_is_slow"
    assert fast.choice is not None
    assert fast.choice.target.parameters >= slow.choice.target.parameters
    assert slow.choice.target.size_bytes <= 100e9 / 10


def test_where_nothing_is_quick_the_quickest_is_taken(catalog: Catalog) -> None:
    found = recommend(catalog, [device(CPU, 10, 16, speed=5e9)])
    assert found.why.code == "recommend_slow"
    assert found.choice is not None
    fitting = [p for p in catalog.pairs if p.needed_bytes(8192) <= 10 * GIB and Use.CHAT in p.uses]
    assert found.choice.target.size_bytes == min(p.target.size_bytes for p in fitting)


def test_a_shorter_context_is_taken_rather_than_a_toy(catalog: Catalog) -> None:
    found = recommend(catalog, [device(GPU, 4.35, 6)])
    assert (chosen(found), found.context_tokens) == ("gemma3-4b+270m", 4096)
    assert found.why.code == "recommend_short_context"


def test_the_next_larger_says_by_how_much_it_does_not_fit(catalog: Catalog) -> None:
    found = recommend(catalog, [device(GPU, 15, 16)])
    assert found.larger is not None
    assert found.larger.why.code == "recommend_larger_does_not_fit"
    missing = found.larger.pair.needed_bytes(8192) - 15 * GIB
    assert found.larger.why.detail["short"] == f"{missing / 1e9:.1f} GB"


def test_several_cards_are_used_together_and_a_full_one_costs_nothing(catalog: Catalog) -> None:
    one = device(GPU, 7, 8)
    assert chosen(recommend(catalog, [one, one])) == "qwen3-14b+0.6b"
    full = Device("full", GPU, 0, 8 * GIB)
    assert chosen(recommend(catalog, [one, full])) == chosen(recommend(catalog, [one]))


def test_main_memory_is_used_where_the_card_is_too_small(catalog: Catalog) -> None:
    found = recommend(catalog, [device(GPU, 1, 2), device(CPU, 12, 16)])
    assert found.device == "cpu 16"
    assert chosen(found) == "qwen3-4b+0.6b"


def test_nothing_fits_or_nothing_is_known(catalog: Catalog) -> None:
    assert recommend(catalog, []).why.code == "recommend_none_fits"
    assert recommend(Catalog(()), [device(GPU, 20, 24)]).why.code == "recommend_nothing_listed"


def test_better_figures_replace_those_of_the_catalogue(catalog: Catalog) -> None:
    def twice(pair: Pair, context: int) -> int:
        return 2 * pair.needed_bytes(context)

    found = recommend(catalog, [device(GPU, 15, 16)], need=twice)
    assert found.choice is not None
    assert found.choice.needed_bytes(8192) * 2 <= 15 * GIB
