"""Where everything of a step stands on the stage, for its texts and the size of the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFont

from dpdesk.demonstrations.picture import Picture
from dpdesk.gui.stage.drawing import Drawing
from dpdesk.gui.stage.drawings import drawing_of, share_of_row
from dpdesk.gui.stage.look import (
    CAPTION,
    DRAWN_HEIGHT,
    DRAWN_WIDTH,
    FOOT,
    LABEL,
    SENTENCE,
    TITLE,
    TODO,
    Look,
    Words,
)
from dpdesk.gui.theme import Theme

_SIDE, _TOP, _BOTTOM, _GAP, _BETWEEN = 64.0, 36.0, 28.0, 18.0, 54.0
"""Margins and distances in the drawing."""
_NARROW = 900
"""Width in pixels below which one picture stands alone."""
_PICTURES = 0.36
"""The part of the height that pictures keep, whatever the texts need."""
_SMALLER, _LEAST = 0.95, 0.3
"""By what letters become smaller until all is whole, and the smallest size tried."""


@dataclass(frozen=True)
class StepTexts:
    """The words and pictures of a step.

    Attributes:
        head: Where one is: "Two coins · step 4 of 8".
        title: The large line.
        todo: The one thing to do.
        sentence: The sentence below the pictures.
        keys: The keys, at the foot.
        question: The question, at the foot; may be empty.
        pictures: The pictures; two stand side by side where there is room.
        choices: What Up and Down move through.
        choice: Which of them is in force.
    """

    head: str
    title: str
    todo: str
    sentence: str
    keys: str
    question: str
    pictures: tuple[Picture, ...]
    choices: tuple[str, ...] = ()
    choice: int = 0


@dataclass(frozen=True)
class Placed:
    """Words at their place."""

    words: Words
    place: QPointF

    def rect(self) -> QRectF:
        """Where they stand."""
        return QRectF(self.place, QSizeF(self.words.width, self.words.height))


@dataclass(frozen=True)
class Chip:
    """One of the choices."""

    text: str
    rect: QRectF
    is_chosen: bool


@dataclass(frozen=True)
class StepLayout:
    """A step laid out.

    Attributes:
        look: With the letters that fit.
        texts: All words but those in pictures.
        marks: The marks of steps, one after the other at the upper right.
        chips: The choices.
        drawings: The pictures that are shown.
        pictures: The part of the window that they and nothing else stand in.
        field: The place that was asked for, below the thing to do; empty without one.
        is_whole: Whether everything fits.
    """

    look: Look
    texts: tuple[Placed, ...]
    marks: tuple[QRectF, ...]
    chips: tuple[Chip, ...]
    drawings: tuple[Drawing[Any], ...]
    pictures: QRectF
    field: QRectF
    is_whole: bool


def lay_out_step(
    texts: StepTexts,
    steps: int,
    size: QSizeF,
    percent: int,
    *,
    theme: Theme,
    font: QFont,
    field: QSizeF | None = None,
    first: int = 0,
) -> StepLayout:
    """Lays a step out with the largest letters, up to those asked for, with which all is whole.

    Args:
        texts: Words and pictures.
        steps: How many steps there are.
        size: Of the window, in pixels.
        percent: Size of letters asked for, in per cent.
        theme: Colours.
        font: Family of letters.
        field: Room that is kept for a field, in pixels.
        first: Number of the picture that stands alone in a narrow window.
    """
    space = min(size.width() / DRAWN_WIDTH, size.height() / DRAWN_HEIGHT)
    asked = Look(theme, font, space, space * percent / 100)
    shrunk = 1.0
    while True:
        look = replace(asked, letters=asked.letters * shrunk)
        found = _Attempt(texts, steps, size, look, field, first).layout()
        if found.is_whole or shrunk <= _LEAST:
            return found
        shrunk *= _SMALLER


def shows_one_picture(size: QSizeF) -> bool:
    """Whether a window is so narrow that one picture stands alone."""
    return size.width() < _NARROW


class _Attempt:
    """One attempt, with one size of letters."""

    def __init__(
        self,
        texts: StepTexts,
        steps: int,
        size: QSizeF,
        look: Look,
        field: QSizeF | None,
        first: int,
    ) -> None:
        self._texts, self._steps, self._size, self._look = texts, steps, size, look
        self._asked_field, self._first = field, first
        self._left = _SIDE * look.space
        self._width = size.width() - 2 * self._left
        self._placed: list[Placed] = []

    def layout(self) -> StepLayout:
        look, texts, space = self._look, self._texts, self._look.space
        muted = look.theme.muted
        marks = self._marks()
        head_room = self._width - (marks[-1].right() - marks[0].left() if marks else 0) - 20 * space
        y = _TOP * space
        y += self._put(texts.head, LABEL, y, colour=muted, width=head_room) + _GAP * space
        y += self._put(texts.title, TITLE, y, bold=True)
        y += self._put(texts.todo, TODO, y, colour=muted) + 0.6 * _GAP * space
        chips, y = self._chips(y)
        field = QRectF()
        if self._asked_field is not None:
            field = QRectF(QPointF(self._left, y), self._asked_field)
            y = field.bottom() + 0.6 * _GAP * space
        foot = self._foot()
        sentence = Words(texts.sentence, look, SENTENCE, self._width)
        low = foot - 0.9 * _GAP * space - sentence.height
        if texts.sentence:
            self._placed.append(Placed(sentence, QPointF(self._left, low)))
        area = QRectF(self._left, y, self._width, low - 0.9 * _GAP * space - y)
        drawings, captions_fit = self._pictures(area)
        enough = area.height() >= _PICTURES * self._size.height() and captions_fit
        whole = enough and all(getattr(d, "fits", lambda: True)() for d in drawings)
        return StepLayout(
            look, tuple(self._placed), marks, chips, drawings, area, field, is_whole=whole
        )

    def _put(
        self,
        text: str,
        size: float,
        y: float,
        *,
        colour: str = "",
        bold: bool = False,
        width: float = 0.0,
    ) -> float:
        words = Words(
            text, self._look, size, width or self._width, colour=colour, bold=bold, numbers=False
        )
        self._placed.append(Placed(words, QPointF(self._left, y)))
        return words.height

    def _marks(self) -> tuple[QRectF, ...]:
        space = self._look.space
        wide, gap = min(34.0, 520.0 / max(self._steps, 1)) * space, 8 * space
        right = self._left + self._width
        starts = [right - (self._steps - i) * (wide + gap) + gap for i in range(self._steps)]
        return tuple(QRectF(x, (_TOP + 10) * space, wide, 6 * space) for x in starts)

    def _chips(self, y: float) -> tuple[tuple[Chip, ...], float]:
        """The choices in a row; where they have no room, the one in force alone."""
        texts, metrics = self._texts, self._look.metrics(LABEL, bold=True)
        if not texts.choices:
            return (), y
        pad, high, gap = 14 * self._look.space, 1.45 * metrics.height(), 8 * self._look.space
        shown: Sequence[tuple[str, bool]] = [
            (text, i == texts.choice) for i, text in enumerate(texts.choices)
        ]
        needed = sum(metrics.horizontalAdvance(text) + 2 * pad + gap for text, _ in shown)
        if needed > self._width:
            count = len(texts.choices)
            alone = f"↑ ↓  {texts.choices[texts.choice]}  ({texts.choice + 1}/{count})"
            shown = [(alone, True)]
        chips, x = [], self._left
        for text, chosen in shown:
            wide = metrics.horizontalAdvance(text) + 2 * pad
            chips.append(Chip(text, QRectF(x, y, wide, high), chosen))
            x += wide + gap
        return tuple(chips), y + high + 0.9 * _GAP * self._look.space

    def _foot(self) -> float:
        """Puts keys and question to the foot; returns its upper edge."""
        look, muted = self._look, self._look.theme.muted
        keys_alone = look.metrics(FOOT).horizontalAdvance(self._texts.keys) + 4
        half = max(0.48 * self._width, min(keys_alone, 0.62 * self._width))
        rest = self._width - half - 20 * look.space
        keys, question = (
            Words(text, look, FOOT, width, colour=muted, numbers=False)
            for text, width in ((self._texts.keys, half), (self._texts.question, rest))
        )
        top = self._size.height() - _BOTTOM * look.space - max(keys.height, question.height)
        self._placed.append(Placed(keys, QPointF(self._left, top)))
        if self._texts.question:
            x = self._left + self._width - question.width
            self._placed.append(Placed(question, QPointF(x, top)))
        return top

    def _pictures(self, area: QRectF) -> tuple[tuple[Drawing[Any], ...], bool]:
        """Puts pictures side by side, each above its caption."""
        pictures = self._texts.pictures
        if len(pictures) > 1 and shows_one_picture(self._size):
            pictures = (pictures[self._first % len(pictures)],)
        if not pictures:
            return (), True
        look, gap = self._look, _BETWEEN * self._look.space
        room = area.width() - gap * (len(pictures) - 1)
        shares = [share_of_row(picture) for picture in pictures]
        widths = [room * share / sum(shares) for share in shares]
        muted = look.theme.muted
        captions = [
            Words(picture.caption, look, CAPTION, width, later=muted)
            for picture, width in zip(pictures, widths, strict=True)
        ]
        below = max(caption.height for caption in captions)
        high = area.height() - below - 12 * look.space
        if high < 0.5 * area.height():
            return (), False
        drawings, x = [], area.left()
        for picture, caption, width in zip(pictures, captions, widths, strict=True):
            drawings.append(drawing_of(picture, QRectF(x, area.top(), width, high), look))
            self._placed.append(Placed(caption, QPointF(x, area.bottom() - below)))
            x += width + gap
        return tuple(drawings), True
