"""What is asked of a release: a kind of question, its columns, and how respondents were drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from dpdesk.designs.sample_design import LONELY, Lonely
from dpdesk.engine.joint_questions import (
    ColumnsQuestion,
    CrossQuestion,
    MeansQuestion,
    ModelQuestion,
    Question,
    SharesQuestion,
    TestQuestion,
)
from dpdesk.engine.tables_and_models import DrawnBy
from dpdesk.estimation.released_columns import ReleasedColumn, Use, objection
from dpdesk.gui.pages.release.model_fields import ModelFields
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.i18n import N_
from dpdesk.plan import Plan

_MOST_PARTS = 3


@dataclass(frozen=True)
class Part:
    """A column of a question.

    Attributes:
        title: What it is, with its mnemonic.
        use: What it shall be.
        is_optional: Whether there may be none.
    """

    title: str
    use: Use = "category"
    is_optional: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of question of some columns.

    Attributes:
        title: Its name.
        meaning: What it tells, as a sentence.
        parts: Its columns.
        question: The question of their names; None for a formula.
    """

    title: str
    meaning: str
    parts: tuple[Part, ...]
    question: type[ColumnsQuestion] | None = None


KINDS = (
    Kind(
        N_("Table"),
        N_("The share of all respondents that has each combination of answers."),
        (Part(N_("&Rows")), Part(N_("&Within them"), is_optional=True), Part(N_("C&olumns"))),
        CrossQuestion,
    ),
    Kind(
        N_("Means by group"),
        N_("The mean of a number in each group of respondents, of those who answered."),
        (
            Part(N_("&Mean of"), "number"),
            Part(N_("In &groups of")),
            Part(N_("A&nd of"), "category", True),
        ),
        MeansQuestion,
    ),
    Kind(
        N_("Shares by group"),
        N_("The share of each answer within each group of respondents."),
        (Part(N_("S&hares of")), Part(N_("In &groups of")), Part(N_("A&nd of"), "category", True)),
        SharesQuestion,
    ),
    Kind(
        N_("Model"),
        N_("A regression of one column on others: linear, logistic or multinomial."),
        (),
    ),
    Kind(
        N_("Test of independence"),
        N_("Whether the answers to two questions depend on each other; the test knows the noise."),
        (Part(N_("&First question")), Part(N_("Secon&d question"))),
        TestQuestion,
    ),
)
"""Every kind of question; the one without columns is asked by a formula."""


class PartBox(QWidget):
    """A list of columns with the reason below it why one cannot be chosen.

    Attributes:
        box: The list.
        changed: Emitted when another column was chosen.
    """

    changed = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = ChoiceBox("", parent=self)
        self._label = QLabel(self)
        self._label.setBuddy(self.box)
        self.refusal = RefusalLabel(parent=self)
        lay_column(self._label, self.box, self.refusal, spacing=3, on=self)
        self.box.currentIndexChanged.connect(lambda _: self.changed.emit())

    def set_title(self, title: str) -> None:
        """Changes what the column is."""
        self._label.setText(title)
        self.box.setAccessibleName(title.replace("&", ""))

    def name(self) -> str:
        """The chosen column; empty for none."""
        return str(self.box.currentData() or "")

    def offer(self, names: Sequence[str], chosen: str, none: str) -> None:
        """Lists columns.

        Args:
            names: The columns.
            chosen: The one that is chosen; the first entry if it is not there.
            none: The word for no column; empty where there must be one.
        """
        self.box.blockSignals(True)
        self.box.clear()
        if none:
            self.box.addItem(none, "")
        for name in names:
            self.box.addItem(name, name)
        self.box.setCurrentIndex(max(self.box.findData(chosen), 0))
        self.box.blockSignals(False)

    def show_reasons(self, reasons: Mapping[str, str]) -> None:
        """Marks the columns that cannot be chosen, and says why the chosen one cannot."""
        muted = QColor(theme_in_force().muted)
        for place in range(self.box.count()):
            name = self.box.itemData(place)
            reason = reasons.get(name, "")
            self.box.setItemData(place, muted if reason else None, Qt.ItemDataRole.ForegroundRole)
            tip = plain_tooltip(reason) if reason else None
            self.box.setItemData(place, tip, Qt.ItemDataRole.ToolTipRole)
            spoken = f"{name}. {reason}" if reason else None
            self.box.setItemData(place, spoken, Qt.ItemDataRole.AccessibleTextRole)
        self.refusal.show_sentence(reasons.get(self.name(), ""))


class QuestionForm(QWidget):
    """The kind of question, its columns or its formula, strata and clusters.

    Attributes:
        changed: Emitted when another question is asked.
        submitted: Emitted when somebody pressed Enter in the formula.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan = Plan()
        self._columns: dict[str, ReleasedColumn] = {}
        self.kind = ChoiceBox(self.tr("What is asked"), parent=self)
        for place, kind in enumerate(KINDS):
            self.kind.addItem(_tr(kind.title), place)
        label = QLabel(self.tr("What is &asked"), self)
        label.setBuddy(self.kind)
        self._meaning = PlainLabel("", "caption", wrap=True, parent=self)
        self.parts = tuple(PartBox(parent=self) for _ in range(_MOST_PARTS))
        self.model = ModelFields(parent=self)
        self.weights = PlainLabel("", "caption", wrap=True, parent=self)
        self.more = QCheckBox(self.tr("Strata and cl&usters"), self)
        self.more.setToolTip(
            self.tr("How respondents were drawn, by columns that were released as they are")
        )
        self.strata = self._part(self.tr("Stra&ta"))
        self.clusters = self._part(self.tr("Clu&sters"))
        self.lonely = ChoiceBox(self.tr("Strata with one cluster"), parent=self)
        for text, way in zip(
            (
                self.tr("one cluster: refuse"),
                self.tr("one cluster: drawn for certain"),
                self.tr("one cluster: from the mean of all"),
                self.tr("one cluster: as other strata"),
            ),
            LONELY,
            strict=True,
        ):
            self.lonely.addItem(text, way)
        lay_column(
            label,
            self.kind,
            self._meaning,
            *self.parts,
            self.model,
            self.weights,
            self.more,
            self.strata,
            self.clusters,
            self.lonely,
            spacing=7,
            on=self,
        )
        self.kind.currentIndexChanged.connect(lambda _: self._show_kind())
        for part in self.parts:
            part.changed.connect(self._change)
        for part in (self.strata, self.clusters):
            part.changed.connect(self._arrange)
        self.more.toggled.connect(lambda _: self._arrange())
        self.model.changed.connect(self.changed)
        self.model.submitted.connect(self.submitted)
        self._show_kind()

    def show_release(
        self, plan: Plan, columns: Sequence[ReleasedColumn], asked: Question | None = None
    ) -> None:
        """Offers the columns of another release.

        Args:
            plan: Its plan.
            columns: Its columns.
            asked: What is asked first; None for what was asked of the release before.
        """
        self._plan = plan
        self._columns = {column.name: column for column in columns}
        weight = plan.weight_column
        words = self.tr("Weighted by {column}, as planned.")
        self.weights.setText("" if weight is None else words.format(column=weight.name))
        self.weights.setVisible(weight is not None)
        kept = [column.name for column in columns if column.is_kept]
        for part in (self.strata, self.clusters):
            part.offer(kept, "", self.tr("none"))
        self.more.setChecked(False)
        self.more.setEnabled(bool(kept))
        self.model.show_release(plan, self._columns)
        for part in self.parts:
            part.offer((), "", "")
        self._show_kind()
        if asked is not None:
            self._ask(asked)

    @singledispatchmethod
    def _ask(self, question: Question) -> None:
        """Fills the form with a question."""
        raise NotImplementedError

    @_ask.register
    def _(self, question: ColumnsQuestion) -> None:
        (place,) = (n for n, kind in enumerate(KINDS) if kind.question is type(question))
        self.kind.setCurrentIndex(place)
        shown = self.parts[: len(KINDS[place].parts)]
        names = list(question.names)
        # Of a table of two columns the middle part is empty.
        if len(names) < len(shown):
            optional = next(n for n, part in enumerate(KINDS[place].parts) if part.is_optional)
            names.insert(optional, "")
        for part, name in zip(shown, names, strict=True):
            part.box.setCurrentIndex(max(part.box.findData(name), 0))

    @_ask.register
    def _(self, question: ModelQuestion) -> None:
        (place,) = (n for n, kind in enumerate(KINDS) if kind.question is None)
        self.kind.setCurrentIndex(place)
        self.model.ask(question)

    def asked(self) -> Kind:
        """The kind of question."""
        return KINDS[self.kind.currentIndex()]

    def names(self) -> tuple[str, ...]:
        """The columns that are chosen."""
        shown = self.parts[: len(self.asked().parts)]
        return tuple(part.name() for part in shown if part.name())

    def question(self) -> Question | None:
        """The question; None where it cannot be asked, of which the form says why."""
        kind = self.asked()
        if kind.question is None:
            return self.model.question()
        needed = sum(not part.is_optional for part in kind.parts)
        names = self.names()
        if len(names) < needed or any(part.refusal.text() for part in self.parts):
            return None
        return kind.question(names)

    def lacking(self) -> str:
        """Why the question cannot be asked; "" where it can."""
        if self.asked().question is None:
            return self.model.lacking()
        if self.question() is not None:
            return ""
        told = next((part.refusal.text() for part in self.parts if part.refusal.text()), "")
        return told or self.tr("Choose the columns that are asked about.")

    def drawn(self) -> DrawnBy:
        """How the respondents were drawn."""
        if not self.more.isChecked():
            return DrawnBy()
        strata = self.strata.name()
        lonely: Lonely = self.lonely.currentData() if strata else "fail"
        return DrawnBy(strata, self.clusters.name(), lonely)

    def _part(self, title: str) -> PartBox:
        part = PartBox(parent=self)
        part.set_title(title)
        return part

    def _show_kind(self) -> None:
        """Shows the fields of the kind; columns stay where there must be one and they can be."""
        kind = self.asked()
        self._meaning.setText(_tr(kind.meaning))
        before = [part.name() for part in self.parts]
        taken: list[str] = []
        for place, part in enumerate(self.parts):
            fits = place < len(kind.parts)
            part.setVisible(fits)
            part.refusal.show_sentence("")
            if not fits:
                continue
            told = kind.parts[place]
            part.set_title(_tr(told.title))
            chosen = ""
            if not told.is_optional:
                may_stay = not self._reason(before[place], told.use, taken)
                chosen = (before[place] if may_stay else "") or self._first(told.use, taken)
            # Where no column fits none is chosen, rather than one that is refused.
            none = self.tr("none") if told.is_optional or not chosen else ""
            part.offer(tuple(self._columns), chosen, none)
            taken += [part.name()] if part.name() else []
        self.model.setVisible(not kind.parts)
        self._arrange()
        self._change()

    def _first(self, use: Use, taken: Sequence[str]) -> str:
        fitting = (name for name in self._columns if not self._reason(name, use, taken))
        return next(fitting, "")

    def _reason(self, name: str, use: Use, beside: Sequence[str]) -> str:
        if name not in self._columns:
            return "" if not name else "-"
        found = objection(self._plan, self._columns, name, use, beside)
        return "" if found is None else str(found)

    def _change(self) -> None:
        """Says of every column whether it can be chosen beside the others."""
        kind = self.asked()
        for place, told in enumerate(kind.parts):
            part = self.parts[place]
            others = [
                other.name()
                for i, other in enumerate(self.parts[: len(kind.parts)])
                if i != place and other.name()
            ]
            reasons = {name: self._reason(name, told.use, others) for name in self._columns}
            part.show_reasons({name: reason for name, reason in reasons.items() if reason})
        self.changed.emit()

    def _arrange(self) -> None:
        shown = self.more.isChecked()
        self.strata.setVisible(shown)
        self.clusters.setVisible(shown)
        self.lonely.setVisible(shown and bool(self.strata.name()))
        self.changed.emit()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Question", text)
