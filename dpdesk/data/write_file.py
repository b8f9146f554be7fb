"""Writes a file whole or not at all, durably, and never over something that must not be lost.

The disk could be full when a release writes its files after the charge. So `ReservedSpace` takes
the space before anything is charged.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from dpdesk.data.regular_file import refusal
from dpdesk.data.texts import T
from dpdesk.errors import ReleaseError

_PIECE = 1 << 20


class ReservedSpace:
    """Space in a folder, held by a file without a name: it is free again after a crash.

    Raises:
        OSError: There is not enough space.
    """

    def __init__(self, folder: Path, size: int) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - held open
        try:
            _allocate(self._file.fileno(), size)
        except OSError:
            self._file.close()
            raise

    def shrink(self, size: int) -> None:
        """Frees all but `size` bytes."""
        with suppress(OSError, ValueError):
            os.ftruncate(self._file.fileno(), size)

    def free(self) -> None:
        """Frees all of it; may be called more than once."""
        with suppress(OSError):
            self._file.close()


def _allocate(descriptor: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
        return
    # Elsewhere only bytes that were written are sure to be reserved.
    for start in range(0, size, _PIECE):
        os.write(descriptor, bytes(min(_PIECE, size - start)))
    os.fsync(descriptor)


if sys.platform != "win32":
    import fcntl


_PART = ".dpdesk-part"
"""Suffix of a file that is being written; no other program uses it."""
_UNFINISHED = re.compile(rf"\.(.+)\.[a-z0-9_]{{8}}{re.escape(_PART)}")


def write_file(
    path: Path, content: str | bytes, *, overwrite: bool = True, private: bool = False
) -> None:
    """Writes a file under a temporary name, makes it durable, and then renames it.

    A symbolic link at the path is itself replaced; nothing is written through it.

    Args:
        path: The file.
        content: Text, which is written as UTF-8, or bytes.
        overwrite: Whether an earlier file of this name may be replaced.
        private: Whether nobody but the user may read it (mode 0600).

    Raises:
        ReleaseError: The file cannot be written, or exists; an existing file is unchanged.
    """
    raw = content.encode("utf-8") if isinstance(content, str) else content
    check_place(path, overwrite=overwrite)
    require_folder(path)
    try:
        write_durably(path, raw, overwrite=overwrite, private=private)
    except OSError as error:
        message = T.NOT_WRITTEN(file=name_of(path), reason=refusal(error))
        raise ReleaseError(message) from None


def write_durably(
    path: Path, content: bytes, *, overwrite: bool = True, private: bool = False
) -> None:
    """Writes as `write_file` does, for callers with an error message of their own.

    Raises:
        OSError: The file cannot be written; an existing file is unchanged.
    """
    _clear_left(path.parent)

    def make() -> Path:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_PART, dir=path.parent)
        os.close(descriptor)
        return Path(name)

    with held_anew(make) as part:
        try:
            with part.open("r+b") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if not private:
                # mkstemp makes it private; the file gets the permissions of any new one.
                part.chmod(0o666 & ~umask())
            _give_name(part, path, overwrite)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
    # The file exists from here on: an error now must not say that it does not.
    with suppress(OSError):
        sync_folder(path.parent)


def final_name(name: str) -> str:
    """Returns the name that a file gets when it is whole: its own, unless it is unfinished."""
    unfinished = _UNFINISHED.fullmatch(name)
    return unfinished[1] if unfinished else name


def name_of(path: Path) -> str:
    """Returns the name of a file for a sentence; of `.` and `/`, which have none, the path."""
    return path.name or str(path)


@contextmanager
def held_anew(make: Callable[[], Path]) -> Iterator[Path]:
    """Makes a file or folder and locks it, before another run can take it for abandoned."""
    while True:
        part = make()
        with ExitStack() as stack:
            # A run that clears the folder may come before the lock; then another one is made.
            with suppress(FileNotFoundError):
                stack.enter_context(_held(part))
            if part.exists():
                yield part
                return


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Locks a file or folder that is being written, until the end of this process at the latest.

    A lock of the system ends with its holder, even if that is killed. Where folders cannot be
    opened (Windows), nothing is locked, and nothing is ever taken for abandoned.
    """
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        # Waits while another run checks whether it is abandoned; a file system may have no locks.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def clear_if_left(path: Path, remove: Callable[[Path], None]) -> None:
    """Removes a file or folder that no process has locked: the run that wrote it was killed."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            # Fails if it is locked, or on a file system without locks, where nothing is known.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Under the lock, so that no run begins to write to it meanwhile.
            remove(path)
        finally:
            os.close(descriptor)


def check_place(path: Path, *, inputs: Iterable[Path] = (), overwrite: bool = True) -> None:
    """Refuses a path that a file must not be written to; nothing is written.

    Args:
        path: The file that is to be written.
        inputs: Files that are read: none of them is overwritten, under any of its names.
        overwrite: Whether another file of this name may be replaced.

    Raises:
        ReleaseError: It is an input, a folder or a device, or exists.
    """
    if "\0" in str(path):
        raise ReleaseError(T.ZERO_BYTE())
    if any(is_same_file(path, read) for read in inputs):
        raise ReleaseError(T.IS_INPUT(file=name_of(path)))
    if not os.path.lexists(path):
        return
    try:
        # The target of a link, so that /dev/stdout is refused like a device.
        mode = os.stat(path).st_mode  # noqa: PTH116 - a path that is no path is an error
    except (OSError, ValueError):
        mode = stat.S_IFREG  # a link that leads nowhere
    if stat.S_ISDIR(mode):
        raise ReleaseError(T.FOLDER_NAMED(folder=name_of(path)))
    if not stat.S_ISREG(mode):
        raise ReleaseError(T.DEVICE_NAMED(name=name_of(path)))
    if not overwrite:
        raise ReleaseError(T.EXISTS(file=name_of(path)))


def require_folder(path: Path) -> None:
    """Refuses a path whose folder does not exist.

    Raises:
        ReleaseError: There is no such folder.
    """
    if not path.parent.is_dir():
        reason = T.NO_FOLDER(folder=path.parent.name)
        raise ReleaseError(T.NOT_WRITTEN(file=name_of(path), reason=reason))


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable (fsync)."""
    if os.name != "posix":  # other systems cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _clear_left(folder: Path) -> None:
    """Removes the unfinished files that earlier runs left in a folder when they were killed."""
    with suppress(OSError):
        for part in folder.glob(f".*{_PART}"):
            if part.is_file() and not part.is_symlink():
                clear_if_left(part, Path.unlink)


def _give_name(part: Path, path: Path, overwrite: bool) -> None:
    if overwrite:
        part.replace(path)
        return
    try:
        # Unlike a rename, a link never replaces a file that appeared meanwhile.
        os.link(part, path)
    except (NotImplementedError, PermissionError, OSError) as error:
        if isinstance(error, FileExistsError):
            raise
        # File systems without links, such as FAT.
        part.rename(path)


def is_same_file(path: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, or would if it existed."""
    try:
        return path.samefile(other)
    except OSError:
        # One of them does not exist: their full names tell whether they would be the same.
        # os.path.realpath, because Path.resolve raises for a link to itself.
        return os.path.realpath(path) == os.path.realpath(other)


def umask() -> int:
    """Returns the umask of the process, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
