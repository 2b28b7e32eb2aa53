"""Rollback: going back in the match as far as people agree to. What it will do is shown first."""

from __future__ import annotations

from device.match import KEYS, Line, Referee, Rollback, RulingError, numbered, place, scores
from device.menus import consent
from device.menus.correcting import change, lines_menu, then
from device.menus.ui import Ui, View
from device.menus.views import attempt, close
from engines.contract import Report
from engines.errors import EngineError
from engines.match import Match
from engines.words import Words, scores_of


def rolling_back(box: Ui, referee: Referee, words: Words, line: Line | None = None) -> None:
    """Ask before which entry to go back, unless it is ``line``, then whether people agree."""
    if line is not None:
        _ask(box, referee, words, line)
        return
    menu: View

    def choose(chosen: Line) -> None:
        _ask(box, referee, words, chosen, menu)

    menu = lines_menu(box, referee.replay, words, words("rollback.title"), choose)
    box.push(menu)


def _ask(box: Ui, referee: Referee, words: Words, line: Line, *over: View) -> None:
    try:
        what = summary(referee, words, line)
    except (EngineError, RulingError) as error:
        box.refused()
        box.toast(str(error), urgent=True)
        return
    if not what:
        box.refused()
        box.toast(words("rollback.gone"))
        return

    def agreed(by: str) -> None:
        close(box, *over)
        if attempt(box, lambda: box.desk.rule(Rollback(line.seq), source=KEYS, by=by)):
            box.show_match()

    consent.ask(box, referee, words, what, agreed)


def summary(referee: Referee, words: Words, line: Line) -> str:
    """Return what going back to before ``line`` would do; empty where the line no longer counts.

    Raises EngineError where the entries that are left would not fit.
    """
    at = place(referee.replay.history, line.seq)
    if at is None:
        return ""
    tried = referee.replay.tried([Rollback(line.seq)])
    if tried.error:
        raise tried.error
    fallen = [one for one in referee.replay.history[at:] if one.play]
    seats = len(referee.replay.names)
    key = "rollback.one" if len(fallen) == 1 else "rollback.fall"
    parts = [words(key, count=len(fallen), entry=numbered(referee.replay, words, line))]
    _answer(referee, at, tried.match)
    before, after = scores(referee.replay), scores_of(referee.replay.game, tried.match.state, seats)
    parts.append(change(words, before, after))
    parts.append(then(words, tried.match))
    seen = [one for one in fallen if one.seat is None]
    if seen:
        parts.append(words("rollback.seen"))
        parts += [numbered(referee.replay, words, one) for one in seen]
    return "\n".join(parts)


def _answer(referee: Referee, at: int, match: Match) -> None:
    """Play on in ``match`` while the table is asked again for what it has already shown.

    ``at`` is the place in the history to go back to.
    """
    for line, point in zip(referee.replay.history[at:], referee.replay.match.points[at:], strict=False):
        if line.play:
            about = match.game.rules.seen(match.state) if isinstance(match.pending, Report) else ""
            if not about or about != match.game.rules.seen(point.state):
                break
            match.make(line.made)
