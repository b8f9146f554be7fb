"""One way to write a file: whole or not at all, durable, over nothing that must not be lost."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from dpdesk.errors import ReleaseError

if sys.platform != "win32":
    import fcntl


_PART = ".dpdesk-part"
"""Ending of a file that is being written; no other program writes files of it."""


def write_file(
    path: Path, content: str | bytes, *, overwrite: bool = True, private: bool = False
) -> None:
    """Writes a file under a name of its own, makes it durable, and then gives it its name.

    A link at the path is replaced itself; nothing is written through it.

    Args:
        path: The file.
        content: Text, which is written as UTF-8, or bytes.
        overwrite: Whether an earlier file of this name may be replaced.
        private: Whether nobody but the user may read it (mode 0600).

    Raises:
        ReleaseError: The file cannot be written, or stands already; what stood there still does.
    """
    raw = content.encode("utf-8") if isinstance(content, str) else content
    check_place(path, overwrite=overwrite)
    require_folder(path)
    try:
        write_durably(path, raw, overwrite=overwrite, private=private)
    except OSError as error:
        raise ReleaseError(
            f"{name_of(path)} cannot be written: {error.strerror or 'the file system refused'}.",
            remedy="Free space, or choose another folder.",
        ) from None


def write_durably(
    path: Path, content: bytes, *, overwrite: bool = True, private: bool = False
) -> None:
    """Does the writing of `write_file`, for those who tell a failure in words of their own.

    Raises:
        OSError: The file cannot be written; what stood there before still does.
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
                # mkstemp makes it private; a file has the permissions of any new one.
                part.chmod(0o666 & ~umask())
            _give_name(part, path, overwrite)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
    # The file stands from here on: an error now must not say that it does not.
    with suppress(OSError):
        sync_folder(path.parent)


def name_of(path: Path) -> str:
    """Returns the name of a file for a sentence; of `.` and `/`, which have none, the path."""
    return path.name or str(path)


@contextmanager
def held_anew(make: Callable[[], Path]) -> Iterator[Path]:
    """Makes a file or folder and holds it; no other run can take it for left in between.

    Args:
        make: Makes it, each time under another name.
    """
    while True:
        part = make()
        with ExitStack() as stack:
            # Who clears the folder may come before the lock; then another one is made.
            with suppress(FileNotFoundError):
                stack.enter_context(_held(part))
            if part.exists():
                yield part
                return


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Holds a file or folder that is being written, until the end of this process at the latest.

    A lock of the system ends with its holder, even one that is killed. Where folders cannot be
    opened (Windows), nothing is held, and nothing is ever taken for left.
    """
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        # Waits for who is just looking whether it is left; a file system may have no locks.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def clear_if_left(path: Path, remove: Callable[[Path], None]) -> None:
    """Removes a file or folder that nobody holds any more: the run that wrote it was killed."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            # Fails where it is held, or on a file system without locks, where nothing is known.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Under the lock, so that nobody begins to write to it meanwhile.
            remove(path)
        finally:
            os.close(descriptor)


def check_place(path: Path, *, inputs: Iterable[Path] = (), overwrite: bool = True) -> None:
    """Refuses a path that a file must not be written to; nothing is written.

    Args:
        path: The file that is to be written.
        inputs: Files that are read: none of them is written over, by any of its names.
        overwrite: Whether another file of this name may be replaced.

    Raises:
        ReleaseError: It is an input, a folder or a device, or stands already.
    """
    if "\0" in str(path):
        raise ReleaseError("The path holds a zero byte.", remedy="Choose another name.")
    if any(is_same_file(path, read) for read in inputs):
        raise ReleaseError(
            f"{name_of(path)} is read by this command and would be destroyed.",
            remedy="Choose another name for the result.",
        )
    if not os.path.lexists(path):
        return
    try:
        # Of a link what it leads to, so that /dev/stdout is refused as a device is.
        mode = os.stat(path).st_mode  # noqa: PTH116 - a path that is no path is an error
    except (OSError, ValueError):
        mode = stat.S_IFREG  # a link that leads nowhere
    if stat.S_ISDIR(mode):
        raise ReleaseError(f"{name_of(path)} is a folder.", remedy="Add the name of a file.")
    if not stat.S_ISREG(mode):
        raise ReleaseError(
            f"{name_of(path)} is a device or a pipe, which cannot be replaced by a file.",
            remedy="Choose another name.",
        )
    if not overwrite:
        raise ReleaseError(
            f"{name_of(path)} exists already.",
            remedy="Choose another name, or allow to replace it (--overwrite).",
        )


def require_folder(path: Path) -> None:
    """Refuses a path whose folder is not there.

    Raises:
        ReleaseError: There is no such folder.
    """
    if not path.parent.is_dir():
        raise ReleaseError(
            f"{name_of(path)} cannot be written: there is no folder {path.parent.name}.",
            remedy="Make the folder, or choose another one.",
        )


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable."""
    if os.name != "posix":  # other systems cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _clear_left(folder: Path) -> None:
    """Removes what earlier runs left in a folder when they were killed: none of it has a name."""
    with suppress(OSError):
        for part in folder.glob(f".*{_PART}"):
            if part.is_file() and not part.is_symlink():
                clear_if_left(part, Path.unlink)


def _give_name(part: Path, path: Path, overwrite: bool) -> None:
    if overwrite:
        part.replace(path)
        return
    try:
        # Unlike a rename, a link never takes the place of a file that came meanwhile.
        os.link(part, path)
    except (NotImplementedError, PermissionError, OSError) as error:
        if isinstance(error, FileExistsError):
            raise
        # File systems without links, such as FAT.
        part.rename(path)


def is_same_file(path: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, or would if it were there."""
    try:
        return path.samefile(other)
    except OSError:
        # One of them is not there: their full names tell whether they would be the same.
        # Of os.path: that of Path raises for a link to itself.
        return os.path.realpath(path) == os.path.realpath(other)


def umask() -> int:
    """Returns which rights a new file does not get; a process can only ask by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
