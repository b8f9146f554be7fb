from __future__ import annotations

import importlib
import inspect
import re
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter, ValidationError

import dpdesk.mechanisms
from dpdesk.cost import format_epsilon
from dpdesk.domains import AnyDomain, Integer, OptionSet
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import (
    MECHANISMS,
    AnyMechanism,
    Mechanism,
    fitting,
    kind_of,
    mechanism_named,
)
from dpdesk.resources import resource
from tests.mechanisms.estimator_checks import AGES, categories

KINDS = [kind_of(mechanism) for mechanism in MECHANISMS]


def test_that_the_registry_holds_every_mechanism_of_the_folder() -> None:
    folder = Path(dpdesk.mechanisms.__file__).parent
    found = set()
    for path in folder.glob("*.py"):
        module = importlib.import_module(f"dpdesk.mechanisms.{path.stem}")
        for _, kind in inspect.getmembers(module, inspect.isclass):
            # Also an abstract one, whose author forgot a method.
            declares = "kind" in inspect.get_annotations(kind)
            if declares and issubclass(kind, Mechanism) and kind is not Mechanism:
                found.add(kind)
    assert found == set(MECHANISMS)
    assert len(MECHANISMS) == len(found)


def test_that_the_union_of_plans_holds_the_same_mechanisms_as_the_registry() -> None:
    union = get_args(get_args(AnyMechanism)[0])
    assert union == MECHANISMS


def test_that_every_kind_is_named_after_its_class_and_only_once() -> None:
    assert len(set(KINDS)) == len(KINDS)
    for mechanism in MECHANISMS:
        assert mechanism.__name__ == kind_of(mechanism).title().replace("_", "")
        assert mechanism_named(kind_of(mechanism)) is mechanism


def test_that_an_unknown_kind_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ParameterError) as caught:
        mechanism_named("count_min_sketch")
    assert all(kind in caught.value.remedy for kind in KINDS)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=KINDS)
def test_that_every_mechanism_says_what_it_is(mechanism: type[Mechanism]) -> None:
    assert mechanism.short
    assert mechanism.title
    assert mechanism.summary.endswith(".")
    assert re.search(r"(19|20)\d\d", mechanism.reference)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=KINDS)
def test_that_a_mechanism_is_stored_by_its_kind_and_read_back(mechanism: type[Mechanism]) -> None:
    adapter: TypeAdapter[Mechanism] = TypeAdapter(AnyMechanism)
    made = mechanism.starting(_domain_of(mechanism), Decimal("0.75"))
    stored = adapter.dump_json(made)
    epsilon = format_epsilon(made.epsilon)
    assert epsilon == "0.75" or not mechanism.adjustable
    start = f'{{"kind":"{kind_of(mechanism)}","epsilon":"{epsilon}"'
    assert stored.decode().startswith(start)
    assert adapter.validate_json(stored) == made
    with pytest.raises(ValidationError):
        mechanism(**(made.model_dump() | {"seed": 42}))
    with pytest.raises(ValidationError):
        made.epsilon = Decimal(40)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=KINDS)
def test_that_no_mechanism_knows_a_seed(mechanism: type[Mechanism]) -> None:
    domain = _domain_of(mechanism)
    bound = mechanism.starting(domain, Decimal(1)).bind(domain)
    names = [*inspect.signature(bound.randomize).parameters, *mechanism.model_fields]
    assert not [name for name in names if "seed" in name or "state" in name]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=KINDS)
def test_that_a_mechanism_refuses_to_bind_where_it_does_not_fit(
    mechanism: type[Mechanism],
) -> None:
    wrong = AGES if mechanism.misfit(AGES) else categories(3)
    made = mechanism.starting(_domain_of(mechanism), Decimal(1))
    assert mechanism.misfit(wrong)
    for use in (made.bind, made.forecast):
        with pytest.raises(ParameterError) as caught:
            use(wrong)
        assert caught.value.remedy


def _domain_of(mechanism: type[Mechanism]) -> AnyDomain:
    domains = (categories(2), AGES, OptionSet(values=("a", "b")))
    return next(domain for domain in domains if mechanism.misfit(domain) is None)


LISTS = ["grr", "sue", "oue", "subset_selection", "olh", "blh", "hadamard", "rappor", "pram"]


def test_that_only_fitting_mechanisms_are_offered() -> None:
    kinds = {
        "two answers": [kind_of(m) for m in fitting(categories(2))],
        "three answers": [kind_of(m) for m in fitting(categories(3))],
        "20,000 answers": [kind_of(m) for m in fitting(categories(20_000))],
        "ages": [kind_of(m) for m in fitting(AGES)],
        "a fine grid": [kind_of(m) for m in fitting(Integer(lower=0, upper=10_000))],
    }
    assert kinds == {
        "two answers": ["warner", *LISTS],
        "three answers": LISTS,
        "20,000 answers": ["grr", "olh", "blh"],
        "ages": [
            "bounded_laplace",
            "bounded_staircase",
            "laplace",
            "staircase",
            "duchi",
            "piecewise",
            "hybrid",
            "square_wave",
        ],
        "a fine grid": ["laplace", "staircase", "duchi"],
    }


@pytest.mark.parametrize("kind", KINDS)
def test_that_every_mechanism_has_a_page_with_all_its_parts(kind: str) -> None:
    page = resource(f"docs/mechanisms/{kind}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", page, flags=re.MULTILINE)
    assert headings == [
        "What a report looks like",
        "The law",
        "When to use it",
        "The estimate and its error",
        "Reference",
    ]
    for year in re.findall(r"(?:19|20)\d\d", mechanism_named(kind).reference):
        assert year in page


PAGES = ["epsilon", "local-model", *(f"mechanisms/{kind}" for kind in KINDS)]


@pytest.mark.parametrize("name", PAGES)
def test_that_pages_are_plain_markdown_with_links_that_lead_somewhere(name: str) -> None:
    path = resource(f"docs/{name}.md")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("# ")
    assert not re.search(r"\$|\\[(\[a-z]|<[a-z]", page)
    for target in re.findall(r"\]\(([^)]+)\)", page):
        assert (path.parent / target).is_file(), target


PAGE_SIZES = {"warner": 2, "grr": 5, "sue": 2, "oue": 2, "subset_selection": 16}
PAGE_SIZES |= {"olh": 2, "blh": 2, "hadamard": 2}


@pytest.mark.parametrize("kind", PAGE_SIZES)
def test_that_the_chances_printed_on_a_page_are_those_of_the_forecast(kind: str) -> None:
    page = resource(f"docs/mechanisms/{kind}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([0-9.]+) \| ([0-9.]+) \|(?: ([0-9.]+) \|)?$", page, re.MULTILINE)
    assert len(rows) >= 4
    domain = categories(PAGE_SIZES[kind])
    for epsilon, p, q in rows:
        made = mechanism_named(kind)(epsilon=Decimal(epsilon))  # type: ignore[call-arg]
        row = made.forecast(domain).probabilities(0)
        assert f"{row[0]:.3f}".rstrip("0") == p.rstrip("0")
        assert not q or f"{row[1]:.3f}".rstrip("0") == q.rstrip("0")
