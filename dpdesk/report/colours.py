"""The colours of a report: those of the window, as variables of a style sheet."""

from __future__ import annotations

import tomllib

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
