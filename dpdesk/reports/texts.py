"""The sentences of the reports of releases."""

from dpdesk.i18n import Text


class T:
    """Sentences that the reports of several kinds of release share, and those of records."""

    # Guarantee
    GUARANTEE = Text(
        "Each respondent ({unit}) is protected in the local model with ε = {epsilon} and δ = "
        "{delta}."
    )
    RATIO = Text("It is at most {ratio} times (e^ε) as likely with one set of answers as another.")
    LOSS_OF_ONE_ANSWER = Text("For sets that differ in one answer, ε = {epsilon} holds.")
    PROTECTED = Text("Protected: {names}.")
    UNPROTECTED = Text("Released unprotected: {names}.")
    WHO_ANSWERED_PUBLIC = Text("Public: who answered {names}.")
    RAN_BY_CURATOR = Text("The curator held the true answers and randomized them.")
    SEEN_BY_CURATOR = Text("The curator, and anyone with the original file, can see true answers.")
    READERS_UNSURE = Text("Readers of the release cannot be sure which protected answers are true.")

    # What is not protected
    AS_SURVEYED = Text("Released unprotected: {names}. Answers that depend on them can be guessed.")
    RECODED = Text("Released unprotected, recoded: {name} {words}.")
    RECODED_FROM = Text("Released unprotected, recoded: {name} {words}; {origin}.")
    BLANK_CELLS = Text("An empty cell shows who did not answer {names}.")
    RECORDS_PUBLIC = Text("The number of records is public.")
    PARTICIPATION = Text("That someone took part is not hidden, only the answers are.")
    PLAN_PUBLIC = Text("The plan is public, with its variables, domains and mechanisms.")
    DRAWN_PUBLIC = Text("Which variable a respondent reports is public. It was drawn at random.")
    POPULATION = Text("What a survey shows about people applies also to those not in it.")

    # Budget
    SPENDS = Text("This release spends ε = {epsilon} per respondent.")
    SPENDS_RECORD = Text("That is the loss of the whole record; the papers state a smaller one.")
    NO_LIMIT = Text("The plan sets no limit.")
    LIMIT = Text("The plan allows {limit}; {left} remains.")
    NO_POPULATION = Text("No population was declared, so earlier releases are not listed here.")
    LEDGER = Text("The curator’s ledger counts releases of “{population}” since {date}.")
    MODEL_TOTAL = Text(
        "{model} model: {count} earlier release, total ε = {total}.",
        "{model} model: {count} earlier releases, total ε = {total}.",
    )
    TOGETHER = Text("Together: ε = {total}.")
    NO_CAP = Text("No cap is set.")
    CAP = Text("All releases may spend ε = {cap}; {left} remains.")
    UNNAMED_RELEASES = Text("Releases that did not name this population are not listed.")

    # Risk
    ODDS_OF_ANSWER = Text(
        "An answer shown in {often} of 100 draws when true is shown in about {seldom} or more when "
        "false."
    )
    ODDS_OF_RECORD = Text(
        "A result in {often} of 100 draws with some answers comes in about {seldom} or more with "
        "others."
    )
    ODDS_OF_MEMBER = Text(
        "A result in {often} of 100 draws with a person comes in about {seldom} or more without."
    )
    NO_DOUBT = Text("A release can almost rule out all answers but one.")
    BELIEF = Text("At worst, a 50–50 guess becomes {belief} certain.")
    BEYOND_DELTA = Text(
        "With probability up to 1.6 δ (δ = {delta}), odds can move over e times as far."
    )

    # Strategy
    LOSS_ALONE = Text("One variable is protected; its loss is that of the whole record.")
    LOSS_SUM = Text("Variables are randomized separately; the losses of a record add up exactly.")
    LOSS_LARGEST = Text(
        "The variable is drawn independently of answers: the largest ε bounds a record."
    )
    LOSS_AVERAGED = Text("The real variable is drawn at random: the largest ε bounds a record.")
    LOSS_OF_UNEQUAL = Text("With unequal epsilons it is less: the exact loss is rounded up.")
    LOSS_OF_ROWS = Text("A respondent has up to {rows} records and loses {rows} times as much.")
    RECORD_OF_ONE = Text("A record holds a noisy answer to the one protected variable.")
    RECORD_OF_ALL = Text("A record holds a noisy answer to every variable.")
    RECORD_OF_DRAWN = Text("A record names one of {count} variables, with a noisy answer to it.")
    RECORD_OF_FAKES = Text(
        "Of {count} variables a record has one real noisy answer; the others are fake."
    )
    FAKES_EXPECTED = Text("Fakes follow the declared distribution; their bits are randomized too.")
    FAKES_RANDOM = Text("Fakes are equally likely categories; their bits are randomized too.")
    FAKES_ZERO = Text(
        "Fakes are equally likely categories; fake bits are drawn as if none was true."
    )
    NOMINAL = Text("The papers call this ε = {nominal}; a whole record is bounded by ε = {total}.")
    NOMINAL_OF_ONE = Text("Two records that differ in one variable are bounded by ε = {one}.")

    # The page for respondents
    ANSWERED_BY = Text(
        "{count} respondent answered this survey.", "{count} respondents answered this survey."
    )
    ROWS_OF_EACH = Text("This survey has {rows} rows, up to {most} of each respondent.")
    HOLDS_RANDOMIZED = Text(
        "The release holds randomized answers to one question: {names}.",
        "The release holds randomized answers to {count} questions: {names}.",
    )
    HOLDS_EXACT = Text("It also holds unprotected answers, exactly as given: {names}.")
    HOLDS_RECODED = Text("It also holds unprotected answers, recoded: {names}.")
    HOLDS_WEIGHTS = Text("It also holds each respondent’s survey weight, unprotected: {names}.")
    EACH_RANDOMIZED = Text("Chance kept each answer or replaced it with another.")
    DRAWN_RANDOMIZED = Text("One of {count} answers was drawn. Chance kept or replaced it.")
    OTHERS_EMPTY = Text("The other answers are left out.")
    OTHERS_FAKE = Text("The other answers are made up; the file does not say which.")
    BEFORE_RELEASE = Text("This was done on the curator’s computer, before the release.")
    AS_WELL = Text("Randomized as well; the parameters below say how.")
    WORST = Text(
        "Protection: {strength}. Someone who finds your row, unsure between two guesses at your "
        "answers, can become {belief} sure of one."
    )
    WORST_RATIO = Text("Your row is at most {ratio} times as likely under one guess as another.")
    WORST_OF_ROWS = Text(
        "Protection: {strength}. Someone who finds your rows, unsure between two guesses at your "
        "answers, can become {belief} sure of one."
    )
    WORST_RATIO_OF_ROWS = Text(
        "Your rows are at most {ratio} times as likely under one guess as another."
    )
    WORST_OF_ONE = Text("One answer: {strength} protection. A reader can become {belief} sure.")
    HOUSEHOLD = Text(
        "A household of {members} with similar answers loses {members} times as much: a guess at "
        "all becomes {belief} certain."
    )
    EARLIER = Text(
        "The same people were in {count} earlier release.",
        "The same people were in {count} earlier releases.",
    )
    EARLIER_WORST = Text("With all releases, a 50–50 guess becomes {belief} certain.")
    RARE_EXCEPTIONS = Text("Rare exceptions are bounded by δ = {delta}.")
    MORE_RELEASES = Text("Other releases of the same answers weaken this protection.")
    CERTAINTY = Text("Certainty. Other answers of yours could give the same row.")
    CERTAINTY_IF_ANSWERED = Text("Certainty. If you answered, any answer could give that row.")
    UNLESS_KEPT = Text("This does not hold for answers revealed by {names}.")
    WHICH_TRUE = Text("Which answers are true. Readers cannot be sure that an answer is yours.")
    WHETHER_ANSWERED = Text("Whether you answered {names}. Not answering was randomized too.")
    WHETHER_ASKED = Text("Whether you were asked {names}. Not being asked was randomized too.")
    ONLY_WHERE = Text("“{name}” (only where {condition})")
    YOUR_ANSWERS = Text("Your answers to {names}, and what can be guessed from them.")
    WHO_YOU_ARE = Text("Who you are, to someone who knows these answers: {counts}.")
    YOUR_WEIGHT = Text("Your survey weight ({names}), and what can be guessed from it.")
    YOUR_BLANKS = Text("Whether you answered {names}. An empty cell shows that you did not.")
    TOOK_PART = Text("That you took part, and the number of respondents ({rows}).")
    TOOK_PART_OF_ROWS = Text("That you took part, and the number of rows ({rows}).")
    WHICH_DRAWN = Text("Which question was drawn for you; your answers did not influence it.")
    LIKE_YOU = Text("What is true of people like you, whether or not you took part.")
    CURATOR_KNOWS = Text("Your true answers, from the curator, who held them.")
    SHARES_WITHIN = Text("Largest margins of error (95%) of questions: {least} to {most} points.")
    ALL_SHARES_WITHIN = Text("Largest margin of error (95%) of a question: {most} points.")
    MEANS_WITHIN = Text("Margins of error (95%) of means: {names}.")
    USEFUL = Text("{useful} of {all} estimates are useful. Questions: {counts}.")
    DID_NOT_ANSWER = Text("{share} did not answer")
    HAVE_NO_ANSWER = Text("{share} have no answer")

    # Parameters
    ERROR_OF_MEAN = Text("Of the released estimate.")
    LARGEST_ERROR = Text("Of the released estimate.", "The largest of {count} released estimates.")
    ERROR_SUPPOSES = Text("Supposes that {missing}.")
    OUTSIDE_OTHER = Text("They count as “{name}”.")
    OUTSIDE_MISSING = Text("They count as missing and become “{name}”.")
    OUTSIDE_STOPS = Text("None are expected: one would have stopped the release.")
    NUMBERS_MOVED = Text("Numbers are moved to the nearest bound or grid point first.")
    DATES_MOVED = Text("Dates are moved to the nearest end or step first.")
    NO_NUMBER_MISSING = Text("Anything but a number counts as missing.")
    NO_DATE_MISSING = Text("Anything but a date counts as missing.")
    CATEGORIES = Text("{count} category", "{count} categories")
    OPTIONS = Text("any of one option, or none", "any of {count} options, or none")
    ON_GRID = Text("{lower} to {upper} in steps of {step}")
    NOT_CONFIRMED = Text("{source}; not confirmed as public knowledge.")
    CONFIRMED = Text("{source}; confirmed as public knowledge.")
    CONFIRMED_BY = Text("{source}; confirmed as public knowledge by {name}.")
    ERROR_UNKNOWN = Text(
        "The error of this analysis could not be computed ({kind}).",
        remedy="Estimate from the released records.",
    )

    # Results
    UNBIASED = Text("Estimates are unbiased: shares can be negative, and means beyond the bounds.")
    MOVED_BESIDE = Text("The possible value is shown beside such an estimate.")
    WEIGHTED = Text("Estimates are weighted by {name}; so are their errors (Taylor linearisation).")
    POSSIBLE_BIASED = Text("Possible estimates are biased. Use unbiased ones for sums and tests.")
    OF_DRAWN = Text("Each variable is estimated from respondents drawn for it, with added noise.")
    FAKES_TAKEN_OUT = Text("Real and fake answers are counted together, less the expected fakes.")
    UNIDENTIFIED = Text("For {names}, the total error is known; that of noise is an upper bound.")
    MEANS_OF_ANSWERED = Text("Means of {names} are of respondents who answered; others may differ.")
    ROUTED = Text("Not everyone was asked {names}; “no answer” includes people who were not asked.")
    RATIO_OF_ASKED = Text("The share answered among those asked {names} is a ratio of estimates.")
    UNASKED_ANSWERED = Text("Its error allows for answers from {most} of those not asked.")
    UNASKED_ANSWERED_BY_WEIGHT = Text(
        "Its error allows for answers from {most} of those not asked, by weight."
    )
    APART_ASKED = Text("Both come from different respondents, so their errors are independent.")
    EACH_UNASKED_ADDS = Text("If half were asked, each 1 % of others adds 1 pp; if a tenth, 9 pp.")
    SHARES_AMONG_ANSWERED = Text("Shares of {names} are of all, then of respondents who answered.")
    ESTIMATES_OF_ANSWERED = Text("Estimates of {names} are of respondents who answered alone.")
    LARGEST_LISTED = Text("The {most} largest categories are listed; they tend to be too large.")

    # How to estimate from the records
    RULE_OF_FILLED = Text("Use only records that are not empty in {name}.")
    RULE_OF_DRAWN = Text("Use only records with {name} in {sampled}.")
    WEIGHTED_BY = Text("(weighted by {name})")
    WEIGHTED_ERROR = Text(
        "Squared error = sum w^2 (r - m)^2 / (sum w)^2. w is {name}, r the estimate of one record, "
        "m that of all."
    )
    WEIGHTED_ERROR_AT_ENDS = Text("estimates.csv gives this error at possible shares, from 0 to 1.")
    WEIGHTED_ERROR_AT_LEAST = Text(
        "In estimates.csv it is at least the noise of every mean that the estimate allows."
    )
    SHARE_OF_ANSWERED = Text("Share among those who answered = share / (1 - share of “{name}”).")
    DRAWN_ONCE = Text("Estimates can be repeated from the release; records cannot be drawn again.")

    # Implementation
    READ_AS = Text("The file was read as declared: {words}.")
    STOPS_AT_ANY = Text("A release stops at the first answer outside a domain.")
    STOPS_AT = Text("A release stops if over {share} of a column, and over one answer, do not fit.")
    RANDOM_SOURCE = Text("The source is the {name}, a cryptographic generator without a seed.")
    INTEGER_LAW = Text(
        "Probabilities are integers over 2^64. Their largest log ratio, rounded up, is the epsilon "
        "run; their SHA-256 is the fingerprint."
    )
    TUNING_UNKNOWN = Text("dpdesk does not know which alternatives were tried, or why.")
    NO_PDF_OF_TAG = Text(
        "The page cannot become a PDF: it has an unexpected <{tag}>.",
        remedy="Make the page again with this version of dpdesk.",
    )
    NO_PDF = Text("The page cannot become a PDF: {reason}.", remedy="Print report.html instead.")

    # Registry
    PURE_LOCAL = Text("pure local differential privacy")
    PURE_CENTRAL = Text("pure central differential privacy")
    APPROXIMATE_CENTRAL = Text("approximate central differential privacy")
    QUERIES_ADD_UP = Text("The losses of the queries add up; report.json gives the reasons.")
    NOISY_INTERVALS = Text("Intervals are computed from the noisy results.")
    PART = Text("{what}", "{what}, {count} times")

    # Codebook and scripts
    APOSTROPHE = Text("In CSV files an apostrophe precedes text that a spreadsheet could run.")
    KEPT_VALUES = Text("unprotected, as in the survey")
    NOTHING_TICKED = Text("no option was ticked")
    NO_ANSWER = Text("No answer.")
    NAMED_IN = Text("In {file}: {name}.")
    RECODED_VALUES = Text("unprotected, recoded: {words}; empty for no answer")
    RECODED_VALUES_FROM = Text("unprotected, recoded: {words}; empty for no answer; {origin}")
    MEANS = Text("means {names}")
    DRAWN_VARIABLE = Text("Variable that the respondent reports")
    DRAWN_FOR = Text("the respondent reports {name}, drawn at random")
    EMPTY_UNLESS = Text("Empty unless {sampled} names {name}.")
    EMPTY_CELL = Text("empty: the respondent did not answer; unprotected")
    BIT_SET = Text("the bit of this category is set: {label}")
    BIT_UNSET = Text("the bit of this category is not set: {label}")
    BIT_LOW = Text("the bit is low")
    BIT_HIGH = Text("the bit is high")
    BIT_LOW_IN = Text("the bit is low, in {unit}")
    BIT_HIGH_IN = Text("the bit is high, in {unit}")
    PART_OR_EMPTY = Text("{meaning}; all cells of {name} empty: no answer, unprotected")
    ONE_OF = Text("one number from {ends}", "one of {count} numbers from {ends}")
    ONE_OR_EMPTY = Text(
        "one number from {ends}; empty if there is none",
        "one of {count} numbers from {ends}; empty if there is none",
    )
    TOO_MANY_CATEGORIES = Text("{name} has too many categories for a script ({count}).")
    TOO_MANY_NUMBERS = Text("{name} needs too many numbers for a script ({count}).")
    SCRIPT_AMONG = Text("Shares of {name} among those who answered are in estimates.csv.")
    SCRIPT_WEIGHTED = Text("Respondents are weighted by {name}; errors treat them as independent.")

    # Releases of a trusted file
    CENTRAL = Text("Each respondent ({unit}) is protected in the central model with ε = {epsilon}.")
    CENTRAL_DELTA = Text(
        "Each respondent ({unit}) is protected in the central model with ε = {epsilon} and δ = "
        "{delta}."
    )
    RATIO_OF_TABLES = Text("It is at most {ratio} times (e^ε) as likely with one table as another.")
    RATIO_OF_TABLES_DELTA = Text(
        "Except with probability δ, it is at most {ratio} times (e^ε) as likely with one table as "
        "another."
    )
    NEIGHBOURS = Text("The tables differ by this change: {relation}.")
    ROWS_PUBLIC = Text("The number of rows ({rows}) is public.")
    OPENDP_RANDOM = Text("OpenDP draws from the operating system’s generator; there is no seed.")
    ROWS_PROTECTED = Text("The curator holds the answers of a survey; their number is protected.")
    ROWS_IN_FILE = Text("The curator holds {rows} rows of a survey, one for each respondent.")
    STATISTICS_CERTAINTY = Text("Certainty. Other answers of yours could give the same release.")
    WORST_OF_ANSWERS = Text(
        "Protection: {strength}. Someone unsure between two guesses at your answers can become "
        "{belief} sure of one."
    )
    WORST_OF_MEMBER = Text(
        "Protection: {strength}. Someone unsure whether you took part can become {belief} sure."
    )
    WORST_OF_KNOWN_MEMBER = Text(
        "Someone who knows that you are in it can become {belief} sure of one of two guesses."
    )
    HOUSEHOLD_IN_FILE = Text(
        "A household of {members} loses {members} times as much: a guess whether all are in the "
        "file becomes {belief} certain."
    )

    # Statistics
    STATISTICS_COMPUTED = Text("The curator held the true answers and added noise to statistics.")
    STATISTICS_UNSURE = Text("Readers cannot be sure how far noise moved a statistic.")
    STAIRCASE_RANDOM = Text("dpdesk draws staircase noise from the same source.")
    QUERIES_PUBLIC = Text("The queries, the declared domains and the groups are public.")
    WEIGHTS_UNUSED = Text("Weights ({names}) were not used: results are of respondents alone.")
    STATISTICS_RELEASED = Text("Number of released statistics: {count}. Nothing else is released.")
    STATISTICS_DONE = Text("Statistics were computed from true answers; chance then moved them:")
    MORE = Text("{count} more")
    SEE_RESULTS = Text("Likewise; see the results.")
    NO_ROW_RELEASED = Text("Your answers themselves. No row of the file is released.")
    RESULTS_OF_ALL = Text("Numbers about everyone, with intervals for what chance may have moved.")
    CHOSEN = Text("The result was chosen by chance; better ones were more likely.")
    NOISE_WITHIN = Text("Noise was added. In {cases} of 100 cases it stays within {amounts}.")

    # Synthetic rows
    TABLES_COUNTED = Text("The curator held the true answers and added noise to counted tables.")
    TABLES_UNSURE = Text("Readers cannot be sure which answers and counts are true.")
    RECORDS_RANDOM = Text("dpdesk draws the synthetic records from the same source.")
    TABLES_PUBLIC = Text("The plan is public, and so is which tables were measured.")
    TABLES_WORTH = Text("{verdict}: {names}.")
    TABLES_UNKNOWN = Text(
        "Unknown: {count} table of two variables, which was not measured.",
        "Unknown: {count} tables of two variables, which were not measured.",
    )
    SHARES_PART = Text("the shares of all variables")
    CHOICE_PART = Text("which table of two variables to measure next")
    COUNTS_PART = Text("the counts of that table")
    PARTS_ADD_UP = Text("The losses of the parts add up to at most ε = {epsilon}.")
    RHOS_ADD_UP = Text("The rhos of the parts add up to {rho}, which keeps ε = {epsilon} and δ.")
    FITTING_FREE = Text("Fitting and drawing records from the noisy tables costs nothing more.")
    NO_ONES = Text("Synthetic records belong to no one; one can equal a respondent’s by chance.")
    ONE_ROW = Text("1 row")
    USE_FOR = Text("Use them to test programs, to teach, and for the tables that were measured.")
    NOT_A_SAMPLE = Text("They are not a sample: errors computed from them are too small.")
    NOT_IMPLIED = Text("Relations of three or more variables follow only from the measured tables.")
    SHARES_OF_ANSWERS = Text("how often each answer was given")
    COUNTED = Text("Counted for each question; noise was added to every count.")
    TABLES_OF_TWO = Text("{count} table of two questions", "{count} tables of two questions")
    PICKED = Text("Chosen by chance, the most telling likeliest; noise was added to every count.")
    MADE_UP = Text(
        "{count} noisy table was counted, and {rows} synthetic records were made up to fit it. "
        "They belong to no one.",
        "{count} noisy tables were counted, and {rows} synthetic records were made up to fit them. "
        "They belong to no one.",
    )
    COUNTS_ONLY = Text("Only counts were used. Chance moved them, on the curator’s computer:")
    NO_ROW_YOURS = Text("Your row. No released record is yours, even if it has your answers.")
    PAIRS_SHOWN = Text(
        "They show roughly how often answers were given, alone and in measured pairs."
    )
