"""The views of the selected query, and the one of them that is at home here: why it costs that."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from dpdesk.composition import Composed
from dpdesk.cost import format_epsilon
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.plan.accuracy_plots import CentralAccuracyPlot
from dpdesk.gui.pages.plan.belief_plot import QueryBelief
from dpdesk.gui.pages.plan.law_plots import ReleaseLawPlot
from dpdesk.gui.pages.plan.plan_view import PlanView
from dpdesk.gui.widgets.boxes import lay_column, scrolled
from dpdesk.gui.widgets.plain_text import PlainLabel, literal
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.read_table import PaddedDelegate
from dpdesk.i18n import N_
from dpdesk.plan import Plan
from dpdesk.plan.checks.statistics import bind_queries
from dpdesk.preview import significant
from dpdesk.preview.central import QueryRequest
from dpdesk.queries.bound import composed

_SIX = Decimal("0.000001")
_TREE_MIN = 150
_EXPLAINED = Qt.ItemDataRole.UserRole


class WhyView(PlanView):
    """Sentences on the sensitivity, and below them the tree of what is composed."""

    title = N_("Why")

    def compose(self) -> None:
        self._shown: tuple[object, ...] = ()
        self.derivation = PlainLabel("", wrap=True, parent=self)
        self.tree = QTreeWidget(self)
        self.tree.setItemDelegate(PaddedDelegate(self))
        self.tree.setUniformRowHeights(True)
        self.tree.setAccessibleName(self.tr("What the total is made of"))
        self.tree.setHeaderLabels([self.tr("Composed of"), self.tr("ε")])
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        heads = self.tree.header()
        heads.setStretchLastSection(False)
        heads.setSectionsClickable(False)
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        heads.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.explanation = PlainLabel("", "caption", wrap=True, parent=self)
        self.explanation.setMinimumHeight(2 * self.explanation.fontMetrics().height())
        self.tree.setMinimumHeight(_TREE_MIN)
        inside = QWidget(self)
        area = scrolled(inside)
        area.setObjectName("problemList")
        lay_column(area, on=self)
        lay_column(
            PlainLabel(self.tr("How far one respondent moves it"), "strong"),
            self.derivation,
            4,
            PlainLabel(self.tr("What everything together costs"), "strong"),
            (self.tree, 1),
            self.explanation,
            spacing=6,
            margins=(0, 0, 4, 0),
            on=inside,
        )
        self.tree.currentItemChanged.connect(lambda *_: self._explain())

    def show_request(self, request: QueryRequest, plan: Plan) -> None:
        shown = (request, plan.statistics, plan.columns)
        if shown == self._shown:
            return
        self._shown = shown
        self.derivation.setText("\n".join(_derivation(request)))
        self.tree.clear()
        try:
            root = composed(bind_queries(plan))
        except DpdeskError as error:
            self.explanation.setText(str(error))
            return
        top = self._item(root)
        self.tree.addTopLevelItem(top)
        top.setExpanded(True)
        self.tree.setCurrentItem(top)

    def table_title(self) -> str:
        return self.tree.accessibleName()

    def table_data(self) -> PlotTable:
        rows: list[tuple[str, ...]] = []
        pending = [self.tree.topLevelItem(i) for i in range(self.tree.topLevelItemCount())]
        while pending:
            item = pending.pop(0)
            if item is None:
                continue
            rows.append((item.text(0), item.text(1), item.data(0, _EXPLAINED)))
            pending = [item.child(i) for i in range(item.childCount())] + pending
        heads = (self.tr("Composed of"), self.tr("ε"), self.tr("Why"))
        return PlotTable(heads, tuple(rows))

    def _item(self, node: Composed) -> QTreeWidgetItem:
        item = QTreeWidgetItem([literal(node.title), _short(node.cost.epsilon)])
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(0, _EXPLAINED, node.explanation)
        for child in node.children:
            item.addChild(self._item(child))
        return item

    def _explain(self) -> None:
        item = self.tree.currentItem()
        self.explanation.setText("" if item is None else item.data(0, _EXPLAINED))


def _short(epsilon: Decimal) -> str:
    """An epsilon with six decimals at the most, rounded up."""
    return format_epsilon(epsilon.quantize(_SIX, ROUND_CEILING))


def _derivation(request: QueryRequest) -> list[str]:
    """One sentence per part, with the noise that follows from it."""
    parts = request.bound.parts
    of_parts = {part.derivation for part in parts}
    sentences = [each for each in dict.fromkeys(request.bound.derivations) if each not in of_parts]
    for part in parts:
        scale = significant(part.noise.scale * part.step, 3)
        epsilon = _short(part.noise.epsilon)
        unit = "" if part.step == 1 else f" ({significant(part.noise.scale, 3)} steps)"
        sentences.append(
            f"{part.name.capitalize()}: {part.derivation} At ε = {epsilon} that takes noise of "
            f"scale {scale}{unit}."
        )
    return sentences


QUERY_VIEWS: tuple[type[PlanView], ...] = (
    ReleaseLawPlot,
    CentralAccuracyPlot,
    QueryBelief,
    WhyView,
)
"""Every view of a statistic, in the order of the tabs. Adding one is a word here."""
