"""The results of surveys of several answers and of numbers as a table, marked as a simulation."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from dpdesk.data.neutralise import neutralise
from dpdesk.data.regular_file import FileRefusedError
from dpdesk.data.whole_file import write_whole
from dpdesk.errors import InputError
from dpdesk.gui.pages.simulate.further.scenarios import (
    FurtherScenario,
    NumberScenario,
    SeveralScenario,
)
from dpdesk.gui.pages.simulate.further.usual import kind_of
from dpdesk.gui.pages.simulate.further.words import typed_value
from dpdesk.preview.survey.further import figures_of_number

HEADERS = (
    "source",
    "question",
    "design",
    "parameters",
    "epsilon",
    "quantity",
    "truth",
    "respondents",
    "do_not_follow",
    "careless",
    "surveys",
    "seed",
    "planned_error",
    "mean_estimate",
    "standard_error",
    "coverage",
    "share_negative_or_outside",
)
"""Names of the columns; shares lie between 0 and 1, numbers are in their unit."""


def further_csv(scenario: FurtherScenario) -> str:
    """The table as CSV, lines ending in LF; no text is taken for a formula by a spreadsheet.

    Raises:
        ParameterError: The survey cannot be held.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(HEADERS)
    rows = (
        _share_rows(scenario) if isinstance(scenario, SeveralScenario) else _number_rows(scenario)
    )
    writer.writerows(rows)
    return written.getvalue()


def save_further(scenario: FurtherScenario, path: Path) -> None:
    """Writes the table to a file.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        write_whole(path, further_csv(scenario))
    except FileRefusedError as error:
        raise InputError(
            "The results cannot be written there.",
            remedy="Choose a folder in which you may write, and a disk with room.",
        ) from error


def _share_rows(scenario: SeveralScenario) -> list[tuple[str, ...]]:
    found = scenario.request.outcomes()
    columns = (found.theory.errors, found.means, found.spreads, found.coverage, found.negative)
    return [
        _row(
            scenario,
            neutralise(name),
            float(found.shares[index]),
            scenario.deny if index == scenario.looked else 0.0,
            scenario.careless,
            tuple(float(column[index]) for column in columns),
        )
        for index, name in enumerate(scenario.names)
    ]


def _number_rows(scenario: NumberScenario) -> list[tuple[str, ...]]:
    found, figures = scenario.request.outcomes(), figures_of_number(scenario.request)
    numbers = (
        found.theory.error,
        found.mean,
        found.spread,
        found.coverage,
        figures.outside,
    )
    return [_row(scenario, "mean", scenario.mean, scenario.understating, 0.0, numbers)]


def _row(
    scenario: FurtherScenario,
    quantity: str,
    truth: float,
    astray: float,
    careless: float,
    numbers: tuple[float, ...],
) -> tuple[str, ...]:
    design = scenario.design
    parameters = "; ".join(
        f"{name}={typed_value(value)}" for name, value in design if name != "kind"
    )
    return (
        "simulation",
        neutralise(scenario.question),
        kind_of(design),
        parameters,
        f"{scenario.epsilon:.9g}",
        quantity,
        f"{truth:.9g}",
        str(scenario.respondents),
        f"{astray:.9g}",
        f"{careless:.9g}",
        str(scenario.repetitions),
        str(scenario.seed),
        *(f"{number:.9g}" for number in numbers),
    )
