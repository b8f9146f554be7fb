"""The sentences of planning a survey."""

from dpdesk.i18n import Text

_NUMBER = "Enter a number, for example 1."
_LARGER = "Enter a larger number."
_WIDER = "Accept a wider margin, or a larger epsilon."


class T:
    """Sentences about samples, strata, questionnaires and devices for them."""

    IN_STRATUM = Text("Stratum {number}: {problem}")
    IN_QUESTION = Text("Question {number}: {problem}")
    IN_GROUP = Text("{group}: {rule}")

    # Samples
    FEW_RESPONDENTS = Text("A survey has at least 2 respondents.", remedy=_LARGER)
    FEW_PEOPLE = Text("A population has at least 2 people.", remedy=_LARGER)
    MORE_THAN_PEOPLE = Text(
        "There are more respondents than people in the population.",
        remedy="Enter fewer respondents, or the right population.",
    )
    NOISE_ALONE = Text(
        "Even if all {people} people answer, the device’s noise leaves a wider margin.",
        remedy=_WIDER,
    )
    TOO_MANY_NEEDED = Text("No survey has as many respondents as this margin needs.", remedy=_WIDER)
    BAD_VARIATION = Text(
        "The coefficient of variation of the weights must be from 0 to {most}.",
        remedy="Divide the weights’ standard deviation by their mean.",
    )
    WEIGHTED_POPULATION = Text(
        "The correction for a finite population is for simple random samples, with equal weights.",
        remedy="Leave out the size of the population, or the weights.",
    )

    # Epsilon, odds, tests
    MARGIN_EVEN_DIRECT = Text(
        "{respondents} respondents do not reach this margin even with direct questions.",
        remedy="Accept a wider margin, or ask more people.",
    )
    MARGIN_NOT_REACHED = Text(
        "With this design {respondents} respondents do not reach this margin.",
        remedy="Accept a wider margin, or ask more people.",
    )
    POWER_NOT_REACHED = Text(
        "With this design {respondents} respondents do not have this power.",
        remedy="Accept a lower power, or ask more people.",
    )
    LOW_BELIEF = Text(
        "The largest belief must lie above the expected share.",
        remedy="Enter a larger one: before any answer, the belief is that share.",
    )
    NO_BELIEF = Text(
        "Belief limits apply to shares, not to means.",
        remedy="Limit the factor of the odds instead.",
    )
    LOW_ODDS = Text(
        "The largest factor of the odds must lie above 1.", remedy="Enter a number, for example 3."
    )
    NO_EFFECT = Text(
        "Both values are equal, so there is no difference to detect.",
        remedy="Enter a value other than that of the null hypothesis.",
    )

    # Strata and questionnaires
    COUNT_OF_STRATA = Text(
        "There are {strata} strata; {given} numbers of respondents are given.",
        remedy="Give one number for each stratum.",
    )
    SMALL_STRATUM = Text("Every stratum needs at least {least} respondents.", remedy=_LARGER)
    NO_SUM = Text(
        "The shares of the strata do not sum to 1.",
        remedy="Give every stratum its share of the population, for example 0.3 and 0.7.",
    )
    EMPTY_STRATUM = Text(
        "The share of a stratum must lie above 0.", remedy="Leave out empty strata."
    )
    NO_QUESTION = Text("There is no question.", remedy="Give at least one.")
    NO_BUDGET = Text("Epsilon must be above 0.", remedy=_NUMBER)
    NO_WEIGHT = Text("The weight of a question must be above 0.", remedy=_NUMBER)
    SMALL_PART = Text(
        "Its part of the budget is ε = {part}. The device {device} has at least {least}.",
        remedy="Choose a larger budget, fewer questions, or another device, for example beads.",
    )

    # Devices
    NO_CHANCES = Text("The device {device} has no chances that this design could use.")
    USE_DEVICES = Text("Use one of: {devices}.")
    TAKE_SCREEN = Text("Use the device “{device}”, or another design.")
    NEEDS_QUESTION = Text(
        "This design needs no device, but an innocent question with a known share of yes, for "
        "example about a birthday."
    )
    NONE_IN_CATALOGUE = Text("No device, up to a bag of 100 beads, has the chances of this design.")
