"""The match on the screen: steps put together key by key, stepping back, undo, the menu, the end."""

import pytest
from msgspec.structs import replace

from device.bench.presses import Pilot
from device.keys.cues import Cue
from device.keys.events import Hold, Holding, Key, Press
from device.match.correction import undoable
from device.match.door import MatchDoor
from device.match.journal import read
from device.match.records import Kind
from device.match.replay import Header
from device.match.rulings import Abandon, Adjust, Amend, Insert, Rollback, Strike
from device.menus import Box
from device.screen.pages import HeaderMark, ListPage, NoticePage, TablePage, WheelPage
from device.screen.pixels import pages_of
from engines import matchfile
from engines.contract import SEATS, Level, Setup
from tests.device.conftest import NAMES
from tests.device.games import FULL, PLAYED, enter, game_steps, replayed
from tests.device.player import Player
from tests.engines.marrakesh.lines import setup, turn
from tests.engines.walks import seed, soak
from tests.recorded import NIGHTLY, RECORDED

DAILY = {"must", "table"}
"""Random matches of every day: longer games are played by keys as they were recorded."""

POSITION = "market=6,8,8,9 hand.a=?5 hand.b=?5"


def start(player, position="", **setup):
    """Open a match at a position, Adso to move unless it says otherwise."""
    player.box.open(Header("san_gimignano", NAMES, Setup(position=position, **setup)))
    return player.box.library.referee


@pytest.fixture
def match(player):
    """Adso is asked for an action; nobody's cards are known."""
    return start(player, POSITION)


def payloads(referee):
    return [record.payload for record in referee.replay.log]


def read_result(player):
    """To the menu of the end."""
    player.ok(player.box.pages(player.page))


class TestAStep:
    def test_ok_by_ok(self, player, match):
        assert (player.page.header.left, player.page.prompt) == ("Adso", "Your action?")
        assert player.items == ["Purchase", "Exchange", "Build", "Extend", "Complete", "Close", "Pass"]
        assert player.page.grey == (3, 4, 5)
        player.choose("Purchase")
        assert (player.page.header.left[:6], player.page.prompt) == ("Adso: ", "Take from? 2 left")
        assert player.items == ["deck", "market 6", "market 8", "market 9", "not listed…"]
        player.choose("market 8")
        assert (player.page.header.left[:6], player.page.prompt) == ("Adso: ", "Take from? 1 left")
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

    def test_a_wheel_ends_with_not_listed(self, player, match):
        player.choose("Exchange")
        assert isinstance(player.page, WheelPage)
        assert player.items == ["5", "6", "7", "8", "9", "10", "not listed…"]

    def test_a_long_step_leaves_room_for_whose_turn_it_is(self, player):
        start(player, level=Level.SCORE)
        for rank in (5, 6, 7):
            player.choose(f"plain {rank}", "3 storeys", "completed")
        assert player.page.header.left.startswith("Table")
        assert player.page.prompt == "Tower of Adso?"

    def test_the_cursor_comes_to_the_other_player_s_tower_first(self, player):
        start(player, "market=6,8 hand.a=10,10,10,?2 hand.b=?1 a=7x3 b=8x3 marker=a")
        player.choose("Build", "plain 10", "3 storeys")
        player.later()
        player.choose("use the donazione")
        assert player.page.prompt == "Destroy which tower?"
        assert "William" in player.page.items[player.page.index]

    def test_the_score_level_by_keys(self, player):
        """SG-8.6, the worked example of the sheet."""
        referee = start(player, level=Level.SCORE)
        player.choose("5-9", "not completed")
        player.choose("plain 6", "3 storeys", "completed")
        player.choose("plain 8", "3 storeys", "completed")
        player.choose("plain 9", "3 storeys", "not completed")
        player.choose("plain 10", "3 storeys", "completed")
        player.choose("no more")
        assert player.page.prompt == "Tower of William?"
        player.choose("6-8", "completed")
        player.choose("6-10", "completed")
        player.choose("7-9", "completed")
        player.choose("plain 7", "completed")  # no more than three are left
        player.choose("no more", "Adso")
        assert isinstance(player.page, TablePage)
        assert (player.page.header.left, player.page.totals) == ("William wins", ("63", "66"))
        assert player.page.rows == (
            ("Completed", "15", "20"),
            ("Blessing 7", "0", "6"),
            ("Plain", "33", "7"),
            ("Colourful", "5", "33"),
            ("Highest", "10", "0"),
        )
        assert payloads(referee)[-1] == "over counted"


class TestSteppingBack:
    def test_choice_by_choice_and_no_record(self, player, match):
        player.choose("Purchase", "market 8")
        player.back()
        assert (player.page.header.left[:6], player.page.prompt) == ("Adso: ", "Take from? 2 left")
        assert player.page.items[player.page.index] == "market 8"
        player.back()
        assert (player.page.header.left, player.page.prompt) == ("Adso", "Your action?")
        assert player.page.items[player.page.index] == "Purchase"
        player.back()
        assert player.notice == "Hold Back for the menu"
        assert match.replay.log == []

    def test_over_levels_with_one_choice_at_once(self, player):
        """Only the 6 can be extended, and one card fits: the draw is asked next."""
        referee = start(player, "market=7,8 hand.a=6,9 hand.b=?5 a=6x3 marker=a")
        player.choose("Extend")
        assert (player.page.header.left[:4], player.page.prompt) == ("Adso", "Take from? 1 left")
        player.back()
        assert player.page.prompt == "Your action?"
        assert player.page.items[player.page.index] == "Extend"
        player.back()
        assert referee.replay.log == []

    def test_every_step_can_be_left_at_every_level(self, player):
        """Each time back to the start, with nothing recorded, and on as if nothing had been."""
        referee = start(player)
        pilot, view = Pilot(player.box), player.box.stack[-1]
        deepest = 0
        for step in game_steps(seed())[:40]:
            head, depth = referee.head, 0
            while referee.head == head:
                depth += 1
                for event in pilot.events(step):
                    player.later()
                    player.key(event)
                    if len(view.drafts) > depth:
                        break
                if referee.head == head:
                    assert len(view.drafts) == depth + 1
                    for _ in range(depth):
                        player.back()
                    assert (len(view.drafts), view.question.state) == (1, referee.replay.match.state)
            assert referee.replay.match.steps[-1] == step
            deepest = max(deepest, depth)
        assert deepest > 4


class TestTheRecord:
    def test_the_mark_follows_the_disk(self, player, match, disk):
        assert player.page.header.mark is HeaderMark.NONE
        disk.hold()
        player.choose("Pass")
        assert player.page.header.mark is HeaderMark.SAVING
        assert "[SAVING…]" in player.text
        disk.go_on()
        player.written()
        assert player.page.header.mark is HeaderMark.RECORDED
        assert [record.payload for record in read(match.path).records] == ["pass"]

    def test_play_goes_on_while_the_card_is_slow(self, player, match, disk):
        disk.hold()
        player.choose("Pass", "Purchase", "deck", "deck")
        assert player.page.header.left == "Adso"
        assert player.page.header.mark is HeaderMark.SAVING
        disk.go_on()
        player.written()
        assert payloads(match) == ["pass", "P d d"]

    def test_what_is_heard(self, player, match):
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

    def test_a_page_is_drawn_anew_after_every_key_and_every_change(self, player, match):
        drawn = []
        player.box.on_page = lambda: drawn.append(player.box.page())
        player.turn(1)
        assert drawn[-1].index == 1
        match.step("P d d", seat=0, channel="line:x#1")
        assert drawn[-1].header.left == "William"


class TestAStepFromElsewhere:
    def test_it_drops_what_was_begun_and_says_so(self, player, match):
        player.choose("Purchase", "market 8")
        match.step("pass", seat=0, channel="line:pad#1")
        assert player.notice == "Entered elsewhere meanwhile"
        player.later()
        assert (player.page.header.left, player.page.prompt) == ("William", "Your action?")
        player.back()
        assert payloads(match) == ["pass"]

    def test_what_is_ruled_here_is_told_and_is_no_elsewhere(self, player, match):
        player.choose("Build", "8-10", "Purchase", "market 8")
        match.rule(Amend(1, "B 5-7"), channel="keys", by="ab")
        assert player.told.startswith("Corrected: Adso: builds 5-7. On the table: ")
        assert player.notice is None
        player.later()
        assert (player.page.header.left, player.page.prompt) == ("William", "Your action?")

    def test_a_remark_drops_nothing(self, player, match):
        player.choose("Purchase", "market 8")
        match.note("call", channel="line:pad#1")
        assert player.notice is None
        assert player.page.header.left.startswith("Adso: ")


FURTHER = ["Correct an entry", "Go back", "No, leave it"]


class TestUndo:
    def test_it_says_what_and_asks(self, player, match):
        player.choose("Build", "8-10")
        player.undo()
        made = player.box.stack[1].words.made(match.replay.match, 0)
        assert player.page.header.left == "Undo"
        assert player.items == [f"Take back – {made}", "Put back", *FURTHER]
        assert (player.page.index, player.page.grey) == (0, (1,))
        player.choose("No, leave it")
        assert payloads(match) == ["B 8-10"]
        player.undo()
        player.ok()
        assert payloads(match) == ["B 8-10", "undo 1"]
        assert player.page.header.left == "Adso"
        assert player.page.prompt == "Your action?"

    def test_an_undo_can_be_undone(self, player, match):
        player.choose("Build", "8-10")
        player.undo()
        player.ok()
        player.undo()
        would = player.box.stack[1].words.would(match.replay.match, 0, "B 8-10")
        assert player.items == ["Take back the last entry", f"Put back – {would}", *FURTHER]
        assert (player.page.index, player.page.grey) == (1, (0, 2, 3))
        player.ok()
        assert payloads(match) == ["B 8-10", "undo 1", "undo 2"]
        assert player.page.header.left == "William"

    def test_what_was_seen_is_not_taken_back(self, player, match):
        player.choose("Purchase", "deck", "deck")
        player.undo()
        assert player.items == ["Take back the last entry", "Put back", *FURTHER]
        assert (player.page.index, player.page.grey) == (2, (0, 1))
        player.choose("Take back")
        made = player.box.stack[1].words.made(match.replay.match, 0)
        assert player.page.text.startswith(f"{made}. Adso has seen hidden cards")

    def test_what_the_table_showed_is_not_taken_back(self, player):
        start(player)
        player.choose("8", "6", "10", "9")
        player.undo()
        player.choose("Take back")
        assert player.page.text.startswith("Table: ")
        assert "The table has shown it, so it is not taken back." in player.page.text

    def test_nothing(self, player, match):
        player.undo()
        assert (player.page.index, player.page.grey) == (4, (0, 1, 2, 3))
        player.choose("Take back")
        assert player.page.text == "There is nothing to undo."
        player.back()
        player.choose("Put back")
        assert "nothing to put back" in player.page.text

    def test_not_in_a_match_that_was_given_up(self, player, match):
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
            player.go(label)
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
        assert text == f"Withdraw: Record 1 corrected: {now} (was {built})"
        struck = asked(Strike(1))
        assert struck == ("Withdraw the correction", f"Withdraw: Record 1 struck: {now}")
        match.undo(undoable(match.replay)[-1], channel="keys")
        inserted = asked(Insert(1, 0, "pass"), Insert(1, 1, "B 8-10"))[1].splitlines()
        for line, at, name in zip(inserted, (0, 1), NAMES, strict=True):
            assert line.endswith(f"Inserted before record 1: {words.made(match.replay.match, at)}")
            assert f": {name}: " in line
        (back, text) = asked(Rollback(1))
        assert (back, text) == ("Withdraw going back", f"Withdraw: Back to before record 1 ({now})")

    def test_from_any_page_over_the_match(self, player, match):
        player.choose("Build", "8-10")
        player.menu()
        player.choose("Steps")
        player.undo()
        assert player.page.header.left == "Undo"
        player.back()
        assert player.page.prompt == "Your action?"

    def test_a_step_begun_is_taken_back_first_and_nothing_is_recorded(self, player, match):
        player.choose("Build", "8-10", "Purchase", "market 8")
        player.undo()
        assert player.items == [
            "Take back – your begun step: takes 8 from the market",
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

    def test_undo_pressed_twice_asks_once(self, player, match):
        player.choose("Build", "8-10")
        player.undo()
        player.undo()
        assert payloads(match) == ["B 8-10"]
        player.back()
        assert player.page.prompt == "Your action?"


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

    def test_what_lies_on_the_table_is_said_before_whom(self, player, match):
        player.choose("Build", "8-10")
        player.menu()
        player.choose("On the table")
        said = player.page.text.splitlines()
        assert said[0] == "Adso:"
        assert "Highest marker: marker" in said[: said.index("William:")]
        assert "Tower: 10, 9, 8" in "; ".join(said[: said.index("William:")])
        assert [line.split(":")[0] for line in said[said.index("Table:") + 1 :]] == ["Market", "Deck"]

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
        assert player.page.header.left == "Record 1"
        assert player.page.text.splitlines()[:3:2] == ["Adso: builds 8-10", "keys"]

    def test_a_step_that_was_undone_meanwhile_can_still_be_read(self, player, match):
        player.choose("Build", "8-10", "Pass")
        player.menu()
        player.choose("Steps")
        match.undo(undoable(match.replay)[0], channel="line:pad#1")
        player.choose("2 William", "When and how?")
        assert player.page.text.startswith("William: pass")

    def test_no_steps_yet(self, player, match):
        player.menu()
        player.choose("Steps")
        assert player.page.text == "Nothing has been entered yet."

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

    def test_what_parted_level_ones_is_read_after_the_totals(self, player):
        start(player, "market=5 hand.a=?5 hand.b=?5 a=10x3,6x3 b=6x3 marker=b")
        player.choose("Pass", "Pass")
        assert player.page.header.left == "William wins"
        assert player.page.note.splitlines()[2] == "tied at 16; William holds the marker (SG-7.2)"
        screens = player.box.pages(player.page)
        assert screens == player.box.pages(replace(player.page, note="")) + 2
        assert player.turn(screens - 1).page == screens - 1

    def test_ok_turns_the_pages_of_the_result(self, player, ended):
        for page in range(player.box.pages(player.page)):
            assert (type(player.page), player.page.page) == (TablePage, page)
            player.ok()
        assert isinstance(player.page, ListPage)

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
        assert len(player.box.library.past()) == 2


class TestCall:
    def test_a_short_press_says_how(self, player, match):
        player.key(Press(Key.CALL))
        assert player.notice == "Hold Call for the referee"
        assert match.replay.log == []

    def test_a_long_one_is_noted_and_stays_until_ok(self, player, match):
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

    def test_without_a_match_it_still_calls(self, player):
        heard = []
        player.box.on_cue = heard.append
        player.key(Hold(Key.CALL))
        assert heard == [Cue.CALL]
        player.read_all()
        assert player.items[0] == "New match"


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


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(header, id=name, marks=() if name in DAILY else pytest.mark.soak)
        for name, header in PLAYED.items()
    ],
)
def test_any_game_can_be_played_by_keys(player, table, header):
    steps = game_steps(seed() + 1, header.setup, header.game)
    player.box.open(header)
    pilot = Pilot(player.box)
    for step in steps:
        player.later()
        pilot.enter(step)
        assert player.page
        player.written()  # or every page would count what is on its way to the disk anew
    expected = replayed(steps, header.setup, header.game)
    assert table.referee.replay.match.steps == list(steps)
    assert table.referee.replay.match.points == expected.points


WHOLE = {"castles_of_tuscany_two_told"}
LAST = 24
"""Of the others people enter so many steps by keys: most of a San Gimignano, and how a longer match ends."""


@pytest.mark.parametrize("path", RECORDED)
def test_every_recorded_match_can_be_played_by_keys(player, table, ticks, path):
    name = path.stem
    file = matchfile.read(path.read_text("utf-8"), name)
    last = soak(10_000, LAST) if name in NIGHTLY else LAST
    begun = 0 if name in WHOLE else max(len(file.steps) - last, 0)
    enter(table.open_match(Header(file.game, file.names, file.setup)), file.steps[:begun])
    player.box.play(table.referee)
    pilot = Pilot(player.box)
    for step in file.steps[begun:]:
        ticks.now += 10_000
        pilot.enter(step)
        player.written()
    assert table.referee.replay.match.points == matchfile.play(file).points
    played = table.referee.replay.match
    assert (tuple(played.steps), matchfile.result(played)) == (file.steps, file.result)
    assert "won by" in file.result
    assert player.page.header.left == f"{file.names[SEATS.index(file.result[-1])]} wins"


def test_a_box_whose_match_was_opened_elsewhere_shows_it_when_told(table, ticks):
    box = Box(MatchDoor(table), pages=pages_of, strict=True, now_ms=ticks)
    box.play(table.open_match(Header("san_gimignano", NAMES, FULL)))
    assert Player(box, ticks).page.prompt == "Turned up? 4 left"


def test_tracks_beside_the_score_stand_on_its_page(table, ticks, toy):
    player = Player(Box(MatchDoor(table), pages=pages_of, strict=True, now_ms=ticks), ticks)
    player.box.open(Header(toy, NAMES, Setup(position="2 2r3g b 1,1 odd,odd")))
    table.referee.step("1r", channel="keys")
    assert player.page.rows == (("Guesses", "2", "2"), ("Rests left", "1", "0"))
    assert player.page.note.endswith("tied at 2; Adso may still rest (T-5)")
