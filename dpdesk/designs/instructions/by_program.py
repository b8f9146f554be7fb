"""Instructions where a program on the respondent's own device does what coins do elsewhere."""

from __future__ import annotations

from dpdesk.designs.instructions.procedure import Procedure, Way
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.mechanisms import mechanism_named

FOR_IT, NOT_FOR_IT = "1 report for it", "0 reports for it"


def mechanism_share(design: MechanismShare, question: str) -> tuple[Procedure, ...]:
    """The truth for the program, the report for the survey."""
    p, q = design.chances
    name = mechanism_named(design.mechanism).title
    steps = (
        f"Choose your true answer, one of {design.categories}, in the program on your own device.",
        f"The program draws a report from it ({name}, ε = {design.epsilon}) and sends the report "
        "alone.",
    )
    carrier, other = (
        (
            Way(chance, "the report supports this answer", FOR_IT),
            Way(1 - chance, "the report does not support this answer", NOT_FOR_IT),
        )
        for chance in (p, q)
    )
    return (
        Procedure(
            "",
            "a program on your own device that draws the report",
            (("", question),),
            steps,
            "Your true answer stays on your device; only the report leaves it.",
            carrier,
            other,
            {FOR_IT: "a report for it", NOT_FOR_IT: "no report for it"},
        ),
    )
