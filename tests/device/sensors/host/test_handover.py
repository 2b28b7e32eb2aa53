"""A sensor's reading at the table: recorded with its pictures, asked, accepted; or too late."""

import os
from pathlib import Path

import msgspec
import pytest

from device.copy_file import CopyFile
from device.match.door import Source
from device.match.records import Kind, has_evidence
from device.match.replay import Header, Replay
from device.screen import CountsPage, CropPage
from device.sensors.host import Fitted, Handover
from device.sensors.host.handover import BESIDE, Pictures
from device.sensors.messages import NO_MATCH, Question, Reading
from device.settings import Confirm, PluginSection, ReadingsSettings
from device.texts import Texts, said
from engines.contract import Exact, Setup
from engines.facts import playable
from engines.readings import Observation, interpret
from tests.device.conftest import NAMES
from tests.device.match.test_door import AtTheLine
from tests.engines.torres.table import blocks, turn
from tests.engines.tower_toy import SCHEMA

TURN = f"{blocks('d3=1')} a=c4 b=f6 king=h4"
OTHER = f"{blocks('d3=1')} a=c3 b=f6 king=h4"
PICTURE = b"\xff\xd8 a picture"


class Seen(AtTheLine):
    """A table under a camera."""

    def __init__(self, table, ticks, folder):
        super().__init__(table, ticks)
        self.folder = folder
        self.box.propose = self.show
        self.box.game_texts["torres"] = self.box.texts.load("en", "torres", strict=True)
        self.camera = Handover(self.box.door, folder)

    def open(self, game="torres", setup=None):
        setup = setup or Setup(position=" ".join(turn().split()))
        self.box.play(self.table.open_match(Header(game, NAMES, setup)))

    def reading(self, *candidates, **more):
        """A reading of the table as it is expected to be now."""
        expected = self.camera.find_expected()
        referee = self.table.referee
        meanings = tuple(
            interpret(referee.replay.game, referee.replay.match.state, Observation("board", (one,)))
            for one in candidates
        )
        return Reading("board", expected.match, expected.steps, candidates, meanings, picture=PICTURE, **more)

    def take(self, reading):
        self.run(
            self.camera.take(
                Fitted(reading.what, PluginSection("camera", 0, {}), keep=10, keep_mb=10), reading
            )
        )

    def records(self, kind):
        return [one for one in self.table.referee.replay.log if one.kind is kind]


@pytest.fixture
def seen(table, ticks, tmp_path):
    seen = Seen(table, ticks, tmp_path / "pictures")
    seen.open()
    return seen


def test_what_is_expected_is_the_position_and_what_is_known_of_the_copy(seen):
    expected = seen.camera.find_expected()
    referee = seen.table.referee
    assert expected.game == "torres"
    assert expected.position == referee.replay.game.position.write(referee.replay.match.state)
    assert dict(expected.facts)["fact.cell_pitch"] == "unknown"
    assert expected.cell_mm == 0
    file = CopyFile.of(seen.table.state_dir, "torres", Texts.load("en", "torres"))
    file.put({"cell_pitch": 28.0, "block_width": 26.5, "block_height": 15.0})
    assert seen.camera.find_expected().cell_mm == 28
    assert seen.camera.find_expected().block_mm == (26.5, 26.5, 15)


def test_what_is_expected_is_worked_out_once_a_record(seen, monkeypatch):
    """Each page that is shown asks for it."""
    read = []
    load = CopyFile.load
    monkeypatch.setattr(CopyFile, "load", lambda file: read.append(file) or load(file))
    first = seen.camera.find_expected()
    assert seen.camera.find_expected() is first
    assert len(read) == 1
    referee = seen.table.referee
    referee.step("B d3", channel="keys")
    assert seen.camera.find_expected().steps == first.steps + 1
    referee.note("somebody sneezed", channel="keys")
    assert seen.camera.find_expected().steps == first.steps + 1
    assert len(read) == 3


def test_a_reading_is_recorded_with_its_pictures_and_people_accept_it(seen):
    seen.take(msgspec.structs.replace(seen.reading((TURN, 0.97)), beside=b"the other"))
    (record,) = seen.records(Kind.READING)
    assert record.payload == f"board 0.97 {TURN}"
    assert (record.channel, record.confidence_ppm) == ("camera:board", 970_000)
    assert has_evidence(record, PICTURE)
    assert not has_evidence(record, PICTURE + b" touched up")
    files = {file.name: file.read_bytes() for file in seen.folder.glob("*/*.jpg")}
    assert files == {f"{record.seq}.jpg": PICTURE, f"{record.seq}.b.jpg": b"the other"}
    assert seen.records(Kind.STEP) == []
    seen.player.ok()
    seen.player.written()
    assert sorted(one.payload for one in seen.records(Kind.STEP)) == ["B d3", "M c3-c4"]


def test_where_people_said_so_a_sure_reading_counts_but_for_a_seat_with_a_voice_of_its_own(seen):
    seen.box.door.confirm = Confirm(readings=ReadingsSettings(sure="auto"))
    (asked,) = seen.table.referee.replay.match.pending.seats
    for voice, channels in ((asked, []), (asked + 1, ["camera:board"] * 2)):
        seen.camera = Handover(seen.box.door, seen.folder, lambda voice=voice: {voice: "north"})
        seen.take(seen.reading((TURN, 0.99)))
        assert [one.channel for one in seen.records(Kind.STEP)] == channels


def test_the_camera_is_told_that_all_is_as_it_was(seen):
    """Else it would go on asking about a space that it cannot see."""
    before = seen.camera.find_expected()
    now = str(seen.table.referee.replay.game.sight.of(seen.table.referee.replay.match.state))
    asked = seen.reading((TURN, 0.5), (now, 0.5), question=Question("d3", (0, 1)))
    seen.take(asked)
    seen.player.choose(seen.player.items[0])
    assert seen.camera.find_expected() == before
    seen.player.back()
    seen.take(asked)
    seen.player.choose(seen.player.items[1])
    assert seen.camera.find_expected() == msgspec.structs.replace(before, answers=1)
    seen.take(seen.reading((now, 0.5), (TURN, 0.5), question=Question("d3", (0, 1))))
    assert seen.player.page.prompt == "d3: which?"  # however likely that is


def test_the_table_as_it_should_be_is_not_recorded_and_takes_the_question_back(seen):
    seen.take(seen.reading((TURN, 0.97)))
    assert seen.player.page.header.left == "Sensor"
    referee = seen.table.referee
    seen.take(seen.reading((str(referee.replay.game.sight.of(referee.replay.match.state)), 0.99)))
    assert seen.player.page.header.left != "Sensor"
    assert len(seen.records(Kind.READING)) == 1


def test_a_reading_that_comes_too_late_is_dropped(seen):
    late = seen.reading((TURN, 0.97))
    seen.step("S 1")
    seen.take(late)
    assert seen.records(Kind.READING) == []
    assert seen.player.page.header.left != "Sensor"


def test_a_doubt_is_asked_with_the_crop_and_the_answer_counts(seen):
    png = b"\x89PNG no picture really"
    question = Question("c4", (0, 1))
    seen.take(seen.reading((TURN, 0.6), (OTHER, 0.4), question=question, crop=png))
    page = seen.player.page
    assert isinstance(page, CropPage)
    assert (page.prompt, page.items) == ("c4: which?", (f"▲0 {NAMES[0]}", "▲0", "neither"))
    seen.player.turn(1)
    seen.player.ok()
    seen.player.ok()
    assert [one.payload for one in seen.records(Kind.STEP)] == ["B d3"]
    (record,) = seen.records(Kind.READING)
    assert record.payload == f"board 0.60 {TURN} | 0.40 {OTHER}"


def test_a_disk_that_fails_costs_the_reading_and_nothing_more(seen, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(seen.table.referee, "note", full)
    seen.take(seen.reading((TURN, 0.97)))
    assert seen.player.page.header.left != "Sensor"


def test_with_no_match_nothing_is_expected_and_a_reading_is_dropped(table, ticks, tmp_path):
    seen = Seen(table, ticks, tmp_path)
    assert seen.camera.find_expected() == NO_MATCH
    seen.take(Reading("board", "some match", 0, ((TURN, 0.9),), (Exact(()),)))
    assert table.referee is None


# A tray, whose reader knows no rules


@pytest.fixture
def tray(table, ticks, tmp_path, toy):
    seen = Seen(table, ticks, tmp_path / "pictures")
    seen.open(toy, Setup(position="0 2r5g - 0,0 odd,even"))
    return seen


def answer(seen, *candidates):
    referee = seen.table.referee
    match = Path(referee.path).stem
    seen.take(Reading("beans", match, len(referee.replay.match.steps), candidates, picture=PICTURE))


def test_what_lies_in_a_tray_answers_what_the_table_is_asked(tray):
    answer(tray, ("1r2g", 0.97))
    (record,) = tray.records(Kind.READING)
    assert (record.payload, record.channel) == ("beans 0.97 1r2g", "camera:beans")
    assert has_evidence(record, PICTURE)
    assert (tray.player.page.header.left, tray.player.items) == (
        "3 seen (97%)",
        ["1 r, 2 g", "no, correct it"],
    )
    tray.player.ok()
    assert [one.payload for one in tray.records(Kind.REPORT)] == ["1r2g"]
    answer(tray, ("1r2g", 0.97))  # nobody asks any more
    assert len(tray.records(Kind.READING)) == 1


# A tray of a game with a tower: camera, scale, or both


@pytest.fixture
def towered(table, ticks, tmp_path, tower):
    seen = Seen(table, ticks, tmp_path / "pictures")
    seen.open(tower, playable(SCHEMA, Setup()))
    seen.table.referee.step("2r1g", channel="keys")
    return seen


def counted(seen, *totals):
    """A scale's word, by the line."""
    observation = Observation("tray", tuple((f"total {number}", chance) for number, chance in totals))
    seen.run(seen.box.door.observe(observation, source=Source("line:scale#1")))


def photographed(seen, *candidates, **more):
    match, referee = Path(seen.table.referee.path).stem, seen.table.referee
    seen.take(Reading("tray", match, len(referee.replay.match.steps), candidates, **more))


def test_what_was_counted_goes_to_the_camera_until_the_next_step(towered):
    counted(towered, (3, 0.96), (4, 0.02))
    assert towered.camera.find_expected().counted == ((3, 0.96), (4, 0.02))
    counted(towered, (4, 0.99))
    assert towered.camera.find_expected().counted == ((4, 0.99),)
    again = Replay(towered.table.referee.replay.header.write(), [*towered.table.referee.replay.log])
    assert [record.payload for record in again.log][-1] == "tray 0.99 total 4"
    towered.player.back()
    for text in ("2r", "r", "1g"):
        towered.step(text)
    assert towered.camera.find_expected().question == "tray"
    assert towered.box.door.counted == {}


def test_a_late_camera_takes_the_place_of_what_is_asked_and_a_late_total_does_not(towered):
    photographed(towered, ("2r1g", 0.7), ("3r", 0.2))
    counted(towered, (2, 0.96))
    assert towered.player.items == ["2 r, 1 g (70%)", "1 r instead of 1 g (20%)", "no, correct it"]
    assert towered.camera.find_expected().counted == ((2, 0.96),)
    photographed(towered, ("2r1g", 0.99))
    assert towered.player.items == ["2 r, 1 g", "no, correct it"]


def test_what_a_camera_doubts_is_asked_however_likely_it_is(towered):
    towered.box.door.confirm = Confirm(readings=ReadingsSettings(sure="auto"))
    photographed(towered, ("2r1g", 0.99), why=(said("tray.stacked"),))
    assert towered.player.notice == "Two keshis may be stacked."
    towered.player.later()
    assert towered.player.page.header.left == "3 seen (99%)"
    assert towered.records(Kind.REPORT) == []
    photographed(towered, ("2r1g", 0.99))
    assert [one.payload for one in towered.records(Kind.REPORT)] == ["2r1g"]


def test_each_colour_of_which_too_many_lie_there_is_named_and_ok_goes_to_the_nearest(towered):
    photographed(towered, ("5r2g", 0.97))
    assert towered.player.page.text == (
        "Not possible:\n5 r: at most 3\n2 g: at most 1\n"
        "P-2: Only 3 r are inside.\nNearest: 3 r, 1 g. Press OK to correct it."
    )
    while not isinstance(towered.player.page, CountsPage):
        towered.player.ok()
    towered.player.turn(-1)
    towered.player.ok()
    assert [one.payload for one in towered.records(Kind.REPORT)] == ["3r1g"]


MATCH = "20261121-200000-torres-ada-bea"


def put(pictures, record, data=b"jpeg", match=MATCH):
    path = pictures.put(match, record, data)
    if path:
        os.utime(path, ns=(record * 10**9, record * 10**9))
    return path


def test_a_second_view_is_kept_beside_it_and_counts(tmp_path):
    pictures = Pictures(tmp_path, 2, 10)
    put(pictures, 1)
    assert pictures.put(MATCH, 2, b"other", BESIDE) == tmp_path / MATCH / "2.b.jpg"
    pictures.put(MATCH, 2, b"first")
    assert sorted(file.name for file in (tmp_path / MATCH).iterdir()) == ["2.b.jpg", "2.jpg"]


@pytest.mark.parametrize(("keep", "keep_mb"), [(3, 10), (100, 1)])
def test_the_oldest_go_where_there_are_too_many_or_too_large_and_no_other_files(tmp_path, keep, keep_mb):
    pictures = Pictures(tmp_path, keep, keep_mb)
    put(pictures, 1, bytes(300_000), match="earlier")
    (tmp_path / MATCH).mkdir()
    (tmp_path / MATCH / "holiday.jpg").write_bytes(b"mine")
    for record in range(2, 8):
        put(pictures, record, bytes(300_000))
    assert sorted(path.name for path in (tmp_path / MATCH).iterdir()) == [
        "5.jpg",
        "6.jpg",
        "7.jpg",
        "holiday.jpg",
    ]
    assert not (tmp_path / "earlier").exists()


@pytest.mark.parametrize(("keep", "keep_mb", "size"), [(0, 10, 1), (10, 0, 1), (10, 1, 1_000_001)])
def test_none_where_people_want_none_or_it_is_larger_than_all_may_be(tmp_path, keep, keep_mb, size):
    put(Pictures(tmp_path, 10, 10), 1)
    assert put(Pictures(tmp_path, keep, keep_mb), 2, bytes(size)) is None
    assert [file.stem for file in tmp_path.glob("*/*.jpg")] == ["1"]


def test_a_disk_that_cannot_be_written_costs_the_picture_only(tmp_path):
    (tmp_path / MATCH).write_text("a file where the folder should be")
    assert put(Pictures(tmp_path, 10, 10), 1) is None
