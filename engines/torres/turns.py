"""Turns, rounds and phases (TO-2, TO-3.10 to TO-3.13, TO-5).

``S2`` are two score steps. ``end`` ends the turn and uses up the smallest stack that suffices; ``stacks``
ends it, too, and the contents of the other stacks follow: ``3-1``. ``Kd1`` moves the king, ``Kstay`` does
not.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines.contract import SEATS, Choice, Domain, Figures, Label, Picker, Verb
from engines.kit import Objection, of_frame
from engines.torres import action_cards, blocks, knights, layouts, ways
from engines.torres import stacks as piles
from engines.torres.action_cards import BOTTOM, CARD, TOP
from engines.torres.book import BOOK, at_cell, check_occupied, read_cell, squares
from engines.torres.cells import FULL, NEXT, NOWHERE, NUMBERS, cells
from engines.torres.ground import TALLEST
from engines.torres.knights import NEW, spend
from engines.torres.scoring import last_player, leader, score_phase, score_steps
from engines.torres.stacks import DEALT, PHASES, Stacks
from engines.torres.state import DECK, SETTLED, TWO_PLACES, Frame, State

END, STACKS, STAY = "end", "stacks", "Kstay"
MOST_STEPS = 7
SCORES = tuple(f"S{n}" for n in range(MOST_STEPS, 0, -1))
_WORDS = (*SCORES, STACKS, TOP, BOTTOM, CARD, NEW, END)
"""The words at the end of the list, the likeliest last: a wheel goes back from the first token to them."""
_VERBS = (
    Verb("new_knight", (NEW,)),
    Verb("card", (CARD,)),
    Verb("steps", SCORES[::-1]),
    Verb("take_top", (TOP,)),
    Verb("take_bottom", (BOTTOM,)),
    Verb("end", (END, STACKS)),
)
CROWN = Domain("king", squares("K"), Picker.GRID)


@lru_cache(1024)
def _make_actions(own: int) -> Domain:
    moves = tuple(knights.TOKENS[cell] for cell in cells(own))
    others = tuple(knights.TOKENS[cell] for cell in cells(FULL ^ own))
    tokens = (*moves, *blocks.TOKENS, *_WORDS)
    verbs = (Verb("block", blocks.TOKENS), Verb("knight", moves), *_VERBS)
    return Domain("action", tokens, Picker.GRID, written=others, verbs=verbs)


@lru_cache
def _make_leave(number: int) -> Domain:
    return Domain("stacks", tuple(map(piles.text, piles.spreads(number))))


BOOK.asks(lambda state: _make_actions(state.knights[state.seat]), "action")
BOOK.asks(lambda state: _make_leave(len(state.stacks[state.seat]) - 1), "leave", figures=at_cell)
BOOK.asks(Domain("king", (*CROWN.tokens, STAY), Picker.GRID), "king")
BOOK.asks(lambda state: Domain("starter", tuple(SEATS[: state.variant.seats])), "starter")
BOOK.figures("king", "starter")(of_frame("phase"))


@BOOK.figures("action")
def figures_action(state: State) -> Figures:
    number = piles.more(state.stacks[state.seat], state.placed, state.under)
    return (("left", state.left), ("blocks", number))


# The fast lists

_SCORES = BOOK.listed("action", SCORES)
_STACKS, _CARD, _NEW, _END = BOOK.listed("action", (STACKS, CARD, NEW, END))


@BOOK.lists("action")
def list_action(state: State) -> list[Choice]:
    left = state.left
    may_place, may_choose = piles.open_to(state.stacks[state.seat], state.placed, state.under)
    found: list[Choice] = []
    may_enter = False
    if left:
        free = FULL ^ state.taken()
        found, may_enter = knights.list_knights(state, free)
        if may_place:
            found += blocks.list_blocks(state, free)
        found += _SCORES[-left:]
    if may_choose:
        found.append(_STACKS)
    if left:
        found += action_cards.list_takes(state)
    if not state.carded and action_cards.any_playable(state):
        found.append(_CARD)
    if may_enter:
        found.append(_NEW)
    found.append(_END)
    return found


def _tell_leave(state: State, token: str) -> dict[str, int | str]:
    used = state.placed + state.under
    return {"stacks": piles.text(state.stacks[state.seat]), "used": used, "asked": token}


@BOOK.offers("leave.result", "TO-3.13", told=_tell_leave, pieces=False)
def offer_leave(state: State) -> list[str]:
    found = results(state)
    spreads = piles.spreads(len(state.stacks[state.seat]) - 1)
    return [piles.text(left) for left in spreads if left in found]


# Checks: score steps, the end of a turn (TO-3.10, TO-3.13)


@BOOK.check("steps.points", "TO-3.10", "action")
def check_steps_points(state: State, token: str) -> Objection | None:
    if token[0] != "S" or int(token[1:]) <= state.left:
        return None
    steps = int(token[1:])
    fewer: dict[str, int | str] = {"remedy": "steps.fewer"} if state.left else {}
    return Objection({"steps": steps, **fewer, **state.more_points(steps)}, names=("steps",))


def results(state: State) -> tuple[Stacks, ...]:
    """Return the possible contents of the other stacks at the end of the turn, the likeliest first."""
    return piles.results(state.stacks[state.seat], state.placed, state.under)


BOOK.needs("stacks.none", "TO-3.13", (STACKS,), "action", lambda state: len(state.stacks[state.seat]) > 1)


@BOOK.check("stacks.choice", "TO-3.13", "action")
def check_stacks_choice(state: State, token: str) -> Objection | None:
    if token != STACKS or len(results(state)) > 1:
        return None
    return Objection({"stacks": piles.text(results(state)[0])})


# Checks: between phases (TO-5.4)


@BOOK.check("king.castle", "TO-5.4", "king")
def check_king_castle(state: State, token: str) -> Objection | None:
    if token == STAY or state.height_of(read_cell(token)):
        return None
    return Objection({"cell": token[1:]})


@BOOK.check("king.free", "TO-5.4", "king", pieces=True)
def check_king_free(state: State, token: str) -> Objection | None:
    return None if token == STAY else check_occupied(state, token)


# Effects: a turn

_BEGUN = {NEW: Frame("place"), CARD: Frame("card"), STACKS: Frame("leave")}
_BEGUN |= {token: Frame("to", cell) for cell, token in enumerate(knights.TOKENS)}


@BOOK.effect("action")
def effect_action(state: State, token: str) -> State:
    if token[0] == "B":
        return blocks.lay(state, read_cell(token))
    if token in _BEGUN:
        return replace(state, frames=(_BEGUN[token],))
    if token in (TOP, BOTTOM):
        return action_cards.take(state)
    if token == END:
        return _end(state, results(state)[0])
    steps = int(token[1:])
    return replace(score_steps(state, steps), left=spend(state, steps))


@BOOK.effect("leave")
def effect_leave(state: State, token: str) -> State:
    return _end(state, tuple(int(stack) for stack in token.split("-") if stack))


@BOOK.method
def settled(state: State) -> State:
    """End a turn in which nothing is left to decide."""
    if state.left or state.frames or state.termination or len(results(state)) > 1:
        return state
    if not state.carded and action_cards.any_playable(state):
        return state
    return _end(state, results(state)[0])


def _end(state: State, left: Stacks) -> State:
    """End the turn with ``left`` in the other stacks."""
    stacks = (*state.stacks[: state.seat], left, *state.stacks[state.seat + 1 :])
    return _go_to_next_turn(replace(state, stacks=stacks))


@BOOK.method
def gives_up(state: State, choice: Choice) -> Label | None:
    """Ask about action points left at the end of a turn, and about a last board's column that is too high."""
    if choice.question == "final" and choice.token[0] != "H":
        high = (one for one in layouts.status(layouts.of(state)) if one.check == "layout.height")
        return next((Label("gives_up.high", one.figures) for one in high), None)
    ends = choice.question == "action" and choice.token in (END, STACKS) and state.left > 0
    key = "gives_up.point" if state.left == 1 else "gives_up.points"
    return Label(key, (("left", state.left),)) if ends else None


# Answers by habit

_MOVES = frozenset({"to", "place", *(f"{name}_to" for name in TWO_PLACES if name != "move")})
"""Questions about the goal of a knight."""


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank an answer by habit; without habits all answers have rank 0."""
    asked, token = choice.question, choice.token
    if asked in _MOVES:
        return _rank_space(state, NUMBERS[token])
    if asked == "block" or (asked == "action" and token[0] == "B"):
        return _rank_block(state, read_cell(token))
    if asked == "final_height":
        return abs(int(token[1:]) - state.ground.heights[state.frames[-1].cell])
    if asked == "king" and token != STAY:
        return int(not _find_around_own(state) >> read_cell(token) & 1)
    if asked == "action" and token[0] == "M":
        return _rank_knight(state, read_cell(token))
    if asked == "action" and token == CARD:
        return int(not state.left)
    return int(token in (END, STACKS) and state.left > 0)


def _rank_space(state: State, cell: int) -> int:
    """Rank ways up first, then those down as little as possible, on one level to other castles first."""
    heights, knight = state.ground.heights, state.frames[-1].cell
    level = TALLEST if knight == NOWHERE else heights[knight]
    if heights[cell] > level:
        return 0
    return 1 + 2 * (level - heights[cell]) + (_find_around_own(state) >> cell & 1)


def _rank_knight(state: State, cell: int) -> int:
    """Rank knights that can go up first."""
    ground = state.ground
    there = ways.reachable(ground, state.taken(), cell, state.left, state.variant.descend)
    return int(not there & ground.above[ground.heights[cell]])


def _rank_block(state: State, cell: int) -> int:
    """Rank the next step up for a knight first, then to widen an own castle, to raise it, and the rest."""
    heights, own = state.ground.heights, state.knights[state.seat]
    if any(heights[knight] == heights[cell] for knight in cells(NEXT[cell] & own)):
        return 0
    if not _find_around_own(state) >> cell & 1:
        return 3
    return 1 + (heights[cell] > 0)


def _find_around_own(state: State) -> int:
    """Return the castles that own knights stand on, and the spaces beside them."""
    ground, own, home = state.ground, state.knights[state.seat], 0
    for castle, border in zip(ground.castles, ground.borders, strict=True):
        if castle & own:
            home |= castle | border
    return home


# Effects: rounds and phases


def begin(state: State, start: int) -> State:
    """Begin a phase: players return all blocks and receive those of the phase (TO-2.2)."""
    seats = state.variant.seats
    state = replace(state, stacks=((),) * seats, placed=0, under=0)
    left = state.supply()
    dealt: dict[int, Stacks] = {}
    for seat in state.order(start):
        stacks = []
        for number in DEALT[seats][state.phase - 1]:
            stacks.append(min(number, left))
            left -= stacks[-1]
        dealt[seat] = tuple(sorted(stacks, reverse=True))
    stacks_by_seat = tuple(dealt[seat] for seat in range(seats))
    return replace(state, stacks=stacks_by_seat, start=start, round=1, **state.new_turn(start))


def _go_to_next_turn(state: State) -> State:
    """Go on to the next seat, the next round, or the end of the phase."""
    if not state.is_last():
        return replace(state, **state.new_turn(state.clockwise()))
    if state.round < state.rounds():
        start = leader(state) if state.variant.master else state.start
        return replace(state, start=start, round=state.round + 1, **state.new_turn(start))
    state = score_phase(replace(state, **state.new_turn(state.seat)))
    if state.phase < PHASES:
        return replace(state, seat=last_player(state), frames=(Frame("king", open=False),))
    if state.variant.master_cards:
        return replace(state, frames=(Frame("master", state.start, open=False),))
    return replace(state, termination=SETTLED)


@BOOK.effect("king")
def effect_king(state: State, token: str) -> State:
    """Move the king or not; then begin the next phase, or ask for its start player (TO-5.4)."""
    if token != STAY:
        state = replace(state, king=read_cell(token))
    if state.variant.master:
        return _go_to_next_phase(state, leader(state))
    if state.variant.last_chooses:
        return replace(state, frames=(Frame("starter", open=False),))
    return _go_to_next_phase(state, state.seat)


@BOOK.effect("starter")
def effect_starter(state: State, token: str) -> State:
    return _go_to_next_phase(state, SEATS.index(token))


def _go_to_next_phase(state: State, start: int) -> State:
    return begin(replace(state, phase=state.phase + 1), start)


# What the pieces allow


@BOOK.possible("action")
def possible_action(state: State, token: str) -> bool:
    if token[0] == "B":
        return blocks.any_left(state) and blocks.not_too_tall(state, token)
    return token != CARD or state.played[state.seat].bit_count() < DECK


@BOOK.possible("leave")
def possible_leave(state: State, token: str) -> bool:
    return sum(int(number) for number in token.split("-") if number) <= state.own_blocks() + state.supply()
