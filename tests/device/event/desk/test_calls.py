"""A judge is called to a table, waits are shown by age, a named judge answers; all of it is kept."""

from device.event.desk.rows import AuditRow, JudgeCall, Role
from tests.device.event.desk.conftest import PASSWORD, Visitor, gate_of


def test_a_call_waits_until_a_named_judge_answers(app, guido, set_up, store, clock):
    gate_of(store).keep("Bea", Role.JUDGE, PASSWORD, "test")
    bea, table = Visitor(app, "Bea"), "/round/1/table/table-0"
    guido.send(f"{table}2/call", said="which bag")
    clock.now += 7 * 60
    bea.send(f"{table}1/call", said="")
    page = bea.get("/")
    assert '<li class="alarm"><b>2</b> calls</li>' in page
    cards = page.split("<h2>Calls</h2>")[1].split("</ul>")[0]
    assert cards.index("<b>table-02</b>") < cards.index("<b>table-01</b>"), "the oldest first"
    assert "<b>7 min</b> which bag" in cards
    assert "<b>0 min</b> a judge, please" in cards
    assert "waits for a judge already" in guido.send(f"{table}2/call", said="again", status=409)
    first = store.calls()[0]
    assert "Answer as" not in Visitor(app, "viewer").get("/")
    assert "which bag" not in Visitor(app).get("/public")
    bea.send(f"/call/{first.id}", said="the black one")
    assert "another judge has answered" in guido.send(f"/call/{first.id}", status=409)
    assert [one.table for one in store.calls()] == ["table-01"]
    assert [(one.said, one.who, one.answered) for one in store.every(JudgeCall, table="table-02")] == [
        ("which bag", "judge", False),
        ("the black one", "Bea", True),
    ]
    page = guido.get(f"{table}2")
    assert f"answer to call {first.id}</td><td>the black one" in page
    assert "table-02, round 1: answered by Bea: the black one" in [
        row.what for row in store.every(AuditRow, kind="call")
    ]
    guido.send(f"{table}2/call", said="once more")
    assert len(store.calls()) == 2
