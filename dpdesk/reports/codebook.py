"""The codebook of a release: every released column, every value it can hold, how to read it.

Behind them stand the answers of each question, so that the next survey of the same questions can
be drafted with this codebook (`dpdesk.data.codebook` reads it).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from operator import attrgetter

from dpdesk.cost import format_epsilon
from dpdesk.data.missing_codes import codes_text
from dpdesk.data.record_files import record_files
from dpdesk.data.write_csv import neutralise
from dpdesk.domains import ListedDomain, NumericDomain, OptionSet
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.i18n import joined
from dpdesk.plan.coarsening import Coarsening
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan, released_names, sampled_attribute_name
from dpdesk.reports.reproduce import estimation_rule
from dpdesk.reports.texts import T

_VALUES_MOST = 20
_CODES = ("tokens", "ranges", "labels")
"""What rows of the role "missing" say of a policy for missing answers."""


@dataclass(frozen=True, slots=True)
class CodebookRow:
    """One value of one released column.

    Attributes:
        column: Name of the released column; empty in a row on what was asked.
        attribute: Name of the question; differs from `column` for indicators.
        label: The question's text or a longer name.
        kind: The kind of answer.
        role: "protected", "kept", "weight", or "sampled attribute" for the column that says
            which attribute a respondent reports; "answer" for an answer to the question, "nothing"
            for the cell of somebody who ticked none of its options, "missing" for a code that means
            no answer.
        value: What the column can hold, numbers as such; empty in a row that describes them all.
        meaning: What the value says.
        mechanism: Short name of the mechanism; empty where there is none.
        epsilon_asked: The epsilon of the plan, in full.
        epsilon_run: The certified epsilon, in full.
        p, q: Chances of a frequency oracle, or of one bit at the two bounds; None elsewhere.
        scale: Noise scale in the attribute's unit; None where there is none.
        estimation: How to estimate from the column; in its first row alone.
        note: Anything else that a reader of the file must know.
        lower, upper, step, unit: The declared numbers or dates, in the first row of a question's
            answers.
        missing: The rules for missing answers but for their codes, as the plan has them; in the
            same row.
        other: Category for answers outside the list; in the same row.
        separator: What stands between two options in a cell; in the same row.
    """

    column: str
    attribute: str
    label: str
    kind: str
    role: str
    value: str | Decimal
    meaning: str
    mechanism: str = ""
    epsilon_asked: str = ""
    epsilon_run: str = ""
    p: float | None = None
    q: float | None = None
    scale: float | None = None
    estimation: str = ""
    note: str = ""
    lower: Decimal | str | None = None
    upper: Decimal | str | None = None
    step: Decimal | str | None = None
    unit: str = ""
    missing: str = ""
    other: str = ""
    separator: str = ""

    @classmethod
    def of(cls, column: ColumnPlan, role: str) -> CodebookRow:
        """Returns a row on a released column, without value or meaning."""
        return cls(column.name, column.name, column.title, column.kind, role, "", "")

    def cells(self) -> tuple[str | float | Decimal | None, ...]:
        """Returns the row's values in the order of `CODEBOOK_HEADER`."""
        values: tuple[str | float | Decimal | None, ...] = _CELLS(self)
        return values


CODEBOOK_HEADER = tuple(field.name for field in fields(CodebookRow))
_CELLS = attrgetter(*CODEBOOK_HEADER)


def codebook_rows(released: Released) -> Iterator[CodebookRow]:
    """Yields the rows of every released column, in the order of the records, then the answers."""
    other = _other_names(released.plan)
    for row in _rows(released):
        told = other.pop(row.column, "")
        yield replace(row, note=f"{row.note} {told}".strip()) if told else row


def _other_names(plan: Plan) -> dict[str, str]:
    """What a column is called in files of programs that refuse its name, as a sentence."""
    names = [name for column in plan.columns for name in released_names(column)]
    sampled = sampled_attribute_name(plan)
    names += [] if sampled is None else [sampled]
    found: dict[str, str] = {}
    for kind in record_files(plan.formats):
        for name, own in zip(names, kind.column_names(names), strict=True):
            if own != name:
                told = T.NAMED_IN(file=kind.name, name=own)
                found[name] = f"{found.get(name, '')} {told}".strip()
    return found


def _rows(released: Released) -> Iterator[CodebookRow]:
    """Yields the rows without the names that columns have elsewhere."""
    attributes = {attribute.column.name: attribute for attribute in released.attributes}
    for column in released.plan.columns:
        if column.role == "keep":
            yield from _kept(column)
        elif column.role == "protect":
            yield from _protected(attributes[column.name], released.plan)
    yield from _sampled_attribute(released)
    for column in released.plan.columns:
        if column.role in {"keep", "protect"}:
            yield from _answers(column)


def _answers(column: ColumnPlan) -> Iterator[CodebookRow]:
    """What an answer to the question can be, whatever was released of it."""
    domain, missing = column.domain, column.missing
    in_rows = _CODES if missing.tokens or missing.ranges else ()
    first = CodebookRow(
        column="",
        attribute=column.name,
        label=column.label,
        kind=column.kind,
        role="answer",
        value="",
        meaning="",
        note=T.APOSTROPHE() if _is_neutralised(column.name) else "",
        # What somebody decided on answers that occur in the data is not public.
        missing=json.dumps(
            missing.model_dump(mode="json", exclude={"answers", "empty_decided", *in_rows}),
            ensure_ascii=False,
        ),
        other=column.other,
    )
    if isinstance(domain, NumericDomain):
        lower, upper, step = domain.codebook_fields
        yield replace(first, lower=lower, upper=upper, step=step, unit=domain.shown_unit)
        yield from _meanings(column, first)
    elif domain is None:
        yield first
        yield from _meanings(column, first)
    else:
        rest = replace(first, missing="", other="")
        if isinstance(domain, OptionSet):
            noted = T.APOSTROPHE() if _is_neutralised(domain.separator) else first.note
            first = replace(first, separator=domain.separator, note=noted)
        for code, value in enumerate(domain.values):
            noted = T.APOSTROPHE() if _is_neutralised(value) else first.note
            meaning = domain.labels.get(value, "")
            yield replace(rest if code else first, value=value, meaning=meaning, note=noted)
        if isinstance(domain, OptionSet):
            noted = T.APOSTROPHE() if _is_neutralised(domain.nothing) else rest.note
            meaning = T.NOTHING_TICKED()
            yield replace(rest, role="nothing", value=domain.nothing, meaning=meaning, note=noted)
    of_code = replace(first, role="missing", missing="", other="", separator="")
    for text, meaning in _missing_codes(column):
        notes = (T.NO_ANSWER(), T.APOSTROPHE() if _is_neutralised(text) else first.note)
        told = " ".join(note for note in notes if note)
        yield replace(of_code, value=text, meaning=meaning, note=told)


def _meanings(column: ColumnPlan, first: CodebookRow) -> Iterator[CodebookRow]:
    """What single values of a column of numbers mean; its ends stand in the row before."""
    rest = replace(first, missing="", other="")
    for value, meaning in column.meanings.items():
        noted = T.APOSTROPHE() if _is_neutralised(value) else first.note
        yield replace(rest, value=value, meaning=meaning, note=noted)


def _missing_codes(column: ColumnPlan) -> Iterator[tuple[str, str]]:
    """Yields each code of no answer as one types it, and what it means; "" is the empty cell.

    A text that is an answer all the same, such as the cell of somebody who ticked nothing, is left
    out: it has one meaning.
    """
    missing = column.missing
    answers = () if column.domain is None else column.domain.never_missing
    for token in missing.tokens:
        if token not in answers:
            yield codes_text((token,)), missing.labels.get(token, "")
    for one in missing.ranges:
        yield one.text, missing.labels.get(one.text, "")


def _kept(column: ColumnPlan) -> Iterator[CodebookRow]:
    labels = column.domain.labels if isinstance(column.domain, ListedDomain) else column.meanings
    values = (("", T.KEPT_VALUES()), *labels.items())
    if column.kept_coarser is not None:
        values = tuple(_coarser(column.kept_coarser))
    for value, meaning in values:
        row = CodebookRow.of(column, "weight" if column.kind == "weight" else "kept")
        yield replace(row, value=value, meaning=meaning, note=T.APOSTROPHE())


def _coarser(coarsening: Coarsening) -> Iterator[tuple[str, str]]:
    """Yields each label of a column that is released coarser, and which values it stands for."""
    words, origin = coarsening.words, coarsening.origin
    yield (
        "",
        T.RECODED_VALUES_FROM(words=words, origin=origin)
        if origin
        else T.RECODED_VALUES(words=words),
    )
    for label in coarsening.labels:
        of = coarsening.values_of(label)
        yield label, T.MEANS(names=joined(of, _VALUES_MOST)) if of != (label,) else ""


def _sampled_attribute(released: Released) -> Iterator[CodebookRow]:
    name = sampled_attribute_name(released.plan)
    if name is None:
        return
    for attribute in released.attributes:
        value = attribute.column.name
        yield CodebookRow(
            column=name,
            attribute=name,
            label=T.DRAWN_VARIABLE(),
            kind="nominal",
            role="sampled attribute",
            value=value,
            meaning=T.DRAWN_FOR(name=attribute.column.title),
            note=T.APOSTROPHE() if _is_neutralised(value) else "",
        )


def _protected(attribute: ReleasedAttribute, plan: Plan) -> Iterator[CodebookRow]:
    column, certificate = attribute.column, attribute.bound.certificate
    numbers = attribute.bound.parameters()
    rule, described = estimation_rule(attribute, plan), ""
    mechanism = attribute.bound.mechanism.short
    asked = format_epsilon(certificate.epsilon_nominal)
    run = format_epsilon(certificate.epsilon_certified)
    sampled = sampled_attribute_name(plan)
    for name, value, meaning in _values(attribute):
        notes = (
            "" if name == described else attribute.routing(),
            T.APOSTROPHE() if _is_neutralised(name) or _is_neutralised(value) else "",
            "" if sampled is None else T.EMPTY_UNLESS(sampled=sampled, name=column.name),
        )
        yield replace(
            CodebookRow.of(column, "protected"),
            column=name,
            value=value,
            meaning=meaning,
            mechanism=mechanism,
            epsilon_asked=asked,
            epsilon_run=run,
            p=numbers.get("p"),
            q=numbers.get("q"),
            scale=numbers.get("scale"),
            estimation="" if name == described else rule,
            note=" ".join(note for note in notes if note),
        )
        described = name
    if column.missing.treatment.stays_blank and not attribute.bound.blanks:
        for name in released_names(column):
            row = CodebookRow.of(column, "protected")
            yield replace(row, column=name, meaning=T.EMPTY_CELL())


def _is_neutralised(cell: str | Decimal) -> bool:
    return isinstance(cell, str) and neutralise(cell) != cell


def _values(attribute: ReleasedAttribute) -> Iterator[tuple[str, str | Decimal, str]]:
    """Yields column, value and meaning."""
    column, bound = attribute.column, attribute.bound
    domain = bound.domain
    if bound.form == "bits":
        for code, name in enumerate(released_names(column)):
            yield name, "1", T.BIT_SET(label=domain.label(code))
            yield name, "0", T.BIT_UNSET(label=domain.label(code))
    elif bound.form == "integers":
        names = released_names(column)
        blank = bound.blanks and column.missing.treatment.stays_blank
        for name, meaning in zip(names, bound.part_meanings(), strict=True):
            yield (
                name,
                "",
                T.PART_OR_EMPTY(meaning=meaning, name=column.name) if blank else meaning,
            )
    elif isinstance(domain, ListedDomain):
        if bound.outputs == domain.texts:
            for code, value in enumerate(bound.outputs):
                yield column.name, value, domain.label(code)
        else:
            yield column.name, "", bound.mechanism.summary
    elif bound.outputs == domain.texts:
        yield column.name, "", domain.words
    elif len(bound.outputs) == 2:
        low, high = bound.outputs
        said = (
            (T.BIT_LOW_IN(unit=domain.unit), T.BIT_HIGH_IN(unit=domain.unit))
            if domain.unit
            else (T.BIT_LOW(), T.BIT_HIGH())
        )
        yield column.name, Decimal(low), said[0]
        yield column.name, Decimal(high), said[1]
    else:
        numbers = len(bound.outputs) - bool(domain.missing_share)
        ends = f"{bound.outputs[0]} to {bound.outputs[numbers - 1]} {domain.unit}".rstrip()
        one = T.ONE_OR_EMPTY if domain.missing_share else T.ONE_OF
        yield column.name, "", one(count=numbers, ends=ends)
