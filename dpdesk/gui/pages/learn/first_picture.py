"""The first picture of a demonstration, small, beside its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.engine.jobs import Job, Tracker
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.theme import ThemeSwitch, theme_in_force

if TYPE_CHECKING:
    from dpdesk.demonstrations import Demonstration, Scene

_HEIGHT, _LETTERS = 150, 0.42


class FirstPicture(QWidget):
    """Paints the first scene as the stage would, once it is computed in the background.

    Attributes:
        watch: Computes the scene.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene: Scene | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.watch = JobWatch(self)
        self.watch.finished.connect(self._show_scene)
        ThemeSwitch.instance().themeChanged.connect(lambda _: self.update())

    def sizeHint(self) -> QSize:
        return QSize(300, _HEIGHT)

    def show_demonstration(self, demonstration: Demonstration) -> None:
        """Computes the first scene and shows it; meanwhile nothing is shown."""
        self._scene = None
        self.setAccessibleName(self.tr("The first picture"))
        self.update()
        step = demonstration.steps[0]

        def first(tracker: Tracker) -> Scene:
            # What cannot be shown is refused before the room sees any of it.
            step.rehearse(tracker)
            return step.scene()

        self.watch.start_instead(lambda: Job(self.tr("First picture"), first))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._scene is None:
            return
        # The drawings of the stage are imported when there is something to draw.
        from dpdesk.gui.stage.drawings import drawing_of, share_of_row
        from dpdesk.gui.stage.look import Look

        painter = QPainter(self)
        look = Look(theme_in_force(), self.font(), _LETTERS, _LETTERS)
        pictures = self._scene.pictures
        shares = [share_of_row(picture) for picture in pictures]
        gap, left = 20.0, 0.0
        room = self.width() - gap * (len(pictures) - 1)
        for picture, share in zip(pictures, shares, strict=True):
            wide = room * share / sum(shares)
            painter.save()
            drawing_of(picture, QRectF(left, 0, wide, self.height()), look).paint(painter, picture)
            painter.restore()
            left += wide + gap

    def _show_scene(self, scene: Scene) -> None:
        self._scene = scene
        self.setAccessibleDescription(" ".join(picture.caption for picture in scene.pictures))
        self.update()
