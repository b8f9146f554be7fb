"""The Python interface of dpdesk: its commands as functions with typed results.

    import dpdesk

    plan = dpdesk.draft("answers.csv", purpose="tables", confirm_domains=True)
    done = dpdesk.release("answers.csv", plan, "release")
    table = dpdesk.estimate("release", cross=["education", "vote"])

Each function takes the options of the command of its name, by their words (`--confirm-domains` is
`confirm_domains=True`), reads them as the command line does and calls what the command calls, so
that both refuse the same with the same sentences, as exceptions of `dpdesk.errors`. Nothing is
printed but notes, which go to standard error as they do there, and nothing is asked. Plans are
`dpdesk.plan.Plan` or the file of one. No window and no Qt is imported.

`import dpdesk` alone costs next to nothing: a function loads what it needs when it is called first.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from dpdesk.cli.call import (
    Columns,
    Option,
    Options,
    PathLike,
    Survey,
    file_if_any,
    file_of_plan,
    function_of,
    options_of_values,
    takes_tables,
    typed_columns,
)
from dpdesk.data.tabular import Tabular
from dpdesk.errors import ParameterError
from dpdesk.requests.coarsen import CoarsenRequest
from dpdesk.requests.simulations import ExperimentRequest, LearningRequest

if TYPE_CHECKING:
    from dpdesk.cli.check import Checked
    from dpdesk.data.table import SurveyTable
    from dpdesk.designs.inference import WaldTest
    from dpdesk.estimation import EstimateRow, Released
    from dpdesk.estimation.joint import JointEstimates
    from dpdesk.estimation.regression import Regression
    from dpdesk.estimation.released import ReleasedStatistics
    from dpdesk.plan import Plan
    from dpdesk.preview.recognisable import Measured
    from dpdesk.preview.survey import SupposedSurvey
    from dpdesk.releases.release import Release
    from dpdesk.reports.public import PublicReport
    from dpdesk.reports.statistics.public import StatisticsReport


@takes_tables
def read(data: Survey, *, plan: Plan | PathLike | None = None, **options: Options) -> SurveyTable:
    """Reads a survey as `dpdesk check` does: by the plan's reading, or as it seems to be written.

    Args:
        data: The file.
        plan: A plan whose reading is used.
        **options: Those that say how the file is written, such as `delimiter="semicolon"`.

    Raises:
        InputError: The file cannot be read as it stands.
        ParameterError: An option is not possible.
    """
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.plan import Plan, load_plan

    with file_of_plan(plan or Plan()) as file:
        asked = options_of_values("check", [file, data], options)
    named = None if plan is None else plan if isinstance(plan, Plan) else load_plan(Path(plan))
    return look_at_survey(asked, named)


@takes_tables
def draft(
    data: Survey | None = None,
    *,
    epsilon: Option = None,
    purpose: Literal["shares", "tables", "file"] | None = None,
    strategy: Literal["spl", "smp", "rsfd", "rsrfd"] | None = None,
    declare: Sequence[str] = (),
    set: Sequence[str] = (),
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    codebook: PathLike | None = None,
    confirm_domains: bool = False,
    **options: Options,
) -> Plan:
    """Proposes a plan for a survey: kind, domain, mechanism and epsilon of every column.

    Args:
        data: The survey; may be left out where there is a codebook.
        epsilon: Of a respondent's whole record.
        purpose: What people will do with the records.
        strategy: What a respondent reports.
        declare: What columns can hold, such as "age=17..90".
        set: Mechanisms of columns, such as "age=duchi:1.5".
        drop: Columns to leave out.
        keep: Columns to release as they are, without protection.
        codebook: Kinds, labels, domains and codes.
        confirm_domains: Whether everything that is suggested is public knowledge.
        **options: Further options of `dpdesk draft`.

    Raises:
        InputError: The survey cannot be read.
        ParameterError: An option is not possible.
    """
    from dpdesk.cli.draft import drafted

    own: dict[str, Options] = {
        "epsilon": epsilon,
        "purpose": purpose,
        "strategy": strategy,
        "declare": declare,
        "set": set,
        "drop": drop,
        "keep": keep,
        "codebook": codebook,
        "confirm_domains": confirm_domains,
        # The command writes its plan; here it is returned, and `dpdesk.plan.save_plan` writes it.
        "out": Path(tempfile.gettempdir()) / "dpdesk-plan-that-is-not-written.json",
    }
    words = [] if data is None else [data]
    return drafted(options_of_values("draft", words, own | options))[0]


@takes_tables
def check(plan: Plan | PathLike, data: Survey | None = None, **options: Options) -> Checked:
    """Returns every problem of a plan, by itself and on a survey, and what it would be worth.

    Args:
        plan: The plan.
        data: The survey, if any.
        **options: Further options of `dpdesk check`.

    Raises:
        InputError: The survey cannot be read.
        PlanError: The plan cannot be read.
    """
    from dpdesk.cli.check import checked

    with file_of_plan(plan) as file:
        words = [file] if data is None else [file, data]
        return checked(options_of_values("check", words, options))


@takes_tables
def release(
    data: Survey,
    plan: Plan | PathLike,
    out: PathLike,
    *,
    population: str | None = None,
    other_people: bool = False,
    **options: Options,
) -> Release[Released, PublicReport]:
    """Sanitizes a survey by a plan into a new folder, whole or not at all, and charges it.

    Args:
        data: The survey.
        plan: The plan.
        out: The folder, which must not exist or be empty.
        population: Name of the people behind the data, whose budget counts.
        other_people: Whether these are other people than those of similar files.
        **options: Further options of `dpdesk release`.

    Raises:
        PlanError: The plan has errors; nothing was charged.
        LedgerError: Nobody said whose data these are, or their cap is reached.
        ReleaseError: The folder cannot be written.
    """
    from dpdesk.cli.release import released

    own: dict[str, Options] = {"population": population, "other_people": other_people}
    with file_of_plan(plan) as file:
        asked = options_of_values("release", [data], {"plan": file, "out": out} | own | options)
        return released(asked, lambda: False)[2]


@dataclass(frozen=True, slots=True, repr=False)
class Estimates(Tabular):
    """Unbiased shares and means from sanitized records.

    Attributes:
        released: The counted reports.
        rows: One row for each share or mean, as `estimates.csv` has them.
        verified: Whether records and plan are those of the manifest.
    """

    released: Released
    rows: tuple[EstimateRow, ...]
    verified: bool
    shown = ("attribute", "category", "label", "estimate", "error_95", "lower", "upper")
    drawn = ("estimate", "lower", "upper")

    def table_rows(self) -> list[dict[str, str | int | float | None]]:
        return [row.as_dict() for row in self.rows]

    def of(self, attribute: str) -> tuple[EstimateRow, ...]:
        """Returns the rows of one attribute."""
        return tuple(row for row in self.rows if row.attribute == attribute)


class _OfRelease(TypedDict, total=False):
    """What every estimate can be told of the release."""

    plan: Plan | PathLike | None
    unverified: bool


class _OfSample(_OfRelease, total=False):
    """What estimates of several attributes can be told of the sample as well."""

    strata: str | None
    clusters: str | None
    lonely_psu: str | None


@overload
def estimate(records: PathLike, **others: Unpack[_OfRelease]) -> Estimates: ...
@overload
def estimate(
    records: PathLike, *, cross: Columns, **others: Unpack[_OfSample]
) -> JointEstimates: ...
@overload
def estimate(
    records: PathLike, *, mean: str, by: Columns, **others: Unpack[_OfSample]
) -> JointEstimates: ...
@overload
def estimate(
    records: PathLike, *, share: str, by: Columns, **others: Unpack[_OfSample]
) -> JointEstimates: ...
@overload
def estimate(
    records: PathLike, *, test: Columns, **others: Unpack[_OfSample]
) -> WaldTest | None: ...
@overload
def estimate(
    records: PathLike, *, formula: str, model: str | None = ..., **others: Unpack[_OfSample]
) -> Regression: ...
def estimate(
    records: PathLike,
    *,
    plan: Plan | PathLike | None = None,
    unverified: bool = False,
    cross: Columns | None = None,
    mean: str | None = None,
    share: str | None = None,
    by: Columns | None = None,
    test: Columns | None = None,
    formula: str | None = None,
    model: str | None = None,
    strata: str | None = None,
    clusters: str | None = None,
    lonely_psu: str | None = None,
) -> Estimates | JointEstimates | Regression | WaldTest | None:
    """Estimates from sanitized records, without the survey.

    Args:
        records: The folder of a release, or its records.
        plan: Its plan, where it is not in the folder.
        unverified: Whether to estimate from records that are not those of the manifest.
        cross: Two or three columns: the share of all respondents with each combination.
        mean: A number, whose mean is estimated in each group of `by`.
        share: A column, whose shares are estimated in each group of `by`.
        by: One column or two. Several are a list of names or, here as well, a text such as "A,B".
        test: Two columns: whether they are independent; None where the records do not say.
        formula: A regression, such as "vote ~ education + age".
        model: Of the regression: "linear", "logistic" or "multinomial".
        strata: A column that says in which stratum respondents were drawn.
        clusters: The same of clusters.
        lonely_psu: What a stratum with a single cluster adds to a variance.

    Raises:
        InputError: The records are not those of a release, or lack a column.
        ParameterError: What is asked cannot be had; the message says why.
    """
    from dpdesk.cli.estimate import read_release
    from dpdesk.cli.joint_estimates import is_joint, joint
    from dpdesk.estimation import estimate_rows, released_from_file

    own: dict[str, Options] = {
        "unverified": unverified,
        "cross": typed_columns(cross),
        "mean": mean,
        "share": share,
        "by": typed_columns(by),
        "test": typed_columns(test),
        "formula": formula,
        "model": model,
        "strata": strata,
        "clusters": clusters,
        "lonely_psu": lonely_psu,
    }
    with file_if_any(plan) as file:
        asked = options_of_values("estimate", [records], {"plan": file} | own)
        if by is not None and not is_joint(asked):
            raise ParameterError(
                "by= needs mean= or share=.",
                remedy="Say what is estimated in each group, such as mean='income', by='region'.",
            )
        found, verified = read_release(asked)
    if is_joint(asked):
        return joint(asked, found)
    released = released_from_file(asked.records, found, with_kept=False)
    rows = tuple(row for one in released.attributes for row in estimate_rows(one))
    return Estimates(released, rows, verified)


@takes_tables
def query(
    data: Survey,
    query: str | Sequence[str] = (),
    *,
    epsilon: Option = None,
    declare: Sequence[str] = (),
    plan: Plan | PathLike | None = None,
    out: PathLike | None = None,
    population: str | None = None,
    other_people: bool = False,
    **options: Options,
) -> Release[ReleasedStatistics, StatisticsReport]:
    """Answers questions about a trusted file with noise, and charges them.

    Args:
        data: The trusted file.
        query: One question or several, such as "mean of age by sex".
        epsilon: Of all of them together.
        declare: What columns can hold, such as "age=17..90".
        plan: A plan that declares them, perhaps with queries of its own.
        out: A new folder to write table, plan and report into; None to write nothing.
        population: Name of the people behind the data, whose budget counts.
        other_people: Whether these are other people than those of similar files.
        **options: Further options of `dpdesk query`, such as `noise` and `respondent`.

    Returns:
        The release; its `report` has the answers.

    Raises:
        ParameterError: A question is not understood, or asks about an undeclared column.
        LedgerError: Nobody said whose data these are, or their cap is reached.
    """
    from dpdesk.cli.query import answered, asked

    own: dict[str, Options] = {
        "query": [query] if isinstance(query, str) else query,
        "epsilon": epsilon,
        "declare": declare,
        "out": out,
        "population": population,
        "other_people": other_people,
    }
    with file_if_any(plan) as file:
        wanted = options_of_values("query", [data], {"plan": file} | own | options)
        return answered(wanted, asked(wanted, lambda: False), lambda: False)


def survey(
    design: str,
    *,
    respondents: int,
    prevalence: float | None = None,
    set: Sequence[str] = (),
    **options: Options,
) -> SupposedSurvey:
    """Supposes a randomized-response survey before it is held.

    Args:
        design: The device, such as "warner" or "forced".
        respondents: How many are asked.
        prevalence: The true share of carriers, for questions answered with yes or no.
        set: Parameters of the device, such as "p=3/4".
        **options: Further options of `dpdesk survey simulate`, such as `shares`, `mean`, `deny`.

    Returns:
        The survey; its `epsilon` is the loss, and `outcomes()` what such surveys would show.

    Raises:
        ParameterError: A word is missing, impossible, or of another kind of question.
    """
    from dpdesk.cli.survey.simulate import supposed

    own: dict[str, Options] = {
        "design": design,
        "respondents": respondents,
        "prevalence": prevalence,
        "set": set,
    }
    return supposed(options_of_values("survey simulate", [], own | options))


@takes_tables
def risk(
    data: Survey,
    *,
    quasi: Sequence[str] | None = None,
    plan: Plan | PathLike | None = None,
    **options: Options,
) -> Measured:
    """Measures how recognisable respondents are by columns that are not randomized.

    Args:
        data: The survey, whose result is private, or the folder of a release.
        quasi: What an outsider may know of a person.
        plan: What is kept as it is, and what means no answer.
        **options: Further options of `dpdesk risk`.

    Raises:
        InputError: The survey cannot be read.
        ParameterError: A column is missing.
    """
    from dpdesk.cli.risk import measured_risk

    own: dict[str, Options] = {"quasi": None if quasi is None else ",".join(quasi)}
    with file_if_any(plan) as file:
        asked = options_of_values("risk", [data], {"plan": file} | own | options)
        # A name may contain a comma.
        asked.quasi = asked.quasi and tuple(quasi or ())
        return measured_risk(asked)[0]


coarsen = function_of(
    CoarsenRequest,
    "dpdesk.cli.coarsen",
    "Makes answers coarser until no record is unique; returns the file before and after.",
)
experiment = function_of(
    ExperimentRequest,
    "dpdesk.cli.experiment",
    "Simulates surveys and returns the errors of strategies; private to the holder of the data.",
)
learn = function_of(
    LearningRequest,
    "dpdesk.cli.learn",
    "Learns from sanitized answers and returns the curve; private to the holder of the data.",
)
