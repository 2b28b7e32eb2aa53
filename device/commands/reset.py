"""`podesta reset`: the state of a new box."""

from __future__ import annotations

import argparse
from pathlib import Path

from device import config as configs
from device.backup import reset
from device.commands import CommandError, Exit
from device.commands.values import add_config, add_state


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument("--yes", action="store_true", help="really do it")
    parser.add_argument("--matches", action="store_true", help="the matches go, too")
    add_config(parser)
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """Remove it; raises :class:`CommandError` unless that is said to be meant, and OSError."""
    state: Path = options.state or configs.state_dir(configs.load(configs.find(options.config)).config)
    if not options.yes:
        kept = "" if options.matches else " but the matches"
        raise CommandError(f"{state}: all there{kept} would go for good; --yes does it", code=Exit.USAGE)
    reset(state, matches=options.matches)
    return Exit.FINE
