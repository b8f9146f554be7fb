"""The sentences of values, paths, streams and results on the command line."""

from dpdesk.i18n import Text


class ReadingTexts:
    """Sentences that commands share."""

    # Values and paths of options
    NO_EFFECT = Text("{option} has no effect {why}.", remedy="Leave it out.")
    BESIDE = Text("beside {option}")
    NO_WHOLE_NUMBER = Text("this is not a whole number in plain digits, for example 500")
    NO_REAL_NUMBER = Text("this is not a number in plain digits, for example 0.95")
    NO_PLAIN_SHARE = Text("this is not a share in plain digits, for example 0.1 or 10%")
    NO_COVERAGE = Text("a coverage lies between 0 and 1, at least 1e-09 from both, for example 95%")
    NO_SEED = Text("a seed is a whole number from 0 on, for example 1")
    EMPTY_NAME = Text("the name is empty; type one, or leave the option out")
    EMPTY_PATH = Text("a path is empty")
    NO_ADDRESS = Text("only a table of answers can be an address, not this file or folder")
    NO_STREAM = Text("- means standard input or output, which is impossible here; ./- names a file")

    # Mechanisms and units
    GIVEN_TWICE = Text("The parameter {name} of {kind} is given twice.", remedy="Leave one out.")
    NO_SUCH_PARAMETER = Text("{kind} has no parameter {name}.", remedy="It has: {known}.")
    EPSILON_ALONE = Text("only an epsilon")
    IN_KIND = Text("{kind}: {problem}")
    IN_KIND_PARAMETER = Text("{kind}, parameter {name}: {problem}")
    WAYS_OF_ROWS = Text(
        "--one-row-each, --join-rows and --respondent exclude each other.",
        remedy="Leave all but one out.",
    )
    BAD_ROWS = Text("--rows-per-respondent must be from 1 to {most}.", remedy="Correct the number.")

    # Streams and results
    UNWRITABLE = Text(
        "The output cannot be written: {reason}.", remedy="Free space, or write elsewhere."
    )
    CLOSED = Text("it is closed")
    NO_OUTPUT = Text("There is no output to write to.", remedy="Do not close it.")
    BOTH_OUTPUT = Text(
        "--json and {option} - both write to the standard output.", remedy="Leave one out."
    )
    ONE_STREAM = Text("Only one of {options} can be -.", remedy="Name a file for the others.")
    NO_INPUT = Text("There is no standard input to read.", remedy="Name a file.")
    UNREADABLE_INPUT = Text("The standard input cannot be read: {reason}.", remedy="Name a file.")
    ENDED_EARLY = Text("it ended early")
    NO_REPORT = Text(
        "{folder} holds no privacy report of dpdesk.",
        remedy="Name the folder of a release, with its {file}.",
    )
    OTHER_REPORT = Text(
        "{file} is not a report that this version of dpdesk can read.",
        remedy="Read it with the version named in the report.",
    )

    # Synthetic records
    COLUMN = Text("variable")
    COLUMNS = Text("variables")
    DISTANCE = Text("distance")
    DISTANCES = Text("Expected distance of each variable (total variation)")
    TABLES = Text("Expected distance of each table of two variables")
    VERDICT = Text("verdict")
    IF_MEASURED = Text("if measured")
    UNRELATED = Text("if not, unrelated")
    RELATED = Text("if not, related")
    ROWS_SUPPOSED = Text("records of the file, supposed")
    ROWS_DRAWN = Text("records to be drawn, a noisy number")
    TABLES_MEASURED = Text("measured tables of two variables")
    PAIRS = Text("tables of two variables")
    MORE_TABLES = Text("--json shows {count} more table.", "--json shows {count} more tables.")
    BY_CHANCE = Text("Chance decides which tables are measured.")
    NOTHING_DRAWN = Text("Nothing was drawn or charged.")
    MADE = Text(
        "Released {count} synthetic record (ε = {epsilon}).",
        "Released {count} synthetic records (ε = {epsilon}).",
    )
    FROM_TABLES = Text("Made from {count} noisy table.", "Made from {count} noisy tables.")
    INVENTED = Text("They are no person’s answers and no sample. The report says what they suit.")
    ROWS_ARE = Text("After fitting, the records are {verdict}:")
