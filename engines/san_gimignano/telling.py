"""The match in a game master's words: a step, the work for hands, news, an explanation of an unexpected
question, and the pieces on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Choice, Figures, Label, Lay, Level, Piece, Zone
from engines.kit import Saying, Teller, question
from engines.san_gimignano import cards as c
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.donazione import ALLOW, USE, may_guard, targets, trades
from engines.san_gimignano.draws import DECK, ENOUGH, NOBLE_DECK
from engines.san_gimignano.final import COMPLETED, HOLDERS, NO_MARKER
from engines.san_gimignano.nobles import GO, JOUST, KEEP, RETURNS, noble_of, overtopped
from engines.san_gimignano.notation import label
from engines.san_gimignano.scene import scene
from engines.san_gimignano.standing import THAT_IS_ALL
from engines.san_gimignano.state import DEALT, NOBODY, Frame, State
from engines.san_gimignano.turns import BUILD, COMPLETE, EXCHANGE, EXTEND, PURCHASE

__all__ = ["about", "hands", "news", "said", "scene", "zones"]

# A step


def said(before: State, choices: Sequence[Choice]) -> tuple[Label, ...]:
    """Tell a step or its beginning: ``exchanges 7, 9 for 10 from the market and a card from the deck``."""
    if not choices:
        return ()
    if choices[0].question.startswith("final"):
        return tuple(_tell_counted(before, choices))
    own = [choice for choice in choices if choice.question != "draw"]
    drawn = [choice.token for choice in choices if choice.question == "draw"]
    first = own[0].token if own else PURCHASE
    told = () if drawn and first == PURCHASE else _chosen(before, own)
    if not drawn:
        return told
    what = (("what", tuple(_tell_drawn(drawn))),)
    if first == EXCHANGE and told:
        return (Label("said.exchange_for", told[0].figures, what),)
    if told:
        return (Label("said.and_takes", (), (("step", told), *what)),)
    return (Label("said.takes", (), what),)


def _tell_drawn(tokens: Sequence[str]) -> Iterator[Label]:
    """Tell the draws by their source, the market's cards by name."""
    market = [token[1:] for token in tokens if token[0] == "m"]
    if market:
        yield Label("said.from_market", (("cards", ",".join(market)),))
    for source, name in ((DECK, "deck"), (NOBLE_DECK, "nobles")):
        n = sum(int(token[1:] or 1) for token in tokens if token[0] == source)
        if n:
            yield Label(f"said.from_{name}", (("n", n),))


def _tell_action(_: State, tokens: Sequence[str]) -> Iterator[Label]:
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
        yield _tell_built(rest)
    elif first == EXTEND:
        tower = c.read_tower(rest[0])
        assert tower
        grown = (("higher", tower.grown(rest[1]).figure),) if rest[1:] else ()
        yield Label("said.extend" if grown else "said.extend_begun", (*_name_tower(tower), *grown))
    elif first == COMPLETE:
        flipped = [tower for token in rest if (tower := c.read_tower(token))]
        yield Label("said.complete", (("towers", ",".join(tower.figure for tower in flipped)),))


def _tell_built(tokens: Sequence[str]) -> Label:
    """Tell a new tower, or as much of it as was told: its rank, or its run without the stones in it."""
    low, high = c.read_shape(tokens[0])
    tower = c.plain(low, 1) if low == high else c.run(low, high)
    if tokens[1:]:
        return Label("said.build", _name_tower(tower.grown(tokens[1])))
    if tower.plain:
        return Label("said.build_rank", (("rank", low),))
    return Label("said.build_stones" if tokens[0][-1] == "s" else "said.build", _name_tower(tower))


def _name_tower(tower: Tower, owner: int | None = None) -> Figures:
    """Return the figures of a tower, and of its owner if there is one to tell."""
    figures: Figures = (("tower", tower.figure),)
    return figures if owner is None else (*figures, ("seat", owner))


def _tell_donazione(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Tell if a donazione is used or declined.

    If nobody may guard against a 9, tell its Trade too, which is no step of its own.
    """
    tower, seat = before.tower, before.seat
    if tokens[0] != USE:
        yield Label("said.decline")
    elif tower.low == 9:
        if may_guard(before, 1 - seat):
            yield Label("said.use_hand", (("seat", 1 - seat),))
        else:
            yield Label("said.use_trade", _find_traded(before, tower.height))
            yield from _tell_noble_counts(tokens[1:])
    else:
        found = [c.read_owned(token) for token in tokens[1:]] or targets(before, tower)
        named = found[0] if tower.low == 10 and len(found) == 1 else None
        yield Label("said.use_against", _name_tower(named[1], named[0])) if named else Label("said.use")


def _find_traded(before: State, built: int) -> Figures:
    """Return the figures of the Trade of a 9 so high (SG-5.6), from the state before it."""
    drawn, back = trades(before, built)
    return (("seat", before.seat), ("other", 1 - before.seat), ("n", drawn), ("back", back))


def _tell_noble_counts(tokens: Sequence[str]) -> Iterator[Label]:
    """Tell the number of nobles among the cards drawn, and among those given back."""
    for token, key in zip(tokens, ("nobles_drawn", "nobles_given"), strict=False):
        yield Label(f"said.{key}", (("n", int(token[1:])),))


def _tell_guard(before: State, tokens: Sequence[str]) -> Label:
    frame = before.frames[-1]
    if tokens[0] != ALLOW:
        return Label(f"said.guard_{tokens[0]}")
    if frame.tower:
        return Label("said.guard_allow_10", _name_tower(frame.tower, before.seat))
    return Label("said.guard_allow_9", _find_traded(before, frame.n))


def _tell_giostra(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Tell a Giostra or none, and the stone of several that it cancels."""
    frame = before.frames[-1]
    guard = before.frames[-2] if len(before.frames) > 1 else None
    if tokens[0] == JOUST and guard and not guard.tower:
        yield Label("said.giostra_trade", (*_find_traded(before, guard.n), ("card", noble_of(frame))))
        return
    yield Label(f"said.giostra_{tokens[0]}", (("seat", 1 - frame.seat), ("card", noble_of(frame))))
    for token in tokens[1:]:
        yield Label("said.cancel", (("rank", c.read_stones(token)[0]),))


def _tell_returned(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Tell the backs of the cards given back, if nobody was asked for the backs of the draw."""
    yield Label("said.returned", (("n", before.frames[-1].n), ("other", 1 - before.seat)))
    yield Label("said.nobles_given", (("n", int(tokens[0][1:])),))


_tellers: dict[str, Teller[State]] = {
    "action": _tell_action,
    "donazione": _tell_donazione,
    "guard": _tell_guard,
    "giostra": _tell_giostra,
    "traded": lambda before, tokens: (
        Label("said.trade", _find_traded(before, before.tower.height)),
        *_tell_noble_counts(tokens),
    ),
    "returned": _tell_returned,
    "remains": lambda before, tokens: Label(
        "said.goes_on" if tokens[0] == GO else "said.takes_back", _name_tower(before.tower)
    ),
    "market": lambda _, tokens: Label("said.turned_up", (("cards", ",".join(tokens)),)),
}
_chosen = Saying(label, BOOK.figures_at, _tellers, alone=(*RETURNS, KEEP))
"""The words for a step without its draws."""


def _tell_counted(before: State, choices: Sequence[Choice]) -> Iterator[Label]:
    """Tell a final layout, tower by tower, then its marker, nobles and closer."""
    seat, tower = before.frames[-1].seat, before.frames[-1].tower
    for asked, token in ((choice.question, choice.token) for choice in choices):
        if asked in HOLDERS:
            holder = SEATS.index(token) if token != NO_MARKER else NOBODY
            key = f"said.{asked}" if holder >= 0 else f"said.{asked}_nobody"
            yield Label(key, (("seat", holder),))
        elif asked == "final_state":
            assert tower
            key = "final_completed" if token == COMPLETED else "final_standing"
            yield Label(f"said.{key}", _name_tower(tower, seat))
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


# The work for hands, as effects note it


def hands(before: State, choices: Sequence[Choice], after: State) -> tuple[Label, ...]:
    """Tell the moves on the table that follow by rule."""
    return tuple(note for note in BOOK.noted(before, choices) if isinstance(note, Label))


# News, and explanations of questions


def news(before: State, after: State) -> tuple[Label, ...]:
    """Tell of a new deal, or of its ending phase."""
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


def about(state: State) -> tuple[Label, ...]:
    """Explain the question at the beginning of a step, with the figures of this table."""
    asked = question(state)
    if asked not in _ABOUT or state.frames[-1].open:
        return ()
    return (_ABOUT[asked](state, state.frames[-1]),)


def _explain_donazione(state: State, frame: Frame) -> Label:
    tower = state.tower
    if tower.low == 8:
        return Label("about.income", (*_name_tower(tower, state.seat), ("n", tower.height)))
    if tower.low == 9:
        return Label("about.trade", (*_name_tower(tower), *_find_traded(state, tower.height)))
    return _explain_target(state, frame)


def _explain_target(state: State, _: Frame) -> Label:
    found = targets(state, state.tower)
    owner, tower = found[0]
    if len(found) == 1:
        return Label("about.conspiracy", (*_name_tower(tower, owner), ("by_tower", state.tower.figure)))
    return Label("about.conspiracies", (*_name_tower(state.tower), ("height", tower.height)))


def _explain_guard(state: State, frame: Frame) -> Label:
    if frame.tower:
        return Label("about.guard_10", (*_name_tower(frame.tower, state.seat), ("other", frame.seat)))
    return Label("about.guard_9", _find_traded(state, frame.n))


def _explain_giostra(_: State, frame: Frame) -> Label:
    figures: Figures = (("seat", 1 - frame.seat), ("card", noble_of(frame)))
    if frame.tower:
        return Label("about.giostra_stone", (*figures, *_name_tower(frame.tower)))
    return Label("about.giostra", figures)


def _explain_palazzo(state: State, _: Frame) -> Label:
    key = "about.palazzo_removed" if overtopped(state) else "about.palazzo"
    return Label(key, (("seat", state.seat), ("other", 1 - state.seat)))


def _explain_market(state: State, frame: Frame) -> Label:
    if state.middle == c.CARDS - 2 * DEALT:
        return Label("about.first_market", (("seat", state.seat), ("n", DEALT), ("cards", frame.n)))
    return Label("about.market", (("n", frame.n),))


def _explain_deal(state: State, _: Frame) -> Label:
    assert state.deals
    return Label("about.deal", (("n", state.deals.number), ("seat", 1 - state.deals.dealer)))


_ABOUT: dict[str, Callable[[State, Frame], Label]] = {
    "donazione": _explain_donazione,
    "target": _explain_target,
    "guard": _explain_guard,
    "giostra": _explain_giostra,
    "palazzo": _explain_palazzo,
    "market": _explain_market,
    "deal": _explain_deal,
    "remains": lambda state, frame: Label("about.remains", _name_tower(state.tower)),
    "traded": lambda state, frame: Label("about.traded", _find_traded(state, state.tower.height)),
    "draw": lambda state, frame: Label("about.draw", (("seat", state.seat), ("n", frame.n))),
    "final": lambda state, frame: Label("about.final"),
}
"""The functions that explain a question, by its name."""


# The pieces on the table


def zones(state: State) -> tuple[Zone, ...]:
    """Return market, decks and marker, then by seat the hand, the used nobles and the towers."""
    played = state.level is not Level.SCORE
    found = [*_list_shared(state)] if played else []
    if state.marker == NOBODY:
        found.append(Zone("marker", pieces=(_MARKER,)))
    for seat in (0, 1):
        if state.marker == seat:
            found.append(Zone("marker", seat, (_MARKER,)))
        if played:
            found.append(Zone("hand", seat, _list_hand(state, seat)))
        if state.nobles:
            found.append(Zone("used", seat, _list_pieces(state.nobles.used[seat])))
        found += [Zone("tower", seat, _list_storeys(tower), Lay.COLUMN) for tower in state.towers[seat]]
    return tuple(found)


def _list_shared(state: State) -> Iterator[Zone]:
    yield Zone("market", pieces=_list_pieces(state.market))
    lies = [*map(_name_card, state.top), *_list_unseen(state.middle)]
    lies += [_name_card(rank) if rank else Piece(Label("lies.unseen")) for rank in state.bottom]
    yield Zone("deck", pieces=tuple(lies), lay=Lay.PILE)
    if state.nobles:
        yield Zone("noble_deck", pieces=_list_unseen(state.nobles.deck), lay=Lay.PILE)
        if state.nobles.removed:
            yield Zone("removed", pieces=_list_pieces(state.nobles.removed))


_MARKER = Piece(Label("lies.marker"))


def _name_card(kind: int | str, count: int = 1, *marks: str) -> Piece:
    return Piece(Label("lies.card", (("card", str(kind)),)), count, marks)


def _list_pieces(held: Bag) -> tuple[Piece, ...]:
    return tuple(_name_card(c.KINDS[kind], copies) for kind, copies in bags.items(held))


def _list_unseen(count: int, key: str = "lies.unseen") -> tuple[Piece, ...]:
    return (Piece(Label(key), count),) if count else ()


def _list_hand(state: State, seat: int) -> tuple[Piece, ...]:
    """Return the known cards of a hand, and the number of unknown cards of either back."""
    pieces = (*_list_pieces(state.hands[seat].known), *_list_unseen(state.hands[seat].unknown))
    if not state.nobles:
        return pieces
    nobles = state.nobles.hands[seat]
    return (*pieces, *_list_pieces(nobles.known), *_list_unseen(nobles.unknown, "lies.unseen_noble"))


def _list_storeys(tower: Tower) -> tuple[Piece, ...]:
    """Return a tower's storeys, stones among them, the lowest first."""
    marks = ("completed",) * tower.complete
    if tower.plain:
        stones = len(tower.stones)
        cards = (_name_card(tower.low, tower.height - stones, *marks),)
        return (*cards, _name_card("pietra", stones, *marks)) if stones else cards
    storeys = range(tower.high, tower.low - 1, -1)
    return tuple(_name_card("pietra" if rank in tower.stones else rank, 1, *marks) for rank in storeys)
