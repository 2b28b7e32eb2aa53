"""What the pieces allow, whatever the rules say: where an overruled step must not end in a dead end."""

from __future__ import annotations

from engines.contract import Choice
from engines.torres import questions as q
from engines.torres.cards import BLOCK, CARDS, UNDER
from engines.torres.cells import NUMBERS
from engines.torres.ground import BLOCKS, TALLEST
from engines.torres.moves import legal
from engines.torres.play import apply
from engines.torres.state import DECK, KNIGHTS, State, own_blocks, supply, taken


def choices(state: State, cards: int | None = None) -> list[Choice]:
    """What is legal; where a clause was overruled and nothing is, what the pieces allow."""
    found = legal(state, cards)
    if found or not state.waived or state.termination:
        return found
    asked = q.question(state)
    answers = [Choice(asked, token) for token in q.domain(state).tokens]
    return [choice for choice in answers if leads_on(state, choice) is not None]


def leads_on(state: State, choice: Choice) -> State | None:
    """The state after a choice that the pieces allow and that can be played on from, None for another."""
    if not _possible(state, choice):
        return None
    after = apply(state, choice)
    return after if after.termination or choices(after) else None


def _possible(state: State, choice: Choice) -> bool:
    token, seat = choice.token, state.seat
    own, heights = state.knights[seat], state.ground.heights
    blocks = own_blocks(state) > 0 or supply(state) > 0
    match choice.question:
        case "action":
            return _action_possible(state, token, blocks)
        case "card":
            kind = CARDS.index(token)
            if state.played[seat] >> kind & 1:
                return False
            return {UNDER: blocks, BLOCK: supply(state) > 0}.get(kind, True)
        case "under":
            return bool(own >> NUMBERS[token] & 1) and blocks and heights[NUMBERS[token]] < TALLEST
        case "block":
            return heights[NUMBERS[token]] < TALLEST
        case "jump" | "doors" | "diagonal" | "reposition" | "leap":
            return bool(own >> NUMBERS[token] & 1)
        case "move":
            return heights[NUMBERS[token]] > 0
        case "move_to":
            return NUMBERS[token] != state.frames[-1].cell and heights[NUMBERS[token]] < TALLEST
        case "found":
            return heights[q.read_cell(token)] < TALLEST
        case "leave":
            return sum(int(n) for n in token.split("-") if n) <= own_blocks(state) + supply(state)
        case "final_height":
            return state.ground.blocks - heights[state.frames[-1].cell] + int(token[1:]) <= BLOCKS
        case "final_knight":
            if token == q.ENOUGH:
                return True
            standing = state.knights[state.frames[-1].cell].bit_count()
            return standing < KNIGHTS and not taken(state) >> q.read_cell(token) & 1
    if token[-1] in "12345678" and token[-2:] in NUMBERS:  # a piece goes there
        return not taken(state) >> q.read_cell(token) & 1
    return True


def _action_possible(state: State, token: str, blocks: bool) -> bool:
    if token[0] == "B":
        return blocks and state.ground.heights[q.read_cell(token)] < TALLEST
    if token in (q.TOP, q.BOTTOM):
        return state.decks[state.seat] > 0
    if token == q.NEW:
        return state.knights[state.seat].bit_count() < KNIGHTS
    if token == q.CARD:
        return state.played[state.seat].bit_count() < DECK
    return True
