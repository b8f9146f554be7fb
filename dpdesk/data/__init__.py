"""Reads files into tables of answers and writes them; the only package that uses pyarrow."""
