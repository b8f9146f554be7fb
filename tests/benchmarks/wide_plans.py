"""Times what is done with a survey of 10,000 columns against one of 1,000, as a ratio per column.

    python -m tests.benchmarks.wide_plans [rows]

Each step of the command line (draft, check, release, estimate), and of the window (opening the
file, protecting all columns, one step of a slider) runs in a process of its own; the processor's
time is counted, less what the same process takes for three columns. What grows with the square of
the columns shows as a ratio of ten; the command fails where one is above its ceiling.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

CEILING = 2.0
FEW, MANY = 1_000, 10_000

WORDS = {
    "draft": ["draft", "{data}", "-o", "{plan}", "--confirm-domains"],
    "draft with a total": ["draft", "{data}", "-o", "{plan}.total", "--epsilon", "9000"],
    "check": ["check", "{plan}", "{data}"],
    "release": ["release", "{data}", "--plan", "{plan}", "--out", "{out}"],
    "estimate": ["estimate", "{out}", "--json"],
}

RUN = """
import os, sys, time
sys.stdout = open(os.devnull, "w")
from dpdesk.cli.main import main
code = main(sys.argv[1:])
print(time.process_time(), file=sys.stderr)
sys.exit(code)
"""

WINDOW = """
import os, sys, time
from decimal import Decimal
from pathlib import Path
from PySide6.QtCore import QSettings
from dpdesk.gui.app import application
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import confirm_domains, protect_unassigned
app = application()
ThemeSwitch(app, "light")
store = QSettings(sys.argv[2], QSettings.Format.IniFormat)
window = MainWindow(Settings(store))
window.show()
document = Document(window)
window.furnish(document)

def settle(done=lambda: True):
    while not done():
        app.processEvents()
        time.sleep(0.002)
    for _ in range(10):
        app.processEvents()

def step(name, work, done=lambda: True):
    settle()
    begun = time.process_time()
    work()
    settle(done)
    print(f"{name}\\t{time.process_time() - begun}", file=sys.stderr, flush=True)

step("window: open", lambda: document.open_table(Path(sys.argv[1])),
     lambda: document.table is not None and not document.loading.is_running)
step("window: protect all",
     lambda: document.edit("", confirm_domains(protect_unassigned(document.plan))))
step("window: the Plan page", lambda: window.go_to("plan"))
column = document.plan.protected[0]
step("window: a step of a slider", lambda: document.edit("", document.plan.with_column(
    column.name, mechanism=type(column.mechanism)(epsilon=Decimal("1.1")))))
document.shut_down()
os._exit(0)
"""


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        found = {columns: seconds_of(Path(folder), columns, rows) for columns in (3, FEW, MANY)}
    missed = 0
    for step in found[MANY]:
        idle = found[3][step]
        few, many = (max(found[k][step] - idle, 0.001) for k in (FEW, MANY))
        ratio = (many / MANY) / (few / FEW)
        # Less than a tenth of a second of the processor tells nothing of how it grows.
        fails = ratio > CEILING and many > 1
        missed += fails
        print(
            f"{step:<28} {few:7.2f} s  {many:7.2f} s  per column x {ratio:.2f}"
            f"{'  ABOVE ' + str(CEILING) if fails else ''}",
            flush=True,
        )
    return 1 if missed else 0


def seconds_of(folder: Path, columns: int, rows: int) -> dict[str, float]:
    """Seconds of the processor that each step takes."""
    data, out = folder / f"{columns}.csv", folder / f"out-{columns}"
    write_survey(data, columns, rows)
    places = {"data": str(data), "plan": str(folder / f"{columns}.json"), "out": str(out)}
    surroundings = {
        **os.environ,
        "DPDESK_LEDGER": str(folder / f"{columns}.sqlite"),
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(folder),
        "OPENBLAS_NUM_THREADS": "1",
    }
    found = {}
    for step, words in WORDS.items():
        said = run([RUN, *(word.format(**places) for word in words)], surroundings, step)
        found[step] = float(said.splitlines()[-1])
    said = run([WINDOW, str(data), str(folder / "settings.ini")], surroundings, "window")
    for line in said.splitlines():
        if line.startswith("window"):
            name, _, seconds = line.partition("\t")
            found[name] = float(seconds)
    return found


def run(words: list[str], surroundings: dict[str, str], step: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", *words], stderr=subprocess.PIPE, text=True, env=surroundings
    )
    if done.returncode not in ({0, 2} if step == "draft with a total" else {0}):
        raise SystemExit(f"{step} failed: {done.stderr[-500:]}")
    return done.stderr


def write_survey(path: Path, columns: int, rows: int) -> None:
    generator = random.Random(1974)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"q{i}" for i in range(columns)) + "\n")
        for _ in range(rows):
            answers = (
                f"c{i}-{generator.randrange(4)}"
                if i % 3 == 0
                else str(generator.randrange(1, 6))
                if i % 3 == 1
                else str(generator.randrange(18, 18 + 20 + i % 60))
                for i in range(columns)
            )
            file.write(",".join(answers) + "\n")


if __name__ == "__main__":
    sys.exit(main())
