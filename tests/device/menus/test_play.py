"""The match on the screen: steps put together key by key, stepping back, undo, the menu, the end."""

import pytest
from msgspec.structs import replace

from device.bench.presses import Pilot
from device.keys import Cue, Holding, Key, Press
from device.match.correction import list_undoable
from device.match.records import Kind
from device.match.replay import Header
from device.match.rulings import (
    Abandon,
    Adjust,
    Amend,
    Answered,
    Call,
    Insert,
    Pause,
    Resume,
    Rollback,
    Strike,
)
from device.screen import ListPage, NoticePage, TablePage
from engines import matchfile
from engines.contract import SEATS, Level, Setup
from tests.device.conftest import NAMES, a_box
from tests.device.games import enter
from tests.device.menus.people import payloads
from tests.device.player import Player
from tests.engines.marrakesh.lines import setup, turn
from tests.engines.walks import soak
from tests.recorded import NIGHTLY, RECORDED

POSITION = "market=6,8,8,9 hand.a=?5 hand.b=?5"


def start(player, position="", **setup):
    """Open a match at a position, Adso to move unless it says otherwise."""
    return player.open(position=position, **setup)


@pytest.fixture
def match(player):
    """Adso is asked for an action; nobody's cards are known."""
    return start(player, POSITION)


def read_result(player):
    """To the menu of the end."""
    player.ok(player.box.pages(player.page))


class TestAStep:
    def test_ok_by_ok(self, player, match):
        assert (player.page.header.left, player.page.prompt) == ("Adso", "Your action?")
        assert player.items == ["Purchase", "Exchange", "Build", "Extend", "Complete", "Close", "Pass"]
        assert player.page.grey == (3, 4, 5)
        player.choose("Purchase")
        assert (player.page.header.left[:6], player.page.prompt) == ("Adso: ", "Which card? 2 left")
        assert player.items == ["deck", "market 6", "market 8", "market 9", "not listed…"]
        player.choose("market 8")
        assert (player.page.header.left[:6], player.page.prompt) == ("Adso: ", "Which card? 1 left")
        assert match.replay.log == []
        player.choose("deck")
        assert payloads(match) == ["P m8 d"]
        assert player.page.header.left == "William"
        assert match.replay.log[0].channel == "keys"

    def test_the_cursor_stays_where_the_same_is_likely_again(self, player, match):
        player.choose("Exchange", "7")
        assert player.page.items[player.page.index] == "7"
        player.choose("9")
        assert player.page.items[player.page.index] == "9"

    def test_several_are_named_in_any_order_the_cursor_on_the_next_possible(self, player):
        position = turn("choose", "choose_a", round=3, behind_a="1t1g1n1l1u1o")
        player.box.open(Header("marrakesh", NAMES, replace(setup(), position=position)))
        player.choose("orange: souk")
        assert player.page.items[player.page.index] == "purple: souk"
        player.choose("turquoise: river")
        assert player.page.items[player.page.index] == "green: orchard"
        player.choose("turquoise: river")
        assert player.page.text == "turquoise is chosen already.\nChoose another."
        player.ok()
        player.choose("Drop it", "brown: Sahara")
        assert payloads(player.box.library.referee) == ["choose t n o"]

    def test_what_is_not_listed_is_grey(self, player):
        there = {"board_a": "4n", "caravans_a": "0.4.0", "board_b": "4n", "caravans_b": "0.4.0"}
        position = turn("town:left4", desert_towns="yes", towns="b.left4.01", **there)
        player.box.open(Header("marrakesh", NAMES, replace(setup(desert_towns="yes"), position=position)))
        assert (player.items[0], player.page.grey) == ("02: 2 VP a luxury good", ())
        player.choose("not listed…")
        assert (player.items, player.page.grey) == (["01: 2 VP a gate"], (0,))
        player.choose("01: 2 VP a gate")
        assert player.page.text == "William took town 01.\nLook at it again."


def test_what_is_heard(player, match):
    heard = []
    player.box.on_cue = heard.append
    player.choose("Purchase", "deck", "deck")
    assert heard == [Cue.YOUR_TURN]
    player.written()
    assert heard == [Cue.YOUR_TURN, Cue.RECORDED]
    player.choose("Extend")
    assert heard[2:] == [Cue.REFUSED]
    player.call()
    assert heard[3:] == [Cue.CALL]


class TestAStepFromElsewhere:
    def test_it_drops_what_was_begun_and_says_so_and_a_remark_drops_nothing(self, player, match):
        player.choose("Purchase", "market 8")
        match.note("call", channel="line:pad#1")
        assert player.notice is None
        assert player.page.header.left.startswith("Adso: ")
        match.step("pass", seat=0, head=match.head, channel="line:pad#1")
        assert player.notice == "Entered elsewhere meanwhile"
        player.later()
        assert (player.page.header.left, player.page.prompt) == ("William", "Your action?")
        player.back()
        assert payloads(match) == ["call", "pass"]

    def test_what_is_ruled_here_is_told_and_is_no_elsewhere(self, player, match):
        player.choose("Build", "8-10", "Purchase", "market 8")
        match.rule(Amend(1, "B 5-7"), channel="keys", by="ab")
        assert player.told.startswith("Corrected: Adso: builds 5-7. On the table: ")
        assert player.notice is None
        player.later()
        assert (player.page.header.left, player.page.prompt) == ("William", "Your action?")


FURTHER = ["Correct an entry", "Go back", "No, leave it"]


class TestUndo:
    def test_what_was_seen_is_not_taken_back(self, player, match):
        player.choose("Purchase", "deck", "deck")
        player.undo()
        assert player.items == ["Take back the last entry", "Put back", *FURTHER]
        assert (player.page.index, player.page.grey) == (2, (0, 1))
        player.choose("Take back")
        made = player.box.stack[1].words.made(match.replay.match, 0)
        assert player.page.text.startswith(f"{made}. It showed Adso hidden cards")

    def test_nothing_and_not_in_a_match_that_was_given_up(self, player, match):
        player.undo()
        assert (player.page.index, player.page.grey) == (4, (0, 1, 2, 3))
        player.choose("Take back")
        assert player.page.text == "There is nothing to undo."
        player.back()
        player.choose("Put back")
        assert "nothing to put back" in player.page.text
        player.box.show_match()
        match.step("B 8-10", channel="keys")
        match.rule(Abandon(), channel="keys")
        player.undo()
        assert player.page.grey == (0, 1, 2, 3)
        player.choose("Go back")
        assert player.page.text == "The match was abandoned."

    def test_what_people_ruled_is_withdrawn_in_words(self, player, match):
        """The line says what, the page before consent tells the entry as it was and as it is now."""

        def asked(*rulings):
            match.rule(*rulings, channel="keys", by="ab")
            player.undo()
            label = player.items[1]
            assert player.page.index == 1, "it came last"
            player.ok()
            text = player.page.text
            player.back()
            player.undo()
            return label, text

        words = player.box.stack[1].words
        match.step("B 8-10", channel="keys")
        built = words.made(match.replay.match, 0)
        assert asked(Adjust(1, 5)) == ("Withdraw: +5 for William by hand",) * 2
        (correction, text) = asked(Amend(1, "B 5-7"))
        assert correction == "Withdraw the correction"
        now = words.made(match.replay.match, 0)
        assert text == f"Withdraw: Entry 1 corrected: {now} (was {built})"
        struck = asked(Strike(1))
        assert struck == ("Withdraw the correction", f"Withdraw: Entry 1 dropped: {now}")
        match.undo(list_undoable(match.replay)[-1], channel="keys")
        inserted = asked(Insert(1, 0, "pass"), Insert(1, 1, "B 8-10"))[1].splitlines()
        for line, at, name in zip(inserted, (0, 1), NAMES, strict=True):
            assert line.endswith(f"Added before entry 1: {words.made(match.replay.match, at)}")
            assert f": {name}: " in line
        (back, text) = asked(Rollback(1))
        assert (back, text) == ("Withdraw going back", f"Withdraw: Back to before entry 1 ({now})")

    def test_a_pause_a_call_and_a_remark_leave_the_last_ruling_to_be_withdrawn(self, person, match):
        match.rule(Adjust(1, 5), channel="keys", by="ab")
        for ruling in (Pause(), Resume(), Call("rule"), Answered()):
            match.rule(ruling, channel="keys")
        match.note("a remark", channel="keys")
        person.undo()
        person.choose("Withdraw: +5 for William by hand")
        person.agree(2)
        assert payloads(match)[-1] == "undo 1"
        assert match.replay.history == []

    def test_a_step_begun_is_taken_back_first_and_nothing_is_recorded(self, player, match):
        player.choose("Build", "8-10", "Purchase", "market 8")
        player.undo()
        assert player.items == [
            "Take back – what you began: takes 8 from the market",
            "Put back",
            *FURTHER,
        ]
        assert (player.page.index, player.page.grey) == (0, (1,))
        player.ok()
        assert payloads(match) == ["B 8-10"]
        assert (player.page.header.left, player.page.prompt) == ("William", "Your action?")
        player.undo()
        assert player.items[0].startswith("Take back – Adso: ")
        player.ok()
        assert payloads(match) == ["B 8-10", "undo 1"]
        assert player.notice is None
        assert player.page.header.left == "Adso"

    def test_what_came_meanwhile_is_not_taken_back_instead(self, player, match):
        player.choose("Build", "8-10")
        player.undo()
        match.step("pass", seat=1, channel="line:pad#1")
        player.ok()
        assert player.notice == "something was entered since"
        assert payloads(match) == ["B 8-10", "pass"]


class TestTheMenu:
    def test_a_long_back_opens_it_and_a_second_one_leaves(self, player, match):
        player.menu()
        assert player.items == [
            *(
                "Scores",
                "On the table",
                "Why these points?",
                "Rules",
                "Steps",
                "Clock",
                "Correct an entry",
                "Go back",
                "Points by hand",
                "Pause",
            ),
            *("Status", "Abandon match", "Home"),
        ]
        player.choose("Steps")
        player.menu()
        assert player.page.prompt == "Your action?"

    def test_the_bar_fills_while_back_is_held(self, player, match):
        player.key(Holding(Key.BACK, 0.4))
        assert isinstance(player.page, NoticePage)
        assert (player.page.text, player.page.fraction) == ("Hold for the menu", 0.4)
        player.key(Press(Key.BACK))
        assert player.notice == "Hold Back for the menu"

    def test_scores_and_steps(self, player, match):
        player.choose("Build", "8-10", "Pass")
        player.menu()
        player.choose("Scores")
        assert player.page.header.left == "Standing"
        assert player.page.totals == ("13", "0")
        player.ok(2)
        assert isinstance(player.page, TablePage)
        player.ok()
        assert isinstance(player.page, ListPage)
        player.choose("Steps")
        assert player.items == ["2 William: passes", "1 Adso: builds 8-10"]
        player.choose("1 Adso", "When and how?")
        assert player.page.header.left == "Entry 1"
        assert player.page.text.splitlines()[:3:2] == ["Adso: builds 8-10", "keys"]

    def test_abandoning_asks_first(self, player, match):
        player.menu()
        player.choose("Abandon")
        assert (player.page.prompt, player.page.items[player.page.index]) == ("Sure?", "No, leave it")
        player.ok()
        assert match.replay.log == []
        player.choose("Abandon", "Abandon")
        assert payloads(match) == ["abandon"]
        assert player.items[0] == "New match"


class TestTheEnd:
    @pytest.fixture
    def ended(self, player, match):
        player.choose("Build", "8-10", "Pass", "Pass")
        return match

    def test_the_result_is_shown(self, player, ended):
        assert isinstance(player.page, TablePage)
        assert (player.page.header.left, player.page.totals) == ("Adso wins", ("13", "0"))
        assert player.page.note == ""
        assert player.turn(1).page == 1
        assert player.turn(9).page == 2
        assert player.turn(-9).page == 0

    def test_a_shared_win_names_all(self, player):
        start(player, POSITION)
        player.choose("Pass", "Pass")
        assert player.page.header.left == "Shared: Adso + William"
        assert player.page.note == "1. Adso and William 0\ntied at 0; nobody holds the marker (SG-7.2)"

    def test_what_now(self, player, ended):
        read_result(player)
        assert player.items == [
            "To confirm: Adso, William",
            "Rematch",
            "Why these points?",
            "Steps",
            "Undo",
            "Home",
        ]
        player.choose("Steps")
        assert player.items[0] == "3 Adso: passes"
        player.back()
        player.back()
        assert isinstance(player.page, TablePage)

    def test_a_rematch_lets_the_other_start(self, player):
        start(player, start=1, level=Level.TABLE, options=(("donazione", "must"),))
        player.choose("8", "6", "10", "9")
        assert player.page.header.left == "William"
        player.choose("Pass", "Pass")
        read_result(player)
        player.choose("Rematch")
        setup = player.box.library.referee.replay.header.setup
        assert setup == Setup(2, 0, (("donazione", "must"),), Level.TABLE)
        assert player.page.prompt == "Turned up? 4 left"
        player.choose("8", "6", "10", "9")
        assert player.page.header.left == "Adso"
        assert len(player.box.library.list_past()) == 2


def test_a_long_call_is_noted_and_stays_until_ok(player, match):
    player.choose("Purchase")
    player.key(Holding(Key.CALL, 0.5))
    assert player.notice == "Hold to call the referee"
    player.call()
    assert player.page.header.left.startswith("Called")
    assert [(record.kind, record.payload) for record in match.replay.log] == [(Kind.RULING, "call")]
    player.later(3_600_000)
    assert player.page.header.left.startswith("Called")
    player.ok()
    player.choose("it is settled")
    assert payloads(match) == ["call", "answered"]
    assert player.page.header.left.startswith("Adso: ")


class TestMessages:
    def test_an_urgent_one_hides_the_page_so_keys_do_not_act_on_it(self, player, match):
        player.box.toast("mind the card", urgent=True)
        player.ok()
        player.turn(2)
        assert player.notice == "mind the card"
        player.later(1000)
        player.ok()
        assert player.notice is None
        assert player.page.prompt == "Your action?"
        assert player.page.index == 0

    @pytest.mark.parametrize("urgent", [False, True])
    def test_one_that_is_too_long_is_a_page_to_read(self, player, match, urgent):
        long = (
            "Bartholomea and Wilhelmina say no: the score stays as it is until all agree, and is asked again"
        )
        player.box.toast(long, urgent=urgent)
        assert player.notice is None
        assert (player.page.header.left, player.page.text) == ("Please note", long)


TOLD, FIRST = "castles_of_tuscany_two_told", 60
"""So many of the steps that tell of a copy are entered by keys."""
LAST = 12
"""Of every match people enter so many steps by keys, to its end."""


@pytest.mark.parametrize("path", RECORDED)
def test_every_recorded_match_can_be_played_by_keys(player, table, ticks, path):
    name = path.stem
    file = matchfile.read(path.read_text("utf-8"), name)
    last = soak(10_000, LAST) if name in NIGHTLY else LAST
    first, begun = FIRST if name == TOLD else 0, max(len(file.steps) - last, 0)
    player.box.play(table.open_match(Header(file.game, file.names, file.setup)))
    pilot = Pilot(player.box)
    for at, step in enumerate(file.steps):
        if first <= at < begun:
            enter(table.referee, [step])
            continue
        ticks.now += 10_000
        pilot.enter(step)
        player.written()
    assert table.referee.replay.match.points == matchfile.play(file).points
    played = table.referee.replay.match
    assert (tuple(played.steps), matchfile.result(played)) == (file.steps, file.result)
    assert "won by" in file.result
    assert player.page.header.left == f"{file.names[SEATS.index(file.result[-1])]} wins"


def test_tracks_beside_the_score_stand_on_its_page(table, ticks, toy):
    player = Player(a_box(table, ticks), ticks)
    player.open(toy, position="2 2r3g b 1,1 odd,odd")
    table.referee.step("1r", channel="keys")
    assert player.page.rows == (("Guesses", "2", "2"), ("Rests left", "1", "0"))
    assert player.page.note.endswith("tied at 2; Adso may still rest (T-5)")
