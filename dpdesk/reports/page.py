"""Turns a report into one page of HTML that needs no network and runs no script."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dpdesk.composition.strength import strength_of
from dpdesk.cost import format_epsilon
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan.verdicts import RATINGS
from dpdesk.reports import number_text
from dpdesk.resources import resource


def colour_variables(theme: str) -> str:
    """Returns the tokens of a theme as declarations of CSS variables.

    Args:
        theme: Name of a file of `resources/themes`, such as "light".
    """
    content = tomllib.loads(resource(f"themes/{theme}.toml").read_text(encoding="utf-8"))
    named = content["colours"]
    declarations = (
        f"--{token.replace('_', '-')}: {named[colour]};"
        for token, colour in content["tokens"].items()
    )
    return " ".join(declarations)


# Control characters are not allowed in HTML; a name that holds one shows that it does.
_CONTROLS = dict.fromkeys((*range(9), 11, *range(14, 32), *range(127, 160)), "�")


def page(template: str, **content: Any) -> str:
    """Returns a page.

    Args:
        template: Name of a file of `resources/report`.
        content: What the template shows; every text is escaped.
    """
    return _environment().get_template(template).render(**content)


@cache
def _environment() -> Environment:
    """Returns the environment of all pages; templates and style sheets are read once."""
    environment = Environment(
        loader=FileSystemLoader(resource("report")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "rating": lambda verdict: RATINGS[verdict]() if verdict else "",
        "belief_up": number_text.belief_up,
        "strength": strength_of,
        "chance": number_text.chance_text,
        "of_hundred": number_text.of_hundred_text,
        "epsilon": format_epsilon,
        "number": number_text.number_text,
        "significant": number_text.significant_text,
    }
    environment.globals |= {
        "quantity": number_text.quantity_text,
        "error": number_text.half_width_text,
        "margin": number_text.margin_text,
        # Half-width of a 95 % interval in standard errors.
        "z": normal_quantile(0.95),
        "sampling": number_text.sampling_text,
        "difference": number_text.difference_text,
        "interval": number_text.interval_text,
        # Style sheets of the program itself, with nothing of a plan in them; marked safe in base.
        "light": colour_variables("light"),
        "dark": colour_variables("dark"),
        "style": resource("report/report.css").read_text(encoding="utf-8"),
        "paper_style": resource("report/paper.css").read_text(encoding="utf-8"),
    }
    return environment


def _shown(value: object) -> object:
    # What has been escaped already says so by this method.
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return value.translate(_CONTROLS)
    return value
