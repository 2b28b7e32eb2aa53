"""Positions, and how many ways there are to make one choice, two, and so on."""

from engines.contract import Level, Setup
from tests.engines.san_gimignano.table import GAME, LATE

START = GAME.position.write(GAME.rules.start(Setup()))
MIDDLE = "a=8x3,6-8 b=9x3,7x3* marker=a market=5,8,8,10 hand.a=8,10,?3 hand.b=5,?4 shared=9 deck=6,7,8,?16"
CONSPIRACY = "a=7x3 b=8x3,5-7 marker=a market=6,9 hand.a=10,10,10,?2 hand.b=?5"
ENDING = f"{LATE} phase=ending market=8 hand.a=?7 hand.b=?5 deck=?3"
NOBLES = GAME.position.write(GAME.rules.start(Setup(options=(("nobles", "yes"),))))
STONES = """a=8x3,7-9 b=9x3 marker=a market=5,8,via hand.a=8,?4 hand.b=?5 nobles.a=pietra,?1 nobles.b=?1
    used.b=mura pietra_guard=yes"""
FIGURES = {
    "nobles": (NOBLES, (6, 36, 216, 1296, 5184)),
    "stones": (STONES, (9, 65, 477, 2599, 19554)),
    "start": (START, (6, 36, 216, 1_296, 5_184, 37_700)),
    "middle": (MIDDLE, (6, 32, 124, 592, 2_527, 9_348)),
    "conspiracy": (CONSPIRACY, (6, 19, 87, 363, 1_382, 5_783)),
    "ending": (ENDING, (2, 6, 13, 36, 68, 123)),
    "table": (f"level=table {MIDDLE}", (6, 32, 126, 591, 2_540, 9_591)),
    "over": ("market=5 passes=2 over=double_pass", (0, 0)),
    "final": (GAME.position.write(GAME.rules.start(Setup(level=Level.SCORE))), (17, 70, 462, 2_732, 15_022)),
}
