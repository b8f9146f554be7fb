"""What an answer discloses: a hundred people before and after it, and every answer in a table."""

from __future__ import annotations

from math import exp, isfinite

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from dpdesk.composition.strength import strength_of
from dpdesk.designs.law import CARRIER
from dpdesk.gui.pages.simulate.design_words import belief_words
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.dots import HundredDots
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_table import PlotTable, TableWindow
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.preview import at_most, share_text
from dpdesk.preview.survey.disclosure import AnswerShown, DisclosureView, disclosure_view

_ROWS, _FEW_ROWS = 4, 2
_TALL = 500
"""Height from which on the table may have more rows."""

ANSWER, GIVEN, LIKELIER, BELIEF = range(4)


class AnswersModel(RowModel[AnswerShown]):
    """One row for each answer that can occur."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heads = (
            Head(self.tr("Answer")),
            Head(self.tr("Given by"), number=True),
            Head(self.tr("Likelier of")),
            Head(self.tr("Carriers among them"), number=True),
        )

    def show_view(self, view: DisclosureView) -> None:
        """Shows the answers of a view."""
        self.show_rows(view.answers, same=True)

    def proven(self, answer: AnswerShown) -> str:
        """What an answer that is a proof proves, in words."""
        if answer.jeopardy.rules_out == CARRIER:
            return self.tr("no carrier")
        return self.tr("a carrier")

    def text(self, row: AnswerShown, column: int) -> str:
        if column == ANSWER:
            said = f"“{row.spoken}”"
            return f"{said} ({row.group})" if row.group else said
        if column == GIVEN:
            return share_text(row.chance)
        if column == LIKELIER:
            return self._likelier(row)
        return belief_words(row.belief)

    def tooltip(self, row: AnswerShown, column: int) -> str:
        return self.text(row, column)

    def _likelier(self, answer: AnswerShown) -> str:
        jeopardy = answer.jeopardy
        if jeopardy.ratio is None:
            return self.tr("a proof: {what}").format(what=self.proven(answer))
        if jeopardy.ratio == 1:
            return self.tr("nobody")
        return self.tr("{state}, {ratio} ×").format(
            state=self.tr(jeopardy.points_to), ratio=at_most(float(jeopardy.ratio))
        )


class _Hundred(QWidget):
    """A hundred dots under a heading, with a sentence below."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.heading = PlainLabel("", "heading", wrap=True, parent=self)
        self.dots = HundredDots(0, parent=self)
        self.words = PlainLabel("", "muted", wrap=True, parent=self)
        for label in (self.heading, self.words):
            # The words have no say in the width: the three pictures stay of one size.
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        lay_column(self.heading, self.words, (self.dots, 1), spacing=3, on=self)

    def show_belief(self, heading: str, full: int, words: str) -> None:
        """Shows so many full dots."""
        self.heading.setText(heading)
        self.words.setText(words)
        self.dots.set_full(full, f"{heading}: {words}")


class DisclosurePanel(QWidget):
    """The belief before any answer, after the most and the least telling one, and all of them."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table_window = TableWindow(self)
        self.sentence = PlainLabel("", "heading", wrap=True, parent=self)
        self.proofs = PlainLabel("", "strong-danger", wrap=True, parent=self)
        self.before = _Hundred(parent=self)
        self.raised = _Hundred(parent=self)
        self.lowered = _Hundred(parent=self)
        self.model = AnswersModel(self)
        self.table = PlainTable(self.model, self.tr("What each answer discloses"), parent=self)
        self.table.setWhatsThis(self.tr("What an onlooker believes of a person after each answer."))
        self.foot = PlainLabel("", "muted", wrap=True, parent=self)
        dots = QHBoxLayout()
        dots.setSpacing(18)
        for part in (self.before, self.raised, self.lowered):
            dots.addWidget(part, 1)
        lay_column(
            self.sentence,
            self.proofs,
            (dots, 3),
            (self.table, 2),
            self.foot,
            spacing=10,
            margins=(4, 4, 4, 0),
            on=self,
        )

    def show_scenario(self, scenario: ShareScenario) -> None:
        """Shows what the answers of a scenario's design disclose at its true share."""
        view = disclosure_view(scenario.design, scenario.prevalence)
        self.sentence.setText(self._sentence(view))
        self.proofs.setText(self._proofs(view))
        self.proofs.setVisible(bool(view.proofs))
        self.before.show_belief(
            self.tr("Before any answer"),
            view.dots,
            self.tr("{share} are carriers").format(share=belief_words(view.prior)),
        )
        self._show_after(self.raised, view.raising)
        self._show_after(self.lowered, view.lowering)
        self.model.show_view(view)
        self.foot.setText(self._foot(view))
        self.table_window.follow(self._numbers)

    def show_table(self) -> None:
        """Shows the numbers in a window of their own."""
        self.table_window.show(self.table.accessibleName(), self._numbers())

    def _numbers(self) -> PlotTable:
        return self.model.table()

    def _show_after(self, part: _Hundred, answer: AnswerShown) -> None:
        heading = self.tr("After {answer}").format(answer=self._named(answer))
        words = self.tr("{share} are carriers").format(share=belief_words(answer.belief))
        part.show_belief(heading, answer.dots, words)

    def _sentence(self, view: DisclosureView) -> str:
        if not isfinite(view.epsilon):
            return self.tr("ε is infinite: there is an answer that is a proof.")
        return self.tr(
            "Protection: {strength}. An answer is at most eᵋ = {ratio} times as likely from one "
            "group as from the other."
        ).format(strength=strength_of(view.epsilon), ratio=at_most(exp(view.epsilon)))

    def _proofs(self, view: DisclosureView) -> str:
        return "\n".join(
            self.tr("{answer} is a proof: {what}.").format(
                answer=self._named(answer), what=self.model.proven(answer)
            )
            for answer in view.proofs
        )

    def _named(self, answer: AnswerShown) -> str:
        said = f"“{answer.spoken}”"
        return f"{said} ({answer.group})" if answer.group else said

    def _foot(self, view: DisclosureView) -> str:
        lanke = self.tr("Lanke's measure, the highest belief after any answer: {belief}.").format(
            belief=belief_words(view.raising.belief)
        )
        return f"{lanke} {self.tr(view.caution)}" if view.caution else lanke
