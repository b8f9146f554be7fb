"""What a sample plan comes to: a sentence, figures with units, and a table to take away."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, isfinite
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesk.composition.strength import protection_words
from dpdesk.data.write_csv import table_csv
from dpdesk.data.write_file import write_file
from dpdesk.designs.planning import (
    TESTS,
    Goal,
    Outcome,
    Sample,
    Unknown,
    Wanted,
    denied_error,
    in_field,
    kish_effect,
    solve,
    typical_error,
)
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.design_words import carrier_belief, design_cells
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.numbers.digits import epsilon_down, epsilon_up, percent_text
from dpdesk.preview import at_most, factor_text, share_text, significant

_EPSILON = "ε "
"""What stands before an epsilon that was found, in the first figure."""

Row = tuple[str, str, str]
"""Quantity, value and unit, for a file."""


@dataclass(frozen=True)
class PlanWords:
    """A plan in words and numbers.

    Attributes:
        sentence: What was found.
        notes: Further sentences.
        loss: The epsilon of all answers of a respondent; infinite where one can be a proof.
        figures: Four of them.
        table: Every number with all its digits, for a file.
        respondents: A number of respondents that the page can take; None where none was found.
        epsilon: An epsilon that the page can take; None where none was found.
        epsilon_said: The same as the sentence has it.
        sample: The sample that is planned; None where there are several.
        curve: What the curve of that sample is called.
    """

    sentence: str
    notes: tuple[str, ...]
    loss: float
    figures: tuple[Figure, ...]
    table: PlotTable
    respondents: int | None = None
    epsilon: float | None = None
    epsilon_said: str = ""
    sample: Sample | None = None
    curve: str = ""

    def text(self) -> str:
        """Sentences and table as plain text, its columns parted by tabs."""
        return "\n".join(
            (
                self.sentence,
                protection_words(self.loss),
                *self.notes,
                "",
                self.table.tab_separated(),
            )
        )

    def csv(self) -> str:
        """The table as CSV, lines ending in LF; no text is taken for a formula by a spreadsheet."""
        return table_csv(self.table.headers, self.table.rows)

    def save(self, path: Path) -> None:
        """Writes the table to a file.

        Raises:
            ReleaseError: The file cannot be written.
        """
        write_file(path, self.csv())


def tr(text: str) -> str:
    """Words of sample planning in the language of the window."""
    return QCoreApplication.translate("SamplePlanning", text)


def number(value: float) -> str:
    """A number for a file: nine digits, no unit."""
    return f"{value:.9g}"


def unbroken(share: float) -> str:
    """A share in per cent that no line ends within."""
    return _unbroken(percent_text(share))


def _unbroken(text: str) -> str:
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def found(scenario: Scenario[Any], wanted: Wanted, sample: Sample | None = None) -> PlanWords:
    """Returns what a scenario and the wishes come to.

    Args:
        scenario: The supposed survey.
        wanted: What is to be found.
        sample: Its sample, where something else is supposed of it than by default.

    Raises:
        FieldError: A number is impossible; it names the field.
    """
    sample = sample or scenario.survey.sample
    people, quantity = sample.people, scenario.quantity
    with in_field(""):
        people.check(tr(scenario.quantity_words))
    if wanted.goal in TESTS:
        with in_field("against"):
            quantity.check_against(wanted.against)
            if wanted.goal is Goal.POWER and wanted.against == people.value:
                raise ParameterError(
                    "Both values are equal, so that there is nothing to find.",
                    remedy="Type one that differs from the true one.",
                )
    return _Words(scenario, wanted, solve(wanted, sample)).plan()


_OF_A_TEST = {
    "": N_(
        "{people} respondents tell a {what} of {share}{of} from {other} with a power of {power}, "
        "with {design}."
    ),
    "device": N_(
        "{people} respondents in each of two groups tell a {what} of {share}{of} from {other} with "
        "a power of {power}, both with {design}."
    ),
    "direct": N_(
        "{people} respondents in each of two groups tell a {what} of {share}{of} from {other} with "
        "a power of {power}, the first with {design}, the second asked directly."
    ),
}
_SENTENCES = {
    Goal.RESPONDENTS_FOR_MARGIN: N_(
        "{people} respondents reach a margin of {margin}{of} ({sure}) with {design}{where}."
    ),
    Goal.MARGIN: N_(
        "{people} respondents give a margin of {margin}{of} ({sure}) with {design}{where}."
    ),
    Goal.EPSILON_FOR_MARGIN: N_(
        "ε = {epsilon} is the least at which {people} respondents reach a margin of {margin}{of} "
        "({sure}) with {design}{where}."
    ),
    Goal.EPSILON_FOR_POWER: N_(
        "ε = {epsilon} is the least at which {people} respondents tell a {what} of {share}{of} "
        "from {other} with a power of {power}, with {design}."
    ),
}


class _Words:
    """An outcome of one question in words."""

    def __init__(self, scenario: Scenario[Any], wanted: Wanted, outcome: Outcome) -> None:
        self._scenario, self._wanted, self._outcome = scenario, wanted, outcome
        self._quantity = scenario.quantity
        self._sample = outcome.sample
        self._tested = wanted.goal in TESTS
        self._margin = self._quantity.margin_words(self._sample.margin)
        self._epsilon = ""
        if outcome.epsilon is not None:
            # The least epsilon is rounded up, the largest under a cap down.
            words = epsilon_down if wanted.goal.is_cap else epsilon_up
            self._epsilon = words(outcome.epsilon)

    def plan(self) -> PlanWords:
        outcome, sample = self._outcome, self._sample
        found_people = self._wanted.goal.finds is Unknown.RESPONDENTS
        if self._tested:
            figures, rows = self._test_figures(), self._test_rows()
        elif self._wanted.goal.is_cap:
            figures, rows = self._cap_figures(), self._cap_rows()
        else:
            figures, rows = self._margin_figures(), self._margin_rows()
        # The page cannot take the epsilon of a design that stands in for its own.
        follows = outcome.epsilon is not None and not outcome.note
        return PlanWords(
            sentence=self._sentence(),
            notes=self._notes(),
            loss=sample.design.loss.epsilon if outcome.epsilon is None else outcome.epsilon,
            figures=figures,
            table=PlotTable(
                ("quantity", "value", "unit"),
                (*self._input_rows(), *rows, *self._each_row(), *self._denial_rows()),
            ),
            respondents=sample.respondents if found_people else None,
            epsilon=outcome.epsilon if follows else None,
            epsilon_said=self._epsilon if follows else "",
            sample=sample,
            curve=self._curve(),
        )

    def _curve(self) -> str:
        if self._sample.design == self._scenario.design:
            return tr("this design")
        words = tr("{design} at ε = {epsilon}")
        return words.format(design=tr(self._sample.design.title), epsilon=self._epsilon)

    def _sentence(self) -> str:
        wanted, sample = self._wanted, self._sample
        second = wanted.second if wanted.needs("second") else ""
        where = ""
        if sample.population is not None:
            where = tr(" in a population of {people}").format(people=f"{sample.population:,}")
        told = {**_SENTENCES, **self._scenario.cap_sentences}
        return tr(told.get(wanted.goal) or _OF_A_TEST[second]).format(
            what=tr(self._scenario.quantity_words),
            of=self._scenario.of_what,
            people=f"{sample.respondents:,}",
            margin=self._margin,
            sure=percent_text(sample.confidence),
            design=self._title(),
            where=where,
            epsilon=self._epsilon,
            share=self._true,
            other=self._quantity.value_text(wanted.against),
            power=share_text(self._outcome.power or 0.0),
            cap=percent_text(wanted.belief),
            odds=significant(wanted.odds, 3),
        )

    @property
    def _true(self) -> str:
        return self._quantity.value_text(self._scenario.survey.truth)

    def _notes(self) -> tuple[str, ...]:
        sample, notes = self._sample, []
        if sample.margin_of_sums is not None:
            words = tr("Keep every answer: from sums alone the margin can be {margin}.")
            margin = self._quantity.margin_words(sample.margin_of_sums)
            notes.append(words.format(margin=margin))
        if not self._tested and (each := self._scenario.each_margin(sample)):
            name, widest = max(each, key=lambda answer: answer[1])
            words = tr("Of all answers “{answer}” has the widest margin, {margin}.")
            notes.append(words.format(answer=name, margin=self._quantity.margin_words(widest)))
        if self._wanted.goal.is_cap:
            words = tr("{people} respondents then give a margin of {margin} with {design}.")
            people = f"{sample.respondents:,}"
            notes.append(words.format(people=people, margin=self._margin, design=self._title()))
        if sample.weights_cv:
            effect = significant(kish_effect(sample.weights_cv), 3)
            words = tr("The weights alone need {effect} the respondents (Kish).")
            notes.append(words.format(effect=f"{effect} ×"))
        if self._wanted.denial is not None:
            notes.append(self._denial_note(self._wanted.denial))
        if self._outcome.note:
            notes.append(tr(self._outcome.note))
        return tuple(notes)

    def _denial_note(self, denial: float) -> str:
        """What denials do to a direct question, and from which n on the design is better."""
        sample = self._sample
        least = self._outcome.beats_direct_from
        if least is None:
            compared = tr("the design errs more even if all {people} people are asked").format(
                people=f"{sample.population or 0:,}"
            )
        else:
            compared = tr("from n = {least} on the design errs less").format(least=f"{least:,}")
        quantity = self._quantity

        def amount(value: float) -> str:
            return f"{significant(quantity.scale * value, 2)} {quantity.unit}".strip()

        bias, _ = sample.people.denied(denial, sample.design)
        return tr(
            "If {share} {deniers}, it is {bias} too low at any n; {compared}. Typical error at "
            "n = {people}: {own} against {direct} (root mean squared error)."
        ).format(
            share=percent_text(denial),
            deniers=tr(self._scenario.deniers),
            bias=amount(bias),
            compared=compared,
            people=f"{sample.respondents:,}",
            own=amount(typical_error(sample)),
            direct=amount(denied_error(sample, denial)),
        )

    def _denial_rows(self) -> tuple[Row, ...]:
        denial, sample = self._wanted.denial, self._sample
        if denial is None:
            return ()
        least = self._outcome.beats_direct_from
        told = "at no number" if least is None else str(least)
        return (
            (f"{self._scenario.deniers_word} who deny a direct question", number(denial), "share"),
            ("beats a direct question from", told, "respondents"),
            ("root mean squared error", number(typical_error(sample)), self._quantity.file_unit),
            (
                "root mean squared error of a direct question",
                number(denied_error(sample, denial)),
                self._quantity.file_unit,
            ),
        )

    def _first_figure(self) -> Figure:
        """What was found: an epsilon, or else how many are asked."""
        if self._outcome.epsilon is None:
            contrast = self._outcome.contrast
            grouped = contrast is not None and bool(contrast.second)
            words = tr("respondents in each group") if grouped else tr("respondents")
            return Figure(f"{self._sample.respondents:,}", words)
        odds = at_most(exp(self._outcome.epsilon))
        words = tr("no answer more than {odds} times likelier").format(odds=odds)
        return Figure(f"{_EPSILON}{self._epsilon}", words)

    def _margin_figure(self) -> Figure:
        words = tr("margin of the estimate, {sure}")
        return Figure(self._margin, words.format(sure=unbroken(self._sample.confidence)))

    def _effect_figure(self, detail: str = "") -> Figure:
        words = tr("design effect: times a direct question's n")
        return Figure(factor_text(self._sample.design_effect), words, detail)

    def _margin_figures(self) -> tuple[Figure, ...]:
        sample = self._sample
        effect = kish_effect(sample.weights_cv)
        detail = tr(
            "The device multiplies the respondents needed by {device}, the weights by {weights}."
        ).format(device=factor_text(sample.design_effect / effect), weights=factor_text(effect))
        return (
            self._first_figure(),
            self._margin_figure(),
            self._effect_figure(detail),
            self._effective_figure(),
        )

    def _effective_figure(self) -> Figure:
        words = tr("effective n: truthful answers that tell as much")
        return Figure(f"{self._sample.effective_respondents:,.0f}", words)

    def _margin_rows(self) -> tuple[Row, ...]:
        sample = self._sample
        return (
            self._margin_row(),
            ("design effect", number(sample.design_effect), "times"),
            ("design effect of the weights", number(kish_effect(sample.weights_cv)), "times"),
            ("effective respondents", number(sample.effective_respondents), "respondents"),
        )

    def _margin_row(self) -> Row:
        unit = self._quantity.file_unit
        return "margin", number(self._sample.margin), unit

    def _each_row(self) -> tuple[Row, ...]:
        if self._tested:
            return ()
        unit = self._quantity.file_unit
        each = self._scenario.each_margin(self._sample)
        return tuple((f"margin of {name}", number(margin), unit) for name, margin in each)

    def _test_figures(self) -> tuple[Figure, ...]:
        wanted = self._wanted
        sides = tr("two-sided") if wanted.two_sided else tr("one-sided")
        return (
            self._first_figure(),
            Figure(
                share_text(self._outcome.power or 0.0),
                tr("power: chance to find the difference"),
            ),
            Figure(
                percent_text(wanted.alpha),
                tr("false alarms where it is {other}, {sides}").format(
                    other=_unbroken(self._quantity.value_text(wanted.against)),
                    sides=sides,
                ),
            ),
            self._margin_figure(),
        )

    def _test_rows(self) -> tuple[Row, ...]:
        wanted, contrast = self._wanted, self._outcome.contrast
        grouped = contrast is not None and bool(contrast.second)
        return (
            (
                f"{self._quantity.noun} of the {'second group' if grouped else 'null hypothesis'}",
                number(wanted.against),
                self._quantity.file_unit,
            ),
            ("level", number(wanted.alpha), f"{'two' if wanted.two_sided else 'one'}-sided"),
            ("power", number(self._outcome.power or 0.0), "share"),
            self._margin_row(),
        )

    def _cap_figures(self) -> tuple[Figure, ...]:
        sample = self._sample
        margin = tr("margin of {people} respondents, {sure}")
        people = f"{sample.respondents:,}"
        return (
            self._first_figure(),
            self._belief_figure(),
            Figure(self._margin, margin.format(people=people, sure=unbroken(sample.confidence))),
            self._effect_figure(),
        )

    def _belief_figure(self) -> Figure:
        """Between what an answer can move a belief; of a mean nobody has one."""
        found = self._outcome.beliefs
        if found is None:
            return self._effective_figure()
        lowest, highest = found
        words = tr("what an answer can make of a belief of {share}")
        return Figure(
            f"{carrier_belief(lowest)} – {carrier_belief(highest)}",
            words.format(share=self._true),
        )

    def _cap_rows(self) -> tuple[Row, ...]:
        return (
            *(
                (name, number(belief), "share")
                for name, belief in zip(
                    ("lowest belief", "highest belief"), self._outcome.beliefs or (), strict=False
                )
            ),
            self._margin_row(),
            ("design effect", number(self._sample.design_effect), "times"),
        )

    def _input_rows(self) -> tuple[Row, ...]:
        scenario, sample = self._scenario, self._sample
        kind, parameters = design_cells(sample.design)
        own = scenario.epsilon if self._outcome.epsilon is None else self._outcome.epsilon
        rows = [
            ("question", scenario.question, ""),
            ("design", kind, parameters),
            ("epsilon", number(own) if isfinite(own) else "infinite", ""),
            *scenario.looked_rows,
            (scenario.quantity_words, number(sample.people.value), self._quantity.file_unit),
            *self._deviation_row(),
            ("confidence", number(sample.confidence), "share"),
            ("respondents", str(sample.respondents), "respondents"),
        ]
        if sample.population is not None:
            rows.append(("population", str(sample.population), "people"))
        if sample.weights_cv:
            words = "coefficient of variation of the weights"
            rows.append((words, number(sample.weights_cv), ""))
        return tuple(rows)

    def _deviation_row(self) -> tuple[Row, ...]:
        """What is supposed of numbers beside their mean."""
        deviation = self._sample.people.supposed().get("deviation")
        if deviation is None:
            return ()
        return (("expected standard deviation", number(deviation), self._quantity.file_unit),)

    def _title(self) -> str:
        design = self._sample.design
        if design == self._scenario.design:
            return design.list_name
        return tr(type(design).title)
