"""Marrakesh's tower through the referee: going back, a tray that was miscounted, a box that dies."""

import shutil
from pathlib import Path

import pytest

from device.exports import account, rows
from device.match.correction import Correction
from device.match.journal import JournalFull
from device.match.library import Library
from device.match.replay import Header
from device.match.rulings import Amend, Rollback
from engines import matchfile
from engines.contract import Setup
from engines.errors import BadMatchFile, Refused
from engines.facts import playable
from engines.marrakesh.problems import find_current
from engines.marrakesh.tower import TRAY, Throw, follow_throws
from tests.device.conftest import NAMES
from tests.device.games import enter, replayed, say
from tests.engines.marrakesh import nest
from tests.engines.test_matches import files
from tests.engines.tower_toy import PEBBLES, SCHEMA
from tests.recorded import load


def recorded(name):
    """A recorded match: its file and the match."""
    (path,) = [path for path in files("marrakesh") if path.stem == f"marrakesh_{name}"]
    return load(path)


def opened(table, file, steps=None):
    """A referee of the match, so many of its steps entered."""
    referee = table.open_match(Header(file.game, file.names, file.setup))
    enter(referee, file.steps[:steps])
    return referee


def trays(file):
    """Return where throws are told among the steps."""
    return [at for at, step in enumerate(file.steps) if step.text.startswith("tray ")]


def before_choosing(file, throw):
    """Return where the round of that throw begins, 0 the first."""
    at = trays(file)[throw]
    while file.steps[at - 1].text.startswith(("choose", "red")):
        at -= 1
    return at


def throws(match):
    """All throws of a match that count."""
    return [
        Throw(point.state.thrown, TRAY.read(step.text.removeprefix("tray ")))
        for point, step in zip(match.points, match.steps, strict=False)
        if step.text.startswith("tray ")
    ]


def back(referee, at):
    """Go back before the step ``at``."""
    referee.rule(
        Rollback(referee.replay.history[at].seq), channel="keys", by="abcd"[: len(referee.replay.names)]
    )
    assert referee.wait(30)


class TestGoingBack:
    THIRD = 2

    @pytest.fixture
    def file(self):
        return recorded("four")[0]

    @pytest.fixture
    def referee(self, table, file):
        """Gone back to where the third round begins, some of its claims made."""
        referee = opened(table, file, trays(file)[self.THIRD] + 3)
        self.inside = referee.replay.match.state.inside
        self.throws = throws(referee.replay.match)
        back(referee, before_choosing(file, self.THIRD))
        return referee

    def test_the_same_throw_is_not_asked_again(self, referee, file):
        at, claims = before_choosing(file, self.THIRD), trays(file)[self.THIRD]
        enter(referee, file.steps[at:claims])
        told = referee.replay.log[-1]
        assert (told.payload, told.channel) == (file.steps[claims].text, "seen")
        enter(referee, file.steps[claims + 1 :])
        assert referee.replay.match.state == recorded("four")[1].state
        assert referee.replay.drift == 0


class TestMiscounted:
    """In round 2 a black keshi more lay on the tray and was taken; that is told after the last round."""

    SECOND, EIGHTH = 1, 7

    @pytest.fixture
    def file(self):
        """It is a match of its own: those that are recorded anew go another way."""
        return load(Path(__file__).with_name("miscounted.match"))[0]

    @pytest.fixture
    def referee(self, table, file):
        return opened(table, file)

    @pytest.fixture
    def draft(self, referee, file):
        """The tray and the claim corrected."""
        draft, line = Correction(referee.replay), referee.replay.history[trays(file)[self.SECOND]]
        draft.amend(
            line, None, "tray " + TRAY.write(TRAY.read(line.text.removeprefix("tray ")) + TRAY.read("1k"))
        )
        tried = draft.attempt()
        assert tried.match.pending.question == "claim"
        draft.insert(tried.stuck, tried.match.state.seat, "claim 1k")
        return draft

    def test_each_that_no_longer_fits_is_named_and_corrected_in_one_draft(self, referee, file, draft):
        """The black guard more gives a bonus in round 11; then the match is whole and its ledger balances."""
        corrected = []
        while (tried := draft.attempt()).stuck:
            line, asked = tried.stuck, tried.match.pending.question
            corrected.append((asked, line.text))
            if asked == "tray":
                draft.amend(line, None, f"tray {dict(tried.error.refusal.figures)['nearest']}")
            elif asked == "claim":
                draft.amend(line, line.seat, "claim 1k")
            else:
                draft.insert(line, tried.match.state.seat, {"link": "link keshi", "keshi": "keshi w"}[asked])
        assert corrected == [
            ("tray", "tray 1g2k1p1r2l2u2o"),
            ("claim", "claim 2k"),
            ("link", "s.buy"),
            ("keshi", "s.buy"),
        ]
        before = referee.replay.match.state
        referee.rule(*draft.edits, channel="keys", by="abc")
        assert referee.wait(30)
        match = referee.replay.match
        assert match.state.termination
        assert len(match.steps) == len(file.steps) + 3
        assert match.state.inside == follow_throws(throws(match))[0] == before.inside


def test_after_a_kill_at_each_step_of_nested_bonuses_they_go_on_there(table, tmp_path):
    """As the card shows it when the power is cut: nothing was closed."""
    file, match = recorded("four")
    deep = [
        len(point.state.frames) - len(find_current(point.state).coming)
        for point in match.points
        if point.state.frames
    ]
    deepest = deep.index(max(deep))
    assert max(deep) > 5
    first = max(at for at in range(deepest) if file.steps[at].text.endswith(".act"))
    killed_at_each(table, opened(table, file, first), file.steps[: deepest + 3], match.points, tmp_path)


@pytest.mark.soak
def test_after_a_kill_at_each_step_of_the_deepest_nesting_found_they_go_on_there(table, tmp_path):
    """With every expansion; the match begins in the middle of a season."""
    file = nest.file()
    points = replayed(file.steps, file.setup, file.game).points
    killed_at_each(table, opened(table, file, 0), file.steps, points, tmp_path)


def killed_at_each(table, referee, steps, points, folder):
    """Enter the steps that are still to come; after each the box dies, and goes on from its card."""
    for at in range(len(referee.replay.match.steps), len(steps)):
        enter(referee, steps[at : at + 1])
        shutil.copytree(table.state_dir, folder / f"cut{at}")
        crashed = Library(folder / f"cut{at}")
        resumed = crashed.resume()
        assert resumed.replay.match.points == points[: at + 2]
        enter(resumed, steps[at + 1 :])
        assert resumed.replay.match.points == points[: len(steps) + 1]
        crashed.leave()


@pytest.fixture
def toy_match(table, tower):
    """Two turns: two red, two green are inside then."""
    toy_match = table.open_match(Header(tower, NAMES, playable(SCHEMA, Setup())))
    say(toy_match, "2r1g", "1r", "r", "1g", "0", "-")
    return toy_match


def inside_of(toy_match):
    return PEBBLES.write(toy_match.replay.match.state.inside)


def back_before(toy_match, record):
    toy_match.rule(Rollback(record), channel="keys", by="ab")
    assert toy_match.wait(30)


def test_and_may_come_out_of_the_next_throw(toy_match):
    back_before(toy_match, 4)
    say(toy_match, "2r1g")
    with pytest.raises(Refused, match=r"tray\.conservation"):
        say(toy_match, "4g")
    say(toy_match, "4r3g")
    assert inside_of(toy_match) == "0"


def test_other_pebbles_are_another_throw(toy_match):
    back_before(toy_match, 4)
    say(toy_match, "1r")
    assert toy_match.replay.log[-1].payload == "1r"
    say(toy_match, "1g")
    back_before(toy_match, 9)
    assert toy_match.replay.match.state.fallen == ("2:1g/0", "2:1r/1g")
    assert inside_of(toy_match) == "3r1g"


def test_going_back_twice_keeps_the_order_of_the_table(toy_match):
    """The second throw of two emptied a tower that the first had filled."""
    back_before(toy_match, 4)
    say(toy_match, "2r1g", "4r3g")
    back_before(toy_match, 1)
    assert toy_match.replay.match.state.fallen == ("1:2r1g/1r", "2:1g/0", "2:2r1g/4r3g")
    assert all(
        point.state.inside >= 0 and PEBBLES.holds(PEBBLES.write(point.state.inside))
        for point in toy_match.replay.match.points
    )
    assert inside_of(toy_match) == "0"
    say(toy_match, "2r1g", "r", "1g")
    assert [one.channel for one in toy_match.replay.log[-4:]] == ["seen", "keys", "keys", "seen"]
    assert (inside_of(toy_match), toy_match.replay.match.state.fallen) == ("0", ("2:2r1g/4r3g",))


def test_a_correction_that_what_fell_contradicts_is_made_all_the_same(toy_match):
    """More came out of a throw that fell than are left by the correction of one that counts."""
    say(toy_match, "1r", "3r")
    back_before(toy_match, 7)
    assert inside_of(toy_match) == "2g"
    toy_match.rule(Amend(2, "2r"), channel="keys", by="ab")
    assert inside_of(toy_match) == "2g"


def test_a_match_file_keeps_what_fell(toy_match):
    back_before(toy_match, 4)
    say(toy_match, "2r1g", "4r3g", "r")
    replay = toy_match.replay
    text = rows.write_match(account.read_log(replay.header.write(), [*replay.log]))
    assert "\n4 ~ 2:1g/0\n" in text
    file = matchfile.read(text)
    assert file.steps == tuple(replay.match.steps)
    assert matchfile.play(file).points == replay.match.points
    assert [row.kind for row in account.read_match_file(file, "x").rows].count("fallen") == 1
    with pytest.raises(BadMatchFile, match="'4r' is no throw"):
        matchfile.play(matchfile.read(text.replace("~ 2:1g/0", "~ 4r")))


def test_a_rollback_that_was_lost_says_nothing_of_the_next(toy_match, disk):
    disk.fail(JournalFull("/x: no room"))
    toy_match.rule(Rollback(4), channel="keys", by="ab")
    assert toy_match.wait(30)
    disk.mend()
    toy_match.forget_lost()
    back_before(toy_match, 1)
    assert toy_match.replay.match.state.fallen == ("1:2r1g/1r", "2:1g/0")
