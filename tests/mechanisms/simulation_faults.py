"""Faults of the simulations: counts of reports, profiles, the attacker's posterior."""

from __future__ import annotations

from tests.engine.simulate import simulation_checks as simulations
from tests.mechanisms.mutation import Fault

TALLIES = "dpdesk.engine.simulate.tallies:"
ATTACK = "dpdesk.engine.simulate.attack."

FAULTS = (
    Fault("simulated GRR: truth kept with p", TALLIES + "symbol_counts",
          (("counts, p - q)", "counts, p)"),),
          simulations.symbol_counts_are_those_of_respondents),
    Fault("simulated bits: lies from everybody", TALLIES + "support_counts",
          ((" - counts", ""),), simulations.support_counts_are_those_of_respondents),
    Fault("simulated channel: all answers by each row", TALLIES + "channel_counts",
          (("counts[..., value]", "counts.sum(axis=-1)"),),
          simulations.channel_counts_are_those_of_respondents),
    Fault("simulated fakes: d of them", TALLIES + "fake_data_counts",
          (("q + (d - 1) * forecast.faked", "q + d * forecast.faked"),),
          simulations.fake_data_counts_are_those_of_respondents),
    Fault("simulated fakes: no real report", TALLIES + "fake_data_counts",
          (("p + (d - 1) * q", "d * q"),), simulations.fake_data_counts_are_those_of_respondents),
    Fault("simulated sample: one attribute too many", TALLIES + "sampled_counts",
          (("1 / attributes", "1 / (attributes + 1)"),),
          simulations.sampled_counts_are_those_of_respondents),
    Fault("shares with fakes read as without", "dpdesk.engine.simulate.variants:shares_of",
          (("law.chances if isinstance(law, FakeDataForecast) else (law.p, law.q)",
            "(law.real.p, law.real.q)"),), simulations.shares_are_unbiased_for_expected_counts),
    Fault("posterior: fakes left out", ATTACK + "attackers:likelihood_ratio",
          (('law.fakes == "random"', "False"),), simulations.posterior_is_that_of_the_joint_law),
    Fault("posterior: fakes of symbols uniform", ATTACK + "attackers:likelihood_ratio",
          ((" / law.faked)[", ")["),), simulations.posterior_is_that_of_the_joint_law),
    Fault("profiles: the sampled attribute faked", ATTACK + "run:draw_profiles",
          (("sampled == j", "sampled != j"),), simulations.profiles_have_the_law_of_reports),
    Fault("profiles: fake bits of zeros encode a category", ATTACK + "run:draw_profiles",
          (('law.fakes == "random"', "True"),), simulations.profiles_have_the_law_of_reports),
    Fault("the compromised's fakes taken for real", ATTACK + "run:shares_from_compromised",
          (("reports[sampled == j]", "reports"),),
          simulations.an_attacker_estimates_what_is_true),
)  # fmt: skip
