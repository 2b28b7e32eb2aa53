"""Each format tells the match that was played."""

import csv
import io
import json
from datetime import datetime, timedelta

import msgspec
import pytest
from msgspec.structs import replace

from device.exports import account, bgstats, document, rows
from device.exports.bgstats import Unfit
from device.exports.scores import CountedTrack, TieBreak, compute_standing, tell_winner, write_table
from device.match.records import Draft, Kind
from device.match.replay import Header
from device.match.rulings import Agree, Pause, Resume
from device.texts import Texts
from engines import matchfile
from engines.contract import ADJUSTMENT, Booking, Setup
from engines.san_gimignano import scoring
from engines.words import Words
from tests.device.commands.recorded import (
    GAME,
    HEADER,
    NAMES,
    Played,
    chained,
    drafts,
    match_file,
    of_journal,
    played,
    ruled_match,
    ruling,
)
from tests.device.games import HEADERS, enter, game_steps
from tests.engines.walks import seed

EACH_GAME = {name: HEADERS[name] for name in ("score", "marrakesh-told")}


def of_drafts(*groups, header=HEADER):
    return account.read_log(header.write(), chained(header.write(), groups))


@pytest.fixture
def ruled(tmp_path):
    """A match with every kind of ruling."""
    return of_journal(ruled_match(tmp_path))


@pytest.fixture
def whole():
    """A match without any."""
    return of_drafts(*drafts())


class TestMatch:
    @pytest.mark.parametrize("header", EACH_GAME.values(), ids=EACH_GAME)
    def test_what_is_written_replays_to_the_match_that_was_played(self, table, header):
        referee = table.open_match(header)
        enter(referee, game_steps(seed(), header.setup, header.game))
        text = rows.write_match(of_journal(referee.path))
        again = matchfile.play(matchfile.read(text))
        assert again.points == referee.replay.match.points
        assert again.steps == referee.replay.match.steps

    def test_no_ruling_is_dropped_in_silence(self, ruled):
        text = rows.write_match(ruled)
        remarks = [line for line in text.splitlines() if line.startswith("# record ")]
        assert len(remarks) == len(ruled.rulings)
        for told in ruled.rulings:
            assert any(f"record {told.record}: {told.text}" in line for line in remarks)
        assert "# record 10: amend 6 P m9 d, about 'P m6 d', agreed by ab" in remarks
        assert "# record 18: override SG-3.12 we all wanted to, about 'close', agreed by ab" in remarks

    def test_names_that_a_match_file_cannot_hold_are_told_in_a_remark(self):
        told = of_drafts(*drafts(3), header=replace(HEADER, names=("Eco, Umberto", "")))
        text = rows.write_match(told)
        assert matchfile.read(text).names == ("Eco Umberto", "b")
        assert "# seat a is 'Eco, Umberto'\n# seat b is ''\n" in text
        assert matchfile.play(matchfile.read(text)).points == told.match.points


class TestRows:
    def read(self, told):
        return list(csv.DictReader(io.StringIO(rows.write_rows(told))))

    def test_rulings_are_noted_where_they_count(self, ruled):
        found = {row["record"]: row for row in self.read(ruled)}
        assert (found["6"]["notation"], found["6"]["ruled"], found["6"]["by"]) == ("P m9 d", "10", "ab")
        assert (found["14"]["kind"], found["14"]["notation"]) == ("adjustment", "+7")
        assert found["14"]["reason"] == "slow play, said Guido"
        assert (found["19"]["waived"], found["19"]["reason"]) == ("SG-3.12", "we all wanted to")
        assert "11" not in found  # undone


class TestDocument:
    def read(self, told):
        return msgspec.json.decode(document.write(told), type=document.Document, strict=True)

    def test_what_was_ruled_and_who_confirms(self, ruled):
        found = self.read(ruled)
        assert [(view.seat, view.confirms, view.counts) for view in found.views] == [
            ("a", True, ()),
            ("b", False, (0, 5)),
        ]
        texts = {entry.record: (entry.text, entry.by, entry.undone) for entry in found.rulings}
        assert texts[10] == ("amend 6 P m9 d", "ab", False)
        assert texts[5] == ("answered", "judge", False)
        assert found.result == "double_pass, a 20, b 0, won by a"

    def test_places_and_tracks_are_told_with_what_decided(self, toy):
        """Level at 2 beans, and only Adso may still sit out (T-5 of the toy game)."""
        header = Header(toy, NAMES, Setup(position="2 2r3g b 1,1 odd,odd"))
        told = of_drafts([Draft(kind=Kind.REPORT, payload="1r")], header=header)
        found = self.read(told).standing
        tie = TieBreak("rests", "T-5", {"a": 1, "b": 0}, False)
        assert [(one.place, one.seats, one.points, one.ties) for one in found.places] == [
            (1, ("a",), 2, (tie,)),
            (2, ("b",), 2, (tie,)),
        ]
        assert found.tallies == (CountedTrack("rests", "T-1", {"a": 1, "b": 0}),)
        words = Words(Texts.load("en", toy), told.match.game, NAMES)
        assert tell_winner(words, found) == "Adso wins (tied at 2; Adso may still rest (T-5))"
        assert "Rests left (T-1)" in "\n".join(write_table(words, found))

    def test_what_was_gained_adds_up_to_the_score(self, ruled, whole):
        for told in (ruled, whole):
            found = self.read(told)
            sums = {(b.seat, b.category, b.clause, b.part): b.points for b in found.standing.bookings}
            grown = dict.fromkeys(sums, 0)
            for one in found.gains:
                kind = one.seat, one.category, one.clause, one.part
                assert grown.setdefault(kind, 0) == one.before
                grown[kind] = one.after
            assert grown == dict.fromkeys(grown, 0) | sums


class TestTime:
    def test_pauses_and_nights_are_not_played(self, tmp_path):
        game = Played(tmp_path)
        clock = game.clock
        game.steps("8 6 10 9")
        clock.advance(60_000)
        game.rule(Pause())
        clock.advance(3_600_000)
        game.rule(Resume())
        clock.advance(120_000)
        game.steps("P d d")
        clock.reboot()
        clock.advance(500_000_000)
        game.steps("P d d")
        clock.advance(30_000)
        game.steps("pass", "pass")
        clock.advance(999_000)
        game.rule(Agree(0))
        log = of_journal(game.done()).journal
        entered = 4  # each 1.5 s after what came before, neither in the pause nor in the night
        assert log.minutes == round(((60 + 120 + 30) * 1000 + entered * 1500) / 60_000, 2)
        began, ended = map(datetime.fromisoformat, (log.began, log.ended))
        assert ended - began > timedelta(days=1)
        assert log.ended <= account.format_moment(clock.utc_ms - 999_000)


class TestBgStats:
    def read(self, told):
        return json.loads(bgstats.write(told))

    def test_a_play_as_the_app_takes_it(self, whole):
        found = self.read(whole)
        assert found["sourceName"] == "Podestà"
        assert found["game"] == {
            "name": "Le Torri di San Gimignano",
            "sourceGameId": "podesta-san_gimignano",
            "highestWins": True,
            "noPoints": False,
        }
        end = len(played().steps) - 1
        assert found["playDate"] == f"2023-11-14 22:{13 + (20 + end) // 60}:{(20 + end) % 60:02}"
        points = [player["score"] for player in found["players"]]
        assert points == list(whole.rows[-1].totals)
        assert [player["winner"] for player in found["players"]] == [score == max(points) for score in points]
        assert sorted(player["rank"] for player in found["players"]) == [1, 2]
        assert [player["startPlayer"] for player in found["players"]] == [True, False]
        for player in found["players"]:
            # Left out, the app's Android version refuses the play.
            assert {"winner", "startPlayer"} <= set(player)

    def test_the_same_match_has_the_same_ids_and_another_has_others(self, tmp_path):
        path = ruled_match(tmp_path / "one")
        one, again = self.read(of_journal(path)), self.read(of_journal(path))
        assert one == again
        other = self.read(of_drafts(*drafts()))
        assert other["sourcePlayId"] != one["sourcePlayId"]
        ids = [[player["sourcePlayerId"] for player in play["players"]] for play in (one, other)]
        assert ids[0] == ids[1]
        assert len(set(ids[0])) == 2

    def test_options_are_the_board_and_a_dispute_is_said(self, ruled):
        assert self.read(ruled)["comments"] == "William counts 0 : 5"
        header = replace(HEADER, setup=Setup(options=(("donazione", "must"),)))
        assert "board" not in self.read(ruled)
        told = of_drafts(*passes("5 6 7 8"), header=header)
        assert self.read(told)["board"] == "donazione must"

    def test_a_match_without_an_end_or_a_date_is_no_play(self):
        with pytest.raises(Unfit, match="did not come to its end"):
            bgstats.write(of_drafts(*drafts(5), ruling("abandon")))
        with pytest.raises(Unfit, match="does not tell when"):
            bgstats.write(account.read_match_file(matchfile.read(match_file()), "x"))


def passes(report=""):
    """Both pass at once, after the market if it is not there yet."""
    first = [Draft(kind=Kind.REPORT, payload=report)] if report else []
    return [*first, *[Draft(kind=Kind.STEP, payload="pass", seat=seat) for seat in (0, 1)]]


class TestStanding:
    BOOKED = (
        Booking(0, 5, "completion", "SG-8.1", "1 × 5", part=1),
        Booking(1, 10, "highest", "SG-8.5", "marker", part=1),
        Booking(1, 4, "blessing", "SG-8.2", "2 × 2", part=2),
        Booking(0, -5, ADJUSTMENT, ""),
    )

    @pytest.fixture
    def found(self, monkeypatch):
        for part in (GAME.scoring, scoring):
            monkeypatch.setattr(part, "bookings", lambda state: self.BOOKED)
        return compute_standing(GAME, GAME.rules.start(Setup()), NAMES)

    def test_each_part_has_its_block_and_the_sums_agree(self, found):
        assert found.parts == (1, 2, 0)
        lines = write_table(Words(Texts.load("en", GAME.id), GAME, NAMES), found)
        figures = [[cell for cell in line.split("  ") if cell.strip()] for line in lines]
        parts = [row for row in figures if row[0].startswith(("Part ", "Deal ", "Match"))]
        assert [[int(cell) for cell in row[1:]] for row in parts] == [[5, 10], [0, 4], [-5, 0]]
        assert [[int(cell) for cell in row[1:]] for row in figures[-2:]] == [[0, 14], [2, 1]]
        assert sum(found.sum("b", part) for part in found.parts) == found.scores["b"] == 14


EVIL = ("=HYPERLINK(1)", "Wil\x1b[2Jliam\u202e")


def harmful():
    """A match whose players are called what runs, or commands a terminal."""
    return of_drafts(*drafts(), header=replace(HEADER, names=EVIL))


def test_a_table_holds_no_formula_and_nothing_that_acts():
    text = rows.write_rows(harmful())
    assert "\x1b" not in text
    assert "\u202e" not in text
    names = {row["player"] for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert names - {""} == {"'=HYPERLINK(1)", "Wil\N{REPLACEMENT CHARACTER}[2Jliam\N{REPLACEMENT CHARACTER}"}


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_begins_a_formula_and_numbers_stay_numbers(begin):
    assert str(rows._make_safe(f"{begin}A1")).startswith("'")
    assert (rows._make_safe(-3), rows._make_safe("-3")) == (-3, "-3")
    assert rows._make_safe("B d3-e5") == "B d3-e5"
