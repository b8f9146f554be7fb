"""The published experiment on learning from sanitized records, which comes with dpdesk.

768 women of Pima heritage and whether diabetes was found; naive Bayes from eight measurements, all
of them and the outcome sanitized at the same epsilon (Couchot 2023). Learnt from the true answers
its accuracy is 0.7857142857142857 and F1 0.6373626373626373, as published.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable
from dpdesk.errors import kind_named
from dpdesk.i18n import N_
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import Plan, load_plan
from dpdesk.resources import resource

_FOLDER = "samples/diabetes"
LABEL = "Outcome"


@dataclass(frozen=True, slots=True)
class Example:
    """One form of the experiment.

    Attributes:
        name: Its word on the command line.
        title: Its name for people.
        mechanism: Kind of the mechanism of every number.
    """

    name: str
    title: str
    mechanism: str

    def load(self) -> tuple[SurveyTable, Plan]:
        """Returns the survey and its plan."""
        plan = load_plan(resource(f"{_FOLDER}/plan.json"))
        kind = mechanism_named(self.mechanism)
        for column in plan.protected:
            if column.domain is not None and column.domain.holds_numbers and column.mechanism:
                mechanism = kind.starting(column.domain, column.mechanism.epsilon)
                plan = plan.with_column(column.name, mechanism=mechanism)
        return load_declared(resource(f"{_FOLDER}/diabetes.csv"), plan.reading or Reading()), plan


EXAMPLES = (
    Example("pima", N_("Diabetes, bounded Laplace"), "bounded_laplace"),
    Example("pima-staircase", N_("Diabetes, bounded staircase"), "bounded_staircase"),
)
"""The forms of the experiment."""


def example_named(name: str) -> Example:
    """Returns the example with a name.

    Raises:
        ParameterError: There is none.
    """
    return kind_named({example.name: example for example in EXAMPLES}, name, "example")
