from __future__ import annotations

import dataclasses
import gc
import re

import pytest
from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.app import CycleCollector
from dpdesk.gui.icons import IconBond, icon, icon_image
from dpdesk.gui.messages import plain_box
from dpdesk.gui.theme import (
    Theme,
    ThemeSwitch,
    load_theme,
    stylesheet_of,
    theme_choice,
    token_names,
)
from dpdesk.resources import resource
from tests.gui.contrast import contrast

THEMES = ("light", "dark")

# Every pair of a text and a ground that the style sheet, the palette or a widget puts together.
PAIRS = [
    *(
        (text, ground)
        for text in ("text", "muted", "accent", "danger", "warning", "success")
        for ground in ("background", "surface", "rail", "hover")
    ),
    ("text", "selection"),
    ("muted", "selection"),
    ("accent", "selection"),
    ("accent_text", "accent"),
    ("accent_text", "accent_hover"),
    ("accent_text", "accent_pressed"),
    ("text", "danger_wash"),
    ("danger", "danger_wash"),
    ("text", "warning_wash"),
    ("text", "success_wash"),
]


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_that_text_stands_out_from_its_ground(name: str, text: str, ground: str) -> None:
    theme = load_theme(name)
    assert contrast(theme.colour(text), theme.colour(ground)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_that_series_stand_out_from_the_surface_and_differ(name: str) -> None:
    theme = load_theme(name)
    series = [theme.series(index) for index in range(8)]
    assert len(set(series)) == 8
    # WCAG 2.2, 1.4.11: graphics, and the edges that pale ones are told from the ground by.
    assert all(contrast(colour, theme.surface) >= 3.0 for colour in series)
    assert contrast(theme.control_border, theme.surface) >= 3.0
    assert theme.series(8) == theme.series(0)


def test_that_contrast_runs_from_one_to_twenty_one() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#2866d4", "#2866d4") == pytest.approx(1)


@pytest.mark.parametrize("name", THEMES)
def test_that_every_token_is_a_colour(name: str) -> None:
    theme = load_theme(name)
    for token in token_names():
        value = theme.colour(token)
        assert len(value) == 7
        int(value.removeprefix("#"), 16)


def test_that_an_unknown_token_is_refused() -> None:
    with pytest.raises(KeyError):
        load_theme("light").colour("name")


@pytest.mark.parametrize("name", THEMES)
def test_that_boxes_in_lists_are_drawn_as_those_of_forms(name: str) -> None:
    # The style's own box is hardly seen on a dark ground; no list has to be named for ours.
    sheet = stylesheet_of(load_theme(name), 10.0)
    (boxes,) = re.findall(r"^QAbstractItemView::indicator \{(.*?)\}", sheet, re.DOTALL | re.M)
    assert f"border: 1px solid {load_theme(name).control_border}" in boxes


@pytest.mark.parametrize("name", ["light", "dark"])
def test_that_the_style_sheet_has_no_token_left(name: str) -> None:
    assert "@" not in stylesheet_of(load_theme(name), 10.0).partition("*/")[2]


def test_that_the_switch_dresses_the_application(
    qapp: QApplication, theme: ThemeSwitch, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(theme.themeChanged) as told:
        theme.set_choice("dark")
    assert told.args == [load_theme("dark")]
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == theme.theme.background
    theme.set_choice("light")
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == load_theme("light").background


def test_that_nothing_is_collected_while_the_application_is_dressed(
    theme: ThemeSwitch, cycle_collector: CycleCollector, qtbot: QtBot
) -> None:
    # Also where Python collects by itself, as it does before the window has begun to.
    cycle_collector.end()
    # A widget that is deleted meanwhile ends the process: Qt goes through a list made beforehand.
    collects = []

    class Witness(QWidget):
        def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
            collects.append(gc.isenabled())
            super().changeEvent(event)

    witness = Witness()
    qtbot.addWidget(witness)
    witness.show()
    collects.clear()
    theme.set_choice("dark")
    assert collects
    assert not any(collects)
    assert gc.isenabled()


def test_that_choosing_the_theme_in_force_tells_nothing(theme: ThemeSwitch, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(theme.themeChanged):
        theme.set_choice("light")


def test_that_the_systems_scheme_is_followed_only_where_it_is_asked_for(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PySide6.QtCore import Qt

    class Hints:
        def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802 - Qt's name
            return Qt.ColorScheme.Dark

    system, light = ThemeSwitch(qapp, "system"), ThemeSwitch(qapp, "light")
    fake = type(
        "App",
        (),
        {
            "styleHints": lambda self: Hints(),
            "setPalette": lambda *_: None,
            "setStyleSheet": lambda *_: None,
            "font": lambda self: qapp.font(),
        },
    )()
    for switch in (system, light):
        monkeypatch.setattr(switch, "_app", fake)
        switch._refresh()
    assert system.theme.name == "dark"
    assert light.theme.name == "light"


def test_that_a_stored_choice_that_is_none_means_the_system() -> None:
    assert theme_choice("dark") == "dark"
    assert theme_choice("pink") == "system"


def _colours(drawn: QIcon, mode: QIcon.Mode, state: QIcon.State = QIcon.State.Off) -> set[str]:
    image = drawn.pixmap(QSize(32, 32), mode, state).toImage()
    return {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }


def test_that_an_icon_has_the_colours_of_its_states(theme: ThemeSwitch) -> None:
    tokens = theme.theme
    drawn = icon("lock", tokens, "muted")
    assert _colours(drawn, QIcon.Mode.Normal) == {tokens.muted}
    assert _colours(drawn, QIcon.Mode.Disabled) == {tokens.disabled}
    assert _colours(drawn, QIcon.Mode.Normal, QIcon.State.On) == {tokens.accent}


def test_that_an_icon_is_drawn_larger_for_a_dense_screen(theme: ThemeSwitch) -> None:
    pixmap = icon("lock", theme.theme).pixmap(QSize(24, 24), 2.0)
    assert pixmap.width() == 48


def test_that_the_icon_of_a_button_follows_the_theme(theme: ThemeSwitch, qtbot: QtBot) -> None:
    button = QPushButton("Choose")
    qtbot.addWidget(button)
    bond = IconBond(button, "auto-fix", "accent")
    assert load_theme("light").accent in _colours(button.icon(), QIcon.Mode.Normal)
    theme.set_choice("dark")
    assert load_theme("dark").accent in _colours(button.icon(), QIcon.Mode.Normal)
    bond.set_icon("play", "danger")
    assert load_theme("dark").danger in _colours(button.icon(), QIcon.Mode.Normal)


def test_that_every_icon_file_can_be_drawn(qapp: QApplication) -> None:
    names = [path.stem for path in resource("icons").glob("*.svg")]
    assert len(names) >= 30
    for name in names:
        image = icon_image(name, "#000000", 24)
        assert any(image.pixelColor(x, y).alpha() for x in range(24) for y in range(24)), name


# Signs, buttons and the rail, on the densities that people set.
@pytest.mark.parametrize("size", [16, 18, 20, 22, 32, 40])
@pytest.mark.parametrize("density", [1.0, 1.25, 1.5, 2.0])
def test_that_an_icon_is_enlarged_on_no_screen(
    theme: ThemeSwitch, size: int, density: float
) -> None:
    shown = icon("lock", load_theme("light"), "warning").pixmap(QSize(size, size), density)
    assert shown.devicePixelRatio() == density
    assert abs(shown.width() - size * density) <= 0.5


def test_that_a_theme_cannot_be_changed() -> None:
    theme: Theme = load_theme("light")
    with pytest.raises(dataclasses.FrozenInstanceError):
        theme.accent = "#000000"  # type: ignore[misc]


def test_that_a_question_has_our_own_picture(theme: ThemeSwitch) -> None:
    for severity, token in (
        (QMessageBox.Icon.Question, "accent"),
        (QMessageBox.Icon.Warning, "warning"),
        (QMessageBox.Icon.Critical, "danger"),
    ):
        box = plain_box(None, severity, "Title", "A sentence.")
        picture = box.iconPixmap().toImage()
        painted = {
            picture.pixelColor(x, y).name()
            for x in range(picture.width())
            for y in range(picture.height())
            if picture.pixelColor(x, y).alpha() == 255
        }
        assert theme.theme.colour(token) in painted
        box.deleteLater()
