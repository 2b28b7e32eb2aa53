"""Two desks on one database, SQLite or PostgreSQL, look at one event; the one that rules is named."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from device.event.desk.app import make_app
from device.event.desk.front import DeskSetup
from device.event.desk.live import Live
from device.event.desk.rows import AuditRow, LiveRecord, Role, Stage, TableResult
from device.event.desk.store import DeskStore
from tests.device.event.desk.conftest import Visitor, gate_of, token
from tests.device.event.desk.telling import Teller, tell

TABLE = "/round/1/table/table-01"


@pytest.fixture
def other(store, clock):
    """Give the same database, as another process has it."""
    made = DeskStore(store._engine.url.render_as_string(hide_password=False), clock)
    yield made
    made.close()


def at_desk(store, evening, name, role, **more):
    setup = DeskSetup(store, gate_of(store, role), evening.keys_file, name=name, **more)
    return Visitor(make_app(setup), str(role))


def test_the_desk_that_rules_is_named_and_the_other_only_looks(app, store, other, evening, set_up):
    store.set("podesta desk", desk="hall:8180")
    guido, bea = (
        at_desk(one, evening, name, Role.JUDGE)
        for one, name in ((store, "hall:8180"), (other, "cellar:8180"))
    )
    ruling = {"ruled": "void", "reason": "nobody came", "at": TABLE}
    assert "hall:8180 rules" in guido.get("/")
    page = bea.get("/")
    assert "cellar:8180 only looks: hall:8180 rules this event." in page
    assert "Let cellar:8180 rule" not in page, "that is for the organiser"
    assert "hall:8180 rules: do it there" in bea.send(f"{TABLE}/rule", status=409, **ruling)
    guido.upload(evening.boxes[0].play("Adso", "William"))
    assert store.tables(1)[0].state is Stage.IN
    assert "signed by table-01" in bea.get("/?round=1"), "what came in at one is seen at the other"
    olga = at_desk(other, evening, "cellar:8180", Role.ORGANISER)
    assert "Let cellar:8180 rule" in olga.get("/")
    olga.send("/desk")
    seen = store.tables(1)[0].result.id
    bea.send(f"{TABLE}/rule", result=seen, **ruling)
    assert store.tables(1)[0].state is Stage.RULED
    assert "cellar:8180 rules: do it there" in guido.send(f"{TABLE}/rule", status=409, **ruling)
    assert [row.what for row in store.every(AuditRow, kind="desk")] == ["cellar:8180 rules"]
    guido.send("/logout")


def test_of_two_that_write_at_once_one_is_told(store, other, set_up, evening):
    points = {"name.0": "Adso", "points.0": "5", "name.1": "William", "points.1": "3", "result": ""}

    def typed(judge):
        form = {"csrf": token(judge.client.get("/").text)} | points
        return judge.client.post(f"{TABLE}/type", data=form).status_code

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(typed, [at_desk(one, evening, "", Role.JUDGE) for one in (store, other)]))
    assert sorted(found) == [303, 409]
    (result,) = store.current(TableResult, table="table-01", round=1)
    assert result.scores == (5, 3)


def test_boxes_are_heard_by_the_desk_that_rules(store, other, evening, set_up):
    store.set("podesta desk", desk="hall")
    hall, cellar = (
        Live(one, lambda: evening.keys, name) for one, name in ((store, "hall"), (other, "cellar"))
    )
    box = evening.boxes[0]
    teller = Teller("table-01", box.play("Adso", "William", to=9))
    told = [teller.presence(), teller.view(call=9), *teller.offer()]
    assert cellar.take(told) == []
    cellar.settle()
    assert cellar.due() == []
    assert other.every(LiveRecord) == [], "it looks"
    assert other.calls() == []
    assert cellar.tables["table-01"].view.records == 9
    assert cellar.in_trouble()["out of step"] == []
    tell(hall, teller)
    assert len(other.every(LiveRecord)) == 10
    other.set("Olga", desk="cellar")
    box.play(since=9)
    cellar.forget()  # as it does once it rules
    assert tell(cellar, replaced(teller))
    assert hall.take([teller.view()]) == []
    assert store.tables(1)[0].state is Stage.IN


def replaced(teller):
    """The box hears that another desk is there."""
    teller.outbox.forget()
    return teller
