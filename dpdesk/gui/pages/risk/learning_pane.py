"""The pane of what can still be learnt: a curve of accuracy against epsilon, and its numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QPushButton, QStackedWidget, QWidget

from dpdesk.data.table import SurveyTable
from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError
from dpdesk.gui.actions import new_action
from dpdesk.gui.copied_command import data_file, plan_file
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.risk.learning_picture import (
    CORRECTED,
    NAIVE,
    CurveModel,
    LearningPlot,
    guess_of,
    learns_nothing,
    value_text,
)
from dpdesk.gui.pages.risk.pane import RiskPane, RiskState
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.progress_line import ProgressLine
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_
from dpdesk.learning.curve import LearningResult, run_learning
from dpdesk.learning.example import EXAMPLES, LABEL, Example
from dpdesk.learning.learners import LEARNERS, learner_named
from dpdesk.learning.measures import MEASURES
from dpdesk.learning.survey import can_be_label
from dpdesk.plan import Plan
from dpdesk.preview.command_words import CommandWords
from dpdesk.requests.simulations import LearningRequest

_LEAST_CHARACTERS = 5


def learning_task(
    source: Callable[[], tuple[SurveyTable, Plan]], request: LearningRequest, tracker: Tracker
) -> LearningResult:
    """Learns from a survey by its plan; the plan is frozen, so edits do not affect it."""
    table, plan = source()
    return run_learning(table, plan, request, tracker)


class LearningPane(RiskPane):
    """The choice of what is predicted, the curve, and its numbers."""

    title = N_("What can be learnt")

    def __init__(self, state: RiskState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.result: LearningResult | None = None
        self._example: Example | None = None
        self._asked: Example | None = None
        self._make_form()
        self._make_results()
        self._lay_out()
        self._connect()
        self._follow()

    def start(self) -> None:
        """Learns from the open data by the plan."""
        table, plan = self.document.table, self.document.plan
        if table is not None and self.label.currentData() is not None:
            self._run(lambda: (table, plan), str(self.label.currentData()), None)

    def start_example(self, example: Example) -> None:
        """Repeats a published experiment that comes with dpdesk."""
        self._run(example.load, LABEL, example)

    def command(self) -> CommandWords | None:
        data = data_file(self.document)
        if data is None or self.label.currentData() is None:
            return None
        reading = (f"--plan={plan_file(self.document)}",)
        request = self._request(str(self.label.currentData()))
        return CommandWords("learn", (data, *reading), request=request)

    def settle(self) -> None:
        had = self.progress.stop.hasFocus()
        self._refresh()
        if had:
            (self.run if self.run.isEnabled() else self.examples).setFocus()

    def told(self) -> str:
        """What the result says in a sentence."""
        return self._told.text()

    def whose(self) -> str:
        """Whose data the result is of."""
        return self._whose.text()

    def notes(self) -> str:
        """What is to be known beside it."""
        return self._notes.text()

    def _make_form(self) -> None:
        tr = self.tr
        self.label = ChoiceBox(tr("What is predicted"), parent=self)
        self.label.setWhatsThis(tr("The column that a program learns to tell from the others."))
        learners = [(QCoreApplication.translate("Learner", x.title), x.word) for x in LEARNERS]
        self.learner = ChoiceBox(tr("What learns"), learners, parent=self)
        self.learner.setWhatsThis(tr("The program that learns from the reports."))
        tests = ((tr("true answers"), "true"), (tr("sanitized ones"), "sanitized"))
        self.tested = ChoiceBox(tr("What is tested"), tests, parent=self)
        self.tested.setWhatsThis(tr("True or reported answers that the program has not seen."))
        measures = [(QCoreApplication.translate("MEASURES", t), n) for n, t in MEASURES.items()]
        self.measure = ChoiceBox(tr("What is measured"), measures, parent=self)
        self.measure.setWhatsThis(
            tr("Of what the program is right: of people, or of each answer alike.")
        )
        scales = ((tr("per attribute"), "attribute"), (tr("per record"), "record"))
        self.scale = ChoiceBox(tr("What an epsilon is of"), scales, parent=self)
        self.scale.setWhatsThis(tr("Of each answer, or of the whole record of a person."))
        for choice in (self.label, self.learner, self.tested, self.measure, self.scale):
            choice.setMinimumContentsLength(_LEAST_CHARACTERS)
        self.run = QPushButton(tr("&Learn from my file"), self)
        self.run.setWhatsThis(tr("Repeats the experiment on the open data; nothing is released."))
        self.run.setProperty("look", "primary")
        IconBond(self.run, "play", "accent_text")
        self.examples = QPushButton(tr("Try a published e&xample"), self)
        self.examples.setToolTip(
            tr("Repeats a published experiment on its own data; your file is not used")
        )
        menu = QMenu(self.examples)
        for example in EXAMPLES:
            words = QCoreApplication.translate("Example", example.title)
            run = partial(self.start_example, example)
            menu.addAction(words).triggered.connect(lambda _, run=run: run())
        self.examples.setMenu(menu)
        self.help = HelpButton("learning", tr("Help on what can be learnt"), parent=self)
        self.help.setWhatsThis(tr("Opens the page of the help about learning from noise."))
        self.progress = ProgressLine(tr("Progress of learning"), self.watch, parent=self)
        self.refusal = RefusalLabel(parent=self)

    def _make_results(self) -> None:
        self._whose = PlainLabel("", "strong", wrap=True, parent=self)
        self._told = PlainLabel("", wrap=True, parent=self)
        self._notes = PlainLabel("", "caption", wrap=True, parent=self)
        self._results = QWidget(self)
        self.legend = LegendRow(parent=self._results)
        self.plot = LearningPlot(parent=self._results)
        self.model = CurveModel(self)
        self.table = PlainTable(self.model, self.tr("What can be learnt"), parent=self._results)
        self._nothing = QWidget(self)
        self.stack = QStackedWidget(self)

    def _lay_out(self) -> None:
        first = lay_row(
            PlainLabel(self.tr("P&redict"), buddy=self.label, parent=self),
            (self.label, 1),
            PlainLabel(self.tr("&with"), buddy=self.learner, parent=self),
            (self.learner, 1),
            spacing=6,
        )
        second = lay_row(
            PlainLabel(self.tr("&Tested on"), buddy=self.tested, parent=self),
            (self.tested, 5),
            (self.measure, 4),
            PlainLabel(self.tr("&ε"), buddy=self.scale, parent=self),
            (self.scale, 5),
            spacing=6,
        )
        third = lay_row(self.run, self.examples, (self.progress, 1), STRETCH, self.help, spacing=6)
        lay_column(self.legend, (self.plot, 3), (self.table, 2), spacing=4, on=self._results)
        lay_column(STRETCH, on=self._nothing)
        self.stack.addWidget(self._nothing)
        self.stack.addWidget(self._results)
        lay_column(
            first,
            second,
            third,
            self.progress,
            self.refusal,
            self._whose,
            self._told,
            (self.stack, 1),
            self._notes,
            spacing=6,
            on=self,
        )

    def _connect(self) -> None:
        self.run.clicked.connect(self.start)
        for choice in (self.tested, self.measure):
            choice.currentIndexChanged.connect(lambda _: self._show_result())
        for choice in (self.label, self.learner, self.scale):
            choice.activated.connect(lambda _: self.refusal.show_sentence(""))
        self.watch.finished.connect(self._take)
        self.watch.failed.connect(self._refuse)
        self._following = WhenShown(self, self._follow)
        self.document.planChanged.connect(self._take_plan)
        self.document.tableChanged.connect(self._outdate)
        new_action(self, self.tr("&Learn"), "Ctrl+Return", self.start, on=self)

    def _run(
        self,
        source: Callable[[], tuple[SurveyTable, Plan]],
        label: str,
        example: Example | None,
    ) -> None:
        if self.watch.is_running:
            return
        self.refusal.show_sentence("")
        request = self._request(label)
        self._asked = example
        self.watch.start(Job(self.tr("Learning"), partial(learning_task, source, request)))
        self._refresh()
        self.progress.stop.setFocus()

    def _request(self, label: str) -> LearningRequest:
        scale = self.scale.currentData()
        return LearningRequest(label, str(self.learner.currentData()), scale=scale)

    def _take_plan(self, old: Plan, new: Plan) -> None:
        # What was counted in the file since decides nothing, and a model learns the same.
        if old != new:
            self._outdate()

    def _outdate(self) -> None:
        """What was learnt by another plan, or of other data, is no longer true."""
        if self._asked is None:
            self.watch.cancel()
        if self._example is None:
            self.result = None
        self._following.request()

    def _follow(self) -> None:
        """Offers the columns that can be predicted, and keeps the choice where it can."""
        chosen, plan = self.label.currentData(), self.document.plan
        names = [column.name for column in plan.columns if can_be_label(column)]
        if names != [self.label.itemData(i) for i in range(self.label.count())]:
            self.label.clear()
            for name in names:
                self.label.addItem(plan.column(name).title, name)
            found = self.label.findData(chosen)
            self.label.setCurrentIndex(found if found >= 0 else len(names) - 1)
        self.label.setEnabled(bool(names))
        self._show_result()
        self._refresh()

    def _take(self, result: LearningResult) -> None:
        self.result, self._example = result, self._asked
        self._show_result()

    def _refuse(self, error: DpdeskError) -> None:
        self.refusal.show_sentence(str(error))

    def _refresh(self) -> None:
        running = self.watch.is_running
        can = self.document.table is not None and self.label.count() > 0
        self.run.setEnabled(can and not running)
        self.examples.setEnabled(not running)

    def _show_result(self) -> None:
        result = self.result
        self.stack.setCurrentWidget(self._nothing if result is None else self._results)
        self._notes.setVisible(result is not None)
        self._whose.setVisible(result is not None)
        measure, tested = str(self.measure.currentData()), str(self.tested.currentData())
        self.model.show_points(result, measure, tested)
        if result is None:
            self._told.setText(self._introduction())
            return
        self._whose.setText(self._data_of(result))
        self.plot.show_result(result, measure, tested)
        self.plot.set_table_source(self.model.table)
        self._set_legend(result)
        words = self._sentence(result, measure, tested)
        self._told.setText(words)
        self.plot.set_description(words)
        self._notes.setText(" ".join(self._beside(result, tested)))

    def _data_of(self, result: LearningResult) -> str:
        if self._example is None:
            return self.tr("Your file: {label}").format(label=result.request.label)
        title = QCoreApplication.translate("Example", self._example.title)
        return self.tr("Published example, not your file: {title}").format(title=title)

    def _introduction(self) -> str:
        if not self.label.count():
            return self.tr(
                "Nothing can be predicted yet: protect or keep a column of categories, and other "
                "columns to predict it from. The published example needs no data of yours."
            )
        usual = LearningRequest()
        return self.tr(
            "Can one still learn from this file when it is sanitized? The answers are sanitized "
            "{repetitions} times at each of {epsilons} epsilons; a model learns from each file "
            "and predicts a fifth of the respondents that it has not seen."
        ).format(repetitions=usual.repetitions, epsilons=len(usual.epsilons))

    def _set_legend(self, result: LearningResult) -> None:
        title = QCoreApplication.translate("Learner", learner_named(result.request.learner).title)
        naive = self.tr("{learner}, answers as they are").format(learner=title)
        bayes = self.tr("naive Bayes, noise taken out")
        self.legend.set_entries(
            (
                LegendEntry(naive, 1, "dashed", self.tr("as they are")),
                LegendEntry(bayes, 0, "solid", self.tr("noise out")),
                LegendEntry(self.tr("true data"), "text", "dashed", self.tr("true")),
                LegendEntry(self.tr("commonest class always"), "muted", "dotted", self.tr("guess")),
            )
        )

    def _sentence(self, result: LearningResult, measure: str, tested: str) -> str:
        own = result.points[0]
        said = {
            learnt: self.tr("not possible")
            if (line := own.line(learnt, tested)) is None
            else value_text(getattr(line, measure).mean, measure)
            for learnt in (NAIVE, CORRECTED)
        }
        words = self.tr(
            "{measure} of predicting {label} by the plan (ε {epsilon} of a record): {naive} from "
            "answers as they are, {corrected} with the noise taken out; {true} from true data, "
            "{guess} by guessing the commonest class."
        )
        if tested == "sanitized":
            words = self.tr(
                "{measure} of predicting {label} by the plan (ε {epsilon} of a record), tested on "
                "sanitized answers: {naive} from answers as they are, {corrected} with the noise "
                "taken out, {guess} by guessing the commonest class; tested on true answers {true} "
                "from true data."
            )
        guess = guess_of(result, own, tested)
        told = words.format(
            measure=QCoreApplication.translate("MEASURES", MEASURES[measure]),
            label=result.request.label,
            epsilon=f"{own.record_epsilon:.4g}",
            true=value_text(getattr(result.true, measure).mean, measure),
            guess=self.tr("not possible")
            if guess is None
            else value_text(getattr(guess, measure).mean, measure),
            **said,
        )
        if guess is not None and learns_nothing(own, getattr(guess, measure), measure, tested):
            told += " " + self.tr(
                "By the plan nothing is learnt: no model is better than guessing."
            )
        return told

    def _beside(self, result: LearningResult, tested: str) -> list[str]:
        told = []
        if tested == "sanitized":
            told.append(
                self.tr(
                    "Tested on sanitized answers, as published experiments do: part of the loss "
                    "is the noise of the test itself."
                )
            )
        if self._example is not None:
            told.append(
                self.tr(
                    "A published experiment, not your data; its bounds are read off its data, "
                    "which no release may do."
                )
            )
        if result.unreadable:
            told.append(
                self.tr(
                    "Reports of {names} are no answers: only taking the noise out uses them."
                ).format(names=", ".join(result.unreadable))
            )
        told.append(
            self.tr("Bands: nine of ten of {repetitions} repetitions. For your eyes only.").format(
                repetitions=result.request.repetitions
            )
        )
        if self.table.isHidden():
            told.append(self.tr("T in the picture lists the numbers."))
        return told
