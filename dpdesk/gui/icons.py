"""Icons drawn from one set of SVG files in the colours of the theme."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton, QWidget

from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.resources import resource

IconRole = Literal["text", "muted", "accent", "accent_text", "danger", "warning", "success"]

# From menu size at one pixel per point to the largest sign at two: Qt takes the next larger size
# and scales it down, so that an icon is never an enlarged small picture.
_SIZES = (16, 20, 24, 32, 48, 64, 80)

_BUTTON_GAP = 0.25


def icon(name: str, theme: Theme, role: IconRole = "text", gap: float = 0.0) -> QIcon:
    """An icon in the colours of a theme.

    Args:
        name: Name of a file in `resources/icons`, without its suffix.
        theme: The theme.
        role: The token that colours the icon; checked it has the accent.
        gap: Empty space after the drawing, as a share of its height.

    Raises:
        FileNotFoundError: There is no such icon.
    """
    # Many buttons show the same one. Pixmaps must not outlive the application, the switch's owner.
    cached = ThemeSwitch.instance().icons
    wanted = name, theme.name, role, gap
    if wanted not in cached:
        cached[wanted] = _drawn(name, theme, role, gap)
    return cached[wanted]


def _drawn(name: str, theme: Theme, role: IconRole, gap: float) -> QIcon:
    # Qt takes the pictures of Normal for Active ones, and tints those of other modes by itself.
    colours = {
        (QIcon.Mode.Normal, QIcon.State.Off): theme.colour(role),
        (QIcon.Mode.Selected, QIcon.State.Off): theme.colour(role),
        (QIcon.Mode.Disabled, QIcon.State.Off): theme.disabled,
        (QIcon.Mode.Normal, QIcon.State.On): theme.accent,
        (QIcon.Mode.Disabled, QIcon.State.On): theme.disabled,
    }
    drawn = QIcon()
    for (mode, state), colour in colours.items():
        for size in _SIZES:
            drawn.addPixmap(QPixmap.fromImage(icon_image(name, colour, size, gap)), mode, state)
    return drawn


@lru_cache(maxsize=2048)
def icon_image(name: str, colour: str, size: int, gap: float = 0.0) -> QImage:
    """An icon as a picture.

    Images are cached because they, unlike pixmaps, may outlive the application.

    Args:
        name: Name of a file in `resources/icons`, without its suffix.
        colour: "#rrggbb".
        size: Height in pixels.
        gap: Empty space after the drawing, as a share of its height.
    """
    image = QImage(round(size * (1 + gap)), size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(_coloured(name, colour)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def _coloured(name: str, colour: str) -> QByteArray:
    svg = resource(f"icons/{name}.svg").read_text(encoding="utf-8")
    return QByteArray(svg.replace("<path ", f'<path fill="{colour}" ').encode())


class IconButton(QToolButton):
    """A flat button that shows an icon; its name is for the tooltip and for screen readers.

    Args:
        icon_name: Name of the icon.
        name: What it does.
        tip: Tooltip, where it says more than the name.
        size: Of the icon, in pixels.
        role: See `icon`.
    """

    def __init__(
        self,
        icon_name: str,
        name: str,
        *,
        tip: str = "",
        size: int = 16,
        role: IconRole = "muted",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAutoRaise(True)
        self.setIconSize(QSize(size, size))
        self.setAccessibleName(name)
        self.setToolTip(tip or name)
        IconBond(self, icon_name, role)


class IconBond(QObject):
    """Keeps the icon of a button or an action in the colours of the current theme.

    It is a child of its target, so that both are deleted together.

    Args:
        target: The button or action.
        name: Name of the icon.
        role: See `icon`.
    """

    def __init__(
        self, target: QAbstractButton | QAction, name: str, role: IconRole = "text"
    ) -> None:
        super().__init__(target)
        self._target = target
        # A button with a style sheet puts its word right beside its icon.
        self._gap = _BUTTON_GAP if isinstance(target, QPushButton) else 0.0
        if isinstance(target, QPushButton):
            target.setIconSize(QSize(round(_SIZES[0] * (1 + _BUTTON_GAP)), _SIZES[0]))
        self._name = name
        self._role: IconRole = role
        self._draw(theme_in_force())
        ThemeSwitch.instance().themeChanged.connect(self._draw)

    def set_icon(self, name: str, role: IconRole = "text") -> None:
        """Shows another icon."""
        self._name, self._role = name, role
        self._draw(theme_in_force())

    def _draw(self, theme: Theme) -> None:
        self._target.setIcon(icon(self._name, theme, self._role, self._gap))
