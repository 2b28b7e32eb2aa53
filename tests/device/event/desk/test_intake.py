"""What becomes of files that boxes, people and forgers hand to the desk."""

import zipfile

import pytest
from msgspec.structs import replace

from device.cli import main
from device.event import bundle
from device.event.desk import Grounds
from device.event.desk.intake import Intake
from device.event.desk.rows import SeatRow, Stage, TableResult, rank_scores
from device.match import read
from device.match.journal_text import encode
from tests.device.commands.recorded import resealed
from tests.device.event.desk.evening import Evening
from tests.device.event.test_signing import renamed

PLAN = [("Adso", "William"), ("Bea", "Cy"), ("Dee", "Eco")]


@pytest.fixture
def evening(tmp_path):
    return Evening(tmp_path)


@pytest.fixture
def desk(store):
    """A store that knows the event and two rounds."""
    store.set("Olga", event="Friday cup")
    for number in (1, 2):
        seats = [
            SeatRow(number, f"table-{at:02}", letter, person)
            for at, people in enumerate(PLAN, 1)
            for letter, person in zip("ab", people, strict=True)
        ]
        store.plan(number, seats, "Olga")
    return store


def arrive(desk, evening, path, **more):
    return Intake(desk, evening.keys, "Guido", **more).take(path.name, path.read_bytes())


def test_the_same_twice_is_once_and_the_next_match_is_of_the_next_round(desk, evening):
    path = evening.boxes[0].play(*PLAN[0])
    arrive(desk, evening, path)
    (again,) = arrive(desk, evening, path)
    assert (again.refused, "already here" in again.said) == (None, True)
    (second,) = arrive(desk, evening, evening.boxes[0].play(*PLAN[0], file="n.podesta"))
    assert second.round == 2
    (third,) = arrive(desk, evening, evening.boxes[1].play(*PLAN[1]), number=2)
    assert third.round == 2
    assert len(desk.every(TableResult)) == 3


def test_of_two_rounds_of_the_same_people_a_match_is_of_the_one_that_its_box_was_told(desk, evening):
    desk.plan(2, [row for row in desk.seats(2) if row.table == "table-01"], "Olga")
    (told,) = arrive(desk, evening, evening.boxes[0].play(*PLAN[0], round="2"))
    assert told.round == 2
    (untold,) = arrive(desk, evening, evening.boxes[0].play(*PLAN[0], file="n.podesta"))
    assert untold.round == 1
    (others,) = arrive(desk, evening, evening.boxes[1].play(*PLAN[1], file="o.podesta", round="2"))
    assert others.round == 1, "who plays is planned there in round 1"


def test_a_longer_version_replaces_the_shorter_and_the_shorter_is_refused(desk, evening):
    box = evening.boxes[0]
    path = box.play(*PLAN[0], to=12)
    short = path.read_bytes()
    arrive(desk, evening, path)
    assert desk.tables(1)[0].state is Stage.UNFINISHED
    (two,) = arrive(desk, evening, box.play(since=12))
    assert (two.refused, two.round) == (None, 1)
    first, second = desk.every(TableResult)
    assert (second.replaces, second.finished) == (first.id, True)
    assert desk.tables(1)[0].state is Stage.IN
    path.write_bytes(short)
    (old,) = arrive(desk, evening, path)
    assert old.refused is Grounds.OLDER
    assert "12 records, there is result 2" in old.said
    assert [row.what for row in desk.refusals()] == [f"{old.file}: {old.said}"]
    assert len(desk.every(TableResult)) == 2


def test_two_ends_of_one_match_go_apart(desk, evening):
    box = evening.boxes[0]
    path = box.play(*PLAN[0], to=12)
    short = path.read_bytes()
    arrive(desk, evening, box.play(since=12))
    path.write_bytes(short)
    (other,) = arrive(desk, evening, box.play(to=14, since=12))
    assert other.refused is Grounds.APART
    assert desk.tables(1)[0].state is Stage.IN


def swapped(path, *, keep_signatures=True):
    """Swap the points by swapping names, as somebody does who can rebuild the chain but has no key."""
    reading = read(path)
    header = renamed(reading.header, a=reading.header["seat.b"], b=reading.header["seat.a"])
    rebuilt = resealed(header, reading.records, lambda record: record)
    if keep_signatures:  # as they were
        rebuilt = [
            replace(new, signature=old.signature) for new, old in zip(rebuilt, reading.records, strict=True)
        ]
    return encode(header, rebuilt)


def torn(path):
    data = path.read_bytes()
    at = data.index(b"\n", len(data) // 2) + 20
    return data[:at] + b"#" + data[at + 1 :]


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (swapped, Grounds.SIGNATURE),
        (lambda path: swapped(path, keep_signatures=False), Grounds.UNSIGNED),
        (torn, Grounds.DAMAGED),
        (lambda path: path.read_bytes() + b'{"seq": 99, "gr', Grounds.DAMAGED),
    ],
)
def test_a_forged_or_damaged_match_is_refused(desk, evening, change, kind):
    path = evening.boxes[0].play(*PLAN[0])
    path.write_bytes(change(path))
    (one,) = arrive(desk, evening, path)
    assert (one.refused, one.table) == (kind, "table-01")
    assert desk.every(TableResult) == []
    assert "take" in one.said


@pytest.mark.parametrize("data", [b"", b"\0" * 999])
def test_what_is_no_journal_is_named(desk, evening, tmp_path, data):
    file = tmp_path / "holiday.jpg"
    file.write_bytes(data)
    (one,) = arrive(desk, evening, file)
    assert one.refused is Grounds.UNREADABLE
    assert one.said.startswith("refused: not a journal")
    assert str(tmp_path) not in one.said


def test_not_signed_another_s_key_another_table_another_event(desk, evening, tmp_path):
    def refused(path, kind, **more):
        (one,) = arrive(desk, evening, path, **more)
        assert one.refused is kind, one.said

    first, second, third = evening.boxes
    refused(first.play(*PLAN[0], file="other.podesta", event_id="Sunday cup"), Grounds.EVENT)
    refused(second.play(*PLAN[0], table_id="table-01", file="lie.podesta"), Grounds.TABLE)
    stranger = Evening(tmp_path, name="Friday copy").boxes[0]
    refused(stranger.play(*PLAN[0], event_id="Friday cup"), Grounds.STRANGER)
    third.key = None
    refused(third.play(*PLAN[2]), Grounds.UNSIGNED)
    assert len(desk.refusals()) == 4
    assert desk.every(TableResult) == []


def test_what_was_added_behind_the_last_signature_does_not_count(desk, evening):
    box = evening.boxes[0]
    box.play(*PLAN[0], to=12)
    box.key = None
    (one,) = arrive(desk, evening, box.play(since=12))
    assert one.refused is Grounds.CUT


def test_a_spare_box_is_let_in_where_somebody_says_so_and_marked(desk, evening):
    path = evening.boxes[2].play(*PLAN[0], table_id="table-01")
    assert arrive(desk, evening, path)[0].refused is Grounds.TABLE
    (one,) = arrive(desk, evening, path, spare=True)
    assert (one.refused, one.table) == (None, "table-01")
    assert desk.tables(1)[0].why == "table-03 stood in for table-01"


def test_another_match_at_the_table_is_kept_and_doubtful(desk, evening):
    box = evening.boxes[0]
    arrive(desk, evening, box.play(*PLAN[0]), number=1)
    (part,) = arrive(desk, evening, box.play(*PLAN[0], to=5, file="b.podesta"), number=1)
    assert part.refused is Grounds.UNFINISHED
    (other,) = arrive(desk, evening, box.play(*PLAN[0], file="c.podesta"), number=1)
    assert (other.refused, "another match than m.podesta" in desk.tables(1)[0].why) == (None, True)
    (old,) = arrive(desk, evening, box.matches / "m.podesta")
    assert old.refused is Grounds.OLDER
    assert "another result has replaced this match" in old.said


def test_a_bundle_and_a_folder_of_bundles_and_journals(desk, evening, tmp_path):
    stick = tmp_path / "stick"
    (stick / "deep").mkdir(parents=True)
    for number, box in enumerate(evening.boxes[:2]):
        box.play(*PLAN[number])
        assert main(["bundle", str(stick / f"{number}.zip"), "--state", str(box.state)]) == 0
    path = evening.boxes[2].play(*PLAN[2])
    (stick / "deep" / "x.podesta").write_bytes(path.read_bytes())
    (stick / "photo.jpg").write_bytes(b"no")
    (stick / "torn.zip").write_bytes((stick / "0.zip").read_bytes()[:-200])
    found = Intake(desk, evening.keys, "Guido").take_folder("stick", stick)
    assert [one.file for one in found] == [
        "stick/0.zip/table-01/m.podesta",
        "stick/1.zip/table-02/m.podesta",
        *("stick/deep/x.podesta", "stick/torn.zip"),
    ]
    assert [one.refused for one in found[:3]] == [None] * 3
    assert found[3].refused
    assert [one.state for one in desk.tables(1)] == [Stage.IN] * 3


def test_a_bundle_that_unpacks_to_too_much_is_refused(desk, evening, tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "LARGEST", 1 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for at in range(3):
            archive.writestr(f"{at}", b"\0" * (1 << 19))
    (one,) = arrive(desk, evening, tmp_path / "bomb.zip")
    assert "more than 1 MiB" in one.said


def typed(desk, points, **more):
    """Keep a result of table-01 in round 1 as it is typed from paper; its number."""
    scores = tuple(points.values())
    told = {"names": tuple(points), "scores": scores, "places": rank_scores(scores), "source": "typed"}
    return desk.add(TableResult(round=1, table="table-01", **told), "Guido", **more)


def test_a_typed_result_is_marked_and_gives_way_to_the_box_s(desk, evening):
    made = typed(desk, {"Adso": 60, "Zoë": 66})
    state = desk.tables(1)[0]
    assert (state.result.source, state.result.places, state.result.signed) == ("typed", (2, 1), "")
    assert "Zoë played but is not planned here" in state.why
    (one,) = arrive(desk, evening, evening.boxes[0].play(*PLAN[0]))
    assert one.refused is None
    assert [row.replaces for row in desk.every(TableResult)] == [None, made]
    assert desk.tables(1)[0].state is Stage.IN


def test_a_box_goes_on_after_somebody_typed_the_result(desk, evening):
    box = evening.boxes[0]
    arrive(desk, evening, box.play(*PLAN[0], to=12))
    (there,) = desk.current(TableResult)
    made = typed(desk, {"Adso": 60, "William": 66}, after=there)
    assert arrive(desk, evening, box.matches / "m.podesta")[0].refused is Grounds.OLDER
    (one,) = arrive(desk, evening, box.play(since=12))
    assert (one.refused, one.round) == (None, 1)
    assert [row.replaces for row in desk.every(TableResult)] == [None, 1, made]
