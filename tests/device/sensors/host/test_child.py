"""A child that lives, dies, hangs, babbles and is killed, also at its self-check: real processes."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from device.sensors.host import Fitted, check_sensor
from device.sensors.host.child import CAUSE, FLOODED, Child, Floods, Patience, explain_end
from device.settings import PluginSection
from tests.device.sensors.host.playing import play, until

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("here", flush=True)
time.sleep(600)
"""


class Watched:
    """A child and what it told."""

    def __init__(self, program, **how):
        self.lines, self.starts, self.gone = [], 0, []
        patience = Patience(**{"hung_s": 5.0, "retry_s": (0.05, 0.2)} | how)
        told = self._line, self._start, lambda why: self.gone.append(str(why))
        self.child = Child([sys.executable, "-c", program], *told, patience=patience)

    def _line(self, line):
        if line == b"NONSENSE\n":
            raise ValueError("no message")
        if line == b"MUCH\n":
            raise Floods("floods")
        self.lines.append(line.decode().strip())

    def _start(self):
        self.starts += 1

    async def until(self, what):
        await until(what, lambda: (self.lines, self.starts, self.gone))


def ended(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_one_that_hangs_is_killed():
    watched = Watched("import time\nprint('here', flush=True)\ntime.sleep(600)", hung_s=0.3)
    pids = []

    async def script():
        await watched.until(lambda: watched.lines == ["here"])
        pids.append(watched.child.pid)
        await watched.until(lambda: watched.gone)

    play(watched.child, script)
    assert watched.gone[0] == "its process said nothing for 0.3 s"
    assert ended(pids[0])


@pytest.mark.parametrize(("longest", "waits"), [(30.0, [0.02, 0.04, 0.08]), (0.001, [0.02, 0.02, 0.02])])
def test_one_that_ends_at_once_is_tried_again_ever_more_slowly(caplog, longest, waits):
    """Unless it lived for longer than the longest wait."""
    watched = Watched("raise SystemExit(3)", retry_s=(0.02, longest))

    async def script():
        await watched.until(lambda: len(watched.gone) >= 3)

    play(watched.child, script)
    assert set(watched.gone) == {"its process ended with 3"}
    assert [record.args[-1] for record in caplog.records if record.levelname == "WARNING"][:3] == waits


def test_nonsense_ends_it():
    watched = Watched("print('nonsense'.upper(), flush=True)\nimport time\ntime.sleep(600)")

    async def script():
        await watched.until(lambda: watched.gone)

    play(watched.child, script)
    assert watched.gone[0] == "its process wrote a line that is no message (no message)"


def test_one_that_floods_rests_for_longer_than_any_other(caplog):
    watched = Watched("print('MUCH', flush=True)\nimport time\ntime.sleep(600)", retry_s=(0.01, 0.02))

    async def script():
        await watched.until(lambda: len(watched.gone) == 2)

    play(watched.child, script)
    waits = [record.args[-1] for record in caplog.records if record.levelname == "WARNING"]
    assert waits[0] == FLOODED * 0.02


def test_what_cannot_be_started_says_so():
    watched = Watched("")
    watched.child._command = ["/nowhere/at/all"]

    async def script():
        await watched.until(lambda: watched.gone)

    play(watched.child, script)
    assert watched.gone[0].startswith("its process cannot be started")


def test_when_the_box_ends_it_ends_even_if_it_will_not():
    watched = Watched(STUBBORN)
    pids = []

    async def script():
        await watched.until(lambda: watched.lines)
        pids.append(watched.child.pid)

    play(watched.child, script)
    assert ended(pids[0])


# Why it died

NUMPY = """
A module that was compiled using NumPy 1.x cannot be run in
NumPy 2.2.6 as it may crash. To support both 1.x and 2.x
versions of NumPy, modules must be compiled with NumPy 2.0.

Traceback (most recent call last):  File "<string>", line 1, in <module>
  File "/usr/lib/python3/dist-packages/cv2/__init__.py", line 181, in <module>
    bootstrap()
AttributeError: _ARRAY_API not found
Traceback (most recent call last):
  File "<string>", line 1, in <module>
ImportError: numpy.core.multiarray failed to import
"""
TRACE = """
Traceback (most recent call last):
  File "<string>", line 3, in <module>
  File "<string>", line 2, in sharp
msgspec.ValidationError: Object missing required field `camera`
a thread says goodbye
"""
ABORT = """
terminate called after throwing an instance of 'cv::Exception'
  what():  OpenCV(4.10.0) error: (-4:Insufficient memory) Failed
"""


@pytest.mark.parametrize(
    ("status", "said", "why"),
    [
        (1, NUMPY, "ended with 1: a module compiled for NumPy 1.x cannot run with NumPy 2.2.6"),
        (1, "  File 'x.py'\nValueError: size changed.", "ended with 1: ValueError: size changed."),
        (1, TRACE, "ended with 1: msgspec.ValidationError: Object missing required field `camera`"),
        (-6, ABORT, "was ended by SIGABRT: what(): OpenCV(4.10.0) error: (-4:Insufficient memory) Failed"),
        (-11, "libcamera: no pipeline\n\n", "was ended by SIGSEGV: libcamera: no pipeline"),
        (-250, "", "ended with -250"),
        (0, "INFO goodbye\n", "ended with 0"),
    ],
)
def test_the_cause_is_one_line(status, said, why):
    assert str(explain_end(status, said.splitlines())) == f"its process {why}"


def test_a_cause_is_no_longer_than_a_line_may_be():
    assert len(str(explain_end(1, ["RuntimeError: " + "x" * 4000]))) < CAUSE + 30


FORKS = """
import subprocess, sys
fork = subprocess.Popen(["sleep", "600"])
print(fork.pid, flush=True)
sys.stdin.read()
"""


def test_what_it_forked_dies_with_it():
    watched = Watched(FORKS)

    async def script():
        await watched.until(lambda: watched.lines)
        os.kill(watched.child.pid, signal.SIGKILL)  # a fork of one that is killed dies too
        await watched.until(lambda: len(watched.lines) == 2)

    begin = time.monotonic()
    play(watched.child, script)
    while not all(gone(int(line)) for line in watched.lines):
        assert time.monotonic() < begin + 60
    assert watched.gone == [
        "its process was ended by SIGKILL"
    ]  # at once, and not because it said nothing for so long


def gone(pid):
    """True if a process has ended; one nobody waits for stays a zombie where init is idle."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


CAMERA = Fitted("board", PluginSection("camera", 0, {"source": "simulated"}))


def found(folder, **how):
    return [(one.verdict, one.name, one.detail) for one in check_sensor(CAMERA, folder, **how)]


def test_one_that_says_nonsense(tmp_path):
    ((_, _, why),) = found(tmp_path, command=[sys.executable, "-c", "print('fine')"])
    assert why.startswith("its process wrote a line that is no message")


def test_a_check_that_forks_is_not_waited_for(tmp_path):
    forks = "import subprocess; subprocess.Popen(['sleep', '600'])"
    told = found(tmp_path, command=[sys.executable, "-c", forks])
    assert told == [("ok", "camera board", "its process starts")]
