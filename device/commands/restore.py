"""`podesta restore`: go on with what another box, or this one before, had saved."""

from __future__ import annotations

import argparse
from pathlib import Path

from device import config as configs
from device.backup import BackupError, restore
from device.commands import CommandError, Exit
from device.commands.values import add_config, add_state


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a backup of podesta backup")
    parser.add_argument(
        "--force", action="store_true", help="replace what is there; it is kept beside the new"
    )
    add_config(parser)
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """Restore it, checked first; raises :class:`CommandError`, OSError."""
    settings = configs.find(options.config) or configs.SYSTEM_FILE
    state: Path = options.state or configs.state_dir(configs.load(configs.find(options.config)).config)
    try:
        contents, aside = restore(options.file, state, settings, force=options.force)
    except BackupError as error:
        raise CommandError(str(error)) from error
    saved = f"{contents.matches} matches, {len(contents.files)} files"
    print(f"{state}: {saved}, saved by podesta {contents.version}")
    if aside:
        print(f"what was there is in {aside}")
    return Exit.FINE
