"""What nobody sees costs nothing: hidden pages and panes follow when they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.data import DataPage
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.plan import PlanPage, plan_header, plan_models
from dpdesk.gui.pages.plan.law_plots import NoisePlot
from dpdesk.gui.pages.plan.plan_models import EPSILON
from dpdesk.gui.pages.release import ReleasePage
from dpdesk.gui.pages.risk import RiskPage
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.plan import Plan, mechanism_at
from dpdesk.queries import Count
from dpdesk.releases.statistics import STATISTICS
from tests.gui.plan.survey_plans import survey_plan


@pytest.fixture
def stack(document: Document) -> Iterator[Callable[[type[Page]], tuple[QStackedWidget, Page]]]:
    """A page beside another one, of which one is shown, as in the window."""
    made: list[QStackedWidget] = []

    def open_with(kind: type[Page]) -> tuple[QStackedWidget, Page]:
        shown = QStackedWidget()
        made.append(shown)
        shown.resize(1240, 780)
        page = kind(document)
        shown.addWidget(page)
        shown.addWidget(QWidget())
        shown.show()
        return shown, page

    yield open_with
    for shown in made:
        shown.widget(0).shut_down()  # type: ignore[attr-defined]
        shown.close()
        shown.deleteLater()


def dear(plan: Plan, epsilon: str) -> Plan:
    """The plan with another epsilon of its first attribute and of its first statistic."""
    mechanism = plan.column("happy").mechanism
    assert mechanism is not None
    changed = plan.with_column("happy", mechanism=mechanism_at(mechanism, Decimal(epsilon)))
    query = plan.statistics.queries[0].changed(epsilon=Decimal(epsilon))
    return changed.with_fields(statistics=plan.statistics.with_query(0, query))


@pytest.fixture
def asked(document: Document) -> Document:
    """A document with attributes and a statistic."""
    plan = survey_plan()
    count = Count(by=("happy",), epsilon=Decimal(1))
    document.reset(plan.with_fields(statistics=plan.statistics.with_queries((count,))))
    return document


def test_that_hidden_records_compute_nothing_and_show_the_new_plan_when_they_are_shown(
    asked: Document,
    stack: Callable[[type[Page]], tuple[QStackedWidget, Page]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown, page = stack(PlanPage)
    assert isinstance(page, PlanPage)
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(tabs.position(NoisePlot))
    shown.setCurrentIndex(1)
    computed: list[str] = []
    seen, rows = (
        page.records.panel.tabs.view(NoisePlot).plot.table_data(),
        page.records.model,
    )
    before = rows.index(0, EPSILON).data()
    for home, name in ((plan_header, "losses_texts"), (plan_models, "figures")):
        original = getattr(home, name)
        monkeypatch.setattr(
            home, name, lambda *a, n=name, f=original: (computed.append(n), f(*a))[1]
        )
    for pane in (page.records, page.statistics):
        for part in (pane.header, pane.model, pane.panel):
            for name in ("refresh", "follow"):
                if hasattr(part, name):
                    original = getattr(part, name)
                    monkeypatch.setattr(
                        part, name, lambda n=name, f=original: (computed.append(n), f())[1]
                    )
    asked.edit("x", dear(asked.plan, "3"))
    assert computed == []
    assert rows.index(0, EPSILON).data() == before
    shown.setCurrentIndex(0)
    assert "follow" in computed
    assert rows.index(0, EPSILON).data() == "3.00"
    assert page.records.panel.epsilon.epsilon() == 3
    assert page.records.panel.tabs.view(NoisePlot).plot.table_data() != seen


def test_that_statistics_behind_the_records_follow_when_they_are_chosen(
    asked: Document, stack: Callable[[type[Page]], tuple[QStackedWidget, Page]]
) -> None:
    _, page = stack(PlanPage)
    assert isinstance(page, PlanPage)
    behind = page.statistics
    said = behind.header.budget.accessibleDescription()
    asked.edit("x", dear(asked.plan, "3"))
    assert behind.model.index(0, EPSILON).data() == "1.00"
    assert behind.panel.epsilon.epsilon() == 1
    asked.set_release_kind(STATISTICS)
    assert behind.model.index(0, EPSILON).data() == "3.00"
    assert behind.panel.epsilon.epsilon() == 3
    assert behind.header.budget.accessibleDescription() != said
    # Now the records are behind.
    asked.edit("x", dear(asked.plan, "2"))
    assert page.records.model.index(0, EPSILON).data() == "3.00"
    page.select("happy")
    assert page.records.model.index(0, EPSILON).data() == "2.00"


@pytest.mark.parametrize("kind", [DataPage, PlanPage, ReleasePage, RiskPage])
def test_that_a_page_that_is_hidden_refreshes_no_part_of_it(
    kind: type[Page],
    asked: Document,
    stack: Callable[[type[Page]], tuple[QStackedWidget, Page]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown, page = stack(kind)
    run: list[WhenShown] = []
    for follower in page.findChildren(WhenShown):
        original = follower._run
        monkeypatch.setattr(
            follower, "_run", lambda one=follower, f=original: (run.append(one), f())[1]
        )
    shown.setCurrentIndex(1)
    texts: list[object] = []
    for widget in page.findChildren(QWidget):
        for name in ("setText", "set_text", "setToolTip"):
            if hasattr(widget, name):
                monkeypatch.setattr(widget, name, lambda *said: texts.append(said))
    title = asked.plan.details.model_copy(update={"title": "A survey by another name"})
    asked.edit("x", dear(asked.plan, "3").with_fields(details=title))
    assert run == []
    assert texts == []
    monkeypatch.undo()
    shown.setCurrentIndex(0)
    assert "A survey by another name" in {
        label.text() for label in page.findChildren(QLabel) if label.isVisible()
    }
    followers = page.findChildren(WhenShown)
    assert not any(one._stale for one in followers if one._widget.isVisible())
