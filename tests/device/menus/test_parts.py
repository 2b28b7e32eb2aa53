"""Between the phases of a match: what the one before brought, until somebody goes on."""

import pytest

from device.match.correction import list_undoable
from device.match.replay import Header
from device.match.standings import list_scores
from device.menus.play import Play
from device.menus.scores import PartTable
from device.screen import TablePage
from engines import matchfile
from tests.device.conftest import MATCHES, NAMES
from tests.device.games import enter

FILE = matchfile.read((MATCHES / "torres_two.match").read_text("utf-8"))
ENDS = [at for at, step in enumerate(FILE.steps) if step.text.startswith("K ")][1:]
"""The steps that follow the end of a phase: the king is moved."""


@pytest.fixture
def match(player):
    """The last turn of the first phase has one step to go."""
    player.box.open(Header(FILE.game, NAMES, FILE.setup))
    enter(player.box.library.referee, FILE.steps[: ENDS[0] - 1])
    return player.box.library.referee


@pytest.fixture
def over(match):
    enter(match, [FILE.steps[ENDS[0] - 1]])
    return match


def test_what_the_phase_brought_and_where_it_leaves_everybody(player, over):
    assert isinstance(player.page, TablePage)
    assert (player.page.header.left, player.page.columns) == ("Phase 1", NAMES)
    assert player.page.totals == ("40", "41")
    rows = {label: tuple(map(int, points)) for label, *points in player.page.rows}
    assert next(iter(rows)) == "Phase 1"
    assert rows.pop("Phase 1") == tuple(map(sum, zip(*rows.values(), strict=True))) == (40, 41)
    assert {"Steps", "Castle"} <= set(rows) <= {"Steps", "Castle", "King", "Taken spaces"}


def test_it_is_gone_once_the_match_goes_on_elsewhere(player, over):
    enter(over, [FILE.steps[ENDS[0]]])
    assert isinstance(player.box.stack[-1], Play)
    enter(over, FILE.steps[ENDS[0] + 1 : ENDS[1]])
    assert player.page.header.left == "Phase 2"
    brought = [now - then for now, then in zip(list_scores(over.replay), (40, 41), strict=True)]
    whole, *rows = ([int(points) for points in row[1:]] for row in player.page.rows)
    assert whole == brought == [sum(points) for points in zip(*rows, strict=True)]
    assert sum(isinstance(view, PartTable) for view in player.box.stack) == 1


def test_a_phase_that_was_taken_back_is_shown_again(player, over):
    player.back()
    over.undo(list_undoable(over.replay)[0], channel="keys")
    assert isinstance(player.box.stack[-1], Play)
    enter(over, [FILE.steps[ENDS[0] - 1]])
    assert player.page.header.left == "Phase 1"


def test_turning_goes_through_it_and_on(player, over):
    pages = player.box.pages(player.page)
    assert player.turn(-1).page == 0
    for page in range(1, pages):
        assert player.turn(1).page == page
    assert player.turn(1).prompt == "King goes where?"
    assert pages > 1
