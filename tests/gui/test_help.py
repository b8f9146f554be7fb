from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from pytestqt.qtbot import QtBot

from dpdesk.gui.help import HelpPages, HelpWindow, find_in_help, unknown_words
from dpdesk.resources import resource_root

PAGES = sorted(
    str(path.relative_to(resource_root() / "docs").with_suffix("").as_posix())
    for path in (resource_root() / "docs").rglob("*.md")
)


@pytest.mark.parametrize("page", PAGES)
def test_that_every_link_of_a_page_leads_to_a_page(qtbot: QtBot, page: str) -> None:
    pages = HelpPages()
    qtbot.addWidget(pages)
    text = (resource_root() / "docs" / f"{page}.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+\.md)\)", text):
        pages.show_page(page)
        with qtbot.waitSignal(pages.pageChanged) as shown:
            pages.anchorClicked.emit(QUrl(link))
        assert Path(resource_root() / "docs" / f"{shown.args[0]}.md").name == Path(link).name


def test_that_every_page_but_decisions_can_be_reached_from_the_first(qtbot: QtBot) -> None:
    reached, open_pages = set(), ["help"]
    while open_pages:
        page = open_pages.pop()
        reached.add(page)
        text = (resource_root() / "docs" / f"{page}.md").read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#]+)\.md\)", text):
            target = posixpath.normpath((Path(page).parent / link).as_posix())
            if target not in reached:
                open_pages.append(target)
    own_entry = {"licence"}
    assert reached | own_entry == {page for page in PAGES if not page.startswith("decisions/")}


def test_that_no_link_leaves_the_help(qtbot: QtBot, tmp_path: Path) -> None:
    pages = HelpPages()
    qtbot.addWidget(pages)
    outside = tmp_path / "secret.md"
    outside.write_text("outside", encoding="utf-8")
    pages.show_page("help")
    before = pages.toPlainText()
    for link in ("https://example.org/help.md", "../../README.md", outside.as_uri()):
        pages.anchorClicked.emit(QUrl(link))
    assert pages.toPlainText() == before


def test_that_back_returns_to_the_page_before(qtbot: QtBot) -> None:
    window = HelpWindow()
    qtbot.addWidget(window)
    window.show_page("help")
    assert "anonym" not in window.pages.toPlainText()
    assert "tutorial" not in window.pages.toPlainText()
    assert not window.pages.can_go_back
    window.pages.anchorClicked.emit(QUrl("mechanisms/grr.md"))
    window.pages.anchorClicked.emit(QUrl("../epsilon.md"))
    window.pages.go_back()
    assert window.pages.toPlainText().startswith("Generalized")
    window.pages.go_back()
    assert window.pages.toPlainText().startswith("Help")
    assert not window.pages.can_go_back


def test_that_words_are_found_the_page_about_them_first() -> None:
    hits = find_in_help("Randomized RESPONSE")
    assert "randomized response" in hits[0].title.lower()
    assert all(hit.count >= 2 for hit in hits)
    assert find_in_help("  ") == ()
    assert find_in_help("randomized quokka") == ()
    assert any("linkage" in hit.excerpt.lower() for hit in find_in_help("linkage"))
    assert find_in_help("randomised") == find_in_help("randomized") != ()
    assert "presenting" in [hit.page for hit in find_in_help("keyboard")]
    # Declared words are found though no page says them, and users' pages come before decisions.
    for words, page in (
        ("k-anonymity", "disclosure"), ("anonymise", "disclosure"), ("GDPR", "disclosure"),
        ("password", "formats"), ("tour", "help"),
        ("font size", "help"), ("tallies", "presenting"), ("beads", "simulate"),
        ("workshop", "demonstrations"), ("sample size", "sample-planning"),
    ):  # fmt: skip
        assert find_in_help(words)[0].page == page, words
    for words in ("epsilon", "noise", "file", "release", "interval"):
        pages = [hit.page.startswith("decisions/") for hit in find_in_help(words)]
        assert pages == sorted(pages), words
        assert "keywords" not in " ".join(hit.excerpt for hit in find_in_help(words))
    assert unknown_words("Quokka noise") == ("Quokka",)
    # Words that stand together come before the same words far apart; a title is not said twice.
    assert "two coins" in find_in_help("two coins")[0].excerpt.lower()
    for hit in find_in_help("the"):
        assert not hit.excerpt.lstrip("…").startswith(hit.title)
        assert "---" not in hit.excerpt


def test_that_a_hit_is_shown_with_its_words_marked(qtbot: QtBot) -> None:
    window = HelpWindow()
    qtbot.addWidget(window)
    window.show_page("help")
    assert window.hits.isHidden()
    qtbot.keyClicks(window.search, "ledger cap")
    assert window.hits.count() == len(find_in_help("ledger cap")) > 0
    qtbot.keyClick(window.search, Qt.Key.Key_Return)
    marked = [mark.cursor.selectedText().lower() for mark in window.pages.extraSelections()]
    assert {"ledger", "cap"} <= set(marked)
    assert window.pages.textCursor().selectedText().lower() in ("ledger", "cap")
    window.search.setText("quokka noise")
    assert "“quokka”" in window.none.text()
    assert "Contents" in window.none.text()
    assert window.hits.isHidden()
    window.search.clear()
    assert window.pages.extraSelections() == []
