from __future__ import annotations

from tests.queries import selection_checks


def test_that_permute_and_flip_has_the_law_of_all_orders() -> None:
    selection_checks.permute_and_flip_has_the_law_of_all_orders()


def test_that_the_largest_after_exponential_noise_has_the_same_law() -> None:
    selection_checks.the_largest_after_exponential_noise_has_the_same_law()


def test_that_laws_of_many_options_are_those_of_their_closed_forms() -> None:
    selection_checks.laws_of_many_options_are_those_of_their_closed_forms()


def test_that_the_exponential_mechanism_chooses_in_proportion() -> None:
    selection_checks.the_exponential_mechanism_chooses_in_proportion()


def test_that_permute_and_flip_is_never_worse() -> None:
    selection_checks.permute_and_flip_is_never_worse()


def test_that_choosing_several_is_choosing_again_among_the_rest() -> None:
    selection_checks.choosing_several_is_choosing_again_among_the_rest()


def test_that_no_result_of_neighbours_exceeds_its_ratio() -> None:
    selection_checks.no_result_of_neighbours_exceeds_its_ratio()


def test_that_choices_run_at_most_epsilon_and_nearly_all_of_it() -> None:
    selection_checks.choices_run_at_most_epsilon_and_nearly_all_of_it()


def test_that_a_lead_is_the_smallest_that_wins_and_no_scores_fall_short_by_more() -> None:
    selection_checks.a_lead_is_the_smallest_that_wins_and_no_scores_fall_short_by_more()


def test_that_no_place_among_several_falls_short_by_more() -> None:
    selection_checks.no_place_among_several_falls_short_by_more()


def test_that_parameters_outside_their_bounds_are_refused() -> None:
    selection_checks.parameters_outside_their_bounds_are_refused()


def test_that_rank_scores_are_those_of_the_rows_themselves() -> None:
    selection_checks.rank_scores_are_those_of_the_rows_themselves()


def test_that_the_best_point_is_the_quantile() -> None:
    selection_checks.the_best_point_is_the_quantile()


def test_that_a_heap_that_is_the_median_is_chosen() -> None:
    selection_checks.a_heap_that_is_the_median_is_chosen()


def test_that_the_sensitivity_of_rank_scores_is_that_of_all_small_tables() -> None:
    selection_checks.the_sensitivity_of_rank_scores_is_that_of_all_small_tables()


def test_that_no_quantile_of_neighbouring_tables_exceeds_its_ratio() -> None:
    selection_checks.no_quantile_of_neighbouring_tables_exceeds_its_ratio()


def test_that_a_quantile_misses_its_rank_by_no_more_than_is_said() -> None:
    selection_checks.a_quantile_misses_its_rank_by_no_more_than_is_said()


def test_that_the_targets_of_an_interval_allow_for_their_own_noise() -> None:
    selection_checks.the_targets_of_an_interval_allow_for_their_own_noise()


def test_that_intervals_hold_the_quantile_of_the_population() -> None:
    selection_checks.intervals_hold_the_quantile_of_the_population()


def test_that_the_derivation_names_the_sensitivity() -> None:
    selection_checks.the_derivation_names_the_sensitivity()


def test_that_choices_are_as_frequent_as_their_law_says() -> None:
    selection_checks.choices_are_as_frequent_as_their_law_says()


def test_that_quantiles_are_as_frequent_as_their_law_says() -> None:
    selection_checks.quantiles_are_as_frequent_as_their_law_says()
