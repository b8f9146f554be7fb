"""Names of columns that say whose row it is, so that a value that repeats is a person again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

_SURELY = frozenset(
    {"respid", "respno", "username", "indid", "idind", "pidp", "mergeid", "idauniq", "persnr"}
    | {"ssn", "recordid", "caseid", "caseno", "identifiant", "nomemencr", "dni", "nif", "cpf"}
    | {"matricule", "matricula", "matrikel", "personalnummer", "pseudonym", "pseudonyme"}
)
_PEOPLE = (
    "participante?|respondente?|panel(?:ist|lid)|teilnehmer|befragte[rn]?|encuestad[oa]|"
    "inquirid[oa]|email|login|telefone?|phone|mobile|patient|paciente|users?|usuario|subject|"
    "person|persona|pessoa|individual|individuo?|member|mitglied|student|etudiant|estudante|"
    "estudiante|schuler|eleve|alun[oa]|alumn[oa]|employee|mitarbeiter|salarie|customer|client|"
    "cliente|kunde|versicherte[rn]?|proband"
)
"""Nouns of people, without accents."""
_NUMBERS = "id|ids|ident|identifier|no|nr|num|number|nummer|numero|code|codigo|key|kennung"
_NOUN = re.compile(rf"(?P<before>{_NUMBERS})?(?:{_PEOPLE})(?(before)|(?:e?ns?|s)?)")
_NUMBERED = re.compile(rf"(?:{_PEOPLE})(?:e?ns?|s)?(?:{_NUMBERS})")
_PERHAPS = frozenset({"id", "ident", "identifier", "ids", "pid", "hhid", "hid", "uuid"})
_GROUPS = frozenset(
    {"area", "batch", "block", "branch", "center", "centre", "city", "class", "classroom", "clinic"}
    | {"cluster", "community", "company", "country", "county", "course", "department", "device"}
    | {"district", "event", "family", "firm", "form", "group", "hospital", "item", "interviewer"}
    | {"level", "location", "municipality", "order", "organization", "parish", "plot", "product"}
    | {"project", "province", "psu", "question", "region", "room", "sample", "school", "sector"}
    | {"session", "shop", "site", "state", "station", "store", "stratum", "survey", "team", "unit"}
    | {"teacher", "trial", "village", "visit", "ward", "wave", "zone"}
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def name_words(name: str) -> list[str]:
    """Returns the single words of a name in small letters, without accents."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return [word.lower() for word in _WORDS.findall(plain)]


def joined_pairs(words: Sequence[str]) -> Iterator[str]:
    """Yields each pair of neighbours as one word: `resp_id` gives `respid` too."""
    return (first + second for first, second in pairwise(words))


Certainty = Literal["", "perhaps", "people", "surely"]
"""What a name says: nothing, people or groups, people or a question on them, or people."""


def identifies_people(name: str) -> Certainty:
    """Tells whether a name says that the values of a column are people.

    Args:
        name: Name of the column, such as `participant_id`; `id` may mean groups as well, and
            `school_id` does.
    """
    words = name_words(name)
    whole = "".join(words)
    own = {*words, *joined_pairs(words), whole}
    noun = _NOUN.fullmatch(whole)
    numbered = (_NUMBERED.fullmatch(one) for one in own)
    if own & _SURELY or any(numbered) or (noun is not None and noun["before"]):
        return "surely"
    if noun is not None:
        return "people"
    return "perhaps" if own & _PERHAPS and not own & _GROUPS else ""
