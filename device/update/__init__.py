"""Care of a box: a signed update, the version before, restoring a backup, factory reset.

The box only asks: ``podesta-update.service`` has the rights, and leaves the result.

================ =========================================================================
module           what it holds
================ =========================================================================
``release``      a manifest, its signature and packages: finding, checking, copying and signing them
``work``         the work of the service, as root
``installer``    installs, watches the new version, goes back; a program of its own on the system's Python
================ =========================================================================
"""

from __future__ import annotations

import platform
import re
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from device.backup import BackupError, look
from device.files import read_file, replace_file
from device.machine import run_systemctl
from device.texts import Why, cause_of, quoted, said
from device.update.installer import ASKED, HOME
from device.update.release import (
    LARGEST,
    SUFFIX,
    TRUSTED,
    CareError,
    Here,
    Manifest,
    Package,
    check,
    find,
    make_cause,
    read_trusted,
    read_version,
    sign,
)

RUNTIME: Final = Path("/run/podesta")
INSTALLED: Final = Path("/usr/lib/podesta/pyvenv.cfg")
"""A file of the box that exists if it was installed as a package."""
_TOLD: Final = "update-told"
_STATUS: Final = Path("/var/lib/dpkg/status")
_ENTRY: Final = re.compile(r"(?ms)^Package: (podesta|podesta-camera)$(.*?)(?:^$|\Z)")
_FIELD: Final = re.compile(r"(?m)^(Status|Version|Architecture): (.*)$")


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request: install the release, or restore the backup, of this name from the stick; go back to the
    previous version; or reset the box, with ``matches`` including its matches.
    """

    what: Literal["update", "back", "reset", "restore"]
    name: Annotated[str, Meta(pattern=r"\A([A-Za-z0-9][A-Za-z0-9+._~-]{0,199})?\Z")] = ""
    matches: bool = False


class Result(msgspec.Struct, frozen=True):
    """The result of a request: ``said`` is a key of the texts, ``version`` the version now; ``code`` is one
    of ``care.why``, ``why`` its detail. Without a code ``why`` is the whole message.
    """

    id: str
    said: str
    version: str = ""
    why: str = ""
    code: str = ""

    @property
    def cause(self) -> Why:
        """The reason as a text in any language."""
        return make_cause(self.code, self.why) if self.code else quoted(self.why)


def find_here(status: Path = _STATUS) -> Here:
    """Return the installed packages and the system of this box; raises :class:`CareError` without a package.

    It reads dpkg's own file: the box asks while it draws, and dpkg may take seconds on a slow card.
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


def find_kept(home: Path) -> str:
    """Return the previous version that is kept; empty without one."""
    return next((read_version(path.name) for path in sorted((home / "previous").glob("podesta_*.deb"))), "")


def start_service() -> str:
    """Start the service that carries out requests; return why it does not start."""
    return run_systemctl("start", "--no-block", "podesta-update.service")


class Care:
    """The requests that a box can make about itself."""

    def __init__(self, state: Path, stick: Path) -> None:
        """Look for releases at ``stick``, the mount point of a stick."""
        self._state, self._stick = state, stick

    @cached_property
    def here(self) -> Here:
        """The installed packages, which do not change while we run; raises :class:`CareError`."""
        return find_here()

    @property
    def offered(self) -> tuple[str, str] | None:
        """The newest release on the stick, if possible one for this box: its file and version."""
        names = find(self._stick)
        ours = f"~{self.here.distribution}_{self.here.architecture}.update"
        best = next((name for name in names if name.endswith(ours)), next(iter(names), ""))
        return (best, read_version(best)) if best else None

    @property
    def before(self) -> str:
        """The previous version that is kept; empty without one."""
        return find_kept(HOME)

    @property
    def backups(self) -> tuple[str, ...]:
        """The backups on the stick, the latest first."""
        found = (path.name for path in self._stick.glob("podesta-backup-*.tar.gz"))
        return tuple(sorted(found, reverse=True))

    def look(self, request: Request) -> Why:
        """Check the release or backup of a request on the stick; return why it cannot be done, empty if it
        can.
        """
        try:
            if request.what == "update":
                check(self._stick, request.name, read_trusted(TRUSTED), self.here)
            elif request.what == "restore":
                look(self._stick / request.name)
        except (CareError, BackupError) as error:
            return cause_of(error)
        except OSError as error:
            return said("care.why.system", detail=cause_of(error))
        return ""

    def ask(self, request: Request) -> Why:
        """Make a request; return why it fails, empty if it does not."""
        try:
            replace_file(RUNTIME / ASKED, msgspec.json.encode(request))
        except OSError as error:
            return said("care.why.system", detail=cause_of(error))
        why = start_service()
        return make_cause("service", why) if why else ""

    def news(self) -> Result | None:
        """Return the result of the last request once; None if there is no new one."""
        try:
            result = msgspec.json.decode(read_file(HOME / "result.json"), type=Result)
            told = self._state / _TOLD
            if told.exists() and read_file(told).decode("ascii", "replace") == result.id:
                return None
            replace_file(told, result.id.encode())
        except (OSError, msgspec.DecodeError):
            return None
        return result
