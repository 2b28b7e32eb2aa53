"""Boards that differ where stacks hide it, and that a turn leads to."""

from hypothesis import given
from hypothesis import strategies as st

from device.sensors.readers.torres.verdicts import MOST, find_hidden_boards
from engines.contract import OutOfStep
from engines.torres.cells import NUMBERS
from tests.device.sensors.readers.test_judging import NOW, STATE, board
from tests.engines.torres.table import GAME, at, turn


def hidden(*cells):
    return [NUMBERS[cell] for cell in cells]


def differences(layouts, read=NOW):
    return [" ".join(GAME.sight.differences(layout, read)) for layout in layouts]


def test_a_new_knight_may_stand_behind_a_stack():
    """The own one may as well have walked from c3 to d3, both hidden: of that nothing at all would show, and
    nothing else was done.
    """
    assert differences(find_hidden_boards(STATE, [NOW], hidden("c3", "d3"))) == ["+Bd3", "+ad3"]


def test_what_the_rules_forbid_or_nobody_may_move_is_not_thought_of():
    assert find_hidden_boards(STATE, [NOW], []) == ()
    assert find_hidden_boards(STATE, [NOW], hidden("f6", "h4")) == ()  # other people's
    assert (
        find_hidden_boards(STATE, [NOW], hidden("h8")) == ()
    )  # no castle beside it, and too far for a knight
    assert "+Be3" not in differences(find_hidden_boards(STATE, [board("d3=1")], hidden("e3")), board("d3=1"))


def test_a_knight_that_is_gone_may_stand_hidden():
    """The board as read is illegal, for no knight leaves the board."""
    read = board(pieces="a=- b=f6 king=h4")
    assert isinstance(GAME.sight.explain(STATE, read), OutOfStep)
    assert differences(find_hidden_boards(STATE, [read], hidden("c4", "h8")), read) == ["+ac4"]


def test_a_knight_may_have_walked_from_one_hidden_space_to_another_where_more_was_done():
    read = board("d2=1")
    found = differences(find_hidden_boards(STATE, [read], hidden("c3", "d3")), read)
    assert found == ["+ad3", "+ad3 -ac3"]
    assert differences(find_hidden_boards(STATE, [read], hidden("c3", "h8")), read) == []  # too far to walk


def test_of_two_knights_that_came_into_view_one_may_have_left_a_hidden_space():
    read = board(pieces="a=c3,c4,d2 b=f6 king=h4")
    assert differences(find_hidden_boards(STATE, [read], hidden("c3")), read) == ["-ac3"]


def test_of_two_knights_that_came_one_may_be_hidden():
    read = board(pieces="a=c3,c4 b=f6 king=h4")
    assert "+ad3" in differences(find_hidden_boards(STATE, [read], hidden("d3")), read)
    three = board(pieces="a=c3,c4,d2 b=f6 king=h4")  # six points
    assert "+ad3" not in differences(find_hidden_boards(STATE, [three], hidden("d3")), three)


def test_only_so_many_are_told():
    free = [cell for cell in range(64) if not NOW.heights[cell]]
    assert len(find_hidden_boards(STATE, [NOW], free)) == MOST


def test_in_the_middle_of_a_step_nothing_is_thought_of():
    assert find_hidden_boards(at(turn(), "Mc3"), [NOW], hidden("d3")) == ()


@given(
    st.sets(st.integers(0, 63), max_size=6),
    st.sampled_from([NOW, board("d3=1"), board(pieces="a=c4 b=f6 king=h4")]),
)
def test_each_is_legal_and_differs_in_one_hidden_space_or_by_one_walk(cells, read):
    found = find_hidden_boards(STATE, [read], cells)
    assert len(set(found)) == len(found)
    for layout in found:
        assert not isinstance(GAME.sight.explain(STATE, layout), OutOfStep) or layout == NOW
        words = GAME.sight.differences(layout, read)
        assert len(words) == 1 or [word[:-2] for word in words] == ["+a", "-a"]
        assert {NUMBERS[word[-2:]] for word in words} <= cells
