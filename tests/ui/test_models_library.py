"""What is on this computer: checking, deleting, adding, loading; and the pair checker."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from app.hub import folders
from app.hub.folders import ModelFolder, Origin
from app.ui.models.dialog import Page
from app.ui.models.installed_page import InstalledPage
from tests import tiny_pair
from tests.tiny_pair import DRAFT_FILE, PAIR_REPO, TARGET_FILE, TITLE
from tests.ui.models_stage import STARTED, Shop, scene, shop
from tests.unit.hub import made_up as made

__all__ = ["scene", "shop"]


def with_pair(shop: Shop) -> InstalledPage:
    """The page with a downloaded pair."""
    shop.depot.get_pair(shop.stock.catalog.pairs[0])
    shop.wait(shop.loads)
    page = shop.open(Page.INSTALLED).installed
    shop.wait(lambda: len(page.texts()) == 2)
    return page


def press_in_box(page: InstalledPage, text: str) -> str:
    """Press a button of the box that asks; its question."""
    (box,) = page.findChildren(QMessageBox)
    next(button for button in box.buttons() if button.text() == text).click()
    return box.text()


def target_of(shop: Shop) -> Path:
    return shop.at.models / PAIR_REPO / TARGET_FILE


def test_files_are_listed_with_their_pair(shop: Shop) -> None:
    rows = {row[0]: row for row in with_pair(shop).texts()}
    assert rows[TARGET_FILE][2:] == ["Q4_K_M", TITLE, "Slipstream"]
    assert rows[DRAFT_FILE][3] == TITLE


def test_checking_tells_right_from_damaged(shop: Shop) -> None:
    page = with_pair(shop)
    page.select(target_of(shop))
    page.press("verify")
    shop.wait(lambda: "is exactly what was downloaded" in page.said())
    raw = target_of(shop).read_bytes()
    target_of(shop).write_bytes(raw[:-1] + b"x")
    page.press("verify")
    shop.wait(lambda: "is damaged" in page.said())


def test_deleting_says_what_is_freed_and_which_pairs_lose_a_part(shop: Shop) -> None:
    page = with_pair(shop)
    page.select(target_of(shop))
    page.press("delete")
    shop.wait(lambda: page.findChildren(QMessageBox))
    question = press_in_box(page, "Delete")
    assert "become free" in question
    assert f"These pairs lose a part: {TITLE}." in question
    shop.wait(lambda: len(page.texts()) == 1)
    assert not target_of(shop).exists()
    assert "free again" in page.said()


def test_a_file_of_the_loaded_pair_counts_as_used(shop: Shop) -> None:
    page = with_pair(shop)
    shop.stage.engine.load()
    shop.wait(lambda: shop.depot.in_use is not None)
    assert shop.depot.in_use is not None
    assert shop.depot.in_use.target == target_of(shop)
    page.select(target_of(shop))


def test_loading_a_target_takes_its_draft_along(shop: Shop) -> None:
    page = with_pair(shop)
    page.select(target_of(shop))
    page.press("load")
    shop.wait(lambda: len(shop.loads()) == 2)
    assert shop.loads()[1].draft == shop.at.models / PAIR_REPO / DRAFT_FILE


@pytest.mark.parametrize("how", ["Link", "Copy"])
def test_a_file_is_added_by_link_or_copy(shop: Shop, how: str) -> None:
    page = shop.open(Page.INSTALLED).installed
    source = shop.at.models.parent / "own-Q8_0.gguf"
    source.write_bytes(made.model(width=64))
    page.ask_how(source)
    press_in_box(page, how)
    shop.wait(page.texts)
    path = shop.at.models / "imported" / source.name
    assert path.is_symlink() == (how == "Link")
    assert page.said() == "own-Q8_0.gguf was added."
    page.ask_how(source)
    press_in_box(page, how)
    shop.wait(lambda: "is already there" in page.said())


def test_what_is_no_model_is_not_added(shop: Shop) -> None:
    page = shop.open(Page.INSTALLED).installed
    source = shop.at.models.parent / "text.gguf"
    source.write_text("hello")
    page.ask_how(source)
    press_in_box(page, "Copy")
    shop.wait(lambda: "is not a GGUF model" in page.said())


def test_other_programs_files_can_be_loaded_and_not_deleted(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = shop.at.models.parent / "lm-studio"
    tiny_pair.made_up_pair(other)
    monkeypatch.setattr(folders, "known_folders", lambda: [ModelFolder(other, Origin.LM_STUDIO)])
    page = shop.again().open(Page.INSTALLED).installed
    shop.wait(lambda: len(page.texts()) == 2)
    assert {row[4] for row in page.texts()} == {"LM Studio"}
    page.select(other / TARGET_FILE)
    assert page._buttons["load"].isEnabled()
    assert not page._buttons["delete"].isEnabled()
    assert not page._buttons["verify"].isEnabled()


# --- pair checker ---------------------------------------------------------------------------------


def put(shop: Shop, name: str, content: bytes) -> Path:
    path = shop.at.models / "imported" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_drafts_are_ranked_and_the_refused_say_why(shop: Shop) -> None:
    other = made.tokens_of(300)
    other[139] = "another"
    target = put(shop, "big-Q4_K_M.gguf", made.model(width=6400, tail=tiny_pair.TAIL))
    good = put(shop, "good-Q8_0.gguf", made.model(width=320, tail=tiny_pair.TAIL))
    put(shop, "stranger-Q8_0.gguf", made.model(width=320, tail=tiny_pair.TAIL, tokens=other))
    put(shop, "broken-Q8_0.gguf", b"GGUF\3")
    shop.again()
    shop.stage.engine.say(STARTED)
    page = shop.open(Page.PAIRS).pairs
    page.choose(target.name)
    page.check()
    shop.wait(page.rows)
    texts = [row.texts() for row in page.rows()]
    assert texts[0][0] == good.name
    assert texts[0][1] in ("Goes together", "Usually not worth it")
    refused = {name: why for name, verdict, why in texts if verdict == "Does not fit"}
    assert "Token 139 is 't139' in the target" in refused["stranger-Q8_0.gguf"]
    assert refused["broken-Q8_0.gguf"]
    assert page.said() == "1 of 3 drafts may serve this target."
    page.rows()[0].button().click()
    shop.wait(shop.loads)
    assert (shop.loads()[0].target, shop.loads()[0].draft) == (target, good)


def test_a_far_target_and_far_drafts_are_judged_before_any_download(shop: Shop) -> None:
    page = shop.open(Page.PAIRS).pairs
    page.choose(f"{PAIR_REPO}/{TARGET_FILE}", far=True)
    page.check()
    shop.wait(page.rows)
    (row,) = page.rows()
    assert row.texts()[0] == f"{PAIR_REPO}/{DRAFT_FILE}"
    assert row.button().text() == "Get it"
    assert not shop.at.models.joinpath(PAIR_REPO).exists()
    row.button().click()
    shop.wait((shop.at.models / PAIR_REPO / DRAFT_FILE).is_file)


def test_a_target_that_cannot_be_read_is_said(shop: Shop) -> None:
    page = shop.open(Page.PAIRS).pairs
    page.choose("/nowhere/at/all.gguf")
    page.check()
    shop.wait(lambda: "is not there any more" in page.said())
    page.choose("owner/none/x.gguf")
    page.check()
    shop.wait(lambda: "does not exist" in page.said())


def test_without_a_network_the_drafts_here_are_still_judged(shop: Shop) -> None:
    target = put(shop, "big-Q4_K_M.gguf", made.model(width=6400, tail=tiny_pair.TAIL))
    put(shop, "good-Q8_0.gguf", made.model(width=320, tail=tiny_pair.TAIL))
    shop.at.hub.repos[PAIR_REPO].status = 500
    shop.again()
    page = shop.open(Page.PAIRS).pairs
    page.choose(str(target), far=True)
    page.check()
    shop.wait(page.rows)
    assert len(page.rows()) == 1
    assert "trouble of its own" in page.said()
