"""The sentences of releases: their folders, and what is read from them."""

from dpdesk.i18n import Text

_NOT_BY_MISTAKE = "--unverified, to use it all the same"


class T:
    """Sentences of releases."""

    # Writing a folder
    NO_ROOM = Text(
        "The release can take {size} MB and has no room: {reason}. Nothing was charged or drawn.",
        remedy="Free space, or choose another place.",
    )
    NOT_A_FOLDER = Text("{name} exists already and is not a folder.", remedy="Choose another name.")
    NOT_EMPTY = Text("The folder {name} is not empty.", remedy="Choose a new folder.")
    NO_RIGHTS = Text(
        "Nothing can be written into the folder {name}: {reason}.",
        remedy="Choose a folder that you may write to. No files were kept.",
    )
    NOT_WRITTEN = Text(
        "The folder {name} cannot be written: {reason}.",
        remedy="Free space or choose another place. No files were kept.",
    )
    NO_FOLDER = Text("This release is written into a folder.", remedy="Name the folder.")
    WITHOUT_FILE = Text("The release has no {file}. {reason}")
    NOT_MADE = Text("It could not be made ({kind}).")
    OLDER_LEDGER = Text(
        "The ledger was replaced by an older copy without the release in {names}. Nothing was "
        "drawn.",
        remedy="Restore the newer ledger, or enter the release again.",
        command="dpdesk ledger --enter FOLDER --population NAME",
    )
    NAMED_TWICE = Text("{name} is named twice.", remedy="Name it once.")
    TOO_MANY_LEVELS = Text(
        "A coarsened file has at most {most} columns with levels.", remedy="Name fewer columns."
    )

    # True answers
    OTHER_ENDING = Text(
        "Private diagnostics are written as .html or .json.", remedy="Choose such a name."
    )
    INTO_RELEASE = Text(
        "This file is made from true answers and must not lie in the folder of a release.",
        remedy="Choose a place that is not published.",
    )
    TO_CATEGORY = Text("the category “{name}”")
    TO_NONE = Text("none allowed")
    TO_BOUND = Text("the nearest bound")

    # Reading a folder
    NO_PLAN = Text(
        "There is no plan beside these records.", remedy="Name their plan.", command="--plan PLAN"
    )
    OF_STATISTICS = Text(
        "This is a release of statistics; its numbers are estimates already.",
        remedy="Read {file} or report.html in its folder.",
    )
    OF_SYNTHETIC = Text(
        "These are synthetic records: errors computed from them would be too small.",
        remedy="Read report.html in their folder.",
    )
    NEITHER = Text(
        "{name} is neither a folder nor a file.",
        remedy="Choose the folder of a release, or its records.",
    )
    NO_RELEASE = Text(
        "{name} is no release: it has neither a manifest nor a report.",
        remedy="Choose the folder of a release.",
        command=_NOT_BY_MISTAKE,
    )
    NOT_AS_LISTED = Text(
        "This is not the release that its manifest describes. {faults}",
        remedy="Get the folder again from its curator.",
        command=_NOT_BY_MISTAKE,
    )
    OTHER_PLAN = Text(
        "{name} differs from the plan that these records were made by.",
        remedy="Use the plan beside them.",
        command=_NOT_BY_MISTAKE,
    )
    NOT_BESIDE = Text("{name} is not the plan beside these records.")
    NO_MANIFEST = Text("There is no manifest beside these records: changes would not be noticed.")
    OTHER_RELEASE = Text("{file} is of another release than {report}.")
    UNREADABLE = Text("{file} cannot be read: {reason}.")
    NO_JSON = Text("{file} is not a manifest: it {reason}.")
    NOT_A_MANIFEST = Text("{file} is not the manifest of a release.")
    NEWER = Text("{file} was written by a newer dpdesk.")
    NO_DIGESTS = Text("{file} does not list files with their sizes and digests.")
    LISTS_OUTSIDE = Text("{file} lists a file twice, or one that is not in its folder.")
    NOT_LISTED = Text("{file} is not listed in the manifest.")
    MISSING = Text("{file} is missing.")
    OTHER_SIZE = Text("{file} has {bytes} bytes instead of {listed}.")
    CHANGED = Text("{file} was changed.")
