"""A stick: what the box writes for people to carry away, read back before it may be pulled out; and the file
that makes it a box of an event.

::

    stick = Stick(state_dir, settings_file)
    if stick.there:
        stick.matches()      # Written("podesta-table-07-20261127-221504.zip", matches=3)

It is a FAT volume that ``podesta-stick@.service`` mounts at :data:`MOUNTED`. Each file has a name of its own,
so that nothing on the stick is ever replaced.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from device import event
from device.backup import BackupError, look, save
from device.errors import DeviceError
from device.match import SUFFIX, JournalError
from device.texts import Said, Why, cause_of, of_system, said

log = logging.getLogger(__name__)

MOUNTED: Final = Path("/run/podesta/stick")


class StickError(DeviceError):
    """Nothing was written; the message is why, a text in one line."""


class Written(msgspec.Struct, frozen=True):
    """A file on the stick, read back and the same: its name, and how many matches are in it; ``left_out`` are
    journals that could not be taken along.
    """

    file: str
    matches: int
    left_out: tuple[Why, ...] = ()


class Stick:
    """A stick, what can be written to it for people to carry away, and what can be taken from it."""

    def __init__(self, state: Path, settings: Path | None, folder: Path | None = None) -> None:
        """Take the ``settings`` file in force; ``folder`` stands in for a stick if the box is simulated."""
        self._state, self._settings, self._folder = state, settings, folder

    @property
    def there(self) -> bool:
        """Return True while a stick is plugged in."""
        return self._folder.is_dir() if self._folder else os.path.ismount(MOUNTED)

    @property
    def folder(self) -> Path:
        """Return where a stick is mounted, whether one is in or not."""
        return self._folder or MOUNTED

    def matches(self) -> Written:
        """Write the matches of this box's event, as everybody may read them, with its public key.

        Raises :class:`StickError`.
        """
        return self._bundle(sorted((self._state / "matches").glob(f"*{SUFFIX}")), whole=False)

    def whole(self, match: Path) -> Written:
        """Write a match with all that the box knows, for a spare box; raises :class:`StickError`."""
        return self._bundle([match], whole=True)

    def backup(self) -> Written:
        """Write a backup of everything; raises :class:`StickError`."""
        target = self._target("podesta-backup", ".tar.gz")
        try:
            save(self._state, self._settings, target, version("podesta"))
            contents, _ = look(target)
        except (BackupError, OSError) as error:
            raise StickError(_explain(error)) from error
        return Written(target.name, contents.matches)

    @property
    def boxes(self) -> list[Path]:
        """The files of boxes of an event that are on the stick, by the names that their tables have."""
        return sorted([*self.folder.glob("table-*.toml"), *self.folder.glob("*/table-*.toml")])

    def become(self, file: Path) -> tuple[str, str]:
        """Be the box of a file from now on, which goes from the stick; return its table and its event.

        Raises :class:`StickError`.
        """
        try:
            here = event.take_place(file, self._state)
        except (event.ProvisionError, OSError) as error:
            raise StickError(_explain(error)) from error
        return here.table, here.event

    def _bundle(self, paths: Sequence[Path], *, whole: bool) -> Written:
        found, left_out = [], list[Said]()
        try:
            keys, ours = event.find_box_keys(self._state)
            for path in paths:
                try:
                    found.append(event.take_journal(path, whole=whole))
                except (event.BundleError, JournalError) as error:
                    left_out.append(said("stick.unread", file=path.name, detail=cause_of(error)))
            if not whole:
                found = [one for one in found if ours in (None, one.reading.header.get("event_id"))]
            if not found:
                raise StickError(next(iter(left_out), said("stick.no_match")))
            told = event.read_place(self._state)
            table = re.sub(r"[^A-Za-z0-9-]+", "-", told.table if told else "box")
            target = self._target(f"podesta-{table}{'-whole' * whole}", ".zip")
            matches = event.gather_journals(found)
            written = event.write_bundle(target, matches, keys, version("podesta"), 0o600)
        except (event.BundleError, event.KeyFileError, event.ProvisionError, OSError) as error:
            raise StickError(_explain(error)) from error
        return Written(target.name, len(written.matches), tuple(left_out))

    def _target(self, name: str, suffix: str) -> Path:
        if not self.there:
            raise StickError(said("stick.gone"))
        return self.folder / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}{suffix}"


def _explain(error: Exception) -> Said:
    """Return why nothing was written, and log it; what the system says stands in its detail."""
    log.warning("stick: %s", error)
    return said("stick.not_done", detail=of_system(error)) if isinstance(error, OSError) else cause_of(error)
