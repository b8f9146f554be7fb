"""The questions of the checklist and the reasons for their answers."""

from dpdesk.i18n import Text


class T:
    """Questions, of which "yes" favours the respondents, and reasons."""

    ASKS_LOSS = Text("Is ε stated for every part and for the whole?")
    LOSS_STATED = Text("Both are, as asked for and as run.")
    ASKS_REASONS = Text("Is the choice of ε justified?")
    REASONS_GIVEN = Text("The reasons are given under Justification.")
    NO_REASONS = Text("The plan gives no reasons, or not for every variable.")
    ASKS_UNIT = Text("Are the unit of privacy and the neighbouring data stated?")
    UNIT = Text("{unit}; {relation}.")
    ASKS_ENFORCED = Text("Is the bound on a respondent’s rows enforced?")
    ASKS_EARLIER = Text("Are earlier releases of the same answers counted?")
    EARLIER_LISTED = Text("Those of the declared population are listed under Budget.")
    EARLIER_UNLISTED = Text("No population was declared; only the curator’s ledger counts them.")
    ASKS_EVERY_COLUMN = Text("Does the guarantee cover every released column?")
    COLUMNS_KEPT = Text("Released unprotected: {names}.")
    NO_COLUMN_KEPT = Text("No column is released unprotected.")
    ASKS_KEPT = Text("Is the mechanism shown to keep its ε?")
    LAWS_EXACT = Text("Its largest ratio of probabilities is computed exactly, in whole numbers.")
    OPENDP_DRAWS = Text("OpenDP draws noise and choices; its samplers are proven.")
    GAUSSIAN_SCALE = Text(
        "Gaussian noise has its exact loss (Balle & Wang 2018; Canonne, Kamath & Steinke 2020)."
    )
    STAIRCASE_EXACT = Text(
        "dpdesk draws staircase noise; its largest ratio of probabilities is computed exactly."
    )
    SENSITIVITIES_DERIVED = Text("This report derives the sensitivity of every query.")
    ASKS_FLOATS = Text("Are attacks through floating-point numbers prevented?")
    DRAWS_WHOLE = Text("Draws compare whole numbers of 64 bits.")
    SUMS_WHOLE = Text(
        "Statistics are sums of whole numbers. Noise is drawn on their grid, or on a finer one by "
        "OpenDP."
    )
    ASKS_RANDOM = Text("Are the random numbers cryptographic, and is there no seed?")
    SYSTEM_RANDOM = Text("They come from the operating system; dpdesk uses no seed.")
    ASKS_SIDE_CHANNELS = Text("Are side channels, for example running time, excluded?")
    NO_TIMES_SEEN = Text("Only the curator takes part in the run; readers see no running times.")
    ASKS_DOMAINS = Text("Are domains and bounds known without the data?")
    READ_OFF = Text("Read off the data, then confirmed as public knowledge: {names}.")
    DOMAINS_DECLARED = Text("They were declared, and confirmed as public knowledge.")
    ASKS_LOOKED = Text("Was the plan made without looking at the answers?")
    LOOKED_UNKNOWN = Text("dpdesk shows the answers to the curator and does not record it.")
    ASKS_SMALL_GROUPS = Text("Are small groups served as well as large ones?")
    SAME_NOISE = Text("The noise is the same for all; small groups have larger relative errors.")
    ASKS_MISSING = Text("Are missing answers protected like others?")
    EMPTY_CELLS = Text("An empty cell shows who did not answer {names}.")
    MISSING_RANDOMIZED = Text(
        "They are randomized, become a declared value, or stop the release. No row is dropped."
    )
    MISSING_IN_QUERIES = Text(
        "Queries leave them out, count them, or take a declared value. The sensitivity allows for "
        "it."
    )
    ASKS_ADDED = Text("Are the losses of several variables combined, even of related ones?")
    ASKS_ORDER = Text("Is the order of the rows uninformative?")
    ROWS_SHUFFLED = Text("The rows are in random order.")
    ROWS_ORDERED = Text("The rows are in the order of the survey, which can identify people.")
    ASKS_RELEASE_ALONE = Text("Do estimates and this report use the release alone?")
    RELEASE_ALONE = Text("They are computed from the released records.")
    ASKS_ERRORS = Text("Are the errors of estimates stated?")
    ERRORS_STATED = Text("Errors of noise and of sampling are given, separately and together.")
    INTERVALS_STATED = Text(
        "Numbers have intervals, and choices a statement of accuracy. Sampling is included where "
        "possible."
    )
    MOVED_BIAS = Text("Answers moved to a bound add an unknown bias.")
    ASKS_AUDIT = Text("Has an independent party examined the implementation?")
    NO_AUDIT = Text("It is tested by enumeration; no auditor has examined it.")
    ASKS_EMPTY_GROUPS = Text("Are empty groups released like all others?")
    EMPTY_GROUPS_NOISY = Text("Every declared group has a noisy result.")
    ASKS_TRUST = Text("Is the trust model stated?")
    CENTRAL_TRUST = Text("The model is central: the curator is trusted with the answers.")
    LOCAL_BY_CURATOR = Text("The model is local, but the curator is trusted with the answers.")
    ASKS_BEFORE = Text("Were answers randomized before anyone else saw them?")
    CURATOR_SAW = Text("The curator held the true answers.")
    ASKS_ORIGINALS = Text("Are the original answers stored safely or deleted?")
    ORIGINALS_UNKNOWN = Text("dpdesk neither changes nor guards the original file.")
    ASKS_SPYWARE = Text("Was the computer free of spyware?")
    SPYWARE_UNKNOWN = Text("dpdesk cannot examine the computer that it runs on.")
    ASKS_INFORMED = Text("Were respondents informed of what would be collected and released?")
    INFORMED_UNKNOWN = Text("dpdesk does not know how the answers were collected.")
    FROM_TABLES_ALONE = Text("The synthetic records are computed from the noisy tables alone.")
    COUNTS_WHOLE = Text("Counts, noise and scores are whole numbers.")
    MISSING_AS_STATE = Text(
        "They count as an answer of their own, become a declared value, or stop the release."
    )
    ASKS_WARNED = Text("Does the report say what may not be concluded?")
    WARNED = Text("Errors computed from synthetic records are said to be too small.")
