"""Questions and errors in a dialog; texts are always shown literally."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QMessageBox, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.icons import icon_image
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.plain_text import literal

Answer = Literal["save", "discard", "cancel"]

_PICTURE_SIZE = 32


def _tr(text: str) -> str:
    return QCoreApplication.translate("Messages", text)


def plain_box(
    parent: QWidget | None, severity: QMessageBox.Icon, title: str, text: str, more: str = ""
) -> QMessageBox:
    """A message box that never renders markup.

    Args:
        parent: The window it belongs to.
        severity: Its icon.
        title: Its title.
        text: The message, as a sentence.
        more: The remedy, as a sentence.
    """
    box = QMessageBox(severity, title, "", QMessageBox.StandardButton.NoButton, parent)
    box.setIconPixmap(_picture(box, severity))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(literal(text))
    # The informative text is a separate label that ignores the format: one text in two
    # paragraphs is shown literally as a whole.
    if more:
        box.setText(literal(f"{text}\n\n{more}"))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box


_PICTURES = {
    QMessageBox.Icon.Information: ("information", "accent"),
    QMessageBox.Icon.Question: ("help-circle", "accent"),
    QMessageBox.Icon.Warning: ("alert", "warning"),
    QMessageBox.Icon.Critical: ("alert-circle", "danger"),
}


def _picture(box: QMessageBox, severity: QMessageBox.Icon) -> QPixmap:
    """Our own icon of a severity, in place of the one that the platform has in stock."""
    name, token = _PICTURES[severity]
    ratio = box.devicePixelRatioF()
    image = icon_image(name, theme_in_force().colour(token), round(_PICTURE_SIZE * ratio))
    picture = QPixmap.fromImage(image)
    picture.setDevicePixelRatio(ratio)
    return picture


def show_error(parent: QWidget | None, title: str, error: DpdeskError) -> None:
    """Shows an error and its remedy; the window behind it stays alive."""
    box = plain_box(
        parent, QMessageBox.Icon.Warning, title, error.message, getattr(error, "remedy", "")
    )
    box.open()


def ask_stop(parent: QWidget | None, work: str) -> bool:
    """Asks whether to stop a running job; Return and Esc answer no.

    Args:
        parent: The window that would be closed.
        work: The job and the consequences of stopping it, as sentences.
    """
    box = plain_box(parent, QMessageBox.Icon.Question, _tr("Work is going on"), work)
    return _confirmed(box, _tr("&Stop it and close"), _tr("&Let it finish"))


def ask_useless(parent: QWidget | None, reason: str, remedy: str) -> bool:
    """Asks whether to make a release that would be too noisy; Return and Esc answer no.

    Args:
        parent: The window that it belongs to.
        reason: Why it would be, as a sentence.
        remedy: What to do instead, as a sentence.
    """
    cost = _tr("What it spends of the respondents' privacy never comes back.")
    title = _tr("This release would be too noisy")
    box = plain_box(parent, QMessageBox.Icon.Warning, title, reason, f"{remedy}\n\n{cost}")
    return _confirmed(box, _tr("&Release it anyway"), _tr("&Change the plan"))


def ask_redraft(parent: QWidget | None) -> bool:
    """Asks whether new suggestions replace what a plan says of its columns; Return answers no.

    Args:
        parent: The window that it belongs to.
    """
    lost = _tr(
        "What the plan says of the columns would be replaced by new suggestions: kinds, domains "
        "and their confirmations, codes of no answer, questions put together, roles and "
        "mechanisms."
    )
    stays = _tr("Its title, budget and strategy stay. Edit > Undo brings the plan back.")
    title = _tr("Suggest kinds and domains anew")
    box = plain_box(parent, QMessageBox.Icon.Question, title, lost, stays)
    return _confirmed(box, _tr("&Suggest anew"), _tr("&Keep the plan"))


def ask_consent(parent: QWidget | None, title: str, text: str, more: str, yes: str) -> bool:
    """Asks whether to do what has a consequence for respondents; Return and Esc answer no.

    Args:
        parent: The window that it belongs to.
        title: What it is about.
        text: The consequence, as a sentence.
        more: What to do instead or to know, as a sentence.
        yes: The caption of the button that does it.
    """
    box = plain_box(parent, QMessageBox.Icon.Question, title, text, more)
    return _confirmed(box, yes, _tr("&Cancel"))


def _confirmed(box: QMessageBox, yes: str, no: str) -> bool:
    """Shows a box with two buttons until one is chosen; Return and Esc choose `no`."""
    confirm = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    _run(box)
    return box.clickedButton() is confirm


def _run(box: QMessageBox) -> int:
    """Shows a box until it is answered; it is deleted once control is back in the event loop."""
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    chosen = box.exec()
    box.deleteLater()
    return chosen


def ask_unsaved(parent: QWidget | None, name: str) -> Answer:
    """Asks whether to save the unsaved changes of a plan."""
    box = plain_box(
        parent,
        QMessageBox.Icon.Question,
        _tr("Unsaved changes"),
        _tr("The plan {name} has unsaved changes.").format(name=name),
        _tr("Save them, or they are lost."),
    )
    buttons = QMessageBox.StandardButton
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    box.setDefaultButton(buttons.Save)
    chosen = _run(box)
    if chosen == buttons.Save:
        return "save"
    return "discard" if chosen == buttons.Discard else "cancel"
