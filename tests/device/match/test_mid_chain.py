"""A box that dies in the middle of what a tile sets off goes on there."""

import shutil

from device.match.library import Library
from device.match.replay import Header
from tests.device.games import enter
from tests.engines.castles_of_tuscany.shows import chains
from tests.engines.test_matches import files
from tests.recorded import load

RECORDED = "castles_of_tuscany_two"


def longest(match):
    """(first, last) step of the action whose tiles set off the most."""
    starts = [n for n, point in enumerate(match.points[:-1]) if not point.state.frames]
    found = max(zip(chains(match)[1:], starts, starts[1:], strict=False), key=lambda one: len(one[0]))
    return found[1:]


def test_after_a_kill_at_each_step_of_a_chain_it_goes_on_there(table, tmp_path):
    """As the card shows it when the power is cut: nothing was closed."""
    (path,) = [path for path in files("castles_of_tuscany") if path.stem == RECORDED]
    file, match = load(path)
    first, last = longest(match)
    assert last - first > 5
    referee = table.open_match(Header(file.game, file.names, file.setup))
    enter(referee, file.steps[:first])
    for n in range(first, last):
        enter(referee, file.steps[n : n + 1])
        shutil.copytree(table.state_dir, tmp_path / f"cut{n}")
        crashed = Library(tmp_path / f"cut{n}")
        resumed = crashed.resume()
        assert resumed.replay.match.points == match.points[: n + 2]
        enter(resumed, file.steps[n + 1 : last])
        assert resumed.replay.match.state == match.points[last].state
        crashed.leave()
