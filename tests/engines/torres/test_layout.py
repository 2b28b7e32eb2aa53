"""The board as a camera sees it: its text, what is wrong with one, and where two differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engines.contract import Choice
from engines.errors import Malformed
from engines.torres.layouts import Layout, differences, read, status, write
from tests.engines.torres.table import GAME, at, blocks, play, refusal, turn

START = "...1//..1..1/.......1/1/..1..1//....1"
masks = st.integers(0, (1 << 64) - 1)


@given(
    st.builds(
        Layout,
        st.lists(st.integers(0, 44), min_size=64, max_size=64).map(bytes),
        st.tuples(masks, masks, masks, masks),
        st.integers(-1, 63),
    )
)
def test_a_layout_reads_back(layout):
    assert read(write(layout)) == layout
    assert "\n" not in write(layout)


def test_the_text_of_the_start():
    assert blocks() == START
    assert str(GAME.sight.of(at(turn()))) == f"{START} a=c3 b=f6 king=h4"


def test_short_forms_are_read():
    assert read(f"{START} king=h4 b=f6 a=-") == read(f"{START} b=f6 king=h4")
    assert read("A.1/B/C/////").heights[:3] == bytes((10, 0, 1))
    assert read("A.1/B/C/////").heights[16] == 12


@pytest.mark.parametrize(
    "text",
    [
        "",
        "111111111///////",
        "x///////",
        f"{START} a=c9",
        f"{START} a=c4,c4",
        f"{START} c4",
    ],
)
def test_what_is_no_layout(text):
    with pytest.raises(Malformed):
        read(text)


def wrong(text):
    return {(problem.where, problem.check) for problem in status(read(text))}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{START} a=c3 king=h4", set()),
        (f"{blocks('d1=2 e8=3')} king=h4", {("d1", "layout.height"), ("e8", "layout.height")}),
        (f"{blocks('d2=2 d1=2')} king=h4", set()),
        (f"{blocks('d3=1 e3=1 f4=1 f5=1')} king=h4", set()),  # three castles became one: six are left
        (f"{blocks('d3=1 e3=1 f4=1 f5=1 d6=1 e6=1')} king=h4", {("board", "layout.castles")}),
        (f"{START} a=a1,b1,c1,d1,e1,f1,g1 king=h4", {("board", "layout.knights")}),
        (f"{START} a=a1 b=a1 king=h4", {("a1", "layout.two")}),
        (f"{START} a=h4 king=h4", {("h4", "layout.two")}),
        (f"{START} king=a1", {("a1", "layout.king")}),
        (START, {("board", "layout.no_king")}),
        ("88888888/88888///////".replace("///////", "//////") + " king=a1", {("board", "layout.blocks"),
                                                                           ("board", "layout.castles")}),
        ("1.1.1.1/.1.1.1.1/1.1.1.1/.1.1.1.1/1.1.1.1/.1.1.1.1/1/ king=a1", {("board", "layout.founded")}),
    ],
)  # fmt: skip
def test_everything_wrong_with_a_layout(text, found):
    assert wrong(text) == found


def test_differences_name_the_spaces():
    expected = read(f"{blocks('d2=1')} a=c3,d1 b=f6 king=h4")
    seen = read(f"{blocks('d2=3 c6=0')} a=c3,d2 b=f6 king=e8")
    assert differences(seen, expected) == ("+2Bd2", "-Bc6", "+ad2", "-ad1", "+Ke8", "-Kh4")
    assert differences(seen, seen) == ()
    assert differences(read(START), read(f"{START} king=h4")) == ("-Kh4",)


def test_only_what_changes_the_board_is_visible():
    state = at(turn(deck_a=9))
    for text in ("S 2", "T top", "end"):
        choice = Choice("action", text.replace(" ", ""))
        assert not GAME.sight.visible(choice)
        assert GAME.sight.of(play(state, text)) == GAME.sight.of(state)
    assert GAME.sight.of(play(state, "ap7")) == GAME.sight.of(state)
    assert not GAME.sight.visible(Choice("card", "ap7"))
    for text in ("B d3", "M c3-c4", "N c4"):
        assert GAME.sight.of(play(state, text)) != GAME.sight.of(state)
    for choice in (
        Choice("action", "Bd3"),
        Choice("to", "c4"),
        Choice("card", "jump"),
        Choice("king", "Kd1"),
    ):
        assert GAME.sight.visible(choice)


FIFTEEN = " ".join(f"{column}{row}=1" for column in "abcde" for row in (1, 2, 3))


def test_a_column_may_be_as_high_as_its_castle_is_wide():
    """TO-3.7: twelve is no limit where the area is fifteen."""
    towers = blocks(f"{FIFTEEN} b2=12", ("h4", "a5", "c6", "f6", "e8"))
    state = at(f"blocks={towers} a=c2 b=f6 king=h4 stacks.a=3-3-3-3 stacks.b=3-3-3-3")
    high = play(state, "B b2", "B b2", "B b2")
    text = GAME.position.write(high)
    assert "/1F111/" in text
    assert GAME.position.read(text) == high
    assert GAME.position.read(text).ground.above == high.ground.above
    too_high = refusal(replace(high, placed=0), "Bb2")
    assert too_high.check == "block.height"
    assert dict(too_high.figures) == {"cell": "b2", "height": 16, "area": 15}
