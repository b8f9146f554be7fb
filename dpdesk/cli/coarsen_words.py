"""What `dpdesk coarsen` says of a coarsened file, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpdesk.cli.terminal import plain, print_rows, spaced
from dpdesk.disclosure.facts import risk_facts
from dpdesk.facts import compared

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
    result, comparison = answer.outcome.result, answer.comparison
    loss = comparison.loss
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
        "tables": [
            {"columns": list(names), "distance": error} for names, error in comparison.tables
        ],
        "before": risk_facts(comparison.before).entry(),
        "after": risk_facts(comparison.after).entry(),
        "files": list(files),
    }


def print_answer(answer: CoarseAnswer) -> None:
    """Prints the file before and after side by side, its columns, and what is lost."""
    result, comparison = answer.outcome.result, answer.comparison
    columns = answer.lattice.columns
    print(_NOT_PRIVATE)
    before, loss = comparison.before, comparison.loss
    rows = compared(risk_facts(before), risk_facts(comparison.after))
    print()
    print_rows(spaced([("", "before", "after"), *rows]))
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
        *answer.outcome.figures,
        ("information of the columns", f"{100 * loss.entropy:.1f} % of its bits"),
        ("average class size over k", f"{loss.average_class:.2f}"),
        ("discernibility", f"{loss.discernibility:,.0f}"),
    ]
    if loss.precision is not None:
        lost.append(("precision", f"{loss.precision:.3f} (1 is as it was)"))
    for names, error in comparison.tables:
        table = plain(" by ".join(names))
        lost.append((f"table of {table}", f"{100 * error:.2f} % of records in another cell"))
    print_rows([(head, text, "") for head, text in lost])
    if answer.outcome.closing:
        print(f"\n{answer.outcome.closing}")


def _example(labels: tuple[str, ...]) -> str:
    shown = [plain(label) for label in labels[:3] if label]
    return ", ".join(shown) + (" …" if len(labels) > len(shown) else "")
