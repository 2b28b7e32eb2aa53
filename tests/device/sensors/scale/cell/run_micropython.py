"""Run every test of this folder under MicroPython: ``micropython run_micropython.py REPOSITORY``.

The files of ``cell`` are imported alone, under their full names: the packages around them need Python.
"""

import sys

CELL = "device.sensors.scale.cell."


class Package:
    """A package of which nothing is needed but what was put into it."""


def put(name, module):
    parts = name.split(".")
    for count in range(1, len(parts)):
        package = sys.modules.setdefault(".".join(parts[:count]), Package())
        package.__path__ = ""
    sys.modules[name] = module
    for count in range(1, len(parts)):
        inner = sys.modules[".".join(parts[: count + 1])]
        setattr(sys.modules[".".join(parts[:count])], parts[count], inner)


def main(repository):
    folder = "/device/sensors/scale/cell"
    sys.path[:] = [repository + folder, repository + "/tests" + folder]
    for name in ("converters", "settling"):
        put(CELL + name, __import__(name))
    for name in ("test_converters", "test_settling"):
        tests = __import__(name)
        for test in sorted(dir(tests)):
            if test.startswith("test_"):
                print(name, test)
                getattr(tests, test)()


main(sys.argv[1])
