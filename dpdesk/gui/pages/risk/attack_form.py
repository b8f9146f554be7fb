"""What the attack is on, what the attacker knows, and how the attacker guesses."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QCheckBox, QFormLayout, QGridLayout, QLabel, QLineEdit, QWidget

from dpdesk.domains import parse_number
from dpdesk.engine.simulate.attack import VARIANTS, AttackRequest
from dpdesk.errors import ParameterError
from dpdesk.gui.strategy_words import is_faked
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan

_TRIED_FIRST = ("grr", "sue-z", "oue-z", "sue-r", "oue-r")
_ABREAST = 2


class AttackForm(Card):
    """The parameters of an attack; what has no meaning for a choice is hidden.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.target = ChoiceBox(self.tr("What is attacked"), parent=self)
        self.target.addItem(self.tr("The strategy of the plan"), "plan")
        self.target.addItem(self.tr("Variants of RS+FD on these data"), "variants")
        self.variants = {name: QCheckBox(v.title, self) for name, v in VARIANTS.items()}
        for name, box in self.variants.items():
            box.setChecked(name in _TRIED_FIRST)
        self.epsilons = self._line("1, 4, 10", self.tr("Epsilons as the papers state them"))
        self.knowledge = ChoiceBox(self.tr("What the attacker knows"), parent=self)
        for words, knowledge in (
            (self.tr("only the reports"), "none"),
            (self.tr("which was real, for some"), "partial"),
            (self.tr("both of these"), "full"),
        ):
            self.knowledge.addItem(words, knowledge)
        self.compromised = self._line("10", self.tr("Per cent of respondents that are known"))
        self.classifier = ChoiceBox(self.tr("How the attacker guesses"), parent=self)
        for words, classifier in (
            (self.tr("by the exact posterior (Bayes)"), "bayes"),
            (self.tr("by boosted trees"), "boosting"),
            (self.tr("by XGBoost, if installed"), "xgboost"),
        ):
            self.classifier.addItem(words, classifier)
        self.synthetic = self._line("5", self.tr("Synthetic profiles per respondent"))
        self.seed = self._line("1", self.tr("Seed of the simulation"))
        self.refusal = RefusalLabel(parent=self)
        self._lay_out()
        self.target.currentIndexChanged.connect(lambda _: self._show_fitting())
        self.knowledge.currentIndexChanged.connect(lambda _: self._show_fitting())
        self.classifier.currentIndexChanged.connect(lambda _: self._show_fitting())
        self._show_fitting()

    def show_plan(self, plan: Plan) -> None:
        """Offers the plan's own strategy where it hides something, else the variants."""
        wanted = "plan" if is_faked(plan.strategy) else "variants"
        self.target.setCurrentIndex(self.target.findData(wanted))

    def request(self) -> AttackRequest:
        """Returns what is asked for.

        Raises:
            ParameterError: A number is none, or out of range, or no variant is chosen.
        """
        own = self.target.currentData() == "plan"
        chosen = tuple(name for name, box in self.variants.items() if box.isChecked())
        if not own and not chosen:
            raise ParameterError(
                self.tr("No variant is chosen."), remedy=self.tr("Choose one at least.")
            )
        return AttackRequest(
            variants=() if own else chosen,
            epsilons=(1.0,) if own else tuple(self._numbers(self.epsilons)),
            knowledge=self.knowledge.currentData(),
            classifier=self.classifier.currentData(),
            synthetic=self._whole(self.synthetic),
            compromised=next(self._numbers(self.compromised)) / 100,
            seed=self._whole(self.seed),
        )

    def _numbers(self, line: QLineEdit) -> Iterator[float]:
        for part in line.text().replace(";", ",").split(","):
            number = parse_number(part.strip())
            if number is None:
                raise ParameterError(
                    self.tr("{field}: this is not a number.").format(field=line.accessibleName()),
                    remedy=self.tr("Type numbers such as 1, with commas between them."),
                )
            yield number

    def _whole(self, line: QLineEdit) -> int:
        number = next(self._numbers(line))
        if number != int(number):
            raise ParameterError(
                self.tr("{field}: this is not a whole number.").format(field=line.accessibleName()),
                remedy=self.tr("Type digits, as in 5."),
            )
        return int(number)

    def _line(self, text: str, name: str) -> QLineEdit:
        line = QLineEdit(text, self)
        line.setAccessibleName(name)
        line.setMaxLength(60)
        return line

    def _show_fitting(self) -> None:
        variants = self.target.currentData() == "variants"
        for widget, fits in (
            (self._boxes, variants),
            (self.epsilons, variants),
            (self.compromised, self.knowledge.currentData() != "none"),
            (self.synthetic, self.classifier.currentData() != "bayes"),
        ):
            self._form.setRowVisible(widget, fits)
        self.refusal.show_sentence("")

    def _lay_out(self) -> None:
        self._boxes = QWidget(self)
        grid = QGridLayout(self._boxes)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        for place, box in enumerate(self.variants.values()):
            grid.addWidget(box, place // _ABREAST, place % _ABREAST)
        self._form = QFormLayout()
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        self._form.setVerticalSpacing(8)
        for words, widget in (
            (self.tr("Attac&ked"), self.target),
            ("", self._boxes),
            (self.tr("Epsilons of the &papers"), self.epsilons),
            (self.tr("The attacker kno&ws"), self.knowledge),
            (self.tr("K&nown respondents, per cent"), self.compromised),
            (self.tr("The attacker &guesses"), self.classifier),
            (self.tr("&Synthetic profiles per respondent"), self.synthetic),
            (self.tr("See&d"), self.seed),
        ):
            if words:
                label = QLabel(words, self)
                label.setBuddy(widget)
                self._form.addRow(label, widget)
            else:
                self._form.addRow(widget)
        self.body.addWidget(PlainLabel(self.tr("The attack"), "heading", parent=self))
        self.body.addLayout(self._form)
        self.body.addWidget(self.refusal)
        self.body.addStretch(1)
