"""`podesta bench event`: boxes as processes, lighter clients and a page at a real desk and broker.

How fast it was is for the bench to say; here, that it measures, and that no record is lost:
`PODESTA_BOXES=50 PODESTA_LIGHT=200 pytest -m soak -s tests/device/event/test_page_of_many.py`
"""

import json
import os

import pytest

from device.bench.event import EventFigures, Rung, TablesPage, measure, parts
from device.bench.event.parts import Entered
from device.cli import main
from device.errors import Exit
from tests.device.event.mosquitto import needed
from tests.engines.walks import soak


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_the_bench_measures_and_nothing_is_lost():
    needed()
    boxes = int(os.environ.get("PODESTA_BOXES", soak(50, 1)))
    light = int(os.environ.get("PODESTA_LIGHT", soak(200, 2)))
    figures = measure(boxes, light, soak(20, 1), soak(8, 2))
    print("", *figures.lines(), sep="\n")
    first = figures.rungs[0]
    assert (first.steps, figures.lost) == (boxes + light, 0)
    assert first.unseen == 0
    assert 0 < first.median_s <= first.p95_s <= first.worst_s
    assert first.desk_mb > 20
    assert figures.alone_per_s > 0
    assert figures.share == pytest.approx(2 * figures.held_per_s / figures.alone_per_s, abs=1e-3)
    assert all(rung.held for rung in figures.rungs[:-1]), "no rate is tried beyond one that does not hold"


def test_a_step_has_its_lag_once_the_page_tells_its_record():
    page = TablesPage.__new__(TablesPage)
    page._seen = {}
    card = '<li><a href="/x"><b>table-01</b> Ada, Ben – Ada : Ben 7 : 5, record {}, SIMULATED</a></li>'
    page.note(f"<b>2</b> outstanding {card.format(3)}<li><b>table-02</b> Cy</li>", 10.0)
    page.note(card.format(5), 12.5)
    steps = [Entered(3, 9.0), Entered(4, 11.0), Entered(5, 12.0), Entered(6, 13.0)]
    assert page.lags("table-01", steps) == [1.0, 1.5, 0.5, None]
    assert page.lags("table-02", steps[:1]) == [None]


def test_the_table_says_what_held_and_what_did_not():
    held = Rung(10.0, 40, 9.8, 0.4, 1.2, 1.9, 0, 0.25, 80.0, held=True)
    late = Rung(20.0, 80, 15.1, 1.4, 2.3, 4.9, 1, 0.5, 81.0, held=False)
    figures = EventFigures(5, 20, "g", 4.0, (held, late), 9.8, "late", 2000.0, 0.01, 0.1, 0, 0.5)
    said = "\n".join(figures.lines())
    assert "held: 9.8 steps/s" in said
    assert "1.0 % of that" in said
    assert [line.endswith("does not hold") for line in said.splitlines()[2:4]] == [False, True]


def test_without_mosquitto_the_bench_says_so(monkeypatch, capsys):
    monkeypatch.setattr(parts.shutil, "which", lambda *_, **__: None)
    assert main(["bench", "event"]) == Exit.LACKING
    assert "mosquitto is not installed here" in capsys.readouterr().err


def test_the_command_prints_json(monkeypatch, capsys):
    figures = EventFigures(1, 0, "g", 1.0, (), 0.0, "none", 1.0, 0.0, 0.0, 2, 0.0)
    monkeypatch.setattr("device.bench.event.measure", lambda *_: figures)
    assert main(["bench", "event", "--json"]) == Exit.WRONG
    told = capsys.readouterr()
    assert json.loads(told.out)["lost"] == 2
    assert "2 records are not at the desk" in told.err
