"""A desk that boxes tell of their matches: whatever becomes of messages, it has what they have or says so."""

import json
from datetime import UTC, datetime
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from device.event import Trusted, judge_signatures, read_keys
from device.event.desk.app import make_app
from device.event.desk.front import DeskSetup
from device.event.desk.grounds import Grounds
from device.event.desk.intake import Intake
from device.event.desk.live import Live
from device.event.desk.rows import AuditRow, LiveRecord, Role, SeatRow, Stage, TableResult
from device.event.desk.standings import list_counted_results
from device.event.desk.store import DeskStore, StoreError
from device.event.messages import DeskShare, JudgesRuling, Presence, Seated, Sent, TopicKind
from device.match import Call, Draft, Kind, Replay, decode, list_scores, read
from device.match.journal_text import encode
from tests.device.clocks import FakeClock
from tests.device.commands.recorded import resealed, ruling
from tests.device.event.desk.conftest import Visitor, gate_of, unused_at
from tests.device.event.desk.evening import Evening
from tests.device.event.desk.telling import TOPICS, Teller, outgoing, tell
from tests.device.event.desk.test_intake import PLAN, desk, swapped

__all__ = ["desk"]


@pytest.fixture
def evening(tmp_path):
    return Evening(tmp_path)


@pytest.fixture
def live(desk, evening):
    return Live(desk, lambda: evening.keys)


def box(evening, at=0, **how):
    one = evening.boxes[at]
    return Teller(one.place.table, one.play(*PLAN[at], **how))


def test_a_match_that_is_told_is_the_result_that_its_journal_gives(live, desk, evening, tmp_path):
    teller = box(evening)
    assert tell(live, teller)
    (told,) = desk.current(TableResult)
    other = DeskStore(unused_at(tmp_path / "other"))
    other.set("Olga", event="Friday cup")
    Intake(other, evening.keys, "Guido").take("m", teller.path.read_bytes())
    (carried,) = other.current(TableResult)
    for field in ("table", "names", "scores", "places", "signer", "signed", "phrase", "tip", "records"):
        assert getattr(told, field) == getattr(carried, field), field
    assert desk.tables(1)[0].state is Stage.IN
    assert desk.journal(told.id) == teller.path.read_bytes(), "nothing is hidden: as the box has it"
    reading = read(teller.path)
    assert told.scores == tuple(list_scores(Replay(reading.header, reading.records)))
    assert told.scores[told.places.index(1)] == max(told.scores)
    assert (told.signer, told.phrase.replace(" ", "")) == ("table-01", reading.records[-1].hash[:16])
    other.close()


@pytest.mark.parametrize(("year", "carried"), [(1999, False), (2037, True)], ids=["live", "upload"])
def test_a_match_of_a_box_whose_clock_is_years_off_counts(live, desk, evening, year, carried):
    """It has its place among results by when it came, as the desk's clock has it."""
    clock = FakeClock(utc_ms=int(datetime(year, 1, 1, tzinfo=UTC).timestamp() * 1000))
    late, now = box(evening, clock=clock), box(evening, 1)
    assert datetime.fromtimestamp(read(late.path).records[0].utc_ms / 1000, UTC).year == year
    guido = visitor(desk, evening, live=live)
    if carried:
        assert "refused" not in guido.upload(late.path, now.path)
    else:
        assert tell(live, late, now)
    states = {one.table: one for one in desk.tables(1)}
    assert [states[name].state for name in ("table-01", "table-02")] == [Stage.IN, Stage.IN]
    assert states["table-01"].result.at == desk.now_ms
    assert "table-01" in guido.get("/results.csv")
    assert {row.table for row in list_counted_results(desk.tables(1))} == {"table-01", "table-02"}


@pytest.mark.parametrize("seed", range(2))
def test_messages_lost_doubled_and_out_of_order(live, desk, evening, seed):
    rng = Random(seed)
    tellers = [box(evening, at) for at in range(3)]

    def post(messages):
        kept = [one for one in messages for _ in range(rng.choice((0, 1, 1, 2)))]
        rng.shuffle(kept)
        return kept

    assert tell(live, *tellers, post=post)
    for one in tellers:
        live.take([one.view()])
    live.settle()
    assert [one.state for one in desk.tables(1)] == [Stage.IN] * 3
    assert [row.seq for row in desk.every(LiveRecord, match=tellers[0].match.match)].count(1) == 1


def test_each_step_is_told_once_and_a_gap_is_asked_for(live, desk, evening):
    one = evening.boxes[0]
    teller = Teller("table-01", one.play(*PLAN[0], to=10))
    tell(live, teller)
    one.play(since=10, to=12)
    lost = teller.hear([])
    assert [len(msgspec.json.decode(payload)["records"]) for _, payload in lost] == [2]
    one.play(since=12, to=15)
    assert teller.hear([]) == [], "first the desk says what it has"
    late = teller.at(TopicKind.RECORDS, teller.match.sent(range(13, 16)))
    ((_, answer),) = live.take([late])
    assert msgspec.json.decode(answer, type=DeskShare) == DeskShare(teller.match.match, 10)
    live.take([teller.view(over=True)])
    live.settle()
    assert desk.every(TableResult) == [], "the desk has not all of it yet"
    (again,) = teller.hear([(TOPICS.to("table-01"), answer)])
    assert [record["seq"] for record in json.loads(again[1])["records"]] == [11, 12, 13, 14, 15]
    assert teller.hear(live.take([again, late])) == []
    assert len(desk.every(LiveRecord)) == 16, "with the header"


def test_a_desk_that_was_killed_in_the_middle_goes_on_and_one_that_lost_all_begins_anew(
    live, desk, evening, tmp_path, monkeypatch
):
    teller = box(evening)
    monkeypatch.setattr("device.event.messages.CHUNK", 7)
    first = teller.hear(live.take(teller.offer()))
    with monkeypatch.context() as patch:
        count = iter(range(5))

        def add(*args, **more):
            if next(count, None) is None:
                raise StoreError("the disk is full")
            return DeskStore.add(desk, *args, **more)

        patch.setattr(desk, "add", add)
        assert live.take(first) == []
    assert desk.every(LiveRecord) == [], "all of a batch, or nothing"
    live.take(first)
    again = Live(desk, lambda: evening.keys)
    assert tell(again, Teller("table-01", teller.path))
    assert desk.tables(1)[0].state is Stage.IN
    empty = DeskStore(unused_at(tmp_path / "empty"))
    empty.set("Olga", event="Friday cup")
    teller.outbox.forget()  # it hears that a desk is there
    assert tell(Live(empty, lambda: evening.keys), teller)
    assert [row.tip for row in empty.current(TableResult)] == [row.tip for row in desk.current(TableResult)]
    empty.close()


# Boxes that lie


def refused(live, teller, kind):
    """Tell and return what the box is answered; every lie is in the audit log, once."""
    before = len(live.store.every(AuditRow, kind="refused"))
    tell(live, teller)
    heard = teller.outbox.heard[teller.match.match]
    assert heard.refused == kind
    tell(live, Teller(teller.box, teller.path))
    rows = live.store.every(AuditRow, kind="refused")[before:]
    (row,) = [row for row in rows if "its view says" not in row.what]
    assert row.what.startswith(f"live from {teller.box}: refused: {kind}")
    assert live.store.every(TableResult) == []


def test_a_bad_signature_another_table_another_event_and_a_stranger(live, evening, tmp_path):
    one, two, _ = evening.boxes
    path = one.play(*PLAN[0])
    path.write_bytes(swapped(path))
    refused(live, Teller("table-01", path), Grounds.SIGNATURE)
    refused(live, Teller("table-02", two.play(*PLAN[0], table_id="table-01")), Grounds.TABLE)
    refused(
        live, Teller("table-01", one.play(*PLAN[0], file="e.podesta", event_id="Sunday cup")), Grounds.EVENT
    )
    stranger = Evening(tmp_path, name="Friday copy").boxes[0]
    refused(live, Teller("table-01", stranger.play(*PLAN[0], event_id="Friday cup")), Grounds.STRANGER)
    two.key = one.key
    refused(live, Teller("table-02", two.play(*PLAN[0], file="k.podesta")), Grounds.TABLE)
    genuine = one.play(*PLAN[0], file="g.podesta")
    refused(live, Teller("table-02", genuine), Grounds.TABLE)


def test_a_view_of_another_table_is_not_believed(live, desk, evening):
    """No call is made there, its score stays, rulings go to its own match; a lost table is a spare box's."""
    plays = box(evening, to=10)
    tell(live, plays)
    liar = Teller("table-02", evening.boxes[1].play(*PLAN[0]))
    lie = liar.view(table="table-01", call=3, said="a lie", scores=(99, 0))
    live.take([liar.presence(), lie, lie])
    assert desk.calls() == []
    assert live.playing()["table-01"].records == 10
    assert live.played(desk.tables(1)[0]).match == plays.match.match
    (row,) = desk.every(AuditRow, kind="refused")
    assert row.what.startswith("live from table-02: refused: key of another table (its view says table-01)")
    evening.keys = evening.keys | {evening.boxes[0].key.public: Trusted("table-01", ())}
    live.due()
    live.take([lie])
    assert [call.table for call in desk.calls()] == ["table-01"]


def test_a_changed_record_and_another_end(live, desk, evening):
    one = evening.boxes[0]
    teller = Teller("table-01", one.play(*PLAN[0], to=12))
    short = teller.path.read_bytes()
    tell(live, teller)
    one.play(since=12, to=20)
    tell(live, teller)
    teller.path.write_bytes(short)
    one.play(since=12, to=13, more=[ruling(str(Call("other end")))])
    fork = Teller("table-01", teller.path)
    ((_, answer),) = live.take([fork.at(TopicKind.RECORDS, fork.match.sent(range(1, 15)))])
    assert msgspec.json.decode(answer, type=DeskShare).refused == Grounds.APART
    assert "record 13 differs from the desk's" in desk.every(AuditRow)[-1].what


@pytest.mark.parametrize(
    "payload", [b"", b"{}", b"[]", b"\xff", b'{"match":"x","records":[{}]}', b"0" * (2 << 20)]
)
@pytest.mark.parametrize("kind", list(TopicKind))
def test_what_nobody_understands_is_passed_over(live, desk, kind, payload):
    assert live.take([(TOPICS.at("table-01", kind), payload), ("podesta/friday-cup/desk", payload)]) == []
    assert desk.every(LiveRecord) == []


def test_a_revoked_key_counts_no_more_and_a_spare_box_stands_in(live, desk, evening):
    first, spare = evening.boxes[0], evening.boxes[2]
    teller = Teller("table-01", first.play(*PLAN[0], to=12))
    tell(live, teller)
    live.take([teller.presence(online=False)])
    live.settle()
    assert desk.tables(1)[0].state is Stage.UNFINISHED
    evening.keys[first.key.public] = Trusted("table-01", (read(teller.path).records[-1].hash,))
    refused_path = first.play(*PLAN[0], file="later.podesta")
    tell(live, late := Teller("table-01", refused_path))
    assert late.outbox.heard[late.match.match].refused == Grounds.STRANGER
    first.key = spare.key
    stands_in = Teller("table-03", first.play(since=12))
    assert tell(live, stands_in)
    state = desk.tables(1)[0]
    assert (state.result.finished, state.result.records) == (True, len(stands_in.match.records))
    assert "begun at the box of table-01, signed at the end by that of table-03" in state.why


def test_what_a_box_told_before_its_key_was_revoked_counts(live, desk, evening, tmp_path):
    """Live records that no result had yet are checkpoints like a result's."""
    first = evening.boxes[0]
    teller = Teller("table-01", first.play(*PLAN[0], to=12))
    tell(live, teller)
    assert desk.every(TableResult) == []
    olga = visitor(desk, evening, Role.ORGANISER)
    table = "/round/1/table/table-01"
    olga.send(f"{table}/revoke", at=table, sure="yes")
    evening.keys = read_keys(evening.keys_file)
    live.take([teller.presence(online=False)])
    live.settle()
    (result,) = desk.every(TableResult)
    assert (result.records, result.signed) == (12, "whole")
    assert desk.every(AuditRow, kind="refused") == []


def test_a_refusal_ends_with_its_cause(live, desk, evening):
    """A key that was missing comes, a box starts anew: what was refused is looked at once more."""
    teller = box(evening)
    key = evening.boxes[0].key.public
    trusted = evening.keys.pop(key)
    live.due()
    tell(live, teller)
    assert teller.outbox.heard[teller.match.match].refused == Grounds.STRANGER
    assert not teller.hear(live.due())
    evening.keys = evening.keys | {key: trusted}
    assert teller.hear(live.due()), "the desk asks for it by itself"
    assert tell(live, teller)
    assert desk.tables(1)[0].state is Stage.IN
    two = Teller("table-02", evening.boxes[1].play(*PLAN[1]))
    good = two.path.read_bytes()
    two.path.write_bytes(swapped(two.path))
    tell(live, two)
    two.path.write_bytes(good)
    live.take([two.presence(online=False), two.presence()])
    again = Teller("table-02", two.path)
    assert tell(live, again)
    assert desk.tables(1)[1].state is Stage.IN


# What is seen


def test_hidden_records_are_redacted_and_told_once_they_are_revealed(live, desk, evening):
    match = outgoing(evening.boxes[0].play(*PLAN[0], to=30))
    sealed = replace(match, hidden=frozenset({3, 9, 28}))
    teller = Teller("table-01", None)
    said = []

    def step(one, answers):
        for topic, payload in answers:
            assert topic == TOPICS.to("table-01")
            teller.outbox.hear(msgspec.json.decode(payload, type=DeskShare))
        found = [teller.at(TopicKind.RECORDS, sent) for sent in teller.outbox.due(one)]
        said.extend(payload for _, payload in found)
        return found

    teller.outbox.hear(DeskShare(match.match, 0))
    answers = live.take(step(sealed, []))
    assert msgspec.json.decode(answers[0][1], type=DeskShare) == DeskShare(match.match, 30, (3, 9, 28))
    told = {record.seq: record for part in said for record in msgspec.json.decode(part, type=Sent).records}
    assert [seq for seq, record in told.items() if record.redacted] == [3, 9, 28]
    assert all(msgspec.json.encode(match.records[seq - 1].salt) not in b"".join(said) for seq in (3, 9, 28))
    opened = replace(sealed, hidden=frozenset({28}))
    answers = live.take(step(opened, answers))
    assert [record.seq for record in msgspec.json.decode(said[-1], type=Sent).records] == [3, 9]
    assert msgspec.json.decode(answers[0][1], type=DeskShare).sealed == (28,)
    again = Live(desk, lambda: evening.keys)
    teller.outbox.forget()
    teller.outbox.hear(DeskShare(match.match, 30, (3, 9, 28)))  # a desk that did not hear of it
    assert again.take(step(opened, []))
    assert step(opened, []) == []
    assert [len(desk.every(LiveRecord, seq=seq)) for seq in (3, 9, 28)] == [2, 2, 1]


def test_a_match_told_with_a_hand_that_nobody_else_may_see_counts_and_the_hand_stays_at_its_box(
    live, desk, evening
):
    one = evening.boxes[0]
    told = Draft(kind=Kind.PRIVATE, payload="A,A,tower", seat=0, channel="page:Adso", visibility="seat:a")
    one.play(*PLAN[0], to=10, more=[told])
    teller, heard = Teller("table-01", one.play(since=10)), []

    def post(messages):
        heard.extend(payload for _, payload in messages)
        return messages

    assert tell(live, teller, post=post)
    state = desk.tables(1)[0]
    assert state.state is Stage.IN
    reading = read(teller.path)
    assert state.result.scores == tuple(list_scores(Replay(reading.header, reading.records)))
    assert reading.records[10].payload == told.payload
    salt = reading.records[10].salt
    assert not any(one.encode() in b"".join(heard) for one in (told.payload, salt))
    assert not decode(desk.journal(state.result.id)).whole, "no spare box goes on with it from here"


def test_a_box_that_plays_with_others_than_planned_is_shown_while_it_plays(live, desk, evening):
    """Also who sits in another order, or still plays an earlier round, is where the plan has them."""
    seats = [("table-01", *PLAN[0]), ("table-02", *PLAN[1])]
    rows = [SeatRow(1, table, "ab"[at], name) for table, *names in seats for at, name in enumerate(names)]
    desk.plan(1, rows, "Olga")
    desk.plan(2, [replace(row, round=2, table=f"table-0{3 - int(row.table[-1])}") for row in rows], "Olga")
    guido = visitor(desk, evening, live=live)
    one, two = (Teller(f"table-0{at + 1}", evening.boxes[at].play(*PLAN[0][::-1], to=9)) for at in (0, 1))
    tell(live, one, two)
    assert live.astray() == []
    desk.plan(2, [], "Olga")
    assert [each.box for each in live.astray()] == ["table-02"]
    page = guido.get("/?round=1")
    assert "<b>1</b> astray boxes" in page
    assert f"other people than planned: {PLAN[0][1]}, {PLAN[0][0]}" in page
    live.take([two.view(over=True)])
    assert live.astray() == [], "its result says the same"


def test_a_long_match_is_told_in_messages_of_whole_groups(evening, monkeypatch):
    path = evening.boxes[0].play(*PLAN[0])
    reading = read(path)
    groups = resealed(
        reading.header, reading.records[:6], lambda record: replace(record, group=1, group_size=6)
    )
    match = replace(outgoing(path), records=groups)
    monkeypatch.setattr("device.event.messages.CHUNK", 4)
    assert len(match.sent(range(1, 7)).records) == 6
    assert len(outgoing(path).sent(range(1, 40)).records) == 4, "a group of its own each"
    assert judge_signatures(reading.header, reading.records).signed == "whole"
    assert encode(reading.header, reading.records) == path.read_bytes()


def visitor(desk, evening, role=Role.JUDGE, live=None):
    setup = DeskSetup(desk, gate_of(desk, role), evening.keys_file, live=live)
    return Visitor(make_app(setup), str(role))


# What judges say


def words(live):
    told = [msgspec.json.decode(payload, type=DeskShare | JudgesRuling | Seated) for _, payload in live.due()]
    return [one for one in told if isinstance(one, JudgesRuling)]


def answered(teller, one, word, *lines, to):
    """Return what a box records of a word, by its channel."""
    more = [replace(ruling(line), channel=f"desk:{word.id}") for line in lines]
    one.play(since=to, to=to, more=more)
    return teller


def test_a_judge_s_answer_is_told_until_the_record_has_it(live, desk, evening):
    one = evening.boxes[0]
    guido = visitor(desk, evening, live=live)
    teller = Teller("table-01", one.play(*PLAN[0], to=5, more=[ruling(str(Call("which bag")))]))
    tell(live, teller)
    assert words(live) == []
    guido.send(f"/call/{desk.calls()[0].id}", said="the black one")
    (word,) = words(live)
    assert (word.match, word.judge, word.ruling) == (teller.match.match, "judge", "answered the black one")
    assert words(live) == [], "not again at once"
    assert "<b>table-01</b> judge: answered the black one" in guido.get("/")
    desk.now.now += 11
    assert words(live) == [word]
    again = Live(desk, lambda: evening.keys)
    tell(again, Teller("table-01", teller.path))
    assert words(again) == [word], "a desk that was started anew knows it, and opens no second call"
    assert desk.calls() == []
    tell(again, answered(teller, one, word, "by judge judge", "answered the black one", to=6))
    desk.now.now += 11
    assert words(again) == []
    assert desk.calls() == []


def test_an_answer_that_is_declined_is_a_call_anew(live, desk, evening):
    one = evening.boxes[0]
    guido = visitor(desk, evening, live=live)
    teller = Teller("table-01", one.play(*PLAN[0], to=5, more=[ruling(str(Call()))]))
    tell(live, teller)
    guido.send(f"/call/{desk.calls()[0].id}", said="go on")
    (word,) = words(live)
    tell(live, answered(teller, one, word, "call not everybody agrees", to=6))
    live.take([teller.view(said="not everybody agrees")])
    assert words(live) == []
    assert [(call.said, call.record) for call in desk.calls()] == [("", 7)]


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ({"ruled": "void"}, "judged void too late"),
        (
            {"ruled": "scores", "name.0": "William", "points.0": "45", "name.1": "adso", "points.1": "60"},
            "judged 60:45 too late",
        ),
        (
            {"ruled": "scores", "name.0": "Ben", "points.0": "45", "name.1": "Adso", "points.1": "60"},
            "judged scores too late",
        ),
    ],
)
def test_a_ruling_goes_to_the_match_that_is_played_there(live, desk, evening, form, line):
    one = evening.boxes[0]
    guido = visitor(desk, evening, live=live)
    teller = Teller("table-01", one.play(*PLAN[0], to=9))
    tell(live, teller)
    at = "/round/1/table/table-01"
    guido.send(f"{at}/rule", at=at, reason="too late", **form)
    (word,) = words(live)
    assert word.ruling == line
    assert desk.tables(1)[0].state is Stage.RULED
    tell(live, answered(teller, one, word, "by judge judge", line, "abandon too late", to=9))
    desk.now.now += 11
    assert words(live) == [], "the record has it"
    assert live.rulings == {}
    state = desk.tables(1)[0]
    assert (state.state, state.result.heeds) == (Stage.RULED, word.id), "it came after, and has the ruling"
    assert state.result.finished


def test_points_by_hand_go_to_the_match_that_is_played_and_it_goes_on(live, desk, evening):
    one, at = evening.boxes[0], "/round/1/table/table-01"
    guido = visitor(desk, evening, live=live)
    assert "Points by hand" not in guido.get(at)
    form = {"name": "William", "points": "-3", "reason": "a stone too many"}
    assert "no match in progress" in guido.send(f"{at}/points", at=at, status=409, **form)
    tell(live, teller := Teller("table-01", one.play(*PLAN[0], to=9)))
    assert "Points by hand" in guido.get(at)
    for wrong, said in (
        ({"points": "0"}, "change nothing"),
        ({"points": "51"}, "from -50 to 50"),
        ({"points": "-1.5"}, 'not "-1.5"'),
        ({"name": "Ben"}, "Ben does not play at table-01: Adso, William"),
        ({"reason": " "}, "the reason is missing"),
    ):
        assert said in guido.send(f"{at}/points", at=at, status=400, **form | wrong)
    assert words(live) == []
    guido.send(f"{at}/points", at=at, **form)
    (word,) = words(live)
    assert (word.id[:7], word.judge, word.ruling) == ("points-", "judge", "adjust b -3 a stone too many")
    assert "<td>William -3 by hand</td><td>a stone too many</td>" in guido.get(at)
    assert "William -3 by hand; a stone too many" in desk.every(AuditRow)[-1].what
    assert desk.tables(1)[0].state is Stage.OUTSTANDING
    tell(live, answered(teller, one, word, "by judge judge", word.ruling, to=9))
    desk.now.now += 11
    assert words(live) == [], "the record has it"


def test_a_ruling_on_a_round_of_other_people_stays_at_the_desk(live, desk, evening):
    tell(live, Teller("table-01", evening.boxes[0].play("Ben", "Ada", to=9)))
    guido = visitor(desk, evening, live=live)
    at = "/round/1/table/table-01"
    guido.send(f"{at}/rule", at=at, reason="nobody came", ruled="void")
    assert words(live) == []


def test_tables_shows_calls_boxes_and_scores_as_they_are_told(live, desk, evening, tmp_path):
    guido = visitor(desk, evening, live=live)
    one, two = box(evening, to=10), box(evening, 1, to=4)
    tell(live, one, two)
    before = live.mark()
    live.take([one.view(scores=(7, 5), call=3, said="<b>"), two.presence(online=False)])
    page = guido.get("/?round=1")
    assert "Adso : William 7 : 5, record 10" in page
    assert "<b>1</b> calls" in page
    assert "<b>1</b> offline boxes" in page
    assert "<h2>Boxes offline</h2>" in page
    assert "SIMULATED" not in page
    assert live.mark() != before
    more = {"troubles": ("camera: away",), "simulated": True, "undervoltage": True}
    live.take([two.presence(), two.view(records=9, **more)])
    desk.now.now += 11
    page = guido.get("/?round=1")
    assert "it has 9 records, some of them not here for 0 min" in page
    assert "<b>1</b> troubled boxes" in page
    assert "camera: away" in page
    assert "record 9, SIMULATED" in page
    assert "<b>1</b> undervoltage boxes" in page
    assert "its supply voltage is too low" in page


def test_two_boxes_with_one_file_are_noticed_until_one_goes(live, desk, evening):
    """A box that was started anew, or whose last words come late, is one box."""
    guido = visitor(desk, evening, live=live)
    teller = box(evening, to=10)

    def told(start, *, online=None):
        how = Presence(online=online, start=start)
        return teller.view(start=start) if online is None else teller.at(TopicKind.STATE, how)

    def doubled():
        return [one.box for one in live.in_trouble()["doubled"]]

    live.take([told("a"), told("a", online=True), told("a"), told("b", online=True), told("b")])
    live.take([told("a", online=False), told("b")])
    assert (doubled(), live.tables["table-01"].online) == ([], True), "the last will of the start before"
    live.take([told("c", online=True), told("c"), told("b"), told("c"), told("b")])
    assert doubled() == ["table-01"]
    page = guido.get("/?round=1")
    assert "<b>1</b> doubled boxes" in page
    assert "two boxes send as this one" in page
    (row,) = desk.every(AuditRow, kind="doubled")
    assert (row.what, row.who) == ("two boxes send as table-01: both have its file", "table-01")
    live.take([told("c", online=False), told("b"), told("b")])
    assert (doubled(), live.tables["table-01"].online) == ([], True), "the other goes on"
    again = Live(desk, lambda: evening.keys)
    again.take([told("b", online=True), told("a"), told("b")])
    assert again.in_trouble()["doubled"] == [], "the broker had kept a view of the start before"
    again.take([told("a")])
    assert again.in_trouble()["doubled"] != []


def test_a_box_that_tells_its_own_table_and_another_s_match_is_not_believed(live, desk, evening):
    """A judge's word goes to the box whose match it is, and the liar is named."""
    guido = visitor(desk, evening, live=live)
    at = "/round/1/table/table-01"
    plays = Teller("table-01", evening.boxes[0].play(*PLAN[0], to=9))
    liar = Teller("table-02", evening.boxes[1].play(*PLAN[1], to=4))
    lie = {"match": plays.match.match, "names": PLAN[0], "records": 9}
    live.take([plays.presence(), plays.view(), liar.presence(), liar.view(**lie)])
    guido.send(f"{at}/points", at=at, name="William", points="3", reason="a stone too few")
    assert words(live) == [], "nobody has proved yet whose match it is"
    tell(live, plays)
    told = [topic for topic, payload in live.due() if b'"type":"word"' in payload]
    assert told == [TOPICS.to("table-01")]
    assert desk.every(AuditRow, kind="refused") == []
    live.take([liar.view(**lie, call=3, said="a lie"), liar.view(**lie)])
    (row,) = desk.every(AuditRow, kind="refused")
    assert row.what.startswith(
        "live from table-02: refused: key of another table (its view says the match of table-01)"
    )
    assert desk.calls() == []
