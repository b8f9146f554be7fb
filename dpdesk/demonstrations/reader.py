"""Demonstrations from their files: TOML, read exactly, refused with every place that is wrong.

A file lists steps; each names a kind of scene, its settings, its texts and the numbers that these
state. `resources/docs/decisions` explains how to add one.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import ValidationError
from pydantic.json_schema import models_json_schema

from dpdesk.demonstrations.demonstration import Demonstration, Exercise, Step
from dpdesk.demonstrations.registry import SCENES
from dpdesk.demonstrations.scene import Inputs, SceneKind
from dpdesk.demonstrations.stated import Stated, literals
from dpdesk.demonstrations.texts import T
from dpdesk.demonstrations.written import (
    WrittenDemonstration,
    WrittenExercise,
    WrittenScene,
    WrittenStep,
)
from dpdesk.errors import InputError, ParameterError, invalid_fields, kind_named
from dpdesk.i18n import first_names
from dpdesk.resources import resource

FOLDER = "learn"
_SHOWN = 5
_COUNTED = re.compile(r":[^|:{}]+\|[^|:{}]+")
"""What is counted, behind the name of a number: one of them, and several."""
AnyPart = TypeVar("AnyPart", bound="WrittenScene")


def demonstrations(
    refused: Callable[[InputError], None] | None = None,
) -> tuple[Demonstration, ...]:
    """Returns every demonstration of `resources/learn`, in the order of the files' names.

    Args:
        refused: Takes what is wrong with a file, which is then left out.

    Raises:
        InputError: A file is not valid, and nobody takes what is wrong with it.
    """
    made = []
    for path in _files().values():
        try:
            made.append(_made(path, _read(path), Inputs()))
        except InputError as error:
            if refused is None:
                raise
            refused(error)
    return tuple(made)


def demonstration(key: str, inputs: Inputs = Inputs()) -> Demonstration:  # noqa: B008 - frozen
    """Returns one demonstration.

    Args:
        key: Its name.
        inputs: What the presenter gives.

    Raises:
        ParameterError: There is none of this name, or it does not take what is given.
        InputError: Its file is not valid.
    """
    return read_demonstration(kind_named(_files(), key, "demonstration"), inputs)


def read_demonstration(path: Path, inputs: Inputs = Inputs()) -> Demonstration:  # noqa: B008
    """Returns the demonstration of any file.

    Raises:
        InputError: The file is not valid; every place is named.
    """
    return _made(path, _read(path), inputs)


def demonstration_schema() -> dict[str, Any]:
    """Returns the JSON schema of the file format.

    The settings of each kind of scene stand under `$defs`, and under `scenes` what it shows, where
    its settings are, and the numbers and words that texts may take up.
    """
    mode: Literal["validation"] = "validation"
    kinds = [(kind, mode) for kind in SCENES]
    places, definitions = models_json_schema(kinds)
    written = WrittenDemonstration.model_json_schema(mode="validation")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **written,
        "$defs": {**written.get("$defs", {}), **definitions["$defs"]},
        "scenes": {
            kind.tag(): {
                "shows": kind.shows,
                "settings": places[kind, mode],
                "numbers": dict(kind.numbers),
                "words": dict(kind.words),
            }
            for kind, _ in kinds
        },
        "title": "Demonstration of dpdesk",
    }


def _files() -> Mapping[str, Path]:
    """The files by the keys of their demonstrations, in order."""
    return {_key(path): path for path in sorted(resource(FOLDER).glob("*.toml"))}


def _key(path: Path) -> str:
    """The name of a file without the number before it, which gives the order."""
    return path.stem.lstrip("0123456789").lstrip("-")


def _read(path: Path) -> WrittenDemonstration:
    """The file as it is now: whoever corrects one need not start again."""
    stamp = (path.stat().st_mtime_ns, path.stat().st_size) if path.is_file() else None
    return _read_once(path, stamp)


@lru_cache(maxsize=64)
def _read_once(path: Path, stamp: tuple[int, int] | None) -> WrittenDemonstration:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError:
        raise InputError(T.NOT_READ(file=path.name)) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(T.NO_TOML(file=path.name, reason=str(error))) from None
    try:
        written = WrittenDemonstration.model_validate(content)
    except ValidationError as error:
        fields = invalid_fields(error)
        problems = [T.AT(place=_place(item.place), problem=item.sentence) for item in fields]
        raise _refused(path.name, problems) from None
    problems = [
        T.NO_SETTING(name=name)
        for name in written.settings
        if not any(_has(part, name) for part in (*written.steps, written.exercise))
    ]
    written = written.model_copy(
        update={
            "steps": [_settled(step, written.settings) for step in written.steps],
            "exercise": _settled(written.exercise, written.settings),
        }
    )
    parts = [(f"step {number}", step) for number, step in enumerate(written.steps, 1)]
    problems += [
        T.AT(place=name, problem=problem)
        for name, part in (*parts, ("exercise", written.exercise))
        for problem in _problems(part)
    ]
    if problems:
        raise _refused(path.name, problems)
    return written


def _settled(part: AnyPart, common: Mapping[str, Any]) -> AnyPart:
    """A step with the settings of the file that its scene has, and with its own."""
    settings = {name: value for name, value in common.items() if _has(part, name)}
    return part.model_copy(update={"settings": {**settings, **part.settings}})


def _has(part: WrittenScene, setting: str) -> bool:
    kinds = {kind.tag(): kind for kind in SCENES}
    return part.scene in kinds and setting in kinds[part.scene].model_fields


def _refused(name: str, problems: Sequence[str]) -> InputError:
    found = [problem.removesuffix(".") for problem in problems]
    listed = first_names(found, _SHOWN, between="; ")
    return InputError(T.NOT_VALID(file=name, problems=listed))


def _place(place: tuple[int | str, ...]) -> str:
    """A place as people count: step 3, title."""
    if len(place) > 1 and place[0] == "steps" and isinstance(place[1], int):
        return ", ".join([f"step {place[1] + 1}", ".".join(map(str, place[2:]))]).strip(", ")
    return ".".join(map(str, place)) or "the file"


def _problems(step: WrittenScene) -> Iterator[str]:
    """Yields what is wrong with a step beyond its form."""
    try:
        kind = _kind(step)
        _ghost(step, _states(step))
        names = _choice_names(step)
    except ParameterError as error:
        yield str(error)
        return
    for where in step.literal:
        if set("{}") & set(getattr(step, where)):
            yield T.BRACES(place=where, filled=step.filled)
    known = {*kind.numbers, *kind.words, "question"}
    for where in step.filled:
        for name, form in _placeholders(getattr(step, where)):
            if name not in known:
                names_known = sorted(known)
                yield T.NO_NAME(place=where, scene=kind.tag(), name=name, known=names_known)
            elif form and not (name in kind.numbers and _COUNTED.fullmatch(form)):
                yield T.FORMAT(place=where, name=name, form=form)
    for one in step.stated:
        if one.number not in kind.numbers:
            yield T.NO_NUMBER(scene=kind.tag(), name=one.number)
        if one.choice is not None and one.choice not in names:
            yield T.NO_CHOICE(name=one.choice)
    declared = {one.text for one in step.stated}
    texts = [(where, getattr(step, where)) for where in (*step.filled, *step.literal)]
    # Names that are made from the values state these themselves.
    texts += [("choices", name) for name in (step.choices.names if step.choices else [])]
    for where, text in texts:
        for literal in literals(text):
            if literal not in declared:
                yield T.NOT_STATED(place=where, number=literal)


def _placeholders(text: str) -> list[tuple[str, str]]:
    """The names in braces, each with the format behind it; an open brace as it stands."""
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return [("{", "")]
    return [
        (name, f"{'!' if how else ''}{how or ''}{':' if form else ''}{form or ''}")
        for _, name, form, how in parts
        if name is not None
    ]


def _made(path: Path, written: WrittenDemonstration, inputs: Inputs) -> Demonstration:
    key = _key(path)
    kinds = [_kind(step) for step in written.steps]
    asked = next((kind.asked_columns for kind in kinds if kind.asked_columns), ())
    if inputs.question is not None and not written.takes_question:
        raise ParameterError(T.NO_QUESTION(name=key))
    if inputs.table is not None and not asked:
        raise ParameterError(T.NO_FILE(name=key))
    question = inputs.question or written.question
    return Demonstration(
        key=key,
        title=written.title,
        summary=written.summary,
        minutes=written.minutes,
        question=question,
        takes_question=written.takes_question,
        asked_columns=asked,
        exercise=_exercise(written.exercise, inputs, question, f"{path.name}, exercise"),
        steps=tuple(
            _step(step, inputs, question, f"{path.name}, step {number}")
            for number, step in enumerate(written.steps, 1)
        ),
    )


def _step(step: WrittenStep, inputs: Inputs, question: str, place: str) -> Step:
    names, states = _choice_names(step), _states(step)
    ghost = _ghost(step, states)
    if names:
        # A choice that says nothing else of the presenter's data is none.
        fitting = [place for place, state in enumerate(states) if state.fits(inputs)] or [0]
        states = tuple(states[place] for place in fitting)
        names = tuple(names[place] for place in fitting) if len(fitting) > 1 else ()
    return Step(
        title=step.title,
        todo=step.todo,
        choices=names,
        notes=_joined(step.notes),
        source=step.source,
        states=states,
        ghost=ghost,
        sentence=step.sentence,
        stated=_stated(step, names),
        inputs=inputs,
        question=question,
        place=place,
    )


def _exercise(written: WrittenExercise, inputs: Inputs, question: str, place: str) -> Exercise:
    (state,) = _states(written)
    return Exercise(
        task=_joined(written.task),
        sentence=_joined(written.answer),
        state=state,
        stated=_stated(written),
        inputs=inputs,
        question=question,
        place=place,
    )


def _joined(text: str) -> str:
    """A text that was broken into lines in its file, in one."""
    return " ".join(text.split())


def _stated(step: WrittenScene, names: tuple[str, ...] = ()) -> tuple[Stated, ...]:
    return tuple(
        Stated(one.text, one.number, None if one.choice is None else names.index(one.choice))
        for one in step.stated
        if one.choice is None or one.choice in names
    )


def _choice_names(step: WrittenScene) -> tuple[str, ...]:
    """The names of the choices; none without choices."""
    return () if step.choices is None else step.choices.labels()


def _kind(step: WrittenScene) -> type[SceneKind]:
    return kind_named({kind.tag(): kind for kind in SCENES}, step.scene, "kind of scene")


def _states(step: WrittenScene) -> tuple[SceneKind, ...]:
    """The scene at each choice; the only one without choices."""
    if step.choices is None:
        return (_state(step, step.settings),)
    setting = step.choices.setting
    return tuple(
        _state(step, _changed(step.settings, setting, value)) for value in step.choices.values
    )


def _ghost(step: WrittenScene, states: tuple[SceneKind, ...]) -> SceneKind | None:
    """The state that stands as a ghost: that of the first choice with some settings changed."""
    if not step.ghost:
        return None
    settings = {**states[0].model_dump(mode="json", exclude={"kind"}), **step.ghost}
    return _state(step, settings)


def _state(step: WrittenScene, settings: Mapping[str, Any]) -> SceneKind:
    try:
        return _kind(step).model_validate(settings)
    except ValidationError as error:
        problems = [
            ": ".join(
                filter(None, (".".join(map(str, item.place)), str(item.cause or item.sentence)))
            )
            for item in invalid_fields(error)
        ]
        raise ParameterError(T.AT(place="settings", problem="; ".join(problems))) from None


def _changed(settings: Mapping[str, Any], setting: str, value: Any) -> dict[str, Any]:
    """Settings with one changed; a dot leads into a setting that has parts."""
    name, _, inner = setting.partition(".")
    if not inner:
        return {**settings, name: value}
    parts = settings.get(name, {})
    if not isinstance(parts, Mapping):
        raise ParameterError(T.NO_PARTS(name=name))
    return {**settings, name: _changed(parts, inner, value)}
