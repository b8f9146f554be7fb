"""A guided demonstration: its steps, each a scene with one sentence and one thing to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpdesk.demonstrations.picture import Picture
from dpdesk.demonstrations.scene import Given, Inputs, SceneKind, Shown, Tallies
from dpdesk.demonstrations.stated import Stated
from dpdesk.engine.jobs import Tracker, untracked


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
        return _scene(shown, self.sentence, self.question)


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
    """

    task: str
    sentence: str
    state: SceneKind
    stated: tuple[Stated, ...]
    inputs: Inputs
    question: str

    def scene(self) -> Scene:
        """Returns the pictures and the numbers of the answer, with the answer as its sentence.

        Raises:
            DpdeskError: The presenter's data do not fit.
        """
        shown = self.state.shown(Given(self.inputs))
        return _scene(shown, self.sentence, self.question)


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
        """Computes what takes long, so that every scene appears at once afterwards.

        Args:
            tracker: Progress and cancel.

        Raises:
            DpdeskError: The presenter's data do not fit.
            Cancelled: The user cancelled.
        """
        tracker = untracked() if tracker is None else tracker
        for step in self.steps:
            for state in step.states:
                state.prepare(Given(step.inputs), tracker)


def _scene(shown: Shown, sentence: str, question: str) -> Scene:
    texts = {name: number.text for name, number in shown.numbers.items()}
    numbers = {name: number.value for name, number in shown.numbers.items()}
    return Scene(
        shown.pictures, sentence.format(**texts, **shown.words, question=question), numbers
    )
