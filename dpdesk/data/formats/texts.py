"""The sentences of the formats of files, read and written."""

from dpdesk.i18n import Text

_ANSWERS = "Open the file with the answers."
_UNPACK = "Unpack it, and open the file with the answers."
_RECORDS = (
    'Write a list of objects, one for each respondent; in pandas: to_json(path, orient="records").'
)
_CHANGE_TEXT = "Change it in the data, drop the column, or leave out this format."


class T:
    """Sentences of the formats."""

    # Any file
    DAMAGED = Text(
        "{file} is damaged or incomplete.",
        remedy="Copy or download it again, or save it again in the program that wrote it.",
    )
    LOCKED = Text(
        "{file} needs a password.", remedy="Save it without a password, and open that file."
    )
    EMPTY = Text("{file} is empty.", remedy=_ANSWERS)
    NO_ANSWERS = Text("{file} has names of columns but no answers.", remedy=_ANSWERS)
    NO_COLUMNS = Text("{file} has no columns.", remedy=_ANSWERS)
    MANY_COLUMNS = Text(
        "{file} has {columns} columns. At most {most} are read.",
        remedy="Check that each row is a respondent.",
    )
    LONG_CELL = Text(
        "A cell in column {column} of {file} is longer than {most} characters.",
        remedy="Shorten its texts, or leave the column out of the file.",
    )
    MANY_CELLS = Text(
        "{file} has {rows} rows of {columns} columns, more than can be read.",
        remedy="Split the file.",
    )

    # Archives
    UNPACKS_TO_MORE = Text(
        "{file} would unpack to more than {size} MB.",
        remedy="If this is a table, save it as CSV, and open that file.",
    )
    NO_TABLE = Text("{file} has no table.", remedy=_UNPACK)
    SEVERAL_TABLES = Text("{file} has {number} tables: {tables}.", remedy=_UNPACK)
    ARCHIVE_IN_ARCHIVE = Text("{file} is an archive within an archive.", remedy=_UNPACK)

    # Parquet and Feather
    NO_PLAIN_CELLS = Text(
        "Column {column} of {file} has several values or bytes in a cell.",
        remedy="Leave this column out of the file, or write a column for each value.",
    )

    # Fixed width
    NO_LAYOUT = Text(
        "{file} has no layout.",
        remedy="Choose a layout: a table with name, start and width of each column.",
        command="--layout FILE",
    )
    BLANK_LINES = Text("{count} blank line was skipped.", "{count} blank lines were skipped.")
    SHORT_LINES = Text(
        "{count} line is shorter than the layout. Missing cells are empty.",
        "{count} lines are shorter than the layout. Missing cells are empty.",
    )
    LONG_LINES = Text(
        "{count} line is longer than the layout. Text behind the last column is not read.",
        "{count} lines are longer than the layout. Text behind the last column is not read.",
    )

    # JSON
    NOT_UNICODE = Text("{file} is not text in UTF-8.", remedy="Save it as UTF-8.")
    NOT_JSON = Text(
        "Record {record} of {file} is not valid JSON.",
        remedy="Look there for NaN, repeated keys, broken characters or an unclosed bracket.",
    )
    NO_OBJECT = Text("Record {record} of {file} is not an object.", remedy=_RECORDS)
    NESTED = Text(
        "Record {record} of {file} has values within a value.",
        remedy="Write them as keys of the record.",
    )
    NO_OPTIONS = Text(
        "Record {record} of {file} has a list with an empty item, or with “;” in an item.",
        remedy="Write each item as a key of the record.",
    )
    NOT_RECORDS = Text("{file} is one object, not a list of records.", remedy=_RECORDS)
    VALUES_BESIDE_LIST = Text(
        "{file} has other values beside its list “{name}”.",
        remedy="Write that list alone, with one respondent in each object.",
    )
    BAD_NAMES = Text(
        "{file} names a column twice, or by a value that is not text.",
        remedy="Give each column a name of its own.",
    )
    WRONG_ROW = Text(
        "Row {row} of {file} does not have {columns} values, as there are columns.",
        remedy=_RECORDS,
    )
    ROWS_READ = Text("Names and rows of the file were put together. Row labels were left out.")
    LIST_READ = Text("The records are the list “{name}” of the file.")

    # Spreadsheets
    NO_SHEETS = Text("{file} has no sheet.", remedy=_ANSWERS)
    NO_SHEET = Text("{file} has no sheet “{sheet}”.", remedy="Choose one of {sheets}.")
    SCATTERED = Text(
        "Sheet “{sheet}” of {file} spans {rows} rows and {columns} columns, nearly all empty.",
        remedy="Delete cells far from the table, and save the file again.",
    )
    UNCALCULATED = Text(
        "Sheet “{sheet}” of {file} has a formula without a result in cell {cell}.",
        "Sheet “{sheet}” of {file} has {count} formulas without a result, first in cell {cell}.",
        remedy="Open the file in a spreadsheet program, and save it again.",
    )
    MERGED_CELLS = Text(
        "Sheet “{sheet}” of {file} has merged cells among the answers: {cells}.",
        remedy="Unmerge them, and save the file again.",
    )
    SHEET_READ = Text("Sheet “{sheet}” was read. The file also has {others}.")
    DESCRIBED_SHEET_READ = Text(
        "Sheet “{table}” was read; “{first}” seems to describe it. "
        "If “{first}” has the answers, choose it.",
        command="--sheet",
    )
    ERRORS_EMPTIED = Text(
        "{count} cell with an error, for example #N/A, was read as empty.",
        "{count} cells with an error, for example #N/A, were read as empty.",
    )
    TIMES_AMONG_DATES = Text(
        "{count} column has times among dates. "
        "Save the file as .xlsx to keep codes below 1, for example -9.",
        "{count} columns have times among dates. "
        "Save the file as .xlsx to keep codes below 1, for example -9.",
    )

    # Statistics programs
    WRONG_ENCODING = Text(
        "{file} is not in the encoding that it states.",
        remedy="Choose the encoding that it was saved in.",
        command="--encoding cp1252",
    )
    OTHER_VERSION = Text(
        "{file} is of a version of {program} that is not read.",
        remedy="Open it in {program}, and save it again.",
    )
    SETS_NOT_JOINED = Text("Columns of {questions} were not joined to one variable.")
    CODES_NOT_READ = Text(
        "Codes of no answer in a portable file are not read. Declare them, or save it as .sav."
    )
    SEVERAL_DATA_SETS = Text(
        "{file} has {number} data sets.",
        remedy="In SAS, copy the one with the answers to a file of its own (proc copy, select).",
    )

    # Written records
    LONG_TEXT = Text(
        "“{column}” has an answer of more than {most} bytes, too long for {file}.",
        remedy=_CHANGE_TEXT,
    )
    LONG_EXCEL_TEXT = Text(
        "“{column}” has an answer of more than {most} characters, too long for {file}.",
        remedy=_CHANGE_TEXT,
    )
    ZERO_BYTE = Text(
        "“{column}” has an answer with a zero byte, which {file} cannot hold.",
        remedy=_CHANGE_TEXT,
    )
    BLANKS_AT_END = Text(
        "Two answers of “{column}” differ only in blanks at their end, which {file} ignores.",
        remedy=_CHANGE_TEXT,
    )
    COLUMNS_DO_NOT_FIT = Text(
        "{file} has room for {most} columns, not for {columns}.",
        remedy="Choose mechanisms that release one column each, "
        "drop columns, or leave out this format.",
    )
    RECORDS_DO_NOT_FIT = Text(
        "{file} has room for {most} records, not for {records}.",
        remedy="Release fewer records, or leave out this format.",
    )
    LABELS_DO_NOT_FIT = Text(
        "{file} has room for {most} labels, and there are more.",
        remedy="Drop the columns with most labels, or leave out this format.",
    )
