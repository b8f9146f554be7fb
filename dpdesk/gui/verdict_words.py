"""Verdicts on what is to be released, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.i18n import N_

_VERDICTS = {"useful": N_("useful"), "coarse": N_("coarse"), "useless": N_("useless")}
_VERDICT_MEANINGS = {
    "useful": N_("Useful: the 95 % error is at most a third of what is estimated."),
    "coarse": N_("Coarse: the 95 % error is more than a third of what is estimated."),
    "useless": N_("Useless: the 95 % error is larger than what is estimated."),
}


def verdict_word(verdict: str) -> str:
    """The verdict on an error, in a word."""
    return _tr(_VERDICTS[verdict])


def verdict_meaning(verdict: str) -> str:
    """What a verdict means, in a sentence."""
    return _tr(_VERDICT_MEANINGS[verdict])


def _tr(text: str) -> str:
    return QCoreApplication.translate("PlanPage", text)
