"""The handout of a demonstration: its steps with pictures and numbers, and an exercise.

What the presenter says, and the answer of the exercise, stand on pages of their own at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpdesk.demonstrations.demonstration import Demonstration, Step
from dpdesk.demonstrations.drawing import markup
from dpdesk.reports.page import page


@dataclass(frozen=True)
class HandoutStep:
    """A step as it is printed.

    Attributes:
        number: From 1.
        title: Its title.
        todo: What the presenter does.
        sentence: Its sentence with the numbers of one draw.
        others: The sentence at each other choice, with the name of the choice unless it begins so.
        picture: Markup of its pictures.
        notes: What may be said.
        source: Where it was published; may be empty.
    """

    number: int
    title: str
    todo: str
    sentence: str
    others: tuple[tuple[str, str], ...]
    picture: str
    notes: str
    source: str


def handout_html(demonstration: Demonstration, *, paper: bool = False) -> str:
    """Returns the handout as a page without script and network.

    Scenes that draw are drawn once for the handout: its numbers are those of that draw.

    Args:
        demonstration: The demonstration; `prepare` computes beforehand what takes long.
        paper: Whether the page is for a printer that knows few style rules, as that of the
            window, instead of a browser.

    Raises:
        DpdeskError: The presenter's data do not fit.
    """
    exercise = demonstration.exercise
    return page(
        "handout.html.j2",
        base="paper.html.j2" if paper else "base.html.j2",
        title=demonstration.title,
        demonstration=demonstration,
        steps=_steps(demonstration.steps, paper),
        task=exercise.task,
        answer=exercise.scene().sentence,
        draws=any(step.draws_again for step in demonstration.steps),
    )


def _steps(steps: tuple[Step, ...], paper: bool) -> list[HandoutStep]:
    made, before = [], frozenset[str]()
    for number, step in enumerate(steps, 1):
        # The picture is that of the first choice, which the title is about.
        scene = step.scene()
        captions = [picture.caption for picture in scene.pictures]
        # What stands below the pictures of the step before is not printed again.
        pictures = [
            replace(picture, caption="") if picture.caption in before else picture
            for picture in scene.pictures
        ]
        before = frozenset(captions)
        made.append(
            HandoutStep(
                number,
                step.title,
                step.todo,
                scene.sentence,
                _others(step),
                markup(pictures, " ".join(captions), paper=paper),
                step.notes,
                step.source,
            )
        )
    return made


def _others(step: Step) -> tuple[tuple[str, str], ...]:
    """The sentences of the other choices; a name that begins its sentence is not said twice."""
    told = [
        (name, step.scene(choice=choice).sentence)
        for choice, name in enumerate(step.choices)
        if choice
    ]
    return tuple(
        ("" if sentence.casefold().startswith(name.casefold()) else name, sentence)
        for name, sentence in told
    )
