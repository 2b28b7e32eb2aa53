"""`podesta play GAME`: one match in this terminal, without the box."""

from __future__ import annotations

import argparse

from device.commands.values import add_game, add_state


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    add_game(parser)
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """Play until the match is over or left."""
    from device.commands import terminal  # noqa: PLC0415 – brings what the box is made of

    return terminal.main(options.game, options.state)
