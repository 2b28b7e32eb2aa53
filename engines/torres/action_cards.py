"""Action cards (TO-3.8, TO-3.9, TO-4): taken, played, and their effects.

``Ttop`` and ``Tbottom`` take one and put the others on top of the deck or under it. ``card`` plays one; its
name and its spaces follow: ``card leap c4 c6``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from engines.contract import Choice, Domain
from engines.kit import Objection
from engines.torres import ground as g
from engines.torres import knights, ways
from engines.torres import state as s
from engines.torres.blocks import any_left, castles_beside, check_height, not_too_tall, register_block_checks
from engines.torres.book import BOOK, GRID, at_cell, check_occupied
from engines.torres.cells import CELLS, CORNERS, NAMES, NEXT, NUMBERS, OVER, cells, mask_of
from engines.torres.ground import LEAST_CASTLES, TALLEST, castle_at, with_block, without_block
from engines.torres.state import Frame, State

TOP, BOTTOM, CARD = "Ttop", "Tbottom", "card"
BOOK.asks(Domain("card", s.CARDS), "card")
_SOURCES = ("under", "block", *s.TWO_PLACES)
_TARGETS = [f"{name}_to" for name in s.TWO_PLACES]
BOOK.asks(GRID, *_SOURCES, *_TARGETS)
BOOK.figures("card", *_SOURCES, *_TARGETS)(at_cell)


@BOOK.fits(*_TARGETS)
def targets_fit(state: State) -> bool:
    """Return True if the card's first space has an own knight, or for "move" a block without a piece."""
    cell = state.frames[-1].cell
    if state.frames[-1].question != "move_to":
        return cell in state.knights_of()
    bare = not state.piece_on(cell) or "TO-4.7" in state.waived
    return 0 <= cell < CELLS and state.height_of(cell) > 0 and bare


# The fast lists: taken and played

_TAKES = [[Choice("action", token) for token in (TOP, BOTTOM)[:number]] for number in range(3)]
_NAMED = [Choice("card", name) for name in s.CARDS]
_MORE_POINTS = sum(1 << kind for kind in s.MORE_POINTS)


def list_takes(state: State) -> list[Choice]:
    """Return the choices that take a card; with one card left in the deck, top and bottom are the same."""
    if state.fresh < s.TAKES and not state.variant.master:
        return _TAKES[min(state.decks[state.seat], 2)]
    return []


def any_playable(state: State) -> bool:
    """Return True if a card that the seat to move may hold has an effect."""
    cards = state.possible_cards()
    if not cards or cards & _MORE_POINTS:
        return cards > 0
    return any(cards >> kind & 1 and _has_effect(state, kind) for kind in range(s.DECK))


@BOOK.lists("card")
def list_card(state: State) -> list[Choice]:
    cards = state.possible_cards()
    return [_NAMED[kind] for kind in range(s.DECK) if cards >> kind & 1 and _has_effect(state, kind)]


def _has_effect(state: State, kind: int) -> bool:
    if kind in s.MORE_POINTS:
        return True
    pieces = state.taken()
    if kind == s.MOVE:
        return next(g.sources(state.ground, pieces), None) is not None
    way = _WAYS.get(kind)
    if way is None:
        return bool(_under(state) if kind == s.UNDER else _block(state))
    return any(way(state, pieces, cell) for cell in cells(state.knights[state.seat]))


# The fast lists: where they go


@BOOK.grid("under")
def _under(state: State) -> int:
    if state.own_blocks() < 1:
        return 0
    return state.ground.under_room & state.knights[state.seat]


@BOOK.grid("block")
def _block(state: State) -> int:
    return state.ground.room & ~state.taken() if state.supply() > 0 else 0


@BOOK.grid("move")
def grid_move(state: State) -> int:
    return mask_of(g.sources(state.ground, state.taken()))


@BOOK.grid("move_to")
def grid_move_to(state: State) -> int:
    return g.targets(state.ground, state.frames[-1].cell) & ~state.taken()


Way = Callable[[State, int, int], int]
"""A function from state, spaces taken, and a knight's space to the spaces where a card takes it."""

_WAYS: dict[int, Way] = {
    s.JUMP: lambda state, pieces, cell: ways.jump(state.ground, pieces, cell),
    s.DOORS: lambda state, pieces, cell: ways.door_to_door(state.ground, pieces, cell, state.variant.descend),
    s.DIAGONAL: lambda state, pieces, cell: ways.diagonal(state.ground, pieces, cell),
    s.REPOSITION: lambda state, pieces, cell: ways.reposition(
        state.ground, pieces, cell, state.knights[state.seat]
    ),
    s.LEAP: lambda state, pieces, cell: ways.leap(state.ground, pieces, cell),
}


def _register_knights(name: str, way: Way) -> None:
    """Register the two grids of a card: own knights that it can take, and the spaces for the chosen one."""

    @BOOK.grid(name)
    def grid_takes_from(state: State) -> int:
        pieces = state.taken()
        return mask_of(cell for cell in cells(state.knights[state.seat]) if way(state, pieces, cell))

    @BOOK.grid(f"{name}_to")
    def grid_leads_to(state: State) -> int:
        return way(state, state.taken(), state.frames[-1].cell)


for _kind, _way in _WAYS.items():
    _register_knights(s.CARDS[_kind], _way)


# Checks: a card taken (TO-3.8)

TAKEN = (TOP, BOTTOM)
BOOK.needs("take.master", "TO-6.2", TAKEN, "action", lambda state: not state.variant.master)


@BOOK.check("take.points", "TO-3.8", "action")
def check_take_points(state: State, token: str) -> Objection | None:
    return Objection(state.more_points(1)) if token in TAKEN and not state.left else None


@BOOK.check("take.twice", "TO-3.8", "action")
def check_take_twice(state: State, token: str) -> Objection | None:
    return Objection({"taken": state.fresh}) if token in TAKEN and state.fresh >= s.TAKES else None


BOOK.needs("take.deck", "TO-3.8", TAKEN, "action", lambda state: state.decks[state.seat], pieces=True)
BOOK.needs("take.rest", "TO-3.8", (BOTTOM,), "action", lambda state: state.decks[state.seat] != 1)


# Checks: which card (TO-3.9)


def _refuse_hand(state: State) -> Objection:
    figures: dict[str, int | str] = {"cards": state.hand_size(state.seat), "fresh": state.fresh}
    return Objection(figures, (("hand", state.seat),))


BOOK.needs("card.once", "TO-3.9", (CARD,), "action", lambda state: not state.carded)


@BOOK.check("card.hand", "TO-3.9", "action")
def check_card_hand(state: State, token: str) -> Objection | None:
    return None if token != CARD or state.old_cards() > 0 else _refuse_hand(state)


@BOOK.check("card.useless", "TO-3.9", "action")
def check_card_useless(state: State, token: str) -> Objection | None:
    if token != CARD or any_playable(state):
        return None
    return Objection({"cards": s.write_cards(state.possible_cards())})


@BOOK.check("card.played", "TO-3.9", "card")
def check_card_played(state: State, token: str) -> Objection | None:
    if not state.played[state.seat] >> s.CARDS.index(token) & 1:
        return None
    return Objection({"card": token}, ((token, state.seat),))


@BOOK.check("card.held", "TO-3.9", "card")
def check_card_held(state: State, token: str) -> Objection | None:
    return None if state.old_cards() > 0 else _refuse_hand(state)


BOOK.needs("under.blocks", "TO-4.2", ("under",), "card", lambda state: state.own_blocks() > 0)
BOOK.needs("block_card.supply", "TO-4.3", ("block",), "card", lambda state: state.supply() > 0)


for _kind, _card in enumerate(s.CARDS):
    if _kind not in s.MORE_POINTS:
        BOOK.needs(
            f"{_card}.possible", s.CARD_CLAUSES[_kind], (_card,), "card", partial(_has_effect, kind=_kind)
        )


# Checks: the knight, and where it goes (TO-4.1, TO-4.4, TO-4.5, TO-4.8, TO-4.9)


def _register_knight_checks(
    kind: int, *obstacles: tuple[str, Callable[[State, str], Objection | None]]
) -> None:
    """Register the checks of a card's knight: it must be an own one, and get somewhere.

    ``obstacles`` are earlier checks by name, with a more precise reason why it does not get anywhere.
    """
    name, clause, way = s.CARDS[kind], s.CARD_CLAUSES[kind], _WAYS[kind]
    BOOK.check(f"{name}.knight", clause, name, pieces=True)(knights.check_own_knight)
    for each, check_obstacle in obstacles:
        BOOK.check(f"{name}.{each}", clause, name)(check_obstacle)

    @BOOK.check(f"{name}.stuck", clause, name)
    def check_stuck(state: State, token: str) -> Objection | None:
        return None if way(state, state.taken(), NUMBERS[token]) else Objection({"cell": token})


def _check_door(state: State, token: str) -> Objection | None:
    """Refuse a knight without a door beside it."""
    taller = NEXT[NUMBERS[token]] & state.ground.above[state.height_of(NUMBERS[token])]
    return None if taller else Objection({"cell": token})


def _find_landings(state: State, token: str) -> list[int]:
    """Return the spaces where a leap over a piece could land."""
    return [landing for over, landing in OVER[NUMBERS[token]] if state.piece_on(over)]


def _check_neighbour(state: State, token: str) -> Objection | None:
    """Refuse a knight without a piece to leap over."""
    return None if _find_landings(state, token) else Objection({"cell": token})


def _check_landing(state: State, token: str) -> Objection | None:
    """Refuse a knight whose lowest free landing is too high."""
    free = [landing for landing in _find_landings(state, token) if not state.piece_on(landing)]
    landing = min(free, key=state.height_of, default=NUMBERS[token])
    level, there = state.height_of(NUMBERS[token]), state.height_of(landing)
    figures: dict[str, int | str] = {"cell": token, "from": level, "landing": NAMES[landing], "level": there}
    return Objection(figures | {"most": level + 1}) if there > level + 1 else None


_register_knight_checks(s.JUMP)
_register_knight_checks(s.DOORS, ("none", _check_door))
_register_knight_checks(s.DIAGONAL)
_register_knight_checks(s.REPOSITION)
_register_knight_checks(s.LEAP, ("nobody", _check_neighbour), ("high", _check_landing))

BOOK.check("jump_to.free", "TO-4.1", "jump_to", pieces=True)(check_occupied)
BOOK.check("doors_to.free", "TO-4.4", "doors_to", pieces=True)(check_occupied)
BOOK.check("diagonal_to.free", "TO-4.5", "diagonal_to", pieces=True)(check_occupied)
BOOK.check("leap_to.free", "TO-4.9", "leap_to", pieces=True)(check_occupied)
BOOK.check("move_to.free", "TO-4.7", "move_to")(check_occupied)

_NEAR = {"jump_to": NEXT, "diagonal_to": CORNERS}


@BOOK.check("jump_to.next", "TO-4.1", "jump_to")
@BOOK.check("diagonal_to.next", "TO-4.5", "diagonal_to")
def check_next(state: State, token: str) -> Objection | None:
    frame = state.frames[-1]
    near = _NEAR[frame.question][frame.cell] >> NUMBERS[token] & 1
    return None if near else Objection({"cell": token})


@BOOK.check("jump_to.level", "TO-4.1", "jump_to")
def check_jump_to_level(state: State, token: str) -> Objection | None:
    level, needed = state.height_of(NUMBERS[token]), knights.level_of(state) + 2
    if level == needed:
        return None
    return Objection({"cell": token, "level": level, "from": knights.level_of(state), "needed": needed})


@BOOK.check("doors_to.way", "TO-4.4", "doors_to")
def check_doors_to_way(state: State, token: str) -> Objection | None:
    there = _WAYS[s.DOORS](state, state.taken(), state.frames[-1].cell)
    return None if there >> NUMBERS[token] & 1 else Objection({"cell": token})


@BOOK.check("diagonal_to.level", "TO-4.5", "diagonal_to")
@BOOK.check("leap_to.level", "TO-4.9", "leap_to")
def check_one_up(state: State, token: str) -> Objection | None:
    level, most = state.height_of(NUMBERS[token]), knights.level_of(state) + 1
    if level <= most:
        return None
    return Objection({"cell": token, "level": level, "from": knights.level_of(state), "most": most})


@BOOK.check("leap_to.line", "TO-4.9", "leap_to")
def check_leap_to_line(state: State, token: str) -> Objection | None:
    over = [
        between
        for between, landing in OVER[state.frames[-1].cell]
        if landing == NUMBERS[token] and state.piece_on(between)
    ]
    return None if over else Objection({"cell": token})


@BOOK.check("reposition_to.same", "TO-4.8", "reposition_to")
@BOOK.check("move_to.same", "TO-4.7", "move_to", pieces=True)
def check_same(state: State, token: str) -> Objection | None:
    return Objection({"cell": token}) if NUMBERS[token] == state.frames[-1].cell else None


knights.register_placing_checks(
    "reposition_to", "TO-4.8", lambda state: state.knights[state.seat] & ~(1 << state.frames[-1].cell)
)


# Checks: blocks (TO-4.2, TO-4.3, TO-4.7)

BOOK.check("under.knight", "TO-4.2", "under", pieces=True)(knights.check_own_knight)


@BOOK.check("under.widens", "TO-4.2", "under")
def check_under_widens(state: State, token: str) -> Objection | None:
    cell = NUMBERS[token]
    widens = not state.height_of(cell) and castles_beside(state.ground, cell)
    return Objection({"cell": token}) if widens else None


BOOK.check("under.height", "TO-3.7", "under")(check_height)
register_block_checks("block_card", "block", "")


def _find_forbidding(state: State, source: int, target: int) -> tuple[str, dict[str, int | str]] | None:
    """Return the rule that forbids to move a block to ``target`` (TO-4.7), and its figures; None for none."""
    lifted = without_block(state.ground, source)
    height = lifted.heights[target] + 1
    joined = castles_beside(lifted, target) if height == 1 else []
    if len(joined) > 1:
        return "joins", {"cell": NAMES[target], "castles": len(joined)}
    area = sum(castle.bit_count() for castle in joined) + 1 if height == 1 else 0
    area = area or castle_at(lifted, target).bit_count()
    if height > min(area, TALLEST):
        return "height", {"cell": NAMES[target], "height": height, "area": area}
    rest = castle_at(state.ground, source) & lifted.above[0]
    if rest:
        left = rest.bit_count() + (height == 1 and rest in joined)
        highest = max(lifted.heights[cell] for cell in cells(rest))
        if highest > left:
            return "rest", {"cell": NAMES[source], "height": highest, "area": left}
    castles = len(lifted.castles) + (height == 1 and not joined)
    if castles < min(LEAST_CASTLES, len(state.ground.castles)):
        return "castles", {"castles": castles, "least": LEAST_CASTLES}
    return None


@BOOK.check("move_card.block", "TO-4.7", "move", pieces=True)
def check_move_card_block(state: State, token: str) -> Objection | None:
    return None if state.height_of(NUMBERS[token]) else Objection({"cell": token})


BOOK.check("move_card.free", "TO-4.7", "move")(check_occupied)


@BOOK.check("move_card.splits", "TO-4.7", "move")
def check_move_card_splits(state: State, token: str) -> Objection | None:
    castles = len(without_block(state.ground, NUMBERS[token]).castles)
    return Objection({"cell": token}) if castles > len(state.ground.castles) else None


@BOOK.check("move_card.stuck", "TO-4.7", "move")
def check_move_card_stuck(state: State, token: str) -> Objection | None:
    there = g.targets(state.ground, NUMBERS[token]) & ~state.taken()
    return None if there else Objection({"cell": token})


def _register_moving(name: str, clause: str) -> None:
    @BOOK.check(f"move_to.{name}", clause, "move_to")
    def check_block_may_move(state: State, token: str) -> Objection | None:
        broken = _find_forbidding(state, state.frames[-1].cell, NUMBERS[token])
        return Objection(broken[1]) if broken and broken[0] == name else None


_register_moving("joins", "TO-3.6")
_register_moving("height", "TO-3.7")
_register_moving("rest", "TO-4.7")
_register_moving("castles", "TO-4.7")


# Effects


def take(state: State) -> State:
    """Take a card, unseen by the others, from the own deck."""
    decks = list(state.decks)
    decks[state.seat] -= 1
    return replace(state, decks=tuple(decks), fresh=state.fresh + 1, left=knights.spend(state, 1))


def _play_card(state: State, kind: int, **changes: object) -> State:
    """Return the state with the ``changes`` of a card, which leaves the game (TO-3.9)."""
    seat = state.seat
    played = (*state.played[:seat], state.played[seat] | 1 << kind, *state.played[seat + 1 :])
    fresh, decks = state.fresh, list(state.decks)
    if state.hand_size(seat) <= fresh:  # overruled: one taken this turn, or one that nobody saw taken
        decks[seat] -= not fresh
        fresh = max(fresh - 1, 0)
    return replace(state, played=played, carded=True, decks=tuple(decks), fresh=fresh, frames=(), **changes)


@BOOK.effect("card")
def effect_card(state: State, token: str) -> State:
    kind = s.CARDS.index(token)
    if kind in s.MORE_POINTS:
        return _play_card(state, kind, left=state.left + s.MORE_POINTS[kind])
    return replace(state, frames=(Frame(token),))


@BOOK.effect(*s.TWO_PLACES)
def effect_two_places(state: State, token: str) -> State:
    asked = state.frames[-1].question
    return replace(state, frames=(Frame(f"{asked}_to", NUMBERS[token]),))


@BOOK.effect(*(f"{s.CARDS[kind]}_to" for kind in _WAYS))
def effect_way_to(state: State, token: str) -> State:
    frame = state.frames[-1]
    kind = s.CARDS.index(frame.question.removesuffix("_to"))
    return _play_card(state, kind, knights=knights.move_knight(state, frame.cell, NUMBERS[token]))


@BOOK.effect("under")
def effect_under(state: State, token: str) -> State:
    ground, own = with_block(state.ground, NUMBERS[token]), state.own_blocks() > 0
    return _play_card(state, s.UNDER, ground=ground, under=state.under + own)


@BOOK.effect("block")
def effect_block(state: State, token: str) -> State:
    return _play_card(state, s.BLOCK, ground=with_block(state.ground, NUMBERS[token]))


@BOOK.effect("move_to")
def effect_move_to(state: State, token: str) -> State:
    lifted = without_block(state.ground, state.frames[-1].cell)
    return _play_card(state, s.MOVE, ground=with_block(lifted, NUMBERS[token]))


@BOOK.method
def exposes(_: State, choice: Choice) -> bool:
    """Return True for taking an action card: the player sees three."""
    return choice.question == "action" and choice.token in TAKEN


# What the pieces allow


@BOOK.possible("card")
def possible_card(state: State, token: str) -> bool:
    if state.played[state.seat] >> s.CARDS.index(token) & 1:
        return False
    return any_left(state) if token == "under" else state.supply() > 0 or token != "block"


@BOOK.possible("under")
def possible_under(state: State, token: str) -> bool:
    return any_left(state) and not_too_tall(state, token)


BOOK.possible("block", "move_to")(not_too_tall)
