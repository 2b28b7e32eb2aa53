"""An evening at the desk's pages, and people who mean it no good."""

import io
import re

import pytest
from starlette.testclient import TestClient

from device.cli import main
from device.event.desk.front import COOKIE
from device.event.desk.rows import AuditRow, DeskRuling, RulingKind, Stage, TableResult
from device.match import Dispute
from tests.device.commands.recorded import ruling
from tests.device.event.desk.conftest import PASSWORD, Visitor, token
from tests.device.event.desk.test_intake import swapped


def hidden(page):
    """The rows that a judge saw who sends a form of a table's page."""
    return {name: re.search(rf'name="{name}" value="(\d*)"', page)[1] for name in ("result", "ruling")}


def test_an_evening_of_two_tables(store, evening, olga, guido, tmp_path):
    olga.send("/event", name="Friday cup")
    olga.send("/people.csv", files={"file": ("people.csv", b"name;club\nAdso;Siena\nWilliam;\nBea;\n")})
    olga.send("/people", name="Cy", club="")
    lines = "1,table-01,a,Adso\n1,table-01,b,William\n1,table-02,a,Bea\n1,table-02,b,Cy\n"
    olga.send("/rounds", lines=f"round,table,seat,person\n{lines}")
    page = olga.get("/")
    assert page.count('class="waiting"') == 1
    assert "Adso, William" in page
    # Table 1 by a stick at the desk, table 2 by upload, disputed.
    first, second = evening.boxes
    first.play("Adso", "William")
    assert main(["bundle", str(tmp_path / "stick" / "1.zip"), "--state", str(first.state)]) == 0
    said = guido.send("/folder", folder="0", status=200)
    assert "table-01, round 1" in said
    said = guido.upload(second.play("Bea", "Cy", more=[ruling(str(Dispute(1, (0, 5))))]))
    assert "signed by table-02" in said
    page = guido.get("/")
    assert "disputed: Cy says 0 : 5" in page
    assert "Outstanding" not in page
    # A forged copy is refused and named until somebody has seen to it.
    forged = tmp_path / "table-01.podesta"
    forged.write_bytes(swapped(first.matches / "m.podesta"))
    said = guido.upload(forged)
    assert re.search(r"table-01.podesta</b>\s+refused for table-01: bad signature", said)
    assert "Refused uploads" in guido.get("/")
    refused = store.refusals()[0]
    guido.send(f"/seen/{refused.id}")
    assert "Refused uploads" not in guido.get("/")
    # The judge rules, then corrects the ruling: both stay.
    table = "/round/1/table/table-02"
    names = {"name.0": "Bea", "name.1": "Cy", "points.0": "10", "points.1": "20"}
    page = guido.get(table)
    assert "The match" in page
    assert "wins" in page
    ruled = {"ruled": "scores", "reason": "counted again"}
    guido.send(f"{table}/rule", at=table, **ruled, **hidden(page), **names)
    guido.send(f"{table}/rule", at=table, status=409, **ruled, **hidden(page), **names)
    page = guido.get(table)
    guido.send(f"{table}/rule", at=table, **ruled, **hidden(page), **names | {"points.0": "30"})
    page = guido.get(table)
    assert "<b>Bea 30</b> : Cy 20" in page
    assert page.count("counted again") == 3, "what counts, and every ruling"
    assert [one.state for one in store.tables(1)] == [Stage.IN, Stage.RULED]
    # Everybody sees what counts, nobody else's doubts.
    public = Visitor(guido.client.app).get("/public")
    assert "<b>Bea 30</b> : Cy 20" in public
    assert "counted again" not in public
    rows = olga.get("/results.csv").splitlines()
    assert len(rows) == 5
    assert "1,table-02,a,Bea,30,1,ruled,table-02" in rows[3]
    kinds = [row.kind for row in store.every(AuditRow)]
    assert kinds.count("ruling") == 2
    assert {"login", "refused", "seen", "people", "plan", "event", "result"} <= set(kinds)
    assert "counted again" in olga.get("/audit")
    result = store.current(TableResult, table="table-01")[0]
    got = guido.client.get(f"/journal/{result.id}")
    assert got.content == store.journal(result.id) != b""


def test_level_points_that_were_typed_are_parted_by_the_game_s_own_rule(store, guido, set_up):
    table, fields = "/round/1/table/table-02", {"name.0": "Bea", "points.0": "66", "name.1": "Cy"}
    fields |= {"points.1": "66", "place.0": "2", "result": ""}
    guido.send(f"{table}/type", at=table, **fields)
    assert store.tables(1)[1].result.places == (2, 1)
    said = guido.send(f"{table}/type", at=table, status=400, **fields | {"points.1": "60"})
    assert "66 points are in place 1, not in place 2" in said


def test_a_table_without_a_box_is_typed_and_marked(store, guido, set_up):
    table = "/round/1/table/table-01"
    points = {"name.0": "Adso", "points.0": "60", "name.1": "William", "points.1": "x"}
    said = guido.send(f"{table}/type", at=table, status=400, result="", **points)
    assert 'the points of William: a whole number from -9999 to 9999, not "x"' in said
    guido.send(f"{table}/type", at=table, result="", **points | {"points.1": "66"})
    assert "typed by judge" in guido.get("/")
    said = guido.send(f"{table}/type", at=table, status=409, result="", **points | {"points.1": "67"})
    assert "another result came in meanwhile" in said
    alone = {"name.0": "Adso", "points.0": "60"}
    assert "2 to 4 people" in guido.send(f"{table}/type", at=table, status=400, result="", **alone)
    page = guido.get(table)
    guido.send(f"{table}/type", at=table, **hidden(page), **points | {"points.1": "67"})
    assert [one.scores for one in store.every(TableResult)] == [(60, 66), (60, 67)]


def test_a_match_whose_score_nobody_here_can_count_gets_the_judge_s_points(store, guido, set_up):
    table, told = "/round/1/table/table-01", {"round": 1, "table": "table-01", "names": ("Adso", "William")}
    result = store.add(TableResult(source="box", doubts=("3 steps are hidden",), **told), "Guido")
    form = {"result": str(result), "ruling": "", "reason": "all agree"}
    said = guido.send(f"{table}/rule", at=table, status=400, ruled="stands", **form)
    assert "there is no score that could stand" in said
    assert 'value="stands"' not in guido.get(table)
    store.add(DeskRuling(result=result, ruled=RulingKind.STANDS, reason="from before", **told), "Guido")
    assert "Adso" not in guido.get("/standings"), "it counts for nobody, and nothing breaks"


def test_html_in_names_is_text(evening, olga, guido, set_up):
    evil = "<script>alert(1)</script>"
    olga.send("/people", name=evil, club='"><img src=x>')
    guido.upload(evening.boxes[0].play(evil, "William", file='x"><b>.podesta'))
    for path in ("/", "/people", "/round/1/table/table-01", "/audit", "/public"):
        raw = olga.client.get(path).text
        assert raw.count("<script") == raw.count('<script src="/static/desk.js" defer></script>')
        assert "<img" not in raw
        assert 'x"><b>' not in raw
    assert "&lt;script&gt;" in olga.client.get("/people").text


def test_a_table_with_odd_bytes_is_named_by_line_and_changes_nothing(store, olga, set_up):
    before = store.people()
    said = olga.send("/people.csv", files={"file": ("p.csv", b"name\nDee\nZo\xeb\n")}, status=400)
    assert "line 3: byte 0xeb is not UTF-8" in said
    said = olga.send(
        "/rounds.csv", files={"file": ("p.csv", b"round,table,seat,person\n1,t,a,No\n")}, status=400
    )
    assert 'line 2: "No" is not among the people' in said
    assert store.people() == before
    assert len(store.seats(1)) == 4


def test_a_form_without_its_token_is_refused_and_noted(store, olga, set_up):
    for csrf in ({}, {"csrf": "x"}):
        answer = olga.client.post("/people", data={"name": "Eve", **csrf})
        assert answer.status_code == 403
        assert "reload the page" in answer.text
    assert Visitor(olga.client.app).client.post("/login", data={"name": "organiser"}).status_code == 403
    assert "Eve" not in [one.name for one in store.people()]
    assert [row.who for row in store.every(AuditRow, kind="forbidden")] == ["organiser"] * 2


def test_who_may_not_is_told_and_noted(app, store, guido, set_up):
    viewer = Visitor(app, "viewer")
    page = viewer.get("/round/1/table/table-01")
    assert "<form" not in page.split("<main>")[1]
    said = viewer.send(
        "/round/1/table/table-01/rule", ruled="void", reason="x", result="", ruling="", status=403
    )
    assert "viewer is viewer: this is for the judge" in said
    viewer.get("/upload", 403)
    guido.send("/people", name="Eve", status=403)
    guido.get("/accounts", 403)
    assert len(store.every(AuditRow, kind="forbidden")) == 4
    nobody = Visitor(app).client
    assert nobody.get("/").headers["location"] == "/login"
    assert nobody.post("/people", data={"name": "Eve"}).status_code == 403


def test_too_large_an_upload_is_refused_by_name(store, guido, set_up, tmp_path):
    (tmp_path / "big.zip").write_bytes(b"\0" * (5 << 20))
    said = guido.upload(tmp_path / "big.zip", status=413)
    assert "more than 4 MiB" in said
    assert "/upload" in store.every(AuditRow, kind="refused")[0].what
    big = io.BytesIO(b"name\n" + b"x" * (2 << 20))
    answer = guido.client.post(
        "/upload",
        content=iter([big.getvalue()] * 3),
        headers={"content-type": "multipart/form-data; boundary=x"},
    )
    assert answer.status_code in (400, 413), "a body that says no length"


def test_the_cookie_is_for_the_desk_alone(app):
    client = TestClient(app, follow_redirects=False, base_url="https://desk")
    page = client.get("/login")
    assert "HttpOnly" in page.headers["set-cookie"]
    done = client.post("/login", data={"csrf": token(page.text), "name": "judge", "password": PASSWORD})
    set_cookie = done.headers["set-cookie"]
    for part in (COOKIE, "HttpOnly", "SameSite=strict", "Secure"):
        assert part in set_cookie
    client.post("/logout", data={"csrf": token(client.get("/").text)})
    client.cookies.set(COOKIE, set_cookie.partition("=")[2].partition(";")[0])
    assert client.get("/").status_code == 303, "the session has ended at the desk, too"


def test_wrong_passwords_are_slowed_down_more_and_more(app, store, clock):
    eve = Visitor(app)
    waits = []
    for _ in range(8):
        assert eve.login("judge", "wrong").status_code == 403
        refused = eve.login("judge", PASSWORD)
        assert refused.status_code == 429, "even the right one has to wait"
        waits.append(int(refused.headers["retry-after"]))
        clock.now += waits[-1]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (2, 61)
    assert eve.login("judge", PASSWORD).status_code == 303
    assert eve.login("nobody", PASSWORD).status_code == 403
    logins = [row.what for row in store.every(AuditRow, kind="login")]
    assert sum("refused" in what for what in logins) == 17


def test_accounts_and_passwords(app, olga, guido):
    page = olga.send("/accounts", name="Bea", role="judge", status=200)
    password = re.search(r"<code>([^<]+)</code>", page)[1]
    bea = Visitor(app)
    assert bea.login("Bea", password).status_code == 303
    assert "The wrong old one" not in bea.get("/password")
    bea.send("/password", old="no", new="a long enough one", status=400)
    bea.send("/password", old=password, new="short", status=400)
    bea.send("/password", old=password, new="a long enough one")
    assert bea.client.get("/").status_code == 303, "logs in anew"
    assert bea.login("Bea", "a long enough one").status_code == 303
    olga.send("/accounts/close", name="Bea")
    assert bea.client.get("/").status_code == 303
    assert bea.login("Bea", "a long enough one").status_code == 403
    assert "last organiser" in olga.send("/accounts/close", name="organiser", status=400)


def test_somebody_plays_no_more_and_the_plan_says_so(olga, set_up):
    row = re.search(r'action="/people/(\d+)"', olga.get("/people"))[1]
    olga.send(f"/people/{row}")
    assert "People: 3" in olga.get("/people")
    assert len(olga.get("/people.csv").split()) == 4
    olga.send(f"/people/{row}", status=409)


def test_paper(olga, set_up):
    page = olga.get("/paper/pairings/1")
    assert page.index("Adso") < page.index("Bea") < page.index("William")
    page = olga.get("/paper/slips/1")
    assert page.count('class="slip"') == page.count("<svg") == 2
    assert "table-01,a,Adso" in olga.get("/rounds.csv?round=1")
    olga.get("/paper/posters/1", 404)


@pytest.mark.parametrize(
    ("accepts", "language", "says"),
    [
        ("ja,en;q=0.8", "ja", "席の一覧"),
        ("de", "en", "who sits where"),
        ("", "en", "sits"),
    ],
)
def test_paper_is_in_the_language_of_the_browser(olga, set_up, accepts, language, says):
    olga.client.headers["accept-language"] = accepts
    page = olga.get("/paper/pairings/1")
    assert says in page
    assert f'<html lang="{language}">' in page
    slips = olga.get("/paper/slips/1")
    assert ("署名" in slips, "Signed" in slips) == (language == "ja", language == "en")


def test_nothing_is_taken_in_before_the_event_has_a_name_and_keys(guido, evening, store):
    said = guido.upload(evening.boxes[0].play("Adso", "William"))
    assert "of another event" in said
    assert "Name the event first" in guido.get("/upload")
    store.set("test", event="Friday cup")
    evening.keys_file.unlink()
    assert "see --keys" in guido.get("/upload")
    assert "see --keys" in guido.upload(evening.boxes[0].matches / "m.podesta", status=400)
