"""`podesta provision`: a file for each box of an event, and a box that takes its own.

``podesta provision "Friday cup" --tables 40`` makes a folder with a file a box (its table, its key, signed by
the event's key), with ``keys.toml`` for ``podesta verify --keys``, and with the event's own key, which stays
with the organiser. ``podesta provision --take FILE`` at a box makes it that table, and removes the file.
``podesta provision --revoke TABLE --keys FILE`` says that a lost box's key counts no more.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from device.commands import CommandError, Exit, add_path
from device.commands.box import add_box, sound_state
from device.commands.codes import asked
from device.commands.verify import written_hash
from device.event import plan, revoke, slug, take
from device.files import read_file
from device.match import kept_pin


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    parser.add_argument("event", nargs="?", metavar="EVENT", help="the event's name, up to 64 letters")
    parser.add_argument("--tables", type=int, metavar="N", help="for so many boxes")
    add_path(parser, "--to", "FOLDER", "a new folder; by default the event's name")
    parser.add_argument("--desk", default="", metavar="URL", help="the desk's address")
    parser.add_argument("--broker", default="", metavar="URL", help="mqtts://HOST:PORT, to be heard live")
    add_path(parser, "--broker-ca", "FILE", "the certificates that the broker's is checked by: PEM")
    parser.add_argument("--judge", action="store_true", help="ask for a judge's PIN, the same at every box")
    add_path(parser, "--take", "FILE", "be the box of this file, and remove it")
    parser.add_argument(
        "--revoke", metavar="TABLE", help="in --keys, let the key of a lost box count no more"
    )
    add_path(parser, "--keys", "FILE", "the event's keys.toml")
    parser.add_argument(
        "--counts-to",
        metavar="HASH",
        type=written_hash,
        action="append",
        default=[],
        help="with --revoke: a record's hash that the table noted; its match counts up to there",
    )
    add_box(parser)


def run(options: argparse.Namespace) -> None:
    """Carry out the action; raises :class:`CommandError` for a missing option or a failed file."""
    try:
        if options.take:
            state = sound_state(options)
            place = take(options.take, state)
            print(f"{state}: {place.table} of {place.event}; start the box anew. {options.take} is removed.")
            return
        if options.revoke and options.keys:
            revoke(options.keys, options.revoke, options.counts_to)
            to = " and ".join(options.counts_to) or "nothing"
            print(f"{options.keys}: the key of {options.revoke} counts up to {to}, and no further")
            return
        if not (options.event and options.tables):
            why = "give EVENT and --tables N, --take FILE at a box, or --revoke TABLE and --keys FILE"
            raise CommandError(why, code=Exit.USAGE)
        folder = options.to or Path(slug(options.event))
        judge = kept_pin(asked()).decode() if options.judge else ""
        ca = read_file(options.broker_ca).decode("ascii") if options.broker_ca else ""
        meeting = {"broker": options.broker, "broker_ca": ca}
        made = plan(folder, options.event, options.tables, desk=options.desk, judge=judge, **meeting)
    except ValueError as error:
        raise CommandError(f"{error}; nothing was made", code=Exit.USAGE) from error
    print(f"{folder}: {len(made)} boxes, {made[0].name} to {made[-1].name}, a file on a stick each.")
    print(
        f"{folder / 'keys.toml'}: for podesta verify --keys; {folder / 'event.key'}: keep it, show it nobody."
    )
    if options.broker:
        print(f"{folder / 'broker'}: for Mosquitto, and desk.json for podesta desk --broker")
