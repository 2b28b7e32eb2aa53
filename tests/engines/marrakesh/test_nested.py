"""What questions within bonuses remember, and what a position may ask of it."""

import pytest

from engines.marrakesh.book import BOOK
from engines.marrakesh.state import Frame
from tests.engines.marrakesh.sitting import seated

SEAT = seated(disc=0, square=1, board="1p", fisherman=4, scrolls=(26,))
BLIND = seated(square=1, board="1p")


@pytest.mark.parametrize(
    ("state", "right", "wrong"),
    [
        (SEAT, Frame("sail", n=1), Frame("sail")),
        (SEAT, Frame("stair", n=1), Frame("stair")),
        (SEAT, Frame("stair", "both", 3), Frame("stair", "mosque", 3)),
        (SEAT, Frame("climb", "mosque", 1), Frame("climb", "mosque")),
        (SEAT, Frame("climb", "palace", 1), Frame("climb", "both", 1)),
        (SEAT, Frame("link", "12", 1), Frame("link", "12")),
        (SEAT, Frame("link", "12", 1), Frame("link", "12+deploy_w+deploy_r", 1)),
        (SEAT, Frame("spectators", n=1), Frame("spectators")),
        (SEAT, Frame("spectators", "threes", 128), Frame("spectators", "threes", 256)),
        (SEAT, Frame("spectators", "ones", 1), Frame("spectators", "twos", 1)),
        (BLIND, Frame("disc"), Frame("spectators", n=1)),
    ],
)
def test_what_a_question_remembers_must_fit_the_table(state, right, wrong):
    assert BOOK.may_ask(state.asking(right))
    assert not BOOK.may_ask(state.asking(wrong))


def test_a_rapid_is_asked_for_beyond_one_and_the_disc_while_it_is_unknown():
    assert BOOK.may_ask(SEAT.asking(Frame("rapid")))
    assert not BOOK.may_ask(BLIND.asking(Frame("rapid")))
    assert not BOOK.may_ask(SEAT.asking(Frame("disc")))
