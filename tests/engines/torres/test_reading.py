"""The turn between two boards: what is explained, how, and what is said where nothing explains it."""

from pathlib import Path
from random import Random

import pytest

from engines import notation, search
from engines.contract import Exact, OutOfStep
from engines.readings import Observation, interpret
from engines.search import steps_of
from engines.torres.layouts import of, read
from engines.torres.reading import out_of_step
from engines.torres.reading_turns import MOST_TURNS, TurnReader
from engines.torres.state import AP6, AP7, CARDS, MOVE, REPOSITION
from tests.engines.test_texts import blanks, texts
from tests.engines.torres.reading_reach import narrowed, reachable
from tests.engines.torres.reading_turns import (
    TABLES,
    free_of,
    illegal,
    starts,
    turns,
    with_blocks,
    with_knights,
)
from tests.engines.torres.table import GAME, at, blocks, turn
from tests.engines.walks import seed, soak

PIECES = "a=c3 b=f6 king=h4"


def see(state, *texts):
    return interpret(GAME, state, Observation("board", tuple((text, 0.9 / len(texts)) for text in texts)))


def explanations(found):
    return (found.choices,) if isinstance(found, Exact) else found.explanations


def told(state, found):
    """Each explanation as the texts of its steps."""
    return [steps_of(GAME, state, choices) for choices in explanations(found)]


def after(state, choices):
    """Return where the choices lead; every one of them must be legal."""
    for choice in choices:
        assert GAME.rules.pending(state).question == choice.question
        assert GAME.rules.why_not(state, choice) is None
        state = GAME.rules.apply(state, choice)
    return state


def left_after(state, choices):
    """Return the action points left; 0 if the turn has ended."""
    there = after(state, choices)
    return there.left if there.seat == state.seat else 0


def card_of(choices):
    """The card that was played, if any."""
    return next((choice.token for choice in choices if choice.question == "card"), None)


def verify(state, seen, found):
    """Whatever was found must be played by the engine to exactly what is claimed."""
    if isinstance(found, OutOfStep):
        there = of(after(state, found.nearest))
        assert GAME.sight.differences(seen, there) == found.differences
        assert found.differences
        for misread in found.misread:
            assert GAME.sight.differences(seen, of(after(state, misread.choices))) == misread.differences
            assert len({word[-2:] for word in misread.differences}) == 1
        return
    cards = [card_of(choices) for choices in explanations(found)]
    assert 1 <= len(explanations(found)) <= max(MOST_TURNS, len(set(cards)))
    assert isinstance(found, Exact) == (len(explanations(found)) == 1)
    for choices in explanations(found):
        assert of(after(state, choices)) == seen
    kinds = {tuple(sorted(steps_of(GAME, state, choices))) for choices in explanations(found)}
    assert len(kinds) == len(explanations(found))
    ends = [after(state, choices) for choices in explanations(found)]
    assert all(end not in ends[:at] for at, end in enumerate(ends))
    if None in cards:  # beside none a card costs no points more, and none comes first
        plain = left_after(state, explanations(found)[0])
        assert cards[0] is None
        assert all(
            left_after(state, choices) >= plain or end.seat != state.seat
            for card, choices, end in zip(cards, explanations(found), ends, strict=True)
            if card
        )


# Turns that show


def test_a_card_that_explains_as_well_as_none_is_asked_about():
    """AP6 and AP7 leave no trace where points suffice; a card that saves none is told with one that does."""
    layout = f"{blocks('d3=1')} {PIECES}"
    assert told(at(turn()), see(at(turn()), layout)) == [["B d3"]]
    state = at(turn(deck_a=9))
    assert told(state, see(state, layout)) == [["B d3"], ["block d3"], ["B c1", "move c1-d3"]]
    state = at(turn(deck_a=8, played_a="reposition"))
    found = see(state, f"{blocks()} a=d4 b=f6 king=h4")
    assert told(state, found) == [["M c3-d4"], ["diagonal c3-d4"], ["M c3-c2", "doors c2-c4", "M c4-d4"]]


INDIFFERENT = [
    (
        "seats=3 blocks=.....21/..1/...11/.1...1/.1/....1/.1..11/......1 a=b2,b3 b=f5 c=e4,e5 king=b4 turn=a "
        "start=b round=3 left=3 stacks.a=3-3 stacks.b=3 stacks.c=3 played.a=doors "
        "played.b=diagonal,ap6,move played.c=block,ap7,move master=yes master_cards=yes",
        ".....22/..1/...21/.1...11/.1/....1/.1..11/......1 a=b3,c3 b=f5 c=e4,e5 king=b4",
        ["block", "diagonal", "reposition", "ap6", "ap7"],
    ),
    (
        "seats=4 blocks=...11/.....1/..12.1/.......1/11...1/1.11.1/....1/...11 a=g5 b=e5,c6,b7 c=h3 d=f6 "
        "king=a5 turn=a start=d round=4 stacks.a=3 stacks.b=3 stacks.c=2 deck.a=9 deck.c=9 deck.d=8 "
        "played.c=move played.d=block doors=descend next_start=last_chooses",
        "...11/.....1/..12.1/.......1/11.1.1/1.11.1/....2/..111 a=g8 b=e5,c6,b7 c=h3 d=f6 king=a5",
        ["diagonal", "block", "move", "doors", "ap6", "ap7"],
    ),
]


@pytest.mark.parametrize(("position", "seen", "cards"), INDIFFERENT)
def test_no_card_is_lost_among_blocks_that_make_no_difference(position, seen, cards):
    state = GAME.position.read(position)
    found = see(state, seen)
    verify(state, read(seen), found)
    assert [card_of(choices) for choices in explanations(found)] == cards


def only(card, **fields):
    """The fields of a position in which seat a holds just this card."""
    gone = ",".join(name for name in CARDS if name != card)
    return fields | {"deck_a": 0, "played_a": gone}


@pytest.mark.parametrize("left", [0, 1])
def test_an_empty_supply_gives_no_block(left):
    """Of 92 blocks 24 are in stacks and 68 on the board, or 67: most in one castle of ten spaces."""
    square = [f"{column}{row}" for column in "fgh" for row in "678"]
    more = " ".join(f"{cell}={7 if at < 7 - left else 6}" for at, cell in enumerate(square))
    pieces = "a=c3 b=g6 king=d1"
    state = at(turn(more, pieces, **only("block", left=0)))
    assert state.supply() == left
    found = see(state, f"{blocks(more + ' b3=1')} {pieces}")
    assert isinstance(found, Exact) == bool(left)


def test_a_knight_is_repositioned_beside_one_that_stands_as_high():
    state = at(turn("c4=1", "a=c3,h8 b=f6 king=h4", **only("reposition")))
    found = see(state, f"{blocks('c4=1')} a=c3,c4 b=f6 king=h4")
    assert told(state, found) == [["reposition h8-c4"]]


def test_a_turn_goes_on_after_a_step_that_was_overruled():
    """c6 stands too high against TO-3.7; what comes after is read all the same."""
    _, state = notation.read(GAME, at(turn()), "B c6", waived=("TO-3.7",))
    layout = f"{blocks('c6=2 d3=1')} a=c4 b=f6 king=h4"
    found = see(state, layout)
    verify(state, read(layout), found)
    assert sorted(told(state, found)[0]) == ["B d3", "M c3-c4"]
    found = see(state, f"{blocks('c6=2 e8=2')} {PIECES}")
    assert (found.refusal.check, found.refusal.clause) == ("block.height", "TO-3.7")


def test_a_step_that_was_begun_is_read_with_what_followed(monkeypatch):
    """Steps that lead away from what was seen are not gone on from: else far more states are looked at."""
    monkeypatch.setattr(search, "MOST_STATES", 400)
    state = at(turn(), "N")
    found = see(state, f"{blocks('d3=1')} a=c3,c4,c5 b=f6 king=h4")
    assert told(state, found) == [["c4", "N c5", "B d3"]]


# Boards that no turn leads to

REFUSED = [
    ("d3=1 e3=1", PIECES, ["+Be3"], "block.joins", "TO-3.6"),
    ("d1=2", PIECES, ["+Bd1"], "block.height", "TO-3.7"),
    ("c3=2", PIECES, ["+Bc3"], "block.free", "TO-3.5"),
    ("f6=2", PIECES, ["+Bf6"], "block.free", "TO-3.5"),
    ("h1=1", PIECES, ["+Bh1"], "block.castle", "TO-3.5"),
    ("", "a=c3 b=f5 king=h4", ["+bf5", "-bf6"], "seen.knight", "TO-3.2"),
    ("", "a=c3 b=f6 king=f3", ["+Kf3", "-Kh4"], "seen.king", "TO-5.4"),
    ("", "a=c3 b=f6 king=-", ["-Kh4"], "seen.king", "TO-5.4"),
    ("", "a=c3 king=h4", ["-bf6"], "seen.knight", "TO-3.2"),
    ("", "a=h8 b=f6 king=h4", ["+ah8", "-ac3"], "to.points", "TO-3.2"),
    ("", "a=c3,h8 b=f6 king=h4", ["+ah8"], "place.next", "TO-3.1"),
    ("d1=0", PIECES, ["-Bd1"], "card.hand", "TO-3.9"),
    ("", "b=f6 king=h4", ["-ac3"], "seen.gone", "TO-3.2"),
    ("b3=1 d3=1 c2=1 c4=1", PIECES, None, "block.stack", "TO-3.4"),
    ("b3=1 d3=1 c2=1 c4=1 a4=1 a6=1", PIECES, None, "block.stack", "TO-3.4"),
    ("", "a=h4 b=f6 king=h4", ["+ah4", "-ac3"], "to.free", "TO-3.2"),
]


@pytest.mark.parametrize(("seen", "there", "differences", "check", "clause"), REFUSED)
def test_what_does_not_fit_is_named_with_the_rule_in_the_way(seen, there, differences, check, clause):
    state = at(turn())
    found = see(state, f"{blocks(seen)} {there}")
    assert isinstance(found, OutOfStep)
    verify(state, read(f"{blocks(seen)} {there}"), found)
    if differences is not None:
        assert list(found.differences) == differences
    assert (found.refusal.check, found.refusal.clause) == (check, clause)
    assert blanks(texts("torres")["refused"][check]) <= {name for name, _ in found.refusal.figures}


def test_a_knight_two_levels_up():
    more = "d3=1 d4=3 e4=1 d5=1"
    state = at(turn(more, "a=c4 b=f6 king=h4"))
    layout = f"{blocks(more)} a=d4 b=f6 king=h4"
    found = see(state, layout)
    assert isinstance(found, OutOfStep)
    verify(state, read(layout), found)
    assert (found.refusal.check, found.refusal.clause) == ("to.way", "TO-3.2")
    assert dict(found.refusal.figures) == {"cell": "d4", "level": 3, "from": 0}
    # A block more beside it would explain it, had it been seen.
    assert (["B d3", "M c4-d4"], ("-Bd3",)) in [
        (steps_of(GAME, state, m.choices), m.differences) for m in found.misread
    ]


def test_a_doubt_about_one_space_is_settled_by_the_rules():
    """d1 is 1 or 2 high: two are too many for a castle of one space."""
    state = at(turn())
    two, one = (f"{blocks(f'd3=1 d1={n}')} {PIECES}" for n in (2, 1))
    assert told(state, see(state, two, one)) == [["B d3"]]
    assert told(state, see(state, one, two)) == [["B d3"]]
    found = see(state, two, f"{blocks('d3=1 d1=3')} {PIECES}")
    assert found.differences == ("+Bd1",)


MISREAD = [
    ("d3=3", PIECES, ("+Bd3",), ["B d3", "B d3"]),
    ("d3=1 d1=2", PIECES, ("+Bd1",), ["B d3"]),
    ("d3=1", "a=c3 king=h4", ("-bf6",), ["B d3"]),
    ("d3=1", "a=c3,f6 king=h4", ("+af6", "-bf6"), ["B d3"]),
    ("d3=1", "a=c3 b=f6 king=-", ("-Kh4",), ["B d3"]),
    ("d3=1", "b=f6 king=h4", ("-ac3",), ["B d3"]),
]


@pytest.mark.parametrize(("seen", "there", "differences", "steps"), MISREAD)
def test_a_space_that_was_misread(seen, there, differences, steps):
    state = at(turn())
    layout = f"{blocks(seen)} {there}"
    found = see(state, layout)
    assert isinstance(found, OutOfStep)
    verify(state, read(layout), found)
    offered = [(steps_of(GAME, state, one.choices), one.differences) for one in found.misread]
    assert (steps, differences) in offered
    assert found.misread[0].choices == found.nearest


def test_a_turn_that_cannot_be_thought_through_is_out_of_step():
    """With no effort allowed nothing is found, nothing is claimed, and nothing breaks."""
    state, layout = at(turn()), read(f"{blocks('d3=1')} a=c4 b=f6 king=h4")
    reader = TurnReader(state, nodes=0)
    assert reader.turns(layout) == []
    found = out_of_step(reader, layout)
    assert (found.nearest, found.misread) == ((), ())
    assert TurnReader(state).turns(layout)


# Random turns


def assert_read_rightly(number, size):
    for count, (made, rng) in enumerate(turns(number, size)):
        wrong, kind = illegal(made, rng) if count % 4 == 0 else (made, "")
        if wrong.layout == of(wrong.state):
            continue
        found = see(wrong.state, str(wrong.layout))
        assert isinstance(found, OutOfStep) == bool(kind), f"{kind}: {wrong} seen {wrong.layout}"
        verify(wrong.state, wrong.layout, found)


def test_random_turns_are_read():
    assert_read_rightly(seed(), 14)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_soak_random_turns_are_read():
    assert_read_rightly(seed() + 1_000, soak(2_000))


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("kind", ["Turns", "Out"])
def test_soak_the_slowest_boards_ever_met_are_read(kind):
    """Those that turns explain, and those out of step; ``podesta bench reading`` says how long they take."""
    sections = (Path(__file__).parents[2] / "readings" / "torres.txt").read_text("utf-8").split("# ")
    lines = next(section for section in sections if section.startswith(kind)).splitlines()[1:]
    assert lines
    for position, layout in (line.split(" | ") for line in lines):
        assert GAME.position.status(position) == []
        state = GAME.position.read(position)
        found = see(state, layout)
        assert isinstance(found, OutOfStep) == (kind == "Out")
        verify(state, read(layout), found)


# All that a short turn can lead to

KINDS = (None, *range(len(CARDS)))


def short_turns(number, size):
    """(state, every board it leads to) with one to three action points and one card or none."""
    rng = Random(number)
    made = 0
    while made < size:
        state = rng.choice(list(starts(rng.choice(TABLES), rng.randrange(10**6))))
        for card in rng.sample(KINDS, 4):
            few = card in (MOVE, REPOSITION, AP6, AP7)
            here = narrowed(state, card, rng.choice((0, 1) if few else (1, 2, 3)))
            boards = reachable(here, 0 if card is None else 1 << card, 20_000)
            if boards:
                yield here, boards, rng
                made += 1


def nearly(layout, seat, rng):
    """The board with one thing more, or one elsewhere."""
    own = layout.knights[seat]
    to = 1 << rng.choice(free_of(layout))
    columns = [cell for cell in free_of(layout) if layout.heights[cell]]
    return rng.choice(
        (
            lambda: with_blocks(layout, {rng.choice(free_of(layout)): 1}),
            lambda: with_blocks(layout, {rng.choice(columns): -1}),
            lambda: with_knights(layout, seat, own | to),
            lambda: with_knights(layout, seat, own & (own - 1) | to),
        )
    )()


def assert_reads_what_is_reachable(number, size, sample):
    for state, boards, rng in short_turns(number, size):
        known = sorted(boards, key=str)
        some = rng.sample(known, min(len(known), sample))
        others = [nearly(layout, state.seat, rng) for layout in some]
        for layout in some + others:
            if layout == of(state) or max(layout.heights) > 12:
                continue
            found = see(state, str(layout))
            assert isinstance(found, OutOfStep) != (layout in boards), (
                f"{GAME.position.write(state)} seen {layout}"
            )
            verify(state, layout, found)


def test_exactly_what_a_short_turn_leads_to_is_explained():
    assert_reads_what_is_reachable(seed(), 1, 4)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_soak_exactly_what_a_short_turn_leads_to_is_explained():
    assert_reads_what_is_reachable(seed() + 1_000, soak(100, 4), 40)
