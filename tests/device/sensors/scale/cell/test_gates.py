"""Runs under MicroPython too: see test_micropython.py."""

from device.sensors.scale.cell.gates import Gates


def test_a_piece_breaks_a_beam_and_lets_it_go():
    gates = Gates(2)
    gates.feed(1, True, 100)
    gates.feed(1, True, 106)  # the same level twice
    assert gates.passed == [0, 0]
    gates.feed(1, False, 112)
    gates.feed(2, True, 150)
    gates.feed(2, False, 160)
    gates.feed(2, False, 161)
    gates.feed(2, True, 190)
    gates.feed(2, False, 199)
    assert gates.passed == [1, 2]
    assert gates.rest() == [1, 2]
    assert gates.passed == [0, 0]


def test_a_glitch_is_no_piece():
    gates = Gates(1)
    gates.feed(1, True, 100)
    gates.feed(1, False, 101)
    assert gates.passed == [0]


def test_a_beam_that_stays_broken_is_blocked_and_counts_nothing():
    gates = Gates(2)
    gates.feed(2, True, 100)
    gates.feed(2, True, 1500)
    assert gates.blocked(1600) == 0
    assert gates.blocked(1601) == 2
    gates.feed(2, False, 9000)
    assert gates.blocked(9000) == 0
    assert gates.passed == [0, 0]


def test_a_piece_in_the_beam_when_the_load_rests_counts_for_the_next():
    gates = Gates(1)
    gates.feed(1, True, 100)
    assert gates.rest() == [0]
    gates.feed(1, False, 110)
    assert gates.passed == [1]
