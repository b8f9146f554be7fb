"""dpdesk: local differential privacy for people who run surveys.

The commands of the command line are functions here, from `dpdesk.interface`: `read`, `draft`,
`check`, `release`, `estimate`, `query`, `survey` and `risk`.
"""

from dpdesk.version import __version__ as __version__

# What type checkers know of these names is in __init__.pyi.
__all__ = [
    "Estimates",
    "check",
    "coarsen",
    "draft",
    "estimate",
    "experiment",
    "learn",
    "query",
    "read",
    "release",
    "risk",
    "survey",
]


def __getattr__(name: str) -> object:
    """Returns a function of the interface, which is imported when the first one is named."""
    # By name: everything in dpdesk may import the package, and must not import the commands so.
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module 'dpdesk' has no attribute {name!r}")
    return getattr(import_module("dpdesk.interface"), name)


def __dir__() -> list[str]:
    """Returns the names of the interface, too."""
    return sorted({*globals(), *__all__})
