"""Undo and rollback: the offers to take back or put back, and the ways to earlier entries.

Undo's lines always stand in the same places; an impossible one says why. A rollback goes back as far as
people agree to; its effect is shown first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from device.match import (
    KEYS,
    PUBLIC,
    CannotUndo,
    Line,
    Replay,
    Rollback,
    Undoable,
    last_ruling,
    last_step,
    not_undone,
    numbered,
    offered,
    place,
    ruled,
    scores,
    secrets,
)
from device.menus import consent
from device.menus.correcting import Correcting, change, lines_menu, then
from device.menus.ui import Ui
from device.menus.views import Item, Menu, attempt, left
from engines.contract import Report
from engines.match import Match
from engines.words import scores_of


def undo_menu(box: Ui, drop: Callable[[], None], dropped: str = "") -> Menu:
    """Return the menu of what can be taken back.

    ``drop`` drops what people have begun, before anything else is taken back; the first line offers that in
    the words ``dropped``, unless they are empty. The cursor starts on the first possible line, but on a
    ruling that came last.
    """
    words, replay = box.words, box.referee.replay

    def undo(offer: Undoable) -> None:
        drop()
        attempt(box, lambda: box.door.undo(offer, source=KEYS))

    def agreed(offer: Undoable) -> None:
        hidden = secrets(replay.log, PUBLIC, replay)
        told = (ruled(replay, one.seq - 1, hidden) for one in replay.log.group(offer.group))
        said = (replace(one, by="").said(words) for one in told if one and one.ruling in offer.rulings)
        what = words("undo.ruling", text="\n".join(said))
        consent.ask(box, what, lambda _: undo(offer))

    try:
        step = last_step(replay)
        first = Item(offered(replay, words, step), left(box, undo, step))
    except CannotUndo as error:
        first = Item(words("undo.last"), why=not_undone(replay, words, error))
    if dropped:
        first = Item(dropped, left(box, drop))
    ruling = last_ruling(replay)
    if ruling is None:
        second = Item(words("undo.again"), why=words("undo.none"))
    else:
        second = Item(offered(replay, words, ruling), left(box, undo if ruling.redo else agreed, ruling))
    why = "" if any(line.play for line in replay.history) else words("undo.nothing")
    why = words("undo.abandoned") if replay.abandoned else why
    items = [
        first,
        second,
        Item(words("correct.title"), lambda: Correcting(box).choose(), why),
        Item(words("rollback.title"), partial(rolling_back, box), why),
        Item(words("undo.keep"), box.pop),
    ]
    begin = next(at for at, item in enumerate(items) if not item.why)
    if ruling and not ruling.redo and not dropped:
        begin = items.index(second)
    return Menu(box, words("undo.title"), "", items, begin)


def rolling_back(box: Ui, line: Line | None = None) -> None:
    """Ask before which entry to go back, unless ``line`` is given; then ask for consent."""
    if line is not None:
        _ask_rollback(box, line)
    else:
        title, choose = box.words("rollback.title"), partial(_ask_rollback, box)
        box.push(lines_menu(box, box.referee.replay, box.words, title, choose))


def _ask_rollback(box: Ui, line: Line) -> None:
    what = attempt(box, lambda: rollback_summary(box, line))
    if what is None:
        return
    if not what:
        box.refused()
        box.toast(box.words("rollback.gone"))
        return

    def agreed(by: str) -> None:
        if attempt(box, lambda: box.door.rule(Rollback(line.seq), source=KEYS, by=by)):
            box.show_match()

    consent.ask(box, what, agreed)


def rollback_summary(box: Ui, line: Line) -> str:
    """Return the effect of going back to before ``line``; empty if the line no longer counts.

    Raises EngineError if the remaining entries would not fit.
    """
    words, replay = box.words, box.referee.replay
    at = place(replay.history, line.seq)
    if at is None:
        return ""
    tried = replay.tried([Rollback(line.seq)])
    if tried.error:
        raise tried.error
    fallen = [one for one in replay.history[at:] if one.play]
    key = "rollback.one" if len(fallen) == 1 else "rollback.fall"
    _answer_again(replay, at, tried.match)
    before, after = scores(replay), scores_of(replay.game, tried.match.state, len(replay.names))
    seen = [numbered(replay, words, one) for one in fallen if one.seat is None]
    return "\n".join(
        [
            words(key, count=len(fallen), entry=numbered(replay, words, line)),
            change(box, before, after),
            then(words, tried.match),
            *([words("rollback.seen"), *seen] if seen else []),
        ]
    )


def _answer_again(replay: Replay, at: int, match: Match) -> None:
    """Play on in ``match`` while it asks the table again for what it has already shown.

    ``at`` is the index in the history to go back to.
    """
    for line, point in zip(replay.history[at:], replay.match.points[at:], strict=False):
        if line.play:
            about = match.game.rules.seen(match.state) if isinstance(match.pending, Report) else ""
            if not about or about != match.game.rules.seen(point.state):
                break
            match.make(line.made)
