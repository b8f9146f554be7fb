"""Stands in for Qt's OpenGL in a bundle; PyInstaller runs this file before dpdesk.

pyqtgraph imports the two modules whether or not a plot is painted with OpenGL, and derives one
class from them. Plots of dpdesk are not, and the modules are 9 MB.
"""

from __future__ import annotations

import sys
from types import ModuleType


class _Absent:
    """Stands for Qt's widget for OpenGL, which is never made."""


sys.modules["PySide6.QtOpenGL"] = ModuleType("PySide6.QtOpenGL")
_widgets = ModuleType("PySide6.QtOpenGLWidgets")
_widgets.__dict__["QOpenGLWidget"] = _Absent
sys.modules["PySide6.QtOpenGLWidgets"] = _widgets
