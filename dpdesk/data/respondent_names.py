"""Names of columns that say whose row it is, so that a value that repeats is a person again."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

_SURELY = frozenset(
    {"participantid", "personid", "respid", "respno", "respondentid", "subjectid", "userid"}
    | {"username", "patientid", "panelistid", "memberid", "studentid", "employeeid", "individualid"}
    | {"indid", "idind", "pidp", "mergeid", "idauniq", "persnr", "ssn", "recordid", "caseid"}
    | {"caseno", "idpersona", "idpessoa", "idindividu", "idindividuo", "idparticipant", "idsubject"}
    | {"identifiant", "nomemencr", "personennummer", "teilnehmernr", "participantnumber"}
    | {"subjectno", "subjectnr", "personnr", "personno", "respondentno", "iduser", "idperson"}
)
_PEOPLE = frozenset(
    {"participant", "respondent", "panelist", "teilnehmer", "befragter", "encuestado", "inquirido"}
    | {"email", "login", "patient", "user", "subject"}
)
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


Certainty = Literal["", "perhaps", "people", "surely"]
"""What a name says: nothing, people or groups, people or a question on them, or people."""


def identifies_people(name: str) -> Certainty:
    """Tells whether a name says that the values of a column are people.

    Args:
        name: Name of the column, such as `participant_id`; `id` may mean groups as well, and
            `school_id` does.
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    own = {*words, *(first + second for first, second in pairwise(words)), "".join(words)}
    if own & _SURELY:
        return "surely"
    if len(words) == 1 and own & _PEOPLE:
        return "people"
    return "perhaps" if own & _PERHAPS and not own & _GROUPS else ""
