"""Options that say something of one column: `--set age=duchi:1.5`, `--kind education=ordinal`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from dpdesk.errors import ParameterError

if TYPE_CHECKING:
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
            f"{self.option} {setting} is not of the form {self.form}.",
            remedy=f"Write, for example, {self.example}",
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
    "FILTER=16.. or FILTER=15..49, or one of up to five such conditions; and the share of "
    "all that is supposed to have been asked. It is a rule of the questionnaire, and a report "
    "publishes it; may be repeated"
)
KIND = Form("--kind", "COLUMN=KIND", "--kind education=ordinal")
DECLARATION = Form(
    "--declare", "COLUMN=DOMAIN", "--declare age=18..99 or --declare 'sex=female|male'"
)


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
            raise ParameterError(
                f"{form.option} is given twice for {name}.", remedy="Leave one of them out."
            )
        found[name] = content
    return found


def no_column(name: str, option: str = "") -> ParameterError:
    """Returns the error of a name that no column has.

    Args:
        name: The name.
        option: The option that takes one name each time it is given; empty for others.
    """
    remedy = "Write the name exactly as in the file's first line."
    if option and "," in name:
        # A name may hold a comma, and what is left out or kept is better not guessed at.
        remedy = f"{option} takes one column: repeat it for each ({option} FIRST {option} SECOND)."
    return ParameterError(f"The survey has no column {name}.", remedy=remedy)
