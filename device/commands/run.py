"""`podesta run`: the box itself, until it is stopped."""

from __future__ import annotations

import argparse

from device.commands.values import add_config, add_state, whole


def arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument(
        "--simulate", action="store_true", help="no pins, display or lines: a simulated box in the browser"
    )
    add_config(parser)
    add_state(parser)
    parser.add_argument(
        "--port", metavar="N", type=whole(0, 65535), help="the panel's port (0: any free one)"
    )


def run(options: argparse.Namespace) -> int:
    """Start the daemon and stay with it."""
    from device import daemon  # noqa: PLC0415 – brings pins, pictures and a web server

    return daemon.main(
        config=options.config, state=options.state, simulate=options.simulate, port=options.port
    )
