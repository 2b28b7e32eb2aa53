"""Starts that failed are counted since power-up, and lead to safe mode."""

import os
import signal
import subprocess
import sys

import pytest

from device.cli import main
from device.commands import Exit, run
from device.starts import MOST, Safe, SafeMode, Starts, choose_safe_mode, pause_s


def killed(folder):
    """A start that never was ready; how many failed before it."""
    return Starts(folder).begin()


def test_a_start_that_was_never_ready_has_failed_until_one_was_steady(tmp_path):
    assert [killed(tmp_path) for _ in range(MOST)] == [*range(MOST)]
    safe = Starts(tmp_path)
    assert safe.begin() == MOST
    safe.ready()
    again = Starts(tmp_path)
    assert again.begin() == MOST
    again.ready()
    again.steady()
    assert killed(tmp_path) == 0


@pytest.mark.parametrize("text", ["", "{", '{"boot": 1}', "\x00" * 100])
def test_what_cannot_be_read_counts_for_nothing(tmp_path, text):
    (tmp_path / "starts").write_text(text)
    assert killed(tmp_path) == 0
    assert killed(tmp_path) == 1


@pytest.mark.parametrize(
    "environ", [{}, {"RUNTIME_DIRECTORY": "FOLDER"}, {"NOTIFY_SOCKET": "/run/systemd/notify"}]
)
def test_nothing_is_counted_but_for_a_service(tmp_path, environ):
    environ = {key: value.replace("FOLDER", str(tmp_path)) for key, value in environ.items()}
    assert [Starts.of(environ).begin() for _ in range(3)] == [0, 0, 0]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("asked", "failed", "held", "why"),
    [
        (False, 0, False, None),
        (False, 1, False, None),
        (False, 2, False, Safe.FAILED),
        (True, 2, True, Safe.ASKED),
        (False, 1, True, Safe.HELD),
    ],
)
def test_why_a_box_starts_in_safe_mode(asked, failed, held, why):
    mode = choose_safe_mode(asked=asked, failed=failed, held=lambda: held, plug_ins=["beans"])
    assert mode == (why and SafeMode(why, ("beans",)))


def test_the_pause_before_a_start_grows_only_once_safe_mode_failed_too():
    pauses = [pause_s(failed) for failed in range(9)]
    assert pauses[: MOST + 1] == [0, 0, 0]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 30


LOOPING = """
import time
from device import starts
starts.WAITS_S = {waits}
count = starts.Starts.of()
count.begin()
count.hurry()
def legal():
    while True: pass
def display():
    time.sleep(60)
{then}
"""


@pytest.mark.parametrize(
    ("waits", "then", "status", "said", "failed"),
    [
        (60, "legal()", -signal.SIGPROF, " in legal", 1),
        (0.5, "display()", 1, " in display", 1),
        (0.5, "count.ready(); [hash('a') for _ in range(10**7)]", 0, "", 0),
    ],
)
def test_a_start_that_hangs_ends_and_says_where(tmp_path, waits, then, status, said, failed):
    """A loop is known by the time that the processor works; waiting, as for a slow card, is not that."""
    environ = {"RUNTIME_DIRECTORY": str(tmp_path), "NOTIFY_SOCKET": "/nowhere"}
    ran = subprocess.run(
        [sys.executable, "-c", LOOPING.format(waits=waits, then=then)],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status, ran.stderr
    assert said in ran.stderr
    assert Starts.of(environ).begin() == failed


def test_one_that_was_asked_to_end_while_it_began_has_not(tmp_path, monkeypatch):
    """systemd asks as soon as somebody restarts the box, also while its modules are still being read."""
    environ = {"RUNTIME_DIRECTORY": str(tmp_path), "NOTIFY_SOCKET": "/nowhere"}
    counted = Starts.of(environ)
    counted.begin()
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere")
    monkeypatch.setattr(run.configs, "find", lambda: os.kill(os.getpid(), signal.SIGTERM))
    try:
        assert main(["run"]) == Exit.FINE
    finally:
        signal.signal(signal.SIGTERM, before)
    assert Starts.of(environ).begin() == 1, "the one before has failed, and no other"
