"""Every single fault that can be put into a module: where, what it says, what it would say.

A fault replaces one expression or statement by another that is near to it, as a slip of the
person who writes it would: a comparison turned, a boundary moved by one, a condition negated, an
operator, a number, two arguments or a function exchanged, a sign or a value to return lost.

Left out is what no test should hold on to: texts (not the numbers and names inside them),
annotations, decorators, `__repr__`, what only a type checker reads, and `strict=` of `zip`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}

_EXCHANGED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}

_PAIRS = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("nanmin", "nanmax"),
    ("argmin", "argmax"),
    ("any", "all"),
    ("lower", "upper"),
    ("next_plus", "next_minus"),
    ("ROUND_CEILING", "ROUND_FLOOR"),
    ("cumsum", "cumprod"),
    ("sum", "prod"),
    ("log", "log1p"),
    ("exp", "expm1"),
    ("less", "less_equal"),
    ("greater", "greater_equal"),
    ("logical_and", "logical_or"),
    ("intersection", "union"),
    ("startswith", "endswith"),
    ("left", "right"),
)
# What stands behind a dot; a name by itself gives way only to one that every module has.
_OTHER_ATTRIBUTE = {a: b for pair in (*_PAIRS, ("ceil", "floor")) for a, b in (pair, pair[::-1])}
_OTHER_NAME = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "ceil": "int",
    "floor": "round",
}
# Words of numpy's that are given as text and turn a boundary.
_OTHER_WORD = {"left": "right", "right": "left"}
# Types that are made from a number written as text.
_EXACT_NUMBERS = {"Decimal", "Fraction"}
_NUMBERS = {"int", "float", "Decimal", "Fraction", "FloatArray", "Epsilon"}
# What does not ask in which order its arguments come.
_SYMMETRIC = {"min", "max", "minimum", "maximum", "gcd", "hypot", "logical_and", "logical_or"}
_WITHOUT_SIGN = {"nan", "np.nan", "math.nan", "ExitCode.OK"}
_NOT_SOUGHT_IN = {"__repr__", "__rich_repr__"}


@dataclass(frozen=True)
class Fault:
    """One fault.

    Attributes:
        module: Path of the module below the checkout, with forward slashes.
        within: Qualified name of the function or class around it; empty at the top.
        kind: What was done, in words.
        lines: From the first line of the statement to the last of what is replaced, from 1: a
            test that notices runs one of them.
        start: Where the text begins that is replaced, in characters of the module.
        before: That text.
        after: What takes its place.
        around: What stands before and after it on its lines.
    """

    module: str
    within: str
    kind: str
    lines: range
    start: int
    before: str
    after: str
    around: tuple[str, str]

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What names this fault until its lines are rewritten: where it is, they, they with it."""
        left, right = self.around
        lines = (_one_line(left + text + right) for text in (self.before, self.after))
        return (self.module, self.within, *lines)

    def planted(self, source: str) -> str:
        """The module with the fault.

        Args:
            source: The text of the module without it.
        """
        assert source.startswith(self.before, self.start)
        return source[: self.start] + self.after + source[self.start + len(self.before) :]


def faults_of(path: Path, root: Path) -> list[Fault]:
    """Every fault that can be put into a module, in the order of the text.

    Args:
        path: The module.
        root: The checkout.
    """
    source = path.read_text(encoding="utf-8")
    visitor = _Visitor(source, path.relative_to(root).as_posix())
    visitor.visit(ast.parse(source))
    found = {(fault.start, fault.before, fault.after): fault for fault in visitor.found}
    return sorted(found.values(), key=lambda fault: (fault.start, fault.before, fault.after))


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Visitor(ast.NodeVisitor):
    """Walks a module and keeps the faults that it can have."""

    def __init__(self, source: str, module: str) -> None:
        self.found: list[Fault] = []
        self._source = source
        self._module = module
        self._names: list[str] = []
        self._line = 1
        # Python counts columns in bytes of UTF-8.
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        # Before Python 3.12 what stands inside an f-string has no place of its own: the whole
        # f-string is written anew.
        self._text: ast.JoinedStr | None = None
        self._returns = ""

    # -------------------------------------------------------------------------- where we are
    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            self._line = node.lineno
        super().visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "type_params", "bases"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    line = self._line
                    self.visit(child)
                    self._line = line

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in _NOT_SOUGHT_IN:
            return
        outer, self._returns = self._returns, ast.unparse(node.returns) if node.returns else ""
        self._named(node.name, node)
        self._returns = outer

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._named(node.name, node)

    def _named(self, name: str, node: ast.AST) -> None:
        self._names.append(name)
        self.generic_visit(node)
        self._names.pop()

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        outermost = self._text is None
        if outermost:
            self._text = node
        for part in node.values:
            if isinstance(part, ast.FormattedValue):  # not its format
                self.visit(part.value)
        if outermost:
            self._text = None

    # --------------------------------------------------------------------------- what is done
    def visit_Compare(self, node: ast.Compare) -> None:
        for position, operator in enumerate(node.ops):
            for other in _TURNED[type(operator)]:
                faulty = copy.deepcopy(node)
                faulty.ops[position] = other()
                self._keep("comparison turned", node, faulty)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = _EXCHANGED.get(type(node.op))
        if other is not None and not _is_text(node) and not _is_union(node):
            faulty = copy.deepcopy(node)
            faulty.op = other()
            self._keep("operator exchanged", node, faulty)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        other = _EXCHANGED.get(type(node.op))
        if other is not None and not _is_text(node.value):
            faulty = copy.deepcopy(node)
            faulty.op = other()
            self._keep("operator exchanged", node, faulty)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        faulty = copy.deepcopy(node)
        faulty.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._keep("'and' and 'or' exchanged", node, faulty)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.USub | ast.Not | ast.Invert):
            kind = "negation dropped" if isinstance(node.op, ast.Not) else "sign dropped"
            self._keep(kind, node, node.operand)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) == "TYPE_CHECKING":
            return
        self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not _is_without_sign(node.value):
            if self._returns == "bool":
                self._negate(node.value)
            elif self._returns in _NUMBERS:
                negative = ast.UnaryOp(op=ast.USub(), operand=copy.deepcopy(node.value))
                self._keep("value to return turned", node.value, negative)
            elif "None" in self._returns.replace(" ", "").split("|"):
                self._keep("value to return lost", node.value, ast.Constant(value=None))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        plain = [not isinstance(argument, ast.Starred) for argument in node.args]
        for first in range(len(node.args) - 1):
            pair = node.args[first : first + 2]
            if called.rpartition(".")[2] in _SYMMETRIC or not all(plain[: first + 2]):
                break
            if ast.dump(pair[0]) != ast.dump(pair[1]):
                faulty = copy.deepcopy(node)
                faulty.args[first], faulty.args[first + 1] = pair[1], pair[0]
                self._keep("arguments exchanged", node, faulty)
        if called in _EXACT_NUMBERS and len(node.args) == 1:
            self._exact_number(node)
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg != "strict":
                self.visit(keyword.value)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and node.id in _OTHER_NAME:
            self._keep("name exchanged", node, ast.Name(id=_OTHER_NAME[node.id]))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Load) and node.attr in _OTHER_ATTRIBUTE:
            faulty = copy.deepcopy(node)
            faulty.attr = _OTHER_ATTRIBUTE[node.attr]
            self._keep("name exchanged", node, faulty)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._keep("constant changed", node, ast.Constant(value=not value))
        elif isinstance(value, int):
            self._keep("constant changed", node, ast.Constant(value=value + 1))
        elif isinstance(value, float):
            # A tolerance is turned so far that something comes of it.
            factor = 1.25 if abs(value) > 1e-4 else 1000.0
            other = value * factor if value else 1.0
            self._keep("constant changed", node, ast.Constant(value=other))
        elif isinstance(value, str) and value in _OTHER_WORD:
            self._keep("constant changed", node, ast.Constant(value=_OTHER_WORD[value]))

    def _exact_number(self, node: ast.Call) -> None:
        (argument,) = node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            faulty = copy.deepcopy(node)
            product = ast.BinOp(left=faulty, op=ast.Mult(), right=ast.Constant(value=2))
            self._keep("constant changed", node, product)

    def _negate(self, test: ast.expr) -> None:
        # A comparison alone is turned already.
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1) and not (
            isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        ):
            faulty = ast.UnaryOp(op=ast.Not(), operand=copy.deepcopy(test))
            self._keep("condition negated", test, faulty)

    # ----------------------------------------------------------------------------- how it is kept
    def _keep(self, kind: str, node: ast.expr | ast.stmt, faulty: ast.AST) -> None:
        replaced: ast.expr | ast.stmt = node
        if self._text is not None:
            replaced = self._text
            faulty = _with(self._text, node, faulty)
        start, stop = self._span(replaced)
        before, after = self._source[start:stop], ast.unparse(ast.fix_missing_locations(faulty))
        if isinstance(replaced, ast.expr) and not isinstance(faulty, ast.Constant | ast.Name):
            # What stands around it may bind more closely.
            after = f"({after})"
        if _one_line(before) != _one_line(after):
            within = ".".join(self._names)
            assert replaced.end_lineno is not None
            lines = range(min(self._line, replaced.lineno), replaced.end_lineno + 1)
            first = self._source.rfind("\n", 0, start) + 1
            last = self._source.find("\n", stop)
            around = (self._source[first:start], self._source[stop:last])
            self.found.append(
                Fault(self._module, within, kind, lines, start, before, after, around)
            )

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._at(node.lineno, node.col_offset),
            self._at(node.end_lineno, node.end_col_offset),
        )

    def _at(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(before)


def _with(text: ast.JoinedStr, node: ast.AST, faulty: ast.AST) -> ast.JoinedStr:
    """A copy of a text with one expression inside it replaced."""
    position = list(ast.walk(text)).index(node)
    made = copy.deepcopy(text)
    target = list(ast.walk(made))[position]
    for parent in ast.walk(made):
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, faulty)
            elif isinstance(value, list):
                setattr(parent, name, [faulty if item is target else item for item in value])
    return made


def _is_without_sign(node: ast.expr) -> bool:
    """Whether turning it says nothing new: numbers are changed as numbers; NaN, 0 have no sign."""
    return isinstance(node, ast.Constant) or ast.unparse(node) in _WITHOUT_SIGN


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _is_union(node: ast.BinOp) -> bool:
    """Whether this is a choice of types, as in `int | None`."""
    if not isinstance(node.op, ast.BitOr):
        return False
    sides = (node.left, node.right)
    return any(
        (isinstance(side, ast.Constant) and side.value is None)
        or (isinstance(side, ast.BinOp) and _is_union(side))
        or (
            isinstance(side, ast.Name | ast.Attribute)
            and ast.unparse(side).split(".")[-1][:1].isupper()
        )
        or (isinstance(side, ast.Name) and side.id in {"int", "str", "float", "bool", "tuple"})
        for side in sides
    )


def modules_of(layers: list[str], root: Path) -> Iterator[Path]:
    """The modules of some layers.

    Args:
        layers: Names of packages of dpdesk, or paths of modules below it such as
            `plan/budget.py`.
        root: The checkout.

    Raises:
        FileNotFoundError: There is no such layer or module.
    """
    for layer in layers:
        place = root / "dpdesk" / layer
        if not place.exists():
            raise FileNotFoundError(f"There is no layer and no module dpdesk/{layer}.")
        yield from [place] if place.is_file() else sorted(place.rglob("*.py"))
