"""How SPSS and PSPP read `records.csv`, and what they would not find in it.

They read a line at a time, with texts of a fixed length, and compare them with texts between
quotation marks in one line of syntax.
"""

from __future__ import annotations

from dpdesk.data.write_csv import neutralise
from dpdesk.errors import without_unprintable
from dpdesk.report.analysis import MOST_SCORES, Facts, Question

LABEL_BYTES = 120
"""The longest label."""
_CELL_BYTES = 255
"""The longest text of a cell that is read."""


def quoted(text: str, most: int = 0) -> str:
    """Returns a text in quotation marks, in one line, of at most so many bytes of UTF-8."""
    line = without_unprintable(text)
    if most:
        line = line.encode()[:most].decode(errors="ignore")
    return "'" + line.replace("'", "''") + "'"


def reading_commands(facts: Facts) -> tuple[dict[str, str], list[str]]:
    """Returns the SPSS variable of each head in the file, and the commands that read the records.

    Numbers that decide what is looked up are texts, all others numbers.
    """
    names: dict[str, str] = {}
    kinds = {facts.sampled: "A255"} if facts.sampled else {}
    labels = {}
    for question in facts.questions:
        columns = texts_of(question, "columns")
        for column in columns:
            kinds[column] = _FORMATS[str(question.values["rule"])]
            labels[column] = question.name if len(columns) == 1 else column
    variables = []
    # The head is skipped by lines of the file, of which a name with a line break has several.
    first = 2 + sum(column.count("\n") for column, _ in facts.released)
    for place, (column, _) in enumerate(facts.released, 1):
        names[column] = f"v{place}"
        variables.append(f" v{place} {kinds.get(column, 'A40')}")
    commands = [
        "SET DECIMAL=DOT",
        "SET FORMAT=F18.9",
        "GET DATA /TYPE=TXT /FILE='records.csv' /ENCODING='UTF8' /ARRANGEMENT=DELIMITED\n"
        f' /DELCASE=LINE /FIRSTCASE={first} /DELIMITERS="," /QUALIFIER=\'"\' /VARIABLES=\n'
        + "\n".join(variables),
    ]
    for column, variable in names.items():
        name = quoted(labels.get(column, column), LABEL_BYTES)
        commands.append(f"VARIABLE LABELS {variable} {name}")
    for question in facts.questions:
        if question.values["rule"] == "category" or question.values["rule"] == "kept":
            pairs = zip(texts_of(question, "texts"), texts_of(question, "labels"), strict=True)
            listed = [
                f" {quoted(text)} {quoted(label, LABEL_BYTES)}" for text, label in pairs if text
            ]
            if listed and len(listed) <= MOST_SCORES:
                variable = names[texts_of(question, "columns")[0]]
                commands.append("\n".join([f"VALUE LABELS {variable}", *listed]))
    return names, commands


_FORMATS = {
    "category": "A255",
    "matrix": "A255",
    "columns": "F1.0",
    "index": "F12.0",
    "hash": "F12.0",
    "filters": "F12.0",
    "number": "A40",
    "kept": "A255",
    "kept number": "A40",
}
"""How the columns of each rule are read."""


def has_broken_lines(facts: Facts) -> bool:
    """Returns whether some record may go over several lines."""
    kept = [question.kept for question in facts.questions if question.kept is not None]
    if any(one.has_breaks for one in kept):
        return True
    cells = [text for question in facts.questions for text in _compared(question)]
    if facts.sampled:
        cells += [facts.cell_of(question.name) for question in facts.questions]
    return any("\n" in cell or "\r" in cell for cell in cells)


def _compared(question: Question) -> tuple[str, ...]:
    """The texts that cells of a question are compared with."""
    keys = _TEXTS_OF.get(str(question.values["rule"]), ())
    found = tuple(text for key in keys for text in texts_of(question, key))
    return (*found, *kept_categories(question)[0]) if question.kept is not None else found


def kept_categories(question: Question) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns cells and labels of the answers to a question that was released as it is.

    Those of its domain come first, then others that the records hold; there are none where the
    records hold too many.
    """
    others = () if question.kept is None else question.kept.others
    if others is None:
        return (), ()
    cells, labels = texts_of(question, "texts"), texts_of(question, "labels")
    return (*cells, *map(neutralise, others)), (*labels, *others)


_TEXTS_OF = {
    "category": ("texts",),
    "matrix": ("reports",),
    "kept": ("texts", "missing"),
    "kept number": ("missing",),
}


def unmatched(question: Question) -> str:
    """Returns why SPSS would not find some answer of a question; empty where it does."""
    for text in _compared(question):
        if not text.isprintable():
            return "has an answer with a sign that cannot be written in this syntax"
        if len(text.encode()) > _CELL_BYTES:
            return f"has an answer of more than {_CELL_BYTES} bytes, too long for this syntax"
    return ""


def texts_of(question: Question, key: str) -> tuple[str, ...]:
    """Returns texts that the scripts are told of a question."""
    return tuple(str(one) for one in question.values[key])
