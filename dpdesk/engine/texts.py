"""The sentences of the engine: clusters, shuffling, simulations, tables and models."""

from dpdesk.i18n import Text

_AGAIN = "Start the scheduler and its workers again, and repeat the release."
_SPACE = "Choose a folder with more space that you may write to."
_MORE = "Protect more columns, or name a survey with more."


class T:
    """Sentences of the engine."""

    # Clusters and the disk
    OTHER_VERSION = Text(
        "A worker of the cluster has another version of dpdesk.",
        remedy="Install dpdesk {version} where the workers run.",
    )
    OTHER_LAWS = Text(
        "A worker of the cluster computed other laws than were certified. It drew nothing.",
        remedy="Install the same version of dpdesk and its packages on every machine.",
    )
    OTHER_RECORDS = Text(
        "A worker returned other records than requested.", remedy="Release on one machine."
    )
    WORKERS_GONE = Text("The workers of the cluster died or did not answer.", remedy=_AGAIN)
    OUT_OF_REACH = Text("The cluster cannot be reached any more ({kind}).", remedy=_AGAIN)
    WORKER_FAILED = Text(
        "A worker failed with an unexpected error of kind {kind}.",
        remedy="Release on one machine, and report the error.",
    )
    NO_WORKERS = Text(
        "The scheduler has no workers.", remedy="Start some.", command="dask worker ADDRESS"
    )
    NO_SCHEDULER = Text(
        "No scheduler of Dask answers at this address ({kind}).",
        remedy="Start it, or give its address, for example tls://office:8786.",
        command="dask scheduler",
    )
    SILENT_WORKER = Text(
        "A worker of the cluster does not answer, or has no dpdesk ({kind}).",
        remedy="Install dpdesk {version} where the workers run, and start them again.",
    )
    SAME_PATH = Text(
        "A worker of the cluster reported this. Every worker needs the data at one address."
    )
    RANDOMNESS_FAILED = Text(
        "The random number generator failed. Nothing was released.",
        remedy="Release nothing on this computer until it is repaired.",
    )
    RECORDS_CHANGED = Text("The records that wait on the disk have changed.", remedy=_SPACE)
    NOT_SHUFFLED = Text("The records could not be shuffled: {reason}.", remedy=_SPACE)

    # Simulations
    BAD_REPETITIONS = Text(
        "There must be {least} to {most} repetitions, and a seed of 0 or above.",
        remedy="Correct these numbers.",
    )
    BAD_SHARE = Text("The true share must lie between 0 and 1.", remedy="Give, for example, 0.1.")
    NO_TARGET = Text("Neither a plan nor a variant is named.", remedy="Name one of them.")
    NOTHING_HIDDEN = Text(
        "Under this plan nothing is hidden that the attack could find.",
        remedy="Attack a plan that fakes answers (RS+FD or RS+RFD), or name variants.",
    )
    NUMBERS_FAKED = Text(
        "The plan fakes answers and protects numbers.", remedy="Protect categories alone."
    )
    NOT_FAKED = Text(
        "The mechanism of “{column}” cannot fake answers.", remedy="Use GRR, SUE or OUE."
    )
    FEW_COLUMNS = Text("Two columns of categories and two respondents are needed.", remedy=_MORE)
    TOO_LARGE = Text(
        "This survey is too large for an attack in memory.", remedy="Leave columns out."
    )
    MANY_FEATURES = Text(
        "A learner would need {profiles} × {categories} cells.",
        remedy="Use fewer profiles or columns.",
    )
    NO_XGBOOST = Text("XGBoost is not installed.", remedy="Use the classifier “boosting”.")
    NO_COLUMN = Text(
        "The file has no column “{column}”.",
        remedy="Write the name exactly as in the file, or open the file of the plan.",
    )
    NOT_2_TO_MOST = Text(
        "“{column}” has {answers} different answers. An experiment needs 2 to {most}.",
        remedy="Leave the column out, or name a plan that declares its categories.",
    )
    NOT_DECLARED = Text(
        "{count} answer of “{column}” is not declared.",
        "{count} answers of “{column}” are not declared.",
        remedy="Complete the possible answers, or declare how missing answers are treated.",
    )
    BLANKS = Text(
        "“{column}” has blank answers.",
        remedy="Make missing answers a category for the experiment.",
    )
    ZERO_WEIGHT = Text(
        "An expected weight of “{column}” is 0.", remedy="Give every category one above 0."
    )
    BAD_REPORT_EPSILON = Text(
        "At this epsilon a noisy answer would have ε = {epsilon}.",
        remedy="Choose one with which it is from {least} to {most}.",
    )
    FEW_ATTEND = Text(
        "Too few respondents attend to the question for any estimate.",
        remedy="Ask more respondents, or fewer who answer at random.",
    )
    REPORT_FOR = Text("report for {answers}")
    REPORT_FOR_NONE = Text("report for no answer")
    FACTOR = Text("the number to multiply by: {number}")
    ADDEND = Text("the number to add: {number}")

    # Tables and models
    TEST_COLUMNS = Text("A test of independence has two columns.", remedy="Name two.")
    UNKNOWN_GROUPS = Text("The noisy answers do not show how large most of the groups are.")
    MEAN_IN_GROUP = Text("a mean of {column} in a group of {groups}")
    SHARE_IN_GROUP = Text("an estimated share of {column} within a group")
    SHARE_OF_CELL = Text("an estimated cell of {columns}")
    INDEPENDENT = Text("Noise and chance alone may explain the answers.")
    DEPENDENT = Text(
        "The answers depend on each other, most of all {pair}. These have {share} of all "
        "respondents instead of {expected}."
    )
    ONE_CATEGORY = Text("There is no test: “{column}” has one category. Name another column.")
    NO_ERRORS = Text(
        "There is no test: its errors are unknown. Join rare categories, or name other columns."
    )
    LARGEST_SLOPE = Text("The largest 95 % error of a slope ({name}) is {times} a medium effect.")
