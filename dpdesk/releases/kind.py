"""The interface of a kind of release: what is checked, charged, drawn and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from dpdesk.composition.strength import protection_of
from dpdesk.cost import PrivacyCost
from dpdesk.data.table import SurveyTable
from dpdesk.engine.cluster import Cluster
from dpdesk.engine.jobs import Tracker
from dpdesk.i18n import N_
from dpdesk.ledgers import KindName
from dpdesk.plan import Plan, Problem
from dpdesk.plan.checks.table import AnswerChecks
from dpdesk.plan.release_usefulness import ReleaseUsefulness
from dpdesk.releases.folder import (
    ANNEX_NAME,
    HTML_NAME,
    MANIFEST_NAME,
    PDF_NAME,
    PLAN_NAME,
    REPORT_NAME,
)
from dpdesk.reports.budget import EarlierReleases
from dpdesk.reports.identity import ReleaseIdentity
from dpdesk.reports.registry import REGISTRY_NAME, RegistryEntry
from dpdesk.reports.section import Section


class Drawn(Protocol):
    """What was drawn; everything in it may be published."""

    @property
    def plan(self) -> Plan:
        """The plan that it was drawn by."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a release is drawn from.

    Attributes:
        table: The trusted file.
        plan: What to do with it.
        folder: Where records are written while they are drawn; None to write nothing.
        tracker: Progress and cancel.
        charge: Called once, after every check and before the first random word, with the most
            bytes that are written while drawing. It charges the release and may raise; then
            nothing is drawn.
        cluster: Whose workers draw records; this computer alone if None.
    """

    table: SurveyTable
    plan: Plan
    folder: Path | None
    tracker: Tracker
    charge: Callable[[int], object]
    cluster: Cluster | None = None


DrawnT = TypeVar("DrawnT", bound=Drawn)
ReportT = TypeVar("ReportT", bound=Section)

REPORT_FILES = (
    (HTML_NAME, N_("the privacy report, to read")),
    (PDF_NAME, N_("the same to print and to archive")),
    (ANNEX_NAME, N_("its annex: exact losses, parameters and checks")),
    (REPORT_NAME, N_("report and annex for programs")),
    (REGISTRY_NAME, N_("what public registries of such releases list")),
)
MANIFEST_FILE = (MANIFEST_NAME, N_("sizes and SHA-256 digests of all files"))


class ReleaseKind(ABC, Generic[DrawnT, ReportT]):
    """One kind of release of a plan, with its type of what is drawn and its type of report.

    Attributes:
        name: Its name in the ledger, in settings and in reports.
        command: The command that makes it.
        title: Its name where users choose it.
        meaning: What users get from it, in a line.
        report_format: Tag of the format of its `report.json`.
        report_type: The type that reads it again.
        plan_meaning: What the plan in its folder is for, in a line.
        product: What is released; empty if the plan's details say it.
        plan_part: The part of a plan that is this kind's alone; empty without one.
        has_records: Whether it writes records, which may be had in further formats.
    """

    name: ClassVar[KindName]
    command: ClassVar[str]
    title: ClassVar[str]
    meaning: ClassVar[str]
    report_format: ClassVar[str]
    report_type: ClassVar[type[Section]]
    plan_meaning: ClassVar[str]
    product: ClassVar[str] = ""
    plan_part: ClassVar[str] = ""
    has_records: ClassVar[bool] = False

    @property
    @abstractmethod
    def tables(self) -> tuple[tuple[str, str], ...]:
        """The tables of its folder in the order of their use, each with a line for people."""

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """All files of its folder: its tables, the report, the plan and the manifest."""
        return (*self.tables, *REPORT_FILES, (PLAN_NAME, self.plan_meaning), MANIFEST_FILE)

    @abstractmethod
    def check(self, plan: Plan) -> tuple[Problem, ...]:
        """Returns the problems of a plan by itself."""

    @abstractmethod
    def usefulness(self, plan: Plan) -> ReleaseUsefulness[Any]:
        """Returns what the release will be worth; needs no data."""

    @abstractmethod
    def asked_of_table(self, plan: Plan) -> object:
        """Returns the part of a plan that `check_table` depends on; useful for comparisons only."""

    @abstractmethod
    def check_table(
        self, plan: Plan, table: SurveyTable, answers: AnswerChecks
    ) -> tuple[Problem, ...]:
        """Returns the problems that a table adds.

        Args:
            plan: The plan.
            table: The trusted file.
            answers: The cache of earlier checks of this table.
        """

    @abstractmethod
    def cost(self, plan: Plan) -> PrivacyCost:
        """Returns the loss that the release is charged with."""

    def protection(self, plan: Plan) -> str:
        """Returns how strongly the release protects, in words; empty if nothing is released."""
        cost = self.cost(plan)
        return protection_of(cost) if cost.epsilon else ""

    @abstractmethod
    def public_plan(self, plan: Plan) -> Plan:
        """Returns the plan as it may be published; the ledger and the folder store it."""

    @abstractmethod
    def bytes_of_documents(self, plan: Plan) -> int:
        """Returns an upper bound on the size of all files except the records."""

    def bytes_of_answers(self, plan: Plan) -> int:
        """Returns an upper bound on the size of the answers in the ledger; 0 if it stores none."""
        return 0

    @abstractmethod
    def draw(self, drawing: Drawing) -> DrawnT:
        """Draws the release.

        Raises:
            PlanError: The plan has errors; nothing was drawn.
            ReleaseError: Nothing can be drawn without a folder, or it cannot be written.
            Cancelled: The user cancelled.
        """

    @abstractmethod
    def report(
        self, drawn: DrawnT, identity: ReleaseIdentity, earlier: EarlierReleases | None, /
    ) -> ReportT:
        """Returns the public report, which is made only from what was drawn.

        Args:
            drawn: What was released; holds no true answer.
            identity: Which release it is.
            earlier: Earlier releases of the population that was declared for this one.
        """

    @abstractmethod
    def registry_entry(self, report: ReportT, contact: str = "") -> RegistryEntry:
        """Returns the entry of a public registry, from the report alone.

        Args:
            report: The public report.
            contact: Whom to ask.
        """

    @abstractmethod
    def html(self, report: ReportT, *, annex: bool = False) -> str:
        """Returns the report, or its annex for experts, as one page of HTML."""

    @abstractmethod
    def write_tables(self, drawn: DrawnT, report: ReportT, folder: Path, tracker: Tracker) -> None:
        """Writes the tables of the release and its plan.

        Args:
            drawn: What was drawn.
            report: The public report.
            folder: Where to.
            tracker: Told of a file that could not be made and that the release can do without.
        """
