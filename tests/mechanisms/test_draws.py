from __future__ import annotations

from tests.mechanisms import drawn_checks


def test_that_every_report_is_as_frequent_as_its_formula_says() -> None:
    drawn_checks.every_cell_has_its_binomial_count()


def test_that_all_reports_together_fit_the_laws() -> None:
    drawn_checks.all_cells_together_fit_the_law()


def test_that_the_loss_that_can_be_shown_is_at_most_epsilon_and_nearly_all_of_it() -> None:
    drawn_checks.the_loss_that_can_be_shown_is_epsilon()


def test_that_columns_and_bits_are_drawn_independently() -> None:
    drawn_checks.columns_are_drawn_independently()


def test_that_rows_are_drawn_independently() -> None:
    drawn_checks.rows_are_drawn_independently()


def test_that_the_first_and_the_last_row_are_randomized_like_others() -> None:
    drawn_checks.the_first_and_the_last_row_are_randomized()


def test_that_two_draws_of_the_same_answers_differ() -> None:
    drawn_checks.two_draws_differ()


def test_that_answers_that_nobody_gives_are_reported_all_the_same() -> None:
    drawn_checks.rare_answers_leave_the_domain_as_it_is()


def test_that_the_count_of_words_does_not_depend_on_the_answers() -> None:
    drawn_checks.the_count_of_words_does_not_depend_on_the_answers()
