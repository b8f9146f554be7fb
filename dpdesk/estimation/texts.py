"""The sentences of estimates."""

from dpdesk.i18n import Text

_OTHER_PLAN = "Use the plan that these records were released with."
_FEWER_TERMS = "Remove a term of the formula, or join categories."
_FEWER_ANSWERS = "Name a column with fewer answers."
_AS_IN_FILE = "Write it exactly as in the file."
_EACH_SIZE = "Give each stratum a size above 0, for example north=5000,south=8000."
_LEAVE_SIZE = "Leave the size of the population out."


class T:
    """Sentences of estimates."""

    # Columns
    NO_COLUMN = Text("The file has no column “{column}”.", remedy=_AS_IN_FILE)
    RECORDS_LACK = Text("The records have no column “{column}”.", remedy=_OTHER_PLAN)
    NAMED_TWICE = Text("A column is named twice.", remedy="Name different columns.")
    NOT_RELEASED = Text("“{column}” is no column of answers.", remedy="Name one of: {columns}.")
    NOT_UNPROTECTED = Text(
        "“{column}” was not released unprotected.", remedy="Name a column that was."
    )
    NO_RECORDS = Text("The records have no rows.", remedy="Open the records of a release.")
    HOLDS_NUMBERS = Text(
        "“{column}” holds numbers, not categories.", remedy="Ask for its mean by groups."
    )
    HOLDS_CATEGORIES = Text(
        "“{column}” has categories, not numbers.", remedy="Ask for shares of it."
    )
    SEVERAL_ANSWERS = Text(
        "“{column}” has several answers at once.", remedy="Ask for its shares by another column."
    )
    NO_SQUARES = Text(
        "Noisy answers of “{column}” determine no slope.", remedy="Use it as the outcome."
    )
    MANY_TEXTS = Text("“{column}” has more than {most} different texts.", remedy=_FEWER_ANSWERS)
    MANY_ANSWERS = Text(
        "“{column}” has {answers} answers, more than {most}.", remedy=_FEWER_ANSWERS
    )

    # Reports
    IMPOSSIBLE_BY_RULE = Text(
        "Record {record} holds an impossible report of “{column}”: {rule}.", remedy=_OTHER_PLAN
    )
    IMPOSSIBLE = Text(
        "Record {record} holds an impossible report of “{column}”.", remedy=_OTHER_PLAN
    )
    NOT_ITS_REPORT = Text(
        "Record {record} holds a report of “{column}”, but its respondent reports another.",
        remedy=_OTHER_PLAN,
    )
    NO_REPORTS = Text(
        "No respondent reported “{column}”. Nothing can be estimated.",
        remedy="Protect fewer variables, or report all variables of each respondent.",
    )
    ONE_REPORT_EACH = Text(
        "Each respondent reports one variable. No record combines {columns}.",
        remedy="Look at each alone, or release with the strategy “split”.",
    )
    ONE_REPORT_REAL = Text(
        "At most one report of a record is real. No record combines {columns}.",
        remedy="Look at each alone, or release with the strategy “split”.",
    )

    # Tables
    CROSS_TABLE = Text("A cross-table has two or three columns.", remedy="Name two or three.")
    MANY_CELLS = Text("A table has at most {most} cells, not {cells}.", remedy=_FEWER_ANSWERS)
    MANY_FREE_CELLS = Text(
        "A test by design has at most {most} free cells, not {cells}.", remedy=_FEWER_ANSWERS
    )

    # Regression
    LOG_ODDS = Text("log odds")
    LOG_ODDS_PER = Text("log odds per {unit}")
    UNIT_PER = Text("{outcome} per {unit}")
    NUMBER_IN_LOGISTIC = Text(
        "Noisy numbers (“{column}”) fit no logistic regression.", remedy="Ask for a linear one."
    )
    MANY_COMBINATIONS = Text(
        "The answers of the formula have too many combinations.", remedy=_FEWER_TERMS
    )
    NOT_ESTIMABLE = Text(
        "The model cannot be estimated: too much noise, dependent terms, or a term that separates "
        "the outcome.",
        remedy=_FEWER_TERMS,
    )
    NO_COMPLETE_RECORD = Text(
        "No respondent has answers in all columns of the formula.", remedy=_FEWER_TERMS
    )
    FEW_RECORDS = Text(
        "There are {records} complete records for {coefficients} coefficients.", remedy=_FEWER_TERMS
    )
    ONE_CATEGORY = Text("“{column}” has a single category.", remedy="Name another outcome.")
    MANY_CATEGORIES = Text(
        "“{column}” has {categories} categories, not 2.", remedy="Ask for a multinomial regression."
    )

    # The sample
    STRATA = Text("{count} stratum", "{count} strata")
    CLUSTERS = Text("{count} cluster (PSU)", "{count} clusters (PSUs)")
    WEIGHTED = Text("weighted by {weights}")
    OF_PEOPLE = Text("drawn from {count} person", "drawn from {count} people")
    OF_CLUSTERS = Text("drawn from {count} cluster", "drawn from {count} clusters")
    LONELY = Text(
        "{count} stratum with a single cluster: {rule}",
        "{count} strata with a single cluster: {rule}",
    )
    ONE_CLUSTER = Text(
        "The respondents belong to one cluster of each stratum, so errors cannot be estimated.",
        remedy="Leave out strata, clusters or a column of the formula.",
    )
    EMPTY_CELLS = Text("“{column}” has empty cells.", remedy="Fill them, or leave the column out.")
    BAD_WEIGHTS = Text(
        "“{column}” has weights that are not positive numbers.", remedy="Correct them."
    )
    BAD_POPULATION = Text(
        "The population is not a whole number.", remedy="Write, for example, 8,000,000."
    )
    BAD_SIZES = Text(
        "The sizes of the strata are not of the form STRATUM=N.",
        remedy="Write for example north=5000,south=8000, or name a column of sizes.",
    )
    SIZE_OF_STRATUM = Text(
        "“{column}” does not hold one size for each stratum.", remedy="Correct it."
    )
    NO_STRATUM = Text("“{column}” has no stratum “{stratum}”.", remedy=_AS_IN_FILE)
    NO_SIZE = Text("A stratum of “{column}” has no size.", remedy=_EACH_SIZE)
    ONE_SIZE = Text(
        "One population size is for simple random samples without weights, strata or clusters.",
        remedy=_EACH_SIZE,
    )
    SIZES_WITHOUT_STRATA = Text(
        "Sizes of strata need the column of the strata.", remedy="Name it, or give one size."
    )
    SIZES_OF_CLUSTERS = Text(
        "With clusters, the sizes of the strata do not determine the weights.",
        remedy="Name the column of the weights too, or leave the sizes out.",
    )
    NO_CORRECTION = Text(
        "This design has no correction for a finite population.", remedy=_LEAVE_SIZE
    )

    # Devices and their answers
    NO_ANCHOR = Text("This design has no anchor.", remedy="Leave the column of the anchor out.")
    NO_GROUPS = Text(
        "This design has no groups of devices.", remedy="Leave the column of groups out."
    )
    NEEDS_ANCHOR = Text(
        "This design asks every respondent the question and the anchor.",
        remedy="Name the column of the answers to the anchor, or give counts.",
        command="--anchor COLUMN, or --counts",
    )
    NEEDS_GROUPS = Text(
        "This design has two groups with different devices.", remedy="Name their column."
    )
    NOT_TWO_GROUPS = Text(
        "“{column}” does not hold the two groups.", remedy="Name both as in the file."
    )
    FEW_WITH_DEVICE = Text(
        "A group has fewer than two respondents with a device.", remedy="Join groups."
    )
    RANDOM_ANCHOR = Text(
        "The answers to the anchor look random, so nothing can be corrected.",
        remedy="Check the column of the anchor, its probability, and the text that means yes.",
    )
    NEEDS_PROBABILITIES = Text(
        "Probabilities of each respondent need two columns: with and without the trait.",
        remedy="Name both, or choose a design.",
    )
    BAD_PROBABILITIES = Text(
        "“{column}” has numbers that are not probabilities.", remedy="Correct them."
    )
    SAME_PROBABILITIES = Text(
        "Some respondents answer alike with and without the trait.", remedy="Leave them out."
    )
    NO_ANSWERS = Text("“{column}” has no answers.", remedy="Choose the column of the answers.")
    NO_YES = Text(
        "No answer of “{column}” means yes.", remedy="Give its text.", command="--yes TEXT"
    )
    MORE_THAN_TWO = Text(
        "“{column}” has more than two answers.",
        remedy="Give the texts that mean no answer, for example codes of refusals.",
        command="--missing TEXT1,TEXT2",
    )
    NOT_DIRECT = Text(
        "“{column}” has direct answers that are not 0 or 1.", remedy="Write 1 for yes, 0 for no."
    )
    NOT_OF_DESIGN = Text(
        "“{column}” has answers that this design does not have.",
        remedy="Write whole numbers from {least} to {largest}.",
    )
    OTHER_ANSWERS = Text(
        "The answers of “{column}” are not the {answers} answers of the design.",
        remedy="Name them exactly as in the file, in the order of the design.",
        command="--categories",
    )
    NOT_NUMBERS = Text(
        "“{column}” has answers that are not numbers.", remedy="Correct or empty these cells."
    )
