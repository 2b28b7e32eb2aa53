"""Whose yes an entry needs before it counts, by where it comes from and what it is."""

import pytest

from device.match.door import Proposal
from device.menus.play import Play
from device.settings import Confirm, Entries, ReadingsSettings
from engines.readings import Observation, interpret

POSITION = "market=6,8,8,9 hand.a=?5 hand.b=?5"


def start(player, confirm, position=POSITION):
    player.box.door.confirm = confirm
    return player.open(position=position)


def texts(referee):
    return [line.text for line in referee.replay.history]


class TestKeys:
    def test_ask_names_the_step_and_takes_a_yes(self, player):
        match = start(player, Confirm(keys=Entries(steps="ask")))
        player.choose("Build", "8-10")
        assert (player.page.header.left, player.page.prompt) == ("Please confirm", "Adso: builds 8-10?")
        assert match.replay.log == []
        player.choose("yes")
        assert texts(match) == ["B 8-10"]

    def test_undo_names_the_step_that_waits_for_a_yes(self, player):
        match = start(player, Confirm(keys=Entries(steps="ask")))
        player.choose("Build", "8-10")
        player.undo()
        player.choose("Stop asking – Adso: builds 8-10?")
        assert isinstance(player.box.stack[-1], Play)
        assert texts(match) == []

    def test_other_asks_the_other_player_by_name(self, player):
        start(player, Confirm(keys=Entries(steps="other")))
        player.choose("Pass")
        assert player.page.header.left == "William"

    def test_one_s_own_undo_needs_no_yes(self, player):
        match = start(player, Confirm(keys=Entries(steps="other")))
        player.choose("Build", "8-10", "yes")
        player.undo()
        player.ok()
        assert texts(match) == []


class TestReadings:
    @pytest.fixture
    def see(self, player):
        def reading(confidence):
            referee = player.box.library.referee
            seen = Observation("towers", (("a=8x3,5-7 b=7x3", confidence),))
            meaning = interpret(referee.replay.game, referee.replay.match.state, seen)
            player.box.propose(Proposal(meaning, confidence, "line:cam#1"))

        return reading

    TOWERS = f"{POSITION} a=8x3 b=7x3 marker=a"

    @pytest.mark.parametrize(
        ("policy", "confidence", "title"),
        [
            (ReadingsSettings(), 0.99, "Sensor"),
            (ReadingsSettings(sure="other"), 0.99, "William"),
            (ReadingsSettings(sure="auto"), 0.94, "Sensor"),
            (ReadingsSettings(sure="auto", unsure="other"), 0.94, "William"),
        ],
    )
    def test_who_is_asked(self, player, see, policy, confidence, title):
        match = start(player, Confirm(readings=policy), self.TOWERS)
        see(confidence)
        assert player.page.header.left == title
        assert match.replay.history == []
        player.ok()
        assert texts(match) == ["B 5-7"]
