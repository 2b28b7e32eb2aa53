"""The expansions' tiles by number, with what public lists say of them and how sure that is (MK-17)."""

from __future__ import annotations

from engines.facts import Known, Standing

# Staircase tiles (MK-17.1)

STAIR_TILES = tuple(f"{number:02}{face}" for number in range(1, 21) for face in "ab")
"""The tiles' faces; both numbers and letters are their owner's own, and no list tells what they show."""
SPACES = tuple(f"s{number}" for number in range(1, 13))
"""The middle bonus spaces between the stairs, row by row from the lower left."""


# More exchange offices (MK-17.3)

OFFICES = tuple(map(str, range(1, 7)))
"""Numbers of their owner's own: none are printed."""
OFFICE_LINES = tuple(f"1{resource}1{bonus}" for resource in "wdn" for bonus in "vrs")
"""What a line gives: a resource, and 1 VP, 1 river step or 1 step on a stair."""

# Desert towns (MK-17.5)

TOWNS = {
    f"{number:02}": Known(word, Standing.LIKELY)
    for number, word in enumerate(
        (
            *("gate2", "good2", "scroll2", "palace1", "mosque1", "keshis3", "river1", "areas2", "faced1"),
            *("prize_scroll", "prize_good", "prize_gate"),
        ),
        1,
    )
}
"""What each does: the VP of what it counts at the end, or what it gives at once."""
TOWN_EFFECTS = tuple(known.value for known in TOWNS.values())
AT_ONCE = frozenset({"prize_scroll", "prize_good", "prize_gate"})
"""The effects of towns that act when they are claimed."""
