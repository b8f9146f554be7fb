"""The sentences of `dpdesk survey`."""

from dpdesk.i18n import Text

_LEAVE_OUT = "Leave it out."


class T:
    """Sentences and labels of surveys on the command line."""

    # Labels of estimates
    PARAMETERS = Text("parameters")
    ESTIMATE = Text("estimate")
    ESTIMATES = Text("Estimates")
    TRAIT_SHARE = Text("share of people with the trait")
    MEAN = Text("mean of the true answers")
    SPREAD = Text("standard deviation of the true answers")
    ERROR = Text("standard error")
    ERROR_AT_MOST = Text("standard error at most, from sums of answers")
    INTERVAL = Text("{level} interval")
    INTERVAL_AT_MOST = Text("{level} interval at the widest")
    CONSERVATIVE = Text("conservative interval (Clopper and Pearson)")
    RANGE = Text("{low} to {high}")
    IN_RANGE = Text("estimate in the possible range")
    ALSO = Text("Also estimated")
    SHARES = Text("Shares")
    ANSWER = Text("answer")
    GROUP = Text("group")
    GROUPS = Text("Groups")
    IN_GROUP = Text("Group {name}")
    GROUPS_DIFFER = Text("difference of groups")
    RESPONDENTS = Text("respondents")
    SAMPLE = Text("sample")
    CONTRAST = Text("The device and direct questions")
    WITH_DEVICE = Text("Asked with the device")
    DIRECTLY = Text("Asked directly")
    DIFFERENCE = Text("Device less direct")
    P_VALUE = Text("p-value")
    REGRESSION = Text("Logistic regression")
    COMPLETE = Text("complete respondents")
    ERRORS_BY = Text("standard errors by")
    FREEDOM = Text("degrees of freedom")
    TERMS = Text("Coefficients")
    TERM = Text("term")
    COEFFICIENT = Text("coefficient")
    ODDS_RATIO = Text("odds ratio")
    BEYOND_NUMBERS = Text("above any number")
    TESTS = Text("All coefficients of a term together")
    TEST = Text("test")
    NO_TEST = Text("no test")
    PREDICTED = Text("Predicted shares if all respondents were of one group of {name}")
    DEVICE = Text("device")
    FAIRNESS = Text("fairness")
    NAME = Text("name")
    DESCRIPTION = Text("title")
    CHANCES = Text("chances")
    SOURCE = Text("source")
    ANY = Text("any")

    # Sentences on estimates
    LEFT_OUT = Text(
        "{count} respondent without an answer was excluded.",
        "{count} respondents without an answer were excluded.",
    )
    ASKED_DIRECTLY = Text(
        "{count} respondent was asked directly.", "{count} respondents were asked directly."
    )
    NO_GROUP_TEST = Text("The errors allow no test of as many groups.")
    NO_TRUTH = Text("No true answers bring such ones about")
    ANY_SHARE = Text("0 to 100 %")
    MISFIT = Text(
        "The whole {interval} lies outside {possible}. {why}.",
        remedy="Check the parameters, which answers count, and whether respondents followed the "
        "instruction.",
    )
    ADHERENCE = Text("Adherence: {quantity} {value}, expected {expected} ({law}, {p}).")
    T_TEST = Text("t = {statistic}, {degrees}")
    LOSS = Text(
        "ε = {epsilon}: an answer is at most {factor} times as likely from one group as another."
    )
    INFINITE_LOSS = Text("ε is infinite: an answer can prove something.")
    CAN_RULE_OUT = Text("ε is infinite: an answer can rule out true answers.")
    QUOTED = Text("“{answer}”")
    QUOTED_IN_GROUP = Text("“{answer}” ({group})")
    PROVES = Text("{answer} proves: not {kind}.")
    POINTS_TO = Text("{answer} is up to {factor} times as likely from: {kind}.")

    # Simulations
    SIMULATION = Text(
        "Simulation, not data (seed {seed}): {count} survey",
        "Simulation, not data (seed {seed}): {count} surveys",
    )
    THEORY = Text("Theory, not data: all outcomes of such a survey with their probabilities")
    TRUE_SHARE = Text("true share")
    TRUE_MEAN = Text("true mean")
    MEAN_ESTIMATE = Text("mean estimate")
    PLANNED_BIAS = Text("bias by theory")
    DEVIATION = Text("standard deviation")
    BY_THEORY = Text("standard deviation by theory")
    COVERED = Text("intervals with the true share")
    COVERED_BY = Text("{level} intervals with the true value")
    COVERED_AT_MOST = Text("widest {level} intervals with the true value")
    NEGATIVE = Text("negative estimates")
    OUTSIDE = Text("estimates outside the bounds")
    RULES_OUT = Text("ε is infinite: answer {answer} rules out {others}.")

    # Labels of plans
    MARGIN = Text("margin of error")
    MARGIN_FROM_SUMS = Text("margin of error at most, if only sums of answers are kept")
    MARGINS = Text("Margins of error")
    UNSTRATIFIED = Text("margin of error without strata")
    DESIGN_EFFECT = Text("respondents as a multiple of direct questions")
    EFFECTIVE = Text("direct, truthful answers of the same accuracy")
    POWER = Text("power")
    EPSILON = Text("epsilon")
    EPSILON_FOR_MARGIN = Text("least epsilon for the margin of error")
    EPSILON_FOR_BELIEF = Text("largest epsilon under the belief limit")
    EPSILON_FOR_BELIEF_IN = Text("largest epsilon under the limit of belief in answer {answer}")
    EPSILON_FOR_ODDS = Text("largest epsilon under the odds limit")
    EXPECTED_TRAIT = Text("expected share of people with the trait")
    EXPECTED_LOOKED_AT = Text("expected share of the answer planned for")
    EXPECTED_MEAN = Text("expected mean")
    POPULATION_SHARE = Text("share of the population")
    DESIGN = Text("design")
    NOTE = Text("note")
    STRATA = Text("Strata")
    STRATUM = Text("stratum")
    QUESTIONS = Text("Questions")
    QUESTION = Text("question")
    LOOKED_AT = Text("answer planned for")
    LOWEST_BELIEF = Text("lowest belief in the trait after an answer")
    HIGHEST_BELIEF = Text("highest belief in the trait after an answer")
    BEATS_DIRECT = Text("respondents needed to err less than direct questions")
    NEVER = Text("impossible, even with the whole population")
    INFINITE = Text("infinite")
    NEEDS = Text("each respondent needs")
    DEVICES = Text("Devices")
    EXACT_PARAMETERS = Text("exact parameters")
    NEXT_CHANCES = Text("the same, next chances")
    TAKE_DEVICE = Text("Choose a device with --device NAME.")
    MORE_DEVICES = Text("--json shows {count} more device.", "--json shows {count} more devices.")
    NO_DEVICE = Text("No device: {why}")
    EXCEEDS = Text("The device has a larger epsilon than requested.")

    # Sheets
    WROTE = Text("Wrote {file}")
    SETTING = Text("{design}, {setting}: epsilon {epsilon}")
    NO_SMALLER = Text("This exceeds the epsilon {asked}: the device has no smaller one.")
    NEXT = Text("The next chances, {setting}, have epsilon {epsilon}.")
    TAKEN_AS_TYPED = Text(
        "{name} = {typed} is not rounded to {near}. For the fraction, write {name}={near}."
    )
    PROPOSED = Text("{blank}; proposed: {proposal}")
    TO_FILL_IN = Text("{blank}; to be filled in")
    UNLESS_PDF = Text("unless {option} names a file that ends in .pdf")

    # The design and its parameters
    NOT_ONE_TRAIT = Text(
        "This design is not for one sensitive trait.",
        remedy="Use dpdesk survey estimate, or choose another design.",
    )
    NO_PARAMETER = Text(
        "“{setting}” sets no parameter of this design.",
        remedy="Its parameters are {known}. Write, for example, --set p=3/4.",
    )
    NONE = Text("none")
    PARAMETER_TWICE = Text("The parameter {name} is given twice.", remedy="Leave one out.")
    MISSING_PARAMETERS = Text(
        "The design lacks {names}.",
        remedy="Add {settings} as respondents were instructed: the sheet names the chances.",
    )
    IN_PARAMETER = Text("{name}: {problem}")
    OTHER_CHANCES = Text(
        "The device {device} has no chances for {setting}.",
        remedy="Its nearest parameters are {near}.",
    )
    ANY_DEVICE = Text("The device of the respondents is missing.", remedy="Add --device die.")
    NO_DESIGN = Text("The design is missing.", remedy="Add --design NAME, or {other}.")
    CHANCES_AND_DESIGN = Text(
        "Chances of each respondent replace the design.",
        remedy="Leave out --design, or --a and --b.",
    )
    DESIGN_FOR_YES_NO = Text(
        "This design is for questions answered with yes or no.",
        remedy="Add --prevalence instead of --shares or --mean, or choose another design.",
    )
    NOT_BY_EPSILON = Text(
        "An epsilon does not decide the parameters of this design.", remedy="Leave out --epsilon."
    )
    NO_SMALL_DEVICE = Text(
        "No available device has chances below every part of the budget.",
        remedy="Choose a larger budget, fewer questions, or --device {screen}.",
    )
    TOO_MANY_TEXTS = Text(
        "This design takes {most} of {option}, not {given}.", remedy="Leave some out."
    )

    # Words of estimates
    NO_COUNTS = Text(
        "There is nothing to estimate from.",
        remedy="Add {counted}, or a file with --answer COLUMN.",
    )
    BAD_NUMBERS = Text(
        "The numbers of respondents are not whole numbers.",
        remedy="Write one for each answer with commas, for example 120,45,30.",
    )
    NO_COLUMN = Text("The column of the answers is missing.", remedy="Add --answer COLUMN.")
    FOR_A_TRAIT = Text("{option} is for designs of one sensitive trait.", remedy=_LEAVE_OUT)
    BAD_DIRECT = Text("--direct names no column with a text.", remedy="Write --direct COLUMN=TEXT.")

    # Words of plans and simulations
    FOR_YES_NO = Text("{option} is for questions answered with yes or no.", remedy=_LEAVE_OUT)
    NO_SHARE = Text(
        "The share of people with the trait is missing.",
        remedy="Add --prevalence PI, or --shares or --mean for other questions.",
    )
    TOO_MANY_OUTCOMES = Text(
        "This survey has too many outcomes to enumerate.",
        remedy="Leave out --exact: it takes one group and sums of answers to {most}.",
    )
    NO_SHARES = Text("The supposed shares are missing.", remedy="Add --shares 0.6,0.3,0.1.")
    BAD_SHARES = Text(
        "The supposed shares are not numbers.", remedy="Write, for example, --shares 0.6,0.3,0.1."
    )
    NO_ANSWER = Text(
        "There is no answer {answer}.", remedy="Give --look a number from 1 to {last}."
    )
    NO_SUPPOSED_MEAN = Text(
        "The supposed mean or standard deviation is missing.",
        remedy="Add --mean M and --deviation SD.",
    )
    NOTHING_TO_FIND = Text(
        "There is nothing to find with these numbers.",
        remedy="Add --margin, --respondents, --against, --denial, --belief, --odds, --stratum or "
        "--question.",
    )
    MEMO_OF_QUESTIONS = Text(
        "A memo describes one design, not several questions.",
        remedy="Leave out --memo, or write a memo of each question by its epsilon.",
    )
    NO_MEMO = Text(
        "A memo needs a design, an expectation and a number of respondents.",
        remedy="Add --design, --prevalence, --shares or --mean, and --margin or --respondents.",
    )
    STRATA_ALONE = Text(
        "Strata are planned without further weights, for a large population.",
        remedy="Leave out --weights-cv and --population.",
    )
    SOME_STRATA = Text(
        "Some strata lack a whole number of respondents.",
        remedy="Give one for every stratum, or for none.",
    )
    NO_GOAL = Text(
        "The goal or the number of respondents is missing.", remedy="Add {goal} or --respondents N."
    )
    NO_BUDGET = Text(
        "Several questions need a budget.", remedy="Add --epsilon E, for all answers together."
    )
    NO_PARAMETERS = Text(
        "The parts of the budget decide the parameters of every question.",
        remedy="Leave out --set.",
    )
    BAD_PART = Text(
        "“{option} {part}” is not of the form {form}.",
        remedy="Write, for example, {option} 0.3:0.1.",
    )
