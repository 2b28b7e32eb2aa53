"""What everybody sees, and when."""

from tests.device.event.desk.conftest import Visitor
from tests.device.event.desk.test_app import hidden
from tests.device.event.desk.test_rounds import typed


def test_everybody_sees_results_by_the_delay(olga, guido, set_up, clock):
    public = Visitor(guido.client.app)
    olga.send("/event/delay", at="/rounds", delay="15")
    typed(guido, 1, "table-01", ("Adso", "William"), 60, 66)
    clock.now += 15 * 60 - 1
    assert "William 66" not in public.get("/public")
    assert public.get("/public").count("being played") == 2
    assert "William</td>" not in public.get("/public/standings")
    assert "William 66" in guido.get("/"), "who has an account sees it at once"
    assert "William</td>" in guido.get("/standings")
    clock.now += 1
    assert "William 66" in public.get("/public")
    assert "William</td>" in public.get("/public/standings")
    table = "/round/1/table/table-01"
    shown = hidden(guido.get(table))
    points = {"name.0": "Adso", "points.0": "60", "name.1": "William", "points.1": "70"}
    guido.send(f"{table}/type", at=table, **shown, **points)
    assert "William 66" in public.get("/public"), "as it was, until the correction is as old"
    guido.send(f"{table}/rule", at=table, ruled="void", reason="wrong bag", **hidden(guido.get(table)))
    assert "William 66" in public.get("/public"), "as it was, until the ruling is as old"
    clock.now += 15 * 60
    assert "void" in public.get("/public")
    said = olga.send("/event/delay", at="/rounds", delay="soon", status=400)
    assert 'from 0 to 999, not "soon"' in said
    page = public.get("/public")
    assert '<noscript><meta http-equiv="refresh" content="60">' in page
    assert "data-mark" not in page, "who has no session is told of nothing, and asks"


def test_a_page_of_tables_has_another_mark_after_each_change(guido, set_up, store, clock):
    def mark():
        return guido.get("/").partition('data-mark="')[2].partition('"')[0]

    before = mark()
    assert before == mark() != ""
    store.audit("login", "somebody", "somebody")
    assert mark() == before, "what the page does not show changes nothing"
    for change in (
        lambda: typed(guido, 1, "table-01", ("Adso", "William"), 60, 66),
        lambda: guido.send("/rounds/1/clock", do="start", minutes="9"),
        lambda: guido.send("/round/1/table/table-02/call", said="x"),
        lambda: store.audit("refused", "x.podesta", "judge"),
        lambda: setattr(clock, "now", clock.now + 60),
    ):
        change()
        assert mark() != before
        before = mark()
