"""The sentences of the domains."""

from dpdesk.i18n import Text

_DATES = (
    "Write 1930-01..2010-12 by month, 2024-01-01..2024-12-31 by week or 08:00..20:00 by 15 minutes."
)


class T:
    """Sentences of the domains."""

    # What an answer can be
    NUMBERS = Text("numbers from {first} to {last} in steps of {step}")
    DATES = Text("dates from {first} to {last} by {step}")
    ANY_OF = Text("any of {options}")

    # Numbers
    NO_NUMBER = Text(
        "A bound or step is a number in plain digits.", remedy="Type it, for example -12.5."
    )
    STEP_OF_NOTHING = Text("The step must be above 0.", remedy="Type a positive step.")
    BOUNDS_SWAPPED = Text(
        "The upper bound must be above the lower bound.", remedy="Correct the bounds."
    )
    NOT_WHOLE = Text(
        "There is no whole number of steps between the bounds.",
        remedy="Choose a step that divides the interval, or move a bound.",
    )
    MANY_POINTS = Text("The grid has more than {most} points.", remedy="Choose a larger step.")
    SMALL_STEP = Text(
        "The step is too small for numbers of this size.", remedy="Choose a larger step."
    )
    NO_WRITING = Text(
        "This does not say how numbers are written.",
        remedy="Write the number 1234.5 as the file would: 1234.5 kg, 1.234,5 or $1,234.5.",
    )

    # Dates
    NO_DATE = Text("An end is not a date of the calendar.", remedy=_DATES)
    NO_DATE_OF_UNIT = Text("An end is not a date as exact as the unit.", remedy=_DATES)
    DATE_AND_TIME = Text(
        "One end is a date and the other a time of day, or the step fits neither.", remedy=_DATES
    )
    NO_STEP = Text(
        "A step of dates is a number of units, from minutes to decades.",
        remedy="Write it as month, 2 weeks or 15 minutes.",
    )

    # Lists
    LISTED_TWICE = Text("A category is listed twice.", remedy="List each category once.")
    LABEL_OF_NONE = Text(
        "A label belongs to no category.", remedy="Label only the categories of the list."
    )
    MANY_OPTIONS = Text(
        "A question with several answers has at most {most} options.",
        remedy="Merge options that few people tick, or split the question.",
    )
    BLANK_SEPARATOR = Text(
        "The separator is blank, or an option begins or ends with a blank.",
        remedy="Declare the separator between options, for example ; or |.",
    )
    SEPARATOR_IN_OPTION = Text(
        "An option holds the separator, so that a cell with it is ambiguous.",
        remedy="Declare another separator, for example ; or |, or the parts without the whole.",
    )
    NOTHING_LISTED = Text(
        "The text for no option is one of the options.",
        remedy="Leave it out of the list, or choose another text.",
    )
