"""A ledger as lines of text and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dpdesk.cost import format_epsilon
from dpdesk.ledger import MODELS, Book, Model, PastRelease, Population, Resemblance
from dpdesk.ledger.account import EXAMPLE_HALF_WIDTH, what_is_left_buys

_OUTCOMES = {"open": "not known to be written", "shown": "shown, not written"}


def book_lines(
    book: Book, populations: Sequence[Population], *, of_file: bool = False
) -> Iterator[str]:
    """Yields lines on the releases and losses of some populations.

    Args:
        book: The ledger.
        populations: Which ones.
        of_file: Whether the user asked about a file.
    """
    yield f"Ledger begun on {book.begun:%Y-%m-%d} (UTC)."
    if book.set_aside:
        yield (
            f"An earlier ledger was set aside as {book.set_aside}; its releases are not counted."
        )
    for time, missing in book.gaps:
        entries = "1 entry was" if missing == 1 else f"{missing:,} entries were"
        yield (
            f"On {time:%Y-%m-%d} it was continued from an older copy: {entries} missing, and "
            "releases in them are not counted."
        )
    if not populations:
        yield "No release of this file is recorded." if of_file else "No release is recorded."
    for population in populations:
        yield ""
        yield from _population_lines(population)


def resemblance_line(likeness: Resemblance) -> str:
    """Returns the sentence on a file that resembles a known one, and what to do about it."""
    return (
        f"{likeness.sentence} If these are the same people, release it with "
        f"--population {shlex.quote(likeness.population)}."
    )


def spent_line(population: Population, model: Model) -> str:
    """Returns what a population has spent in a model, and what is left."""
    spent, left = population.spent(model), population.left(model)
    cap = population.caps.get(model)
    line = f"{model} model: ε = {format_epsilon(spent.epsilon)} spent"
    if spent.delta:
        line += f", δ = {spent.delta}"
    line += f" by {_count(spent.releases, 'release')}"
    if cap is None or left is None:
        return line + "; no cap is set"
    line += f"; ε = {format_epsilon(left.epsilon)} of {format_epsilon(cap.epsilon)} is left"
    bought = what_is_left_buys(model, left.epsilon, _rows(population))
    return f"{line}: {bought}" if bought else line


def book_json(book: Book) -> dict[str, Any]:
    """Returns the ledger itself as a JSON object, without its populations."""
    return {
        "begun": book.begun.isoformat(),
        "set_aside": book.set_aside or None,
        "gaps": [
            {"time": time.isoformat(), "missing_entries": missing} for time, missing in book.gaps
        ],
    }


def resemblance_json(found: Resemblance) -> dict[str, Any]:
    """Returns the resemblance of a file to a known one as a JSON object."""
    return {
        "population": found.population,
        "basis": found.likeness.basis,
        "share": found.likeness.share,
        "columns": None,
        "first_seen": found.file.time.isoformat(),
    }


def population_json(population: Population) -> dict[str, Any]:
    """Returns a population as a JSON object."""
    return {
        "name": population.name,
        "declared": population.is_declared,
        "files": [
            {"rows": file.rows, "columns": file.columns, "first_seen": file.time.isoformat()}
            for file in population.files
        ],
        **{model: _model_json(population, model) for model in MODELS},
        "releases": [_release_json(release) for release in population.releases],
        "other_people_than": [
            {"population": other.name, "time": other.time.isoformat(), "although": other.sentence}
            for other in population.others
        ],
    }


def _population_lines(population: Population) -> Iterator[str]:
    files = _count(len(population.files), "file")
    declared = "" if population.is_declared else ", name not declared"
    yield f"{population.name} ({files}{declared})"
    for model in MODELS:
        spent = population.spent(model)
        if spent.releases or model in population.caps:
            yield f"  {spent_line(population, model)}"
            if len(spent.units) > 1:
                yield "  (the releases protect different units: see their plans)"
    yield from (f"  {line}" for line in _release_lines(population.releases))
    for other in population.others:
        yield (
            f"  {other.time:%Y-%m-%d %H:%M}  said to be other people than {other.name}. "
            f"{other.sentence}"
        )


def _release_lines(releases: Iterable[PastRelease]) -> Iterator[str]:
    for release in releases:
        costs = ", ".join(
            f"ε = {format_epsilon(release.cost(model))} {model}"
            for model in MODELS
            if any(cost.model == model for cost in release.costs)
        )
        where = release.where or _OUTCOMES.get(release.outcome, release.outcome)
        yield (
            f"{release.time:%Y-%m-%d %H:%M}  {release.kind:<10}  {costs}  {release.id}  "
            f"{release.title}  {where}"
        )


def _model_json(population: Population, model: Model) -> dict[str, Any]:
    spent, cap, left = population.spent(model), population.caps.get(model), population.left(model)
    content: dict[str, Any] = {
        "releases": spent.releases,
        "epsilon": format_epsilon(spent.epsilon),
        "delta": str(spent.delta),
        "rho": None if spent.rho is None else str(spent.rho),
        "relation": spent.relation or None,
        "cap": None if cap is None else format_epsilon(cap.epsilon),
        "cap_delta": None if cap is None else str(cap.delta),
        "left": None if left is None else format_epsilon(left.epsilon),
        "left_delta": None if left is None else str(left.delta),
    }
    if left is not None:
        content["still_buys"] = what_is_left_buys(model, left.epsilon, _rows(population)) or None
        content["example_half_width"] = EXAMPLE_HALF_WIDTH if model == "central" else None
    return content


def _release_json(release: PastRelease) -> dict[str, Any]:
    return {
        "id": release.id,
        "time": release.time.isoformat(),
        "kind": release.kind,
        "title": release.title,
        "plan_sha256": release.plan,
        "losses": [
            {
                "model": cost.model,
                "epsilon": format_epsilon(cost.epsilon),
                "delta": str(cost.delta),
                "unit": cost.unit,
                "relation": cost.relation,
            }
            for cost in release.costs
        ],
        "rho": None if release.rho is None else str(release.rho),
        "rows": release.rows,
        "outcome": release.outcome,
        "where": release.where or None,
        "dpdesk": release.version,
    }


def _rows(population: Population) -> int:
    return max((file.rows for file in population.files), default=0)


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"
