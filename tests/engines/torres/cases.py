"""Every check of Torres: one answer that it refuses, with clause and figures, and one that it lets pass."""

from engines.torres.cells import NAMES
from tests.engines.cases import case
from tests.engines.torres.table import blocks, turn

TURN = turn()
SPENT = turn(left=0, deck_a=9)  # an action card in the hand keeps the turn open
WITH_CARD = turn(deck_a=9)
BOTH = turn(pieces="a=c3,d4 b=f6 king=h4", deck_a=9)
# c3 and d3 make a castle of 4 with c4=2 and d4=1; the knight of a on c3, level 1.
SIX = " ".join(f"{name}=0" for name in ("d1", "e8"))
SET_UP = f"blocks={blocks()} doing=enter:c-1:n0:new"
CROWN = f"blocks={blocks()} a=c3 b=f6 turn=b doing=crown:c-1:n0:new"
FOUND = f"blocks={blocks(base=('a1', 'd1'))} master=yes doing=found:c-1:n0:new"
KING = f"blocks={blocks()} a=c3 b=f6 king=h4 round=4 doing=king:c-1:n0:new points.a=s1/-/- points.b=s2/-/-"
EVERY_OTHER = " ".join(f"{name}={cell // 8 % 2 ^ cell % 2 ^ 1}" for cell, name in enumerate(NAMES))
# Single blocks all over, each empty space between two or more of them: nothing can be placed, and moved only
# into the two corners.
CHEQUERED = turn(EVERY_OTHER, "a=h1 b=a8 king=c5", deck_a=9, waived="TO-3.5")
CORNERED = turn(EVERY_OTHER, "a=b1 b=a8 king=c5", deck_a=9, waived="TO-3.5")
SCORE = f"level=score blocks={blocks()}"
ALL_KNIGHTS = "a1,b1,a2,b2,a3,b3"
KNIGHTS = turn(pieces=f"a={ALL_KNIGHTS} b=f6 king=h4")


# A space shut in by taller columns; one that only doors lead to, past a roof that a piece stands on.
HOLLOW = "c3=3 d3=3 e3=3 c4=3 e4=3 c5=3 d5=3 e5=3"
APART = "c4=3 d3=3 d5=3 e4=3 d4=1 f4=1 g4=2"


def with_card(name, more="", pieces="a=c3 b=f6 king=h4", **fields):
    return turn(more, pieces, **{"deck_a": 9, **fields})


CASES = [
    # A block
    case("block.points", "TO-3.4", SPENT, "", "Bd3", (TURN, "", "Bd3"), left=0,
         remedy="more.either"),
    case("block.stack", "TO-3.4", turn("d3=1 b3=1 c2=1", placed=3, left=2), "", "Bc4",
         (turn("d3=1 b3=1", placed=2, left=2), "", "Bc4"), placed=3, stacks="3-3-3-3"),
    case("block.free", "TO-3.5", TURN, "", "Bc3", ("", "", "Bd3"), cell="c3", piece="a"),
    case("block.free", "TO-3.5", TURN, "", "Bh4", ("", "", "Bg4"), cell="h4", piece="K"),
    case("block.castle", "TO-3.5", TURN, "", "Bh8", ("", "", "Bf8"), cell="h8"),
    case("block.joins", "TO-3.6", turn("d3=1"), "", "Be3", ("", "", "Bd4"), cell="e3", castles=2),
    case("block.height", "TO-3.7", TURN, "", "Bd1", (turn("d2=1"), "", "Bd1"), cell="d1", height=2, area=1),
    # A knight moves
    case("move.knight", "TO-3.2", TURN, "", "Mf6", ("", None, "Mc3"), cell="f6", own="c3"),
    case("move.points", "TO-3.2", SPENT, "", "Mc3", (TURN, "", "Mc3"), left=0,
         remedy="more.either"),
    case("move.stuck", "TO-3.2", turn(pieces="a=a1 b=b1,a2 king=h4"), "", "Ma1",
         (turn(pieces="a=a1 b=b1,b2 king=h4"), "", "Ma1"), cell="a1"),
    case("to.free", "TO-3.2", turn(pieces="a=c3 b=c4 king=h4"), "Mc3", "c4", ("", None, "d3"),
         cell="c4", piece="b"),
    case("to.way", "TO-3.2", turn("c4=1 c5=1 d4=3"), "Mc3", "d4", (turn("c4=1 c5=1 d4=2"), "Mc3", "d4"),
         cell="d4", level=3, from_=1),
    case("to.doors", "TO-3.3", turn(HOLLOW + " d4=2", "a=b4 b=f6 king=h4"), "Mb4", "d4",
         (turn(HOLLOW + " d4=1", "a=b4 b=f6 king=h4"), "Mb4", "d4"), cell="d4", level=2, from_=1),
    case("to.climbs", "TO-3.3", turn(APART, "a=h4 b=c3 king=f4", doors="descend"), "Mh4", "d4",
         (turn(APART, "a=h4 b=c3 king=f4"), "Mh4", "d4"), cell="d4", level=1),
    case("to.points", "TO-3.2", turn(left=2), "Mc3", "c6", ("", None, "c5"), cell="c6", points=3, left=2),
    case("to.points", "TO-3.2", turn("c3=2 c4=1", "a=b3 b=f6 king=h4", left=2), "Mb3", "c3", ("", None, "b4"),
         cell="c3", points=3, left=2, variant="to.steep", remedy="to.steep", up=2),
    case("to.points", "TO-3.2", turn("c3=2 c4=1", "a=a3 b=f6 king=h4", left=2), "Ma3", "c3", ("", None, "b3"),
         cell="c3", points=4, left=2),
    # A new knight
    case("place.points", "TO-3.1", turn(left=1), "", "N", (turn(left=2), "", "N"), left=1),
    case("place.knights", "TO-3.1", KNIGHTS, "", "N",
         (turn(pieces=f"a={ALL_KNIGHTS[:-3]} b=f6 king=h4"), "", "N"), knights=6),
    case("place.room", "TO-3.1", turn(pieces="a=a1 b=b1,a2 king=h4"), "", "N",
         (turn(pieces="a=a1 b=b1,b2 king=h4"), "", "N")),
    case("place.free", "TO-3.1", turn(pieces="a=c3 b=c4 king=h4"), "N", "c4", ("", None, "d3"),
         cell="c4", piece="b"),
    case("place.next", "TO-3.1", TURN, "N", "d4", ("", None, "c4"), cell="d4"),
    case("place.level", "TO-3.1", turn("c4=2 c5=1"), "N", "c4", ("", None, "d3"),
         cell="c4", level=2, highest=1),
    # Cards taken, score steps
    case("take.master", "TO-6.2", turn(master="yes"), "", "Ttop", (TURN, "", "Ttop")),
    case("take.points", "TO-3.8", SPENT, "", "Tbottom", (TURN, "", "Tbottom"), left=0,
         remedy="more.either"),
    case("take.twice", "TO-3.8", turn(fresh=2, deck_a=8, left=3), "", "Ttop",
         (turn(fresh=1, deck_a=9, left=4), "", "Ttop"), taken=2),
    case("take.deck", "TO-3.8", turn(deck_a=0), "", "Ttop", (turn(deck_a=1), "", "Ttop")),
    case("take.rest", "TO-3.8", turn(deck_a=1), "", "Tbottom", (turn(deck_a=2), "", "Tbottom")),
    case("steps.points", "TO-3.10", turn(left=2), "", "S3", ("", None, "S2"), steps=3, left=2,
         remedy="steps.fewer"),
    # Stacks
    case("stacks.none", "TO-3.13", turn(stacks="3", round=4, stacks_b="3"), "", "stacks",
         (turn(stacks="3-2", round=3, stacks_b="3-3"), "", "stacks")),
    case("stacks.choice", "TO-3.13", TURN, "", "stacks",
         (turn(stacks="3-3-2-2"), "", "stacks"), stacks="3-3-3"),
    case("leave.result", "TO-3.13", turn("d3=1", stacks="3-3-2-2", placed=1, left=4), "stacks", "3-3-1",
         ("", None, "3-3-2"), stacks="3-3-2-2", used=1, asked="3-3-1"),
    # Which card
    case("card.once", "TO-3.9", turn(carded="yes", played_a="ap6", deck_a=8), "", "card",
         (WITH_CARD, "", "card")),
    case("card.hand", "TO-3.9", turn(fresh=1, deck_a=9, left=4), "", "card",
         (turn(fresh=1, deck_a=8, left=4), "", "card"), cards=1, fresh=1),
    case("card.useless", "TO-3.9",
         turn(pieces="a=a1 b=b1,a2 king=h4", stacks="0-0-0-0", deck_a=3,
              played_a="block,ap6,ap7,move,diagonal,leap"),
         "", "card",
         (turn(pieces="a=a1 b=b1,a2 king=h4", deck_a=3, played_a="block,ap6,ap7,move,diagonal,leap"),
          "", "card"),
         cards="jump,under,doors,reposition"),
    case("card.played", "TO-3.9", turn(deck_a=8, played_a="ap7"), "card", "ap7", ("", None, "ap6"),
         card="ap7"),
    case("card.held", "TO-3.9",
         "!" + turn(fresh=1, deck_a=9, left=4, doing="card:c-1:n0:open"), "", "ap7",
         (turn(fresh=1, deck_a=8, left=4, doing="card:c-1:n0:open"), "", "ap7"), cards=1, fresh=1),
    case("under.blocks", "TO-4.2", turn(stacks="0-0-0-0", deck_a=9), "card", "under",
         (with_card("under", "d3=1"), "card", "under")),
    case("block_card.supply", "TO-4.3",
         turn("c3=10 d3=12 d4=12 c4=12 d5=12 e5=3", deck_a=9, waived="TO-3.7"),
         "card", "block", (WITH_CARD, "card", "block")),
    # Where cards can go at all
    case("jump.possible", "TO-4.1", WITH_CARD, "card", "jump",
         (with_card("jump", "c4=3 d4=1 d3=1"), "card", "jump")),
    case("under.possible", "TO-4.2", WITH_CARD, "card", "under",
         (with_card("under", "d3=1"), "card", "under")),
    case("block.possible", "TO-4.3", CHEQUERED, "card", "block", (WITH_CARD, "card", "block")),
    case("doors.possible", "TO-4.4", WITH_CARD, "card", "doors",
         (with_card("doors", "d3=2", "a=c3 b=f6 king=h4"), "card", "doors")),
    case("diagonal.possible", "TO-4.5", with_card("", "", "a=a1 b=b2 king=h4"), "card", "diagonal",
         (WITH_CARD, "card", "diagonal")),
    case("move.possible", "TO-4.7", CHEQUERED, "card", "move", (WITH_CARD, "card", "move")),
    case("reposition.possible", "TO-4.8", WITH_CARD, "card", "reposition", (BOTH, "card", "reposition")),
    case("leap.possible", "TO-4.9", WITH_CARD, "card", "leap",
         (with_card("", "", "a=c3,c4 b=f6 king=h4"), "card", "leap")),
    # Jump
    case("jump.knight", "TO-4.1", with_card("", "c4=3 d4=1 d3=1"), "card jump", "f6", ("", None, "c3"),
         cell="f6", own="c3"),
    case("jump.stuck", "TO-4.1", with_card("", "c4=3 d4=1 d3=1", "a=c3,b6 b=f6 king=h4"), "card jump", "b6",
         ("", None, "c3"), cell="b6"),
    case("jump_to.free", "TO-4.1", with_card("", "c4=3 d3=3", "a=c3 b=d3 king=h4"), "card jump c3", "d3",
         ("", None, "c4"), cell="d3", piece="b"),
    case("jump_to.next", "TO-4.1", with_card("", "c4=3 d4=3 d3=1"), "card jump c3", "d4", ("", None, "c4"),
         cell="d4"),
    case("jump_to.level", "TO-4.1", with_card("", "c4=3 d3=2"), "card jump c3", "d3", ("", None, "c4"),
         cell="d3", level=2, from_=1, needed=3),
    # Door to door
    case("doors.knight", "TO-4.4", with_card("", "d3=2"), "card doors", "f6", ("", None, "c3"), cell="f6",
         own="c3"),
    case("doors.none", "TO-4.4", with_card("", "d3=2", "a=c3,b8 b=f6 king=h4"), "card doors", "b8",
         ("", None, "c3"), cell="b8"),
    case("doors.stuck", "TO-4.4", with_card("", "d3=2", "a=c3,a4 b=a6,b5 king=h4"), "card doors", "a4",
         ("", None, "c3"), cell="a4"),
    case("doors_to.free", "TO-4.4", with_card("", "d3=2", "a=c3 b=d4 king=h4"), "card doors c3", "d4",
         ("", None, "d2"), cell="d4", piece="b"),
    case("doors_to.way", "TO-4.4", with_card("", "d3=2"), "card doors c3", "f1", ("", None, "c4"), cell="f1"),
    # Diagonal
    case("diagonal.knight", "TO-4.5", WITH_CARD, "card diagonal", "f6", ("", None, "c3"), cell="f6",
         own="c3"),
    case("diagonal.stuck", "TO-4.5", with_card("", "", "a=c3,a1 b=b2 king=h4"), "card diagonal", "a1",
         ("", None, "c3"), cell="a1"),
    case("diagonal_to.free", "TO-4.5", with_card("", "", "a=c3 b=d4 king=h4"), "card diagonal c3", "d4",
         ("", None, "b4"), cell="d4", piece="b"),
    case("diagonal_to.next", "TO-4.5", WITH_CARD, "card diagonal c3", "c4", ("", None, "d4"), cell="c4"),
    case("diagonal_to.level", "TO-4.5", with_card("", "c4=1 d4=3"), "card diagonal c3", "d4",
         (with_card("", "c4=1 d4=2"), "card diagonal c3", "d4"), cell="d4", level=3, from_=1, most=2),
    # Reposition
    case("reposition.knight", "TO-4.8", BOTH, "card reposition", "f6", ("", None, "c3"), cell="f6",
         own="c3,d4"),
    case("reposition.stuck", "TO-4.8", with_card("", "", "a=a1,h8 b=b1,a2 king=h4"), "card reposition", "h8",
         ("", None, "a1"), cell="h8"),
    case("reposition_to.same", "TO-4.8", with_card("", "", "a=c3,c4 b=f6 king=h4"), "card reposition c4",
         "c4", ("", None, "b3"), cell="c4"),
    case("reposition_to.free", "TO-4.8", with_card("", "", "a=c3,d4 b=c4 king=h4"), "card reposition d4",
         "c4", ("", None, "d3"), cell="c4", piece="b"),
    case("reposition_to.next", "TO-4.8", BOTH, "card reposition c3", "b3", ("", None, "d3"), cell="b3"),
    case("reposition_to.level", "TO-4.8", turn("d3=1", "a=c3,d4 b=f6 king=h4", deck_a=9),
         "card reposition c3", "d3", ("", None, "c4"), cell="d3", level=1, highest=0),
    # Leap
    case("leap.knight", "TO-4.9", with_card("", "", "a=c3,c4 b=f6 king=h4"), "card leap", "f6",
         ("", None, "c3"), cell="f6", own="c3,c4"),
    case("leap.nobody", "TO-4.9", with_card("", "", "a=c3,c4,h8 b=f6 king=h4"), "card leap", "h8",
         ("", None, "c3"), cell="h8"),
    case("leap.high", "TO-4.9", with_card("", "a2=1 b1=1 b2=3", "a=b3,b4 b=f6 king=h4"), "card leap", "b4",
         ("", None, "b3"), cell="b4", from_=0, landing="b2", level=3, most=1),
    # The lower landing is taken: the one that is free is named.
    case("leap.high", "TO-4.9", with_card("", "a2=1 b1=1 b2=3 d4=2 d5=1", "a=b3,b4,c4 b=d4 king=h4"),
         "card leap", "b4", ("", None, "b3"), cell="b4", from_=0, landing="b2", level=3, most=1),
    case("leap.stuck", "TO-4.9", with_card("", "", "a=c3,c4 b=c5 king=h4"), "card leap", "c3",
         ("", None, "c4"), cell="c3"),
    case("leap_to.free", "TO-4.9", with_card("", "", "a=c3,c4,d3 b=c5 king=h4"), "card leap c3", "c5",
         ("", None, "e3"), cell="c5", piece="b"),
    case("leap_to.line", "TO-4.9", with_card("", "", "a=c3,c4 b=f6 king=h4"), "card leap c3", "e3",
         ("", None, "c5"), cell="e3"),
    case("leap_to.level", "TO-4.9", turn("c4=1 d4=2 e4=2 c5=3 d5=1", "a=c3,c4,d3 b=f6 king=h4", deck_a=9),
         "card leap c3", "c5", ("", None, "e3"), cell="c5", level=3, from_=1, most=2),
    # Block under knight
    case("under.knight", "TO-4.2", with_card("", "d3=1"), "card under", "f6", ("", None, "c3"), cell="f6",
         own="c3"),
    case("under.widens", "TO-4.2", with_card("", "d3=1", "a=c3,b3 b=f6 king=h4"), "card under", "b3",
         ("", None, "c3"), cell="b3"),
    case("under.height", "TO-3.7", with_card("", "", "a=c3,b8 b=f6 king=h4"), "card under", "c3",
         ("", None, "b8"), cell="c3", height=2, area=1),
    # Place block
    case("block_card.free", "TO-3.5", WITH_CARD, "card block", "c3", ("", None, "d3"), cell="c3", piece="a"),
    case("block_card.castle", "TO-3.5", WITH_CARD, "card block", "h8", ("", None, "f8"), cell="h8"),
    case("block_card.joins", "TO-3.6", with_card("", "d3=1"), "card block", "e3", ("", None, "d4"),
         cell="e3", castles=2),
    case("block_card.height", "TO-3.7", WITH_CARD, "card block", "d1",
         (with_card("", "d2=1"), "card block", "d1"), cell="d1", height=2, area=1),
    # Move block
    case("move_card.block", "TO-4.7", WITH_CARD, "card move", "h8", ("", None, "e8"), cell="h8"),
    case("move_card.free", "TO-4.7", WITH_CARD, "card move", "c3", ("", None, "d1"), cell="c3", piece="a"),
    case("move_card.splits", "TO-4.7", with_card("", "d3=1 d4=1"), "card move", "d3", ("", None, "d4"),
         cell="d3"),
    case("move_card.stuck", "TO-4.7", CORNERED, "card move", "c3", ("", None, "g1"), cell="c3"),
    case("move_to.free", "TO-4.7", WITH_CARD, "card move d1", "c3", ("", None, "d3"), cell="c3", piece="a"),
    case("move_to.same", "TO-4.7", WITH_CARD, "card move d1", "d1", ("", None, "d2"), cell="d1"),
    case("move_to.joins", "TO-3.6", with_card("", "d3=1"), "card move d1", "e3", ("", None, "d4"),
         cell="e3", castles=2),
    case("move_to.height", "TO-3.7", WITH_CARD, "card move d1", "e8", ("", None, "f8"),
         cell="e8", height=2, area=1),
    case("move_to.rest", "TO-4.7", with_card("", "d3=1 d4=3", "a=b8 b=f6 king=h4"), "card move c3", "h8",
         ("", None, "d5"), cell="c3", height=3, area=2),
    case("move_to.castles", "TO-4.7", with_card("", SIX, "a=c3 b=f6 king=h4"), "card move a5", "d3",
         ("", None, "h8"), castles=5, least=6),
    # Set-up, between phases
    case("found.distance", "TO-6.1", FOUND, "", "Fe2", ("", None, "Fd4"), cell="e2", castle="d1", distance=2),
    case("enter.castle", "TO-1.5", SET_UP, "", "Ea1", ("", None, "Ed1"), cell="a1"),
    case("enter.castle", "TO-1.5", CROWN, "", "Ka1", ("", None, "Kd1"), cell="a1"),
    case("enter.empty", "TO-1.5", CROWN, "", "Kc3", ("", None, "Kd1"), cell="c3"),
    case("king.castle", "TO-5.4", KING, "", "Ka1", ("", None, "Kd1"), cell="a1"),
    case("king.free", "TO-5.4", KING, "", "Kf6", ("", None, "Kstay"), cell="f6", piece="b"),
    # Reports
    case("final.blocks", "TO-1.1",
         f"level=score blocks={blocks('a1=12 a2=12 a3=12 a4=12 a5=12 a6=12 a7=12')}"
         " doing=final_height:c63:n0:open",
         "", "+2", ("", None, "+1"), blocks=93, all=92),
    case("final.king", "TO-5.4", f"{SCORE} doing=final_king:c-1:n0:new", "", "Ka1", ("", None, "Kd1"),
         cell="a1"),
    case("final.knight", "TO-1.5", f"{SCORE} king=d1 doing=final_knight:c0:n0:new", "", ".",
         (f"{SCORE} king=d1 a=a1 doing=final_knight:c0:n0:new", "", "."), seat=0),
    case("final.knights", "TO-1.1", f"{SCORE} king=d1 a={ALL_KNIGHTS} doing=final_knight:c0:n0:new", "",
         "Eh8", (f"{SCORE} king=d1 a=a1 doing=final_knight:c0:n0:new", "", "Eh8"), knights=6),
    case("final.free", "TO-1.8", f"{SCORE} king=d1 doing=final_knight:c0:n0:new", "", "Ed1",
         ("", None, "Ed2"), cell="d1", piece="K"),
    case("track.taken", "TO-3.11",
         f"{SCORE} king=d1 a=a1 b=b1 before=57,0 doing=track:c1:n0:new", "", "57", ("", None, "58"),
         points=57, seat=0),
]  # fmt: skip
KNOWLEDGE = {"card.hand", "card.held", "card.played"}
STANDS = [
    # A block away from every castle, one between two of them, one too high, one under a piece.
    (turn(), "", "Bh8", "", {"blocks": blocks("h8=1"), "left": "4", "waived": "TO-3.5"}),
    (turn("d3=1"), "", "Be3", "", {"blocks": blocks("d3=1 e3=1"), "waived": "TO-3.6"}),
    (turn(), "", "Bd1", "", {"blocks": blocks("d1=2"), "waived": "TO-3.7"}),
    (turn(), "", "Bf6", "", {"blocks": blocks("f6=2"), "b": "f6", "waived": "TO-3.5,TO-3.7"}),
    # A fourth block of the turn comes from another stack, a sixth point from nowhere.
    (turn("d3=1 b3=1 c2=1", placed=3, left=2), "", "Bc4", "",
     {"placed": "4", "left": "1", "waived": "TO-3.4"}),
    (turn("d3=1", stacks="0-0-0-0", deck_a=9), "", "Bd4", "", {"waived": "TO-3.4"}),
    (turn(left=0, deck_a=9), "", "Bd3", "", {"placed": "1", "waived": "TO-3.4"}),
    (turn(left=0, deck_a=9), "", "S2", "", {"points.a": "s2/-/-"}),
    (turn(left=1), "", "N", "d3", {"a": "c3,d3", "turn": "b"}),
    # A knight where no way leads; one that is shut in
    (turn("d3=1 d4=1 c4=3"), "Mc3", "c4", "", {"a": "c4", "left": "4", "waived": "TO-3.2"}),
    (turn(left=2), "Mc3", "c6", "", {"a": "c6", "turn": "b", "left": None}),
    (turn(pieces="a=a1 b=b1,a2 king=h4"), "", "Ma1", "h8", {"a": "h8", "waived": "TO-3.2"}),
    # A third card, one taken this turn played, a second one played
    (turn(fresh=2, deck_a=8, left=3), "", "Ttop", "", {"fresh": "3", "deck.a": "7", "waived": "TO-3.8"}),
    (turn(fresh=1, deck_a=9, left=4), "", "card", "ap7",
     {"fresh": None, "played.a": "ap7", "deck.a": "9", "left": "6", "waived": "TO-3.9"}),
    (turn(), "", "card", "ap7", {"played.a": "ap7", "deck.a": "9", "left": "7"}),
    (turn(carded="yes", played_a="ap6", deck_a=8), "", "card", "ap7", {"played.a": "ap6,ap7"}),
    (turn(deck_a=9), "card", "jump", "c3 f8", {"a": "f8", "played.a": "jump"}),
    (turn(deck_a=9), "card diagonal c3", "h8", "", {"a": "h8", "waived": "TO-4.5"}),
    # Move block: a castle split, the king's own column gone from under him
    (turn("d3=1 d4=1", deck_a=9), "card move", "d3", "h8",
     {"blocks": blocks("d4=1 h8=1"), "waived": "TO-4.7"}),
    (turn(deck_a=9), "card move", "h4", "h8",
     {"blocks": blocks("h4=0 h8=1"), "king": "h4", "waived": "TO-4.7,TO-5.4"}),
    # Stacks that cannot be
    (turn(stacks="3-3-2-2", left=4, placed=1), "stacks", "3-3-1", "", {"stacks.a": "3-3-1"}),
    # Set-up and the king
    (f"blocks={blocks()} doing=enter:c-1:n0:new", "", "Ea1", "", {"a": "a1", "waived": "TO-1.5"}),
    (f"blocks={blocks(base=('a1', 'd1'))} master=yes doing=found:c-1:n0:new", "", "Fd1", "",
     {"blocks": blocks("d1=2", base=("a1", "d1")), "waived": "TO-3.7,TO-6.1"}),
    (f"blocks={blocks()} a=c3 b=f6 king=h4 round=4 doing=king:c-1:n0:new", "", "Ka1", "",
     {"king": "a1", "waived": "TO-5.4", "phase": "2"}),
]  # fmt: skip
"""What stands though it is refused: position, tokens before, token, tokens after, and fields then."""
NEVER = [
    (turn(pieces="a=c3 b=c4 king=h4"), "Mc3", "c4"),  # two knights on a space
    (turn(), "Mc3", "c3"),
    (turn(pieces="a=c3 b=c4 king=h4"), "N", "c4"),
    (KNIGHTS, "", "N"),  # a seventh knight
    (turn("d1=44", waived="TO-3.7"), "", "Bd1"),  # taller than all blocks could make it
    (turn(deck_a=0), "", "Ttop"),  # no card there
    (turn(deck_a=8, played_a="ap7"), "card", "ap7"),  # a card that left the game
    (turn(pieces="a=c3 b=d4 king=h4", deck_a=9), "card diagonal c3", "d4"),
    (turn(deck_a=9), "card diagonal", "f6"),  # another one's knight
    (turn(deck_a=9), "card move", "h8"),  # no block there
    (f"blocks={blocks()} a=c3 b=f6 turn=b doing=crown:c-1:n0:new", "", "Kc3"),
    (f"blocks={blocks()} a=c3 b=f6 king=h4 round=4 doing=king:c-1:n0:new", "", "Kf6"),
    (f"level=score blocks={blocks()} king=d1 doing=final_knight:c0:n0:new", "", "Ed1"),
    (f"level=score blocks={blocks('a1=12 a2=12 a3=12 a4=12 a5=12 a6=12 a7=12')}"
     " doing=final_height:c63:n0:open", "", "+2"),
]  # fmt: skip
"""What the pieces themselves forbid: position, tokens before, token."""
