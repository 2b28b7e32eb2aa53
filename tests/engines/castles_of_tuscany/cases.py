"""Every check of The Castles of Tuscany: an answer that it refuses, with its figures, and one let pass."""

from __future__ import annotations

from tests.engines.cases import case
from tests.engines.castles_of_tuscany.table import SPLIT, turn

TURN = turn()
STORED = turn(stored="v")
DONE = turn(left=0, marble_a=1)
FULL = turn(stored="v", filled="b1")
NEXT = "b1,c1"
CASTLE = turn(NEXT, doing="pick:new")
SET_UP = "seats=2 draw=2 farms=4 outline=5.5 storage=2 boards={} bonus=- cards=- yields=- turn={}"
BOARDS = turn().split("boards=")[1].split()[0]
BEGIN = SET_UP.format(BOARDS, "a")


def begun(region: str, question: str, more: str = "", outline: str = "5.5", boards: str = BOARDS) -> str:
    """A set-up in which a has some boards and b is asked."""
    copy = SET_UP.format(boards, "b").replace("outline=5.5", f"outline={outline}")
    return f"{copy} {region} doing={question} rules=1 {more}".rstrip()


ONE = begun("region.a=A1,B1+1,C1-1", "top_board:new")
TWO = begun("region.a=A1,B1+1,C1-1 region.b=A2", "middle_board")
THREE = begun("region.a=A1,B1+1,C1-1 region.b=A2,B2+0", "bottom_board")
MANY = BOARDS.replace("C2:icrqqttrff", "C2:cccqqttrff")
PRINTED = begun(
    "region.a=A1,B1+1,C1-1 region.b=A2,B2+0,C2+0",
    "print:tC2:new",
    boards=BOARDS.replace("C2:icrqqttrff,", ""),
)

SQUARE = turn(NEXT, doing="square:new", squares_a="cards,cards,cards", squares_b="cards,cards")
WILD = turn("b1,c1", stored="v", inn_may_discard="yes", doing="wild:new")
PAY = turn("b1", stored="m", doing="pay:n2:sc1:tm")
ONE_LEFT = turn("b1", stored="m", doing="pay:n1:sc1:tm:p1m")
HELPED = turn("b1", stored="m", workers_a=1, hand_a=3, doing="pay:n2:sc1:tm")
EMPTY = turn(display="-", came="cttiffffqqqvvvvmmmrrr", neutral="-", round=3, trigger="a", left=1)

CASES = [
    # Set-up
    case("board.free", "CT-1.5", ONE, "", "A1", ("", "", "A2"), board="A1", seat=0),
    case("board.free", "CT-1.5", TWO, "", "B1+0", ("", "", "B2+0"), board="B1", seat=0),
    case(
        "board.set",
        "CT-1.5",
        f"{BEGIN} doing=top_board:new",
        "A1",
        "A2+0",
        ("", None, "B2'+0"),
        board="A2",
        set="A",
    ),
    case(
        "board.seam",
        "CT-1.5",
        begun("region.a=A1,B1+1,C1-1 region.b=A2", "middle_board", outline="3.4.3"),
        "",
        "B2+0",
        (TWO, "", "B2+0"),
        board="B2",
    ),
    case(
        "board.castles",
        "CT-1.5",
        begun("region.a=A1,B1+1,C1-1 region.b=A2,B2+0", "bottom_board", boards=MANY),
        "",
        "C2+0",
        (THREE, "", "C2+0"),
        board="C2",
        castles=5,
    ),
    case("print.castles", "CT-1.5", PRINTED, "", "cccqqttrff", ("", "", "icrqqttrff"), board="C2", castles=5),
    case(
        "castle.space",
        "CT-2.3",
        turn("-", display="-", filled_b="-", doing="first_castle:new"),
        "",
        "c1",
        ("", "", "b1"),
        space="c1",
        kind="m",
        colour="m",
    ),
    case("square.left", "CT-5.2", SQUARE, "", "cards", ("", "", "yield"), square="cards", all=5),
    # The turn
    case("action.left", "CT-3.1", DONE, "", "D", (turn(marble_a=1), "", "D"), remedy="action.marble"),
    case(
        "marble.once",
        "CT-3.2",
        turn(marble_a=1, marbled="yes"),
        "",
        "marble",
        (turn(marble_a=1), "", "marble"),
    ),
    case("marble.none", "CT-3.2", TURN, "", "marble", (DONE, "", "marble")),
    case("end.action", "CT-3.1", turn(marble_a=1), "", "end", (DONE, "", "end"), left=1),
    # Taking
    case("take.display", "CT-3.4", turn(display="c,t,i,fa,q,m,m,r"), "", "Tv", (TURN, "", "Tv"), tile="v"),
    case("take.display", "CT-3.4", EMPTY, "", "Tv", (TURN, "", "Tv"), tile="v", variant="take.empty"),
    case("take.free", "CT-3.4", turn(stored="m", squares_a="storage"), "", "Tv>m", ("", "", "Tv")),
    case("discard.stored", "CT-3.4", FULL, "Tm", "q", ("", None, "v"), tile="q"),
    case(
        "refill.own",
        "CT-1.3",
        turn(came="c", display="t,i,fa,q,v,m,r", doing="refill:new"),
        "",
        "c",
        (turn(display="t,i,fa,q,v,m,r", doing="refill:new"), "", "c"),
        kind="c",
        all=1,
        seat=0,
    ),
    case(
        "neutral.left",
        "CT-1.3",
        turn(display="c,c,c,i,q,v", neutral="1t1i", doing="neutral:n2:new"),
        "",
        "c",
        (turn(display="c,c,t,i,q,v", neutral="1c1t1i", doing="neutral:n2:new"), "", "c"),
        kind="c",
        all=4,
    ),
    # Placing
    case("place.filled", "CT-3.7", STORED, "", "Pb1", (turn(stored="m"), "", "Pc1"), space="b1"),
    case("place.filled", "CT-3.7", CASTLE, "", "c1", ("", "", "b2"), space="c1"),
    case("place.next", "CT-3.7", STORED, "", "Pe1", (turn("b1,c1", stored="v"), "", "Pd1"), space="e1"),
    case("place.next", "CT-3.7", CASTLE, "", "e5", ("", "", "b2"), space="e5"),
    case("place.stored", "CT-3.7", STORED, "", "Pc1", (turn(stored="m"), "", "Pc1"), space="c1", kind="m"),
    case(
        "place.stored",
        "CT-3.7",
        TURN,
        "",
        "Pc1",
        (turn(stored="w"), "", "Pc1"),
        space="c1",
        kind="m",
        variant="place.empty",
    ),
    case(
        "place.price",
        "CT-3.8",
        turn(stored="m", hand_a=1),
        "",
        "Pc1",
        (turn(stored="m", hand_a=1, workers_a=1), "", "Pc1"),
        colour="m",
        hand=1,
        workers=0,
    ),
    case(
        "place.unseen",
        "CT-3.8",
        turn(stored="m", hand_a=2, copy=SPLIT, discards="16m"),
        "",
        "Pc1",
        (turn(stored="m", hand_a=2, copy=SPLIT, discards="15m"), "", "Pc1"),
        colour="m",
        hand=2,
        workers=0,
        unseen=1,
    ),
    case(
        "tile.stored",
        "CT-3.7",
        turn(stored="m,w", squares_a="storage"),
        "Pc1",
        "v",
        ("", None, "m"),
        tile="v",
        space="c1",
        kind="m",
        colour="m",
    ),
    # Paying
    case("pay.short", "CT-3.8", PAY, "", ".", ("", "", "mm"), n=2, all=2),
    case("pay.short", "CT-3.8", ONE_LEFT, "", ".", ("", "", "m"), n=1, all=2),
    case("pay.own", "CT-3.8", ONE_LEFT, "", "mm", (PAY, "", "mm"), colour="m"),
    case("pay.workers", "CT-3.8", PAY, "", "w", (HELPED, "", "w"), workers=0),
    case(
        "pay.hand",
        "CT-3.8",
        turn("b1", stored="m", workers_a=1, hand_a=1, doing="pay:n2:sc1:tm"),
        "",
        "vv",
        (HELPED, "", "vv"),
        needed=2,
        hand=1,
    ),
    case(
        "pay.unseen",
        "CT-3.8",
        turn("b1", stored="m", copy=SPLIT, discards="17m2v", doing="pay:n2:sc1:tm"),
        "",
        "m",
        ("", "", "tt"),
        colour="m",
        needed=1,
        unseen=0,
        all=17,
    ),
    case(
        "pay.rest",
        "CT-3.8",
        turn("b1", stored="m", hand_a=2, doing="pay:n2:sc1:tm"),
        "",
        "vv",
        (HELPED, "", "vv"),
        hand=0,
        workers=0,
    ),
    # Effects
    case(
        "pick.display",
        "CT-5.1",
        turn(NEXT, display="c,t,i,fa,q,v,r,r", doing="pick:new"),
        "",
        "b2",
        (CASTLE, "", "b2"),
        space="b2",
        kind="m",
    ),
    case(
        "pick_tile.display",
        "CT-5.1",
        turn("b1,c1,d1,d2,d3,e3", display="fa,fb,t,q,v,m,r,r", doing="pick_tile:sf3"),
        "",
        "v",
        ("", "", "fb"),
        tile="v",
        space="f3",
        kind="f",
        colour="f",
    ),
    case("wild.stored", "CT-5.3", WILD, "", "q", ("", "", "v"), tile="q"),
    case(
        "yield.known",
        "CT-5.8",
        turn(copy="cards=- yields=g2,m1", doing="yield:n1:new"),
        "",
        "g3",
        ("", "", "g2"),
        reward="g3",
    ),
    case("reward.none", "CT-5.8", turn(doing="reward:n1"), "", ".", ("", "w1", ".")),
    case("reward.once", "CT-5.8", turn(doing="reward:n1:tw1"), "", "w2", ("", "", "o2"), reward="w2"),
    # A final table
    case(
        "final.storage",
        "CT-5.9",
        "seats=2 draw=2 farms=4 outline=5.5 storage=2 boards=- bonus=- cards=- "
        "yields=- level=score round=3 turn=b counted.a=40,20,5,9,3,5,4 "
        "counted.b=50,20 doing=final_stored:new",
        "",
        "3",
        ("", "", "2"),
        number=6,
        all=5,
    ),
    case(
        "final.green",
        "CT-4.1",
        "seats=2 draw=2 farms=4 outline=5.5 storage=2 boards=- bonus=- cards=- "
        "yields=- level=score round=3 counted.a=50,28,1,0,0,2 "
        "doing=final_empty:new",
        "",
        "0",
        ("", "", "1"),
        number=28,
        all=29,
    ),
    case(
        "final.orange",
        "CT-7.2",
        "seats=2 draw=2 farms=4 outline=5.5 storage=2 boards=- bonus=- cards=- "
        "yields=- level=score round=3 all_green=yes counted.a=51 "
        "doing=final_green:new",
        "",
        "25",
        ("", "", "26"),
        number=51,
        all=50,
    ),
    case(
        "final.supply",
        "CT-1.4",
        "seats=2 draw=2 farms=4 outline=5.5 storage=2 boards=- bonus=- cards=- "
        "yields=- level=score round=3 turn=b counted.a=40,20,1,9,3,5,4 counted.b=50,20,1 "
        "doing=final_marble:new",
        "",
        "4",
        ("", "", "3"),
        number=13,
        all=12,
    ),
]

KNOWLEDGE = {"place.unseen", "pay.unseen", "refill.own", "neutral.left"}
