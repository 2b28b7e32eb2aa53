"""Why the tray stands on the cell, and the tower beside it."""

import os
from random import Random

import pytest

from vision.scale.simulated import WeighedTable


def throws(count, seed=1):
    """How many came to lie where so many were thrown, with the tower's own remembering of what stuck."""
    rng, table = Random(seed), WeighedTable(seed)
    for _ in range(count):
        thrown = rng.randint(3, 12)
        inside = len(table.inside)
        table.throw([rng.randrange(12) for _ in range(thrown)])
        for _ in table.run(4000):
            pass
        lying = len(table.tray)
        assert lying + len(table.inside) == inside + thrown  # which is all that weighing both would say
        yield thrown, lying
        table.take(table.tray)
        for _ in table.run(400):
            pass


def test_most_throws_bring_out_more_or_fewer_than_were_thrown():
    seen = list(throws(100))
    assert sum(thrown == lying for thrown, lying in seen) < 50


@pytest.mark.soak
def test_how_often_as_many_lie_there_as_were_thrown():
    count = 100 if os.environ.get("PODESTA_SOAK") == "smoke" else 2000
    same = sum(thrown == lying for thrown, lying in throws(count))
    print(f"as many on the tray as were thrown: {same} of {count}")
    assert same < count / 2
