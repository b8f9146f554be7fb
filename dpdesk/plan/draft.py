"""A first plan: suggested from the data or from a codebook, never confirmed by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from pydantic import ValidationError

from dpdesk.data.codebook import CodebookEntry
from dpdesk.data.missing_codes import TypedCodes
from dpdesk.data.suggest import ColumnSuggestion, suggest, suggest_column
from dpdesk.data.table import SurveyTable
from dpdesk.errors import InputError, ParameterError
from dpdesk.mechanisms import Mechanism, Order, Sampling, ranked
from dpdesk.plan.budget import resplit
from dpdesk.plan.column import NAME_MAX, ColumnPlan, domain_type
from dpdesk.plan.encoding import among_codes, undecided_codes
from dpdesk.plan.missing import TREATMENTS, MissingPolicy, protecting
from dpdesk.plan.model import COLUMNS_MAX, Plan, PlanDetails

DEFAULT_EPSILON = Decimal(1)


def draft_table(table: SurveyTable, codebook: Mapping[str, CodebookEntry] | None = None) -> Plan:
    """Drafts a plan for a table: kinds and domains suggested, nothing confirmed or assigned.

    Identifiers are proposed for dropping.

    Args:
        table: The data.
        codebook: Documented columns; they take precedence over the data.

    Raises:
        InputError: A plan cannot hold the table: too many columns, a name too long, or a domain
            of the codebook that does not belong to its kind.
    """
    known = codebook or {}
    _require_plannable(table)
    columns = tuple(
        _column(suggestion, known.get(suggestion.name)) for suggestion in suggest(table)
    )
    # No title: the file's name may be confidential.
    return Plan(
        respondents=table.rows or None,
        reading=table.reading,
        reading_confirmed=not table.is_reading_found,
        columns=columns,
    )


def draft_questionnaire(respondents: int) -> Plan:
    """Returns an empty plan for a future survey.

    Args:
        respondents: Expected number of respondents.
    """
    return Plan(details=PlanDetails(title="New questionnaire"), respondents=respondents)


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


def _column(suggestion: ColumnSuggestion, entry: CodebookEntry | None) -> ColumnPlan:
    known = suggestion if entry is None else entry
    try:
        return ColumnPlan(
            name=suggestion.name,
            label="" if entry is None else entry.label,
            kind=known.kind,
            domain=known.domain,
            provenance="suggested" if entry is None else "codebook",
            role="drop" if known.kind == "identifier" else "unassigned",
            missing=protecting(known.domain) if suggestion.has_missing else MissingPolicy(),
        )
    except ValidationError as error:
        if entry is None:
            raise
        reason = str(error.errors(include_url=False, include_input=False)[0]["msg"])
    raise InputError(
        f"The codebook's entry for {suggestion.name} is invalid: "
        f"{reason.removeprefix('Value error, ')}",
        column=suggestion.name,
        remedy="Correct the codebook, or draft without it.",
    )


def declare_missing(
    plan: Plan, table: SurveyTable, name: str, codes: TypedCodes, policy: str, value: str
) -> Plan:
    """Returns the plan with codes of no answer declared for a column, and what becomes of them.

    A domain that was suggested from the data is suggested anew, without the codes.

    Args:
        plan: The plan.
        table: The data.
        name: Name of the column.
        codes: What means no answer; the empty cell always does.
        policy: One of `TREATMENTS`; "" for the one by which they are protected.
        value: The category or the declared value; "" for the usual one.

    Raises:
        ParameterError: There is no such policy, or it does not fit the column.
    """
    column = plan.column(name)
    if column.provenance == "suggested":
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
        missing = MissingPolicy.model_validate(
            {
                "tokens": tuple(dict.fromkeys(("", *codes.tokens))),
                "ranges": codes.ranges,
                "labels": codes.labels,
                "policy": chosen,
                "value": value or treatment.default_value(domain),
            }
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
    fields = {key: getattr(missing, key) for key in MissingPolicy.model_fields}
    decided = "tokens" if mean_missing else "answers"
    fields[decided] = (*fields[decided], *codes)
    changed = column.changed(missing=MissingPolicy(**fields))
    if column.provenance == "suggested" and not column.confirmed:
        policy = changed.missing
        known = among_codes(texts, policy.tokens, policy.ranges, reading.decimal, as_numbers=True)
        answers = among_codes(texts, policy.answers, (), reading.decimal, as_numbers=True)
        found = suggest_column(texts, reading, known, answers)
        changed = changed.changed(kind=found.kind, domain=found.domain)
    if mean_missing and missing.policy == "none" and changed.domain is not None:
        fields |= {key: getattr(protecting(changed.domain), key) for key in ("policy", "value")}
        changed = changed.changed(missing=MissingPolicy(**fields))
    return plan.with_changed({plan.index_of(name): changed})


def protect(plan: Plan, name: str, epsilon: Decimal = DEFAULT_EPSILON) -> Plan:
    """Returns the plan with a column protected by the mechanism of least error.

    A column that already has a fitting mechanism keeps it, with its epsilon.

    Raises:
        ParameterError: No mechanism can protect the column as it is declared.
    """
    index = plan.index_of(name)
    column = plan.columns[index]
    others = len(plan.protected) - (column.role == "protect")
    return plan.with_changed({index: _protected(column, plan.sampling_of(others + 1), epsilon)})


def protect_unassigned(plan: Plan, total: Decimal | None = None) -> Plan:
    """Returns the plan with every unassigned column protected that can be.

    Args:
        plan: The plan.
        total: Epsilon of all protected columns together, including locked ones; if None, 1 for
            each newly protected column.

    Raises:
        ParameterError: The total is too small or too large for the number of columns.
    """
    changed: dict[int, ColumnPlan] = {}
    undecided = []
    attributes = len(plan.protected)
    for index, column in enumerate(plan.columns):
        if column.role == "unassigned" and column.effective_domain is not None:
            attributes += 1
            sampling = plan.sampling_of(attributes)
            changed[index] = _protected(column, sampling, DEFAULT_EPSILON)
            undecided += [index] * (column.mechanism is None)
    plan = plan.with_changed(changed)
    if total is not None:
        return choose_best(resplit(plan, total))
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
        best = _best(column, plan.sampling, mechanism.epsilon, by)
        if best is not None and best != mechanism:
            changed[index] = column.changed(mechanism=best)
    return changed


def _protected(column: ColumnPlan, sampling: Sampling, epsilon: Decimal) -> ColumnPlan:
    """The column protected by its own mechanism if that fits, else by that of least error."""
    domain = column.effective_domain
    if domain_type(column.kind) is None or domain is None:
        raise ParameterError(
            f"{column.name} has no domain that a mechanism could protect.",
            remedy="Declare its answers or its bounds, or drop it.",
        )
    own = column.mechanism
    if own is not None and own.objection(domain) is None and sampling.serves(type(own)):
        return column.changed(role="protect")
    best = _best(column, sampling, epsilon)
    if best is None:
        raise ParameterError(
            f"No mechanism of this strategy can protect {column.name}.",
            remedy="Choose another strategy for the plan, or drop the column.",
        )
    return column.changed(role="protect", mechanism=best)


def _best(
    column: ColumnPlan, sampling: Sampling, epsilon: Decimal, by: Order = "total"
) -> Mechanism | None:
    """The mechanism of least error for a column; None if none fits it and the strategy."""
    domain = column.effective_domain
    assert domain is not None  # noqa: S101 - callers look for a domain first
    expected = column.expected_shares
    ranking = ranked(domain, epsilon, expected=expected, by=by, sampling=sampling)
    return ranking[0].mechanism if ranking else None


def confirm_domains(plan: Plan, confirmed_by: str = "") -> Plan:
    """Returns the plan with every domain and the reading confirmed as public knowledge.

    Raises:
        ParameterError: The name of the person who confirms is too long for a plan.
    """
    columns = tuple(
        column.model_copy(update={"confirmed": True}) if column.domain is not None else column
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
    return plan.with_fields(
        columns=columns, details=details, reading_confirmed=plan.reading is not None
    )
