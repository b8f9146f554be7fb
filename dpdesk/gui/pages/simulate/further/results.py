"""The results of surveys of several answers and of numbers as a table, marked as a simulation."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from dpdesk.data.neutralise import neutralise
from dpdesk.data.write_file import write_file
from dpdesk.gui.pages.simulate.design_words import typed_value
from dpdesk.gui.pages.simulate.further.usual import kind_of
from dpdesk.gui.pages.simulate.scenario import (
    MeanScenario,
    SharesScenario,
)

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


def further_csv(scenario: SharesScenario | MeanScenario) -> str:
    """The table as CSV, lines ending in LF; no text is taken for a formula by a spreadsheet.

    Raises:
        ParameterError: The survey cannot be held.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(HEADERS)
    rows = _share_rows(scenario) if isinstance(scenario, SharesScenario) else _number_rows(scenario)
    writer.writerows(rows)
    return written.getvalue()


def save_further(scenario: SharesScenario | MeanScenario, path: Path) -> None:
    """Writes the table to a file.

    Raises:
        ReleaseError: The file cannot be written.
    """
    write_file(path, further_csv(scenario))


def _share_rows(scenario: SharesScenario) -> list[tuple[str, ...]]:
    found = scenario.survey.all_outcomes()
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


def _number_rows(scenario: MeanScenario) -> list[tuple[str, ...]]:
    found = scenario.survey.outcomes()
    numbers = (
        found.theory.error,
        found.mean,
        found.spread,
        found.coverage,
        found.beyond,
    )
    return [_row(scenario, "mean", scenario.mean, scenario.understating, 0.0, numbers)]


def _row(
    scenario: SharesScenario | MeanScenario,
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
