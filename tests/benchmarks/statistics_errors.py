"""Errors of released statistics on the Adult data against those predicted. A program of its own.

    python tests/benchmarks/statistics_errors.py [--releases N]

Every query is released N times with fresh noise, under both relations and two kinds of noise. It
fails where an error is not what was predicted, or an interval does not cover.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.queries.adult import Measured, adult_rows, cases, measured

HEAD = (
    "| query | relation | noise | unit | predicted 95 % half-width | measured 95th percentile "
    "of the error | ratio | half-width of the release | coverage |\n" + "|---" * 9 + "|"
)


def line(result: Measured) -> str:
    """Returns one row of the table."""
    ratio = result.error / result.predicted if result.predicted else float("nan")
    realised = "–" if result.half_width is None else f"{result.half_width:.4g}"
    return (
        f"| {result.asked} | {result.relation} | {result.noise} | {result.unit} | "
        f"{result.predicted:.4g} | {result.error:.4g} | {ratio:.2f} | {realised} | "
        f"{100 * result.coverage:.1f} % |"
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--releases", type=int, default=400)
    releases = parser.parse_args().releases
    rows = adult_rows()
    print(HEAD)
    failed = False
    for bound in cases():
        result = measured(bound, rows, releases)
        failed |= not result.holds
        print(line(result), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
