"""Papers of a survey with a randomized-response design: sheet, planning memo, collected answers.

Sheet and planning memo are made from the design alone, before anybody has answered.
"""

from dpdesk.report.number_text import epsilon_up
from dpdesk.report.survey.memo import MemoRequest, memo_html
from dpdesk.report.survey.sample_plan import PlannedQuestions, PlannedStrata
from dpdesk.report.survey.sheet import sheet_html

__all__ = [
    "MemoRequest",
    "PlannedQuestions",
    "PlannedStrata",
    "epsilon_up",
    "memo_html",
    "sheet_html",
]
