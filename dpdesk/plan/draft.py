"""A first plan: suggested from the data or from a codebook, never confirmed by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from decimal import Decimal

from pydantic import ValidationError

from dpdesk.cost import EPSILON_MAX
from dpdesk.data.codebook import CodebookEntry
from dpdesk.data.joined_columns import joined
from dpdesk.data.missing_codes import TypedCodes
from dpdesk.data.reading import JoinedColumns, Reading
from dpdesk.data.suggest import ColumnSuggestion, suggest, suggest_column
from dpdesk.data.table import SurveyTable
from dpdesk.domains import OptionSet
from dpdesk.errors import InputError, ParameterError
from dpdesk.mechanisms import Mechanism, Order, Sampling, best_of, proposed, ranked
from dpdesk.plan.budget import DEFAULT_BUDGET, resplit
from dpdesk.plan.column import NAME_MAX, ColumnPlan, domain_type
from dpdesk.plan.encoding import among_codes, undecided_codes
from dpdesk.plan.losses import total_epsilon
from dpdesk.plan.missing import TREATMENTS, MissingPolicy, protecting
from dpdesk.plan.model import COLUMNS_MAX, Plan, PlanDetails

DEFAULT_EPSILON = Decimal(1)


def draft_table(table: SurveyTable, codebook: Mapping[str, CodebookEntry] | None = None) -> Plan:
    """Drafts a plan for a table: kinds and domains suggested, nothing assigned.

    Nothing is confirmed but the domains of a codebook. Identifiers are proposed for dropping.

    Args:
        table: The data.
        codebook: Documented columns; they take precedence over the data.

    Raises:
        InputError: A plan cannot hold the table: too many columns, a name too long, or a domain
            of the codebook that does not belong to its kind.
    """
    known = codebook or {}
    _require_plannable(table)
    made = {question.name: question.domain for question in table.reading.questions}
    columns = tuple(
        _column(suggestion, known.get(suggestion.name), made.get(suggestion.name))
        for suggestion in suggest(table)
    )
    # No title: the file's name may be confidential.
    return Plan(
        respondents=table.rows or None,
        reading=table.reading,
        reading_confirmed=not table.is_reading_found,
        budget=DEFAULT_BUDGET,
        columns=columns,
    )


def draft_codebook(codebook: Mapping[str, CodebookEntry]) -> Plan:
    """Drafts a plan for a survey that is documented and has no answers yet.

    Args:
        codebook: Its columns, in their order.

    Raises:
        InputError: A domain of the codebook does not belong to its kind, or there are too many
            columns.
    """
    if len(codebook) > COLUMNS_MAX:
        raise InputError(
            f"The codebook has {len(codebook):,} columns; a plan can have {COLUMNS_MAX:,}.",
            remedy="Take columns out of it that are not needed, or split it.",
        )
    return Plan(columns=tuple(_documented(entry) for entry in codebook.values()))


def draft_questionnaire(respondents: int) -> Plan:
    """Returns an empty plan for a future survey.

    Args:
        respondents: Expected number of respondents.
    """
    return Plan(
        details=PlanDetails(title="New questionnaire"),
        respondents=respondents,
        budget=DEFAULT_BUDGET,
    )


def _require_plannable(table: SurveyTable) -> None:
    """Refuses a table before its answers are looked at."""
    name = table.name
    if len(table.columns) > COLUMNS_MAX:
        raise InputError(
            f"{name} has {len(table.columns):,} columns; a plan can have {COLUMNS_MAX:,}.",
            remedy="Take columns out of the file that are not needed, or split it.",
        )
    for position, column in enumerate(table.names, 1):
        if len(column) > NAME_MAX:
            raise InputError(
                f"The name of column {position:,} of {name} is longer than {NAME_MAX:,} "
                "characters.",
                remedy="Shorten it in the file's first line. If this line is an answer, load the "
                "file without a header.",
            )


def _column(
    suggestion: ColumnSuggestion, entry: CodebookEntry | None, options: OptionSet | None
) -> ColumnPlan:
    if entry is not None:
        return _documented(entry, has_missing=suggestion.has_missing)
    if options is not None:
        return _question(suggestion, options)
    return ColumnPlan(
        name=suggestion.name,
        kind=suggestion.kind,
        domain=suggestion.domain,
        provenance="suggested",
        role="drop" if suggestion.kind == "identifier" else "unassigned",
        missing=protecting(suggestion.domain) if suggestion.has_missing else MissingPolicy(),
    )


def _documented(entry: CodebookEntry, *, has_missing: bool = False) -> ColumnPlan:
    try:
        if entry.missing is None:
            missing = protecting(entry.domain) if has_missing else MissingPolicy()
        else:
            missing = MissingPolicy.model_validate(entry.missing)
            if "policy" not in entry.missing:
                missing = protecting(entry.domain, missing)
        return ColumnPlan(
            name=entry.name,
            label=entry.label,
            kind=entry.kind,
            domain=entry.domain,
            provenance="codebook",
            # Who brings a codebook has written its domains down without looking at the answers.
            confirmed=entry.domain is not None,
            role="drop" if entry.kind == "identifier" else "unassigned",
            missing=missing,
            other=entry.other,
        )
    except ValidationError as error:
        reason = str(error.errors(include_url=False, include_input=False)[0]["msg"])
    raise InputError(
        f"The codebook's entry for {entry.name} is invalid: {reason.removeprefix('Value error, ')}",
        column=entry.name,
        remedy="Correct the codebook, or draft without it.",
    )


def _question(suggestion: ColumnSuggestion, options: OptionSet) -> ColumnPlan:
    """The column of a question whose options are columns of the file: it was declared with it."""
    return ColumnPlan(
        name=suggestion.name,
        kind="several",
        domain=options,
        missing=protecting(options) if suggestion.has_missing else MissingPolicy(),
    )


def join_columns(
    plan: Plan, table: SurveyTable, question: JoinedColumns
) -> tuple[Plan, SurveyTable]:
    """Returns a plan and its table in which some columns are one question with several answers.

    If the columns were protected, the question is, at the epsilon that they had together.

    Args:
        plan: The plan.
        table: Its table.
        question: The question and its columns.

    Raises:
        InputError: The table lacks a column of it, or has another of its name.
        ParameterError: A column belongs to another question already.
        pydantic.ValidationError: Another column of the plan has its name.
    """
    reading = table.reading if plan.reading is None else plan.reading
    questions = (*reading.questions, question)
    reading = Reading.model_validate(reading.model_dump() | {"questions": questions})
    together = joined(table, questions)
    parts = {name for name in question.columns if any(c.name == name for c in plan.columns)}
    known = [plan.column(name) for name in question.columns if name in parts]
    made = _question(suggest_column(together.column(question.name), reading), question.domain)
    first = min((plan.index_of(name) for name in parts), default=len(plan.columns))
    columns = list(plan.columns)
    columns.insert(first, made)
    left = tuple(column for column in columns if column.name not in parts or column is made)
    joint = plan.with_fields(reading=reading, columns=left)
    epsilons = [c.mechanism.epsilon for c in known if c.role == "protect" and c.mechanism]
    if epsilons:
        together_epsilon = sum(epsilons) if plan.strategy == "spl" else max(epsilons)
        joint = protect(joint, question.name, min(Decimal(together_epsilon), EPSILON_MAX))
    return joint, together


def part_columns(plan: Plan, table: SurveyTable, name: str) -> tuple[Plan, SurveyTable]:
    """Returns a plan and its table in which the columns of a question stand for themselves again.

    Args:
        plan: The plan.
        table: Its table.
        name: Name of a question that is made of columns.
    """
    reading = table.reading if plan.reading is None else plan.reading
    questions = tuple(question for question in reading.questions if question.name != name)
    reading = reading.model_copy(update={"questions": questions})
    apart = joined(table, questions)
    index = plan.index_of(name)
    known = {column.name for column in plan.columns}
    parts = tuple(
        _column(suggest_column(column, reading), None, None)
        for column in apart.columns
        if column.name not in known
    )
    columns = (*plan.columns[:index], *parts, *plan.columns[index + 1 :])
    return plan.with_fields(reading=reading, columns=columns), apart


def declare_missing(
    plan: Plan,
    table: SurveyTable | None,
    name: str,
    codes: TypedCodes,
    policy: str,
    value: str,
) -> Plan:
    """Returns the plan with codes of no answer declared for a column, and what becomes of them.

    A domain that was suggested from the data is suggested anew, without the codes.

    Args:
        plan: The plan.
        table: The data, where there are any.
        name: Name of the column.
        codes: What means no answer; the empty cell always does.
        policy: One of `TREATMENTS`; "" for the one by which they are protected.
        value: The category or the declared value; "" for the usual one.

    Raises:
        ParameterError: There is no such policy, or it does not fit the column.
    """
    column = plan.column(name)
    if column.provenance == "suggested" and table is not None and table.rows:
        texts, reading = table.column(name), table.reading
        declared = among_codes(texts, codes.tokens, codes.ranges, reading.decimal, as_numbers=True)
        found = suggest_column(texts, reading, declared)
        column = column.changed(kind=found.kind, domain=found.domain)
    domain = column.domain
    if domain is None:
        raise ParameterError(
            f"{name} has no domain, so nothing can become of its missing answers.",
            remedy="Leave it out, or drop the column.",
        )
    chosen = policy or protecting(domain).policy
    treatment = TREATMENTS.get(chosen)
    if treatment is None or not treatment.serves(domain):
        fitting = ", ".join(key for key, one in TREATMENTS.items() if one.serves(domain))
        raise ParameterError(
            f"Missing answers of {name} cannot have this policy.", remedy=f"Use one of: {fitting}."
        )
    try:
        missing = column.missing.with_codes(codes).changed(
            policy=chosen, value=value or treatment.default_value(domain)
        )
    except ValidationError:
        raise ParameterError(
            f"The policy {chosen} takes no value.", remedy="Leave the value out."
        ) from None
    return plan.with_changed({plan.index_of(name): column.changed(missing=missing)})


def decide_codes(plan: Plan, table: SurveyTable, name: str, *, mean_missing: bool) -> Plan:
    """Returns the plan with what looks like codes of no answer in a column decided.

    A domain that was suggested from the data, and that nobody confirmed, is suggested anew.

    Args:
        plan: The plan.
        table: The data.
        name: Name of the column.
        mean_missing: Whether they mean no answer; else they are answers.

    Raises:
        ParameterError: Nothing in the column looks like a code.
    """
    column, texts, reading = plan.column(name), table.column(name), table.reading
    codes = undecided_codes(column, texts, reading)
    if not codes:
        raise ParameterError(
            f"No answer of {name} looks like a code that is not decided on.",
            remedy="Leave this out, or name the codes that mean no answer.",
        )
    missing = column.missing
    decided = "tokens" if mean_missing else "answers"
    missing = missing.changed(**{decided: (*getattr(missing, decided), *codes)})
    changed = column.changed(missing=missing)
    if column.provenance == "suggested" and not column.confirmed:
        policy = changed.missing
        known = among_codes(texts, policy.tokens, policy.ranges, reading.decimal, as_numbers=True)
        answers = among_codes(texts, policy.answers, (), reading.decimal, as_numbers=True)
        found = suggest_column(texts, reading, known, answers)
        changed = changed.changed(kind=found.kind, domain=found.domain)
    if mean_missing and missing.policy == "none" and changed.domain is not None:
        changed = changed.changed(missing=protecting(changed.domain, missing))
    return plan.with_changed({plan.index_of(name): changed})


def protect(plan: Plan, name: str, epsilon: Decimal = DEFAULT_EPSILON) -> Plan:
    """Returns the plan with a column protected by the mechanism of least error.

    A column that already has a fitting mechanism keeps it, with its epsilon. Where the budget
    would be exceeded it is split anew over the columns that are not locked.

    Raises:
        ParameterError: No mechanism can protect the column as it is declared.
    """
    index = plan.index_of(name)
    column = plan.columns[index]
    others = len(plan.protected) - (column.role == "protect")
    sampling, only = plan.sampling_of(others + 1), plan.purpose == "file"
    protected = _protected(column, sampling, epsilon, answers_only=only)
    changed = plan.with_changed({index: protected})
    if plan.budget is None or total_epsilon(changed) <= plan.budget:
        return changed
    with suppress(ParameterError):
        # Everything else is locked: the check says that the budget is exceeded.
        return resplit(changed)
    return changed


def protect_unassigned(plan: Plan, total: Decimal | None = None) -> Plan:
    """Returns the plan with every unassigned column protected that can be.

    Args:
        plan: The plan.
        total: Epsilon of all protected columns together, including locked ones; if None, the
            plan's budget, and without one 1 for each newly protected column.

    Raises:
        ParameterError: The total is too small or too large for the number of columns.
    """
    changed: dict[int, ColumnPlan] = {}
    undecided = []
    attributes = len(plan.protected)
    whole = plan.budget if total is None else total
    for index, column in enumerate(plan.columns):
        if column.role == "unassigned" and column.effective_domain is not None:
            attributes += 1
            sampling = plan.sampling_of(attributes)
            # With a total the best is chosen below, at the epsilon that it gives.
            changed[index] = _protected(
                column,
                sampling,
                DEFAULT_EPSILON,
                answers_only=plan.purpose == "file",
                is_interim=whole is not None,
            )
            undecided += [index] * (column.mechanism is None)
    plan = plan.with_changed(changed)
    if whole is not None and (changed or total is not None):
        budget = None if plan.budget is None else whole
        return choose_best(resplit(plan.with_fields(budget=budget), whole))
    if plan.strategy in {"rsfd", "rsrfd"}:
        # The best mechanism among fakes depends on the final number of attributes.
        plan = plan.with_changed(_best_of(plan, undecided, "total"))
    return plan


def choose_best(plan: Plan, name: str | None = None, by: Order = "total") -> Plan:
    """Returns the plan with the mechanism of least error at each attribute's own epsilon.

    A mechanism whose epsilon cannot be chosen stays, unless its column is named.

    Args:
        plan: The plan.
        name: One column, or None for every protected column that is not locked.
        by: The criterion: the total error over the expected distribution, or n Var*.
    """
    if name is not None:
        wanted = [index for index, column in enumerate(plan.columns) if column.name == name]
    else:
        wanted = [
            index
            for index, column in enumerate(plan.columns)
            if column.mechanism is not None and column.mechanism.adjustable and not column.locked
        ]
    return plan.with_changed(_best_of(plan, wanted, by))


def _best_of(plan: Plan, wanted: Iterable[int], by: Order) -> dict[int, ColumnPlan]:
    """The protected columns at these positions, each with its best mechanism."""
    changed: dict[int, ColumnPlan] = {}
    for index in wanted:
        column = plan.columns[index]
        mechanism = column.mechanism
        if column.role != "protect" or mechanism is None or column.effective_domain is None:
            continue
        only = plan.purpose == "file"
        best = _best(column, plan.sampling, mechanism.epsilon, by, answers_only=only)
        if best is not None and best != mechanism:
            changed[index] = column.changed(mechanism=best)
    return changed


def _protected(
    column: ColumnPlan,
    sampling: Sampling,
    epsilon: Decimal,
    *,
    answers_only: bool = False,
    is_interim: bool = False,
) -> ColumnPlan:
    """The column protected by its own mechanism if that fits, else by that of least error.

    Where the choice is an interim one, any that fits will do.
    """
    domain = column.effective_domain
    if domain_type(column.kind) is None or domain is None:
        raise ParameterError(
            f"{column.name} has no domain that a mechanism could protect.",
            remedy="Declare its answers or its bounds, or drop it.",
        )
    own = column.mechanism
    if own is not None and own.objection(domain) is None and sampling.serves(type(own)):
        return column.changed(role="protect")
    if is_interim:
        best = next(proposed(domain, epsilon, sampling), None)
    else:
        best = _best(column, sampling, epsilon, answers_only=answers_only)
    if best is None:
        raise ParameterError(
            f"No mechanism of this strategy can protect {column.name}.",
            remedy="Choose another strategy for the plan, or drop the column.",
        )
    return column.changed(role="protect", mechanism=best)


def _best(
    column: ColumnPlan,
    sampling: Sampling,
    epsilon: Decimal,
    by: Order = "total",
    *,
    answers_only: bool = False,
) -> Mechanism | None:
    """The mechanism to choose for a column; None if none fits it and the strategy."""
    domain = column.effective_domain
    assert domain is not None  # noqa: S101 - callers look for a domain first
    expected = column.expected_shares
    ranking = ranked(domain, epsilon, expected=expected, by=by, sampling=sampling)
    best = best_of(ranking, by, answers_only=answers_only)
    return None if best is None else best.mechanism


def confirm_domains(
    plan: Plan,
    confirmed_by: str = "",
    names: Iterable[str] | None = None,
    *,
    reading: bool = True,
) -> Plan:
    """Returns the plan with domains and the reading confirmed as public knowledge.

    Args:
        plan: The plan.
        confirmed_by: Who confirms; "" leaves the name that the plan has.
        names: The columns; None for all.
        reading: Whether how the file is read is confirmed too.

    Raises:
        ParameterError: The name of the person who confirms is too long for a plan.
    """
    wanted = {column.name for column in plan.columns} if names is None else set(names)
    columns = tuple(
        column.model_copy(update={"confirmed": True})
        if column.domain is not None and column.name in wanted
        else column
        for column in plan.columns
    )
    details = plan.details
    if confirmed_by:
        if len(confirmed_by) > NAME_MAX:
            raise ParameterError(
                f"The name of who confirms is longer than {NAME_MAX:,} characters.",
                remedy="Shorten it.",
            )
        details = details.model_copy(update={"confirmed_by": confirmed_by})
    confirmed = plan.reading is not None and (reading or plan.reading_confirmed)
    return plan.with_fields(columns=columns, details=details, reading_confirmed=confirmed)
