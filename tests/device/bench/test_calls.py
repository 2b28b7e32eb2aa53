"""Each press that records is counted, and nothing else. How many calls it is passes or fails nothing."""

import sys
from functools import partial

import pytest

from device.bench.latency import CallFigures, Calls, CountingPilot, count_calls, measure_calls
from device.bench.presses import play
from engines import matchfile
from engines.match import Step
from tests.device.conftest import MATCHES

MATCH = MATCHES / "closed.match"
STEPS = [one for one in matchfile.read(MATCH.read_text(), MATCH.name).steps if isinstance(one, Step)]


def test_a_profiler_that_is_there_comes_back_also_after_an_error():
    def other(*_):
        return None

    sys.setprofile(other)
    try:
        with pytest.raises(ZeroDivisionError):
            count_calls(lambda: 1 / 0)
        assert sys.getprofile() is other
    finally:
        sys.setprofile(None)


def test_each_press_that_records_is_counted_and_no_other():
    counted: list[tuple[int, int]] = []
    taken = play(MATCH, partial(CountingPilot, counted=counted)).taken
    assert len(counted) == len(STEPS) < taken.presses
    assert all(record > 1 and page > 1 for record, page in counted)


def test_the_figures_are_medians_and_say_what_they_miss():
    (found,) = measure_calls([MATCH]).games.values()
    assert found.presses == len(STEPS)
    assert Calls.of([(1, 5), (300, 9), (2, 700)]) == Calls(3, 2, 9)
    over = ("torres record: 1501 (bar 1500)", "torres page: 3001 (bar 3000)")
    assert Calls(1, 1501, 3001).missed("torres") == over
    assert Calls(1, 1500, 3000).missed("torres") == ()
    assert CallFigures({"torres": Calls(3, 7.5, 8)}, []).lines()[-1] == "every bar is met"
    assert "7.5" in CallFigures({"torres": Calls(3, 7.5, 8)}, ["torres record"]).lines()[0]
