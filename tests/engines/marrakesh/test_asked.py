"""What a position may ask: a question remembers what fits the table that it is asked at, and nothing else."""

import pytest
from msgspec.structs import replace

from engines.marrakesh.attendants import Attendants
from engines.marrakesh.book import BOOK
from engines.marrakesh.frames import QUESTIONS
from tests.engines.marrakesh.sitting import fits, frame, playing, seated, unknown

SEAT = seated(disc=0, square=1, board="1p", fisherman=4, scrolls=(26,))
BLIND = seated(square=1, board="1p")
GUARDS = seated(board="2b", gates="t-------")
PAYS = seated(resources="1w1d", scrolls=(33,))
RICH = seated(resources="1w1d1n", scrolls=(33,))
SOLD = replace(seated(board="3l"), lines=("", "1d", ""))
OFFICE = playing(seated(board="2l2u2o"), "more_offices")
HIDDEN = playing(seated(square=1, board="1p", disc=-1), "spectators")
ACTION = ("workshop", "", 1)


def test_each_question_has_a_frame():
    assert BOOK.questions == QUESTIONS.keys()


def scroll(number, **more):
    """A seat that has this scroll."""
    return seated(scrolls=(number,), **more)


def imam(board, there="a"):
    """A seat with these keshis, and where the imam is."""
    return replace(playing(seated(board=board), "imam_and_sultan"), beside=(Attendants(there, "-"),))


@pytest.mark.parametrize(
    ("state", "right", "wrong"),
    [
        (SEAT, [("sail", "", 1)], [("sail",)]),
        (SEAT, [("stair", "", 1)], [("stair",)]),
        (SEAT, [("stair", "both", 3)], [("stair", "mosque", 3)]),
        (SEAT, [("climb", "mosque", 1)], [("climb", "mosque")]),
        (SEAT, [("climb", "palace", 1)], [("climb", "both", 1)]),
        (SEAT, [("link", "12", 1)], [("link", "12")]),
        (SEAT, [("link", "12", 1)], [("link", "12+deploy_w+deploy_r", 1)]),
        (SEAT, [("spectators", "", 1)], [("spectators",)]),
        (SEAT, [("spectators", "threes", 128)], [("spectators", "threes", 256)]),
        (SEAT, [("spectators", "ones", 1)], [("spectators", "twos", 1)]),
        (BLIND, [("disc",)], [("spectators", "", 1)]),
        # Scrolls
        (seated(board="2y"), [("scroll", "+", 8)], [("scroll", "+", 9)]),
        (seated(board="2y"), [("scroll", "gray")], [("scroll", "blue")]),
        (seated(board="2y"), [("scroll",)], [("scroll", "", -1)]),
        (seated(board="2y"), [("learn", "", 3)], [("learn", "", 5)]),
        # Gates
        (GUARDS, [ACTION], [("workshop", "", 2)]),
        (GUARDS, [("workshop", "tg", 0)], [("workshop", "x", 1)]),
        (GUARDS, [ACTION], [("workshop", "", -1)]),
        (GUARDS, [ACTION, ("gate", "4")], [ACTION, ("gate", "5")]),
        (GUARDS, [ACTION, ("gate", "4")], [("gate", "4")]),
        (GUARDS, [ACTION, ("gate", "4")], [("oasis",), ("gate", "4")]),
        (GUARDS, [ACTION, ("gate_place", "t", 1)], [ACTION, ("gate_place", "t", 0)]),
        (GUARDS, [ACTION, ("gate_place", "t", 1)], [ACTION, ("gate_place", "tg", 1)]),
        (GUARDS, [ACTION, ("gate_place", "t", 1)], [("gate_place", "t", 1)]),
        (GUARDS, [("gate_keshi", "tg")], [("gate_keshi", "tt")]),
        (GUARDS, [("gate_keshi", "tg")], [("gate_keshi", "tx")]),
        # Oases
        (seated(), [("oasis", "", 1)], [("oasis", "", 2)]),
        (seated(), [("oasis", "free", 2)], [("oasis", "free", 0)]),
        (seated(), [("oasis",)], [("oasis", "paid", 1)]),
        (seated(), [("oasis_number", "spare")], [("oasis_number", "x")]),
        (seated(board="2r", vendors=0b11), [("back_from", "r")], [("back_from", "t")]),
        # Paying
        (PAYS, [("instead", "", 2)], [("instead", "", 3)]),
        (PAYS, [("instead", "", 1)], [("instead", "", 0)]),
        (RICH, [("instead", "", 3)], [("instead", "", 4)]),
        (PAYS, [("instead", "1", 1)], [("instead", "1", 2)]),
        (scroll(45, resources="2n"), [("instead", "any", 1)], [("instead", "any", 2)]),
        # The souk, the imam
        (SOLD, [("line", "l")], [("line", "u")]),
        (SOLD, [("line", "l")], [("line", "t")]),
        (SOLD, [("good", "", 1)], [("good", "", 2)]),
        (OFFICE, [("office", "u")], [("office", "")]),
        (OFFICE, [("office", "u")], [("office", "t")]),
        (imam("1l1u"), [("spared", "lu")], [("spared", "lt")]),
        (imam("2l1o"), [("spared", "llo")], [("spared", "ll")]),
        (imam("1l1u"), [("spared", "lu")], [("spared", "")]),
    ],
)
def test_what_a_question_remembers_must_fit_the_table(state, right, wrong):
    assert fits(state, *(frame(*one) for one in right))
    assert not fits(state, *(frame(*one) for one in wrong))


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (("harvest",), scroll(23, board="1g"), scroll(22, board="1g")),
        (("harvest",), scroll(23, board="1g"), scroll(23, board="1t")),
        (("back_from", "r"), seated(board="2r", vendors=0b11), seated(board="1r", vendors=1)),
        (("instead", "", 1), PAYS, scroll(34, resources="1w1d")),
        (("instead", "any", 1), scroll(45, resources="1n"), scroll(45)),
        (("good", "+", 1), scroll(34, board="3l"), scroll(33, board="3l")),
        (("sell_more",), scroll(46, board="3l"), scroll(45, board="3l")),
        (("office", "u"), OFFICE, replace(OFFICE, lines=("1d1r", "1n1v", "1w1s"))),
        (("spared", "lu"), imam("1l1u"), imam("1l1u", "b")),
        (("spared", "lu"), imam("1l1u"), imam("1l")),
        (("spared", "lu"), imam("1l1u"), seated(board="1l1u")),
        (("rapid",), SEAT, BLIND),
        (("disc",), BLIND, SEAT),
        (("disc",), HIDDEN, replace(HIDDEN, copy=unknown())),
    ],
)
def test_a_table_must_have_what_a_question_is_about(question, right, wrong):
    assert BOOK.fits_at(right.asking(frame(*question)))
    assert not BOOK.fits_at(wrong.asking(frame(*question)))
