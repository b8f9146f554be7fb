"""The registry entry of a release: its head and its promise as public registries list them.

Registries of differentially private releases ask for the same facts of each: who released what, for
whom the promise holds, how large the loss is, which mechanisms ran, what was done afterwards, and
why. The entry says them in that order, from the public report and from nothing else.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from dpdesk.cost import format_epsilon
from dpdesk.errors import escape_controls
from dpdesk.reports.identity import ReleaseIdentity
from dpdesk.reports.implementation import SoftwareVersion
from dpdesk.reports.public import PublicReport
from dpdesk.reports.section import ExactEpsilon, Named, Section
from dpdesk.reports.statistics.public import StatisticsReport
from dpdesk.reports.synthetic.public import SyntheticReport
from dpdesk.reports.texts import T

REGISTRY_NAME = "registry-entry.yaml"
"""The file of the entry in a release folder."""


class Flavor(Named):
    """Which form of differential privacy holds; `name` is that of the literature."""

    model: Literal["local", "central"]
    """Whether each answer is randomized by itself, or a curator adds noise to results."""
    neighbours: str
    """Which change of the data the loss bounds."""
    unprotected: tuple[str, ...]
    """What is public, or released without protection."""


class PartLoss(Named):
    """The loss of one attribute, query or step."""

    epsilon: str
    """Its epsilon; for synthetic rows its loss as the report gives it."""
    mechanism: str
    """The mechanism, or the kind of noise."""
    reference: str
    """The publication of the mechanism; empty where the report names none."""


class PrivacyLoss(Section):
    """What a respondent loses at most."""

    privacy_unit: str
    """Whom the loss protects."""
    enforcement: str
    """How the bound on a respondent's rows is kept."""
    epsilon: ExactEpsilon
    """Of a person: the whole record, or all queries together."""
    delta: str
    """Chance that the bound fails."""
    composition: str
    """How the losses of the parts add up."""
    parts: tuple[PartLoss, ...]
    """Attributes, queries or steps, in the order of the report."""


class RegistryEntry(Section):
    """Content of `registry-entry.yaml`."""

    format: Literal["dpdesk-registry-entry"]
    """Tag of the file format."""
    version: Literal[1]
    """Version of the file format."""
    name: str
    """Title of the release."""
    release_id: str
    """Its random identifier, as in the report."""
    data_curator: str
    """Who holds the answers and releases."""
    contact: str
    """Whom to ask; a plan holds none, so that it is added by `dpdesk report --contact`."""
    publication_date: datetime.date
    """Day of the release in universal time."""
    intended_use: str
    """What the release is meant for."""
    data_product_type: str
    """What is released."""
    data_product_region: str
    """Region that the survey covers."""
    data_product_sector: str
    """Sector that the survey belongs to."""
    description: str
    """The guarantee in a sentence."""
    dp_flavor: Flavor
    """Which promise it is."""
    privacy_loss: PrivacyLoss
    """How large the loss is."""
    post_processing: tuple[str, ...]
    """What was computed from the released values, as sentences."""
    justification: str
    """Why this loss was chosen; empty where the plan gives no reason."""
    software: tuple[SoftwareVersion, ...]
    """What ran the release."""


def entry_of_records(report: PublicReport, contact: str = "") -> RegistryEntry:
    """Returns the entry of a release of records, from its public report."""
    promise, run = report.guarantee, report.parameters
    return _entry(
        report.identity,
        contact,
        description=promise.sentence,
        dp_flavor=Flavor(
            name=T.PURE_LOCAL(),
            model="local",
            neighbours=report.unit.neighbours,
            unprotected=report.unit.not_protected,
        ),
        privacy_loss=PrivacyLoss(
            privacy_unit=report.unit.unit,
            enforcement=report.unit.enforcement,
            epsilon=promise.epsilon,
            delta=format_epsilon(promise.delta),
            composition=run.composition or report.strategy.losses,
            parts=tuple(
                PartLoss(
                    name=a.name,
                    epsilon=format_epsilon(a.epsilon_asked),
                    mechanism=a.mechanism_title,
                    reference=a.reference,
                )
                for a in run.attributes
            ),
        ),
        post_processing=report.results.post_processing,
        justification=report.justification.whole,
        software=report.implementation.software,
    )


def entry_of_statistics(report: StatisticsReport, contact: str = "") -> RegistryEntry:
    """Returns the entry of a release of statistics, from its public report."""
    parts = tuple(
        PartLoss(
            name=query.name or query.asked,
            epsilon=format_epsilon(query.epsilon_asked),
            mechanism=query.noise.replace("_", " "),
            reference="",
        )
        for query in report.queries
    )
    return _of_trusted_file(report, contact, T.QUERIES_ADD_UP(), parts, (T.NOISY_INTERVALS(),))


def entry_of_synthetic(report: SyntheticReport, contact: str = "") -> RegistryEntry:
    """Returns the entry of a release of synthetic rows, from its public report."""
    parts = tuple(
        PartLoss(
            name=T.PART(count=part.times, what=part.what),
            epsilon=part.loss,
            mechanism=report.noise,
            reference="",
        )
        for part in report.parts
    )
    return _of_trusted_file(report, contact, report.composition, parts, report.use)


def _of_trusted_file(
    report: StatisticsReport | SyntheticReport,
    contact: str,
    composition: str,
    parts: tuple[PartLoss, ...],
    post_processing: tuple[str, ...],
) -> RegistryEntry:
    promise = report.guarantee
    loss = PrivacyLoss(
        privacy_unit=promise.unit,
        enforcement=promise.enforcement,
        epsilon=promise.epsilon,
        delta=promise.delta,
        composition=composition,
        parts=parts,
    )
    return _entry(
        report.identity,
        contact,
        description=promise.sentence,
        dp_flavor=Flavor(
            name=T.PURE_CENTRAL() if promise.delta == "0" else T.APPROXIMATE_CENTRAL(),
            model="central",
            neighbours=promise.neighbours,
            unprotected=promise.not_protected,
        ),
        privacy_loss=loss,
        post_processing=post_processing,
        justification=report.justification,
        software=report.software,
    )


def _entry(identity: ReleaseIdentity, contact: str, **facts: Any) -> RegistryEntry:
    return RegistryEntry(
        format="dpdesk-registry-entry",
        version=1,
        name=identity.title,
        release_id=identity.release_id,
        data_curator=identity.curator,
        contact=contact,
        publication_date=identity.date,
        intended_use=identity.intended_use,
        data_product_type=identity.product_type,
        data_product_region=identity.region,
        data_product_sector=identity.sector,
        **facts,
    )


def entry_yaml(entry: RegistryEntry) -> str:
    """Returns an entry as YAML: every text in double quotes, so that none can mean anything else.

    "no", "1e3", "2024-01-01", a colon, a tab or a line break in a title stays the text that it is.
    """
    return "".join(f"{line}\n" for line in _lines(entry.model_dump(mode="json"), ""))


def _lines(content: Mapping[str, Any], margin: str) -> Iterable[str]:
    for name, value in content.items():
        if isinstance(value, Mapping):
            yield f"{margin}{name}:"
            yield from _lines(value, f"{margin}  ")
        elif isinstance(value, list) and value:
            yield f"{margin}{name}:"
            for each in value:
                if isinstance(each, Mapping):
                    first, *rest = _lines(each, f"{margin}    ")
                    yield f"{margin}  - {first.lstrip()}"
                    yield from rest
                else:
                    yield f"{margin}  - {_scalar(each)}"
        else:
            yield f"{margin}{name}: {_scalar(value)}"


def _scalar(value: object) -> str:
    # Quoted texts of JSON are texts of YAML; a letter beyond 16 bits stands as itself, since YAML
    # joins no surrogates.
    return escape_controls(json.dumps(value, ensure_ascii=False))
