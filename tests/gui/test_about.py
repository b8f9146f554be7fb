from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui import about


def test_that_the_licences_of_a_bundle_are_opened_or_named(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "THIRD-PARTY-LICENCES"
    opened: list[str] = []
    monkeypatch.setattr(about, "third_party_licences", lambda: path)
    monkeypatch.setattr(
        about.QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or False
    )
    window = QWidget()
    qtbot.addWidget(window)
    dialog = about.AboutDialog(window)
    dialog.show()
    (button,) = [b for b in dialog.findChildren(QPushButton) if "hird" in b.text()]
    button.click()
    assert opened == [str(path)]
    said = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert f"{path} cannot be opened. Look for it with your file manager." in said
    dialog.close()
    dialog.deleteLater()
