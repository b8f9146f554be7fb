"""The sentences of compositions and of the strength of a protection."""

from dpdesk.i18n import Text


class T:
    """Sentences of compositions."""

    # The total of several losses
    TOTAL = Text(
        "{count} loss: ε = {epsilon} by {route}.", "{count} losses: ε = {epsilon} by {route}."
    )
    TOTAL_AT_DELTA = Text(
        "{count} loss: ε = {epsilon} at δ = {delta} by {route}.",
        "{count} losses: ε = {epsilon} at δ = {delta} by {route}.",
    )
    ROUTE = Text("ε = {epsilon} at δ = {delta} by {route}")
    OTHER_ROUTES = Text("Other routes: {routes}.")
    NO_ROUTE = Text("No route stays within δ = {delta}.")
    NO_NUMERICAL_ROUTE = Text(
        "Privacy-loss distributions could give less, and are not installed: "
        "pip install 'dpdesk[statistics]'."
    )
    BASIC = Text("the sum")
    ADVANCED = Text("advanced composition")
    ZCDP = Text("zero-concentrated privacy (zCDP)")
    NUMERICAL = Text("privacy-loss distributions")

    # How strong
    PROTECTION = Text("Protection: {strength}. A 50–50 guess can become {belief} certain.")
    PROTECTION_AT_DELTA = Text(
        "Protection: {strength}, for ε = {epsilon} at δ = {delta}. "
        "A 50–50 guess can become {belief} certain."
    )
    PRESENCE = Text(
        "Protection: {strength}. A 50–50 guess that a person took part can become {belief} certain."
    )
    PRESENCE_AT_DELTA = Text(
        "Protection: {strength}, for ε = {epsilon} at δ = {delta}. "
        "A 50–50 guess that a person took part can become {belief} certain."
    )
    NO_PROTECTION = Text("Protection: {strength}. An answer can be a proof.")

    # Refused
    BAD_LOSS = Text("A loss has an epsilon and a rho of 0 or more, and a delta below 1.")
    BAD_DELTA = Text("The delta must be at least 0 and below 1.")
    NO_SLACK = Text("Advanced composition and zCDP need a delta above 0 and below 1.")
    NO_EPSILON = Text("The conversion needs an epsilon above 0.")
    NO_LOSS = Text("There is no loss to add up.")
    GROUP_SIZE = Text("A group has 1 to {most} respondents.")
    NO_LAWS = Text(
        "Two laws have the same outcomes, with probabilities of 0 or more that sum to 1."
    )
