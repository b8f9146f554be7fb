"""The learners: what is trained on sanitized answers, each a kind in one tuple."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import from_extra, kind_named
from dpdesk.i18n import N_
from dpdesk.learning.dependence import Evidence, power_of_evidence
from dpdesk.learning.parts import Part
from dpdesk.learning.traits import Trait, counts_of
from dpdesk.numbers.arrays import Floats

Whole = NDArray[np.int64]

Model = Callable[[Sequence[Floats]], Floats]
"""Takes what is seen of each attribute, shapes (n, width), and returns how likely each class is."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What a learner is trained on.

    Attributes:
        traits: The attributes.
        seen: What is seen of each, shape (n, width); NaN where there is no answer.
        label: The class of each record, shape (n,).
        classes: Number of classes.
        seed: Seed of the learner.
        weights: How much each record counts, 1 on average, shape (n,); None for all alike.
    """

    traits: Sequence[Trait]
    seen: Sequence[Floats]
    label: Whole
    classes: int
    seed: int
    weights: Floats | None = None


class Learner(ABC):
    """A way to learn a label from the other answers of a record."""

    word: ClassVar[str]
    """Its word on the command line."""
    title: ClassVar[str]
    """Its name for people."""
    summary: ClassVar[str]
    """One sentence on how it learns."""
    sees_blanks: ClassVar[bool] = False
    """Whether a cell without an answer is a state of its own for it already."""

    @classmethod
    @abstractmethod
    def fit(cls, lesson: Lesson) -> Model:
        """Learns from answers, or from reports that are taken for answers."""


@dataclass(frozen=True, slots=True, eq=False)
class BayesModel:
    """Naive Bayes: the attributes are independent within a class.

    Attributes:
        shares: Share of each class, shape (classes,).
        parts: One for each attribute.
        power: What the product of their likelihoods is raised to.
    """

    shares: Floats
    parts: Sequence[Part]
    power: float = 1.0

    def __call__(self, seen: Sequence[Floats]) -> Floats:
        """Returns the log-probability of each class but for a constant, shape (n, classes)."""
        with np.errstate(divide="ignore"):
            of_classes = np.log(self.shares)
        parts = (p.log_likelihood(s) for p, s in zip(self.parts, seen, strict=True))
        if self.power == 1:
            return np.asarray(sum(parts, of_classes))
        return np.asarray(of_classes + self.power * sum(parts))


class NaiveBayes(Learner):
    """Naive Bayes: normal numbers, shares of categories and options."""

    word = "naive_bayes"
    title = N_("Naive Bayes")
    summary = N_(
        "Each answer speaks for a class by itself: numbers by mean and variance, categories by "
        "their shares."
    )

    @classmethod
    def fit(cls, lesson: Lesson) -> Model:
        counts = np.bincount(lesson.label, weights=lesson.weights, minlength=lesson.classes)
        shares = counts / counts.sum()
        own = counts_of(lesson.label, lesson.classes, lesson.weights)
        parts = [
            trait.learn(seen, own) for trait, seen in zip(lesson.traits, lesson.seen, strict=True)
        ]
        return BayesModel(shares, parts)


def without_noise(evidence: Evidence) -> Model:
    """Returns naive Bayes with the noise taken out, from sanitized records alone."""
    parts = evidence.parts()
    return BayesModel(evidence.label.shares, parts, power_of_evidence(evidence, parts))


class _Library(Learner):
    """A learner of scikit-learn, on one table of numbers and indicators."""

    sees_blanks = True

    @classmethod
    @abstractmethod
    def estimator(cls, lesson: Lesson) -> Any:
        """Returns the estimator, not yet fitted."""

    @classmethod
    def fit(cls, lesson: Lesson) -> Model:
        def table(seen: Sequence[Floats]) -> NDArray[np.float32]:
            joined = np.hstack(seen).astype(np.float32)
            # The middle of a range says least.
            return joined if cls.sees_blanks else np.nan_to_num(joined, nan=0.5)

        found = np.unique(lesson.label)
        if found.size == 1:
            only = np.zeros(lesson.classes)
            only[found] = 1.0
            return lambda seen: np.tile(only, (len(seen[0]), 1))
        with from_extra("learning", "Learners of scikit-learn"):
            from threadpoolctl import threadpool_limits

            estimator = cls.estimator(lesson)
        # Threads of a small fit wait for each other, which costs more than they save.
        with threadpool_limits(1):
            estimator.fit(table(lesson.seen), lesson.label, lesson.weights)

        def likely(seen: Sequence[Floats]) -> Floats:
            chances = np.zeros((len(seen[0]), lesson.classes))
            with threadpool_limits(1):
                chances[:, found] = estimator.predict_proba(table(seen))
            return chances

        return likely


class Logistic(_Library):
    """Logistic regression."""

    word = "logistic"
    title = N_("Logistic regression")
    summary = N_("Each answer moves the log-odds of a class by a weight (scikit-learn).")
    sees_blanks = False

    @classmethod
    def estimator(cls, lesson: Lesson) -> Any:
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(max_iter=500)


class Tree(_Library):
    """A decision tree."""

    word = "tree"
    title = N_("Decision tree")
    summary = N_("At most 16 groups by questions about single answers (scikit-learn).")

    @classmethod
    def estimator(cls, lesson: Lesson) -> Any:
        from sklearn.tree import DecisionTreeClassifier

        leaf: dict[str, float] = {"min_samples_leaf": 5}
        if lesson.weights is not None:
            # A share of all, which is just below that of 5 records so that rounding keeps these.
            leaf = {"min_weight_fraction_leaf": min(4.999 / lesson.label.size, 0.5)}
        return DecisionTreeClassifier(max_leaf_nodes=16, random_state=lesson.seed, **leaf)


class Boosting(_Library):
    """Boosted trees."""

    word = "boosting"
    title = N_("Boosted trees")
    summary = N_("Fifty small trees, each of which corrects those before it (scikit-learn).")

    @classmethod
    def estimator(cls, lesson: Lesson) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(
            max_iter=50, max_depth=3, early_stopping=False, random_state=lesson.seed
        )


LEARNERS: tuple[type[Learner], ...] = (NaiveBayes, Logistic, Tree, Boosting)
"""Every learner, in the order in which they are offered."""


def learner_named(name: str) -> type[Learner]:
    """Returns the learner with a name.

    Raises:
        ParameterError: There is none.
    """
    return kind_named({learner.word: learner for learner in LEARNERS}, name, "learner")
