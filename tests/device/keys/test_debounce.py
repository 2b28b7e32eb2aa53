"""The key decoder, as a function of (time, level)."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.keys.debounce import (
    KEYS,
    ContactEdge,
    Detent,
    Hold,
    Holding,
    Key,
    Press,
    Timing,
    Turn,
    feed,
    next_deadline,
    start,
    tick,
)
from device.settings import Keys

TIMING = Timing(debounce_ms=20, hold_ms=1000, quiet_after_turn_ms=100, quiet_after_click_ms=50)
D = 20
LATE = 10**7  # after everything

keys = st.sampled_from(KEYS)
short_keys = st.sampled_from([Key.OK, Key.UNDO])
long_keys = st.sampled_from([Key.BACK, Key.CALL])
# Lengths of the phases up, down, up, down …: as short as may be, ordinary, and beyond the hold time.
phase = st.one_of(st.integers(D, 2 * D), st.integers(D, 300), st.integers(900, 2500))
phases = st.lists(phase, max_size=8)
# No two so close that the second, the other way, might be the contact's chatter.
detents = st.lists(st.tuples(st.integers(5, 400), st.sampled_from([1, -1])), max_size=8).map(
    lambda gaps: [
        Detent(t, s) for t, s in zip(accumulate(g for g, _ in gaps), (s for _, s in gaps), strict=True)
    ]
)


def edges(key, lengths, level=False):
    """Edges of one key: up for lengths[0] ms, down for lengths[1], and so on."""
    return [
        ContactEdge(time, key, (index % 2 == 0) != level) for index, time in enumerate(accumulate(lengths))
    ]


def in_order(*streams):
    return sorted((item for stream in streams for item in stream), key=lambda item: item.time_ms)


def play(inputs, *, ticks=(), down=(), timing=TIMING):
    """All events, with the time at which the last input before them was seen."""
    state, out = start(down), []
    for item in sorted([*inputs, *ticks], key=lambda item: item if isinstance(item, int) else item.time_ms):
        if isinstance(item, int):
            state, events = tick(state, timing, item)
        else:
            state, events = feed(state, timing, item)
        out += events
    state, events = tick(state, timing, LATE)
    return state, [*out, *events]


@st.composite
def with_chatter(draw, clean):
    """Each edge followed by a burst of pairs of opposite ones, over before the debounce time is."""
    out = []
    for edge in clean:
        offsets = draw(st.lists(st.integers(1, D - 1), max_size=6, unique=True).map(sorted))
        burst = offsets[: len(offsets) // 2 * 2]
        out.append(edge)
        out += [
            ContactEdge(edge.time_ms + offset, edge.key, edge.down != (index % 2 == 0))
            for index, offset in enumerate(burst)
        ]
    return out


@given(st.data(), st.tuples(phases, phases, phases, phases), detents)
def test_chatter_changes_nothing(data, lengths, turns):
    clean = [edges(key, lengths) for key, lengths in zip(KEYS, lengths, strict=True)]
    bouncing = [data.draw(with_chatter(stream)) for stream in clean]
    assert play(in_order(*bouncing, turns))[1] == play(in_order(*clean, turns))[1]


@given(st.tuples(phases, phases, phases, phases), detents, st.lists(st.integers(0, 15000), max_size=30))
def test_ticks_change_nothing_but_when(lengths, turns, ticks):
    inputs = in_order(*(edges(key, lengths) for key, lengths in zip(KEYS, lengths, strict=True)), turns)
    assert play(inputs, ticks=ticks)[1] == play(inputs)[1]


@given(st.lists(st.tuples(st.integers(0, 60), keys, st.booleans()), max_size=60))
def test_whatever_a_contact_does_the_last_level_counts_in_the_end(noise):
    times = accumulate(gap for gap, _, _ in noise)
    inputs = [ContactEdge(time, key, down) for time, (_, key, down) in zip(times, noise, strict=True)]
    state, events = play(inputs)
    for key in KEYS:
        last = next((edge.down for edge in reversed(inputs) if edge.key is key), False)
        assert state.contact(key).down == last
        downs = sum(edge.down for edge in inputs if edge.key is key)
        assert sum(event in (Press(key), Hold(key)) for event in events) <= downs
    assert next_deadline(state) is None


@given(short_keys, st.lists(st.tuples(st.integers(D, 300), st.integers(1, 300)), max_size=10))
def test_no_press_is_lost_however_short(key, presses):
    """Up for the debounce time at least, down for as short as a millisecond."""
    inputs = edges(key, [length for pair in presses for length in pair])
    assert play(inputs)[1] == [Press(key)] * len(presses)


@given(st.data(), long_keys, st.integers(D, 3000))
def test_a_hold_is_one_hold_and_no_press(data, key, length):
    inputs = data.draw(with_chatter(edges(key, [500, length])))
    events = play(inputs)[1]
    parts = min(length // 100, 10)
    expected = [Holding(key, part / 10) for part in range(1, min(parts, 9) + 1)]
    assert events == [*expected, Hold(key) if length >= 1000 else Press(key)]


@given(st.data(), st.lists(st.integers(D, 250), max_size=12), detents)
def test_turn_and_click_keep_their_distance(data, lengths, turns):
    inputs = in_order(edges(Key.OK, lengths), turns)
    expected, turned, clicked = [], -LATE, -LATE
    for item in inputs:
        match item:
            case ContactEdge(time, _, True) if time - turned >= 100:
                expected.append(Press(Key.OK))
                clicked = time
            case Detent(time, steps) if time - clicked >= 50:
                expected.append(Turn(steps))
                turned = time
    assert play(inputs)[1] == expected
    ragged = in_order(data.draw(with_chatter(edges(Key.OK, lengths))), turns)
    assert play(ragged)[1] == expected


@given(keys, st.data())
def test_held_at_the_start_is_nobodys_press(key, data):
    """However its release chatters, it counts only after it has been up for the debounce time."""
    ups_and_downs = data.draw(st.lists(st.tuples(st.integers(1, 3000), st.integers(1, D - 1)), max_size=8))
    lengths = [length for pair in ups_and_downs for length in pair]
    state, events = play(edges(key, lengths, level=True), down=[key])
    assert (state.stuck, events) == ({key}, [])
    state, events = play(edges(key, [*lengths, 500, D, 70], level=True), down=[key])
    assert (state.stuck, events) == (frozenset(), [Press(key)])


def test_deadlines_are_when_something_is_due():
    state = start()
    assert next_deadline(state) is None
    state, _ = feed(state, TIMING, ContactEdge(1000, Key.BACK, True))
    assert next_deadline(state) == 1020
    state, events = tick(state, TIMING, 1020)
    assert (events, next_deadline(state)) == ((), 1100)
    state, events = tick(state, TIMING, 1100)
    assert (events, next_deadline(state)) == ((Holding(Key.BACK, 0.1),), 1200)


@pytest.mark.parametrize(("ms", "events"), [(99, ()), (100, (Press(Key.OK),))])
def test_a_click_after_a_turn_counts_from_the_quiet_time_on(ms, events):
    state, _ = feed(start(), TIMING, Detent(1000, 1))
    assert feed(state, TIMING, ContactEdge(1000 + ms, Key.OK, True))[1] == events


@pytest.mark.parametrize(("ms", "events"), [(49, ()), (50, (Turn(1),))])
def test_a_turn_after_a_click_counts_from_the_quiet_time_on(ms, events):
    state, _ = feed(start(), TIMING, ContactEdge(1000, Key.OK, True))
    assert feed(state, TIMING, Detent(1000 + ms, 1))[1] == events


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from([1, -1])), max_size=30),
    st.lists(st.integers(0, 999)),
)
def test_whatever_the_knob_does_it_ends_where_it_was_turned_to(moves, ticks):
    times = accumulate(gap for gap, _ in moves)
    turns = [Detent(time, steps) for time, (_, steps) in zip(times, moves, strict=True)]
    _, events = play(turns, ticks=ticks)
    assert sum(event.steps for event in events) == sum(steps for _, steps in moves)
    assert play(turns)[1] == events


@given(st.sampled_from([1, -1]), st.lists(st.integers(0, 4), max_size=8), st.integers(5, 50))
def test_a_detent_that_chatters_turns_once_at_its_first_contact(way, gaps, after):
    pairs = gaps[: len(gaps) // 2 * 2]
    times = accumulate([100, *pairs])
    chatter = [Detent(time, way if index % 2 == 0 else -way) for index, time in enumerate(times)]
    state, events = feed(start(), TIMING, chatter[0])
    assert events == (Turn(way),)
    for detent in [*chatter[1:], Detent(chatter[-1].time_ms + after, way)]:
        state, more = feed(state, TIMING, detent)
        events += more
    assert (events, next_deadline(state)) == ((Turn(way), Turn(way)), None)


@pytest.mark.parametrize(("ms", "events"), [(4, ()), (5, (Turn(-1),))])
def test_a_turn_back_counts_from_the_time_of_chatter_on(ms, events):
    state, _ = feed(start(), TIMING, Detent(100, 1))
    assert feed(state, TIMING, Detent(100 + ms, -1))[1] == events


def test_a_turn_back_that_lasts_counts_though_it_came_quickly():
    state, _ = feed(start(), TIMING, Detent(100, 1))
    state, events = feed(state, TIMING, Detent(103, -1))
    assert (events, next_deadline(state)) == ((), 108)
    state, events = tick(state, TIMING, 108)
    assert (events, next_deadline(state)) == ((Turn(-1),), None)
    assert feed(state, TIMING, ContactEdge(202, Key.OK, True))[1] == ()


def test_the_chatter_of_a_dropped_wobble_is_no_turn():
    inputs = [ContactEdge(0, Key.OK, True), Detent(49, 1), Detent(51, -1), Detent(52, 1)]
    assert play(inputs)[1] == [Press(Key.OK)]


def test_the_times_are_those_of_the_settings():
    assert Timing.of(Keys(debounce_ms=7, hold_ms=700)) == Timing(debounce_ms=7, hold_ms=700)
