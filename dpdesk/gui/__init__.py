"""The window; the only package that uses Qt.

An argument `parent` is everywhere Qt's owner of the new object, which deletes it with itself;
docstrings of classes do not repeat it.
"""
