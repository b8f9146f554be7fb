"""The sentences of numbers, dates, epsilons and random words."""

from dpdesk.i18n import Text

_EPSILON = (
    "Type a number from 0.0001 to 40 with at most 12 digits after the point, for example 1.5."
)
_RESTART = "Restart the computer and try again."


class T:
    """Sentences of numbers."""

    NO_NUMBER = Text(
        "This is not a number in plain digits.", remedy="Type it, for example 12, -0.5 or 1e-6."
    )
    DEGREES = Text("{count} degree of freedom", "{count} degrees of freedom")
    NO_PATTERN = Text(
        "This is not a pattern of dates.",
        remedy="Write YYYY, MM, DD, hh, mm, ss and AM with their signs, "
        "for example DD.MM.YYYY or MM/DD/YYYY.",
    )

    NO_EPSILON = Text("This is not a number that epsilon can be.", remedy=_EPSILON)
    EPSILON_BOUNDS = Text("Epsilon must lie between {least} and {most}.", remedy=_EPSILON)
    COSTS_DIFFER = Text("Losses of different models or units cannot be added.")

    RANDOM_FAILED = Text(
        "The random number generator failed. Nothing was released.", remedy=_RESTART
    )
    UNEVEN_WORDS = Text(
        "The number of random words depends on the answers. Nothing was released.",
        remedy="Report this as a defect of the program.",
    )
