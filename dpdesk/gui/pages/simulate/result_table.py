"""The results of a scenario and its rivals as a table, marked as a simulation."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from dpdesk.data.neutralise import neutralise
from dpdesk.data.write_file import write_file
from dpdesk.designs import YesNoDesign, loss_of
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.preview.survey import beliefs_after, estimates_view, figures_of_survey

HEADERS = (
    "source",
    "question",
    "design",
    "parameters",
    "epsilon",
    "true_share",
    "respondents",
    "carriers_who_deny",
    "others_who_never_say_yes",
    "careless",
    "surveys",
    "seed",
    "error_95",
    "error_95_sampling",
    "error_95_privacy",
    "sample_factor",
    "belief_lowest",
    "belief_highest",
    "mean_estimate",
    "standard_error",
    "coverage",
    "share_negative",
)
"""Names of the columns; shares and errors lie between 0 and 1."""


def result_rows(scenario: ShareScenario) -> tuple[tuple[str, ...], ...]:
    """One row for the design, each rival and the kept scenario, of as many texts as `HEADERS`.

    Raises:
        ParameterError: A survey cannot be held.
    """
    rows = [_row(scenario, design) for design in (scenario.design, *scenario.shown_rivals)]
    if scenario.kept is not None:
        rows.append(_row(scenario.kept, scenario.kept.design))
    return tuple(rows)


def result_csv(scenario: ShareScenario) -> str:
    """The table as CSV, lines ending in LF; no text is taken for a formula by a spreadsheet.

    Raises:
        ParameterError: A survey cannot be held.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(HEADERS)
    writer.writerows(result_rows(scenario))
    return written.getvalue()


def save_results(scenario: ShareScenario, path: Path) -> None:
    """Writes the table to a file.

    Raises:
        ReleaseError: The file cannot be written.
    """
    write_file(path, result_csv(scenario))


def _row(scenario: ShareScenario, design: YesNoDesign) -> tuple[str, ...]:
    request = scenario.survey.asked_by(design)
    found, view = figures_of_survey(request), estimates_view(request)
    beliefs = [after.belief for after in beliefs_after(design, scenario.prevalence)]
    parameters = ", ".join(f"{name}={_typed(design, name)}" for name in _names(design))
    numbers = (
        found.error / 100,
        found.sampling / 100,
        found.privacy / 100,
        found.factor,
        min(beliefs),
        max(beliefs),
        view.mean / 100,
        view.spread / 100,
        found.coverage,
        found.beyond,
    )
    return (
        "all outcomes, hypothetical" if view.exact else "simulation",
        neutralise(scenario.question),
        design.kind,
        parameters,
        f"{loss_of(design.groups).epsilon:.9g}",
        f"{scenario.prevalence:.9g}",
        str(scenario.respondents),
        f"{scenario.deny:.9g}",
        f"{scenario.refuse:.9g}",
        f"{scenario.careless:.9g}",
        str(scenario.repetitions),
        "" if view.exact else str(scenario.seed),
        *(f"{number:.9g}" for number in numbers),
    )


def _names(design: YesNoDesign) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in design.parameters())


def _typed(design: YesNoDesign, name: str) -> str:
    value = getattr(design, name)
    return ":".join(map(str, value)) if isinstance(value, tuple) else str(value)
