"""The sentences of columns: what they seem to be, how they are joined, and formulas of them."""

from dpdesk.i18n import Text

_FORMULA = (
    "Join terms by +, for example age + C(region) + age:woman. "
    "Put names with signs between backticks."
)
_MODEL = "Write it as y ~ a + b."
_PLAN_FILE = "Open the plan’s own file, or correct the plan."
_EXCHANGE = "Exchange them, or type one code."


class ColumnTexts:
    """Sentences of columns."""

    # What a column seems to be
    EMPTY_COLUMN = Text("No domain can be suggested: there are no answers.")
    ONE_ANSWER = Text("No domain can be suggested: all answers are the same.")
    SAME_MINUTE = Text("No domain can be suggested: all dates lie within one minute.")
    CLOSE_NUMBERS = Text(
        "No domain can be suggested: the numbers differ too little for their size."
    )
    NAMES_PERSON = Text("The name of the column says that it identifies a person.")
    DESIGN_COLUMN = Text("The column describes the sampling design and is no answer.")
    RECORD_COLUMN = Text("The column describes the record and is no answer.")
    HOLDS_WEIGHTS = Text("The name or the label of the column says that it holds survey weights.")
    LIKE_WEIGHTS = Text(
        "The name or the label and the positive fractions look like survey weights."
    )
    NUMBERED = Text("{count} of {answers} answers differ. They look like respondent numbers.")
    FREE_TEXT = Text(
        "{count} of {answers} answers differ. They look like names, codes or free text."
    )
    LONG_TEXTS = Text("Some answers are longer than {most} characters. They look like free text.")
    DIFFERENT_ANSWERS = Text("{count} different answers occur.")
    NUMBERS_WITH_GAPS = Text("{count} different numbers occur, with gaps. They look like codes.")
    FEW_NUMBERS = Text("{count} different numbers occur. They look like a scale or classes.")
    CODES = Text("The answers look like codes, not amounts. {count} different ones occur.")
    MANY_CODES = Text(
        "{count} different codes occur in {answers} answers, too many for categories. "
        "Declare them, keep only their first digits, or leave the column out."
    )
    OTHER_TEXTS = Text(
        "The answers are numbers, with other texts: {count}. "
        "Declare as missing those that mean no answer, or choose categories."
    )
    MOSTLY_NUMBERS = Text(
        "But most are numbers. If they are amounts, declare their bounds, or what means no answer."
    )
    SEVERAL_ANSWERS = Text("A cell can hold several of {count} texts, with “{separator}” between.")
    SUSPECTED = Text("Other answers that look like codes of no answer: {count}.")
    SAMPLED = Text("Judged by a sample of {sample} of {rows} rows.")

    # Dates and numbers in texts
    DATES = Text("All {answers} answers are dates ({pattern}).")
    OTHERS_THAN_DATES = Text(
        "The answers are dates ({pattern}) but for {count} of {answers}. "
        "Declare as missing those that mean no answer, and correct the others."
    )
    DAY_OR_MONTH = Text("The answers are dates in which the day or the month may come first.")
    SHORT_YEARS = Text("The answers look like dates with years of two digits. Write four digits.")
    TIME_ZONES = Text("The answers look like times with a time zone. Write local times.")
    MONTH_NAMES = Text(
        "The answers look like dates with names of months. Write numbers, for example 2024-03-05."
    )
    NO_DATES = Text(
        "“{name}” holds no dates.",
        remedy="Choose another kind, or declare their form, for example "
        "1930-01..2010-12 as MM/YYYY.",
    )
    HINDERED_DATES = Text("“{name}” cannot be read as dates. {reason}")
    SINGLE_DATE = Text(
        "“{name}” holds fewer than two different dates.",
        remedy="Drop it, or declare its first and last date.",
    )
    UNITS = Text("The answers look like numbers with a unit beside them.")
    THOUSANDS_OR_DECIMALS = Text(
        "The answers look like numbers whose decimal mark may part thousands."
    )
    OTHER_MARKS = Text(
        "The answers look like numbers with grouped digits or another decimal mark than the file’s."
    )
    MINUS_SIGNS = Text(
        "The minus sign U+2212 is in {count} of {answers} answers. "
        "Write hyphens, or declare bounds that read both, for example {example}."
    )
    NUMBERS_UNLIKE = Text(
        "The numbers in {count} of {answers} answers are written in another way than the others. "
        "Check the decimal mark, or write all alike in the file."
    )

    # Columns as one question, rows as one person
    COLUMN_TWICE = Text("A column of “{name}” is listed twice.", remedy="List each column once.")
    OPTIONS_UNLIKE_COLUMNS = Text(
        "“{name}” does not have as many options as columns.",
        remedy="Name one option for each column.",
    )
    TICKED_AND_NOT = Text(
        "In “{name}”, the same cell means ticked and not ticked.",
        remedy="Declare different cells for the two.",
    )
    NONE_SAID_TWICE = Text(
        "“{name}” has a column for none of its options, so no tick means no answer.",
        remedy="Do not declare what no tick means.",
    )
    NONE_COLUMN = Text("{name} ({column}: none of them)")
    NEEDS_TICK = Text("{name} (without a tick: no answer)")
    NO_COLUMN_OF_QUESTION = Text(
        "{file} has no column “{name}”, which the question “{question}” needs.", remedy=_PLAN_FILE
    )
    QUESTION_NAME_TAKEN = Text(
        "{file} has a column “{name}” beside the question of this name.",
        remedy="Give the question another name.",
    )
    NO_COLUMN_OF_ROWS = Text(
        "{file} has no column “{name}”, by which rows are joined.", remedy=_PLAN_FILE
    )
    MORE_ROWS = Text("People with more rows than the {most} that count: {count} of {people}.")
    ROWS_JOINED = Text("up to {most} rows of each {by} as one")
    ROWS_JOINED_BUT = Text("up to {most} rows of each {by} as one, {names} once")
    FIRST_ROWS_JOINED = Text(
        "The first {most} rows of each respondent, by the column “{by}”, are joined into one."
    )
    BAD_JOINED_ROWS = Text(
        "“{text}” does not name a person’s column and 2 to {most} rows.",
        remedy="Write, for example, person_id=3:sex,born.",
    )

    # Codes of no answer
    OPEN_RANGE = Text("A range of codes needs an end.", remedy="Type a number.")
    BACKWARDS = Text(
        "The first number of a range of codes must be below the last.", remedy=_EXCHANGE
    )
    BACKWARDS_LETTERS = Text(
        "A range of Stata’s codes goes from a letter to a later one.",
        remedy="Type, for example, “.a to .z”.",
    )
    UNCLOSED_CODE = Text(
        "A quotation mark is not closed.",
        remedy='Put each code that holds {mark} = or " in quotation marks, and double those in it.',
    )
    CODE_TWICE = Text("A code is listed twice.", remedy="List each code once.")
    NO_SINGLE_CODE = Text(
        "“{code}” is a range or has a label. "
        "For all columns, only single codes can mean no answer.",
        remedy="{where} If the file has this very text, put it in quotation marks.",
    )

    # Formulas
    LONG_FORMULA = Text("The formula is longer than {most} characters.", remedy="Remove terms.")
    NO_MODEL = Text("A regression has one outcome, a tilde and terms.", remedy=_MODEL)
    BOTH_SIDES = Text(
        "“{name}” is on both sides of the formula.", remedy="Remove it from the right side."
    )
    BAD_FORMULA = Text(
        "The formula cannot be read at character {position}: {reason}.", remedy=_FORMULA
    )
    INCOMPLETE = Text("something is missing")
    UNKNOWN_COLUMN = Text("{piece} is not a column")
    UNEXPECTED = Text("{piece} cannot be here")
    NO_TERM = Text("there is no term, not even the intercept")
    NO_COLUMN_IN_C = Text("C() needs the name of one column")
    OPEN_PARENTHESIS = Text("the parenthesis of character {position} is not closed")
    ZERO_FACTOR = Text("0 cannot be multiplied")
    MANY_TERMS = Text("there are more than {most} terms")
    EMPTY_FORMULA = Text(
        "The formula leaves no term on these columns.",
        remedy="Add a term, or remove the 0 that drops the intercept.",
    )
    WIDE_FORMULA = Text(
        "The formula makes {columns} columns for {rows} respondents, which is too many.",
        remedy="Remove interactions. At most {most} columns can be used.",
    )
    NOBODY_COMPLETE = Text(
        "No respondent has answers in all columns of the formula.",
        remedy="Remove a column from the formula.",
    )
    TEXTS_AMONG_NUMBERS = Text(
        "The column “{name}” has texts among its numbers.",
        remedy="Empty these cells, or remove the column from the formula.",
    )
    MANY_CATEGORIES = Text(
        "The column “{name}” has too many different texts to be categories.",
        remedy="Remove it from the formula, or group its texts.",
    )
