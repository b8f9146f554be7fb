"""A release, of whatever kind: charged, drawn, written into a folder, sealed."""

from dpdesk.callable_package import make_callable

make_callable(__name__)
