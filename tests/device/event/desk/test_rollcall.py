"""The roll call: who is there is drawn, who came late joins, who did not come is taken out."""

import re

import pytest

from device.event.desk.rounds import list_earlier_rounds
from device.event.desk.rows import Attendee, AuditRow, Roll, RollAnswer, Stage
from tests.device.event.desk.test_rounds import begun, publish, typed

__all__ = ["begun"]


def call(who, number, status=303, **hows):
    """Send the page's own form, with some people changed on it."""
    page = who.get(f"/rollcall?round={number}")
    names = dict(re.findall(r'id="p(\d+)">([^<]+?)(?: <small|</td>)', page))
    fields = {f"was.{row}": how for row, how in re.findall(r'name="was.(\d+)" value="(\w+)"', page)}
    fields |= {f"roll.{row}": hows.get(name, fields[f"was.{row}"]) for row, name in names.items()}
    return who.send(f"/rollcall/{number}", at=f"/rollcall?round={number}", status=status, **fields)


def at_table(store, number):
    found = {}
    for seat in store.seats(number):
        found.setdefault(seat.table, {})[seat.seat] = seat.person
    return found


def table_of(store, number, name):
    return next(seat.table for seat in store.seats(number) if seat.person == name)


def test_only_who_is_there_is_drawn_and_a_late_one_joins_a_three(olga, guido, begun, store):
    call(guido, 1, Hal="late")
    page, tables = publish(olga, 1)
    assert "Not drawn: Hal (late)" in page
    assert "No roll call was kept" not in page
    assert sorted(map(len, tables.values())) == [3, 4]
    assert "Everybody there sits as planned." in guido.get("/rollcall?round=1")
    call(guido, 1, Hal="here")
    assert "Hal is here but has no seat" in guido.get("/")
    three = next(table for table, names in tables.items() if len(names) == 3)
    guido.send("/rollcall/1/join", person="Hal")
    assert at_table(store, 1)[three]["d"] == "Hal"
    assert "has no seat" not in guido.get("/")
    assert [row.who for row in store.every(RollAnswer, person="Hal")] == ["judge", "judge"]
    assert "Hal sits already" in guido.send("/rollcall/1/join", person="Hal", status=400)


def test_who_came_later_has_not_sat_out_the_rounds_before(olga, begun, store, clock):
    publish(olga, 1, sizes="4,3")  # of eight nobody sits out
    clock.now += 60
    with store.transaction():
        for name in ("Ida", "Joe"):
            store.add(Attendee(name=name), "organiser")
    assert list_earlier_rounds(store, 2)[0].byes == ()
    call(olga, 1)
    assert list_earlier_rounds(store, 2)[0].byes == ("Ida", "Joe"), "the roll call found them"


def test_who_stops_a_while_has_not_sat_out_the_rounds_between(olga, begun, store, clock):
    hal = next(one for one in store.people() if one.name == "Hal")
    olga.send(f"/people/{hal.id}")
    publish(olga, 1, sizes="4,3")
    clock.now += 60
    hal = next(one for one in store.people() if one.name == "Hal")
    olga.send(f"/people/{hal.id}")
    assert list_earlier_rounds(store, 2)[0].byes == ()


def test_nobody_joins_a_table_that_has_played(olga, guido, begun, store):
    call(guido, 1, Hal="late")
    _, tables = publish(olga, 1)
    three, names = next((table, names) for table, names in tables.items() if len(names) == 3)
    typed(guido, 1, three, names, 30, 20, 10)
    said = guido.send("/rollcall/1/join", person="Hal", status=400)
    assert "no table has a seat left for Hal: they stand by for the next round" in said
    assert store.roll(1)["Hal"] is Roll.LATE, "nothing was changed"


def test_who_did_not_come_leaves_the_round_and_who_stands_by_has_the_seat(olga, guido, begun, store):
    call(guido, 1, Hal="standby")
    assert (store.roll(1)["Hal"], store.roll(2)["Hal"]) == (Roll.STANDBY, Roll.HERE)
    _, tables = publish(olga, 1, sizes="4,3")
    call(guido, 1, Ada="gone", Ben="late")
    page = guido.get("/rollcall?round=1")
    where = table_of(store, 1, "Ada")
    seat = next(seat.seat for seat in store.seats(1) if seat.person == "Ada")
    assert f"Ada is not here but has a seat at {where}" in page
    assert "Ben is late but has a seat at" in page
    assert "<option>Hal</option>" in page
    guido.send("/rollcall/1/out", person="Ada", instead="Hal")
    assert at_table(store, 1)[where][seat] == "Hal"
    said = guido.send("/rollcall/1/out", person="Ben", instead="Hal", status=409)
    assert "Hal has a seat by now" in said
    guido.send("/rollcall/1/out", person="Ben")
    assert sum(map(len, at_table(store, 1).values())) == 6
    assert len({seat.person for seat in store.seats(1)}) == 6
    assert store.roll(2) == {
        **dict.fromkeys(("Cyd", "Dan", "Eve", "Fay", "Guy", "Hal"), Roll.HERE),
        "Ada": Roll.GONE,
        "Ben": Roll.LATE,
    }, "as it was, in the next round"
    assert len({name for names in tables.values() for name in names}) == 7, "the published plan is kept"
    whats = [row.what for row in store.every(AuditRow, kind="plan")]
    assert whats[-2:] == ["round 1: Hal sits in for Ada", "round 1: Ben did not come"]


def test_nobody_is_taken_out_of_a_table_that_has_played(olga, guido, begun, store):
    _, tables = publish(olga, 1)
    typed(guido, 1, "table-01", tables["table-01"], 40, 30, 20, 10)
    name = tables["table-01"][0]
    said = guido.send("/rollcall/1/out", person=name, status=409)
    assert "table-01 has a result: correct who sat there on its page" in said
    assert table_of(store, 1, name) == "table-01"


def test_two_who_call_at_once_keep_what_both_said(olga, guido, begun, store):
    before = guido.get("/rollcall?round=1")
    was = {f"was.{row}": how for row, how in re.findall(r'name="was.(\d+)" value="(\w+)"', before)}
    rows = {one.name: one.id for one in store.people()}
    call(olga, 1, Ada="late")
    stale = was | {name.replace("was", "roll"): how for name, how in was.items()}
    guido.send("/rollcall/1", **stale | {f"roll.{rows['Ben']}": "gone"})
    roll = store.roll(1)
    assert (roll["Ada"], roll["Ben"], roll["Cyd"]) == (Roll.LATE, Roll.GONE, Roll.HERE)
    assert store.every(AuditRow, kind="roll call")[-1].what == "round 1: 1 gone"


def test_seats_are_corrected_in_mid_match(olga, guido, begun, store):
    publish(olga, 1)
    now = at_table(store, 1)["table-01"]
    table = "/round/1/table/table-01"
    plan = re.search(r'name="plan" value="(\d+)"', guido.get(table))[1]
    swapped = {"seat.a": now["b"], "seat.b": now["a"], "seat.c": now["c"], "seat.d": now["d"]}
    guido.send(f"{table}/seats", at=table, plan=plan, **swapped)
    assert at_table(store, 1)["table-01"] == now | {"a": now["b"], "b": now["a"]}
    said = guido.send(f"{table}/seats", at=table, status=409, plan=plan, **swapped)
    assert "the plan has changed since you looked" in said
    plan = re.search(r'name="plan" value="(\d+)"', guido.get(table))[1]
    other = at_table(store, 1)["table-02"]["a"]
    for seats, why in (
        (swapped | {"seat.b": other}, f"{other} sits at table-02: take them out there first"),
        (swapped | {"seat.b": now["b"]}, f"{now['b']} is chosen for two seats"),
        (swapped | {"seat.b": "Zoe"}, "Zoe does not play"),
        ({}, "nobody is left at table-01"),
    ):
        assert why in guido.send(f"{table}/seats", at=table, status=400, plan=plan, **seats)


def test_a_result_of_other_people_is_doubtful_until_the_seats_are_corrected(olga, guido, begun, store):
    call(guido, 1, Hal="gone", Guy="standby")
    _, tables = publish(olga, 1, sizes="3")
    names = tables["table-01"]
    typed(guido, 1, "table-01", [*names[:2], "Guy"], 30, 20, 10)
    one = store.tables(1)[0]
    assert one.state is Stage.DOUBTFUL
    assert one.why == f"Guy played but is not planned here; {names[2]} is planned here but did not play"
    plan = re.search(r'name="plan" value="(\d+)"', guido.get("/round/1/table/table-01"))[1]
    seats = {f"seat.{seat}": name for seat, name in zip("abc", [*names[:2], "Guy"], strict=True)}
    guido.send("/round/1/table/table-01/seats", at="/round/1/table/table-01", plan=plan, **seats)
    assert store.tables(1)[0].state is Stage.IN


@pytest.mark.parametrize("path", ["/rollcall/1/join", "/rollcall/1/out"])
def test_nobody_who_does_not_play_is_seated_or_taken_out(guido, begun, path):
    guido.send(path, person="Zoe", status=400)


def test_what_is_said_of_a_round_without_a_roll_call_is_true_of_the_first_one_too(olga, guido, begun):
    first = guido.get("/rollcall?round=1")
    assert "were never called, count as there" in first
    assert "in the last round" not in first
    page, _ = publish(olga, 1)
    assert "or was never called" in page
