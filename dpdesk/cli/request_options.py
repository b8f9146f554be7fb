"""The options of a command from the declared record of its request."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_origin

from dpdesk.cli.offered_words import offer
from dpdesk.cli.options import (
    add_flag,
    add_input,
    add_output,
    add_place,
    add_repeated,
    add_settings,
    add_value,
)
from dpdesk.cli.values import real, whole
from dpdesk.errors import ParameterError
from dpdesk.requests.request import Field, Request, read_names
from dpdesk.requests.texts import T

RequestT = TypeVar("RequestT", bound=Request)


def add_request(parser: argparse.ArgumentParser, kind: type[Request]) -> None:
    """Adds an option for each field that a request declares.

    Args:
        parser: The parser of a command.
        kind: The request.
    """
    groups: dict[str, argparse._ActionsContainer] = {"": parser}
    for field in kind.declared_fields():
        head = field.declared.group
        if head not in groups:
            groups[head] = parser.add_argument_group(head)
        _add(groups[head], field)


def request_of(kind: type[RequestT], options: argparse.Namespace) -> RequestT:
    """Returns the request that options ask for.

    Raises:
        ParameterError: A value is out of bounds, or a setting names no column.
    """
    return kind(
        **{each.name: _value(each, getattr(options, each.name)) for each in kind.declared_fields()}
    )


def _add(parser: argparse._ActionsContainer, field: Field) -> None:
    declared, word = field.declared, field.option
    meaning = declared.meaning.replace("%", "%%") + _usual(field)
    unused = declared.unused
    if field.type is bool:
        add_flag(parser, word, meaning, unused=unused)
    elif declared.role == "input" and not field.is_mapping:
        add_input(parser, word, metavar=_metavar(field), help=meaning, unused=unused)
    elif declared.role == "output":
        add_output(parser, "-o", word, metavar=_metavar(field), help=meaning, unused=unused)
    elif declared.role == "folder":
        add_place(parser, word, _metavar(field), meaning, is_made=True, unused=unused)
    elif declared.role == "input":
        add_settings(parser, word, files=_file_of, metavar=_metavar(field), help=meaning)
    elif field.is_repeated:
        add_repeated(parser, word, _metavar(field), meaning, unused=unused)
    else:
        action = add_value(
            parser,
            word,
            _metavar(field),
            meaning,
            read=_reader(field),
            default=field.default,
            unused=unused,
        )
        if declared.words or declared.kinds:
            offer(action, lambda: declared.choices)
    action = parser._option_string_actions[word]
    action.dest = field.name


def _usual(field: Field) -> str:
    usual = field.words(field.default)
    return f" ({usual[0].replace('%', '%%')})" if len(usual) == 1 and usual[0] else ""


def _metavar(field: Field) -> str:
    if field.declared.example and not field.declared.choices:
        return field.declared.example
    if field.declared.words:
        return "{" + ",".join(field.declared.words) + "}"
    return {int: "N", float: "NUMBER", Path: "FILE"}.get(field.value_type, field.name.upper())


def _reader(field: Field) -> Callable[[str], Any]:
    def read_list(text: str) -> tuple[Any, ...]:
        values = tuple(map(field.read, read_names(text)))
        if not values or None in values:
            raise argparse.ArgumentTypeError(T.NO_LIST())
        return values

    def read_real(text: str) -> float:
        number: float | None = field.read(text)
        return real(text) if number is None else number

    return read_list if field.is_list else {int: whole, float: read_real}.get(field.type, str)


def _value(field: Field, given: Any) -> Any:
    """The value of a field from what argparse stored."""
    if field.is_mapping:
        return dict(_pair(field, text) for text in given)
    if field.is_list and field.is_repeated:
        is_inner = get_origin(field.value_type) is tuple
        return tuple(read_names(text) if is_inner else text for text in given)
    return given


def _pair(field: Field, text: str) -> tuple[str, Any]:
    name, equals, typed = text.rpartition("=")
    if not (name and equals and typed):
        raise ParameterError(
            T.NO_PAIR(field=field.declared.title, example=f"{field.option} {_metavar(field)}")
        )
    value = field.read(typed)
    if value is None:
        raise ParameterError(
            T.BAD_VALUE(field=field.declared.title, example=f"{field.option} {_metavar(field)}")
        )
    return name, value


def _file_of(setting: str) -> tuple[str, ...]:
    """The file that a setting names; none of a setting that will be refused."""
    file = setting.rpartition("=")[2]
    return (file,) if file else ()
