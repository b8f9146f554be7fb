"""What the Plan page says of a column, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.domains import Categorical
from dpdesk.i18n import N_
from dpdesk.mechanisms import Mechanism
from dpdesk.plan import ColumnPlan
from dpdesk.preview import Figures, PreviewRequest, fraction_text, share_text

_KINDS = {
    "nominal": N_("Nominal"),
    "ordinal": N_("Ordinal"),
    "binary": N_("Binary"),
    "integer": N_("Integer"),
    "real": N_("Real"),
    "identifier": N_("Identifier"),
    "weight": N_("Weight"),
}


def _tr(text: str) -> str:
    return QCoreApplication.translate("PlanPage", text)


def type_text(column: ColumnPlan) -> str:
    """Kind and size of a column's domain, such as "Nominal · 16 answers" or "Integer 18–99"."""
    kind, domain = _tr(_KINDS[column.kind]), column.effective_domain
    if domain is None:
        return kind
    if isinstance(domain, Categorical):
        if column.kind == "binary" and domain.size == 2:
            return kind
        return _tr("{kind} · {count} answers").format(kind=kind, count=f"{domain.size:,}")
    lower, upper = (format(end.normalize(), ",f") for end in (domain.grid_lower, domain.grid_upper))
    return f"{kind} {lower}–{upper}".replace("-", "−")


def mechanism_text(column: ColumnPlan) -> str:
    """What happens to a column, as short as a cell needs it."""
    if column.role == "protect":
        return column.mechanism.short if column.mechanism is not None else _tr("No mechanism")
    return {
        "keep": _tr("Not protected"),
        "drop": _tr("Dropped"),
        "unassigned": _tr("Unassigned"),
    }[column.role]


def mechanism_title(mechanism: type[Mechanism]) -> str:
    """Short name and title of a mechanism, such as "GRR — generalized randomized response"."""
    title = QCoreApplication.translate("Mechanism", mechanism.title)
    if title.startswith(mechanism.short):
        return title
    return f"{mechanism.short} — {title[:1].lower()}{title[1:]}"


def error_caption(request: PreviewRequest) -> str:
    """What the error is an error of."""
    if not isinstance(request.domain, Categorical):
        return _tr("95 % error of the mean")
    if request.expected:
        return _tr("95 % error of an expected share")
    return _tr("95 % error of a share of {part}").format(part=fraction_text(request.domain.size))


def truth_words(figures: Figures) -> tuple[str, str]:
    """The fourth figure: how much of the truth reports tell, and what the number is."""
    if figures.bits:
        value = _tr("{count} bits").format(count=f"{figures.bits:,}")
        caption = _tr("true answer's bit set in {true}, each other in {other}")
        return value, caption.format(
            true=_rounded(figures.truthful or 0.0), other=_rounded(figures.other_bit)
        )
    if figures.truthful is None:
        return _tr("none"), _tr("of the reports is an answer by itself")
    return share_text(figures.truthful), _tr("answers reported truthfully")


def _rounded(share: float) -> str:
    return f"{100 * share:.0f} %"
