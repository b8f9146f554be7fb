"""The attack on RS+FD: which attribute was real, guessed from reports of fakes among real ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from dpdesk.attacks.sampled_attribute import SampledAttribute, findings_of
from dpdesk.data.table import SurveyTable
from dpdesk.domains import parse_number
from dpdesk.engine import Job, Tracker
from dpdesk.engine.simulate.attack import VARIANTS, AttackRequest, AttackResult, run_attack
from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.gui.actions import new_action
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk.attack_room import AttackPage
from dpdesk.gui.pages.risk.results_card import ResultsCard
from dpdesk.gui.strategy_words import is_faked
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import RefusalLabel, limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.plan import Plan


class AttackForm(Card):
    """The parameters of an attack; fields that do not apply to a choice are hidden."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.target = ChoiceBox(
            self.tr("What is attacked"),
            (
                (self.tr("The strategy of the plan"), "plan"),
                (self.tr("Variants of RS+FD on these data"), "variants"),
            ),
            parent=self,
        )
        self.variants = {name: QCheckBox(v.title, self) for name, v in VARIANTS.items()}
        for name, box in self.variants.items():
            box.setChecked(not VARIANTS[name].realistic)
        usual = SampledAttribute()
        stated = ", ".join(f"{epsilon:g}" for epsilon in usual.epsilons)
        self.epsilons = self._line(stated, self.tr("Epsilons as the papers state them"))
        knowledge = (
            (self.tr("only the reports"), "none"),
            (self.tr("which was real, for some"), "partial"),
            (self.tr("both of these"), "full"),
        )
        self.knowledge = ChoiceBox(self.tr("What the attacker knows"), knowledge, parent=self)
        known = f"{100 * usual.compromised:g}"
        self.compromised = self._line(known, self.tr("Per cent of respondents that are known"))
        guesses = (
            (self.tr("by the exact posterior (Bayes)"), "bayes"),
            (self.tr("by boosted trees"), "boosting"),
            (self.tr("by XGBoost, if installed"), "xgboost"),
        )
        self.classifier = ChoiceBox(self.tr("How the attacker guesses"), guesses, parent=self)
        profiles = self.tr("Synthetic profiles per respondent")
        self.synthetic = self._line(str(usual.synthetic), profiles)
        self.seed = self._line(str(usual.seed), self.tr("Seed of the simulation"))
        self.refusal = RefusalLabel(parent=self)
        self._lay_out()
        self.target.currentIndexChanged.connect(lambda _: self._show_fitting())
        self.knowledge.currentIndexChanged.connect(lambda _: self._show_fitting())
        self.classifier.currentIndexChanged.connect(lambda _: self._show_fitting())
        self._show_fitting()

    def show_plan(self, plan: Plan) -> None:
        """Offers the plan's own strategy if it hides something, else the variants."""
        wanted = "plan" if is_faked(plan.strategy) else "variants"
        self.target.setCurrentIndex(self.target.findData(wanted))

    def request(self) -> AttackRequest:
        """Returns the request.

        Raises:
            ParameterError: A number is invalid or out of range, or no variant is chosen.
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
        limit_length(line, 60)
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
        lay_column(*self.variants.values(), spacing=4, on=self._boxes)
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


def attack_task(
    table: SurveyTable, plan: Plan, request: AttackRequest, tracker: Tracker
) -> AttackResult:
    """Attacks the plan's protected columns; the plan is frozen, so edits do not affect it."""
    return run_attack(table, plan, request, tracker)


def _attacked(plan: Plan) -> tuple[object, ...]:
    """Returns what of a plan is attacked: its strategy, and how each attribute is reported."""
    columns = ((c.name, c.mechanism, c.effective_domain, c.expected) for c in plan.protected)
    return (plan.strategy, plan.fakes, *columns)


class AttackView(AttackPage):
    """The form of the attack on the left, its results on the right.

    Args:
        document: The open document.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        title = QCoreApplication.translate("AttackView", "Which attribute was real?")
        words = QCoreApplication.translate("AttackView", "Help on the attack and how to read it")
        super().__init__(document, title, "attack", words, parent)
        self._protected: tuple[str, ...] = ()
        self.form = AttackForm(parent=self)
        self.results = ResultsCard(self.watch, parent=self)
        self.lay_out(self.form, self.results)
        new_action(self, self.tr("&Run the attack"), "Ctrl+Return", self.start, on=self)
        new_action(self, self.tr("&Cancel the attack"), "Ctrl+.", self.cancel, on=self)
        self._connect()
        self._begin_anew()

    def cancel(self) -> bool:
        is_running = super().cancel()
        if is_running:
            self.results.show_cancelling()
        return is_running

    def settle(self) -> None:
        self._refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if not self.cancel():
                self.closed.emit()
            return
        super().keyPressEvent(event)

    def start(self) -> None:
        """Runs the attack, if there are data and the form is valid."""
        table = self.document.table
        if table is None or self.watch.is_running:
            return
        try:
            request = self.form.request()
        except DpdeskError as error:
            self.form.refusal.show_sentence(str(error))
            return
        self.form.refusal.show_sentence("")
        self.notice.clear()
        self.results.show_start()
        plan = self.document.plan
        self._protected = tuple(column.name for column in plan.protected)
        task = partial(attack_task, table, plan, request)
        self.watch.start(Job(self.tr("Attacking"), task))
        self._refresh()

    def _connect(self) -> None:
        self.run.clicked.connect(self.start)
        self.results.progress.stop.clicked.connect(self.results.show_cancelling)
        self.results.open.clicked.connect(lambda: self.goTo.emit("data", ""))
        self.results.plan.clicked.connect(lambda: self.goTo.emit("plan", "strategy"))
        self.watch.finished.connect(self._take)
        self.watch.failed.connect(self._tell_failure)
        self.watch.stopped.connect(self._show_state)
        self._following = WhenShown(self, self._follow)
        self.document.planChanged.connect(self._take_plan)
        self.document.tableChanged.connect(self._begin_anew)

    def _take(self, result: AttackResult) -> None:
        self.results.show_result(result, self._protected)
        self.found.emit(findings_of(result))

    def _take_plan(self, old: Plan, new: Plan) -> None:
        self._is_other |= _attacked(old) != _attacked(new) and not self.watch.is_running
        self._following.request()

    def _follow(self) -> None:
        if self._is_other:
            self._begin_anew()
        else:
            self._refresh()

    def _begin_anew(self) -> None:
        """Clears the outcomes: they were of other data or of another strategy."""
        self._is_other = False
        self.form.show_plan(self.document.plan)
        self.results.model.set_result(None)
        if not self.watch.is_running:
            self._show_state()
        self._refresh()

    def _show_state(self) -> None:
        plan = self.document.plan
        if self.document.table is None:
            self.results.show_words(
                self.tr("There are no data to attack"),
                self.tr(
                    "The attack simulates the reports of the respondents in a file and guesses "
                    "which attribute of each was real. Open the answers of a survey first."
                ),
                data=True,
            )
        elif is_faked(plan.strategy):
            self.results.show_words(
                self.tr("Do the fakes hide which attribute was real?"),
                self.tr(
                    "Under the plan each respondent reports one real attribute among made-up ones. "
                    "Run the attack to see how often somebody who sees the reports finds out."
                ),
            )
        else:
            hidden = (
                self.tr("Every answer is reported, so that there is no sampled attribute to find.")
                if plan.strategy == "spl"
                else self.tr("Each report says which attribute it is of: nothing is left to find.")
            )
            self.results.show_words(
                self.tr("Under this plan nothing is hidden that the attack could find"),
                hidden
                + " "
                + self.tr(
                    "Run it on variants of random sampling plus fake data (RS+FD), which report "
                    "fakes beside one real answer, or "
                    "change the strategy of the plan."
                ),
                plan=True,
            )

    def _tell_failure(self, error: DpdeskError) -> None:
        self.notice.show_notice("error", str(error))
        self._show_state()

    def _refresh(self) -> None:
        plan, table = self.document.plan, self.document.table
        template = self.tr(
            "{name} · {rows} respondents · a simulation on the true answers, private"
        )
        self.header.set_subtitle(
            self.tr("No data are open")
            if table is None
            else template.format(name=plan.details.title or table.name, rows=f"{table.rows:,}")
        )
        running = self.watch.is_running
        self.run.setEnabled(table is not None and not running)
        self.form.setEnabled(not running)
