"""The sentences of previews."""

from dpdesk.i18n import Text

_LARGER = "Allow a larger margin of error."


class T:
    """Why a preview cannot be had, and why a mechanism is the best one."""

    BAD_ERROR = Text(
        "A margin of error must be above 0.", remedy="Type a larger one, for example 2."
    )
    OUT_OF_REACH = Text(
        "The margin of error of {respondents} respondents is {floor} even without protection.",
        remedy=_LARGER,
    )
    OUT_OF_REACH__STRATEGY = Text(
        "No epsilon reaches this margin of error with {respondents} respondents and this strategy.",
        remedy=_LARGER,
    )
    OUT_OF_REACH__ROWS = Text(
        "With {rows} rows, no epsilon up to 40 reaches this margin of error.", remedy=_LARGER
    )
    UNREACHABLE = Text(
        "No epsilon reaches the margin of error of {columns}.",
        remedy="Allow larger margins, or ask more respondents.",
    )
    NOT_PROTECTED = Text(
        "“{column}” is not a protected variable with possible answers.",
        remedy="Choose variables that the plan protects.",
    )
    NOTHING_PROTECTS = Text(
        "No mechanism of this strategy can protect “{column}”.",
        remedy="Choose another strategy, or leave the variable out.",
    )
    BAD_RANGE = Text(
        "The range of respondents must begin above 0 and not be empty.",
        remedy="Type a range, for example 100 to 1,000,000.",
    )
    NO_EPSILON = Text(
        "No epsilon of the range fits the device.", remedy="Change its other parameters."
    )
    LEVELS_DIFFER = Text(
        "A plan needs one level per column.",
        remedy="Choose the method that gives every column one level.",
        command="--method lattice",
    )
    NO_SUCH_LEVEL = Text(
        "“{column}” has the levels 0 to {height}.",
        remedy="Choose one of them. Level 0 leaves its values unchanged.",
    )
    UNQUOTABLE = Text(
        "A name or file of this command has a character that terminals of Windows change or run.",
        remedy="Copy as Python.",
    )

    # Why a mechanism is the best one
    NO_MECHANISM = Text("No mechanism that fits can be used under this strategy.")
    ONLY_MECHANISM = Text("{mechanism} is the only mechanism that fits.")
    LEAST_ERROR = Text(
        "Smallest margin of error of {count} mechanisms at ε = {epsilon}: {figure} ({mechanisms})."
    )
    LEAST_VARIANCE = Text(
        "Smallest n Var* of {count} mechanisms at ε = {epsilon}: {figure} ({mechanisms})."
    )
    NEXT_BEST = Text("Next is {mechanism} with {figure}.")
    EASIER = Text("{mechanism} is easier to analyse, with {figure}.")
    EVENLY_SPREAD = Text("Answers are assumed to be evenly spread.")
    EQUALLY_COMMON = Text("Each answer is assumed to be equally common.")
    OVER_EXPECTED = Text("It is an average over the expected answers.")
