"""An event by the page alone: eight people, three rounds, two boxes; a correction, a no-show and a stick."""

import re
from collections import Counter

from device.cli import main
from device.event import read_bundle
from device.event.desk.rows import Stage
from tests.device.event.desk.conftest import PASSWORD, Visitor
from tests.device.event.desk.test_app import hidden
from tests.device.event.desk.test_rollcall import call
from tests.device.event.desk.test_rounds import NAMES, lines_of

HAL = NAMES[-1]


class Counting(Visitor):
    """Somebody whose pages and forms are counted."""

    def __init__(self, app):
        super().__init__(app)
        self.steps = Counter()
        assert self.login("organiser", PASSWORD).status_code == 303

    def get(self, path, status=200):
        self.steps["pages"] += 1
        return super().get(path, status)

    def send(self, path, /, **more):
        self.steps["forms"] += 1
        return super().send(path, **more)


def seated(store, number):
    tables = {}
    for seat in store.seats(number):
        tables.setdefault(seat.table, []).append(seat.person)
    return tables


def test_three_rounds_by_the_page_alone(app, evening, store, tmp_path):
    olga = Counting(app)
    assert "Name the event exactly as the boxes have it" in olga.get("/")
    olga.get("/rounds")
    olga.send("/event", name="Friday cup")
    olga.get("/people")
    olga.send("/people.csv", files={"file": ("p.csv", "\n".join(["name", *NAMES]).encode())})
    shift = {"sizes": "2,3", "apart": "", "fixed": "", "teachers": ""}
    for number in (1, 2, 3):
        call(olga, number, **({HAL: "gone"} if number == 3 else {}))
        page = olga.send(f"/rounds/{number}/draw", status=200, seed=str(number), **shift)
        olga.send("/rounds", lines=lines_of(page))
        olga.send(f"/rounds/{number}/clock", do="start", minutes="60")
        if number == 2:
            alone = no_show(olga, store)
            assert any(alone in names for names in seated(store, 2).values())
        tables = seated(store, number)
        assert any(HAL in names for names in tables.values()) == (number == 1)
        assert (f"<td>{HAL}</td>" in olga.get(f"/paper/pairings/{number}")) == (number == 1)
        for at, box in enumerate(evening.boxes, 1):
            names = tables.get(f"table-0{at}", ())
            if len(names) == 2:
                box.play(*names, file=f"{number}.podesta")
                bundle = str(tmp_path / "stick" / f"{at}.zip")
                assert main(["bundle", bundle, "--state", str(box.state), "--force"]) == 0
        assert "signed by" in olga.send("/folder", folder="0", status=200)
        for one in store.tables(number):
            if one.state is Stage.OUTSTANDING:
                path, points = f"/round/{number}/table/{one.table}", (30, 20, 10)
                page = olga.get(path)
                given = {f"name.{at}": seat.person for at, seat in enumerate(one.seats)}
                given |= {f"points.{at}": str(points[at]) for at in range(len(one.seats))}
                olga.send(f"{path}/type", **hidden(page), **given)
        assert {one.state for one in store.tables(number)} == {Stage.IN}
    typed = next(one for one in store.tables(1) if one.result.source == "typed")
    path = f"/round/1/table/{typed.table}"
    names = {f"name.{at}": name for at, name in enumerate(typed.result.names)}
    ruled = {"ruled": "scores", "reason": "read the wrong way round", "points.0": "20", "points.1": "30"}
    olga.send(f"{path}/rule", **hidden(olga.get(path)), **names, **ruled)
    rows = re.findall(r"<tr><td>(\d+)</td><td>(\w+)</td><td>(\d)</td>", olga.get("/standings"))
    assert {name: int(played) for _, name, played in rows} == {
        name: 1 if name == HAL else 3 for name in NAMES
    }
    assert "Not in yet" not in olga.get("/standings")
    (tmp_path / "cup.zip").write_bytes(olga.client.get("/bundle").content)
    assert main(["verify", str(tmp_path / "cup.zip"), "--keys", str(evening.keys_file)]) == 0
    assert len(read_bundle(tmp_path / "cup.zip").journals) >= 5
    print(f"{olga.steps['forms']} forms, {olga.steps['pages']} pages")
    assert olga.steps["forms"] <= 35
    assert olga.steps["pages"] <= 30


def no_show(olga, store):
    """Somebody is planned and does not come; who is alone then joins another table."""
    call(olga, 2, **{HAL: "gone"})
    olga.send("/rollcall/2/out", person=HAL)
    alone = next(names[0] for names in seated(store, 2).values() if len(names) == 1)
    page = olga.get("/rollcall?round=2")
    assert f"has only {alone}: move them" in page
    assert f'name="person" value="{alone}"' in page
    olga.send("/rollcall/2/out", person=alone)
    assert f"{alone} is here but has no seat" in olga.get("/rollcall?round=2")
    olga.send("/rollcall/2/join", person=alone)
    assert "Everybody there sits as planned." in olga.get("/rollcall?round=2")
    return alone
