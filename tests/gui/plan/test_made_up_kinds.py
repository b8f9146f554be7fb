"""What no other file names has its place in the window too: a mechanism, a query, a view."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.accuracy_plots import CentralAccuracyPlot
from dpdesk.gui.pages.plan.attribute_views import ATTRIBUTE_VIEWS, LossPlot
from dpdesk.gui.pages.plan.choice_view import ChoiceView
from dpdesk.gui.pages.plan.law_plots import NoisePlot, ReleaseLawPlot
from dpdesk.gui.pages.plan.plan_models import MECHANISM, NAME
from dpdesk.gui.pages.plan.query_views import QUERY_VIEWS
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.gui.widgets.plot_table import PlotTableDialog
from dpdesk.mechanisms import MECHANISMS
from dpdesk.plan import Plan
from dpdesk.queries import QUERIES
from dpdesk.releases.statistics import STATISTICS
from tests.gui.plan.survey_plans import survey_plan
from tests.gui.test_accessibility import nameless
from tests.kinds.odds_view import OddsView
from tests.kinds.registered import registered
from tests.kinds.tail import Tail
from tests.kinds.timid_response import TimidResponse


def test_that_a_made_up_mechanism_has_its_form_its_pictures_and_its_row(
    document: Document, open_page: Callable[[Plan], PlanPage]
) -> None:
    with registered(MECHANISMS, TimidResponse):
        page = open_page(survey_plan())
        page.select("happy")
        page.records.edits.set_mechanism("happy", "timid_response")
        panel = page.records.panel
        assert page.records.panel.assignment.currentText() == TimidResponse.title
        assert page.records.table.model().index(0, MECHANISM).data() == TimidResponse.short
        assert list(page.records.panel.parameters.fields) == ["parts"]
        half = [bar[1] for bar in panel.tabs.view(NoisePlot).plot.table_data().rows]
        field = page.records.panel.parameters.fields["parts"]
        field.setText("1")
        field.commit()
        chosen = document.plan.column("happy").mechanism
        assert isinstance(chosen, TimidResponse)
        assert chosen.parts == 1
        assert [bar[1] for bar in panel.tabs.view(NoisePlot).plot.table_data().rows] != half
        field.setText("21")
        field.commit()
        assert page.records.panel.parameters.refusal()
        for number in range(panel.tabs.tabs.count()):
            panel.tabs.tabs.setCurrentIndex(number)
        listed = panel.tabs.view(ChoiceView).model
        shorts = [str(listed.index(row, 0).data()) for row in range(listed.rowCount())]
        assert f"✓ {TimidResponse.short}" in shorts
        assert panel.tabs.view(LossPlot).plots.law.table_data().rows
        assert nameless(page) == []
        document.undo_stack.undo()
        document.undo_stack.undo()
        assert document.plan.column("happy") == survey_plan().column("happy")


def test_that_a_made_up_query_has_its_button_its_form_and_its_pictures(
    document: Document, open_page: Callable[[Plan], PlanPage]
) -> None:
    with registered(QUERIES, Tail):
        view = open_page(survey_plan()).statistics
        document.set_release_kind(STATISTICS)
        assert view.kinds.buttons["tail"].text() == Tail.title
        view.kinds.buttons["tail"].click()
        assert document.plan.statistics.queries == (Tail(column="age"),)
        fields = view.panel.form.fields
        assert list(fields) == ["column", "side", "bound", "where", "noise"]
        side, bound = fields["side"], fields["bound"]
        assert isinstance(side, ChoiceBox)
        assert [side.itemText(row) for row in range(side.count())] == ["above", "below"]
        side.setCurrentIndex(1)
        side.activated.emit(1)
        assert isinstance(bound, CommitLine)
        assert (bound.accessibleName(), bound.toolTip()) == (
            "Bound",
            plain_tooltip("Not counted itself"),
        )
        bound.setText("30,5")
        bound.commit()
        bound.setText("thirty")
        bound.commit()
        assert view.panel.form.refusal()
        (query,) = document.plan.statistics.queries
        assert query == Tail(column="age", side="below", bound=Decimal("30.5"))
        assert view.model.index(0, NAME).data() == "tail of age below 30.5"
        for number in range(view.panel.tabs.tabs.count()):
            view.panel.tabs.tabs.setCurrentIndex(number)
        assert len(view.panel.tabs.view(ReleaseLawPlot).plot.table_data().rows) > 1
        assert len(view.panel.tabs.view(CentralAccuracyPlot).by_epsilon.table_data().rows) > 1
        assert view.edits.ask('tail of income above 40 where happy is "not too happy"') == ""
        assert len(document.plan.statistics.queries) == 2
        assert Tail.examples[0] in view.ask.phrase.toolTip()
        assert nameless(view) == []


def test_that_a_made_up_view_is_a_tab_of_attributes_and_of_statistics(
    document: Document, open_page: Callable[[Plan], PlanPage]
) -> None:
    with registered(ATTRIBUTE_VIEWS, OddsView), registered(QUERY_VIEWS, OddsView):
        page = open_page(survey_plan())
        page.select("happy")
        tabs = page.records.panel.tabs
        last = tabs.tabs.count() - 1
        assert (tabs.tabs.tabText(last), tabs.tabs.tabToolTip(last)) == ("Odds", OddsView.meaning)
        tabs.tabs.setCurrentIndex(last)
        assert tabs.view(OddsView).words.text() == "1 to 1 becomes 7.39 to 1"
        page.select("affairs")
        assert tabs.view(OddsView).words.text() == "1 to 1 becomes 2.72 to 1"
        tabs.numbers.click()
        assert page.window().findChildren(PlotTableDialog)[-1].isVisible()
        document.set_release_kind(STATISTICS)
        page.statistics.ask.kinds["count"].trigger()
        tabs = page.statistics.panel.tabs
        tabs.tabs.setCurrentIndex(tabs.tabs.count() - 1)
        assert tabs.view(OddsView).words.text() == "1 to 1 becomes 2.72 to 1"
        assert nameless(page) == []
