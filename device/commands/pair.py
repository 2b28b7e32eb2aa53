"""`podesta pair SEAT`: the code for a phone that asks for a seat, for a box without a display."""

from __future__ import annotations

import argparse
from pathlib import Path

from device import config as configs
from device.commands import CommandError, Exit
from device.commands.config import checked
from device.commands.values import add_config, add_state
from device.match import code_shown
from engines.contract import SEATS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument("seat", choices=SEATS, metavar="SEAT", help=f"{SEATS[0]} to {SEATS[-1]}")
    add_config(parser)
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """Print the six digits; raises :class:`CommandError` where no phone asks for that seat."""
    state: Path = options.state or configs.state_dir(checked(configs.find(options.config)))
    try:
        shown = code_shown(state)
    except (OSError, ValueError) as error:
        raise CommandError(f"{state}: {error}") from error
    if shown is None or SEATS[shown[0]] != options.seat:
        raise CommandError(f"no phone asks for seat {options.seat}: choose the seat on the phone first")
    print(shown[1])
    return Exit.FINE
