"""Requests of the box to ``podesta-update.service``, which has the rights for them, and their results."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from device.backup import BackupError, look
from device.files import read_file, replace_file
from device.machine import systemctl
from device.texts import Why, cause_of, said, words
from device.update.installer import ASKED, HOME
from device.update.release import TRUSTED, CareError, Here, check, coded, find, named, trusted

RUNTIME: Final = Path("/run/podesta")
INSTALLED: Final = Path("/usr/lib/podesta/pyvenv.cfg")
"""It is there where the box was installed as a package."""
_TOLD: Final = "update-told"
_STATUS: Final = Path("/var/lib/dpkg/status")
_ENTRY: Final = re.compile(r"(?ms)^Package: (podesta|podesta-camera)$(.*?)(?:^$|\Z)")
_FIELD: Final = re.compile(r"(?m)^(Status|Version|Architecture): (.*)$")


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request: install the release, or restore the backup, of that name from the stick; go back to the
    version before; become as a new box, where ``matches`` go only when that is said.
    """

    what: Literal["update", "back", "reset", "restore"]
    name: Annotated[str, Meta(pattern=r"\A([A-Za-z0-9][A-Za-z0-9+._~-]{0,199})?\Z")] = ""
    matches: bool = False


class Result(msgspec.Struct, frozen=True):
    """The result of a request: ``said`` is a key of the texts, with the version that is there now; ``code``
    is one of ``care.why``, ``why`` its detail. Without a code ``why`` is all there is to tell.
    """

    id: str
    said: str
    version: str = ""
    why: str = ""
    code: str = ""

    @property
    def cause(self) -> Why:
        """Return why, to be told in any language."""
        return coded(self.code, self.why) if self.code else words(self.why)


def here(status: Path = _STATUS) -> Here:
    """Return what is installed on this box; raises :class:`CareError` where it is no package.

    dpkg's own file is read: the box asks while it draws, and dpkg, run on a slow card, may take seconds.
    """
    try:
        told = read_file(status).decode("utf-8", "replace")
    except OSError as error:
        raise CareError("system", error) from error
    found = {entry[1]: dict(_FIELD.findall(entry[2])) for entry in _ENTRY.finditer(told)}
    there = {name: fields for name, fields in found.items() if fields["Status"].endswith(" installed")}
    if not (ours := there.get("podesta")):
        raise CareError("no_package")
    distribution = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
    version = ours["Version"].partition("~")[0]
    return Here(version, distribution, ours["Architecture"], tuple(sorted(there)))


def kept(home: Path = HOME) -> str:
    """Return the version before, which is kept; empty where none is."""
    return next((named(path.name) for path in sorted((home / "previous").glob("podesta_*.deb"))), "")


def started() -> str:
    """Have the service manager do what was asked; return why it does not."""
    return systemctl("start", "--no-block", "podesta-update.service")


class Care:
    """The care of a box: what it can have done to itself."""

    def __init__(
        self,
        state: Path,
        stick: Path,
        *,
        home: Path = HOME,
        runtime: Path = RUNTIME,
        keys: Path = TRUSTED,
        box: Callable[[], Here] = here,
        start: Callable[[], str] = started,
    ) -> None:
        """Look for releases at ``stick``, where a stick is mounted; tests replace the rest."""
        self._state, self._stick, self._home, self._runtime = state, stick, home, runtime
        self._keys, self._box, self._start = keys, box, start

    @cached_property
    def here(self) -> Here:
        """Return what is installed, which does not change while we run; raises :class:`CareError`."""
        return self._box()

    @property
    def offered(self) -> tuple[str, str] | None:
        """Return the newest release on the stick, for this box if there is one: its file and version."""
        names = find(self._stick)
        ours = f"~{self.here.distribution}_{self.here.architecture}.update"
        best = next((name for name in names if name.endswith(ours)), next(iter(names), ""))
        return (best, named(best)) if best else None

    @property
    def before(self) -> str:
        """Return the version before; empty where none is kept."""
        return kept(self._home)

    @property
    def backups(self) -> tuple[str, ...]:
        """Return the backups on the stick, the latest first."""
        found = (path.name for path in self._stick.glob("podesta-backup-*.tar.gz"))
        return tuple(sorted(found, reverse=True))

    def look(self, request: Request) -> Why:
        """Check what is asked for where it lies; return why it cannot be done, empty where it can."""
        try:
            if request.what == "update":
                check(self._stick, request.name, trusted(self._keys), self.here)
            elif request.what == "restore":
                look(self._stick / request.name)
        except (CareError, BackupError) as error:
            return cause_of(error)
        except OSError as error:
            return said("care.why.system", detail=cause_of(error))
        return ""

    def ask(self, request: Request) -> Why:
        """Ask for it; return why nothing comes of it, empty where something does."""
        try:
            replace_file(self._runtime / ASKED, msgspec.json.encode(request))
        except OSError as error:
            return said("care.why.system", detail=cause_of(error))
        why = self._start()
        return coded("service", why) if why else ""

    def news(self) -> Result | None:
        """Return what came of a request, once; None where nothing did that was not told."""
        try:
            result = msgspec.json.decode(read_file(self._home / "result.json"), type=Result)
            told = self._state / _TOLD
            if told.exists() and read_file(told).decode("ascii", "replace") == result.id:
                return None
            replace_file(told, result.id.encode())
        except (OSError, msgspec.DecodeError):
            return None
        return result
