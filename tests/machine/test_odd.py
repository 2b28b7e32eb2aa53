"""The machine short of memory, with a clock years off, and with a disk that takes nothing."""

import pytest

from tests.machine.machine import (
    CUTS,
    MARKS,
)

pytestmark = MARKS


@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_memory_runs_out_in_a_sensor_and_neither_version_starts(machine, tmp_path):
    """The sensor goes, the referee stays; where nothing starts display and page say so."""
    found = machine.boot("up", "greedy", "neither")
    greedy = found["greedy"]
    assert "SIGKILL" in greedy["says"], greedy
    assert greedy["killed"], "it ate, and the kernel ended it"
    assert (greedy["pids"][0], greedy["restarts"]) == (greedy["pids"][1], 0)
    assert greedy["recorded"] == [1, 1]
    assert greedy["slowest"] < 5
    gone, slowest = greedy["seconds"], greedy["slowest"]
    print(
        f"{greedy['most_mb']:.0f} MB: the sensor gone after {gone:.0f} s, the page answers in {slowest:.1f} s"
    )

    neither = found["neither"]
    assert "The box does not start" in neither["page"]
    assert "stuck 0.3.0 not_up 150" in neither["page"]
    assert neither["same"], "the display shows it"
    assert neither["seconds"] < 60
    print(f"neither starts: said after {neither['seconds']:.0f} s")
    for name in ("greedy", "neither"):
        machine.keep_picture(name, tmp_path)


@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_a_clock_years_off_and_a_disk_that_takes_nothing_are_told_and_the_box_is_up(machine, tmp_path):
    found = machine.boot("up", "odd")["odd"]
    (past,), (future,), (disk,) = found["past"], found["future"], found["read_only"]
    assert past.startswith("The clock says 1 Jan 1999")
    assert future.startswith("The clock says 1 Jan 2037")
    assert disk.startswith("/var/lib/podesta/matches is read-only")
    assert "is read-only" in " ".join(found["text"])
    machine.keep_picture("read_only", tmp_path)
