"""The numbers on the help page of attacks, each from the attack that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.attacks import ATTACKS, Attack, Findings
from dpdesk.numbers.digits import share_text, significant
from dpdesk.resources import resource

KINDS = {kind.tag(): kind for kind in ATTACKS}


@pytest.fixture(scope="module")
def page() -> str:
    return " ".join(Path(resource("docs/attacks.md")).read_text("utf-8").split())


def example(name: str, **values: object) -> Findings:
    return KINDS[name].made(values).run(KINDS[name].example())


def test_that_the_page_has_every_attack(page: str) -> None:
    kind: type[Attack]
    for kind in ATTACKS:
        assert f"`{kind.tag()}`" in page


def test_that_the_numbers_of_the_page_are_those_of_the_attacks(page: str) -> None:
    differencing, averaging = example("differencing", belief=0.5), example("averaging")
    coin, largest = example("swapped-coin"), example("largest-value")
    table = example("homogeneity", excluded="obesity")
    one, both = (share_text(remedy.success or 0) for remedy in differencing.remedies)
    for words in (
        f"it is right in {one} for somebody who knows everybody else",
        f"and in {both} for somebody who has both noisy counts",
        f"off by {significant(averaging.figures['error_once'], 3)} each",
        f"with a chance of {share_text(averaging.success)}",
        f"one answer does with {share_text(averaging.baseline)}",
        f"their average is exact with {share_text(averaging.remedies[1].success or 0)}",
        f"the answers of {table.figures['certain']} people follow all the same",
        f"k = {table.figures['k']}",
        f"its estimate is {coin.figures['expected_wrong']:.1f} on average",
        f"that of the right design {coin.figures['expected_right']:.0f}",
        f"the device loses ε = {coin.figures['actual_epsilon']:.3f}",
        f"at ε = 1 it is {largest.figures['scale']:.0f}",
        f"it is told in {share_text(largest.figures['told_from_one_mean'])}",
        f"where {share_text(largest.figures['promised'])} was promised",
        f"the loss is {significant(largest.figures['loss_with_larger_value'], 3)} and not 1",
    ):
        assert words in page
