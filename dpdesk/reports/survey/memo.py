"""The planning memo: what was chosen, what it costs, what it discloses, and what it rests on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from math import isfinite
from typing import ClassVar, NamedTuple

from dpdesk.designs import Design, Jeopardy, YesNoDesign
from dpdesk.designs.beliefs import Belief, BeliefTable, ReportBelief, belief_table, beliefs_after
from dpdesk.designs.devices import ANY_DEVICE, DeviceChoice
from dpdesk.designs.law import loss_of_trait
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.planning import (
    Contrast,
    Mean,
    People,
    Sample,
    Second,
    Share,
    Shares,
    power,
    respondents_to_beat_direct,
)
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.designs.yes_no import PlannedVariance
from dpdesk.i18n import quoted
from dpdesk.reports.number_text import (
    chance_text,
    half_width_text,
    significant_text,
    typed_share_text,
)
from dpdesk.reports.page import page
from dpdesk.reports.survey.sample_plan import (
    PlannedQuestions,
    PlannedStrata,
    PlanSection,
    devices_sections,
    questions_section,
    strata_section,
    value_text,
)
from dpdesk.reports.survey.sheet import question_notes, sheet_parts
from dpdesk.reports.survey.texts import T
from dpdesk.reports.survey.words import (
    epsilon_sentence,
    parameters_of,
    proof_sentences,
    rule_out_sentence,
)
from dpdesk.version import __version__

_CHAUDHURI = "Chaudhuri & Mukerjee 1988, Randomized Response"


_POWER = {"": T.POWER, "device": T.POWER_OF_DEVICE, "direct": T.POWER_OF_DIRECT}


class Disclosure(NamedTuple):
    """What answers disclose, in words.

    Attributes:
        epsilon: The privacy loss as a sentence.
        proofs: A sentence for each answer that proves something.
        beliefs: What is believed after each answer; None where answers cannot be listed.
        lanke: The largest belief that a respondent is a carrier, and its answer; None likewise.
    """

    epsilon: str
    proofs: tuple[str, ...]
    beliefs: PlanSection | None = None
    lanke: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningMemo(ABC):
    """The content of a memo: a question, its design, and the assumed population.

    There is one class for each quantity that a survey can estimate.

    Attributes:
        question: The question; may be empty.
        design: The design with its parameters.
        respondents: Number of respondents.
        confidence: Coverage of the intervals.
        population: Size of a finite population, or None.
        weights_cv: Standard deviation of the respondents' weights over their mean.
        against: Value of the null hypothesis of a test, or None.
        alpha: Level of the test.
        two_sided: Whether the test looks at both sides.
        second: How a second group of as many respondents is asked, whose value `against` is; empty
            where it is a fixed one.
        denial: Share of those concerned who would deny when asked directly, or None.
        strata: A plan of strata, or None.
        questions: A plan of several questions, or None.
        note: Why the design is another one than was chosen; empty where it is not.
        choice: The device that respondents get.
    """

    question: str
    design: Design
    respondents: int
    confidence: float = 0.95
    population: int | None = None
    weights_cv: float = 0.0
    against: float | None = None
    alpha: float = 0.05
    two_sided: bool = False
    second: Second = ""
    denial: float | None = None
    strata: PlannedStrata | None = None
    questions: PlannedQuestions | None = None
    note: str = ""
    choice: DeviceChoice = ANY_DEVICE

    references: ClassVar[tuple[str, ...]] = (_CHAUDHURI,)

    @abstractmethod
    def sample(self) -> PlanSection:
        """Returns the number of respondents and the precision of the estimates.

        Raises:
            ParameterError: A number is impossible.
        """

    @abstractmethod
    def disclosure(self) -> Disclosure:
        """Returns what answers disclose.

        Raises:
            ParameterError: A number is impossible.
        """

    @property
    @abstractmethod
    def people(self) -> People:
        """What is supposed of the people."""

    @abstractmethod
    def denied(self, share: str) -> str:
        """Returns the condition that a share of those concerned would deny."""

    def value_text(self, value: float) -> str:
        """Returns a value of what is estimated, with its unit."""
        return value_text(value, None)

    @property
    def planned(self) -> Sample:
        """The sample of the memo."""
        return Sample(
            self.design,
            self.people,
            self.respondents,
            self.confidence,
            self.population,
            self.weights_cv,
        )

    def _population_row(self) -> tuple[tuple[str, str], ...]:
        return () if self.population is None else (("Population", f"{self.population:,}"),)

    def _tested_rows(self) -> tuple[tuple[str, str], ...]:
        """The power of the test, and from how many respondents the design errs less than none."""
        sample, rows = self.planned, list[tuple[str, str]]()
        if self.against is not None:
            contrast = Contrast(self.against, self.alpha, self.two_sided, self.second)
            value, found = self.value_text(self.against), chance_text(power(sample, contrast))
            sides = T.TWO_SIDED if self.two_sided else T.ONE_SIDED
            rows.append(
                (_POWER[self.second](value=value), sides(power=found, level=f"{self.alpha:g}"))
            )
        if self.denial is not None:
            needed = respondents_to_beat_direct(sample, self.denial)
            rows.append(
                (
                    self.denied(typed_share_text(self.denial)),
                    T.NEVER_BETTER(count=self.population)
                    if needed is None
                    else T.BETTER_FROM(count=needed),
                )
            )
        return tuple(rows)

    def sections(self) -> tuple[PlanSection, ...]:
        """Returns what else was planned of the sample: strata, questions and devices."""
        strata = () if self.strata is None else (strata_section(self.strata),)
        questions = () if self.questions is None else (questions_section(self.questions),)
        return (*strata, *questions, *devices_sections(self.planned))

    def fillings(self) -> tuple[str, ...]:
        """Returns the texts that the instruction takes beside the question."""
        return ()

    @property
    def percent(self) -> str:
        """The coverage of the intervals."""
        return f"{100 * self.confidence:g}\u00a0%"


def memo_html(memo: PlanningMemo, *, paper: bool = False) -> str:
    """Returns the memo as a page without script and network.

    Args:
        memo: Its content.
        paper: Whether the page is for a printer that knows few style rules.

    Raises:
        ParameterError: A number is impossible.
    """
    design, question = memo.design, memo.question.strip()
    parts = sheet_parts(design, memo.question, memo.fillings(), memo.choice)
    return page(
        "memo.html.j2",
        base="paper.html.j2" if paper else "base.html.j2",
        paper=paper,
        title=T.PLANNING_TITLE(name=question or design.title),
        question=question or T.NO_QUESTION(),
        design=design,
        note=memo.note,
        parameters=parameters_of(design),
        sample=memo.sample(),
        sections=memo.sections(),
        disclosure=memo.disclosure(),
        parts=parts,
        assumptions=(
            T.SIMPLE_SAMPLE(),
            T.UNDERSTOOD(),
            T.CHANCES_EXACT(),
            T.NORMAL_AT_SUPPOSED(),
            *question_notes(parts),
        ),
        references=tuple(filter(None, (design.reference, *memo.references))),
        version=__version__,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareMemo(PlanningMemo):
    """The memo of a question answered with yes or no.

    Attributes:
        prevalence: The expected share of carriers, between 0 and 1.
        others: The innocent questions of the design.
    """

    design: YesNoDesign
    prevalence: float
    others: tuple[str, ...] = ()

    references = (
        "Leysieffer & Warner 1976, JASA 71, 649-656: jeopardy of an answer; ε is its logarithm",
        "Lanke 1976, Int. Stat. Rev. 44, 197-203: the largest belief after an answer",
        _CHAUDHURI,
    )

    def denied(self, share: str) -> str:
        return T.IF_TRAIT_DENIED(share=share)

    def fillings(self) -> tuple[str, ...]:
        return self.others

    @property
    def people(self) -> Share:
        return Share(self.prevalence)

    def sample(self) -> PlanSection:
        sample = self.planned
        sample.check()
        rows = (
            ("Expected share", typed_share_text(self.prevalence)),
            ("Respondents", f"{self.respondents:,}"),
            *self._population_row(),
            (T.MARGIN(percent=self.percent), _margin_of(sample)),
            _design_effect(sample.design_effect),
            ("Effective sample", T.AS_MUCH_AS(count=round(sample.effective_respondents))),
            *self._tested_rows(),
        )
        return PlanSection("", (), (), rows)

    def disclosure(self) -> Disclosure:
        loss = loss_of_trait(self.design.groups)
        beliefs = beliefs_after(self.design, self.prevalence)
        spoken = self.design.instructions()[0].spoken
        after = {(belief.group, belief.answer): belief for belief in beliefs}
        rows = tuple(
            _answer_row(found, belief, spoken.get(found.answer, found.answer))
            for found in loss.answers
            if (belief := after.get((found.group, found.answer))) is not None
        )
        highest = max(beliefs, key=lambda belief: belief.belief)
        prior = typed_share_text(self.prevalence)
        return Disclosure(
            epsilon_sentence(loss),
            proof_sentences(loss),
            PlanSection(
                "",
                (T.BEFORE_ANSWERS(share=prior),),
                ("Answer", "Given by", "Times as likely", "of a", "Belief: trait"),
                rows,
            ),
            (_belief(highest.belief), spoken.get(highest.answer, highest.answer)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesMemo(PlanningMemo):
    """The memo of a question with several answers.

    Attributes:
        names: The words of the answers; numbers stand for those that are missing.
        shares: The supposed true shares; their sum is 1.
        looked: Number of the answer that a test or denials are about, from 0.
    """

    design: SeveralDesign
    names: tuple[str, ...] = ()
    shares: tuple[float, ...]
    looked: int = 0

    @property
    def people(self) -> Shares:
        return Shares(self.shares, self.looked)

    def denied(self, share: str) -> str:
        return T.IF_ANSWER_DENIED(share=share, name=self.fillings()[self.looked])

    def value_text(self, value: float) -> str:
        return f"{typed_share_text(value)} of “{self.fillings()[self.looked]}”"

    def fillings(self) -> tuple[str, ...]:
        return self.design.answer_names(self.names)

    def sample(self) -> PlanSection:
        rows = []
        for looked, (name, share) in enumerate(zip(self.fillings(), self.shares, strict=True)):
            sample = replace(self.planned, people=Shares(self.shares, looked))
            factor = sample.design_effect
            effect = f"{significant_text(factor, 3)} ×" if isfinite(factor) else "∞"
            rows.append((name, typed_share_text(share), _margin_of(sample), effect))
        heads = ("Answer", "Expected share", T.MARGIN(percent=self.percent), "Design effect")
        facts = (*self._population_row(), *self._tested_rows())
        sentences = (T.RESPONDENTS(count=self.respondents), *(f"{a}: {b}." for a, b in facts))
        return PlanSection("", sentences, heads, tuple(rows))

    def disclosure(self) -> Disclosure:
        table, names = belief_table(self.design, self.shares), self.fillings()
        first = ("before any report", *map(_belief, table.prior), "", "")
        return Disclosure(
            rule_out_sentence(table.epsilon),
            tuple(
                T.PROOF(
                    answer=names[report.answer],
                    names=quoted([names[index] for index in report.ruled_out]),
                )
                for report in table.proofs
            ),
            PlanSection(
                "",
                (T.BELIEFS_BY_REPORT(),),
                ("Report", *(f"Belief: {name}" for name in names), "Given by", "Times as likely"),
                (first, *(_report_row(table, report, names) for report in table.reports)),
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanMemo(PlanningMemo):
    """The memo of a question answered by a number.

    Attributes:
        mean: The supposed mean of the true answers.
        deviation: Their supposed standard deviation.
        unit: The unit of the answers; may be empty.
    """

    design: NumberDesign
    mean: float
    deviation: float
    unit: str = ""

    def denied(self, share: str) -> str:
        return T.IF_LEAST_SAID(share=share)

    @property
    def people(self) -> Mean:
        return Mean(self.mean, self.deviation)

    def value_text(self, value: float) -> str:
        return value_text(value, self.unit)

    def sample(self) -> PlanSection:
        sample = self.planned
        unit = f" {self.unit}" if self.unit else ""

        def amount(value: float) -> str:
            return f"{significant_text(value, 3)}{unit}"

        device = sample.quantile * sample.error_of(PlannedVariance(0.0, sample.variance.privacy))
        rows = (
            ("Expected mean", amount(self.mean)),
            ("Expected standard deviation", amount(self.deviation)),
            *self._population_row(),
            (T.MARGIN(percent=self.percent), f"± {amount(sample.margin)}"),
            ("of this, sampling alone", f"± {amount(sample.direct_margin)}"),
            ("of this, the device alone", f"± {amount(device)}"),
            _design_effect(sample.design_effect),
            *self._tested_rows(),
        )
        return PlanSection("", (T.RESPONDENTS(count=self.respondents),), (), rows)

    def disclosure(self) -> Disclosure:
        loss = self.design.loss
        sentence = f"{loss.sentence[0].upper()}{loss.sentence[1:]}."
        proofs = () if isfinite(loss.epsilon) else (sentence,)
        return Disclosure(rule_out_sentence(loss.epsilon), proofs)


def _margin_of(sample: Sample) -> str:
    margin, widest = (
        "" if one is None else f"± {half_width_text(one, '', share=True)}"
        for one in (sample.margin, sample.margin_of_sums)
    )
    return T.FROM_SUMS(margin=margin, widest=widest) if widest else margin


def _design_effect(factor: float) -> tuple[str, str]:
    return "Design effect", T.TIMES_DIRECT(factor=significant_text(factor, 3))


def _answer_row(found: Jeopardy, belief: Belief, said: str) -> tuple[str, ...]:
    """What an answer of a question answered with yes or no discloses."""
    ratio = "infinitely" if found.ratio is None else significant_text(float(found.ratio), 3)
    return (
        f"{said} ({found.group})" if found.group else said,
        chance_text(belief.chance),
        ratio if found.ratio != 1 else "1",
        found.points_to if found.ratio != 1 else "no one",
        _belief(belief.belief),
    )


def _report_row(
    table: BeliefTable, report: ReportBelief, names: tuple[str, ...]
) -> tuple[str, ...]:
    """What a report of a question with several answers discloses."""
    name = names[report.answer]
    return (
        name if table.alone else T.ONE_OF(name=name),
        *map(_belief, report.beliefs),
        chance_text(report.chance) if report.chance is not None else "one of many",
        "infinitely" if report.ratio is None else significant_text(report.ratio, 3),
    )


def _belief(belief: float) -> str:
    """A belief in per cent; certainty, which a proof gives, is printed as such."""
    return f"{100 * belief:.0f}\u00a0%" if belief in {0.0, 1.0} else chance_text(belief)
