"""Missing answers of a column: which texts mean "no answer", and what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.data.missing_codes import CodeRange, TypedCodes, codes_text
from dpdesk.domains import SUPPOSED_MISSING, AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Text
from dpdesk.numbers import exact_number, exact_share
from dpdesk.plan.filter_question import AskedIf, SupposedShare
from dpdesk.plan.texts import T

PolicyName = Literal["none", "category", "value", "protect", "blank"]
"""Names of the treatments."""


class MissingPolicy(BaseModel):
    """What happens to a missing answer, before the mechanism.

    Attributes:
        tokens: Texts that mean "no answer"; the default includes the empty cell.
        ranges: Ranges of numbers that mean the same.
        labels: What a code means, such as "refused", by its text or the text of its range.
        answers: Texts that look like codes, and of which somebody said that they are answers. A
            release does not publish them.
        policy: Name of the treatment, one of `TREATMENTS`.
        value: The category's text, or the declared value; empty where there is none.
        empty_decided: Whether somebody said that an empty cell of a question with several answers
            is no answer, and not that nothing was ticked.
        supposed_share: Share of missing answers that the error of a plan is worked out for, of the
            respondents who were asked. It is never taken from the data.
        asked: Who was asked at all, where that depends on another question; None for everybody.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: tuple[Annotated[str, Field(max_length=1000)], ...] = ("",)
    ranges: Annotated[
        tuple[CodeRange, ...], Field(max_length=20, exclude_if=lambda ranges: not ranges)
    ] = ()
    labels: Annotated[
        Mapping[
            Annotated[str, Field(max_length=1000)],
            Annotated[str, Field(min_length=1, max_length=200)],
        ],
        Field(exclude_if=lambda labels: not labels),
    ] = Field(default_factory=dict)
    answers: Annotated[
        tuple[Annotated[str, Field(max_length=1000)], ...],
        Field(max_length=100, exclude_if=lambda answers: not answers),
    ] = ()
    empty_decided: Annotated[bool, Field(exclude_if=lambda decided: not decided)] = False
    policy: PolicyName = "none"
    value: Annotated[str, Field(max_length=1000)] = ""
    supposed_share: Annotated[
        SupposedShare, Field(exclude_if=lambda share: share == SUPPOSED_MISSING)
    ] = SUPPOSED_MISSING
    asked: Annotated[AskedIf | None, Field(exclude_if=lambda asked: asked is None)] = None

    @model_validator(mode="after")
    def _value_is_given(self) -> MissingPolicy:
        if self.treatment.has_value != bool(self.value):
            raise ParameterError(T.POLICY_VALUE_UNFIT())
        return self

    @model_validator(mode="after")
    def _labels_are_of_codes(self) -> MissingPolicy:
        if not set(self.labels) <= {*self.tokens, *(one.text for one in self.ranges)}:
            raise ParameterError(T.LABEL_WITHOUT_CODE())
        return self

    def __hash__(self) -> int:
        # A plan's checks are cached by column; pydantic hashes no mapping.
        return hash((self.tokens, self.ranges, self.policy, self.value, self.supposed_share))

    def changed(self, **changes: Any) -> MissingPolicy:
        """Returns this policy with fields changed and validated again.

        Raises:
            pydantic.ValidationError: A change is invalid.
        """
        fields = {key: getattr(self, key) for key in MissingPolicy.model_fields}
        return MissingPolicy(**(fields | changes))

    def with_codes(self, codes: TypedCodes, *, empty: bool = True) -> MissingPolicy:
        """Returns this policy with other codes; what becomes of missing answers stays.

        Args:
            codes: What means "no answer"; a code among them is no answer any longer.
            empty: Whether the empty cell means it, too.

        Raises:
            pydantic.ValidationError: There are too many codes, or one is too long.
        """
        return self.changed(
            tokens=tuple(dict.fromkeys((*([""] if empty else []), *codes.tokens))),
            ranges=codes.ranges,
            labels={code: label for code, label in codes.labels.items() if code or empty},
            answers=tuple(text for text in self.answers if text not in codes.tokens),
        )

    @property
    def treatment(self) -> Treatment:
        """What becomes of missing answers."""
        return TREATMENTS[self.policy]

    @property
    def supposed_missing(self) -> Decimal:
        """The share of all respondents who are supposed to have no answer, asked or not."""
        if self.asked is None:
            return self.supposed_share
        return 1 - self.asked.supposed_share * (1 - self.supposed_share)

    @property
    def supposed_text(self) -> str:
        """That share in print, such as "10 %"."""
        return percent_of(self.supposed_missing)

    @property
    def supposed_words(self) -> str:
        """What an error supposes of missing answers, such as "10 % did not answer"."""
        if self.asked is None:
            return T.NOT_ANSWERED(share=self.supposed_text)
        others, share = percent_of(1 - self.asked.supposed_share), percent_of(self.supposed_share)
        return T.NOT_ASKED(others=others, share=share)

    @property
    def codes(self) -> str:
        """The codes with their labels in one line; the empty cell only where it has a label."""
        return codes_text(self.tokens, self.ranges, self.labels)


class Treatment:
    """What becomes of missing answers: one object for each policy."""

    title: ClassVar[str]
    """The choice in a list, as a sentence about missing answers."""
    meaning: ClassVar[str]
    """What the choice does, as a sentence or two below it."""
    has_value: ClassVar[bool] = False
    """Whether a category or value is declared with it."""
    value_title: ClassVar[str] = ""
    """What that is called in a form."""
    words: ClassVar[str]
    """What they become in a few words, for a table; may hold {value}."""
    report_text: ClassVar[Text]
    """What became of them, for a report; may hold {value}."""
    statistics_text: ClassVar[Text] = T.COUNTED_LEFT_OUT
    """What becomes of them in statistics of the file; may hold {value}."""
    supposes_share: ClassVar[bool] = False
    """Whether planning needs the share of missing answers."""
    stays_blank: ClassVar[bool] = False
    """Whether a missing answer is an empty cell of the release: who answered is then public."""
    hides_who_answered: ClassVar[bool] = False
    """Whether a missing answer goes through the mechanism as a given one does."""
    takes_unread: ClassVar[bool] = True
    """Whether answers that cannot be read or found are taken as missing ones, too."""

    def serves(self, domain: AnyDomain) -> bool:
        """Tells whether the policy can be chosen for a domain."""
        return True

    def default_value(self, domain: AnyDomain) -> str:
        """Returns the category or value to begin with."""
        return ""

    def effective(self, domain: AnyDomain, missing: MissingPolicy) -> AnyDomain:
        """Returns the domain of the mechanism."""
        return domain

    def code(self, domain: AnyDomain, missing: MissingPolicy) -> int:
        """Returns the code of a missing answer on the effective domain; -1 for none."""
        return int(domain.encode([missing.value])[0]) if self.has_value else -1

    def in_statistics(self, missing: MissingPolicy) -> str:
        """Returns what becomes of them in statistics of the file, in a few words."""
        return self.statistics_text(value=missing.value)

    def reports(self, respondents: int, share: float) -> int:
        """Returns how many reports to expect of respondents, a share of whom does not answer."""
        return respondents

    def sentence(self, missing: MissingPolicy) -> str:
        """Returns what became of missing answers, for a report."""
        return self.report_text(value=missing.value)


class _Expected(Treatment):
    """No missing answers are expected."""

    title = N_("None are expected")
    meaning = N_("A missing answer stops the release.")
    words = N_("none")
    report_text = T.TREATED_NONE
    takes_unread = False


class _Category(Treatment):
    """They are a category of the domain."""

    title = N_("A category of their own")
    meaning = N_("They are protected like any other answer, and their share is estimated.")
    words = N_("a category")
    report_text = T.TREATED_CATEGORY
    statistics_text = T.COUNTED_CATEGORY
    hides_who_answered = True
    has_value = True
    value_title = N_("Name of the catego&ry")

    def serves(self, domain: AnyDomain) -> bool:
        return not domain.holds_numbers

    def default_value(self, domain: AnyDomain) -> str:
        return MISSING_CATEGORY

    def effective(self, domain: AnyDomain, missing: MissingPolicy) -> AnyDomain:
        # An option with a separator in its name is a problem of the plan (`check_missing`).
        return domain.with_missing_value(missing.value)


class _Value(Treatment):
    """A declared value takes their place."""

    title = N_("A declared value")
    meaning = N_(
        "Estimates count those who did not answer as this value: they are biased for the true "
        "answers."
    )
    words = N_("become {value}")
    report_text = T.TREATED_VALUE
    statistics_text = T.COUNTED_VALUE
    hides_who_answered = True
    has_value = True
    value_title = N_("Val&ue")

    def default_value(self, domain: AnyDomain) -> str:
        # Any value will do; the last one is least likely to be taken for a real answer.
        return domain.texts[-1]


class _Protected(Treatment):
    """Whether somebody answered is protected together with the number."""

    title = N_("Protected with the number")
    meaning = N_(
        "Who answered stays private, at no further epsilon. Estimated are the share answered and "
        "the mean of those who answered."
    )
    supposes_share = True
    words = N_("protected")
    report_text = T.TREATED_PROTECTED
    hides_who_answered = True

    def serves(self, domain: AnyDomain) -> bool:
        return domain.holds_numbers

    def effective(self, domain: AnyDomain, missing: MissingPolicy) -> AnyDomain:
        return domain.with_missing(float(missing.supposed_missing))

    def code(self, domain: AnyDomain, missing: MissingPolicy) -> int:
        return domain.size


class _Blank(Treatment):
    """They pass through as empty cells: who answered is released without protection."""

    title = N_("An empty cell, not protected: who answered is public")
    meaning = N_(
        "NOT PROTECTED: everybody can see who answered. Answers are protected as usual; estimates "
        "are of those who answered."
    )
    words = N_("left blank, unprotected")
    report_text = T.TREATED_BLANK
    supposes_share = True
    stays_blank = True
    # What is blank because it could not be read would disclose the answer.
    takes_unread = False

    def reports(self, respondents: int, share: float) -> int:
        # Who does not answer makes no report.
        return max(1, round(respondents * (1 - share)))


MISSING_CATEGORY = "(no answer)"
"""Category of missing answers that a plan begins with."""

TREATMENTS: dict[str, Treatment] = {
    "none": _Expected(),
    "category": _Category(),
    "protect": _Protected(),
    "value": _Value(),
    "blank": _Blank(),
}
"""The policies for missing answers, in the order in which they are offered."""

_USUAL = MissingPolicy()


def percent_of(share: Decimal) -> str:
    """Returns a supposed share in print, such as "10 %"; `share_of_percent` reads it."""
    return f"{(100 * share).normalize():f} %"


def supposed_share(typed: str) -> Decimal | None:
    """Reads a supposed share, "0.2" or "20 %"; None if it is none between 0 and 1."""
    share = exact_share(typed)
    return round(share, 6) if share is not None and 0 < round(share, 6) < 1 else None


def share_of_percent(typed: str) -> Decimal | None:
    """Reads a supposed share where per cent are asked for, "20" or "20 %"; None if impossible.

    Below 1 it needs the sign: "0.45" may be meant as 45 %.
    """
    percent = exact_number(typed.strip())
    if percent is None:
        return supposed_share(typed)
    return supposed_share(f"{percent:f}%") if percent >= 1 else None


def protecting(domain: AnyDomain | None, missing: MissingPolicy = _USUAL) -> MissingPolicy:
    """Returns the policy by which missing answers are protected as the answers of a domain are.

    Args:
        domain: The domain; without one, no missing answers are expected.
        missing: The policy whose codes and supposed share it has.
    """
    if domain is None:
        return missing.changed(policy="none", value="")
    for policy in ("category", "protect"):
        treatment = TREATMENTS[policy]
        if treatment.serves(domain):
            return missing.changed(policy=policy, value=treatment.default_value(domain))
    return missing.changed(policy="none", value="")


def suited(missing: MissingPolicy, domain: AnyDomain | None) -> MissingPolicy:
    """Returns the policy of a column that gets another domain, or none; its codes stay.

    What becomes of missing answers stays where it can. Where every text that means no answer now
    says that no option was ticked, no missing answers are left to expect.
    """
    if domain is None:
        return protecting(domain, missing)
    answers = set(domain.never_missing)
    if answers and set(missing.tokens) <= answers and not missing.ranges:
        return missing.changed(policy="none", value="")
    return missing if missing.treatment.serves(domain) else protecting(domain, missing)
