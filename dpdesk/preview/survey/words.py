"""A supposed survey as the command that supposes it: `dpdesk survey simulate`."""

from __future__ import annotations

from dpdesk.preview.command_words import CommandWords, Value
from dpdesk.preview.survey.supposed import SupposedSurvey

_OF_PEOPLE = {
    "prevalence": "prevalence",
    "shares": "shares",
    "looked": "look",
    "mean": "mean",
    "deviation": "deviation",
    "deny": "deny",
    "understating": "deny",
    "refuse": "refuse",
    "careless": "careless",
}
"""Fields of supposed surveys, with the options that say them."""
_DEPARTING = frozenset({"deny", "refuse", "careless"})


def simulate_words(survey: SupposedSurvey) -> CommandWords:
    """Returns the command with these people, this design and this seed."""
    design, options = survey.design, dict[str, Value](design=survey.design.kind)
    given = tuple(
        f"{parameter.name}={_typed(value)}"
        for parameter in design.parameters()
        if (value := getattr(design, parameter.name)) is not None
    )
    if given:
        options["set"] = given
    for field, word in _OF_PEOPLE.items():
        value = getattr(survey, field, None)
        # Not every design has each departure, and nobody departs without saying so.
        if value is not None and not (word in _DEPARTING and not value):
            options[word] = _typed(value + 1 if field == "looked" else value)
    if "shares" in options and "deny" not in options:
        options.pop("look", None)
    options["respondents"] = survey.respondents
    if survey.is_exact:
        options["exact"] = True
    else:
        options |= {"repetitions": survey.repetitions, "seed": survey.seed}
    return CommandWords("survey simulate", (), options | {"confidence": survey.confidence})


def _typed(value: object) -> str:
    """Returns a value as it is typed: lists with commas, rows of them with semicolons."""
    if not isinstance(value, tuple):
        return repr(value) if isinstance(value, float) else str(value)
    between = ";" if any(isinstance(part, tuple) for part in value) else ","
    return between.join(map(_typed, value))
