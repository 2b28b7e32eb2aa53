"""The sensors' self-checks: each in a process of its own, and what it dies of is told."""

import sys

from device.sensors.host import Fitted, checked
from device.settings import PluginSection

DIES = (
    "import sys\n"
    "sys.stdin.buffer.readline()\n"
    "raise ValueError('numpy.dtype size changed, may indicate binary incompatibility')"
)
CAMERA = Fitted("board", PluginSection("camera", 0, {"source": "simulated"}))


def found(folder, **how):
    return [(one.verdict, one.name, one.detail) for one in checked(CAMERA, folder, **how)]


def test_a_process_that_dies_at_once_is_told_with_its_cause(tmp_path):
    told = found(tmp_path, command=[sys.executable, "-c", DIES])
    why = "ValueError: numpy.dtype size changed, may indicate binary incompatibility"
    assert told == [("fail", "camera board", f"its process ended with 1: {why}")]


def test_one_that_says_nonsense(tmp_path):
    ((_, _, why),) = found(tmp_path, command=[sys.executable, "-c", "print('fine')"])
    assert why.startswith("its process wrote a line that is no message")


def test_a_check_that_forks_is_not_waited_for(tmp_path):
    forks = "import subprocess; subprocess.Popen(['sleep', '600'])"
    told = found(tmp_path, command=[sys.executable, "-c", forks])
    assert told == [("ok", "camera board", "its process starts")]
