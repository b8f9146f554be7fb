"""`dpdesk survey plan` for questions with several answers and for numbers."""

from __future__ import annotations

import argparse
from dataclasses import replace
from math import isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import refuse_ignored
from dpdesk.cli.survey.further_request import request_of
from dpdesk.cli.terminal import print_json
from dpdesk.data.write_file import write_file
from dpdesk.errors import ParameterError
from dpdesk.numbers import bound_text
from dpdesk.preview.survey import (
    SupposedMean,
    SupposedShares,
    epsilon_for_margin,
    people_for_margin,
)
from dpdesk.report.survey import MeanMemo, SharesMemo, memo_html


def plan_further(options: argparse.Namespace) -> int:
    """Prints the unknown one of respondents, margin and epsilon."""
    request = request_of(options)
    if options.memo is None:
        refuse_ignored(options, {"wording"}, "without --memo")
    margin = options.margin
    if margin is not None and not margin > 0:
        raise ParameterError("A margin is above 0.", remedy="Correct --margin.")
    if margin is None and options.respondents is None:
        raise ParameterError(
            "There is nothing to find with these numbers.",
            remedy="Give --margin, or --respondents, or both to find the epsilon.",
        )
    if margin is not None and options.epsilon is not None:
        refuse_ignored(options, {"respondents"}, "beside --margin and --epsilon")
    content: dict[str, object] = {}
    if margin is not None and options.respondents is not None and options.epsilon is None:
        least = epsilon_for_margin(request, margin)
        request = request.asked_by(request.design.at_epsilon(least))
        content["epsilon_for_margin"] = least
    elif margin is not None:
        request = replace(request, respondents=people_for_margin(request, margin))
    sampling, privacy = request.parts
    epsilon = request.epsilon
    content |= {
        "design": request.design.model_dump(mode="json"),
        "n": request.respondents,
        "margin": request.margin,
        "design_effect": (sampling + privacy) / sampling if sampling else None,
        "epsilon": epsilon if isfinite(epsilon) else None,
        "epsilon_infinite": not isfinite(epsilon),
    }
    if isinstance(request, SupposedShares):
        each = (replace(request, looked=i) for i in range(len(request.shares)))
        content |= {"look": request.looked + 1, "margins": [one.margin for one in each]}
    else:
        content["delta"] = request.design.loss.delta
    if options.memo is not None:
        write_file(options.memo, _memo(options, request), overwrite=options.overwrite)
    if options.json:
        print_json(content)
        return ExitCode.OK
    _print(request, content)
    return ExitCode.OK


def _print(request: SupposedShares | SupposedMean, content: dict[str, object]) -> None:
    print(f"respondents: {request.respondents:,}")
    if isinstance(request, SupposedShares):
        print(f"margin of answer {request.looked + 1}: {request.margin:.6g}")
        margins = content["margins"]
        assert isinstance(margins, list)  # noqa: S101 - made above
        for number, margin in enumerate(margins, start=1):
            print(f"  answer {number}: {margin:.6g}")
    else:
        print(f"margin: {request.margin:.6g}")
    if content["design_effect"] is not None:
        print(
            "design effect: respondents as a multiple of direct questions: "
            f"{content['design_effect']:,.6g}"
        )
    if isinstance(request, SupposedMean):
        print(request.design.loss.sentence)
    elif isfinite(request.epsilon):
        print(f"epsilon: {bound_text(request.epsilon)}")
    else:
        print("epsilon: infinite, an answer can rule true answers out")


def _memo(options: argparse.Namespace, request: SupposedShares | SupposedMean) -> str:
    if isinstance(request, SupposedShares):
        return memo_html(
            SharesMemo(
                options.wording,
                request.design,
                (),
                request.shares,
                request.respondents,
                request.confidence,
            )
        )
    return memo_html(
        MeanMemo(
            options.wording,
            request.design,
            request.mean,
            request.deviation,
            request.respondents,
            "",
            request.confidence,
        )
    )
