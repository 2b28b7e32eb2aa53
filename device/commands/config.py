"""`podesta config show`: the settings in force, or what of them differs from the defaults."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from device import config as configs
from device.commands import CommandError, Exit
from device.commands.values import add_config
from device.files import read_file


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="print the settings as TOML")
    show.add_argument("--changed", action="store_true", help="only what differs from the defaults")
    add_config(show)


def run(options: argparse.Namespace) -> int:
    """Print the settings; raises :class:`CommandError` with everything wrong with the file."""
    path = configs.find(options.config)
    config = checked(path)
    if options.changed:
        print("\n".join(changes(config)) or "# everything stands at its default")
    else:
        print(f"# {path or 'no file: the defaults'}\n{configs.show(config)}", end="")
    return Exit.FINE


def checked(path: Path | None) -> configs.Config:
    """The config in a file; raises :class:`CommandError` with all problems, OSError if it cannot be read."""
    if path:
        read_file(path)
    loaded = configs.load(path)
    if loaded.problems:
        raise CommandError(*map(str, loaded.problems))
    return loaded.config


def changes(config: configs.Config) -> list[str]:
    """Return the lines of what differs from the defaults: ``keys.ok = 5  # default 22``."""
    return [
        f"{key} = {_shown(key, value)}"
        + (f"  # default {_shown(key, default)}" if default is not None else "")
        for key, value, default in configs.changed(config)
    ]


def _shown(key: str, value: object) -> str:
    return f"0x{value:02X}" if key == "display.address" else json.dumps(value, ensure_ascii=False)
