"""The forms of a position's fields, and their line, with fields that no game has."""

import pytest
from msgspec import Struct

from engines import bags
from engines.contract import Problem
from engines.errors import BadPosition, Malformed
from engines.kit.forms import (
    CLAUSES,
    YES,
    Fields,
    bag,
    given,
    joined,
    line,
    listed,
    members,
    number,
    numbered,
    points,
    row,
    seat,
    standing,
    words,
    written,
)

USUAL = {"turn": "a", "left": "3", "open": "no", "cards": "-", "adjusted": "0,0", "waived": "-"}


def fields(text):
    return Fields(given(text), USUAL)


def test_a_line_leaves_out_what_is_usual_but_for_some_fields():
    told = USUAL | {"turn": "b", "cards": "2,4"}
    text = line(told, USUAL, ("left",))
    assert text == "turn=b left=3 cards=2,4"
    assert {name: fields(text)[name] for name in USUAL} == told


def test_a_list_without_words_is_a_dash():
    assert (listed([]), listed([5, "via"]), listed("ab", "/")) == ("-", "5,via", "a/b")
    assert (words("-"), words("5,via"), words("a/b", "/")) == ([], ["5", "via"], ["a", "b"])
    assert (YES.write(True), YES.write(False)) == ("yes", "no")


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
    ("text", "form", "message"),
    [
        ("turn=c", seat(2), "turn: 'c' is not one of a, b"),
        ("turn=ab", seat(2), "turn: 'ab' is not one of a, b"),
        ("open=on", YES, "open: 'on' is not one of no, yes"),
        ("left=4", number(0, 3), "left: '4' is not a number from 0 to 3"),
        ("left=-1", number(0, 3), "left: '-1' is not a number from 0 to 3"),
        ("left=²", number(0, 3), "left: '²' is not a number from 0 to 3"),
        ("adjusted=1", points(2), "adjusted: '1' is not 2 numbers like 5,-3"),
        ("adjusted=1,x", points(2), "adjusted: '1,x' is not 2 numbers"),
        ("waived=X/1", CLAUSES, "waived: 'X/1' is no clause's id"),
    ],
)
def test_a_value_that_cannot_be_read_names_its_field(text, form, message):
    with pytest.raises(BadPosition, match=f"^position: {message}"):
        fields(text).read(text.partition("=")[0], form.read)


class Held(Struct):
    tiles: tuple[int, ...]
    hands: tuple[bags.Bag, ...]
    seen: int
    line: tuple[str, ...]


LINE = row(2, "ab".__contains__, "{value!r} is no line")
FORMS = {
    "tiles": numbered(12, 2),
    "hand": bag("tg", "2t1g", none="-").of_seats("hands"),
    "known": members(("x", "y", "z")).of("seen"),
    "line": LINE,
}


def test_fields_are_read_as_their_forms_wrote_them():
    held = {"tiles": (3, 12), "hands": (bags.one(0, 2) + bags.one(1), 0), "seen": 0b101, "line": ("a", "")}
    told = written(FORMS, Held(**held))
    assert told == {"tiles": "03,12", "hand.a": "2t1g", "hand.b": "-", "known": "x,z", "line": "a,-"}
    assert Fields(told, dict.fromkeys(told, "-")).all(FORMS, 2) == held


@pytest.mark.parametrize(
    ("form", "text"),
    [
        *((LINE, text) for text in ("a", "a,b,a", "a,c")),
        *((FORMS["hand"], text) for text in ("0", "2x", "")),
        *((FORMS["tiles"], text) for text in ("13", "3")),
        *((FORMS["known"], text) for text in ("x,x", "w")),
    ],
)
def test_what_a_form_does_not_write_it_does_not_read(form, text):
    with pytest.raises(Malformed):
        form.read(text)


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
