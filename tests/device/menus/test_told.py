"""What the box tells: what was recorded, what hands do now, what all must know; and an OK too many."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import engines
from device.keys import Hold, Key, Press, Turn
from device.match import KEYS, list_undoable
from device.match.journal import JournalFull
from device.match.replay import Header as MatchHeader
from device.match.rulings import Adjust, Amend, Insert, Rollback, Strike
from device.match.standings import list_scores
from device.menus import MOMENT_MS, READ_MS
from device.menus.play import Play
from device.menus.telling import LEAST_MS, PLAIN_MS, URGENT_MS, HeardUpTo, Message, Messages, find_tidings
from device.screen import HeaderMark, ListPage, PageHeader, TextPage, text_lines
from device.screen.pixels import pages_of
from device.texts import Texts
from engines import matchfile
from engines.castles_of_tuscany.scoring import green
from engines.contract import Setup
from engines.match import Step
from engines.words import Words, score_line
from tests.device.conftest import MATCHES, NAMES, Ticks, a_box
from tests.device.games import enter as play_on
from tests.device.player import Player
from tests.engines.walks import seed

OK = Press(Key.OK)
CONSPIRACY = "market=6,8 hand.a=10,10,10 hand.b=?5 b=7x3,9x4 marker=b"
OWN = "Adso: It ends if William passes too."
PASSED = "Adso: passes. It ends if William passes too."


@pytest.fixture
def toy_box(table, ticks, toy):
    """Odds and beans: sealed guesses, what came out of the bag, points, and a last round."""
    box = a_box(table, ticks)
    box.open(MatchHeader(toy, NAMES, Setup()))
    return box


@pytest.fixture
def walled(box):
    """San Gimignano, Adso to choose his action."""
    position = "market=6,8,8,9 hand.a=?5 hand.b=?5"
    box.open(MatchHeader("san_gimignano", NAMES, Setup(position=position)))
    return box


def enter(box, *texts):
    """Steps from elsewhere, each made by whoever is asked first."""
    for text in texts:
        pending = box.door.referee.replay.match.pending
        box.door.step(text, seat=getattr(pending, "seats", (None,))[0], source=KEYS)


def almost_pass(box, ticks):
    """Adso is about to pass: one OK is left."""
    Player(box, ticks).go("Pass")
    box.key(OK)
    box.key(Turn(-1))


def told(box):
    """Return what is told now, in the page or on one of its own."""
    return Player(box, None).told


def test_what_was_recorded_stands_above_the_next_question(walled):
    walled.door.rule(Adjust(1, -3, "slow play"), source=KEYS)
    page = walled.page()
    assert isinstance(page, ListPage)
    assert (page.header.left, page.told, pages_of(page)) == ("Adso", "William: -3 by hand (slow play)", 1)
    walled.key(Turn(1))
    assert walled.page().told == ""
    assert walled.page().index == 1


def test_what_a_player_chose_is_not_told_again_and_a_long_back_shows_it_whole(walled, ticks):
    """Only what hands do; after whose turn that was, since somebody else is asked now."""
    almost_pass(walled, ticks)
    ticks.now += MOMENT_MS
    walled.key(OK)
    page = walled.page()
    assert (page.header.left, page.told, pages_of(page)) == ("William", OWN, 1)
    menu = Player(walled, ticks).menu()
    assert (menu.items[0], menu.index) == (PASSED, 0)
    assert Player(walled, ticks).ok().text == PASSED


def test_no_player_is_named_before_what_all_do(table):
    """The turn has passed on, but the round is everybody's."""
    file = matchfile.read((MATCHES / "torres_two.match").read_text("utf-8"))
    words = Words(Texts.load("en", "torres"), engines.game("torres"), NAMES)
    referee, told = table.open_match(MatchHeader("torres", file.names, file.setup)), []
    for step in file.steps:
        since = HeardUpTo.of(referee.replay)
        play_on(referee, [step])
        now = HeardUpTo.of(referee.replay)
        told += find_tidings(words, since, now, [words.made(now.match, len(now.lines) - 1)]).sentences
    assert {text for text in told if "Round" in text.partition(".")[0]} == {"Round 2 of 4.", "Round 3 of 4."}


def test_a_step_with_nothing_for_hands_is_followed_by_the_question_alone(walled, ticks):
    Player(walled, ticks).choose("Purchase", "market 6", "deck")
    assert walled.door.referee.replay.match.steps == [Step(0, "P m6 d")]
    assert (told(walled), type(walled.page())) == ("", ListPage)
    assert walled.last_news == "Adso: takes 6 from the market and a card from the deck"


def test_it_holds_while_it_is_saved_and_is_not_called_recorded(walled, disk, ticks):
    disk.hold()
    enter(walled, "pass")
    assert (told(walled), walled.page().header.mark) == (PASSED, HeaderMark.SAVING)
    disk.go_on()
    walled.door.referee.wait(30)
    assert (told(walled), walled.page().header.mark) == (PASSED, HeaderMark.RECORDED)


def test_of_what_was_lost_nothing_is_told(walled, disk):
    disk.fail(JournalFull("/x: no room"))
    enter(walled, "pass")
    walled.door.referee.wait(30)
    disk.mend()
    walled.stack.pop()
    assert told(walled) == ""
    walled.door.referee.retry()
    assert told(walled) == PASSED


def test_sealed_choices_are_told_once_all_are_open(toy_box):
    enter(toy_box, "odd")
    assert told(toy_box) == "Adso: (sealed)"
    enter(toy_box, "even")
    assert told(toy_box) == "Adso: (sealed). Adso: odd. William: even"


class TestNews:
    @pytest.fixture
    def last_round(self, toy_box):
        enter(toy_box, "odd", "even", "1r", "odd", "even", "1r")
        return toy_box

    def test_it_stays_until_ok(self, last_round, ticks):
        for event in (Turn(1), Turn(-1), Hold(Key.BACK), Press(Key.BACK)):
            last_round.key(event)
            while not isinstance(last_round.stack[-1], Play):
                last_round.pop()
            ticks.now += 10_000
            assert told(last_round).endswith("The last round begins.")
        for _ in range(pages_of(page := last_round.page())):
            assert told(last_round)
            assert page.until_ok
            assert text_lines(page)[-1] == "[OK]"
            last_round.key(OK)
        assert told(last_round) == ""
        last_round.door.rule(Rollback(last_round.door.referee.replay.history[3].seq), source=KEYS)
        assert told(last_round) == "Taken back: 3 entries", "which is no news"


class TestWhatPeopleRule:
    def test_an_undo_is_told_and_a_redo_as_the_step(self, walled, ticks):
        player = Player(walled, ticks)
        enter(walled, "pass")
        for what in ("Taken back: Adso: passes", PASSED):
            walled.key(Press(Key.UNDO))
            player.page  # noqa: B018 – it is looked at
            ticks.now += MOMENT_MS
            walled.key(OK)
            assert told(walled) == what

    def test_an_undo_fits_into_the_next_question_and_a_long_back_shows_what_hands_move(self, walled):
        enter(walled, "B 8-10")
        walled.door.undo(list_undoable(walled.door.referee.replay)[0], source=KEYS)
        assert isinstance(walled.page(), ListPage)
        assert told(walled) == "Taken back: Adso: builds 8-10"
        moved = "remove 10, 9, 8 from Adso, Tower; add 3 × unseen to Adso, Hand"
        assert walled.last_news.startswith("Taken back: Adso: builds 8-10. On the table: ")
        assert walled.last_news.endswith(moved)

    def test_a_correction_tells_what_hands_move_then(self, walled):
        """Only what is otherwise: not what lies in the other hand."""
        enter(walled, "pass", "P d d")
        walled.door.rule(Amend(1, "P m6 d"), source=KEYS)
        moved = "move 6 from Market to Adso, Hand; move unseen from Deck to Adso, Hand"
        assert told(walled).endswith(f"On the table: {moved}")

    def test_a_correction_tells_the_spaces_of_what_hands_move(self, box):
        box.open(MatchHeader("torres", NAMES, Setup()))
        enter(box, "E d1", "E a5", "K h4", "B d2", "M d1-c1")
        walled_in = box.door.referee.replay.log[3].seq
        box.door.rule(Amend(walled_in, "B d3"), source=KEYS)
        assert "On the table: move block from d2 to d3\n" in told(box)

    def test_a_correction_tells_each_of_its_entries_by_what_happened_to_it(self, box):
        box.open(MatchHeader("torres", NAMES, Setup()))
        enter(box, "E d1", "E a5", "K h4", "B d2", "B c1", "M d1-c1")
        numbers = [line.seq for line in box.door.referee.replay.history]
        edits = (
            Strike(numbers[3]),
            Amend(numbers[4], "B e1"),
            Amend(numbers[5], "M d1-e1"),
            Insert(numbers[4], 0, "B d3"),
        )
        box.door.rule(*edits, source=KEYS)
        assert told(box).startswith(
            "Dropped: Adso: block on d2, 1 high. "
            "Added: Adso: block on d3, 1 high. "
            "Corrected: Adso: block on e1, 1 high. "
            "Corrected: Adso: knight d1 to e1, 1 point. On the table:"
        )
        Player(box, Ticks()).page  # noqa: B018 – it is read
        box.door.undo(list_undoable(box.door.referee.replay)[-1], source=KEYS)
        assert "Taken back: Adso: block on d3, 1 high. Counts again: Adso: block on d2, 1 high." in told(box)

    def test_the_last_entry_is_dropped_and_not_taken_back(self, walled):
        enter(walled, "pass")
        walled.door.rule(Strike(walled.door.referee.replay.history[0].seq), source=KEYS)
        assert told(walled).startswith("Dropped: Adso: passes")

    def test_entries_that_count_again_are_told_by_their_number_and_the_table(self, box):
        box.open(MatchHeader("torres", NAMES, Setup()))
        enter(box, "E d1", "E a5", "K h4", "B d2", "B e1", "B c1", "M d1-e1")
        box.door.rule(Rollback(box.door.referee.replay.history[3].seq), source=KEYS)
        assert told(box).startswith("Taken back: 4 entries. On the table: ")
        box.door.undo(list_undoable(box.door.referee.replay)[-1], source=KEYS)
        assert told(box).startswith("Count again: 4 entries. On the table: ")


class TestOutOfTurn:
    def test_what_a_question_is_about_stands_above_it(self, box):
        box.open(MatchHeader("san_gimignano", NAMES, Setup(position=CONSPIRACY)))
        enter(box, "B 10x3")
        assert box.page().told == "Adso: builds 10 × 3"
        box.key(Turn(1))
        assert box.page().told == "10 × 3 destroys William's 7 × 3."

    @pytest.mark.parametrize("game", ["marrakesh", "castles_of_tuscany"])
    def test_what_it_is_about_leaves_room_for_question_and_answer(self, game):
        """For names of eight letters, and questions of a line."""
        texts, figures = Texts.load("en", game), {"seat": "Player B", "n": 12, "colour": "turquoise"}
        page = ListPage(PageHeader("Player B"), "Which?", ("one",), 0)
        long = [
            key
            for key in texts
            if key.startswith("about.")
            and pages_of(replace(page, told=texts(key, **figures | {"pile": "middle", "board": "A2"}))) > 1
        ]
        assert long == []

    def test_an_answer_that_only_leads_on_is_told_by_what_the_next_is_asked_about(self, box):
        """No page of its own then, which would take an OK."""
        box.open(MatchHeader("san_gimignano", NAMES, Setup(position=CONSPIRACY)))
        enter(box, "B 10x3")
        box.key(Turn(1))
        enter(box, "use")
        page = box.page()
        assert isinstance(page, ListPage)
        assert (page.header.left, page.told) == ("William", "Adso destroys 7 × 3. A 5 stops it.")
        box.key(Turn(1))
        enter(box, "allow")
        assert told(box).startswith("William: lets Adso's 10s destroy 7 × 3.")


def test_an_ok_right_after_a_text_does_nothing_to_the_question(walled, ticks):
    """Who reads on with OK answers nothing."""
    walled.door.rule(Adjust(1, -3, "slow play " * 7), source=KEYS)
    for _ in range(2):
        assert isinstance(walled.page(), TextPage)
        walled.key(OK)
    page = walled.page()
    assert isinstance(page, ListPage)
    ticks.now += READ_MS - 1
    walled.key(OK)
    assert walled.page() == page
    ticks.now += 1
    walled.key(OK)
    assert walled.page() != page


def test_after_an_absence_it_is_told_whose_turn_it_is_and_what_was_last(walled, table, ticks):
    enter(walled, "pass")
    assert told(a_box(table, ticks)) == "Adso: passes. William to move"


def test_after_a_restart_the_first_ok_only_dismisses_what_is_told(walled, table, ticks):
    enter(walled, "pass")
    box = a_box(table, ticks)
    question = box.page()
    assert isinstance(question, ListPage)
    box.key(OK)
    ticks.now += READ_MS - 1
    box.key(OK)
    assert box.page() == replace(question, told="")
    ticks.now += 1
    box.key(OK)
    assert box.page() != replace(question, told="")


def test_the_header_shows_the_track_that_moves(box):
    """The green one of The Castles of Tuscany; at the end the score."""
    file = matchfile.read((MATCHES / "castles_of_tuscany_two.match").read_text("utf-8"))
    box.open(MatchHeader(file.game, file.names, file.setup))
    replay, shown = box.library.referee.replay, set()
    play_on(box.library.referee, file.steps[:-30])
    for step in file.steps[-30:]:
        box.door.step(step.text, seat=step.seat, source=KEYS)
        greens = [green(replay.match.state, seat) for seat in (0, 1)]
        named = "Green " * (not replay.over)
        assert box.header().right == named + score_line(file.names, greens if named else list_scores(replay))
        assert box.header().own.startswith(named)
        shown.add(box.header().right)
    assert len(shown) > 3
    assert replay.over


def test_whatever_is_pressed_each_record_is_told_and_the_same_press_again_makes_none(walled, ticks):
    """Random keys: a long Back would show the words, and an OK at once records nothing."""
    rng, referee, view = Random(seed()), walled.door.referee, walled.stack[-1]
    recorded = 0
    for _ in range(400):
        if not isinstance(walled.stack[-1], Play):
            walled.show_match()
        ticks.now += MOMENT_MS
        head, made = referee.head, len(view.match.steps)
        walled.key(rng.choice([OK, OK, Turn(1), Turn(-1)]))
        if referee.head == head:
            continue
        recorded += 1
        walled.key(OK)
        assert referee.head == head + 1 or view.over
        assert view.words.made(view.match, made) in walled.last_news
        if view.over:
            break
    assert recorded


A, B = Message("a"), Message("b")
URGENT = Message("u", urgent=True)


@pytest.fixture
def messages(ticks):
    return Messages(ticks)


def test_a_message_stays_its_time_and_goes(messages, ticks):
    assert (messages.shown, messages.due_ms()) == (None, None)
    for _ in range(3):  # the same is said once
        messages.say("a")
        ticks.now += 300
    assert (messages.shown, messages.due_ms()) == (A, PLAIN_MS - 900)
    ticks.now += PLAIN_MS - 901
    assert (messages.shown, messages.due_ms()) == (A, 1)
    ticks.now += 1
    assert (messages.shown, messages.due_ms()) == (None, None)


def test_a_key_takes_a_plain_one_away_and_does_what_it_says(messages):
    messages.say("a")
    messages.say("b")
    assert not messages.take_key()
    assert messages.shown == B
    assert not messages.take_key()
    assert messages.shown is None
    assert not messages.take_key()


def test_an_urgent_one_replaces_plain_ones_and_a_key_answers_it_and_does_nothing_else(messages, ticks):
    messages.say("a")
    messages.say("b")
    messages.say("u", urgent=True)
    assert (messages.shown, messages.due_ms()) == (URGENT, URGENT_MS)
    assert messages.take_key()
    assert messages.shown == URGENT
    ticks.now += LEAST_MS
    assert messages.take_key()
    assert messages.shown is None
    messages.say("u", urgent=True)
    ticks.now += URGENT_MS
    assert messages.shown is None


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(0, 5000)), max_size=20))
def test_none_goes_before_its_time_unless_for_a_more_urgent_one(said):
    ticks = Ticks()
    messages = Messages(ticks)
    since, shown = 0.0, None
    for text, urgent, pause in said:
        messages.say(text, urgent=urgent)
        for _ in range(pause // 50 + 1):
            now = messages.shown
            if now != shown:
                early = shown is not None and ticks.now - since < shown.stays_ms
                assert not early or (now is not None and now.urgent and not shown.urgent)
                since, shown = ticks.now, now
            ticks.now += 50
    ticks.now += 1_000_000
    assert messages.shown is None


def test_what_was_read_again_is_withdrawn_and_nothing_else(messages, ticks):
    for text, about in (("a", "tray"), ("b", ""), ("c", "tray"), ("d", "board")):
        messages.say(text, about=about)
    ticks.now += 100
    messages.withdraw("")
    assert messages.shown.text == "a"
    messages.withdraw("tray")
    assert (messages.shown, messages.due_ms()) == (B, PLAIN_MS)
    messages.withdraw("tray")
    ticks.now += PLAIN_MS
    assert messages.shown.text == "d"


def test_a_phase_of_torres_begins_on_one_screen():
    words = Words(Texts.load("en", "torres"), engines.game("torres"), ("Player A", "Player B"))
    for key in ("phase", "last_phase"):
        dealt, news = (
            words("hands_of_all.dealt", stacks="3-3-3-3"),
            words(f"news.{key}", n=2, rounds=4, seat=0),
        )
        assert pages_of(TextPage(PageHeader(), f"{dealt}\n{news}", until_ok=True)) == 1
