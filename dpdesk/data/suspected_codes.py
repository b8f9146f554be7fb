"""Answers that look like codes of no answer: words, and numbers that stand apart from the rest.

They are shown to the curator, who decides. Nothing is taken for a missing answer because it is
found here.
"""

from __future__ import annotations

import re
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from dpdesk.data.table import Flags, TextColumn

_WORDS_JOINED = (
    # English, and what programs write
    "na|n/a|n.a.|#n/a|#null!|nan|null|?|-|--|.|missing|not available|refused|refusal|"
    "don't know|dont know|do not know|don’t know|dk|dk/na|dk/ref|no answer|no response|"
    "not applicable|not asked|not answered|prefer not to say|prefer not to answer|"
    # German
    "weiß nicht|weiss nicht|keine angabe|k.a.|k. a.|keine antwort|verweigert|trifft nicht zu|"
    "nicht gefragt|"
    # French
    "ne sait pas|nsp|ns/nr|nsp/nr|sans réponse|sans reponse|refus|ne se prononce pas|"
    "ne veut pas répondre|sans objet|"
    # Spanish
    "no sabe|no contesta|no responde|ns/nc|no sabe/no contesta|no aplica|"
    # Portuguese
    "sem resposta|não sabe|nao sabe|não respondeu|não responde|não sabe/não responde|recusou|"
    "não se aplica|"
    # Italian, Dutch, Polish
    "non sa|non risponde|non so|nessuna risposta|weet niet|geen antwoord|wil niet zeggen|nie wiem|"
    "brak danych|odmowa|trudno powiedzieć"
)
_WORDS = frozenset(_WORDS_JOINED.split("|"))
_NAMED = re.compile(
    r"\.[a-z]|\(code [^)]+\)|(9{1,4}[-./]){1,2}9{2,4}|(0{1,4}[-./]){1,2}0{1,4}|9{8}|0{8}"
)
"""Stata's codes, those that a joined question tells from an option of this name, and dates of nines
or noughts."""

_UNSIGNED = {
    int(code) for end in "789" for n in range(1, 10) for code in (end * n, "9" * (n - 1) + end)
}
_BESIDE_WORDS = re.compile(r"\s*(\([^()]*\)|\*)\s*$")
"""What a label has behind its words, such as "(spontaneous)"."""

_CODES = np.array(sorted({-1} | _UNSIGNED | {-code for code in _UNSIGNED}), dtype=np.float64)
"""How codes look: 7, 8 or 9 alone or repeated, and 97 to 99, 997 to 999, up to nine digits; these
with a minus, and -1."""


def means_no_answer(label: str) -> bool:
    """Tells whether what stands for a value in a file says that it is no answer.

    Args:
        label: The label, such as "Refusal*" or "Don't know (spontaneous)".
    """
    words = label.strip().casefold()
    return words in _WORDS or _BESIDE_WORDS.sub("", words) in _WORDS


_Bounds = tuple[float, float, float]
_found: WeakKeyDictionary[TextColumn, tuple[tuple[object, ...], npt.NDArray[np.int64]]] = (
    WeakKeyDictionary()
)
"""What was found last in a column, after what was asked: a draft, its questions and every step of a
plan ask again."""

_FEW_NUMBERS = 12
_LEAST_TIMES = 3
_FAR = 0.5


def suspected_codes(
    column: TextColumn,
    decimal: str,
    known: Flags | None = None,
    bounds: _Bounds | None = None,
    *,
    is_declared: bool = False,
) -> npt.NDArray[np.int64]:
    """Returns the places of distinct answers that look like codes of no answer.

    A column in which very many answers differ is judged by `TextColumn.sample_of_rows`.

    A word of a list, or one of Stata's codes, does. A number does if it has the shape of a code
    and stands apart: it is the only negative one, or, among
    numbers that are not negative, lies above all others by more than half of
    their range, or by more than any of their gaps if they are few or it is more frequent than
    those next to it. Where bounds are declared, one beyond them does, too, if it lies farther out
    than all that have another shape, and not at the next step.

    Args:
        column: The answers.
        decimal: The decimal mark of numbers.
        known: Answers about which is decided, shape (distinct_count,); none if not given. Empty
            cells never count.
        bounds: Least and largest number of a declared domain, and its step; None where it is
            declared as texts, none of which are open.
        is_declared: Whether a domain is declared. Else answers that all look like codes are all
            there is, and none of them is returned.
    """
    own, places = column.sample_of_rows(decimal)
    if own is not column:
        known = None if known is None else known[places]
        found = suspected_codes(own, decimal, known, bounds, is_declared=is_declared)
        return np.asarray(places)[found]
    open_ = (column.counts > 0) & ~column.blank
    if known is not None:
        open_ &= ~known
    asked = (decimal, np.packbits(open_).tobytes(), bounds, is_declared)
    last = _found.get(column)
    if last is None or last[0] != asked:
        found = _suspected(column, decimal, open_, bounds, is_declared=is_declared)
        last = _found[column] = (asked, found)
    return last[1]


def _suspected(
    column: TextColumn, decimal: str, open_: Flags, bounds: _Bounds | None, *, is_declared: bool
) -> npt.NDArray[np.int64]:
    """Returns the places of open answers that look like codes."""
    places = np.flatnonzero(open_)
    values = column.numbers(decimal).values[places]
    is_number = ~np.isnan(values)
    found = np.zeros(places.size, dtype=np.bool_)
    # Only short texts can be words, and there may be a million others.
    for at in np.flatnonzero(~is_number)[:100_000].tolist():
        text = column.dictionary[int(places[at])].as_py().strip()
        if len(text) <= 40:
            found[at] = text.casefold() in _WORDS or bool(_NAMED.fullmatch(text))
    others = int(np.count_nonzero(~is_number & ~found))
    numbers = np.flatnonzero(is_number)
    counts = column.counts[places[numbers]]
    if (others >= 2 and others > numbers.size) or (is_declared and bounds is None):
        # Numbers among texts: codes if every one of them looks like it.
        looks = np.isin(values[numbers], _CODES)
        found[numbers] = looks.size > 0 and looks.all()
    else:
        found[numbers] = _apart(values[numbers], counts)
    if bounds is not None:
        found[numbers] |= _beyond(values[numbers], *bounds)
    if found.all() and not is_declared:
        found[:] = False
    return places[found]


def _beyond(values: npt.NDArray[np.float64], lower: float, upper: float, step: float) -> Flags:
    """Returns which numbers beyond declared bounds are codes by their shape."""
    codes: list[float] = []
    for sign, bound in ((1.0, upper), (-1.0, -lower)):
        outside = np.unique(sign * values[sign * values > bound])
        looks = np.isin(sign * outside, _CODES)
        most = 0
        while most < outside.size and looks[-1 - most]:
            most += 1
        # 7, 8 and 9 children beyond a bound of 5 are numbers where somebody has 6.
        while 0 < most < outside.size and outside[-most] - outside[-1 - most] <= step:
            most -= 1
        codes += (sign * outside[outside.size - most :]).tolist()
    return np.asarray(np.isin(values, codes))


def _apart(values: npt.NDArray[np.float64], counts: npt.NDArray[np.int64]) -> Flags:
    """Returns which numbers have the shape of a code and stand apart, shape of `values`."""
    numbers, back = np.unique(values, return_inverse=True)
    looks = np.isin(numbers, _CODES)
    if not looks.any():
        return np.zeros(values.size, dtype=np.bool_)
    times = np.bincount(back, weights=counts, minlength=numbers.size).astype(np.float64)
    below = 0
    while below < numbers.size and numbers[below] < 0 and looks[below]:
        below += 1
    rest = numbers[below:]
    if rest.size < 2 or rest[0] < 0:
        below = 0
    else:
        # A scale from -1 to 1 has no codes.
        below = below if not np.isin(-numbers[:below], rest[-1]).any() else 0
    above = _above(numbers[below:], times[below:], looks[below:])
    chosen = np.zeros(numbers.size, dtype=np.bool_)
    chosen[:below] = True
    chosen[numbers.size - above :] = above > 0
    return np.asarray(chosen[back])


def _above(numbers: npt.NDArray[np.float64], times: npt.NDArray[np.float64], looks: Flags) -> int:
    """Returns how many of the largest numbers, sorted, are codes."""
    most = 0
    while most < numbers.size and most < 5 and looks[-1 - most]:
        most += 1
    for count in range(most, 0, -1):
        rest, first = numbers[:-count], numbers[-count]
        if rest.size < 2 or rest[0] < 0:
            continue
        gap, widest = first - rest[-1], float(np.diff(rest).max())
        if gap <= widest:
            continue
        often = times[-count:].sum() >= max(_LEAST_TIMES, times[:-count][-3:].max())
        if rest.size <= _FEW_NUMBERS or gap >= _FAR * (rest[-1] - rest[0]) or often:
            return count
    return 0
