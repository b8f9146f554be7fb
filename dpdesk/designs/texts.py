"""The sentences of survey designs, and of their instructions to respondents."""

from dpdesk.i18n import Text

_NUMBER = "Enter a number, for example 0.1."
_TYPE_SHARE = "Enter a fraction or decimal from 0 to 1, for example 1/6 or 0.25."
_COUNTS = "Check the counts, for example 831/2435 for YES/RESPONDENTS. Separate groups by commas."
_DIFFERENT = "Give the two groups different devices."
_LESS_THAN_1 = "Choose chances whose sum is below 1."
_EXACT = "Correct them. Fractions, for example 1/3, are exact."
_ABOVE_0 = "Correct the shares, for example 0.6,0.3,0.1."
_FEWER_TERMS = "Remove a term from the formula, or join categories."
_OTHER_DESIGN = "Choose another design, or other parameters."
_POPULATION = "Correct the size of the population."
_JOIN = "Join it with another group."


class T:
    """Sentences of designs."""

    # Names and rules in lists
    WITH_DEVICE = Text("{design}, {device}")
    WITH_SHARE = Text("{design}, q = {q}")
    BY_PROGRAM = Text("{mechanism}, by a program")
    AS_MATRIX = Text("In the plan, a program draws with the device’s matrix of chances.")
    PROGRAM_DRAWS = Text("A program draws in place of the device.")
    WARNER_CHANCE = Text("The device asks the question itself with chance {p}, else its opposite.")
    WARNER_OPPOSITE = Text("If {outcome}: answer the opposite. Else answer truthfully.")
    WARNER_TRUTH = Text("If {outcome}: answer truthfully. Else answer the opposite.")
    FORCED_ORDERS = Text("If {yes}: say yes. If {no}: say no. Else answer truthfully.")
    TRUTH_CHANCE = Text("The truth has chance {chance}.")
    INSTEAD_WARNER = Text("An epsilon does not decide the chosen design: this is Warner’s.")

    # What an answer of a number discloses
    ADDITIVE_LOSS = Text("epsilon {epsilon}: the range of the true answers divided by the scale")
    MULTIPLIED_LOSS = Text("epsilon {epsilon}: the logarithm of the largest ratio by the scale")
    SOME_RULED_OUT = Text("epsilon is infinite: true answers can be ruled out; delta {delta}")
    SIGN_SHOWN = Text("epsilon is infinite: a true 0 is said as 0, and the sign is never hidden")
    TRUTH_SAID = Text("epsilon is infinite: chance {chance} of the truth; else epsilon {epsilon}")
    TRUE_OR_RULED_OUT = Text("epsilon is infinite: chance {chance} of the truth; delta {delta}")

    # Answers that no share explains
    NO_SHARE_FITS = Text("No share of people with the trait leads to such answers")
    MORE_THAN_ALL = Text("More say yes than if all had the trait")
    MORE_THAN_NONE = Text("More say yes than if none had the trait")
    FEWER_THAN_ALL = Text("Fewer say yes than if all had the trait")
    FEWER_THAN_NONE = Text("Fewer say yes than if none had the trait")

    # Tests, in a line of numbers
    CHI_SQUARE = Text("chi-square {statistic} with {degrees}, {p}")
    F_TEST = Text("F {statistic} with {freedom} and {degrees}, {p}")

    # Instructions: all designs
    QUESTION = Text("the sensitive question")
    IF = Text("If {outcome} ({chance}): {task}.")
    TRUTH = Text("answer the question truthfully")
    OPPOSITE = Text("say no if your true answer is yes, and yes if it is no")
    SAY = Text("say {answer}")
    SAY_QUOTED = Text("say “{answer}”")
    SAY_ANYWAY = Text("say {answer}, whatever your true answer is")
    SAY_QUOTED_ANYWAY = Text("say “{answer}”, whatever your true answer is")
    SAY_TRUTH = Text("say your true answer")
    REASON = Text(
        "Only you know what the device showed. "
        "Others cannot be sure whether your answer is true or the device’s."
    )
    DRAW = Text("Draw {number}")
    PRACTICE = Text("Take “{question}” as the question. Your true answer is {true}.")
    TRUE_FOR_ALL = Text("Have you ever drunk water?")
    FALSE_FOR_ALL = Text("Are you two hundred years old?")
    IF_SAY = Text("If {outcome}, say “{answer}”.")
    SUPPOSE_ANSWER = Text("Suppose your true answer is “{answer}”.")
    SUPPOSE_NUMBER = Text("Suppose your true number is {true} and the device shows {shown}.")
    YOU_SAY = Text("You say {said}.")

    # Instructions: several draws
    DRAW_AGAIN = Text("draw again")
    GO_ON = Text("go on")
    SECOND_DRAW = Text("do the second draw")
    AND_SECOND_DRAW = Text("{first}, and in the second draw {second}")
    IF_SECOND_DRAW = Text("If, in the second draw, {outcome} ({chance}): {task}.")
    BOTH_DRAWS = Text("Do both draws in any case, so that others see no difference.")
    TWO_TOOLS = Text("{first} for the first draw and {second} for the second")
    TELL_TRUTH = Text("tell the truth")
    SAY_OPPOSITE = Text("say the opposite")
    SEE_WHAT_TO_DO = Text("see what to do")
    YES_OR_DRAW_AGAIN = Text(
        "say yes if your true answer is no. If it is yes, say nothing yet, and use the device a "
        "second time, unseen"
    )
    AND_SECOND_TIME = Text("{first}, and the second time {second}")
    IF_SECOND_TIME = Text("If, the second time, {outcome} ({chance}): say {answer}.")
    USE_TWICE = Text("Use the device twice in any case, so that others see no difference.")
    YES_ANYWAY = Text("If your true answer is yes: say yes, whatever the device shows.")
    IF_NO_AND = Text("If your true answer is no, and {outcome} ({chance}): say {answer}.")
    IF_NO_LABEL = Text("if no is true: say {answer}")
    ALL_USE_IT = Text("Everybody uses the device, so others cannot be sure whether you needed it.")

    # Instructions: an innocent question
    THINK_OF_BOTH = Text("Think of your answers to both questions, and say neither of them aloud.")
    B_IS = Text("the answer to B is {answer}")
    AND_B_IS = Text("{outcome}, and the answer to B is {answer}")
    TAKE_B_AS = Text("take your answer to B as {answer}")
    INSTEAD_OF_B = Text("In place of question B")
    SAME = Text("If both answers are yes, or both are no: say “the same”.")
    DIFFERENT = Text("If one answer is yes and the other no: say “different”.")
    CROSSWISE_REASON = Text(
        "About {chance} people answer B with yes. While your answer to B is secret, what you say "
        "does not show your answer to A."
    )
    AT_LEAST_ONE_YES = Text("If at least one of both answers is yes: say yes.")
    BOTH_NO = Text("If both answers are no: say no.")
    TRIANGULAR_REASON = Text(
        "About {chance} people answer B with yes. While your answer to B is secret, your yes may "
        "be because of B."
    )
    ANSWER_QUESTION = Text("answer question {letter} truthfully")
    EITHER_REASON = Text(
        "Only you know which of both questions you answer. Keep your answer to B to yourself."
    )
    KNOWN_SHARE = Text("About {chance} people answer B with yes.")
    INNOCENT = Text("an innocent question that {chance} people answer with yes")
    INNOCENT_FIRST = Text("an innocent question that {chance} people answer with yes (group 1)")
    INNOCENT_SECOND = Text("an innocent question that {chance} people answer with yes (group 2)")
    INNOCENT_OTHER = Text("another innocent question that {chance} people answer with yes")
    INNOCENT_ALIKE = Text("an innocent question, the same for both groups")
    INNOCENT_ITEM = Text("innocent question {number}")
    ANCHOR = Text("a question that all answer with no")
    ANCHOR_PROPOSAL = Text("Have you ever been to the Moon?")
    OWN_QUESTION = Text("dpdesk cannot check your question “{question}”.")
    OPEN_QUESTION = Text("An innocent question is still missing.")
    SHARE_MUST_HOLD = Text("{chance} people must answer it with yes.")
    NO_YES_MUST_HOLD = Text("All must answer it with no.")
    ALIKE_MUST_HOLD = Text("The same share of both groups must answer it with yes.")
    INDEPENDENT = Text("It must not depend on the sensitive answer, or the estimate is wrong.")
    INDEPENDENT_OF_DEVICE = Text(
        "It must not depend on the sensitive answer or the device ({devices}), or estimates fail."
    )

    # Instructions: two bags, mirrored numbers, lists of items, programs
    BAGS = Text("two bags of beads: {first} are red in bag 1, and {second} in bag 2")
    SCREEN_BAGS = Text(
        "a device that draws as if from two bags: {first} are red in bag 1, {second} in bag 2"
    )
    DRAW_BEADS = Text(
        "Draw one bead from bag 1 and one bead from bag 2",
        "Draw {count} beads from bag 1 and {count} beads from bag 2",
    )
    LET_DRAW_BEADS = Text(
        "Let the device draw one bead from bag 1 and one bead from bag 2",
        "Let the device draw {count} beads from bag 1 and {count} beads from bag 2",
    )
    PUT_BACK = Text("Put each bead back before you draw the next.")
    SAY_BEAD = Text("If your true answer is {true}: say 1 if the bead of bag {bag} is red, else 0.")
    SAY_BEADS = Text("If your true answer is {true}: say how many beads from bag {bag} are red.")
    RED_BEADS = Text(
        "you draw {count} red bead from bag {bag}", "you draw {count} red beads from bag {bag}"
    )
    BAGS_REASON = Text("Only you know which of both bags your number comes from.")
    RED_COUNTS = Text("a red bead of bag {bag}, which counts if {true} is true")
    WHITE_COUNTS_NOT = Text("a white bead of bag {bag}, which does not count")
    SAY_NUMBER = Text(
        "If {outcome} ({chance}): say {no} if your true answer is no, and {yes} if it is yes."
    )
    NUMBER_REASON = Text("Only you know the number that the device showed.")
    NUMBER_LABEL = Text("no: say {no}; yes: say {yes}")
    COUNT_ITEMS = Text("Count how many of the questions you would answer with yes.")
    SAY_COUNT = Text("Say only this number, and not which questions they are.")
    ITEMS_REASON = Text("Others cannot be sure which of the questions you counted.")
    ITEMS_YES = Text("{count} of the answers is yes", "{count} of the answers are yes")
    OTHER_ITEMS_YES = Text(
        "{count} of the other answers is yes", "{count} of the other answers are yes"
    )
    ENTER_ANSWER = Text("Choose your true answer, one of {answers}, in the program on your device.")
    SEND_REPORT = Text("The program draws a report ({mechanism}, ε = {epsilon}) and sends only it.")
    PROGRAM_TOOL = Text("a program on your own device that draws the report")
    PROGRAM_REASON = Text("Your true answer stays on your device; only the report leaves it.")
    SUPPORTS = Text("the report supports this answer")
    SUPPORTS_NOT = Text("the report does not support this answer")
    REPORT_FOR = Text("a report for it")
    NO_REPORT_FOR = Text("no report for it")
    YOUR_ANSWER = Text("your answer")
    PROGRAM = Text("the program")
    CHANCE = Text("chance")
    REPORT_SENT = Text("a report, which alone is sent")

    # Instructions: several answers, numbers
    IF_TRUE_AND = Text("If your true answer is “{true}” and {outcome} ({chance}): say “{said}”.")
    IF_TRUE_LABEL = Text("“{true}” is true: say “{said}”")
    NUMBER_TOOL = Text("a device that draws numbers ({law})")
    TOOL_AND_NUMBER = Text("{tool} and {numbers}")
    LET_DRAW_NUMBER = Text("Let the device draw a number")
    NUMBER_SECRET = Text("Only you know the number that was drawn.")
    ADD_IT = Text("Add it to your true number, and say only the sum.")
    MULTIPLY = Text("multiply your true number by it, and say only the product")
    MULTIPLY_LABEL = Text("multiply it by a drawn number")
    SAY_TRUE_NUMBER = Text("say your true number")
    LAPLACE = Text("Laplace’s law with mean {mean} and scale {scale}")
    UNIFORM = Text("all numbers from {low} to {high}, equally likely")
    LOG_LAPLACE = Text("numbers above 0, their logarithm by Laplace’s law of mean 0, scale {scale}")

    # Refusals of devices and of an epsilon
    ONLY_DEVICES = Text("{design} works only with the devices {devices}.")
    DRAWN_TWICE = Text("{design} draws twice; a respondent’s {fact} is the same both times.")
    ASKED_TOO = Text("{design} draws twice; the innocent question is about a {fact} too.")
    USE_DEVICES = Text("Use one of: {devices}.")
    USE_DEVICES_OR_ASK = Text("Use one of: {devices}. Or ask another innocent question.")
    PROOF = Text("With {design} an answer can be a proof: ε = ∞.", remedy=_OTHER_DESIGN)
    NOT_DECIDED = Text("An epsilon does not decide {design}.", remedy="Enter its parameters.")
    NO_EPSILON = Text("Epsilon must be above 0.", remedy="Enter a number, for example 1.")
    SMALL_EPSILON = Text("At this epsilon answers show nothing.", remedy="Choose a larger one.")
    NO_VARIANCE_AT = Text(
        "The multiplier has no variance at this ε.", remedy="Take ε above {least}."
    )
    NO_MULTIPLYING = Text("No mechanism of a plan multiplies answers.", remedy=_OTHER_DESIGN)
    OTHER_MECHANISM = Text("Choose another mechanism or number of answers.")

    # Refusals of parameters
    NO_SHARE = Text("The {what} must lie between 0 and 1.", remedy=_NUMBER)
    NO_DIFFERENCE = Text("Answers do not depend on the trait.", remedy=_OTHER_DESIGN)
    SOME_ALIKE = Text("Some devices’ answers do not depend on the trait.", remedy="Correct them.")
    SAME_DEVICES = Text("The devices of both groups are too alike.", remedy=_DIFFERENT)
    ALWAYS_ORDERED = Text("The device always orders an answer.", remedy=_LESS_THAN_1)
    FORCED_SUM = Text("Forced answers of the {group} have a chance above 1.", remedy=_LESS_THAN_1)
    NO_SUM = Text("The chances of the device’s numbers do not sum to 1.", remedy=_EXACT)
    NO_ROW_SUM = Text("The chances in row {row} do not sum to 1.", remedy=_EXACT)
    MIDDLE_MEAN = Text("The device’s mean must not be the middle.", remedy=_OTHER_DESIGN)
    HALF_ANCHOR = Text("An innocent trait of one half shows nothing.", remedy=_OTHER_DESIGN)
    NO_SQUARE = Text("Every row of the matrix needs one chance for each answer.")
    NO_INVERSE = Text("Different shares would lead to the same answers.", remedy=_OTHER_DESIGN)
    NO_ITEMS = Text(
        "No {items} items have this mean and standard deviation.",
        remedy="Enter a mean between 0 and {items}, and a deviation between {least} and {most}.",
    )
    BAD_BOUNDS = Text("The least true answer must be below the largest.")
    BAD_MULTIPLIER = Text("The multiplier could be negative.", remedy="Choose a scale below 1.")
    NO_VARIANCE = Text("The multiplier has no variance.", remedy="Choose a scale below 0.5.")
    PROBABILITY_NO_TEXT = Text("A probability must be text.", remedy=_TYPE_SHARE)
    LONG_PROBABILITY = Text("This decimal has more than {most} digits.", remedy=_TYPE_SHARE)
    NO_PROBABILITY = Text("This is not a probability.", remedy=_TYPE_SHARE)
    ZERO_DENOMINATOR = Text("A fraction cannot have the denominator 0.", remedy=_TYPE_SHARE)
    PROBABILITY_RANGE = Text("A probability must lie between 0 and 1.", remedy=_TYPE_SHARE)

    # Refusals of answers
    BAD_COUNTS = Text("The counts are not of the form YES/RESPONDENTS.", remedy=_COUNTS)
    COUNT_OF_GROUPS = Text("The design needs {groups} counts; {given} are given.", remedy=_COUNTS)
    FEW_RESPONDENTS = Text("Every group needs at least 2 respondents.", remedy="Enter more.")
    TOO_MANY_YES = Text("More answers are “yes” than respondents can give.", remedy=_COUNTS)
    SMALL_SUM = Text("The sum of the answers is too small: each is at least 1.", remedy=_COUNTS)
    ANCHOR_RESPONDENTS = Text("Question and anchor need the same respondents.", remedy=_COUNTS)
    NO_ATTENTION = Text("The anchor’s answers show that no respondent attended.", remedy=_COUNTS)
    COUNT_OF_ANSWERS = Text("The design has {answers} answers; {given} numbers are given.")
    MEAN_RANGE = Text("The mean must be at most {mean}, the variance from 0 to {variance}.")
    NO_COUNTING = Text(
        "The answers of this design are neither yes, no nor numbers, and cannot be counted.",
        remedy="Count the reports that support the answer, and give the counts.",
        command="--counts YES/N",
    )
    NO_ITEM_REGRESSION = Text("An item count has no regression.", remedy="Compare groups instead.")
    DEPENDENT_COVARIATES = Text("Too few respondents or dependent covariates.", remedy=_FEWER_TERMS)
    NO_MAXIMUM = Text("Not estimable: noisy answers or strong predictors.", remedy=_FEWER_TERMS)
    NO_MAXIMUM_IN_GROUPS = Text(
        "The model is not estimable: answers too noisy, predictors too strong, or values without "
        "respondents of both groups.",
        remedy=_FEWER_TERMS,
    )
    ONE_CLUSTER = Text("All respondents belong to one cluster.", remedy="Choose other clusters.")
    LONELY_STRATUM = Text(
        "A stratum has a single cluster, so its error is unknown.",
        remedy="Join it with another one, or choose what it adds under Strata with one cluster.",
        command="--lonely-psu certainty, centred or average",
    )
    LONELY_STRATA = Text("Every stratum has a single cluster.", remedy="Choose other strata.")
    MORE_THAN_PEOPLE = Text("There are more respondents than people.", remedy=_POPULATION)
    MORE_THAN_CLUSTERS = Text("A sample has more clusters than the population.", remedy=_POPULATION)
    SMALL_GROUP = Text("A group has fewer than 2 respondents.", remedy=_JOIN)
    ONE_CLUSTER_IN_GROUP = Text("A group has one cluster in each stratum.", remedy=_JOIN)

    # Refusals of what is supposed
    NO_DEPARTURE = Text("{design} does not simulate the share “{share}”.", remedy="Leave it out.")
    SAME_ANSWER = Text("The answer given instead must be another one.")
    BAD_MEAN = Text("The supposed mean must lie between the bounds.")
    BAD_DEVIATION = Text(
        "No answers between these bounds have this standard deviation.",
        remedy="With this mean, enter a number above {least} and below {most}.",
    )
    ONE_SHARE = Text("Only one share is above 0, and it is not 1.", remedy=_ABOVE_0)
    BAD_SHARES = Text("The supposed shares must be 0 or more and sum to 1.", remedy=_ABOVE_0)
    OTHER_QUANTITY = Text("{design} does not estimate the supposed quantity.", remedy=_OTHER_DESIGN)
    NO_MARGIN = Text("The {what} must lie above 0.", remedy="Enter one in the unit of the answers.")
    MANY_RESPONDENTS = Text("A survey has at most {most} respondents.")
    NO_ONE_ATTENDS = Text("No respondent attends.", remedy="Let fewer answer at random.")
