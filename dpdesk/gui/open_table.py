"""The task that reads data and drafts a plan for them; it runs in a thread, independent of Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from dpdesk.data.joined_columns import joined
from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.read_file import load, load_declared, reading_of
from dpdesk.data.read_records import is_release
from dpdesk.data.regular_file import DATA_MAX, FileRefusedError, is_folder, open_regular
from dpdesk.data.sample import load_sample, sample_codebook
from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import InputError
from dpdesk.i18n import N_
from dpdesk.numbers import exact_number
from dpdesk.plan import Plan, PlanDetails, draft_table, protect_unassigned
from dpdesk.plan.budget import DEFAULT_BUDGET
from dpdesk.plan.checks.table import check_names
from dpdesk.plan.problem import grouped

_READ = 0.7
"""Share of the work that reading the file is."""

SAMPLE_EPSILON = Decimal(4)
"""Epsilon of a whole record in the plan of the sample."""


@dataclass(frozen=True)
class PlanDefaults:
    """What a new plan begins with.

    Attributes:
        budget: Epsilon of a whole record.
        confidence: Coverage of the intervals of statistics, which the plan states. Shares and means
            of released records have intervals of 95 % everywhere: verdicts are judged by them.
    """

    budget: Decimal = DEFAULT_BUDGET
    confidence: Decimal = Decimal("0.95")

    @classmethod
    def stored(cls, budget: str, confidence: str) -> PlanDefaults:
        """Returns the defaults from stored texts; what is not valid is left at its own default."""
        defaults = cls()
        for name, text in (("budget", budget), ("confidence", confidence)):
            number = exact_number(text)
            if number is None:
                continue
            changed = replace(defaults, **{name: number})
            try:
                changed.of(Plan())
            except ValueError:
                continue
            defaults = changed
        return defaults

    def of(self, plan: Plan) -> Plan:
        """Returns a new plan with these defaults.

        Raises:
            ValueError: A plan cannot have them.
        """
        statistics = plan.statistics.with_fields(confidence=self.confidence)
        return plan.with_fields(budget=self.budget, statistics=statistics)


@dataclass(frozen=True)
class OpenedTable:
    """The result of reading data.

    Attributes:
        table: The data.
        draft: A plan drafted from them.
        path: Their file; None for the bundled sample.
        replaces_plan: Whether the draft replaces the current plan even if that fits.
        sets_reading: Whether the current plan takes over how they were read.
        is_confirmed: Whether the reading is confirmed to be public knowledge.
        is_ready: Whether the draft needs no decision before it is looked at on the Plan page.
        begins_plan: Whether the draft is a plan of its own, not the current one with new
            suggestions.
    """

    table: SurveyTable
    draft: Plan
    path: Path | None
    replaces_plan: bool = False
    sets_reading: bool = False
    is_confirmed: bool = False
    is_ready: bool = False
    begins_plan: bool = False


@dataclass(frozen=True)
class ReadingWish:
    """The user's choices of how to read data.

    Attributes:
        parts: Chosen parts of the reading, None for those to be detected; empty if nothing was
            chosen, so that a plan that fits decides.
        is_confirmed: Whether the resulting reading is confirmed to be public knowledge.
        redraft: Whether to draft a new plan even if the current one fits.
        defaults: What a drafted plan begins with.
        anew: Whether the file is read, and a plan is drafted, as if there was no plan.
        decided: Whether somebody decided on the current plan. Of any other only the reading is
            kept, and only if the file has exactly its columns.
    """

    parts: Mapping[str, Any]
    is_confirmed: bool = False
    redraft: bool = False
    defaults: PlanDefaults = PlanDefaults()
    anew: bool = False
    decided: bool = True


Opened = Literal["data", "plan", "release"]


def opened_as(path: Path) -> Opened:
    """Returns what a file or folder is opened as.

    A folder is one of parts of a table where all of its files may be and none holds the records
    of a release; else it is that of a release.
    """
    if is_folder(path):
        return "release" if is_release(path) else "data"
    return "plan" if _holds_plan(path) else "data"


def _holds_plan(path: Path) -> bool:
    """Whether a file is opened as a plan: by its ending, unless it holds records.

    An object of JSON is one of records where it does not begin by saying which format it has.
    """
    if path.suffix.lower() != ".json":
        return False
    try:
        with open_regular(path, DATA_MAX) as file:
            head = b"".join(file.read(4096).split())
    except FileRefusedError:
        # Opening it tells the cause.
        return True
    # A list of objects; an empty one is neither, and is refused as a plan.
    is_record = head.startswith(b'{"') and b'"format":' not in head
    return not (head.startswith(b"[{") or is_record)


def fits(plan: Plan, table: SurveyTable) -> bool:
    """Whether a plan can belong to these data: they have at least half of its columns."""
    names = set(table.names)
    known = sum(column.name in names for column in plan.columns)
    return known > 0 and 2 * known >= len(plan.columns)


def as_read(table: SurveyTable | None, plan: Plan) -> SurveyTable | None:
    """The table with those columns and rows joined that the plan reads as one.

    A file that lacks one of them stays as it is; the checks say that it was read differently.
    """
    if table is None or plan.reading is None:
        return table
    try:
        return joined(table, plan.reading.questions, plan.reading.joined_rows)
    except InputError:
        return table


def differences(plan: Plan, table: SurveyTable) -> tuple[str, ...]:
    """Returns how the columns of a plan differ from those of data, in the words of the check."""
    return tuple(problem.message for problem in grouped(check_names(plan, table)))


def read_table(path: Path, wish: ReadingWish, plan: Plan, tracker: Tracker) -> OpenedTable:
    """Reads a file as chosen, else by the current plan if that fits, else as detected.

    Args:
        path: The file.
        wish: The user's choices.
        plan: The current plan.
        tracker: Progress and cancel.

    Raises:
        InputError: The file is not a table.
        Cancelled: The user cancelled.
    """
    tracker.progress(N_("Reading the file"), 0.0)
    table = None if wish.parts or wish.anew else _by_plan(path, plan, tracker)
    anew = wish.anew
    if plan.reading is not None and not (wish.decided or wish.parts):
        anew = anew or table is None or bool(differences(plan, table))
        table = None if anew else table
    if table is None:
        parts = dict(wish.parts)
        missing = parts.pop("missing", ())
        table = load(path, names_alone=True, tick=tracker.tick, progress=_read(tracker), **parts)
        reading = reading_of(**(table.reading.model_dump() | {"missing": missing}))
        table = replace(table, reading=reading)
        own = None if plan.reading is None or wish.redraft or anew else as_read(table, plan)
        keeps = own is not None and fits(plan, own)
        table = own if keeps and own is not None else _with_questions(table, table.declared)
    tracker.progress(N_("Looking at the columns"), _READ)
    # Nothing of how a file with its own structure is read was found in its answers.
    is_known = bool(table.reading.format) and not table.is_reading_found
    is_confirmed = wish.is_confirmed or is_known
    draft = wish.defaults.of(draft_table(table)).with_fields(reading_confirmed=is_confirmed)
    if wish.redraft:
        draft = _with_whole(draft, plan)
    return OpenedTable(
        table,
        draft,
        path,
        replaces_plan=wish.redraft or anew,
        sets_reading=bool(wish.parts),
        is_confirmed=is_confirmed,
        begins_plan=anew,
    )


def _read(tracker: Tracker) -> Callable[[float], None]:
    return lambda share: tracker.progress(N_("Reading the file"), _READ * share)


def _with_whole(draft: Plan, plan: Plan) -> Plan:
    """The draft with what the current plan decides on the whole, not on single columns."""
    own = ("details", "strategy", "purpose", "fakes", "budget", "shuffle", "allowed_unfit")
    draft = draft.with_fields(**{name: getattr(plan, name) for name in own})
    names = {column.name for column in draft.columns}
    impossible = (one.columns for one in plan.synthesis.impossible)
    if names.issuperset(plan.statistics.columns, *impossible):
        return draft.with_fields(statistics=plan.statistics, synthesis=plan.synthesis)
    return draft


def _with_questions(table: SurveyTable, questions: tuple[JoinedColumns, ...]) -> SurveyTable:
    """The table with the questions that its file declares; as it is where they do not fit."""
    try:
        return joined(table, questions)
    except InputError:
        return table


def _by_plan(path: Path, plan: Plan, tracker: Tracker) -> SurveyTable | None:
    """The table read by the plan's reading; None if the plan has none or does not fit."""
    if plan.reading is None:
        return None
    try:
        table = load_declared(path, plan.reading, tracker.tick, _read(tracker))
    except InputError:
        return None
    return table if fits(plan, table) else None


def read_sample(tracker: Tracker) -> OpenedTable:
    """Reads the bundled sample, with a plan that is ready to be released."""
    tracker.progress(N_("Reading the file"), 0.0)
    table = load_sample()
    return OpenedTable(table, sample_plan(table), None, replaces_plan=True, is_ready=True)


def sample_plan(table: SurveyTable) -> Plan:
    """Returns the plan that the bundled sample opens with.

    Its domains are documented in its codebook. Each respondent reports one answer: with all nine
    answers of every respondent at the same epsilon, errors would be three times as large.
    """
    title = PlanDetails(title="Extramarital affairs (Fair 1978), sample")
    draft = draft_table(table, sample_codebook()).with_fields(strategy="smp", details=title)
    return protect_unassigned(draft, SAMPLE_EPSILON).with_fields(budget=SAMPLE_EPSILON)
