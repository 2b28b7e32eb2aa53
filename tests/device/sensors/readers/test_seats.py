"""Whose colour is whose, from where the match has each seat's knights."""

from device.sensors.readers.torres.verdicts import add_newcomer, colour_layout, learn_seats
from engines.torres.layouts import read
from vision.torres.shapes import Coloured

EMPTY = "/".join([""] * 8)
BELIEVED = read(f"{EMPTY} a=c4,d5 b=f6 king=h4")
SEATS = {"green": 0, "red": 1}


def seen(**pieces):
    """Colours by space: ``c4="green"``."""
    from engines.torres.cells import NUMBERS

    return Coloured(bytes(64), tuple(sorted((NUMBERS[cell], colour) for cell, colour in pieces.items())))


def test_each_seat_has_the_colour_that_stands_where_it_should():
    assert learn_seats(BELIEVED, seen(c4="green", d5="green", f6="red", h4="king"), {}) == SEATS


def test_what_shows_no_colour_clearly_is_left_out():
    assert learn_seats(BELIEVED, seen(c4="green", d5="red", f6="red"), {}) == {"red": 1}
    assert learn_seats(BELIEVED, seen(c4="green", f6="red"), {}) == {"red": 1}
    assert learn_seats(BELIEVED, seen(), {}) == {}


def test_one_colour_on_the_spaces_of_two_is_neithers():
    assert learn_seats(BELIEVED, seen(c4="red", d5="red", f6="red"), {}) == {}


def test_what_is_known_is_not_learnt_again():
    assert learn_seats(BELIEVED, seen(c4="red", d5="red", f6="green"), {"red": 1}) == {}
    assert learn_seats(BELIEVED, seen(c4="green", d5="green", f6="blue"), {"red": 1}) == {"green": 0}


def test_a_new_colour_is_that_of_the_seat_to_move_or_of_the_only_one_without():
    newcomer = seen(c4="green", f6="blue")
    assert add_newcomer({"green": 0}, newcomer, 1, 3) == {"green": 0, "blue": 1}
    assert add_newcomer({"green": 0}, newcomer, 0, 2) == {"green": 0, "blue": 1}
    assert add_newcomer({"green": 0}, newcomer, 0, 3) == {"green": 0}
    assert add_newcomer(SEATS, newcomer, 0, 2) == SEATS
    assert add_newcomer({"green": 0}, seen(f6="blue", g6="red"), 1, 2) == {"green": 0}


def test_a_seat_without_a_colour_is_painted_in_one_that_nobody_has():
    pieces = colour_layout(BELIEVED, {"green": 0})
    assert pieces == seen(c4="green", d5="green", f6="red", h4="king")
    assert colour_layout(BELIEVED, {"red": 0}) == seen(c4="red", d5="red", f6="blue", h4="king")
    four = read(f"{EMPTY} a=a1 b=a2 c=a3 d=a4")
    for known in ({}, {"yellow": 0}, {"blue": 2, "red": 3}):
        painted = dict(colour_layout(four, known).pieces)
        assert len(set(painted.values())) == 4
        assert all(painted[8 * seat] == colour for colour, seat in known.items())
