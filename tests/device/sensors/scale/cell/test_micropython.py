"""The tests of this folder once more, under MicroPython."""

import inspect
import subprocess
from pathlib import Path

from tests.device.sensors.scale.cell import test_converters, test_settling
from tests.micropython import micropython

HERE = Path(__file__).parent


def test_everything_holds_under_micropython():
    command = [micropython(), str(HERE / "run_micropython.py"), str(HERE.parents[4])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    ran = done.stdout.splitlines()
    for module in (test_converters, test_settling):
        name = module.__name__.rpartition(".")[2]
        tests = [test for test, _ in inspect.getmembers(module) if test.startswith("test_")]
        assert tests
        assert all(f"{name} {test}" in ran for test in tests)
