"""`podesta backup`: everything that the box keeps, in one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from device import config as configs
from device.backup import BackupError, save
from device.commands import CommandError, Exit
from device.commands.checks import installed
from device.commands.values import add_config, add_state


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the backup to write, such as box.tar.gz")
    parser.add_argument("--force", action="store_true", help="replace a file that exists")
    add_config(parser)
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """Write it; the box may go on playing. Raises :class:`CommandError`, OSError."""
    if options.file.exists() and not options.force:
        raise CommandError(f"{options.file}: exists; --force replaces it", code=Exit.USAGE)
    settings = configs.find(options.config)
    state: Path = options.state or configs.state_dir(configs.load(settings).config)
    try:
        contents = save(state, settings, options.file, installed("podesta"))
    except BackupError as error:
        raise CommandError(str(error)) from error
    print(f"{options.file}: {contents.matches} matches, {len(contents.files)} files, of {state}")
    return Exit.FINE
