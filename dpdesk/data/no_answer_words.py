"""Words that say that there is no answer: cells, and labels of values, in several languages.

They are compared without accents, capitals, brackets and the code that a label repeats, such as
"[-1] no answer". Several with a mark or a word between them, "refused or don't know", are words,
too, as long as one of them says it and the others stand beside such words in surveys.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np

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
