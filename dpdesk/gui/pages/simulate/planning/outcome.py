"""What a sample plan comes to: a sentence, figures with units, and a table to take away."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from dpdesk.data.neutralise import neutralise
from dpdesk.data.write_file import write_file
from dpdesk.designs import Design, YesNoDesign
from dpdesk.errors import ParameterError
from dpdesk.gui.widgets.plot_table import PlotTable


@dataclass(frozen=True)
class Figure:
    """A number with its unit.

    Attributes:
        value: The number as it is shown.
        caption: What it is.
        detail: What it is made of; may be empty.
    """

    value: str
    caption: str
    detail: str = ""


@dataclass(frozen=True)
class Outcome:
    """A plan in words and numbers.

    Attributes:
        sentence: What was found.
        notes: Further sentences.
        figures: Four of them.
        table: Every number with all its digits, for a file.
        respondents: A number of respondents that the page can take; None where none was found.
        epsilon: An epsilon that the page can take; None where none was found.
        epsilon_said: The same as the sentence has it.
        design: The design with that epsilon; None where it is the page's own.
    """

    sentence: str
    notes: tuple[str, ...]
    figures: tuple[Figure, ...]
    table: PlotTable
    respondents: int | None = None
    epsilon: float | None = None
    epsilon_said: str = ""
    design: YesNoDesign | None = None

    def text(self) -> str:
        """Sentences and table as plain text, its columns parted by tabs."""
        return "\n".join((self.sentence, *self.notes, "", self.table.tab_separated()))


class FieldRefusal(Exception):  # noqa: N818 - it says where an error belongs
    """An error of planning with the field that it is to be mended in.

    Args:
        field: Name of the field; empty where it is on the left of the page.
        error: What planning said.
    """

    def __init__(self, field: str, error: ParameterError) -> None:
        super().__init__(field, error)
        self.field = field
        self.sentence = str(error)


@contextmanager
def blamed(field: str) -> Iterator[None]:
    """Gives an error that is raised inside to a field.

    Raises:
        FieldRefusal: There was one.
    """
    try:
        yield
    except ParameterError as error:
        raise FieldRefusal(field, error) from error


def tr(text: str) -> str:
    """Words of sample planning in the language of the window."""
    return QCoreApplication.translate("SamplePlanning", text)


def number(value: float) -> str:
    """A number for a file: nine digits, no unit."""
    return f"{value:.9g}"


def design_cells(design: Design) -> tuple[str, str]:
    """The kind of a design and its parameters, for a file."""
    values = ((p.name, getattr(design, p.name)) for p in design.parameters())
    shown = (
        f"{name}={':'.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in values
    )
    return design.kind, ", ".join(shown)


def outcome_csv(outcome: Outcome) -> str:
    """The table as CSV, lines ending in LF; no text is taken for a formula by a spreadsheet."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for line in (outcome.table.headers, *outcome.table.rows):
        writer.writerow([neutralise(text) for text in line])
    return written.getvalue()


def save_outcome(outcome: Outcome, path: Path) -> None:
    """Writes the table to a file.

    Raises:
        ReleaseError: The file cannot be written.
    """
    write_file(path, outcome_csv(outcome))
