"""The public report of synthetic rows: what was measured, what it cost, what they may be used for.

It is built from `SyntheticRows` alone, which holds no true answer and no true count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.cost import format_epsilon
from dpdesk.data.record_files import record_files
from dpdesk.estimation.released import SyntheticRows
from dpdesk.i18n import in_a_row, joined
from dpdesk.numbers.digits import significant
from dpdesk.plan.impossible import impossible_sentences
from dpdesk.plan.release_usefulness import (
    RELEASED,
    ReleaseUsefulness,
    table_name,
    usefulness_of_cell,
)
from dpdesk.plan.verdicts import RATINGS, VERDICTS, Verdict
from dpdesk.queries.noise import NOISE_WORDS, CalibratedNoise
from dpdesk.queries.selection import CalibratedChoice
from dpdesk.reports import central
from dpdesk.reports.budget import EarlierReleases
from dpdesk.reports.checklist import answer_counts, synthetic_checklist
from dpdesk.reports.identity import ReleaseIdentity
from dpdesk.reports.implementation import OF_SYNTHETIC_ROWS
from dpdesk.reports.page import page
from dpdesk.reports.respondent_page import DoneToAnswers, RespondentPage, exceptions
from dpdesk.reports.section import Section, schema_of
from dpdesk.reports.statistics.respondents import worst_of_central
from dpdesk.reports.texts import T
from dpdesk.synthesis.forecast import forecast
from dpdesk.synthesis.markov_model import NoisyTable


class MeasuredTable(Section):
    """A table that was measured with noise; the synthetic rows follow these and nothing else."""

    columns: tuple[str, ...]
    """Its columns: one, or two that were chosen."""
    cells: int
    """Number of its cells."""
    scale: float
    """Scale of the noise of a cell, in rows."""
    half_width: float
    """What the noise of a cell stays within in 95 of 100 cases, in rows."""
    expected_distance: float
    """Mean total variation of the table from noise, after fitting and drawing; 0 to 1."""
    usefulness: Verdict
    """Verdict on the records for a share of the table."""
    usefulness_reason: str
    """That error against such a share, in words."""


class OtherTable(Section):
    """A table of two columns that was not measured: it follows from others."""

    columns: tuple[str, ...]
    """Its two columns."""
    cells: int
    """Number of its cells."""
    distance_if_independent: float
    """Largest mean total variation if the columns are independent; 0 to 1."""
    distance_if_dependent: float
    """The same if they depend on each other and the rows do not show it."""


class LossPart(Section):
    """A part of the loss."""

    what: str
    """What was asked of the data."""
    times: int
    """How often."""
    loss: str
    """Loss of each time: an epsilon, or a rho of zero-concentrated differential privacy."""


class SyntheticColumn(Section):
    """The declaration of a column and the states that its answers were measured in."""

    column: str
    """Name of the column."""
    label: str
    """Its longer name; empty where there is none."""
    domain: str
    """What its answers can be."""
    provenance: str
    """Where that comes from."""
    states: int
    """Number of states."""
    classes: tuple[str, ...]
    """The classes of its numbers, within which they were drawn evenly; none of categories."""
    may_lack_answers: bool
    """Whether no answer is one of its states."""
    expected_distance: float
    """How far the shares of the rows are off from noise on average, as of a measured table."""


class SyntheticContent(Section):
    """What a release of synthetic rows says beside what every release of a trusted file does."""

    format: Literal["dpdesk-synthetic-report"]
    """Tag of the file format."""
    version: Literal[1]
    """Version of the file format."""
    identity: ReleaseIdentity
    """Which release this is."""
    for_respondents: RespondentPage
    """What the release means for one person, without formulas."""
    guarantee: central.StatisticsGuarantee
    """What is promised to whom, and what is not."""
    rows: int
    """Number of synthetic rows."""
    rows_of_file: int
    """Number of rows of the trusted file: with noise, or exact where it is public."""
    also_as: Annotated[tuple[str, ...], Field(exclude_if=lambda names: not names)] = ()
    """Files that hold the same rows for other programs, where there are any."""
    use: tuple[str, ...]
    """What synthetic rows are good for and what not, as sentences."""
    noise: str
    """Kind of the noise, in words."""
    impossible: tuple[str, ...]
    """Combinations that no row has, by what was declared."""
    usefulness: Verdict
    """Verdict on the records, from those on their tables."""
    usefulness_reasons: tuple[str, ...]
    """Which tables are useful, coarse and useless, and of which nothing is known, as sentences."""
    tables: tuple[MeasuredTable, ...]
    """The tables that were measured, in their order."""
    not_measured: tuple[OtherTable, ...]
    """The other tables of two columns."""
    pairs: int
    """Number of pairs of columns; those not among the tables follow from others."""
    parts: tuple[LossPart, ...]
    """How the loss is divided; the sum of all parts is at most the loss."""
    composition: str
    """How the parts add up, in words."""
    columns: tuple[SyntheticColumn, ...]
    """What was declared of the columns."""


# The fields of the last base come first.
class SyntheticReport(central.CentralFacts, SyntheticContent):
    """Content of `report.json` of a release of synthetic rows."""


def synthetic_report(
    released: SyntheticRows, identity: ReleaseIdentity, earlier: EarlierReleases | None = None
) -> SyntheticReport:
    """Returns the public report of synthetic rows, as `ReleaseKind.report` asks."""
    budget = released.budget
    promise = central.central_guarantee(
        budget.cost,
        released.plan,
        released.public_rows,
        T.TABLES_PUBLIC(),
    )
    tables, others = tuple(_tables(released)), tuple(_others(released))
    worth = worth_of_rows(released)
    return SyntheticReport(
        format="dpdesk-synthetic-report",
        version=1,
        identity=identity,
        for_respondents=_respondent_page(released, promise.not_protected),
        guarantee=promise,
        rows=released.rows,
        rows_of_file=released.synthesized.measured_rows,
        also_as=tuple(k.name for k in record_files(released.plan.formats) if k.is_asked),
        use=(T.NO_ONES(), T.USE_FOR(), T.NOT_A_SAMPLE(), T.NOT_IMPLIED()),
        noise=NOISE_WORDS[budget.shares_noise(2).kind].title,
        impossible=impossible_sentences(released.plan),
        usefulness=worth.verdict or "useless",
        usefulness_reasons=tuple(worth_sentences(worth)),
        tables=tables,
        not_measured=others,
        pairs=len(released.columns) * (len(released.columns) - 1) // 2,
        parts=tuple(_parts(released)),
        composition=in_a_row(_composition(released)),
        columns=_columns(released, tables),
        checklist=synthetic_checklist(released, is_counted=earlier is not None),
        **central.central_facts(released.plan, budget.cost, earlier, _OWN),
    )


def synthetic_report_schema() -> dict[str, object]:
    """Returns the JSON schema of `report.json` of synthetic rows."""
    return schema_of(SyntheticReport, "Privacy report of synthetic rows released by dpdesk")


def synthetic_report_html(report: SyntheticReport, *, annex: bool = False) -> str:
    """Returns the report as one self-contained page: no script, no network, ready for paper.

    Args:
        report: The report.
        annex: Whether its annex is wanted: laws, parameters and checks, for experts.
    """
    return page(
        "synthetic.html.j2",
        report=report,
        annex=annex,
        answers=answer_counts(report.checklist),
        names=lambda columns: joined(list(columns)),
    )


_OWN = central.OwnWords(
    "dpdesk synthesize DATA --plan plan.json --out FOLDER",
    T.TABLES_COUNTED,
    T.TABLES_UNSURE,
    T.RECORDS_RANDOM,
    OF_SYNTHETIC_ROWS,
)


def _noise_of(released: SyntheticRows, table: NoisyTable) -> CalibratedNoise:
    budget = released.budget
    if len(table.columns) == 1:
        return budget.shares_noise(sum(released.sizes))
    return budget.table_noise(table.counts.size, released.rounds)


def _tables(released: SyntheticRows) -> Iterator[MeasuredTable]:
    worth = worth_of_rows(released).by_name
    for table in released.synthesized.tables:
        cells, noise = table.counts.size, _noise_of(released, table)
        columns = released.names_of(table.columns)
        own = worth[table_name(columns)]
        yield MeasuredTable(
            columns=columns,
            cells=cells,
            scale=noise.scale,
            half_width=noise.half_width(),
            expected_distance=released.expected_distance(table.columns),
            usefulness=own.verdict,
            usefulness_reason=own.reason,
        )


def _others(released: SyntheticRows) -> Iterator[OtherTable]:
    made = released.synthesized
    known = forecast(released.errors)
    for pair in known.by_pair:
        if pair.columns not in made.pairs:
            yield OtherTable(
                columns=released.names_of(pair.columns),
                cells=pair.cells,
                distance_if_independent=pair.independent,
                distance_if_dependent=pair.dependent,
            )


def worth_of_rows(released: SyntheticRows) -> ReleaseUsefulness[str]:
    """Returns what the tables of synthetic rows are worth that were measured, by each cell.

    Args:
        released: What was released; holds no true answer.
    """
    made, sizes = released.synthesized, released.sizes
    found = {}
    for table in made.tables:
        names = released.names_of(table.columns)
        (error,) = released.errors.half_widths([table.columns]).tolist()
        counts = np.maximum(np.ravel(table.counts), 0.0)
        shares = tuple((counts / max(float(counts.sum()), 1.0)).tolist())
        found[table_name(names)] = usefulness_of_cell(names, [shares], error, known=RELEASED)
    pairs = len(sizes) * (len(sizes) - 1) // 2
    return ReleaseUsefulness(
        found,
        made.measured_rows,
        is_supposed=False,
        shares=len(sizes),
        untold=pairs - len(made.pairs),
    )


def worth_sentences(worth: ReleaseUsefulness[str], named: int = 1000) -> Iterator[str]:
    """Yields which tables are useful, coarse and useless, and of which nothing is known.

    Args:
        worth: What the measured tables are worth.
        named: Most tables that a sentence names.
    """
    for verdict in VERDICTS:
        names = worth.named(verdict)
        if names:
            # The best first: those that can be used.
            rating = RATINGS[verdict]().capitalize()
            yield T.TABLES_WORTH(verdict=rating, names=joined(names[::-1], named))
    if worth.untold:
        yield T.TABLES_UNKNOWN(count=worth.untold)


def _parts(released: SyntheticRows) -> list[LossPart]:
    budget, rounds = released.budget, released.rounds
    shares = budget.shares_noise(sum(released.sizes))
    parts = [LossPart(what=T.SHARES_PART(), times=1, loss=_loss(shares))]
    if rounds:
        parts += [
            LossPart(
                what=T.CHOICE_PART(),
                times=rounds,
                loss=_loss(budget.choice(2, rounds)),
            ),
            LossPart(
                what=T.COUNTS_PART(),
                times=rounds,
                loss=_loss(budget.table_noise(4, rounds)),
            ),
        ]
    return parts


def _composition(released: SyntheticRows) -> Iterator[str]:
    budget, epsilon = released.budget, format_epsilon(released.budget.epsilon)
    if budget.is_pure:
        yield T.PARTS_ADD_UP(epsilon=epsilon)
    else:
        yield T.RHOS_ADD_UP(rho=significant(float(budget.rho), 4), epsilon=epsilon)
    yield T.FITTING_FREE()


def _columns(
    released: SyntheticRows, tables: tuple[MeasuredTable, ...]
) -> tuple[SyntheticColumn, ...]:
    described = []
    for states, table in zip(released.columns, tables, strict=False):
        column = released.plan.column(states.column)
        domain = column.effective_domain
        described.append(
            SyntheticColumn(
                column=states.name,
                label=column.label,
                domain="" if domain is None else domain.words,
                provenance=central.provenance_words(column),
                states=states.size,
                classes=states.texts if states.are_classes else (),
                may_lack_answers=states.may_lack_answers,
                expected_distance=table.expected_distance,
            )
        )
    return tuple(described)


def _loss(part: CalibratedNoise | CalibratedChoice) -> str:
    if part.rho is not None:
        return f"ρ = {significant(float(part.rho), 6)}"
    return f"ε = {format_epsilon(part.epsilon)}"


def _respondent_page(released: SyntheticRows, not_protected: tuple[str, ...]) -> RespondentPage:
    cost, unit = released.budget.cost, released.budget.unit
    rows = (
        T.ROWS_PROTECTED()
        if released.public_rows is None
        else T.ROWS_IN_FILE(rows=released.public_rows)
    )
    tables = len(released.synthesized.tables)
    answers = [DoneToAnswers(of=T.SHARES_OF_ANSWERS(), what=T.COUNTED())]
    if released.rounds:
        answers.append(DoneToAnswers(of=T.TABLES_OF_TWO(count=released.rounds), what=T.PICKED()))
    return RespondentPage(
        asked=(rows, T.MADE_UP(count=tables, rows=released.rows)),
        done=T.COUNTS_ONLY(),
        answers=tuple(answers),
        worst=tuple(worst_of_central(cost, unit.relation)),
        hidden=(
            in_a_row((T.STATISTICS_CERTAINTY(), *exceptions(cost.delta))),
            T.NO_ROW_YOURS(),
        ),
        not_hidden=(*not_protected, T.CURATOR_KNOWS()),
        good_for=(T.PAIRS_SHOWN(),),
    )
