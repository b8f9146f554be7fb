"""The sentences of requests. What a field means stands with the field."""

from dpdesk.i18n import Text


class T:
    """Sentences of requests."""

    NO_SUCH_WORD = Text("“{field}” has no such choice.", remedy="Choose {words}.")
    EMPTY = Text("“{field}” is empty.", remedy="Enter one value or more.")
    BELOW_LEAST = Text("“{field}” must be at least {least}.", remedy="Enter a larger number.")
    OUT_OF_BOUNDS = Text(
        "“{field}” must be from {least} to {most}.", remedy="Enter a number within these bounds."
    )
    NO_PAIR = Text(
        "“{field}” needs a name and a value.", remedy="Write both, for example {example}."
    )
    BAD_VALUE = Text("“{field}” cannot be read.", remedy="Write it plainly, for example {example}.")
    NO_LIST = Text("write one or more with commas between them, for example 1,2.5,ln2")
    HEAD_OPTION = Text("Option")
    HEAD_MEANING = Text("Meaning")
    HEAD_DEFAULT = Text("Default")
