"""The match in a game master's words, and the pieces beside the regions.

Words for hands come from the notes of a step's effects (:mod:`engines.kit.noting`), and from the difference
of two states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from engines import bags
from engines.castles_of_tuscany import kinds, regions
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.effects import NONE, POINTS, draw
from engines.castles_of_tuscany.kinds import KINDS, NUMBERS, WILD, kind_of
from engines.castles_of_tuscany.notation import label, reward, tile
from engines.castles_of_tuscany.scene import scene
from engines.castles_of_tuscany.scoring import bookings, green
from engines.castles_of_tuscany.set_up import BOARDS
from engines.castles_of_tuscany.state import NOBODY, ROUNDS, Side, State
from engines.castles_of_tuscany.taking import LEAVES, pile_number
from engines.castles_of_tuscany.turns import DRAW, END, MARBLE
from engines.contract import Choice, Figures, Label, Lay, Level, Piece, Zone, totals
from engines.kit import Saying, Teller, question
from engines.notation import CLOSING

__all__ = ["about", "hands", "news", "said", "scene", "zones"]

_SEAMS = ("level", "right", "left")  # by the number itself: 0, 1, -1


# Steps


def _tell_boards(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    for at, token in enumerate(tokens):
        seam = token[2:].removeprefix(regions.TURNED)
        key = f"said.below_{_SEAMS[max(-1, min(int(seam), 1))]}" if at else "said.top"
        yield Label(f"{key}{'_turned' * (regions.TURNED in token)}", (("board", token[:2]),))


def _fill_parts(*told: Label, name: str = "tile") -> tuple[tuple[str, tuple[Label, ...]], ...]:
    """Return the parts of a label for the blank of that name."""
    return ((name, told),)


def _tell_action(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    first, rest = tokens[0], tokens[1:]
    if first == DRAW:
        yield _name_cards("said.draws", draw(before).own.hand - before.own.hand)
    elif first in (MARBLE, END):
        yield Label(f"said.{first}")
    elif first[0] == "T":
        taken, *swapped = first[1:].split(LEAVES)
        yield Label("said.takes", (), _fill_parts(tile(taken)))
        yield from (_tell_leaves(token) for token in (*swapped, *rest))
    else:
        space = before.land.number(first[1:])
        yield from _tell_placed(before, space, before.fitting(before.own.stored, space), rest)


def _tell_leaves(token: str) -> Label:
    return tile(token, "leaves")


def _tell_placed(before: State, space: int, fit: Sequence[str], rest: Sequence[str]) -> Iterator[Label]:
    """Tell a tile placed on a space, the chosen one if several ``fit``, and its price."""
    ground = before.land
    where = (("space", ground.names[space]),)
    chosen, units = (rest[0], rest[1:]) if len(fit) > 1 and rest else (fit[0] if len(fit) == 1 else "", rest)
    if not chosen:
        yield Label("said.place", where)
        return
    cards = Counter("".join(unit for unit in units if unit not in (WILD, CLOSING)))
    parts = [_name_cards("said.cards", n, colour) for colour, n in cards.items()]
    if workers := units.count(WILD):
        parts.append(Label("said.workers", (("n", workers),)))
    key = f"said.places{'_as' * (chosen == WILD)}{'_for' * bool(parts)}"
    figures = (*where, ("kind", ground.kinds[space]))
    yield Label(key, figures, (*_fill_parts(tile(chosen)), *_fill_parts(*parts, name="price")))


def _name_cards(key: str, n: int, colour: str = "") -> Label:
    """Name a number of region cards, of a colour if it is known."""
    return Label(key + "_0" * (n == 0), (("n", n), *([("colour", colour)] if colour else [])))


def _tell_pick(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == NONE:
        yield Label("said.picks_none")
        return
    fit = before.fitting(before.display, before.land.number(tokens[0]))
    chosen = tokens[1] if tokens[1:] else fit[0] if len(fit) == 1 else ""
    where = (("space", tokens[0]),)
    yield Label("said.picks", where, _fill_parts(tile(chosen))) if chosen else Label("said.pick", where)


def _tell_wild(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == POINTS:
        yield Label("said.points")
    else:
        yield from (Label("said.takes", (), _fill_parts(tile(WILD))), _tell_leaves(tokens[0]))


def _tell_yielded(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    told = [token for token in tokens[1:] if token != CLOSING]
    given = _fill_parts(reward(kinds.JOINED.join(told) or tokens[0]), name="reward")
    yield Label("said.yield", (("seat", before.seat),), given)


def _tell_bonus(before: State, tokens: Sequence[str]) -> Iterable[Label]:
    first, second = tokens[0].split(",")
    figures: Figures = (("colour", before.frames[-1].tile), ("first", first), ("second", second))
    return (Label("said.bonus", (("seat", before.seat), *figures)),)


_tellers: dict[str, Teller[State]] = {
    **dict.fromkeys(BOARDS, _tell_boards),
    "action": _tell_action,
    "pick": _tell_pick,
    "wild": _tell_wild,
    "yield": _tell_yielded,
    "bonus": _tell_bonus,
}
said = Saying(label, BOOK.figures_at, _tellers)


# Hands


def hands(before: State, choices: Sequence[Choice], after: State) -> tuple[Label, ...]:
    """Tell things that a tile gives, gaps to fill, cards to turn up, and markers that move."""
    if after.level is Level.SCORE:
        return ()
    told = (_tell_points, _tell_bonus_tiles, _tell_round_over, _tell_markers, _tell_reports)
    rest = (label for of in told for label in of(before, after))
    return (*_tell_thinned(before, after), *_tell_came(before, choices), *rest)


def _find_both(before: State, after: State) -> tuple[Side, Side]:
    """Return the pieces of the seat to move, before and after."""
    return before.sides[before.seat], after.sides[before.seat]


def _tell_thinned(before: State, after: State) -> Iterator[Label]:
    """Tell five or more tiles of a colour that leave the game (CT-3.6)."""
    for kind, n in _count_gone(before, after).items():
        yield Label("hands.alike", (("n", n), ("kind", kind)))


def _count_gone(before: State, after: State) -> dict[str, int]:
    """Count by kind the tiles that left the game because there were too many."""
    old, new = _find_both(before, after)
    came = before.neutral - after.neutral + new.turned - old.turned
    shown, left = ("".join(map(kind_of, state.display)) for state in (before, after))
    gone = {kind: shown.count(kind) + bags.count(came, NUMBERS[kind]) - left.count(kind) for kind in KINDS}
    return {kind: n for kind, n in gone.items() if n >= kinds.TOO_MANY}


def _tell_came(before: State, choices: Sequence[Choice]) -> Iterator[Label]:
    """Tell things that the seat to move gets, and those that are used up.

    The step's own words tell the cards of a draw.
    """
    notes = BOOK.noted(before, choices)
    if any(moved.what == "shuffle" for moved in notes):
        yield Label("hands.shuffle")
    if any(moved.what == kinds.ELSE for moved in notes):
        yield Label("hands.else")
    for what, many in _THINGS.items():
        n, due = (sum(getattr(one, of) for one in notes if one.what == what) for of in ("n", "due"))
        if n and choices[0].token != DRAW:
            yield Label(f"hands.{what if n == 1 else many}", (("n", n),))
        if n < due:
            yield Label(f"hands.no_{what}")


_THINGS = {
    **{"card": "draws", "marble": "marble", "worker": "workers", "wild": "wilds"},
    **{"square": "", "pick": "", "farm": ""},
}
"""Things that a seat gets or lacks, with the name of several; the last three it can only lack."""


def _tell_points(before: State, after: State) -> Iterator[Label]:
    """Tell gains of the seat to move that the step's own words do not tell, and its green marker."""
    old, new = _find_both(before, after)
    for gain in new.gains[len(old.gains) :]:
        if gain.category != "yields" and question(before) != "wild":
            figures: Figures = (("n", gain.points), ("space", gain.what), ("colour", gain.what))
            yield Label(f"hands.{gain.category}", figures)
    greens = [green(state, before.seat) for state in (before, after)]
    if greens[1] != greens[0]:
        yield Label("hands.green", (("before", greens[0]), ("points", greens[1])))


def _tell_bonus_tiles(before: State, after: State) -> Iterator[Label]:
    """Tell a colour bonus tile that is turned or leaves the game (CT-4.2)."""
    for kind, was, now in zip(KINDS, before.taken, after.taken, strict=True):
        if was != now:
            yield Label(f"hands.{'turned' if now == 1 else 'left'}", (("colour", kind),))


def _tell_round_over(before: State, after: State) -> Iterator[Label]:
    if after.round > before.round:
        yield Label("hands.over" if after.termination else "hands_of_all.round", (("n", before.round),))


def _tell_markers(before: State, after: State) -> Iterator[Label]:
    """Tell the moves of orange markers."""
    seats = after.variant.seats
    orange = [totals(bookings(state), seats) for state in (before, after)]
    for seat in range(seats):
        if orange[1][seat] != orange[0][seat]:
            figures = (("seat", seat), ("before", orange[0][seat]), ("points", orange[1][seat]))
            yield Label("hands.orange", figures)


def _tell_reports(before: State, after: State) -> Iterator[Label]:
    """Tell the thing to turn up or to look at next, or a gap that stays."""
    asked, was = question(after), question(before)
    if asked == "refill":
        yield Label("hands.refill", (("pile", pile_number(after)),))
    elif gone := sum(_count_gone(before, after).values()):
        n = after.frames[-1].n if asked == "neutral" else 0
        key = "neutral" if n == gone else "last_neutral" if n else "no_neutral"
        yield Label(f"hands.{key}", (("n", n),))
    elif len(after.display) < len(before.display) and not any(after.sides[before.seat].piles):
        yield Label("hands_of_all.no_refill")
    if asked == "yield":
        if not after.yields:
            yield Label("hands.shuffle_yields")
        n = after.frames[-1].n
        yield Label(
            "hands.next_yield" if was == asked else "hands.yields" if n > 1 else "hands.yield", (("n", n),)
        )
    elif asked == "bonus":
        yield Label("hands.look", (("colour", after.frames[-1].tile),))
    elif asked == "print":
        yield Label("hands.print", (("board", after.frames[-1].tile),))
    elif asked == "display" != was:
        yield Label("hands.display", (("n", kinds.DISPLAY),))


# News, and explanations of questions


def news(before: State, after: State) -> tuple[Label, ...]:
    """Tell the trigger of a round's end, a new round, the last turns (CT-6)."""
    return tuple(_tell_news(before, after))


def _tell_news(before: State, after: State) -> Iterator[Label]:
    old, new = _find_both(before, after)
    pile = before.round - 1
    if before.trigger == NOBODY and pile < ROUNDS and old.piles[pile] and not new.piles[pile]:
        if after.trigger == before.seat and after.round == before.round and not after.last:
            yield _tell_triggered(after)
        else:
            yield Label("news.empty", (("seat", before.seat), ("pile", before.round)))
    if after.last and not before.last:
        yield Label("news.last", (("seat", after.seat),))
    elif after.round != before.round and not after.termination:
        yield Label("news.round", (("n", after.round), ("seat", after.seat)))
        if after.trigger != NOBODY:
            yield _tell_triggered(after)


def _tell_triggered(state: State) -> Label:
    """Tell the seat with the empty pile, and the one whose turn is the round's last (CT-6.1, CT-6.2)."""
    last = state.seat if state.variant.at_once else (state.start - 1) % state.variant.seats
    figures = (("seat", state.trigger), ("pile", state.round), ("n", state.round), ("other", last))
    return Label("news.trigger_last" if state.round == ROUNDS else "news.trigger", figures)


def about(state: State) -> tuple[Label, ...]:
    """Explain a question that comes between turns or in the middle of one."""
    if not state.frames or state.frames[-1].open or state.frames[-1].question not in _ABOUT:
        return ()
    frame = state.frames[-1]
    figures: Figures = (("seat", state.seat), ("n", frame.n))
    if frame.question == "top_board" and state.seat == state.start:
        return (Label("about.deal", (("n", state.copy.draw),)),)
    if frame.question == "bonus":
        figures = (*figures, ("colour", frame.tile))
    elif frame.question == "print":
        figures = (*figures, ("board", frame.tile))
    elif frame.question == "refill":
        figures = (*figures, ("pile", pile_number(state)))
    return (Label(f"about.{frame.question}", figures),)


_ABOUT = frozenset(
    {
        *("top_board", "print", "first_castle", "first_square", "display", "refill", "neutral", "bonus"),
        *("pick", "square", "wild", "yield", "final_orange", "final_green"),
    }
)


# The zones


def zones(state: State) -> tuple[Zone, ...]:
    """Return the display, the pieces beside each region, then decks and supply; none in level score."""
    if state.level is Level.SCORE:
        return ()
    found = [zone for seat in range(state.variant.seats) for zone in _list_zones(state, seat)]
    return (Zone("display", None, _list_tiles(state.display)), *found, *_list_shared(state))


def _list_tiles(tiles: Iterable[str]) -> tuple[Piece, ...]:
    return tuple(Piece(tile(token), n) for token, n in Counter(tiles).items())


def _list_zones(state: State, seat: int) -> Iterator[Zone]:
    side = state.sides[seat]
    yield Zone("storage", seat, _list_tiles(side.stored))
    yield Zone("hand", seat, _count_pieces(card=side.hand))
    yield Zone("goods", seat, _count_pieces(marble=side.marble, worker=side.workers))
    squares = [(kinds.SQUARES[kind], n) for kind, n in bags.items(side.squares)]
    yield Zone("squares", seat, _list_squares(squares))
    for size in side.piles:
        yield Zone("piles", seat, _count_pieces(tile=size), Lay.PILE)


def _list_squares(squares: Iterable[tuple[str, int]]) -> tuple[Piece, ...]:
    return tuple(Piece(Label(f"square.{name}"), n) for name, n in squares if n)


def _list_shared(state: State) -> Iterator[Zone]:
    yield Zone("neutral", None, _count_pieces(tile=bags.total(state.neutral)), Lay.PILE)
    yield Zone("deck", None, _count_pieces(card=state.deck), Lay.PILE)
    discarded = bags.items(state.discards)
    yield Zone("discards", None, tuple(_name_coloured("cards", kind, n) for kind, n in discarded))
    goods = _count_pieces(**{what.removesuffix("s"): state.in_supply(what) for what in kinds.SUPPLY})
    yield Zone("supply", None, goods)
    left = ((name, state.squares_left(kind)) for kind, name in enumerate(kinds.SQUARES))
    yield Zone("squares_left", None, _list_squares(left))
    sides = [(kind, times) for kind, times in enumerate(state.taken) if times < kinds.BONUS_SIDES]
    yield Zone("bonuses", None, tuple(_name_coloured(f"side_{times + 1}", kind) for kind, times in sides))
    yield Zone("yields", None, _count_pieces(card=state.yields), Lay.PILE)


def _count_pieces(**pieces: int) -> tuple[Piece, ...]:
    return tuple(Piece(Label(f"lies.{name}"), n) for name, n in pieces.items() if n)


def _name_coloured(name: str, kind: int, n: int = 1) -> Piece:
    return Piece(Label(f"lies.{name}", (("colour", KINDS[kind]),)), n)
