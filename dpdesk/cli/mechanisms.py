"""`dpdesk mechanisms`: every mechanism, and its numbers for a domain and an epsilon."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_value
from dpdesk.cli.terminal import print_json
from dpdesk.cli.texts import T
from dpdesk.cli.values import whole
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from decimal import Decimal

    from dpdesk.domains import AnyDomain
    from dpdesk.mechanisms import Mechanism

DESCRIPTION = "Lists every mechanism; with a domain size and an epsilon, its numbers."

_DOMAIN_MAX = 1_000_000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk mechanisms`."""
    add_value(parser, "--domain-size", "K", "number of categories", read=whole)
    add_value(parser, "--epsilon", "E", "privacy loss")


def run(options: argparse.Namespace) -> int:
    """Lists the mechanisms as text or as JSON."""
    from dpdesk.cost import parse_epsilon
    from dpdesk.mechanisms import MECHANISMS

    asked = (options.domain_size is None, options.epsilon is None)
    if len(set(asked)) > 1:
        raise ParameterError(T.SIZE_AND_EPSILON())
    entries = [_declaration(mechanism) for mechanism in MECHANISMS]
    if options.epsilon is not None:
        epsilon = parse_epsilon(options.epsilon)
        domains = _domains(options.domain_size)
        numbers = [_numbers(mechanism, domains, epsilon) for mechanism in MECHANISMS]
        entries = [entry | more for entry, more in zip(entries, numbers, strict=True)]
    if options.json:
        print_json(entries)
    else:
        _print(entries)
    return ExitCode.OK


def _declaration(mechanism: type[Mechanism]) -> dict[str, object]:
    from dpdesk.mechanisms import kind_of

    schema = mechanism.model_json_schema()["properties"]
    answers = (key for key, domain in _domains(2).items() if mechanism.misfit(domain) is None)
    return {
        "kind": kind_of(mechanism),
        "short": mechanism.short,
        "title": mechanism.title,
        "summary": mechanism.summary,
        "reference": mechanism.reference,
        "answers": next(answers),
        "parameters": [
            {"name": name} | {key: value for key, value in field.items() if key != "title"}
            for name, field in schema.items()
            if name != "kind"
        ],
    }


def _domains(size: int) -> dict[str, AnyDomain]:
    """Returns a domain of each sort that holds so many values, by what answers of it are."""
    from dpdesk.domains import OPTIONS_MAX, Categorical, Integer, OptionSet

    if not 2 <= size <= _DOMAIN_MAX:
        raise ParameterError(T.BAD_SIZE(most=_DOMAIN_MAX))
    values = tuple(map(str, range(1, size + 1)))
    domains: dict[str, AnyDomain] = {
        "categories": Categorical(values=values),
        "numbers": Integer(lower=1, upper=size),
    }
    if size <= OPTIONS_MAX:
        domains["sets of options"] = OptionSet(values=values)
    return domains


def _numbers(
    mechanism: type[Mechanism], domains: dict[str, AnyDomain], epsilon: Decimal
) -> dict[str, object]:
    """Returns the law's numbers on a domain, or why the mechanism does not fit.

    For numbers the grid is 1..K, and n_var_star is that of the mean at the worst grid point with
    the half-width of the interval as unit.
    """
    from dpdesk.cost import format_epsilon

    domain = next((d for d in domains.values() if mechanism.misfit(d) is None), None)
    if domain is None:
        return {"fits": False, "reason": mechanism.misfit(domains["categories"])}
    bound = mechanism.starting(domain, epsilon).bind(domain)
    numbers = {"p": None, "q": None} | bound.parameters()
    return {
        "fits": True,
        "domain_size": domain.size,
        "epsilon": format_epsilon(bound.epsilon),
        "certified_epsilon": float(bound.certificate.epsilon_certified),
        "fingerprint": bound.certificate.fingerprint,
    } | numbers


def _print(entries: list[dict[str, object]]) -> None:
    width = max(len(str(entry["kind"])) for entry in entries)
    for entry in entries:
        title = f"{entry['title']} ({entry['answers']}). {entry['summary']}"
        print(f"{entry['kind']:<{width}} {title}")
        if entry.get("fits") is False:
            print(f"{'':<{width}} does not fit: {entry['reason']}")
        elif "n_var_star" in entry:
            # The law's own numbers first, those that all mechanisms have behind them.
            common = ("certified_epsilon", "n_var_star")
            keys = (*(key for key in entry if key not in common), *common)
            shown = (_number(key, entry[key]) for key in keys if isinstance(entry.get(key), float))
            print(f"{'':<{width}} {', '.join(shown)}")


def _number(key: str, value: object) -> str:
    from dpdesk.numbers import bound_text

    assert isinstance(value, float)  # noqa: S101 - the caller passes numbers only
    # Certified epsilons are bounds on the loss.
    return f"{key} {bound_text(value) if key.endswith('epsilon') else f'{value:.6g}'}"
