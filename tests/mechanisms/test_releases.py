from __future__ import annotations

from tests.mechanisms import release_checks


def test_that_columns_of_a_release_are_drawn_independently() -> None:
    release_checks.columns_of_a_release_are_independent()


def test_that_the_first_and_the_last_record_of_a_release_are_randomized() -> None:
    release_checks.every_record_of_a_release_is_randomized()


def test_that_missing_answers_are_randomized_like_others() -> None:
    release_checks.missing_answers_are_randomized_like_others()


def test_that_a_release_has_the_declared_domain_and_not_that_of_the_answers() -> None:
    release_checks.a_release_has_the_declared_domain_and_not_that_of_the_answers()


def test_that_two_releases_of_the_same_answers_differ_in_reports_and_order() -> None:
    release_checks.two_releases_of_the_same_answers_differ()
