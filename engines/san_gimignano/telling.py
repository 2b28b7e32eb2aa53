"""The match as a game master tells it: what a step does, what hands do now, what all must know, what an
unexpected question is about, and what lies on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Choice, Figures, Label, Lay, Level, Piece, Zone
from engines.kit import Saying, Teller, question
from engines.san_gimignano import cards as c
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.donazione import ALLOW, USE, may_guard, targets, trades
from engines.san_gimignano.drawing import DECK, ENOUGH, NOBLE_DECK
from engines.san_gimignano.final import COMPLETED, HOLDERS, NO_MARKER
from engines.san_gimignano.nobles import GO, JOUST, KEEP, RETURNS
from engines.san_gimignano.notation import label
from engines.san_gimignano.scene import scene
from engines.san_gimignano.standing import THAT_IS_ALL
from engines.san_gimignano.state import DEALT, NOBODY, Frame, State
from engines.san_gimignano.turns import BUILD, COMPLETE, EXCHANGE, EXTEND, PURCHASE

__all__ = ["about", "hands", "news", "said", "scene", "zones"]

# What a step does


def said(before: State, choices: Sequence[Choice]) -> tuple[Label, ...]:
    """Tell a step or its beginning: ``exchanges 7, 9 for 10 from the market and a card from the deck``."""
    if not choices:
        return ()
    if choices[0].question.startswith("final"):
        return tuple(_counted(before, choices))
    own = [choice for choice in choices if choice.question != "draw"]
    drawn = [choice.token for choice in choices if choice.question == "draw"]
    first = own[0].token if own else PURCHASE
    told = () if drawn and first == PURCHASE else _chosen(before, own)
    if not drawn:
        return told
    what = (("what", tuple(_drawn(drawn))),)
    if first == EXCHANGE and told:
        return (Label("said.exchange_for", told[0].figures, what),)
    if told:
        return (Label("said.and_takes", (), (("step", told), *what)),)
    return (Label("said.takes", (), what),)


def _drawn(tokens: Sequence[str]) -> Iterator[Label]:
    """Say what was drawn from where, the market's cards by name."""
    market = [token[1:] for token in tokens if token[0] == "m"]
    if market:
        yield Label("said.from_market", (("cards", ",".join(market)),))
    for source, name in ((DECK, "deck"), (NOBLE_DECK, "nobles")):
        n = sum(int(token[1:] or 1) for token in tokens if token[0] == source)
        if n:
            yield Label(f"said.from_{name}", (("n", n),))


def _action(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Tell a turn's action without its draws."""
    first, rest = tokens[0], tokens[1:]
    if first in c.NOBLES:
        returned = (("what", (Label(f"said.palazzo_{rest[0]}"),)),) if rest else ()
        yield Label("said.noble_returns" if rest else "said.noble", (("card", first),), returned)
    elif not rest:
        yield Label(f"said.{first}")
    elif first == EXCHANGE:
        put = sorted((token for token in rest if token != ENOUGH), key=c.kind_of)
        yield Label("said.exchange", (("cards", ",".join(put)),))
    elif first == BUILD:
        yield _built(rest)
    elif first == EXTEND:
        tower = c.read_tower(rest[0])
        assert tower
        grown = (("higher", tower.grown(rest[1]).figure),) if rest[1:] else ()
        yield Label("said.extend" if grown else "said.extend_begun", (*_named(tower), *grown))
    elif first == COMPLETE:
        flipped = [tower for token in rest if (tower := c.read_tower(token))]
        yield Label("said.complete", (("towers", ",".join(tower.figure for tower in flipped)),))


def _built(tokens: Sequence[str]) -> Label:
    """Tell a tower laid out, or as much of it as is known: a rank, a run in which stones stand somewhere."""
    low, high = c.read_shape(tokens[0])
    if low == high:
        if not tokens[1:]:
            return Label("said.build_rank", (("rank", low),))
        return Label("said.build", _named(c.plain(low, 1).grown(tokens[1])))
    if tokens[0][-1] == "s" and not tokens[1:]:
        return Label("said.build_stones", (("tower", f"{low}-{high}"),))
    tower = c.run(low, high)
    return Label("said.build", _named(tower.grown(tokens[1]) if tokens[1:] else tower))


def _named(tower: Tower, owner: int | None = None) -> Figures:
    """Return a tower as a figure, and whose it is."""
    figures: Figures = (("tower", tower.figure),)
    return figures if owner is None else (*figures, ("seat", owner))


def _donazione(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Tell if a donazione is used or declined.

    The cards that a 9 moves are told there too if nobody may guard, for no other step tells them.
    """
    tower, seat = before.tower, before.seat
    if tokens[0] != USE:
        yield Label("said.decline")
    elif tower.low == 9:
        if may_guard(before, 1 - seat):
            yield Label("said.use_hand", (("seat", 1 - seat),))
        else:
            yield _trade("said.use_trade", before, tower.height)
            yield from _noble_counts(tokens[1:])
    else:
        found = [c.read_owned(token) for token in tokens[1:]] or targets(before, tower)
        named = found[0] if tower.low == 10 and len(found) == 1 else None
        yield Label("said.use_against", _named(named[1], named[0])) if named else Label("said.use")


def _trade(key: str, before: State, built: int) -> Label:
    """Say what a 9 moves (SG-5.6), from the state before it."""
    seat, other = before.seat, 1 - before.seat
    drawn, back = trades(before, built)
    return Label(key, (("seat", seat), ("other", other), ("n", drawn), ("back", back)))


def _noble_counts(tokens: Sequence[str]) -> Iterator[Label]:
    """Return how many nobles were among the cards drawn, and among those given back."""
    for token, key in zip(tokens, ("nobles_drawn", "nobles_given"), strict=False):
        yield Label(f"said.{key}", (("n", int(token[1:])),))


def _guard(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    frame = before.frames[-1]
    if tokens[0] != ALLOW:
        yield Label(f"said.guard_{tokens[0]}")
    elif frame.tower:
        yield Label("said.guard_allow_10", _named(frame.tower, before.seat))
    else:
        yield _trade("said.guard_allow_9", before, frame.n)


def _giostra(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Tell a Giostra or none, and the stone of several that it cancels."""
    frame = before.frames[-1]
    guard = before.frames[-2] if len(before.frames) > 1 else None
    if tokens[0] == JOUST and guard and not guard.tower:
        trade = _trade("said.giostra_trade", before, guard.n)
        yield replace(trade, figures=(*trade.figures, ("card", _noble(frame))))
        return
    yield Label(f"said.giostra_{tokens[0]}", (("seat", 1 - frame.seat), ("card", _noble(frame))))
    for token in tokens[1:]:
        yield Label("said.cancel", (("rank", c.read_stones(token)[0]),))


def _returned(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Tell the backs of what is given back, if it was clear which were drawn."""
    yield Label("said.returned", (("n", before.frames[-1].n), ("other", 1 - before.seat)))
    yield Label("said.nobles_given", (("n", int(tokens[0][1:])),))


def _remains(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.goes_on" if tokens[0] == GO else "said.takes_back", _named(before.tower))


_tellers: dict[str, Teller[State]] = {
    "action": _action,
    "donazione": _donazione,
    "guard": _guard,
    "giostra": _giostra,
    "traded": lambda before, tokens: (
        _trade("said.trade", before, before.tower.height),
        *_noble_counts(tokens),
    ),
    "returned": _returned,
    "remains": _remains,
    "market": lambda _, tokens: (Label("said.turned_up", (("cards", ",".join(tokens)),)),),
}
_chosen = Saying(label, BOOK.blanks, _tellers, alone=(*RETURNS, KEEP))
"""What is said of a step, all but its draws."""


def _counted(before: State, choices: Sequence[Choice]) -> Iterator[Label]:
    """Tell a final layout, tower by tower, then who has what."""
    seat, tower = before.frames[-1].seat, before.frames[-1].tower
    for asked, token in ((choice.question, choice.token) for choice in choices):
        if asked in HOLDERS:
            holder = SEATS.index(token) if token != NO_MARKER else NOBODY
            key = f"said.{asked}" if holder >= 0 else f"said.{asked}_nobody"
            yield Label(key, (("seat", holder),))
        elif asked == "final_state":
            assert tower
            key = "final_completed" if token == COMPLETED else "final_standing"
            yield Label(f"said.{key}", _named(tower, seat))
            tower = None
        elif token == THAT_IS_ALL:
            yield Label("said.final_all", (("seat", seat),))
            seat = 1
        elif asked == "final":
            low, high = c.read_shape(token)
            tower = c.run(low, high) if low != high else c.plain(low, 1)
        elif tower:
            tower = tower.grown(token)
    if tower:
        shape = f"{tower.low} × ?" if tower.height == 1 else tower.figure
        yield Label("said.final_begun", (("tower", shape), ("seat", seat)))


# What hands do now


def hands(before: State, choices: Sequence[Choice], after: State) -> tuple[Label, ...]:
    """Tell what moves on the table by rule, as effects note it."""
    return tuple(note for note in BOOK.noted(before, choices) if isinstance(note, Label))


# What all must know


def news(before: State, after: State) -> tuple[Label, ...]:
    """Tell that a deal begins, or its ending phase."""
    if after.level is Level.SCORE:
        return ()
    if before.deals and after.deals and after.deals.number != before.deals.number:
        figures = (("n", after.deals.number), ("seat", 1 - after.deals.dealer))
        return (Label("news.deal", figures),)
    if after.ending and not before.ending:
        if after.closer != before.closer:
            return (Label("news.closed"),)
        return (Label("news.deck_empty"),)
    return ()


# What a question is about


def about(state: State) -> tuple[Label, ...]:
    """Say what would happen, by the figures of this table."""
    asked = question(state)
    frame = state.frames[-1] if state.frames else Frame("")
    if frame.open or asked not in _ABOUT:
        return ()
    return tuple(_ABOUT[asked](state, frame))


def _about_donazione(state: State, _: Frame) -> Iterator[Label]:
    tower = state.tower
    if tower.low == 8:
        yield Label("about.income", (*_named(tower, state.seat), ("n", tower.height)))
    elif tower.low == 9:
        figures = _trade("", state, tower.height).figures
        yield Label("about.trade", (*_named(tower), *figures))
    else:
        yield from _about_target(state, Frame("target", tower=tower))


def _about_target(state: State, frame: Frame) -> Iterator[Label]:
    assert frame.tower
    found = targets(state, frame.tower)
    if len(found) == 1:
        owner, tower = found[0]
        yield Label("about.conspiracy", (*_named(tower, owner), ("by_tower", frame.tower.figure)))
    else:
        yield Label("about.conspiracies", (*_named(frame.tower), ("height", found[0][1].height)))


def _about_guard(state: State, frame: Frame) -> Iterator[Label]:
    if frame.tower:
        yield Label("about.guard_10", (*_named(frame.tower, state.seat), ("other", frame.seat)))
    else:
        yield Label("about.guard_9", _trade("", state, frame.n).figures)


def _about_giostra(_: State, frame: Frame) -> Iterator[Label]:
    figures: Figures = (("seat", 1 - frame.seat), ("card", _noble(frame)))
    if frame.tower:
        yield Label("about.giostra_stone", (*figures, *_named(frame.tower)))
    else:
        yield Label("about.giostra", figures)


def _about_palazzo(state: State, _: Frame) -> Iterator[Label]:
    other = 1 - state.seat
    higher = state.highest(other) > state.highest(state.seat)
    yield Label(
        "about.palazzo_removed" if higher else "about.palazzo", (("seat", state.seat), ("other", other))
    )


def _about_market(state: State, frame: Frame) -> Iterator[Label]:
    if state.middle == c.CARDS - 2 * DEALT:
        yield Label("about.first_market", (("seat", state.seat), ("n", DEALT), ("cards", frame.n)))
    else:
        yield Label("about.market", (("n", frame.n),))


def _about_deal(state: State, _: Frame) -> Iterator[Label]:
    assert state.deals
    yield Label("about.deal", (("n", state.deals.number), ("seat", 1 - state.deals.dealer)))


_About = Callable[[State, Frame], Iterable[Label]]
_ABOUT: dict[str, _About] = {
    "donazione": _about_donazione,
    "target": _about_target,
    "guard": _about_guard,
    "giostra": _about_giostra,
    "palazzo": _about_palazzo,
    "market": _about_market,
    "deal": _about_deal,
    "remains": lambda state, frame: (Label("about.remains", _named(state.tower)),),
    "traded": lambda state, frame: (Label("about.traded", _trade("", state, state.tower.height).figures),),
    "draw": lambda state, frame: (Label("about.draw", (("seat", state.seat), ("n", frame.n))),),
    "final": lambda state, frame: (Label("about.final"),),
}
"""What is told of a question that somebody is asked at the beginning of a step."""


def _noble(frame: Frame) -> str:
    """Return the noble that a Giostra would cancel."""
    return next(name for name in c.names(frame.put & ~c.TOWER_CARDS))


# What lies on the table


def zones(state: State) -> tuple[Zone, ...]:
    """Return market, decks and marker; then for each seat the hand, the nobles used and the towers."""
    played = state.level is not Level.SCORE
    found = [*_shared(state)] if played else []
    if state.marker == NOBODY:
        found.append(Zone("marker", pieces=(_MARKER,)))
    for seat in (0, 1):
        if state.marker == seat:
            found.append(Zone("marker", seat, (_MARKER,)))
        if played:
            found.append(Zone("hand", seat, _hand(state, seat)))
        if state.nobles:
            found.append(Zone("used", seat, _pieces(state.nobles.used[seat])))
        found += [Zone("tower", seat, _storeys(tower), Lay.COLUMN) for tower in state.towers[seat]]
    return tuple(found)


def _shared(state: State) -> Iterator[Zone]:
    yield Zone("market", pieces=_pieces(state.market))
    lies = [*map(_card, state.top), *_unseen(state.middle)]
    lies += [_card(rank) if rank else Piece(Label("lies.unseen")) for rank in state.bottom]
    yield Zone("deck", pieces=tuple(lies), lay=Lay.PILE)
    if state.nobles:
        yield Zone("noble_deck", pieces=_unseen(state.nobles.deck), lay=Lay.PILE)
        if state.nobles.removed:
            yield Zone("removed", pieces=_pieces(state.nobles.removed))


_MARKER = Piece(Label("lies.marker"))


def _card(kind: int | str, count: int = 1, *marks: str) -> Piece:
    return Piece(Label("lies.card", (("card", str(kind)),)), count, marks)


def _pieces(held: Bag) -> tuple[Piece, ...]:
    return tuple(_card(c.KINDS[kind], copies) for kind, copies in bags.items(held))


def _unseen(count: int, key: str = "lies.unseen") -> tuple[Piece, ...]:
    return (Piece(Label(key), count),) if count else ()


def _hand(state: State, seat: int) -> tuple[Piece, ...]:
    """Tell what everybody saw of a hand, and how many cards of either back nobody did."""
    pieces = (*_pieces(state.hands[seat].known), *_unseen(state.hands[seat].unknown))
    if not state.nobles:
        return pieces
    nobles = state.nobles.hands[seat]
    return (*pieces, *_pieces(nobles.known), *_unseen(nobles.unknown, "lies.unseen_noble"))


def _storeys(tower: Tower) -> tuple[Piece, ...]:
    """Return a tower's storeys, the lowest first; a stone is named as one."""
    marks = ("completed",) * tower.complete
    if tower.plain:
        stones = len(tower.stones)
        cards = (_card(tower.low, tower.height - stones, *marks),)
        return (*cards, _card("pietra", stones, *marks)) if stones else cards
    storeys = range(tower.high, tower.low - 1, -1)
    return tuple(_card("pietra" if rank in tower.stones else rank, 1, *marks) for rank in storeys)
