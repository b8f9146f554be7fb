"""The sentences of the mechanisms."""

from dpdesk.i18n import Text

_OTHER = "Choose another mechanism or other parameters for this variable."


class T:
    """Sentences of the mechanisms."""

    # What fits
    NEEDS_NUMBERS = Text("This mechanism needs numbers, not categories.", remedy=_OTHER)
    NEEDS_CATEGORIES = Text("This mechanism needs categories, not numbers.", remedy=_OTHER)
    NEEDS_ONE_ANSWER = Text(
        "This mechanism needs one category per answer, not several.", remedy=_OTHER
    )
    NEEDS_SEVERAL_ANSWERS = Text(
        "This mechanism needs a question with several answers.", remedy=_OTHER
    )
    NEEDS_TWO_CATEGORIES = Text("Warner’s design needs exactly two answers.", remedy=_OTHER)
    MANY_POINTS = Text("This mechanism serves a grid of at most {most} points.", remedy=_OTHER)
    MANY_CATEGORIES = Text("This mechanism serves at most {most} categories.", remedy=_OTHER)
    MANY_MEMBERS = Text("A report must hold fewer categories than there are.", remedy=_OTHER)
    MANY_OPTIONS = Text("It draws {drawn} options, and the question has {options}.", remedy=_OTHER)
    NO_MECHANISM = Text("There is no mechanism {name}.", remedy="Choose one of {known}.")
    NOT_FAKED = Text("Reports of {mechanism} cannot be faked.", remedy="Use GRR, SUE or OUE.")
    NOT_TOGETHER = Text(
        "Variables cannot be combined from reports of {mechanism} here.",
        remedy="Let every variable be reported (the strategy “split”).",
    )
    NUMBERS_REPORTED = Text(
        "Reports of {mechanism} are numbers, not categories.", remedy="Ask for means."
    )

    # The matrix of PRAM
    NO_MATRIX = Text(
        "A matrix is a list of rows, each a list of probabilities.",
        remedy="Give one row per true category and one column per reported category.",
    )
    MATRIX_ROWS = Text(
        "The matrix has {rows} rows.", remedy="Give 2 to {most} rows, one per category."
    )
    MATRIX_ROW = Text(
        "Row {row} of the matrix has {columns} probabilities, and there are {rows} rows.",
        remedy="Give as many probabilities in each row as there are rows.",
    )
    NO_PROBABILITY = Text(
        "Row {row}, column {column} of the matrix is not a probability.",
        remedy="Write one above 0 and below 1 exactly, for example 0.25 or 1/3.",
    )
    ZERO_PROBABILITY = Text(
        "Row {row}, column {column} of the matrix is 0, which no epsilon bounds.",
        remedy="Give every report some probability under every true category.",
    )
    ROW_SUM = Text(
        "Row {row} of the matrix sums to {sum}, not to 1.",
        remedy="Correct the row. A third can be written as 1/3.",
    )
    NO_INVERSE = Text(
        "The rows of the matrix are too alike to estimate shares from the reports.",
        remedy="Make the rows differ, so that none is a mixture of the others.",
    )
    MATRIX_EPSILON = Text(
        "The matrix has epsilon {epsilon}, outside {least} to {most}.",
        remedy="The nearer together the probabilities of a column, the lower epsilon.",
    )
    OTHER_EPSILON = Text(
        "The matrix has epsilon {epsilon}, not the one given.",
        remedy="Leave epsilon out: it follows from the matrix.",
    )
    MATRIX_SIZE = Text(
        "The matrix has {rows} rows for {categories} categories, missing and other ones included.",
        remedy=_OTHER,
    )

    # RAPPOR
    NO_RATIO = Text(
        "The ratio is an exact number, written as text.", remedy="Type a number, for example 2."
    )
    COHORTS = Text(
        "The number of cohorts is not a power of two.", remedy="Type 1, 2, 4, 8 and so on."
    )
    FEW_BITS = Text(
        "There are too few bits for two categories.",
        remedy="Use at least twice as many bits as hashes.",
    )
    RARE_FLIPS = Text(
        "The permanent step would change a bit too rarely to be drawn from 64 bits.",
        remedy="Lower epsilon or the ratio, or use more hashes.",
    )
    FILTERS_ALIKE = Text(
        "These Bloom filters do not distinguish all categories. Use more cohorts or bits.",
        remedy=_OTHER,
    )

    # What a released column holds
    COHORT = Text("cohort of the respondent, drawn evenly: it decides which bits a category has")
    FILTER_BIT = Text("bit {number} of the Bloom filter, 1 or 0, randomized")
    SEED = Text("seed {number} of the report’s hash, from 0 to 4294967295")
    BUCKET = Text("reported bucket, from 0 to {last}")
    TICKED = Text("randomized: 1 if “{option}” was ticked, else 0")
    TICKED_IF_DRAWN = Text(
        "randomized: 1 if “{option}” was ticked, else 0; "
        "empty if not among the {drawn} of {options} options drawn"
    )
    ROW_OF_BITS = Text("exactly {members} of its {columns} columns must hold 1")
    ROW_OF_OPTIONS = Text("exactly {drawn} of its {options} options must be filled")

    # How to estimate
    SYMBOL_SUPPORTS = Text("A report supports the category that it names.")
    BITS_SUPPORT = Text("A report supports the categories with 1 in their column.")
    HADAMARD_SUPPORTS = Text(
        "Number the categories r = 1, 2, 3 and so on. "
        "Report y supports r if y and r are both 1 in an even number of binary places."
    )
    HASH_SUPPORTS = Text(
        "Number the categories v = 0, 1, 2 and so on: "
        "h = (seed_a x v + seed_b) mod 2^32, divided by 2^{shift} and rounded down. "
        "A report supports v if floor(h x {buckets} / 2^{bits}) is its bucket."
    )
    SHARE_RULE = Text(
        "Share of a category = (s - q) / (p - q). "
        "s is the share of reports that support it{weighted}, p = {p} and q = {q}."
    )
    FAKED_SHARE_RULE = Text(
        "Share of a category = (d s - q - (d - 1) phi) / (p - q). "
        "s is the share of reports that support it{weighted}, d = {d}, p = {p} and q = {q}. "
        "phi = {phi} is the chance that a fake report supports it."
    )
    EXPECTED_SHARE = Text(
        "e is the number expected of the category, divided by the sum of all categories."
    )
    FILTER_RULE = Text(
        "Each category has {hashes} of the {bits} bits in each of the {cohorts} cohorts "
        "(help page on RAPPOR). "
        "For each cohort and bit t = (c - F N) / (1 - 2 F), with F = {flip}."
    )
    FILTER_SHARES = Text(
        "c of the N reports of a cohort have the bit, and n is the number of all reports{weighted}."
        " Shares = least squares of t times {cohorts} / n on a table of 0 and 1. "
        "It has a row for each cohort and bit, a column for each category, 1 for its bits."
    )
    MATRIX_RULE = Text(
        "Shares of all categories = the row of their reports’ shares{weighted}, "
        "times the inverse of the plan’s matrix. "
        "The matrix has a row for each true category and a column for each reported one."
    )
    OPTION_RULE = Text(
        "Share who ticked an option = (s - q) / (1 - 2 q). "
        "s is the share of 1 among the filled cells of its column{weighted}, and q = {q}. "
        "A respondent may tick several options, or none."
    )
    MEAN_RULE = Text("Mean = the average of the reports{weighted}.")
    BOUNDED_MEAN_RULE = Text(
        "Mean = the average of phi(report){weighted}. The grid points are x_1 to x_{size}."
    )
    LAPLACE_PHI = Text(
        "s_i = x_i times the sum over j of r^|i-j|, r = {r}; s = 0 beyond the ends. "
        "phi(x_i) = (c s_i - r (s_(i-1) + s_(i+1))) / (1 - r^2). c = 1 at the ends, else 1 + r^2."
    )
    STAIRCASE_PHI = Text(
        "n_i is the number of points nearer to x_i than g = {g} steps, and u = {u}. "
        "phi solves for every i: sum of phi + u times its sum over those points = "
        "x_i ({size} + u n_i)."
    )
    SQUARE_WAVE_RULE = Text(
        "Mean = c + (a - c) / s. "
        "a is the average of the reports{weighted}, c = {middle} and s = {slope}."
    )
    SQUARE_WAVE_LAW = Text(
        "Distribution: invert the law of the reports, or maximise their likelihood. "
        "A number at most {reach} steps away has probability p = {p}, each other of {numbers} "
        "q = {q}."
    )
    SHARE_ANSWERED_RULE = Text(
        "Share answered s = (P - h) / (P - Q). "
        "h is the share of empty cells{weighted}, P = {p} and Q = {q}."
    )
    MEAN_ANSWERED_RULE = Text(
        "Mean of those who answered: ((1 - h) m - (1 - s)(1 - P) k) / ((1 - Q) s). "
        "k = {middle} and the next rule gives m from the other cells."
    )
