from __future__ import annotations

from decimal import Decimal

from dpdesk.composition import (
    Group,
    Loss,
    Noise,
    Parallel,
    Postprocessed,
    Release,
    Sequential,
    Stable,
    account,
    rho_of_epsilon,
)
from dpdesk.queries.sensitivity import Sensitivity

NOISE = Noise("discrete_gaussian", 10.0, Sensitivity.of_number(1), 1)
GAUSSIAN = Loss("g", Decimal("0.6"), Decimal("1e-6"), rho=Decimal("0.005"), noise=NOISE)
COUNT = Loss("count", Decimal("0.5"))


def totals(tree) -> tuple[Decimal, Decimal]:
    return (
        sum((loss.epsilon for loss in tree.losses), Decimal(0)),
        sum((loss.delta for loss in tree.losses), Decimal(0)),
    )


def test_that_a_sequence_and_what_is_computed_from_it_stand_for_all_their_releases() -> None:
    tree = Postprocessed(Sequential((Release(COUNT), Sequential((Release(GAUSSIAN),)))))
    assert tree.losses == (COUNT, GAUSSIAN)
    assert totals(tree) == (tree.cost.epsilon, tree.cost.delta)
    assert account(tree.losses, Decimal("1e-5")).basic.epsilon == tree.cost.epsilon


def test_that_parts_that_lose_alike_stand_for_one_or_two_releases_with_their_law() -> None:
    parts = tuple(Release(Loss(**{**vars_of(GAUSSIAN), "name": name})) for name in "abc")
    for relation, reached in (("add_remove", 1), ("replace", 2)):
        tree = Parallel(parts, relation)
        assert len(tree.losses) == reached
        assert all(loss.noise == NOISE for loss in tree.losses)
        assert totals(tree) == (tree.cost.epsilon, tree.cost.delta)


def test_that_parts_that_lose_differently_stand_for_their_cost_and_largest_rho() -> None:
    smaller = Loss("h", Decimal("0.2"), Decimal("1e-7"), rho=Decimal("0.001"))
    pair = Sequential((Release(smaller), Release(smaller)))
    (loss,) = Parallel((Release(GAUSSIAN), pair), "add_remove").losses
    assert (loss.epsilon, loss.delta, loss.rho) == (
        Decimal("0.6"),
        Decimal("1e-6"),
        Decimal("0.005"),
    )
    (both,) = Parallel((Release(GAUSSIAN), pair), "replace").losses
    assert both.rho == Decimal("0.007")
    (mixed,) = Parallel((Release(GAUSSIAN), Release(COUNT)), "add_remove").losses
    assert mixed.rho == rho_of_epsilon(Decimal("0.5"))
    unknown = Release(Loss("u", Decimal("0.1"), Decimal("1e-9")))
    (loss,) = Parallel((Release(GAUSSIAN), unknown), "add_remove").losses
    assert loss.rho is None


def test_that_groups_and_preparations_multiply_every_loss() -> None:
    for tree in (Group(Release(GAUSSIAN), 3), Stable(Release(GAUSSIAN), 3)):
        (loss,) = tree.losses
        assert (loss.epsilon, loss.rho, loss.noise) == (Decimal("1.8"), Decimal("0.045"), None)
        assert loss.cost == tree.cost
    # Seen one by one, several releases lose no more delta than seen as one.
    several = Group(Sequential((Release(GAUSSIAN), Release(GAUSSIAN))), 3)
    epsilon, delta = totals(several)
    assert epsilon == several.cost.epsilon
    assert delta < several.cost.delta


def vars_of(loss: Loss) -> dict:
    return {name: getattr(loss, name) for name in Loss.__slots__}
