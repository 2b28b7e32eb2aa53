"""A backup: everything that a box keeps, in one file, from which another box goes on.

It is a tar archive, compressed, with matches, facts, what sensors were taught, names, the judge's PIN and the
settings, and before them a list with the size and SHA-256 of each. Pictures are left out: they are large, and
journals keep their digests. A journal only grows, so a backup may be made while the box plays; a group that
was half written then is cut off when the match is opened, as after a power cut.
"""

from __future__ import annotations

import hashlib
import io
import re
import secrets
import shutil
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from device.errors import DeviceError
from device.files import hold_folder, read_file, replace_file
from device.texts import cause_of, said

LIST: Final = "podesta-backup.json"
SETTINGS: Final = "settings/podesta.toml"
"""The settings by their name in the archive."""
LEFT_OUT: Final = re.compile(
    r"(pictures|page|stick|pairing|phones\.json|last-good-.*|replaced-.*|\..*)(/.*)?"
)
"""Files that are made anew, or mean nothing on another box."""
LARGEST: Final = 256 << 20
"""Bytes of one file at most."""


class BackupError(DeviceError):
    """The archive is none, or is damaged; or the state is in use or not empty. One line with the remedy."""


class KeptFile(msgspec.Struct, frozen=True):
    """A file of the archive: its name there, its size in bytes and its SHA-256 in hex."""

    name: str
    size: int
    sha256: str


class BackupContents(msgspec.Struct, frozen=True):
    """The list in front of an archive: its format, who made it when (s since 1970), and every file."""

    format: int
    version: str
    made: int
    files: tuple[KeptFile, ...]

    @property
    def matches(self) -> int:
        """The number of matches in it."""
        return sum(one.name.startswith("state/matches/") for one in self.files)


def save(state: Path, settings: Path | None, target: Path, version: str) -> BackupContents:
    """Write a backup to ``target``, whole or not at all; ``settings`` is the file in force, if any.

    Raises OSError, and :class:`BackupError` where there is nothing to save.
    """
    if not state.is_dir():
        raise BackupError(said("backup.nothing", folder=state))
    data = {f"state/{name}": state / name for name in sorted(_list_names(state))}
    if settings and settings.is_file():
        data[SETTINGS] = settings
    held = {name: read_file(path, LARGEST) for name, path in data.items()}
    files = tuple(_describe_file(name, raw) for name, raw in held.items())
    listed = BackupContents(1, version, int(time.time()), files)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=6) as archive:
        for name, raw in {LIST: msgspec.json.encode(listed), **held}.items():
            about = tarfile.TarInfo(name)
            about.size, about.mtime, about.mode = len(raw), listed.made, 0o600
            archive.addfile(about, io.BytesIO(raw))
    replace_file(target, packed.getvalue())  # for its owner alone: a judge's PIN is in it
    return listed


def _describe_file(name: str, raw: bytes) -> KeptFile:
    return KeptFile(name, len(raw), hashlib.sha256(raw).hexdigest())


def _list_names(state: Path) -> Iterator[str]:
    for path in state.rglob("*"):
        name = path.relative_to(state).as_posix()
        if path.is_file() and not path.is_symlink() and not LEFT_OUT.fullmatch(name):
            yield name


def look(source: Path) -> tuple[BackupContents, dict[str, bytes]]:
    """Read and check a backup, without writing anything; raises :class:`BackupError` or OSError."""
    try:
        with tarfile.open(source, "r:gz") as archive:
            held = {one.name: _read_member(archive, one) for one in archive}
        listed = msgspec.json.decode(held.pop(LIST), type=BackupContents)
    except (tarfile.TarError, EOFError, KeyError, msgspec.DecodeError, ValueError) as error:
        raise BackupError(said("backup.half", file=source, detail=cause_of(error))) from error
    if listed.format != 1:
        raise BackupError(said("backup.newer", file=source, format=listed.format))
    found = {name: _describe_file(name, raw) for name, raw in held.items()}
    for one in listed.files:
        if found.pop(one.name, None) != one:
            raise BackupError(said("backup.altered", file=source, what=one.name))
    if found:
        raise BackupError(said("backup.unlisted", file=source, what=min(found)))
    return listed, held


def _read_member(archive: tarfile.TarFile, about: tarfile.TarInfo) -> bytes:
    path, data = PurePosixPath(about.name), None
    known = about.name in (LIST, SETTINGS) or path.parts[:1] == ("state",)
    if known and about.isreg() and ".." not in path.parts and about.size <= LARGEST:
        data = archive.extractfile(about)
    if data is None:
        raise ValueError(f"{about.name} has no place in it")
    with data:
        return data.read()


def restore(
    source: Path, state: Path, settings: Path, *, force: bool = False
) -> tuple[BackupContents, Path | None]:
    """Put a backup in the place of a state that is not in use; return what it held and where the old one is.

    Everything is checked before anything is written. Where the state is not empty ``force`` is needed, and
    what was there goes into a folder ``replaced-…`` beside the new, the old settings into ``….before``.
    After a power cut on the way the same command is given again. Raises :class:`BackupError`,
    :class:`device.files.FolderBusy` where a box works in the state, and OSError.
    """
    listed, held = look(source)
    with hold_folder(state):
        old = [path for path in state.iterdir() if not path.name.startswith(("replaced-", "."))]
        if old and not force:
            raise BackupError(
                f"{state}: not empty; --force replaces what is there, and keeps it in a folder of its own"
            )
        aside = None
        if old:
            aside = state / f"replaced-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
            aside.mkdir(0o700)
            for path in old:
                path.rename(aside / path.name)
        for name, raw in held.items():
            if name != SETTINGS:
                target = state / PurePosixPath(name).relative_to("state")
                target.parent.mkdir(0o700, parents=True, exist_ok=True)
                replace_file(target, raw)
    if SETTINGS in held:
        before = read_file(settings) if settings.exists() else b""
        if before not in (b"", held[SETTINGS]):  # given again, it keeps what was there at first
            replace_file(settings.with_name(f"{settings.name}.before"), before, 0o644)
        settings.parent.mkdir(parents=True, exist_ok=True)
        replace_file(settings, held[SETTINGS], 0o644)
    return listed, aside


def reset(state: Path, *, matches: bool) -> None:
    """Remove what a new box does not have; the ``matches`` go only when that is said.

    After a power cut on the way it is done again. Raises OSError, and :class:`device.files.FolderBusy` where
    a box works in the state.
    """
    with hold_folder(state):
        for path in state.iterdir():
            if path.name == "matches" and not matches:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
