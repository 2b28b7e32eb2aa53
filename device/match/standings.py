"""Standings of a recorded match, for those who look on."""

from __future__ import annotations

from collections.abc import Sequence

from device.match.replay import Replay
from engines.words import Words, scores_of


def scores(replay: Replay) -> list[int]:
    """Each seat's points if the match ended now."""
    return scores_of(replay.game, replay.match.state, len(replay.names))


def moving(replay: Replay) -> tuple[str, Sequence[int]]:
    """Return the figures that a match goes by, each seat's, and the text that names them: until the end what
    is counted beside the score, in a game that does; else the score, which needs no name.
    """
    tally = next(iter(replay.game.scoring.tallies(replay.match.state)), None)
    if tally and not replay.over:
        return f"tally.{tally.name}", tally.figures
    return "", scores(replay)


def scoreboard(replay: Replay, words: Words) -> dict[str, object]:
    """Return a match's standing for who looks from elsewhere, fit for JSON, by place.

    ``places`` are of ``place``, ``name``, ``seat`` and ``points``, ``ties`` say what decides between level
    ones, ``tallies`` are what is counted beside the score: ``name`` and ``figures`` by player. ``over`` is
    whether that is the end.
    """
    game, state = replay.game, replay.match.state
    places = game.scoring.ranking(state)
    return {
        "over": bool(state.termination),
        "places": [
            {"place": place.number, "name": words.name(seat), "seat": seat, "points": place.points}
            for place in places
            for seat in place.seats
        ],
        "ties": list(words.ties(places).values()),
        "tallies": [
            {
                "name": words(f"tally.{tally.name}"),
                "figures": [{"name": words.name(seat), "figure": n} for seat, n in enumerate(tally.figures)],
            }
            for tally in game.scoring.tallies(state)
        ],
    }
