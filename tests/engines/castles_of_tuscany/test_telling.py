"""What is said at the table: steps, and what hands do after them."""

import pytest
from msgspec.structs import replace

import engines
from device.texts import Texts
from engines import bags
from engines.castles_of_tuscany import telling
from engines.castles_of_tuscany.state import Frame, Gain
from engines.contract import Choice, Level, Tie
from engines.kit.parts import ranked
from engines.words import Words
from tests.engines.castles_of_tuscany.sitting import RULES, having, play, seated, setup, start

GAME = engines.game("castles_of_tuscany")
WORDS = Words(Texts.load("en", GAME.id, strict=True), GAME, ("Mara", "Tom", "Fina"))


def step(state, tokens):
    """The choices of one step and the state after it, whatever is legal."""
    made = []
    for token in tokens.split():
        made.append(Choice(RULES.pending(state).question, token))
        state = RULES.apply(state, made[-1])
    assert not RULES.pending(state).open
    return made, state


def told(state, tokens):
    """A step in words, and what hands do after it, with the news."""
    made, after = step(state, tokens)
    labels = (*telling.hands(state, made, after), *telling.news(state, after))
    return [WORDS.said(state, made), *WORDS.labels(labels)]


def asking(question, state, n=0, **fields):
    """The state that asks this, after the turn's action."""
    return replace(state, left=0, frames=(Frame(question, n, open=False),), **fields)


TURN = seated()
LAID = play(start(), "A1 B1+0 C1+0 A2 B2+0 C2+0")
FIRST = play(LAID, "b1 a1")
UNKNOWN = replace(start(), copy=replace(start().copy, boards=start().copy.boards[1:]))
NO_BONUS = replace(TURN.copy, bonus=(None,) * 8)
AT_ONCE = replace(TURN.variant, at_once=True)
LAST_TILE = (1, 7, 7)
"""Of piles in which the left one has one tile."""
FIVE = step(replace(TURN, display=tuple("ttvvvvmm")), "Tm")[1]
AGAIN = step(FIVE, "v")[1]
LAST_BUT_ONE = play(replace(AGAIN, neutral=AGAIN.neutral + bags.one(1, 3)), "t t i i")
MONASTERY = replace(having(TURN, stored="m"), deck=1, discards=bags.one(2, 9))
INN = having(TURN, filled="a1", stored="i")
CASTLE = asking("pick", having(TURN, filled="a1 a2"))
CART = asking("yield", TURN, 2, yields=1)
FULL = asking("wild", having(TURN, stored="v"))
GREEN = step(having(TURN, piles=LAST_TILE, gains=(Gain(1, "areas", 10, "b1"),)), "Tv")[1]
OVER = having(step(replace(having(TURN, piles=(7, 7, 1)), round=3), "Tv")[1], stored="v", piles=(0, 0, 1))
TOLD = [
    # Set-up
    (start(), "A1 B1-1 C1+1", ["board A1 on top then B1, to the left then C1, to the right"]),
    (UNKNOWN, "A1 B1+0 C1+0", [..., "Look at board A1: its ten hexes, row by row."]),
    (step(UNKNOWN, "A1 B1+0 C1+0")[1], "icmvvimrrv", ["board A1 is entered"]),
    (LAID, "b1", ["starting castle on b1"]),
    (FIRST, "storage", ["takes extra storage", "2 VP for it.", "Green 0 → 2."]),
    (play(FIRST, "storage"), "yield", ["takes extra yield", "Turn up 8 neutral tiles."]),
    (play(FIRST, "storage yield"), "fab", ["turned up: farm (A, B)"]),
    # A turn
    (TURN, "D", ["draws 2 cards"]),
    (replace(TURN, deck=1), "D", ["draws 1 card", "No more region cards are left."]),
    (replace(TURN, deck=0), "D", ["draws, but no card is left", "No more region cards are left."]),
    (replace(TURN, deck=1, discards=bags.one(3, 9)), "D",
     ["draws 2 cards", "Shuffle the discards: a new deck."]),
    (TURN, "Tv", ["takes village", "Turn up a tile: left pile."]),
    (step(TURN, "Tv")[1], "fa", ["from Mara's left pile: farm (A)"]),
    (having(TURN, stored="i"), "Tfa i", ["takes farm (A) and the stored inn leaves the game", ...]),
    (having(TURN, stored="fc"), "Tv fc", ["takes village and the stored farm (C) leaves the game", ...]),
    (having(TURN, stored="w"), "Tv w", ["takes village and a wild hex goes back to the supply", ...]),
    (having(TURN, piles=(0, 0, 0)), "Tv", ["takes village", "The piles are empty: the gap stays."]),
    (having(TURN, marble=1), "marble", ["returns 1 marble for one more action"]),
    (step(having(TURN, marble=1), "D")[1], "end", ["ends the turn"]),
    *(
        (having(TURN, stored="m", workers=2), f"Pc1 {units}",
         [f"places monastery on c1 for {price}", "Draw 3 cards."])
        for units, price in (
            ("m m", "2 yellow"),
            ("m cc", "1 yellow and 2 dark green"),
            ("cc cc", "4 dark green"),
            ("w m", "1 yellow and 1 worker"),
            ("w w", "2 workers"),
        )
    ),
    # Five alike, twice, and the pile runs out
    (FIVE, "v",
     ["from Mara's left pile: village", "5 × village leave the game.", "Turn up 5 neutral tiles."]),
    (AGAIN, "t", ["neutral tile for Mara: town"]),
    (replace(LAST_BUT_ONE, neutral=bags.bag((1, 7))), "t",
     ["neutral tile for Mara: town", "5 × town leave the game.", "Turn up the last neutral tiles: 1."]),
    (replace(LAST_BUT_ONE, neutral=bags.one(1)), "t",
     [..., "5 × town leave the game.", "No neutral tile is left: the gaps stay."]),
    # What tiles do
    (MONASTERY, "Pc1 m m", [..., "Shuffle the discards: a new deck.", "Draw 3 cards."]),
    (replace(MONASTERY, deck=0, discards=0), "Pc1 m m",
     [..., "Shuffle the discards: a new deck.", "Draw 2 cards.", "No more region cards are left."]),
    (replace(having(MONASTERY, stored="m", workers=2), deck=0, discards=0), "Pc1 w w",
     ["places monastery on c1 for 2 workers", "No more region cards are left."]),
    *(
        (having(TURN, stored="v", filled="c1", workers=2, squares=bags.one(3)), f"Pd1 {units}",
         [..., "Take 2 workers."])
        for units in ("v v", "w v", "w w")
    ),
    (having(having(TURN, stored="v", filled="c1"), 1, workers=12), "Pd1 v v",
     ["places village on d1 for 2 orange", "The supply has no more workers."]),
    (having(having(TURN, stored="v", filled="c1", workers=1, squares=bags.one(3)), 1, workers=11),
     "Pd1 w v", [..., "Take 1 worker.", "The supply has no more workers."]),
    (replace(having(TURN, stored="v", filled="c1 e1 e2 c4 d4 e4 a5 a6", workers=2), copy=NO_BONUS),
     "Pd1 w w", [..., "Area: 6 VP.", "Green 0 → 6.", "Look at both sides of the orange bonus tile."]),
    (having(TURN, stored="w"), "Pa1 i i",
     ["places wild hex on a1 as inn for 2 blue", "Store a wild hex.", ...]),
    (INN, "Pa2 i i",
     [..., "Store a wild hex.", "Area: 3 VP.", "All blue: 6 VP.", "Green 0 → 9.",
      "Turn the blue bonus tile."]),
    (replace(INN, taken=(0, 0, 1, 0, 0, 0, 0, 0)), "Pa2 i i",
     [..., "The blue bonus tile leaves the game."]),
    (replace(INN, copy=NO_BONUS), "Pa2 i i", [..., "Look at both sides of the blue bonus tile."]),
    (step(replace(INN, copy=NO_BONUS), "Pa2 i i")[1], "5,2",
     ["Mara's bonus tile, blue: 5, then 2", "Store a wild hex.", "All blue: 5 VP.", "Green 3 → 8.",
      "Turn the blue bonus tile."]),
    (having(TURN, filled="c3", stored="fab"), "Pd3 f f",
     ["places farm (A, B) on d3 for 2 light green", "Farms: 2 VP.", "Green 0 → 2."]),
    (having(TURN, filled="d3", stored="fa", shown=((13, "ab"),), hand=5), "Pe3 f f",
     [..., "Farms: no kind is new.", "Area: 3 VP.", "Green 0 → 3."]),
    (having(TURN, filled="c1", stored="r", squares=0), "Pc2 r r", [..., "Turn up a yield card."]),
    (having(TURN, filled="c1", stored="r", squares=bags.one(4)), "Pc2 r r", [..., "Turn up 2 yield cards."]),
    (replace(having(TURN, filled="c4", stored="c", hand=5), display=()), "Pc3 c c",
     [..., "The castle: no tile on display fits.", "Area: 1 VP.", "Green 0 → 1."]),
    (CASTLE, "none", ["places no tile with the castle"]),
    (CASTLE, "a3", ["places town from the display on a3", "Turn up a tile: left pile."]),
    (CART, "g2",
     ["Mara's yield: 2 VP on green", "Green 0 → 2.", "Shuffle the yield cards: a new deck.", "Next card."]),
    (CART, "o3", ["Mara's yield: 3 VP on orange", "Mara 0 → 3.", ...]),
    (CART, "c1", ["Mara's yield: 1 card", "Draw 1 card.", ...]),
    (CART, "c3", ["Mara's yield: 3 cards", "Draw 3 cards.", ...]),
    (CART, "w1", ["Mara's yield: 1 worker", "Take 1 worker.", ...]),
    (CART, "w2", ["Mara's yield: 2 workers", "Take 2 workers.", ...]),
    (CART, "x", ["Mara's yield: something else", ...]),
    (CART, "m1", ["Mara's yield: 1 marble", "Take 2 marble.", ...]),  # an extra one
    (having(CART, stored="v"), "h1", ["Mara's yield: wild hex", "No room: 2 VP.", ...]),
    (FULL, "v", ["takes wild hex and the stored village leaves the game", ...]),
    (FULL, "points", ["takes 2 VP instead of a wild hex", "Mara 0 → 2."]),
    # Rounds
    (GREEN, "fa", [..., "Round 1 ends after Tom: Mara's left pile is empty."]),
    (step(GREEN, "fa")[1], "D",
     ["draws 2 cards", "Green is added to orange.", "Mara 0 → 10.", "Round 2 begins. Mara to move."]),
    (having(step(having(replace(TURN, variant=AT_ONCE), piles=LAST_TILE), "Tv")[1], stored="v"), "fa",
     [..., "Green is added to orange.", "Mara's left pile is empty.", "Round 2 begins. Tom to move."]),
    (having(step(having(replace(TURN, variant=AT_ONCE), piles=LAST_TILE, marble=1), "Tv")[1]), "fa",
     [..., "Round 1 ends after Mara: Mara's left pile is empty."]),
    (replace(having(TURN, 1, piles=(0, 0, 7)), seat=1, trigger=0), "D",
     [..., "Round 2 begins. Mara to move.", "Round 2 ends after Tom: Tom's middle pile is empty."]),
    (OVER, "fa",
     [..., "Round 3 ends after Tom, then one turn each: Mara's right pile is empty."]),
    (step(OVER, "fa")[1], "D", [..., "Last turns, one each. Mara begins."]),
    (play(OVER, "fa D D"), "D",
     [..., "Green is added to orange, 1 VP each for what is left.", "Mara 0 → 3.", "Tom 0 → 3."]),
]  # fmt: skip


@pytest.mark.parametrize(("state", "tokens", "said"), TOLD)
def test_a_step_and_what_hands_do(state, tokens, said):
    """Where the words of others stand before or after those that count, three dots do."""
    found = told(state, tokens)
    if said[0] is ...:
        assert found[1 - len(said) :] == said[1:]
    elif said[-1] is ...:
        assert found[: len(said) - 1] == said[:-1]
    else:
        assert found == said


def test_the_beginning_of_a_step():
    state = having(TURN, stored="m w", squares=bags.one(1))
    made = [Choice("action", "Pc1"), Choice("tile", "w"), Choice("pay", "m")]
    assert [WORDS.said(state, made[:n]) for n in (1, 2, 3)] == [
        "places a tile on c1",
        "places wild hex on c1 as monastery",
        "places wild hex on c1 as monastery for 1 yellow",
    ]


@pytest.mark.parametrize(
    ("state", "about"),
    [
        (start(), "Deal 5 cards each; a draw gives 2."),
        (step(UNKNOWN, "A1 B1+0 C1+0")[1], "Row by row from the top left."),
        (play(LAID, "b1"), "Tom's castle: a dark green space."),
        (FIRST, "Mara takes a first square tile."),
        (play(FIRST, "storage yield fab"), "Turn up neutral tiles: 7 to go."),
        (step(TURN, "Tv")[1], "Mara's left pile: its top tile."),
        (AGAIN, "Neutral tiles fill the gaps: 5 to go."),
        (step(replace(INN, copy=NO_BONUS), "Pa2 i i")[1], "Its VP: side 1, side 2."),
        (CASTLE, "Mara's castle: any tile, no cards."),
        (play(CASTLE, "a3 v"), "Mara's town: one square tile."),
        (CART, "Mara's yield: 2 to turn up."),
        (FULL, "No room in Mara's storage."),
        (start(level=Level.SCORE), "Mara's, before round 3 is added."),
        (play(start(level=Level.SCORE), "0"), "Mara's at the end."),
    ],
)
def test_what_a_question_is_about(state, about):
    assert WORDS.labels(telling.about(state)) == [about]


def test_each_figure_of_a_final_table_is_said_of_its_player():
    state, said = start(level=Level.SCORE), []
    for number in range(7):
        said += told(state, str(number))
        state = step(state, str(number))[1]
    assert said == [
        *("Mara: orange 0", "Mara: green 1", "Mara: 2 in storage", "Mara: 3 marble"),
        *("Mara: 4 workers", "Mara: 5 cards", "Mara: 6 spaces empty"),
    ]
    assert telling.zones(state) == ()


def test_what_lies_there():
    state = replace(having(TURN, stored="v w", marble=2, workers=1), discards=bags.bag((5, 5, 4)))
    state = replace(state, taken=(1, 2, 0, 0, 0, 0, 0, 0))
    lying = {}
    for zone in telling.zones(state):
        pieces = [f"{one.count} {WORDS(one.label.key, one.label.figures)}" for one in zone.pieces]
        lying.setdefault((zone.name, zone.seat), []).extend(pieces)
    assert lying["display", None] == [
        *("1 town", "1 farm (A)", "1 farm (B)", "1 quarry", "2 village", "1 monastery", "1 cart"),
    ]
    assert lying["storage", 0] == ["1 village", "1 wild hex"]
    assert (lying["hand", 1], lying["goods", 0]) == (["5 card"], ["2 marble", "1 worker"])
    assert lying.get(("goods", 1), []) == []
    assert (lying["squares", 1], lying["piles", 0]) == (["1 extra worker"], ["7 tile"] * 3)
    assert (lying["neutral", None], lying["deck", None]) == (["24 tile"], ["112 card"])
    assert lying["discards", None] == ["1 grey card", "2 orange card"]
    assert lying["supply", None] == ["10 marble", "11 worker", "9 wild hex"]
    assert lying["squares_left", None] == [
        *("5 extra card", "5 extra storage", "4 extra marble", "4 extra worker", "5 extra yield"),
    ]
    assert lying["bonuses", None][:2] == ["1 dark green, side 2", "1 blue, side 1"]
    assert lying["yields", None] == ["27 card"]


def test_what_parts_level_players_is_told_of_one_and_of_several():
    empty = Tie("empty", "CT-7.4", ((0, 3), (1, 3), (2, 2)))
    green = Tie("green", "CT-7.4", ((0, 35), (1, 30), (2, 31)), least=True)
    assert WORDS.ranking(ranked((57, 57, 57), "CT-7.4", empty, green))[-1] == (
        "tied at 57; Mara and Tom: 3 empty spaces (Fina 2) (CT-7.4); Tom: 30 on green (Mara 35) (CT-7.4)"
    )


def drawn(state):
    return [mark for panel in telling.scene(state).panels for mark in panel.marks]


def test_a_star_is_drawn_on_a_wild_hex_alone():
    marks = drawn(having(TURN, filled="a1", wild="c1"))
    hexes = {mark.cell: mark for mark in marks if mark.board == "region.a"}
    (star,) = [mark for mark in marks if mark.icon == "star"]
    assert abs(star.x - hexes["c1"].x) < hexes["c1"].w / 2


def test_a_hex_shows_its_tile_its_colour_or_that_nobody_has_looked():
    marks = drawn(having(TURN, filled="d3", shown=((TURN.known_region(0).number("d3"), "b"),)))
    hexes = {mark.cell: mark for mark in marks if mark.board == "region.a"}
    assert (hexes["d3"].fill, hexes["d1"].fill) == ("kind_f", "tint_v")
    assert "B" in {mark.text for mark in marks if mark.x == hexes["d3"].x}
    blank = {mark.text for mark in drawn(step(UNKNOWN, "A1 B1+0 C1+0")[1]) if mark.board == "region.a"}
    assert blank == {"?"}


def test_no_label_of_the_display_runs_into_another_and_each_farm_kind_has_its_letter_explained():
    """By letters of 0.62 of their height, as a browser's plain font has them."""
    words = Words(Texts.load("en", GAME.id, strict=True), GAME, ("Mara", "Tom"), setup().facts)
    display, *_ = telling.scene(replace(TURN, display=("q", "m", "m", "m", "m", "m", "m", "m"))).panels
    said = [
        (mark, words(mark.text.key, mark.text.figures)) for mark in display.marks if hasattr(mark.text, "key")
    ]
    ends = []
    for mark, text in said:
        wide = min(mark.w or 999, 0.62 * mark.size * len(text))
        left = mark.x - wide / 2 if mark.align == "middle" else mark.x
        assert not any(y == mark.y and left < right and begin < left + wide for y, begin, right in ends), text
        assert wide > 0.9 * 0.62 * mark.size * len(text), "drawn small"
        ends.append((mark.y, left, left + wide))
    assert [text for _, text in said[1:5]] == ["A vines", "B olives", "C wheat", "D cows"]
