"""Undo: what comes back, what of it can be put back, and the ways to what lies further back.

The lines always stand in the same places; what cannot be done says why.
"""

from __future__ import annotations

from collections.abc import Callable

from device.match import (
    KEYS,
    CannotUndo,
    Insert,
    Phrases,
    Referee,
    Replay,
    Ruling,
    Undo,
    Undoable,
    last_ruling,
    last_step,
    not_undone,
    offered,
    place,
    told,
)
from device.menus import consent
from device.menus.correcting import Correcting
from device.menus.rollback import rolling_back
from device.menus.ui import Ui
from device.menus.views import Item, Menu, attempt
from engines.words import Words


def undo_menu(box: Ui, referee: Referee, words: Words, begin: Callable[[], None], begun: str = "") -> Menu:
    """Name what can be taken back: first the step ``begun``, in words, where there is one.

    ``begin`` drops it, before anything else is taken back. The cursor starts on the first line that can be.
    """
    replay = referee.replay

    def undo(offer: Undoable) -> None:
        begin()
        attempt(box, lambda: box.desk.undo(offer, source=KEYS))

    def at_once(offer: Undoable) -> Callable[[], None]:
        def act() -> None:
            box.pop()
            undo(offer)

        return act

    def agreed(offer: Undoable) -> Callable[[], None]:
        def act() -> None:
            box.pop()
            what = words("undo.ruling", text="\n".join(_rulings(replay, words, offer)))
            consent.ask(box, referee, words, what, lambda _: undo(offer))

        return act

    def drop() -> None:
        box.pop()
        begin()

    try:
        step = last_step(replay)
        first = Item(offered(replay, words, step), at_once(step))
    except CannotUndo as error:
        first = Item(words("undo.last"), why=not_undone(replay, words, error))
    if begun:
        first = Item(words("undo.begun", step=begun), drop)
    ruling = last_ruling(replay)
    if ruling is None:
        second = Item(words("undo.again"), why=words("undo.none"))
    else:
        act = at_once(ruling) if ruling.redo else agreed(ruling)
        second = Item(offered(replay, words, ruling), act)
    why = "" if any(line.play for line in replay.history) else words("undo.nothing")
    why = words("undo.abandoned") if replay.abandoned else why
    items = [
        first,
        second,
        Item(words("correct.title"), lambda: Correcting(box, referee, words).choose(), why),
        Item(words("rollback.title"), lambda: rolling_back(box, referee, words), why),
        Item(words("undo.keep"), box.pop),
    ]
    possible = next(at for at, item in enumerate(items) if not item.why)
    return Menu(box, words("undo.title"), "", items, possible)


def _rulings(replay: Replay, words: Words, offer: Undoable) -> list[str]:
    """Return the rulings, each with the entry as it was before and as it is now."""
    was = replay.tried([Undo(offer.group)])
    phrases = Phrases(words.texts, words.names)
    group = {str(ruling): record.seq for record in replay.log.group(offer.group)
             if (ruling := replay.log.ruling(record))}  # fmt: skip

    def before(ruling: Ruling) -> str:
        seq = getattr(ruling, "record", 0)
        at = place(was.lines, seq)
        return "" if at is None or not replay.shown(was.lines[at]) else words.made(was.match, at)

    def now(ruling: Ruling) -> str:
        seq = group[str(ruling)] if isinstance(ruling, Insert) else getattr(ruling, "record", 0)
        at = place(replay.history, seq)
        return "" if at is None else told(replay, words, replay.history[at])

    return [phrases.say(one, before, text=now(one)) for one in offer.rulings]
