"""What can be looked up on the page: why a number is what it is, the entries, past matches, the rules."""

from itertools import pairwise

import pytest

from device.match import (
    KEYS,
    Answered,
    Call,
    Header,
    Pause,
    Resume,
    Rollback,
    find_changes,
    find_last_ruling,
    find_last_step,
)
from device.panel import Looking, make_app
from engines.contract import SEATS, Setup
from engines.rules import load
from engines.words import scores_of
from tests.device.conftest import a_box
from tests.device.games import PLAYED, enter, game_steps
from tests.device.japanese import is_japanese
from tests.device.panel.fakes import ask
from tests.device.panel.test_acting import NO_SCREEN


class Reader:
    """Somebody who looks things up on the page of a box."""

    def __init__(self, table, ticks):
        self.table = table
        self.box = a_box(table, ticks)
        looking = Looking(self.box.door, self.box.voices)
        self.app = make_app(
            None,
            NO_SCREEN,
            dict,
            texts=lambda cookies: self.box.voices.asked(cookies).texts,
            more=looking.list_routes(),
        )

    def play(self, name, seed=3, steps=None):
        header = PLAYED[name]
        self.referee = self.box.door.open(header, source=KEYS)
        enter(self.referee, game_steps(seed, header.setup, header.game)[:steps])
        return self

    def get(self, path, **params):
        answer = ask(self.app, "GET", path, **params)
        return answer.json() if answer.is_success else (answer.status_code, answer.text.strip())


@pytest.fixture
def reader(table, ticks):
    return Reader(table, ticks)


@pytest.mark.parametrize("name", ["full", "torres-two"])
def test_every_number_is_made_of_entries(reader, name):
    assert reader.get("/match/points", seat=SEATS[0]) == (409, "no match is open")
    replay = reader.play(name).referee.replay
    assert reader.get("/match/points", seat="7") == (400, "nobody sits at seat 7")
    bookings = replay.game.scoring.bookings(replay.match.state)
    for seat, booked in {(one.seat, (one.category, one.part)) for one in bookings}:
        category, part = booked
        told = reader.get("/match/points", seat=seat, category=category, part=part)
        ours = [one for one in bookings if (one.seat, one.category, one.part) == (seat, category, part)]
        assert told["points"] == sum(one.points for one in ours)
        assert told["name"] == replay.names[seat]
        assert all(one["how"] and one["says"] for one in told["made"])
    for seat, total in enumerate(scores_of(replay.game, replay.match.state, len(replay.names))):
        told = reader.get("/match/points", seat=seat)
        assert told["points"] == total
        assert [one["record"] for one in told["made"]] == list(
            dict.fromkeys(line.seq if line else 0 for line, _ in find_changes(replay, seat))
        )


def test_the_entries_in_words_with_the_score_after_each(reader):
    replay = reader.play("full").referee.replay
    told = reader.get("/match/history")
    assert told["names"] == list(replay.names)
    assert [one["record"] for one in told["entries"]] == [line.seq for line in reversed(replay.history)]
    words = reader.box.words_of(replay)
    at = len(replay.match.steps)
    for one in told["entries"]:
        at -= 1
        assert one["says"] == words.made(replay.match, at)
        assert one["points"] == scores_of(replay.game, replay.match.points[at + 1].state, 2)


def test_what_changed_the_history_stands_in_it(reader):
    replay = reader.play("torres-two", steps=8).referee.replay
    struck = reader.box.words_of(replay).made(replay.match, 7)
    reader.box.door.rule(Rollback(8), source=KEYS)
    told = reader.get("/match/history")["entries"]
    assert [(one["record"], one["entries"]) for one in told[:2]] == [(9, 0), (7, 7)]
    assert told[0]["says"] == f"Back to before entry 8 ({struck})"
    assert told[0]["points"] == told[1]["points"]


def test_what_was_undone_and_put_back_stands_in_it(reader):
    """The numbers have gaps there, and stay those that the box cites."""
    replay = reader.play("torres-two", steps=8).referee.replay
    undone = f"8 {reader.box.words_of(replay).made(replay.match, 7)}"
    reader.box.door.undo(find_last_step(replay), source=KEYS)
    told = reader.get("/match/history")["entries"]
    assert [(one["record"], one["entries"]) for one in told[:2]] == [(9, 0), (7, 7)]
    assert told[0]["says"] == f"Undone: {undone}"
    reader.box.door.undo(find_last_ruling(replay), source=KEYS)
    told = reader.get("/match/history")["entries"]
    assert [(one["record"], one["entries"]) for one in told[:2]] == [(10, 0), (8, 8)]
    assert told[0]["says"] == f"Put back – {undone}"


def test_a_pause_and_a_call_stand_in_it(reader):
    reader.play("torres-two", steps=8)
    for ruling in (Pause(), Resume(), Call(), Answered()):
        reader.box.door.rule(ruling, source=KEYS)
    told = reader.get("/match/history")["entries"]
    assert [(one["record"], one["entries"]) for one in told[:5]] == [
        (12, 0),
        (11, 0),
        (10, 0),
        (9, 0),
        (8, 8),
    ]
    assert [one["says"] for one in told[2:4]] == ["Play goes on", "Pause"]


def test_a_match_began_when_it_was_opened(reader, clock):
    reader.box.door.open(PLAYED["full"], source=KEYS)
    (past,) = reader.table.list_past()
    clock.advance(200_000)
    enter(reader.table.referee, game_steps(3, PLAYED["full"].setup, PLAYED["full"].game)[:2])
    (told,) = reader.get("/matches")["results"]
    assert told["began_ms"] == 1000 * past.began


def test_a_sealed_choice_is_not_told(toy, table, ticks):
    reader = Reader(table, ticks)
    referee = reader.box.door.open(Header(toy, ("Adso", "William"), Setup()), source=KEYS)
    referee.step("odd", seat=0, channel="keys")
    assert referee.wait(30)
    (entry,) = reader.get("/match/history")["entries"]
    assert "odd" not in entry["says"]
    assert entry["says"].startswith("Adso: ")


def test_matches_on_the_disk(reader, clock):
    first = reader.play("full").referee
    clock.advance(1000)
    reader.play("torres-two", steps=5)
    torn = reader.table.matches / "20200101-000000-san_gimignano-x-y.podesta"
    torn.write_bytes(b"torn\n")
    told = reader.get("/matches")
    assert [one["game"] for one in told["results"]] == ["torres", "san_gimignano"]
    assert [one["over"] for one in told["results"]] == [False, True]
    assert [one["file"] for one in told["damaged"]] == [torn.name]
    assert told["damaged"][0]["why"]
    assert {one["name"] for one in told["players"]} == {"Adso", "William"}
    assert told["titles"]["torres"] == "Torres"
    names = [one["file"] for one in told["results"]]
    entries = reader.get(f"/matches/{names[1]}")["entries"]
    assert len(entries) == len(first.replay.history)
    assert reader.get(f"/matches/{names[0]}") == reader.get("/match/history")
    assert reader.get(f"/matches/{torn.name}")[0] == 422
    assert reader.get("/matches/..%2Fcurrent")[0] == 404
    assert reader.get("/matches/current")[0] == 404


def test_what_cannot_be_read_is_told_in_the_language_of_the_page(reader):
    torn = reader.table.matches / "20200101-000000-san_gimignano-x-y.podesta"
    torn.write_bytes(b"torn\n")
    reader.box.voices.speak("ja")
    (damaged,) = reader.get("/matches")["damaged"]
    assert reader.get(f"/matches/{torn.name}") == (422, damaged["why"])
    assert is_japanese(damaged["why"])
    assert reader.get("/matches/current") == (404, "その対戦はありません")


def test_rules_by_word(reader):
    games = reader.get("/rules")
    assert games["san_gimignano"] == "San Gimignano"
    for game in games:
        whole = reader.get(f"/rules/{game}")
        assert [one["id"] for one in whole["clauses"]] == [one.id for one in load(game)]
    found = reader.get("/rules/torres", q="king")["clauses"]
    assert found
    assert [one["id"] for one in found] == [one.id for one in load("torres").search("king")]
    assert reader.get("/rules/torres", q="zeppelin")["clauses"] == []
    drawing = reader.get("/drawing/torres")
    assert {"light", "dark", "icons"} == drawing.keys()
    assert drawing["icons"]["crown"].startswith("M")
    for part in ("rules", "drawing"):
        assert reader.get(f"/{part}/chess") == (404, "there is no such game")


def test_the_table_as_it_stood_after_any_entry(reader):
    replay = reader.play("torres-two").referee.replay
    entries = reader.get("/match/history")["entries"]
    for n in (1, 7, len(replay.history)):
        told = reader.get(f"/match/at/{n}")
        assert (told["entries"], told["said"], told["points"]) == (
            n,
            entries[-n]["says"],
            entries[-n]["points"],
        )
        board = replay.game.sight.board(replay.match.points[n].state)
        roofs = [mark for panel in told["scene"]["panels"] for mark in panel["marks"] if mark.get("n")]
        assert [roof["n"] for roof in roofs if "k" in roof] == [
            board.name(place) for place, cell in enumerate(board.cells) if cell.height
        ]
    assert reader.get("/match/at/0")["points"] == [0, 0]
    for n in (len(replay.history) + 1, "-1", "x"):
        assert reader.get(f"/match/at/{n}") == (404, f"there are {len(replay.history)} entries")


def test_what_decided_a_match_is_what_moved_the_lead_most(reader):
    replay = reader.play("torres-two").referee.replay
    course = [scores_of(replay.game, point.state, 2) for point in replay.match.points]
    margins = [first - second for first, second in course]
    swings = sorted((abs(now - was) for was, now in pairwise(margins)), reverse=True)
    moments = reader.get("/match/ending")["moments"]
    assert [one["entries"] for one in moments] == sorted(one["entries"] for one in moments)
    found = sorted(
        (abs(margins[one["entries"]] - margins[one["entries"] - 1]) for one in moments), reverse=True
    )
    assert found == swings[:3]
    for one in moments:
        margin = margins[one["entries"]]
        assert (one["leader"], one["lead"]) == ((0 if margin > 0 else 1) if margin else None, abs(margin))


def test_each_player_s_time_to_think_is_told(reader, clock):
    referee = reader.play("torres-two", steps=6).referee
    header = PLAYED["torres-two"]
    steps = game_steps(3, header.setup, header.game)[6:16]
    for step in steps:
        clock.advance(5000)
        enter(referee, [step])
    owns = [sum(step.seat == seat for step in steps) for seat in (0, 1)]
    assert min(owns) > 0
    assert reader.get("/match/ending")["thought"] == [5000 * own for own in owns]
