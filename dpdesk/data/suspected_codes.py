"""Answers that look like codes of no answer: words, and numbers that stand apart from the rest.

They are shown to the curator, who decides. Nothing is taken for a missing answer because it is
found here. Words are compared without accents, capitals, brackets and the code that a label
repeats, such as "[-1] no answer". Several of them, "refused or don't know", count as well, as long
as one of them says it and the others stand beside such words in surveys.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from dpdesk.data.table import Flags, TextColumn
from dpdesk.domains import parse_number


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split("|"))


_SIGNS = _listed("na|n/a|n.a.|#n/a|#null!|nan|null|?|-|--|.|k.a.|k. a.|dk/na|dk/ref")
"""What programs and people write in a cell; they hold marks that part words elsewhere."""

_WORDS = _listed(
    # English, and what programs write
    "na|nan|null|missing|system missing|sysmis|missing value|item nonresponse|nonresponse|"
    "non response|non-response|not available|not ascertained|not stated|not answered|"
    "item non-response|"
    "not applicable|inapplicable|no answer|no response|no reply|no data|refused|refusal|"
    "refuses|refused by respondent|dont know|do not know|doesnt know|does not know|didnt know|"
    "dk|not asked|question not asked|prefer not to say|prefer not to answer|rather not say|"
    "would rather not say|valid skip|legitimate skip|missing by filter|missing by design|"
    "implausible value|uncodeable|uncodable|unanswered|"
    # German
    "weiss nicht|weiss ich nicht|weiss nicht genau|keine angabe|keine angaben|keine antwort|"
    "verweigert|antwort verweigert|angabe verweigert|verweigerung|nicht gefragt|"
    "nicht erhoben|nicht beantwortet|fehlender wert|fehlende angabe|"
    "mochte ich nicht sagen|mochte nicht antworten|unplausibler wert|"
    # French
    "ne sait pas|ne sais pas|je ne sais pas|nsp|ns/nr|nsp/nr|sans reponse|pas de reponse|"
    "non reponse|non-reponse|refus|refus de repondre|refuse de repondre|"
    "ne se prononce pas|ne veut pas repondre|ne repond pas|ne souhaite pas repondre|"
    "sans objet|non applicable|non concerne|donnee manquante|valeur manquante|"
    "non renseigne|non demande|"
    # Spanish
    "no sabe|no se|no lo se|no contesta|no contesto|no responde|no respondio|ns/nc|"
    "no aplica|no aplicable|no procede|sin respuesta|sin dato|sin datos|sin informacion|"
    "se niega a responder|se nego a responder|rehusa|rehusa responder|rechaza responder|"
    "prefiere no responder|prefiere no contestar|no preguntado|no preguntada|"
    # Portuguese
    "sem resposta|nao sabe|nao sei|nao respondeu|nao responde|recusou|recusa|"
    "recusa responder|recusou responder|recusa-se a responder|recusou-se a responder|"
    "recusou se a responder|prefere nao responder|prefiro nao responder|nao se aplica|"
    "nao aplicavel|nao perguntado|nao perguntada|nao informado|sem informacao|"
    "sem declaracao|"
    # Italian, Dutch, Polish
    "non sa|non risponde|non so|nessuna risposta|weet niet|geen antwoord|weigert|"
    "wil niet zeggen|niet van toepassing|nie wiem|brak danych|odmowa|trudno powiedziec|"
    "nie dotyczy|keine ahnung|ohne angabe|sin contestar|systeme manquant"
)

_PRONOUN = re.compile(r"^(?:i|id|je|ich|yo|eu) ")
_DECLINES = re.compile(
    r"(?:would )?(?:prefer|rather|decline|declined|mochte|will|souhaite|prefere|prefiero|prefiere|"
    r"quiere|quiso|prefiro|quer|quis|ne|no|nao|nicht|ich|not|pas|to| )+"
    r"(?:say|answer|state|disclose|respond|reply|tell|sagen|antworten|beantworten|repondre|dire|"
    r"responder|contestar|decir|decirlo|dizer|informar)"
)
"""Says in a sentence that somebody would not answer, such as "prefiero no contestar"."""
_BEGINNINGS = (
    "not in survey ",
    "not in questionnaire",
    "not asked ",
    "question not asked ",
    "refused to answer",
    "refused to say",
    "refused to respond",
    "declined to answer",
    "inadmissible",
    "no answer",
    "keine angabe",
)
"""What a label begins with whose end tells why, such as "not asked in survey"."""

_BESIDE = _listed(
    "not sure|unsure|cant say|cannot say|cant choose|undecided|unknown|skipped|invalid|inconnu|"
    "desconocido|ignorado|unbekannt"
)
"""What stands beside such words, and is an answer by itself."""

_OF_LABELS = _listed(
    "ref|nr|ns|nc|ka|k a|nrp|tnz|declined|fehlend|manquant|perdido|omisso|entfallt"
)
"""Short for it at a number such as 8 or 99; some of them are names of states elsewhere."""

_AT_CODES = _OF_LABELS | _listed(
    "does not apply|unknown|proxy|proxy respondent|proxy interview|by proxy|skip|skipped|invalid|"
    "invalid answer|filter|not reported|inconnu|unbekannt|desconocido|ignorado|unlesbar|"
    "illegible|not codable|blank|error|out of range|data error|datenfehler|nicht zutreffend|"
    "interview not achieved|trifft nicht zu"
)
"""What means no answer at a number that has the shape of a code, and may be an answer elsewhere."""

_OWN_CODE = re.compile(r"\s*[\[(]?\s*-?[0-9]{1,9}\s*(?:[\])]\s*[.:=-]?|[.:=]|\s)\s*")
"""The value that a label repeats before its words."""
_BESIDE_WORDS = re.compile(r"\s*(\([^()]*\)|\[[^\[\]]*\]|\*)\s*$")
"""What a label has behind its words, such as "(spontaneous)"."""
_BELOW_ZERO = re.compile(r"\s*\[\s*-[0-9]{1,4}\s*\]")
"""How household panels label what is no answer, whatever the words are."""
_APOSTROPHES = re.compile(r"['’‘´`\"“”„«»]")
_PARTS = re.compile(r"\s*[/,;|:]\s*|\s+-\s+|\s+(?:or|and|oder|und|ou|et|o|y|e|of)\s+")
_LONGEST = 120
_TWO_DIGITS = 10

_UNSIGNED = {
    int(code) for end in "789" for n in range(1, 10) for code in (end * n, "9" * (n - 1) + end)
}
CODES = np.array(sorted({-1} | _UNSIGNED | {-code for code in _UNSIGNED}), dtype=np.float64)
"""How codes look: 7, 8 or 9 alone or repeated, and 97 to 99, 997 to 999, up to nine digits; these
with a minus, and -1."""
_LARGE_CODES = frozenset(code for code in _UNSIGNED if code > _TWO_DIGITS)


def cell_means_no_answer(cell: str) -> bool:
    """Tells whether a cell says in words or by a sign that it is no answer."""
    return cell.strip().casefold() in _SIGNS or _says_so(_plain(cell))


@lru_cache(maxsize=50_000)
def means_no_answer(label: str, value: str) -> bool:
    """Tells whether what stands for a value in a file says that it is no answer.

    Args:
        label: The label, such as "Refusal*" or "[-2] don't know (spontaneous)".
        value: The value. Below zero, or where it has the shape of a code with two digits and more,
            words count that may be an answer elsewhere, such as "proxy".
    """
    if len(label) > _LONGEST:
        return False
    number = parse_number(value)
    is_code = number is not None and (number < 0 or number in _LARGE_CODES)
    if is_code and _BELOW_ZERO.match(label):
        return True
    bare = _OWN_CODE.sub("", label, count=1) if _OWN_CODE.match(label) else label
    words = {_plain(text) for one in (label, bare) for text in (one, _BESIDE_WORDS.sub("", one))}
    at_codes = _AT_CODES if is_code else _OF_LABELS if number in _UNSIGNED else ()
    # Signs alone may be the ends of a scale: -- to ++.
    is_scale = number is not None and not at_codes and not any(map(str.isalnum, bare))
    in_cell = cell_means_no_answer(bare) and not is_scale
    return in_cell or any(_says_so(one) or one in at_codes for one in words)


def _plain(text: str) -> str:
    """Words in small letters without accents, apostrophes, and the marks around them."""
    bare = _APOSTROPHES.sub("", text.casefold())
    if not bare.isascii():
        apart = unicodedata.normalize("NFKD", bare)
        bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    bare = bare.replace(". ", " ").replace(".", "").strip(" !*()[]<>{}-_")
    return " ".join(bare.split())


def _says_so(words: str) -> bool:
    words = _PRONOUN.sub("", words)
    if words in _WORDS or words.startswith(_BEGINNINGS) or _DECLINES.fullmatch(words):
        return True
    parts = [part for part in _PARTS.split(words) if part]
    if len(parts) < 2:
        return False
    said = [part in _WORDS or part.startswith(_BEGINNINGS) for part in parts]
    return any(said) and all(one or part in _BESIDE for one, part in zip(said, parts, strict=True))


_NAMED = re.compile(
    r"\.[a-z]|\(code [^)]+\)|(9{1,4}[-./]){1,2}9{2,4}|(0{1,4}[-./]){1,2}0{1,4}|9{8}|0{8}"
)
"""Stata's codes, those that a joined question tells from an option of this name, and dates of nines
or noughts."""

_SINGLE = np.union1d(CODES, -np.arange(1.0, 10.0))
"""Codes that stand together below the answers: -1 for one reason, -2 for another."""

_Bounds = tuple[float, float, float]
_found: WeakKeyDictionary[TextColumn, tuple[tuple[object, ...], npt.NDArray[np.int64]]] = (
    WeakKeyDictionary()
)
"""What was found last in a column, after what was asked: a draft, its questions and every step of a
plan ask again."""

_FEW_NUMBERS = 12
_LEAST_TIMES = 3
_STEP_OF_SCALE = 2
_FAR = 0.5


def suspected_codes(
    column: TextColumn,
    decimal: str,
    known: Flags | None = None,
    bounds: _Bounds | None = None,
    *,
    is_declared: bool = False,
    labelled: Flags | None = None,
) -> npt.NDArray[np.int64]:
    """Returns the places of distinct answers that look like codes of no answer.

    A column in which very many answers differ is judged by `TextColumn.sample_of_rows`.

    A word of a list, or one of Stata's codes, does, and what a label says to be none. A number
    does if it has the shape of a code and stands apart: with all negative ones it is below a scale,
    or, among numbers that are not negative, lies above all others by more than half of
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
        labelled: Answers whose label says that they are none (`labelled_codes`), if there are some.
    """
    own, places = column.sample_of_rows(decimal)
    if own is not column:
        known = None if known is None else known[places]
        labelled = None if labelled is None else labelled[places]
        found = suspected_codes(
            own, decimal, known, bounds, is_declared=is_declared, labelled=labelled
        )
        return np.asarray(places)[found]
    open_ = (column.counts > 0) & ~column.blank
    if known is not None:
        open_ &= ~known
    named = np.zeros(open_.size, dtype=np.bool_) if labelled is None else labelled & open_
    asked = (decimal, *(np.packbits(one).tobytes() for one in (open_, named)), bounds, is_declared)
    last = _found.get(column)
    if last is None or last[0] != asked:
        found = _suspected(column, decimal, open_ & ~named, bounds, is_declared=is_declared)
        found = np.union1d(found, np.flatnonzero(named))
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
            found[at] = cell_means_no_answer(text) or bool(_NAMED.fullmatch(text))
    others = int(np.count_nonzero(~is_number & ~found))
    numbers = np.flatnonzero(is_number)
    counts = column.counts[places[numbers]]
    if (others >= 2 and others > numbers.size) or (is_declared and bounds is None):
        # Numbers among texts: codes if every one of them looks like it.
        looks = np.isin(values[numbers], CODES)
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
        looks = np.isin(sign * outside, CODES)
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
    looks = np.isin(numbers, CODES)
    if not looks.any() and not np.any(numbers < 0):
        return np.zeros(values.size, dtype=np.bool_)
    times = np.bincount(back, weights=counts, minlength=numbers.size).astype(np.float64)
    below = int(np.count_nonzero(numbers < 0))
    below = below if _is_below(numbers, times, below) else 0
    above = _above(numbers[below:], times[below:], looks[below:])
    chosen = np.zeros(numbers.size, dtype=np.bool_)
    chosen[:below] = True
    chosen[numbers.size - above :] = above > 0
    return np.asarray(chosen[back])


def _is_below(numbers: npt.NDArray[np.float64], times: npt.NDArray[np.float64], below: int) -> bool:
    """Returns whether the negative ones among sorted numbers are codes, all of them together."""
    codes, rest = numbers[:below], numbers[below:]
    if not below or rest.size < 2 or not np.isin(codes, _SINGLE).all():
        return False
    gaps = np.diff(numbers)
    if rest[-1] <= -codes[0] and (gaps.max() <= _STEP_OF_SCALE or np.isin(-codes, rest).all()):
        # A scale from -1 to 1, or from -2 to 2, has no codes.
        return False
    if np.isin(codes, CODES).all():
        return True
    is_scale = rest.size <= _FEW_NUMBERS and rest[0] <= 1 and gaps[below:].max() == 1
    is_apart = gaps[below - 1] > gaps[below:].max()
    # Winters are colder by degrees; codes are more frequent than the numbers beside them.
    usual = max(_LEAST_TIMES, times[below:].mean())
    is_often = times[:below].mean() >= usual and times[:below].max() >= times[below:][:3].max()
    return bool(is_scale or is_apart or is_often)


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


def labelled_codes(column: TextColumn, labels: Mapping[str, str], decimal: str) -> Flags:
    """Returns which distinct answers have a label that says that they are none.

    Returns:
        bool, shape (distinct_count,).
    """
    named = [value for value, label in labels.items() if means_no_answer(label, value)]
    if not named:
        return np.zeros(column.distinct_count, dtype=np.bool_)
    # A file may write 9.0 where its label is of 9.
    numbers = [number for value in named if (number := parse_number(value)) is not None]
    found = column.among(named)
    if numbers:
        found |= np.isin(column.numbers(decimal).values, numbers)
    return found
