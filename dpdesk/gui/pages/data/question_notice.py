"""The notice that some columns seem to be one question, and the click that makes them one."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.data.joined_columns import questions_in
from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.table import SurveyTable
from dpdesk.gui.document import Document
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.i18n import AND_MORE, first_names
from dpdesk.plan.draft import join_columns

_NAMED = 3
"""Most columns that the notice names."""


class QuestionNotice(NoticeBar):
    """Suggests one question at a time; what was closed is not suggested again for these data.

    Args:
        document: The document.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._document = document
        self._looked_at: SurveyTable | None = None
        self._found: tuple[JoinedColumns, ...] = ()
        self._waiting: tuple[JoinedColumns, ...] = ()
        self._declined: set[tuple[str, ...]] = set()
        self.actionTriggered.connect(self._join)
        self.closed.connect(self._decline)
        document.tableChanged.connect(self._look)
        document.planChanged.connect(self._suggest)

    def _look(self) -> None:
        table = self._document.table
        if table is None or table.in_file is not self._looked_at:
            self._declined = set()
        self._looked_at = None if table is None else table.in_file
        self._found = () if table is None else questions_in(table)
        self._suggest()

    def _suggest(self) -> None:
        waited = self._waiting
        planned = {column.name for column in self._document.plan.columns} if self._found else set()
        self._waiting = tuple(
            question
            for question in self._found
            if question.columns not in self._declined and set(question.in_file) <= planned
        )
        if not self._waiting:
            self.clear()
        elif self._waiting != waited or self.isHidden():
            self._show_first()

    def _show_first(self) -> None:
        names = first_names(self._waiting[0].in_file, _NAMED, more=self.tr(AND_MORE))
        told = self.tr(
            "{names} look like the options of one question with several answers. As one question "
            "they have one epsilon together; apart, their epsilons add up."
        )
        self.show_notice("info", told.format(names=names), self.tr("Make them one question"))

    def _join(self) -> None:
        table, question = self._document.table, self._waiting[0]
        if table is None:
            return
        try:
            plan, _ = join_columns(self._document.plan, table, question)
        except Refused as error:
            self.show_notice("error", refusal_of(error))
            return
        text = self.tr("Make {name} one question").format(name=question.name)
        self._document.edit(text, plan)

    def _decline(self) -> None:
        if self._waiting:
            self._declined.add(self._waiting[0].columns)
        self._suggest()
