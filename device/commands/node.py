"""`podesta node check PORT`: whether a home-made node on the line keeps to hardware/PROTOCOL.md."""

from __future__ import annotations

import argparse

from device.commands import CommandError, Exit, report, whole
from device.line.kit import Kit, TimedPort
from device.settings import LineSettings
from device.texts import of_device

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
        return report(Kit(TimedPort(options.port, options.baud), _ask, options.patience).run())
    except (OSError, ValueError) as error:
        raise CommandError(f"{options.port}: {of_device(error, 'dialout')}", code=Exit.UNREADABLE) from error


def _ask(text: str) -> None:
    print(f"{'':<9} {text}", flush=True)
