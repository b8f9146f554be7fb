"""`dpdesk estimate`: estimates from a release, without the survey."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.joint_estimates import (
    UNEVEN,
    add_joint_options,
    estimate_texts,
    is_joint,
    run_joint,
)
from dpdesk.cli.options import add_flag, add_input, add_release, add_value
from dpdesk.cli.terminal import plain, print_json, print_note, print_table
from dpdesk.cli.texts import T

if TYPE_CHECKING:
    from dpdesk.estimation import EstimateRow, Released
    from dpdesk.plan import Plan

DESCRIPTION = "Estimates shares and means from sanitized records, without the survey."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk estimate`."""
    records = "a release, or its records as CSV or Parquet"
    add_release(parser, "records", metavar="FOLDER_OR_FILE", help=records)
    add_input(parser, "--plan", metavar="PLAN.json", help="the plan (default: that of the folder)")
    by = "estimate each group of respondents with the same text in an unprotected column"
    add_value(parser, "--by", "COLUMN", by)
    unverified = "estimate even where records or plan are not those that the manifest lists"
    add_flag(parser, "--unverified", unverified)
    add_joint_options(parser)


def read_release(options: argparse.Namespace) -> tuple[Plan, bool]:
    """Returns the plan of released records, and whether both are those of the manifest.

    Raises:
        InputError: There are no sanitized records, or not those of the manifest.
        PlanError: There is no plan.
    """
    from dpdesk.releases.opened import open_release

    opened = open_release(
        options.records, options.plan, note=print_note, unverified=options.unverified
    )
    return opened.plan, opened.verified


def run(options: argparse.Namespace) -> int:
    """Prints the estimates with standard errors and 95 % intervals."""
    from dpdesk.cli.progress import reading_bar
    from dpdesk.estimation import estimate_rows, released_from_file

    plan, verified = read_release(options)
    if is_joint(options):
        run_joint(options, plan, verified=verified)
    elif options.by:
        _estimate_groups(options, plan, verified=verified)
    else:
        with reading_bar() as heard:
            released = released_from_file(options.records, plan, with_kept=False, heard=heard)
        rows = [row for attribute in released.attributes for row in estimate_rows(attribute)]
        if options.json:
            print_json({"verified": verified} | _content(released, rows))
        else:
            _print_table(rows, _routing(released))
    if plan.weight_column is not None:
        print(plain(T.WEIGHTED_BY(name=plan.weight_column.name)))
    return ExitCode.OK


def _estimate_groups(options: argparse.Namespace, plan: Plan, *, verified: bool) -> None:
    from dpdesk.cli.progress import reading_bar
    from dpdesk.estimation import estimate_rows, released_by_group

    with reading_bar() as heard:
        groups = released_by_group(options.records, plan, options.by, heard=heard)
    told = []
    for number, group in enumerate(groups):
        released = group.released
        routing = [] if released is None else _routing(released)
        attributes = () if released is None else released.attributes
        rows = [row for attribute in attributes for row in estimate_rows(attribute)]
        content: dict[str, object] = {"group": group.text, "records": group.records}
        content["refused"] = group.refusal or None
        estimates = [{**row.as_dict(), **row.dates} for row in rows]
        told.append(content | {"estimates": estimates, "notes": [*_notes(plan, rows), *routing]})
        head = f"{plain(options.by)}: {plain(group.text) or '(empty)'}"
        print("\n" * (number > 0) + f"{head}, {T.RECORDS(count=group.records)}")
        if group.refusal:
            print(group.refusal)
        else:
            _print_table(rows, routing)
    if options.json:
        print_json({"verified": verified, "by": options.by, "groups": told})


def _content(released: Released, rows: list[EstimateRow]) -> dict[str, object]:
    from dpdesk.cost import format_epsilon
    from dpdesk.plan import loss_of_one_attribute, total_epsilon

    return {
        "records": released.rows,
        "strategy": released.plan.strategy,
        "weights": released.plan.weight_column and released.plan.weight_column.name,
        "epsilon_total": format_epsilon(total_epsilon(released.plan)),
        "epsilon_of_one_attribute": loss_of_one_attribute(released.plan),
        "attributes": [
            {
                "attribute": attribute.column.name,
                "mechanism": attribute.bound.mechanism.kind,
                "epsilon": str(attribute.bound.certificate.epsilon_nominal),
                "certified_epsilon": str(attribute.bound.certificate.epsilon_certified),
            }
            for attribute in released.attributes
        ],
        "estimates": [{**row.as_dict(), **row.dates} for row in rows],
        "notes": [*_notes(released.plan, rows), *_routing(released)],
    }


def _notes(plan: Plan, rows: list[EstimateRow]) -> list[str]:
    """What has to be known to read the numbers, as sentences."""
    from dpdesk.estimation.rows import NO_SAMPLING_AT_AN_END

    ends = NO_SAMPLING_AT_AN_END if any(row.sampled_at is not None for row in rows) else ""
    return [note for note in (plan.statistics.unit.interval_note, ends) if note]


def _routing(released: Released) -> list[str]:
    """Who was asked, of the attributes that not everybody was asked."""
    told = ((one.column.name, one.routing()) for one in released.attributes)
    return [f"{name}: {sentences}" for name, sentences in told if sentences]


def _print_table(rows: list[EstimateRow], routing: list[str]) -> None:
    header = (
        *("attribute", "quantity", "estimate", "95 % error", "lower", "upper"),
        *("standard error", "standard error of noise"),
    )
    print_table([header, *(_cells(row) for row in rows)], texts=2)
    if not all(row.is_even for row in rows):
        print(UNEVEN)
    for sentences in routing:
        print(plain(sentences))


def _cells(row: EstimateRow) -> tuple[str, ...]:
    from dpdesk.reports.number_text import half_width_text

    what = row.kind.words.format(answer=plain(row.label))
    told = estimate_texts(
        (row.estimate, row.lower, row.upper), row.unit, share=row.is_share, uneven=not row.is_even
    )
    total, noise = (
        half_width_text(error, row.unit, share=row.is_share).replace("\u00a0", " ")
        for error in (row.total_standard_error, row.noise_standard_error)
    )
    bound = "at most " if row.sampling_standard_error is None and not row.is_share else ""
    return (plain(row.attribute), what, *told, total, f"{bound}{noise}")
