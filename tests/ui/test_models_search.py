"""Searching, filters, a repository's files with badges, the licence gate and the token."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLineEdit

from app.session.fitting import machine_memory
from app.ui.models.dialog import Page
from app.ui.models.search_page import SearchPage
from tests.hub_cases import NAME, REPO
from tests.loopback_hub import GOOD_TOKEN
from tests.tiny_pair import DRAFT_FILE, PAIR_REPO, TARGET_FILE
from tests.ui.models_stage import GIB, Shop, scene, shop

__all__ = ["scene", "shop"]


def found(shop: Shop, text: str = "gguf") -> SearchPage:
    """The page with results."""
    page = shop.open(Page.SEARCH).search
    page.type_text(text)
    page.search()
    shop.wait(page.texts)
    return page


def test_results_show_size_licence_downloads_and_fit(shop: Shop) -> None:
    shop.at.hub.repos[PAIR_REPO].gated = True
    rows = {row[0]: row for row in found(shop).texts()}
    assert set(rows) == {REPO, PAIR_REPO}
    assert rows[PAIR_REPO][1:] == ["7.6 billion", "apache-2.0, to be accepted", "1000", "Fits"]
    assert rows[REPO][4] == "Size unknown"


def test_filters_narrow_the_results(shop: Shop) -> None:
    shop.at.hub.repos[REPO].gguf = {"total": 70_000_000_000}
    shop.at.hub.repos[REPO].downloads = 50
    page = found(shop)
    page.choose_filters(fits=True)
    assert [row[0] for row in page.texts()] == [PAIR_REPO]
    page.choose_filters(downloads=1000)
    assert [row[0] for row in page.texts()] == [PAIR_REPO]
    assert page.said().startswith("1 of 2 pass the filters")
    page.choose_filters(licence="mit")
    shop.wait(lambda: not page.texts())
    assert "Nothing was found" in page.said()


def test_an_older_answer_never_replaces_a_newer_one(shop: Shop) -> None:
    page = shop.open(Page.SEARCH).search
    for text in ("model", "pair"):
        page.type_text(text)
        page.search()
    shop.wait(page.texts)
    assert [row[0] for row in page.texts()] == [PAIR_REPO]


@pytest.mark.parametrize("text", [PAIR_REPO, f"https://huggingface.co/{PAIR_REPO}/tree/main"])
def test_a_name_or_an_address_opens_the_repository(shop: Shop, text: str) -> None:
    page = shop.open(Page.SEARCH).search
    page.type_text(text)
    page.search()
    shop.wait(page.repository.rows)
    assert [row.name for row in page.repository.rows()] == [DRAFT_FILE, TARGET_FILE]
    assert "Licence: apache-2.0" in page.repository.facts()
    assert "7.6 billion parameters" in page.repository.facts()


def test_badges_come_from_the_header_read_by_ranges(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tight = machine_memory([], GIB + 60_000_000, 8 * GIB)
    monkeypatch.setattr(type(shop.depot.machine), "now", lambda _: tight)
    page = shop.open(Page.SEARCH).search
    page.open_repo(PAIR_REPO)
    shop.wait(page.repository.rows)
    (draft, target) = page.repository.rows()
    shop.wait(lambda: "Needs about" in draft._badge.toolTip())
    assert draft.badge() == target.badge() == "Fits"
    assert not shop.at.models.joinpath(PAIR_REPO).exists(), "nothing is downloaded for a badge"
    tighter = machine_memory([], GIB // 2, 8 * GIB)
    monkeypatch.setattr(type(shop.depot.machine), "now", lambda _: tighter)
    page.open_repo(PAIR_REPO)
    shop.wait(lambda: page.repository.rows() and page.repository.rows()[0].badge() == "Too large")


def test_a_file_is_got_from_its_row(shop: Shop) -> None:
    page = shop.open(Page.SEARCH).search
    page.open_repo(PAIR_REPO)
    shop.wait(page.repository.rows)
    row = page.repository.rows()[0]
    row.button().click()
    shop.wait(lambda: row.button().text() == "Installed")
    assert not row.button().isEnabled()
    assert (shop.at.models / PAIR_REPO / row.name).is_file()


def test_back_leads_to_the_results(shop: Shop) -> None:
    page = found(shop)
    page.open_repo(REPO)
    page.repository.left.emit()
    assert page.texts()
    assert page._pages.currentIndex() == 0


def test_the_gate_is_explained_and_opened_with_a_token(shop: Shop) -> None:
    shop.at.hub.repos[REPO].gated = True
    page = shop.open(Page.SEARCH).search
    page.open_repo(REPO)
    shop.wait(page.repository.rows)
    assert page.repository.asks_for_token()
    assert "to be accepted on its page" in page.repository.facts()
    row = page.repository._token
    (field,) = row.findChildren(QLineEdit)
    field.setText("not a token")
    row._save.click()
    shop.wait(lambda: "cannot be an access token" in row.said())
    field.setText("hf_revoked")
    row._save.click()
    shop.wait(lambda: "does not accept the access token" in row.said())
    field.setText(GOOD_TOKEN)
    row._save.click()
    shop.wait(lambda: "The token of tester is in place." in row.said())
    assert "no keyring" in row.said(), "it is said that the token will be forgotten"
    shop.wait(lambda: page.repository.rows() and not page.repository.asks_for_token())
    page.repository.rows()[0].button().click()
    shop.wait((shop.at.models / REPO / NAME).is_file)


def test_closing_the_dialog_forgets_a_question_in_flight(shop: Shop) -> None:
    page = shop.open(Page.SEARCH).search
    page.type_text("gguf")
    page.search()
    shop.dialog.close()
    shop.wait(lambda: shop.stage.application.models.dialog is None)
    assert found(shop).texts(), "and the next dialog asks anew"
