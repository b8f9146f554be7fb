"""The sentences of the checks: an entry is named after the code of its problem.

Where a code has several entries, "__" parts it from what tells them from each other.
"""

from dpdesk.i18n import Text

_WHO_WAS_ASKED = "Say who was asked."
_ASKED = "draft --asked"
_NOT_KEPT = "Choose another role unless everyone may know it."
_FEWER = "Protect fewer variables, or report every answer."
_ANOTHER_NAME = "Give it another name."
_COMBINATION = "Correct the combination, or take it out."


class T:
    """Sentences of the checks."""

    # The plan
    NO_COLUMNS = Text("The plan has no columns.", remedy="Open a data file or add a question.")
    NO_COLUMNS__SYNTHETIC = Text(
        "No variable can be in synthetic records.",
        remedy="Protect a variable that has possible answers.",
    )
    NOTHING_PROTECTED = Text("No variable is protected.", remedy="Protect at least one.")
    REFUSED = Text("Nothing can be released. {problems}")
    REFUSED__MORE = Text(
        "Nothing can be released. {problems} {count} more problem was found.",
        "Nothing can be released. {problems} {count} more problems were found.",
        command="dpdesk check",
    )
    OVER_BUDGET = Text(
        "Epsilon {used} is used, but the budget is {budget}.",
        remedy="Lower an epsilon, split the budget again, or raise the budget.",
    )
    LARGE = Text(
        "Protection: very weak. Epsilon is {epsilon} in total; e^epsilon is {ratio}.",
        remedy="Lower the budget and split it, or release less of each respondent.",
    )
    RELEASED_NAMES_CLASH = Text(
        "Two released columns would have the same name.",
        remedy="Rename a column whose name equals another’s name and category joined by =.",
    )
    TWO_WEIGHTS = Text(
        "Two columns of survey weights are kept.", remedy="Keep one of them and drop the other."
    )
    REPORT_UNNAMED = Text(
        "The report needs {missing}.", remedy="Add the report details.", command="draft {options}"
    )
    A_TITLE = Text("a title")
    A_CONTACT = Text("a contact")

    # The role of a column
    UNASSIGNED = Text(
        "“{names}” is not assigned.",
        "{count} variables are not assigned: {names}.",
        remedy="Choose to protect, leave unprotected or drop.",
    )
    UNASSIGNED__WEIGHTS = Text(
        "The weights “{names}” are not assigned.",
        "{count} columns of weights are not assigned: {names}.",
        remedy="Leave them unprotected, to weight estimates by them, or drop them.",
        command="draft --weights",
    )
    UNASSIGNED__NO_DOMAIN = Text(
        "“{names}” is not assigned and has no possible answers.",
        "{count} variables are not assigned and have no possible answers: {names}.",
        remedy="Declare possible answers, or drop.",
        command="draft --declare",
    )
    KEEP_UNCONFIRMED = Text(
        "“{name}” would be released without protection.",
        remedy="Confirm this for the column, or choose another role.",
        command="draft --keep",
    )
    KEEP_UNCONFIRMED__WEIGHTS = Text(
        "The weights “{name}” would be released without protection.",
        remedy="Confirm this, or drop.",
        command="draft --weights",
    )
    KEPT = Text(
        "“{names}” is released without protection.",
        "{count} variables are released without protection: {names}.",
        remedy=_NOT_KEPT,
    )
    KEPT__WEIGHTS = Text(
        "The weights “{name}” are released without protection.",
        remedy="Drop them unless everyone may know what they were computed from.",
    )
    KEPT_COARSER = Text(
        "“{names}” is released coarser ({how}), without protection.",
        "{count} variables are released coarser, without protection: {names}.",
        remedy=_NOT_KEPT,
    )
    KEPT_UNREADABLE = Text(
        "Answers of “{name}” hold bytes that are invalid in {encoding}: {count} answer. {rows}",
        "Answers of “{name}” hold bytes that are invalid in {encoding}: {count} answers. {rows}",
        remedy="Correct the encoding or the answers, or drop the column.",
    )
    RECOGNISABLE = Text(
        "Kept variables single people out: {kept}",
        remedy="Protect or drop one of them, or make it coarser.",
        command="dpdesk risk",
    )
    CANNOT_PROTECT = Text(
        "“{name}” is of kind {kind}, which no mechanism can protect.",
        remedy="Drop it, or change its kind.",
    )
    ANSWERS_ALL_DIFFER = Text(
        "All {answers} answers of “{name}” differ, like those of an identifier.",
        remedy="Drop the column, or declare categories that many people give.",
        command="draft --drop",
    )
    WEIGHTS_NOT_POSITIVE = Text(
        "Weights of “{name}” are not positive numbers: {wrong} of {rows}. {where}",
        remedy="Complete them in the file, or drop the column.",
    )
    WEIGHTS_COST = Text(
        "With the weights “{name}”, margins of error are {factor} times as large. "
        "Errors and verdicts here include that.",
    )

    # Coarser levels
    COARSENING_UNUSED = Text(
        "The coarser levels of “{name}” have no effect: it is not kept.",
        remedy="Keep the column, or take its levels out of the plan.",
    )
    WEIGHT_COARSENED = Text(
        "Estimates need the survey weights “{name}” unchanged.",
        remedy="Take their levels out of the plan, or drop the column.",
    )
    LEVELS_LACK_VALUES = Text(
        "The levels of “{name}” lack {count} of its possible answers.",
        remedy="Add a row for each to its levels, or correct the possible answers.",
    )
    LEVELS_UNCONFIRMED = Text(
        "The levels of “{names}” follow from the records and would disclose some of them.",
        "The levels of {count} variables follow from the records and would disclose some: {names}.",
        remedy="Declare the possible answers and coarsen again, or confirm the levels.",
        command="coarsen --levels-from-data",
    )
    FILTER_COARSENED = Text(
        "“{other}” was asked only where {condition}: “{name}”, made coarser, no longer shows it.",
        remedy="Keep “{name}” unchanged, or drop “{other}”.",
    )
    ANSWERS_WITHOUT_LEVEL = Text(
        "The levels of “{name}” do not list some of its values.",
        remedy="Add a row for each to its levels, or declare which values mean no answer.",
    )

    # Possible answers
    NO_DOMAIN = Text(
        "“{names}” has no possible answers.",
        "{count} variables have no possible answers: {names}.",
        remedy="List answers, type bounds, or drop.",
        command="draft --declare",
    )
    NO_BOUNDS = Text(
        "“{name}” has no possible answers. {reason}",
        remedy="Declare possible answers, or drop.",
        command="draft --declare",
    )
    DOMAIN_UNCONFIRMED = Text(
        "The possible answers of “{names}” are unconfirmed.",
        "The possible answers of {count} variables are unconfirmed: {names}.",
        remedy="Confirm that they are public knowledge, or correct them.",
        command="dpdesk confirm PLAN",
    )
    ANSWERS_ALIKE = Text(
        "Answers of “{names}” look alike: they differ only in blanks or invisible signs.",
        "Answers of {count} variables look alike, but differ in invisible signs: {names}.",
        remedy="Write the same answer alike in the file, or list only one of them.",
        command="draft --declare",
    )
    ANSWERS_OUTSIDE_DOMAIN = Text(
        "Answers of “{name}” are not among its possible answers: {unknown} of {answers}. {rows}",
        remedy="Complete the possible answers, or declare what means no answer.",
    )
    ANSWERS_OUTSIDE_DOMAIN__ALIKE = Text(
        "The file writes {answers} answers of “{name}” in another way, for example 1.0 for 1.",
        remedy="Declare the categories as the file writes them.",
        command="draft --declare {example}",
    )
    ANSWERS_MOVED = Text(
        "Answers of “{name}” become “{other}”: {outside} of {answers}.",
        remedy="Add them to the possible answers if they matter.",
    )
    TOO_MANY_UNFIT = Text(
        "Answers of “{name}” do not fit its possible answers: {unfit} of {answers}, "
        "{unread} of them unreadable. {rows}",
        remedy="Correct the possible answers or how the file is read, or allow more than {most}.",
    )
    ANSWERS_UNFIT = Text(
        "Answers of “{name}” do not fit its possible answers: {unfit} of {answers}, "
        "{unread} of them unreadable. {rows}",
        remedy="Check how the file is read, or widen the possible answers.",
    )
    TOO_MANY_UNFIT__RESPONDENTS = Text(
        "Rows without a respondent in “{name}” are left out: {unknown} of {all}. {rows}",
        remedy="Name another column, correct how the file is read, or allow more than {most}.",
    )
    ANSWERS_UNFIT__RESPONDENTS = Text(
        "Rows without a respondent in “{name}” are left out: {unknown} of {all}. {rows}",
        remedy="Check the cells of this column that are blank or cannot be read.",
    )
    ANSWERS_ROUNDED = Text(
        "{rounded} of {answers} answers of “{names}” will be rounded to its steps of {step}.",
        "Answers of {count} variables will be rounded to their steps: {names}.",
        remedy="Declare a smaller step if the difference matters.",
    )

    # Missing answers
    MISSING_POLICY_UNFIT = Text(
        "The policy for missing answers does not suit “{name}”.", remedy="Choose another policy."
    )
    MISSING_POLICY_UNFIT__SEPARATOR = Text(
        "The option for missing answers of “{name}” has a separator in its name.",
        remedy=_ANOTHER_NAME,
    )
    OTHER_REFUSED = Text("“{name}” cannot have a category for other answers.")
    MISSING_VALUE_OUTSIDE = Text(
        "The value for missing answers of “{name}” is not among its possible answers.",
        remedy="Choose one of them.",
    )
    CATEGORY_TWICE = Text(
        "The category for missing or other answers of “{name}” exists already.",
        remedy=_ANOTHER_NAME,
    )
    WHO_ANSWERED_PUBLIC = Text(
        "Who answered “{name}” is released without protection: missing answers stay blank.",
        remedy="Make them a category or protect them, unless everyone may know who answered.",
    )
    MISSING_WITHOUT_POLICY = Text(
        "“{name}” has missing answers, but no policy for them.",
        remedy="Make them a category, or declare a value in their place.",
    )
    NOBODY_ANSWERED = Text(
        "“{name}” has no answers: all its cells would be blank.",
        remedy="Drop the column, or correct what means no answer.",
    )
    SUPPOSED_SHARE_FAR = Text(
        "“{names}” has {missing} missing answers of {answers}, far from the supposed {share}.",
        "{count} variables have far more or fewer missing answers than supposed: {names}.",
        remedy="Declare another share, or who was asked. A report publishes it.",
        command=_ASKED,
    )

    # Who was asked
    ASKED_OF_NONE = Text(
        "“{name}” was asked because of “{other}”, which the plan does not have.",
        remedy=_WHO_WAS_ASKED,
        command=_ASKED,
    )
    ASKED_OF_NONE__CIRCLE = Text(
        "“{name}” and “{other}” were each asked because of the other.",
        remedy=_WHO_WAS_ASKED,
        command=_ASKED,
    )
    BLANKS_TELL_FILTER = Text(
        "Blanks of “{name}” show an answer to “{other}”, which decided who was asked.",
        remedy="Protect missing answers, or make “not asked” a category.",
    )
    BLANKS_TELL_FILTER__KEPT = Text(
        "Blanks of “{name}” show an answer to “{other}”, which decided who was asked.",
        remedy="Protect or drop “{name}”.",
    )
    ASKED_DIFFERS = Text(
        "“{names}” has answers of people who should not have been asked: {answers} of {skipped}.",
        "{count} variables have answers of people who should not have been asked: {names}.",
        remedy="Correct who was asked. A report publishes it.",
        command=_ASKED,
    )

    # Mechanisms
    NO_MECHANISM = Text("“{name}” has no mechanism.", remedy="Choose a mechanism and an epsilon.")
    MISFIT = Text(
        "{mechanism} does not fit “{name}”. {reason}",
        remedy="Choose another mechanism or other parameters.",
    )
    WEAK = Text(
        "Protection of “{names}” is very weak: epsilon is {epsilon}.",
        "Protection of {count} variables is very weak: {names}.",
        remedy="Choose a smaller epsilon unless the answer is harmless.",
    )

    # The strategy
    NOTHING_TO_SAMPLE = Text(
        "The strategy draws one of several variables, but only one is protected.",
        remedy="Protect more variables, or report every answer.",
    )
    TOO_FEW_REPORTS = Text(
        "{respondents} respondents are too few for {variables} variables: "
        "about {left_out} would have no answers.",
        remedy=_FEWER,
    )
    FEW_REPORTS = Text("About {expected} respondents will report each variable.", remedy=_FEWER)
    FEW_REPORTS__OPTIONS = Text(
        "About {expected} respondents will report each option of “{name}”.",
        remedy="Merge options, or raise epsilon.",
    )
    BLANKS_NEED_SPL = Text(
        "Missing answers of “{name}” cannot stay blank if one answer per respondent is reported.",
        remedy="Report every answer, or protect missing answers.",
    )
    CANNOT_BE_FAKED = Text(
        "{mechanism} does not suit the strategy: its noisy answers for “{name}” cannot be faked.",
        remedy="Choose another strategy or, for categories, GRR, SUE or OUE.",
    )
    NO_EXPECTED = Text(
        "“{name}” has no expected distribution for realistic fakes (RS+RFD).",
        remedy="Declare one, or choose fakes that are alike (RS+FD).",
    )
    EXPECTED_MISFIT = Text(
        "The {weights} expected weights of “{name}” do not fit its {categories} categories.",
        remedy="Give one weight for each category, in their order, and one above 0.",
    )
    EXPECTED_ZERO = Text(
        "A category of “{name}” is expected with weight 0 and would never be faked.",
        remedy="Give every category a weight above 0.",
    )

    # The data
    READING_UNCONFIRMED = Text(
        "How the file is read was detected from its answers: {reading}.",
        remedy="Confirm it if the file is written so no matter who answers, or correct it.",
    )
    NAMES_UNCONFIRMED = Text(
        "The first line holds numbers or dates, but is read as names of columns.",
        remedy="If it is a respondent, read the file without a header. Else confirm the names.",
        command="--no-header, or dpdesk confirm --names",
    )
    NO_ROWS = Text("The file has no rows.", remedy="Open a file with answers.")
    READING_MISSING = Text(
        "The plan does not say how the file is read. It seems to be written like this: {reading}.",
        remedy="Add that to the plan if the file is written so no matter who answers.",
    )
    READING_DIFFERS = Text(
        "The file was read differently from the plan. File: {file}. Plan: {plan}.",
        remedy="Read the file again as the plan says, or change the plan.",
    )
    COLUMN_NOT_IN_PLAN = Text(
        "The plan does not have the column “{names}”.",
        "The plan does not have {count} columns of the data: {names}.",
        remedy="Choose to protect, leave unprotected or drop.",
    )
    COLUMN_NOT_IN_DATA = Text(
        "The data have no column “{names}”.",
        "The data lack {count} columns of the plan: {names}.",
        remedy="Choose another column, or open the file that the plan was made for.",
    )
    ROWS_OF_ONE_PERSON = Text(
        "{note}", remedy="Let one row per person count, or read intervals as those of rows."
    )

    # Statistics
    NO_QUERIES = Text("The plan asks for no statistics.", remedy="Add a statistic.")
    COLUMN_UNKNOWN = Text("The plan has no column “{name}”.", remedy="Choose another column.")
    RESPONDENT_COLUMN_UNKNOWN = Text(
        "The plan has no column “{name}” that identifies respondents.",
        remedy="Choose another column.",
    )
    ROWS_PROMISED = Text(
        "No column identifies respondents: the bound on their rows is a promise.",
        remedy="Name the column that identifies respondents.",
    )
    ANSWERS_MISSING = Text(
        "“{name}” lacks answers, but a statistic states that it has all.",
        remedy="Withdraw that statement, or declare what missing answers become.",
    )
    SUMS_TOO_LARGE = Text(
        "Sums of {rows} rows could leave the range of exact numbers.",
        remedy="Choose discrete noise, a larger step, or narrower bounds.",
    )
    WEIGHTS_NOT_USED = Text(
        "Statistics describe the rows of the file: the survey weights “{name}” are not used.",
        remedy="For the population, release records: their estimates are weighted.",
    )

    # Usefulness: the code is the verdict
    WORTH = Text("{name} would be {rating}: {reason}")
    WORTH__SEVERAL = Text("{bad} of {all} would be {rating}: {names}. {worst}: {reason}")
    RATING_IF = Text("{rating} if {respondents} people answer")
    TABLES_OF_TWO = Text("A table of two variables")
    NO_PREVALENCE = Text(
        "The verdict on “{names}” supposes that half of the people give each answer.",
        "The verdicts on {count} variables suppose that half give each answer: {names}.",
        remedy="Declare the share that you expect.",
        command="draft --expected COLUMN=W1,W2",
    )
    IMPOSSIBLE_ANALYSIS = Text("“{analysis}” is not possible: {reason}")
    NO_TABLES = Text(
        "Tables and models need several noisy answers in a row, but each has one.",
        remedy="Report every answer, or release for shares and means only.",
    )
    FOR = Text("For {name}: {remedy}")
    MERGE_RARE = Text("Merge rare answers, or use the shares that are useful.")
    LEAVE_OUT = Text("No change makes it useful. Leave it out.")
    FEWER_GROUPS = Text("No epsilon makes it useful. Ask for fewer and larger groups.")
    FEWER_CLASSES = Text("No epsilon makes it useful. Use fewer classes, or drop columns.")
    MORE_PEOPLE = Text("Ask more respondents, or merge categories.")
    TRUSTED_TABLES = Text("Statistics of the trusted file give such tables with far less noise.")

    # Synthetic records
    DELTA_TOO_SMALL = Text(
        "The delta of synthetic records is too small.", remedy="Choose 0, or 0.000001."
    )
    WEIGHTS_LEFT_OUT = Text(
        "The survey weights “{name}” are left out of synthetic records.",
        remedy="Read synthetic records as rows of the file, not of the population.",
    )
    KEPT_LEFT_OUT = Text(
        "“{names}” has no possible answers and stays out.",
        "{count} variables have no possible answers and stay out: {names}.",
        remedy="List its answers or type its bounds to include it.",
    )
    TOO_MANY_STATES = Text(
        "“{name}” has {categories} categories. Synthetic records can have {most}.",
        remedy="Drop it, or merge categories.",
    )
    IMPOSSIBLE_NEVER = Text(
        "No record can have this combination in any case: {combination}.", remedy=_COMBINATION
    )
    IMPOSSIBLE_TOO_LARGE = Text(
        "Impossible combinations join {cells} cells of a table. At most {most} are possible.",
        remedy="Use fewer classes of numbers, merge categories, or drop a column they name.",
    )
    IMPOSSIBLE_EVERYTHING = Text(
        "The impossible combinations exclude every record.",
        remedy="Take a combination out, or correct who was asked.",
    )
    IMPOSSIBLE_ANSWER = Text(
        "The impossible combinations exclude an answer of “{name}”: {answer}.",
        remedy="Correct the combinations if people can give it.",
    )
    IMPOSSIBLE_FOUND = Text(
        "{met} of {rows} rows have a combination declared impossible: {combination}.",
        remedy="Take it out if it can be. Else these rows hold errors.",
    )
    TABLES_NOT_MEASURED = Text(
        "Of the tables of two columns, {untold} will not be measured. Their error is unknown.",
        remedy="Drop columns that are not needed.",
    )
