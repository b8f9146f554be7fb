"""The sentences of the papers of a survey: sheet, planning memo, memo of collected answers."""

from dpdesk.i18n import Text

_FIT = "Use the device “screen”, which draws these chances."


class T:
    """Sentences of the papers of a survey."""

    # What an answer discloses, for respondents
    REVEALS_NOTHING = Text("What you say reveals nothing about your private answer.")
    NOT_HIDDEN = Text("Your answer is not hidden: anyone who hears it knows your true answer.")
    SHOWS = Text("Please know: “{said}” shows for certain that the true answer is {answer}.")
    AT_MOST = Text(
        "What you say is at most {factor} times as likely with one true answer as with the other."
    )
    AT_MOST_OF_REPORT = Text(
        "The report is at most {factor} times as likely with one true answer as with the other."
    )
    AT_MOST_OF_SEVERAL = Text(
        "What you say is at most {factor} times as likely with one true answer as with any other."
    )
    REPORT_UNSURE = Text("Readers still cannot be sure of your true answer; others may give it.")
    STILL_UNSURE = Text("If you say {said}, readers still cannot be sure of your true answer.")
    OTHERS_SAY_IT = Text("People with the other true answer may say it too.")
    SOME_SAY_IT = Text("Some people whose true answer is {answer} say it too.")
    MANY_SAY_IT = Text("About {hundred} in 100 people whose true answer is {answer} say it too.")
    CAN_RULE_OUT = Text("Please know: what you say can rule out some true answers for certain.")

    # For planners
    EPSILON_OF_GROUPS = Text(
        "Protection: {strength}. ε = {epsilon}: an answer is at most e^ε = {factor} times as "
        "likely from one group as the other."
    )
    EPSILON_OF_ANSWERS = Text(
        "Protection: {strength}. ε = {epsilon}: an answer is at most e^ε = {factor} times as "
        "likely with one true answer as another."
    )
    INFINITE = Text("ε is infinite: an answer can be a proof, namely {names}.")
    RULES_OUT = Text("ε is infinite: an answer can rule out a true one for certain.")
    PROVES_TRAIT = Text("{answer} proves the trait.")
    PROVES_NO_TRAIT = Text("{answer} proves that the trait is absent.")
    PROOF = Text("“{answer}” is a proof: the true answer is not {names}.")

    # Sheet
    SAY = Text("Say {answers}, and nothing else.")
    SAY_ONE_ANSWER = Text("Say one of the answers, and nothing else.")
    SAY_ONE_NUMBER = Text("Say one number, and nothing else.")
    SAY_NUMBER_FROM = Text("Say one number from {least} to {most}, and nothing else.")
    PROGRAM_SENDS = Text("You say nothing: the program sends the report.")
    NO_DEVICE = Text(
        "No device, up to a bag of 100 beads, has these chances: {setting}.", remedy=_FIT
    )
    NO_DEVICE_BUT = Text(
        "No device, up to a bag of 100 beads, has these chances: {setting}. "
        "The nearest is {kind} with {near}.",
        remedy=_FIT,
    )

    # What estimates rest on
    SIMPLE_SAMPLE = Text("Respondents are a simple random sample and answer independently.")
    UNDERSTOOD = Text("Everyone follows the instruction; hidden answers add an unseen bias.")
    CHANCES_EXACT = Text("The device has exactly the given chances; only the respondent sees it.")
    NORMAL_AT_SUPPOSED = Text("Margins of error are normal approximations at the supposed answers.")
    ALIKE = Text("People without an answer would have answered as others of their group.")

    # Planning memo
    PLANNING_TITLE = Text("Planning memo: {name}")
    NO_QUESTION = Text("No question was written.")
    MARGIN = Text("Margin of error ({percent})")
    FROM_SUMS = Text("{margin} (from sums alone at most {widest})")
    POWER = Text("Power against {value}")
    POWER_OF_DEVICE = Text("Power against {value} of a second group of as many, by the same device")
    POWER_OF_DIRECT = Text("Power against {value} of a second group of as many, asked directly")
    ONE_SIDED = Text("{power} at level {level}, one-sided")
    TWO_SIDED = Text("{power} at level {level}, two-sided")
    IF_TRAIT_DENIED = Text("If {share} of people with the trait deny it when asked directly")
    IF_ANSWER_DENIED = Text("If {share} of those with “{name}” deny it when asked directly")
    IF_LEAST_SAID = Text("If {share} say the least possible number when asked directly")
    BETTER_FROM = Text("the design errs less from {count} respondents on")
    NEVER_BETTER = Text("the design errs more even if all {count} people are asked")
    RESPONDENTS = Text("{count} respondent.", "{count} respondents.")
    AS_MUCH_AS = Text("as much as {count} direct, truthful answers")
    TIMES_DIRECT = Text("{factor} × a direct question’s")
    BEFORE_ANSWERS = Text("Before any answer, {share} are believed to have the trait. Afterwards:")
    BELIEFS_BY_REPORT = Text("Each row shows the true answers behind a noisy answer.")
    ONE_OF = Text("for {name} alone")

    # Strata, questionnaires, devices
    STRATA = Text("{count} respondents in {strata} strata give a margin of {margin} ({percent}).")
    UNSTRATIFIED = Text("Without strata, as many give {margin}.")
    BY_NEYMAN = Text("Respondents are allocated by Neyman’s rule, which gives the least error.")
    IN_PROPORTION = Text("Respondents are in proportion to the strata.")
    BY_HAND = Text("Respondents of each stratum were set by hand.")
    NOT_FEWER = Text("No stratum has fewer than the {least} that an estimate needs.")
    QUESTIONNAIRE = Text(
        "{count} respondents who answer all {questions} questions reach every margin ({percent})."
    )
    ALL_ANSWERS_LOSE = Text(
        "All answers lose at most ε = {epsilon} together, of a budget of {budget}."
    )
    OWN_DEVICE = Text("Each question has a device of its own: {kind}.")
    ROUNDED_DOWN = Text("Respondents use: {device}. Budget parts are rounded down to its chances.")
    NO_CHANCES = Text("No coin, die, card or bag of up to 100 beads has these chances.")
    NO_BIRTHDAY = Text("No question about a birthday has exactly these shares.")
    WITH_DESIGN = Text("With them, {count} respondents give a margin of {margin}.")

    # Collected answers
    RESULTS_TITLE = Text("Results memo: {name}")
    DIRECT_HIDES_NOTHING = Text("This is of the device; a direct answer hides nothing.")
    BY_COUNTS = Text(
        "Respondents were drawn independently. Intervals are Wilson’s for yes or no through one "
        "device, else normal."
    )
    FROM_POPULATION = Text("Respondents were drawn from the population; intervals are normal.")
    RESPONDENTS_WITH = Text("Respondents were drawn with replacement.")
    RESPONDENTS_WITHOUT = Text("Respondents were drawn without replacement.")
    CLUSTERS_WITH = Text("Clusters were drawn with replacement.")
    CLUSTERS_WITHOUT = Text("Clusters were drawn without replacement.")
    LINEARISED = Text("Errors are by Taylor linearisation, intervals by t, joint tests by F.")
    LESS_STRATA = Text("Degrees of freedom: units drawn less strata.")
    LESS_GROUPS = Text("Degrees of freedom: units drawn less groups asked separately.")
    LESS_ONE = Text("Degrees of freedom: units drawn less one.")
    OF_MEMBERS = Text("In a group, only units and strata with members of it count.")
    NOT_SHORTENED = Text("The population’s size reduces errors of shares, not of models.")
    LOG_ODDS = Text("Intervals of predicted shares come from those of their log odds.")
    WITHOUT_ANSWER = Text("{count} (empty cells, NA, NaN and declared codes)")
    CLUSTERS = Text("Clusters, PSUs ({name})")
    IMPOSSIBLE = Text(
        "A whole {percent} interval is outside 0 to 100 %. Check the design and its chances."
    )
    GROUPS_DIFFER = Text("Difference of the groups: {test}.")
    TOO_MANY_GROUPS = Text("There are too many groups for a test of their difference.")
    ADHERENCE = Text("Adherence: {title} {share}, expected {expected}; {test}.")
    DEVICE_LESS_DIRECT = Text("Device less direct: {gap}, {percent} interval {lower} to {upper}.")
    DEVICE_LESS_DIRECT_TESTED = Text(
        "Device less direct: {gap}, {percent} interval {lower} to {upper}, {test}."
    )
    PREDICTED = Text("Predicted shares by {name}")
    IF_ALL_OF_GROUP = Text(
        "The share if all respondents were in the group, with their other covariates."
    )
    DIFFERENCE = Text("Difference: {test}.")
    ALL_TOGETHER = Text("{name}, all together: {test}.")
    NOT_TESTED = Text("{name}, all together: no test.")
    ERRORS_HAVE = Text("Errors have {freedom}.")
    OPEN_SHARE = Text("{name}: {share}, standard error {error}.")
    OPEN_SHARE_AT_BOUND = Text("{name}: {share}, at its bound.")
    REGRESSION = Text("Logistic regression, {count} complete respondents")
