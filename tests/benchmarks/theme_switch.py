"""Processor time of a change of theme in the whole window, every place of the rail made.

Run: python -m tests.benchmarks.theme_switch [--times 6]
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from typing import NoReturn

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from dpdesk.gui.app import spare_start_up
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.rail import PLACES
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch

SECONDS_MOST = 0.3
"""Of the processor, from the choice of a theme to the repainted window."""


def main() -> NoReturn:
    """Prints the median of some changes; fails where it is above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=6)
    times = parser.parse_args().times
    app = QApplication([])
    switch = ThemeSwitch(app, "light")
    with tempfile.TemporaryDirectory() as folder:
        store = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        window = MainWindow(Settings(store))
        document = Document(window)
        window.furnish(document)
        window.show()
        spare_start_up()
        window.files.open_sample()
        while document.loading.is_running or document.table is None:
            app.processEvents()
        for place in PLACES:
            window.go_to(place.key)
            for _ in range(20):
                app.processEvents()
        window.go_to("plan")
        spent = []
        for change in range(times):
            app.processEvents()
            begun = time.process_time()
            switch.set_choice("light" if change % 2 else "dark")
            app.processEvents()
            spent.append(time.process_time() - begun)
        document.shut_down()
    middle = statistics.median(spent)
    print("A change of theme: " + ", ".join(f"{seconds:.2f} s" for seconds in spent))
    print(f"Median {middle:.2f} s of the processor, at most {SECONDS_MOST} s.")
    # Pages have threads of their own, which nobody waits for here.
    os._exit(int(middle > SECONDS_MOST))


if __name__ == "__main__":
    main()
