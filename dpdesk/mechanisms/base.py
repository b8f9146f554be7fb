"""What every mechanism is: a record that a plan stores, and the same bound to a domain."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from dpdesk.channel import Certificate
from dpdesk.composition import Divergences, divergences, divergences_of_support
from dpdesk.cost import Epsilon
from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import Message
from dpdesk.mechanisms.estimates import Accuracy, Answers, Estimate
from dpdesk.mechanisms.score_rule import Numbers, ScoreRule
from dpdesk.mechanisms.tally import Tally
from dpdesk.mechanisms.texts import T
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.randomness import WordSource

Tick = Callable[[], None]

Form = Literal["symbol", "bits", "integers"]
"""How a report is written: one symbol, one bit per category, or a few whole numbers."""


class Mechanism(BaseModel, ABC):
    """Parameters of a mechanism, as a plan stores them; the tag is `kind`.

    The fields are declared once: validation, the form, the command line, the file format and its
    schema, the documentation and the contract tests are all derived from the declaration.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    short: ClassVar[str]
    """The name in a table, such as "GRR"."""
    title: ClassVar[str]
    """The name in full."""
    summary: ClassVar[str]
    """One sentence on what a respondent's report is."""
    reference: ClassVar[str]
    """The publication that the formulas come from."""
    form: ClassVar[Form] = "symbol"
    """How a report is written."""
    adjustable: ClassVar[bool] = True
    """Whether epsilon can be chosen; else it follows from the other parameters."""
    in_its_favour: ClassVar[str] = ""
    """Why to choose it although another mechanism has a smaller error; empty without a reason."""
    agreement: ClassVar[str] = "{number} of 100{real} reports agree with the true answer."
    """What the forecast's chance of a truthful report says of reports, for the respondents."""
    lost: ClassVar[str] = ""
    """What an analyst gives up by it, as a sentence, where the form of reports does not say it."""
    can_be_faked: ClassVar[bool] = False
    """Whether fake reports of it can be drawn, which RS+FD and RS+RFD need."""

    kind: str
    epsilon: Annotated[
        Epsilon,
        Field(
            title="Epsilon",
            description="Privacy loss: any report is at most e^epsilon times likelier under one "
            "true answer than under another.",
            json_schema_extra={"symbol": "ε"},
        ),
    ]

    @classmethod
    @abstractmethod
    def misfit(cls, domain: AnyDomain) -> Message | None:
        """Returns why this mechanism cannot serve a domain, or None if it can."""

    @abstractmethod
    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> BoundMechanism:
        """Returns this mechanism on a domain, its integer law built and certified.

        Args:
            domain: The attribute's public domain.
            tick: Called now and then while a large law is built; may raise to stop.

        Raises:
            ParameterError: The mechanism does not fit the domain.
            CertificateError: The domain is too large for this epsilon.
        """

    def report_sizes(self, domain: AnyDomain) -> tuple[int, ...]:
        """Returns how many values each part of a report can have; of bits, two for each.

        Overridden where building the law takes long.
        """
        bound = self.bind(domain)
        return bound.limits or (len(bound.outputs),)

    @abstractmethod
    def forecast(self, domain: AnyDomain) -> Forecast:
        """Returns the real law on a domain for previews: same formulas, no certificate."""

    def noise_at_least(self) -> float:
        """Returns a bound that n times the noise variance of a share is never below.

        It holds on every domain and needs no forecast; 0 where a forecast costs little.
        """
        return 0.0

    def divergences(self, domain: AnyDomain, first: int, second: int) -> Divergences:
        """Compares the laws of the whole report under two true answers.

        Args:
            domain: The attribute's public domain, which the mechanism fits.
            first: Code of the one answer.
            second: Code of the other.
        """
        forecast = self.forecast(domain)
        laws = forecast.probabilities(first), forecast.probabilities(second)
        if forecast.form == "support":
            return divergences_of_support(self.epsilon, float(laws[0][first] - laws[1][first]))
        if forecast.form == "bits":
            # Independent bits, of which only those of the two answers differ: four outcomes.
            chances = (law[[first, second]] for law in laws)
            p, q = (np.outer([1 - a, a], [1 - b, b]).ravel() for a, b in chances)
            return divergences(p, q)
        p, q = (law / law.sum() for law in laws)
        return divergences(p, q)

    def reported_share(self, domain: AnyDomain) -> float:
        """Returns which share of those who report the attribute tell of each estimated quantity."""
        return 1.0

    def released_names(self, name: str, domain: AnyDomain) -> tuple[str, ...]:
        """Returns the names of the released columns that an attribute becomes.

        Args:
            name: Name of the attribute's column.
            domain: Its public domain.
        """
        if self.form == "bits":
            return tuple(f"{name}={text}" for text in domain.texts)
        return (name,)

    @classmethod
    def starting(cls, domain: AnyDomain, epsilon: Decimal) -> Mechanism:
        """Returns this mechanism with parameters to begin with, at an epsilon or just below it.

        Args:
            domain: The attribute's domain, which the mechanism fits.
            epsilon: The epsilon, which a mechanism that is not adjustable comes near to.
        """
        return _of_epsilon(cls, epsilon)

    def objection(self, domain: AnyDomain) -> Message | None:
        """Returns why these parameters cannot serve a domain, or None; by default `misfit`."""
        return self.misfit(domain)

    def require_fit(self, domain: AnyDomain) -> None:
        """Raises `ParameterError` with the reason of `objection`, if there is one."""
        reason = self.objection(domain)
        if reason is not None:
            raise ParameterError(reason)


@lru_cache(maxsize=128)
def _of_epsilon(kind: type[Mechanism], epsilon: Decimal) -> Mechanism:
    # Cached: a ranking of ten thousand attributes asks for the same ones.
    return kind(epsilon=epsilon)  # type: ignore[call-arg]


class Forecast(Protocol):
    """What a mechanism does to a domain, in floating point: for previews and planning only."""

    @property
    def size(self) -> int:
        """Number of values of the domain."""

    @property
    def outputs(self) -> int:
        """Number of reports, or of bits."""

    @property
    def quantity(self) -> Literal["share", "mean"]:
        """What is estimated."""

    @property
    def form(self) -> Literal["symbol", "bits", "support"]:
        """What the probabilities are of: a report, each bit of it, or its support of a category.

        A report that is neither a category nor bits, such as a hash, supports several categories
        at once.
        """

    @property
    def positions(self) -> Floats | None:
        """Where numeric reports lie, from the domain's lower end in its unit, shape (outputs,).

        None where reports are not numbers.
        """

    def probabilities(self, code: int) -> Floats:
        """Returns Pr[report | true code], shape (outputs,); for bits, Pr[bit = 1]."""

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns what each report adds to an estimate, each report's chance, and the truth.

        For shares that of a share of 1/k; for means from the domain's lower end in its unit, for
        answers spread evenly over the grid. The mean of the first under the second is the third.
        """

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error to expect of one estimate.

        Args:
            reports: Number of respondents.
            share: For shares, the true share (1/k when None); for means the answers are taken
                as spread evenly over the grid.
        """

    def variances(self, answers: Answers) -> tuple[Floats, Floats]:
        """Returns n times the variances of noise and of drawing the respondents.

        Args:
            answers: How the true answers are spread.

        Returns:
            Of each share, shape (k,) each; or of the mean, shape (1,).
        """

    @property
    def noise_constant(self) -> float:
        """The constant n Var*: n times the noise variance of a share near 0.

        For a mean, that of the worst grid point, with the interval's half-width as unit.
        """

    @property
    def truthful(self) -> float | None:
        """Share of reports that tell the truth; None where a report is no answer."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberReports:
    """What reports of numbers tell of the answers, from the lower end in the attribute's unit.

    Attributes:
        places: The number of each report of an answer.
        scores: What each report adds to the number of those who answered, and to the sums of
            `places` and of their squares among them, shape (outputs, 3); the last report is "no
            answer" where there is one more than places. The expectation of all three is 0 of a
            missing answer.
        moments: Mean and mean square of `places` under some answers, shape (nodes, 2).
    """

    places: Floats
    scores: Floats
    moments: Floats


class BoundMechanism(ABC):
    """A mechanism on a domain: what is run, and how its reports are read.

    Attributes:
        mechanism: The parameters.
        domain: The public domain.
        certificate: The exact epsilon of the integer law.
        outputs: Text of each report symbol, or of each category for the other forms. It may be a
            sequence that makes each text on demand, which saves memory.
        numeric_outputs: Whether the report symbols are numbers of the attribute's unit.
        limits: For reports of whole numbers, how many values each part can have (0 up to one
            less); else empty.
        blanks: Whether the last of these values is released as an empty cell.
    """

    mechanism: Mechanism
    domain: AnyDomain
    certificate: Certificate
    outputs: Sequence[str]
    numeric_outputs: bool
    limits: tuple[int, ...] = ()
    blanks: bool = False

    @property
    def size(self) -> int:
        """Number of values of the domain."""
        return self.domain.size

    @property
    def form(self) -> Form:
        """How a report is written."""
        return self.mechanism.form

    @property
    def epsilon(self) -> Decimal:
        """The nominal epsilon."""
        return self.mechanism.epsilon

    @property
    def bytes_per_row(self) -> int:
        """Memory of one row while it is randomized, words included; sets the chunk size."""
        return 16 * (len(self.outputs) if self.form == "bits" else 1)

    @abstractmethod
    def randomize(self, codes: Codes, words: WordSource) -> NDArray[Any]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,), each in 0..size-1.
            words: Source of random words; how many are taken depends on n alone, whatever the
                data are.

        Returns:
            Reported codes, int32 of shape (n,); or bits, uint8 of shape (n, k); or whole numbers,
            integers of shape (n, parts).
        """

    def tally(self, reports: NDArray[Any], weights: Floats | None = None) -> Tally:
        """Counts reports; tallies of chunks add up.

        Args:
            reports: Reports, as `randomize` returns them.
            weights: Weight of each respondent, shape (n,), or None for equal weights.
        """
        rows = len(reports)
        if weights is None:
            return Tally(rows, float(rows), float(rows), self.counts(reports, None))
        both = np.stack((weights, weights**2))
        counts, squared = self.counts(reports, both)
        # A product of vectors wakes threads, which takes longer than such a sum.
        weight, of_squares = both.sum(axis=1).tolist()
        return Tally(rows, weight, of_squares, counts, squared)

    @abstractmethod
    def counts(self, reports: NDArray[Any], weights: Floats | None) -> Floats:
        """Returns the weight of the reports that support each output.

        Args:
            reports: Reports, as `randomize` returns them.
            weights: Weights of each respondent, several kinds, shape (kinds, n); or None for equal
                weights.

        Returns:
            An array of shape (kinds, outputs), or (outputs,) without weights.
        """

    @abstractmethod
    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        """Returns unbiased estimates from a tally of at least one report."""

    def totals(self, counts: Floats, weight: Floats) -> Floats:
        """Returns unbiased totals of the true answers, with any weights, also negative ones.

        Counts are linear in the reports, and so are these. So weights may themselves be unbiased
        scores of another attribute that is randomized independently: the totals are then unbiased
        for the joint table of both.

        Args:
            counts: Weight of the reports that support each output, shape (kinds, outputs), from
                `counts`.
            weight: Weight of all reports, shape (kinds,).

        Returns:
            The weight of the respondents with each category or option, shape (kinds, k).

        Raises:
            ParameterError: No shares are estimated, or reports of one attribute depend on what is
                reported of others.
        """
        raise ParameterError(T.NOT_TOGETHER(mechanism=self.mechanism.short))

    def report_scores(self, reports: NDArray[Any]) -> Floats:
        """Returns what each report tells of each category or option, without bias.

        The expectation of a score is 1 where its category is the true one, or its option is ticked,
        and 0 elsewhere. Sums of scores are what `totals` gives; products with the scores of an
        attribute that is randomized independently are unbiased for the joint table of both.

        Args:
            reports: Reports, as `randomize` returns them, n of them.

        Returns:
            An array of shape (n, k).

        Raises:
            ParameterError: Numbers are reported (see `number_scores`).
        """
        raise ParameterError(T.NUMBERS_REPORTED(mechanism=self.mechanism.short))

    def answered_rule(self, missing: int) -> Mapping[str, Numbers]:
        """Returns what the error of shares among those who answered takes beside the scores.

        Either `both_true` and `both_other`, the chances that a report supports a category and "no
        answer" where one of them is true, and where another one is, with `third` as of
        `dpdesk.mechanisms.among_answered.Supports`; or `mixed`, the mean products of the scores of
        each category and "no answer", by the true category first.

        Args:
            missing: The category of missing answers.

        Returns:
            Nothing where the error takes more than that.
        """
        return {}

    @abstractmethod
    def score_rule(self) -> ScoreRule:
        """Returns how released cells become scores, for programs that do not know dpdesk.

        Its scores are those of `report_scores`, or the first two of `number_scores`.
        """

    def report_chances(self, reports: NDArray[Any]) -> Floats | None:
        """Returns how likely each report is under each answer, up to a factor of the report.

        Args:
            reports: Reports, as `randomize` returns them, n of them.

        Returns:
            An array of shape (n, k); None where answers are not one category each, or the chance
            of a report depends on more than this answer.
        """
        return None

    @property
    def number_scores(self) -> Floats | None:
        """What each report of a number tells of the answer, without bias, shape (outputs, 3).

        Whether there is an answer (1, or 0 of a missing one), the answer from the lower end in the
        attribute's unit, and its square; both 0 of a missing answer. NaN throughout the last column
        where reports tell nothing of squares; None where answers are no numbers.
        """
        return None

    @property
    def noise_floor(self) -> Floats | None:
        """The least noise of a mean of numbers at any mean; None where answers are no numbers.

        Returns:
            Means, least mean squares of reports if they are true, and if missing; shape (3, k).
        """
        return None

    def number_reports(self, codes: Codes) -> NumberReports | None:
        """Returns what reports of numbers tell of the answers; None where answers are no numbers.

        Args:
            codes: True codes to give the law's moments at, shape (nodes,).
        """
        return None

    def among_answered(self, tally: Tally, missing: int) -> Estimate | None:
        """Returns shares among those who answered, where "no answer" is one of the categories.

        Args:
            tally: Counts of at least one report.
            missing: Code of that category, or its place among the options of a set.

        Returns:
            Arrays of shape (k - 1,), without that category, with 95 % intervals; None where no
            shares are estimated.
        """
        return None

    @abstractmethod
    def parameters(self) -> dict[str, float]:
        """Returns the law's numbers for a report, such as p and q."""

    def estimation_rule(self, weighted: str) -> str:
        """Returns in words and symbols how to estimate from the released columns.

        By default of reports whose average is the mean.

        Args:
            weighted: What to say behind an average or a share where reports are weighted, such as
                " (weighted by w)"; empty where they are not.
        """
        return T.MEAN_RULE(weighted=weighted)

    def part_meanings(self) -> tuple[str, ...]:
        """Returns what each released column of a report of whole numbers holds; else ()."""
        return ()

    def impossible(self, reports: NDArray[Any]) -> NDArray[np.bool_] | None:
        """Returns which reports are invalid although each column by itself is valid, shape (n,).

        Args:
            reports: Reports, as `randomize` returns them.

        Returns:
            The mask; None if checking each column by itself is enough.
        """
        return None

    def report_rule(self) -> str:
        """Returns the rule that an `impossible` report violates, as a clause; empty without one."""
        return ""
