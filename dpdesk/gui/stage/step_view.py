"""One step of a demonstration, painted; changes within a step move."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSizeF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from dpdesk.demonstrations.picture import Picture
from dpdesk.gui.stage.drawings import between
from dpdesk.gui.stage.look import LABEL, paint_line
from dpdesk.gui.stage.step_layout import StepLayout, StepTexts, lay_out_step
from dpdesk.gui.theme import ThemeSwitch, theme_in_force

_CHANGE_MS = 420
"""How long a change within a step takes, in milliseconds."""


class StepView(QWidget):
    """Paints a step so that the last row reads it, at any size.

    What stands still is painted once. While pictures change, their part alone is painted anew.

    Attributes:
        fieldMoved: Emitted with the `QRectF` of the place kept for a field.
    """

    fieldMoved = Signal(object)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts = StepTexts("", "", "", "", "", "", ())
        self._step, self._steps, self._percent, self._first = 0, 1, 100, 0
        self._field: QSizeF | None = None
        self._old: tuple[Picture, ...] = ()
        self._progress = 1.0
        self._layout: StepLayout | None = None
        self._still: QPixmap | None = None
        self._whole: QPixmap | None = None
        self._change = QVariantAnimation(self)
        self._change.setStartValue(0.0)
        self._change.setEndValue(1.0)
        self._change.setDuration(_CHANGE_MS)
        self._change.valueChanged.connect(self.set_progress)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        ThemeSwitch.instance().themeChanged.connect(self._lay_anew)

    def show_step(
        self, texts: StepTexts, step: int, steps: int, *, moves: bool, field: QSizeF | None = None
    ) -> None:
        """Shows a step, or another state of it.

        Args:
            texts: Words and pictures.
            step: Number of the step, from 0.
            steps: How many there are.
            moves: Whether pictures move from the state that is shown to the new one.
            field: Room that is kept for a field, in pixels.
        """
        self._change.stop()
        self._old = self._texts.pictures if moves else ()
        self._texts, self._step, self._steps, self._field = texts, step, steps, field
        self._tell()
        alike = [type(p) for p in self._old] == [type(p) for p in texts.pictures]
        if moves and alike and self.isVisible():
            self._progress = 0.0
            self._lay_anew()
            self._change.start()
        else:
            self._progress = 1.0
            self._lay_anew()

    def is_moving(self) -> bool:
        """Whether pictures move from one state to another."""
        return self._change.state() == QVariantAnimation.State.Running

    def set_progress(self, progress: float) -> None:
        """Shows a moment of the change, from 0 to 1."""
        self._progress = float(progress)
        if self._progress >= 1:
            self._whole = None
        self.update(self.step_layout().pictures.toAlignedRect())

    def set_percent(self, percent: int) -> None:
        """Gives all letters another size, in per cent."""
        self._percent = percent
        self._lay_anew()

    def show_other_picture(self) -> None:
        """In a narrow window, shows the other one of two pictures."""
        self._first += 1
        self._lay_anew()

    def shows_all_pictures(self) -> bool:
        """Whether there is room for all pictures of the step."""
        return len(self.step_layout().drawings) == len(self._texts.pictures)

    def texts(self) -> StepTexts:
        """What is shown."""
        return self._texts

    def step_layout(self) -> StepLayout:
        """Where everything stands."""
        if self._layout is None:
            self._layout = lay_out_step(
                self._texts,
                self._steps,
                QSizeF(self.size()),
                self._percent,
                theme=theme_in_force(),
                font=self.font(),
                field=self._field,
                first=self._first,
            )
            self.fieldMoved.emit(self._layout.field)
        return self._layout

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_anew()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stand_still()

    def stand_still(self) -> None:
        """Ends a change at once."""
        self._change.stop()
        if self._progress < 1:
            self.set_progress(1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._progress >= 1:
            if self._whole is None:
                self._whole = self._painted(pictures=True)
            painter.drawPixmap(event.rect(), self._whole, self._on_pixmap(event.rect()))
            return
        if self._still is None:
            self._still = self._painted(pictures=False)
        painter.drawPixmap(event.rect(), self._still, self._on_pixmap(event.rect()))
        self._paint_pictures(painter)

    def _on_pixmap(self, part: QRect) -> QRect:
        ratio = self.devicePixelRatio()
        return QRect(part.topLeft() * ratio, part.size() * ratio)

    def _painted(self, *, pictures: bool) -> QPixmap:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(QColor(theme_in_force().background))
        painter = QPainter(pixmap)
        self._paint_still(painter)
        if pictures:
            self._paint_pictures(painter)
        painter.end()
        return pixmap

    def _paint_still(self, painter: QPainter) -> None:
        layout, theme = self.step_layout(), theme_in_force()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for number, mark in enumerate(layout.marks):
            painter.setBrush(QColor(theme.accent if number <= self._step else theme.track))
            painter.drawRoundedRect(mark, mark.height() / 2, mark.height() / 2)
        font, bold = (layout.look.font_of(LABEL, bold=b) for b in (False, True))
        for chip in layout.chips:
            edge = theme.accent if chip.is_chosen else theme.hairline
            painter.setPen(QPen(QColor(edge), max(1.5 * layout.look.space, 1.0)))
            painter.setBrush(QColor(theme.selection if chip.is_chosen else theme.surface))
            painter.drawRoundedRect(chip.rect, chip.rect.height() / 2, chip.rect.height() / 2)
            ink = QColor(theme.accent if chip.is_chosen else theme.muted)
            middle = Qt.AlignmentFlag.AlignHCenter
            paint_line(painter, chip.text, chip.rect, bold if chip.is_chosen else font, ink, middle)
        for placed in layout.texts:
            placed.words.paint(painter, placed.place)

    def _paint_pictures(self, painter: QPainter) -> None:
        layout = self.step_layout()
        for drawing in layout.drawings:
            shown = drawing.picture
            if self._progress < 1:
                place = self._texts.pictures.index(drawing.picture)
                shown = between(self._old[place], drawing.picture, self._progress)
            painter.save()
            drawing.paint(painter, shown)
            painter.restore()

    def _lay_anew(self) -> None:
        self._layout, self._still, self._whole = None, None, None
        if self.isVisible():
            self.step_layout()
        self.update()

    def _tell(self) -> None:
        """Says the step to who listens: title first, then what is seen and what can be done."""
        texts = self._texts
        captions = " ".join(picture.caption for picture in texts.pictures)
        self.setAccessibleName(f"{texts.head}. {texts.title}")
        self.setAccessibleDescription(f"{texts.sentence} {captions} {texts.todo}".strip())
        if self.isVisible():
            words = f"{self.accessibleName()} {self.accessibleDescription()}"
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
