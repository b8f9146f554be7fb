"""The book: the accounts that the rows of a ledger add up to."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from dpdesk.cost import PrivacyCost
from dpdesk.ledgers.account import Cap, KnownFile, OtherPeople, PastRelease, Population
from dpdesk.ledgers.chain import Row


@dataclass
class _Pages:
    """The state of one population while the rows are read."""

    name: str
    declared: bool
    files: list[KnownFile] = field(default_factory=list)
    releases: list[str] = field(default_factory=list)
    caps: dict[str, Cap] = field(default_factory=dict)


@dataclass
class Book:
    """The content of a ledger, read from its rows.

    Attributes:
        begun: When the ledger was begun.
        set_aside: The folder of the ledger that was set aside before, or empty.
        gaps: When it was continued from an older copy, and how many rows were missing then.
    """

    begun: datetime.datetime
    set_aside: str
    gaps: list[tuple[datetime.datetime, int]] = field(default_factory=list)
    _pages: dict[int, _Pages] = field(default_factory=dict)
    _releases: dict[str, PastRelease] = field(default_factory=dict)
    _others: list[OtherPeople] = field(default_factory=list)
    _last_number: int = 0
    _rows_read: int = 1

    @classmethod
    def read(cls, rows: Sequence[Row]) -> Book:
        """Reads the rows of a ledger from the first to the last."""
        content = json.loads(rows[0].content)
        book = cls(_time(content), str(content["set_aside"]))
        book.read_on(rows)
        return book

    def read_on(self, rows: Sequence[Row]) -> None:
        """Reads the rows that were appended since the last reading."""
        for row in rows[self._rows_read :]:
            self._take(row, json.loads(row.content))
        self._rows_read = len(rows)

    @property
    def whole_since(self) -> datetime.datetime:
        """The time since which it has every release."""
        return max([self.begun, *(time for time, _ in self.gaps)])

    def populations(self) -> tuple[Population, ...]:
        """Every population, in the order in which they became known."""
        return tuple(self.population(number) for number in self._pages)

    def population(self, number: int) -> Population:
        """The population with a number."""
        pages = self._pages[number]
        releases = tuple(map(self._releases.__getitem__, pages.releases))
        others = (
            replace(other, name=self._pages[other.than].name)
            for other in self._others
            if other.population == number != other.than
        )
        return Population(
            number,
            pages.name,
            pages.declared,
            tuple(pages.files),
            releases,
            _least(pages.caps),
            tuple(others),
        )

    def of_file(self, fingerprint: str) -> Population | None:
        """The population of a file, or None."""
        for number, pages in self._pages.items():
            if any(known.fingerprint == fingerprint for known in pages.files):
                return self.population(number)
        return None

    def named(self, name: str) -> Population | None:
        """The population with a name, ignoring case, or None."""
        wanted = name_key(name)
        for number, pages in self._pages.items():
            if name_key(pages.name) == wanted:
                return self.population(number)
        return None

    def are_others(self, number: int, than: int) -> bool:
        """Whether the user declared two populations with similar files to be different people.

        Args:
            number: One of them.
            than: The other one.
        """
        pairs = {frozenset((other.population, other.than)) for other in self._others}
        return frozenset((number, than)) in pairs

    def release(self, identifier: str) -> PastRelease | None:
        """The release with an identifier, or None."""
        return self._releases.get(identifier)

    def next_number(self) -> int:
        """A number for a new population."""
        return self._last_number + 1

    def _take(self, row: Row, content: dict[str, Any]) -> None:
        if row.kind == "population":
            number = int(content["population"])
            self._last_number = max(self._last_number, number)
            pages = self._pages.setdefault(number, _Pages("", False))
            pages.name, pages.declared = str(content["name"]), bool(content["declared"])
            if pages.declared:
                self._declare(pages)
        elif row.kind == "file":
            known = KnownFile(
                content["fingerprint"],
                int(content["rows"]),
                int(content["columns"]),
                _time(content),
                row.attachment,
            )
            self._pages[int(content["population"])].files.append(known)
        elif row.kind == "same":
            joined = self._pages.pop(int(content["population"]))
            self._declare(joined)
            self._join(joined, int(content["into"]))
            self._move_others(int(content["population"]), int(content["into"]))
        elif row.kind == "other":
            self._others.append(_other(content))
        elif row.kind == "gap":
            self.gaps.append((_time(content), int(content["missing"])))
        elif row.kind == "cap":
            self._set_cap(content)
        elif row.kind == "charge":
            self._pages[int(content["population"])].releases.append(content["id"])
            self._releases[content["id"]] = _release(content)
        elif row.kind == "outcome":
            self._set_outcome(content)
        elif row.kind == "answers":
            release = self._releases[content["id"]]
            self._releases[release.id] = replace(release, answers=row.attachment)

    def _declare(self, pages: _Pages) -> None:
        for identifier in pages.releases:
            self._releases[identifier] = replace(self._releases[identifier], is_declared=True)

    def _join(self, pages: _Pages, into: int) -> None:
        whole = self._pages[into]
        whole.files += pages.files
        both = sorted(whole.releases + pages.releases, key=lambda i: self._releases[i].time)
        whole.releases = both
        for model, cap in pages.caps.items():
            # Joining may break neither promise: the stricter one holds.
            mine = whole.caps.get(model, cap)
            whole.caps[model] = Cap(min(mine.epsilon, cap.epsilon), min(mine.delta, cap.delta))

    def _move_others(self, joined: int, into: int) -> None:
        moved = {joined: into}
        self._others = [
            replace(
                other,
                population=moved.get(other.population, other.population),
                than=moved.get(other.than, other.than),
            )
            for other in self._others
        ]

    def _set_cap(self, content: dict[str, Any]) -> None:
        caps = self._pages[int(content["population"])].caps
        # Ledgers of earlier versions have a cap of each model; a cap of today replaces both.
        model = content.get("model", "")
        for each in [model] if model else list(caps):
            caps.pop(each, None)
        if content["epsilon"] is not None:
            caps[model] = Cap(Decimal(content["epsilon"]), Decimal(content["delta"]))

    def _set_outcome(self, content: dict[str, Any]) -> None:
        known = self._releases[content["id"]]
        self._releases[known.id] = replace(
            known, outcome=content["outcome"], where=content["where"]
        )


def name_key(name: str) -> str:
    """Returns the form of a name in which names are compared: without case and extra spaces."""
    return " ".join(name.split()).casefold()


def cost_content(cost: PrivacyCost) -> dict[str, str]:
    """Returns a cost in the form in which rows store it."""
    return {
        "epsilon": format(cost.epsilon, "f"),
        "delta": str(cost.delta),
        "model": cost.model,
        "unit": cost.unit,
        "relation": cost.relation,
    }


def _release(content: dict[str, Any]) -> PastRelease:
    rho = content["rho"]
    return PastRelease(
        id=content["id"],
        time=_time(content),
        kind=content["release"],
        title=content["title"],
        plan=content["plan"],
        costs=tuple(_cost(cost) for cost in content["costs"]),
        rho=None if rho is None else Decimal(rho),
        rows=int(content["rows"]),
        outcome="open",
        where="",
        version=content["version"],
        is_declared=bool(content["declared"]),
    )


def _other(content: dict[str, Any]) -> OtherPeople:
    return OtherPeople(
        population=int(content["population"]),
        than=int(content["than"]),
        name="",
        time=_time(content),
        fingerprint=content["fingerprint"],
        known=content["known"],
        sentence=content["alike"],
    )


def _cost(content: dict[str, Any]) -> PrivacyCost:
    return PrivacyCost(
        Decimal(content["epsilon"]),
        Decimal(content["delta"]),
        content["model"],
        content["unit"],
        content["relation"],
    )


def _time(content: dict[str, Any]) -> datetime.datetime:
    return datetime.datetime.fromisoformat(content["time"])


def _least(caps: Mapping[str, Cap]) -> Cap | None:
    """The cap of all releases, from that of each model: the smaller one breaks neither promise.

    A cap of the local model says nothing of delta.
    """
    if not caps:
        return None
    deltas = [cap.delta for model, cap in caps.items() if model != "local"]
    return Cap(min(cap.epsilon for cap in caps.values()), min(deltas, default=Decimal(0)))
