"""What coarser answers are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

from dpdesk.requests.request import Declared, Request
from dpdesk.requests.unused import Unused

_CLASSES = "what every group of equal records fulfils"
_HOW = "how"
_LEVELS = "levels (by the possible answers, where nothing is set)"


def _without(taken: str, why: str) -> Unused:
    """The case of a method that does not take something."""

    def is_unused(request: Any) -> bool:
        method = CoarsenRequest.declared_field("method").declared.kind_named(request.method)
        return taken not in method.takes

    return Unused(is_unused, why)


def _no(name: str) -> Callable[[Any], bool]:
    return lambda request: getattr(request, name, None) is None


_NO_FOLDER = Unused(_no("out"), "without --out")


@dataclass(frozen=True)
class CoarsenRequest(Request):
    """Which columns become coarser, what every group of equal records fulfils, and how."""

    command: ClassVar[str] = "coarsen"

    plan: Annotated[
        Path | None,
        Declared(
            "Plan", "A plan that says the possible answers", example="PLAN.json", role="input"
        ),
    ] = None
    quasi: Annotated[
        tuple[str, ...],
        Declared(
            "Known columns",
            "Columns that an outsider may know of a person; these become coarser",
            example="COLUMN,COLUMN,...",
        ),
    ] = ()
    sensitive: Annotated[
        tuple[str, ...],
        Declared(
            "Sensitive columns",
            "Column that an outsider wants to learn; written unchanged; repeatable",
            example="COLUMN",
            repeated=True,
        ),
    ] = ()
    method: Annotated[
        str,
        Declared(
            "Method",
            "One level per column (lattice), boxes of like records (mondrian, mondrian-relaxed), "
            "or blanked cells (cells)",
            kinds="dpdesk.disclosure.methods:METHODS",
            group=_HOW,
        ),
    ] = "lattice"
    k: Annotated[
        int,
        Declared("k", "Least number of equal records in a group", 2, 1_000_000, group=_CLASSES),
    ] = 5
    l_distinct: Annotated[
        int,
        Declared(
            "l",
            "Least number of different sensitive answers in a group",
            1,
            1000,
            option="--l",
            group=_CLASSES,
        ),
    ] = 1
    l_entropy: Annotated[
        float,
        Declared(
            "Entropy l",
            "The same, with rare answers counting less",
            1,
            1000,
            option="--entropy-l",
            group=_CLASSES,
            unused=(_without("beyond_distinct", "beside --method cells"),),
        ),
    ] = 1.0
    t: Annotated[
        float,
        Declared(
            "t",
            "Largest distance of a group's sensitive answers from all; 1 is no limit",
            0,
            1,
            group=_CLASSES,
            unused=(_without("beyond_distinct", "beside --method cells"),),
        ),
    ] = 1.0
    suppress: Annotated[
        str,
        Declared(
            "Left out",
            "Records that may be left out, for example 2% or 30",
            example="SHARE",
            group=_CLASSES,
            unused=(_without("suppress", "beside --method mondrian"),),
        ),
    ] = "0"
    loss: Annotated[
        str,
        Declared(
            "Least loss",
            "What the choice of levels keeps least: entropy, discernibility, average-class or "
            "precision",
            kinds="dpdesk.disclosure.information_loss:LOSSES",
            group=_HOW,
            unused=(_without("loss", "without --method lattice"),),
        ),
    ] = "entropy"
    importance: Annotated[
        Mapping[str, float],
        Declared(
            "Cost of a blank",
            "What a blanked cell of a column costs (1); repeatable",
            0.001,
            1000,
            example="COLUMN=COST",
            group=_HOW,
            unused=(_without("importance", "without --method cells"),),
        ),
    ] = field(default_factory=dict)
    declare: Annotated[
        tuple[str, ...],
        Declared(
            "Possible answers",
            "What a column can hold, for example age=17..90 or sex=f|m; repeatable",
            example="COLUMN=ANSWERS",
            group=_LEVELS,
            repeated=True,
        ),
    ] = ()
    hierarchy: Annotated[
        Mapping[str, Path],
        Declared(
            "Level files",
            "A CSV file of levels: one row per value, its labels behind it; repeatable",
            example="COLUMN=FILE",
            group=_LEVELS,
            role="input",
        ),
    ] = field(default_factory=dict)
    widths: Annotated[
        Mapping[str, str],
        Declared(
            "Widths",
            "Widths of intervals, perhaps with open ends, for example age=5,10,20:20..65; "
            "repeatable",
            example="COLUMN=WIDTH,...[:LOWEST..HIGHEST]",
            group=_LEVELS,
        ),
    ] = field(default_factory=dict)
    level: Annotated[
        Mapping[str, int],
        Declared(
            "Level",
            "The level of a column, 0 for unchanged values; repeatable",
            example="COLUMN=NUMBER",
            group=_LEVELS,
            unused=(_without("level", "beside --method mondrian"),),
        ),
    ] = field(default_factory=dict)
    ordered: Annotated[
        tuple[str, ...],
        Declared(
            "Ordered columns",
            "Columns whose categories are declared in their order",
            example="COLUMN,...",
            group=_LEVELS,
            unused=(_without("order", "beside --method cells"),),
        ),
    ] = ()
    levels_from_data: Annotated[
        bool,
        Declared(
            "Levels from the records",
            "Write a file although its levels follow from its records and reveal some of them",
            group=_LEVELS,
            unused=(
                Unused(
                    lambda request: request.out is None and request.plan_out is None,
                    "without --out or -o",
                ),
            ),
        ),
    ] = False
    table: Annotated[
        tuple[tuple[str, ...], ...],
        Declared(
            "Your table",
            "Show the error of the table of some columns; repeatable",
            example="COLUMN,...",
            repeated=True,
        ),
    ] = ()
    keep: Annotated[
        tuple[str, ...],
        Declared(
            "Other columns",
            "Other columns that are written unchanged (none)",
            example="COLUMN,...",
            unused=(_NO_FOLDER,),
        ),
    ] = ()
    out: Annotated[
        Path | None,
        Declared(
            "Folder",
            "A new folder for the coarsened file",
            example="FOLDER",
            role="folder",
        ),
    ] = None
    plan_out: Annotated[
        Path | None,
        Declared(
            "New plan",
            "Write the plan with these columns coarser, WITHOUT protection",
            short="-o",
            example="NEW.json",
            role="output",
            unused=(
                Unused(_no("plan"), "without --plan"),
                _without("loss", "without --method lattice"),
            ),
        ),
    ] = None
