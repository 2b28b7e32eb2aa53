"""Benches of latency and of the journal measure; how fast it was is for `podesta bench` to say."""

import json

import pytest

from device.bench import latency
from device.bench.latency import Latency, measure
from device.cli import main
from device.commands import Exit
from device.screen.pixels.worker import ScreenWorker

EDGES = 12


@pytest.fixture(scope="module")
def figures() -> Latency:
    return measure(EDGES)


def test_as_many_figures_as_edges(figures):
    assert figures.edges == EDGES
    assert len(figures.times_ms) == EDGES - figures.unanswered
    assert all(ms > 0 for ms in figures.times_ms)
    assert figures.median_ms <= figures.p95_ms <= figures.worst_ms == max(figures.times_ms)


def test_the_answer_to_a_step_does_not_wait_for_the_disk(figures):
    """Bytes arrived on the bus while the commit that they speak of was stalled."""
    assert figures.commits > 0
    assert figures.before_written == figures.commits


def test_an_answer_that_does_not_come_is_noticed(monkeypatch):
    shown = ScreenWorker.show
    pages = []

    def show_only_the_first(self, page):
        pages.append(page)
        shown(self, pages[0])

    monkeypatch.setattr(ScreenWorker, "show", show_only_the_first)
    monkeypatch.setattr(latency, "_PATIENCE_S", 0.05)
    found = measure(3)
    assert (found.edges, found.unanswered, found.times_ms) == (3, 3, ())
    assert not found.within_bar


def test_it_appends_beside_plain_writes(tmp_path, capsys):
    assert main(["bench", "journal", "--groups", "20", "--folder", str(tmp_path), "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["groups"], found["folder"]) == (20, str(tmp_path))
    assert found["bytes"] > 500
    assert found["ratio"] == pytest.approx(found["append_us"] / found["plain_us"], rel=0.1)
    assert found["within_bar"] == (found["ratio"] <= found["bar"])
    assert list(tmp_path.iterdir()) == []
