"""`podesta backup`, `restore` and `reset`: all that the box keeps, in one file; put back; and gone."""

from __future__ import annotations

import argparse

from device import config as configs
from device.backup import reset as forget
from device.backup import restore as put_back
from device.backup import save
from device.commands import CommandError, Exit, add_path
from device.commands.box import add_box, state_of
from device.commands.values import add_force, check_free, installed


def backup(parser: argparse.ArgumentParser) -> None:
    """Add the options that ``podesta backup`` takes."""
    add_path(parser, "file", "FILE", "the backup to write, such as box.tar.gz")
    add_force(parser, "a file that exists")
    add_box(parser)
    parser.set_defaults(run=_backup)


def _backup(options: argparse.Namespace) -> int:
    """Write the backup; the box may go on playing."""
    check_free(options.file, force=options.force)
    state = state_of(options)
    contents = save(state, configs.find(options.config), options.file, installed("podesta"))
    print(f"{options.file}: {contents.matches} matches, {len(contents.files)} files, of {state}")
    return Exit.FINE


def restore(parser: argparse.ArgumentParser) -> None:
    """Add the options that ``podesta restore`` takes."""
    add_path(parser, "file", "FILE", "a backup of podesta backup")
    add_force(parser, "what is there; it is kept beside the new")
    add_box(parser)
    parser.set_defaults(run=_restore)


def _restore(options: argparse.Namespace) -> int:
    """Restore it, checked first."""
    settings, state = configs.find(options.config) or configs.SYSTEM_FILE, state_of(options)
    contents, aside = put_back(options.file, state, settings, force=options.force)
    saved = f"{contents.matches} matches, {len(contents.files)} files"
    print(f"{state}: {saved}, saved by podesta {contents.version}")
    if aside:
        print(f"what was there is in {aside}")
    return Exit.FINE


def reset(parser: argparse.ArgumentParser) -> None:
    """Add the options that ``podesta reset`` takes."""
    parser.add_argument("--yes", action="store_true", help="really do it")
    parser.add_argument("--matches", action="store_true", help="the matches go, too")
    add_box(parser)
    parser.set_defaults(run=_reset)


def _reset(options: argparse.Namespace) -> int:
    """Remove what a new box does not have; raises :class:`CommandError` unless that is said to be meant."""
    state = state_of(options)
    if not options.yes:
        kept = "" if options.matches else " but the matches"
        raise CommandError(f"{state}: all there{kept} would go for good; --yes does it", code=Exit.USAGE)
    forget(state, matches=options.matches)
    return Exit.FINE
