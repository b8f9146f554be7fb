"""What the name of a column says of it: a person, a weight, the sampling design, a device.

A name is public: what it says depends on no answer. Names are English, French, German, Portuguese
or Spanish.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from dpdesk.data.texts import T

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


# Names of columns that identify a person.
_PERSONAL = frozenset(
    {"address", "caseid", "caseno", "email", "fax", "firstname", "forename", "fullname", "guid"}
    | {"hhid", "iban", "lastname", "login", "mail", "mobile", "participantid", "passport"}
    | {"personid", "phone", "quesid", "questid", "respid", "respno", "respondentid", "ssn"}
    | {"rowname", "rownames", "street", "subjectid", "surname", "telephone", "userid"}
    | {"username", "uuid"}
)
# Names that are also given to categories.
_PERHAPS_PERSONAL = frozenset(
    {"id", "ident", "identifier", "ids", "ip", "key", "name", "names", "no", "nr", "number", "pid"}
)
# Names of the weights of large surveys (ESS, CPS, Census, Stata's own words).
_SURVEY_WEIGHT = frozenset(
    {"anweight", "aweight", "designweight", "dweight", "finalweight", "finalwgt", "finalwt"}
    | {"fnlwgt", "fnlwt", "fweight", "hhwt", "perwt", "pondwt", "postweight", "pspwght", "pspwgt"}
    | {"pweight", "sampleweight", "samplingweight", "surveyweight", "wgt", "wght", "wgtp", "pwgtp"}
    | {"baseweight", "calweight", "hhweight", "indweight", "personweight", "popweight", "repwgt"}
    | {"brr", "brrw", "bsrw", "bsw", "jkw", "replicateweight", "wtrep"}
    | {"repwt", "weightfinal", "wtint", "wtmec", "wtss", "wtssall", "llcpwt", "expansionfactor"}
    | {"coefponderation", "poidsfinal", "poidssondage", "ponderation", "deponderation"}
    | {"designgewicht", "gewichtung", "gewichtungsfaktor", "hochrechnungsfaktor"}
    | {"deexpansao", "fatorexpansao", "pesoamostral", "pesofinal", "ponderacao"}
    | {"deexpansion", "factorexpansion", "fexp", "pesomuestral", "ponderacion", "ponderador"}
)
_PERHAPS_WEIGHT = frozenset(
    {"weight", "weighting", "weights", "wt", "wts", "gewicht", "peso", "pesos", "poids"}
)
# Strata and units of a sample: analyses need them as they are, or not at all.
_DESIGN = frozenset(
    {"cluster", "clusterno", "enumerationarea", "primarysampling", "psu", "samplepoint"}
    | {"samplingpoint", "samplingstratum", "samplingunit", "sdmvpsu", "sdmvstra", "secu", "sestrat"}
    | {"ssu", "ststr", "strat", "strata", "stratum", "varstrat", "varunit", "vpsu"}
    | {"vstrat", "grappe", "grappes", "strate", "strates", "uniteprimaire", "klumpen"}
    | {"primareinheit", "schicht", "schichtung", "conglomerado", "conglomerados", "estrato"}
    | {"estratos", "unidadeprimaria", "unidadprimaria", "upa", "upm"}
)
# Where, with what and by whom an answer was taken down.
_RECORD = frozenset(
    {"appversion", "deviceid", "deviceinfo", "devicename", "enumeratorid", "enumeratorname"}
    | {"formdefversion", "formversion", "imei", "instanceid", "interviewerid", "interviewername"}
    | {"ipaddress", "ipaddr", "macaddress", "simserial", "submissionid", "submittedby"}
    | {"submitterid", "submittername", "subscriberid", "useragent", "coordinates", "geolocation"}
    | {"geopoint", "gps", "latitude", "longitude", "coordonnees", "koordinaten", "coordenadas"}
    | {"latitud", "longitud"}
)
_QUESTION = 5
"""So many words are a question, such as whether somebody uses GPS."""
POSTCODE_WORDS = frozenset(
    {"codepostal", "plz", "postal", "postalcode", "postcode", "postleitzahl", "zip", "zipcode"}
)
"""Words in the name of a column of postcodes, which are no amounts whatever their digits are."""


def _words(name: str) -> frozenset[str]:
    """Single words of a name and each pair of neighbours joined."""
    words = name_words(name)
    return frozenset(words) | frozenset(joined_pairs(words))


def names_a_person(name: str) -> bool:
    """Whether the name says that the column identifies a respondent."""
    return bool(_words(name) & _PERSONAL) or identifies_people(name) == "surely"


def may_name_a_person(name: str) -> bool:
    """Whether the name can mean a respondent or a category."""
    return bool(_words(name) & _PERHAPS_PERSONAL)


def names_a_weight(name: str) -> bool:
    """Whether the name is one that surveys give to their weights."""
    return bool(_words(name) & _SURVEY_WEIGHT)


def may_name_a_weight(name: str) -> bool:
    """Whether the name can mean a survey weight or the weight of a body."""
    return bool(_words(name) & _PERHAPS_WEIGHT)


def says_no_answer(name: str) -> str:
    """Returns why the name says that a column holds no answers, as a sentence; "" if it does not.

    These columns are not randomized: they are needed as they are, or left out.
    """
    words = _words(name)
    if len(name_words(name)) >= _QUESTION:
        return ""
    # Also psuid and stratid.
    if (words | {word.removesuffix("id") for word in words}) & _DESIGN:
        return T.DESIGN_COLUMN()
    if words & _RECORD:
        return T.RECORD_COLUMN()
    return ""


def names_a_postcode(name: str) -> bool:
    """Whether the name is one of postcodes."""
    return bool(_words(name) & POSTCODE_WORDS)
