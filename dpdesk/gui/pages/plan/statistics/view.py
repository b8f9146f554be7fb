"""The Plan page's other half: statistics of a trusted file, built like its attributes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.new_action import new_action
from dpdesk.gui.pages.plan.attribute_model import EPSILON, ERROR, MECHANISM, TYPE
from dpdesk.gui.pages.plan.attribute_table import AttributeTable
from dpdesk.gui.pages.plan.statistics.query_edits import QueryEdits
from dpdesk.gui.pages.plan.statistics.query_model import QueryModel
from dpdesk.gui.pages.plan.statistics.query_panel import QueryPanel
from dpdesk.gui.pages.plan.statistics.query_problems import query_of
from dpdesk.gui.pages.plan.statistics.query_words import kind_title
from dpdesk.gui.pages.plan.statistics.statistics_header import StatisticsHeader
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.throttle import Throttle
from dpdesk.queries import QUERIES, Query
from dpdesk.queries.phrase import examples

# Widths at 10 pt, measured with "24 numbers", "Discrete Laplace", a lock before "0.8889" and
# "± 16.3 pp rank"; the first column takes the rest.
_WIDTHS = {TYPE: 92, MECHANISM: 122, EPSILON: 78, ERROR: 106}
_NARROW = {TYPE: 0, MECHANISM: 78, EPSILON: 68, ERROR: 106}
_NARROW_BELOW = 540


class QueryTable(AttributeTable):
    """Questions are longer than names: where room is short, what they give is left out.

    Args:
        model: What is shown.
        parent: Qt's owner.
    """

    def __init__(self, model: QueryModel, *, parent: QWidget | None = None) -> None:
        super().__init__(model, name=self.tr("Statistics"), parent=parent)

    def _share_width(self) -> None:
        narrow = self.viewport().width() < _NARROW_BELOW
        for column, width in (_NARROW if narrow else _WIDTHS).items():
            self.setColumnHidden(column, width == 0)
            if width and self.columnWidth(column) != width:
                self.setColumnWidth(column, width)


class KindsView(QScrollArea):
    """One button per kind of query with a sentence on what it tells.

    Args:
        document: What queries are about.
        edits: What a kind begins with.
        parent: Qt's owner.

    Attributes:
        kindChosen: Emitted with the kind whose button was clicked.
    """

    kindChosen = Signal(object)

    def __init__(
        self, document: Document, edits: QueryEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._edits = edits
        self.setObjectName("problemList")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(12, 10, 12, 10)
        whole.setSpacing(10)
        asks = self.tr("What do you want to know of the file?")
        meaning = self.tr(
            "Each statistic gets noise that hides any one respondent; its error is shown before "
            "anything is released. Nothing is drawn until then."
        )
        whole.addWidget(PlainLabel(asks, "heading", wrap=True, parent=inside))
        whole.addWidget(PlainLabel(meaning, "muted", wrap=True, parent=inside))
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self.buttons: dict[str, QPushButton] = {}
        for row, kind in enumerate(QUERIES):
            button = QPushButton(kind_title(kind), inside)
            summary = QCoreApplication.translate("Query", kind.summary)
            button.setAccessibleDescription(summary)
            button.clicked.connect(lambda _=False, kind=kind: self.kindChosen.emit(kind))
            self.buttons[kind.tag()] = button
            grid.addWidget(button, row, 0)
            grid.addWidget(PlainLabel(summary, "caption", wrap=True, parent=inside), row, 1)
        whole.addLayout(grid)
        whole.addStretch(1)
        self.setWidget(inside)
        document.planChanged.connect(lambda *_: self._enable())
        self._enable()

    def _enable(self) -> None:
        for kind, button in zip(QUERIES, self.buttons.values(), strict=True):
            button.setEnabled(self._edits.starting(kind) is not None)


class AskBar(QWidget):
    """Adds queries.

    Args:
        edits: Where edits go.
        parent: Qt's owner.

    Attributes:
        added: A query was added at the end of the list.
    """

    added = Signal()

    def __init__(self, edits: QueryEdits, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._edits = edits
        self.add = QPushButton(self.tr("A&dd"), self)
        self.add.setAccessibleDescription(self.tr("A statistic, by its kind"))
        IconBond(self.add, "plus", "text")
        self.menu = QMenu(self.add)
        self.menu.setToolTipsVisible(True)
        self.kinds = {}
        for kind in QUERIES:
            action = self.menu.addAction(kind_title(kind))
            action.setToolTip(QCoreApplication.translate("Query", kind.summary))
            action.triggered.connect(lambda _=False, kind=kind: self.start(kind))
            self.kinds[kind.tag()] = action
        self.menu.aboutToShow.connect(self._enable)
        self.add.setMenu(self.menu)
        self.phrase = CommitLine(self.tr("Ask in words"), parent=self)
        self.phrase.setPlaceholderText(
            self.tr("or ask in words: {example}").format(example="count by sex where age >= 65")
        )
        listed = "\n".join((self.tr("Such as:"), *examples()))
        self.phrase.setToolTip(plain_tooltip(listed))
        self._refusal = RefusalLabel(parent=self)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.add)
        row.addWidget(self.phrase, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 2, 8, 6)
        column.setSpacing(4)
        column.addWidget(self._refusal)
        column.addLayout(row)
        self.phrase.committed.connect(self._ask)
        self.phrase.refused.connect(self._refusal.show_sentence)

    def start(self, kind: type[Query]) -> None:
        """Adds a query of a kind."""
        query = self._edits.starting(kind)
        if query is not None:
            self._edits.add(query)
            self.added.emit()

    def _ask(self, text: str) -> None:
        sentence = self._edits.ask(text)
        if sentence:
            self.phrase.refuse(sentence)
            return
        self.phrase.set_value("")
        if text.strip():
            self.added.emit()

    def _enable(self) -> None:
        for kind, action in zip(QUERIES, self.kinds.values(), strict=True):
            action.setEnabled(self._edits.starting(kind) is not None)


class StatisticsView(QWidget):
    """Queries on the left, the selected one on the right, their budget above both.

    Args:
        document: What is shown and edited.
        parent: Qt's owner.

    Attributes:
        releaseAsked: The user wants to go on to the release.
        pathAsked: Emitted with the path of a problem that is mended elsewhere.
    """

    releaseAsked = Signal()
    pathAsked = Signal(str)

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.edits = QueryEdits(document, self)
        self.header = StatisticsHeader(document, self.edits, parent=self)
        self.notice = NoticeBar(parent=self)
        self.model = QueryModel(document, self)
        self.table = QueryTable(self.model)
        self.kinds = KindsView(document, self.edits, parent=self)
        self.ask = AskBar(self.edits, parent=self)
        self.panel = QueryPanel(document, self.edits)
        self._throttle = Throttle(self.panel.refresh, self)
        self._lay_out()
        self._connect()
        self._actions = self._make_actions()
        self._restore()

    def panes(self) -> list[QWidget]:
        """Header, table, the line to ask, and panel."""
        first = self.table if self.model.rowCount() else self.kinds
        return [self.header, first, self.ask, self.panel]

    def actions_listed(self) -> list[QAction]:
        """What can be done with statistics, for the menu."""
        return list(self._actions)

    def cancel(self) -> bool:
        """Closes the notice, if there is one."""
        if self.notice.isVisible():
            self.notice.clear()
            return True
        return False

    def show_path(self, path: str) -> None:
        """Shows the query, the budget or the unit that a path names."""
        index = query_of(path)
        if index is not None and index < self.model.rowCount():
            self.table.select(index)
            self.panel.focus_field(path.rpartition(".")[2])
        elif path == "statistics.budget":
            self.header.edit_budget()
        elif path.startswith("statistics.unit"):
            self.header.unit.whose.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.model.rowCount():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.ask.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        left = Card(margin=4, parent=self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.kinds)
        left.body.addWidget(self._stack, 1)
        left.body.addWidget(self.ask)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(12)
        split.addWidget(left)
        split.addWidget(self.panel)
        split.setSizes([614, 614])
        left.setMinimumWidth(330)
        self.panel.setMinimumWidth(400)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.header)
        column.addWidget(self.notice)
        column.addWidget(split, 1)

    def _connect(self) -> None:
        self._document.planChanged.connect(self._refresh)
        self._document.problemsChanged.connect(self._refresh)
        self.model.modelReset.connect(self._restore)
        self.table.attributeSelected.connect(self.panel.show_query)
        self.table.attributeActivated.connect(lambda _row: self.panel.focus_field(""))
        self.table.lockClicked.connect(self.edits.toggle_lock)
        self.ask.added.connect(self._select_last)
        self.kinds.kindChosen.connect(self.ask.start)
        self.header.budget.segmentActivated.connect(self._select_named)
        self.header.releaseAsked.connect(self.releaseAsked)
        self.panel.problemActivated.connect(self.pathAsked)
        self.edits.refused.connect(lambda text: self.notice.show_notice("error", text))

    def _make_actions(self) -> tuple[QAction, ...]:
        listed = (
            (self.tr("&Add a statistic…"), "Ctrl+Shift+A", self.ask.add.showMenu, "plus"),
            (self.tr("Ask in &words"), "Ctrl+K", self._ask, ""),
            (self.tr("D&uplicate statistic"), "Ctrl+D", self._for(self.edits.duplicate), ""),
            (self.tr("&Remove statistic"), "Del", self._for(self.edits.remove), "delete"),
            (self.tr("Move u&p"), "Ctrl+Shift+Up", lambda: self._move(-1), "arrow-up"),
            (self.tr("Move dow&n"), "Ctrl+Shift+Down", lambda: self._move(1), "arrow-down"),
            (self.tr("&Groups…"), "Ctrl+G", self.panel.choose_groups, ""),
            (self.tr("&Conditions…"), "Ctrl+Shift+C", self.panel.choose_conditions, ""),
            (self.tr("&Lock or unlock epsilon"), "Ctrl+L", self._for(self.edits.toggle_lock), ""),
            (self.tr("&Split the budget"), "Ctrl+R", self.edits.resplit, "refresh"),
            (
                self.tr("C&hange the budget…"),
                "Ctrl+Shift+E",
                self.header.edit_budget,
                "pencil",
            ),
            (self.tr("R&elease…"), "Ctrl+Return", self.releaseAsked.emit, "play"),
        )
        made = []
        for text, shortcut, run, icon in listed:
            action = new_action(self, text, shortcut, run, icon)
            self.addAction(action)
            made.append(action)
        # In a line of text, Del deletes a letter.
        made[3].setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.table.addAction(made[3])
        return tuple(made)

    def _for(self, edit: Callable[[int], object]) -> Callable[[], None]:
        def run() -> None:
            if self.panel.index() >= 0:
                edit(self.panel.index())

        return run

    def _ask(self) -> None:
        self.ask.phrase.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _move(self, step: int) -> None:
        index = self.panel.index()
        if index >= 0 and self.edits.move(index, step):
            self.table.select(index + step)

    def _refresh(self) -> None:
        """Shows an edit at once; the many edits of a drag once per frame."""
        if self.panel.epsilon.is_dragging() or not self.isVisible():
            self._throttle.request()
        else:
            self._throttle.flush()

    def _restore(self) -> None:
        count = self.model.rowCount()
        self._stack.setCurrentWidget(self.table if count else self.kinds)
        row = min(max(self.panel.index(), 0), count - 1)
        self.table.select(row)
        self.panel.show_query(row)

    def _select_last(self) -> None:
        self.table.select(self.model.rowCount() - 1)

    def _select_named(self, heading: str) -> None:
        for index, query in enumerate(self._document.plan.statistics.queries):
            if query.heading == heading:
                self.table.select(index)
                return
