"""The view of the Data page when nothing is open."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from dpdesk.gui.icons import IconBond, icon
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import STRETCH, emptied, lay_column, lay_middle, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.number_box import WholeBox
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip

_MOST = 2_000_000_000
_DEFAULT = 1_000


class RespondentsField(WholeBox):
    """A field for a number of respondents, with thousands separators, stepped by hundreds."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(1, _MOST)
        self.setValue(_DEFAULT)
        self.setSingleStep(100)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.setAccessibleName(self.tr("Expected respondents"))
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("2,000,000,000") + 34)


_RECENT_SHOWN = 5
_WIDTH = 640


class StartView(QWidget):
    """Three ways to begin, and the recent files.

    Attributes:
        openAsked: Emitted when the user wants to choose a file.
        fileAsked: Emitted with the `Path` of a dropped or recent file.
        releaseAsked: Emitted when the user wants to open a release that is there.
        sampleAsked: Emitted when the user wants the sample.
        questionnaireAsked: Emitted with the expected number of respondents.
    """

    openAsked = Signal()
    fileAsked = Signal(object)
    releaseAsked = Signal()
    sampleAsked = Signal()
    questionnaireAsked = Signal(int)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self._recent = lay_column(spacing=2)
        cards = (self._file_card(), self._questionnaire_card(), self._recent_card())
        lay_middle(lay_column(*cards, spacing=12), self)
        ThemeSwitch.instance().themeChanged.connect(self._draw)
        self._draw(theme_in_force())

    def show_recent(self, paths: tuple[Path, ...]) -> None:
        """Lists the recent files."""
        emptied(self._recent)
        for path in paths[:_RECENT_SHOWN]:
            self._recent.addWidget(self._recent_line(path))
        self._recent_part.setVisible(bool(paths))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accepts one local file or folder."""
        if _dropped(event.mimeData()) is not None:
            event.acceptProposedAction()
            self._drop.set_tone("accent")

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Removes the highlight."""
        super().dragLeaveEvent(event)
        self._drop.set_tone("heading")

    def dropEvent(self, event: QDropEvent) -> None:
        """Opens the file, or the release in the folder."""
        self._drop.set_tone("heading")
        path = _dropped(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.fileAsked.emit(path)

    def _file_card(self) -> Card:
        card = Card(margin=28, parent=self)
        card.setFixedWidth(_WIDTH)
        self._sign = PlainLabel(parent=card)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._drop = PlainLabel(self.tr("Drop a file of answers here"), "heading", parent=card)
        self._drop.setAlignment(Qt.AlignmentFlag.AlignCenter)
        facts = PlainLabel(
            self.tr("CSV, SPSS, Stata, Excel and more. Nothing leaves this computer."),
            "muted",
            wrap=True,
            parent=card,
        )
        facts.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.open_button = QPushButton(self.tr("&Open a file…"), card)
        self.open_button.setProperty("look", "primary")
        self.open_button.clicked.connect(self.openAsked)
        self.sample_button = QPushButton(
            self.tr("Try the &sample: 6,366 answers of a real survey"), card
        )
        self.sample_button.clicked.connect(self.sampleAsked)
        self.release_button = QPushButton(self.tr("Open a re&lease to analyse…"), card)
        self.release_button.clicked.connect(self.releaseAsked)
        buttons = lay_row(STRETCH, self.open_button, self.sample_button, STRETCH, spacing=10)
        analysed = lay_row(STRETCH, self.release_button, STRETCH)
        for widget in (self._sign, self._drop, facts):
            card.body.addWidget(widget)
        card.body.addSpacing(8)
        card.body.addLayout(buttons)
        card.body.addLayout(analysed)
        card.body.addSpacing(6)
        return card

    def _questionnaire_card(self) -> Card:
        card = Card(margin=20, parent=self)
        card.setFixedWidth(_WIDTH)
        title = PlainLabel(self.tr("No data yet?"), "heading", parent=card)
        facts = PlainLabel(
            self.tr("Plan a survey before it is held: type its questions, see the error."),
            "muted",
            wrap=True,
            parent=card,
        )
        self.respondents = RespondentsField(parent=card)
        label = PlainLabel(self.tr("Expected &respondents"), parent=card)
        label.setBuddy(self.respondents)
        self.questionnaire_button = QPushButton(self.tr("&New questionnaire without data"), card)
        self.questionnaire_button.clicked.connect(
            lambda: self.questionnaireAsked.emit(self.respondents.value())
        )
        row = lay_row(label, self.respondents, STRETCH, self.questionnaire_button, spacing=10)
        card.body.addWidget(title)
        card.body.addWidget(facts)
        card.body.addSpacing(4)
        card.body.addLayout(row)
        return card

    def _recent_card(self) -> Card:
        card = Card(margin=20, parent=self)
        card.setFixedWidth(_WIDTH)
        card.body.addWidget(PlainLabel(self.tr("Recent files"), "heading", parent=card))
        card.body.addLayout(self._recent)
        self._recent_part = card
        card.hide()
        return card

    def _recent_line(self, path: Path) -> QWidget:
        line = QWidget(self)
        button = QPushButton(path.name.replace("&", "&&"), line)
        button.setProperty("look", "link")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setAccessibleName(self.tr("Open {name}").format(name=path.name))
        button.setToolTip(plain_tooltip(str(path)))
        button.setMaximumWidth(_WIDTH // 2)
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        button.clicked.connect(partial(self.fileAsked.emit, path))
        IconBond(button, "file-document", "muted")
        lay_row(button, (ElidedLabel(str(path.parent), "caption", parent=line), 1), on=line)
        return line

    def _draw(self, theme: Theme) -> None:
        self._sign.setPixmap(icon("file-import", theme, "accent").pixmap(48, 48))


def _dropped(data: QMimeData) -> Path | None:
    urls = data.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    return Path(urls[0].toLocalFile())
