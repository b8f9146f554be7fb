"""`dpdesk choose`: the mechanisms that fit each attribute, side by side, and the best of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dpdesk.cli.column_settings import TARGET
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_choice, add_input, add_output, add_repeated
from dpdesk.cli.terminal import plain, print_json, print_note, print_rows
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from dpdesk.mechanisms import Order
    from dpdesk.plan import Plan
    from dpdesk.preview import JointQuestion, PreviewRequest

DESCRIPTION = (
    "Lists the mechanisms that fit each protected variable at its epsilon, the best one first. "
    "With targets, finds the least total epsilon that meets them."
)

_NOTHING_LOST = "nothing: a report looks like an answer"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk choose`."""
    add_input(parser, "plan", metavar="PLAN.json")
    order = "compare 95 %% errors over the expected distribution (default), or n Var*"
    add_choice(parser, "--by", ("total", "var-star"), order, default="total")
    target = (
        'largest 95 %% error of a column, or of "A x B", "X by A" or "Y ~ A + B": a number of '
        "points (3 or 3pp) for shares, else in its unit; may be repeated"
    )
    add_repeated(parser, "--target", "COLUMN=ERROR", target)
    expect = 'say the error to expect of "A x B", "X by A" or "Y ~ A + B"; may be repeated'
    add_repeated(parser, "--expect", "COLUMNS", expect)
    new = "write the plan with the choice made"
    add_output(parser, "-o", "--out", metavar="NEW.json", help=new)


def run(options: argparse.Namespace) -> int:
    """Prints the candidates of every protected attribute; writes the choice where asked to."""
    from dpdesk.composition.strength import strength_of
    from dpdesk.cost import format_epsilon, short_epsilon
    from dpdesk.plan import check, choose_best, load_plan, save_plan, total_epsilon
    from dpdesk.plan.joint_errors import wanted_analyses
    from dpdesk.plan.joint_question import asked_of
    from dpdesk.plan.losses import protection_of_records
    from dpdesk.plan.outlook import better_strategy
    from dpdesk.preview import JointQuestion, joint_error, plan_for_errors, plan_for_joint_error

    by: Order = "var_star" if options.by == "var-star" else "total"
    plan = load_plan(options.plan)
    written = [_target(text) for text in options.target]
    targets = {name: error for name, error, _ in written}
    read = {text: JointQuestion.read(text, plan) for text in targets}
    joint = {text: question for text, question in read.items() if question is not None}
    for name, _, in_points in written:
        if in_points:
            _require_points(plan, name, joint.get(name))
    if options.out is not None:
        plan = choose_best(plan, by=by)
    alone = {name: error for name, error in targets.items() if name not in joint}
    if alone:
        plan = plan_for_errors(plan, alone)
    _require_apart(joint, alone)
    for text, question in joint.items():
        plan = plan_for_joint_error(plan, question, targets[text])
    expected = [joint_error(plan, question) for question in joint.values()]
    expected += [joint_error(plan, asked_of(plan, text)) for text in options.expect]
    told = {*joint, *options.expect}
    wanted = [one for one in wanted_analyses(plan) if one.text not in told]
    expected += [one.error for one in wanted if one.error is not None]
    requests, better = list(_requests(plan)), better_strategy(plan)
    if options.json:
        attributes = [_entry(name, request, by) for name, request in requests]
        total = format_epsilon(total_epsilon(plan))
        content: dict[str, Any] = {
            "strategy": plan.strategy,
            "epsilon_total": total,
            "strength": strength_of(total_epsilon(plan)),
            "attributes": attributes,
            "better_strategy": None if better is None else better.plan.strategy,
        }
        if expected:
            content["together"] = [
                {
                    "columns": found.question.names,
                    "estimate": found.what,
                    "error_95": found.error_95,
                    "unprotected": found.unprotected,
                    "unit": found.unit,
                }
                for found in expected
            ]
        print_json(content)
    else:
        for name, request in requests:
            _print_attribute(name, request, by)
        for found in expected:
            print(f"{plain(found.what)}: {plain(found.text)}")
        if better is not None:
            print(plain(better.sentence))
        if protection := protection_of_records(plan):
            print(protection)
        print(T.TOTAL_EPSILON(epsilon=short_epsilon(total_epsilon(plan))))
    if options.out is not None:
        save_plan(plan, options.out, overwrite=options.overwrite)
        print(plain(T.PLAN_WRITTEN(file=str(options.out))))
        # Who asks for errors gets them, whatever the budget of the plan is.
        for problem in check(plan):
            if problem.code == "over_budget":
                print_note(str(problem))
    return ExitCode.OK


def _target(text: str) -> tuple[str, float, bool]:
    """Returns what has a target, the error, and whether it is said to be in percentage points."""
    from dpdesk.domains import parse_number

    name, _, written = text.rpartition("=")
    number = written.strip().removesuffix("pp").rstrip()
    error = parse_number(number)
    if not name or error is None:
        raise TARGET.refused(text)
    return name, error, number != written.strip()


def _require_points(plan: Plan, name: str, question: JointQuestion | None) -> None:
    """Refuses percentage points for what has another unit."""
    from dpdesk.preview import joint_error

    columns = {column.name: column.effective_domain for column in plan.columns}
    domain = columns.get(name)
    if question is not None:
        unit = joint_error(plan, question).unit
    elif domain is None:
        # That it is no protected column is said where its error is looked at.
        return
    else:
        unit = domain.error_unit
    if unit != "pp":
        raise ParameterError(T.NOT_IN_POINTS(name=name))


def _require_apart(joint: dict[str, JointQuestion], alone: dict[str, float]) -> None:
    """Refuses two targets of one column: the one would undo the other."""
    named = [*alone, *(name for question in joint.values() for name in question.names)]
    twice = next((name for place, name in enumerate(named) if name in named[:place]), None)
    if twice is not None:
        raise ParameterError(T.TWO_TARGETS(name=twice))


def _requests(plan: Plan) -> Iterator[tuple[str, PreviewRequest]]:
    """The protected attributes whose mechanism fits; the others are what `check` is for."""
    from dpdesk.preview import request_for

    for column in plan.protected:
        request = request_for(column, plan.judged_respondents, sampling=plan.sampling)
        if request is not None:
            yield column.name, request


def _entry(name: str, request: PreviewRequest, by: Order) -> dict[str, Any]:
    from dpdesk.cost import format_epsilon
    from dpdesk.preview import choice_view, explain_choice

    return {
        "attribute": name,
        "mechanism": request.mechanism.kind,
        "epsilon": format_epsilon(request.mechanism.epsilon),
        "respondents": request.respondents,
        "unit": request.unit,
        "explanation": explain_choice(request, by),
        "candidates": [
            {
                "kind": judged.mechanism.kind,
                "chosen": judged.mechanism == request.mechanism,
                "n_var_star": judged.noise_constant,
                "error_95": judged.error_95(request.respondents),
                "bits_sent": judged.bits_sent,
                "losses": list(judged.losses),
            }
            for judged in choice_view(request, by)
        ],
    }


def _print_attribute(name: str, request: PreviewRequest, by: Order) -> None:
    from dpdesk.cost import short_epsilon
    from dpdesk.preview import choice_view, error_text, explain_choice, significant

    epsilon = short_epsilon(request.mechanism.epsilon)
    values = request.domain.count_words.format(count=f"{request.domain.size:,}")
    print(f"{plain(name)}: {values}, epsilon {epsilon}, {request.respondents:,} respondents")
    rows = [
        (
            f"{'*' if judged.mechanism == request.mechanism else ' '} {judged.mechanism.short}",
            significant(judged.noise_constant, 4),
            error_text(judged.error_95(request.respondents), request.unit),
            f"{judged.bits_sent:.4g}",
            " ".join(judged.losses) or _NOTHING_LOST,
        )
        for judged in choice_view(request, by)
    ]
    print_rows([("", "n Var*", "95 % error", "bits sent", "what is lost"), *rows])
    print(f"  {plain(explain_choice(request, by))}\n")
