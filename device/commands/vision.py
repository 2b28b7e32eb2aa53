"""`podesta vision bench FOLDER`: how well and how fast the camera's readers do on pictures with truth."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from device.commands import Exit
from device.commands.values import add_json
from device.sensors.readers import BENCH_JSON, BENCHES


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
        help=f"pictures, and beside each a NAME.json with the truth (game {', '.join(BENCHES)})",
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
    bench.epilog = BENCH_JSON


def run(options: argparse.Namespace) -> int:
    """Measure and print; files that are not right are told one by one, and the exit status tells too."""
    from device.sensors.readers import bench  # noqa: PLC0415 – loads games and OpenCV

    measured = bench.measure(options.folder, bench.Options(options.prior, options.scale))
    for line in measured.wrong:
        print(f"podesta: {line}", file=sys.stderr)
    if options.json:
        print(msgspec.json.encode(measured.json()).decode())
    else:
        print("\n".join(bench.table(measured)))
    if measured.failed:
        return Exit.FAULT
    return Exit.UNREADABLE if measured.unreadable else Exit.FINE
