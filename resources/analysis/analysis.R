# Unbiased shares, tables and means from sanitized records.
#
#     Rscript analysis.R            prints the shares and means, a cross-table and means by group
#     Rscript analysis.R --csv      the same as CSV, with all digits
#
# It needs R and no package, and reads records.csv beside it (within R: set the working directory to
# this folder, then source("analysis.R")). Change CROSS, MEAN and BY below, or use the functions:
# cross(c("A", "B")).
#
# Why not simply count? Every answer in records.csv was changed at random before it was released, by
# a law that is public. What stands in a cell is therefore not what somebody answered. Counted one
# by one, the answers look more evenly spread than they are; counted together, they look independent
# of each other although they are not, and that does not go away with more respondents. This script
# corrects for it: in place of each answer it counts numbers, its scores, whose average over the
# random changes is 1 for the true answer and 0 for every other. Averages of scores, and of products
# of scores of several questions, are unbiased. They can come out below 0 or above 1: that is the
# noise, and its size is in the standard errors, which hold sampling and noise together.

# Everything that the records do not say: which columns a question has, the scores of its reports.
RELEASE <- list()

# What to look at together: names of questions. Empty: nothing.
CROSS <- c()
MEAN <- ""
BY <- ""

Z <- 1.959963984540054 # 95 % of the normal law lie within so many standard errors

folder_of_script <- function() {
    arguments <- commandArgs(trailingOnly = FALSE)
    script <- sub("^--file=", "", arguments[grepl("^--file=", arguments)])
    if (length(script) == 1) dirname(script) else "."
}

read_records <- function() {
    path <- file.path(folder_of_script(), "records.csv")
    read.csv(path,
        colClasses = "character", check.names = FALSE, na.strings = character(0),
        encoding = "UTF-8", quote = "\"", comment.char = "", strip.white = FALSE
    )
}

RECORDS <- read_records()
names(RECORDS) <- enc2utf8(names(RECORDS))

# The numbers that texts are in plain digits; NA for none.
number <- function(text) {
    written <- gsub("^[ \t\u00a0]+|[ \t\u00a0]+$", "", enc2utf8(text), perl = TRUE)
    digits <- sub(RELEASE$decimal, ".", written, fixed = TRUE)
    plain <- grepl("^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?$", digits)
    plain <- plain & nchar(written) <= 64
    if (RELEASE$decimal != ".") plain <- plain & !grepl(".", written, fixed = TRUE)
    found <- suppressWarnings(as.numeric(ifelse(plain, digits, NA)))
    ifelse(is.finite(found), found, NA)
}

# The numbers that cells are as their column writes them, 1.234,5 or $5; NA for none.
kept_number <- function(question, text) {
    if (length(question$pattern) == 0) {
        return(number(text))
    }
    written <- trimws(gsub("[ \t\u00a0\u202f\u2009]+", " ", enc2utf8(text), perl = TRUE))
    written <- gsub("\u2019", "'", gsub("\u2212", "-", written, fixed = TRUE), fixed = TRUE)
    # An apostrophe keeps spreadsheets from taking a cell for a formula.
    pattern <- paste0("^(?i)'?", question$pattern, "$")
    part <- function(group) sub(pattern, group, written, perl = TRUE)
    whole <- part("\\3")
    for (mark in question$grouping) whole <- gsub(mark, "", whole, fixed = TRUE)
    found <- grepl(pattern, written, perl = TRUE) & !(nzchar(part("\\1")) & nzchar(part("\\2")))
    digits <- paste0(part("\\1"), part("\\2"), whole, ".", part("\\4"))
    suppressWarnings(as.numeric(ifelse(found, digits, NA)))
}

question_of <- function(name) RELEASE$questions[[name]]
is_protected <- function(name) !(question_of(name)$rule %in% c("kept", "kept number"))
is_number <- function(name) question_of(name)$rule %in% c("number", "kept number")
WEIGHTS <- if (nzchar(RELEASE$weight)) number(RECORDS[[RELEASE$weight]]) else rep(1, nrow(RECORDS))

# Which records tell of some questions: where each respondent reports one alone, those who report it.
telling <- function(names) {
    protected <- Filter(is_protected, names)
    if (length(protected) > 1 && nzchar(RELEASE$apart)) stop(RELEASE$apart, call. = FALSE)
    if (!nzchar(RELEASE$sampled) || length(protected) == 0) {
        return(seq_len(nrow(RECORDS)))
    }
    which(RECORDS[[RELEASE$sampled]] == RELEASE$cells[[protected[1]]])
}

cells_of <- function(name, rows) {
    columns <- unlist(question_of(name)$columns)
    matrix(unlist(lapply(columns, function(column) RECORDS[[column]][rows])), nrow = length(rows))
}

# ---------------------------------------------------------------------------------------------
# Scores: what the reports say of each category, one row a record.

# Whether reports support each category; NA where they say nothing of it.
supported <- function(question, cells) {
    size <- length(question$texts)
    if (question$rule == "category") {
        return(outer(cells[, 1], question$texts, "=="))
    }
    if (question$rule == "columns") {
        return(ifelse(cells == "", NA, cells == "1"))
    }
    if (question$rule == "index") {
        # Written in binary, both numbers are 1 in an even number of places.
        report <- as.integer(cells[, 1])
        common <- outer(report, seq_len(size), bitwAnd)
        ones <- 0
        for (place in 0:30) ones <- ones + bitwAnd(bitwShiftR(common, place), 1L)
        return(matrix(ones %% 2 == 0, nrow = nrow(cells)))
    }
    seeds <- matrix(as.numeric(cells), nrow = nrow(cells))
    width <- 2^(32 - question$hash_bits)
    found <- sapply(seq_len(size) - 1, function(place) {
        # All numbers are whole and below 2^53, so that they are exact.
        hashed <- floor(((seeds[, 1] * place + seeds[, 2]) %% 2^32) / width)
        floor(hashed * question$buckets / 2^question$hash_bits) == seeds[, 3]
    })
    matrix(found, nrow = nrow(cells))
}

# Least squares of the debiased bits of Bloom filters.
from_filters <- function(question, cells) {
    size <- length(question$texts)
    positions <- array(question$positions, c(question$hashes, size, question$cohorts))
    reports <- matrix(as.numeric(cells), nrow = nrow(cells))
    told <- matrix(0, nrow(cells), size)
    for (cohort in seq_len(question$cohorts)) {
        rows <- which(reports[, 1] == cohort - 1)
        for (category in seq_len(size)) {
            bits <- reports[rows, positions[, category, cohort] + 2, drop = FALSE]
            told[rows, category] <- rowSums(bits - question$flip)
        }
    }
    told <- told * question$cohorts / (1 - 2 * question$flip)
    told %*% matrix(question$matrix, size, byrow = TRUE)
}

# Scores of each category; NA of a category that a report says nothing of.
scores <- function(name, cells) {
    question <- question_of(name)
    size <- length(question$texts)
    if (question$rule == "kept") {
        answers <- ifelse(is_missing(question, cells[, 1]), "", trimws(cells[, 1]))
        return(outer(answers, categories(name)$texts, "==") * 1)
    }
    found <- matrix(NA_real_, nrow(cells), size)
    told <- rowSums(cells != "") > 0
    cells <- cells[told, , drop = FALSE]
    if (question$rule == "matrix") {
        table <- matrix(question$matrix, ncol = size, byrow = TRUE)
        found[told, ] <- table[match(cells[, 1], question$reports), ]
    } else if (question$rule == "filters") {
        found[told, ] <- from_filters(question, cells)
    } else {
        hit <- matrix(question$hit, nrow(cells), size, byrow = TRUE)
        miss <- matrix(question$miss, nrow(cells), size, byrow = TRUE)
        found[told, ] <- ifelse(supported(question, cells), hit, miss)
    }
    found
}

# Whether a question is answered, and the answer less its origin; both as scores, one row a record.
number_scores <- function(name, cells) {
    question <- question_of(name)
    text <- cells[, 1]
    if (!is_number(name)) stop(name, ": ", RELEASE$no_mean, call. = FALSE)
    if (question$rule == "kept number") {
        value <- kept_number(question, text)
        value[is_missing(question, text)] <- NA
        return(cbind(!is.na(value), ifelse(is.na(value), 0, value)))
    }
    if (length(question$reports) > 0) {
        worth <- question$worth[match(text, question$reports)]
    } else {
        worth <- question$worth + question$slope * (suppressWarnings(as.numeric(text)) - question$at)
    }
    cbind(
        ifelse(text == "", question$answered_if_none, question$answered),
        ifelse(text == "", question$shift_if_none, question$scale * worth + question$shift)
    )
}

# Which cells of a column that was released as it is hold no answer.
is_missing <- function(question, text) {
    found <- text %in% question$missing | (!nzchar(trimws(text)) & "" %in% question$missing)
    value <- number(text)
    for (place in seq_along(question$missing_from)) {
        inside <- value >= question$missing_from[place] & value <= question$missing_to[place]
        found <- found | (!is.na(inside) & inside)
    }
    found
}

# Cells and labels of the categories of a question, "no answer" the last.
categories <- function(name) {
    question <- question_of(name)
    texts <- as.character(question$texts)
    labels <- as.character(question$labels)
    if (question$rule == "kept") {
        cells <- unique(RECORDS[[question$columns]])
        missing <- is_missing(question, cells)
        given <- setdiff(trimws(cells[!missing]), texts)
        more <- sort(given, method = "radix")
        none <- any(missing)
        # The apostrophe keeps a spreadsheet from taking an answer for a formula.
        shown <- sub("^'(?='*\\s*[=+@\uff1d\uff0b\uff0d\uff20-])", "", more, perl = TRUE)
        return(list(
            texts = c(texts, more, if (none) ""), labels = c(labels, shown, if (none) "no answer")
        ))
    }
    if (length(question$blank) > 0) {
        return(list(texts = c(texts, ""), labels = c(labels, "no answer")))
    }
    list(texts = texts, labels = labels)
}

# ---------------------------------------------------------------------------------------------
# One question.

# The possible shares nearest to some: none negative, their sum 1.
nearest_possible <- function(shares) {
    descending <- sort(shares, decreasing = TRUE)
    amounts <- (cumsum(descending) - 1) / seq_along(descending)
    found <- pmax(shares - amounts[max(which(descending > amounts))], 0)
    found / sum(found)
}

clipped <- function(shares) pmin(pmax(shares, 0), 1)

result <- function(answer, estimate, standard_error) {
    data.frame(
        answer = answer, estimate = as.numeric(estimate),
        standard_error = as.numeric(standard_error), stringsAsFactors = FALSE
    )
}

# Of each category the unbiased share, the same by squared weights, and 1 / n.
sums_of <- function(name) {
    rows <- telling(name)
    found <- scores(name, cells_of(name, rows))
    w <- WEIGHTS[rows] * !is.na(found)
    ww <- w^2
    found[is.na(found)] <- 0
    list(
        share = colSums(w * found) / colSums(w), by = colSums(ww * found) / colSums(ww),
        part = colSums(ww) / colSums(w)^2, reports = length(rows)
    )
}

# The unbiased share of each category. Errors are those at the nearest possible shares, so that few
# reports do not look like no error.
shares <- function(name) {
    question <- question_of(name)
    sums <- sums_of(name)
    share <- sums$share
    by_squares <- sums$by
    if (length(question$squares) > 0) {
        f <- nearest_possible(share)
        g <- if (nzchar(RELEASE$weight)) nearest_possible(by_squares) else f
        noise <- as.vector(g %*% matrix(question$squares, length(f), byrow = TRUE)) - g
    } else {
        f <- clipped(share)
        g <- clipped(by_squares)
        noise <- -question$hit * question$miss + g * (question$hit + question$miss - 1)
    }
    drawn <- pmax(f * (1 - f) + (g - f) * (1 - 2 * f), 0)
    error <- sqrt((pmax(noise, 0) + drawn) * sums$part)
    result(unlist(question$labels), share, error)
}

# The share of each answer among those who gave one. Where "no answer" is a category 0, it is the
# ratio r of two estimates, f / (1 - f0). The error is that of s - r (1 - s0) over 1 - f0, with s
# the scores.
# dpdesk tells none of these shares where so few answered that the interval of one of them is all
# that is possible.
among_answered <- function(name) {
    question <- question_of(name)
    sums <- sums_of(name)
    none <- question$missing_place + 1
    below <- min(max(1 - sums$share[none], 1 / sums$reports), 1)
    ratio <- clipped(sums$share / below)
    own_error <- if (length(question$squares) > 0) spread_of_scores else spread_of_support
    error <- sqrt(pmax(own_error(question, sums, none, ratio, below), 0)) / below
    value <- sums$share / max(1 - sums$share[none], 1 / sums$reports)
    result(unlist(question$labels)[-none], value[-none], error[-none])
}

# The variances of means of s - r (1 - s0), by the mean products of scores.
spread_of_scores <- function(question, sums, none, ratio, below) {
    f <- nearest_possible(sums$share)
    g <- if (nzchar(RELEASE$weight)) nearest_possible(sums$by) else f
    squares <- as.vector(g %*% matrix(question$squares, length(f), byrow = TRUE))
    mixed <- as.vector(g %*% matrix(question$mixed, length(f), byrow = TRUE))
    own <- squares - 2 * f * g + f^2
    cross <- mixed - f * g[none] - f[none] * g + f * f[none]
    (own + 2 * ratio * cross + ratio^2 * own[none]) * sums$part
}

# The same where reports support categories, as they are if the ratios are the true ones.
spread_of_support <- function(question, sums, none, ratio, below) {
    size <- length(sums$share)
    gap <- rep_len(1 / (question$hit - question$miss), size)
    q <- -question$miss * gap
    p <- q + gap
    gone <- 1 - below
    third <- question$third + 1
    squares <- function(share) q * (1 - q) / gap^2 + share * (1 - p - q) / gap + share
    products <- function(share, share_of_none, sums) {
        beside <- ifelse(third > 0, clipped(sums[pmax(third, 1)]), 0)
        alike <- share + share_of_none + beside
        of_one <- share * p + (1 - share) * q
        of_none <- share_of_none * p[none] + (1 - share_of_none) * q[none]
        joint <- alike * question$both_true + (1 - alike) * question$both_other
        (joint - q * of_none - q[none] * of_one + q * q[none]) / (gap * gap[none])
    }
    product <- products(0, gone, sums$share)
    slope <- products(1, gone, sums$share) - product
    linear <- (squares(1) - squares(0)) * below + 2 * product
    square <- squares(gone)[none] - gone^2 - below^2 + 2 * below * (slope - gone)
    found <- pmax(squares(0) + linear * ratio + square * ratio^2, 0)
    if (!nzchar(RELEASE$weight)) {
        return(found * sums$part)
    }
    by <- clipped(sums$by)
    own <- ratio * below
    spread <- squares(by) - 2 * own * by + own^2
    mixed <- products(by, by[none], sums$by) - gone * by - by[none] * own + gone * own
    of_none <- squares(by)[none] - 2 * gone * by[none] + gone^2
    linearised <- spread + 2 * ratio * mixed + ratio^2 * of_none
    factor <- ifelse(found > 0 & linearised > 0, found / linearised, 1)
    found / pmin(factor / sums$part, sums$reports)
}

# The least variance of a report's part in a mean of numbers: few reports may lack those that are
# rare and worth much, so it is the largest of the least noise of any mean that the estimate does
# not contradict.
least_variance <- function(name, value, reports, answered) {
    floor <- question_of(name)$floor
    if (length(floor) == 0) return(0)
    floor <- matrix(floor, ncol = 3)
    share <- min(answered, 1)
    least <- share * floor[, 2] + (1 - share) * floor[, 3]
    near <- abs(floor[, 1] - value) <= Z * sqrt(least / reports) / answered
    max(least[near], approx(floor[, 1], least, value, rule = 2)$y)
}

# The mean of a number among those who answered, and the share who did if that is protected.
mean_of <- function(name) {
    question <- question_of(name)
    may_lack <- question$answered_if_none != 0
    rows <- telling(name)
    cells <- cells_of(name, rows)
    if (!may_lack) {
        rows <- rows[cells[, 1] != ""]
        cells <- cells_of(name, rows)
    }
    told <- number_scores(name, cells)
    w <- WEIGHTS[rows]
    answered <- sum(w * told[, 1]) / sum(w)
    below <- max(answered, 1 / length(rows))
    value <- sum(w * told[, 2]) / sum(w) / below
    spread <- sum(w^2 * (told[, 2] - value * told[, 1] - value * (below - answered))^2)
    least <- 0
    if (question$binomial == 0) least <- least_variance(name, value, sum(w)^2 / sum(w^2), below)
    error <- sqrt(max(spread, least * sum(w^2))) / sum(w) / below
    found <- result("mean", question$origin + value, error)
    if (may_lack) {
        spread <- sum(w^2 * (told[, 1] - answered)^2)
        error <- sqrt(max(spread, question$least_answered * sum(w^2))) / sum(w)
        found <- rbind(found, result("share answered", answered, error))
    }
    found
}

# ---------------------------------------------------------------------------------------------
# Several questions: products of scores, over all records.

# Scores of a question for products: 0 of what a report says nothing of.
joint_scores <- function(name, rows) {
    question <- question_of(name)
    cells <- cells_of(name, rows)
    found <- scores(name, cells)
    if (question$rule == "kept") {
        return(found)
    }
    found[is.na(found)] <- 0
    found <- found * question$factor
    if (length(question$blank) > 0) found <- cbind(found, rowSums(cells != "") == 0)
    found
}

# Products of the scores of several questions, the last one's running fastest.
crossed <- function(names, rows) {
    found <- matrix(1, length(rows), 1)
    for (name in names) {
        other <- joint_scores(name, rows)
        products <- lapply(seq_len(ncol(found)), function(place) found[, place] * other)
        found <- do.call(cbind, products)
    }
    found
}

labels_of <- function(names) {
    found <- categories(names[1])$labels
    for (name in names[-1]) {
        more <- categories(name)$labels
        found <- paste(rep(found, each = length(more)), rep(more, length(found)), sep = " x ")
    }
    found
}

# The mean of a number within groups, from scores of the groups, of the number and of being
# answered; NA where the records do not even show that anybody is in a group.
ratios <- function(groups, value, answered, w, name = "") {
    over <- sum(w)^2 - sum(w^2)
    t(apply(groups, 2, function(x) {
        above <- sum(w * x * value) / sum(w)
        below <- sum(w * x * answered) / sum(w)
        spread <- sum(w^2 * (x * answered - below)^2) / over
        if (below <= 0 || below^2 <= Z^2 * spread || below * length(w) < 1) {
            return(c(NA, NA))
        }
        ratio <- above / below
        left <- sum(w^2 * (x * (value - ratio * answered))^2) / over
        if (nzchar(name)) {
            u <- w^2 * x^2
            reports <- (sum(u) * sum(w) / sum(w^2))^2 / sum(u * x^2)
            told <- max(sum(u * answered) / sum(u), 1 / reports)
            least <- least_variance(name, sum(u * value) / sum(u) / told, reports, told)
            left <- max(left, sum(u) * least / sum(w)^2)
        }
        c(ratio, sqrt(left) / below)
    }))
}

# The share of all respondents with each combination of answers.
cross <- function(names) {
    rows <- telling(names)
    found <- crossed(names, rows)
    w <- WEIGHTS[rows]
    share <- colSums(w * found) / sum(w)
    away <- sweep(found, 2, share)
    spread <- colSums(w^2 * away^2) / (sum(w)^2 - sum(w^2))
    one <- min(sum(w^2) / sum(w)^2, 0.5)
    near <- pmin(pmax(share, one), 1 - one)
    least <- near * (1 - near) * sum(w^2) / sum(w)^2
    result(labels_of(names), share, sqrt(pmax(spread, least)))
}

# The mean of a number in each group, among those who answered.
mean_by <- function(name, by) {
    rows <- telling(c(by, name))
    told <- number_scores(name, cells_of(name, rows))
    found <- ratios(crossed(by, rows), told[, 2], told[, 1], WEIGHTS[rows], name)
    result(labels_of(by), question_of(name)$origin + found[, 1], found[, 2])
}

# The share of each answer within each group.
share_by <- function(name, by) {
    rows <- telling(c(by, name))
    groups <- crossed(by, rows)
    of <- joint_scores(name, rows)
    labels <- categories(name)$labels
    do.call(rbind, lapply(seq_along(labels), function(place) {
        found <- ratios(groups, of[, place], rep(1, length(rows)), WEIGHTS[rows])
        result(paste(labels_of(by), labels[place], sep = " x "), found[, 1], found[, 2])
    }))
}

# ---------------------------------------------------------------------------------------------

# A table that knows what numbers of a question count, such as (in h), behind some words; means of
# dates are dates.
of_unit <- function(table, name, words) {
    unit <- question_of(name)$unit
    attr(table, "unit") <- if (length(unit) > 0) paste0(words, unit, ")") else ""
    told <- ifelse(table$answer == "share answered", NA, table$estimate)
    if (length(question_of(name)$dates) > 0) attr(table, "date") <- date_text(name, told)
    table
}

# The dates that means of dates are, as dpdesk estimate writes them; "" for none.
date_text <- function(name, found) {
    by <- question_of(name)$dates
    whole <- floor(found + 0.5)
    if (by == "time") {
        text <- sprintf("%s%02.0f:%02.0f", ifelse(!is.na(whole) & whole < 0, "-", ""),
            abs(whole) %/% 60, abs(whole) %% 60)
    } else if (by %in% c("year", "quarter", "month")) {
        count <- c(year = 1, quarter = 4, month = 12)[[by]]
        year <- year_text(whole %/% count + if (by == "year") 0 else 1970)
        rest <- whole %% count + 1
        text <- switch(by,
            year = year, quarter = sprintf("%s-Q%.0f", year, rest),
            month = sprintf("%s-%02.0f", year, rest)
        )
    } else {
        count <- c(day = 1, hour = 24, minute = 1440)[[by]]
        days <- whole %/% count
        minutes <- (whole %% count) * 1440 / count
        # 400 years have 146,097 days, whichever they are.
        day <- as.POSIXlt(as.Date(days %% 146097, origin = "1970-01-01"))
        year <- year_text(day$year + 1900 + 400 * (days %/% 146097))
        text <- sprintf("%s-%02.0f-%02.0f", year, day$mon + 1, day$mday)
        if (by != "day") text <- sprintf("%sT%02.0f:%02.0f", text, minutes %/% 60, minutes %% 60)
    }
    ifelse(is.na(found), "", text)
}

# A year of four digits, or with its sign.
year_text <- function(year) {
    ifelse(!is.na(year) & (year < 0 | year > 9999), sprintf("%+05.0f", year),
        sprintf("%04.0f", year))
}

tables <- function() {
    found <- list()
    for (name in names(RELEASE$questions)) {
        if (is_protected(name)) {
            own <- if (is_number(name)) mean_of(name) else shares(name)
            found <- c(found, list(of_unit(cbind(table = name, own), name, " (mean in ")))
            if (length(question_of(name)$missing_place) > 0) {
                title <- paste(name, "among those who answered")
                found <- c(found, list(cbind(table = title, among_answered(name))))
            }
        }
    }
    if (length(CROSS) > 0) {
        found <- c(found, list(cbind(table = paste(CROSS, collapse = " x "), cross(CROSS))))
    }
    if (nzchar(MEAN) && nzchar(BY)) {
        title <- paste("mean of", MEAN, "by", BY)
        by <- cbind(table = title, mean_by(MEAN, BY))
        found <- c(found, list(of_unit(by, MEAN, " (in ")))
    }
    found
}

main <- function() {
    if ("--csv" %in% commandArgs(trailingOnly = TRUE)) {
        found <- tables()
        dates <- unlist(lapply(found, function(table) {
            date <- attr(table, "date")
            if (is.null(date)) rep("", nrow(table)) else date
        }))
        dated <- any(vapply(RELEASE$questions, function(one) length(one$dates) > 0, TRUE))
        found <- do.call(rbind, found)
        for (column in c("estimate", "standard_error")) {
            found[[column]] <- ifelse(
                is.na(found[[column]]), "", sprintf("%.17g", found[[column]])
            )
        }
        quoted <- function(texts) paste0("\"", gsub("\"", "\"\"", enc2utf8(texts)), "\"")
        lines <- paste(quoted(found$table), quoted(found$answer), found$estimate,
            found$standard_error,
            sep = ","
        )
        if (dated) lines <- paste(lines, dates, sep = ",")
        # As bytes: a terminal of another encoding would get <U+00E9> in place of a letter.
        head <- paste0("table,answer,estimate,standard_error", if (dated) ",date")
        writeLines(c(head, lines), useBytes = TRUE)
        return(invisible())
    }
    cat(nrow(RECORDS), "records; standard errors hold sampling and noise together\n")
    for (found in tables()) {
        cat("\n", found$table[1], attr(found, "unit"), "\n", sep = "")
        if (!is.null(attr(found, "date"))) {
            number <- formatC(found$estimate, digits = 5, format = "g")
            found$estimate <- ifelse(nzchar(attr(found, "date")), attr(found, "date"), number)
        }
        print(found[-1], row.names = FALSE, digits = 5)
    }
    for (sentence in RELEASE$notes) cat("\n", sentence, "\n", sep = "")
}

if (!interactive()) main()
