"""The state of a box that runs: asked at its page, whose address it leaves in its state directory."""

from __future__ import annotations

import http.client
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from device.files import read_file, replace_file
from device.keys import KeypadState
from device.line import LineState
from device.voices import COOKIE
from engines.texts import DEFAULT_LANGUAGE

ADDRESS: Final = "page"
"""The file with the page's address."""
PATIENCE_S: Final = 3.0
"""A box that runs has answered by then."""


class SensorIs(msgspec.Struct, frozen=True):
    """A sensor and what it says; ``hindered`` by something it names."""

    sensor: str
    name: str
    online: bool
    hindered: bool
    says: str


class Running(msgspec.Struct, frozen=True):
    """A box's word on its parts, in English, and what has gone wrong since its start."""

    lines: tuple[LineState, ...]
    keypads: tuple[KeypadState, ...]
    sensors: tuple[SensorIs, ...]
    problems: tuple[str, ...] = ()


class _Answer(msgspec.Struct, frozen=True):
    status: Running


def leave_address(state: Path, url: str) -> None:
    """Say where the page is; raises OSError."""
    replace_file(state / ADDRESS, url.encode())


def ask(state: Path) -> Running | None:
    """Ask the box that works in the directory ``state``; None where none answers."""
    try:
        where = urlsplit(read_file(state / ADDRESS).decode())
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE_S)
        try:
            connection.request("GET", "/status", headers={"Cookie": f"{COOKIE}={DEFAULT_LANGUAGE}"})
            return msgspec.json.decode(connection.getresponse().read(), type=_Answer).status
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError):
        return None
