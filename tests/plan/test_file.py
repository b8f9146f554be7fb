from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpdesk.errors import PlanError, ReleaseError
from dpdesk.plan import load_plan, plan_from_json, plan_schema, plan_to_json, save_plan
from tests.plan.plans import small_plan


def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(plan_to_json(small_plan()))
    return content


def test_that_a_plan_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    save_plan(small_plan(), path)
    assert load_plan(path) == small_plan()
    assert [p.name for p in tmp_path.iterdir()] == ["plan.json"]


def test_that_an_epsilon_is_stored_as_the_text_that_was_typed() -> None:
    assert _content()["columns"][3]["mechanism"]["epsilon"] == "2.5"


def test_that_a_newer_version_is_refused_by_name() -> None:
    newer = _content() | {"version": 5}
    with pytest.raises(PlanError, match="newer dpdesk"):
        plan_from_json(json.dumps(newer))


def test_that_unknown_content_is_refused_with_its_place() -> None:
    content = _content()
    content["columns"][2]["seed"] = 42
    with pytest.raises(PlanError) as caught:
        plan_from_json(json.dumps(content))
    assert [p.path for p in caught.value.problems] == ["columns.mood.seed"]  # type: ignore[attr-defined]


def test_that_every_fault_is_listed_with_the_columns_name() -> None:
    content = _content()
    content["columns"][1]["mechanism"]["epsilon"] = "1e3"
    content["columns"][3]["mechanism"]["kind"] = "magic"
    with pytest.raises(PlanError) as caught:
        plan_from_json(json.dumps(content))
    paths = [p.path for p in caught.value.problems]  # type: ignore[attr-defined]
    assert paths == ["columns.smokes.mechanism.epsilon", "columns.age.mechanism"]


def test_that_a_fault_in_who_was_asked_is_said_without_words_of_the_program() -> None:
    content = _content()
    content["columns"][1]["missing"]["asked"] = "smoker=yes"
    with pytest.raises(PlanError) as caught:
        plan_from_json(json.dumps(content))
    said = str(caught.value)
    assert "missing.asked: Input should be an object with named fields." in said
    assert "AskedIf" not in said
    assert "fields. Correct these places" in f"{said} {caught.value.remedy}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": "other"}',
        '{"format": "dpdesk-plan", "version": 1, "budget": NaN}',
        '{"format": "dpdesk-plan", "format": "dpdesk-plan"}',
        "[" * 100_000,
        '{"format": "dpdesk-plan", "version": 1, "respondents": ' + "9" * 10_000 + "}",
        '{"format": "dpdesk-plan", "version": 1, "columns": [{"name": "a"}]}',
        '{"format": "dpdesk-plan", "version": 1, "budget": "-1"}',
        '{"format": "dpdesk-plan", "version": true}',
    ],
)
def test_that_what_is_no_plan_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_from_json(text)
    assert str(caught.value).endswith(".")


def test_that_two_columns_of_one_name_are_refused() -> None:
    content = _content()
    content["columns"][2]["name"] = "smokes"
    with pytest.raises(PlanError, match="same name"):
        plan_from_json(json.dumps(content))


def test_that_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00\xd8")
    for path in (binary, tmp_path / "absent.json", tmp_path):
        with pytest.raises(PlanError, match=path.name):
            load_plan(path)


def test_that_a_failed_save_leaves_the_earlier_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan.json"
    save_plan(small_plan(), path)
    before = path.read_bytes()

    def refuse(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(ReleaseError, match="no space"):
        save_plan(small_plan().with_columns(()), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["plan.json"]


def test_that_the_schema_names_every_mechanism() -> None:
    text = json.dumps(plan_schema())
    for kind in ("warner", "grr", "sue", "oue", "bounded_laplace", "duchi"):
        assert f'"{kind}"' in text
