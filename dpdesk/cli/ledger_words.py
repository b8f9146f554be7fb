"""A ledger as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dpdesk.cli.texts import T
from dpdesk.composition.strength import strength_of
from dpdesk.cost import format_epsilon
from dpdesk.i18n import in_a_row
from dpdesk.ledgers import MODELS, Book, PastRelease, Population, Resemblance, Spent
from dpdesk.ledgers.account import EXAMPLE_HALF_WIDTH, what_is_left_buys
from dpdesk.ledgers.texts import T as LedgerTexts

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
    yield T.LEDGER_SINCE(day=f"{book.begun:%Y-%m-%d}")
    if book.set_aside:
        yield T.EARLIER_LEDGER(folder=book.set_aside)
    for time, missing in book.gaps:
        yield T.GAP(day=f"{time:%Y-%m-%d}", count=missing)
    if not populations:
        yield "No release of this file is recorded." if of_file else "No release is recorded."
    for population in populations:
        yield ""
        yield from _population_lines(population)


def spent_lines(population: Population) -> Iterator[str]:
    """Yields what a population has spent in each model and in all, and what is left."""
    models = [s for model in MODELS if (s := population.spent(model)).releases]
    for spent in models if len(models) > 1 else ():
        yield _spent_words(f"{spent.model} model", spent)
    spent, cap, left = population.spent(), population.cap, population.left()
    yield _spent_words("in all" if len(models) != 1 else f"{models[0].model} model", spent)
    if cap is None or left is None:
        yield "no cap"
    else:
        remains = T.REMAINS_OF(left=format_epsilon(left.epsilon), cap=format_epsilon(cap.epsilon))
        yield in_a_row([remains, what_is_left_buys(population)]).rstrip()
    if spent.is_doubled:
        yield LedgerTexts.DOUBLED()
    if len(spent.units) > 1:
        yield "The releases protect different units: see their plans."


def _spent_words(model: str, spent: Spent) -> str:
    delta = f", δ = {spent.delta}" if spent.delta else ""
    return T.SPENT(
        model=model,
        epsilon=f"{format_epsilon(spent.epsilon)}{delta}",
        count=spent.releases,
        strength=strength_of(spent.epsilon),
    )


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
        **{model: _spent_json(population.spent(model)) for model in MODELS},
        "total": _total_json(population),
        "releases": [_release_json(release) for release in population.releases],
        "other_people_than": [
            {"population": other.name, "time": other.time.isoformat(), "although": other.sentence}
            for other in population.others
        ],
    }


def _population_lines(population: Population) -> Iterator[str]:
    declared = "" if population.is_declared else ", name not declared"
    yield f"{population.name} ({T.FILES(count=len(population.files))}{declared})"
    if population.releases or population.cap is not None:
        yield from (f"  {line}" for line in spent_lines(population))
    yield from (f"  {line}" for line in _release_lines(population.releases))
    for other in population.others:
        declared = T.OTHER_PEOPLE(name=other.name)
        yield f"  {other.time:%Y-%m-%d %H:%M}  {in_a_row([declared, other.sentence])}"


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


def _spent_json(spent: Spent) -> dict[str, Any]:
    return {
        "releases": spent.releases,
        "epsilon": format_epsilon(spent.epsilon),
        "strength": strength_of(spent.epsilon),
        "delta": str(spent.delta),
        "rho": None if spent.rho is None else str(spent.rho),
        "relation": spent.relation or None,
    }


def _total_json(population: Population) -> dict[str, Any]:
    cap, left = population.cap, population.left()
    content = _spent_json(population.spent()) | {
        "cap": None if cap is None else format_epsilon(cap.epsilon),
        "cap_delta": None if cap is None else str(cap.delta),
        "left": None if left is None else format_epsilon(left.epsilon),
        "left_delta": None if left is None else str(left.delta),
    }
    if left is not None:
        content["still_buys"] = what_is_left_buys(population) or None
        content["example_half_width"] = EXAMPLE_HALF_WIDTH
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
