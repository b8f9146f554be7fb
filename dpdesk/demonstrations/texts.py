"""The sentences of demonstrations that are not written in their files."""

from dpdesk.i18n import Text

_OTHER_COLUMN = "Choose another column."
_WRITE_OUT = "Write the names out."


class T:
    """Sentences under pictures, beside curves, and of what is refused."""

    # Curves, bars and marks
    PEOPLE = Text("{number} people")
    NOW_PEOPLE = Text("now: {number} people")
    BEFORE_PEOPLE = Text("before: {number} people")
    BEFORE = Text("before: {name}")
    BEFORE_TRUE = Text("before: {share} true")
    FORMERLY = Text("{name}, formerly")
    FORMERLY_EPSILON = Text("formerly, ε = {epsilon}")
    BELIEVED_BEFORE = Text("believed before: {share}")
    EACH_PROTECTED = Text("each answer protected")
    COUNT_PROTECTED = Text("the count protected")
    WITH_NOISE = Text("with noise, ε = {epsilon}")
    PROTECTED = Text("protected, ε = {epsilon}")
    COLUMN_PROTECTED = Text("{column} protected")
    WITHOUT_COLUMN = Text("without {column}")
    IF_DENIED = Text("if {share} denied")
    IF_NONE_DENIED = Text("if none denied")
    IF_TRUE = Text("simulated, if {share} did it")
    ESTIMATE = Text("estimate {share}")
    TRUTH = Text("truth {share}")
    MEAN_OF_RUNS = Text("mean of {runs} runs {share}")
    EXERCISE_BEFORE = Text("the exercise, before: {number} people")
    TIMES_LARGEST = Text("{factor} times the largest")
    SHARE_ERROR = Text("Error of a share of {share}, 95 %")
    BUCKET = Text("bucket {bucket} under its own hash")
    UPWARDS = Text("{across}; upwards: {upwards}")

    # Captions
    COUNT_OF = Text("A count of {share} of the people: each answer protected, or the count.")
    COUNTS_OF = Text("{people} people: each count with its 95 % interval, ε = {epsilon}.")
    LEDGER_OF = Text("A ledger with a cap of ε = {cap} for these people.")
    TESTED = Text(
        "{count} person tested, {repetitions} draws at each epsilon.",
        "{count} people tested, {repetitions} draws at each epsilon.",
    )
    CROWD_AFTER = Text("Of 100 whose answers point most to it, at most {number} did it.")
    TRUE_ANSWER = Text("The true answer is {answer}. Reports that support it alone are marked.")
    ONE_QUESTION = Text("One question with {answers} answers, {people} respondents.")
    IN_COMMON = Text("The list and the records have these in common: {columns}.")
    LIST_OF = Text("A list of {people}, a dot for each. Full: found by name.")
    LIST_IN_DOTS = Text("A list of {people}, in {dots} dots. Full: found by name.")
    GROUPS_OF = Text("Groups of at least {least}. Learned: {column}.")
    GUESSING = Text("Guessing {column} of a person whose record is known.")
    SURVEYS_OF = Text("The estimates of {surveys} surveys of {people} people each.")
    ROOT = Text("The error of a share of {share} falls with the root of the number of people.")
    ROOM = Text("Answers ({source}), those who said yes first.")
    ROOM_IN_DOTS = Text("Answers ({source}), those who said yes first. Each dot is {each} people.")
    WHOLE_RECORD = Text("Errors at the same loss of a whole record, ε = {epsilon}.")
    SAID_YES = Text("{yes} of {people} said yes.")
    SAID_YES_OF_MANY = Text("{yes} of {people} said yes. The first {dots} are shown.")
    FOR_POINTS = Text("For ± {points} percentage points at a share of {share}.")
    PROMISED = Text("Estimates of {people} people at a promised ε = {epsilon}.")

    # Presenter's data
    FEW_ASKED = Text("At least 2 people must answer.", remedy="Enter how many answered.")
    NEGATIVE_YES = Text("The number of yes cannot be negative.", remedy="Enter 0 for none.")
    MORE_YES = Text("More people said yes than answered.", remedy="Enter yes first, then all.")
    SAME_ANSWER = Text("All answers to {column} are the same.", remedy=_OTHER_COLUMN)
    NO_REPORTS = Text("The reports of the columns are no answers.", remedy=_OTHER_COLUMN)
    ONE_COLUMN = Text("Name the outcome first, then the columns that predict it.")
    NO_ANSWERS = Text("No mechanism reports answers of {column}.", remedy=_OTHER_COLUMN)
    FEW_COLUMNS = Text("Name the column to learn, then two or more known columns.")
    NO_QUESTION = Text("The demonstration {name} has no question.", remedy="Leave it out.")
    NO_FILE = Text("The demonstration {name} uses no file.", remedy="Leave the file out.")

    # Files of demonstrations
    NOT_READ = Text("{file} cannot be read.", remedy="Check that it exists and may be read.")
    NO_TOML = Text("{file} is not a TOML file: {reason}.", remedy="Correct this line.")
    NOT_VALID = Text("{file} is not valid. {problems}.", remedy="Correct the file.")
    AT = Text("{place}: {problem}")
    NOT_COMPUTED = Text(
        "{place}: settings: they make no scene.", remedy="Change one after the other."
    )
    NO_SETTING = Text("settings: no scene of this file has the setting {name}")
    NO_PARTS = Text("choices: the setting {name} has no parts")
    BRACES = Text("{place}: only {filled} can have braces")
    NO_NAME = Text("{place}: the scene {scene} has no {name}; it has {known}")
    FORMAT = Text("{place}: the braces of {name} hold {form} as well; remove it")
    NO_NUMBER = Text("stated: the scene {scene} has no number {name}")
    NO_CHOICE = Text("stated: there is no choice {name}")
    NOT_STATED = Text("{place}: the number {number} is not declared under stated")
    NAMES = Text("choices: there must be as many names as values", remedy="Name each value once.")
    NAME_BRACES = Text("choices: names: braces are not filled in", remedy=_WRITE_OUT)
    SAME_NAMES = Text("choices: two choices have the same name", remedy=_WRITE_OUT)
    UNCLEAR_NAME = Text(
        "choices: name: no clear value", remedy="Write {{}} once, and no other brace."
    )
    NO_SHORT_NAME = Text("choices: these values have no short name", remedy=_WRITE_OUT)
    ONE_STATE = Text("An exercise shows one state.", remedy="Leave choices and ghost out.")
    NO_AXIS = Text("An axis cannot go from {least} to {largest}.", remedy="Put the lower first.")
    NO_LOGARITHM = Text("The logarithmic axis “{axis}” begins at {least}.", remedy="Begin above 0.")
    LONG_BAR = Text(
        "The bar “{bar}” of {value} does not fit an axis from {least} to {largest}.",
        remedy="Choose ends of the axis so that every choice fits.",
    )
    NOT_DRAWN = Text("There is no model at an epsilon of {epsilon}.", remedy="Use one of: {known}.")
    NO_SUCH_ANSWER = Text("No record has the answer {answer}.", remedy="Copy one from the table.")
    NO_DESIGN = Text("A scene cannot show the design {design}.", remedy="Use warner or forced.")
