"""The audit bundle: everything of the event, which anybody verifies anywhere."""

import csv
import io
import json
import re
import zipfile

import pytest
from msgspec.structs import replace

from device.cli import main
from device.event import BundleError, read_bundle
from device.event.desk.intake import Intake
from device.event.desk.rows import (
    KINDS,
    Attendee,
    AuditRow,
    DeskRuling,
    JudgeCall,
    RulingKind,
    SeatPlan,
    Setting,
    TableResult,
    name_striker,
)
from device.event.desk.store import DeskStore, StoreError
from device.event.desk.whole import ROWS, UNSHARED, collect_papers, rebuild_store
from device.match.journal import Journal
from tests.device.clocks import FakeClock
from tests.device.event.desk.conftest import unused_at
from tests.device.event.desk.test_app import hidden


@pytest.fixture
def played(guido, evening, set_up):
    for box, names in zip(evening.boxes, (("Adso", "William"), ("Bea", "Cy")), strict=True):
        guido.upload(box.play(*names, to=20))
        guido.upload(box.play(*names, since=20))
    table = "/round/1/table/table-02"
    page = guido.get(table)
    guido.send(f"{table}/rule", at=table, ruled="void", reason="=sly", **hidden(page))
    guido.send("/round/1/table/table-01/call", said="which bag")


def fetched(olga, folder):
    answer = olga.client.get("/bundle")
    assert answer.status_code == 200
    assert 'filename="friday-cup.podesta.zip"' in answer.headers["content-disposition"]
    path = folder / "cup.podesta.zip"
    path.write_bytes(answer.content)
    return path


def rows(bundle, name):
    return list(csv.DictReader(io.StringIO(bundle.papers[f"desk/{name}.csv"].decode("utf-8-sig"))))


def test_everything_of_the_event_is_in_it_and_verifies(olga, evening, played, store, tmp_path, capsys):
    path = fetched(olga, tmp_path)
    assert main(["verify", str(path), "--keys", str(evening.keys_file)]) == 0
    said = capsys.readouterr().out
    assert said.count("signed by table-0") == 2
    assert "desk/rows.json" in said
    assert "signed by nobody" in said
    bundle = read_bundle(path)
    assert sorted(name.partition("/")[0] for name in bundle.journals) == ["table-01", "table-02"]
    assert set(bundle.journals.values()) == {store.journal(one.result.id) for one in store.tables()}, (
        "as they came"
    )
    assert b"table-02" in bundle.keys
    kept = json.loads(bundle.papers[ROWS])
    assert [row["reason"] for row in kept["rulings"]] == ["=sly"]
    assert [row["said"] for row in kept["calls"]] == ["which bag"]
    assert len(kept["results"]) == 4, "also those that were replaced"
    assert [row["person"] for row in rows(bundle, "seats")] == ["Adso", "William", "Bea", "Cy"]
    assert [row["name"] for row in rows(bundle, "standings")] == ["William", "Adso"]
    assert "result" in {row["kind"] for row in kept["audit"]}
    whole = b"".join(bundle.papers.values())
    assert b"argon2" not in whole, "no password's hash leaves the desk"


def test_a_desk_that_is_lost_is_rebuilt_from_its_bundle(olga, guido, evening, played, store, tmp_path):
    """People, plans, rulings, calls, what was corrected and by whom, by the same numbers; it goes on."""
    olga.send("/event/order", at="/rounds", order="wins, points")
    store.set("Olga", apart="Adso / William\nBea / Cy")
    bundle = read_bundle(fetched(olga, tmp_path))
    other = DeskStore(unused_at(tmp_path / "other"))
    rebuild_store(other, bundle, evening.keys)
    kinds = [kind for name, kind in KINDS.items() if name not in UNSHARED]
    before = {kind: store.every(kind) for kind in kinds if kind is not AuditRow}
    assert {kind: other.every(kind) for kind in before} == before
    assert all(before[kind] for kind in (Attendee, SeatPlan, DeskRuling, JudgeCall, TableResult, Setting))
    assert other.tables() == store.tables()
    assert other.every(AuditRow)[-1].kind == "rebuilt"
    assert other.journal(store.tables(1)[0].result.id) == store.journal(store.tables(1)[0].result.id)
    (again,) = Intake(other, evening.keys, "Olga").take(
        "m", evening.boxes[0].matches.joinpath("m.podesta").read_bytes()
    )
    assert "already here" in again.said
    made = other.add(
        DeskRuling(round=1, table="table-01", result=None, ruled=RulingKind.VOID, reason="x"), "G"
    )
    assert made == max(row.id for row in before[DeskRuling]) + 1
    with pytest.raises(StoreError, match="this desk has rows already"):
        rebuild_store(other, bundle, evening.keys)
    other.close()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            lambda row: {"scores": [99, 0]},
            "result 2, table-01 of round 1: its row and its journal differ in scores",
        ),
        (lambda row: {"signer": "table-09"}, "its row and its journal differ in signer"),
        (lambda row: {"tip": "0" * 64}, "its journal is not in the bundle"),
    ],
)
def test_a_bundle_whose_rows_were_changed_rebuilds_nothing(olga, evening, played, tmp_path, change, why):
    bundle = read_bundle(fetched(olga, tmp_path))
    kept = json.loads(bundle.papers[ROWS])
    result = next(row for row in kept["results"] if row["table"] == "table-01" and row["finished"])
    result |= change(result)
    other = DeskStore(unused_at(tmp_path / "other"))
    forged = replace(bundle, papers={ROWS: json.dumps(kept).encode()})
    with pytest.raises(ValueError, match=why):
        rebuild_store(other, forged, evening.keys)
    assert not any(other.every(kind) for kind in KINDS.values())
    with pytest.raises(ValueError, match="is not a desk's"):
        rebuild_store(other, replace(bundle, papers={}), evening.keys)
    with pytest.raises(ValueError, match="signed by a key that is not the event's"):
        rebuild_store(other, bundle, {})
    other.close()


def test_a_paper_that_was_changed_or_added_is_found(olga, evening, played, tmp_path, capsys):
    path = fetched(olga, tmp_path)
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    for change, why in (
        ({"desk/standings.csv": b"place,name\n1,Eve\n"}, "desk/standings.csv is not as it was saved"),
        ({"desk/more.csv": b"x"}, "desk/more.csv is not in its list"),
    ):
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in (held | change).items():
                archive.writestr(name, data)
        with pytest.raises(BundleError, match=why):
            read_bundle(path)
        assert main(["verify", str(path)]) != 0
        assert why in capsys.readouterr().err
    path.write_bytes(olga.client.get("/bundle").content[:-500])
    assert main(["verify", str(path)]) != 0, "half of one is none"


def test_without_some_names_it_verifies_as_well(olga, evening, played, store, tmp_path, capsys):
    olga.send("/people", name="Cynthia", club="")
    answer = olga.client.get("/bundle", params={"strike": "Adso\r\n Cy "})
    path = tmp_path / "struck.zip"
    path.write_bytes(answer.content)
    bundle = read_bundle(path)
    held = b"".join([*bundle.journals.values(), *bundle.papers.values()])
    assert b"Adso" not in held
    # The letters of a signature may spell it.
    assert re.search(rb"(?<![\w+/])Cy(?![\w+/=])", held, re.IGNORECASE) is None, (
        "but in a signature's letters"
    )
    assert b"Cynthia" in held
    assert b"William" in held
    assert main(["verify", str(path), "--keys", str(evening.keys_file)]) == 0
    assert "struck a : William" in capsys.readouterr().out
    assert "Zoe is none of the people" in olga.client.get("/bundle?strike=Zoe").text


@pytest.mark.parametrize(
    ("spelt", "text"), [("Weiß", "Weiß at 1"), ("Jan  Hus", "JAN HUS, Jan"), ("Jo", "Jo Ann")]
)
def test_a_struck_name_goes_however_it_is_spelt(spelt, text):
    assert name_striker([spelt, "Jo Ann"])(text) in ("struck 1 at 1", "struck 1, Jan", "struck 2")


def test_a_name_is_struck_for_good_by_a_desk_that_is_rebuilt_without_it(
    olga, evening, played, store, tmp_path, capsys
):
    answer = olga.client.get("/bundle", params={"strike": "Adso\nWilliam"})
    (tmp_path / "struck.zip").write_bytes(answer.content)
    other = DeskStore(unused_at(tmp_path / "other"))
    rebuild_store(other, read_bundle(tmp_path / "struck.zip"), evening.keys)
    (first, second) = other.tables(1)
    assert (first.result.names, first.result.tip) == (("struck 1", "struck 2"), store.tables(1)[0].result.tip)
    assert second.result.names == ("Bea", "Cy")
    assert first.state is store.tables(1)[0].state
    assert {"struck 1", "struck 2"} <= {seat.person for seat in other.seats()}
    assert "struck 3" in collect_papers(other, ["Bea"])[ROWS].decode(), "each has a number of its own"
    other.close()
    for file in (tmp_path / "other").iterdir():
        assert re.search(rb"\b(Adso|William)\b", file.read_bytes(), re.IGNORECASE) is None


def test_a_name_is_struck_from_what_a_box_keeps(evening, capsys):
    box = evening.boxes[0]
    old = box.play("Adso", "William", file="20261127-195541-marrakesh-adso-william.podesta")
    box.play("Bea", "William", file="20261127-215541-marrakesh-bea-william.podesta")
    (box.state / "current").write_text(f"{old.name}\n")
    (box.state / "players").write_text("William\nAdso\n")
    assert main(["strike", "ADSO", "--state", str(box.state)]) == 0
    kept = b"".join(file.read_bytes() for file in box.state.rglob("*") if file.is_file())
    assert b"Adso" not in kept
    assert not [file.name for file in box.matches.iterdir() if "adso" in file.name]
    assert (box.state / "players").read_text() == "William\n"
    struck = box.matches / (box.state / "current").read_text().strip()
    capsys.readouterr()
    assert main(["verify", str(struck), "--keys", str(evening.keys_file)]) == 0
    with Journal.open(struck, FakeClock().stamp, signer=box.key) as journal:
        assert len(journal.records) > 40
