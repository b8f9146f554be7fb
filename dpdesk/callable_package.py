"""Packages that are functions of the interface, too.

`dpdesk.release` and `dpdesk.estimate` are packages, and Python gives `dpdesk` their names as soon
as one of them is imported. Functions of the interface have these names, so the packages can be
called.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType


class CallablePackage(ModuleType):
    """A package that is called as the function of the interface that has its name."""

    def __call__(self, *operands: object, **options: object) -> object:
        """Calls the function of `dpdesk.interface`; its signature and results are those."""
        # By name: the packages lie below the interface, and must not import it.
        function = getattr(import_module("dpdesk.interface"), self.__name__.rpartition(".")[2])
        return function(*operands, **options)


def make_callable(package: str) -> None:
    """Makes a package that is being imported callable.

    Args:
        package: Its full name.
    """
    sys.modules[package].__class__ = CallablePackage
