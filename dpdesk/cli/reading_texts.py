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
    SAME_PARAMETER = Text("The parameter {name} of {kind} is given twice.", remedy="Leave one out.")
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

    # Queries
    DECLARED_TWICE = Text("A variable is declared twice.", remedy="Declare each variable once.")
    NO_QUERY = Text("There is no query.", remedy='Add, for example, --query "count by sex".')
    NOT_DECLARED = Text(
        "The possible answers of {names} are not declared.",
        remedy="Add --declare {numbers} for numbers, --declare {categories} for categories, or "
        "a --plan that declares them.",
    )
    SEVERAL_STATISTICS = Text(
        "note: {query} is {number} statistics, one for each group. Each has a part of the epsilon."
    )
    IDLE_DELTA = Text(
        "--delta is for Gaussian noise only, and no query has it.",
        remedy="Leave --delta out, or add --noise discrete_gaussian.",
    )
    NO_EPSILON = Text(
        "The queries have no epsilon.",
        remedy="Add --epsilon TOTAL, or write ; epsilon=... after each query.",
    )
    EPSILON_ABOVE_0 = Text("--epsilon must be above 0.", remedy="Type a number, for example 0.5.")
    IDLE_EPSILON = Text("Every query has its own epsilon.", remedy="Leave --epsilon out.")
    ALL_SPOKEN_FOR = Text(
        "Queries with their own epsilon use {used} of the total epsilon {total}.",
        remedy="Raise --epsilon.",
    )
    BAD_SPLIT = Text(
        "--epsilon gives each query {part}, which must be from {least} to {most}.",
        remedy="Choose another --epsilon, or write ; epsilon=... after the queries.",
    )
    BAD_CONFIDENCE = Text(
        "--confidence must be between 0 and 1 with at most 6 digits after the point.",
        remedy="Type a number, for example 0.95 or 95%.",
    )
    NO_NUMBER = Text("{option} is not a number.", remedy="Type a number, for example 0.5.")

    # Reading
    WAYS_OF_HEADER = Text("--no-header and --header-rows contradict.", remedy="Leave one out.")
    NO_CODE = Text("--missing-code names no code.", remedy="Add one: --missing-code=-9.")
    BAD_HEADER = Text("--header-rows is a number from 0 to {most}.", remedy="Usually it is 1.")
    BAD_UNREAD = Text(
        "--allow-unread is a share from 0 to 1 with at most 9 digits after the point.",
        remedy="Type a number, for example 0.02 or 2%.",
    )
    BAD_TOGETHER = Text(
        "--together {declaration} is not of the form {form}.",
        remedy="Write, for example, --together media=media_tv,media_web,media_radio:1:0.",
    )

    # Mechanisms and risk
    SIZE_AND_EPSILON = Text(
        "--domain-size and --epsilon need each other.", remedy="Give both or neither."
    )
    BAD_SIZE = Text("The domain size must lie between 2 and {most}.", remedy="Correct the size.")
    NOTHING_UNPROTECTED = Text(
        "The plan leaves no variable unprotected.", remedy="Name variables to judge with --quasi."
    )
    NOT_UNPROTECTED = Text(
        "The release has no unprotected {name}.", remedy="It leaves unprotected: {kept}."
    )
    NO_VARIABLE = Text("none")
    SUGGESTED_QUASI = Text(
        "note: Suggested: --quasi {names}. Name the variables that an outsider may know instead."
    )
    SUGGESTED_SENSITIVE = Text("note: Suggested as sensitive: {names}.")
    OF_FILE = Text("Of the file itself: the plan leaves no variable unprotected.")
