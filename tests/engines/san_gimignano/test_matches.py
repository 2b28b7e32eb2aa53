"""Every recorded match of San Gimignano shows what its note says."""

from statistics import median

import pytest

from engines import matchfile
from engines.contract import Level
from tests.engines.san_gimignano.truth import NOBLES, names
from tests.engines.test_matches import files
from tests.recorded import load

FILES = files("san_gimignano")


def asked(match):
    """(question, tower in question, text) of every step."""
    for point, step in zip(match.points, match.steps, strict=False):
        frame = point.state.frames[-1] if point.state.frames else None
        yield (frame.question if frame else "action"), (frame.tower if frame else None), step.text


def turns(match):
    return sum(question == "action" for question, _, _ in asked(match))


def used(rank):
    return lambda match: any(
        question == "donazione" and tower.low == rank and text.startswith("use")
        for question, tower, text in asked(match)
    )


def answered(text, by_ten):
    def shown(match):
        guards = [(bool(tower), said) for question, tower, said in asked(match) if question == "guard"]
        return (by_ten, text) in guards

    return shown


def named(match):
    return any(word[0] in "ab" and word[1:2].isdigit() for step in match.steps for word in step.text.split())


def nobles_of(match):
    """Every noble used or removed so far, point by point."""
    for point in match.points:
        nobles = point.state.nobles
        yield {*names(nobles.used[0]), *names(nobles.used[1])}, names(nobles.removed)


def every_noble(match):
    return set().union(*(used for used, _ in nobles_of(match))) == set(NOBLES)


def palazzo_removed(match):
    """Without the Giostra, which would be used."""
    return any("palazzo" in removed and "giostra" not in used for used, removed in nobles_of(match))


def answers(question, text):
    return lambda match: any(q == question and said.startswith(text) for q, _, said in asked(match))


def stone_cancelled(match):
    return any(q == "giostra" and tower and said.startswith("giostra") for q, tower, said in asked(match))


def penalised(match):
    return any(booking.category == "penalty" for booking in match.game.scoring.bookings(match.state))


def final(check):
    return lambda match: check(match.state)


SHOWS = {
    "a double pass before any ending phase": final(lambda state: not state.ending),
    "the deck runs out": final(lambda state: state.ending and state.closer < 0),
    "a player closes": lambda match: any(point.state.closer >= 0 for point in match.points),
    "income": used(8),
    "trade": answered("allow", by_ten=False),
    "trade guarded": answered("guard", by_ten=False),
    "conspiracy": answered("allow", by_ten=True),
    "conspiracy guarded": answered("guard", by_ten=True),
    "target named": named,
    "exchange": lambda match: any(step.text.startswith("X ") for step in match.steps),
    "every donazione happens": final(lambda state: state.must_donate),
    "public steps only": final(lambda state: state.level is Level.TABLE),
    "every noble is played": every_noble,
    "a palazzo is removed at once": palazzo_removed,
    "a stone is cancelled": stone_cancelled,
    "the rest goes on": answers("remains", "go"),
    "backs are chosen": answers("traded", "n"),
    "stones may guard": final(lambda state: state.nobles.pietra_guard),
    "two deals": final(lambda state: state.deals.number == 2 and state.termination == "deals_played"),
    "the target is reached": final(lambda state: state.termination == "target_reached"),
    "the closer's penalty": penalised,
    "no play followed": final(lambda state: state.level is Level.SCORE),
    "the worked example of SG-8.6": lambda match: matchfile.result(match) == "counted, a 63, b 66, won by b",
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_match_shows_what_its_note_says(path):
    file, match = load(path)
    for shown in file.note.split("; "):
        assert SHOWS[shown](match), shown


def test_together_they_show_everything():
    notes = {shown for path in FILES for shown in load(path)[0].note.split("; ")}
    assert notes == set(SHOWS)


def test_a_played_match_takes_as_many_turns_as_people_play():
    played = [
        turns(match) / (match.state.deals.number if match.state.deals else 1)
        for file, match in map(load, FILES)
        if file.setup.level is not Level.SCORE
    ]
    assert 30 <= median(played) <= 60
    assert all(25 <= number <= 80 for number in played)
