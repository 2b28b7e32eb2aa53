"""Four at the table: every export has all of them, and each seat's own."""

import re
from pathlib import Path

import pytest

from device.exports import bgstats, sheet
from device.match.replay import Header
from device.match.rulings import Adjust, Agree, Dispute
from engines import matchfile
from tests.device.commands.recorded import Played, of_journal
from tests.device.conftest import MATCHES

NAMES = ("Benedettina", "Guglielmo", "Severin", "Ubertino")
FILE = matchfile.read((MATCHES / "torres_four.match").read_text("utf-8"))
SEVEN = 7  # given to seat d


def recorded(folder: Path, steps: int = len(FILE.steps), rulings: int = 1) -> str:
    """The recorded match of four, points by hand for the last seat, and no agreement; the journal's path."""
    game = Played(folder, Header(FILE.game, NAMES, FILE.setup))
    for number, step in enumerate(FILE.steps[:steps]):
        game.steps(step.text, seat=step.seat)
        if number == 40:
            for _ in range(rulings):
                game.rule(Adjust(3, SEVEN, "slow play"), by="abcd")
    if steps == len(FILE.steps):
        game.rule(Agree(0))
        game.rule(Dispute(2, (1, 2, 30, 4)))
    return game.done()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return recorded(tmp_path_factory.mktemp("four"))


@pytest.fixture
def told(path):
    return of_journal(path)


def totals(told):
    found = told.match.game.scoring.bookings(told.match.state)
    return [sum(one.points for one in found if one.seat == seat) for seat in range(4)]


def test_a_play_with_ranks_and_who_began(told):
    players = bgstats.play(told).players
    assert [one.name for one in players] == list(NAMES)
    assert [one.score for one in players] == totals(told)
    order = sorted(players, key=lambda one: -one.score)
    assert [one.rank for one in order] == [1, 2, 3, 4]
    assert [one.winner for one in order] == [True, False, False, False]
    assert [one.start_player for one in players] == [seat == FILE.setup.start for seat in range(4)]
    assert "Severin counts 1 : 2 : 30 : 4" in bgstats.play(told).comments


def test_a_sheet_for_four_to_sign(told):
    page = sheet.write(told)
    assert re.findall(r'<th colspan="2">(\w+)</th>', page) == list(NAMES)
    assert page.count("<p>") == len(NAMES) + 1
    total = re.search(r'<tr class="total">(.*?)</tr>', page)[1]
    assert re.findall(r'<td class="n">(-?\d+)</td>', total) == list(map(str, totals(told)))


def test_figures_that_do_not_fit_beside_each_other_take_a_row_of_two_lines(told):
    page = sheet.write(told)
    castles = re.findall(r'<tr class="in tall"><th>(\w+)</th>', page)
    assert castles == ["Castle"] * 3
    points, figures = re.search(
        r'Castle</th><td class="n">(\d+)</td><td class="f"><div>(.*?)</div>', page
    ).groups()
    each = [area * level for area, level in (map(int, one.split("×")) for one in figures.split(", "))]
    assert sum(each) == int(points)
    plain = re.findall(r'<tr class="in"><th>King</th>.*?<td class="f">(.*?)</td>', page)
    assert plain[0] == "level 2"
