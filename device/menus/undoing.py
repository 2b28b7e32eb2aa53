"""Undo, rollback, and points and goods by hand: rulings that people choose at the box and agree to.

Undo's lines always stand in the same places; an impossible one says why. A rollback goes back as far as
people agree to. Points and goods have a player, a number and a reason. The effect is shown first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from device.match import (
    KEYS,
    MOST_BY_HAND,
    PUBLIC,
    Adjust,
    CannotUndo,
    Give,
    Line,
    Replay,
    Rollback,
    Undoable,
    find_hidden,
    find_last_ruling,
    find_last_step,
    find_place,
    find_ruling,
    list_scores,
    tell_no_undo,
    tell_numbered,
    tell_offer,
)
from device.menus import consent
from device.menus.correcting import Correcting, make_lines_menu, tell_change, tell_next
from device.menus.ui import Ui, View
from device.menus.views import FigureWheel, Item, Menu, attempt, leave, make_reason_menu, show
from engines.contract import ADJUSTMENT, Good, Report
from engines.match import Match
from engines.words import scores_of


def make_undo_menu(box: Ui, drop: Callable[[], None], dropped: str) -> Menu:
    """Return the menu of what can be taken back.

    ``drop`` drops what people have begun, before anything else is taken back; the first line offers that in
    the words ``dropped``, unless they are empty. The cursor starts on the first possible line, but on a
    ruling that came last.
    """
    words, replay = box.words, box.referee.replay

    def undo(offer: Undoable) -> None:
        drop()
        attempt(box, lambda: box.door.undo(offer, source=KEYS))

    def ask_consent(offer: Undoable) -> None:
        hidden = find_hidden(replay.log, PUBLIC, replay)
        told = (find_ruling(replay, one.seq - 1, hidden) for one in replay.log.list_group(offer.group))
        said = (replace(one, by="").tell(words) for one in told if one and one.ruling in offer.rulings)
        what = words("undo.ruling", text="\n".join(said))
        consent.ask(box, what, lambda _: undo(offer))

    try:
        step = find_last_step(replay)
        first = Item(tell_offer(replay, words, step), leave(box, undo, step))
    except CannotUndo as error:
        first = Item(words("undo.last"), why=tell_no_undo(replay, words, error))
    if dropped:
        first = Item(dropped, leave(box, drop))
    ruling = find_last_ruling(replay)
    if ruling is None:
        second = Item(words("undo.again"), why=words("undo.none"))
    else:
        act = undo if ruling.redo else ask_consent
        second = Item(tell_offer(replay, words, ruling), leave(box, act, ruling))
    why = "" if any(line.play for line in replay.history) else words("undo.nothing")
    why = words("undo.abandoned") if replay.abandoned else why
    items = [
        first,
        second,
        Item(words("correct.title"), lambda: Correcting(box).choose(), why),
        Item(words("rollback.title"), partial(ask_rollback, box), why),
        Item(words("undo.keep"), box.pop),
    ]
    begin = next(at for at, item in enumerate(items) if not item.why)
    if ruling and not ruling.redo and not dropped:
        begin = items.index(second)
    return Menu(box, words("undo.title"), "", items, begin)


def ask_rollback(box: Ui, line: Line | None = None) -> None:
    """Ask before which entry to go back, unless ``line`` is given; then ask for consent."""
    if line is not None:
        _ask_consent(box, line)
    else:
        title, choose = box.words("rollback.title"), partial(_ask_consent, box)
        box.push(make_lines_menu(box, box.referee.replay, box.words, title, choose))


def _ask_consent(box: Ui, line: Line) -> None:
    what = attempt(box, lambda: tell_rollback(box, line))
    if what is None:
        return
    if not what:
        box.play_refusal()
        box.toast(box.words("rollback.gone"))
        return

    def roll_back(by: str) -> None:
        if attempt(box, lambda: box.door.rule(Rollback(line.seq), source=KEYS, by=by)):
            box.show_match()

    consent.ask(box, what, roll_back)


def tell_rollback(box: Ui, line: Line) -> str:
    """Return the effect of going back to before ``line``; empty if the line no longer counts.

    Raises EngineError if the remaining entries would not fit.
    """
    words, replay = box.words, box.referee.replay
    at = find_place(replay.history, line.seq)
    if at is None:
        return ""
    tried = replay.try_rulings([Rollback(line.seq)])
    if tried.error:
        raise tried.error
    fallen = [one for one in replay.history[at:] if one.play]
    key = "rollback.one" if len(fallen) == 1 else "rollback.fall"
    _answer_again(replay, at, tried.match)
    before, after = list_scores(replay), scores_of(replay.game, tried.match.state, len(replay.names))
    seen = [tell_numbered(replay, words, one) for one in fallen if one.seat is None]
    return "\n".join(
        [
            words(key, count=len(fallen), entry=tell_numbered(replay, words, line)),
            tell_change(box, before, after),
            tell_next(words, tried.match),
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


# Points and goods by hand

POINTS = tuple(points for points in range(-MOST_BY_HAND, MOST_BY_HAND + 1) if points)

MakeRuling = Callable[[int, str], Adjust | Give]
"""A function from a number and a reason to the ruling that gives so many."""


def ask_adjustment(box: Ui) -> None:
    """Ask whose points change."""
    title = box.words(f"category.{ADJUSTMENT}")

    def make_wheel(box: Ui, seat: int) -> View:
        prompt = box.words("adjust.points", name=box.words.name(seat))
        return _make_amount_wheel(box, (title, prompt), POINTS, partial(Adjust, seat))

    box.push(_ask_player(box, title, box.words("adjust.whose"), make_wheel))


def list_giving_items(box: Ui) -> list[Item]:
    """Return the menu's line to give or take goods; none if the game has no goods now."""
    words, match = box.words, box.referee.replay.match
    goods = partial(match.game.rules.goods, match.state)
    title = words("give.head")

    def make_menu(box: Ui, seat: int) -> View:
        found = [good for good in goods(seat) if good.there or good.left]
        items = [Item(words(f"given.{good.name}"), show(box, make_wheel, seat, good)) for good in found]
        return Menu(box, title, words("give.which", name=words.name(seat)), items)

    def make_wheel(box: Ui, seat: int, good: Good) -> View:
        prompt = words.texts("give.number", good=words(f"given.{good.name}"))
        least, most = -min(good.there, MOST_BY_HAND), min(good.left, MOST_BY_HAND)
        amounts = [n for n in range(least, most + 1) if n]

        def make_gift(n: int, reason: str) -> Give:
            return Give(seat, n, good.name, reason)

        return _make_amount_wheel(box, (title, prompt), amounts, make_gift, "give")

    whose = show(box, _ask_player, title, words("give.whose"), make_menu)
    return [Item(words("give.title"), whose)] if goods(0) else []


def _ask_player(box: Ui, title: str, prompt: str, make_view: Callable[[Ui, int], View]) -> Menu:
    """Ask which player it is about; ``make_view`` makes the next view for that player."""
    items = [Item(name, show(box, make_view, seat)) for seat, name in enumerate(box.words.names)]
    return Menu(box, title, prompt, items)


def _make_amount_wheel(
    box: Ui,
    asked: tuple[str, str],
    amounts: Sequence[int],
    make: MakeRuling,
    why: str = "adjust",
) -> View:
    """Return the wheel of amounts, below 0 to take; then ask why, and for consent. ``asked`` are title and
    prompt; ``why`` names the list of reasons.
    """

    def ask_consent(number: str, reason: str) -> None:
        ruling, said = make(int(number), reason), box.words("give.cannot") if why == "give" else ""
        if what := attempt(box, lambda: tell_effect(box, ruling), said):
            consent.ask(box, what, partial(record, ruling))

    def record(ruling: Adjust | Give, by: str) -> None:
        if attempt(box, lambda: box.door.rule(ruling, source=KEYS, by=by)):
            box.show_match()

    def take(number: str, _: View) -> None:
        box.push(make_reason_menu(box, why, partial(ask_consent, number)))

    at = amounts.index(1) if 1 in amounts else len(amounts) - 1
    return FigureWheel(box, *asked, [f"{number:+d}" for number in amounts], at, take)


def tell_effect(box: Ui, ruling: Adjust | Give) -> str:
    """Tell the score before and after, or the number of a good; raises EngineError if it cannot be given."""
    words, replay = box.words, box.referee.replay
    tried = replay.try_rulings([ruling])
    if tried.error:
        raise tried.error
    name, reason = words.name(ruling.seat), words.texts.recall("reason", ruling.reason)
    why = [words("adjust.why", reason=reason)] * bool(reason)
    if isinstance(ruling, Give):
        goods = replay.game.rules.goods(replay.match.state, ruling.seat)
        had = next(good.there for good in goods if good.name == ruling.good)
        good = words(f"given.{ruling.good}")
        what = words.texts("give.what", name=name, good=good, n=f"{ruling.number:+d}")
        return "\n".join([what, *why, f"{had} → {had + ruling.number}"])
    before = list_scores(replay)
    after = scores_of(replay.game, tried.match.state, len(before))
    what = words("adjust.what", name=name, points=f"{ruling.points:+d}")
    return "\n".join([what, *why, tell_change(box, before, after)])
