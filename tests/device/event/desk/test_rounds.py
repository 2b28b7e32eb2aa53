"""Eight people play three rounds at tables of four: drawn, published, typed, corrected, and one goes home."""

import pytest

from device.event import make_event, read_keys
from device.event.desk.rounds import draw_round
from device.event.desk.rows import AuditRow
from device.event.desk.seating import Person, SeatedRound, SeatingRules
from tests.device.event.desk.conftest import playing

NAMES = ("Ada", "Ben", "Cyd", "Dan", "Eve", "Fay", "Guy", "Hal")
DRAW = {"sizes": "4,3", "seed": "7", "apart": "", "fixed": "", "teachers": ""}


def lines_of(page):
    """The seats that a drawn page would publish."""
    return page.split('<textarea name="lines"')[1].split(">", 1)[1].split("</textarea>")[0].strip()


def publish(olga, number, **more):
    """Draw a round and publish it; what was said to be wrong, and who sits where."""
    page = olga.send(f"/rounds/{number}/draw", status=200, **DRAW | more)
    lines = lines_of(page)
    olga.send("/rounds", lines=lines)
    tables = {}
    for line in lines.splitlines()[1:]:
        _, table, _, name = line.split(",")
        tables.setdefault(table, []).append(name)
    return page, tables


def typed(guido, number, table, names, *points):
    given = {f"name.{at}": name for at, name in enumerate(names)}
    given |= {f"points.{at}": str(n) for at, n in enumerate(points)}
    guido.send(f"/round/{number}/table/{table}/type", result="", **given)


@pytest.fixture
def begun(store):
    playing(store, *NAMES)


def test_a_round_waits_for_the_one_before_and_the_standings_go_by_what_is_chosen(olga, guido, begun, store):
    page, tables = publish(olga, 1, fixed="Ada: 2", apart="Ada / Ben")
    assert "Everybody has a seat, nobody meets again." in page
    assert "Ada" in tables["table-02"]
    assert "Ben" in tables["table-01"]
    missing = "not in yet: table-01 of round 1, table-02 of round 1; take them in or rule them first"
    assert missing in olga.send("/rounds/2/draw", status=409, **DRAW)
    lines = [f"2,table-01,{'abcd'[at]},{name}" for at, name in enumerate(NAMES[:4])]
    plan = "\n".join(["round,table,seat,person", *lines])
    assert missing in olga.send("/rounds", status=409, lines=plan)
    assert store.rounds() == [1]
    for points, (table, names) in zip(((40, 30, 20, 10), (10, 9, 8, 7)), tables.items(), strict=True):
        typed(guido, 1, table, names, *points)
    assert olga.get("/standings").count("<td>1.000</td>") == 2
    assert 'not by "luck"' in olga.send("/event/order", at="/rounds", order="luck", status=400)
    olga.send("/event/order", at="/rounds", order="points, place points")
    assert "<th>Points</th><th>Place points</th>" in olga.get("/standings")
    first, second = tables["table-01"][:2]
    csv = olga.get("/standings.csv")
    assert f"1,{first},1,40,1.000" in csv
    assert f"2,{second},1,30,0.667" in csv
    assert "The standings go by points of all games, then place points" in olga.get("/standings")
    assert store.every(AuditRow, kind="event")[-1].what == "the standings go by points, place points"
    _, again = publish(olga, 2, seed="8")
    assert sorted(map(len, again.values())) == [4, 4]
    assert again != tables


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("sizes", "5", 'the sizes of tables are like "4,3", not "5"'),
        ("seed", "x", 'the seed: a whole number from 0 to 999999999, not "x"'),
        ("apart", "Ada Ben", 'a line like "Ada / Ben", not "Ada Ben"'),
        ("apart", "Ada / Zoe", "Zoe does not play: see People"),
        ("apart", "Y/ Z", "Y does not play: see People"),
        ("fixed", "Ada 3", 'a line like "Ada: 3", not "Ada 3"'),
        ("fixed", "Ada: 9", "there is no table 9"),
        ("teachers", "Zoe", "Zoe does not play: see People"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_what_is_wrong(olga, begun, field, value, why):
    assert why in olga.send("/rounds/1/draw", status=400, **DRAW | {field: value})


def test_several_rounds_are_planned_at_once_and_corrected_before_they_begin(olga, begun, store):
    plan = [
        "round,table,seat,person",
        "1,table-01,a,Ada",
        "1,table-01,b,Ben",
        "2,table-01,a,Ben",
        "2,table-01,b,Cyd",
    ]
    olga.send("/rounds", lines="\n".join(plan))
    olga.send("/rounds", lines="\n".join([plan[0], "2,table-01,a,Ben", "2,table-01,b,Dan"]))
    assert [seat.person for seat in store.seats(2)] == ["Ben", "Dan"]
    said = olga.send(
        "/rounds", status=409, lines="\n".join([plan[0], "3,table-01,a,Ben", "3,table-01,b,Dan"])
    )
    assert "not in yet: table-01 of round 1, table-01 of round 2" in said


def test_an_event_without_boxes_is_drawn(olga, begun, evening):
    evening.keys_file.unlink()
    _, tables = publish(olga, 1)
    assert sorted(tables) == ["table-01", "table-02"]


def test_who_is_kept_apart_from_somebody_away_is_drawn(olga, begun, store):
    ada = next(one.id for one in store.people() if one.name == "Ada")
    olga.send("/rollcall/1", **{f"roll.{ada}": "gone"})
    page = olga.send("/rounds/1/draw", status=200, **DRAW | {"apart": "Ada / Ben"})
    assert "Ada" not in lines_of(page)
    assert "Ben" in lines_of(page)


def test_two_teachers_at_one_table_are_named_before_it_is_published(olga, begun):
    page = olga.send("/rounds/1/draw", status=200, **DRAW | {"teachers": "Ada\nBen\nCyd"})
    assert "both teach at table-0" in page


@pytest.mark.parametrize(("boxes", "tables"), [(2, 2), (99, 2), (100, 2), (100, 100)])
def test_drawn_tables_have_the_names_of_the_boxes(tmp_path, boxes, tables):
    """Also where fewer tables are played on than there are boxes."""
    files = make_event(tmp_path / "cup", "Friday cup", boxes)
    keys = read_keys(tmp_path / "cup" / "keys.toml")
    people = [Person(f"p{n:03}", str(tables) if n == 0 else "") for n in range(2 * tables)]
    pairs = SeatingRules(sizes=(2,))
    seats, _, wrong = draw_round(people, pairs, (), 1, 7, [box.name for box in keys.values()])
    assert [*dict.fromkeys(seat.table for seat in seats)] == [file.stem for file in files[:tables]]
    assert wrong == ()


def test_without_boxes_a_table_keeps_its_name_where_fewer_are_played_on():
    people = [Person(f"p{n}") for n in range(4)]
    before = [SeatedRound({"table-001": ("p0", "p1"), "table-002": ("p2", "p3")})]
    seats, _, _ = draw_round(people, SeatingRules(sizes=(2,)), before, 2, 7)
    assert {seat.table for seat in seats} == {"table-001", "table-002"}


def test_who_met_in_rounds_before_is_not_told_of_one_that_is_drawn_now():
    """Nobody can mend there what was played, and what is new would drown among it."""
    people = [Person(f"p{n}") for n in range(6)]
    twice = [SeatedRound({"table-01": ("p0", "p1"), "table-02": ("p2", "p3"), "table-03": ("p4", "p5")})] * 2
    seats, _, wrong = draw_round(people, SeatingRules(sizes=(2,)), twice, 3, 7)
    assert {seat.person for seat in seats} == {person.name for person in people}
    assert wrong == ()
    pair = [SeatedRound({"table-01": ("p0", "p1")})] * 2
    *_, wrong = draw_round(people[:2], SeatingRules(sizes=(2,)), pair, 3, 7)
    assert "p0 and p1 meet again: rounds 1, 2 and 3" in wrong
