"""What a seat tells of its hand: used for its own list while it is true, and by nobody else."""

from random import Random

import pytest

import engines
from device.match.records import Kind
from device.match.replay import Header
from device.match.rulings import Adjust, Amend, Insert, Override, Pause, Resume, Strike
from engines.contract import Level, Setup
from engines.errors import Malformed
from tests.device.conftest import NAMES
from tests.device.hidden import written
from tests.device.match.test_door import AtTheLine, refused
from tests.engines.walks import seed, walk

GAME = engines.game("san_gimignano")
POSITION = "market=6,8 hand.a=?5 hand.b=?5 a=8x3 b=7x3 marker=a"
HAND = "5,6,7,9,10"
GENERAL, OWN = "P X B E C pass", "P X B C pass"
PAD = "pad on usb0"


class Telling(AtTheLine):
    """A door with a pad at seat a."""

    def tell(self, held=HAND, seat="a", source=PAD):
        return self.run(self.door.tell(held, seat=seat, channel="line:pad#5", source=source))

    def legal(self, text="", seat="a", source=PAD):
        return self.door.answer("legal", text, seat=seat, source=source)


@pytest.fixture
def sit(table, ticks):
    """Sit down at a match from a position."""

    def sit(position=POSITION, game="san_gimignano"):
        door = Telling(table, ticks)
        door.box.play(table.open_match(Header(game, NAMES, Setup(position=position))))
        return door

    return sit


@pytest.fixture
def door(sit):
    return sit()


class TestTelling:
    def test_its_own_list_is_exact(self, door):
        assert door.legal() == GENERAL
        assert "6 7 8 9 10" in door.legal("B")
        door.tell()
        assert door.legal() == OWN
        assert door.legal("B") == "5-7"
        assert door.legal("X") == "5 6 7 9 10"
        assert door.legal("X 6") == "5 7 9 10"
        assert door.legal("P d") == door.legal("P d", source="") == "d m6 m8", "whatever the hand is"

    def test_nobody_else_is_answered_from_it(self, door):
        door.tell()
        for seat, source in [
            (None, PAD),
            ("b", PAD),
            ("a", ""),
            ("a", "spy on usb1"),
            ("a", "pad on usb1"),
            ("a", "spy on usb0"),
        ]:
            assert door.legal(seat=seat, source=source) == GENERAL
            assert "8" in door.legal("B", seat=seat, source=source)

    def test_what_is_told_last_counts_and_only_for_who_told_it(self, door):
        door.tell()
        door.tell("8,8,8,9,10")
        assert door.legal() == GENERAL
        assert door.legal("B") == "8 8-10"
        door.tell(source="spy on usb1")
        assert door.legal("B") == door.legal("B", source="")
        assert door.legal("B", source="spy on usb1") == "5-7"

    @pytest.mark.parametrize(
        ("code", "says", "held", "seat"),
        [
            ("malformed", "cannot be the hand of a", "5,6,7", "a"),
            ("malformed", "cannot be the hand of a", "8,8,8,8,8", "a"),
            ("malformed", "'11' in '5,6,7,9,11' is no card", "5,6,7,9,11", "a"),
            ("seat", "only a node bound to a seat", HAND, None),
            ("seat", "there is no seat d", HAND, "d"),
        ],
    )
    def test_what_cannot_be_is_not_taken(self, door, code, says, held, seat):
        refused(code, says, door.tell, held, seat)
        assert door.table.referee.replay.log == []
        assert door.legal() == GENERAL

    def test_without_a_match_or_after_its_end_or_without_hidden_pieces(self, table, ticks, sit, toy, door):
        for _ in range(2):
            door.step("pass")
        refused("stale", "the match is over", door.tell)
        table.leave()
        refused("noseat", "no match is open", door.tell)
        refused("malformed", "has no hidden pieces", sit("", toy).tell)


NINES = "market=6,8 hand.a=6,7,8,10,10 hand.b=?5 turn=b"
OVERRULED = Override(("SG-3.12",))
CHANGES = {
    "an overruled step of its own": (
        "turn=b " + POSITION,
        HAND,
        [(1, "C 7x3"), "tell", (0, "close", OVERRULED)],
    ),
    "its own step": (POSITION, HAND, [(0, "C 8x3"), (1, "pass")]),
    "a card drawn by the other": (POSITION, HAND, [(0, "pass"), "tell", (1, "P d d")]),
    "a Trade with the other": (NINES, "6,7,8,10,10", [(1, "B 9x3"), "told", (1, "use")]),
}
KEEPS = {
    "the other's step that shows nothing": [(0, "pass"), "tell", (1, "C 7x3")],
    "the other's build": [(0, "pass"), "tell", (1, "B 8-10")],
}
EDITS = [
    [Amend(1, "B 8-10")],
    [Strike(4)],
    [Insert(3, 0, "B 5-7"), Insert(3, 1, "pass")],
]


class TestLapsing:
    """By the record; whoever told it is answered by that (above)."""

    @pytest.fixture
    def referee(self, sit):
        referee = sit("turn=b " + POSITION).table.referee
        referee.step("C 7x3", seat=1, channel="keys")
        referee.tell(0, HAND, channel="line:pad#5")
        assert referee.replay.find_held(0) == HAND
        return referee

    @pytest.mark.parametrize(("position", "held", "events"), CHANGES.values(), ids=CHANGES)
    def test_when_the_hand_may_have_changed(self, sit, position, held, events):
        referee = sit(position).table.referee
        referee.tell(0, held, channel="line:pad#5")
        for event in events:
            if event == "tell":
                referee.tell(0, held, channel="line:pad#6")
            if isinstance(event, str):
                assert referee.replay.find_held(0) == held
            else:
                overruled = {"override": event[2], "by": "ab"} if event[2:] else {}
                referee.step(event[1], seat=event[0], channel="keys", **overruled)
        assert referee.replay.find_held(0) == ""

    @pytest.mark.parametrize("events", KEEPS.values(), ids=KEEPS)
    def test_not_when_it_cannot_have(self, sit, events):
        door = sit()
        for event in events:
            if event == "tell":
                door.tell()
            else:
                door.table.referee.step(event[1], seat=event[0], channel="keys")
        assert door.table.referee.replay.find_held(0) == HAND
        assert door.legal() == OWN

    @pytest.mark.parametrize("edits", EDITS, ids=lambda edits: str(edits[0]))
    def test_when_an_entry_is_corrected(self, referee, edits):
        referee.step("C 8x3", seat=0, channel="keys")
        referee.step("pass", seat=1, channel="keys")
        referee.tell(0, HAND, channel="line:pad#6")
        assert referee.replay.find_held(0) == HAND
        referee.rule(*edits, channel="keys", by="ab")
        assert referee.replay.find_held(0) == ""

    def test_not_with_what_is_no_play(self, referee):
        referee.note("a remark", channel="keys")
        referee.note("towers 0.90 a=8x3 b=7x3", channel="line:cam#1", kind=Kind.READING)
        referee.rule(Adjust(1, -5, "slow play"), channel="keys", by="ab")
        referee.rule(Pause(), channel="keys")
        referee.rule(Resume(), channel="keys")
        referee.tell(1, "8,8,9,9,10", channel="line:pad-b#1")
        assert (referee.replay.find_held(0), referee.replay.find_held(1)) == (HAND, "8,8,9,9,10")


@pytest.mark.parametrize(
    ("options", "level"), [((), Level.TABLE), ((("nobles", "yes"),), Level.FULL)], ids=["basic", "advanced"]
)
def test_what_counts_is_what_the_hand_really_is(table, options, level):
    """Both seats tell the truth now and then, all through random games; it never outlives it."""
    setup = Setup(options=options, level=level)
    lasted = 0
    for number in range(2):
        rng = Random(seed() + number)
        referee = table.open_match(Header(GAME.id, NAMES, setup))
        begun = []
        told = [0, 0]
        for made in walk(GAME, setup, Random(seed() + number)):
            if not begun:
                for seat in (0, 1):
                    truth = written(made.world.hands[seat])
                    held = referee.replay.find_held(seat)
                    if held not in ("", truth):
                        # Cards came back into it in the open (SG-9.8): as a hand it is too small to be used.
                        with pytest.raises(Malformed, match="cannot be the hand"):
                            GAME.rules.legal_for(referee.replay.match.state, seat, held)
                    lasted += held == truth and told[seat] < len(referee.replay.history)
                    if rng.random() < 0.5:
                        referee.tell(seat, truth, channel="line:pad#1")
                        assert referee.replay.find_held(seat) == truth
                        told[seat] = len(referee.replay.history)
            ((seat, choice),) = made.choices.items()
            begun.append(choice)
            if not GAME.rules.pending(made.after).open:
                referee.step(GAME.notation.text(begun), seat=seat, channel="keys")
                begun = []
    assert lasted
