"""The view of the Data page when nothing is open."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.gui.file_commands import FileCommands
from dpdesk.gui.icons import IconBond, icon
from dpdesk.gui.theme import Theme, ThemeSwitch, scaled, theme_in_force
from dpdesk.gui.widgets.boxes import STRETCH, emptied, lay_column, lay_middle, lay_row, scrolled
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
_WIDTH, _ACROSS, _BETWEEN, _AROUND = 660, 1500, 12, 40
"""Widths of the cards below each other and beside each other, and the room around them."""


class StartView(QWidget):
    """The program's name, its three uses, and the recent files.

    The uses stand beside each other where all of them fit, and else below each other.

    Attributes:
        openAsked: Emitted when the user wants to choose a file.
        fileAsked: Emitted with the `Path` of a dropped or recent file.
        releaseAsked: Emitted when the user wants to open a release that is there.
        sampleAsked: Emitted when the user wants the sample.
        questionnaireAsked: Emitted with the expected number of respondents.
        placeAsked: Emitted with the key of the place of another use, and its path there.
    """

    openAsked = Signal()
    fileAsked = Signal(object)
    releaseAsked = Signal()
    sampleAsked = Signal()
    questionnaireAsked = Signal(int)
    placeAsked = Signal(str, str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self._signs: list[tuple[PlainLabel, str]] = []
        self._recent = lay_column(spacing=2)
        inside, self._part = QWidget(self), QWidget(self)
        self._uses = (self._file_card(), self._survey_card(), self._show_card())
        self._row = lay_column(*self._uses, spacing=_BETWEEN)
        name = PlainLabel("dpdesk", "title", parent=self)
        words = self.tr("Protects the answers of a survey, and shows what the protection costs.")
        told = PlainLabel(words, "muted", wrap=True, parent=self)
        lay_column(name, told, self._row, self._recent_card(), spacing=_BETWEEN, on=self._part)
        lay_middle(self._part, inside)
        # Large letters in a low window.
        lay_column(scrolled(inside), on=self)
        ThemeSwitch.instance().themeChanged.connect(self._draw)
        self._draw(theme_in_force())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        needed = max(card.minimumSizeHint().width() for card in self._uses)
        across = max(3 * needed + 2 * _BETWEEN, scaled(_ACROSS, part=0.35))
        fits = across + _AROUND <= self.width()
        way = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        self._row.setDirection(way)
        # Large letters in a narrow window: no wider than that, and no narrower than the buttons.
        alone = max(min(scaled(_WIDTH, part=0.35), self.width() - _AROUND), needed)
        self._part.setFixedWidth(across if fits else alone)

    def show_recent(self, paths: tuple[Path, ...]) -> None:
        """Lists the recent files."""
        emptied(self._recent)
        for path in paths[:_RECENT_SHOWN]:
            self._recent.addWidget(self._recent_line(path))
        self._recent_part.setVisible(bool(paths))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if FileCommands.dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()
            self._drop.set_tone("accent")

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._drop.set_tone("heading")

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop.set_tone("heading")
        path = FileCommands.dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.fileAsked.emit(path)

    def _file_card(self) -> Card:
        card, self._drop, body = self._use_card(
            "file-import",
            self.tr("Protect a file"),
            self.tr(
                "Drop a file of answers here, or a folder of its parts: CSV, SPSS, Stata, Excel "
                "and more. Nothing leaves this computer."
            ),
        )
        self.open_button = QPushButton(self.tr("&Open a file…"), card)
        self.open_button.setProperty("look", "primary")
        self.open_button.setToolTip(self.tr("A table with a row for each respondent"))
        self.open_button.clicked.connect(self.openAsked)
        self.sample_button = QPushButton(self.tr("Try the &sample"), card)
        self.sample_button.setToolTip(
            self.tr("6,366 answers of a real survey, with a plan: the first picture at once")
        )
        self.sample_button.clicked.connect(self.sampleAsked)
        self.release_button = QPushButton(self.tr("Open a re&lease…"), card)
        self.release_button.setToolTip(
            self.tr("The folder of a release, to make tables and models of it")
        )
        self.release_button.clicked.connect(self.releaseAsked)
        buttons = (self.open_button, self.sample_button, self.release_button)
        body.addLayout(lay_row(*buttons, STRETCH, spacing=10))
        return card

    def _survey_card(self) -> Card:
        card, _, body = self._use_card(
            "tune-variant",
            self.tr("Plan a survey"),
            self.tr(
                "Before it is held: type its questions and see the error, or suppose one "
                "question and find a device and a number of people."
            ),
        )
        self.respondents = RespondentsField(parent=card)
        self.respondents.setToolTip(self.tr("How many people will answer; it can be changed later"))
        label = PlainLabel(self.tr("Expected &respondents"), parent=card)
        label.setBuddy(self.respondents)
        self.questionnaire_button = QPushButton(self.tr("&New questionnaire"), card)
        self.questionnaire_button.setToolTip(
            self.tr("A plan without data: its questions are typed")
        )
        self.questionnaire_button.clicked.connect(
            lambda: self.questionnaireAsked.emit(self._asked_people())
        )
        self.question_button = QPushButton(self.tr("Suppose one &question"), card)
        self.question_button.setToolTip(
            self.tr("Question, device and sample, before anybody is asked")
        )
        self.question_button.clicked.connect(
            lambda: self.placeAsked.emit("simulate", f"respondents.{self._asked_people()}")
        )
        body.addLayout(lay_row(label, self.respondents, STRETCH, spacing=10))
        buttons = (self.questionnaire_button, self.question_button)
        body.addLayout(lay_row(*buttons, STRETCH, spacing=10))
        return card

    def _asked_people(self) -> int:
        """The number as it stands in the field: a letter with Alt does not leave it."""
        self.respondents.interpretText()
        return self.respondents.value()

    def _show_card(self) -> Card:
        card, _, body = self._use_card(
            "school",
            self.tr("Show how it works"),
            self.tr("Guided demonstrations for a class or a workshop, each with a handout."),
        )
        self.learn_button = QPushButton(self.tr("&Demonstrations"), card)
        self.learn_button.setToolTip(
            self.tr("Full screen, by keys or a clicker, in ten to twenty minutes")
        )
        self.learn_button.clicked.connect(partial(self.placeAsked.emit, "learn", ""))
        body.addLayout(lay_row(self.learn_button, STRETCH))
        return card

    def _use_card(
        self, icon_name: str, title: str, facts: str
    ) -> tuple[Card, PlainLabel, QVBoxLayout]:
        """A card with a sign at the left; its heading, and where its controls go."""
        card = Card(margin=18, parent=self)
        sign = PlainLabel(parent=card)
        sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._signs.append((sign, icon_name))
        heading = PlainLabel(title, "heading", parent=card)
        words = PlainLabel(facts, "muted", wrap=True, parent=card)
        body = lay_column(heading, words, spacing=6)
        card.body.addLayout(lay_row(sign, (body, 1), spacing=16))
        card.body.addStretch()
        return card, heading, body

    def _recent_card(self) -> Card:
        card = Card(margin=18, parent=self)
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
        for sign, name in self._signs:
            sign.setPixmap(icon(name, theme, "accent").pixmap(32, 32))
        self._arrange()
