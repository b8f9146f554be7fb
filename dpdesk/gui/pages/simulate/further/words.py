"""Surveys of several answers and of numbers in words: designs, units, what a device does."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QCoreApplication

from dpdesk.designs import Design
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.probability import probability_text
from dpdesk.designs.several_answers import Program
from dpdesk.gui.pages.simulate.design_words import chance_text
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario, SeveralScenario
from dpdesk.preview import significant

_LONG = 1000


def tr(text: str) -> str:
    """Words in the language of the window."""
    return QCoreApplication.translate("FurtherSurvey", text)


def _program_of(design: Design) -> Program | None:
    several = design.as_shares
    return None if several is None else several.program


def further_title(design: Design) -> str:
    """The name of a design; a mechanism by its short one."""
    if (program := _program_of(design)) is not None:
        short = tr(program.mechanism.short)
        return tr("{mechanism}, by a program").format(mechanism=short)
    return tr(design.title)


def further_words(design: Design) -> str:
    """What a respondent does, in a sentence or two."""
    if (program := _program_of(design)) is not None:
        return tr(program.mechanism.summary)
    if isinstance(design, ForcedCategories):
        truth = 1 - sum(design.orders, Fraction(0))
        return tr("{summary} The truth has chance {truth}.").format(
            summary=tr(design.summary), truth=chance_text(truth)
        )
    return tr(design.summary)


def error_unit(scenario: FurtherScenario) -> str:
    """The unit of an error: pp of shares, the answers' own of numbers."""
    return "pp" if isinstance(scenario, SeveralScenario) else scenario.unit


def value_words(scenario: FurtherScenario, value: float, digits: int = 3) -> str:
    """An estimate, or the truth, with its unit."""
    unit = "%" if isinstance(scenario, SeveralScenario) else scenario.unit
    return f"{significant(value, digits)} {unit}".strip()


def estimated_words(scenario: FurtherScenario) -> str:
    """What is estimated, as the title of an axis."""
    if isinstance(scenario, SeveralScenario):
        name = scenario.names[scenario.looked]
        return tr("Estimated share of “{answer}” (%)").format(answer=name)
    if scenario.unit:
        return tr("Estimated mean ({unit})").format(unit=scenario.unit)
    return tr("Estimated mean")


def estimate_axis(scenario: FurtherScenario) -> str:
    """The same in few words, for an axis that is short."""
    unit = "%" if isinstance(scenario, SeveralScenario) else scenario.unit
    return tr("Estimate ({unit})").format(unit=unit) if unit else tr("Estimate")


def typed_chance(chance: Fraction) -> str:
    """A chance as one types it: 1/8, or 0.186327 where the fraction says nothing.

    A fraction without an end as a decimal, which follows from an epsilon, is rounded.
    """
    exact = probability_text(chance)
    return f"{float(chance):.6f}" if "/" in exact and chance.denominator > _LONG else exact


def typed_value(value: object) -> str:
    """A parameter as one types it: 1/8, 1/8; rows of a matrix with semicolons between them."""
    if isinstance(value, tuple):
        between = "; " if value and isinstance(value[0], tuple) else ", "
        return between.join(map(typed_value, value))
    if isinstance(value, Fraction):
        return typed_chance(value)
    return f"{value:.9g}" if isinstance(value, float) else str(value)
