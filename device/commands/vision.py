"""`podesta vision bench FOLDER`: measures the camera's readers on pictures with truth.

`podesta vision keep MATCH RECORD FOLDER`: keeps the picture of a reading, with its truth, for the bench.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from device.commands import Command, CommandError, Exit, Options, action, say, take
from device.commands.camera import find_camera
from device.commands.files import open_journal
from device.copy_file import Sizes, sizes
from device.files import replace_file
from device.match import Header, Library, Replay
from device.sensors import learnt
from device.sensors.host import BESIDE, find_shown
from device.sensors.readers import BENCH_JSON, BENCHES
from engines import game as load_game
from engines.contract import SEATS, Setup
from engines.errors import EngineError
from engines.match import Match
from engines.matchfile import MatchFile


def count_presses(game: str, position: str, steps: Sequence[str]) -> int:
    """Return the presses that the steps of a turn cost from a position, as ``podesta bench presses`` counts
    them. Raises EngineError for steps that are not legal there.
    """
    from device.bench import play_match  # noqa: PLC0415 – loads the menus

    rules = load_game(game)
    seats = rules.position.read(position).variant.seats
    setup = Setup(seats=seats, position=position)
    match = Match(rules, setup)
    for step in steps:
        match.play(step)
    file = MatchFile(game, rules.rules_version, tuple(SEATS[:seats]), setup, tuple(match.steps))
    return play_match(file).taken.presses if steps else 0


def _add_json(parser: argparse.ArgumentParser) -> None:
    take.json()(parser)
    parser.epilog = BENCH_JSON


@action(
    "read a folder of pictures with truth: what is right, doubted, and wrong without a word",
    take.option(
        "FOLDER", f"pictures, and beside each a NAME.json with the truth (game {', '.join(BENCHES)})"
    ),
    take.option(
        "--prior",
        "boards: use the layout one turn earlier and whose turn it was (before, seat), and the rules",
    ),
    take.option("--scale", "trays: use the weight (weight_mg, piece_mg) as well"),
    take.option("--strip", "trays: learn the copy's colours from the picture of the strip (strip) first"),
    take.option("--one-view", "boards: leave the pictures of other cameras (views) alone"),
    take.option(
        "--evening",
        "boards: turns of one match in order of their names; after each its truth is accepted."
        " Counts the presses of the table",
    ),
    _add_json,
)
def bench(options: Options) -> int:
    """Measure and print; faulty files are told one by one, and change the exit status."""
    from device.sensors.readers import bench as reading  # noqa: PLC0415 – loads games and OpenCV

    asked = reading.Options(
        options.prior, options.scale, options.strip, options.one_view, options.evening, count_presses
    )
    measured = reading.measure(options.folder, asked)
    for line in measured.wrong:
        say(f"podesta: {line}")
    if options.json:
        print(msgspec.json.encode(measured.json()).decode())
    else:
        print("\n".join(reading.write_table(measured)))
    if measured.failed:
        return Exit.FAULT
    return Exit.UNREADABLE if measured.unreadable else Exit.FINE


@action(
    "keep the picture of a reading, with what was there by what people played, for the bench",
    take.option("MATCH", "the match's journal (.podesta)", type=Path),
    take.option("RECORD", "the number of the reading", type=take.whole(1, 10**9)),
    take.option("FOLDER", "where it is kept"),
    take.section("camera"),
    take.box,
)
def keep(options: Options) -> None:
    """Copy the picture of a reading and the teachings, and write its truth."""
    from device.sensors.readers import bench as reading  # noqa: PLC0415 – loads games and OpenCV

    camera, state = find_camera(options)
    number, journal = options.record, open_journal(options.match)
    pictures = state / "pictures" / options.match.stem
    try:
        replay = Replay(Header.of(options.match.name, journal).write(), journal.records)
        copy = Library(state).copies.of(replay.header.game)
        found = find_shown(replay, number, sizes(copy.load().facts) if copy else Sizes())
    except EngineError as error:
        raise CommandError(f"{options.match.name}: {error}") from error
    name = f"{options.match.stem}-{number}"
    copies = {pictures / f"{number}.jpg": f"{name}.jpg"}
    if (beside := pictures / f"{number}{BESIDE}.jpg").exists():
        copies[beside] = f"{name}{BESIDE}.jpg"
    files = (pictures / f"{one.seq}.jpg" for one in replay.log.copy(number - 1).list_readings(found.what))
    earlier = next((file for file in files if file.exists()), None)
    if earlier:
        copies[earlier] = f"{name}-earlier.jpg"
    taught = learnt.lens_file(state, camera).name
    copies |= {file: str(file.relative_to(state)) for file in state.glob(f"*/{taught}")}
    for file, to in copies.items():
        target = options.folder / to
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    truth = reading.KeptTruth(
        camera=camera,
        expected=found.expected,
        what=found.what,
        layout=found.layout,
        earlier=f"{name}-earlier.jpg" if earlier else "",
    )
    replace_file(options.folder / f"{name}.json", reading.encode_truth(truth))
    print(f"{options.folder / name}.json: {found.what} {found.layout}")


run = Command(actions={"bench": bench, "keep": keep})
