"""`podesta run`: the box itself, until it is stopped."""

from __future__ import annotations

import argparse

from device import config as configs
from device.commands import CommandError, Exit
from device.commands.values import add_config, add_state, whole
from engines import packages


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument(
        "--simulate", action="store_true", help="no pins, display or lines: a simulated box in the browser"
    )
    parser.add_argument("--safe", action="store_true", help="without any plug-in, whatever the settings name")
    add_config(parser)
    add_state(parser)
    parser.add_argument(
        "--port", metavar="N", type=whole(0, 65535), help="the panel's port (0: any free one)"
    )


def run(options: argparse.Namespace) -> int:
    """Start the daemon and stay with it; raises :class:`CommandError` for a mistake in a named config."""
    if options.config:
        loaded = configs.load_or_last_good(options.config, options.state)
        if loaded.source is not configs.Source.FILE:
            raise CommandError(*map(str, loaded.problems), code=Exit.USAGE)
    else:
        loaded = configs.load_or_last_good(configs.find(), options.state)

    if options.safe:
        packages.leave_out()  # the settings are read: they may name what is left out

    from device import daemon  # noqa: PLC0415 – brings pins, pictures and a web server

    return daemon.main(
        loaded, state=options.state, simulate=options.simulate, safe=options.safe, port=options.port
    )
