"""What `dpdesk coarsen` says of a coarsened file, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpdesk.cli.terminal import plain, print_rows
from dpdesk.disclosure.entries import risk_entry

if TYPE_CHECKING:
    from dpdesk.preview.coarser import CoarseAnswer

_NOT_PRIVATE = (
    "Not differentially private: what is written are true answers, only coarser. The ledger does "
    "not count it, as it has no finite loss; note it where you register disclosures."
)


def entry(answer: CoarseAnswer, files: tuple[str, ...]) -> dict[str, Any]:
    """Returns what coarsening does as JSON has it.

    Args:
        answer: The file after beside the one before.
        files: Names of the files that were written.
    """
    result, compared = answer.outcome.result, answer.comparison
    loss = compared.loss
    return {
        "private": True,
        "differentially_private": False,
        "levels": None
        if result.levels is None
        else {c.name: level for c, level in zip(result.columns, result.levels, strict=True)},
        **answer.outcome.facts,
        "records_left_out": loss.suppressed,
        "average_class_size_over_k": loss.average_class,
        "discernibility": loss.discernibility,
        "precision": loss.precision,
        "entropy_lost": loss.entropy,
        "tables": [{"columns": list(names), "distance": error} for names, error in compared.tables],
        "before": risk_entry(compared.before),
        "after": risk_entry(compared.after),
        "files": list(files),
    }


def print_answer(answer: CoarseAnswer) -> None:
    """Prints the file before and after side by side, its columns, and what is lost."""
    result, compared = answer.outcome.result, answer.comparison
    columns = answer.lattice.columns
    print(_NOT_PRIVATE)
    before, after, loss = compared.before, compared.after, compared.loss
    rows: list[tuple[str, str, str]] = [
        ("records", f"{before.rows:,}", f"{after.rows:,}"),
        ("smallest class (k)", f"{before.k:,}", f"{after.k:,}"),
        ("classes", f"{before.classes or 0:,}", f"{after.classes or 0:,}"),
        ("the only one of their kind", f"{before.unique_rows:,}", f"{after.unique_rows:,}"),
        (f"in classes below {before.threshold}", f"{before.rows_below:,}", f"{after.rows_below:,}"),
        (
            "chance of a right guess, highest",
            f"{100 * before.prosecutor_highest:.2f} %",
            f"{100 * after.prosecutor_highest:.2f} %",
        ),
        (
            "chance of a right guess, average",
            f"{100 * before.prosecutor_average:.2f} %",
            f"{100 * after.prosecutor_average:.2f} %",
        ),
    ]
    for one, other in zip(before.sensitive, after.sensitive, strict=True):
        name = plain(one.column)
        rows += [
            (f"{name}: fewest different answers (l)", f"{one.l_distinct}", f"{other.l_distinct}"),
            (
                f"{name}: rare ones counting less (entropy l)",
                f"{one.l_entropy:.3f}",
                f"{other.l_entropy:.3f}",
            ),
            (
                f"{name}: farthest class from all (t)",
                f"{one.t_closeness:.4f}",
                f"{other.t_closeness:.4f}",
            ),
        ]
    print()
    print_rows([("", "before", "after"), *rows])
    print("\nColumns")
    levels = result.levels or (None,) * len(columns)
    print_rows(
        [
            (
                plain(column.name),
                "" if level is None else f"level {level} of {before.height}",
                _example(column.labels)
                + ("; levels follow from the records" if before.hierarchy.from_data else ""),
            )
            for column, before, level in zip(result.columns, columns, levels, strict=True)
        ]
    )
    print("\nWhat is lost")
    share = 100 * loss.suppressed / before.rows
    most = result.requirement.suppressed_most
    lost = [("records left out", f"{loss.suppressed:,} ({share:.1f} %), of {most:,} that may be")]
    lost += [
        *answer.outcome.lost,
        ("information of the columns", f"{100 * loss.entropy:.1f} % of its bits"),
        ("average class size over k", f"{loss.average_class:.2f}"),
        ("discernibility", f"{loss.discernibility:,.0f}"),
    ]
    if loss.precision is not None:
        lost.append(("precision", f"{loss.precision:.3f} (1 is as it was)"))
    for names, error in compared.tables:
        table = plain(" by ".join(names))
        lost.append((f"table of {table}", f"{100 * error:.2f} % of records in another cell"))
    print_rows([(head, text, "") for head, text in lost])
    if answer.outcome.closing:
        print(f"\n{answer.outcome.closing}")


def _example(labels: tuple[str, ...]) -> str:
    shown = [plain(label) for label in labels[:3] if label]
    return ", ".join(shown) + (" …" if len(labels) > len(shown) else "")
