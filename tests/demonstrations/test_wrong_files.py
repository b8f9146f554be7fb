"""Files whose settings cannot be shown are refused, with file and step, before a room sees them."""

from __future__ import annotations

import json
import math
import random
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from dpdesk.demonstrations import read_demonstration
from dpdesk.demonstrations.drawing import markup
from dpdesk.errors import DpdeskError
from dpdesk.resources import resource

Place = tuple[Any, ...]

NUMBERS = (-1, 0, 0.5, 1e-300, 1e9, 10**30, -1e308, math.inf, -math.inf, math.nan, "x", True, [])
TEXTS = ("", "x", 5, "{} {}", "{x}", "{", "inf", "1/2", "0", "-1", "kuk", "christofides", [], {})


def toml(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else f"{value:+}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {toml(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def written(folder: Path, name: str, content: dict[str, Any]) -> Path:
    path = folder / name
    lines = [f"{json.dumps(key)} = {toml(value)}" for key, value in content.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def leaves(value: object, place: Place = ()) -> Iterator[tuple[Place, object]]:
    match value:
        case dict():
            for key, one in value.items():
                yield from leaves(one, (*place, key))
        case list():
            for number, one in enumerate(value):
                yield from leaves(one, (*place, number))
        case _:
            yield place, value


def changed(content: dict[str, Any], place: Place, value: object) -> dict[str, Any]:
    content = deepcopy(content)
    at: Any = content
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    return content


def refusal(path: Path) -> DpdeskError | None:
    """Why a file is refused; None if everything that a presenter can reach is shown."""
    try:
        found = read_demonstration(path)
        found.prepare()
    except DpdeskError as error:
        return error
    assert all(markup(step.scene().pictures, "") for step in found.steps)
    return None


@pytest.fixture
def steps(tmp_path: Path):
    def write(number: int, **changes: object) -> Path:
        name = "02-more-people.toml" if "least" in changes else "11-the-room-answers.toml"
        content = tomllib.loads(resource(f"learn/{name}").read_text(encoding="utf-8"))
        step = content["steps"][number - 1]
        for key, value in changes.items():
            (step["choices"] if key == "name" else step["settings"])[key] = value
        return written(tmp_path, name, content)

    return write


@pytest.mark.parametrize(
    ("number", "changes", "told"),
    [
        (2, {"least": 95}, "02-more-people.toml is not valid. step 2: settings: .*from 95 to 90"),
        (2, {"least": -math.inf}, "step 2: settings: least: Input should be a finite number"),
        (
            4,
            {"design": {"kind": "kuk", "p1": "3/4", "p2": "1/4"}},
            "step 4: .* kuk.* warner",
        ),
        (
            4,
            {"design": {"kind": "christofides"}},
            "11-the-room-answers.toml.*step 4: .*christofides",
        ),
        (4, {"design": {"kind": "warner", "p": "1/2"}}, "step 4: .*do not depend on the trait"),
        (7, {"name": "{} {} rooms"}, "step 7: choices: name: .*Write {} once"),
        (7, {"name": "{x} rooms"}, "step 7: choices: name: .*Write {} once"),
        (7, {"name": "rooms"}, "step 7: choices: name: .*Write {} once"),
    ],
)
def test_that_settings_that_cannot_be_shown_are_refused_with_their_step(
    steps, number: int, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(DpdeskError, match=told) as refused:
        read_demonstration(steps(number, **changes))
    assert refused.value.remedy


def test_that_what_only_playing_shows_names_file_and_step(tmp_path: Path) -> None:
    name = "08-names-are-not-enough.toml"
    content = tomllib.loads(resource(f"learn/{name}").read_text(encoding="utf-8"))
    wrong = changed(content, ("steps", 5, "settings", "excluded"), "hunger")
    with pytest.raises(DpdeskError, match=f"{name}, step 6: settings: .*hunger"):
        read_demonstration(written(tmp_path, name, wrong)).prepare()


def test_that_a_changed_file_plays_to_its_end_or_is_refused_by_name(tmp_path: Path) -> None:
    rng = random.Random(22)
    # What is learnt takes a second to compute, and has no settings of other kinds.
    files = [p for p in sorted(resource("learn").glob("*.toml")) if "learning" not in p.name]
    refused = 0
    for _ in range(16):
        path = rng.choice(files)
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        place, value = rng.choice(list(leaves(content)))
        other = rng.choice(TEXTS if isinstance(value, str) else NUMBERS)
        wrong = refusal(written(tmp_path, path.name, changed(content, place, other)))
        if wrong is not None:
            refused += 1
            assert path.name in str(wrong), (place, value, other)
            assert place[0] != "steps" or f"step {place[1] + 1}" in str(wrong), (place, other)
            assert wrong.remedy
    assert 3 < refused < 16


def test_that_an_axis_that_would_cut_a_bar_is_refused_before_a_room_sees_it(tmp_path: Path) -> None:
    name = "01-two-coins.toml"
    content = tomllib.loads(resource(f"learn/{name}").read_text(encoding="utf-8"))
    wrong = changed(content, ("steps", 6, "settings", "largest"), 6000)
    # A ghost is a bar like another.
    told = "step 7, choice more truth: .*formerly” of 6,085"
    with pytest.raises(DpdeskError, match=told):
        read_demonstration(written(tmp_path, name, wrong)).prepare()
    wrong = changed(wrong, ("steps", 6, "settings", "largest"), 1000)
    with pytest.raises(DpdeskError, match=r"choice the coins: .*“with the device” of 1,476"):
        read_demonstration(written(tmp_path, name, wrong)).prepare()


def test_that_a_device_without_the_chances_of_the_rule_is_refused(tmp_path: Path) -> None:
    name = "11-the-room-answers.toml"
    content = tomllib.loads(resource(f"learn/{name}").read_text(encoding="utf-8"))
    content["steps"][0]["settings"] = {"device": "card_suit"}
    found = read_demonstration(written(tmp_path, name, content))
    assert "the suit of the card is" in str(found.steps[0].scene().pictures[0])
    for word, told in (
        ("die", "The device die lacks"),
        ("stone", "There is no device stone"),
    ):
        content["steps"][0]["settings"] = {"device": word}
        with pytest.raises(DpdeskError, match=f"step 1: settings: {told}"):
            read_demonstration(written(tmp_path, name, content))
