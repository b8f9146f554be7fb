"""The release of records: each answer is randomized by itself, in the local model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache, partial
from pathlib import Path
from typing import ClassVar

from dpdesk.cost import PrivacyCost
from dpdesk.data.record_files import record_files
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_csv import write_table_csv
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.sanitize import sanitize
from dpdesk.errors import ReleaseError
from dpdesk.estimation.released import Released
from dpdesk.estimation.rows import EstimateRow, estimate_rows
from dpdesk.i18n import N_
from dpdesk.ledgers import KindName
from dpdesk.plan import Plan, Problem, check, check_table
from dpdesk.plan.checks.table import AnswerChecks
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.losses import plan_cost, protection_of_records
from dpdesk.plan.model import public_plan
from dpdesk.plan.release_usefulness import ReleaseUsefulness, usefulness_of_records
from dpdesk.releases.folder import PLAN_NAME, bytes_of_documents, may_fail, write_text
from dpdesk.releases.kind import Drawing, ReleaseKind
from dpdesk.releases.texts import T
from dpdesk.reports.analysis import (
    PYTHON_NAME,
    R_NAME,
    bytes_of_scripts,
    facts_of,
    python_script,
    r_script,
)
from dpdesk.reports.codebook import CODEBOOK_HEADER, codebook_rows
from dpdesk.reports.public import PublicReport, public_report, report_html
from dpdesk.reports.registry import entry_of_records

ESTIMATES_NAME = "estimates.csv"
CODEBOOK_NAME = "codebook.csv"

SCRIPTS = {PYTHON_NAME: python_script, R_NAME: r_script}
"""The scripts by name, each made from the same facts."""

_ESTIMATES_HEADER = tuple(field.name for field in fields(EstimateRow))


class Records(ReleaseKind[Released, PublicReport]):
    """Sanitized records with estimates and codebook."""

    name: ClassVar[KindName] = "records"
    command: ClassVar[str] = "release"
    title: ClassVar[str] = N_("Records")
    meaning: ClassVar[str] = N_(
        "Release every answer with noise of its own: local differential privacy"
    )
    report_type: ClassVar[type[PublicReport]] = PublicReport
    report_format: ClassVar[str] = "dpdesk-report"
    plan_meaning: ClassVar[str] = N_("the plan, to repeat or to audit")
    has_records: ClassVar[bool] = True

    @property
    def tables(self) -> tuple[tuple[str, str], ...]:
        return (
            *((kind.name, kind.meaning) for kind in record_files()),
            (ESTIMATES_NAME, N_("unbiased estimates with 95 % intervals")),
            (CODEBOOK_NAME, N_("what each released column means")),
            (PYTHON_NAME, N_("unbiased shares, tables and means of the records, in Python")),
            (R_NAME, N_("the same in R")),
        )

    def check(self, plan: Plan) -> tuple[Problem, ...]:
        return check(plan)

    def usefulness(self, plan: Plan) -> ReleaseUsefulness[str]:
        return usefulness_of_records(plan)

    def asked_of_table(self, plan: Plan) -> object:
        columns = tuple(
            (
                *(c.name, c.kind, c.domain, c.provenance, c.role, c.missing, c.other),
                c.coarsening,
            )
            for c in plan.columns
        )
        of_file = plan.reading, plan.allowed_unfit, plan.respondents
        return columns, plan.strategy, of_file, plan.formats, plan.statistics.unit

    def check_table(
        self, plan: Plan, table: SurveyTable, answers: AnswerChecks
    ) -> tuple[Problem, ...]:
        return check_table(plan, table, answers=answers)

    def cost(self, plan: Plan) -> PrivacyCost:
        return plan_cost(plan)

    def protection(self, plan: Plan) -> str:
        return protection_of_records(plan)

    def public_plan(self, plan: Plan) -> Plan:
        return public_plan(plan)

    def bytes_of_documents(self, plan: Plan) -> int:
        categories = sum(c.effective_domain.size for c in plan.protected if c.effective_domain)
        return bytes_of_documents(len(plan.columns), categories) + bytes_of_scripts(plan)

    report = staticmethod(public_report)
    registry_entry = staticmethod(entry_of_records)
    html = staticmethod(report_html)

    def draw(self, drawing: Drawing) -> Released:
        table, plan, folder = drawing.table, drawing.plan, drawing.folder
        if folder is None:
            raise ReleaseError(T.NO_FOLDER())
        return sanitize(
            table,
            plan,
            folder,
            drawing.tracker,
            before_drawing=drawing.charge,
            cluster=drawing.cluster,
        )

    def write_tables(
        self, drawn: Released, report: PublicReport, folder: Path, tracker: Tracker
    ) -> None:
        write_estimates(drawn, folder)
        write_codebook(drawn, folder)
        write_scripts(drawn, folder, tracker)
        write_text(folder / PLAN_NAME, plan_to_json(public_plan(drawn.plan)))


RECORDS = Records()


def write_estimates(released: Released, folder: Path) -> None:
    """Writes `estimates.csv`: one row per estimated share or mean, its columns as `EstimateRow`.

    Shares are fractions of 1; an unidentified sampling error is an empty cell, and so is a 95 %
    error where the interval is longer on one side.
    """
    write_table_csv(folder / ESTIMATES_NAME, _ESTIMATES_HEADER, _estimate_cells(released))


def write_codebook(released: Released, folder: Path) -> None:
    """Writes `codebook.csv`: one row per value that a released column can hold."""
    rows = (row.cells() for row in codebook_rows(released))
    write_table_csv(folder / CODEBOOK_NAME, CODEBOOK_HEADER, rows)


def write_scripts(released: Released, folder: Path, tracker: Tracker) -> None:
    """Writes the scripts that analyse the records without dpdesk, those of them that it can."""
    facts = cache(partial(facts_of, released))
    for name, script in SCRIPTS.items():
        with may_fail(folder / name, tracker):
            write_text(folder / name, script(facts()))


def _estimate_cells(released: Released) -> Iterator[tuple[str | int | float | None, ...]]:
    for attribute in released.attributes:
        for row in estimate_rows(attribute):
            cells = row.as_dict()
            yield tuple(cells[name] for name in _ESTIMATES_HEADER)
