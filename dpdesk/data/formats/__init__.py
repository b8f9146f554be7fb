"""The formats of files that hold a table of answers, one kind each."""
