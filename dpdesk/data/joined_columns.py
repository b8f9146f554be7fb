"""Columns of a file that are one question, with an indicator for each option; rows of one person.

`joined` puts one column of several answers in their place, so that all that follows knows a
question as one column: it is suggested, declared, checked, protected and charged as a whole. The
rows of each person are joined after the questions: a row that a person lacks ticks nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.encoding import UNREADABLE
from dpdesk.data.joined_question import JoinedColumns, JoinedRows, beginning_of, option_of
from dpdesk.data.reading import Reading
from dpdesk.data.suspected_codes import suspected_codes
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.data.texts import T
from dpdesk.domains import NOTHING, OPTIONS_MAX
from dpdesk.errors import InputError
from dpdesk.numbers import is_number
from dpdesk.numbers.arrays import pieces_of

TICKED = ("1", "yes", "true", "x", "checked", "ticked", "selected", "y", "ja", "oui", "sí", "sim")
UNTICKED = ("0", "no", "false", "unchecked", "not selected", "n", "nein", "non", "não", "")
"""Words by which indicators are recognised, in any case, when a question is suggested."""

_LEAST = 3
"""Fewer columns of indicators with one beginning of their names are not taken for a question.

Two are enough under the header of a program on the web, which names the columns of a question so.
"""

_ENDS = " _-.:/["
"""Signs between the name of a question and that of an option."""

_WRITTEN = re.compile(r"(_TEXT|\[[Oo]ther\]|[Cc]omment\])$")
"""Ends the name of a column of what people wrote beside an option: Qualtrics, LimeSurvey."""

_NONE_JOINED = (
    "none|noneofthese|noneoftheabove|nothing|neither|notany|keine|keines|keinedavon|nichts|"
    "nichtsdavon|aucun|aucune|aucundeces|rien|ninguno|ninguna|ningunodeestos|nada|nenhum|nenhuma|"
    "nessuno|nessuna|niente|geen|geenvandeze|żadne"
)
_NONE = frozenset(_NONE_JOINED.split("|"))
"""Names, without what is no letter, of a column that is ticked where no option applies."""


def joined(
    table: SurveyTable, questions: tuple[JoinedColumns, ...], rows: JoinedRows | None = None
) -> SurveyTable:
    """Returns a table with a column for each of some questions in the place of their indicators.

    What was joined before is taken apart first; without questions the table is as in the file.

    Raises:
        InputError: The file lacks a column of a question, or by which rows are joined, or another
            one has the question's name.
    """
    if (questions, rows) == (table.reading.questions, table.reading.joined_rows):
        return table
    base = table.in_file
    plain = table.reading.model_copy(update={"questions": (), "joined_rows": None})
    if plain != base.reading:
        base = replace(base, reading=plain)
    whole = _with_questions(base, questions) if questions else base
    if rows is not None:
        whole = _with_rows_joined(whole, rows)
    if whole is base:
        return base
    reading = plain.model_copy(update={"questions": questions, "joined_rows": rows})
    return replace(whole, reading=reading, source=base)


def _with_questions(base: SurveyTable, questions: tuple[JoinedColumns, ...]) -> SurveyTable:
    belongs = {name: question for question in questions for name in question.in_file}
    missing = next((name for name in belongs if name not in base.names), None)
    if missing is not None:
        question = belongs[missing].name
        message = T.NO_COLUMN_OF_QUESTION(file=base.name, name=missing, question=question)
        raise InputError(message, column=missing)
    columns: list[TextColumn] = []
    for column in base.columns:
        owner = belongs.get(column.name)
        if owner is None:
            columns.append(column)
        elif column.name == owner.columns[0]:
            columns.append(_joined(owner, [base.column(name) for name in owner.in_file]))
    names = [column.name for column in columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(T.QUESTION_NAME_TAKEN(file=base.name, name=twice), column=twice)
    return replace(base, columns=tuple(columns))


def suggest_joining(table: SurveyTable, joining: JoinedRows) -> JoinedRows:
    """Returns joined rows with the columns in which the answers of no person differ.

    This looks at the answers, of which an empty cell is none: it is for a person to confirm.

    Raises:
        InputError: The table lacks a column that is named.
    """
    apart = joined(table, table.reading.questions)
    row_of, _ = _rows_of(apart, joining)

    def is_same(column: TextColumn) -> bool:
        codes = column.codes[row_of]
        first = column.codes[_first_answered(column, row_of)][:, np.newaxis]
        return bool(np.all((row_of < 0) | column.blank[codes] | (codes == first)))

    same = tuple(c.name for c in apart.columns if c.name != joining.by and is_same(c))
    return joining.model_copy(update={"same": same})


def _with_rows_joined(table: SurveyTable, joining: JoinedRows) -> SurveyTable:
    """Returns a table with one row for each person, in the order of their first rows."""
    row_of, more = _rows_of(table, joining)
    made, columns, described = joining.columns_of(table.names), [], dict(table.described)
    for column in table.columns:
        names, rows = made[column.name], row_of.T
        if names == (column.name,):
            rows = _first_answered(column, row_of)[np.newaxis]
        columns += [_taken(column, own, name) for name, own in zip(names, rows, strict=True)]
        if column.name in described:
            described |= dict.fromkeys(names, described.pop(column.name))
    whole = replace(table, columns=tuple(columns), rows=len(row_of), described=described)
    said = T.MORE_ROWS(count=more, people=whole.rows, most=joining.most)
    return replace(whole, notices=(*table.notices, said)) if more else whole


def _rows_of(table: SurveyTable, joining: JoinedRows) -> tuple[npt.NDArray[np.int64], int]:
    """Returns the first rows of each person, -1 for none, and how many people have more.

    The rows have shape (people, most). Those that name no person are left out: they could be
    anybody's. About 24 bytes are held in memory for each row of the file.
    """
    for name in (joining.by, *joining.same):
        if name not in table.names:
            raise InputError(T.NO_COLUMN_OF_ROWS(file=table.name, name=name), column=name)
    persons = table.column(joining.by)
    nobody = persons.blank | persons.among(table.reading.missing) | persons.holding(UNREADABLE)
    order = np.argsort(persons.codes, kind="stable")
    order = order[~nobody[persons.codes[order]]]
    _, starts, counts = np.unique(persons.codes[order], return_index=True, return_counts=True)
    row_of = np.full((len(starts), joining.most), -1, dtype=np.int64)
    for place in range(joining.most):
        row_of[counts > place, place] = order[starts[counts > place] + place]
    return row_of[np.argsort(row_of[:, 0])], int(np.count_nonzero(counts > joining.most))


def _first_answered(column: TextColumn, row_of: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Returns the first row of each person in which a column has an answer."""
    is_answer = (row_of >= 0) & ~column.blank[column.codes[row_of]]
    rows: npt.NDArray[np.int64] = row_of[np.arange(len(row_of)), is_answer.argmax(axis=1)]
    return rows


def _taken(column: TextColumn, rows: npt.NDArray[np.int64], name: str) -> TextColumn:
    """Returns the answers of some rows; an empty cell for none."""
    codes = (pa.array(column.codes[rows[s]], mask=rows[s] < 0) for s in pieces_of(len(rows)))
    pieces = [column.dictionary.take(own).fill_null("").dictionary_encode() for own in codes]
    kind = pa.dictionary(pa.int32(), column.dictionary.type)
    return TextColumn.from_chunks(name, pa.chunked_array(pieces, type=kind))


def _joined(question: JoinedColumns, columns: Sequence[TextColumn]) -> TextColumn:
    """Makes the column of a question.

    A cell holds the options that are ticked, or `NOTHING`; a cell of the file that is neither
    ticked nor unticked is left unreadable, and so are options beside the tick that none applies.
    Where all of them hold the same such text, as for a respondent who skipped the question, it is
    the cell (`JoinedColumns.cell_of_code`). Where a respondent has to tick something, the cell of
    one who did not is empty.
    """
    rows = columns[0].rows
    ticked = np.zeros(rows, dtype=np.int64)
    some_other = np.zeros(rows, dtype=np.bool_)
    skipped: npt.NDArray[np.int64] | None = None
    place: dict[str, int] = {}
    for option, column in enumerate(columns):
        is_ticked = column.among(question.ticked)
        is_other = ~(is_ticked | column.among(question.unticked))
        # 0 for an answer, else a number of the text, the same in all columns.
        text = np.array(
            [
                place.setdefault(distinct.strip(), len(place) + 1) if other else 0
                for distinct, other in zip(column.distinct, is_other.tolist(), strict=True)
            ],
            dtype=np.int64,
        )[column.codes]
        ticked |= is_ticked[column.codes].astype(np.int64) << option
        some_other |= text > 0
        skipped = text if skipped is None else np.where(skipped == text, text, 0)
    assert skipped is not None  # noqa: S101 - a question has columns
    # Sets are numbered from 0, unreadable ones from 2^k on, and skipped questions below 0.
    if question.none_column:
        says_none = ticked >> len(question.columns) & 1
        options = ticked & (1 << len(question.columns)) - 1
        some_other |= (says_none > 0) & (options > 0)
        ticked = np.where(options > 0, options, ticked)
    keys = ticked + (some_other.astype(np.int64) << len(columns))
    keys = np.where(skipped > 0, -skipped, keys)
    found, codes = np.unique(keys, return_inverse=True)
    text_of = {number: text for text, number in place.items()}
    texts = [_cell(question, int(key), text_of) for key in found]
    return TextColumn(
        question.name, codes.astype(np.int32), pa.array(texts, type=pa.string())
    ).mapped(str)


def _cell(question: JoinedColumns, key: int, text_of: dict[int, str]) -> str:
    if key < 0:
        return question.cell_of_code(text_of[-key])
    parts = [option for bit, option in enumerate(question.options) if key >> bit & 1]
    if key >> len(question.in_file):
        parts.append(UNREADABLE)
    if key == 0 and question.needs_tick:
        return ""
    return question.separator.join(parts) or NOTHING


def questions_in(table: SurveyTable) -> tuple[JoinedColumns, ...]:
    """Suggests which neighbouring columns are the options of one question.

    Their names begin alike and end differently, and every cell is ticked, unticked, empty, or a
    code of no answer that most respondents who have one have in all of these columns; or each
    column holds one text of its own, its option, or nothing. This looks at the answers: it is for a
    person to confirm. Where rows are joined, the columns are those before.
    """
    table = table if table.reading.joined_rows is None else table.in_file
    found: list[JoinedColumns] = []
    least = 2 if table.reading.platform else _LEAST
    for beginning, places in _alike(table.names, least):
        columns = [table.columns[place] for place in places]
        columns = [column for column in columns if not _WRITTEN.search(column.name)]
        if least <= len(columns) <= OPTIONS_MAX:
            taken = set(table.names)
            named = _named(beginning, columns, taken)
            found += [named] if named else _question(beginning, columns, taken, table.reading)
    return tuple(found)


def _named(beginning: str, columns: Sequence[TextColumn], taken: set[str]) -> JoinedColumns | None:
    """Returns a question whose ticks are the names of its options; None for other columns."""
    texts = [[text for text in _occurring(column) if text.strip()] for column in columns]
    names = tuple(column.name for column in columns)
    name = beginning.rstrip(_ENDS) or beginning
    ticked = tuple(own[0] for own in texts if len(own) == 1)
    is_blank_somewhere = any(len(_occurring(column)) > 1 for column in columns)
    options = tuple(dict.fromkeys(text.strip() for text in ticked))
    if len(options) < len(columns) or not is_blank_somewhere or name in taken - set(names):
        return None
    if any(is_number(text) for text in options):
        return None
    blanks = tuple({text for column in columns for text in _occurring(column) if not text.strip()})
    separator = ";" if not any(";" in option for option in options) else "|"
    return JoinedColumns.suggested(
        name=name,
        columns=names,
        options=options,
        ticked=ticked,
        unticked=tuple(sorted(blanks)),
        separator=separator,
    )


def _alike(names: Sequence[str], least: int = _LEAST) -> Iterator[tuple[str, range]]:
    """Yields beginnings of names and the neighbours that have them.

    `dis_heart_disease` is one of `dis_asthma` and `dis_cancer`, unless enough others begin with
    `dis_heart_`.
    """
    own = [beginning_of(name) for name in names]
    times = Counter(own)

    def belongs(place: int, beginning: str) -> bool:
        if own[place] == beginning:
            return True
        is_sign = not beginning[-1].isalnum()
        return is_sign and names[place].startswith(beginning) and times[own[place]] < least

    place = taken = 0
    while place < len(names):
        beginning, first = own[place], place
        place += 1
        if not beginning or times[beginning] < max(2, least - 1):
            continue
        while first > taken and belongs(first - 1, beginning):
            first -= 1
        while place < len(names) and belongs(place, beginning):
            place += 1
        yield beginning, range(first, place)
        if place - first >= least:
            # A column is an option of one question.
            taken = place


def _question(
    beginning: str, columns: Sequence[TextColumn], taken: set[str], reading: Reading
) -> Iterator[JoinedColumns]:
    words = {text for column in columns for text in _occurring(column)}
    ticked = tuple(sorted(word for word in words if word.strip().lower() in TICKED))
    rest = words - set(ticked)
    unticked = tuple(sorted(word for word in rest if word and word.strip().lower() in UNTICKED))
    others = rest - set(unticked) - {""}
    if others and not unticked and "" not in words:
        # Nobody left an option unticked: the code may mean just that.
        return
    if not ticked or (others and not _are_codes(others, columns, (*ticked, *unticked), reading)):
        return
    names = tuple(column.name for column in columns)
    name = beginning.rstrip(_ENDS) or beginning
    options = tuple(option_of(column.name, beginning) for column in columns)
    if name in taken - set(names) or len(set(options)) < len(options):
        return
    none = [column for column, option in zip(names, options, strict=True) if _is_none(option)]
    is_none = len(none) == 1
    chosen = [place for place, column in enumerate(names) if not is_none or column != none[0]]
    # Blank cells are unticked ones only where nothing else is.
    made = JoinedColumns.suggested(
        name=name,
        columns=tuple(names[place] for place in chosen),
        options=tuple(options[place] for place in chosen),
        ticked=ticked,
        unticked=unticked or ("",),
        none_column=none[0] if is_none else "",
    )
    yield from () if made is None else (made,)


def _are_codes(
    others: set[str], columns: Sequence[TextColumn], marks: tuple[str, ...], reading: Reading
) -> bool:
    """Tells whether cells beside ticks are codes of no answer to one question.

    They look like codes, or the file is read with them, and more than half of the respondents who
    have one in some column have it in all: who did not answer a question answered no option.
    """
    number_of = {text: number for number, text in enumerate(sorted(others), start=1)}
    in_some = np.zeros(columns[0].rows, dtype=np.bool_)
    # Numbers the code that a respondent has in all columns; 0 for none.
    in_all = np.zeros(columns[0].rows, dtype=np.int64)
    for column in columns:
        decided = column.among((*marks, *reading.missing))
        looks = suspected_codes(column, reading.decimal, decided, is_declared=True)
        codes = {column.distinct[place] for place in looks} | set(reading.missing)
        if not others.intersection(_occurring(column)) <= codes:
            return False
        numbers = np.array([number_of.get(text, 0) for text in column.distinct])[column.codes]
        in_some |= numbers > 0
        in_all = numbers if column is columns[0] else np.where(in_all == numbers, numbers, 0)
    return bool(2 * np.count_nonzero(in_all) > np.count_nonzero(in_some))


def _is_none(option: str) -> bool:
    return "".join(filter(str.isalpha, option.casefold())) in _NONE


def _occurring(column: TextColumn) -> list[str]:
    if column.distinct_count > len(TICKED) + len(UNTICKED):
        return ["…"]
    return [column.distinct[code] for code in np.flatnonzero(column.counts > 0)]
