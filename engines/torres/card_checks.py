"""What can refuse an action card: whether it may be played, and where it may go (TO-3.9, TO-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engines.kit.checks import Objection
from engines.torres import cards as c
from engines.torres import questions as q
from engines.torres.cells import CELLS, DIAGONAL, NAMES, NEXT, NUMBERS, OVER, cells
from engines.torres.ground import LEAST_CASTLES, TALLEST, castle_at, without_block
from engines.torres.spec import (
    block_checks,
    by_doors,
    castles_beside,
    check,
    height_of,
    knights_of,
    lets_pass,
    level_of,
    may_stand_beside,
    occupied,
    piece_on,
    placing_checks,
    too_high,
)
from engines.torres.state import State, hand_size, old_cards, own_blocks, possible_cards, supply

# Action cards: which (TO-3.9)


@check("card.once", "TO-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == q.CARD and state.carded else None


@check("card.hand", "TO-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.CARD or old_cards(state) > 0:
        return None
    figures: dict[str, int | str] = {"cards": hand_size(state, state.seat), "fresh": state.fresh}
    return Objection(figures, (("hand", state.seat),))


@check("card.useless", "TO-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.CARD or any(
        possible_cards(state) >> kind & 1 and _useful(state, kind) for kind in range(len(c.CARDS))
    ):
        return None
    return Objection({"cards": c.names(possible_cards(state))})


@check("card.played", "TO-3.9", "card")
def _(state: State, token: str) -> Objection | None:
    if not state.played[state.seat] >> c.CARDS.index(token) & 1:
        return None
    return Objection({"card": token}, ((token, state.seat),))


@check("card.held", "TO-3.9", "card")
def _(state: State, token: str) -> Objection | None:
    if old_cards(state) > 0:
        return None
    figures: dict[str, int | str] = {"cards": hand_size(state, state.seat), "fresh": state.fresh}
    return Objection(figures, (("hand", state.seat),))


def _useful(state: State, kind: int) -> bool:
    """Whether a card has an effect in this state, by the checks on where it can go."""
    if kind in c.MORE_POINTS:
        return True
    if kind == c.UNDER and own_blocks(state) < 1:
        return False
    if kind == c.BLOCK and supply(state) < 1:
        return False
    return any(lets_pass(state, c.CARDS[kind], NAMES[cell]) for cell in range(CELLS))


@check("under.blocks", "TO-4.2", "card")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == "under" and own_blocks(state) < 1 else None


@check("block_card.supply", "TO-4.3", "card")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == "block" and supply(state) < 1 else None


def _card_check(kind: int, name: str) -> None:
    @check(f"{name}.possible", c.CLAUSES[kind], "card")
    def _(state: State, token: str) -> Objection | None:
        return Objection() if token == name and not _useful(state, kind) else None


for _kind, _card in enumerate(c.CARDS):
    if _kind not in c.MORE_POINTS:
        _card_check(_kind, _card)


# Action cards: the knight, and where it goes


Way = Callable[[State, int, int], bool]
"""Whether a card takes a knight of the seat to move from one space to another, free or not."""


def _jumps(state: State, cell: int, target: int) -> bool:
    return bool(NEXT[cell] >> target & 1) and height_of(state, target) == height_of(state, cell) + 2


def _through(state: State, cell: int, target: int) -> bool:
    return by_doors(state, cell, target, card=True)


def _slants(state: State, cell: int, target: int) -> bool:
    return bool(DIAGONAL[cell] >> target & 1) and height_of(state, target) <= height_of(state, cell) + 1


def _is_placed(state: State, cell: int, target: int) -> bool:
    others = [knight for knight in knights_of(state) if knight != cell]
    return may_stand_beside(state, target, others)


def _leaps(state: State, cell: int, target: int) -> bool:
    over = [between for between, landing in OVER[cell] if landing == target]
    low = height_of(state, target) <= height_of(state, cell) + 1
    return bool(over) and bool(piece_on(state, over[0])) and low


def _knight_checks(name: str, clause: str, way: Way) -> None:
    """Which knight a card may take: an own one, and one that gets somewhere."""

    @check(f"{name}.knight", clause, name)
    def _(state: State, token: str) -> Objection | None:
        return None if NUMBERS[token] in knights_of(state) else Objection({"cell": token})

    @check(f"{name}.stuck", clause, name)
    def _(state: State, token: str) -> Objection | None:
        cell = NUMBERS[token]
        free = (space for space in range(CELLS) if not piece_on(state, space))
        return None if any(way(state, cell, space) for space in free) else Objection({"cell": token})


for _name, _clause, _way in (
    ("jump", "TO-4.1", _jumps),
    ("doors", "TO-4.4", _through),
    ("diagonal", "TO-4.5", _slants),
    ("reposition", "TO-4.8", _is_placed),
    ("leap", "TO-4.9", _leaps),
):
    _knight_checks(_name, _clause, _way)


@check("jump_to.free", "TO-4.1", "jump_to")
@check("doors_to.free", "TO-4.4", "doors_to")
@check("diagonal_to.free", "TO-4.5", "diagonal_to")
@check("leap_to.free", "TO-4.9", "leap_to")
@check("move_to.free", "TO-4.7", "move_to")
def _(state: State, token: str) -> Objection | None:
    return occupied(state, token)


@check("jump_to.next", "TO-4.1", "jump_to")
def _(state: State, token: str) -> Objection | None:
    near = NEXT[state.frames[-1].cell] >> NUMBERS[token] & 1
    return None if near else Objection({"cell": token})


@check("jump_to.level", "TO-4.1", "jump_to")
def _(state: State, token: str) -> Objection | None:
    if _jumps(state, state.frames[-1].cell, NUMBERS[token]):
        return None
    return Objection({"cell": token, "level": height_of(state, NUMBERS[token]), "from": level_of(state)})


@check("doors_to.way", "TO-4.4", "doors_to")
def _(state: State, token: str) -> Objection | None:
    return None if _through(state, state.frames[-1].cell, NUMBERS[token]) else Objection({"cell": token})


@check("diagonal_to.next", "TO-4.5", "diagonal_to")
def _(state: State, token: str) -> Objection | None:
    near = DIAGONAL[state.frames[-1].cell] >> NUMBERS[token] & 1
    return None if near else Objection({"cell": token})


@check("diagonal_to.level", "TO-4.5", "diagonal_to")
@check("leap_to.level", "TO-4.9", "leap_to")
def _(state: State, token: str) -> Objection | None:
    level = height_of(state, NUMBERS[token])
    if level <= level_of(state) + 1:
        return None
    return Objection({"cell": token, "level": level, "from": level_of(state)})


@check("leap_to.line", "TO-4.9", "leap_to")
def _(state: State, token: str) -> Objection | None:
    over = [
        between
        for between, landing in OVER[state.frames[-1].cell]
        if landing == NUMBERS[token] and piece_on(state, between)
    ]
    return None if over else Objection({"cell": token})


@check("reposition_to.same", "TO-4.8", "reposition_to")
def _(state: State, token: str) -> Objection | None:
    return Objection({"cell": token}) if NUMBERS[token] == state.frames[-1].cell else None


def _others(state: State) -> list[int]:
    return [knight for knight in knights_of(state) if knight != state.frames[-1].cell]


placing_checks("reposition_to", "reposition_to", "TO-4.8", _others)


# Action cards: blocks


@check("under.knight", "TO-4.2", "under")
def _(state: State, token: str) -> Objection | None:
    return None if NUMBERS[token] in knights_of(state) else Objection({"cell": token})


@check("under.widens", "TO-4.2", "under")
def _(state: State, token: str) -> Objection | None:
    cell = NUMBERS[token]
    widens = not height_of(state, cell) and castles_beside(state.ground, cell)
    return Objection({"cell": token}) if widens else None


@check("under.height", "TO-3.7", "under")
def _(state: State, token: str) -> Objection | None:
    return too_high(state, NUMBERS[token])


block_checks("block_card", "block", "")


def _targets(state: State, source: int) -> Iterator[int]:
    """Every space that the top block of ``source`` may go to."""
    for cell in range(CELLS):
        if cell != source and not piece_on(state, cell) and _moved(state, source, cell) is None:
            yield cell


def _moved(state: State, source: int, target: int) -> tuple[str, dict[str, int | str]] | None:
    """What forbids to move a block (TO-4.7): the rule broken and its figures."""
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


@check("move_card.block", "TO-4.7", "move")
def _(state: State, token: str) -> Objection | None:
    return None if height_of(state, NUMBERS[token]) else Objection({"cell": token})


@check("move_card.free", "TO-4.7", "move")
def _(state: State, token: str) -> Objection | None:
    return occupied(state, token)


@check("move_card.splits", "TO-4.7", "move")
def _(state: State, token: str) -> Objection | None:
    castles = len(without_block(state.ground, NUMBERS[token]).castles)
    return Objection({"cell": token}) if castles > len(state.ground.castles) else None


@check("move_card.stuck", "TO-4.7", "move")
def _(state: State, token: str) -> Objection | None:
    return None if next(_targets(state, NUMBERS[token]), None) is not None else Objection({"cell": token})


@check("move_to.same", "TO-4.7", "move_to")
def _(state: State, token: str) -> Objection | None:
    return Objection({"cell": token}) if NUMBERS[token] == state.frames[-1].cell else None


def _moving(name: str, clause: str) -> None:
    @check(f"move_to.{name}", clause, "move_to")
    def _(state: State, token: str) -> Objection | None:
        broken = _moved(state, state.frames[-1].cell, NUMBERS[token])
        return Objection(broken[1]) if broken and broken[0] == name else None


_moving("joins", "TO-3.6")
_moving("height", "TO-3.7")
_moving("rest", "TO-4.7")
_moving("castles", "TO-4.7")
