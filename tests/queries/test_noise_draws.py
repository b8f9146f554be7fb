from __future__ import annotations

from tests.queries import noise_draws


def test_that_every_noise_is_as_frequent_as_its_law_says() -> None:
    noise_draws.every_noise_is_as_frequent_as_its_law_says()


def test_that_neighbours_have_independent_noise() -> None:
    noise_draws.neighbours_have_independent_noise()


def test_that_whole_noise_stays_on_the_grid() -> None:
    noise_draws.whole_noise_stays_on_the_grid()
