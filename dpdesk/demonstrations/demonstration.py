"""A guided demonstration: its steps, each a scene with one sentence and one thing to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from dpdesk.demonstrations.picture import Bars, Picture
from dpdesk.demonstrations.scene import CountedText, Given, Inputs, SceneKind, Shown, Tallies
from dpdesk.demonstrations.stated import Stated
from dpdesk.demonstrations.texts import T
from dpdesk.engine.jobs import Tracker, untracked
from dpdesk.errors import Cancelled, DpdeskError, InputError

_ROOMS = (Tallies(0, 2), Tallies(2, 2), Tallies(11, 24))
"""Answers that a room is rehearsed with: nobody's, everybody's, and some."""


@dataclass(frozen=True)
class Scene:
    """What a step shows at one choice.

    Attributes:
        pictures: One, or two side by side.
        sentence: One sentence with its numbers.
        numbers: Every number that a text of the step states, by name, in the unit stated.
    """

    pictures: tuple[Picture, ...]
    sentence: str
    numbers: Mapping[str, float]


@dataclass(frozen=True)
class Step:
    """A step of a demonstration.

    Attributes:
        title: The large line: the point of the step.
        todo: One thing to do.
        choices: What the presenter moves through; empty for a step without choices.
        notes: What the presenter may say.
        source: Where what is said was published; may be empty.
        states: The scene with its settings, one for each choice, or the only one.
        ghost: The settings that stand as a ghost before the presenter has moved; None for none.
        sentence: The sentence, with the names of its numbers in braces.
        stated: The numbers that texts state literally.
        inputs: What the presenter gives.
        question: The question of the demonstration, or the presenter's own.
        place: The file, and which step of it this is.
    """

    title: str
    todo: str
    choices: tuple[str, ...]
    notes: str
    source: str
    states: tuple[SceneKind, ...]
    ghost: SceneKind | None
    sentence: str
    stated: tuple[Stated, ...]
    inputs: Inputs
    question: str
    place: str

    @property
    def draws_again(self) -> bool:
        """Whether the step can be drawn again."""
        return self.states[0].draws_again

    @property
    def takes_tallies(self) -> bool:
        """Whether the answers of the room are typed in."""
        return self.states[0].takes_tallies

    def scene(
        self, *, choice: int = 0, before: int | None = None, tallies: Tallies | None = None
    ) -> Scene:
        """Returns the scene, drawn anew at each call.

        Args:
            choice: The choice that is shown, from 0.
            before: The choice that stands as a ghost; None for the step's own ghost, if any.
            tallies: The answers of the room.

        Raises:
            DpdeskError: The tallies are impossible, or the presenter's data do not fit.
        """
        state = self.states[choice]
        ghost = self.ghost if before is None else self.states[before]
        # A state is no ghost of itself.
        shown = state.shown(Given(self.inputs, tallies), None if ghost == state else ghost)
        return _scene(shown, self.sentence, self.question, self.inputs)

    def rehearse(self, tracker: Tracker) -> None:
        """Shows every choice once, with its ghosts and with answers of a room, and throws it away.

        What takes long is computed then, so that every scene appears at once afterwards.

        Args:
            tracker: Progress and cancel.

        Raises:
            InputError: The file has settings that cannot be shown.
            DpdeskError: The presenter's data do not fit.
            Cancelled: The user cancelled.
        """
        last = len(self.states) - 1
        for choice, state in enumerate(self.states):
            named = f", choice {self.choices[choice]}" if self.choices else ""
            with _rehearsed(f"{self.place}{named}", self.inputs):
                state.prepare(Given(self.inputs), tracker)
                for before in {None, max(choice - 1, 0), min(choice + 1, last)}:
                    _check(self.scene(choice=choice, before=before))
                for room in _ROOMS if self.takes_tallies else ():
                    _check(self.scene(choice=choice, tallies=room))


@dataclass(frozen=True)
class Exercise:
    """An exercise for afterwards.

    Attributes:
        task: What is to be done.
        sentence: Its answer, with the names of numbers in braces.
        state: The scene that these are computed from.
        stated: The numbers that texts state literally.
        inputs: What the presenter gives.
        question: The question of the demonstration, or the presenter's own.
        place: The file, and where in it this is.
    """

    task: str
    sentence: str
    state: SceneKind
    stated: tuple[Stated, ...]
    inputs: Inputs
    question: str
    place: str

    def scene(self) -> Scene:
        """Returns the pictures and the numbers of the answer, with the answer as its sentence.

        Raises:
            DpdeskError: The presenter's data do not fit.
        """
        shown = self.state.shown(Given(self.inputs))
        return _scene(shown, self.sentence, self.question, self.inputs)


@dataclass(frozen=True)
class Demonstration:
    """A guided demonstration.

    Attributes:
        key: Its name on the command line.
        title: Its title.
        summary: What people know afterwards, in one sentence.
        minutes: How long it takes.
        question: The question that is asked.
        takes_question: Whether the presenter's own question can replace it.
        asked_columns: What each column of the presenter's own records is for; empty where they
            cannot replace the sample's. The last may end in " …": then several may follow.
        exercise: An exercise for afterwards.
        steps: The steps.
    """

    key: str
    title: str
    summary: str
    minutes: int
    question: str
    takes_question: bool
    asked_columns: tuple[str, ...]
    exercise: Exercise
    steps: tuple[Step, ...]

    @property
    def takes_table(self) -> bool:
        """Whether the presenter's own records can replace the sample's."""
        return bool(self.asked_columns)

    def prepare(self, tracker: Tracker | None = None) -> None:
        """Plays everything once out of sight, so that nothing fails or takes long before a room.

        Args:
            tracker: Progress and cancel.

        Raises:
            InputError: The file has settings that cannot be shown; file and step are named.
            DpdeskError: The presenter's data do not fit.
            Cancelled: The user cancelled.
        """
        tracker = untracked() if tracker is None else tracker
        for step in self.steps:
            step.rehearse(tracker)
        with _rehearsed(self.exercise.place, self.exercise.inputs):
            self.exercise.scene()


@contextmanager
def _rehearsed(place: str, inputs: Inputs) -> Iterator[None]:
    """Says in which place of the file settings are that cannot be shown."""
    try:
        yield
    except Cancelled:
        raise
    except DpdeskError as error:
        if inputs.table is not None:
            raise
        problem = T.AT(place="settings", problem=error.message)
        refused = InputError(T.AT(place=place, problem=problem), remedy=error.remedy)
    except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError):
        if inputs.table is not None:
            raise
        # Settings that are valid one by one and impossible together.
        refused = InputError(T.NOT_COMPUTED(place=place))
    else:
        return
    raise refused


def _check(scene: Scene) -> None:
    for picture in scene.pictures:
        if isinstance(picture, Bars):
            picture.check()


def _scene(shown: Shown, sentence: str, question: str, inputs: Inputs) -> Scene:
    # The ends of an axis were chosen for the data of the file; own data may go beyond them.
    own = inputs.table is not None
    pictures = (
        picture.widened() if own and isinstance(picture, Bars) else picture
        for picture in shown.pictures
    )
    texts = {name: CountedText(number.text) for name, number in shown.numbers.items()}
    numbers = {name: number.value for name, number in shown.numbers.items()}
    return Scene(
        tuple(pictures), sentence.format(**texts, **shown.words, question=question), numbers
    )
