"""`podesta vision bench FOLDER`: how well and how fast the camera's readers do on pictures with truth."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from device.commands import Exit
from device.commands.values import add_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    bench = kinds.add_parser(
        "bench",
        help="read a folder of pictures with truth: what is right, doubted, and wrong without a word",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    bench.add_argument(
        "folder",
        metavar="FOLDER",
        type=Path,
        help="pictures, and beside each a NAME.json with the truth (game torres or marrakesh)",
    )
    bench.add_argument(
        "--prior",
        action="store_true",
        help="boards: use the layout one turn earlier and whose turn it was (before, seat), and the rules",
    )
    bench.add_argument(
        "--scale", action="store_true", help="trays: use the weight (weight_mg, piece_mg) as well"
    )
    add_json(bench)
    bench.epilog = _JSON


_JSON = """JSON: one object in one line, the last thing printed.
  torres, torres_steep  boards seen from up to 70 degrees above the table, and from more:
    n, exact, doubted, silent_wrong, illegal_n, illegal_reported, false_alarms  are numbers of boards,
    cells_right, pieces_right  are shares from 0 to 1, of all cells and of all pieces there or read,
    ms_median, ms_worst  are times of one reading
  tray  n, exact, doubted, silent_wrong, ms_median, ms_worst  likewise
  skipped  pictures of other things by game; unreadable  files; faults  pictures a reader failed at
doubted: people would be asked. silent_wrong: something is wrong that nobody would be asked about.
illegal_n: boards to which no turn leads; illegal_reported: told so. Values of nothing are null."""


def run(options: argparse.Namespace) -> int:
    """Measure and print; files that are not right are told one by one, and the exit status tells too."""
    from device.bench import vision  # noqa: PLC0415 – loads two games
    from device.bench.vision_readers import CameraReaders  # noqa: PLC0415 – loads OpenCV

    measured = vision.measure(options.folder, CameraReaders(), prior=options.prior, scale=options.scale)
    for line in measured.wrong:
        print(f"podesta: {line}", file=sys.stderr)
    if options.json:
        print(msgspec.json.encode(measured.report).decode())
    else:
        print("\n".join(vision.table(measured)))
    if measured.report.faults:
        return Exit.FAULT
    return Exit.UNREADABLE if measured.report.unreadable else Exit.FINE
