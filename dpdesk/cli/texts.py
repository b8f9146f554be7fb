"""The command line's own sentences, which may name its commands and options."""

from dpdesk.cli.reading_texts import ReadingTexts
from dpdesk.i18n import Text

_LOOK = "dpdesk confirm PLAN.json --data DATA"


class T(ReadingTexts):
    """Sentences of the command line."""

    # Plans and columns
    PLAN_WRITTEN = Text("The plan was written to {file}.")
    TOTAL_EPSILON = Text("Total epsilon: {epsilon}")
    BAD_FORM = Text(
        "{option} {setting} is not of the form {form}.", remedy="Write, for example, {example}."
    )
    GIVEN_TWICE = Text("{option} is given twice for “{name}”.", remedy="Leave one of them out.")
    NO_COLUMN = Text(
        "The survey has no column “{name}”.",
        remedy="Write the name exactly as in the first line of the file.",
    )
    ONE_COLUMN_EACH = Text(
        "The survey has no column “{name}”.",
        remedy="{option} takes one column. Repeat it for each.",
    )
    HELP_DECLARE = Text("what a column can hold, as public knowledge: {forms}; may be repeated")
    NO_BOUNDS = Text(
        "“{name}” is declared with neither bounds nor at least two categories.",
        remedy="Write {form}.",
    )
    BAD_DECLARATION = Text("The declaration of “{name}” is not possible. {reason}")
    NUMBER_OR_DATE = Text(
        "Write a number or a date for each end, for example 18..90 or 1930..2010."
    )
    NOT_OF_KIND = Text(
        "The possible answers declared for “{name}” do not make it {kind}.",
        remedy="Change its kind or its possible answers.",
        command="--kind or --declare",
    )
    OVER_TOTAL = Text(
        "The settings use ε = {used}, more than the total of {total}.",
        remedy="Raise the total, or lower an epsilon.",
        command="--epsilon or --set",
    )
    BAD_TOTAL = Text(
        "The total epsilon must be above 0 and at most {most}.",
        remedy="Enter a number, for example 8 or 2.5.",
    )
    ONE_QUESTION = Text(
        "{count} columns look like one question with several answers, “{name}”. "
        "If they are, add {words}"
    )
    NOTHING_TO_SPLIT = Text(
        "No column has possible answers, so there is nothing to split epsilon over.",
        remedy="Declare the possible answers.",
        command="--codebook or --declare",
    )
    NOTHING_TO_DRAFT = Text(
        "There is nothing to draft a plan from.",
        remedy="Name a survey, a file with the names of its columns, or a codebook.",
    )
    NEEDS_SURVEY = Text("{option} concerns the answers of a survey.", remedy="Name the survey too.")
    NO_KIND = Text(
        "The kind given for “{name}” is not a kind of column.", remedy="Use one of {kinds}."
    )
    NOTHING_TO_PROTECT = Text(
        "“{name}” is of kind {kind} and has no possible answers to protect.",
        remedy="Drop it, or declare its possible answers.",
        command="--declare",
    )
    ONE_REPORTED = Text(
        "Each respondent reports one answer, drawn at random (strategy {strategy})."
    )
    ONE_REPORTED_WITH_FAKES = Text(
        "Each respondent reports one answer, drawn at random, and fakes (strategy {strategy})."
    )
    EPSILON_OF_ONE = Text(
        "Epsilon of a single attribute: {epsilon}. Papers on this strategy state {stated}."
    )
    TO_SOLVE = Text(
        "{count} problem to solve before a release:", "{count} problems to solve before a release:"
    )
    CATEGORIES_OF = Text("{count} category of “{name}”", "{count} categories of “{name}”")
    BOUNDS_OF = Text("{count} bound of “{name}”", "{count} bounds of “{name}”")
    FEW_GAVE = Text(
        "Fewer than {few} respondents gave {answers}. A release publishes these.",
        remedy="Check them, and declare what is known without the data.",
        command="dpdesk confirm PLAN.json --data DATA; draft --declare",
    )
    FREE_TEXT = Text(
        "Texts of {names} look like free text, and a release can now publish them.",
        remedy="Check them first.",
        command=_LOOK,
    )
    FREE_TEXT_OF_FEW = Text(
        "Texts of {names} look like free text that fewer than {few} respondents wrote. "
        "They are not confirmed.",
        remedy="Check them, then confirm each by its name.",
        command="dpdesk confirm PLAN.json --data DATA; dpdesk confirm PLAN.json COLUMN -o NEW.json",
    )
    ERRORS = Text("{count} error", "{count} errors")
    WARNINGS = Text("{count} warning", "{count} warnings")

    # Confirming
    NO_DOMAIN = Text(
        "The plan has no possible answers of “{name}”.",
        remedy="Declare them, or leave it out.",
        command="--declare",
    )
    FEW_DECIDE = Text(
        "{count} domain depends on fewer than {few} of {rows} respondents.",
        "{count} domains depend on fewer than {few} of {rows} respondents.",
    )
    READ_AS = Text("How the file is read: {reading}")
    CONFIRMED = Text("{count} domain was confirmed.", "{count} domains were confirmed.")
    LEFT_TO_CONFIRM = Text(
        "{count} domain must be confirmed by name.", "{count} domains must be confirmed by name."
    )
    ANALYSES_ADDED = Text("Added to the analyses: {analyses}")
    CATEGORIES = Text("{count} category", "{count} categories")
    ASKED_WHERE = Text("Asked only where {condition}, which the report publishes.")
    SHARE_WITHHELD = Text("The share answered among those asked is not published: {reason}")
    RARE = Text(
        "{count} category with fewer than {few} answers: {values}",
        "{count} categories with fewer than {few} answers: {values}",
    )
    LIKE_FREE_TEXT = Text(
        "{count} category has blanks or digits, like free text.",
        "{count} categories have blanks or digits, like free text.",
    )
    RARE_BOUNDS = Text(
        "{count} bound has fewer than {few} answers.",
        "{count} bounds have fewer than {few} answers.",
    )
    OUTSIDE = Text("{count} answer outside", "{count} answers outside")
    BETWEEN_STEPS = Text("{count} answer between the steps", "{count} answers between the steps")

    # Choosing
    NOT_IN_POINTS = Text(
        "The error of “{name}” is not in percentage points.", remedy="Enter the number alone."
    )
    TWO_TARGETS = Text(
        "Two targets name “{name}”.", remedy="Keep one of them.", command="--expect for the other"
    )

    # Coarsening
    NOT_QUASI = Text(
        "“{name}” is not a quasi-identifier, so it is not made coarser.",
        remedy="Name it as one, or leave its levels out.",
        command="--quasi",
    )
    WIDTHS_BESIDE_FILE = Text(
        "Widths have no effect on “{name}” beside its file of levels.",
        remedy="Leave one of them out.",
    )
    UNDECLARED = Text(
        "Nothing declares the possible answers of {names}: levels follow from the records.",
        remedy="Declare them before a file is written, or accept that levels disclose something.",
        command="--declare, --plan, --hierarchy or --levels-from-data",
    )
    KEPT_BY_PLAN = Text(
        "A release of the plan keeps {count} record that coarsening leaves out.",
        "A release of the plan keeps {count} records that coarsening leaves out.",
        remedy="Check the risk of the plan.",
        command="dpdesk risk",
    )

    # Attacks and simulations
    ATTACK = Text(
        "{title}. {question} {method} Source: {reference}. Without a survey, it attacks an example."
    )
    NO_ATTACK = Text(
        "“{name}” is neither a file nor an attack. The nearest attack is {near}.",
        command="dpdesk attack",
    )
    RECORDS_LOSE_MORE = Text(
        "Under RS+FD and RS+RFD, whole records lose more than the epsilon of the papers: {losses}"
    )
    SIMULATION_ERROR = Text("Standard error of the simulation: at most {percent} % of an error")
    HOW_OFTEN = Text(
        "{count} repetition at each epsilon (--repetitions)",
        "{count} repetitions at each epsilon (--repetitions)",
    )
    NOISE_OF_TEST = Text(
        "Tested on sanitized answers, part of the loss is the noise of the test itself."
    )
    EXAMPLE_ALONE = Text(
        "--example has its own survey and plan.",
        remedy="Leave out the survey and the plan, or the example.",
    )
    LEARN_NEEDS = Text(
        "A survey, its plan and the column to predict are needed.",
        remedy="Name all three, or try an example.",
        command="survey.csv --plan plan.json --label smokes; --example pima",
    )

    # Estimates
    RECORDS = Text("{count} record", "{count} records")
    WEIGHTED_BY = Text("Weighted by “{name}”.")
    SEVERAL_QUESTIONS = Text("{options} are different questions.", remedy="Ask one at a time.")
    BY_UNUSED = Text(
        "--by has no effect beside {option}.", remedy="Name all columns with {option}."
    )
    NEEDS_GROUPS = Text(
        "{option} needs groups.", remedy="Name one or two columns.", command="--by A[,B]"
    )
    INDEPENDENT = Text("Are {first} and {second} independent?")
    REGRESSION = Text("{model} regression of {outcome}")
    LOG_ODDS = Text("Log odds ratios of {others} against {first}")

    # Files
    PRINTED_OVER = Text(
        "{file} is read by this command, and the output is redirected into it.",
        remedy="Redirect the output to another file.",
    )
    IS_LEDGER = Text("{file} is a dpdesk ledger.", remedy="Choose another name.")
    IN_RELEASE = Text(
        "{file} would lie in the folder of a release, which would no longer match its manifest.",
        remedy="Choose another folder.",
    )
    NOT_PRINTED = Text(
        "The release was written to {folder} and is charged, but the output could not be written.",
        remedy="See the ledger.",
        command="dpdesk ledger",
    )
    PRIVATE_DIAGNOSTICS = Text("PRIVATE diagnostics, not for publication: {file}")
    NO_HANDOUT_FILE = Text(
        "There is no file to write the handout to.", remedy="Name one.", command="-o FILE.pdf"
    )

    # From Python
    NAME_NO_TEXT = Text(
        "The name of a column is not a text.", remedy="Write its name, for example 'age'."
    )
    HELP_NO_OPTION = Text("help= is not an option.", remedy="Use help() of Python.")

    # Ledger
    BAD_CAP = Text(
        "This is not a valid cap.",
        remedy="Enter a number from 0 to 9999 with at most 12 digits after the point.",
    )
    BAD_DELTA = Text("Delta must be from 0 to below 1.", remedy="Enter a number, for example 1e-6.")
    IS_CALLED = Text("“{old}” is now called “{new}”.")
    STAYS_CHARGED = Text("The draw had started, so its loss stays charged to “{name}”.")
    AS_PEOPLE_OF = Text("the same people as “{name}”")
    SPENT_WITH = Text(
        "ledger: “{name}”: ε = {before} spent by {count} earlier release, {now} with this one.",
        "ledger: “{name}”: ε = {before} spent by {count} earlier releases, {now} with this one.",
    )
    REMAINS = Text("ε = {epsilon} remains.")
    REMAINS_OF = Text("ε = {left} of {cap} remains:")
    SPENT = Text(
        "{model}: ε = {epsilon} spent by {count} release (protection: {strength})",
        "{model}: ε = {epsilon} spent by {count} releases (protection: {strength})",
    )
    FILES = Text("{count} file", "{count} files")
    OTHER_PEOPLE = Text("declared to be other people than “{name}”.")
    SAME_PEOPLE_THEN = Text(
        "If these are the same people, release it with --population {population}."
    )
    NEW_LEDGER = Text("A new ledger was started: {file}. It knows no earlier release.")
    LEDGER_SINCE = Text("The ledger was started on {day} (UTC). Earlier releases are not counted.")
    EARLIER_LEDGER = Text(
        "An earlier ledger was set aside as {folder}. Its releases are not counted."
    )
    GAP = Text(
        "On {day} an older copy was restored. {count} missing entry is not counted.",
        "On {day} an older copy was restored. {count} missing entries are not counted.",
    )
    SET_ASIDE = Text("The ledger was set aside as {folder}. A new one was started.")
    OLDER_COPY_ACCEPTED = Text(
        "The ledger continues from this copy. {count} entry is missing, as it now records.",
        "The ledger continues from this copy. {count} entries are missing, as it now records.",
    )
    STORED_BY_OTHER_VERSION = Text(
        "These answers were stored by another version of dpdesk.",
        remedy="Print them as JSON.",
        command="--json",
    )
    NEEDS_POPULATION = Text(
        "This concerns one population.", remedy="Name it.", command="--population"
    )
    IN_LEDGER = Text("Release {release} is in the ledger.")
    MISSING_IN_LEDGER = Text(
        "Release {release} is MISSING in the ledger it was charged to, which is an older copy."
    )
    IN_OTHER_LEDGER = Text("Release {release} was charged to another ledger.")
    IN_NO_LEDGER = Text("Release {release} does not name its ledger, and this one lacks it.")
    NO_RELEASE_IN = Text("There is no release in {folder}.", remedy="Name the folder of a release.")
    ENTERED = Text("The release in {folder} was entered for “{population}”.")
