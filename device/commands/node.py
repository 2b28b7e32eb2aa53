"""`podesta node check PORT`: whether a home-made node on the line keeps to hardware/PROTOCOL.md."""

from __future__ import annotations

import argparse
import time

import serial

from device.commands import CommandError, Exit
from device.commands.values import report, whole
from device.config import LineSettings
from device.line import reason
from device.line.kit import Kit

PATIENCE_S = 30


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    what = "play the box to a node and say what it does wrong (half a minute, with a hand at its keys)"
    check = actions.add_parser("check", help=what, description=what)
    check.add_argument(
        "port", metavar="PORT", help="a device path such as /dev/ttyUSB0; no box may have it open"
    )
    check.add_argument(
        "--baud",
        type=whole(300, 4_000_000),
        default=LineSettings("").baud,
        help="bits per second (%(default)s)",
    )
    check.add_argument(
        "--patience",
        metavar="SECONDS",
        type=whole(0, 3600),
        default=PATIENCE_S,
        help="how long a hand may take where the node sends nothing by itself (%(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    """Print each check as it is done; raises :class:`CommandError` when the port cannot be had."""
    try:
        return report(Kit(_Serial(options.port, options.baud), _ask, options.patience).run())
    except (OSError, ValueError) as error:
        raise CommandError(f"{options.port}: {reason(error)}", code=Exit.UNREADABLE) from error


def _ask(text: str) -> None:
    print(f"{'':<9} {text}", flush=True)


class _Serial:
    """A :class:`~device.line.kit.TimedPort` over pyserial."""

    def __init__(self, url: str, baud: int) -> None:
        self._url = url
        self._baud = baud
        self._port: serial.SerialBase | None = None

    def open(self) -> None:
        self._port = serial.serial_for_url(self._url, self._baud, write_timeout=5, exclusive=True)

    def close(self) -> None:
        if self._port:
            self._port.close()
            self._port = None

    def write(self, data: bytes) -> None:
        if self._port:
            self._port.write(data)

    def read(self, seconds: float) -> bytes:
        if self._port is None:
            time.sleep(seconds)
            return b""
        self._port.timeout = max(seconds, 0)
        data: bytes = self._port.read(1)
        return data + self._port.read(self._port.in_waiting) if data else data

    def now(self) -> float:
        return time.monotonic()
