"""Unbiased shares, tables and means from sanitized records.

    python analysis.py            prints the shares and means, a cross-table and means by group
    python analysis.py --csv      the same as CSV, with all digits

It needs Python 3.8 and nothing else, and reads records.csv beside it. Change CROSS, MEAN and BY
below, or use the functions: import analysis; analysis.cross(["A", "B"]).

Why not simply count? Every answer in records.csv was changed at random before it was released, by
a law that is public. What stands in a cell is therefore not what somebody answered. Counted one by
one, the answers look more evenly spread than they are; counted together, they look independent of
each other although they are not, and that does not go away with more respondents. This script
corrects for it: in place of each answer it counts numbers, its scores, whose average over the
random changes is 1 for the true answer and 0 for every other. Averages of scores, and of products
of scores of several questions, are unbiased. They can come out below 0 or above 1: that is the
noise, and its size is in the standard errors, which hold sampling and noise together.
"""

import csv
import re
import sys
from datetime import date, timedelta
from itertools import product
from math import floor, prod, sqrt
from pathlib import Path

# Everything that the records do not say: which columns a question has, the scores of its reports.
RELEASE = {}

# What to look at together: names of questions. Empty: nothing.
CROSS = []
MEAN = ""
BY = ""

Z = 1.959963984540054  # 95 % of the normal law lie within so many standard errors

with Path(__file__).with_name("records.csv").open(encoding="utf-8-sig", newline="") as file:
    NAMES, *RECORDS = (line for line in csv.reader(file) if line)
PLACES = {name: place for place, name in enumerate(NAMES)}
NUMBER = re.compile("[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?")
WORTH_OF = {
    name: {text: place for place, text in enumerate(question["reports"])}
    for name, question in RELEASE["questions"].items()
    if question["rule"] == "number"
}
_FOUND = {}


def number(text):
    """Returns the number that a text is in plain digits, or None."""
    written, decimal = text.strip(" \t\u00a0"), RELEASE["decimal"]
    if len(written) > 64 or (decimal != "." and "." in written):
        return None
    written = written.replace(decimal, ".")
    found = float(written) if NUMBER.fullmatch(written) else None
    return None if found in (float("inf"), float("-inf")) else found


def kept_number(question, text):
    """Returns the number that a cell is as its column writes it, 1.234,5 or $5; None for none."""
    if not question["pattern"]:
        return number(text)
    written = re.sub("[ \t\u00a0\u202f\u2009]+", " ", text).strip(" ")
    written = written.replace("\u2019", "'").replace("\u2212", "-")
    # An apostrophe keeps spreadsheets from taking a cell for a formula.
    found = re.fullmatch("'?" + question["pattern"][0], written, re.IGNORECASE)
    if found is None:
        return None
    outer, sign, whole, rest = found.groups(default="")
    for mark in question["grouping"]:
        whole = whole.replace(mark, "")
    return None if outer and sign else float(f"{outer}{sign}{whole}.{rest}")


def is_protected(name):
    """Returns whether the answers of a question were changed at random."""
    return not RELEASE["questions"][name]["rule"].startswith("kept")


def is_number(name):
    """Returns whether a question has numbers, else it has categories."""
    return RELEASE["questions"][name]["rule"] in {"number", "kept number"}


def tally(names):
    """Returns each combination of cells with its weight, its squared weight and its records.

    Where each respondent reports one question alone, only those who report it are counted.
    """
    cells = [[PLACES[column] for column in RELEASE["questions"][name]["columns"]] for name in names]
    weight, sampled = RELEASE["weight"], RELEASE["sampled"]
    protected = [name for name in names if is_protected(name)]
    if len(protected) > 1 and RELEASE["apart"]:
        raise SystemExit(RELEASE["apart"])
    found = {}
    for line in RECORDS:
        if sampled and protected and line[PLACES[sampled]] != RELEASE["cells"][protected[0]]:
            continue
        w = number(line[PLACES[weight]]) if weight else 1.0
        key = tuple(tuple(line[place] for place in places) for places in cells)
        before = found.get(key, (0.0, 0.0, 0))
        found[key] = before[0] + w, before[1] + w * w, before[2] + 1
    return [(key, *sums) for key, sums in found.items()]


def supported(question, cells):
    """Returns for each category whether a report supports it; None where it says nothing of it."""
    rule, size = question["rule"], len(question["texts"])
    if rule == "category":
        return [cells[0] == text for text in question["texts"]]
    if rule == "columns":
        return [None if cell == "" else cell == "1" for cell in cells]
    if rule == "index":
        # Written in binary, both numbers are 1 in an even number of places.
        report = int(cells[0])
        return [bin(report & (place + 1)).count("1") % 2 == 0 for place in range(size)]
    seed_a, seed_b, bucket = map(int, cells)
    buckets, bits = int(question["buckets"][0]), int(question["hash_bits"][0])
    hashed = ((seed_a * place + seed_b) % 2**32 >> 32 - bits for place in range(size))
    return [one * buckets >> bits == bucket for one in hashed]


def from_filters(question, cells):
    """Returns the scores of a report of Bloom filters: least squares of its debiased bits."""
    size, hashes = len(question["texts"]), int(question["hashes"][0])
    cohorts, flip = int(question["cohorts"][0]), question["flip"][0]
    first, bits = int(cells[0]) * size * hashes, [int(cell) for cell in cells[1:]]
    places = [int(place) for place in question["positions"][first : first + size * hashes]]
    scale, matrix = cohorts / (1 - 2 * flip), question["matrix"]
    groups = [places[start : start + hashes] for start in range(0, size * hashes, hashes)]
    told = [scale * sum(bits[place] - flip for place in group) for group in groups]
    return [sum(told[c] * matrix[c * size + place] for c in range(size)) for place in range(size)]


def scores(name, cells):
    """Returns the scores of each category; None of a category that the report says nothing of."""
    question = RELEASE["questions"][name]
    size, hit, miss = len(question["texts"]), question.get("hit"), question.get("miss")
    if question["rule"] == "kept":
        answer = "" if is_missing(question, cells[0]) else cells[0].strip()
        return [float(answer == text) for text in categories(name)[0]]
    if all(cell == "" for cell in cells):
        return [None] * size
    if question["rule"] == "matrix":
        row = question["reports"].index(cells[0]) * size
        return question["matrix"][row : row + size]
    if question["rule"] == "filters":
        return from_filters(question, cells)
    return [
        None if told is None else (hit if told else miss)[place if len(hit) > 1 else 0]
        for place, told in enumerate(supported(question, cells))
    ]


def number_scores(name, cells):
    """Returns whether the question is answered, and the answer less `origin`; both as scores."""
    question, text = RELEASE["questions"][name], cells[0]
    if not is_number(name):
        raise SystemExit(f"{name}: {RELEASE['no_mean']}")
    if question["rule"] == "kept number":
        value = None if is_missing(question, text) else kept_number(question, text)
        return (0.0, 0.0) if value is None else (1.0, value)
    if text == "":
        return question["answered_if_none"][0], question["shift_if_none"][0]
    if question["reports"]:
        worth = question["worth"][WORTH_OF[name][text]]
    else:
        worth = question["worth"][0] + question["slope"][0] * (float(text) - question["at"][0])
    return question["answered"][0], question["scale"][0] * worth + question["shift"][0]


def is_missing(question, text):
    """Returns whether the cell of a column that was released as it is holds no answer."""
    if text in question["missing"] or (not text.strip() and "" in question["missing"]):
        return True
    value = number(text)
    lower, upper = question["missing_from"], question["missing_to"]
    return value is not None and any(a <= value <= b for a, b in zip(lower, upper))


def categories(name):
    """Returns the cells and the labels of the categories of a question, "no answer" the last."""
    question = RELEASE["questions"][name]
    texts, labels = list(question["texts"]), list(question["labels"])
    if question["rule"] == "kept":
        if name not in _FOUND:
            cells = {line[PLACES[question["columns"][0]]] for line in RECORDS}
            given = {cell.strip() for cell in cells if not is_missing(question, cell)}
            more = sorted(given - set(texts))
            none = [""] if any(is_missing(question, cell) for cell in cells) else []
            shown = [
                re.sub("^'(?='*\\s*[=+@\uff1d\uff0b\uff0d\uff20-])", "", text) for text in more
            ]
            _FOUND[name] = texts + more + none, labels + shown + ["no answer"] * len(none)
        return _FOUND[name]
    if question["blank"]:
        return [*texts, ""], [*labels, "no answer"]
    return texts, labels


def nearest_possible(shares):
    """Returns the possible shares nearest to some: none negative, their sum 1."""
    taken = total = 0.0
    for count, share in enumerate(sorted(shares, reverse=True), 1):
        total += share
        if share > (total - 1) / count:
            taken = (total - 1) / count
    found = [max(share - taken, 0.0) for share in shares]
    return [share / sum(found) for share in found]


def sums_of(name):
    """Returns for each category its unbiased share, the same by squared weights, and 1 / n."""
    told = [(scores(name, key[0]), w, ww) for key, w, ww, _ in tally([name])]
    sums = []
    for place in range(len(RELEASE["questions"][name]["texts"])):
        own = [(one[place], w, ww) for one, w, ww in told if one[place] is not None]
        weight, squares = sum(w for _, w, _ in own), sum(ww for _, _, ww in own)
        share = sum(w * s for s, w, _ in own) / weight
        by_squares = sum(ww * s for s, _, ww in own) / squares
        sums.append((share, by_squares, squares / weight**2))
    return sums


def between(number, lower, upper):
    """Returns a number, or the end of a range that it is beyond."""
    return min(max(number, lower), upper)


def shares(name):
    """Returns the unbiased share of each category: label, estimate, standard error.

    Errors are those at the nearest possible shares, so that few reports do not look like no error.
    """
    question, labels, sums = RELEASE["questions"][name], categories(name)[1], sums_of(name)
    if question["squares"]:
        near, by = (nearest_possible([one[kind] for one in sums]) for kind in (0, 1))
    else:
        near, by = ([between(one[kind], 0.0, 1.0) for one in sums] for kind in (0, 1))
    size, rows = len(near), []
    for place in range(size):
        f, g = near[place], by[place]
        if question["squares"]:
            noise = sum(question["squares"][u * size + place] * by[u] for u in range(size)) - g
        else:
            at = place if len(question["hit"]) > 1 else 0
            hit, miss = question["hit"][at], question["miss"][at]
            noise = -hit * miss + g * (hit + miss - 1)
        drawn = max(f * (1 - f) + (g - f) * (1 - 2 * f), 0.0)
        error = sqrt((max(noise, 0.0) + drawn) * sums[place][2])
        rows.append((labels[place], sums[place][0], error))
    return rows


def among_answered(name):
    """Returns the share of each answer among those who gave one: label, estimate, standard error.

    Where "no answer" is a category 0, it is the ratio r of two estimates, f / (1 - f0). The error
    is that of s - r (1 - s0) over 1 - f0, with s the scores. dpdesk tells none of these shares
    where so few answered that the interval of one of them is all that is possible.
    """
    question, sums = RELEASE["questions"][name], sums_of(name)
    none, reports = int(question["missing_place"][0]), sum(n for *_, n in tally([name]))
    spread = spread_of_scores if question["squares"] else spread_of_support
    below = between(1 - sums[none][0], 1 / reports, 1.0)
    rows = []
    for place, label in enumerate(categories(name)[1]):
        if place != none:
            ratio = between(sums[place][0] / below, 0.0, 1.0)
            found = max(spread(question, sums, reports, (place, none), ratio, below), 0.0)
            value = sums[place][0] / max(1 - sums[none][0], 1 / reports)
            rows.append((label, value, sqrt(found) / below))
    return rows


def spread_of_scores(question, sums, reports, places, ratio, below):
    """Returns the variance of a mean of s - r (1 - s0), by the mean products of scores."""
    size, (place, none) = len(question["texts"]), places
    near, by = (nearest_possible([one[kind] for one in sums]) for kind in (0, 1))
    square, mixed, other = (
        sum(question[key][u * size + at] * by[u] for u in range(size))
        for key, at in (("squares", place), ("mixed", place), ("squares", none))
    )
    f, f0 = near[place], near[none]
    own = square - 2 * f * by[place] + f**2
    cross = mixed - f * by[none] - f0 * by[place] + f * f0
    of_none = other - 2 * f0 * by[none] + f0**2
    return (own + 2 * ratio * cross + ratio**2 * of_none) * sums[place][2]


def spread_of_support(question, sums, reports, places, ratio, below):
    """Returns the same where reports support categories, as it is if the ratio is the true one."""
    place, size = places[0], len(question["texts"])
    hit, miss, true, other = (
        question[key] if len(question[key]) == size else question[key] * size
        for key in ("hit", "miss", "both_true", "both_other")
    )
    (gap, q), (gap0, q0) = (
        (1 / (hit[at] - miss[at]), -miss[at] / (hit[at] - miss[at])) for at in places
    )
    third, gone = int(question["third"][place]), 1 - below

    def squares(share, gap, q):
        return q * (1 - q) / gap**2 + share * (1 - gap - 2 * q) / gap + share

    def products(share, share_of_none, kind):
        alike = share + share_of_none
        alike += between(sums[third][kind], 0.0, 1.0) if third >= 0 else 0.0
        joint = alike * true[place] + (1 - alike) * other[place]
        of_one, of_none = share * gap + q, share_of_none * gap0 + q0
        return (joint - q * of_none - q0 * of_one + q * q0) / (gap * gap0)

    cross = products(0.0, gone, 0)
    slope = products(1.0, gone, 0) - cross
    linear = (squares(1.0, gap, q) - squares(0.0, gap, q)) * below + 2 * cross
    square = squares(gone, gap0, q0) - gone**2 - below**2 + 2 * below * (slope - gone)
    found = max(squares(0.0, gap, q) + linear * ratio + square * ratio**2, 0.0)
    if not RELEASE["weight"]:
        return found * sums[place][2]
    by, by_none = (between(sums[at][1], 0.0, 1.0) for at in places)
    own = ratio * below
    linearised = squares(by, gap, q) - 2 * own * by + own**2
    mixed = products(by, by_none, 1) - gone * by - by_none * own + gone * own
    of_none = squares(by_none, gap0, q0) - 2 * gone * by_none + gone**2
    linearised += 2 * ratio * mixed + ratio**2 * of_none
    factor = found / linearised if found > 0 and linearised > 0 else 1.0
    return found / min(factor / sums[place][2], reports)


def least_variance(name, value, reports, answered):
    """Returns the least variance of a report's part in a mean of numbers.

    Few reports may lack those that are rare and worth much, so it is the largest of the least noise
    of any mean that the estimate does not contradict.
    """
    floor = RELEASE["questions"][name].get("floor", ())
    size, share = len(floor) // 3, min(answered, 1.0)
    if size == 0:
        return 0.0
    means, given, none = floor[:size], floor[size : 2 * size], floor[2 * size :]
    points = [(m, share * g + (1 - share) * n) for m, g, n in zip(means, given, none)]
    near = [v for m, v in points if abs(m - value) <= Z * sqrt(v / reports) / answered]
    at = between(value, means[0], means[-1])
    for place in range(size - 1):
        (a, low), (b, high) = points[place : place + 2]
        if a <= at <= b:
            near.append(low + (high - low) * (at - a) / (b - a))
    return max(near)


def mean(name):
    """Returns the mean of a number among those who answered, and the share who did if protected."""
    question = RELEASE["questions"][name]
    may_lack = question["answered_if_none"][0] != 0
    told = [
        (*number_scores(name, key[0]), w, ww, n)
        for key, w, ww, n in tally([name])
        if may_lack or key[0][0] != ""
    ]
    weight, squares = sum(one[2] for one in told), sum(one[3] for one in told)
    records = sum(one[4] for one in told)
    answered = sum(a * w for a, _, w, _, _ in told) / weight
    below = max(answered, 1 / records)
    value = sum(v * w for _, v, w, _, _ in told) / weight / below
    spread = sum(ww * (v - value * a - value * (below - answered)) ** 2 for a, v, _, ww, _ in told)
    least = 0.0
    if not question["binomial"][0]:
        least = least_variance(name, value, weight**2 / squares, below)
    error = sqrt(max(spread, least * squares)) / weight / below
    rows = [("mean", question["origin"][0] + value, error)]
    if may_lack:
        spread = sum(ww * (a - answered) ** 2 for a, _, _, ww, _ in told)
        error = sqrt(max(spread, question["least_answered"][0] * squares)) / weight
        rows.append(("share answered", answered, error))
    return rows


def joint_scores(name, cells):
    """Returns the scores of a question for products: 0 of what a report says nothing of."""
    question = RELEASE["questions"][name]
    found = scores(name, cells)
    if question["rule"] == "kept":
        return found
    factor = question["factor"][0]
    blank = [float(all(cell == "" for cell in cells))] if question["blank"] else []
    return [0.0 if score is None else factor * score for score in found] + blank


def crossed(names, key):
    """Returns the products of the scores of several questions, the last one's running fastest."""
    return list(map(prod, product(*(joint_scores(*one) for one in zip(names, key)))))


def labels_of(names):
    """Returns the labels of all combinations of categories, the last question's running fastest."""
    return list(map(" x ".join, product(*(categories(name)[1] for name in names))))


def ratios(groups, told, name=""):
    """Yields the mean of numbers within groups, and its standard error, or None for both.

    Of records it is told scores of groups, number and being answered, both weights and how many.
    """
    weight, squares = sum(one[3] for one in told), sum(one[4] for one in told)
    records, over = sum(one[5] for one in told), weight**2 - squares
    for group in range(groups):
        above = sum(w * x[group] * v for x, v, _, w, _, _ in told) / weight
        below = sum(w * x[group] * a for x, _, a, w, _, _ in told) / weight
        spread = sum(ww * (x[group] * a - below) ** 2 for x, _, a, _, ww, _ in told) / over
        if below <= 0 or below**2 <= Z**2 * spread or below * records < 1:
            # The records do not even show that anybody is in this group.
            yield None, None
            continue
        value = above / below
        left = sum(ww * (x[group] * (v - value * a)) ** 2 for x, v, a, _, ww, _ in told) / over
        if name:
            parts = [(ww * x[group] ** 2, x[group] ** 2, v, a) for x, v, a, _, ww, _ in told]
            total, fourth = sum(u for u, *_ in parts), sum(u * f for u, f, *_ in parts)
            reports = (total * weight / squares) ** 2 / fourth
            answered = max(sum(u * a for u, _, _, a in parts) / total, 1 / reports)
            centre = sum(u * v for u, _, v, _ in parts) / total / answered
            least = least_variance(name, centre, reports, answered)
            left = max(left, total * least / weight**2)
        yield value, sqrt(left) / below


def cross(names):
    """Returns the share of all respondents with each combination of answers, with its error."""
    told = [(crossed(names, key), w, ww) for key, w, ww, _ in tally(names)]
    weight, squares = sum(w for _, w, _ in told), sum(ww for _, _, ww in told)
    one = min(squares / weight**2, 0.5)
    rows = []
    for place, label in enumerate(labels_of(names)):
        share = sum(w * x[place] for x, w, _ in told) / weight
        spread = sum(ww * (x[place] - share) ** 2 for x, _, ww in told) / (weight**2 - squares)
        near = min(max(share, one), 1 - one)
        rows.append((label, share, sqrt(max(spread, near * (1 - near) * squares / weight**2))))
    return rows


def mean_by(name, by):
    """Returns the mean of a number in each group, among those who answered, with its error."""
    told = [
        (crossed(by, key[:-1]), *reversed(number_scores(name, key[-1])), w, ww, n)
        for key, w, ww, n in tally([*by, name])
    ]
    labels, origin = labels_of(by), RELEASE["questions"][name]["origin"][0]
    found = ratios(len(labels), told, name)
    return [(label, None if m is None else origin + m, e) for label, (m, e) in zip(labels, found)]


def share_by(name, by):
    """Returns the share of each answer within each group, with its error."""
    sums, rows = tally([*by, name]), []
    for place, label in enumerate(categories(name)[1]):
        told = [
            (crossed(by, key[:-1]), joint_scores(name, key[-1])[place], 1.0, w, ww, n)
            for key, w, ww, n in sums
        ]
        found = ratios(prod(len(categories(one)[0]) for one in by), told)
        rows += [(f"{of} x {label}", m, e) for of, (m, e) in zip(labels_of(by), found)]
    return rows


def tables():
    """Yields title and rows of all that is printed, the unit of means, and whose they are."""
    for name in RELEASE["questions"]:
        if is_protected(name):
            rows = mean(name) if is_number(name) else shares(name)
            yield name, rows, unit(name, " (mean in "), name
            if RELEASE["questions"][name].get("missing_place"):
                yield f"{name} among those who answered", among_answered(name), "", name
    if CROSS:
        yield " x ".join(CROSS), cross(CROSS), "", CROSS[0]
    if MEAN and BY:
        yield f"mean of {MEAN} by {BY}", mean_by(MEAN, [BY]), unit(MEAN, " (in "), MEAN


def date_text(name, label, found):
    """Returns the date that a mean of dates is; "" for shares, and for other numbers."""
    kind = RELEASE["questions"][name].get("dates")
    if not kind or found is None or label == "share answered":
        return ""
    whole, kind = floor(found + 0.5), kind[0]
    if kind == "time":
        return "{}{:02}:{:02}".format("-" * (whole < 0), *divmod(abs(whole), 60))
    per = {"year": 1, "quarter": 4, "month": 12, "day": 1, "hour": 24, "minute": 1440}[kind]
    first, part = divmod(whole, per)
    if kind in ("year", "quarter", "month"):
        year = first + 1970 * (kind != "year")
        rest = {"year": "", "quarter": f"-Q{part + 1}", "month": f"-{part + 1:02}"}[kind]
    else:
        era, days = divmod(first, 146_097)  # 400 years have so many days, whichever they are
        day = date(1970, 1, 1) + timedelta(days)
        year, rest = day.year + 400 * era, f"-{day.month:02}-{day.day:02}"
        rest += "T{:02}:{:02}".format(*divmod(part * 1440 // per, 60)) * (kind != "day")
    return (f"{year:04}" if 0 <= year <= 9999 else f"{year:+05}") + rest


def unit(name, words):
    """Returns what numbers of a question count, such as (in h), behind some words."""
    found = RELEASE["questions"][name].get("unit")
    return f"{words}{found[0]})" if found else ""


def main():
    """Prints every table."""
    if "--csv" in sys.argv[1:]:
        lines = csv.writer(sys.stdout, lineterminator="\n")
        dated = any(question.get("dates") for question in RELEASE["questions"].values())
        lines.writerow(("table", "answer", "estimate", "standard_error") + ("date",) * dated)
        for title, rows, _, name in tables():
            lines.writerows((title, *row, *[date_text(name, *row[:2])] * dated) for row in rows)
        return
    print(f"{len(RECORDS):,} records; standard errors hold sampling and noise together")
    for title, rows, of, name in tables():
        width = max(len(label) for label, _, _ in rows)
        print(f"\n{title}{of}")
        print(f"{'':{width}}  {'estimate':>12}  {'std. error':>12}")
        for label, value, error in rows:
            if value is None:
                print(f"{label:{width}}  {'-':>12}  (nobody may be in this group)")
            else:
                told = date_text(name, label, value) or f"{value:.6g}"
                print(f"{label:{width}}  {told:>12}  {error:12.4g}")
    for sentence in RELEASE["notes"]:
        print(f"\n{sentence}")


if __name__ == "__main__":
    main()
