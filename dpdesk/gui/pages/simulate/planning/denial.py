"""A direct question that carriers deny, against the design: which errs less, and from which n."""

from __future__ import annotations

from dpdesk.designs import YesNoDesign
from dpdesk.designs.planning import denied_error, planned_error, respondents_to_beat_direct
from dpdesk.gui.pages.simulate.planning.outcome import number, tr
from dpdesk.gui.pages.simulate.scales import percent_text
from dpdesk.preview import significant


def denial_note(
    design: YesNoDesign,
    prevalence: float,
    denial: float,
    respondents: int,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> str:
    """What denials do to a direct question, and from how many respondents the design is better."""
    sample = (population, weights_cv)
    least = respondents_to_beat_direct(design, prevalence, denial, *sample)
    if least is None:
        compared = tr("the design errs more even if all {people} people are asked").format(
            people=f"{population or 0:,}"
        )
    else:
        compared = tr("from n = {least} on the design errs less").format(least=f"{least:,}")
    return tr(
        "If {share} of the carriers deny a direct question, it is {bias} pp too low at any n; "
        "{compared}. Typical error at n = {people}: {own} pp against {direct} pp (root mean "
        "squared error)."
    ).format(
        share=percent_text(denial),
        bias=significant(100 * prevalence * denial, 2),
        compared=compared,
        people=f"{respondents:,}",
        own=significant(100 * planned_error(design, prevalence, respondents, *sample), 2),
        direct=significant(100 * denied_error(prevalence, denial, respondents, *sample), 2),
    )


def denial_rows(
    design: YesNoDesign,
    prevalence: float,
    denial: float,
    respondents: int,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> tuple[tuple[str, str, str], ...]:
    """The same for a file: quantity, value, unit."""
    sample = (population, weights_cv)
    least = respondents_to_beat_direct(design, prevalence, denial, *sample)
    own = planned_error(design, prevalence, respondents, *sample)
    direct = denied_error(prevalence, denial, respondents, *sample)
    return (
        ("carriers who deny a direct question", number(denial), "share"),
        (
            "beats a direct question from",
            "at no number" if least is None else str(least),
            "respondents",
        ),
        ("root mean squared error", number(own), "share"),
        ("root mean squared error of a direct question", number(direct), "share"),
    )
