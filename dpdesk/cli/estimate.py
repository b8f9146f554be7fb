"""`dpdesk estimate`: estimates from a release, without the survey."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.joint_estimates import add_joint_options, is_joint, run_joint
from dpdesk.cli.options import add_flag, add_input, add_json, add_release, add_value
from dpdesk.cli.terminal import plain, print_json
from dpdesk.errors import InputError, PlanError

if TYPE_CHECKING:
    from dpdesk.estimate import EstimateRow, Released
    from dpdesk.plan import Plan

_MEAN_DIGITS = 6


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk estimate`."""
    parser.description = "Estimates shares and means from sanitized records, without the survey."
    add_release(
        parser,
        "records",
        metavar="FOLDER_OR_FILE",
        help="a release, or its records as CSV or Parquet",
    )
    add_input(parser, "--plan", metavar="PLAN.json", help="the plan (default: that of the folder)")
    by = (
        "estimate each group of respondents: those with the same text in a column that was "
        "released as it is"
    )
    add_value(parser, "--by", "COLUMN", by)
    unverified = "estimate even where records or plan are not those that the manifest lists"
    add_flag(parser, "--unverified", unverified)
    add_joint_options(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Prints the estimates with standard errors and 95 % intervals."""
    from dpdesk.data.regular_file import is_file, is_folder
    from dpdesk.estimate import estimate_rows, released_from_file
    from dpdesk.plan import load_plan
    from dpdesk.release.statistics import STATISTICS_NAME
    from dpdesk.release.synthetic import SYNTHETIC
    from dpdesk.release.verify import identity_beside

    folder = options.records
    if is_file(folder / STATISTICS_NAME):
        raise InputError(
            "This is a release of statistics: its numbers are estimates already, with intervals.",
            remedy=f"Read {STATISTICS_NAME} or report.html in the folder.",
        )
    of_folder = identity_beside(folder if is_folder(folder) else folder.parent)
    if of_folder is not None and of_folder[0] == SYNTHETIC.report_format:
        raise InputError(
            "These are synthetic rows: errors that are computed from them as from reports of "
            "people would be too small.",
            remedy="Count them as they are, and read report.html in the folder.",
        )
    if not is_folder(folder) and not is_file(folder):
        raise InputError(
            f"{folder.name or folder} is neither a folder nor a file.",
            remedy="Name the folder of a release, or its records.",
        )
    plan_path = plan_of_records(options.records, options.plan)
    verified = _verify(options, plan_path)
    plan = load_plan(plan_path)
    verified &= _is_own_plan(options, plan, plan_path)
    if is_joint(options):
        code = run_joint(options, plan, verified=verified)
        _print_weights(options, plan)
        return code
    if options.by:
        _estimate_groups(options, plan, verified=verified)
        _print_weights(options, plan)
        return ExitCode.OK
    released = released_from_file(options.records, plan, with_kept=False)
    rows = [row for attribute in released.attributes for row in estimate_rows(attribute)]
    if options.json:
        content = {"verified": verified} | _content(released, rows)
        print_json(content)
    else:
        _print_table(rows)
        _print_routing(released)
    _print_weights(options, plan)
    return ExitCode.OK


def _print_weights(options: argparse.Namespace, plan: Plan) -> None:
    if plan.weight_column is not None and not options.json:
        print(f"weighted by {plain(plan.weight_column.name)}")


def _estimate_groups(options: argparse.Namespace, plan: Plan, *, verified: bool) -> None:
    from dpdesk.estimate import estimate_rows, released_by_group

    groups = released_by_group(options.records, plan, options.by)
    told = []
    for number, group in enumerate(groups):
        found = () if group.released is None else group.released.attributes
        routing = [] if group.released is None else _routing(group.released)
        rows = [row for attribute in found for row in estimate_rows(attribute)]
        content: dict[str, object] = {"group": group.text, "records": group.records}
        content["refused"] = group.refusal or None
        estimates = [row.as_dict() for row in rows]
        told.append(content | {"estimates": estimates, "notes": [*_notes(rows), *routing]})
        if not options.json:
            head = f"{plain(options.by)}: {plain(group.text) or '(empty)'}"
            print(
                "\n" * (number > 0)
                + f"{head}, {group.records:,} {'record' if group.records == 1 else 'records'}"
            )
            if group.refusal:
                print(group.refusal)
            else:
                _print_table(rows)
                if group.released is not None:
                    _print_routing(group.released)
    if options.json:
        print_json({"verified": verified, "by": options.by, "groups": told})


def _verify(options: argparse.Namespace, plan_path: Path) -> bool:
    """Compares what is read with the manifest beside it; returns whether it agrees.

    Raises:
        InputError: The records or the plan beside them are not those of the manifest.
    """
    from dpdesk.data.read_records import records_path
    from dpdesk.release.folder import MANIFEST_NAME
    from dpdesk.release.verify import verify_release

    place = options.records
    folder = folder_of(place)
    found = verify_release(folder)
    if not found.has_manifest:
        print(
            "note: There is no manifest beside these records, so nobody can tell whether they "
            "were changed.",
            file=sys.stderr,
        )
        return False
    read = {records_path(place).name, MANIFEST_NAME}
    if plan_path.parent == folder:
        read.add(plan_path.name)
    wrong = {name: fault for name, fault in found.faults.items() if name in read}
    if wrong and not options.unverified:
        listed = " ".join(f"{name} {fault}." for name, fault in wrong.items())
        raise InputError(
            f"This is not the release that its manifest describes. {listed}",
            remedy="Get the folder again from who released it, or add --unverified to estimate "
            "from it as it is.",
        )
    for sentence in found.sentences():
        print(f"note: {plain(sentence)}", file=sys.stderr)
    return not wrong


def _is_own_plan(options: argparse.Namespace, plan: Plan, plan_path: Path) -> bool:
    """Whether the named plan describes the same records as the plan beside them.

    Raises:
        InputError: It does not.
    """
    from dpdesk.data.regular_file import is_file
    from dpdesk.plan import load_plan

    beside = folder_of(options.records) / "plan.json"
    if plan_path == beside or not is_file(beside):
        return True
    own = load_plan(beside)
    if _law(plan) == _law(own):
        return True
    if not options.unverified:
        raise InputError(
            f"{plan_path.name} is not the plan that these records were made by: columns, "
            "mechanisms, domains or the strategy differ from the plan beside them.",
            remedy="Leave --plan out, or add --unverified to estimate by it all the same.",
        )
    print(f"note: {plain(plan_path.name)} is not the plan beside these records.", file=sys.stderr)
    return False


def _law(plan: Plan) -> tuple[object, ...]:
    """Returns the part of a plan that decides how reports are drawn."""
    columns = [(c.name, c.mechanism, c.effective_domain, c.expected) for c in plan.protected]
    return plan.strategy, plan.fakes, columns


def folder_of(records: Path) -> Path:
    """Returns the folder of released records, which are named by it or by their file."""
    from dpdesk.data.regular_file import is_folder

    return records if is_folder(records) else records.parent


def plan_of_records(records: Path, named: Path | None) -> Path:
    """Returns the plan of released records: the named one, else the one beside them.

    Raises:
        PlanError: None is named, and none is there.
    """
    from dpdesk.data.regular_file import is_file

    if named is not None:
        return named
    path = folder_of(records) / "plan.json"
    if not is_file(path):
        raise PlanError("There is no plan beside these records.", remedy="Name it with --plan.")
    return path


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
        "estimates": [row.as_dict() for row in rows],
        "notes": [*_notes(rows), *_routing(released)],
    }


def _notes(rows: list[EstimateRow]) -> list[str]:
    """What has to be known to read the numbers, as sentences."""
    from dpdesk.estimate.rows import NO_SAMPLING_AT_AN_END

    return [NO_SAMPLING_AT_AN_END] if any(row.sampled_at is not None for row in rows) else []


def _routing(released: Released) -> list[str]:
    """Who was asked, of the attributes that not everybody was asked."""
    told = ((one.column.name, one.routing()) for one in released.attributes)
    return [f"{name}: {sentences}" for name, sentences in told if sentences]


def _print_routing(released: Released) -> None:
    for sentences in _routing(released):
        print(plain(sentences))


def _print_table(rows: list[EstimateRow]) -> None:
    header = (
        *("attribute", "quantity", "estimate", "95 % error", "lower", "upper"),
        *("standard error", "standard error of noise"),
    )
    table = [header, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(header))]
    for line in table:
        left = f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}"
        print(left, *(f"{cell:>{width}}" for cell, width in zip(line[2:], widths[2:], strict=True)))


def _cells(row: EstimateRow) -> tuple[str, ...]:
    numbers = (
        *(row.estimate, row.error_95, row.lower, row.upper),
        *(row.total_standard_error, row.noise_standard_error),
    )
    what = row.kind.words.format(answer=plain(row.label))
    if row.is_share:
        return (plain(row.attribute), what, *(f"{100 * number:.2f} %" for number in numbers))
    *told, noise = (f"{number:.{_MEAN_DIGITS}g} {row.unit}".strip() for number in numbers)
    bound = "at most " if row.sampling_standard_error is None else ""
    return (plain(row.attribute), what, *told, f"{bound}{noise}")
