"""What can be asked: shown in place of the table while nothing is."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.statistics.query_words import kind_title
from dpdesk.gui.pages.plan.statistics.starting import can_start
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.queries import QUERIES


class KindsView(QScrollArea):
    """One button per kind of query with a sentence on what it tells.

    Args:
        document: What queries are about.
        theme: The switch that colours follow.
        parent: Qt's owner.

    Attributes:
        kindChosen: Emitted with the kind whose button was clicked.
    """

    kindChosen = Signal(str)

    def __init__(
        self, document: Document, theme: ThemeSwitch, *, parent: QWidget | None = None
    ) -> None:
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
        document.planChanged.connect(lambda *_: self._enable())
        self._enable()

    def _enable(self) -> None:
        for key, button in self.buttons.items():
            button.setEnabled(can_start(self._document.plan, key))
