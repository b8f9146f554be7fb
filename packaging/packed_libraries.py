"""Libraries that the bundle for Linux keeps compressed until something needs them.

OpenDP, Typst and SciPy's BLAS are three fifths of the bundle, and a session needs few of them: of
260 MB they become 63. PyInstaller runs this file before dpdesk (a "runtime hook").

A library is unpacked into a private folder, loaded, and deleted at once: the system keeps what is
loaded until the process ends, so that nothing stays behind, whatever ends it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

FOLDER = "packed"
"""Folder of the bundle: one folder for each module that needs a library, with the library in it."""

ENDING = ".zst"

LIBRARIES = {
    r"^opendp/lib/opendp\.abi3\.so$": "opendp._lib",
    r"^typst/_typst\.abi3\.so$": "typst._typst",
    r"^scipy\.libs/libscipy_openblas-[0-9a-f]+\.so$": "scipy",
}
"""The paths of the libraries, as patterns, and the modules that need them."""

# Read by OpenDP in place of its own folder.
_OPENDP_FOLDER = "OPENDP_LIB_DIR"


def module_for(target: str) -> str | None:
    """The module that needs a library of the bundle, if that is to be packed.

    Args:
        target: Path of the library in the bundle.
    """
    return next((module for path, module in LIBRARIES.items() if re.search(path, target)), None)


def pack(library: Path, packed: Path) -> None:
    """Compresses a library.

    Args:
        library: The library.
        packed: The compressed file, which is written.
    """
    import pyarrow

    packed.parent.mkdir(parents=True, exist_ok=True)
    # More would take minutes for a twentieth of the size.
    codec = pyarrow.Codec("zstd", compression_level=9)
    packed.write_bytes(codec.compress(library.read_bytes(), asbytes=True))


@contextmanager
def unpacked(packed: Path, places: Sequence[str] | None = None) -> Iterator[Path]:
    """Unpacks a library for as long as it takes to load it.

    Args:
        packed: The compressed file.
        places: Folders for it, the first that fits; those of the system if not given.

    Raises:
        OSError: None of the folders has room for it and lets programs run.
    """
    import pyarrow

    for place in _usual_places() if places is None else places:
        if not _can_run_from(place):
            continue
        with tempfile.TemporaryDirectory(prefix="dpdesk-", dir=place) as folder:
            library = Path(folder, packed.name.removesuffix(ENDING))
            try:
                with (
                    pyarrow.CompressedInputStream(pyarrow.OSFile(str(packed)), "zstd") as source,
                    library.open("wb") as copy,
                ):
                    shutil.copyfileobj(source, copy, 1 << 20)
            except OSError as error:
                if error.errno not in {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS}:
                    raise
                continue
            yield library
            return
    raise OSError(
        errno.ENOSPC,
        "No temporary folder has 200 MB free and lets programs run; name one in TMPDIR",
    )


def _usual_places() -> list[str]:
    home = os.path.expanduser("~")  # noqa: PTH111 - without a home it stays as it is
    cache = os.environ.get("XDG_CACHE_HOME") or f"{home}/.cache"
    return [
        tempfile.gettempdir(),
        os.environ.get("XDG_RUNTIME_DIR", ""),
        "/var/tmp",  # noqa: S108 - a private folder is made in it
        cache,
    ]


def _can_run_from(place: str) -> bool:
    try:
        flags = os.statvfs(place).f_flag
    except OSError:
        return False
    return not flags & os.ST_NOEXEC and os.access(place, os.W_OK | os.X_OK)


class PackedFinder(MetaPathFinder):
    """Unpacks the library of a module when the module is imported.

    Args:
        folder: The folder of the packed libraries.
    """

    def __init__(self, folder: Path) -> None:
        self._packed = {each.name: next(each.iterdir()) for each in sorted(folder.iterdir())}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns how to load a module whose library is packed; None for every other one."""
        packed = self._packed.pop(fullname, None)
        if packed is None:
            return None
        if fullname == "scipy":
            import numpy  # noqa: F401 - brings what BLAS is linked with

            with unpacked(packed) as library:
                # Who asks for a library of this name finds the one that is there.
                ctypes.CDLL(str(library))
            return None
        if fullname == "opendp._lib":
            spec = PathFinder.find_spec(fullname, path)
            if spec is not None and spec.loader is not None:
                spec.loader = _BesideLibrary(spec.loader, packed)
            return spec
        return ModuleSpec(fullname, _Extension(fullname, packed), origin=str(packed))


class _Extension(ExtensionFileLoader):
    """Loads a module that is a library itself."""

    def __init__(self, name: str, packed: Path) -> None:
        super().__init__(name, str(packed))
        self._packed = packed

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        with unpacked(self._packed) as library:
            spec.origin = str(library)
            return super().create_module(spec)


class _BesideLibrary(Loader):
    """Loads a module of Python that opens its library while it is loaded."""

    def __init__(self, inner: Loader, packed: Path) -> None:
        self._inner = inner
        self._packed = packed

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        with unpacked(self._packed) as library:
            os.environ[_OPENDP_FOLDER] = str(library.parent)
            try:
                self._inner.exec_module(module)
            finally:
                del os.environ[_OPENDP_FOLDER]


_bundle = getattr(sys, "_MEIPASS", None)
if _bundle is not None and Path(_bundle, FOLDER).is_dir():
    sys.meta_path.insert(0, PackedFinder(Path(_bundle, FOLDER)))
