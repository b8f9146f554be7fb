"""A direct question that carriers deny, against the design: which errs less, and from which n."""

from __future__ import annotations

from math import sqrt

from dpdesk.designs import YesNoDesign
from dpdesk.designs.planning import respondents_to_beat_direct
from dpdesk.gui.pages.simulate.planning.outcome import number, tr
from dpdesk.gui.pages.simulate.scales import percent_text
from dpdesk.preview import significant


def design_error(design: YesNoDesign, prevalence: float, respondents: float) -> float:
    """Root mean squared error of the design: sqrt(V / n)."""
    return sqrt(design.planned_variance(prevalence).total / respondents)


def direct_error(prevalence: float, denial: float, respondents: float) -> float:
    """Root mean squared error of a direct question that a share of the carriers deny.

    sqrt(pi' (1 - pi') / n + (pi u)^2) with pi' = pi (1 - u): no n removes the second part.
    """
    seen = prevalence * (1 - denial)
    return sqrt(seen * (1 - seen) / respondents + (prevalence * denial) ** 2)


def denial_note(design: YesNoDesign, prevalence: float, denial: float, respondents: int) -> str:
    """What denials do to a direct question, and from how many respondents the design is better."""
    return tr(
        "If {share} of the carriers deny a direct question, it is {bias} pp too low at any n; from "
        "n = {least} on the design errs less. Typical error at n = {people}: {own} pp against "
        "{direct} pp (root mean squared error)."
    ).format(
        share=percent_text(denial),
        bias=significant(100 * prevalence * denial, 2),
        least=f"{respondents_to_beat_direct(design, prevalence, denial):,}",
        people=f"{respondents:,}",
        own=significant(100 * design_error(design, prevalence, respondents), 2),
        direct=significant(100 * direct_error(prevalence, denial, respondents), 2),
    )


def denial_rows(
    design: YesNoDesign, prevalence: float, denial: float, respondents: int
) -> tuple[tuple[str, str, str], ...]:
    """The same for a file: quantity, value, unit."""
    least = respondents_to_beat_direct(design, prevalence, denial)
    return (
        ("carriers who deny a direct question", number(denial), "share"),
        ("beats a direct question from", str(least), "respondents"),
        ("root mean squared error", number(design_error(design, prevalence, respondents)), "share"),
        (
            "root mean squared error of a direct question",
            number(direct_error(prevalence, denial, respondents)),
            "share",
        ),
    )
