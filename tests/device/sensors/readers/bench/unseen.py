"""Boards that no reader was tuned on: random turns painted anew by a seed, every fourth against the rules.

``python -m tests.device.sensors.readers.bench.unseen FOLDER BOARDS SEED`` makes a folder for `podesta vision
bench --prior FOLDER`, which prints its table. Camera, copy, noise and light are drawn for each board.
"""

import sys
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

from device.sensors.readers.torres import layout_of
from device.sensors.readers.torres.bench import SEATS
from engines.contract import OutOfStep
from engines.torres.cells import NAMES
from engines.torres.reading import explain
from tests.device.sensors.readers.bench.pictures import put_picture
from tests.engines.torres.reading_turns import illegal, turns
from tests.engines.torres.table import GAME
from tests.vision.torres.tables import LENS, coloured
from vision import painter
from vision.field import Field
from vision.torres import COLOURS, CopySizes


def paint(folder, boards, seed):
    """Paint so many boards with their truth; crowded ones are named so, with 30 blocks and more."""
    drawn = Random(f"unseen {seed}")
    for number, (made, rng) in enumerate(islice(turns(seed, boards), boards)):
        wrong = illegal(made, rng)[0] if number % 4 == 3 else made
        position = GAME.position.write(made.state)  # a card may make it legal, by what the text keeps of them
        before, after = (coloured(str(one)) for one in (GAME.sight.of(made.state), wrong.layout))
        painted = layout_of(after, SEATS)  # of two pieces on one space only one shows
        legal = not isinstance(explain(GAME.position.read(position), painted), OutOfStep)
        cell, block = drawn.uniform(26.0, 30.0), drawn.uniform(13.5, 15.5)
        copy = CopySizes(cell, (cell - 1.5, cell - 1.5, block))
        field = Field(8 * cell, 8 * cell, 0, 4.0)
        pose = painter.looking(field, drawn.uniform(52, 66), drawn.uniform(15, 30), drawn.uniform(500, 560))
        view = painter.PaintedView(LENS, pose, field)
        light = np.array([drawn.uniform(0.8, 1.1) for _ in range(3)]) * drawn.uniform(0.75, 1.0)
        shown = np.clip(painter.board(view, after, copy) * light, 0, 255).astype(np.uint8)
        crowded = "crowded" if sum(after.heights) >= 30 else "random"
        standing = {"heights": rows(before), "pieces": named(before)}
        put_picture(
            folder,
            f"{crowded}_{number:03}",
            view,
            painter.noisy(shown, number, drawn.uniform(1.5, 4.0)),
            game="torres",
            cell_mm=cell,
            block_mm=copy.block_mm,
            heights=rows(after),
            pieces=named(after),
            before=standing,
            seat=COLOURS[made.state.seat],
            legal=legal,
            position=position,
        )


def rows(layout):
    return [list(layout.heights[at : at + 8]) for at in range(0, 64, 8)]


def named(layout):
    return {NAMES[cell]: colour for cell, colour in layout.pieces}


if __name__ == "__main__":
    where = Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    paint(where, int(sys.argv[2]), int(sys.argv[3]))
