"""Where statistics are added: a button for each kind, a menu of them, and a line in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.edits import QueryEdits
from dpdesk.gui.pages.plan.statistics.starting import can_start, starting_query
from dpdesk.gui.pages.plan.words import kind_title
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.queries import QUERIES
from dpdesk.queries.phrase import EXAMPLES


class KindsView(QScrollArea):
    """One button per kind of query with a sentence on what it tells.

    Args:
        document: What queries are about.
        parent: Qt's owner.

    Attributes:
        kindChosen: Emitted with the kind whose button was clicked.
    """

    kindChosen = Signal(str)

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
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
            key = str(kind.model_fields["kind"].default)
            button = QPushButton(kind_title(kind), inside)
            summary = QCoreApplication.translate("Query", kind.summary)
            button.setAccessibleDescription(summary)
            button.clicked.connect(lambda _=False, key=key: self.kindChosen.emit(key))
            self.buttons[key] = button
            grid.addWidget(button, row, 0)
            grid.addWidget(PlainLabel(summary, "caption", wrap=True, parent=inside), row, 1)
        whole.addLayout(grid)
        whole.addStretch(1)
        self.setWidget(inside)

        self.refresh()

    def refresh(self) -> None:
        """Offers the kinds that the plan has a column for."""
        for key, button in self.buttons.items():
            button.setEnabled(can_start(self._document.plan, key))


class AskBar(QWidget):
    """Adds queries.

    Args:
        document: What queries are about.
        edits: Where edits go.
        parent: Qt's owner.

    Attributes:
        added: A query was added at the end of the list.
    """

    added = Signal()

    def __init__(
        self, document: Document, edits: QueryEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._edits = edits
        self.add = QPushButton(self.tr("A&dd"), self)
        self.add.setAccessibleDescription(self.tr("A statistic, by its kind"))
        IconBond(self.add, "plus", "text")
        self.menu = QMenu(self.add)
        self.menu.setToolTipsVisible(True)
        self.kinds = {}
        for kind in QUERIES:
            key = str(kind.model_fields["kind"].default)
            action = self.menu.addAction(kind_title(kind))
            action.setToolTip(QCoreApplication.translate("Query", kind.summary))
            action.triggered.connect(lambda _=False, key=key: self.start(key))
            self.kinds[key] = action
        self.menu.aboutToShow.connect(self._enable)
        self.add.setMenu(self.menu)
        self.phrase = CommitLine(self.tr("Ask in words"), parent=self)
        self.phrase.setPlaceholderText(
            self.tr("or ask in words: {example}").format(example="count by sex where age >= 65")
        )
        examples = "\n".join((self.tr("Such as:"), *EXAMPLES))
        self.phrase.setToolTip(plain_tooltip(examples))
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

    def start(self, kind: str) -> None:
        """Adds a query of a kind."""
        if can_start(self._document.plan, kind):
            self._edits.add(starting_query(self._document.plan, kind))
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
        for key, action in self.kinds.items():
            action.setEnabled(can_start(self._document.plan, key))
