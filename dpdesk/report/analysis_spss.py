"""`analysis.sps`: the analysis of a release in the syntax of SPSS, which PSPP runs, too.

Scores become variables, and estimates what `dpdesk.report.spss_estimates` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from textwrap import wrap

from dpdesk.report.analysis import MOST_FILTERS, MOST_SCORES, Facts, Question
from dpdesk.report.spss_estimates import Estimates
from dpdesk.report.spss_records import (
    LABEL_BYTES,
    has_broken_lines,
    kept_categories,
    quoted,
    reading_commands,
    texts_of,
    unmatched,
)

_WIDTH = 90
_NO_ANSWER = "no answer"

_HEAD = (
    "Unbiased shares, tables and means from sanitized records, for SPSS and PSPP",
    "Run it in the folder of the release: it reads records.csv from the current folder, or change "
    "its place below",
    "Why not simply count? Every answer in records.csv was changed at random before it was "
    "released, by a law that is public, so that what stands in a cell is not what somebody "
    "answered",
    "Counted one by one, the answers look more evenly spread than they are; counted together "
    "(CROSSTABS, REGRESSION, MEANS), they look independent of each other although they are not, "
    "and that does not go away with more respondents",
    "This syntax computes scores instead, the variables s1_1, s1_2 and so on: one for each "
    "category of a question, whose average over the random changes is 1 for the true answer and 0 "
    "for every other",
    "Averages of scores, and of products of scores of several questions, are unbiased; they can "
    "come out below 0 or above 1: that is the noise",
    "The tables at the end show under Mean the estimate and under S.E. Mean its standard error, "
    "sampling and noise together",
    "Do not use WEIGHT BY with them: SPSS would take weights for numbers of respondents; where "
    "there are weights, they are in the numbers already",
)


@dataclass(slots=True)
class _Script:
    """A script in the making.

    Attributes:
        facts: What it is written from.
        lines: Its commands so far.
        names: The SPSS variable of each released column.
        tables: Variables of each table, with its title.
        estimates: What is shown in them.
        joined: Variables for products of each question that has them, with labels.
    """

    facts: Facts
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    tables: list[tuple[str, list[str]]] = field(default_factory=list)
    estimates: Estimates = field(default_factory=Estimates)
    joined: dict[str, Sequence[tuple[str, str]]] = field(default_factory=dict)

    def say(self, sentence: str) -> None:
        """Adds a comment: it ends with a period at the end of a line, and nowhere before."""
        text = sentence.rstrip(".").replace("\n", " ")
        first, *others = wrap(text, _WIDTH, break_on_hyphens=False) or [""]
        self.lines.append("\n".join([f"* {first}", *(f"  {line}" for line in others)]) + ".")

    def add(self, *commands: str) -> None:
        """Adds commands."""
        self.lines += [f"{command}." for command in commands]


def spss_script(facts: Facts) -> str:
    """Returns `analysis.sps`."""
    script = _Script(facts, estimates=Estimates(is_weighted=bool(facts.weight)))
    for sentence in _HEAD:
        script.say(sentence)
    for sentence in facts.notes:
        script.say(sentence)
    if has_broken_lines(facts):
        script.say(
            "A cell of records.csv can hold a line break, so that a record is not a line, as this "
            "syntax needs it: use analysis.R or analysis.py"
        )
        return "\n".join(script.lines) + "\n"
    script.names, commands = reading_commands(facts)
    script.add(*commands)
    weight = _number(script, script.names[facts.weight_cell]) if facts.weight else "1"
    script.add(f"COMPUTE weight = {weight}", "COMPUTE everybody = 1")
    told = {
        question.name: place
        for place, question in enumerate(facts.questions, 1)
        if _scored(script, question, place)
    }
    _one_by_one(script, told)
    _together(script, told)
    _finish(script)
    return "\n".join(script.lines) + "\n"


def _number(script: _Script, variable: str) -> str:
    """Returns the expression of the number that a text is."""
    text = f"LTRIM(RTRIM({variable}))"
    if script.facts.decimal != ".":
        text = f"REPLACE({text}, {quoted(script.facts.decimal)}, '.')"
    return f"NUMBER({text}, F40)"


def _numbers(question: Question, key: str) -> tuple[float, ...]:
    return tuple(map(float, question.values[key]))


def _at(numbers: Sequence[float], place: int) -> str:
    return repr(numbers[place if len(numbers) > 1 else 0])


def _scored(script: _Script, question: Question, place: int) -> bool:
    """Adds the scores of a question; returns False where they are left to R and Python."""
    rule, size = str(question.values["rule"]), len(texts_of(question, "texts"))
    if why := unmatched(question):
        script.say(f"{quoted(question.name)} {why}: use analysis.R or analysis.py")
        return False
    if rule in {"kept", "kept number"}:
        return _kept(script, question, place)
    many = len(_numbers(question, "positions")) > MOST_FILTERS if rule == "filters" else False
    if size > MOST_SCORES or many:
        script.say(f"{question.name} is too large for this syntax: use analysis.R or analysis.py")
        return False
    script.say(f"Scores of question {place}: {question.name}")
    variables = [script.names[column] for column in texts_of(question, "columns")]
    if rule == "number":
        _number_scores(script, question, place, variables[0])
        return True
    _RULES[rule](script, question, place, variables)
    pairs = enumerate(texts_of(question, "labels"), 1)
    for number, label in pairs:
        script.add(f"VARIABLE LABELS s{place}_{number} {quoted(label, LABEL_BYTES)}")
    return True


def _kept(script: _Script, question: Question, place: int) -> bool:
    """Indicators of a column that was released as it is, or its number."""
    variable = script.names[texts_of(question, "columns")[0]]
    tokens = [text for text in texts_of(question, "missing") if text]
    missing = " OR ".join([f"{variable} = {quoted(text)}" for text in tokens] or ["0 = 1"])
    if question.are_numbers and question.values["pattern"]:
        script.say(
            f"Numbers of {question.name} stand beside a unit or are grouped, which this syntax "
            "does not read: use analysis.R or analysis.py"
        )
        return False
    if question.are_numbers:
        script.say(f"Question {place} was released as it is: {question.name}")
        script.add(f"COMPUTE z{place} = {_number(script, variable)}")
        ends = zip(
            _numbers(question, "missing_from"), _numbers(question, "missing_to"), strict=True
        )
        for lower, upper in ends:
            inside = f"z{place} >= {lower!r} AND z{place} <= {upper!r}"
            script.add(f"IF ({inside}) z{place} = $SYSMIS")
        script.add(
            f"IF ({missing}) z{place} = $SYSMIS",
            f"COMPUTE a{place} = 1 - SYSMIS(z{place})",
            f"IF (a{place} = 0) z{place} = 0",
        )
        return True
    cells, labels = kept_categories(question)
    if not 0 < len(cells) <= MOST_SCORES:
        return False
    script.say(f"Question {place} was released as it is: {question.name}")
    scores = []
    for number, text in enumerate(cells, 1):
        scores.append(f"s{place}_{number}")
        script.add(
            f"COMPUTE {scores[-1]} = (LTRIM(RTRIM({variable})) = {quoted(text)} AND NOT "
            f"({missing}))"
        )
    if question.kept is not None and question.kept.has_missing:
        scores.append(f"s{place}_{len(scores) + 1}")
        labels = (*labels, _NO_ANSWER)
        script.add(f"COMPUTE {scores[-1]} = 1 - " + "\n - ".join(scores[:-1]))
    script.joined[question.name] = list(zip(scores, labels, strict=True))
    return True


def _of_category(script: _Script, question: Question, place: int, variables: list[str]) -> None:
    hit, miss = _numbers(question, "hit"), _numbers(question, "miss")
    for number, text in enumerate(texts_of(question, "texts")):
        score = f"s{place}_{number + 1}"
        script.add(
            f"IF ({variables[0]} <> '') {score} = {_at(miss, number)}",
            f"IF ({variables[0]} = {quoted(text)}) {score} = {_at(hit, number)}",
        )


def _of_columns(script: _Script, question: Question, place: int, variables: list[str]) -> None:
    hit, miss = _numbers(question, "hit"), _numbers(question, "miss")
    for number, variable in enumerate(variables):
        script.add(
            f"RECODE {variable} (1={_at(hit, number)}) (0={_at(miss, number)}) INTO "
            f"s{place}_{number + 1}"
        )


def _of_index(script: _Script, question: Question, place: int, variables: list[str]) -> None:
    size = len(texts_of(question, "texts"))
    common = f"MOD(TRUNC({variables[0]} / 2 ** #bit), 2) * MOD(TRUNC(#c / 2 ** #bit), 2)"
    _of_loop(
        script,
        question,
        place,
        f"NOT SYSMIS({variables[0]})",
        "COMPUTE #ones = 0",
        f"LOOP #bit = 0 TO {size.bit_length()}",
        f"COMPUTE #ones = #ones + {common}",
        "END LOOP",
        "COMPUTE #supports = (MOD(#ones, 2) = 0)",
    )


def _of_hash(script: _Script, question: Question, place: int, variables: list[str]) -> None:
    buckets, bits = (int(_numbers(question, key)[0]) for key in ("buckets", "hash_bits"))
    seed_a, seed_b, bucket = variables
    # All numbers are whole and below 2^53, so that they are exact.
    word = f"MOD({seed_a} * (#c - 1) + {seed_b}, {2**32})"
    _of_loop(
        script,
        question,
        place,
        f"NOT SYSMIS({bucket})",
        f"COMPUTE #hash = TRUNC({word} / {2 ** (32 - bits)})",
        f"COMPUTE #supports = (TRUNC(#hash * {buckets} / {2**bits}) = {bucket})",
    )


def _of_loop(
    script: _Script, question: Question, place: int, reported: str, *supports: str
) -> None:
    """Adds scores of reports whose support of category #c is computed by some commands."""
    (hit,), (miss,) = _numbers(question, "hit"), _numbers(question, "miss")
    size = len(texts_of(question, "texts"))
    script.add(
        f"VECTOR s{place}_({size})",
        f"DO IF ({reported})",
        f"LOOP #c = 1 TO {size}",
        *supports,
        f"COMPUTE s{place}_(#c) = {miss!r} + #supports * {hit - miss!r}",
        "END LOOP",
        "END IF",
    )


def _of_matrix(script: _Script, question: Question, place: int, variables: list[str]) -> None:
    reports, matrix = texts_of(question, "reports"), _numbers(question, "matrix")
    size = len(texts_of(question, "texts"))
    for number in range(size):
        cells = [f"({quoted(t)}={matrix[y * size + number]!r})" for y, t in enumerate(reports)]
        script.add(_recode(variables[0], cells, f"s{place}_{number + 1}"))


def _recode(variable: str, cells: Sequence[str], into: str) -> str:
    return "\n ".join([f"RECODE {variable}", *cells, f"INTO {into}"])


def _of_filters(script: _Script, question: Question, place: int, variables: list[str]) -> None:
    """Least squares of debiased bits: t of a category is that of its bits in the cohort."""
    size, flip = len(texts_of(question, "texts")), _numbers(question, "flip")[0]
    cohorts, hashes = (int(_numbers(question, key)[0]) for key in ("cohorts", "hashes"))
    positions, matrix = _numbers(question, "positions"), _numbers(question, "matrix")
    cohort, *bits = variables
    for number in range(cohorts):
        script.add(f"DO IF ({cohort} = {number})")
        for category in range(size):
            first = (number * size + category) * hashes
            own = [bits[int(bit)] for bit in positions[first : first + hashes]]
            script.add(f"COMPUTE t{place}_{category + 1} = {' + '.join(own)} - {hashes * flip!r}")
        script.add("END IF")
    factor = cohorts / (1 - 2 * flip)
    for number in range(size):
        parts = (f"{factor * matrix[c * size + number]!r} * t{place}_{c + 1}" for c in range(size))
        script.add(f"COMPUTE s{place}_{number + 1} = " + "\n + ".join(parts))


_RULES: dict[str, Callable[[_Script, Question, int, list[str]], None]] = {
    "category": _of_category,
    "columns": _of_columns,
    "index": _of_index,
    "hash": _of_hash,
    "matrix": _of_matrix,
    "filters": _of_filters,
}


def _number_scores(script: _Script, question: Question, place: int, variable: str) -> None:
    """Adds a, whether there is an answer, and z, the answer from the origin, as scores."""
    one = {key: _numbers(question, key)[0] for key in _OF_A_NUMBER}
    worth, reports = _numbers(question, "worth"), texts_of(question, "reports")
    if reports:
        cells = [f"({quoted(t)}={w!r})" for t, w in zip(reports, worth, strict=True)]
        script.add(_recode(variable, cells, f"z{place}"))
    else:
        (slope,), (at,) = _numbers(question, "slope"), _numbers(question, "at")
        line = f"{worth[0]!r} + {slope!r} * (NUMBER(RTRIM({variable}), F40) - {at!r})"
        script.add(f"IF ({variable} <> '') z{place} = {line}")
    script.add(
        f"IF ({variable} <> '') a{place} = {one['answered']!r}",
        f"IF ({variable} <> '') z{place} = {one['scale']!r} * z{place} + {one['shift']!r}",
    )
    if one["answered_if_none"]:
        told = f"{variable} = ''"
        if script.facts.sampled:
            told += f" AND {_sampled(script, question)}"
        script.add(
            f"IF ({told}) a{place} = {one['answered_if_none']!r}",
            f"IF ({told}) z{place} = {one['shift_if_none']!r}",
        )


_OF_A_NUMBER = ("answered", "answered_if_none", "scale", "shift", "shift_if_none")


def _sampled(script: _Script, question: Question) -> str:
    facts = script.facts
    return f"{script.names[facts.sampled]} = {quoted(facts.cell_of(question.name))}"


def _one_by_one(script: _Script, told: dict[str, int]) -> None:
    """Adds the table of each protected question."""
    for question in script.facts.questions:
        place = told.get(question.name)
        if place is None or not question.is_protected:
            continue
        estimates = script.estimates
        if not question.are_numbers:
            labels = texts_of(question, "labels")
            scores = [f"s{place}_{number}" for number, _ in enumerate(labels, 1)]
            shares, among = estimates.shares(question, labels, scores)
            script.tables.append((question.name, shares))
            if among:
                script.tables.append((f"{question.name} among those who answered", among))
            continue
        (origin,), mean = _numbers(question, "origin"), f"mean{_unit(question)}"
        least = _MEAN.replace("LEAST", repr(_numbers(question, "least")[0]))
        dates = _dates(question, "mean")
        own = [f"z{place}"], [f"a{place}"]
        table = [estimates.ratio(mean, *own, origin=origin, variance=least, dates=dates)]
        if _numbers(question, "answered_if_none")[0]:
            least = _MEAN.replace("LEAST", repr(_numbers(question, "least_answered")[0]))
            table.append(estimates.ratio("share answered", [f"a{place}"], variance=least))
        script.tables.append((question.name, table))


_MEAN = "MAX({squares}, LEAST * {weights}) / {below} ** 2"
_OF_ALL = "{weights} / {weight} ** 2"
_CELL = (
    "MAX({squares} / ({weight} ** 2 - {weights}), "
    f"MIN(MAX({{ratio}}, MIN({_OF_ALL}, 0.5)), 1 - MIN({_OF_ALL}, 0.5)) *\n "
    f"(1 - MIN(MAX({{ratio}}, MIN({_OF_ALL}, 0.5)), 1 - MIN({_OF_ALL}, 0.5))) * {_OF_ALL})"
)
_GROUP = "{squares} * {weight} ** 2 / ({weight} ** 2 - {weights}) / {below} ** 2"
"""Variances of a mean, of a cell of a table and of a mean in a group."""


def _together(script: _Script, told: dict[str, int]) -> None:
    """Adds the cross-table and the means by group."""
    facts = script.facts
    if facts.cross and told.keys() >= set(facts.cross):
        table: list[str] = []
        cells = [_joint(script, name, told[name]) for name in facts.cross]
        both = [column[0][0] for column in cells]
        for (x, first), (y, second) in product(*cells):
            label = f"{first} x {second}"
            table.append(script.estimates.ratio(label, [x, y], told=both, variance=_CELL))
        script.tables.append((" x ".join(facts.cross), table))
    if facts.mean and told.keys() >= set(facts.mean):
        table = []
        name, by = facts.mean
        place = told[name]
        question = facts.question(name)
        (origin,) = _numbers(question, "origin")
        for number, what in enumerate(("z", "a")):
            script.add(f"COMPUTE g{what}{place} = {what}{place}")
            if question.is_protected and _numbers(question, "answered_if_none")[0] == 0:
                # Of a blank cell nothing is known, so that it adds nothing.
                told_of = f"SYSMIS({what}{place})"
                if facts.sampled:
                    told_of += f" AND {_sampled(script, question)}"
                script.add(f"IF ({told_of}) g{what}{place} = {0 * number}")
        for x, label in _joint(script, by, told[by]):
            group = f"{label}{_unit(question)}"
            above, below = [x, f"gz{place}"], [x, f"ga{place}"]
            dates = _dates(question, label)
            table.append(
                script.estimates.ratio(
                    group, above, below, origin=origin, variance=_GROUP, dates=dates
                )
            )
        script.tables.append((f"mean of {name} by {by}", table))


def _dates(question: Question, label: str) -> tuple[str, str] | None:
    """Returns the unit in which a question counts dates, with a label; None for other numbers."""
    return next(((label, unit) for unit in texts_of(question, "dates")), None)


def _unit(question: Question) -> str:
    """What numbers of a question count, behind a comma; empty where nothing is said."""
    return "".join(f", {unit}" for unit in texts_of(question, "unit"))


def _joint(script: _Script, name: str, place: int) -> Sequence[tuple[str, str]]:
    """Returns the variables of a question for products, with labels; 0 where nothing is said."""
    if name in script.joined:
        return script.joined[name]
    question = script.facts.question(name)
    labels = texts_of(question, "labels")
    group = f" AND {_sampled(script, question)}" if script.facts.sampled else ""
    (factor,) = _numbers(question, "factor")
    found = []
    for number, label in enumerate(labels, 1):
        own, score = f"j{place}_{number}", f"s{place}_{number}"
        script.add(
            f"COMPUTE {own} = {factor!r} * {score}", f"IF (SYSMIS({score}){group}) {own} = 0"
        )
        found.append((own, label))
    if texts_of(question, "blank"):
        own = f"j{place}_{len(labels) + 1}"
        script.add(f"COMPUTE {own} = SYSMIS(s{place}_1)")
        found.append((own, _NO_ANSWER))
    script.joined[name] = found
    return found


def _finish(script: _Script) -> None:
    """Adds the means of everything at once, then every table."""
    commands = script.estimates.commands()
    if not commands:
        return
    script.say(
        "Every estimate: a variable whose mean it is, and whose S.E. Mean is its error. In the end "
        "two records are left, each of which stands for half of all: to go on with the scores of "
        "all records, run the commands above this line alone"
    )
    script.add(*commands)
    for title, variables in script.tables:
        # PSPP prints no titles, and tables of the same answers look alike.
        script.add(f"TITLE {quoted(title, 60)}", f"ECHO {quoted(title, LABEL_BYTES)}")
        dates = [
            script.estimates.dates[name] for name in variables if name in script.estimates.dates
        ]
        if dates:
            written = [
                f"PRINT / {quoted(f'{label}: ', LABEL_BYTES)} {name}" for label, name in dates
            ]
            script.add("DO IF ($CASENUM = 1)", *written, "END IF")
        script.add(f"DESCRIPTIVES VARIABLES={_listed(variables)} /STATISTICS=MEAN SEMEAN")
    script.add("WEIGHT OFF")


def _listed(variables: Sequence[str]) -> str:
    return "\n ".join(_rows(variables))


def _rows(variables: Sequence[str]) -> Iterator[str]:
    yield from wrap(" ".join(variables), _WIDTH)
