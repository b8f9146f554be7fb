"""The sentences of synthetic records."""

from dpdesk.i18n import Text


class T:
    """Sentences of synthetic records."""

    SMALL_EPSILON = Text(
        "Synthetic records of {columns} columns need an epsilon of at least {least}.",
        remedy="Raise epsilon, or drop columns.",
    )
    OVER_EPSILON = Text(
        "The parts of the synthetic records would exceed their epsilon.",
        remedy="Choose a slightly different epsilon.",
    )
    MANY_OPTIONS = Text(
        "An impossible combination names too many options at once.",
        remedy="Declare it in parts, with fewer options each.",
    )
    NOT_CHARGED = Text(
        "The synthesis requested more than it was charged. Nothing more was drawn.",
        remedy="Report this.",
    )
    ROWS = Text("{count} row", "{count} rows")
    ABOUT = Text("about {rows} ± {error} rows")
    ABOUT_AT_MOST = Text("about {rows} ± {error} rows, at most {most},")
