"""Positions, and how many ways there are to make one choice, two, and so on."""

import re

from tests.engines.marrakesh.lines import ALL_KNOWN, EVERYTHING, KNOWN, worded

STAIR_TILES = ",".join(f"{n:02}{'ab'[n % 2]}" for n in range(1, 13))
TOLD = {
    "KNOWN": KNOWN,
    "EVERY": " ".join(f"{name}={value}" for name, value in EVERYTHING.items())
    + f" known={ALL_KNOWN} stair_tiles={STAIR_TILES}",
    "SCROLLS": ",".join(str(n) for n in range(1, 60) if n not in (20, 21, 30, 31, 44, 45)),
}
"""What rows name: all facts of the base game, all expansions with every fact, most scrolls."""

# Two are counted by hand. Three of a common bag of eight go on each track: 8 × 7 × 6 × 5 × 4. Three of twelve
# colours are told in any order: 12 × 11 × 10. After 990 of these the next seat has its twelve; after the rest
# red's assistant has 7 areas, 8 or 9 if one or both others are at the souk: (28 × 7 + 24 × 8 + 3 × 9) × 6.
ROWS = """
start: 8 56 336 1680 6720
    stock stock_a stock_a=------ stock_b=------
choosing: 12 132 1320 14370
    choose choose_a
claiming: 6 25 200 739 5140
    claim claim round=4 tray=2p2n1r1l board_a=7t2p2n6r board_b=3p1n scrolls_a=54,68 known={KNOWN}
climbing: 11 70 262 608 1728 6582
    round=3 assistants_a=kws board_a=3k2w2l1u1o1r mosque_a=4 palace_a=7 scrolls_a=13,16,27,48,63
    resources_a=2w1d1n lines=2d,1n1s,1w1r known={KNOWN}
learning: 2 47 305 1640 8375
    assistants_a=y board_a=7y1t2g resources_a=3d2n
    scrolls_b=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,22,23,24,25,26,27,28,29,31,32,33,34,35,36
    known={KNOWN}
building: 4 12 93 618 3026
    assistants_a=bn board_a=4b2n1l1u1o2p1r gates_a=-t------ scrolls_a=66,32 resources_a=2w2d3n
    oases_a=05 known={KNOWN}
performing: 2 8 26 90 369 2095
    season=2 tiles=01 assistants_a=p board_a=4p2t1l1u1o disc_a=3 fisherman_a=2 fisherman_b=5
    scrolls_a=31,51,65 resources_a=1w1d1n lines=2d,1n1s,1w1r known={KNOWN}
season's end: 3 12 83 401 1153 5761
    rapid season_rapids_a round=4 fisherman_a=9 fisherman_b=4 scrolls_a=28,44 board_a=3g2r1p
    gates_a=-------- known={KNOWN}
stairs with everything: 11 69 260 666 2407 11153
    seats=3 round=3 assistants_a=kws board_a=3k2w2l1u1o1r mosque_a=4 palace_a=4 mosque_b=5
    palace_c=6 imam=b sultan=c scrolls_a=27,63 resources_a=2w1d1n lines=1w1s,1d1r,1n1v {EVERY}
goods and scrolls with everything: 9 66 228 1129 5663
    assistants_a=sy board_a=7y1l1u1o mosque_a=6 palace_a=7 mosque_b=5 palace_b=5 imam=a sultan=a
    resources_a=1d1n scrolls_b={SCROLLS} goods_b=slipper1,slipper2,slipper3,lamp1,lamp2 {EVERY}
towns with everything: 4 25 242 1608 8839
    assistants_a=nb board_a=7n4b3l2u2o1y caravans_a=0.4.3 claimed_a=left1 oases_a=05
    towns=a.left4.12 resources_a=2w2d3n {EVERY}
square with everything: 2 8 24 86 375 2009 12942
    season=2 tiles=01 assistants_a=p board_a=4p2t3n1l1u1o caravans_a=0.3.0 disc_a=3 fisherman_a=2
    fisherman_b=5 scrolls_a=31,51,65 resources_a=1w1d1n {EVERY}
"""


def _figures(row: str) -> tuple[str, tuple[str, tuple[int, ...]]]:
    """Return the name of a row, its position, and its counts."""
    head, position = row.split("\n", 1)
    name, counts = head.split(": ")
    return name, (worded(position.format(**TOLD)), tuple(map(int, counts.split())))


FIGURES = dict(map(_figures, re.split(r"\n(?! )", ROWS.strip())))
