"""Points by season, what the end adds, and who wins (MK-16)."""

import pytest
from msgspec.structs import replace

from engines.contract import totals
from engines.marrakesh import scoring
from engines.marrakesh.state import FINISHED, Gain
from tests.engines.marrakesh.sitting import before, table

BUSY = before(
    "3w14d5n",
    "1t2g3k8w4y8b6p2r5l",
    vendors=0b101000,  # white and beige, whose areas are complete
    gates="tggp-ynr",
    goods=("slipper1", "slipper4", "tajine2", "lamp1", "lamp2", "lamp3"),
    scrolls=(3, 14, 15, 61),
    oases=(1, 5, 19, 22, 27),
    mosque=15,
    palace=14,
    lines=5,
    fisherman=14,
)


def booked(state, seat=0):
    return [
        (one.points, one.category, one.clause, one.figures, one.part)
        for one in scoring.bookings(state)
        if one.seat == seat
    ]


def test_what_was_gained_is_told_by_season_category_and_source():
    gains = (
        Gain(1, "scrolls", 4, "72"),
        Gain(1, "orchard", 1, "g"),
        Gain(1, "orchard", 1, "g"),
        Gain(2, "orchard", 1, "g"),
        Gain(2, "provision", -8, "12,3"),
        Gain(2, "gates", 2, "pink gate"),
        Gain(2, "gates", -3, "workshop 1"),
        Gain(3, "mosque", 1, "top"),
        Gain(3, "mosque", 2, "top"),
        Gain(3, "scrolls", 5, "oasis 09"),
    )
    assert booked(table(before(gains=gains), season=3))[1:] == [
        (2, "orchard", "MK-5.5", "date pickers: 2 × 1", 1),
        (4, "scrolls", "MK-12.4", "scroll 72: 4", 1),
        (1, "orchard", "MK-5.5", "date pickers: 1", 2),
        (2, "gates", "MK-13.1", "pink gate: 2", 2),
        (-3, "gates", "MK-13.1", "workshop 1: -3", 2),
        (-8, "provision", "MK-15.3", "2 tiles: -8", 2),
        (3, "mosque", "MK-11.3", "past the last step: 1 + 2", 3),
        (5, "scrolls", "MK-12.4", "oasis 09: 5", 3),
    ]


@pytest.mark.parametrize(
    ("gain", "figures"),
    [
        (Gain(1, "provision", -4, "7"), "1 tile: -4"),
        (Gain(1, "connections", 3, "line21"), "mosque 2, palace 1: 3"),
        (Gain(1, "river_tile", 3, "08"), "tile 08: 3"),
        (Gain(1, "souk", 4, "lamp 2"), "oil lamp 2: 4"),
        (Gain(1, "sahara", 2, "start"), "start oasis: 2"),
        (Gain(1, "square", 2), "2"),
    ],
)
def test_what_gave_points_is_told_in_words(gain, figures):
    assert booked(table(before(gains=(gain,))))[1][3] == figures


def test_the_end_adds_oases_areas_and_leftovers():
    state = table(BUSY, season=3)
    assert [one[1] for one in booked(state)] == ["start"]
    over = replace(state, termination=FINISHED)
    assert booked(over)[1:] == [
        (11, "oases", "MK-16.2", "oasis 05: 3 + 8 white", 3),
        (9, "oases", "MK-16.2", "oasis 22: 3 + 6 luxury goods", 3),
        (7, "oases", "MK-16.2", "oasis 27: the mosque's last step", 3),
        (10, "areas", "MK-16.1", "8 nobles + vendor", 3),
        (10, "areas", "MK-16.1", "8 guards + vendor", 3),
        (13, "leftovers", "MK-16.3", "27 ÷ 2", 3),
    ]
    assert totals(scoring.bookings(over), 2) == [70, 11]


def test_seasons_that_are_scored():
    assert [scoring.parts_over(table(before(), season=n)) for n in (1, 2, 3)] == [0, 1, 2]
    assert scoring.parts_over(table(before(), season=3, termination=FINISHED)) == 3


@pytest.mark.parametrize(
    ("sides", "places"),
    [
        ((before(), before(gains=(Gain(1, "river", 3),))), [(1, (1,)), (2, (0,))]),
        ((before(palace=3), before(palace=4)), [(1, (1,)), (2, (0,))]),
        ((before(palace=3, mosque=2), before(palace=3, mosque=1)), [(1, (0,)), (2, (1,))]),
        ((before(palace=3, mosque=2), before(palace=3, mosque=2)), [(1, (0, 1))]),
        ((before(mosque=9), before(palace=1), before(palace=1)), [(1, (1, 2)), (3, (0,))]),
    ],
)
def test_ties_go_to_the_palace_then_the_mosque(sides, places):
    found = scoring.ranking(table(*sides))
    assert [(place.number, place.seats) for place in found] == places
    assert {tie.clause for place in found for tie in place.ties} <= {"MK-16.4"}
