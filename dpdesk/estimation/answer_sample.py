"""The respondents who answered, the design of their sample, and means of scores over them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.missing_codes import NO_ANSWER
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.designs.sample_design import Lonely, SampleDesign, ScoreMean, mean_score
from dpdesk.domains import parse_number
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.texts import T
from dpdesk.numbers import degrees_words, grouped_number
from dpdesk.numbers.arrays import Floats

Mask = NDArray[np.bool_]

_NUMBER_LIKE = re.compile(r"[+-]?[0-9.,][0-9\s.,'’]*([eE][+-]?[0-9]+)?")
"""A text that looks like a number, and so is not taken for the name of a column."""

_BETWEEN_STRATA = re.compile(r",(?![0-9]{3}(?:,|$))")
"""A comma between "north=5,000" and "south=8,000", not one between thousands."""


@dataclass(frozen=True, slots=True)
class SampleColumns:
    """How respondents were drawn; empty fields for a simple random sample.

    Attributes:
        weights, strata, clusters: Names of the columns.
        population: Number of people that a simple random sample was drawn from.
        sizes: For each stratum, by its text, its number of people in the population; of clusters,
            if there are clusters.
        size_column: The column with the size of each respondent's stratum.
        lonely: How a stratum with a single cluster adds to a variance.
    """

    weights: str = ""
    strata: str = ""
    clusters: str = ""
    population: int | None = None
    sizes: tuple[tuple[str, int], ...] = ()
    size_column: str = ""
    lonely: Lonely = "fail"

    @property
    def has_population(self) -> bool:
        """Whether the sizes of the population, or of its strata, are known."""
        return self.population is not None or bool(self.sizes or self.size_column)

    def with_population(self, text: str) -> SampleColumns:
        """Returns these columns with a population given as text.

        Args:
            text: One number, "north=5000, south=8000", the name of a column, or nothing; numbers
                may have commas between thousands.

        Raises:
            ParameterError: A size is not a whole number, or a stratum is given twice.
        """
        text = text.strip()
        if not text:
            return self
        people = grouped_number(text)
        if people is not None and people >= 0:
            return replace(self, population=people)
        if _NUMBER_LIKE.fullmatch(text):
            raise ParameterError(T.BAD_POPULATION())
        if "=" not in text:
            return replace(self, size_column=text)
        sizes: dict[str, int] = {}
        for part in _BETWEEN_STRATA.split(text):
            name, _, written = (piece.strip() for piece in part.rpartition("="))
            size = grouped_number(written)
            if not name or name in sizes or size is None or size < 0:
                raise ParameterError(T.BAD_SIZES())
            sizes[name] = size
        return replace(self, sizes=tuple(sizes.items()))


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """The design of the sample in numbers.

    Attributes:
        strata, clusters: Their numbers; None without strata or clusters.
        freedom: Degrees of freedom of errors and tests: clusters less strata, of those with
            answers; None if the errors are those of a simple random sample.
        asked_apart: Number of groups with devices of their own that count as strata, or None.
        lonely_strata: Number of strata with a single cluster.
        lonely: How these add to a variance.
        weights: Source of the weights: the name of the column, or "population sizes"; empty for
            equal weights.
        population: Size of the population, in people or clusters; None if unknown.
    """

    strata: int | None
    clusters: int | None
    freedom: int | None
    lonely_strata: int
    lonely: Lonely
    weights: str
    population: int | None
    asked_apart: int | None = None

    @property
    def sentence(self) -> str:
        """The design in words; empty for a simple random sample without a known population."""
        counted = ((self.strata, T.STRATA), (self.clusters, T.CLUSTERS))
        parts: list[str] = [text(count=count) for count, text in counted if count is not None]
        if self.freedom is not None:
            parts.append(degrees_words(self.freedom))
        if self.weights:
            parts.append(T.WEIGHTED(weights=self.weights))
        if self.population is not None:
            text = T.OF_PEOPLE if self.clusters is None else T.OF_CLUSTERS
            parts.append(text(count=self.population))
        if self.lonely_strata:
            parts.append(T.LONELY(count=self.lonely_strata, rule=self.lonely))
        return ", ".join(parts)


class AnswerSample:
    """The respondents who answered, with the design of their sample.

    Args:
        table: The data.
        answered: Which respondents count, shape (n,).
        columns: How respondents were drawn.

    Attributes:
        answered: Which respondents count, shape (n,).
        weighted: Whether respondents have weights.
        is_one_by_one: Whether respondents were drawn without strata and clusters, so that groups
            of them are separate samples.

    Raises:
        InputError: A column is missing or has gaps, a weight is not a positive number, or a size
            of the population does not fit.
        ParameterError: One size of the population is given beside weights, strata or clusters, or
            sizes of strata without strata.
    """

    def __init__(self, table: SurveyTable, answered: Mask, columns: SampleColumns) -> None:
        _check_population(columns)
        self._table, self._columns = table, columns
        self.answered = answered
        self.is_one_by_one = not (columns.strata or columns.clusters)
        derived = bool(columns.strata) and columns.has_population and not columns.weights
        self.weighted = bool(columns.weights) or derived
        strata, names = self._labels(columns.strata, np.zeros(table.rows, np.int64))
        clusters, _ = self._labels(columns.clusters, np.arange(table.rows))
        # Respondents without an answer stay in the design. Not if people were drawn one by one
        # from a known number: then the share that answered is the share that was drawn.
        apart = not columns.clusters and (self.is_one_by_one or columns.has_population)
        drawn = answered if apart else (strata >= 0) & (clusters >= 0)
        self._drawn = drawn
        population = self._population(np.where(drawn, strata, 0), drawn, names)
        weights = self._weights(columns.weights)
        if derived and population is not None:
            respondents = np.bincount(strata[answered], minlength=population.size)
            weights = np.where(answered, (population / np.maximum(respondents, 1))[strata], 1.0)
        self._design = SampleDesign(
            weights=weights,
            strata=strata,
            clusters=clusters,
            population=columns.population if population is None else population,
            lonely=columns.lonely,
        )

    @property
    def weights(self) -> Floats:
        """Weight of each respondent, 1 without weights; shape (n,)."""
        return self._design.weights

    @property
    def is_simple(self) -> bool:
        """Whether respondents were drawn one by one with equal weights."""
        return self.is_one_by_one and not self.weighted and self._design.population is None

    @property
    def facts(self) -> SampleFacts:
        """The design in numbers, of all respondents who were drawn."""
        columns, whole = self._columns, self._of(self._drawn)
        population = whole.population
        return SampleFacts(
            strata=whole.stratum_count if columns.strata else None,
            clusters=whole.cluster_count if columns.clusters else None,
            freedom=self.freedom(self.answered),
            lonely_strata=0 if self.is_one_by_one else whole.lonely_strata,
            lonely=columns.lonely,
            weights=columns.weights or ("population sizes" if self.weighted else ""),
            population=None if population is None else int(np.sum(population)),
        )

    def freedom(self, members: Mask, strata: NDArray[np.int64] | None = None) -> int | None:
        """Returns the degrees of freedom of errors of some of those who answered.

        Args:
            members: Which respondents, shape (n,).
            strata: Strata for a sample without any of its own; shape (n,).

        Returns:
            Clusters less strata; None if respondents were drawn one by one with equal weights,
            whose errors are those of counts.
        """
        if self.is_one_by_one and not self.weighted:
            return None
        kept = self.answered if self.is_one_by_one else self._drawn
        return self._of(kept, strata).freedom((members & self.answered)[kept])

    def mean(
        self,
        score: Floats,
        group: Mask,
        confidence: float,
        devices: NDArray[np.int64] | None = None,
    ) -> ScoreMean:
        """Returns the mean score of a group of those who answered.

        Args:
            score: Score of each respondent, shape (n,).
            group: Which respondents belong to the group, shape (n,).
            confidence: Coverage of the interval.
            devices: The number of each respondent's device group, if there are several: each is
                a separate sample.
        """
        members = self.answered & group
        kept = members if self.is_one_by_one else self._drawn
        sample = self._of(kept, devices)
        normal = self.is_one_by_one and not self.weighted
        return mean_score(score[kept], sample, members[kept], confidence, normal=normal)

    def covariance(
        self,
        means: Sequence[tuple[Floats, Mask]],
        devices: NDArray[np.int64] | None = None,
        *,
        finite: bool = True,
    ) -> Floats:
        """Returns the covariance of mean scores over groups of respondents.

        Args:
            means: For each group, the scores of all respondents and which of them belong to it.
            devices: As in `mean`.
            finite: Whether to correct for a known finite population.

        Returns:
            An array of shape (groups, groups).
        """
        residuals, devices_parts = [], []
        for score, group in means:
            members = self.answered & group
            weight = np.where(members, self.weights, 0.0) / self.weights[members].sum()
            clean = np.where(members, score, 0.0)
            residuals.append(weight * (clean - weight @ clean))
            devices_parts.append(weight**2 * clean * (clean - 1))
        kept = self.answered if self.is_one_by_one else self._drawn
        sample = self._of(kept, devices)
        if not finite:
            sample = replace(sample, population=None)
        return sample.covariance_of_sum(
            np.column_stack(residuals)[kept], np.column_stack(devices_parts)[kept]
        )

    def spread(
        self, used: Mask, devices: NDArray[np.int64] | None = None
    ) -> Callable[[Floats], Floats] | None:
        """Returns the function that gives the covariance of a sum over respondents.

        It has no correction for a finite population: a regression is about a superpopulation.

        Args:
            used: Which respondents add to the sum, shape (n,).
            devices: As in `mean`.

        Returns:
            A function from each one's contribution, shape (used, k), to the covariance of the sum,
            (k, k). None if respondents were drawn one by one with equal weights.
        """
        if self.is_one_by_one and not self.weighted:
            return None
        kept = self.answered if self.is_one_by_one else self._drawn
        sample = replace(self._of(kept, devices), population=None)

        def covariance(contributions: Floats) -> Floats:
            everybody = np.zeros((used.size, contributions.shape[1]))
            everybody[used] = contributions
            return sample.covariance_of_sum(everybody[kept])

        return covariance

    def _of(self, kept: Mask, strata: NDArray[np.int64] | None = None) -> SampleDesign:
        """The design of some of the respondents; strata count if the sample has none."""
        design = self._design
        population = design.population
        if self.is_one_by_one and population is not None:
            # A group is taken to be drawn at the same rate as all.
            share = float(kept.sum()) / max(float(self.answered.sum()), 1.0)
            population = population * share
        return SampleDesign(
            design.weights[kept],
            (strata if strata is not None and self.is_one_by_one else design.strata)[kept],
            design.clusters[kept],
            population,
            design.lonely,
        )

    def groups(self, name: str) -> Iterator[tuple[str, Mask]]:
        """Yields each text of a column with the respondents who gave it and answered."""
        for text in distinct_answers(self._table, name, self.answered):
            yield text, self.answered & who_says(self._table, name, text)

    def _weights(self, name: str) -> Floats:
        if not name:
            return np.ones(self._table.rows)
        weights = numbers_of(self._table, name)
        if not (np.isfinite(weights) & (weights > 0))[self.answered].all():
            raise InputError(T.BAD_WEIGHTS(column=name), column=name)
        return np.where(self.answered, weights, 1.0)

    def _labels(
        self, name: str, default: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        """Number of each respondent's stratum or cluster, -1 for an empty cell; and their texts."""
        if not name:
            return default, ()
        column = column_of(self._table, name)
        told = who_answered(self._table, name)
        if not told[self.answered].all():
            raise InputError(T.EMPTY_CELLS(column=name), column=name)
        names, labels = np.unique([text.strip() for text in column.distinct], return_inverse=True)
        each = np.asarray(labels, dtype=np.int64)[column.codes]
        return np.where(told, each, -1), tuple(names.tolist())

    def _population(
        self, strata: NDArray[np.int64], drawn: Mask, names: tuple[str, ...]
    ) -> Floats | None:
        """The size of each stratum in the population, by its number; None if unknown."""
        columns, of_strata = self._columns, self._columns.strata
        present = np.unique(strata[drawn])
        found = np.zeros(len(names))
        if columns.size_column:
            name = columns.size_column
            sizes = numbers_of(self._table, name)
            for stratum in present.tolist():
                here = np.unique(sizes[drawn & (strata == stratum)])
                if here.size != 1 or not (np.isfinite(here[0]) and here[0] > 0):
                    raise InputError(T.SIZE_OF_STRATUM(column=name), column=name)
                found[stratum] = here[0]
            return found
        if not columns.sizes:
            return None
        unknown = [text for text, _ in columns.sizes if not any(means(n, text) for n in names)]
        if unknown:
            raise InputError(T.NO_STRATUM(column=of_strata, stratum=unknown[0]), column=of_strata)
        for stratum in present.tolist():
            size = next((n for text, n in columns.sizes if means(names[stratum], text)), None)
            if not size:
                raise InputError(T.NO_SIZE(column=of_strata), column=of_strata)
            found[stratum] = size
        return found


def _check_population(columns: SampleColumns) -> None:
    if columns.population is not None and (columns.weights or columns.strata or columns.clusters):
        raise ParameterError(T.ONE_SIZE())
    if (columns.sizes or columns.size_column) and not columns.strata:
        raise ParameterError(T.SIZES_WITHOUT_STRATA())
    if (columns.sizes or columns.size_column) and columns.clusters and not columns.weights:
        raise ParameterError(T.SIZES_OF_CLUSTERS())


def column_of(table: SurveyTable, name: str) -> TextColumn:
    """Returns a column of the data.

    Raises:
        InputError: There is no column of this name.
    """
    if name not in table.names:
        raise InputError(T.NO_COLUMN(column=name), column=name)
    return table.column(name)


def who_answered(table: SurveyTable, name: str, missing: tuple[str, ...] = ()) -> Mask:
    """Returns which respondents have an answer in a column, shape (n,).

    Args:
        table: The data.
        name: The column.
        missing: Further texts that mean "no answer".
    """
    column = column_of(table, name)
    told = [
        text.strip() not in NO_ANSWER and not any(means(text, code) for code in missing)
        for text in column.distinct
    ]
    return _of_each(column, told)


def means(text: str, said: str) -> bool:
    """Whether two texts are equal except for blanks around them, or are the same number."""
    text, said = text.strip(), said.strip()
    if text == said:
        return True
    number = parse_number(text)
    return number is not None and number == parse_number(said)


def who_means(table: SurveyTable, name: str, said: str) -> Mask:
    """Returns which answers of a column are equal to a text or the same number; shape (n,)."""
    column = column_of(table, name)
    return _of_each(column, [means(text, said) for text in column.distinct])


def who_says(table: SurveyTable, name: str, said: str) -> Mask:
    """Returns which answers of a column are equal to a text except for blanks; shape (n,)."""
    column = column_of(table, name)
    return _of_each(column, [text.strip() == said for text in column.distinct])


def distinct_answers(table: SurveyTable, name: str, by: Mask | None = None) -> list[str]:
    """Returns the distinct answers of some or all respondents, trimmed and without missing ones.

    Numbers come first in their order, then other texts in alphabetical order.
    """
    texts = sorted(trimmed_answers(table, name, by))
    numbers = {text: parse_number(text) for text in texts}
    if None not in numbers.values():
        texts.sort(key=lambda text: numbers[text] or 0.0)
    return texts


def trimmed_answers(table: SurveyTable, name: str, by: Mask | None = None) -> set[str]:
    """Returns the distinct answers that `distinct_answers` sorts."""
    column = column_of(table, name)
    used = np.flatnonzero(np.bincount(column.codes if by is None else column.codes[by]))
    return {column.distinct[code].strip() for code in used.tolist()} - NO_ANSWER


def _of_each(column: TextColumn, of_distinct: list[bool]) -> Mask:
    return np.array(of_distinct, dtype=np.bool_)[column.codes]


def numbers_of(table: SurveyTable, name: str) -> Floats:
    """Returns the numbers of a column, NaN for any other text; shape (n,)."""
    column = column_of(table, name)
    numbers = column.numbers(table.reading.decimal).values
    return np.asarray(numbers, dtype=np.float64)[column.codes]
