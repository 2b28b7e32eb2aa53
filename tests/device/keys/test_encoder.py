"""The encoder's decoder, as a function of its contacts' levels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.keys.debounce import Knob, turn_knob

CLOCKWISE = (0b00, 0b10, 0b11, 0b01)
steps_a_detent = st.sampled_from([1, 2, 4])


def detents(steps, places, knob=None):
    """Return what each place in the cycle, reached one after the other, counts as."""
    knob = knob or Knob()
    out = []
    for place in places:
        knob, turn = turn_knob(knob, CLOCKWISE[place % 4], steps)
        out.append(turn)
    return out


@given(steps_a_detent, st.integers(-5, 5), st.lists(st.integers(0, 3), max_size=20))
def test_so_many_clicks_are_so_many_detents_however_the_contacts_chatter(steps, clicks, chatter):
    way = 1 if clicks > 0 else -1
    places, bursts = [], iter(chatter)
    for place in range(way, way * (abs(clicks) * steps + 1), way):
        places += [place, *[place - way, place] * next(bursts, 0)]
    turns = detents(steps, places)
    assert sum(turns) == clicks
    if steps > 1:
        assert turns.count(0) == len(turns) - abs(clicks)


@given(steps_a_detent, st.lists(st.integers(-6, 6), max_size=9))
def test_it_counts_where_the_knob_stands(steps, moves):
    """However it is turned: at rest, a whole number of clicks from where it began."""
    place, places = 0, []
    for move in moves:
        way = 1 if move > 0 else -1
        places += range(place + way, place + move + way, way) if move else ()
        place += move
    back = range(place - 1, -1, -1) if place > 0 else range(place + 1, 1)
    assert sum(detents(steps, [*places, *back])) == 0


@pytest.mark.parametrize(
    ("steps", "places", "turns"),
    [
        (4, [1, 3, 4], [0, 0, 1]),  # on the way, so it went on
        (4, [-1, -3, -4], [0, 0, -1]),
        (4, [2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 0, 0, 1]),  # from a rest nobody knows which way
        (2, [2, 3, 4], [0, 0, 1]),
        (1, [2, 3], [0, 1]),
    ],
)
def test_a_lost_edge_loses_one_detent_at_most(steps, places, turns):
    assert detents(steps, places) == turns
