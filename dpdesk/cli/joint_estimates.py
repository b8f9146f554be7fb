"""What answers have in common: --cross, --mean, --share, --test, --formula of `dpdesk estimate`."""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Callable, Sequence
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

from dpdesk.cli.options import add_choice, add_output, add_text, add_value
from dpdesk.cli.sample_design import add_sample_design
from dpdesk.cli.terminal import plain, print_json, print_table
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.designs.inference import WaldTest
    from dpdesk.engine.joint_questions import Question
    from dpdesk.engine.tables_and_models import Answer, ModelAnswer, TableAnswer, TestAnswer
    from dpdesk.estimation.joint import JointEstimates
    from dpdesk.estimation.regression import Regression
    from dpdesk.plan import Plan

_ASKED = ("cross", "mean", "share", "test", "formula")
_DIGITS = 6
"""Of a coefficient, whose unit is anything."""
UNEVEN = "A 95 % error is left out where the interval is longer on one side of the estimate."
_UNTOLD = "-: the reports do not show how many respondents are in this group, if any."


def add_joint_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of tables, means and shares by group, and of the test."""
    group = parser.add_argument_group(
        "what answers have in common", "Estimates that correct for the noise of several columns."
    )
    together = "share of all respondents with each combination of answers; quote a name with commas"
    add_value(group, "--cross", "A,B[,C]", together, read=_columns)
    add_text(group, "--mean", "COLUMN", "mean of a number in each group of --by A[,B]")
    add_text(group, "--share", "COLUMN", "share of each answer within each group of --by A[,B]")
    test = "test whether two attributes are independent, knowing the noise"
    add_value(group, "--test", "A,B", test, read=_columns)
    formula = 'regression of a column, such as "income ~ age + C(region) + age:sex"'
    add_text(group, "--formula", "Y~TERMS", formula)
    add_choice(
        group,
        "--model",
        ("linear", "logistic", "multinomial"),
        "the regression's model (default: by the column)",
        unused=(Unused(lambda options: not options.formula, "without --formula"),),
    )
    alone = (
        Unused(
            lambda options: not is_joint(options),
            "without --cross, --mean, --share, --test or --formula",
        ),
    )
    add_sample_design(group, "that was released as it is", unused=alone)
    add_output(group, "--table", metavar="CSV", help="write the estimates as CSV", unused=alone)


def is_joint(options: argparse.Namespace) -> bool:
    """Whether something is asked of several attributes together."""
    return any(getattr(options, word) for word in _ASKED)


def joint(options: argparse.Namespace, plan: Plan) -> JointEstimates | Regression | WaldTest | None:
    """Returns what is asked of several attributes together; None of a test that nothing allows.

    Raises:
        ParameterError: Several things are asked at once, or groups are missing.
        InputError: A column is not in the release.
    """
    return _answer(options, plan, _word(options), verified=True).estimates


def run_joint(options: argparse.Namespace, plan: Plan, *, verified: bool) -> None:
    """Prints what is asked of several attributes together.

    Raises:
        ParameterError: Several things are asked at once, or groups are missing.
        InputError: A column is not in the release.
    """
    word = _word(options)
    answer = _answer(options, plan, word, verified=verified)
    if options.table is not None:
        answer.write_csv(options.table, overwrite=options.overwrite)
    if options.json:
        print_json(answer.content())
    elif options.table is None:
        _PRINT[word](answer)


def _word(options: argparse.Namespace) -> str:
    """The option that asks."""
    asked = [word for word in _ASKED if getattr(options, word)]
    if len(asked) > 1:
        raise ParameterError(T.SEVERAL_QUESTIONS(options=[f"--{word}" for word in asked]))
    return asked[0]


def _answer(options: argparse.Namespace, plan: Plan, word: str, *, verified: bool) -> Answer:
    from dpdesk.cli.progress import reading_bar
    from dpdesk.engine.tables_and_models import Asked, DrawnBy

    question = _question(options, plan, word)
    drawn = DrawnBy(options.strata, options.clusters, options.lonely_psu)
    records = drawn.records(options.records, plan)
    with reading_bar() as heard:
        records.heard = heard
        return question.answer(records, Asked(plan, drawn, verified))


def _question(options: argparse.Namespace, plan: Plan, word: str) -> Question:
    from dpdesk.engine.joint_questions import (
        CrossQuestion,
        MeansQuestion,
        ModelQuestion,
        SharesQuestion,
        TestQuestion,
    )

    by = _groups(options, plan, word)
    if word == "formula":
        return ModelQuestion(options.formula, options.model)
    if word in ("cross", "test"):
        return (CrossQuestion if word == "cross" else TestQuestion)(getattr(options, word))
    return (MeansQuestion if word == "mean" else SharesQuestion)((getattr(options, word), *by))


def _groups(options: argparse.Namespace, plan: Plan, question: str) -> tuple[str, ...]:
    if question not in {"mean", "share"}:
        if options.by:
            raise ParameterError(T.BY_UNUSED(option=f"--{question}"))
        return ()
    if not options.by:
        raise ParameterError(T.NEEDS_GROUPS(option=f"--{question}"))
    # A name may contain a comma.
    if options.by in {column.name for column in plan.columns}:
        return (options.by,)
    return _columns(options.by)


def _columns(text: str) -> tuple[str, ...]:
    """Reads names with commas between them; one that holds a comma stands in quotation marks."""
    rows = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    return tuple(name.rstrip() for row in rows for name in row if name.strip())


def _print_cells(answer: TableAnswer) -> None:
    found = answer.found
    groups = plain(", ".join(group.name for group in found.groups))
    title = found.title.format(groups=groups, column=plain(found.columns.name))
    print(f"{title}, {T.RECORDS(count=found.records)}")
    heads = (*map(plain, found.names), found.quantity, "95 % error", "lower", "upper")
    possible = () if found.possible is None else ("possible",)
    likely = () if found.most_likely is None else ("most likely",)
    table = [(*heads, *possible, *likely)]
    for cell in found.cells():
        others = [each for each in (cell.possible, cell.most_likely) if each is not None]
        numbers = (cell.value, cell.lower, cell.upper, *others)
        answers = (plain(label) or "(empty)" for label in cell.labels)
        is_share = found.quantity == "share"
        told = estimate_texts(numbers, found.unit, share=is_share, uneven=not cell.is_even)
        table.append((*answers, *told))
    print_table(table, texts=len(found.names))
    if any(isnan(cell.value) for cell in found.cells()):
        print(_UNTOLD)
    if not all(cell.is_even for cell in found.cells()):
        print(UNEVEN)


def estimate_texts(numbers: Sequence[float], unit: str, *, share: bool, uneven: bool) -> list[str]:
    """Returns estimate, 95 % error, lower and upper end, and others, as a report prints them.

    Each has the digits that the error allows.

    Args:
        numbers: Estimate, lower and upper end, then other estimates of the same.
        unit: Unit of a mean.
        share: Whether they are shares.
        uneven: Whether the interval is longer on one side, so that the error is left out.
    """
    from dpdesk.reports.number_text import half_width_text, quantity_text

    value, lower, upper = numbers[:3]
    error = max(value - lower, upper - value)
    told = [
        quantity_text(each, error, unit, share=share) if isfinite(each) else "-" for each in numbers
    ]
    known = half_width_text(error, unit, share=share) if isfinite(error) else "-"
    told.insert(1, "" if uneven else known)
    return [each.replace("\u00a0", " ") for each in told]


def _print_test(answer: TestAnswer) -> None:
    first, second = map(plain, answer.columns)
    print(T.INDEPENDENT(first=first, second=second))
    print(plain(answer.verdict))
    if answer.estimates is None:
        return
    print(f"{answer.estimates.sentence}.")
    table: list[tuple[str, ...]]
    table = [(first, second, "observed", "if independent", "residual")]
    for cell in answer.found.cells():
        shares = (f"{100 * share:.2f} %" for share in (cell.observed, cell.expected))
        residual = f"{cell.residual:+.1f}" if isfinite(cell.residual) else "-"
        table.append((*(plain(label) or "(empty)" for label in cell.labels), *shares, residual))
    print_table(table, texts=2)
    print("residual: the difference in standard errors of noise and chance")


def _print_regression(answer: ModelAnswer) -> None:
    from dpdesk.estimation.regression import METHODS
    from dpdesk.numbers import p_value_words

    found = answer.found
    print(
        f"{plain(T.REGRESSION(model=found.model.capitalize(), outcome=found.outcome))}, "
        f"{T.RECORDS(count=found.records)}, by {METHODS[found.method]}"
    )
    if found.categories:
        first, *others = found.categories
        print(plain(T.LOG_ODDS(others=others, first=first)))
    unit = ("unit",) if any(found.units) else ()
    table: list[tuple[str, ...]]
    table = [("term", "estimate", "std. error", "lower", "upper", "p", *unit)]
    for row, of in zip(found.rows(), found.units, strict=True):
        numbers = (row.value, row.standard_error, row.lower, row.upper)
        told = (f"{number:.{_DIGITS}g}" for number in numbers)
        chance = p_value_words(row.p_value).removeprefix("p ").removeprefix("= ")
        table.append((plain(row.name), *told, chance, *((plain(of),) if unit else ())))
    print_table(table)


_PRINT: dict[str, Callable[[Any], None]] = {
    "cross": _print_cells,
    "mean": _print_cells,
    "share": _print_cells,
    "test": _print_test,
    "formula": _print_regression,
}
"""What prints the answer to a question, by its option."""
