"""Sampled-attribute inference: which of a respondent's reports under RS+FD was real?

RS+FD and RS+RFD promise that nobody sees which attribute was reported and which were faked. The
attack of Arcolezi, Gambs, Couchot & Palamidessi 2023 ("On the risks of collecting multidimensional
data under local differential privacy") guesses it. Its accuracy is compared with the 1/d of a blind
guess.

The window and the command line call `run_attack(table, plan, request, tracker)`; it takes an
`AttackRequest` and returns an `AttackResult`. Run it as a `Job`: it reports progress and can be
cancelled.
"""

from dpdesk.engine.simulate.attack.result import AttackOutcome, AttackResult
from dpdesk.engine.simulate.attack.run import run_attack
from dpdesk.engine.simulate.variants import VARIANTS
from dpdesk.requests.simulations import AttackRequest, Classifier, Knowledge
