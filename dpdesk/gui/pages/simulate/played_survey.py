"""A survey that is not held, played respondent by respondent, whatever it asks."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.gui.pages.simulate.running_plot import RunningPlot
from dpdesk.gui.pages.simulate.stage import Stage
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.gui.widgets.player import Player, Speed

_SPEEDS = ((1, 1_000, 1), (4, 250, 1), (25, 40, 1), (250, 40, 10))
"""Respondents per second, milliseconds between two steps, respondents at each step."""


class PlayedSurvey(QWidget):
    """Play, pause, step and speed; what the device hides, and the estimate so far.

    Args:
        theme: The switch that the colours follow.
        truth: What the dashed line of the picture is, in words.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, truth: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stage = Stage(parent=self)
        self.plot = RunningPlot(theme, parent=self)
        self.plot.setMinimumHeight(120)
        self.legend = LegendRow(theme, parent=self)
        self.legend.set_entries(
            (
                LegendEntry(self.tr("estimate"), 0),
                LegendEntry(self.tr("its 95 % interval"), "muted", "hairline"),
                LegendEntry(truth, "text", "dashed"),
            )
        )
        speeds = (
            Speed(interval, count, self.tr("{count} per second").format(count=rate))
            for rate, interval, count in _SPEEDS
        )
        self.player = Player(
            theme,
            self.tr("Next respondent"),
            self.tr("From the first respondent"),
            tuple(speeds),
            parent=self,
        )
        self.truth = QCheckBox(self.tr("Show the &truth"), self)
        self.truth.setToolTip(self.tr("What only the respondent knows; a simulation knows it too"))
        self.words = ElidedLabel("", "muted", parent=self)
        self.player.moved.connect(self.show_shown)
        self.truth.toggled.connect(lambda _: self.show_shown())
        self._lay_out()

    def show_table(self) -> None:
        """Shows the estimates as a table."""
        self.plot.show_table()

    def show_shown(self) -> None:
        """Shows the respondent whose number the player shows; a view of a survey overrides it."""

    def say(self, seed: int, number: int, respondents: int, played: int) -> None:
        """Says which respondent of which simulation is shown.

        Args:
            seed: Seed of the simulation.
            number: Number of the respondent.
            respondents: Respondents of the survey.
            played: How many of them are played.
        """
        words = self.tr("Simulation, seed {seed}: {number} of {count}").format(
            seed=seed, number=f"{number:,}", count=f"{respondents:,}"
        )
        if played < respondents:
            words += self.tr(" (the first {count} are played)").format(count=f"{played:,}")
        self.words.set_text(words)
        self.plot.set_description(
            f"{words} {self.tr('Estimate so far:')} {self.stage.estimate.text()}"
        )

    def _lay_out(self) -> None:
        self.player.add_widget(self.truth)
        self.player.add_stretch()
        said = QHBoxLayout()
        said.setSpacing(12)
        said.addWidget(self.words, 1)
        said.addWidget(self.legend)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.stage)
        column.addLayout(said)
        column.addWidget(self.plot, 1)
        column.addWidget(self.player)
