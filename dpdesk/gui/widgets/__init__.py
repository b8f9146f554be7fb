"""Widgets that the pages are made of, a file per idea.

Import each from its own file: the canvas of the plots loads pyqtgraph, which the first paint of
the window does not wait for.
"""
