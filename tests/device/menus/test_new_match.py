"""The form of a new match: as it was last time, for each game with what it needs to know."""

import pytest

import engines
from device.match.door import MatchDoor
from device.match.journal import Journal, JournalFull
from device.match.journal_text import decode, encode
from device.match.library import Library
from device.match.records import strike_names
from device.match.replay import Header
from device.menus import Box
from device.menus.home import Home
from device.menus.new_match import NAME_LENGTH
from device.menus.play import Play
from device.screen import TextPage, WheelPage
from device.screen.pixels import pages_of
from device.texts import Texts
from engines.contract import Level, Setup
from tests.device.conftest import NAMES
from tests.device.games import FULL
from tests.device.player import Player

HEADER = Header("san_gimignano", NAMES, FULL)
FORM = ["START", "another game", "A: Player A", "B: Player B", "First: Player A", "Follow every step"]
FOUR = ("Nella", "Orso", "Pia", "Rocco")


def offered(game_id):
    """The lines of a game's options, those that matter at the defaults of the others."""
    texts, options = Texts.load("en", game_id, strict=True), engines.game(game_id).options
    usual = {one.name: one.values[0] for one in options}
    return [
        f"{texts(f'option.{one.name}')}: {texts(f'option_value.{usual[one.name]}')}"
        for one in options
        if one.matters(usual)
    ]


OPTIONS, TORRES = offered("san_gimignano"), offered("torres")


def spell(player, name):
    """Enter a name letter by letter, without the last OK."""
    for letter in name.upper():
        player.turn(player.page.items.index("␣" if letter == " " else letter) - player.page.index)
        player.ok()
    player.turn(player.page.items.index("done") - player.page.index)


def opened(player):
    """The header of the match on the screen, past what is asked of the copy."""
    for _ in range(12):
        if isinstance(player.box.stack[-1], Play):
            break
        if "Not known yet" in getattr(player.page, "items", ()):
            player.go("Not known yet")
        player.ok()
    return player.box.library.referee.replay.header.asked


class TestTheForm:
    def test_ok_starts_with_everything_filled_in(self, player, table):
        player.choose("New match")
        assert player.page.prompt == "San Gimignano"
        assert player.items == [*FORM, *OPTIONS]
        assert "Donazione: may" in OPTIONS
        player.ok()
        assert isinstance(player.box.stack[-1], Play)
        assert table.referee.replay.header == Header("san_gimignano", ("Player A", "Player B"), FULL)

    def test_every_line_can_be_changed(self, player, table):
        """What it changes is told while the cursor is there."""
        player.choose("New match", "First")
        player.go("Donazione")
        assert player.page.prompt == "Whether a donazione may be declined."
        player.ok()
        player.go("Follow every step")
        assert player.page.prompt == "Every step is entered and checked against the rules."
        player.ok()
        assert player.page.prompt == "Cards drawn unseen are entered as a number only."
        changed = ["First: Player B", "Only public steps", "Donazione: must"]
        assert player.items[4:] == [*changed, *OPTIONS[1:]]
        player.choose("START")
        setup = Setup(2, 1, (("donazione", "must"),), Level.TABLE)
        assert table.referee.replay.header.setup == setup

    def test_a_disk_that_refuses_is_said_and_the_form_is_still_there(self, player, table, monkeypatch):
        def full(*_args, **_more):
            raise JournalFull("/x: no room")

        monkeypatch.setattr(Journal, "create", full)
        player.choose("New match", "First", "START")
        assert isinstance(player.page, TextPage)
        assert "could not be opened: the match cannot be read or written (/x: no room)" in player.read_all()
        assert player.items[4] == "First: Player B"


class TestTorres:
    @pytest.fixture
    def form(self, player):
        """The form of a first match of Torres, where nobody has played yet."""
        player.choose("New match", "another game")
        return player

    def test_two_to_four_seats_and_round_again(self, form):
        for count, names in ((3, "ABC"), (4, "ABCD"), (2, "AB")):
            form.choose(f"{count - 1 if count > 2 else 4} players")
            assert form.items[2 : 3 + count] == [
                f"{count} players",
                *(f"{letter}: Player {letter}" for letter in names),
            ]
            assert form.items[form.page.index] == f"{count} players"

    def test_who_begins_is_among_those_who_sit_down(self, form):
        form.choose("2 players", "3 players", "First", "First", "First")
        assert "First: Player D" in form.items
        form.choose("4 players")
        assert "First: Player B" in form.items
        form.choose("START")
        assert opened(form).setup == Setup(2, 1)

    def test_a_name_taken_off_the_table_comes_back_with_its_seat(self, form, table):
        table.open_match(Header("torres", FOUR, Setup(4)))
        table.leave()
        form.back()
        form.choose("New match", "D:", "New name")
        spell(form, "Ida")
        form.ok()
        form.choose("4 players")
        assert form.items[3:5] == ["A: Nella", "B: Orso"]
        form.choose("2 players", "3 players")
        assert form.items[3:7] == ["A: Nella", "B: Orso", "C: Pia", "D: Ida"]


class TestOptionsThatNeedAnother:
    def test_they_come_and_go_with_it(self, player):
        """What no longer matters is not in the match."""
        player.choose("New match", "another game", "Master rules")
        assert player.items[-2:] == ["Master rules: yes", "Master cards: no"]
        assert player.items[player.page.index] == "Master rules: yes"
        player.choose("Master cards", "Master rules")
        assert player.items[-1] == "Master rules: no"
        player.choose("START")
        assert opened(player).setup == Setup()


class TestAsLastTime:
    def again(self, table, ticks):
        """The form of the next match, on a box that was switched off meanwhile."""
        table.leave()
        player = Player(
            Box(
                MatchDoor(Library(table.state_dir, stamp=table.stamp)),
                pages=pages_of,
                strict=True,
                now_ms=ticks,
            ),
            ticks,
        )
        return player.choose("New match") and player

    def test_two_presses_play_the_same_again(self, table, ticks):
        setup = Setup(4, 2, (("doors", "descend"), ("master", "yes")), Level.FULL)
        table.open_match(Header("torres", FOUR, setup))
        player = self.again(table, ticks)
        assert player.page.prompt == "Torres"
        assert player.page.index == 0
        player.ok()
        assert opened(player) == Header("torres", FOUR, setup)
        player.box.library.leave()

    def test_another_game_keeps_the_number_of_players(self, table, ticks):
        """Through a game that does not seat so many, too; and no name is there twice."""
        table.open_match(Header("torres", ("Player C", "Player D", "Pia"), Setup(3)))
        player = self.again(table, ticks)
        for _ in engines.GAMES:
            player.choose("another game")
            form = player.box.stack[-1]
            assert form.seats == min(3, max(engines.game(form.game).seats))
        player.choose("3 players")
        assert player.items[3:7] == ["A: Player C", "B: Player D", "C: Pia", "D: Player A"]

    def test_a_judge_rules_again_while_the_box_has_a_pin(self, table, ticks):
        table.open_match(Header("san_gimignano", NAMES, FULL, refereed=True))
        player = self.again(table, ticks)
        assert not any("rules" in line or "rule" in line for line in player.items)
        player.ok()
        assert not opened(player).refereed
        player.box.library.open_match(Header("san_gimignano", NAMES, FULL, refereed=True))
        player.box.judge.set("2468")
        player.box.go_home()
        player.choose("New match")
        assert player.items[-1] == "A judge rules: PIN"
        player.box.library.leave()

    def test_only_what_people_asked_for_is_kept(self, tmp_path):
        table, header = Library(tmp_path, simulated=True), Header("torres", FOUR, Setup(4, 1))
        opened = table.open_match(header).replay.header
        assert (opened.simulated, bool(opened.setup.facts)) == (True, True)
        assert table.find_last_asked() == table.find_last_asked("torres") == header
        assert table.find_last_asked("san_gimignano") is None
        table.leave()

    def fields(self, **changed):
        return Header("torres", NAMES, Setup(2)).write() | changed

    def played(self, table, moment, fields):
        path = table.matches / f"{moment}-{fields['game']}-adso.podesta"
        Journal.create(path, fields, table.stamp).close()
        return path

    @pytest.mark.parametrize(
        "kept", [{"game": "torres"}, fields(None, level="every"), fields(None, start="x")]
    )
    def test_what_cannot_be_read_is_left_out(self, table, ticks, kept):
        self.played(table, "20261120-195541", kept)
        assert self.again(table, ticks).items == [*FORM, *OPTIONS]

    def test_what_was_damaged_or_had_a_name_that_was_struck_is_left_out(self, table, ticks):
        path = self.played(table, "20261120-195541", self.fields())
        sound = path.read_bytes()
        path.write_bytes(sound[1:])
        assert self.again(table, ticks).items == [*FORM, *OPTIONS]
        path.write_bytes(encode(strike_names(decode(sound).header, "b")))
        assert self.again(table, ticks).items == [*FORM, *OPTIONS]

    def test_what_another_version_kept_is_left_out_piece_by_piece(self, table, ticks):
        fields = self.fields(**{"option.doors": "ajar", "option.cellar": "yes", "option.master": "yes"})
        fields |= {"level": "table", "start": "b", "seat.e": "Pia"}
        self.played(table, "20261120-195541", fields)
        self.played(table, "20261121-195541", self.fields(game="backgammon"))
        player = self.again(table, ticks)
        assert player.page.prompt == "San Gimignano"
        player.choose("another game")
        assert player.items[2:7] == [
            *("2 players", "A: Adso", "B: William", "First: William", "Follow every step"),
        ]
        assert player.items[7:9] == TORRES[:2]
        player.choose("START")
        assert opened(player).setup == Setup(2, 1, (("master", "yes"),))


class TestNames:
    def test_a_new_name_letter_by_letter(self, player, table):
        player.choose("New match", "A:")
        assert isinstance(player.page, WheelPage)
        spell(player, "adso da-m")
        assert player.page.prompt == "Adso Da-m_"
        player.ok()
        assert player.items[2] == "A: Adso Da-m"
        player.choose("START")
        assert table.referee.replay.names == ("Adso Da-m", "Player B")

    def test_back_and_undo_take_letters_and_back_then_leaves(self, player):
        player.choose("New match", "A:")
        spell(player, "ab")
        player.undo()
        assert player.page.prompt == "A_"
        player.back()
        assert player.page.prompt == "_"
        player.undo()
        assert player.notice == "There is nothing to undo."
        player.later()
        player.turn(player.page.items.index("A") - player.page.index)
        player.ok(NAME_LENGTH + 3)
        assert player.page.prompt == "A" + "a" * (NAME_LENGTH - 1) + "_", "it ends where it fits no more"
        for _ in range(NAME_LENGTH + 1):
            player.back()
        assert player.items[0] == "START"
        player.back()
        assert isinstance(player.box.stack[-1], Home)

    def test_known_names_are_listed_and_two_can_swap(self, player, table):
        table.open_match(HEADER)
        table.open_match(Header("san_gimignano", ("Fina", "Guido"), FULL))
        table.leave()
        player.choose("New match", "A:")
        assert player.items == ["Adso", "William", "Guido", "New name"]
        player.choose("Guido")
        assert player.items[2:4] == ["A: Guido", "B: Fina"]
        player.choose("B:")
        assert player.page.index == 0
        player.ok()
        assert player.items[2:4] == ["A: Guido", "B: Adso"]

    def test_what_was_filled_in_survives_back_until_a_match_begins(self, player):
        player.choose("New match", "A:")
        spell(player, "Ida")
        player.ok()
        player.choose("First")
        player.back()
        player.choose("Past matches")
        player.menu()
        player.choose("New match")
        assert player.items[2:5] == ["A: Ida", "B: Player B", "First: Player B"]
        assert player.page.index == 0
        player.ok()
        player.box.go_home()
        player.choose("New match", "First")
        player.back()
        player.menu()
        player.choose("Continue")
        player.box.go_home()
        player.choose("New match")
        assert player.items[4] == "First: Player B"


def test_a_name_for_a_seat_is_typed_on_a_keyboard(player, table):
    table.open_match(HEADER)
    table.leave()
    player.choose("New match")
    assert not player.box.typing
    player.box.type("Nobody")
    player.choose("A:")
    assert player.box.typing
    player.box.type("  Jean-Loup\tÉ. ")
    assert player.items[2:4] == ["A: Jean-Loup É.", "B: William"]
    player.choose("A:", "New name")
    player.box.type("N" * (NAME_LENGTH + 1))
    assert player.notice == f"A name has at most {NAME_LENGTH} letters"
    player.later()
    player.box.type("\n")
    assert isinstance(player.page, WheelPage)
    player.box.type("Fina")
    assert player.items[2:4] == ["A: Fina", "B: William"]
