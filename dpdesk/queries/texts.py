"""The sentences of statistics with noise."""

from dpdesk.i18n import Text

_CLOSER = "Choose a larger step of the grid, or closer bounds."
_EXAMPLES = "Write for example: {examples}."


class T:
    """Sentences of statistics with noise."""

    # Columns and conditions
    NO_DOMAIN = Text("“{column}” has no declared answers.", remedy="Declare them.")
    NAMED_TWICE = Text("A column is named twice.", remedy="Group by each column once.")
    TOO_MANY_CELLS = Text(
        "This query has {cells} cells. At most {most} can be released at once.",
        remedy="Group by fewer columns.",
    )
    EMPTY_CONDITION = Text(
        "The condition on “{column}” is not of one kind.", remedy="Give categories, or bounds."
    )
    CROSSED_CONDITION = Text("The bounds of “{column}” are crossed.", remedy="Exchange them.")
    NOT_DECLARED = Text("“{column}” does not have this answer.", remedy="Choose one of: {answers}.")
    UNREADABLE_BOUND = Text(
        "A bound of “{column}” is not {kind}.", remedy="Write it like {example}."
    )
    NOT_A_BOUND = Text(
        "A bound is neither a number nor a date.", remedy="Write, for example, 5 or 1987-06."
    )
    OFF_GRID = Text(
        "A number must be {least} to {largest} in steps of {step}.",
        remedy="Write, for example, {least}.",
    )
    CROSSED_BOUNDS = Text("The lower bound is not below the upper bound.", remedy="Correct them.")
    NOT_NUMBERS = Text(
        "“{column}” has categories that are not numbers.",
        remedy="Choose numbers, or name categories.",
    )
    NOT_ALL_NUMBERS = Text(
        "“{column}” has categories that are not numbers, so not every row has a number.",
        remedy="Withdraw the statement that every row has an answer.",
    )
    HOLDS_NUMBERS = Text(
        "“{column}” holds numbers, not categories.", remedy="Give bounds, or choose categories."
    )
    ONE_ANSWER = Text("“{column}” has a single answer in a row.", remedy="Write “is”, not “has”.")
    SEVERAL_ANSWERS = Text(
        "“{column}” may have several answers in a row.",
        remedy="Ask for its options, for example: count where {condition}.",
    )

    # Kinds of statistics
    SUMS_TOO_LARGE = Text(
        "Sums of “{column}” are too large to be exact.", remedy="Choose a larger step."
    )
    ROWS_PUBLIC = Text(
        "The number of rows is public when respondents are only replaced.",
        remedy="State it without noise, or choose the relation add or remove.",
    )
    EDGES = Text("A histogram needs two or more increasing edges.", remedy="Write them in order.")
    FEW_CATEGORIES = Text("“{column}” has only {categories} categories.", remedy="Choose fewer.")
    WORTH = Text(
        "“{column}” needs a worth for each category, one above 0.",
        remedy="Write {categories} numbers.",
    )
    SHARES = Text(
        "The shares of quantiles must differ and lie between 0 and 1, with at most four decimals.",
        remedy="Write 0.5 for the median.",
    )
    TOO_MANY_ROWS = Text(
        "This quantile has too many rows.", remedy="Choose a share with fewer decimals."
    )
    NO_COMMON_STEP = Text(
        "The bounds of the grid and its step have no common step for sums.",
        remedy="Choose a lower bound that is a multiple of the step.",
    )
    DATES = Text("“{column}” holds dates, which have no sum.", remedy="Ask for their mean.")
    SMALL_EPSILON = Text(
        "{parts} parts of a query need an epsilon of at least {least} together.",
        remedy="Raise epsilon, or ask for fewer statistics.",
    )

    # Phrases
    IN_PHRASE = Text("“{phrase}”: {reason}")
    UNKNOWN_KIND = Text("This kind does not exist.", remedy="Choose {kinds}.")
    BAD_DELTA = Text("Delta is from 0 to below 0.01.", remedy="Choose, for example, 0.000001.")
    MANY_COLUMNS = Text("The query has too many groups.", remedy="Name at most four columns.")
    LONG_NAME = Text("The name is too long.", remedy="Choose one below 1,000 characters.")
    NOT_A_FIELD = Text(
        "“{setting}” is not a field of a query.", remedy="Use epsilon, noise, delta or name."
    )
    NO_GROUPS = Text(
        "{title} has no groups, and “{column}” has no declared categories to ask for one by one.",
        remedy="Group by a column of categories.",
    )
    MANY_GROUPS = Text(
        "{title} has no groups. One for each would be {statistics} statistics, over {most}.",
        remedy="Ask for single groups by “where”.",
    )
    BAD_SIGN = Text(
        "A quotation mark or sign has no meaning there.", remedy='Put names in "quotation marks".'
    )
    SEVERAL_COLUMNS = Text(
        "“{word}” is an answer of {columns}.", remedy="Write, for example: where {condition}."
    )
    SEVERAL_MEANT = Text("“{word}” can mean {answers} in “{column}”.", remedy="Write {condition}.")
    ANSWERED_OR_CATEGORY = Text(
        "“{category}” is also a category of “{column}”.", remedy="For it, write {condition}."
    )
    BEGINNING = Text("The text must begin with {expected}.", remedy=_EXAMPLES)
    CONTINUATION = Text("After “{read}” the text needs {expected}.", remedy=_EXAMPLES)
    END = Text("The text must end after “{read}”.", remedy=_EXAMPLES)
    A_COLUMN = Text("a column")
    A_CATEGORY = Text("a category")
    A_DECLARED_CATEGORY = Text("a declared category")
    A_NUMBER = Text("a number")
    A_BOUND = Text("a number or a date")
    A_STATISTIC = Text("a kind of statistic")

    # Whom it protects
    WHOSE_ROW = Text(
        "Replacing a respondent of several rows needs the column that identifies respondents.",
        remedy="Name that column, or choose the relation add or remove.",
    )
    ROWS_OF_EACH = Text("for up to {rows} rows of each respondent")
    ROWS_ALIKE = Text(
        "Intervals treat every row as another respondent. They are too narrow for the population."
    )
    FIRST_ROWS = Text(
        "“{column}” identifies respondents. Only the first row of each counts.",
        "“{column}” identifies respondents. Only the first {count} rows of each count.",
    )
    PROMISED = Text("The curator promises this; dpdesk did not check it.")
    STATED = Text("The curator states that every row is another respondent.")
    TAKEN = Text(
        "Every row counts as one respondent. Only columns named like identifiers were checked."
    )
    ADDS = Text("Each row adds {what} to the sum.")
    ADDS_TO_ONE_OF = Text("Each row adds {what} to one of {cells} sums.")
    DISTANCE = Text("its distance from the middle of the bounds in half steps")
    SQUARE = Text("twice its squared distance, less that of a bound,")
    STEPS = Text("its number of steps")
    ZERO_OR_ONE = Text("0 or 1")
    SCORE_OF_COUNT = Text("The score of a category is its count.")
    SCORE_OF_WORTH = Text("The score of a category is its worth times its count.")
    SCORE_OF_RANK = Text(
        "A number’s score is its distance from the requested rank in 1/{parts} rows."
    )
    SENSITIVITY_OF_PRESENCE = Text(
        "Adding or removing a respondent with one row changes this by at most {total}.",
        "Adding or removing a respondent with up to {count} rows changes this by at most {total}.",
    )
    SENSITIVITY_OF_ANSWERS = Text(
        "Other answers of a respondent with one row change this by at most {total}.",
        "Other answers of a respondent with up to {count} rows change this by at most {total}.",
    )

    # Errors before and notes after a release
    AT_ANY_VALUE = Text("for {count} answer, at any value", "for {count} answers, at any value")
    AT_USUAL_SPREAD = Text(
        "if the answers spread over a sixth of the bounds or more around their middle"
    )
    OF_RANK = Text("points between its rank and the requested share")
    BEHIND_BEST = Text("how far the chosen category can be behind the best one")
    WITH_INTERVAL = Text("{error}, and an interval {width} wide")
    SIZE_OF_COUNT = Text("a count of about {count} row", "a count of about {count} rows")
    SIZE_OF_SUM = Text("a sum of about {count} number", "a sum of about {count} numbers")
    SIZE_OF_CATEGORY = Text("a category of about {count} row", "a category of about {count} rows")
    SIZE_OF_SHARE = Text("a share of about {share}")
    SAMPLING_BY_VARIANCE = Text("The interval with sampling uses the variance released beside it.")
    SAMPLING_AT_BOUNDS = Text(
        "The interval with sampling is the widest possible, as no spread is released. A variance "
        "with the same bounds, groups and conditions narrows it."
    )
    CATEGORY_SHORTFALL = Text(
        "With {confidence} confidence, each chosen category is at most {count} row short.",
        "With {confidence} confidence, each chosen category is at most {count} rows short.",
    )
    CATEGORY_SHORTFALL_OF_WORTH = Text(
        "With {confidence} confidence, each chosen category is at most {count} point short.",
        "With {confidence} confidence, each chosen category is at most {count} points short.",
    )
    RANK_SHORTFALL = Text(
        "With {confidence} confidence, a number’s rank is at most {count} row off its share.",
        "With {confidence} confidence, a number’s rank is at most {count} rows off its share.",
    )
    NEAREST_MULTIPLE = Text("Answers count at the nearest multiple of {step}.")
    OF_RANDOM_SAMPLE = Text("The interval supposes that the answers are a random sample.")
    WITHOUT_ANSWERS = Text("Without answers, all numbers are equally likely.")

    # Noise and choices
    EMPTY_PART = Text("A part needs at least one number, and a rho above 0.")
    DELTA = Text(
        "Gaussian noise needs a delta above 0 and at most 0.01.",
        remedy="Choose a delta well below 1 / the number of respondents, for example 0.000001.",
    )
    STAIRCASE = Text(
        "Staircase noise is for a single number.", remedy="Choose discrete Laplace noise."
    )
    NOISE_TOO_LARGE = Text(
        "The noise would exceed 2^52 grid steps.", remedy="Choose a larger epsilon or step."
    )
    OVER_EPSILON = Text(
        "The noise would exceed ε = {epsilon}.", remedy="Choose a slightly different epsilon."
    )
    OTHER_SIZE = Text("The noise was calibrated for another number of values.")
    CONFIDENCE = Text("A confidence must be between 0 and 1.", remedy="Choose 0.95 as usual.")
    OUT_OF_REACH = Text(
        "This can exceed 2^{power} grid steps, where noise is not exact.", remedy=_CLOSER
    )
    MOVES_TOO_FAR = Text(
        "One respondent can change this by more than 2^53 grid steps.", remedy=_CLOSER
    )
    BAD_SENSITIVITY = Text("A sensitivity is a whole number of grid steps from 1 to 2^{power}.")
    IMPOSSIBLE_SENSITIVITY = Text("No vector of whole numbers has these three sensitivities.")
    MANY_SETS = Text("There are too many ways to choose this number of options.")
    SCORES_TOO_LARGE = Text("A score of this choice exceeds 2^62.", remedy="Choose rounder scores.")
    BAD_CHOICE = Text(
        "A choice has 1 to {most} options, and takes no more than there are.",
        remedy="Choose fewer.",
    )
