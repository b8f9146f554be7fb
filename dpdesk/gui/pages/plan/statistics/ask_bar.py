"""Below the table of queries: a menu of the kinds, and a line to ask in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.statistics.query_edits import QueryEdits
from dpdesk.gui.pages.plan.statistics.query_words import kind_title
from dpdesk.gui.pages.plan.statistics.starting import can_start, starting_query
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.queries import QUERIES
from dpdesk.queries.phrase import EXAMPLES


class AskBar(QWidget):
    """Adds queries.

    Args:
        document: What queries are about.
        edits: Where edits go.
        theme: The switch that colours follow.
        parent: Qt's owner.

    Attributes:
        added: A query was added at the end of the list.
    """

    added = Signal()

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
        self._edits = edits
        self.add = QPushButton(self.tr("A&dd"), self)
        self.add.setAccessibleDescription(self.tr("A statistic, by its kind"))
        IconBond(self.add, theme, "plus", "text")
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
