"""Every recorded match of Torres shows what its note says."""

from statistics import median

import pytest

from engines import matchfile
from engines.contract import Level
from engines.match import Adjustment
from tests.engines.test_matches import files
from tests.engines.torres.players import RULED
from tests.engines.torres.shows import shown, turns
from tests.recorded import load

RULINGS = {"an overruled step", "points by hand"}
FILES = files("torres")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_match_has_ten_turns_a_player_or_twelve_with_two(path):
    file, match = load(path)
    if file.setup.level is not Level.SCORE:
        seats = file.setup.seats
        assert turns(match) == seats * (12 if seats == 2 else 10)
    assert all(point.state.supply() >= 0 for point in match.points)


def test_points_are_what_people_reach():
    played = [match for file, match in map(load, FILES) if file.setup.level is not Level.SCORE]
    totals = [sum(b.points for b in m.game.scoring.bookings(m.state) if b.seat == 0) for m in played]
    assert 150 <= median(totals) <= 320


def test_the_final_board_counts_as_the_match_it_is_taken_from():
    """The report of a last board, and the same board reached by play, end on the same track."""
    by_name = {path.stem: load(path)[1] for path in FILES}
    counted, played = by_name["torres_final_board"], by_name["torres_two"]
    results = [matchfile.result(match).partition(", ")[2] for match in (counted, played)]
    assert results[0] == results[1]


def test_a_match_with_rulings_is_written_and_replayed():
    file = RULED.file()
    text = matchfile.write(file)
    assert "!TO-3.5" in text
    assert "! a -3 slow play" in text
    match = matchfile.play(matchfile.read(text))
    assert set(shown(match)) >= RULINGS
    assert matchfile.result(match) == file.result
    assert sum(isinstance(step, Adjustment) for step in match.steps) == 2
