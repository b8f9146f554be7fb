"""The sentences of disclosure risk."""

from dpdesk.i18n import Text

_WIDER = "Ask for less, leave out more records, or give levels that merge more."
_LABELS = "Write each value, then its label on each level."
_LEAVE_OUT = "Leave the column out."


class T:
    """Sentences of disclosure risk and coarsening."""

    # What facts are called

    ROWS = Text("Respondents")
    KNOWN = Text("Known columns")
    MISSING_CELLS = Text("Missing cells")
    MISSING_ARE = Text("A missing cell is")
    VALUE_OF_THEIR_OWN = Text("a value of its own")
    ANY_VALUE = Text("any value")
    CLASSES = Text("Groups of equal records")
    K = Text("Smallest group (k)")
    K_AND_BELOW = Text("Smallest group (k); in groups below {k}: {rows}")
    FOLLOWS_OF = Text("Respondents whose {column} follows from their group")
    FOLLOWS_SUPPOSED = Text("Respondents whose {column} follows (supposed sensitive)")
    NO_SENSITIVE = Text("Tick a sensitive column to see for whom it follows.")
    NO_GROUPS = Text("There are no groups: missing cells match any value.")
    UNIQUE = Text("Unique respondents")
    BELOW = Text("Respondents in groups below {k}")
    RISK_HIGHEST = Text("Re-identification risk, highest")
    RISK_AVERAGE = Text("Re-identification risk, average")
    PEOPLE = Text("People represented, by the weights")
    PEOPLE_HIGHEST = Text("Risk among these people, highest")
    PEOPLE_AVERAGE = Text("Risk among these people, average")
    FOUND = Text("People expected to be found by linking all")
    GROUPS_REVEAL = Text("What the groups reveal")
    FOLLOWS = Text("Respondents whose answer follows")
    L_DISTINCT = Text("Fewest different answers in a group (l)")
    L_ENTROPY = Text("Entropy l (rare answers count less)")
    RECURSIVE = Text("Recursive c")
    ALPHA = Text("Largest share of an answer in a group")
    T_CLOSENESS = Text("Largest distance of a group from all (t)")
    STEPS = Text("As columns are added")
    COLUMN = Text("Column")
    UNIQUE_SHORT = Text("Unique")
    BELOW_SHORT = Text("Groups below {k}")
    SETS = Text("Columns that make respondents unique (at most {depth} together)")
    RECORDS = Text("Records")
    RISKIEST = Text("Riskiest records")
    RECORD = Text("Record")
    SCORE = Text("SUDA score")
    UNIQUE_ON = Text("Unique by")
    CHANGES = Text("If you change a column")
    CHANGE = Text("Change")
    DROP = Text("Drop or protect {column}")
    BANDS = Text("Give {column} in bands of {width}")
    MERGE = Text("Merge {count} rare answer of {column}", "Merge {count} rare answers of {column}")

    # Columns
    NO_COLUMN = Text("The data have no column “{column}”.", remedy="Choose among {known}.")
    NO_COLUMN__NEAR = Text(
        "The data have no column “{column}”.", remedy="Check the name: “{near}” is similar."
    )
    NO_ANSWERS = Text("All cells of “{column}” are missing.", remedy=_LEAVE_OUT)
    BAD_WEIGHTS = Text(
        "{count} record has no weight above 0 in “{column}”.",
        "{count} records have no weight above 0 in “{column}”.",
        remedy="Correct the weights, or leave them out.",
    )
    NO_KNOWN = Text(
        "No known columns are chosen.",
        remedy="Choose at least one, for example age, sex or postcode.",
        command="--quasi age,sex,postcode; dpdesk risk DATA suggests some",
    )
    KNOWN_AND_SENSITIVE = Text(
        "“{column}” is both a known and a sensitive column.", remedy="Choose one of them."
    )
    FEW_RECORDS = Text(
        "Re-identification risk needs at least two records.", remedy="Open a larger table."
    )
    MATCHING_FORMS_NO_GROUPS = Text(
        "Sensitive columns and weights need groups. Missing cells that match any value form none.",
        remedy="Leave them out, or take missing cells as a value of their own.",
    )
    MISSING_PATTERNS = Text(
        "Cells are missing in {patterns} combinations of columns; {most} can be compared.",
        remedy="Take missing cells as a value of their own, or name fewer columns.",
    )
    KEPT = Text("{columns}: {counts}.")
    KEPT_SAFE = Text("each of {rows} respondents shares their answers with {others} others or more")
    KEPT_BELOW = Text(
        "{count} of {rows} respondents shares their answers with fewer than {others} others",
        "{count} of {rows} respondents share their answers with fewer than {others} others",
    )
    KEPT_UNIQUE = Text(
        "{count} of {rows} respondents is unique", "{count} of {rows} respondents are unique"
    )

    # Levels
    NOT_ALL_LABELLED = Text("The levels of “{column}” do not label every value.", remedy=_LABELS)
    VALUE_TWICE = Text(
        "The levels of “{column}” list a value twice.", remedy="Give each value one row."
    )
    NO_LABEL = Text(
        "{count} value of “{column}” has no label on level {level}.",
        "{count} values of “{column}” have no label on level {level}.",
        remedy="Write a label in every cell. A star is the label of all values.",
    )
    LEVEL_SEPARATES = Text(
        "Level {level} of “{column}” separates in row {row} what the level before it merges.",
        remedy="Merge whole groups of the level before.",
    )
    LEVELS_UNUSABLE = Text(
        "The file of levels of “{column}” cannot be used. {reason}",
        remedy="Write a CSV table with a row per value: the value, then its label on each level.",
    )
    UNLISTED = Text(
        "{count} record holds a value that the levels of “{column}” do not list.",
        "{count} records hold values that the levels of “{column}” do not list.",
        remedy="Add the values to the file of levels, or declare the possible or missing answers.",
    )
    SUSPECTED_CODES = Text(
        "{count} record of “{column}” may hold a code of no answer, for example 99.",
        "{count} records of “{column}” may hold codes of no answer, for example 99.",
        remedy="Declare the codes of no answer, or the possible answers.",
        command="--missing-code=CODE or --declare {declaration}; dpdesk draft names the codes",
    )
    NO_LEVELS = Text(
        "“{column}” has no levels: nearly all of its values differ, or all are the same.",
        remedy="Declare the possible answers, give a file of levels, or leave the column out.",
    )
    MANY_DATES = Text(
        "“{column}” has more than {most} dates.",
        remedy="Declare a coarser step, for example by month.",
    )
    SEVERAL_ANSWERS = Text(
        "“{column}” holds several answers in a cell: no levels follow from its options.",
        remedy="Give a file of levels that lists its cells, or leave the column out.",
    )
    NO_NUMBERS = Text(
        "“{column}” holds no numbers to put into intervals.",
        remedy="Give a file of levels, or choose no widths.",
    )
    BAD_WIDTHS = Text(
        "Each width of “{column}” must be above 0 and a multiple of the one before.",
        remedy="Choose widths like 5,10,20.",
    )
    MANY_INTERVALS = Text(
        "Intervals of width {width} are more than {most}.", remedy="Choose a larger width."
    )

    # What is required
    SMALL_K = Text("The group size k must be at least 2.", remedy="Usual are 3, 5 and 10.")
    LARGE_K = Text(
        "k = {k} is more than the {rows} records of the file.",
        remedy="Choose k up to {rows}.",
    )
    NO_SENSITIVE_COLUMN = Text(
        "l and t need a sensitive column.", remedy="Choose one, or leave l and t out."
    )
    SMALL_L = Text("l must be at least 1.", remedy="Usual are 2 and 3.")
    LARGE_L = Text(
        "“{column}” has {values} different values, and a group needs {least}.",
        remedy="Choose l up to {values}.",
    )
    BAD_T = Text("t must lie between 0 and 1.", remedy="Usual are 0.2 to 0.5.")
    BAD_LIMIT = Text(
        "At most half of the records can be left out.",
        remedy="Give a share, for example 2% or 0.02, or a number of records, for example 30.",
    )
    UNREACHABLE = Text(
        "No levels reach {symbol} = {wanted}; the coarsest reach {reached}.", remedy=_WIDER
    )
    UNREACHABLE__TOGETHER = Text(
        "No levels reach k, l and t together; the coarsest reach k = {k}, l = {l}, t = {t}.",
        remedy=_WIDER,
    )
    ENTROPY_UNREACHED = Text(
        "All records together do not reach entropy l = {l}.", remedy="Choose a smaller l."
    )

    # How a file is coarsened
    MANY_COMBINATIONS = Text(
        "The levels have more than {most} combinations.",
        remedy="Choose fewer columns, or give some of them fewer levels.",
    )
    SEARCHED = Text(
        "Of {nodes} combinations of levels, {compared} were compared. None loses less ({loss})."
    )
    GAPS_IN_ORDER = Text(
        "“{column}” has {count} missing cell, which fits into no box.",
        "“{column}” has {count} missing cells, which fit into no box.",
        remedy="Choose one level per column, or leave the column out.",
        command="--method lattice",
    )
    NO_ORDER = Text(
        "“{column}” holds neither numbers nor ordered categories.",
        remedy="Declare its categories ordered, choose one level per column, or leave it out.",
        command="--ordered {column} or --method lattice",
    )
    CELLS_FOR_K_AND_L = Text(
        "Blanking cells supports k and distinct l only.",
        remedy="Leave entropy l and t out, or choose one level per column.",
        command="--method lattice",
    )
    CELLS_LEAVE_OUT = Text(
        "Blanking cells would leave out {count} record. The limit is {most}.",
        "Blanking cells would leave out {count} records. The limit is {most}.",
        remedy="Raise the limit, ask for less, or choose one level per column.",
        command="--suppress or --method lattice",
    )
    ALL_LEFT_OUT = Text(
        "Fewer than two records would be released.",
        remedy="Choose coarser levels, or ask for less.",
    )
    LARGE_TABLE = Text(
        "The table of {columns} has more than {most} cells.",
        remedy="Choose fewer columns, or columns of fewer values.",
    )
