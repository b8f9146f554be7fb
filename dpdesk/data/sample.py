"""The survey that comes with dpdesk: 6,366 women asked about extramarital affairs (Fair, 1978)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dpdesk.data.codebook import CodebookEntry, load_codebook
from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable
from dpdesk.resources import resource

_FOLDER = "samples/affairs"


def sample_path() -> Path:
    """Path of the sample's table."""
    return resource(f"{_FOLDER}/affairs.csv")


def load_sample() -> SurveyTable:
    """The sample's table: 6,366 rows, 9 columns."""
    return load_declared(sample_path(), Reading())


def sample_codebook() -> Mapping[str, CodebookEntry]:
    """The codebook of the sample: its documented columns by name."""
    return load_codebook(resource(f"{_FOLDER}/codebook.json"))
