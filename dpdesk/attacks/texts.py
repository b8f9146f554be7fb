"""The sentences of attacks."""

from dpdesk.i18n import Text

_ANSWER = "Type an answer exactly as in the file, or leave it out."
_NAMES = "Name the columns of the list as in the data."


class T:
    """Why an attack cannot run."""

    FEW_RESPONDENTS = Text(
        "The attack needs at least {least} respondents.", remedy="Open a larger file."
    )
    BAD_PARAMETER = Text("{parameter}: {problem}.", remedy="Correct it, or leave it out.")
    ONE_ANSWER = Text(
        "All respondents gave the same answer to “{column}”.", remedy="Choose another column."
    )
    NO_SUCH_ANSWER = Text("No respondent gave this answer to “{column}”.", remedy=_ANSWER)
    FEW_ANSWERS = Text(
        "Fewer than two of the remaining people answered “{column}”.",
        remedy="Choose another column, or leave fewer people out.",
    )
    KNOWN_AND_SENSITIVE = Text(
        "“{column}” is both a known and a sensitive column.", remedy="Choose one of them."
    )
    NO_KNOWN = Text("The attacker knows no column.", remedy="Choose known columns.")
    SMALL_GROUPS = Text(
        "No group has {least} records.", remedy="Choose a smaller group size, or fewer columns."
    )
    NO_NUMBERS = Text(
        "No column holds numbers from 0 to average.", remedy="Declare a column of numbers."
    )
    NO_NUMBERS__IN = Text(
        "“{column}” holds no numbers from 0 to average.", remedy="Choose a column of numbers."
    )
    NO_QUESTION = Text(
        "No question has 2 to {most} different answers.",
        remedy="Choose the columns to publish shares of.",
    )
    COUNT_ABOVE_PEOPLE = Text(
        "More people answer yes than there are.", remedy="Choose a smaller true count."
    )

    # Lists of people
    EMPTY_LIST = Text("The list is empty.", remedy="Give a list with one person in each line.")
    LIST_LACKS = Text("The list has no column {columns}.", remedy=_NAMES)
    NOTHING_IN_COMMON = Text("The list and the data have no column in common.", remedy=_NAMES)
    FEW_RELEASED = Text(
        "Fewer than two people remain in the release.",
        remedy="List fewer people, or leave fewer of them out of the release.",
    )

    # Trackers
    NO_TRACKER = Text(
        "No tracker can be built: no count is neither too small nor too large.",
        remedy="Suppress fewer counts, or choose other columns.",
    )
    LARGE_COUNT = Text("The count is too large for a tracker.", remedy="Ask for it directly.")
    LARGE_LIMIT = Text(
        "With {rows} respondents, counts can be suppressed below {most} at most.",
        remedy="Choose a smaller count.",
    )
    NOTHING_SUPPRESSED = Text(
        "No count by these columns is small enough to be suppressed.",
        remedy="Choose more columns, or suppress larger counts.",
    )
