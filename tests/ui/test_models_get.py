"""Getting models in the window: the recommended pair, the queue, and every failure in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.protocol import FinishReason
from app.hub.items import ItemState
from app.ui.models import depot as depot_module
from app.ui.models.dialog import Page
from app.ui.notices import Action
from tests import hub_cases
from tests.hub_cases import NAME, REPO, SIZE, Case
from tests.loopback_hub import GOOD_TOKEN, Fault
from tests.tiny_pair import DRAFT_FILE, PAIR_REPO, TARGET_FILE, TITLE
from tests.ui.conftest import Start
from tests.ui.models_stage import STARTED, Shop, scene, shop

__all__ = ["scene", "shop"]


def target_of(shop: Shop) -> Path:
    return shop.at.models / PAIR_REPO / TARGET_FILE


def draft_of(shop: Shop) -> Path:
    return shop.at.models / PAIR_REPO / DRAFT_FILE


# --- the recommended pair -------------------------------------------------------------------------


def test_one_button_brings_checks_and_loads_the_pair(shop: Shop) -> None:
    card = shop.open().recommended.card
    shop.wait(lambda: card.isVisible() and card.pair is not None)
    assert card._title.text() == TITLE
    assert "should answer faster than you read" in card._why.text()
    assert "mit" in card._files.text(), "the licence is seen before"
    assert card.button().text().startswith("Get it (")
    card.button().click()
    shop.wait(shop.loads)
    (command,) = shop.loads()
    assert (command.target, command.draft) == (target_of(shop), draft_of(shop))
    for path in (command.target, command.draft):
        assert path is not None
        truth = shop.at.hub.file(PAIR_REPO, path.name)
        assert path.stat().st_size == truth.size
    shop.wait(lambda: card.button().text() == "Load it")
    card.button().click()
    shop.wait(lambda: len(shop.loads()) == 2)


def test_the_first_start_offers_the_pair_with_one_click(shop: Shop) -> None:
    page = shop.stage.window.empty
    shop.wait(lambda: page._buttons[0].text().startswith("Get it ("))
    assert TITLE in page._text.text()
    page._buttons[0].click()
    shop.wait(shop.loads)
    assert shop.loads()[0].draft == draft_of(shop)
    assert shop.stage.application.models.dialog is None


def test_an_answer_in_progress_is_not_cut_off_for_it(shop: Shop) -> None:
    stage = shop.stage
    stage.load()
    stage.ask("Tell me")
    stage.engine.write("Half of it")
    stage.wait_state("Writing")
    pair = shop.stock.catalog.pairs[0]
    shop.depot.get_pair(pair)
    shop.wait(stage.window.notices.texts)
    assert stage.window.notices.texts() == [f"{TITLE} is here, complete and checked."]
    assert len(shop.loads()) == 1
    stage.engine.finish(FinishReason.END)
    stage.wait_state("Ready")
    stage.window.notices.acted.emit(Action.LOAD_ARRIVED)
    shop.wait(lambda: len(shop.loads()) == 2)


def test_what_is_missing_alone_is_downloaded(shop: Shop) -> None:
    shop.get(f"{PAIR_REPO}/{DRAFT_FILE}")
    shop.wait(draft_of(shop).is_file)
    shop.wait(lambda: shop.depot.files)
    sent = dict(shop.at.hub.sent)
    shop.depot.get_pair(shop.stock.catalog.pairs[0])
    shop.wait(shop.loads)
    assert shop.at.hub.sent[DRAFT_FILE] == sent[DRAFT_FILE]


def test_a_failed_download_says_why_on_the_card_and_goes_on(shop: Shop) -> None:
    shop.at.hub.faults[PAIR_REPO, TARGET_FILE] = Fault(html=True)
    card = shop.open().recommended.card
    shop.wait(lambda: card.pair is not None)
    card.button().click()
    shop.wait(card.problem)
    assert "sent a web page instead of" in card.problem()
    assert card.button().text() == "Go on with the download"
    shop.at.hub.faults.clear()
    card.button().click()
    shop.wait(shop.loads)
    assert card.problem() == ""


def test_a_computer_that_is_too_small_is_told_what_is_missing(shop: Shop) -> None:
    text = shop.at.models.parent / "pairs.json"
    text.write_text(
        text.read_text().replace("1000000000", str(10**14)).replace("2000000000", str(10**14))
    )
    page = shop.again().open().recommended
    shop.stage.engine.say(STARTED)
    shop.wait(lambda: page.said().startswith("No pair fits"))
    assert not page.card.isVisible()


def test_a_damaged_catalogue_is_said(scene: object, shop: Shop) -> None:
    (shop.at.models.parent / "pairs.json").write_text('{"version": 1}')
    shop.stage.close()
    stage = shop.stage = shop.start()
    shop.wait(stage.window.notices.texts)
    assert "list of recommended pairs cannot be read" in stage.window.notices.texts()[0]


# --- the queue ------------------------------------------------------------------------------------


def slow(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file stops after a megabyte, and nobody loses patience."""
    monkeypatch.setattr(depot_module, "POLICY", hub_cases.RetryPolicy(stall_seconds=60))
    shop.at.hub.faults[REPO, NAME] = Fault(times=1, stall_after=1_000_000)
    shop.again()
    shop.stage.engine.say(STARTED)
    shop.open(Page.DOWNLOADS)


def state_of(shop: Shop) -> ItemState | None:
    items = shop.stock.queue.snapshot().items
    return items[0].state if items else None


def test_pause_resume_and_finish(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    slow(shop, monkeypatch)
    page = shop.dialog.downloads
    shop.get(f"{REPO}/{NAME}")
    shop.wait(lambda: page.rows() and "1.0 MB of 1.5 MB" in page.rows()[0].facts())
    assert shop.stage.window.pair_bar._downloads.text().startswith("Downloading")
    (row,) = page.rows()
    row.press_pause()
    shop.wait(lambda: "paused" in row.facts())
    assert shop.stage.window.pair_bar._downloads.text() == "Download paused"
    row.press_pause()
    shop.wait(lambda: "complete and checked" in row.facts())
    assert shop.at.hub.sent[NAME] == SIZE, "not a byte twice"
    assert not shop.stage.window.pair_bar._downloads.isVisible()
    page._clear.click()
    shop.wait(lambda: not page.rows())


def test_cancel_removes_what_arrived(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    slow(shop, monkeypatch)
    page = shop.dialog.downloads
    shop.get(f"{REPO}/{NAME}")
    shop.wait(lambda: page.rows() and "1.0 MB" in page.rows()[0].facts())
    page.rows()[0].press_cancel()
    shop.wait(lambda: not page.rows())
    shop.wait(lambda: not list((shop.at.models / ".downloads").rglob("*.part")))


def test_downloads_go_on_without_the_dialog_and_after_a_restart(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow(shop, monkeypatch)
    shop.get(f"{REPO}/{NAME}")
    page = shop.dialog.downloads
    shop.wait(lambda: page.rows() and "1.0 MB" in page.rows()[0].facts())
    shop.dialog.close()
    assert state_of(shop) is ItemState.RUNNING
    shop.again()
    shop.wait(lambda: shop.depot.stock is not None)
    assert state_of(shop) is ItemState.PAUSED
    shop.wait(lambda: shop.stage.window.pair_bar._downloads.text() == "Download paused")
    shop.stage.window.pair_bar.downloads_clicked.emit()
    assert shop.dialog.page() is Page.DOWNLOADS
    shop.dialog.downloads.rows()[0].press_pause()
    shop.wait((shop.at.models / REPO / NAME).is_file)
    assert shop.at.hub.sent[NAME] == SIZE, "not a byte twice"


# --- every failure in words -----------------------------------------------------------------------


@pytest.mark.parametrize("case", hub_cases.cases(early=False))
def test_a_failed_download_is_said_in_its_row(case: Case, shop: Shop) -> None:
    page = shop.open(Page.DOWNLOADS).downloads
    case.prepare(shop.at)
    shop.get(shop.at.what)
    shop.wait(lambda: page.problem() or any(row.why() for row in page.rows()))
    said = page.problem() or page.rows()[0].why()
    assert case.words in said
    assert "{" not in said


@pytest.mark.parametrize("case", hub_cases.cases(early=True))
def test_a_repository_that_cannot_be_seen_is_said(
    case: Case, scene: object, start: Start, shop: Shop
) -> None:
    case.prepare(shop.at)
    shop.again()
    page = shop.open(Page.SEARCH).search
    page.type_text(REPO)
    page.search()
    shop.wait(lambda: case.words in page.repository.said())
    assert "{" not in page.repository.said()


def test_a_failed_search_is_said(shop: Shop) -> None:
    hub_cases.CASES[0].prepare(shop.at)
    shop.again()
    page = shop.open(Page.SEARCH).search
    page.type_text("qwen")
    page.search()
    shop.wait(lambda: "cannot be reached" in page.said())


def test_two_pairs_of_hands(shop: Shop) -> None:
    """Asking twice for one file makes one download."""
    page = shop.open(Page.DOWNLOADS).downloads
    shop.get(f"{REPO}/{NAME}")
    shop.get(f"{REPO}/{NAME}")
    shop.wait(lambda: page.rows() and "complete" in page.rows()[0].facts())
    assert len(page.rows()) == 1
    assert shop.at.hub.sent[NAME] == SIZE


def test_a_gated_download_goes_on_once_the_token_is_there(shop: Shop) -> None:
    shop.at.hub.repos[REPO].gated = True
    page = shop.open(Page.DOWNLOADS).downloads
    shop.get(f"{REPO}/{NAME}")
    shop.wait(page.asks_for_token)
    page._token._field.setText(GOOD_TOKEN)
    page._token._save.click()
    shop.wait((shop.at.models / REPO / NAME).is_file)
    shop.wait(lambda: not page.asks_for_token())
