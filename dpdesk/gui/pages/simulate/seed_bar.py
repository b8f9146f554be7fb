"""How the hypothetical surveys are drawn: all outcomes, how many surveys, by which seed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy, QWidget

from dpdesk.domains import parse_number
from dpdesk.gui.icons import IconBond
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.preview.survey import SupposedSurvey

_REPETITIONS = (100, 1_000, 10_000, 100_000)
_SEED_MAX = 2**31 - 1
_BETWEEN = 8
_FOLD = "simulate_seed"


class SeedBar(QWidget):
    """Says that this is a simulation; unfolded, with what repeats it.

    Args:
        settings: Where it is remembered whether it is unfolded.

    Attributes:
        fold: The entry of a menu that shows and hides the fields; it is remembered.
        newSeedAsked: The button of a new seed was clicked.
        changed: Emitted with the name of a field of the survey and its value.
    """

    newSeedAsked = Signal()
    changed = Signal(str, object)

    def __init__(self, settings: Settings, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.words = ElidedLabel("", "muted", parent=self)
        self.exact = QCheckBox(self.tr("all outcomes"), self)
        self.exact.setToolTip(
            self.tr("Goes through every outcome instead of drawing surveys, up to n = 5,000")
        )
        self.surveys = ChoiceBox(self.tr("Number of simulated surveys"), parent=self)
        self.surveys.setWhatsThis(self.tr("More of them make a smoother picture and take longer."))
        # Beside large text the number is what has to be read.
        self.surveys.setMinimumContentsLength(5)
        for count in _REPETITIONS:
            self.surveys.addItem(self.tr("{count} surveys").format(count=f"{count:,}"), count)
        self.seed = CommitLine(self.tr("Seed of the simulation"), parent=self)
        self.seed.setWhatsThis(self.tr("The same number draws the same surveys again."))
        ScaledWidth(self.seed, 72, part=0.0)
        self.renew = QPushButton(self.tr("Ne&w seed"), self)
        self.renew.setToolTip(self.tr("Draw the surveys again, with another seed (Ctrl+R)"))
        IconBond(self.renew, "refresh", "text")
        word = PlainLabel(self.tr("seed"), "muted", parent=self)
        self._fields = QWidget(self)
        fields = (self.exact, self.surveys, word, self.seed, self.renew)
        lay_row(*fields, spacing=_BETWEEN, on=self._fields)
        lay_row((self.words, 1), self._fields, spacing=_BETWEEN, on=self)
        self.fold = QAction(self.tr("Surveys and &seed"), self)
        self.fold.setCheckable(True)
        self.recall()
        self._survey: SupposedSurvey | None = None
        self._fields.setVisible(self.fold.isChecked())
        self.fold.toggled.connect(self._unfold)
        self.fold.triggered.connect(lambda shown: settings.set_unfolded(_FOLD, shown))
        self.exact.clicked.connect(lambda exact: self.changed.emit("simulated", not exact))
        self.surveys.activated.connect(
            lambda _: self.changed.emit("repetitions", self.surveys.currentData())
        )
        self.seed.committed.connect(self._type)
        self.renew.clicked.connect(self.newSeedAsked)

    def _unfold(self, shown: bool) -> None:
        self._fields.setVisible(shown)
        if self._survey is not None:
            self.show_survey(self._survey)

    def recall(self) -> None:
        """Takes over how another bar was left."""
        self.fold.setChecked(self._settings.is_unfolded(_FOLD))

    def show_survey(self, survey: SupposedSurvey) -> None:
        """Shows how a survey is drawn."""
        self._survey = survey
        self.seed.set_value(str(survey.seed))
        self.exact.setVisible(survey.countable)
        self.exact.setEnabled(survey.can_be_exact)
        self.exact.setChecked(survey.is_exact)
        self.surveys.setCurrentIndex(max(self.surveys.findData(survey.repetitions), 0))
        for widget in (self.seed, self.renew):
            widget.setEnabled(not survey.is_exact)
        words = self.tr("Hypothetical: every outcome with its chance")
        if not survey.is_exact:
            words = self.tr("Simulation: nobody was asked")
            if not self.fold.isChecked():
                count, seed = f"{survey.repetitions:,}", str(survey.seed)
                words = self.tr("{said}; {count} surveys, seed {seed}").format(
                    said=words, count=count, seed=seed
                )
        self.words.set_text(words)

    def _type(self, text: str) -> None:
        number = parse_number(text)
        if number is None or number != int(number) or not 0 <= number <= _SEED_MAX:
            self.seed.refuse(self.tr("Type a whole number such as 1, up to 2,147,483,647."))
            return
        self.changed.emit("seed", int(number))
