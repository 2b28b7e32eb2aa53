"""The clock of a round: it goes on while the desk is down, and what is not in when it is over is overdue."""

import pytest

from device.event.desk.rows import AuditRow, RoundClock
from tests.device.event.desk.conftest import Visitor
from tests.device.event.desk.test_rounds import typed


def test_a_round_s_time_runs_stands_and_goes_on(guido, set_up, store, clock):
    def shown():
        return Visitor(guido.client.app).get("/public").partition('role="timer">')[2].partition("<")[0]

    assert shown() == ""
    guido.send("/rounds/1/clock", do="start", minutes="50")
    assert shown().startswith("50 min left, until ")
    clock.now += 20 * 60 + 1
    assert shown().startswith("30 min left, until ")
    guido.send("/rounds/1/clock", do="pause", minutes="")
    clock.now += 3600
    assert shown() == "30 min left, the clock is paused"
    assert "already" in guido.send("/rounds/1/clock", do="pause", status=400)
    guido.send("/rounds/1/clock", do="go", minutes="")
    guido.send("/rounds/1/clock", do="more", minutes="5")
    clock.now += 10 * 60
    assert shown().startswith("25 min left, until ")
    assert 'value="50"' in guido.get("/"), "the minutes of the next round"
    clock.now += 32 * 60
    assert shown() == "Time has been up for 7 min"
    assert [row.what for row in store.every(AuditRow, kind="clock")] == [
        *("round 1: started, 50 minutes", "round 1: paused", "round 1: running", "round 1: 5 minutes more")
    ]
    assert len(store.every(RoundClock)) == 4


def test_what_is_not_in_when_time_is_up_is_overdue(guido, set_up, clock):
    guido.send("/rounds/1/clock", do="start", minutes="50")
    typed(guido, 1, "table-01", ("Adso", "William"), 60, 66)
    clock.now += 50 * 60 - 1
    assert "overdue" not in guido.get("/")
    clock.now += 1
    page = guido.get("/")
    assert '<li class="alarm"><b>1</b> overdue</li>' in page
    assert page.count('<li class="overdue">') == 1
    assert "Time has been up for 0 min" in page
    typed(guido, 1, "table-02", ("Bea", "Cy"), 60, 66)
    assert "overdue" not in guido.get("/")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"do": "start", "minutes": "x"}, 'a whole number from 1 to 999, not "x"'),
        ({"do": "start", "minutes": "0"}, 'a whole number from 1 to 999, not "0"'),
        ({"do": "pause"}, "was not started yet"),
        ({"do": "more", "minutes": "5"}, "was not started yet"),
    ],
)
def test_what_no_clock_does(guido, set_up, store, fields, why):
    assert why in guido.send("/rounds/1/clock", status=400, **fields)
    assert store.clock(1) is None
