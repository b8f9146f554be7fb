"""The sentences of the ledger."""

from dpdesk.i18n import Text

_RIGHTS = "Free some space, or allow yourself to write there."
_RESTORE = "Restore the missing file from a backup, or start a new ledger without earlier releases."
_SET_ASIDE = "dpdesk ledger --set-aside"


class T:
    """Sentences of the ledger."""

    # Which people
    WRONG_POPULATION = Text(
        "These data belong to the population “{name}”.",
        remedy="Choose that one, or rename it in the ledger first.",
    )
    ANOTHER_POPULATION = Text(
        "These data belong to the population “{name}”.",
        remedy="Choose that one, or declare in the ledger that both are the same people.",
    )
    SAME_PEOPLE = Text(
        "Are these the same people? {likeness} Nothing was released.",
        remedy="Choose their population, or declare that these are other people.",
        command="--population {population}, or --other-people",
    )
    SAME_ROWS = Text("About {share} of its rows are in {file}.")
    SAME_ROWS_OF_OTHER = Text("It has about {share} of the rows of {file}.")
    KNOWN_FILE = Text(
        "a file of “{population}” ({count} row, {date})",
        "a file of “{population}” ({count} rows, {date})",
    )
    NO_POPULATION = Text(
        "The ledger has no population “{name}”.",
        remedy="Choose one of the ledger.",
        command="dpdesk ledger",
    )
    NAME_TAKEN = Text(
        "The ledger already has a population “{name}”.",
        remedy="Choose another name, or declare that both are the same people.",
    )
    BAD_NAME = Text(
        "The name of a population has 1 to {most} printable characters.",
        remedy="Choose a name, for example Household survey 2026.",
    )
    ONE_ALREADY = Text("These are already one population.")

    # Budget
    OVER_CAP = Text(
        "The remaining budget of “{name}” is ε = {left} of {cap}. This release needs ε = {needed}.",
        remedy="Lower epsilon, or raise the cap if everyone concerned agrees.",
    )
    OVER_CAP_DOUBLED = Text(
        "The remaining budget of “{name}” is ε = {left} of {cap}. This release needs ε = {needed}: "
        "losses of adding or removing a respondent count twice here.",
        remedy="Lower epsilon, or raise the cap if everyone concerned agrees.",
    )
    OVER_CAP_OF_DELTA = Text(
        "The cap of “{name}” is δ = {cap}. With this release δ would be {delta}.",
        remedy="Lower delta, or raise the cap if everyone concerned agrees.",
    )
    BAD_CAP = Text("A cap has an epsilon of 0 or more and a delta below 1.")
    DOUBLED = Text(
        "Losses of adding or removing a respondent count twice beside those of replacing one."
    )
    COUNTS_LEFT = Text("{count} more count at ± {margin}", "{count} more counts at ± {margin}")
    QUESTION_LEFT = Text("1 more yes-no question at ± {margin} percentage points")

    # Releases
    CHARGED_TWICE = Text("A release is charged only once.")
    NOT_CHARGED = Text(
        "The ledger did not keep the charge. Nothing was released.",
        remedy="Check the disk of the ledger.",
    )
    RELEASE_KNOWN = Text("This release is already in the ledger, or was charged to another one.")
    NO_RELEASE = Text(
        "The ledger has no release with this identifier.",
        remedy="Choose one of the ledger.",
        command="dpdesk ledger",
    )
    NO_ANSWERS = Text("The ledger does not have the results of this release.")
    NO_ANSWERS_BUT_FOLDER = Text(
        "The ledger does not have the results of this release.",
        remedy="Open its folder {folder}.",
    )
    NO_SPACE = Text(
        "The ledger {file} needs {size} more on its disk: {reason}. Nothing was released.",
        remedy=_RIGHTS,
    )

    # The file
    DAMAGED = Text(
        "The ledger is damaged. Nothing can be released. {reason}",
        remedy=_RESTORE,
        command=_SET_ASIDE,
    )
    FILE_GONE = Text("The file {file} is missing.")
    FILE_EMPTY = Text("The file {file} is empty.")
    FILE_CHANGED = Text("The file {file} was changed.")
    FILE_UNREADABLE = Text("The file {file} is not a readable database.")
    CONTENT_CHANGED = Text("A stored plan or result was changed.")
    ROW_CHANGED = Text("Row {row} of {file} was changed, or a row before it is missing.")
    NOT_THIS_LEDGER = Text("The file {file} belongs to another ledger.")
    LENGTH_GONE = Text("The file {file}, which holds the ledger’s length, is missing.")
    KEY_GONE = Text(
        "The key of the ledger, {file}, is missing.", remedy=_RESTORE, command=_SET_ASIDE
    )
    KEY_DAMAGED = Text(
        "The key of the ledger, {file}, is damaged.", remedy=_RESTORE, command=_SET_ASIDE
    )
    KEY_REFUSED = Text(
        "The key of the ledger, {file}, cannot be read: {reason}.",
        remedy="Allow yourself to read it.",
    )
    OLDER_COPY = Text(
        "The ledger had {before} entries and has {now}. An older copy may have replaced it.",
        remedy="Restore the newer copy. Releases missing in this one are not counted.",
        command="dpdesk ledger --accept-older",
    )
    WITNESS_CHANGED = Text(
        "The file {file}, a second record of the ledger’s length, was changed.",
        remedy="Remove the file if no older copy of the ledger was restored.",
    )
    REPLACED = Text("Another ledger replaced the one in use.", remedy="Open the data again.")
    FOREIGN = Text("{file} is a database of another program.", remedy="Choose another file.")
    NEWER = Text(
        "The ledger {file} was written by a newer dpdesk (version {version}).",
        remedy="Use that version. Nothing was changed.",
    )
    NOT_WRITABLE = Text(
        "The ledger {file} cannot be written: {reason}. Nothing was released.", remedy=_RIGHTS
    )
    FAILED = Text(
        "The ledger {file} cannot be read or written: {reason}. Nothing was released.",
        remedy=_RIGHTS,
    )
    LOCKED = Text(
        "Another program is using the ledger {file}. Nothing was released.",
        remedy="Wait until it ends, then try again.",
    )
    NOT_A_LEDGER = Text("{file} is not a dpdesk ledger.", remedy="Choose another file.")
    NONE_TO_SET_ASIDE = Text("There is no ledger {file} to set aside.")
    NOT_MOVED = Text(
        "The ledger {file} cannot be moved: {reason}.",
        remedy="Allow yourself to write to its folder.",
    )
    NONE_TO_CONTINUE = Text("There is no ledger {file} to continue.")
    NOTHING_MISSING = Text("The ledger {file} is complete.", remedy="Continue as usual.")
    INTACT = Text(
        "The ledger {file} is intact and counts {count} release. A new one would forget it.",
        "The ledger {file} is intact and counts {count} releases. A new one would forget them.",
        remedy="Choose another file for a new ledger.",
        command="--ledger FILE",
    )

    # Where it is
    FOLDER_GONE = Text(
        "The ledger’s folder {folder} is missing.",
        remedy="Connect its drive, or choose another folder in Settings.",
    )
    CHOICE_UNREADABLE = Text(
        "The choice of the ledger’s folder cannot be read: {file}.",
        remedy="Make the file readable, or delete it to use the default folder.",
    )
    FOLDER_REFUSED = Text(
        "The ledger cannot be kept in {folder}: you cannot write there.",
        remedy="Choose a folder of your own.",
    )
    CHOICE_REFUSED = Text(
        "The choice of the ledger’s folder cannot be saved in {folder}: {reason}.",
        remedy="Make that folder writable.",
    )
    NO_FILE = Text("{option} names no file.", remedy="Add a file name, or leave the option out.")
    BAD_FILE = Text(
        "{option} is too long or not valid.", remedy="Choose a file, for example {example}."
    )
    IS_FOLDER = Text(
        "{option} names the folder {folder}.",
        remedy="Choose a file in it, for example {example}.",
    )
    NO_REGULAR_FILE = Text(
        "{option} does not name a regular file.", remedy="Choose a file, for example {example}."
    )
