"""The program's icon in the forms that systems ask for, made from its drawing.

    .venv/bin/python packaging/program_icon.py FOLDER

Writes pictures of all sizes, `dpdesk.ico` for Windows and `dpdesk.icns` for macOS into a folder.
Both are boxes for pictures in PNG: their heads are a few numbers, and need no library.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

DRAWING = Path("program", "dpdesk.svg")
"""The drawing, below the folder of resources."""

SIZES = (16, 24, 32, 48, 64, 128, 256, 512, 1024)
"""Edges of the pictures in pixels."""

_WINDOWS = (16, 24, 32, 48, 64, 128, 256)
# Apple's names of the sizes, those of screens of twice the density among them.
_APPLE = {
    b"icp4": 16,
    b"icp5": 32,
    b"icp6": 64,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic10": 1024,
    b"ic11": 32,
    b"ic12": 64,
    b"ic13": 256,
    b"ic14": 512,
}


def pictures(drawing: Path) -> dict[int, bytes]:
    """Paints a drawing.

    Args:
        drawing: A file in SVG.

    Returns:
        The picture of each size, in PNG.

    Raises:
        ValueError: The drawing cannot be read.
    """
    from PySide6.QtCore import QBuffer, Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(drawing))
    if not renderer.isValid():
        raise ValueError(f"{drawing.name} is no drawing")
    found = {}
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")  # type: ignore[call-overload] # names are text at run time
        found[size] = bytes(buffer.data().data())
    return found


def ico(painted: dict[int, bytes]) -> bytes:
    """An icon of Windows: a list of sizes and places, then the pictures."""
    place = 6 + 16 * len(_WINDOWS)
    head = struct.pack("<HHH", 0, 1, len(_WINDOWS))
    for size in _WINDOWS:
        # 0 stands for 256; then colours, a blank, planes and bits.
        edge, length = size % 256, len(painted[size])
        head += struct.pack("<BBBBHHII", edge, edge, 0, 0, 1, 32, length, place)
        place += length
    return head + b"".join(painted[size] for size in _WINDOWS)


def icns(painted: dict[int, bytes]) -> bytes:
    """An icon of macOS: each picture after its name and length."""
    body = b"".join(
        name + struct.pack(">I", len(painted[size]) + 8) + painted[size]
        for name, size in _APPLE.items()
    )
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def write(resources: Path, folder: Path) -> str:
    """Writes the icon in every form.

    Args:
        resources: The folder of resources, with the drawing.
        folder: Where the files go.

    Returns:
        The file for the system that this runs on.
    """
    painted = pictures(resources / DRAWING)
    folder.mkdir(parents=True, exist_ok=True)
    for size, picture in painted.items():
        (folder / f"dpdesk-{size}.png").write_bytes(picture)
    (folder / "dpdesk.ico").write_bytes(ico(painted))
    (folder / "dpdesk.icns").write_bytes(icns(painted))
    ending = {"win32": ".ico", "darwin": ".icns"}.get(sys.platform, "-256.png")
    return str(folder / f"dpdesk{ending}")


if __name__ == "__main__":
    write(Path(__file__).resolve().parent.parent / "resources", Path(sys.argv[1]))
