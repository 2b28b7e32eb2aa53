"""Every check by name: one answer it lets pass and one it refuses, with clause and figures."""

from __future__ import annotations

import pytest
from msgspec import Struct

from tests.engines.san_gimignano.table import GAME, LATE, answer, at, refusal, tokens

ONE_CARD = f"{LATE} deck=?1"
SCORE = "level=score"


class Case(Struct, frozen=True):
    """``token`` is refused after ``path`` in ``position``; ``passes`` is (position, path, token) let pass,
    where an empty position or a path of None stands for the same.
    """

    check: str
    clause: str
    position: str
    path: str
    token: str
    figures: dict[str, int | str]
    passes: tuple[str, str | None, str]


def case(check, clause, position, path, token, passes, **figures):
    return Case(check, clause, position, path, token, figures, passes)


def doing(question, n=0, put="-", tower="-", seat="-", begun="new"):
    return f" doing={question}:n{n}:p{put}:t{tower}:s{seat}:{begun}"


ENDED = "market=6,8 hand.a=?5 hand.b=?5 phase=ending"
CONSPIRACY = "market=5 hand.a=?2 hand.b=?5 marker=a" + doing("donazione", 3, tower="10x3")
HIGH_CONSPIRACY = CONSPIRACY.replace("10x3", "10x4")
HANDS = "market=5 hand.a=?5 hand.b=?5"
STONE_GUARD = "market=6 hand.a=?2 hand.b=?5 a=9x3 marker=a pietra_guard=yes" + doing("guard", 3, seat="b")
JOUST = f"{HANDS} used.a=mura" + doing("giostra", seat="b").replace("p-", "pmura")
CASES = [
    case("action.ending", "SG-6.2", ENDED, "", "P", ("", "", "B")),
    case("action.ending", "SG-6.2", ENDED, "", "X", ("", "", "pass")),
    case("action.ending", "SG-6.2", f"{ENDED} a=8x3 marker=a", "", "C", ("", "", "E")),
    case(
        "action.ending",
        "SG-6.2",
        f"{ENDED} a=8x3*,9x3*,10x3*,7x3* marker=a",
        "",
        "close",
        ("market=6 hand.a=?5 hand.b=?5 a=8x3*,9x3*,10x3*,7x3* marker=a", "", "close"),
    ),
    case(
        "purchase.hand_limit",
        "SG-3.2",
        "market=5 hand.a=?6",
        "",
        "P",
        ("market=5 hand.a=?5", "", "P"),
        cards=6,
        taken=2,
        limit=7,
    ),
    case(
        "purchase.hand_limit",
        "SG-3.2",
        f"{ONE_CARD} market=8,8 hand.a=?7 hand.b=?6",
        "",
        "P",
        (f"{ONE_CARD} market=8,8 hand.a=?6 hand.b=?7", "", "P"),
        cards=7,
        taken=1,
        limit=7,
    ),
    case(
        "exchange.two_cards",
        "SG-3.5",
        "market=5 hand.a=?1",
        "",
        "X",
        ("market=5 hand.a=?2", "", "X"),
        cards=1,
    ),
    case(
        "exchange.supply",
        "SG-3.7",
        f"{ONE_CARD} market=8,8 hand.a=8,8 hand.b=?11",
        "",
        "X",
        (f"{ONE_CARD} market=6,8 hand.a=8,8 hand.b=?11", "", "X"),
        deck=1,
        market=2,
    ),
    case(
        "build.three_cards",
        "SG-3.8",
        "market=5 hand.a=?2",
        "",
        "B",
        ("market=5 hand.a=?3", "", "B"),
        cards=2,
        least=3,
    ),
    case(
        "build.possible",
        "SG-11.1",
        "market=5 hand.a=5,5,6",
        "",
        "B",
        ("market=5 hand.a=5,6,7", "", "B"),
        cards=3,
    ),
    case(
        "extend.tower",
        "SG-3.9",
        "market=5 hand.a=?3 a=5-7,8x3* marker=a",
        "",
        "E",
        ("market=5 hand.a=?3 a=6-8,8x3* marker=a", "", "E"),
    ),
    case(
        "extend.card",
        "SG-3.9",
        "market=5 hand.a=?0 a=8x3 marker=a",
        "",
        "E",
        ("market=5 hand.a=?1 a=8x3 marker=a", "", "E"),
    ),
    case(
        "extend.possible",
        "SG-11.1",
        "market=5 hand.a=5,7 a=7-9,8x3 marker=a",
        "",
        "E",
        ("market=5 hand.a=5,6 a=7-9,8x3 marker=a", "", "E"),
        ranks="6, 8",
    ),
    case(
        "complete.tower",
        "SG-3.11",
        "market=5 hand.a=?1 a=8x3* b=9x3 marker=a",
        "",
        "C",
        ("market=5 hand.a=?1 a=8x3,8x3* marker=a", "", "C"),
    ),
    case(
        "close.completed",
        "SG-3.12",
        "market=5 hand.a=?1 a=8x3*,9x3*,10x3*,7x3 marker=a",
        "",
        "close",
        ("market=5 hand.a=?1 a=8x3*,9x3*,10x3*,7x3* marker=a", "", "close"),
        completed=3,
        needed=4,
    ),
    case("exchange.least", "SG-3.5", "market=5 hand.a=?5", "X 8", ">", ("", "X 8 8", ">"), put=1),
    case(
        "exchange.hand",
        "SG-11.1",
        "market=5 hand.a=8,8",
        "X",
        "9",
        ("", None, "8"),
        asked="9",
        cards=2,
        unseen="9×9",
    ),
    case(
        "exchange.replaced",
        "SG-3.7",
        f"{ONE_CARD} market=6,8 hand.a=6,8,8 hand.b=?10",
        "X 8",
        "6",
        ("", None, "8"),
        put=2,
        deck=1,
        market=0,
    ),
    case(
        "draw.deck",
        "SG-3.1",
        f"{ONE_CARD} market=6,8 hand.a=8,8 hand.b=?11",
        "X 8 8 > d",
        "d",
        ("", "X 8 8 >", "d"),
        deck=0,
    ),
    case("draw.rest", "SG-3.1", "level=table market=6 hand.a=?2", "P", "d1", ("", None, "d2"), left=2),
    case("draw.market", "SG-3.1", "market=6 hand.a=?2", "P", "m10", ("", None, "m6"), rank="10"),
    case("draw.just_put", "SG-3.6", "market=6,8 hand.a=8,8", "X 8 8 >", "m8", ("", None, "m6"), rank="8"),
    case(
        "build.hand",
        "SG-11.1",
        "market=5 hand.a=8,8,8",
        "B",
        "9",
        ("", None, "8"),
        asked="9x3",
        cards=3,
        unseen="9×9",
    ),
    case(
        "build.hand",
        "SG-11.1",
        "market=5 hand.a=8,8,8,?1",
        "B",
        "8-10",
        ("market=5 hand.a=8,8,8,?2", "B", "8-10"),
        asked="8-10",
        cards=4,
        unseen="5×8, 9×9, 10×10",
    ),
    case("height.copies", "SG-1.1", "market=6 hand.a=?7", "B 5", "x6", ("", None, "x5"), rank=5),
    case(
        "height.hand",
        "SG-11.1",
        "market=5 hand.a=8,8,8",
        "B 8",
        "x4",
        ("", None, "x3"),
        asked="8x4",
        cards=3,
        unseen="5×8",
    ),
    case(
        "extend.complete",
        "SG-3.11",
        "market=5 hand.a=?2 a=8x3*,9x3 marker=a",
        "E",
        "8x3*",
        ("", None, "9x3"),
        tower="8x3*",
    ),
    case(
        "extend.top",
        "SG-3.9",
        "market=5 hand.a=?2 a=5-7,9x3 marker=a",
        "E",
        "5-7",
        ("", None, "9x3"),
        tower="5-7",
        rank=5,
    ),
    case(
        "extend.hand",
        "SG-11.1",
        "market=5 hand.a=9 a=8x3,9x3 marker=a",
        "E",
        "8x3",
        ("", None, "9x3"),
        asked="8",
        cards=1,
        unseen="5×8",
    ),
    case(
        "storeys.run",
        "SG-3.9",
        "market=5 hand.a=?4 a=6-8 marker=a",
        "E 6-8",
        "+2",
        ("", None, "+1"),
        tower="6-8",
        most=1,
    ),
    case(
        "storeys.copies",
        "SG-1.1",
        "market=6 hand.a=?4 a=5x4 marker=a",
        "E 5x4",
        "+2",
        ("", None, "+1"),
        rank=5,
    ),
    case(
        "storeys.hand",
        "SG-11.1",
        "market=5 hand.a=8 a=8x3 marker=a",
        "E 8x3",
        "+2",
        ("", None, "+1"),
        asked="8 8",
        cards=1,
        unseen="4×8",
    ),
    case(
        "complete.flipped",
        "SG-3.11",
        "market=5 hand.a=?1 a=8x3*,9x3 marker=a",
        "C",
        "8x3*",
        ("", None, "9x3"),
        tower="8x3*",
    ),
    case(
        "complete.one",
        "SG-3.11",
        "market=5 hand.a=?1 a=8x3,9x3 marker=a",
        "C",
        ".",
        ("", "C 9x3", "."),
    ),
    case(
        "guard.hand",
        "SG-11.1",
        "market=6 hand.a=?2 hand.b=8,8 a=9x3 marker=a" + doing("guard", 3, seat="b"),
        "",
        "guard",
        ("market=6 hand.a=?2 hand.b=8,?1 a=9x3 marker=a" + doing("guard", 3, seat="b"), "", "guard"),
    ),
    case(
        "target.complete",
        "SG-5.7",
        f"{CONSPIRACY} a=10x3 b=7x3,8x3,9x3*",
        "use",
        "b9x3*",
        ("", None, "b7x3"),
        tower="9x3*",
    ),
    case(
        "target.contract",
        "SG-5.3",
        f"{CONSPIRACY} a=10x3 b=6x3,7x3,8x3",
        "use",
        "b6x3",
        ("", None, "b7x3"),
        tower="6x3",
    ),
    case(
        "target.itself",
        "SG-5.7",
        f"{CONSPIRACY} a=10x3 b=7x3,8x3",
        "use",
        "a10x3",
        (f"{CONSPIRACY} a=10x3,10x3 b=7x3,8x3", None, "a10x3"),
        tower="10x3",
    ),
    case(
        "target.height",
        "SG-5.7",
        f"{CONSPIRACY} a=10x3 b=7x3,8x3,9x4",
        "use",
        "b9x4",
        ("", None, "b8x3"),
        tower="9x4",
        height=4,
        built=3,
    ),
    case(
        "target.highest",
        "SG-5.7",
        f"{HIGH_CONSPIRACY} a=10x4 b=7x4,8x4,9x3",
        "use",
        "b9x3",
        ("", None, "b8x4"),
        tower="9x3",
        highest=4,
    ),
    case(
        "market.unseen", "SG-11.1", "a=5x5 marker=a" + doing("market", 4), "", "5", ("", None, "6"), rank="5"
    ),
    case(
        "final.cards",
        "SG-11.1",
        f"{SCORE} a=5x5" + doing("final", seat="a"),
        "",
        "5-7",
        ("", None, "6-8"),
        unseen="0×5",
    ),
    case(
        "final.cards",
        "SG-11.1",
        f"{SCORE} a=8x6" + doing("final", seat="a"),
        "",
        "8",
        ("", None, "9"),
        unseen="2×8",
    ),
    case(
        "final.cards",
        "SG-11.1",
        f"{SCORE} a=5-7" + doing("final", seat="a"),
        "5",
        "x5",
        ("", None, "x4"),
        unseen="4×5",
    ),
    case(
        "final.marker",
        "SG-4.1",
        f"{SCORE} a=8x3" + doing("final_marker", begun="open"),
        "",
        "-",
        ("", None, "b"),
    ),
    case("noble.ending", "SG-9.12", f"{ENDED} nobles.a=?2", "", "via", ("", "", "mura")),
    case("noble.turn", "SG-9.3", f"{HANDS} nobles.a=?2", "", "pietra", ("", "", "via"), noble="pietra"),
    case(
        "noble.turn", "SG-9.3", f"{HANDS} nobles.a=?2", "", "giostra", ("", "", "cappella"), noble="giostra"
    ),
    case(
        "noble.one_more",
        "SG-9.4",
        f"{HANDS} nobles.a=?2 used.a=via",
        "",
        "mura",
        (f"{HANDS} nobles.a=?2 used.a=via used.b=pietra", "", "mura"),
        used=1,
        theirs=0,
        more=1,
    ),
    case(
        "palazzo.two_cards",
        "SG-9.10",
        "market=5 hand.a=?1 nobles.a=?1",
        "",
        "palazzo",
        ("market=5 hand.a=?1 nobles.a=?2", "", "palazzo"),
        cards=1,
    ),
    case(
        "palazzo.two_cards",
        "SG-9.10",
        "market=5 hand.a=?0 nobles.a=?1",
        "",
        "palazzo",
        ("market=5 hand.a=?0 nobles.a=?1 b=8x3 marker=b", "", "palazzo"),
        cards=0,
    ),
    case(
        "noble.hand",
        "SG-11.1",
        f"{HANDS} nobles.a=via",
        "",
        "mura",
        ("", "", "via"),
        asked="mura",
        cards=1,
        unseen="1×mura",
    ),
    case(
        "extend.cap",
        "SG-9.10",
        f"{HANDS} a=8x3 b=9x3 marker=b used.b=palazzo",
        "",
        "E",
        (f"{HANDS} a=8x3 b=9x4 marker=b used.b=palazzo", "", "E"),
        cap=3,
    ),
    case(
        "extend.one_more",
        "SG-9.4",
        f"{HANDS} a=5-7 marker=a nobles.a=?1 used.a=via",
        "",
        "E",
        (f"{HANDS} a=5-7 marker=a nobles.a=?1 used.a=via used.b=mura", "", "E"),
        used=1,
        theirs=0,
        more=1,
    ),
    case(
        "extend.possible",
        "SG-11.1",
        "market=5 hand.a=5 a=5-7,9x3 marker=a nobles.a=via",
        "",
        "E",
        ("market=5 hand.a=5 a=5-7,9x3 marker=a nobles.a=?1", "", "E"),
        ranks="9, pietra",
    ),
    case(
        "extend.top",
        "SG-3.9",
        f"{HANDS} a=4-7s4,9x3 marker=a nobles.a=?1 used.a=pietra used.b=via",
        "E",
        "4-7s4",
        ("", None, "9x3"),
        tower="4-7s4",
        rank=4,
    ),
    case(
        "extend.tower_cap",
        "SG-9.10",
        f"{HANDS} a=8x3,9x4 b=7x4 marker=b used.b=palazzo",
        "E",
        "9x4",
        ("", None, "8x3"),
        height=5,
        cap=4,
        tower="9x4",
    ),
    case(
        "extend.stone",
        "SG-9.4",
        f"{HANDS} a=8x3,5-7 marker=a nobles.a=pietra used.a=via",
        "E",
        "5-7",
        ("", None, "8x3"),
        used=1,
        theirs=0,
        more=1,
    ),
    case(
        "extend.hand",
        "SG-11.1",
        "market=5 hand.a=8 a=8x3,5-7 marker=a nobles.a=via",
        "E",
        "5-7",
        ("", None, "8x3"),
        asked="1 pietra",
        cards=1,
        unseen="3×pietra",
    ),
    case(
        "draw.noble_deck",
        "SG-9.2",
        f"{HANDS} a=8x3 marker=a nobles.a=?0",
        "E 8x3 +1",
        "n",
        (f"{HANDS} nobles.a=?0", "P", "n"),
    ),
    case("draw.decks_only", "SG-9.6", f"{HANDS} nobles.a=via", "via", "m5", ("", None, "n")),
    case(
        "draw.deck",
        "SG-3.1",
        "market=5 hand.a=?2 nobles=?0 used.a=via removed=via,mura,monumento,"
        "giostra,cappella,palazzo,pietra,pietra,pietra",
        "P",
        "n",
        ("", None, "d"),
        deck=0,
    ),
    case(
        "draw.rest",
        "SG-3.1",
        "level=table market=6 hand.a=?2 nobles=?10",
        "P",
        "n3",
        ("", None, "n1"),
        left=2,
    ),
    case(
        "build.cap",
        "SG-9.10",
        f"{HANDS} b=9x3 marker=b used.b=palazzo",
        "B",
        "5-8",
        ("", None, "5-7"),
        height=4,
        cap=3,
        tower="",
    ),
    case(
        "build.one_more",
        "SG-9.4",
        f"{HANDS} nobles.a=pietra used.a=via",
        "B",
        "5-7s",
        (f"{HANDS} nobles.a=pietra used.a=via used.b=mura", "B", "5-7s"),
        used=1,
        theirs=0,
        more=1,
    ),
    case(
        "build.one_more",
        "SG-9.4",
        "market=6 hand.a=?7 nobles.a=pietra,pietra",
        "B",
        "4-11s",
        ("", None, "4-10s"),
        used=0,
        theirs=0,
        more=2,
    ),
    case(
        "build.hand",
        "SG-11.1",
        "market=5 hand.a=5,5,6 nobles.a=pietra",
        "B",
        "6-8s",
        ("", None, "5-7s"),
        asked="6-8s",
        cards=4,
        unseen="5×6, 7×7, 8×8, 2×pietra",
    ),
    case(
        "height.real",
        "SG-9.5",
        f"{HANDS} nobles.a=?3 used.b=via,mura waived=SG-9.4",
        "B 8",
        "x3sss",
        ("", None, "x3ss"),
    ),
    case(
        "height.cap",
        "SG-9.10",
        f"{HANDS} b=9x3 marker=b used.b=palazzo",
        "B 8",
        "x4",
        ("", None, "x3"),
        height=4,
        cap=3,
        tower="",
    ),
    case(
        "height.one_more",
        "SG-9.4",
        f"{HANDS} nobles.a=?2",
        "B 8",
        "x4ss",
        ("", None, "x4s"),
        used=0,
        theirs=0,
        more=2,
    ),
    case(
        "height.hand",
        "SG-11.1",
        "market=5 hand.a=8,8 nobles.a=pietra,via used.b=mura",
        "B 8",
        "x4ss",
        ("", None, "x3s"),
        asked="8x4ss",
        cards=2,
        unseen="2×pietra",
    ),
    case(
        "stones.real",
        "SG-9.5",
        f"{HANDS} nobles.a=?3 used.b=via,mura waived=SG-9.4",
        "B 5-7s",
        "s5s6s7",
        ("", None, "s5s6"),
    ),
    case(
        "stones.one_more",
        "SG-9.4",
        f"{HANDS} nobles.a=?2",
        "B 5-7s",
        "s5s6",
        ("", None, "s5"),
        used=0,
        theirs=0,
        more=2,
    ),
    case(
        "stones.hand",
        "SG-11.1",
        "market=5 hand.a=5,6 nobles.a=pietra",
        "B 5-7s",
        "s5",
        ("", None, "s7"),
        asked="5-7s5",
        cards=2,
        unseen="7×7",
    ),
    case(
        "storeys.cap",
        "SG-9.10",
        f"{HANDS} a=8x3 b=7x4 marker=b used.b=palazzo",
        "E 8x3",
        "+2",
        ("", None, "+1"),
        height=5,
        cap=4,
        tower="",
    ),
    case(
        "storeys.one_more",
        "SG-9.4",
        f"{HANDS} a=8x3 marker=a nobles.a=?2",
        "E 8x3",
        "+2ss",
        ("", None, "+2s"),
        used=0,
        theirs=0,
        more=2,
    ),
    case(
        "guard.one_more",
        "SG-9.4",
        f"{STONE_GUARD} used.b=via nobles.b=pietra",
        "",
        "pietra",
        (f"{STONE_GUARD} used.a=mura used.b=via nobles.b=pietra", "", "pietra"),
        used=1,
        theirs=0,
        more=1,
    ),
    case(
        "guard.stone",
        "SG-11.1",
        f"{STONE_GUARD} nobles.b=via",
        "",
        "pietra",
        (f"{STONE_GUARD} nobles.b=?1", "", "pietra"),
    ),
    case(
        "giostra.one_more",
        "SG-9.4",
        f"{JOUST} nobles.b=?1 used.b=via,via",
        "",
        "giostra",
        (f"{JOUST} nobles.b=?1 used.b=via", "", "giostra"),
        used=2,
        theirs=1,
        more=1,
    ),
    case(
        "giostra.hand",
        "SG-11.1",
        f"{JOUST} nobles.b=via",
        "",
        "giostra",
        (f"{JOUST} nobles.b=?1", "", "giostra"),
    ),
    case(
        "palazzo.keep",
        "SG-9.10",
        f"{HANDS} nobles.a=?1 used.a=palazzo a=8x3 b=7x3 marker=a" + doing("palazzo"),
        "",
        "keep",
        (f"{HANDS} nobles.a=?1 used.a=palazzo a=8x3 b=7x4 marker=a" + doing("palazzo"), "", "keep"),
        theirs=3,
        mine=3,
    ),
    case(
        "palazzo.backs",
        "SG-9.10",
        f"{HANDS} nobles.a=?1 used.a=palazzo" + doing("palazzo"),
        "",
        "nn",
        ("", None, "tn"),
        towers=5,
        nobles=1,
    ),
    case(
        "trade.backs",
        "SG-9.2",
        "market=5 hand.a=?3 hand.b=?2 nobles.b=?2 a=9x3 marker=a" + doing("traded", 3, tower="9x3"),
        "",
        "n0",
        ("", None, "n1"),
        n=3,
        towers=2,
        nobles=2,
    ),
    case(
        "trade.backs",
        "SG-9.2",
        "market=5 hand.a=?3 hand.b=?2 nobles.a=?1 a=9x3 marker=a" + doing("returned", 2, tower="9x3"),
        "",
        "n2",
        ("", None, "n1"),
        n=2,
        towers=3,
        nobles=1,
    ),
    case(
        "final.stones",
        "SG-9.1",
        f"{SCORE} a=8x5ss,9x4s used.a=pietra,pietra,pietra" + doing("final", seat="a"),
        "",
        "5-7s",
        ("", None, "5-7"),
        left=0,
    ),
    case(
        "final.cards",
        "SG-11.1",
        f"{SCORE} a=5x5 nobles=?10" + doing("final", seat="a"),
        "4-6s",
        "s4",
        ("", None, "s4s5"),
        unseen="0×5",
    ),
    case(
        "final.closer",
        "SG-3.12",
        f"{SCORE} deals=2 a=8x3*,9x3*,10x3*,7x3 marker=a" + doing("final_closer", begun="open"),
        "",
        "a",
        (f"{SCORE} deals=2 a=8x3*,9x3*,10x3*,7x3* marker=a" + doing("final_closer", begun="open"), "", "a"),
        completed=3,
        needed=4,
    ),
]
IDS = [f"{number}-{case.check}" for number, case in enumerate(CASES)]


def passing(case):
    position, path, token = case.passes
    return position or case.position, case.path if path is None else path, token


def verify(case):
    """What the table says of one case; raises AssertionError. Also used by ``mutate_checks``."""
    state = at(case.position, case.path)
    found = refusal(state, case.token)
    assert found is not None, f"{case.token} is not refused"
    assert (found.check, found.clause) == (case.check, case.clause)
    assert dict(found.figures) == case.figures
    assert case.token not in tokens(state)
    position, path, token = passing(case)
    allowed = at(position, path)
    assert refusal(allowed, token) is None
    assert token in tokens(allowed)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_check(case):
    verify(case)


def test_every_check_has_a_refusing_and_an_accepting_case():
    questions = {check.name: check.questions for check in GAME.rules.checks}
    assert set(questions) == {case.check for case in CASES}
    for case in CASES:
        position, path, token = passing(case)
        assert answer(at(position, path), token).question in questions[case.check]


def test_every_clause_is_one_of_the_rules():
    from engines.rules import load

    rules = load("san_gimignano")
    for check in GAME.rules.checks:
        rules.clause(check.clause)


def test_check_names_are_unique():
    names = [check.name for check in GAME.rules.checks]
    assert len(names) == len(set(names))


def test_refusals_by_knowledge_say_what_they_rest_on_and_others_do_not():
    for case in CASES:
        state = at(case.position, case.path)
        found = refusal(state, case.token)
        assert bool(found.basis) == (case.clause == "SG-11.1"), case.check
        for key in found.basis:
            assert GAME.rules.fact(state, key) >= 0
