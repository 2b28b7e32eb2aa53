"""The shell of a position text, told of fields that no game has."""

import pytest

from engines.contract import Problem
from engines.errors import BadPosition, Malformed
from engines.kit.forms import YES, listed, words
from engines.kit.position import Fields, given, joined, line, standing

USUAL = {"turn": "a", "left": "3", "open": "no", "cards": "-", "adjusted": "0,0", "waived": "-"}


def fields(text):
    return Fields(given(text), USUAL)


def even(word):
    if int(word) % 2:
        raise Malformed(f"{word} is odd")
    return int(word)


def test_a_line_leaves_out_what_is_usual_but_for_some_fields():
    told = USUAL | {"turn": "b", "cards": "2,4"}
    text = line(told, USUAL, ("left",))
    assert text == "turn=b left=3 cards=2,4"
    assert {name: fields(text)[name] for name in USUAL} == told


def test_a_list_without_words_is_a_dash():
    assert (listed([]), listed([5, "via"]), listed("ab", "/")) == ("-", "5,via", "a/b")
    assert (words("-"), words("5,via"), words("a/b", "/")) == ([], ["5", "via"], ["a", "b"])
    assert (YES.write(True), YES.write(False)) == ("yes", "no")


def test_fields_are_read_one_by_one():
    told = fields("turn=b left=0 open=yes cards=2,4 adjusted=5,-3 waived=X-1.2,X-3")
    assert told.told.keys() == {"turn", "left", "open", "cards", "adjusted", "waived"}
    assert (told.seat("turn", 2), told.number("left", 0, 3), told.read("open", YES.read)) == (1, 0, True)
    assert (told.points("cards", 2), told.read("left", even)) == ((2, 4), 0)
    assert Fields({}, {"adjusted": "-"}).points("adjusted", 3) == (0, 0, 0)
    assert (told.points("adjusted", 2), told.clauses("waived")) == ((5, -3), ("X-1.2", "X-3"))
    assert fields("").clauses("waived") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("turn", "'turn' is not a field like name=value"),
        ("turn=a turn=b", "turn is there twice, as 'a' and 'b'"),
        ("trun=a", "no field 'trun'; did you mean turn."),
        ("x=1", "no field 'x'; fields are turn"),
    ],
)
def test_a_field_that_there_is_not(text, message):
    with pytest.raises(BadPosition, match=f"^position: {message}"):
        fields(text)


@pytest.mark.parametrize(
    ("text", "read", "message"),
    [
        ("turn=c", lambda told: told.seat("turn", 2), "turn: 'c' is not one of a, b"),
        ("turn=ab", lambda told: told.seat("turn", 2), "turn: 'ab' is not one of a, b"),
        ("open=on", lambda told: told.read("open", YES.read), "open: 'on' is not one of no, yes"),
        ("left=4", lambda told: told.number("left", 0, 3), "left: '4' is not a number from 0 to 3"),
        ("left=-1", lambda told: told.number("left", 0, 3), "left: '-1' is not a number from 0 to 3"),
        ("left=²", lambda told: told.number("left", 0, 3), "left: '²' is not a number from 0 to 3"),
        ("adjusted=1", lambda told: told.points("adjusted", 2), "adjusted: '1' is not 2 numbers like 5,-3"),
        ("adjusted=1,x", lambda told: told.points("adjusted", 2), "adjusted: '1,x' is not 2 numbers"),
        ("waived=X/1", lambda told: told.clauses("waived"), "waived: 'X/1' is no clause's id"),
    ],
)
def test_a_value_that_cannot_be_read_names_its_field(text, read, message):
    with pytest.raises(BadPosition, match=f"^position: {message}"):
        read(fields(text))


def test_what_may_not_stand_is_told_with_all_that_is_wrong():
    found = [Problem("left", "position.left", "X-1", (("left", 4), ("most", 3))), Problem("b", "n", "X-2")]
    with pytest.raises(BadPosition) as caught:
        standing("state", lambda state: found)
    assert str(caught.value) == "position, left: position.left (X-1): left 4, most 3 (and 1 more)"
    assert list(caught.value.problems) == found
    assert standing("state", lambda state: []) == "state"


def test_fields_are_joined_in_order():
    assert list(joined({"b": "1"}, {}, {"a": "2"}).items()) == [("b", "1"), ("a", "2")]


def test_a_field_named_twice_is_refused():
    with pytest.raises(ValueError, match="two fields of a position are named 'king'"):
        joined({"king": "c3"}, {"turn": "a"}, {"king": "yes"})
