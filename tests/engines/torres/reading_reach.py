"""Every board that a turn can lead to, by trying all that the legal lists hold: slow and simple."""

from msgspec.structs import replace

from engines.torres.book import BOOK
from engines.torres.layouts import of
from engines.torres.sight import visible
from engines.torres.state import ALL_CARDS
from tests.engines.torres.reading_turns import turn_key


def reachable(state, cards, most):
    """All boards that ``state`` leads to with only ``cards`` in hand, None where that takes over ``most``
    states.
    """
    seen, todo, found = set(), [state], set()
    while todo:
        here = todo.pop()
        for choice in BOOK.lists_at(replace(here, holds=cards)):
            if not visible(choice) and choice.question != "card":
                continue
            after = BOOK.play(here, choice)
            whole = not after.frames or turn_key(after) != turn_key(state)
            if after in seen:
                continue
            seen.add(after)
            if len(seen) > most:
                return None
            if whole:
                found.add(of(after))
            if turn_key(after) == turn_key(state):
                todo.append(after)
    return found - {of(state)}


def narrowed(state, card, left):
    """The state with ``left`` action points, and one card to play or none."""
    if card is None:
        return replace(state, left=left, carded=True)
    seat = state.seat
    played = [ALL_CARDS & ~(1 << card) if at == seat else gone for at, gone in enumerate(state.played)]
    decks = [0 if at == seat else deck for at, deck in enumerate(state.decks)]
    return replace(state, left=left, played=tuple(played), decks=tuple(decks), fresh=0)
