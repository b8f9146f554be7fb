"""Sample planning in the Simulate place: one question, strata, a questionnaire."""

from dpdesk.gui.pages.simulate.planning.view import SamplePlanningView
