"""Boxes are told who sits at their tables in the round that runs, and the time left of it."""

import msgspec
import pytest

from device.event import Trusted
from device.event.desk.live import Live
from device.event.desk.rows import DeskRuling, RoundClock, RulingKind, SeatRow
from device.event.messages import DeskShare, JudgesRuling, Presence, Seated, TableView, TopicKind
from tests.device.event.desk.telling import TOPICS

ONE = [SeatRow(1, "table-01", "b", "Adso"), SeatRow(1, "table-01", "a", "William")]
TWO = [SeatRow(2, "table-01", "a", "Bea"), SeatRow(2, "table-01", "b", "William")]


@pytest.fixture
def desk(store):
    store.set("Olga", event="Friday cup")
    store.plan(1, ONE, "Olga")
    return store


@pytest.fixture
def live(desk):
    """A desk at which the box of table-01 is lost, for which a spare one may stand in."""
    return Live(desk, lambda: {"key": Trusted("table-01", counts_to="")})


def comes(live, box, table="", online=True):
    told = (TopicKind.STATE, Presence(online=online)), (TopicKind.VIEW, TableView(table or box))
    live.take([(TOPICS.at(box, kind), msgspec.json.encode(one)) for kind, one in told])


def told(live):
    """By box, what it is told of the round now."""
    every = [
        (topic.rpartition("/")[2], msgspec.json.decode(payload, type=DeskShare | JudgesRuling | Seated))
        for topic, payload in live.due()
    ]
    return {box: one for box, one in every if isinstance(one, Seated)}


def test_a_box_that_comes_is_told_and_again_after_a_while(live, desk):
    assert told(live) == {}
    comes(live, "table-01")
    comes(live, "table-02")
    seats = Seated(1, "table-01", ("William", "Adso"))
    assert told(live) == {"table-01": seats, "table-02": Seated(1, "table-02")}
    assert told(live) == {}, "once"
    comes(live, "table-01")
    assert told(live) == {"table-01": seats}, "it may be another process that heard nothing"
    comes(live, "table-02", online=False)
    desk.now.now += 60
    assert told(live) == {"table-01": seats}
    comes(live, "spare-01", "table-01")
    assert told(live) == {"spare-01": seats}
    live.forget()
    assert set(told(live)) == {"table-01", "spare-01"}, "the broker was away"


def test_the_round_that_runs_is_the_first_that_waits_or_a_later_one_whose_clock_was_started(live, desk):
    comes(live, "table-01")
    desk.plan(2, TWO, "Olga")
    assert told(live)["table-01"].round == 1
    void = DeskRuling(round=1, table="table-01", result=None, ruled=RulingKind.VOID, reason="spilt")
    desk.add(void, "Guido")
    assert told(live) == {"table-01": Seated(2, "table-01", ("Bea", "William"))}
    desk.add(msgspec.structs.replace(void, round=2), "Guido")
    assert told(live) == {}, "all is in: the last one stays"
    desk.plan(3, [msgspec.structs.replace(seat, round=3) for seat in ONE], "Olga")
    desk.plan(4, [msgspec.structs.replace(seat, round=4) for seat in TWO], "Olga")
    assert told(live)["table-01"].round == 3
    for number in (4, 5):
        desk.add(RoundClock(round=number, left_s=60, running=True), "Olga")
    assert told(live) == {"table-01": Seated(4, "table-01", ("Bea", "William"), 60)}, "5 has no plan"


def test_a_desk_that_only_looks_tells_nothing(live, desk):
    comes(live, "table-01")
    desk.set("Olga", desk="another")
    assert told(live) == {}
