"""Options that say something of one column: `--set age=duchi:1.5`, `--kind education=ordinal`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dpdesk.cli.options import Refusal, add_repeated
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from typing import Unpack

    from dpdesk.plan import Plan


class Form(NamedTuple):
    """How an option is written.

    Attributes:
        option: The option.
        form: What follows it.
        example: How it is given, for a refusal.
    """

    option: str
    form: str
    example: str

    def refused(self, setting: str) -> ParameterError:
        """Returns the error of a setting that is not of this form."""
        return ParameterError(
            T.BAD_FORM(option=self.option, setting=setting, form=self.form, example=self.example)
        )


MECHANISM = Form(
    "--set",
    "COLUMN=MECHANISM:EPSILON[,NAME=VALUE...]",
    "--set age=duchi:1.5 or --set region=rappor:2,hashes=1",
)
MISSING = Form(
    "--missing",
    "COLUMN=CODE[=LABEL],...[:POLICY[:VALUE]]",
    "--missing age=-9=refused,97..99 or --missing income=-1:value:0",
)
EVERY_COLUMN = "*"
"""In place of a column's name: every column in which a code is suspected."""
ASKED = Form(
    "--asked",
    "COLUMN=CONDITION[ or CONDITION...][:SHARE]",
    "--asked 'cigarettes=smoker is daily or sometimes' or --asked 'job=age=16..:80%'",
)
WHO_WAS_ASKED = (
    "a column was asked only of those with an answer to another question: FILTER is ANSWER or ..., "
    "FILTER is not ANSWER, FILTER is at least 16, in short FILTER=ANSWER|..., FILTER!=ANSWER, "
    "FILTER=16.. or FILTER=15..49; and the share asked. A report publishes it; may be repeated"
)
KIND = Form("--kind", "COLUMN=KIND", "--kind education=ordinal")
DECLARATION = Form(
    "--declare", "COLUMN=DOMAIN", "--declare age=18..99 or --declare 'sex=female|male'"
)
EXPECTED = Form("--expected", "COLUMN=W1,W2,...", "--expected smoker=0.2,0.8")
TARGET = Form("--target", "COLUMN=ERROR", "--target age=1.5 or --target 'region x work=3pp'")
WIDTHS = Form("--widths", "COLUMN=WIDTH,...[:LOWER..UPPER]", "--widths age=5,10,20:20..65")


def column_setting(plan: Plan, setting: str, form: Form) -> tuple[str, str]:
    """Returns the column's name, which may hold any character, and what follows it.

    Raises:
        ParameterError: The setting is not of its form, or the plan has no such column.
    """
    names = [c.name for c in plan.columns if setting.startswith(f"{c.name}=")]
    if names:
        name = max(names, key=len)
        return name, setting[len(name) + 1 :]
    name, equals, _ = setting.partition("=")
    if not name or not equals:
        raise form.refused(setting)
    raise no_column(name)


def settings_once(plan: Plan, settings: Iterable[str], form: Form) -> dict[str, str]:
    """Returns what follows each column's name.

    Raises:
        ParameterError: As for `column_setting`, or a column is named twice.
    """
    found: dict[str, str] = {}
    for setting in settings:
        name, content = column_setting(plan, setting, form)
        if name in found:
            raise ParameterError(T.GIVEN_TWICE(option=form.option, name=name))
        found[name] = content
    return found


def no_column(name: str, option: str = "") -> ParameterError:
    """Returns the error of a name that no column has.

    Args:
        name: The name.
        option: The option that takes one name each time it is given; empty for others.
    """
    if option and "," in name:
        # A name may hold a comma, and what is left out or kept is better not guessed at.
        return ParameterError(T.ONE_COLUMN_EACH(option=option, name=name))
    return ParameterError(T.NO_COLUMN(name=name))


def add_analyses(parser: argparse._ActionsContainer, **refusal: Unpack[Refusal]) -> None:
    """Adds `--analysis`.

    Args:
        parser: The parser of a command.
        **refusal: When the option is refused.
    """
    analysis = (
        'what people will look at together: "A x B" (cells of a table), "X by A" (means or shares '
        'in groups) or "Y ~ A + B" (slopes); may be repeated'
    )
    add_repeated(parser, "--analysis", "COLUMNS", analysis, **refusal)


def with_analyses(plan: Plan, texts: Sequence[str]) -> Plan:
    """Returns a plan that names more analyses.

    Raises:
        ParameterError: One of them is none of the columns of the plan, or there are too many.
    """
    from dpdesk.plan.joint_errors import with_analysis

    for text in texts:
        plan = with_analysis(plan, text)
    return plan
