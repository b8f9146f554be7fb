"""Where statistics are added: a button for each kind, a menu of them, and a line in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QWidget,
)

from dpdesk.gui.icons import IconBond, IconButton
from dpdesk.gui.pages.plan.edits import QueryEdits
from dpdesk.gui.pages.plan.words import kind_title
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.offering_line import OfferingLine
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.queries import QUERIES, Query
from dpdesk.queries.phrase_offers import completions, examples


class KindsView(QScrollArea):
    """One button per kind of query with a sentence on what it tells.

    Args:
        edits: What a kind begins with.

    Attributes:
        kindChosen: Emitted with the kind whose button was clicked.
    """

    kindChosen = Signal(object)

    def __init__(self, edits: QueryEdits, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._edits = edits
        self.setObjectName("problemList")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        whole = lay_column(spacing=10, margins=(12, 10, 12, 10), on=inside)
        asks = self.tr("What do you want to know of the file?")
        meaning = self.tr(
            "Each statistic gets noise that hides any one respondent; its error is shown before "
            "anything is released. Nothing is drawn until then."
        )
        whole.addWidget(PlainLabel(asks, "heading", wrap=True, parent=inside))
        whole.addWidget(PlainLabel(meaning, "muted", wrap=True, parent=inside))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self._summaries: list[PlainLabel] = []
        self.buttons: dict[str, QPushButton] = {}
        for kind in QUERIES:
            button = QPushButton(kind_title(kind), inside)
            summary = QCoreApplication.translate("Query", kind.summary)
            button.setAccessibleDescription(summary)
            button.clicked.connect(lambda _=False, kind=kind: self.kindChosen.emit(kind))
            self.buttons[kind.tag()] = button
            self._summaries.append(PlainLabel(summary, "caption", wrap=True, parent=inside))
        for row, pair in enumerate(zip(self.buttons.values(), self._summaries, strict=True)):
            for column, widget in enumerate(pair):
                self._grid.addWidget(widget, row, column)
        whole.addLayout(self._grid)
        whole.addStretch(1)
        self.setWidget(inside)

        self.refresh()

    def refresh(self) -> None:
        """Offers the kinds that the plan has a column for."""
        for kind, button in zip(QUERIES, self.buttons.values(), strict=True):
            button.setEnabled(self._edits.starting(kind) is not None)


class AskBar(QWidget):
    """Adds queries.

    Args:
        edits: Where edits go.

    Attributes:
        added: A query was added at the end of the list.
        duplicate, remove: Buttons for the query that is selected.
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
        self.phrase = OfferingLine(
            self.tr("Ask in words"),
            lambda text: completions(text, edits.domains()),
            parent=self,
        )
        self.phrase.setPlaceholderText(
            self.tr("or ask: {example}").format(example="mean of age by sex")
        )
        listed = "\n".join((self.tr("Such as:"), *examples()))
        self.phrase.setToolTip(plain_tooltip(listed))
        self._refusal = RefusalLabel(parent=self)
        self.note = PlainLabel("", "muted", wrap=True, parent=self)
        self.note.hide()
        copy, delete = self.tr("Duplicate this statistic"), self.tr("Remove this statistic (Del)")
        self.duplicate = IconButton("content-copy", copy, parent=self)
        self.remove = IconButton("delete", delete, parent=self)
        row = lay_row(self.add, (self.phrase, 1), self.duplicate, self.remove, spacing=8)
        lay_column(self._refusal, self.note, row, spacing=4, margins=(8, 2, 8, 6), on=self)
        self.phrase.committed.connect(self._ask)
        self.phrase.refused.connect(self._refusal.show_sentence)
        self.phrase.textEdited.connect(lambda _: self._tell(""))
        edits.explained.connect(self._tell)

    def show_selected(self, is_any: bool) -> None:
        """Shows what can be done with the selected query, where there is one."""
        for button in (self.duplicate, self.remove):
            button.setVisible(is_any)

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

    def _tell(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def _enable(self) -> None:
        for kind, action in zip(QUERIES, self.kinds.values(), strict=True):
            action.setEnabled(self._edits.starting(kind) is not None)
