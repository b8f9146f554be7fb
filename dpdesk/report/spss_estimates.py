"""Estimates in the syntax of SPSS, with the standard errors that `dpdesk estimate` gives.

Scores are variables. An estimate is a ratio of two sums over the records, such as the weighted sum
of the scores of a category over the sum of the weights, and its error follows from more sums and
from the law of the reports. Every record adds to the sums; what is made of them is the same in all
records, and is computed in two alone. SPSS prints the mean of a variable and the error of that mean
by the spread of its values: so each estimate becomes a variable u of two values around it, whose
distance makes the error of the mean the error that was computed. Each of the two stands for half of
the records, so that tables say how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dpdesk.report.analysis import Question
from dpdesk.report.spss_dates import date_commands
from dpdesk.report.spss_records import LABEL_BYTES, quoted, texts_of

_TRIES = 80
"""Halvings of a range of less than 2, until nothing of it is left in a number."""


@dataclass(slots=True)
class Estimates:
    """The estimates of a script, as commands of the steps in which they are computed.

    Attributes:
        is_weighted: Whether respondents have weights.
        parts: What each record adds to sums.
        sums: The sums.
        squares: What each record adds to sums of squares, which need the sums.
        square_sums: These sums.
        finals: Estimates, errors and what shows them.
        count: Number of estimates so far.
        dates: Of each estimate that is a date, by its variable: what it is, and the variable of its
            text.
    """

    is_weighted: bool = False
    parts: list[str] = field(default_factory=list)
    sums: list[str] = field(default_factory=list)
    squares: list[str] = field(default_factory=list)
    square_sums: list[str] = field(default_factory=list)
    finals: list[str] = field(default_factory=list)
    count: int = 0
    dates: dict[str, tuple[str, str]] = field(default_factory=dict)
    _made: dict[tuple[str, str], str] = field(default_factory=dict)

    def ratio(
        self,
        label: str,
        above: Sequence[str],
        below: Sequence[str] = (),
        *,
        told: Sequence[str] = (),
        origin: float = 0.0,
        variance: str,
        dates: tuple[str, str] | None = None,
    ) -> str:
        """Adds the ratio of two sums over the records that tell of all variables.

        Args:
            label: What it is.
            above: Variables whose product with the weight is summed above.
            below: The same below.
            told: Variables that are missing where some of these are; all of them if left out.
            origin: What is added to the ratio.
            variance: Its variance by {squares}, the sum of squares of p - R d, {weight} and
                {weights}, the sums of weights and of their squares, {below} and {ratio}.
            dates: What it is, and the unit of the calendar that it counts; None for other numbers.

        Returns:
            The variable whose mean it is.
        """
        of = self._counted(told or (*above, *below), above)
        n, d = of.number, self._summed(of.known, "d", of.number, ("weight", *below))
        self.squares.append(f"COMPUTE r{n} = ({of.p} - s{of.p} / s{d} * {d}) ** 2")
        self.square_sums.append(f"/sr{n}=SUM(r{n})")
        formula = variance.format(
            squares=f"sr{n}", weight=f"s{of.t}", weights=f"s{of.y}", below=f"s{d}", ratio=f"#r{n}"
        )
        self.finals.append(f"COMPUTE #r{n} = s{of.p} / s{d}")
        value = f"{origin!r} + #r{n}"
        shown = self._shown(n, label, value, formula)
        if dates is not None:
            what, unit = dates
            self.dates[shown] = what, f"d{n}_text"
            self.finals += date_commands(unit, value, f"d{n}_text")
        return shown

    def shares(
        self, question: Question, labels: Sequence[str], scores: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Adds the share of each category, and of each among those who answered.

        Args:
            question: The question.
            labels: What the categories are.
            scores: The variable of the scores of each.

        Returns:
            The variables of both.
        """
        law = _Law.of(question, len(labels))
        # A report of one cell tells of every category; of several cells some may be blank.
        one_cell = question.values["rule"] != "columns"
        counted = [self._counted(scores[:1] if one_cell else [s], (s,)) for s in scores]
        numbers = [of.number for of in counted]
        for of, score in zip(counted, scores, strict=True):
            n, q = of.number, self._summed(of.known, "q", of.number, ("weight", "weight", score))
            self.finals += [
                f"COMPUTE #f{n} = s{of.p} / s{of.t}",
                f"COMPUTE #g{n} = s{q} / s{of.y}",
                f"COMPUTE #n{n} = s{of.y} / s{of.t} ** 2",
            ]
        f, g = ([f"#{letter}{n}" for n in numbers] for letter in "fg")
        if law.squares:
            near = self._nearest(f, f"a{numbers[0]}")
            by = self._nearest(g, f"b{numbers[0]}") if self.is_weighted else near
        else:
            near, by = ([f"MIN(MAX({one}, 0), 1)" for one in of] for of in (f, g))
        found = []
        for place, (n, label) in enumerate(zip(numbers, labels, strict=True)):
            x, y = f"#x{n}", f"#y{n}"
            self.finals += [
                f"COMPUTE {x} = {near[place]}",
                f"COMPUTE {y} = {by[place]}",
                f"COMPUTE #e{n} = {law.noise(place, y, by)}",
            ]
            drawn = f"MAX({x} * (1 - {x}) + ({y} - {x}) * (1 - 2 * {x}), 0)"
            found.append(self._shown(n, label, f[place], f"(MAX(#e{n}, 0) + {drawn}) * #n{n}"))
        if law.none is None:
            return found, []
        return found, self._among_answered(law, labels, counted, by)

    def commands(self) -> list[str]:
        """Returns everything in the order in which it is computed; nothing without estimates."""
        if not self.sums:
            return []
        first = ["/ncases=N", *self.sums]
        found = [*self.parts, _aggregate(first), *self.squares]
        if self.square_sums:
            found.append(_aggregate(self.square_sums))
        return [
            *found,
            # What follows is the same in all records: two carry it, on both sides of the estimate.
            "N OF CASES 2",
            "COMPUTE carried = SQRT(ncases - 1) * (($CASENUM = 1) - ($CASENUM = 2))",
            *self.finals,
            "COMPUTE stands_for = ncases / 2",
            "WEIGHT BY stands_for",
        ]

    def _counted(self, told: Iterable[str], above: Sequence[str]) -> _Counted:
        """Adds an estimate's sums of weights and of what is weighted."""
        self.count += 1
        n = self.count
        # Nothing times 0 is 0 in SPSS: who tells nothing must be left out by name.
        known = f"IF (NMISS({', '.join(dict.fromkeys(told))}) = 0)"
        return _Counted(
            n,
            known,
            self._summed(known, "p", n, ("weight", *above)),
            self._summed(known, "t", n, ("weight",)),
            self._summed(known, "y", n, ("weight", "weight")),
        )

    def _summed(self, known: str, letter: str, n: int, factors: Sequence[str]) -> str:
        """Adds the sum of a product over some records, if it is a new one; returns what is summed.

        Without weights each counts 1, and many sums are the same.
        """
        if not self.is_weighted:
            factors = [factor for factor in factors if factor != "weight"]
        product = " * ".join(factors) or "1"
        name = self._made.setdefault((known, product), f"{letter}{n}")
        if name == f"{letter}{n}":
            self.parts.append(f"{known} {name} = {product}")
            self.sums.append(f"/s{name}=SUM({name})")
        return name

    def _shown(self, n: int, label: str, value: str, variance: str, letter: str = "u") -> str:
        shown = f"{letter}{n}"
        self.finals += [
            f"COMPUTE {shown} = {value} + carried * SQRT(MAX({variance}, 0))",
            f"VARIABLE LABELS {shown} {quoted(label, LABEL_BYTES)}",
        ]
        return shown

    def _nearest(self, shares: Sequence[str], name: str) -> list[str]:
        """Adds the possible shares nearest to some: none negative, their sum 1."""
        low, high, middle = (f"#{end}{name}" for end in ("l", "h", "m"))
        left = " + ".join(f"MAX({share} - {middle}, 0)" for share in shares)
        largest = f"MAX({', '.join(shares)})"
        self.finals += [
            f"COMPUTE {low} = {largest} - 1",
            f"COMPUTE {high} = {largest}",
            f"LOOP #i = 1 TO {_TRIES}",
            f"COMPUTE {middle} = ({low} + {high}) / 2",
            f"DO IF ({_broken(left)} > 1)",
            f"COMPUTE {low} = {middle}",
            "ELSE",
            f"COMPUTE {high} = {middle}",
            "END IF",
            "END LOOP",
        ]
        return [f"MAX({share} - {middle}, 0)" for share in shares]

    def _among_answered(
        self,
        law: _Law,
        labels: Sequence[str],
        counted: Sequence[_Counted],
        by: Sequence[str],
    ) -> list[str]:
        assert law.none is not None  # noqa: S101 - asked before
        numbers = [of.number for of in counted]
        zero = numbers[law.none]
        # The reports are the records that tell of the question.
        reports = f"s{self._summed(counted[law.none].known, 'o', zero, ())}"
        below, gone = f"#below{zero}", f"#gone{zero}"
        self.finals += [
            f"COMPUTE {below} = MIN(MAX(1 - #f{zero}, 1 / {reports}), 1)",
            f"COMPUTE {gone} = 1 - {below}",
        ]
        found = []
        for place, (n, label) in enumerate(zip(numbers, labels, strict=True)):
            if place == law.none:
                continue
            ratio = f"#k{n}"
            self.finals.append(f"COMPUTE {ratio} = MIN(MAX(#f{n} / {below}, 0), 1)")
            if law.squares:
                self.finals += law.by_scores(place, n, zero, ratio, by)
            else:
                weighted = reports if self.is_weighted else ""
                self.finals += law.by_support(place, n, zero, ratio, numbers, weighted)
            value = f"#f{n} / MAX(1 - #f{zero}, 1 / {reports})"
            found.append(self._shown(n, label, value, f"#z{n} / {below} ** 2", "w"))
        return found


@dataclass(frozen=True, slots=True)
class _Counted:
    """An estimate's sums.

    Attributes:
        number: Its number.
        known: The records that are summed, as the beginning of a command.
        p, t, y: The variables of what is weighted, of weights, and of their squares; that of a sum
            has an s in front.
    """

    number: int
    known: str
    p: str
    t: str
    y: str


def _aggregate(sums: Sequence[str]) -> str:
    # All records are one group, which needs no sorting.
    first = "AGGREGATE OUTFILE=* MODE=ADDVARIABLES /PRESORTED /BREAK=everybody"
    return "\n ".join([first, *sums])


def _broken(expression: str) -> str:
    """Breaks a long sum into lines."""
    return expression.replace(" + ", "\n + ")


def _sum(weights: Iterable[float], of: Sequence[str]) -> str:
    parts = (f"({weight!r}) * ({one})" for weight, one in zip(weights, of, strict=True))
    return _broken("(" + " + ".join(parts) + ")")


@dataclass(frozen=True, slots=True)
class _Law:
    """What the errors of a question's shares take beside the shares.

    Attributes:
        size: Number of categories.
        none: The category of no answer; None without one, or where this is not enough.
        hit, miss: Scores of a category that a report supports, and of another, of each.
        squares: Mean squares of scores by the true category; empty where reports support them.
        mixed: Mean products with the score of no answer, alike.
        both_true, both_other, third: Chances of support of two categories.
    """

    size: int
    none: int | None
    hit: tuple[float, ...]
    miss: tuple[float, ...]
    squares: tuple[float, ...]
    mixed: tuple[float, ...]
    both_true: tuple[float, ...]
    both_other: tuple[float, ...]
    third: tuple[float, ...]

    @classmethod
    def of(cls, question: Question, size: int) -> _Law:
        """Reads it."""

        def numbers(key: str) -> tuple[float, ...]:
            if key not in question.values:
                return ()
            found = tuple(map(float, texts_of(question, key)))
            return found * size if len(found) == 1 and size > 1 else found

        place = texts_of(question, "missing_place")
        none = int(float(place[0])) if place else None
        keys = ("hit", "miss", "squares", "mixed", "both_true", "both_other", "third")
        return cls(size, none, *(numbers(key) for key in keys))

    def _row(self, of: tuple[float, ...], place: int) -> list[float]:
        return [of[u * self.size + place] for u in range(self.size)]

    def noise(self, place: int, share: str, by: Sequence[str]) -> str:
        """The variance of one report's score beyond that of the answer."""
        if self.squares:
            return f"{_sum(self._row(self.squares, place), by)} - {share}"
        hit, miss = self.hit[place], self.miss[place]
        return f"{-hit * miss!r} + {share} * ({hit + miss - 1!r})"

    def by_scores(self, place: int, n: int, zero: int, ratio: str, by: Sequence[str]) -> list[str]:
        """Commands for the variance of s - r (1 - s0), by mean products of scores."""
        assert self.none is not None  # noqa: S101 - asked before
        x, y, x0, y0 = f"#x{n}", f"#y{n}", f"#x{zero}", f"#y{zero}"
        squares, others = (_sum(self._row(self.squares, at), by) for at in (place, self.none))
        own = f"({squares} - 2 * {x} * {y} + {x} ** 2)"
        cross = f"({_sum(self._row(self.mixed, place), by)} - {x} * {y0} - {x0} * {y} + {x} * {x0})"
        of_none = f"({others} - 2 * {x0} * {y0} + {x0} ** 2)"
        whole = f"{own}\n + 2 * {ratio} * {cross}\n + {ratio} ** 2 * {of_none}"
        return [f"COMPUTE #z{n} = ({whole}) * #n{n}"]

    def by_support(
        self, place: int, n: int, zero: int, ratio: str, numbers: Sequence[int], weighted: str
    ) -> list[str]:
        """The same where reports support categories, as it is if the ratio is the true one.

        `weighted` is the sum that counts the reports, where they are weighted.
        """
        assert self.none is not None  # noqa: S101 - asked before
        (p, q), (p0, q0) = self._chances(place), self._chances(self.none)
        third = int(self.third[place])
        below, gone = f"#below{zero}", f"#gone{zero}"

        def clipped(letter: str, at: int) -> str:
            return f"MIN(MAX(#{letter}{at}, 0), 1)"

        def squares(share: str, p: float, q: float) -> str:
            slope = (1 - p - q) / (p - q) + 1
            return f"({q * (1 - q) / (p - q) ** 2!r} + ({share}) * ({slope!r}))"

        def products(share: str, of_none: str, letter: str) -> str:
            beside = f" + {clipped(letter, numbers[third])}" if third >= 0 else ""
            alike = f"(({share}) + {of_none}{beside})"
            true, other = self.both_true[place], self.both_other[place]
            joint = f"{alike} * ({true - other!r}) + {other!r}"
            one, none = (
                f"(({share}) * ({p - q!r}) + {q!r})",
                f"({of_none} * ({p0 - q0!r}) + {q0!r})",
            )
            scale = (p - q) * (p0 - q0)
            return f"(({joint} - {q!r} * {none} - {q0!r} * {one} + {q * q0!r}) / {scale!r})"

        commands = [
            f"COMPUTE #a{n} = {products('0', gone, 'f')}",
            f"COMPUTE #b{n} = {products('1', gone, 'f')} - #a{n}",
            f"COMPUTE #c{n} = {squares('1', p, q)} - {squares('0', p, q)}",
            f"COMPUTE #c{n} = #c{n} * {below} + 2 * #a{n}",
            f"COMPUTE #d{n} = {squares(gone, p0, q0)} - {gone} ** 2 - {below} ** 2",
            f"COMPUTE #d{n} = #d{n} + 2 * {below} * (#b{n} - {gone})",
            f"COMPUTE #z{n} = {squares('0', p, q)} + #c{n} * {ratio} + #d{n} * {ratio} ** 2",
            f"COMPUTE #z{n} = MAX(#z{n}, 0)",
        ]
        if not weighted:
            return [*commands, f"COMPUTE #z{n} = #z{n} * #n{n}"]
        by, none, own = f"#by{n}", f"#no{n}", f"#own{n}"
        return [
            *commands,
            f"COMPUTE {by} = {clipped('g', n)}",
            f"COMPUTE {none} = {clipped('g', zero)}",
            f"COMPUTE {own} = {ratio} * {below}",
            f"COMPUTE #s{n} = {squares(by, p, q)} - 2 * {own} * {by} + {own} ** 2",
            f"COMPUTE #w{n} = {products(by, none, 'g')} - {gone} * {by} - {none} * {own}",
            f"COMPUTE #w{n} = #w{n} + {gone} * {own}",
            f"COMPUTE #v{n} = {squares(none, p0, q0)} - 2 * {gone} * {none} + {gone} ** 2",
            f"COMPUTE #v{n} = #s{n} + 2 * {ratio} * #w{n} + {ratio} ** 2 * #v{n}",
            f"COMPUTE #w{n} = 1",
            f"IF (#z{n} > 0 AND #v{n} > 0) #w{n} = #z{n} / #v{n}",
            f"COMPUTE #z{n} = #z{n} / MIN(#w{n} / #n{n}, {weighted})",
        ]

    def _chances(self, place: int) -> tuple[float, float]:
        gap = 1 / (self.hit[place] - self.miss[place])
        q = -self.miss[place] * gap
        return q + gap, q
