"""What the pieces allow, whatever the rules say: where an overruled step must not end in a dead end.

Once a clause was overruled, a question may come to have no legal answer (the only tower to extend is
completed, say). Then what the pieces allow stands in for what the rules do.
"""

from __future__ import annotations

from engines import bags
from engines.contract import Choice
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import (
    GIOSTRA,
    LOW,
    NOBLES,
    PIETRA,
    RANKS,
    Tower,
    card,
    cards,
    kind_of,
    lane,
    read_stones,
    read_tower,
    real_cards,
)
from engines.san_gimignano.layout_moves import stones_left
from engines.san_gimignano.moves import legal
from engines.san_gimignano.play import apply
from engines.san_gimignano.state import Hand, State, hand_of, unseen

IN_HAND = frozenset({"put", "build", "height", "stones", "extend", "storeys"})
"""Questions of a begun step whose cards have not left the hand yet."""


def choices(state: State, hand: Hand | None = None) -> list[Choice]:
    """What is legal; where a clause was overruled and nothing is, what the pieces allow."""
    found = legal(state, hand)
    if found or not state.waived or state.termination:
        return found
    asked = q.question(state)
    answers = [Choice(asked, token) for token in q.domain(state).tokens]
    return [choice for choice in answers if leads_on(state, choice, hand) is not None]


def leads_on(state: State, choice: Choice, hand: Hand | None = None) -> State | None:
    """The state after a choice that the pieces allow and that can be played on from, None for another."""
    asked = state.frames[-1].seat if state.frames else -1
    known = hand or hand_of(state, state.seat if asked < 0 else asked)
    if not _possible(state, choice, known):
        return None
    after = apply(state, choice)
    if after.termination or choices(after, hand if q.question(after) in IN_HAND else None):
        return after
    return None


def _possible(state: State, choice: Choice, hand: Hand) -> bool:
    token = choice.token
    frame = state.frames[-1] if state.frames else None
    tower = frame.tower if frame else None
    put = frame.put if frame else 0
    match choice.question:
        case "action":
            return token not in NOBLES or hand.may_hold(bags.one(kind_of(token)))
        case "put":
            return token == q.ENOUGH or hand.may_hold(put + bags.one(kind_of(token)))
        case "draw":
            if token[0] == "m":
                return bags.count(state.market, kind_of(token[1:])) > 0
            hidden = state.nobles.deck if state.nobles else 0
            return int(token[1:] or 1) <= (state.deck if token[0] == q.DECK else hidden)
        case "build":
            low, _, high = token.partition("-")
            return not high or high[-1] == "s" or hand.may_hold(real_cards(int(low), int(high)))
        case "height":
            assert tower
            stones = token.count("s")
            real = int(token[1:].rstrip("s")) - stones
            return hand.may_hold(card(tower.low, real) + bags.one(PIETRA, stones))
        case "stones":
            assert tower
            chosen = read_stones(token)
            need = real_cards(tower.low, tower.high, chosen)
            return hand.may_hold(need + bags.one(PIETRA, len(chosen)))
        case "extend":
            standing = read_tower(token)
            return standing is not None and (standing.plain or standing.low >= LOW)
        case "storeys":
            assert tower
            return _storeys_possible(tower, token, hand)
        case "guard":
            return token == q.ALLOW or hand.may_hold(card(LOW) if token == q.GUARD else bags.one(PIETRA))
        case "giostra":
            return token == q.ALLOW or hand.may_hold(bags.one(GIOSTRA))
        case "palazzo" | "traded" | "returned":
            return _backs_possible(state, choice)
    return _report_possible(state, choice)


def _storeys_possible(tower: Tower, token: str, hand: Hand) -> bool:
    number, *named = token[1:].split("s")
    n, stones = int(number), len(named)
    if tower.plain:
        return hand.may_hold(card(tower.low, n - stones) + bags.one(PIETRA, stones))
    ranks = [rank for rank in range(tower.low - n, tower.low) if str(rank) not in named]
    if not all(rank in RANKS for rank in ranks):
        return False
    return hand.may_hold(cards(ranks) + bags.one(PIETRA, stones))


def _backs_possible(state: State, choice: Choice) -> bool:
    """Whether a hand holds so many cards of each back."""
    assert state.nobles
    if choice.question == "palazzo":
        towers, nobles = q.RETURNS.get(choice.token, (0, 0))
        giver = state.seat
    else:
        nobles = int(choice.token[1:])
        towers = state.frames[-1].n - nobles
        giver = state.seat if choice.question == "returned" else 1 - state.seat
    return nobles <= state.nobles.hands[giver].size and 0 <= towers <= state.hands[giver].size


def _report_possible(state: State, choice: Choice) -> bool:
    token = choice.token
    tower = state.frames[-1].tower if state.frames else None
    match choice.question:
        case "market":
            return bags.count(unseen(state), lane(int(token))) > 0
        case "final":
            low, _, high = token.partition("-")
            runs = high and high[-1] != "s"
            return not runs or bags.within(real_cards(int(low), int(high)), unseen(state))
        case "final_height":
            assert tower
            stones = token.count("s")
            real = card(tower.low, int(token[1:].rstrip("s")) - stones)
            return stones <= stones_left(state) and bags.within(real, unseen(state))
        case "final_stones":
            assert tower
            chosen = read_stones(token)
            fits = bags.within(real_cards(tower.low, tower.high, chosen), unseen(state))
            return fits and len(chosen) <= stones_left(state)
    return True
