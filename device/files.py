"""Small files: read within limits, replaced whole or not at all.

All files of the box and its commands go through these two functions. So a pipe, a device or an endless file
in the place of a setting stops nothing, and a planted link leads no writer astray.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from device.errors import DeviceError, Exit

SMALL = 1 << 20
"""The most bytes in a file, unless its reader says otherwise."""


def read_file(path: Path, limit: int = SMALL) -> bytes:
    """Read a file; never wait for anything but a plain file.

    Raises OSError, also for a folder, a pipe or a device, and for more than ``limit`` bytes.
    """
    with open(path, "rb", opener=_at_once) as opened:
        _check_plain(os.fstat(opened.fileno()), path)
        data = opened.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit} bytes", str(path))
    return data


class FolderBusy(DeviceError):
    """Error raised when another process works in the folder; the message names it."""

    code = Exit.BUSY


@contextlib.contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Hold a folder for this process alone; make it if needed. Only its owner may look into it.

    Only the owner may read any file that the process makes meanwhile, anywhere. The lock is on the folder
    itself: it needs no room on the disk and ends with the process. Raises :class:`FolderBusy`, and OSError if
    the folder cannot be made.
    """
    before = os.umask(0o077)
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderBusy(f"{folder}: another podesta works in it") from None
            with contextlib.suppress(OSError):  # not ours, or read-only
                os.fchmod(lock, 0o700)
            yield
        finally:
            os.close(lock)
    finally:
        os.umask(before)


_FRESH = re.compile(r"\..+\.([0-9a-f]{16}\.)?new")
"""The name of an unfinished file, of :func:`replace_file` or of a journal."""


def remove_unfinished(folder: Path) -> list[Path]:
    """Remove files that a power cut left unfinished, in ``folder`` and below; return their paths.

    A file that another process is writing is locked by it and stays. Raises OSError if the folder is missing;
    a file that cannot be removed stays.
    """
    removed = []
    for place, _, names, descriptor in os.fwalk(folder, onerror=None, follow_symlinks=False):
        for name in filter(_FRESH.fullmatch, names):
            with contextlib.suppress(OSError):
                file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=descriptor)
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(name, dir_fd=descriptor)
                    removed.append(Path(place, name))
                finally:
                    os.close(file)
    return removed


def replace_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace a file by ``data``: after a power cut the old or the new file is there, nothing else.

    Only the owner may read it unless ``mode`` says otherwise (the umask still holds). A file written by root
    belongs to the folder's owner: the box, which is not root, must be able to change it later. A link in its
    place is replaced, never followed. Raises OSError: then the old file is unchanged, or the new one is there
    but perhaps not on the disk.
    """
    with contextlib.suppress(FileNotFoundError):
        _check_plain(path.stat(), path)
    fresh = f".{path.name}.{secrets.token_hex(8)}.new"
    with contextlib.ExitStack() as closing:
        folder = _open_folder(path.parent)
        closing.callback(os.close, folder)
        # An unforeseeable name, in the folder that was opened, and never through a link.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(fresh, flags, mode, dir_fd=folder)
        try:
            with open(file, "wb") as opened:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the lock keeps remove_unfinished() away
                opened.write(data)
                opened.flush()
                if os.geteuid() == 0:
                    owner = os.fstat(folder)
                    os.fchown(file, owner.st_uid, owner.st_gid)
                os.fsync(file)
                os.replace(fresh, path.name, src_dir_fd=folder, dst_dir_fd=folder)
                os.fsync(file)  # FAT keeps the size beside the name, and writes it only with the file
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(fresh, dir_fd=folder)
            raise
        os.fsync(folder)


def _at_once(path: str, flags: int) -> int:
    """Open a file without waiting: for a pipe without a writer that would take for ever."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


def _check_plain(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a plain file", str(path))


def _open_folder(folder: Path) -> int:
    """Return the folder's descriptor; root follows no link to it but root's own."""
    link = folder.lstat()
    if os.geteuid() == 0 and stat.S_ISLNK(link.st_mode) and link.st_uid != 0:
        raise OSError(errno.ELOOP, "a link that is not root's own", str(folder))
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
