from __future__ import annotations

from dataclasses import FrozenInstanceError
from decimal import Decimal

import numpy as np
import pytest

from dpdesk.channel import DenseLaw, GrrLaw, ThresholdLaw, UnaryLaw, geometric_weights
from dpdesk.errors import Cancelled, CertificateError
from tests.channel import certificate_checks
from tests.refusals import refused


def test_that_no_grr_law_exceeds_its_epsilon_and_each_comes_close() -> None:
    certificate_checks.grr_certificates_hold()


def test_that_no_unary_law_exceeds_its_epsilon_and_each_comes_close() -> None:
    certificate_checks.unary_certificates_hold()


def test_that_no_one_bit_law_exceeds_its_epsilon_and_each_comes_close() -> None:
    certificate_checks.threshold_certificates_hold()


def test_that_no_bounded_laplace_law_exceeds_its_epsilon_and_each_comes_close() -> None:
    certificate_checks.geometric_certificates_hold()


def test_that_every_grid_size_to_200_holds_where_rounding_is_hardest() -> None:
    # At eps = 0.01 a padding of c = 1 fails on half of the grids.
    certificate_checks.geometric_certificates_hold_for(range(2, 201), [Decimal("0.01")])


def test_that_a_law_just_above_its_epsilon_is_refused() -> None:
    certificate_checks.a_ratio_above_e_to_the_epsilon_is_refused()


def test_that_a_table_with_a_zero_or_a_wrong_sum_is_refused() -> None:
    certificate_checks.a_table_that_is_no_law_is_refused()


def test_that_a_certificate_loses_what_is_documented_at_the_largest_epsilon() -> None:
    forty = Decimal(40)
    lost = {
        "grr": forty - GrrLaw.at(2, forty).certificate(forty).epsilon_certified,
        "sue": forty - UnaryLaw.symmetric(2, forty).certificate(forty).epsilon_certified,
    }
    assert Decimal("0.007") < lost["grr"] < Decimal("0.013")
    assert lost["sue"] < Decimal("1e-9")


def test_that_a_grid_too_fine_for_its_epsilon_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpdesk.channel import rounding

    # 2^16 words give 2,000 points 32 words each, which is less than the padding of eps = 0.01.
    monkeypatch.setattr(rounding, "WORD_TOTAL", 1 << 16)
    with refused("channel.fine-grid"):
        geometric_weights(2_000, Decimal("0.01"))


def test_that_a_domain_too_large_for_the_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpdesk.channel import grr

    monkeypatch.setattr(grr, "WORD_TOTAL", 1 << 16)
    with pytest.raises(CertificateError):
        GrrLaw.at(60_000, Decimal("0.1"))


def test_that_laws_have_different_fingerprints_and_equal_laws_the_same() -> None:
    one, two = Decimal(1), Decimal(2)
    prints = [
        GrrLaw.at(4, one).fingerprint,
        GrrLaw.at(4, two).fingerprint,
        GrrLaw.at(5, one).fingerprint,
        UnaryLaw.optimized(4, one).fingerprint,
        UnaryLaw.symmetric(4, one).fingerprint,
        ThresholdLaw.at(4, one).fingerprint,
        DenseLaw(geometric_weights(4, one)).fingerprint,
        DenseLaw(geometric_weights(4, two)).fingerprint,
    ]
    assert len(set(prints)) == len(prints)
    assert all(len(p) == 64 for p in prints)
    assert GrrLaw.at(4, one).fingerprint == prints[0]
    assert DenseLaw(geometric_weights(4, one)).fingerprint == prints[6]


def test_that_a_fingerprint_of_a_table_covers_every_weight() -> None:
    weights = geometric_weights(6, Decimal(1))
    before = DenseLaw(weights.copy()).fingerprint
    weights[3, 2] += np.uint64(1)
    weights[3, 4] -= np.uint64(1)
    assert DenseLaw(weights).fingerprint != before


def test_that_a_certificate_cannot_be_edited() -> None:
    certificate = GrrLaw.at(4, Decimal(1)).certificate(Decimal(1))
    with pytest.raises(FrozenInstanceError):
        certificate.epsilon_certified = Decimal(0)  # type: ignore[misc]


def test_that_building_a_large_law_can_be_stopped() -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        geometric_weights(50, Decimal(1), stop)
    with pytest.raises(Cancelled):
        DenseLaw(geometric_weights(50, Decimal(1)), stop)
