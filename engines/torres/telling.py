"""The match in a game master's words, and the pieces in front of the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.contract import Choice, Label, Lay, Piece, Zone
from engines.kit import Saying
from engines.torres import stacks as piles
from engines.torres import ways
from engines.torres.action_cards import CARD, TOP
from engines.torres.book import BOOK, read_cell
from engines.torres.cells import NAMES, NUMBERS
from engines.torres.final import ENOUGH
from engines.torres.knights import NEW
from engines.torres.notation import label
from engines.torres.scene import scene
from engines.torres.stacks import PHASES
from engines.torres.state import BLOCK, CARDS, KNIGHTS, State
from engines.torres.turns import END, SCORES, STACKS, STAY

__all__ = ["about", "hands", "news", "said", "scene", "zones"]

# Steps


def _tell_action(before: State, tokens: Sequence[str]) -> Label:
    token, *rest = tokens
    if token == CARD:
        return _tell_card(rest)
    if token in SCORES:
        return Label("said.score", (("n", int(token[1:])),))
    if token == STACKS and rest:
        return Label("said.stacks", (("stacks", rest[0]),))
    if token in (END, STACKS):
        return Label("said.end")
    if token == NEW:
        return Label("said.placed", (("cell", rest[0]),)) if rest else Label("said.new")
    if token[0] == "T":
        return Label("said.take_top" if token == TOP else "said.take_bottom")
    if token[0] == "M":
        return _tell_moved(before, token[1:], rest)
    cell = read_cell(token)
    height = before.ground.heights[cell] + 1
    return Label("said.block", (("cell", NAMES[cell]), ("height", height)))


def _tell_moved(before: State, source: str, rest: list[str]) -> Label:
    if not rest:
        return Label("said.knight", (("cell", source),))
    start, goal = NUMBERS[source], NUMBERS[rest[0]]
    points = ways.cost(before.ground, before.taken(), start, goal, before.left, before.variant.descend)
    figures = (("cell", source), ("to", rest[0]), ("points", points))
    return Label(("said.forced", "said.stepped", "said.moved")[min(points, 2)], figures)


def _tell_card(rest: list[str]) -> Label:
    if not rest:
        return Label("said.card")
    name, *places = rest
    key = ("said.plays", "said.plays_at", "said.plays_to")[len(places)]
    where = dict(zip(("cell", "to"), places, strict=False))
    return Label(key, (("card", name), *where.items()))


def _tell_columns(_: State, tokens: Sequence[str]) -> Label:
    """Tell spaces with their heights: ``d3 4, e4 2``."""
    named = (token for token in tokens if token != ENOUGH)
    told = "".join(f" {int(each)}" if each[0] == "+" else f", {each[1:]}" for each in named)
    return Label("said.columns", (("columns", told.removeprefix(", ")),)) if told else Label("said.final")


def _tell_knights(before: State, tokens: Sequence[str]) -> Label:
    where = ",".join(token[1:] for token in tokens if token != ENOUGH)
    told = Label("said.knights", (("cells", where), ("seat", before.frames[-1].cell)))
    return told if where else Label("said.final_knight")


said = Saying(
    label,
    BOOK.figures_at,
    {"action": _tell_action, "final": _tell_columns, "final_knight": _tell_knights},
    alone=(STAY,),
)


# Hands


def hands(before: State, choices: Sequence[Choice], after: State) -> tuple[Label, ...]:
    """Tell cards that leave the game, markers that move, blocks returned and dealt, the next round."""
    return tuple(_tell_hands(before, after))


def _tell_hands(before: State, after: State) -> Iterator[Label]:
    for seat in range(after.variant.seats):
        if after.played[seat] != before.played[seat]:
            yield Label("hands.card", (("seat", seat),))
        if after.total(seat) != before.total(seat):
            figures = (("seat", seat), ("before", before.total(seat)), ("points", after.total(seat)))
            yield Label("hands.marker", figures)
    if _is_dealt(before, after):
        yield from _tell_deal(after)
        return
    for seat, (had, has) in enumerate(zip(before.stacks, after.stacks, strict=True)):
        if had != has:
            yield from _tell_ended(seat, before, after)
    if before.round != after.round:
        key = "round" if after.round < after.rounds() else "last_round"
        yield Label(f"hands_of_all.{key}", (("n", after.round), ("all", after.rounds())))


def _is_dealt(before: State, after: State) -> bool:
    """Return True if the blocks of a phase were dealt in between."""
    return any(after.stacks) and not any(before.stacks)


def _tell_deal(after: State) -> Iterator[Label]:
    """Tell the blocks dealt, once if all players receive the same."""
    if len(set(after.stacks)) == 1:
        yield Label("hands_of_all.dealt", (("stacks", piles.text(after.stacks[0])),))
        return
    for seat, stacks in enumerate(after.stacks):
        yield Label("hands.dealt_to", (("seat", seat), ("stacks", piles.text(stacks))))


def _tell_ended(seat: int, before: State, after: State) -> Iterator[Label]:
    """Tell the rest of a player's blocks at the end of a turn (TO-3.13)."""
    from_supply = (after.played[seat] & ~before.played[seat]) >> BLOCK & 1
    back = after.supply() - before.supply() + from_supply
    if back > 0:
        yield Label("hands.back" if back > 1 else "hands.one_back", (("seat", seat), ("n", back)))
    had, has = before.stacks[seat], after.stacks[seat]
    if has not in (had[:at] + had[at + 1 :] for at in range(len(had))):
        yield Label("hands.stacks", (("seat", seat), ("stacks", piles.text(has))))


# News, and explanations of questions


def news(before: State, after: State) -> tuple[Label, ...]:
    """Tell a new phase and its start player."""
    if not _is_dealt(before, after):
        return ()
    key = "news.last_phase" if after.phase == PHASES else "news.phase"
    return (Label(key, (("n", after.phase), ("rounds", after.rounds()), ("seat", after.seat))),)


def about(state: State) -> tuple[Label, ...]:
    """Explain the set-up of the board, and questions for king, start player and points of a master card."""
    asked = state.frames[-1].question if state.frames else ""
    if asked == "enter" and not any(state.knights) and not state.variant.master:
        return (Label("about.enter", (("n", state.ground.blocks),)),)
    if asked in ("king", "starter"):
        return (Label(f"about.{asked}", (("phase", state.phase + 1), ("level", state.phase + 1))),)
    if asked == "master":
        return (Label("about.master", (("seat", state.frames[-1].cell),)),)
    return ()


# The zones


def zones(state: State) -> tuple[Zone, ...]:
    """Return blocks, knights and cards by seat, then the supply."""
    found = [zone for seat in range(state.variant.seats) for zone in _list_zones(state, seat)]
    return (*found, Zone("supply", None, (_count_pieces("block", state.supply()),)))


def _list_zones(state: State, seat: int) -> Iterator[Zone]:
    stacks = tuple(_count_pieces("block", blocks) for blocks in state.stacks[seat])
    if seat == state.seat and state.placed + state.under:
        stacks = (*stacks, Piece(Label("lies.placed"), state.placed + state.under, tally=True))
    yield Zone("stacks", seat, stacks)
    yield Zone("knights", seat, (_count_pieces("knight", KNIGHTS - state.knights[seat].bit_count()),))
    if state.decks[seat]:
        yield Zone("deck", seat, (_count_pieces("card", state.decks[seat]),), Lay.PILE)
    yield Zone("hand", seat, (_count_pieces("card", state.hand_size(seat)),))
    played = [name for kind, name in enumerate(CARDS) if state.played[seat] >> kind & 1]
    if played:
        yield Zone("played", seat, tuple(Piece(Label(f"card.{name}")) for name in played))


def _count_pieces(what: str, count: int) -> Piece:
    return Piece(Label(f"lies.{what}"), count)
