"""What a control is for: one text for each, asked for by Shift+F1 and a click.

A control says it by its own "What's This", its tooltip or its description for screen readers. What
says no more than its name is explained here, by that name; what is not, by the part of the page
around it, or by the page.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtWidgets import QAbstractScrollArea, QTabBar, QWhatsThis, QWidget

from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.i18n import N_

_MARKUP = re.compile(r"<[^>]+>")
_KEYS = re.compile(r"\s*\((?:Ctrl|Alt|Shift|F\d|Enter|Esc)[^)]*\)\s*$")

SENTENCES = {
    # The places
    "Data": N_("Opens answers or begins a questionnaire, and says what each column is."),
    "Plan": N_("Chooses what protects each answer, and shows the error that it costs."),
    "Simulate": N_("Supposes a survey that is still to be held: question, device and sample."),
    "Collected": N_("Estimates from answers that were collected through a device."),
    "Release": N_("Shows what will be written, writes it, and shows the results."),
    "Risk": N_("Measures how recognisable respondents are by what is not protected."),
    "Learn": N_("Guided demonstrations for a room, and their handouts."),
    # Data
    "Choose protection": N_("Goes to Plan, where the protection of each column is chosen."),
    "Label": N_(
        "The question as it was asked; it stands in reports beside the name of the column."
    ),
    "In the release: Protect": N_("Each answer is replaced by a randomized report."),
    "In the release: Keep as it is": N_(
        "The answers are released as they are: nobody is protected."
    ),
    "In the release: Drop": N_("The column is left out of the release, and costs nothing."),
    "About the column": N_("What it can hold, how missing answers are written, and its rows."),
    "Confirm all": N_("Lists every domain that is not confirmed, rare answers first."),
    "An empty cell is no answer": N_("Otherwise an empty cell counts as an answer of its own."),
    "Codes that mean no answer": N_("Such as 99 or n/a, with commas between them."),
    "What a missing answer becomes": N_("A report of its own kind, an answer by chance, or none."),
    "Asked only where": N_("A condition on earlier answers: others were not asked this question."),
    'Category "other"': N_("The answer that every answer outside the list becomes."),
    "Rows of the file": N_("The cells of the column as they stand in the file: private."),
    "Add category": N_("Adds an answer that somebody could have given, though nobody did."),
    "Remove category": N_("Removes the chosen answer; cells with it are outside the domain then."),
    "Move category up": N_("Puts the chosen answer earlier: order matters for ordered answers."),
    "Move category down": N_("Puts the chosen answer later: order matters for ordered answers."),
    "Confirmed by": N_("Who confirmed that the domains were known without looking at the answers."),
    "Protect all unassigned": N_("Gives each column without a role the best mechanism that fits."),
    # Plan
    "Change the budget": N_("The most that one respondent may lose by the whole release."),
    "Split the budget evenly over the attributes not locked": N_(
        "Each attribute gets the same epsilon, so that their sum is the budget."
    ),
    "Give the whole budget to each attribute that is not locked": N_(
        "Where each respondent reports one attribute, each of them can have all of it."
    ),
    "Epsilon for errors: the least ε for the errors that you can live with": N_(
        "Type the error that you accept for each attribute, and take the epsilons over."
    ),
    "Kind of release: records, statistics or synthetic rows": N_(
        "Records give a file of reports; statistics and synthetic rows need a trusted curator."
    ),
    "Split the budget evenly over the statistics not locked": N_(
        "Each statistic gets the same epsilon, so that their sum is the budget."
    ),
    "Most rows of one respondent": N_("How many rows one person may have; noise grows with it."),
    "Confidence of intervals, in per cent": N_("How often an interval holds the true number."),
    "What statistics protect": N_("Opens the page of the help about statistics of a trusted file."),
    "What synthetic rows are": N_("Opens the page of the help about rows that are nobody's."),
    "Number of synthetic rows": N_("How many rows are made up; it needs not be the true number."),
    "Delta: chance that the bound fails": N_("Zero, or much less than one in all respondents."),
    "A combination of answers that cannot be": N_("Rows that hold it are not made up."),
    "Which tables are listed": N_("Those that are kept, those that could be, or all of them."),
    "Tables of the synthetic rows": N_("The pairs of columns whose tables the rows resemble."),
    "Belief before, in per cent": N_("What an onlooker believed before they saw the report."),
    "Next draw": N_("Shows one more release that is only simulated."),
    "Start again, other draws": N_("Begins anew with other simulated releases."),
    "Attributes": N_("A row for each column: its mechanism, its epsilon, and the error it costs."),
    "Epsilon": N_("The strength of protection: small hides much, large errs little."),
    "Views of the attribute": N_("The same attribute by its outcome, noise, error and attackers."),
    "Numbers of the plot as a table": N_("Every number that the plot draws, to read or to copy."),
    "95 % error I can live with": N_("Type an error; the least epsilon that reaches it is taken."),
    "Mechanism": N_("The rule that turns an answer into a report; the list says what each errs."),
    # Simulate
    "Help on this page": N_("Opens the page of the help about what is shown here."),
    "Views of the survey": N_("The same survey by its error, one by one, and what it discloses."),
    "Number of simulated surveys": N_("More of them make a smoother picture and take longer."),
    "Design": N_("The rule by which respondents answer: what they toss, draw or count."),
    "At what the designs are equal": N_("What all compared designs share, so that errors compare."),
    "How the 95 % error is drawn": N_("As a surface, or as lines over people or over epsilon."),
    "Play": N_("Goes on by itself until Pause."),
    "Next respondent": N_("Asks one more person."),
    "From the first respondent": N_("Asks everybody anew."),
    "Speed": N_("How fast people are asked while it plays."),
    "What each answer discloses": N_("What an onlooker believes of a person after each answer."),
    "Find": N_("What is wanted: the number of people, the error, or the epsilon."),
    "One question": N_("A sample for one question of the whole population."),
    "Strata": N_("A sample that is divided over groups of people."),
    "Questionnaire": N_("A sample for several questions that share an epsilon."),
    "Copy": N_("Puts the table on the clipboard."),
    "Numbers of the view as a table": N_("Every number that the view draws, to read or to copy."),
    "Save the picture or the results": N_("Writes what is shown to a file: PNG, SVG, CSV or JSON."),
    "Seed of the simulation": N_("The same number draws the same surveys again."),
    "Other designs to compare with": N_("Further devices whose error is drawn beside this one's."),
    "Direct question": N_("The error of a direct question that everybody answers truthfully."),
    "Rooms of the page": N_("What one question would give, or a sample for a wanted error."),
    # Collected
    "Column of the answers": N_("The column of the file that holds what respondents answered."),
    "What means yes": N_("Which of its answers counts as yes; the other one is no."),
    "Estimates for groups of": N_("A column by whose answers people are told apart."),
    "Weights": N_("The column that says how many people each respondent stands for."),
    "Logistic regression on": N_("Columns whose influence on the true answer is estimated."),
    "Offer strata, clusters and devices too": N_("Asks for the columns that describe the sample."),
    "Estimate": N_("Computes shares, groups and regression from the open answers."),
    "The estimates as a table": N_("Every number of the estimates, to read or to copy."),
    # Release
    "Open data": N_("Asks for a file of answers."),
    "What will be released": N_("Each statistic with its noise and its epsilon."),
    "Treatment of every column": N_("What becomes of each column in the release."),
    "Choose the folder that the release is put in": N_("A new folder is made in it."),
    "Title": N_("The title of the privacy report."),
    "Curator": N_("Who holds the true answers and answers for the release."),
    "Region": N_("Where the respondents live; it stands in the report."),
    "Sector": N_("The field of the survey, such as health; it stands in the report."),
    # Risk
    "What would help": N_("Columns whose dropping or coarsening hides most respondents."),
    "Parts of the risk": N_("Columns, single records, attacks, learning, and coarser answers."),
    "In which order columns are added": N_(
        "From the column that tells least, or most, or as chosen."
    ),
    "Riskiest records": N_("Groups of the fewest respondents with the same answers: private."),
    "Attacks": N_("How often somebody who knows the plan finds out a true answer."),
    "What is predicted": N_("The column that a program learns to tell from the others."),
    "What learns": N_("The program that learns from the reports."),
    "What is tested": N_("True or reported answers that the program has not seen."),
    "What is measured": N_("Of what the program is right: of people, or of each answer alike."),
    "What an epsilon is of": N_("Of each answer, or of the whole record of a person."),
    "Learn from my file": N_("Repeats the experiment on the open data; nothing is released."),
    "Help on what can be learnt": N_("Opens the page of the help about learning from noise."),
    "Undo": N_("Takes the last step back."),
    "Find a column": N_("Lists only columns whose names hold these letters."),
    "Add the column earlier": N_("Moves the chosen column up in the order of what is known."),
    "Add the column later": N_("Moves the chosen column down in the order of what is known."),
}  # fmt: skip
"""What says nothing of its own, by its name for screen readers."""

_COMPARED = N_("Draws the error of this design beside that of the survey.")
_BEGINNINGS = {
    "Remove “": N_("Takes this answer off the list."),
    "Words of answer": N_("How the answer is called in questions, pictures and papers."),
    "File of levels of": N_("Reads from a file how answers of the column become coarser."),
    "Crosswise": _COMPARED,
    "Unrelated question": _COMPARED,
    "Forced response": _COMPARED,
    "GRR, by": _COMPARED,
    "OUE, by": _COMPARED,
    "Multiplicative": _COMPARED,
}
"""The same for names that end in words of the user or of a design."""


def name_of(widget: QWidget) -> str:
    """The name of a control as screen readers say it, without its keys."""
    name = widget.accessibleName()
    if not name:
        name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    return _bare(name)


def what_is(widget: QWidget) -> str:
    """What a control is for; never empty or its name alone.

    Returns:
        A sentence; "" where nothing is said of it or of any control around it.
    """
    at: QWidget | None = widget
    while at is not None:
        if found := own_words(at):
            return found
        at = None if at.isWindow() else at.parentWidget()
    return ""


def own_words(widget: QWidget) -> str:
    """What is said of this very control, beyond its name; "" where nothing is."""
    name = name_of(widget)
    said = (widget.whatsThis(), widget.toolTip(), widget.accessibleDescription())
    for text in said:
        words = _MARKUP.sub(" ", text).strip()
        if words and _bare(words).casefold() != name.casefold():
            return words
    begins = (said for begin, said in _BEGINNINGS.items() if name.startswith(begin))
    sentence = SENTENCES.get(name) or next(begins, "")
    return QCoreApplication.translate("WhatIsThis", sentence) if sentence else ""


class _Asking(QObject):
    """Answers what is asked of controls while one is pointed at."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Says what a control is, and leaves with the mode."""
        kind = event.type()
        if kind == QEvent.Type.LeaveWhatsThisMode:
            self._stop()
        if not isinstance(watched, QWidget):
            return False
        if kind == QEvent.Type.QueryWhatsThis:
            event.setAccepted(bool(what_is(_control_at(watched))))
            return True
        if kind == QEvent.Type.WhatsThis and isinstance(event, QHelpEvent):
            words = what_is(_control_at(watched))
            if words:
                QWhatsThis.showText(event.globalPos(), plain_tooltip(words), watched)
            event.setAccepted(bool(words))
            return True
        return False

    def _stop(self) -> None:
        application = QCoreApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self.deleteLater()


def ask_what_it_is() -> None:
    """Waits for a click on a control, and says what that is."""
    application = QCoreApplication.instance()
    if application is not None and not QWhatsThis.inWhatsThisMode():
        application.installEventFilter(_Asking(application))
        QWhatsThis.enterWhatsThisMode()


def _control_at(widget: QWidget) -> QWidget:
    """The control that a viewport or an inner part belongs to."""
    parent = widget.parentWidget()
    if isinstance(parent, QAbstractScrollArea | QTabBar) and not widget.accessibleName():
        return parent
    return widget


def _bare(text: str) -> str:
    """A text without mnemonics, dots and keys behind it."""
    return _KEYS.sub("", text.replace("&", "").strip()).rstrip("….").strip()
