"""Set-up of all tests: no test fails on a slow machine, and none wears out the machine's card."""

import gc
import os
import random
import shutil
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from tests import skips

settings.register_profile("podesta", deadline=None, max_examples=15)
settings.register_profile("soak", deadline=None, max_examples=2000)
settings.load_profile("podesta")

# The tests share the cores already; threads of the libraries' own would only wait for each other.
for name in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")

MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""The free bytes needed there: far more than the tests leave."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores: some tests wait for a box, a browser or a disk."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_finish() -> None:
    """Keep twelve thousand tests out of garbage collection: they stay until the end."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # looking through them took a twelfth of the time
    gc.enable()


SMOKE_TABLES = 2
"""The number of tables, matches and the like in a long test at smoke size."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out tests too large for smoke size: ``PODESTA_SEED`` chooses the part of each long test to
    run.
    """
    if os.environ.get("PODESTA_SOAK") != "smoke":
        return
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("soak"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    seed = os.environ.get("PODESTA_SEED", "1")
    played = {
        item
        for name, tables in tests.items()
        for item in random.Random(f"{seed} {name}").sample(tables, min(SMOKE_TABLES, len(tables)))
    }
    items[:] = [item for item in items if item in played or not item.get_closest_marker("soak")]


def pytest_configure() -> None:
    """Stop garbage collection while tests are collected, which otherwise takes half of the time.

    Put temporary files into memory if there is room: the tests sync thousands of them to the disk.
    """
    gc.disable()
    metadata.entry_points = _entry_points
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < ROOM:
        return
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Report no set-up and no tear-down that passed to xdist's controller, which needs neither to count a
    test: they are half of the traffic, for twelve thousand tests.
    """
    if not hasattr(item.config, "workerinput") or item.config.option.durations is not None:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _entry_points(*, installed=frozenset(sys.path), found=metadata.entry_points, **wanted):
    """Return the entry points, without plug-ins of the test environment."""
    points = found(**wanted)
    if not wanted.get("group", "").startswith("podesta."):
        return points
    return metadata.EntryPoints(
        one for one in points if not one.dist or str(one.dist.locate_file("")) not in installed
    )


def _unexpected(config: pytest.Config) -> list[str]:
    """Return the skips that the file in ``PODESTA_SKIPS`` does not list, none without such a file."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if "PODESTA_SKIPS" not in os.environ or not reporter:
        return []
    reasons = (report.longrepr[2].removeprefix("Skipped: ") for report in reporter.stats.get("skipped", ()))
    return skips.told(Path(os.environ["PODESTA_SKIPS"]), reasons)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run with unlisted skips."""
    if not hasattr(session.config, "workerinput") and _unexpected(session.config) and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(config: pytest.Config) -> None:
    """Name the unlisted skips."""
    for line in _unexpected(config):
        config.pluginmanager.getplugin("terminalreporter").write_line(line, red=True)
