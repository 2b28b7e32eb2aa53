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
from tests.engines.castles_of_tuscany.sitting import RULES, having, play, seated, start

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


def about(state):
    return WORDS.labels(telling.about(state))


TURN = seated()


class TestSetUp:
    def test_boards_one_below_the_other(self):
        assert told(start(), "A1 B1-1 C1+1") == [
            "board A1 on top then B1, to the left then C1, to the right",
        ]
        assert about(start()) == ["Deal 5 cards each; a draw gives 2."]

    def test_a_board_that_nobody_knows_is_looked_at(self):
        state = start()
        state = replace(state, copy=replace(state.copy, boards=state.copy.boards[1:]))
        assert told(state, "A1 B1+0 C1+0")[1:] == ["Look at board A1: its ten hexes, row by row."]
        _, state = step(state, "A1 B1+0 C1+0")
        assert about(state) == ["Row by row from the top left."]
        assert told(state, "icmvvimrrv") == ["board A1 is entered"]

    def test_castles_square_tiles_and_the_display(self):
        state = play(start(), "A1 B1+0 C1+0 A2 B2+0 C2+0")
        assert told(state, "b1") == ["starting castle on b1"]
        assert about(state) == ["Mara's castle: a dark green space."]
        state = play(state, "b1 a1")
        assert told(state, "storage") == [
            "takes extra storage",
            "2 VP for it.",
            "Green 0 → 2.",
        ]
        assert about(state) == ["Mara takes a first square tile."]
        state = play(state, "storage")
        assert told(state, "yield") == [
            "takes extra yield",
            "Turn up 8 neutral tiles.",
        ]
        assert told(play(state, "yield"), "fab") == ["turned up: farm (A, B)"]
        assert about(play(state, "yield fab")) == ["Turn up neutral tiles: 7 to go."]


class TestTurn:
    def test_drawing(self):
        assert told(TURN, "D") == ["draws 2 cards"]
        no_more = "No more region cards are left."
        assert told(replace(TURN, deck=1), "D") == ["draws 1 card", no_more]
        assert told(replace(TURN, deck=0), "D") == ["draws, but no card is left", no_more]
        shuffled = replace(TURN, deck=1, discards=bags.one(3, 9))
        assert told(shuffled, "D") == ["draws 2 cards", "Shuffle the discards: a new deck."]

    def test_taking_a_tile_and_the_one_that_fills_the_gap(self):
        assert told(TURN, "Tv") == [
            "takes village",
            "Turn up a tile: left pile.",
        ]
        refill = step(TURN, "Tv")[1]
        assert about(refill) == ["Mara's left pile: its top tile."]
        assert told(refill, "fa") == ["from Mara's left pile: farm (A)"]

    def test_what_leaves_a_full_storage(self):
        assert told(having(TURN, stored="i"), "Tfa i")[0] == (
            "takes farm (A) and the stored inn leaves the game"
        )
        assert told(having(TURN, stored="fc"), "Tv fc")[0] == (
            "takes village and the stored farm (C) leaves the game"
        )
        assert told(having(TURN, stored="w"), "Tv w")[0] == (
            "takes village and a wild hex goes back to the supply"
        )

    def test_a_gap_that_stays(self):
        assert told(having(TURN, piles=(0, 0, 0)), "Tv") == [
            "takes village",
            "No own tile is left: the gap stays.",
        ]

    def test_marble_and_the_end_of_a_turn(self):
        state = having(TURN, marble=1)
        assert told(state, "marble") == ["returns 1 marble for one more action"]
        assert told(step(state, "D")[1], "end") == ["ends the turn"]

    @pytest.mark.parametrize(
        ("units", "price"),
        [
            ("m m", "2 yellow"),
            ("m cc", "1 yellow and 2 dark green"),
            ("cc cc", "4 dark green"),
            ("w m", "1 yellow and 1 worker"),
            ("w w", "2 workers"),
        ],
    )
    def test_the_price_of_a_tile(self, units, price):
        state = having(TURN, stored="m", workers=2)
        assert told(state, f"Pc1 {units}") == [f"places monastery on c1 for {price}", "Draw 3 cards."]

    def test_the_beginning_of_a_step(self):
        state = having(TURN, stored="m w", squares=bags.one(1))
        begun = [
            WORDS.said(state, [Choice(*one) for one in made])
            for made in (
                [("action", "Pc1")],
                [("action", "Pc1"), ("tile", "w")],
                [("action", "Pc1"), ("tile", "w"), ("pay", "m")],
            )
        ]
        assert begun == [
            "places a tile on c1",
            "places wild hex on c1 as monastery",
            "places wild hex on c1 as monastery for 1 yellow",
        ]


class TestFiveAlike:
    def test_twice_and_the_pile_runs_out(self):
        state = step(replace(TURN, display=tuple("ttvvvvmm")), "Tm")[1]
        assert told(state, "v") == [
            "from Mara's left pile: village",
            "5 × village leave the game.",
            "Turn up 5 neutral tiles.",
        ]
        state = step(state, "v")[1]
        assert about(state) == ["Neutral tiles fill the gaps: 5 to go."]
        assert told(state, "t") == ["neutral tile for Mara: town"]
        state = play(replace(state, neutral=state.neutral + bags.one(1, 3)), "t t i i")
        few = replace(state, neutral=bags.bag((1, 7)))
        assert told(few, "t") == [
            "neutral tile for Mara: town",
            "5 × town leave the game.",
            "Turn up the last neutral tiles: 1.",
        ]
        none = replace(state, neutral=bags.one(1))
        assert told(none, "t")[1:] == [
            "5 × town leave the game.",
            "No neutral tile is left: the gaps stay.",
        ]


class TestTiles:
    def test_a_monastery_for_which_the_discards_are_shuffled(self):
        state = replace(having(TURN, stored="m"), deck=1, discards=bags.one(2, 9))
        assert told(state, "Pc1 m m")[1:] == ["Shuffle the discards: a new deck.", "Draw 3 cards."]
        few = replace(state, deck=0, discards=0)
        assert told(few, "Pc1 m m")[1:] == [
            "Shuffle the discards: a new deck.",
            "Draw 2 cards.",
            "No more region cards are left.",
        ]
        none = replace(having(few, stored="m", workers=2), deck=0)
        assert told(none, "Pc1 w w") == [
            "places monastery on c1 for 2 workers",
            "No more region cards are left.",
        ]

    @pytest.mark.parametrize("units", ["v v", "w v", "w w"])
    def test_a_village_gives_workers_however_it_is_paid(self, units):
        state = having(TURN, stored="v", filled="c1", workers=2, squares=bags.one(3))
        assert told(state, f"Pd1 {units}")[1:] == ["Take 2 workers."]

    def test_no_worker_is_left_or_none_comes_yet(self):
        none = having(having(TURN, stored="v", filled="c1"), 1, workers=12)
        assert told(none, "Pd1 v v") == [
            "places village on d1 for 2 orange",
            "The supply has no more workers.",
        ]
        few = having(having(TURN, stored="v", filled="c1", workers=1, squares=bags.one(3)), 1, workers=11)
        assert told(few, "Pd1 w v")[1:] == ["Take 1 worker.", "The supply has no more workers."]
        last = having(TURN, stored="v", filled="c1 e1 e2 c4 d4 e4 a5 a6", workers=2)
        last = replace(last, copy=replace(last.copy, bonus=(None,) * 8))
        assert told(last, "Pd1 w w")[1:] == [
            "Area: 6 VP.",
            "Green 0 → 6.",
            "Look at both sides of the orange bonus tile.",
        ]

    def test_an_inn_gives_a_wild_hex_also_for_a_wild_hex(self):
        for stored, tile in (("i", "inn"), ("w", "wild hex")):
            state = having(TURN, stored=stored)
            made = "on a1" if tile == "inn" else "on a1 as inn"
            assert told(state, "Pa1 i i")[:2] == [
                f"places {tile} {made} for 2 blue",
                "Store a wild hex.",
            ]

    def test_areas_and_colours(self):
        """The inns a1 and a2 touch and are all that is blue."""
        state = having(TURN, filled="a1", stored="i")
        assert told(state, "Pa2 i i")[1:] == [
            "Store a wild hex.",
            "Area: 3 VP.",
            "All blue: 6 VP.",
            "Green 0 → 9.",
            "Turn the blue bonus tile.",
        ]
        second = replace(state, taken=(0, 0, 1, 0, 0, 0, 0, 0))
        assert "The blue bonus tile leaves the game." in told(second, "Pa2 i i")
        unknown = replace(state, copy=replace(state.copy, bonus=(None,) * 8))
        assert told(unknown, "Pa2 i i")[-1] == "Look at both sides of the blue bonus tile."
        look = step(unknown, "Pa2 i i")[1]
        assert about(look) == ["Its VP: side 1, side 2."]
        assert told(look, "5,2") == [
            "Mara's bonus tile, blue: 5, then 2",
            "Store a wild hex.",
            "All blue: 5 VP.",
            "Green 3 → 8.",
            "Turn the blue bonus tile.",
        ]

    def test_a_farm_scores_what_its_area_did_not_show(self):
        state = having(TURN, filled="c3", stored="fab")
        assert told(state, "Pd3 f f") == [
            "places farm (A, B) on d3 for 2 light green",
            "Farms: 2 VP.",
            "Green 0 → 2.",
        ]

    @pytest.mark.parametrize(("squares", "up"), [(0, "Turn up a yield card."), (4, "Turn up 2 yield cards.")])
    def test_a_cart_is_placed(self, squares, up):
        state = having(TURN, filled="c1", stored="r", squares=squares and bags.one(squares))
        assert told(state, "Pc2 r r")[-1] == up

    def test_a_castle_takes_a_town_that_takes_a_storage_tile(self):
        state = replace(having(TURN, filled="a1 a2"), left=0, frames=(Frame("pick", open=False),))
        assert about(state) == ["Mara's castle: any tile, no cards."]
        assert told(state, "none") == ["places no tile with the castle"]
        assert told(state, "a3") == [
            "places town from the display on a3",
            "Turn up a tile: left pile.",
        ]
        square = play(state, "a3 v")
        assert about(square) == ["Mara's town: one square tile."]
        assert told(square, "storage") == [
            "takes extra storage",
            "2 VP for it.",
            "Green 0 → 2.",
        ]

    def test_a_cart_turns_up_yield_cards(self):
        state = replace(TURN, left=0, yields=1, frames=(Frame("yield", 2, open=False),))
        assert about(state) == ["Mara's yield: 2 to turn up."]
        assert told(state, "g2") == [
            "Mara's yield: 2 VP on green",
            "Green 0 → 2.",
            "Shuffle the yield cards: a new deck.",
            "Next card.",
        ]
        assert told(state, "o3")[:2] == ["Mara's yield: 3 VP on orange", "Mara 0 → 3."]
        assert told(state, "c1")[:2] == ["Mara's yield: 1 card", "Draw 1 card."]
        assert told(state, "c3")[:2] == ["Mara's yield: 3 cards", "Draw 3 cards."]
        assert told(state, "w1")[:2] == ["Mara's yield: 1 worker", "Take 1 worker."]
        assert told(state, "w2")[:2] == ["Mara's yield: 2 workers", "Take 2 workers."]
        assert told(state, "x")[0] == "Mara's yield: something else"
        assert told(state, "m1")[:2] == ["Mara's yield: 1 marble", "Take 2 marble."]  # an extra one
        full = having(state, stored="v")
        assert told(full, "h1")[:2] == ["Mara's yield: wild hex", "No room: 2 VP."]

    def test_a_stored_tile_leaves_for_a_wild_hex(self):
        state = replace(having(TURN, stored="v"), left=0, frames=(Frame("wild", open=False),))
        assert about(state) == ["No room in Mara's storage."]
        assert told(state, "v")[0] == "takes wild hex and the stored village leaves the game"
        assert told(state, "points") == ["takes 2 VP instead of a wild hex", "Mara 0 → 2."]


LAST_TILE = (1, 7, 7)
"""Of piles in which the left one has one tile."""


class TestRounds:
    def test_a_round_goes_around_and_green_is_added(self):
        state = having(TURN, piles=LAST_TILE, gains=(Gain(1, "areas", 10, "b1"),))
        state = step(state, "Tv")[1]
        assert told(state, "fa")[1:] == ["Mara's left pile is empty: round 1 ends after Tom's turn."]
        state = step(state, "fa")[1]
        assert told(state, "D") == [
            "draws 2 cards",
            "Green is added to orange.",
            "Mara 0 → 10.",
            "Round 2 begins. Mara to move.",
        ]

    def test_at_once(self):
        state = having(replace(TURN, variant=replace(TURN.variant, at_once=True)), piles=LAST_TILE, marble=1)
        state = step(state, "Tv")[1]
        assert told(state, "fa")[1:] == ["Mara's left pile is empty: round 1 ends after Mara's turn."]
        state = having(state, stored="v", marble=0)
        assert told(state, "fa")[1:] == [
            "Green is added to orange.",
            "Mara's left pile is empty.",
            "Round 2 begins. Tom to move.",
        ]

    def test_a_round_that_is_triggered_as_it_begins(self):
        state = replace(having(TURN, 1, piles=(0, 0, 7)), seat=1, trigger=0)
        assert told(state, "D")[2:] == [
            "Round 2 begins. Mara to move.",
            "Tom's middle pile is empty: round 2 ends after Tom's turn.",
        ]
        at_once = replace(TURN.variant, at_once=True)
        state = step(having(replace(TURN, variant=at_once), piles=(1, 0, 7)), "Tv")[1]
        assert told(state, "fa")[2:] == [
            "Mara's left pile is empty.",
            "Round 2 begins. Tom to move.",
            "Mara's middle pile is empty: round 2 ends after Tom's turn.",
        ]

    def test_the_last_turns(self):
        state = step(replace(having(TURN, piles=(7, 7, 1)), round=3), "Tv")[1]
        state = having(state, stored="v", piles=(0, 0, 1))
        assert told(state, "fa")[1:] == [
            "Mara's right pile is empty: round 3 ends after Tom's turn, then one more turn each."
        ]
        state = step(state, "fa")[1]
        assert told(state, "D")[1:] == ["The last turns: one each. Mara begins."]
        state = play(state, "D D")
        assert told(state, "D")[1:] == [
            "Green is added to orange, 1 VP each for what is left.",
            "Mara 0 → 3.",
            "Tom 0 → 3.",
        ]


class TestFinalTable:
    def test_each_figure_is_said_of_its_player(self):
        state, said = start(level=Level.SCORE), []
        assert about(state) == ["Mara's, before round 3 is added."]
        for number in range(7):
            said += told(state, str(number))
            if number == 1:
                assert about(state) == ["Mara's at the end."]
            state = step(state, str(number))[1]
        assert said == [
            *("Mara: orange 0", "Mara: green 1", "Mara: 2 in storage", "Mara: 3 marble"),
            *("Mara: 4 workers", "Mara: 5 cards", "Mara: 6 spaces empty"),
        ]
        assert telling.zones(state) == ()


def lying(state, name, seat=None):
    return [
        f"{piece.count} {WORDS(piece.label.key, piece.label.figures)}"
        for zone in telling.zones(state)
        if (zone.name, zone.seat) == (name, seat)
        for piece in zone.pieces
    ]


def test_what_lies_there():
    state = replace(having(TURN, stored="v w", marble=2, workers=1), discards=bags.bag((5, 5, 4)))
    assert lying(state, "display") == [
        *("1 town", "1 farm (A)", "1 farm (B)", "1 quarry", "2 village", "1 monastery", "1 cart"),
    ]
    assert lying(state, "storage", 0) == ["1 village", "1 wild hex"]
    assert lying(state, "hand", 1) == ["5 card"]
    assert lying(state, "goods", 0) == ["2 marble", "1 worker"]
    assert lying(state, "goods", 1) == []
    assert lying(state, "squares", 1) == ["1 extra worker"]
    assert lying(state, "piles", 0) == ["7 tile"] * 3
    assert lying(state, "neutral") == ["24 tile"]
    assert lying(state, "deck") == ["112 card"]
    assert lying(state, "discards") == ["1 grey card", "2 orange card"]
    assert lying(state, "supply") == ["10 marble", "11 worker", "9 wild hex"]
    assert lying(state, "squares_left") == [
        *("5 extra card", "5 extra storage", "4 extra marble", "4 extra worker", "5 extra yield"),
    ]
    assert len(lying(state, "bonuses")) == 8
    assert lying(replace(state, taken=(1, 2, 0, 0, 0, 0, 0, 0)), "bonuses")[:2] == [
        "1 dark green, side 2",
        "1 blue, side 1",
    ]
    assert lying(state, "yields") == ["27 card"]


def test_a_tile_that_does_nothing_is_told():
    """A farm whose kinds its area shows already, a castle for which no tile on display has a space."""
    farm = having(TURN, filled="d3", stored="fa", shown=((13, "ab"),), hand=5)
    assert "Farms: no kind is new." in told(farm, "Pe3 f f")
    castle = replace(having(TURN, filled="c4", stored="c", hand=5), display=())
    assert "The castle: no tile on display fits." in told(castle, "Pc3 c c")


def test_what_parts_level_players_is_told_of_one_and_of_several():
    empty = Tie("empty", "CT-7.4", ((0, 3), (1, 3), (2, 2)))
    green = Tie("green", "CT-7.4", ((0, 35), (1, 30), (2, 31)), least=True)
    assert WORDS.ranking(ranked((57, 57, 57), "CT-7.4", empty, green))[-1] == (
        "tied at 57; Mara and Tom: 3 empty spaces (Fina 2) (CT-7.4); Tom: 30 on green (Mara 35) (CT-7.4)"
    )
