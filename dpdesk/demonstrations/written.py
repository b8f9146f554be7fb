"""What a file of a demonstration holds, as it is written: its form, and its schema by pydantic."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.demonstrations.texts import T
from dpdesk.errors import ParameterError

Text = Annotated[str, Field(min_length=1, max_length=2000)]


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WrittenNumber(_Written):
    """A number that a text of the step states literally."""

    text: Annotated[Text, Field(description="the literal as it stands in the text: 1,000, half")]
    number: Annotated[Text, Field(description="the number of the scene that it states")]
    choice: Annotated[
        str | None, Field(description="the choice at which it does; left out: at every one")
    ] = None


class WrittenChoices(_Written):
    """What the presenter moves through: values of one setting."""

    setting: Annotated[Text, Field(description="the setting; a dot leads into one: design.p")]
    values: Annotated[list[Any], Field(min_length=2, max_length=12, description="its values")]
    name: Annotated[str, Field(description="the name of a choice, {} for the value: {} people")] = (
        "{}"
    )
    names: Annotated[list[Text], Field(description="the names, one by one, in place of name")] = []

    def labels(self) -> tuple[str, ...]:
        """Returns the name of each choice.

        Raises:
            ParameterError: There are not as many names as values, two are the same, or braces in
                one would be shown as they stand.
        """
        if not self.names:
            self._check_name()
        names = tuple(self.names) or tuple(
            self.name.replace("{}", _value_text(value)) for value in self.values
        )
        if len(names) != len(self.values):
            raise ParameterError(T.NAMES())
        if any("{" in name or "}" in name for name in names):
            raise ParameterError(T.NAME_BRACES())
        if len(set(names)) < len(names):
            raise ParameterError(T.SAME_NAMES())
        return names

    def _check_name(self) -> None:
        if self.name.count("{}") != 1 or set("{}") & set(self.name.replace("{}", "")):
            raise ParameterError(T.UNCLEAR_NAME())
        if any(isinstance(value, (dict, list)) for value in self.values):
            raise ParameterError(T.NO_SHORT_NAME())


class WrittenScene(_Written):
    """A scene with its settings, and the numbers that texts beside it state."""

    scene: Annotated[Text, Field(description="the kind of scene")]
    settings: Annotated[dict[str, Any], Field(description="its settings")] = {}
    ghost: Annotated[
        dict[str, Any], Field(description="settings of the state that stands as “before”")
    ] = {}
    choices: Annotated[
        WrittenChoices | None, Field(description="what Up and Down move through")
    ] = None
    stated: Annotated[
        list[WrittenNumber], Field(description="the numbers that texts state literally")
    ] = []

    filled: ClassVar[tuple[str, ...]]
    """The texts whose braces are filled."""
    literal: ClassVar[tuple[str, ...]]
    """The texts without braces."""


class WrittenStep(WrittenScene):
    """A step."""

    title: Annotated[Text, Field(description="the point of the step, in a few words")]
    sentence: Annotated[
        Text,
        Field(
            description="one sentence; {name} is filled with that number of the scene; "
            "{name:person|people} says what is counted"
        ),
    ]
    todo: Annotated[Text, Field(description="one thing to do")]
    notes: Annotated[Text, Field(description="what the presenter may say")]
    source: Annotated[str, Field(description="where it was published")] = ""

    filled: ClassVar[tuple[str, ...]] = ("sentence",)
    literal: ClassVar[tuple[str, ...]] = ("title", "todo", "notes")


class WrittenExercise(WrittenScene):
    """An exercise for afterwards; its answer is computed from a scene."""

    task: Annotated[Text, Field(description="what is to be done")]
    answer: Annotated[Text, Field(description="its answer; {name} is filled as in a sentence")]

    filled: ClassVar[tuple[str, ...]] = ("answer",)
    literal: ClassVar[tuple[str, ...]] = ("task",)

    @model_validator(mode="after")
    def _has_one_state(self) -> Self:
        if self.choices is not None or self.ghost:
            raise ParameterError(T.ONE_STATE())
        return self


class WrittenDemonstration(_Written):
    """A file."""

    title: Text
    summary: Annotated[Text, Field(description="what people know afterwards")]
    minutes: Annotated[int, Field(ge=1, le=60)]
    question: Annotated[Text, Field(description="the question that is asked")]
    takes_question: Annotated[bool, Field(description="whether an own question can replace it")] = (
        False
    )
    settings: Annotated[
        dict[str, Any],
        Field(description="settings of every scene that has them, unless it says otherwise"),
    ] = {}
    exercise: WrittenExercise
    steps: Annotated[list[WrittenStep], Field(min_length=1, max_length=10)]


def _value_text(value: Any) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return f"{value:,}" if is_number else str(value)
