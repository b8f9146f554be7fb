"""How every command is called with its options: the words that `test_ignored_options` tries."""

from __future__ import annotations

FILE = "survey estimate answers.csv --answer said --missing 9 "
MODES = {
    "counts": "survey estimate --design warner --set p=3/4 --counts 20/48",
    "counts of two groups": "survey estimate --design cheating_detection --set p1=1/4 --set p2=3/4 "
    "--counts 9/24,15/24",
    "file": FILE + "--design warner --set p=3/4",
    "file of two groups": FILE + "--design extended_crosswise --set p=1/4 --group version",
    "file of two items": FILE + "--design anchored_crosswise --set p=3/4 --set anchor=4/5 "
    "--anchor other",
    "file of numbers of cards": "survey estimate answers.csv --answer kind --design kuk --set "
    "p1=3/4 --set p2=1/4 --set draws=2",
    "own chances": FILE + "--a a --b b",
    "answers": "survey estimate --design forced_categories --set "
    "orders=1/6,1/6,1/6 --answers 20,16,12",
    "file of answers": "survey estimate answers.csv --answer kind --design forced_categories "
    "--set orders=1/6,1/6,1/6",
    "mean": "survey estimate --design additive --set scale=2 --set lower=0 --set upper=10 "
    "--set noise=laplace --set center=0 --mean 5 --variance 9 --respondents 48",
    "file of means": "survey estimate answers.csv --answer number --design additive --set "
    "scale=2 --set lower=0 --set upper=10 --set noise=laplace --set center=0",
    "plan with a margin": "survey plan --design warner --set p=3/4 --prevalence 0.1 --margin 0.05",
    "plan with respondents": "survey plan --epsilon 1 --prevalence 0.1 --respondents 900",
    "plan with a power": "survey plan --design warner --set p=3/4 --prevalence 0.1 --against 0.2 "
    "--power 0.8",
    "plan with a test": "survey plan --design warner --set p=3/4 --prevalence 0.1 --against 0.2 "
    "--respondents 900",
    "plan of epsilon": "survey plan --prevalence 0.1 --margin 0.05 --respondents 900",
    "plan of beliefs": "survey plan --prevalence 0.1 --belief 0.5",
    "plan of odds": "survey plan --odds 3",
    "plan of strata": "survey plan --design warner --set p=3/4 --stratum 0.5:0.1 --stratum "
    "0.5:0.3 --respondents 900",
    "plan of strata with respondents": "survey plan --epsilon 1 --stratum 0.5:0.1:400 --stratum "
    "0.5:0.3:500",
    "plan of questions": "survey plan --question 0.1:0.05 --question 0.3:0.05:2 --epsilon 2",
    "plan of answers": "survey plan --design mechanism --set mechanism=grr --set categories=3 "
    "--set epsilon=1 --shares 0.5,0.3,0.2 --margin 0.05",
    "plan of answers with a test": "survey plan --design mechanism --set mechanism=grr --set "
    "categories=3 --set epsilon=1 --shares 0.5,0.3,0.2 --against 0.1 --respondents 900",
    "plan of strata of answers": "survey plan --design matrix --set "
    "rows=8/10,1/10,1/10;2/10,6/10,2/10;1/10,3/10,6/10 --shares 0.5,0.3,0.2 --stratum 0.5:0.1 "
    "--stratum 0.5:0.3 --respondents 900",
    "plan of a number": "survey plan --design additive --set scale=2 --set lower=0 --set upper=10 "
    "--set noise=laplace --set center=0 --mean 5 --deviation 2 --margin 0.5",
    "plan of a number with a power": "survey plan --design additive --set scale=2 --set lower=0 "
    "--set upper=10 --mean 5 --deviation 2 --against 4 --power 0.8",
    "plan of a number under odds": "survey plan --design additive --set scale=2 --set lower=0 "
    "--set upper=10 --mean 5 --deviation 2 --odds 3",
    "plan of questions about numbers": "survey plan --design additive --set scale=2 --set lower=0 "
    "--set upper=10 --deviation 2 --question 5:0.5 --question 6:0.8:2 --epsilon 2",
    "simulate": "survey simulate --design warner --set p=3/4 --prevalence 0.1 --respondents 90",
    "simulate exactly": "survey simulate --design warner --set p=3/4 --prevalence 0.1 "
    "--respondents 90 --exact",
    "simulate answers": "survey simulate --design mechanism --set mechanism=grr --set categories=3 "
    "--set epsilon=1 --shares 0.5,0.3,0.2 --respondents 90",
    "simulate a number": "survey simulate --design additive --set scale=2 --set lower=0 --set "
    "upper=10 --mean 5 --deviation 2 --respondents 90",
    "report": "report made",
    "completion": "completion bash",
    "handout": "handout",
    "handout of one": "handout epsilon-as-odds -o OUT.html",
    "sheet": "survey sheet --design crosswise --set p=1/4 -o OUT.html",
    "designs": "survey designs",
    "devices": "survey devices",
    "mechanisms": "mechanisms",
    "draft": "draft people.csv -o OUT.json --epsilon 3",
    "check a plan": "check plan.json",
    "check a plan on a survey": "check plan.json people.csv",
    "confirm": "confirm plan.json",
    "confirm on a survey": "confirm plan.json sex --data people.csv -o OUT.json",
    "choose": "choose plan.json",
    "query before": "query people.csv --declare sex=m|f --declare age=30..38 --before --epsilon 1 "
    "--query COUNT",
    "synthesize before": "synthesize people.csv --plan plan.json --before",
    "query before, of a plan": "query people.csv --plan asks.json --before",
    "risk": "risk people.csv --quasi sex,age,job",
    "risk without groups": "risk people.csv --quasi sex,age,job --missing any",
    "coarsen": "coarsen people.csv --quasi age,sex --sensitive job --k 6",
    "coarsen cells": "coarsen people.csv --quasi sex,job --k 11 --method cells --suppress 20",
    "coarsen into boxes": "coarsen people.csv --quasi age,sex --k 6 --method mondrian",
    "attack": "attack people.csv --variants grr",
    "attack a plan": "attack people.csv --plan plan.json",
    "attack linkage": "attack linkage people.csv --columns job,age",
    "attack homogeneity": "attack homogeneity people.csv --columns job --column sex",
    "attack differencing": "attack differencing people.csv --column sex",
    "attack tracker": "attack tracker people.csv --columns job,age --column sex",
    "attack averaging": "attack averaging people.csv --column sex",
    "attack reconstruction": "attack reconstruction people.csv --column sex --people 20",
    "attack membership": "attack membership people.csv --columns sex,job,age",
    "attack swapped-coin": "attack swapped-coin",
    "attack largest-value": "attack largest-value people.csv",
    "experiment": "experiment people.csv --strategies spl --epsilons 1 --repetitions 3",
    "learn": "learn people.csv --plan split.json --label sex --epsilons 1 --repetitions 2",
    "learn an example": "learn --example pima-staircase --epsilons 1 --repetitions 2",
    "ledger": "ledger --ledger LEDGER",
    "ledger of data": "ledger people.csv --ledger LEDGER",
}
"""Base words of every way to use a command that computes without the system's random words."""

VALUES = {
    "format": "spss",
    "write": "sav",
    "device": "die",
    "sheet": "Answers",
    "platform": "forms",
    "layout": "people.csv",
    "design": "triangular",
    "set": "p=2/3",
    "counts": "12/40",
    "direct_counts": "5/40",
    "data": "answers.csv",
    "answer": "other",
    "yes": "0",
    "missing": "1",
    "asked": "job=sex=m",
    "by": "region",
    "formula": "age",
    "weights": "w",
    "strata": "s",
    "clusters": "c",
    "population": "5000",
    "lonely_psu": "centred",
    "scores": "OUT.csv",
    "memo": "OUT.html",
    "paper": "letter",
    "pdf": "OUT.pdf",
    "registry": "OUT.yaml",
    "contact": "M. Curie",
    "wording": "Did you?",
    "group": "how",
    "label": "job",
    "example": "pima",
    "analysis": "sex x job",
    "expect": "sex x job",
    "learner": "tree",
    "scale": "record",
    "split_seed": "3",
    "groups": "B,A",
    "a": "b",
    "b": "a",
    "anchor": "said",
    "direct": "how=open",
    "answers": "12,20,16",
    "categories": "2,1,0",
    "mean": "4.5",
    "variance": "8",
    "respondents": "777",
    "confidence": "0.8",
    "prevalence": "0.15",
    "epsilon": "1.5",
    "margin": "0.04",
    "weights_cv": "0.5",
    "against": "0.3",
    "power": "0.7",
    "alpha": "0.1",
    "two_sided": None,
    "second_group": "direct",
    "belief": "0.4",
    "odds": "4",
    "denial": "0.5",
    "shares": "0.4,0.4,0.2",
    "look": "2",
    "deviation": "3",
    "stratum": "1:0.2",
    "allocation": "neyman",
    "question": "0.2:0.05",
    "split": "least",
    "repetitions": "77",
    "seed": "5",
    "exact": None,
    "deny": "0.2",
    "refuse": "0.2",
    "careless": "0.2",
    "innocent": "Is it yours?",
    "out": "OTHER.html",
    "domain_size": "5",
    "strategy": "spl",
    "purpose": "file",
    "fakes": "random",
    "expected": "sex=0.08333333333333333,0.9",
    "drop": "sex",
    "keep": "sex",
    "confirm_domains": None,
    "confirmed_by": "A. Person",
    "codebook": "nothing.json",
    "kind": "sex=nominal",
    "title": "A title",
    "curator": "An office",
    "use": "Teaching",
    "reading": None,
    "names": None,
    "delimiter": "semicolon",
    "quote": "single",
    "header_rows": "2",
    "missing_code": "a",
    "together": "both=sex,job:m,a:f,b,c",
    "join_rows": "job=2",
    "group_size": "7",
    "encoding": "utf-16",
    "decimal": ",",
    "no_header": None,
    "target": "sex=5",
    "query": "count",
    "plan": "plan.json",
    "declare": "job=a|b|c",
    "noise": "laplace",
    "delta": "1e-6",
    "relation": "replace",
    "respondent": "job",
    "rows_per_respondent": "2",
    "one_row_each": None,
    "before": None,
    "save_plan": "OUT2.json",
    "cap": "5",
    "ledger": "LEDGER2",
    "cap_delta": "1e-6",
    "model": "local",
    "rename": "Others",
    "same_people": "one two",
    "set_aside": None,
    "other_people": None,
    "accept_older": None,
    "verify": "FOLDER",
    "enter": "FOLDER",
    "variants": "oue-z",
    "epsilons": "2",
    "knowledge": "partial",
    "compromised": "0.3",
    "classifier": "boosting",
    "synthetic": "2",
    "strategies": "smp",
    "records": "people.csv",
    "column": "job",
    "name": "two-coins",
    "columns": "age",
    "share": "0.5",
    "absent": "0.3",
    "least": "3",
    "excluded": "f",
    "times": "7",
    "tried": "3",
    "people": "8",
    "questions": "30",
    "count": "20",
    "later": "3",
    "register": "people.csv",
    "l_entropy": "2.5",
    "t": "0.05",
    "widths": "age=3,9",
    "level": "age=2",
    "levels_from_data": None,
    "json": None,
    "quiet": None,
}
PERMISSIONS = {"overwrite", "allow_unread", "unverified"}
NOT_TRIED = {"help", "command", "task", *PERMISSIONS}
"""Words that choose what to do; and permissions, which may be given in vain."""

BY_MODE = {
    ("attack", "answer"): "f",
    ("attack", "noise"): "4",
    ("homogeneity", "least"): "25",
    ("largest-value", "column"): "age",
    ("choose", "by"): "var-star",
    ("confirm", "by"): "A. Person",
    ("draft", "weights"): "age",
    ("choose", "out"): "OUT.json",
    ("draft", "out"): "OTHER.json",
    ("draft", "set"): "sex=grr:1",
    ("query", "out"): "FOLDER",
    ("query", "population"): "People",
    ("query", "set"): "",
    ("risk", "quasi"): "sex,job",
    ("risk", "sensitive"): "job",
    ("risk", "weights"): "age",
    ("risk", "k"): "3",
    ("risk", "records"): "1",
    ("risk", "missing"): "any",
    ("risk", "plan"): "plan.json",
    ("synthesize", "out"): "FOLDER",
    ("synthesize", "population"): "People",
    ("synthesize", "rows"): "9",
    ("synthesize", "classes"): "5",
    ("synthesize", "private_diagnostics"): "OUT.json",
    ("synthesize", "delta"): "0.000001",
    ("synthesize", "impossible"): "age is at most 31 and sex is m",
    ("coarsen", "quasi"): "age",
    ("coarsen", "sensitive"): "sex",
    ("coarsen", "k"): "8",
    ("coarsen", "l_distinct"): "3",
    ("coarsen", "suppress"): "25%",
    ("coarsen", "method"): "mondrian-relaxed",
    ("coarsen", "loss"): "precision",
    ("coarsen", "importance"): "sex=9",
    ("coarsen", "declare"): "age=20..59",
    ("coarsen", "plan"): "plan.json",
    ("coarsen", "hierarchy"): "age=nothing.csv",
    ("coarsen", "ordered"): "job",
    ("coarsen", "table"): "age",
    ("coarsen", "keep"): "job",
    ("coarsen", "out"): "FOLDER",
    ("coarsen", "plan_out"): "new.json",
    ("ledger", "population"): "People",
    ("ledger", "data"): "people.csv",
    ("ledger", "plan"): "unknown",
    ("check", "data"): "people.csv",
    ("confirm", "data"): "people.csv",
    ("confirm", "declare"): "sex=m|f|d",
    ("sheet", "question"): "Did you?",
    ("handout", "question"): "Did you?",
    ("sheet", "answer"): "never",
    ("mechanisms", "epsilon"): "1",
}
ATTACKS_ON_DATA = tuple(
    f"attack {name}"
    for name in (
        *("linkage", "homogeneity", "differencing", "tracker", "averaging", "reconstruction"),
        *("membership", "largest-value"),
    )
)
SAME = {
    # What is said is used, and so already: of a survey without fractions, of a ledger without
    # releases, of a plan without problems.
    ("draft", "decimal"),
    ("check a plan", "data"),
    # A format that can hold the records is no problem.
    *((mode, "write") for mode in ("check a plan", "check a plan on a survey")),
    # Their results are documents, which stay.
    *((mode, "quiet") for mode in ("report", "completion")),
    *(("confirm on a survey", name) for name in ("data", "decimal", "quote", "missing_code")),
    ("check a plan on a survey", "decimal"),
    # Whole numbers are the same by any decimal mark, no cell is missing, and nobody is alone.
    *(
        (mode, name)
        for mode in ("risk", "risk without groups")
        for name in ("decimal", "quote", "plan", "missing_code", "records")
    ),
    ("risk without groups", "missing"),
    *(
        (mode, name)
        for mode in ("coarsen", "coarsen cells", "coarsen into boxes")
        for name in ("decimal", "quote")
    ),
    # A missing job is a value of its own, as "a" was one; into boxes go ages and sexes alone.
    *((mode, "missing_code") for mode in ("coarsen", "coarsen into boxes")),
    ("attack", "decimal"),
    ("attack a plan", "decimal"),
    ("experiment", "decimal"),
    ("learn", "decimal"),
    ("ledger", "ledger"),
    *(("ledger of data", name) for name in ("ledger", "delimiter", "decimal", "no_header")),
    ("check a plan on a survey", "encoding"),
    # A ledger that knows nobody has nothing against a release.
    *(("check a plan on a survey", name) for name in ("population", "ledger")),
    ("query before", "plan"),
    ("query before", "declare"),
    ("query before, of a plan", "declare"),
    ("query before", "decimal"),
    ("attack a plan", "plan"),
    # No cell has a mark around it; and what is called missing is a category like any other.
    *((mode, "quote") for mode in ("attack", "attack a plan", "experiment", "learn")),
    *((mode, "missing_code") for mode in ("attack", "experiment")),
    # The plan keeps nothing that an outsider could compare, and says nothing of missing cells.
    *((mode, name) for mode in ATTACKS_ON_DATA for name in ("plan", "decimal", "quote")),
    *((mode, "missing_code") for mode in ATTACKS_ON_DATA),
    # Nobody is alone, and of protected answers the groups tell less than the shares, whatever was
    # drawn; every count is found, and every average is the true count.
    *((f"attack {name}", "seed") for name in ("linkage", "homogeneity", "tracker", "averaging")),
    # Half of the people gave either answer.
    *((f"attack {name}", "answer") for name in ("differencing", "tracker", "averaging")),
    ("attack averaging", "header_rows"),
    # The only column of numbers, which is none of the joined ones.
    ("attack largest-value", "column"),
    ("attack largest-value", "together"),
    # The error of a count says nothing of the rows; neither does a ledger without releases.
    *(
        ("query before", name)
        for name in ("group_size", "quote", "header_rows", "missing_code", "together", "join_rows")
    ),
    # Whose data they are does not depend on which columns or rows are joined.
    *(
        ("ledger of data", name)
        for name in ("quote", "header_rows", "missing_code", "together", "join_rows")
    ),
    # Of noise that is added the mean says nothing; one row of each respondent changes no error.
    ("plan of a number", "mean"),
    # Odds are the device's alone, whatever the people are; a survey of numbers has people.
    *(("plan of a number under odds", name) for name in ("mean", "deviation")),
    # Of numbers alone the classes are chosen, and the rows are as many however they are read.
    ("synthesize before", "together"),
    *(
        ("synthesize before", name)
        for name in ("plan", "classes", "decimal", "quote", "header_rows", "missing_code")
    ),
    ("query before", "respondent"),
    ("query before", "rows_per_respondent"),
    ("query before", "one_row_each"),
}
