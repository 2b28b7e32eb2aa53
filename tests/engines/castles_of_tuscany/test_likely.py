"""Where a cursor starts: by habit, whatever it is worth."""

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany.kinds import NUMBERS
from engines.contract import Choice, Label
from tests.engines.castles_of_tuscany.sitting import RULES, having, play, seated, squares


def first(state):
    """The likeliest answers of all."""
    legal = RULES.legal(state)
    best = min(RULES.likely(state, choice) for choice in legal)
    return [choice.token for choice in legal if RULES.likely(state, choice) == best]


def test_a_turn_begins_with_its_action_and_ends_where_none_is_left():
    state = having(seated(), marble=1, filled="c4", stored="q")
    assert first(state) == ["D", "Tt", "Tfa", "Tfb", "Tq", "Tv", "Tm", "Tr", "Pc5"]
    spent = play(state, "D")
    assert [choice.token for choice in RULES.legal(spent)] == ["marble", "end"]
    assert first(spent) == ["end"]


def test_a_price_begins_with_both_own_cards_and_ends_with_workers():
    state = play(having(seated(), filled="c4", stored="q", workers=2), "Pc5")
    ranks = {choice.token: RULES.likely(state, choice) for choice in RULES.legal(state)}
    assert ranks == {"qq": 0, "q": 1, **dict.fromkeys(("cc", "tt", "ii", "ff", "vv", "mm", "rr"), 2), "w": 3}


def test_what_comes_up_is_likeliest_of_the_kind_of_which_most_are_hidden():
    state = play(seated(), "Tv")
    assert {token[0] for token in first(state)} == {"f", "v"}
    few = replace(state.sides[0], turned=bags.bag([NUMBERS[kind] for kind in "fffvvv"]))
    assert first(replace(state, sides=(few, state.sides[1]))) == ["q", "m", "r"]


def test_no_pick_and_a_wild_hex_come_last():
    castle = play(having(seated(), filled="b2 a3 b3", stored="c", hand=9), "Pc3 c vv")
    assert "none" not in first(castle)
    assert first(play(having(seated(), filled="c4", stored="q w"), "Pc5")) == ["q"]
    assert RULES.likely(castle, Choice("square", "cards")) == 0


def test_only_the_one_stored_tile_is_asked_about_before_it_leaves():
    state = having(seated(), stored="q")
    asked = {token: RULES.gives_up(state, Choice("action", token)) for token in ("Tt", "Tt>q", "D", "Pc5")}
    assert {token: label for token, label in asked.items() if label} == {
        "Tt": Label("gives_up.take", (("tile", "t"), ("tiles", "q")))
    }
    room = squares("storage")
    for others in (having(state), having(state, stored="q", squares=room), having(state, stored="q v")):
        assert RULES.gives_up(others, Choice("action", "Tt")) is None
