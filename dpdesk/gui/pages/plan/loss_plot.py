"""The view of the privacy loss of one report under two true answers."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.loss_plots import LossPlots
from dpdesk.preview import PreviewRequest, loss_view

_LEGEND_CHARACTERS, _LEGEND_CHARACTERS_SHORT = 18, 9


class LossPlot(QWidget):
    """Both plots of the privacy loss below their legend.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        answersAsked: The user wants to compare other answers.
    """

    answersAsked = Signal()

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: tuple[str, str] = ("", "")
        self.legend = LegendRow(theme, parent=self)
        self.plots = LossPlots(theme, parent=self)
        self.answers = QToolButton(self)
        self.answers.setAutoRaise(True)
        self.answers.setIconSize(QSize(16, 16))
        self.answers.setAccessibleName(self.tr("Choose the answers to compare"))
        self.answers.setToolTip(self.tr("Choose the two true answers to compare (Ctrl+Shift+C)"))
        IconBond(self.answers, theme, "tune-variant", "muted")
        self.answers.clicked.connect(self.answersAsked)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.answers)
        head.addWidget(self.legend, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.plots, 1)

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the privacy loss of a request."""
        view = loss_view(request)
        if view.answers != self._answers:
            self._answers = view.answers
            self._write_legend()
        self.plots.show_view(view)

    def show_table(self) -> None:
        """Shows the numbers of both plots."""
        self.plots.show_table()

    def _write_legend(self) -> None:
        true, quoted = self.tr("true answer “{answer}”"), self.tr("“{answer}”")
        answers = [
            LegendEntry(
                true.format(answer=_cut(answer, _LEGEND_CHARACTERS)),
                series,
                "bars",
                quoted.format(answer=_cut(answer, _LEGEND_CHARACTERS_SHORT)),
            )
            for series, answer in enumerate(self._answers)
        ]
        self.legend.set_entries(
            (
                *answers,
                LegendEntry(self.tr("mean"), "text", "hairline"),
                LegendEntry(self.tr("most that ε allows"), "muted", "dotted", self.tr("allowed")),
            )
        )


def _cut(answer: str, characters: int) -> str:
    """A long answer cut for the legend; the table of the plot has it in full."""
    one_line = " ".join(answer.split())
    return one_line if len(one_line) <= characters else f"{one_line[: characters - 1].rstrip()}…"
