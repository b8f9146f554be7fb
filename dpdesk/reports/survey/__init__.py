"""Papers of a survey with a randomized-response design: sheet, planning memo, collected answers.

Sheet and planning memo are made from the design alone, before anybody has answered.
"""

from dpdesk.reports.survey.memo import MeanMemo, PlanningMemo, ShareMemo, SharesMemo, memo_html
from dpdesk.reports.survey.sample_plan import PlannedQuestions, PlannedStrata
from dpdesk.reports.survey.sheet import question_notes, sheet_html, sheet_parts
