"""Private diagnostics: true values beside released ones, for the holder of the data only.

Their type, inputs and place differ from those of the public report. Nothing in them may be
published: every difference between a true value and its estimate discloses the true value.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from math import isfinite
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.data.write_file import write_file
from dpdesk.domains import ListedDomain, OptionSet, parse_number
from dpdesk.engine.counted_rows import counted_table
from dpdesk.errors import ReleaseError
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.estimation.rows import (
    AMONG_ANSWERED,
    ANSWERED,
    INTERVAL_SHARE,
    MEAN,
    SHARE,
    EstimateRow,
    rows_by_quantity,
)
from dpdesk.mechanisms.interval_shares import interval_edges
from dpdesk.numbers.arrays import Counts, Floats, Mapped, RowNumbers
from dpdesk.plan.encoding import encode_column, missing_texts
from dpdesk.plan.given_answers import weight_of_texts, weight_on
from dpdesk.releases.folder import MANIFEST_NAME
from dpdesk.releases.texts import T
from dpdesk.reports.page import page
from dpdesk.reports.section import Section

PrivateMarking = Literal["PRIVATE: true answers inside. Never publish, never put beside a release."]
"""What private diagnostics say first."""
PRIVATE_MARKING: PrivateMarking = (
    "PRIVATE: true answers inside. Never publish, never put beside a release."
)


class Comparison(Section):
    """One share or mean: the true value beside the estimate."""

    category: str
    """Text of the category; empty for a mean."""
    label: str
    """What the category means."""
    truth: float
    """The share or mean of the respondents, as the mechanism saw their answers."""
    estimate: float
    """The released estimate."""
    difference: float
    """Estimate minus truth."""
    noise_error: float
    """Standard error of the noise, from the release."""
    standardised: float | None
    """The difference in noise errors; null where there is no noise error."""
    lower: float
    """Lower end of the released 95 % interval."""
    upper: float
    """Upper end of the same."""


class AttributeDiagnostics(Section):
    """One attribute: true values beside released ones, and how its answers were encoded."""

    attribute: str
    """Name of the column."""
    label: str
    """The question or a longer name."""
    quantity: Literal["share", "mean"]
    """What is compared; shares are fractions of 1."""
    unit: str
    """Unit of a mean."""
    missing: int
    """Number of missing answers."""
    outside: int
    """Number of answers outside the declared domain."""
    outside_became: str
    """What became of those."""
    mean_before_encoding: float | None
    """Mean of the numbers as they stand in the file, before bounds and grid; for numbers only."""
    noise_is_upper_bound: bool
    """Whether the noise error is an upper bound."""
    comparisons: tuple[Comparison, ...]
    """Every share, or the mean; none of a column that nobody answered."""
    answered: Comparison | None
    """For numbers that may be missing, the share answered; the mean and the shares of intervals
    are of those who answered."""
    among_answered: tuple[Comparison, ...] = ()
    """Where "no answer" is a category, the shares of the others among those who answered."""
    intervals: tuple[Comparison, ...]
    """For numbers, the shares of intervals of the domain, if the release has them."""


class PrivateSection(Section):
    """What is computed from true answers, for the holder of the data only."""

    marking: PrivateMarking = PRIVATE_MARKING
    """What this file is."""
    format: str
    """Tag of the file format."""
    version: Literal[1] = 1
    """Version of the file format."""
    input_name: str
    """Name of the file of answers."""
    input_rows: int
    """Number of its rows."""
    input_digest: str
    """SHA-256 over names and answers in the order of the file, whatever its format."""


class PrivateDiagnostics(PrivateSection):
    """True values beside released ones."""

    format: Literal["dpdesk-private-diagnostics"] = "dpdesk-private-diagnostics"
    """Tag of the file format."""
    input_columns: int
    """Number of the columns of the file of answers."""
    attributes: tuple[AttributeDiagnostics, ...]
    """The protected attributes, in the order of the columns."""


def private_diagnostics(table: SurveyTable, released: Released) -> PrivateDiagnostics:
    """Compares a release with the answers that it was made from.

    Args:
        table: The survey.
        released: Its release.
    """
    counted = counted_table(table, released.plan)
    weight_column, weights = released.plan.weight_column, None
    if weight_column is not None:
        texts = counted.column(weight_column.name)
        weights = Mapped(weight_of_texts(texts, table.reading), texts.codes)
    return PrivateDiagnostics(
        input_name=table.name,
        input_rows=table.in_file.rows,
        input_columns=len(table.in_file.columns),
        input_digest=digest_of(table),
        attributes=tuple(_of_attribute(a, counted, weights) for a in released.attributes),
    )


def _of_attribute(
    attribute: ReleasedAttribute, table: SurveyTable, weights: RowNumbers | None
) -> AttributeDiagnostics:
    column, domain = attribute.column, attribute.bound.domain
    texts = table.column(column.name)
    encoded = encode_column(column, texts, table.reading)
    # Of each distinct text how much weight it has.
    of_texts: NDArray[np.int64] | NDArray[np.float64] = texts.counts
    if weights is not None:
        of_texts, _ = weight_on(texts.codes, texts.distinct_count, weights, texts.rows)
    codes, each = encoded.code_of, of_texts
    if column.missing.treatment.stays_blank:
        codes, each = codes[codes >= 0], of_texts[codes >= 0]
    if isinstance(domain, OptionSet):
        # An answer ticks any number of options.
        given = np.average(domain.ticked(codes), axis=0, weights=each)
        counts, shares = given, given
    else:
        counts = np.bincount(codes, weights=each, minlength=domain.size).astype(np.float64)
        # Behind the codes of the grid stands that of missing answers.
        given = counts[: domain.size]
        shares = given / given.sum() if given.any() else np.full(domain.size, np.nan)
    estimated = rows_by_quantity(attribute)
    rows = estimated[SHARE] or estimated[MEAN]
    answered, intervals = estimated[ANSWERED], estimated[INTERVAL_SHARE]
    among = estimated[AMONG_ANSWERED]
    missing = attribute.missing_category
    others = np.delete(shares, [] if missing is None else [missing])
    with np.errstate(invalid="ignore"):
        others = others / (1 - (0.0 if missing is None else shares[missing]))
    is_share = rows[0].is_share
    truth = shares if isinstance(domain, ListedDomain) else np.array([shares @ domain.values])
    share_answered = np.full(len(answered), given.sum() / counts.sum())
    edges = interval_edges(domain.size)[:-1]
    if domain.holds_numbers:
        became = T.TO_BOUND()
    else:
        became = T.TO_CATEGORY(name=column.other) if column.other else T.TO_NONE()
    return AttributeDiagnostics(
        attribute=column.name,
        label=column.title,
        quantity="share" if is_share else "mean",
        unit=rows[0].unit,
        missing=encoded.missing,
        outside=encoded.outside,
        outside_became=became,
        mean_before_encoding=None
        if is_share
        else _plain_mean(attribute, texts, table.reading, of_texts),
        noise_is_upper_bound=rows[0].sampling_standard_error is None,
        comparisons=tuple(_comparisons(truth, rows)),
        answered=next(_comparisons(share_answered, answered), None),
        among_answered=tuple(_comparisons(others, among)) if among else (),
        intervals=tuple(_comparisons(np.add.reduceat(shares, edges), intervals))
        if intervals
        else (),
    )


def _comparisons(truth: Floats, rows: tuple[EstimateRow, ...]) -> Iterator[Comparison]:
    """Yields what can be compared: there is no true mean of nobody."""
    for true, row in zip(truth.tolist(), rows, strict=True):
        if not isfinite(true):
            continue
        difference = row.estimate - true
        yield Comparison(
            category=row.category,
            label=row.label,
            truth=true,
            estimate=row.estimate,
            difference=difference,
            noise_error=row.noise_standard_error,
            standardised=difference / row.noise_standard_error
            if row.noise_standard_error > 0
            else None,
            lower=row.lower,
            upper=row.upper,
        )


def _plain_mean(
    attribute: ReleasedAttribute,
    texts: TextColumn,
    reading: Reading,
    of_texts: Counts | Floats,
) -> float | None:
    """Returns the mean of the answers that are numbers and not missing; None if there are none."""
    parsed = [parse_number(text, reading.decimal) for text in texts.distinct]
    by_text = np.array([np.nan if x is None else x for x in parsed], dtype=np.float64)
    by_text[missing_texts(attribute.column, texts, reading)] = np.nan
    answered = ~np.isnan(by_text) & (texts.counts > 0)
    if not answered.any():
        return None
    return float(np.average(by_text[answered], weights=of_texts[answered]))


def digest_of(table: SurveyTable) -> str:
    """Returns SHA-256 over a table's names and answers, whatever the format of its file was."""
    digest = hashlib.sha256()
    for column in table.in_file.columns:
        digest.update(_counted(column.name))
        # The order of a column's dictionary depends on how the file was read; that of the sorted
        # answers does not.
        occurring = np.flatnonzero(column.counts > 0)
        texts = [column.distinct[code] for code in occurring]
        order = sorted(range(len(texts)), key=texts.__getitem__)
        code_of = np.zeros(column.distinct_count, dtype="<i4")
        code_of[occurring[order]] = np.arange(len(order), dtype="<i4")
        for position in order:
            digest.update(_counted(texts[position]))
        for codes in column.chunks():
            digest.update(code_of[codes].tobytes())
    return digest.hexdigest()


def _counted(text: str) -> bytes:
    content = text.encode("utf-8")
    return len(content).to_bytes(8, "little") + content


def write_private_diagnostics(
    diagnostics: Section,
    path: Path,
    release_folder: Path | None = None,
    *,
    overwrite: bool = True,
    template: str = "private.html.j2",
) -> None:
    """Writes private diagnostics to a file that nobody but the user may read (mode 0600).

    Args:
        diagnostics: What to write.
        path: A file ending in `.html` or `.json`.
        release_folder: The folder of the release, which the file must not lie in. A folder with
            the manifest of a release is refused in any case.
        overwrite: Whether an earlier file of this name may be replaced.
        template: The page that shows them.

    Raises:
        ReleaseError: The file would lie in a release, has another ending, or cannot be written.
    """
    write_private(
        path,
        lambda: diagnostics.model_dump_json(indent=2),
        lambda: page(template, diagnostics=diagnostics),
        release_folder,
        overwrite=overwrite,
    )


def write_private(
    path: Path,
    as_json: Callable[[], str],
    as_page: Callable[[], str],
    release_folder: Path | None = None,
    *,
    overwrite: bool = True,
) -> None:
    """Writes private results as JSON or as a page, by the ending of the file (mode 0600).

    Args:
        path: A file ending in `.html` or `.json`.
        as_json: Makes the JSON, without a line break at its end.
        as_page: Makes the page.
        release_folder: As `write_private_diagnostics`.
        overwrite: Alike.

    Raises:
        ReleaseError: As `write_private_diagnostics`.
    """
    check_private_path(path, release_folder)
    text = f"{as_json()}\n" if path.suffix.lower() == ".json" else as_page()
    write_file(path, text, overwrite=overwrite, private=True)


def check_private_path(path: Path, release_folder: Path | None = None) -> None:
    """Refuses a path that private diagnostics must not be written to.

    Raises:
        ReleaseError: The path has another ending than .html or .json, or lies in a release.
    """
    if path.suffix.lower() not in {".html", ".json"}:
        raise ReleaseError(T.OTHER_ENDING())
    refuse_in_release(path, release_folder)


def refuse_in_release(path: Path, release_folder: Path | None = None) -> None:
    """Refuses a path for private results that lies in the folder of a release.

    Args:
        path: Where they would be written.
        release_folder: The folder of a release that is yet to be made, if any.

    Raises:
        ReleaseError: The path lies in a release.
    """
    # Of os.path: those of Path raise for a link to itself and for a name that is too long.
    folders = Path(os.path.realpath(path)).parents
    chosen = None if release_folder is None else Path(os.path.realpath(release_folder))
    if any(folder == chosen or os.path.lexists(folder / MANIFEST_NAME) for folder in folders):
        raise ReleaseError(T.INTO_RELEASE())
