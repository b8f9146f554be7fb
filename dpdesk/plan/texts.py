"""The sentences of plans, but for those of the checks."""

from dpdesk.i18n import Text

_SAVED_AS_PLAN = "Open a file that was saved as a plan."
_WRITTEN = "Declare how they are written, or drop the column."
_SHARE = "Enter a share above 0% and below 100%, for example 20%."
_ASKED_EXAMPLE = "Write, for example, smoker=daily|sometimes or age is at least 16."


class T:
    """Sentences of plans."""

    # Ratings
    USEFUL = Text("useful")
    ROUGH = Text("rough")
    TOO_NOISY = Text("too noisy")
    USEFUL_SHARES = Text("useful for {useful} of {all} shares")

    # What an estimate is of
    SHARE = Text("a share of {share}")
    SHARE_ANY = Text("a share")
    COUNT_ANY = Text("a count")
    MEAN = Text("the mean")
    SHARE_ANSWERED = Text("the share who answered")
    EXPECTED_SHARE = Text("an expected share of {share}")
    CELL = Text("a cell of {names}")
    SHARE_IN_CELL = Text("a share of {share} in a cell of {names}")
    MEAN_IN_GROUP = Text("the mean of {name} in a group of {other}")
    SHARE_IN_GROUP = Text("a share of {name} in a group of {other}")
    SLOPE = Text("the slope of {name} on {other}")
    SLOPE_WORST = Text("the slope of {name} on {other}, the worst of {slopes}")
    IF = Text("{what}, if {supposed}")
    IF_EVEN = Text("{what}, if each answer is equally common")
    IF_EQUAL = Text("{what}, if groups are equally large")
    IF_MEASURED = Text("{what}, if it is measured")
    ON_AVERAGE = Text("{what}, on average over the measured tables")
    IN_MIDDLE_GROUP = Text("{what} in a group of middle size")
    IN_FILE = Text("{what} in this file")
    AS_EXPECTED = Text("{what} as expected")
    AS_RELEASED = Text("{what} as released")

    # What it is worth
    WORTH = Text("{error} on {what} ({size})")
    WORTH_DIFFERENCE = Text("{error} on {what}, where a medium difference is {size}")
    WORTH_NEAR = Text("{error} on {what}, which is {size} from the bound {bound}")
    WORTH_RARE = Text("{error} on {what}, which is too rare to estimate")
    WORTH_MIXED = Text("{counts}; at worst {worst}")
    REASON = Text("{worth}.")
    REASON_UNPROTECTED = Text("{worth}; {unprotected} without protection.")
    REASON_TOO_FEW = Text("{worth}; {unprotected} without protection: too few respondents.")

    # What is supposed of missing answers
    NOT_ANSWERED = Text("{share} did not answer")
    NOT_ASKED = Text("{others} were not asked and {share} of the others did not answer")
    NO_ANSWER = Text("{share} have no answer")
    ALL_ANSWERED = Text("all answered")

    # Remedies
    SAME_EPSILON = Text("Use {mechanism} at the same epsilon")
    WHOLE_BUDGET = Text("Split the whole budget of {total} again")
    ONE_ANSWER = Text("Report one answer per respondent at epsilon {total}")
    MERGE = Text("Merge its {categories} categories into {fewer}")
    FEWER = Text("Protect {fewer} of {variables} variables at epsilon {total}")
    FEWER_DRAWN = Text(
        "Report one answer per respondent and protect {fewer} of {variables} variables"
    )
    EPSILON = Text("Set epsilon {epsilon}")
    EPSILON_ALONE = Text("Set epsilon {epsilon} for it, {whole} in total")
    EPSILON_EACH = Text(
        "Set epsilon {epsilon} for each of {count} such variable, {whole} in total",
        "Set epsilon {epsilon} for each of {count} such variables, {whole} in total",
    )
    EPSILON_EVERY = Text("Set epsilon {epsilon} for each variable, {whole} in total")
    RESPONDENTS = Text("Ask {people} respondents")
    TO_GET = Text("{action} to get {error} ({rating}).")
    TO_GET_INSTEAD = Text("{action} to get {error} instead of {now} for {name}.")
    TO_MAKE_USEFUL = Text("{action} to make {useful} of {all} estimates useful.")
    TO_MAKE_VARIABLES_USEFUL = Text("{action} to make {useful} of {all} variables useful.")
    TO_MAKE_MORE_USEFUL = Text(
        "{action} to make {useful} of {all} estimates useful instead of {before}."
    )
    NO_TWO_ANSWERS = Text("Then no record holds two answers.")
    WIDE_BOUNDS = Text("The bounds are far wider than the answers. Declare narrower ones.")
    NEAR_BOUND = Text("Few answers differ much from the bound. Use categories.")

    # Analyses of several variables
    NO_SQUARES = Text(
        "Noisy answers of “{name}” show nothing of the spread of its numbers, as a slope needs.",
        remedy="Choose another mechanism, for example the piecewise one.",
    )
    NOT_TOGETHER = Text(
        "No record will hold noisy answers to all of {names}.",
        remedy="Report every answer of each respondent.",
    )
    NO_CATEGORIES = Text(
        "“{name}” is not a list of categories of which an answer is one.",
        remedy="Name a variable with categories.",
    )
    NOT_RELEASED = Text(
        "“{name}” is not released with possible answers.",
        remedy="Declare its possible answers, and protect it or leave it unprotected.",
    )
    RELEASED_COARSER = Text(
        "“{name}” is released coarser, which hides how its answers go with others.",
        remedy="Keep it unchanged, protect it, or leave the analysis out.",
    )
    NO_FITTING_MECHANISM = Text(
        "“{name}” has no mechanism that fits.", remedy="Choose one.", command="dpdesk check"
    )
    TOO_MANY_ANALYSES = Text(
        "A plan names at most {most} analyses.", remedy="Name the most important ones."
    )
    COLUMN_TWICE = Text("“{analysis}” names a column twice.", remedy="Name different columns.")
    TOO_MANY_NAMES = Text(
        "“{analysis}” names too many columns.", remedy="Name two, or three as “A x B x C”."
    )
    ONLY_SUMS = Text(
        "Before a release, the error of “{analysis}” is unknown: only sums of columns are judged.",
        remedy="Name it as “Y ~ A + B”. From the release, any formula can be estimated.",
        command="dpdesk estimate",
    )
    NO_ANALYSIS = Text(
        "“{analysis}” names no columns that are looked at together.",
        remedy="Write “A x B”, “X by A” or “Y ~ A + B”.",
    )
    BAD_ERROR = Text(
        "The margin of error of “{analysis}” must be above 0.",
        remedy="Enter a larger one, for example 2.",
    )
    DIFFERENT_UNITS = Text(
        "The slopes of “{analysis}” have different units and no common margin of error.",
        remedy="Name the most important slope, for example “Y ~ X=2”.",
        command="--expect",
    )
    UNREACHABLE = Text(
        "No epsilon up to 20 gives “{analysis}” this margin of error. "
        "Without protection it is {error}.",
        remedy="Allow a larger one, ask more respondents, or leave a variable unprotected.",
    )

    # What the answers leave open; the entries of problems are named after their codes
    CODES_UNDECIDED = Text(
        "Answers of “{names}” look like codes of no answer.",
        "Answers of {count} variables look like codes of no answer: {names}.",
        remedy="Say whether they mean no answer or are answers.",
        command="draft --missing '*=CODE', draft --answers '*=CODE', query --missing-code",
    )
    BLANKS_UNDECIDED = Text(
        "Blanks of “{names}” are read as {meaning}, but this is not declared.",
        "Blanks of {count} variables can mean nothing ticked or no answer: {names}.",
        remedy="Declare which of both they mean.",
        command="draft --together, draft --declare or --missing",
    )
    NOTHING_TICKED = Text("nothing ticked")
    NO_ANSWER_GIVEN = Text("no answer")
    OPTIONS_UNDECIDED = Text(
        "Options of “{name}” hold the sign between options.",
        remedy="Say whether each is one option.",
        command="draft --declare",
    )
    WRITING_UNDECIDED__DATES = Text(
        "Dates of “{name}” can be read with the day or the month first.",
        remedy=_WRITTEN,
        command="draft --declare",
    )
    WRITING_UNDECIDED__NUMBERS = Text(
        "Answers of “{name}” look like numbers with units, grouped digits or decimal commas.",
        remedy=_WRITTEN,
        command="draft --declare",
    )
    ANSWERS_OUTSIDE_DOMAIN__WRITTEN = Text(
        "No answer of “{name}” is read: the file writes {written}, but {declared} is declared.",
        remedy="Declare how they are written.",
        command="draft {options}",
    )
    NUMBERS_UNLIKE = Text(
        "{count} of them is a number, but not written as {declared}.",
        "{count} of them are numbers, but not written as {declared}.",
        remedy="Write all numbers of the column alike in the file.",
    )
    IN_ROWS = Text("Rows, counted from the first respondent: {rows}.")
    CODES_OPEN = Text(
        "Look like codes of no answer: {codes}.",
        command="draft --missing {missing}, or draft --answers {name}",
    )
    BLANKS_OPEN = Text(
        "{count} respondent left this blank: nothing ticked, or no answer?",
        "{count} respondents left this blank: nothing ticked, or no answer?",
        command="nothing ticked: draft {nothing}; no answer: draft {missing}",
    )
    OPTIONS_OPEN = Text(
        "These hold the sign between options: {options}. Is each one option?",
        command="yes: draft --declare {whole}; no: draft --declare {split}",
    )
    DATES_OPEN = Text(
        "{count} date: does the day or the month come first?",
        "{count} dates: does the day or the month come first?",
        command="day first: draft --declare {first}; month first: draft --declare {second}",
    )
    NUMBERS_OPEN = Text(
        "These look like numbers, with 1234.5 written as “{example}”.",
        command="draft --declare {first}",
    )
    NUMBERS_OPEN_TWO = Text(
        "These look like numbers, with 1234.5 written as “{example}” or “{other}”.",
        command="draft --declare {first}, or draft --declare {second}",
    )
    NOTHING_OPEN = Text("There is nothing to decide about “{name}”.", remedy="Leave this out.")
    NO_OPEN_CODE = Text(
        "No column has such a code that is to be decided on.",
        remedy="Name another code, or the column that has it.",
    )
    RESPONDENTS_DIFFER = Text(
        "The plan supposes {supposed} respondents, but the file has {rows}.",
        remedy="Open the file that the plan was made for, or correct the number.",
    )
    PERSONS_IN_SEVERAL_ROWS = Text(
        "“{name}” repeats: {people} people have up to {most} rows each. "
        "The loss is stated for {unit}.",
        remedy="Say what counts of each person: one row, all rows, or every row as a person.",
        command=(
            "draft --respondent {column}, also with --rows-per-respondent {most}; "
            "--join-rows {joined}; --one-row-each"
        ),
    )

    # Missing answers, in reports
    TREATED_NONE = Text("None are expected; a missing answer would have stopped the release.")
    TREATED_CATEGORY = Text("They are a category, “{value}”, randomized like any other answer.")
    TREATED_VALUE = Text(
        "They count as “{value}” and are randomized. Estimates of the true answers are biased."
    )
    TREATED_PROTECTED = Text(
        "Whether a respondent answered is protected together with the number. "
        "The share who answered and their mean are estimated."
    )
    TREATED_BLANK = Text(
        "NOT PROTECTED: an empty cell shows that its respondent did not answer. "
        "Estimates describe those who answered."
    )
    COUNTED_LEFT_OUT = Text("left out")
    COUNTED_CATEGORY = Text("a category of its own, {value}")
    COUNTED_VALUE = Text("taken as {value}")
    POLICY_VALUE_UNFIT = Text(
        "The policy for missing answers and its value do not agree.",
        remedy="Give a value for “category” and “value”, and none for the others.",
    )
    LABEL_WITHOUT_CODE = Text(
        "A label belongs to no code of missing answers.",
        remedy="Label only listed codes and ranges.",
    )

    # Edits of columns
    KIND_WITHOUT_DOMAIN = Text(
        "A column of kind “{kind}” cannot have these possible answers.",
        remedy="Change the kind or the possible answers.",
    )
    NOT_BINARY = Text(
        "A binary variable has two categories. “{name}” has {categories}.",
        remedy="Remove the others first, or choose nominal or ordinal.",
    )
    NO_SEPARATOR = Text(
        "Several answers of “{name}” have no separator between them.", remedy="Choose another kind."
    )
    TOO_MANY_ANSWERS = Text(
        "“{name}” has {answers} different answers, too many to list.",
        remedy="Choose another kind, or drop the column.",
    )
    ONE_ANSWER_ONLY = Text(
        "“{name}” has fewer than two different answers.",
        remedy="Drop the column, or choose a kind of number and type its bounds.",
    )
    ONE_NUMBER = Text(
        "“{name}” has fewer than two different numbers.",
        remedy="Choose a kind of category, or correct the decimal mark of the file.",
    )
    NAME_TAKEN = Text("Another column is named “{name}”.", remedy="Choose another name.")
    SAME_NAMES = Text("Two columns have the same name.", remedy="Rename one of them.")
    CONFIRMED_BY_LONG = Text(
        "The name of the person who confirms has more than {most} characters.",
        remedy="Shorten it.",
    )
    VALUE_OUTSIDE = Text(
        "“{value}” is not among the possible answers.", remedy="Choose a possible answer."
    )
    CATEGORY_EXISTS = Text("There is already a category “{name}”.", remedy="Choose another name.")
    BAD_CODES = Text("The codes of no answer of “{name}” are not valid: {reason}")
    NO_MISSING_WITHOUT_DOMAIN = Text(
        "“{name}” has no possible answers, so its missing answers cannot become one.",
        remedy="Leave it out, or drop the column.",
    )
    NO_SUCH_POLICY = Text(
        "Missing answers of “{name}” cannot have this policy.", remedy="Use {policies}."
    )
    NO_VALUE_TAKEN = Text("The policy {policy} takes no value.", remedy="Leave the value out.")
    BAD_SHARE = Text(
        "The supposed share of missing answers of “{name}” is not a share.", remedy=_SHARE
    )
    BAD_SHARE_ASKED = Text(
        "The supposed share of people asked “{name}” is not a share.", remedy=_SHARE
    )

    # Who was asked
    ASKED_ONLY = Text(
        "It was asked only where {condition}, as the curator declared. "
        "Others count among those without an answer."
    )
    ASKED_BY_ANSWER = Text(
        "Who was asked depends on an answer, not on whether there is one.",
        remedy="Name the answers whose respondents were asked.",
    )
    TOO_MANY_CONDITIONS = Text(
        "Who was asked has too many conditions.", remedy="Name at most {most}."
    )
    BAD_ASKED = Text("Who was asked is not valid: {reason}", remedy=_ASKED_EXAMPLE)
    NO_FILTER = Text(
        "Who was asked names no column of the plan with its answers.", remedy=_ASKED_EXAMPLE
    )
    BAD_INTERVAL = Text(
        "The ends of an interval are two numbers, the smaller one first.",
        remedy="Write it as 16..99, 16.. or ..15.",
    )
    NO_ANSWER_MEETS = Text(
        "No possible answer of “{name}” meets who was asked.", remedy=_ASKED_EXAMPLE
    )
    ASKED_BY_ITSELF = Text(
        "“{name}” cannot be asked because of its own answer.",
        remedy="Name the question before it that decided.",
    )
    UNASKED_ANSWER = Text(
        "“{name}” has an answer of a person who was not asked: it was asked only where {condition}."
    )

    # Drafts and files
    TOO_MANY_COLUMNS = Text(
        "{source} has {columns} columns. A plan can have {most}.",
        remedy="Take out columns that are not needed, or split it.",
    )
    THE_CODEBOOK = Text("The codebook")
    LONG_NAME = Text(
        "The name of column {position} of {file} has more than {most} characters.",
        remedy="Shorten it. If the first line is an answer, read the file without a header.",
    )
    BAD_ENTRY = Text(
        "The codebook’s entry for “{name}” is not valid: {reason}",
        remedy="Correct the codebook, or draft without it.",
    )
    NOT_A_PLAN = Text("{file} is not a dpdesk plan.", remedy=_SAVED_AS_PLAN)
    NO_VERSION = Text("{file} has no version of a plan.", remedy=_SAVED_AS_PLAN)
    NEWER = Text(
        "{file} was written by a newer dpdesk (plan version {version}).",
        remedy="Open it with that version. Nothing was changed.",
    )
    INVALID = Text(
        "{file} is not valid. {places}.", remedy="Correct these places. Nothing was changed."
    )
    NOT_UTF8 = Text("{file} is not text in UTF-8.", remedy=_SAVED_AS_PLAN)
    UNREADABLE = Text("{file} cannot be read: {reason}.", remedy=_SAVED_AS_PLAN)
    NOT_JSON = Text("{file} {reason}.", remedy=_SAVED_AS_PLAN)

    # Synthetic records
    BAD_COMBINATION = Text("The combination is not valid: {reason}.")
    FEW_CONDITIONS = Text(
        "An impossible combination has two to six conditions.",
        remedy="Join them with “and”: {example}.",
    )
    NOT_SYNTHETIC = Text(
        "“{name}” is not among the synthetic records.",
        remedy="Name a variable that the plan protects or keeps, or protect it.",
    )
    NEVER_MET = Text(
        "No record can have this in any case: {combination}.",
        remedy="Correct it: an answer is one category, and a number lies within its bounds.",
    )
    TOO_MANY_COMBINATIONS = Text(
        "At most {most} combinations can be declared impossible.",
        remedy="Join some: an answer can be one of several.",
    )
    TOO_MANY_SYNTHETIC = Text(
        "Synthetic records can have {most} columns. The plan has {columns}, options included.",
        remedy="Drop those that are not needed.",
    )

    # Protection
    NO_BUDGET = Text("There is no budget to split.", remedy="Set a budget first.")
    ALL_LOCKED = Text("Every epsilon is locked.", remedy="Unlock one to split the budget again.")
    BAD_SPLIT = Text(
        "Epsilon {left} remains for {parts} parts. Each needs {least} to {most}.",
        remedy="Change the budget, or unlock, lower or drop a part.",
    )
    EPSILON_FOLLOWS = Text(
        "The epsilon of {mechanism} follows from its other parameters.",
        remedy="Change those, or choose another mechanism.",
    )
    NOT_PROTECTABLE = Text(
        "“{name}” has no possible answers that a mechanism can protect.",
        remedy="Declare its answers or its bounds, or drop it.",
    )
    NO_MECHANISM_OF_STRATEGY = Text(
        "No mechanism of this strategy can protect “{name}”.",
        remedy="Choose another strategy, or drop the column.",
    )
    INCOMPLETE = Text(
        "“{name}” has no mechanism or no possible answers.", remedy="Complete the plan."
    )
    LEFT_UNPROTECTED = Text(
        "{count} variable is released unprotected.",
        "{count} variables are released unprotected.",
    )
    RANDOM_BIT = Text("{name}: {answer} (bit, changed at random)")
    REPORTED_VARIABLE = Text("Variable that the respondent reports")

    # Kept columns
    UNEVEN_LEVELS = Text(
        "The rows of levels differ in length, or hold a value without labels.",
        remedy="Write behind each value its label on each level.",
    )
    NO_LEVEL = Text(
        "Level {level} is above the highest one, {highest}.",
        remedy="Choose a level that the rows have.",
    )
    LEVELS = Text("its levels follow from the records")
    LEVEL = Text("its level was chosen by looking at the records")
    AS_STARS = Text("as * in every cell")
    OTHER_LABELS = Text("with other labels")
    MERGED_GROUPS = Text("merged into {groups} groups ({names})")
