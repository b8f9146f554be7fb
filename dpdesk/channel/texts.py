"""The sentences of the channels."""

from dpdesk.i18n import Text


class T:
    """Sentences of the channels."""

    BAD_WORDS = Text("The random words do not have 64 bits each, or not one per draw.")
    OUTSIDE_DOMAIN = Text("An answer lies outside the domain of its variable.")
    OVER_EPSILON = Text(
        "The probabilities for epsilon {epsilon} would exceed it.",
        remedy="Choose a slightly different epsilon or a smaller domain.",
    )
    NO_LAW = Text("The probabilities of a report do not sum to 1.")
    LARGE_DOMAIN = Text("The domain is too large for this epsilon.", remedy="Raise epsilon.")
    FINE_GRID = Text("The grid is too fine for this epsilon.", remedy="Choose a larger step.")
