"""The head of the statistics: the survey, their budget, whom they protect."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.budget_editor import BudgetEditor
from dpdesk.gui.pages.plan.statistics.query_edits import QueryEdits
from dpdesk.gui.pages.plan.statistics.unit_strip import UnitStrip
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetSegment
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.plan import errors_of

_BAR_MIN, _BAR_MAX = 268, 346


class StatisticsHeader(QWidget):
    """Title, budget bar with its buttons, and Release; the privacy unit below.

    Args:
        document: What is shown.
        edits: Where edits go.
        theme: The switch that colours follow.
        parent: Qt's owner.

    Attributes:
        releaseAsked: The button of the release was clicked.
    """

    releaseAsked = Signal()

    def __init__(
        self,
        document: Document,
        edits: QueryEdits,
        theme: ThemeSwitch,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.words = PageHeader(parent=self)
        self.budget = BudgetBar(theme, parent=self)
        self.change_budget = self._small_button(theme, "pencil", self.tr("Change the budget…"))
        self.split = self._small_button(
            theme, "refresh", self.tr("Split the budget evenly over the statistics not locked")
        )
        self.release = QPushButton(self.tr("Relea&se…"), self)
        self.release.setProperty("look", "primary")
        IconBond(self.release, theme, "play", "accent_text")
        self.kind = ReleaseKindSwitch(document, parent=self)
        self.unit = UnitStrip(document, edits, theme, parent=self)
        self.editor = BudgetEditor(parent=self)
        self.editor.split.setToolTip(
            self.tr("Splits it evenly over the statistics that are not locked")
        )
        self.editor.budgetTyped.connect(lambda budget, split: edits.set_budget(budget, split=split))
        self.change_budget.clicked.connect(self.edit_budget)
        self.split.clicked.connect(edits.resplit)
        self.release.clicked.connect(self.releaseAsked)
        small = QHBoxLayout()
        small.setSpacing(0)
        small.setContentsMargins(0, 0, 6, 0)
        small.addWidget(self.change_budget)
        small.addWidget(self.split)
        buttons = QWidget(self)
        buttons.setLayout(small)
        self.budget.setMinimumWidth(_BAR_MIN)
        self.budget.setMaximumWidth(_BAR_MAX)
        for widget in (self.budget, buttons, self.release):
            self.words.add_widget(widget)
        strip = QHBoxLayout()
        strip.setSpacing(14)
        strip.addWidget(self.kind)
        strip.addWidget(self.unit, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.words)
        column.addLayout(strip)
        for signal in (document.planChanged, document.problemsChanged, document.tableChanged):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Shows what the document now says."""
        plan, table = self._document.plan, self._document.table
        source = "" if table is None else table.name
        self.words.set_title(plan.details.title or source or self.tr("New plan"))
        self.words.set_subtitle(self._facts())
        queries = plan.statistics.queries
        segments = tuple(
            BudgetSegment(query.heading, query.epsilon, series)
            for series, query in enumerate(queries)
        )
        self.budget.set_budget(segments, plan.statistics.budget)
        self.split.setEnabled(bool(queries) and plan.statistics.budget is not None)
        self.release.setEnabled(bool(queries))
        problems = len(errors_of(self._document.problems))
        self.release.setToolTip(
            self.tr("{count} problems stand in the way; Release lists them").format(count=problems)
            if problems
            else self.tr("Go on to Release (Ctrl+Return)")
        )

    def edit_budget(self) -> None:
        """Opens the field of the budget."""
        self.editor.open_below(self.change_budget, self._document.plan.statistics.budget)

    def _facts(self) -> str:
        plan = self._document.plan
        count = plan.respondents
        people = (
            self.tr("number of rows not stated")
            if count is None
            else self.tr("{count} rows").format(count=f"{count:,}")
        )
        asked = self.tr("{count} statistics").format(count=f"{len(plan.statistics.queries):,}")
        model = self.tr("central model: the file is trusted, its statistics get noise")
        return f"{people} · {asked} · {model}"

    def _small_button(self, theme: ThemeSwitch, icon_name: str, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setAutoRaise(True)
        button.setIconSize(QSize(16, 16))
        button.setAccessibleName(name)
        button.setToolTip(name)
        IconBond(button, theme, icon_name, "muted")
        return button
