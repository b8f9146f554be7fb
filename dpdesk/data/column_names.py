"""What the name of a column says of it: that it identifies a person, or holds weights or postcodes.

A name is public: what it says depends on no answer.
"""

from __future__ import annotations

import re
from itertools import pairwise

# Names of columns that identify a person.
_PERSONAL = frozenset(
    {"address", "caseid", "caseno", "email", "fax", "firstname", "forename", "fullname", "guid"}
    | {"hhid", "iban", "lastname", "login", "mail", "mobile", "participantid", "passport"}
    | {"personid", "phone", "quesid", "questid", "respid", "respno", "respondentid", "ssn"}
    | {"street", "subjectid", "surname", "telephone", "userid", "username", "uuid"}
)
# Names that are also given to categories.
_PERHAPS_PERSONAL = frozenset(
    {"id", "ident", "identifier", "ids", "ip", "key", "name", "names", "no", "nr", "number", "pid"}
)
# Names of the weights of large surveys (ESS, CPS, Census, Stata's own words).
_SURVEY_WEIGHT = frozenset(
    {"anweight", "aweight", "designweight", "dweight", "finalweight", "finalwgt", "finalwt"}
    | {"fnlwgt", "fnlwt", "fweight", "hhwt", "perwt", "pondwt", "postweight", "pspwght", "pspwgt"}
    | {"pweight", "sampleweight", "samplingweight", "surveyweight", "wgt", "wght"}
)
_PERHAPS_WEIGHT = frozenset({"weight", "weighting", "weights", "wt", "wts"})
POSTCODE_WORDS = frozenset(
    {"codepostal", "plz", "postal", "postalcode", "postcode", "postleitzahl", "zip", "zipcode"}
)
"""Words in the name of a column of postcodes, which are no amounts whatever their digits are."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def _words(name: str) -> frozenset[str]:
    """Single words of a name and each pair of neighbours joined: `resp_id` gives `respid` too."""
    words = [word.lower() for word in _WORDS.findall(name)]
    return frozenset(words) | {first + second for first, second in pairwise(words)}


def names_a_person(name: str) -> bool:
    """Whether the name says that the column identifies a respondent."""
    return bool(_words(name) & _PERSONAL)


def may_name_a_person(name: str) -> bool:
    """Whether the name can mean a respondent or a category."""
    return bool(_words(name) & _PERHAPS_PERSONAL)


def names_a_weight(name: str) -> bool:
    """Whether the name is one that surveys give to their weights."""
    return bool(_words(name) & _SURVEY_WEIGHT)


def may_name_a_weight(name: str) -> bool:
    """Whether the name can mean a survey weight or the weight of a body."""
    return bool(_words(name) & _PERHAPS_WEIGHT)


def names_a_postcode(name: str) -> bool:
    """Whether the name is one of postcodes."""
    return bool(_words(name) & POSTCODE_WORDS)
