"""The release of synthetic rows: a trusted file tells noisy tables, and rows are drawn to fit."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from dpdesk.cost import PrivacyCost
from dpdesk.data.record_files import record_files
from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.synthesize import synthesize_rows
from dpdesk.errors import ReleaseError
from dpdesk.estimation.released import SyntheticRows
from dpdesk.i18n import N_
from dpdesk.ledgers import KindName
from dpdesk.plan import Plan, Problem
from dpdesk.plan.checks.synthesis import check_synthesis, check_synthesis_table
from dpdesk.plan.checks.table import AnswerChecks
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.model import synthesis_plan
from dpdesk.plan.release_usefulness import ReleaseUsefulness, usefulness_of_synthesis
from dpdesk.releases.folder import PLAN_NAME, bytes_of_documents, write_text
from dpdesk.releases.kind import Drawing, ReleaseKind
from dpdesk.releases.texts import T
from dpdesk.reports.registry import entry_of_synthetic
from dpdesk.reports.synthetic.public import (
    SyntheticReport,
    synthetic_report,
    synthetic_report_html,
)


class SyntheticKind(ReleaseKind[SyntheticRows, SyntheticReport]):
    """Rows that are nobody's, drawn to fit noisy tables of the file."""

    name: ClassVar[KindName] = "synthetic"
    command: ClassVar[str] = "synthesize"
    title: ClassVar[str] = N_("Synthetic")
    meaning: ClassVar[str] = N_(
        "Make up rows that are nobody's and fit noisy tables of the trusted file: central model"
    )
    report_type: ClassVar[type[SyntheticReport]] = SyntheticReport
    report_format: ClassVar[str] = "dpdesk-synthetic-report"
    plan_meaning: ClassVar[str] = N_("columns, domains and loss, to repeat or to audit")
    plan_part: ClassVar[str] = "synthesis"
    product: ClassVar[str] = "Synthetic survey records"
    has_records: ClassVar[bool] = True

    @property
    def tables(self) -> tuple[tuple[str, str], ...]:
        meanings = (
            N_("made-up rows; one may equal a respondent's by chance"),
            N_("the same with types"),
        )
        names = (kind.name for kind in record_files())
        return tuple(zip(names, meanings, strict=True))

    def check(self, plan: Plan) -> tuple[Problem, ...]:
        return check_synthesis(plan)

    def usefulness(self, plan: Plan) -> ReleaseUsefulness[str]:
        return usefulness_of_synthesis(plan)

    def asked_of_table(self, plan: Plan) -> object:
        columns = tuple(
            (c.name, c.kind, c.domain, c.provenance, c.role, c.missing, c.other)
            for c in plan.columns
        )
        whose = plan.statistics.unit, plan.respondents
        # How many rows there will be at most follows from the loss.
        wanted = plan.synthesis if plan.formats else plan.synthesis.impossible
        return columns, whose, plan.reading, plan.allowed_unfit, plan.formats, wanted

    def check_table(
        self, plan: Plan, table: SurveyTable, answers: AnswerChecks
    ) -> tuple[Problem, ...]:
        return check_synthesis_table(plan, table, answers=answers)

    def cost(self, plan: Plan) -> PrivacyCost:
        unit, wanted = plan.statistics.unit, plan.synthesis
        return PrivacyCost(
            wanted.epsilon, wanted.delta, "central", unit.description, unit.neighbours
        )

    def public_plan(self, plan: Plan) -> Plan:
        return synthesis_plan(plan)

    def bytes_of_documents(self, plan: Plan) -> int:
        columns = plan.synthetic
        cells = sum(c.effective_domain.size for c in columns if c.effective_domain)
        return bytes_of_documents(len(columns), cells)

    report = staticmethod(synthetic_report)
    registry_entry = staticmethod(entry_of_synthetic)
    html = staticmethod(synthetic_report_html)

    def draw(self, drawing: Drawing) -> SyntheticRows:
        table, plan, folder = drawing.table, drawing.plan, drawing.folder
        if folder is None:
            raise ReleaseError(T.NO_FOLDER())
        return synthesize_rows(table, plan, folder, drawing.tracker, drawing.charge)

    def write_tables(
        self, drawn: SyntheticRows, report: SyntheticReport, folder: Path, tracker: Tracker
    ) -> None:
        write_text(folder / PLAN_NAME, plan_to_json(drawn.plan))


SYNTHETIC = SyntheticKind()
