"""The sentences of planning a survey."""

from dpdesk.i18n import Text

_NUMBER = "Enter a number, for example 1."
_LARGER = "Enter a larger number."
_WIDER = "Accept a wider margin, or a larger epsilon."
_FEWER = "Enter fewer respondents, or the right population."
_MORE = "Accept less, or ask more people."
_BUDGET = "Choose a larger budget, fewer questions, or beads."


class T:
    """Sentences about samples, strata, questionnaires and devices for them."""

    IN_STRATUM = Text("Stratum {number}: {problem}")
    IN_QUESTION = Text("Question {number}: {problem}")
    IN_GROUP = Text("{group}: {rule}")

    # Samples
    FEW_RESPONDENTS = Text("A survey has at least 2 respondents.", remedy=_LARGER)
    FEW_PEOPLE = Text("A population has at least 2 people.", remedy=_LARGER)
    MORE_THAN_PEOPLE = Text("There are more respondents than people.", remedy=_FEWER)
    NOISE_ALONE = Text("Even with all {people} people the margin is wider.", remedy=_WIDER)
    TOO_MANY_NEEDED = Text("No survey has as many respondents as this margin needs.", remedy=_WIDER)
    BAD_VARIATION = Text("The weights’ coefficient of variation must be from 0 to {most}.")
    WEIGHTED_POPULATION = Text("Weights exclude the size of a population.", remedy="Leave one out.")

    # Epsilon, odds, tests
    MARGIN_EVEN_DIRECT = Text(
        "Even with direct questions, {respondents} respondents are too few.", remedy=_MORE
    )
    TOO_FEW = Text("With this design {respondents} respondents are too few.", remedy=_MORE)
    LOW_BELIEF = Text("The largest belief must lie above the expected share.")
    NO_BELIEF = Text("Belief limits apply to shares, not means.", remedy="Limit the odds instead.")
    LOW_ODDS = Text("The largest factor of the odds must lie above 1.")
    NO_EFFECT = Text("Both values are equal: there is no difference to detect.")

    # Strata and questionnaires
    COUNT_OF_STRATA = Text("There are {strata} strata; {given} numbers of respondents are given.")
    SMALL_STRATUM = Text("Every stratum needs at least {least} respondents.", remedy=_LARGER)
    NO_SUM = Text("The shares of the strata must sum to 1, for example 0.3 and 0.7.")
    EMPTY_STRATUM = Text("A stratum’s share must lie above 0.", remedy="Leave out empty strata.")
    NO_QUESTION = Text("There is no question.", remedy="Give at least one.")
    NO_WEIGHT = Text("The weight of a question must be above 0.", remedy=_NUMBER)
    SMALL_PART = Text("ε = {part} is less than the device {device} has, {least}.", remedy=_BUDGET)

    # Devices
    NO_CHANCES = Text("The device {device} has no chances that this design could use.")
    USE_DEVICES = Text("Use one of: {devices}.")
    TAKE_SCREEN = Text("Use the device “{device}”, or another design.")
    NEEDS_QUESTION = Text("This design needs an innocent question of known share, no device.")
    NONE_IN_CATALOGUE = Text("No device, up to 100 beads, has the chances of this design.")
