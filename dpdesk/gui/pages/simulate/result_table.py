"""The results of a scenario, and of what it is compared with, as a table marked as a simulation."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

from dpdesk.data.neutralise import neutralise
from dpdesk.data.write_file import write_file
from dpdesk.designs.probability import parameter_text
from dpdesk.designs.several_answers import share_variances
from dpdesk.gui.pages.simulate.scenario import (
    MeanScenario,
    Scenario,
    ShareScenario,
    SharesScenario,
)
from dpdesk.preview.survey import belief_table, beliefs_after

HEADERS = (
    "source",
    "question",
    "design",
    "parameters",
    "epsilon",
    "quantity",
    "truth",
    "respondents",
    "deny",
    "refuse",
    "careless",
    "understate",
    "surveys",
    "seed",
    "error_95",
    "error_95_sampling",
    "error_95_privacy",
    "sample_factor",
    "belief_lowest",
    "belief_highest",
    "planned_error",
    "mean_estimate",
    "standard_error",
    "coverage",
    "share_beyond",
)
"""Names of the columns.

Shares and errors of shares lie between 0 and 1, numbers are in their unit. The errors at 95 % are
of everybody following the device, the planned one is of those who do; `share_beyond` is the share
of the estimates below 0, or outside of the bounds of the numbers.
"""

_Numbers = tuple[float | None, ...]


def result_rows(scenario: Scenario) -> tuple[tuple[str, ...], ...]:
    """One row for each estimate and design, of as many texts as `HEADERS`.

    Raises:
        ParameterError: A survey cannot be held.
    """
    if isinstance(scenario, ShareScenario):
        compared = [scenario.changed(design=rival) for rival in scenario.shown_rivals]
        kept = [] if scenario.kept is None else [scenario.kept]
        return tuple(_share_row(shown) for shown in (scenario, *compared, *kept))
    if isinstance(scenario, SharesScenario):
        return tuple(_answer_rows(scenario))
    assert isinstance(scenario, MeanScenario)  # noqa: S101 - the kind that is left
    return (_mean_row(scenario),)


def result_csv(scenario: Scenario) -> str:
    """The table as CSV, lines ending in LF; no text is taken for a formula by a spreadsheet.

    Raises:
        ParameterError: A survey cannot be held.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(HEADERS)
    writer.writerows(result_rows(scenario))
    return written.getvalue()


def save_results(scenario: Scenario, path: Path) -> None:
    """Writes the table to a file.

    Raises:
        ReleaseError: The file cannot be written.
    """
    write_file(path, result_csv(scenario))


def _share_row(scenario: ShareScenario) -> tuple[str, ...]:
    survey = scenario.survey
    found = survey.outcomes()
    beliefs = [after.belief for after in beliefs_after(scenario.design, scenario.prevalence)]
    return _row(
        scenario,
        ("share", scenario.prevalence),
        (scenario.deny, scenario.refuse, scenario.careless, None),
        _errors(survey.quantile, survey.parts, scenario.respondents),
        (min(beliefs), max(beliefs)),
        (found.planned_error, found.mean, found.spread, found.coverage, found.beyond),
    )


def _answer_rows(scenario: SharesScenario) -> Iterator[tuple[str, ...]]:
    survey = scenario.survey
    found, theory = survey.all_outcomes(), survey.shares_theory
    sampling, privacy = share_variances(scenario.design, scenario.shares)
    table = belief_table(scenario.design, scenario.shares)
    columns = (theory.errors, found.means, found.spreads, found.coverage, found.negative)
    for index, name in enumerate(scenario.names):
        deny = scenario.deny if index == scenario.looked else 0.0
        parts = float(sampling[index]), float(privacy[index])
        beliefs = table.lowering(index).beliefs[index], table.raising(index).beliefs[index]
        yield _row(
            scenario,
            (neutralise(name), scenario.shares[index]),
            (deny, None, scenario.careless, None),
            _errors(survey.quantile, parts, scenario.respondents),
            beliefs,
            tuple(float(column[index]) for column in columns),
        )


def _mean_row(scenario: MeanScenario) -> tuple[str, ...]:
    survey = scenario.survey
    found = survey.outcomes()
    return _row(
        scenario,
        ("mean", scenario.mean),
        (None, None, None, scenario.understating),
        _errors(survey.quantile, survey.parts, scenario.respondents),
        (None, None),
        (found.planned_error, found.mean, found.spread, found.coverage, found.beyond),
    )


def _errors(quantile: float, parts: tuple[float, float], respondents: int) -> _Numbers:
    sampling, privacy = parts
    scale = quantile / sqrt(respondents)
    return (
        scale * sqrt(sampling + privacy),
        scale * sqrt(sampling),
        scale * sqrt(privacy),
        1 + privacy / sampling if sampling else float("inf"),
    )


def _row(
    scenario: Scenario,
    estimated: tuple[str, float],
    departures: _Numbers,
    errors: _Numbers,
    beliefs: _Numbers,
    outcomes: _Numbers,
) -> tuple[str, ...]:
    quantity, truth = estimated
    parameters = "; ".join(
        f"{name}={parameter_text(value, rounded=True)}"
        for name, value in scenario.design
        if name != "kind"
    )
    return (
        "all outcomes, hypothetical" if scenario.is_exact else "simulation",
        neutralise(scenario.question),
        scenario.design_word,
        parameters,
        f"{scenario.epsilon:.9g}",
        quantity,
        f"{truth:.9g}",
        str(scenario.respondents),
        *map(_text, departures),
        str(scenario.repetitions),
        "" if scenario.is_exact else str(scenario.seed),
        *map(_text, (*errors, *beliefs, *outcomes)),
    )


def _text(number: float | None) -> str:
    return "" if number is None else f"{number:.9g}"
