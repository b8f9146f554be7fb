"""The sentences of files and tables, and those of columns."""

from dpdesk.data.column_texts import ColumnTexts
from dpdesk.i18n import Text

_READABLE = "Choose a file of answers that you may read."
_EXPORT = "Open it in the program that wrote it, and export it as CSV."
_ANOTHER_NAME = "Choose another name."
_AS_RELEASED = "Open the records as the release wrote them."
_ENCODING = "Choose the encoding of the file, or save it again as UTF-8."
_MARKS = (
    "Put an answer with a delimiter, quotation mark or line break in {mark}…{mark}. "
    "Double each mark in it."
)
_RAGGED = "Look there for a missing delimiter or quotation mark. If the line is a note, delete it."
_CODEBOOK = "Correct the file, or load the table without a codebook."
_LAYOUT = "Give each column a row with its name, start and width, or name, start and end."


class T(ColumnTexts):
    """Sentences of files and tables, and those of columns."""

    # Tables of other libraries
    ROWS_SHOWN = Text("{count} row", "{count} rows")
    NO_PANDAS = Text("pandas is not installed.", remedy="Install it, or use to_arrow().")
    NO_MATPLOTLIB = Text("matplotlib is not installed.", remedy="Install it to draw plots.")
    NO_PLOT = Text("This result has no intervals to draw.")
    NO_ARROW_TABLE = Text(
        "The data frame has a column that a file cannot hold.",
        remedy="Turn columns of objects into texts or numbers.",
    )

    # Why a file cannot be read or written
    UNREADABLE = Text("{file} cannot be read: {reason}.", remedy=_READABLE)
    UNREADABLE_ADDRESS = Text(
        "{file} cannot be read: {reason}.",
        remedy="Check the address. That of a folder ends with a slash.",
    )
    NO_SUCH_FILE = Text("there is no such file")
    IS_FOLDER = Text("it is a folder")
    NOT_REGULAR = Text("it is not a regular file")
    BAD_PATH = Text("the path is not valid")
    SYSTEM_REFUSED = Text("the system refused")
    LARGER = Text("it is larger than {size} GB")
    LARGER_MB = Text("it is larger than {size} MB")
    CHANGED = Text("it changed while it was read")
    DAMAGED = Text("it is damaged, or a part of it is missing")
    NOT_UTF8 = Text("it is not text in UTF-8")
    NO_MEMORY = Text(
        "{file} does not fit into the memory of this computer.",
        remedy="Close other programs, or split the file.",
    )
    DAMAGED_OR_LARGE = Text(
        "{file} cannot be read: it is damaged, or takes over {size} MB of memory.",
        remedy="Open it in the program that wrote it, and save the table alone.",
    )
    MANY_OPEN_FILES = Text(
        "{file} has too many long columns: no more files can be opened in {folder}.",
        remedy="Allow this program more open files (ulimit -n), or leave columns out.",
    )
    SPOOL_REFUSED = Text(
        "{file} is larger than the memory for it, and {folder} cannot take it: {reason}.",
        remedy="Free space there, or name another folder in the variable {variable}.",
    )
    MANY_ANSWERS = Text(
        "A column of {file} has more different answers than can be counted.",
        remedy="Split the file, or leave the column out.",
    )
    NOT_WRITTEN = Text(
        "{file} cannot be written: {reason}.", remedy="Free space, or choose another folder."
    )
    NO_FOLDER = Text("there is no folder {folder}")
    ZERO_BYTE = Text("The path holds a zero byte.", remedy=_ANOTHER_NAME)
    IS_INPUT = Text(
        "{file} is read by this command and would be destroyed.",
        remedy="Choose another name for the result.",
    )
    FOLDER_NAMED = Text("{folder} is a folder.", remedy="Add the name of a file.")
    DEVICE_NAMED = Text("{name} is a device or a pipe.", remedy=_ANOTHER_NAME)
    EXISTS = Text(
        "{file} already exists.",
        remedy="Choose another name, or allow dpdesk to replace it.",
        command="--overwrite",
    )

    # Addresses
    NO_SERVER = Text("the computer does not answer")
    NO_SERVER_IN_TIME = Text("the computer does not answer in time")
    UNKNOWN_SERVER = Text("the computer is not known")
    BAD_ANSWER = Text("the server’s answer is not valid")
    BAD_ADDRESS = Text("the address is not valid")
    BAD_LENGTH = Text("the stated length is not valid")
    REDIRECTED = Text("the server sends from one address to another without end")
    ANSWERED = Text("the server answered {status}")
    DENIED = Text("access is denied")
    STORAGE_FAILED = Text("the storage failed with an error of kind {kind}")
    IS_WEB_PAGE = Text("it is a web page")
    TOO_MANY_FILES = Text("it holds more than {most} files")
    LONG_LIST = Text("its list is longer than {size} MB")
    LISTED_TWICE = Text("its list names {name} more than once")
    LEADS_ELSEWHERE = Text("its list holds a name that leads elsewhere")
    LINK_IN_ARCHIVE = Text("{file} is a link within an archive")
    OPEN_BRACKET = Text(
        "The address lacks a closing bracket.",
        remedy="Write it like http://[2001:db8::1]/answers.csv.",
    )
    PACKAGE_FOR_ADDRESS = Text(
        "Addresses with {kind}:// need the package {package}, which is not installed.",
        remedy="Install it, also on the workers of a cluster.",
        command="pip install {package}",
    )
    UNKNOWN_ADDRESS = Text(
        "No installed package opens addresses with {kind}://.",
        remedy="Use one that fsspec opens, for example s3://bucket/answers.parquet.",
    )
    KEEPS_COPIES = Text(
        "{kind}:: keeps copies of true answers on the disk.", remedy="Remove it from the address."
    )
    NAMES_FILES = Text(
        "{kind}:: reads the files that a file names.",
        remedy="Name the files of answers themselves.",
    )
    NO_ARCHIVE = Text(
        "{kind}:: reads nothing from what follows it.", remedy="Remove it from the address."
    )
    ARCHIVE_NOWHERE = Text(
        "The address does not say where the archive of {kind}:// is.",
        remedy="Add its place: {kind}://answers.csv::https://host/answers.{kind}.",
    )

    # Folders of parts
    EMPTY_FOLDER = Text(
        "The folder {folder} holds no files of answers.", remedy="Choose a file or another folder."
    )
    NO_PARTS = Text(
        "The folder {folder} holds more than the parts of one table: {files}.",
        remedy="Choose a file, or a folder with files of one format and the same columns only.",
    )
    OTHER_COLUMNS = Text(
        "{part} has other columns than {first}, or another order of columns.",
        remedy="Choose a folder whose files are parts of one table.",
    )
    OTHER_READING = Text(
        "{part} seems to be written in another way than {first}: {reading}.",
        remedy="Declare how all parts are written.",
        command="--encoding, --delimiter, --decimal",
    )
    IN_PARTS = Text("{notice} (in {parts} parts)")

    # Formats
    UNKNOWN_FORMAT = Text("There is no file format of this name.", remedy="Choose one of {known}.")
    OTHER_FORMAT = Text(
        "The format of {file} is {found}, not {wanted}.",
        remedy="Choose the plan’s own file, or declare this format.",
        command="--format {found}",
    )
    FOREIGN_FORMAT = Text("The format of {file} is not read: {format}.", remedy=_EXPORT)
    DAMAGED_FORMAT = Text(
        "{file} begins like another format but does not go on like it: {format}.",
        remedy="Copy or download it again. It may be damaged.",
    )
    NO_TABLE_BY_NAME = Text(
        "{file} is a script or a document by its name.",
        remedy="Choose the table. If this is the table, rename it to end in .csv.",
    )
    NO_OBJECTS = Text(
        "{file} does not hold objects of JSON.",
        remedy="Write a list of objects, one for each respondent. "
        'In pandas: to_json(path, orient="records").',
    )
    NO_TEXT = Text("{file} is not a text file.", remedy=_EXPORT)
    NUL_BYTE = Text(
        "Line {line} of {file} holds a NUL byte.",
        remedy="Export the table again as CSV. The file may be damaged.",
    )

    # How a file is read
    TWO_QUESTIONS = Text("A column belongs to two questions.", remedy="Remove it from one of them.")
    BAD_DELIMITER = Text(
        "The delimiter must be one ASCII character, not a quotation mark or a line end.",
        remedy="Use a comma, semicolon, tab or vertical bar.",
    )
    SAME_MARKS = Text(
        "The delimiter and the quotation mark are the same.", remedy="Change one of them."
    )
    BAD_DECIMAL = Text("The decimal mark must be a point or a comma.")
    NO_FIXED_WIDTH = Text("Only a file of fixed width has a layout.", remedy="Remove the layout.")
    UNKNOWN_ENCODING = Text(
        "There is no character encoding “{name}”.",
        remedy="Use, for example, utf-8, cp1252, latin-1 or utf-16.",
    )
    UNSAFE_ENCODING = Text(
        "Files in {encoding} are not read: one answer can change how all others are read.",
        remedy="Convert the file to UTF-8.",
    )
    BAD_READING = Text("This part of the reading is not valid: {part}. {reason}.")
    UNUSED_PART = Text(
        "The format of {file} has no {part} to declare.",
        remedy="Do not declare it.",
        command="--{option}",
    )
    SEPARATED = Text("{separator}-separated")
    DECIMAL_COMMA = Text("decimal comma")
    DECIMAL_POINT = Text("decimal point")
    QUOTED_BY = Text("quoted by {mark}")
    UNQUOTED = Text("without quotation marks")
    HEADER_OF = Text("header of {platform}")
    HEADER_ROWS = Text("{count} header row", "{count} header rows")
    NO_HEADER = Text("no header")
    CODES_OF_NO_ANSWER = Text("{count} code for no answer", "{count} codes for no answer")
    AS_ONE = Text(
        "{count} column as one question, {question}", "{count} columns as one question, {question}"
    )
    FILE_OF = Text("{format} file")
    TABLE_OF = Text("table “{name}”")
    BY_POSITIONS = Text("{count} column by its position", "{count} columns by their positions")

    # Text of a file
    INVALID_BYTE = Text(
        "Line {line} of {file} holds a byte that is not {encoding}.", remedy=_ENCODING
    )
    INVALID_BYTES = Text(
        "{file} holds bytes that are invalid in {encoding}, the first on line {line}. "
        "Their cells cannot be read."
    )
    OTHER_ENCODING = Text(
        "The file is not UTF-8 and was read as {encoding}. "
        "If letters look wrong, choose its encoding."
    )
    EMPTY_FILE = Text("{file} is empty.", remedy="Choose the file that holds the answers.")
    NAMES_ALONE = Text(
        "{file} holds the names of its columns and no answers.",
        remedy="Choose the file that holds the answers, or declare that this one has no header.",
        command="--header-rows 0",
    )
    OTHER_DELIMITER = Text(
        "The first line of {file} names another delimiter than the declared one.",
        remedy="Remove that line, or declare its delimiter.",
    )
    RAGGED_HEADER = Text(
        "The first record of {file} does not have {columns} fields like the others.",
        remedy="Look there for a missing or surplus delimiter. "
        "Below a title, declare the lines above the answers.",
        command="--header-rows N",
    )
    RAGGED = Text(
        "The record on line {line} of {file} does not have {columns} fields, but {count}.",
        remedy=_RAGGED,
    )
    RAGGED_AT_TOP = Text(
        "The record on line {line} of {file} does not have {columns} fields, but {count}.",
        remedy="Look there for a missing delimiter or quotation mark, or a note. "
        "Below a title, declare the lines above the answers.",
        command="--header-rows N",
    )
    INVALID_NAME = Text(
        "A column name of {file} holds bytes that are invalid in its encoding.", remedy=_ENCODING
    )
    NEVER_CLOSED = Text(
        "The quotation mark on line {line} of {file} is never closed.", remedy=_MARKS
    )
    STRAY_MARK = Text(
        "A quotation mark is within an answer on line {line} of {file}.", remedy=_MARKS
    )
    TEXT_AFTER_MARK = Text(
        "The quotation mark on line {line} of {file} closes on line {end}, with text after it.",
        remedy=_MARKS,
    )
    LONG_RECORD = Text(
        "A record of {file} is longer than {size} MB.",
        remedy="Look for a lost quotation mark or a lost line end.",
    )
    LONG_ANSWER = Text(
        "An answer on line {line} of {file} is longer than {most} characters.",
        remedy="Look there for a lost quotation mark or a wrong delimiter.",
    )
    MANY_FIELDS = Text(
        "The first line of {file} holds more than {most} fields.",
        remedy="Choose a table with one respondent per line.",
    )
    RECORDS_LOST = Text(
        "Of {records} records in a part of {file}, {read} were read. The file was not loaded.",
        remedy="Export it again as CSV in UTF-8.",
    )
    NOT_DELIMITED = Text(
        "{file} could not be read as a table of text.",
        remedy="Choose the delimiter, or export the file again as CSV in UTF-8.",
    )
    BLANK_AT_END = Text("Blank lines at the end of the file count as answers not given: {count}.")
    BLANK_LINES = Text("Blank lines between records were skipped: {count}.")
    BLANK_ROWS = Text("Rows without any answer were left out: {count}.")
    UNFILLED_FORMS = Text(
        "Forms that were never filled: {count}. Their boxes are read as no answer."
    )
    NOTE_BELOW = Text(
        "The last row fills a single cell and counts as a respondent. "
        "If it is a note, delete it from the file."
    )
    LINE_BREAKS = Text("Line breaks within quoted answers were kept: {count}.")
    ONE_COLUMN = Text(
        "The file was read as one column, although it holds commas. "
        "If it has several columns, choose the delimiter."
    )

    # Names of columns
    NAMELESS = Text("Columns without a name got one from their position: {count}.")
    REPEATED_NAMES = Text("Columns with the name of an earlier one got a number: {count}.")
    NUMBERS_AS_NAMES = Text(
        "The first line looks like answers, not names. "
        "Load the file without a header, or confirm the names: a release publishes them."
    )
    NAMES_BELOW = Text(
        "The first {lines} lines are read as the header. "
        "If the first line holds the names, declare 1 header line."
    )
    HEADER_READ = Text("The header was read as one of {platform}.")
    UNKNOWN_PLATFORM = Text(
        "There is no survey program of this name.", remedy="Choose one of {known}."
    )
    SHORT_HEADER = Text(
        "A header of {platform} has {lines} lines. The file has fewer.",
        remedy="Declare no program, or load the file as the program wrote it.",
    )

    # JSON, as the end of a sentence that begins with the file
    TOO_MANY_VALUES = Text("holds more than {most} values")
    NOT_JSON = Text("is not JSON: {reason} (line {line}, column {column})")
    NO_UTF8 = Text("is not text in UTF-8")
    TOO_DEEP = Text("is nested too deeply or holds a number that is too long")
    NO_JSON_NUMBER = Text("holds {name}, which is not a number in JSON")
    REPEATED_KEY = Text("names a key twice in one object")

    # Files beside the answers
    BAD_CODEBOOK = Text("The codebook {file} cannot be read: {reason}.", remedy=_CODEBOOK)
    DESCRIBED_TWICE = Text("it describes a column twice")
    BAD_ENTRY = Text("entry {entry} is not valid")
    NO_ENTRIES = Text("it is not a list of entries; it {reason}")
    NO_TABLE = Text("it is neither a list of entries nor a table ({reason})")
    NO_ATTRIBUTE = Text("its first line names no column “attribute”")
    NO_VALUES = Text("it has several rows of “{name}” and no column “value”")
    OLD_CODEBOOK = Text("it describes a release of an earlier dpdesk, not the answers")
    BAD_ROWS = Text("the rows of “{name}” do not describe a column; {reason}")
    BAD_RULE = Text("the rule for missing answers {reason}")
    BAD_CODE = Text("a code of no answer of “{name}” is not valid; {reason}")
    BAD_LAYOUT = Text("The layout {file} cannot be read. {reason}", remedy=_LAYOUT)
    NO_LAYOUT = Text("It lacks a column for names, starts or widths.")
    BAD_LAYOUT_ROW = Text("Row {row} is not valid. {reason}")
    LAYOUT_REPEATS = Text("It names a column twice.")
    NO_WHOLE_NUMBERS = Text("Start, width and end must be whole numbers.")
    ENDS_BEHIND = Text("“{name}” ends behind position {most}.")
    BAD_MATRIX = Text(
        "{file} cannot be read: {reason}.", remedy="Choose a CSV file of numbers in UTF-8."
    )
    OPEN_QUOTE_OR_LONG_CELL = Text("a quotation mark is never closed, or a cell is too long")

    # Records of a release
    TWO_COLUMNS = Text("{file} has two columns of one name.", remedy=_AS_RELEASED)
    LARGE_GROUP = Text(
        "A group of records of {file} takes more than {size} GB of memory.", remedy=_AS_RELEASED
    )
    BAD_RECORDS = Text("{file} cannot be read as a {kind} file.", remedy=_AS_RELEASED)
    EMPTY_RECORD = Text("Record {record} of the column “{name}” is empty.", remedy=_AS_RELEASED)
    OTHER_TYPE = Text(
        "The column “{name}” does not have the type that the release wrote.", remedy=_AS_RELEASED
    )
    UNKNOWN_RECORDS = Text(
        "Records are not written in a format of this name.", remedy="Choose one of {known}."
    )
