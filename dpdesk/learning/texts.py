"""The sentences of learning from noisy answers."""

from dpdesk.i18n import Text

_ANOTHER = "Predict another column."


class T:
    """Why a column cannot be predicted, and how far the work is."""

    LEARNING_AT = Text("Learning at {level}")
    ONE_REPORT = Text(
        "Records of this plan hold at most one noisy answer, so nothing can be predicted.",
        remedy="Choose the strategy that reports every answer (split).",
    )
    NOTHING_PROTECTED = Text("The plan protects no column.", remedy="Protect at least one.")
    TOO_LARGE = Text(
        "{numbers} numbers of each of {rows} respondents do not fit into memory.",
        remedy="Leave out columns with many categories, or take a part of the file.",
    )
    NO_COLUMN = Text(
        "The plan has no column “{column}”.", remedy="Type its name exactly as in the plan."
    )
    NO_MECHANISM = Text("“{column}” has no mechanism.", remedy="Complete the plan.")
    NO_PREDICTORS = Text(
        "No other column can predict “{column}”.",
        remedy="Protect more columns that respondents answered.",
    )
    FEW_ANSWERED = Text(
        "Only {count} respondent answered “{column}”.",
        "Only {count} respondents answered “{column}”.",
        remedy=_ANOTHER,
    )
    ONE_ANSWER = Text("All respondents gave the same answer to “{column}”.", remedy=_ANOTHER)
    NOT_RELEASED = Text(
        "“{column}” is not a released column with possible answers.",
        remedy="Protect it, or predict another column.",
    )
    HOLDS_NUMBERS = Text(
        "“{column}” holds numbers. Only categories can be predicted.",
        remedy="Group the numbers in the file, or predict another column.",
    )
    HOLDS_SETS = Text(
        "“{column}” holds several answers in a cell. Only one can be predicted.",
        remedy="Make a yes/no column of one option, or predict another column.",
    )
    MANY_CATEGORIES = Text(
        "“{column}” has {values} categories. At most {most} can be predicted.",
        remedy="Merge categories, or predict another column.",
    )
    NO_CLASSES = Text(
        "“{column}” cannot be predicted from noisy answers by {mechanism}.",
        remedy="Protect it by GRR, or predict another column.",
    )
