"""`podesta tower FILE…`: what a device that keeps pieces did, in a match or in all that are named."""

from __future__ import annotations

import argparse

from PIL import Image

from device.commands import CommandError, Exit, add_path
from device.commands.files import READABLE, account, open_file
from device.match import odometer
from device.screen import PageHeader, TextPage
from device.screen.pixels import draw, pages_of
from device.texts import Texts
from engines.texts import plain
from engines.words import Words

SCALE = 6
"""Pixels of a picture for each of the display."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    add_path(parser, "files", "FILE", f"{READABLE}; the oldest first", nargs="+")
    add_path(parser, "--png", "PICTURE", "draw it as the display would, too")


def run(options: argparse.Namespace) -> int:
    """Print what the device did; raises :class:`CommandError` for matches of several games or without one."""
    told = [account(path, open_file(path)) for path in options.files]
    games = {one.match.game.id: one.match.game for one in told}
    if len(games) > 1:
        raise CommandError(
            f"these are matches of {', '.join(games)}; name those of one game", code=Exit.USAGE
        )
    (game,) = games.values()
    labels = odometer([one.match for one in told])
    if not labels:
        raise CommandError(f"nothing in {game.title} keeps pieces", code=Exit.USAGE)
    lines = Words(Texts.load("en", game.id), game, told[-1].header.names).told(labels)
    print("\n".join(map(plain, lines)))
    if options.png:
        try:
            _picture(TextPage(PageHeader(game.title), "\n".join(lines))).save(options.png, "PNG")
        except (OSError, ValueError) as error:
            raise CommandError(f"{options.png}: {error}", code=Exit.UNREADABLE) from error
    return Exit.FINE


def _picture(page: TextPage) -> Image.Image:
    """Put all screens of a page one below the other."""
    screens = [draw(TextPage(page.header, page.text, at)) for at in range(pages_of(page))]
    width, height = screens[0].size
    whole = Image.new("1", (width, height * len(screens)))
    for at, screen in enumerate(screens):
        whole.paste(screen, (0, at * height))
    return whole.resize((whole.width * SCALE, whole.height * SCALE), Image.Resampling.NEAREST)
