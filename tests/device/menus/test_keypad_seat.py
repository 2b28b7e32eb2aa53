"""The keys of one seat answer for nobody else."""

import pytest

from device.keys import Hold, Holding, Key, Press, Turn
from device.match.door import Proposal
from device.match.replay import Header
from device.menus.consent import Consent
from device.menus.core import Box
from device.menus.play import Play
from device.screen import NoticePage
from device.settings import Confirm, ReadingsSettings
from engines.contract import Setup
from engines.readings import Observation, interpret
from tests.device.conftest import NAMES

ADSO, WILLIAM, NOBODY = 0, 1, 3
OK = Press(Key.OK)
POSITION = "market=6,8,8,9 hand.a=?5 hand.b=?5"
TO_READ = f"{POSITION} a=8x3 b=7x3 marker=a"


def start(box: Box, position=POSITION, names=NAMES):
    box.open(Header("san_gimignano", names, Setup(position=position)))
    return box.library.referee


def refused(box, seat, event=OK):
    """Return what is said to the keys of a seat that do nothing now; empty where they count."""
    said = []
    box.toast = said.append
    box.key(event, seat)
    del box.toast
    return "".join(said)


def test_they_count_while_their_seat_is_asked(box, player):
    match = start(box)
    assert refused(box, NOBODY) == "Adso is asked, not D.", "who does not play only watches"
    player.choose("Build")
    player.go("8-10")
    head = match.head
    assert refused(box, WILLIAM) == "Adso is asked, not William."
    assert refused(box, WILLIAM, Turn(1)) != ""
    box.key(Holding(Key.BACK, 0.5), WILLIAM)
    assert getattr(box.page(), "fraction", 0) <= 0, "no bar for what it does not do"
    assert match.head == head
    player.ticks.now += 1000
    assert refused(box, ADSO) == ""
    assert [line.text for line in match.replay.history] == ["B 8-10"]
    assert refused(box, ADSO, Turn(1)) == "William is asked, not Adso."
    box.key(Hold(Key.CALL), ADSO)
    assert match.replay.affairs.call, "a call is everybody's"


def test_however_long_the_names_it_is_one_message(box):
    """One that did not fit would be a page of its own, and a knob that is turned would pile them up."""
    start(box, names=("M" * 24, "W" * 24))
    for _ in range(3):
        box.key(Turn(1), WILLIAM)
    assert isinstance(box.page(), NoticePage)
    assert isinstance(box.stack[-1], Play)


def test_what_the_table_shows_anybody_may_say(box, player):
    start(box, "market=6 hand.a=?5 hand.b=?5")
    player.choose("Purchase", "market 6")
    player.later()
    before = box.page()
    for seat in (ADSO, WILLIAM):
        assert refused(box, seat, Turn(1)) == ""
    assert box.page() != before


def test_without_a_match_they_are_like_the_box_s_own(box):
    before = box.page()
    assert refused(box, NOBODY, Turn(1)) == ""
    assert box.page() != before


def test_nobody_agrees_or_chooses_for_others(box, player, toy):
    others = "This asks others too. Use the box's own keys."
    start(box)
    player.choose("Build", "8-10")
    box.push(Consent(box, "what", [], lambda: None))
    assert refused(box, WILLIAM) == others
    player.open(toy)
    assert refused(box, ADSO) == others


@pytest.mark.parametrize(("policy", "counts"), [("other", False), ("ask", True)])
def test_a_seat_s_keys_accept_no_reading_that_another_must_accept(box, player, policy, counts):
    box.door.confirm = Confirm(readings=ReadingsSettings(sure=policy))
    match = start(box, TO_READ)
    seen = Observation("towers", (("a=8x3,5-7 b=7x3", 0.99),))
    meaning = interpret(match.replay.game, match.replay.match.state, seen)
    box.propose(Proposal(meaning, 0.99, "line:cam#1"))
    player.ticks.now += 1000
    assert (refused(box, ADSO) == "") is counts
    assert bool(match.replay.history) is counts
