"""The desk's store: what it keeps, that it never changes a row, how it stands with each table."""

import sqlite3
import stat
import threading

import pytest

from device.event.desk.rows import (
    Attendee,
    AuditRow,
    DeskAccount,
    DeskRuling,
    Role,
    RulingKind,
    SeatRow,
    Stage,
    TableResult,
    Visit,
    rank_scores,
)
from device.event.desk.store import DeskStore, StoreError, prepare_sqlite


def result(table="table-01", scores=(60, 66), **more):
    fields = {"round": 1, "names": ("Adso", "William"), "places": rank_scores(scores), "source": "typed"}
    return TableResult(table=table, scores=scores, **(fields | more))


def seats(number, *tables):
    return [
        SeatRow(number, f"table-{at:02}", letter, person)
        for at, people in enumerate(tables, 1)
        for letter, person in zip("abcd", people, strict=False)
    ]


def test_a_correction_adds_a_row_and_names_what_it_replaces(store, clock):
    first = store.add(result(), "Guido", journal=b"whole")
    clock.now += 60
    second = store.add(result(scores=(70, 66), replaces=first), "Olga")
    assert [one.id for one in store.current(TableResult)] == [second]
    kept, now = store.every(TableResult)
    assert (kept.scores, kept.who, kept.places) == ((60, 66), "Guido", (2, 1))
    assert (now.replaces, now.who, now.at - kept.at) == (first, "Olga", 60_000)
    assert (store.journal(first), store.journal(second)) == (b"whole", b"")
    with pytest.raises(StoreError, match="somebody has changed that just now"):
        store.add(result(scores=(1, 2), replaces=first), "Bea")
    assert [one.id for one in store.current(TableResult)] == [second]


def test_what_belongs_together_is_kept_whole_or_not_at_all(store):
    def torn():
        with store.transaction():
            store.add(result(), "Guido")
            assert len(store.every(TableResult)) == 1, "seen inside"
            raise RuntimeError

    with pytest.raises(RuntimeError):
        torn()
    assert store.every(TableResult) == []


def test_each_table_has_its_state(store):
    store.plan(1, seats(1, *[("Adso", "William")] * 7), "Olga")
    store.add(result("table-02"), "Guido")
    store.add(result("table-03", finished=False, records=40), "Guido")
    store.add(result("table-04", disputed="Adso says 61 : 66"), "Guido")
    store.add(result("table-05", doubts=("simulated",)), "Guido")
    ruled = store.add(result("table-06"), "Guido")
    store.add(
        DeskRuling(round=1, table="table-06", result=ruled, ruled=RulingKind.VOID, reason="late"), "Guido"
    )
    old = store.add(result("table-07"), "Guido")
    scores = {"ruled": RulingKind.SCORES, "names": ("Adso", "William"), "scores": (3, 4), "places": (2, 1)}
    store.add(DeskRuling(round=1, table="table-07", result=old, reason="slow", **scores), "Guido")
    store.add(result("table-07", scores=(9, 9), replaces=old), "Guido")
    found = {one.table: one for one in store.tables(1)}
    assert [one.state for one in found.values()] == [
        *(Stage.OUTSTANDING, Stage.IN, Stage.UNFINISHED, Stage.DISPUTED),
        *(Stage.DOUBTFUL, Stage.RULED, Stage.DOUBTFUL),
    ]
    assert found["table-03"].why == "not finished: it goes up to record 40"
    assert found["table-04"].why == "Adso says 61 : 66"
    assert "came after the ruling" in found["table-07"].why
    assert found["table-07"].counts.scores == (3, 4), "until there is another"
    assert found["table-06"].counts is None
    assert found["table-02"].counts.places == (2, 1)


def test_a_session_ends_by_time_by_leaving_and_with_the_password(store, clock):
    account = store.add(DeskAccount(name="Guido", role=Role.JUDGE, hash="x"), "Olga")

    def enter(digest):
        store.add(Visit(digest=digest, account=account, csrf="t", ends=store.now_ms + 1000), "Guido")
        assert store.visit(digest)[1].role is Role.JUDGE

    enter("one")
    store.leave("one", "Guido")
    assert store.visit("one") is None
    enter("two")
    clock.now += 1
    assert store.visit("two") is None
    enter("three")
    store.add(DeskAccount(name="Guido", role=Role.CLOSED, hash="x", replaces=account), "Olga")
    assert store.visit("three") is None
    assert store.account("Guido").role is Role.CLOSED
    assert store.visit("four") is None


def test_a_refused_upload_is_shown_until_somebody_has_looked(store):
    first = store.audit("refused", "a.podesta: not signed", "Guido")
    store.audit("refused", "a.podesta: not signed", "Guido")
    store.audit("refused", "b.podesta: not signed", "Guido")
    assert [row.what[0] for row in store.refusals()] == ["a", "b"]
    store.audit("seen", "a.podesta", "Olga", about=first)
    assert [row.what[0] for row in store.refusals()] == ["b"]


def test_many_threads_lose_nothing(store):
    def work(name):
        for at in range(20):
            store.audit("test", f"{name} {at}", name)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({row.what for row in store.every(AuditRow)}) == 80


def test_sqlite_refuses_to_change_or_delete_and_is_its_owner_s(tmp_path):
    store = DeskStore(prepare_sqlite(tmp_path / "desk"))
    store.add(result(), "Guido")
    store.close()
    file = tmp_path / "desk" / "desk.db"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    with sqlite3.connect(file) as raw:
        for statement in ("UPDATE results SET scores = '[99, 0]'", "DELETE FROM results"):
            with pytest.raises(sqlite3.IntegrityError, match="keeps every row"):
                raw.execute(statement)


def test_rows_of_another_desk_keep_their_numbers_and_the_next_one_follows(store):
    first = Attendee(id=7, at=5, who="Olga", name="Ada")
    rows = [first, Attendee(id=9, at=6, who="Ben", name="Ada", gone=True, replaces=7)]
    store.restore(rows, {})
    assert store.every(Attendee) == rows
    assert store.add(Attendee(name="Cy"), "Olga") == 10
    with pytest.raises(StoreError, match="has rows already"):
        store.restore(rows, {})


def test_a_database_that_cannot_be_had_is_named():
    with pytest.raises(StoreError, match="check its address"):
        DeskStore("sqlite:////no/such/folder/desk.db")
