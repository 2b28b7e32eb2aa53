"""Towers laid, extended and flipped, and what a plain one sets off (SG-3.8 to SG-3.11, SG-4, SG-5)."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import GIOSTRA, LOW, PIETRA, Tower, card, plain, ranks, read_stones, run
from engines.san_gimignano.cards import read_tower as tower_of
from engines.san_gimignano.drawing import draw_up_to, settle
from engines.san_gimignano.moves import may_guard, noble_counts
from engines.san_gimignano.state import (
    Frame,
    State,
    conspiracy_targets,
    hand_size,
    noble_reach,
    tallest_rival,
)
from engines.san_gimignano.zones import pass_unseen, show, use


def ask_giostra(state: State, player: int, played: Frame) -> State | None:
    """The opponent is asked for a Giostra, if by what everybody saw that hand may hold it (SG-9.8).

    ``played`` remembers what a Giostra would cancel.
    """
    if not noble_reach(state, 1 - player).most(GIOSTRA):
        return None
    asked = replace(played, question="giostra", seat=1 - player, open=False)
    return replace(state, frames=(*state.frames, asked))


def build(state: State, token: str) -> State:
    """A shape is chosen; a run without stones stands at once."""
    low, _, high = token.rstrip("s").partition("-")
    if not high:
        return replace(state, frames=(Frame("height", tower=plain(int(low), 1)),))
    tower = run(int(low), int(high))
    if token[-1] == "s":
        return replace(state, frames=(Frame("stones", tower=tower),))
    return _lay(state, None, tower)


def height(state: State, token: str) -> State:
    """A plain tower, each ``s`` of its token a stone."""
    tower = state.frames[-1].tower
    assert tower
    return _lay(state, None, plain(tower.low, int(token[1:].rstrip("s")), stones=token.count("s")))


def stones(state: State, token: str) -> State:
    """A run with stones."""
    tower = state.frames[-1].tower
    assert tower
    return _lay(state, None, run(tower.low, tower.high, stones=read_stones(token)))


def change_towers(state: State, owner: int, old: Tower | None, new: Tower | None) -> State:
    """The towers of a side with ``old`` taken down and ``new`` standing."""
    side = list(state.towers[owner])
    if old:
        side.remove(old)
    if new:
        side.append(new)
        side.sort()
    towers = (tuple(side), state.towers[1]) if owner == 0 else (state.towers[0], tuple(side))
    return replace(state, towers=towers)


def _lay(state: State, old: Tower | None, tower: Tower) -> State:
    """Storeys are laid; stones among them may be answered with a Giostra first (SG-5.9)."""
    laid = tower.bag - old.bag if old else tower.bag
    n = tower.height - old.height if old else tower.height
    used = len(tower.stones) - len(old.stones) if old else len(tower.stones)
    state = change_towers(show(state, state.seat, laid), state.seat, old, tower)
    state = replace(state, frames=())
    if used:
        pietre = bags.one(PIETRA, used)
        state = use(state, state.seat, pietre)
        asked = ask_giostra(state, state.seat, Frame("", n, laid + pietre, tower))
        if asked:
            return asked
    return laid_down(state, tower, n, opened=True)


def laid_down(state: State, tower: Tower, n: int, *, opened: bool) -> State:
    """What ``n`` storeys that stay do, in the order of SG-5.9; all of the tower's are a Build."""
    if tower.height > tallest_rival(state, state.seat, tower):  # SG-4.1, SG-4.2
        state = replace(state, marker=state.seat)
    if n < tower.height:
        return settle(state) if state.ending else draw_up_to(state, n, opened=opened)
    gives = tower.plain and tower.low >= 8 and not state.ending
    if not gives or (tower.low == 10 and not conspiracy_targets(state, tower)):
        return settle(state)
    if state.must_donate:
        return _donate(state, tower, opened=False)
    return replace(state, frames=(Frame("donazione", tower.height, tower=tower, open=False),))


def donazione(state: State, token: str) -> State:
    """Used or declined."""
    tower = state.frames[-1].tower
    assert tower
    state = replace(state, frames=())
    return _donate(state, tower, opened=True) if token == q.USE else settle(state)


def _donate(state: State, tower: Tower, *, opened: bool) -> State:
    if tower.low == 8:  # SG-5.5
        return draw_up_to(state, tower.height, opened=opened)
    if tower.low == 9:  # SG-5.6
        other = 1 - state.seat
        if may_guard(state, other):
            return replace(state, frames=(Frame("guard", tower.height, seat=other, open=False),))
        return _trade(state, tower.height, opened=opened)
    targets = conspiracy_targets(state, tower)  # SG-5.7
    if len(targets) == 1:
        return _threaten(state, *targets[0])
    return replace(state, frames=(Frame("target", tower=tower, open=opened),))


def target(state: State, token: str) -> State:
    """The tower that a 10 is to destroy."""
    named = q.read_owned(token)
    assert named
    return _threaten(replace(state, frames=()), *named)


def _threaten(state: State, owner: int, tower: Tower) -> State:
    if may_guard(state, owner):  # SG-5.2: asked whenever the hand may hold a 5
        return replace(state, frames=(Frame("guard", tower=tower, seat=owner, open=False),))
    return _destroy(state, owner, tower)


def guard(state: State, token: str) -> State:
    """A 5, a stone, or nothing against the effect."""
    frame = state.frames[-1]
    if token == q.GUARD:
        state = show(state, frame.seat, card(LOW))
        return settle(replace(state, bottom=(*state.bottom, LOW)))
    if token == q.STONE:
        state = use(state, frame.seat, bags.one(PIETRA))
        return ask_giostra(state, frame.seat, Frame("", put=bags.one(PIETRA))) or settle(state)
    return unguarded(state)


def unguarded(state: State) -> State:
    """The effect that the frame on top speaks of happens."""
    frame = state.frames[-1]
    state = replace(state, frames=())
    if frame.tower:
        return _destroy(state, frame.seat, frame.tower)
    return _trade(state, frame.n, opened=False)


def _destroy(state: State, owner: int, tower: Tower) -> State:
    state = change_towers(state, owner, tower, None)
    return settle(replace(state, top=(*ranks(tower.bag), *state.top)))  # SG-5.8, SG-9.12


# Trade (SG-5.6): the backs of what passes are seen, and chosen where there is a choice


def _trade(state: State, built: int, *, opened: bool) -> State:
    giver = 1 - state.seat
    drawn = min(built, hand_size(state, giver))
    tower = plain(9, built)
    if state.nobles is None:
        return _give_back(pass_unseen(state, giver, drawn, 0), tower, opened=opened)
    state = replace(state, frames=(Frame("traded", drawn, tower=tower, open=opened),))
    counts = noble_counts(state)
    return _drawn(state, counts[0], opened=opened) if len(counts) == 1 else state


def traded(state: State, token: str) -> State:
    """So many nobles among the cards drawn."""
    return _drawn(state, int(token[1:]), opened=True)


def _drawn(state: State, nobles: int, *, opened: bool) -> State:
    frame = state.frames[-1]
    assert frame.tower
    state = pass_unseen(state, 1 - state.seat, frame.n - nobles, nobles)
    return _give_back(replace(state, frames=()), frame.tower, opened=opened)


def _give_back(state: State, tower: Tower, *, opened: bool) -> State:
    back = min(tower.height - 1, hand_size(state, state.seat))
    if state.nobles is None:
        return settle(pass_unseen(state, state.seat, back, 0))
    state = replace(state, frames=(Frame("returned", back, tower=tower, open=opened),))
    counts = noble_counts(state)
    return returned(state, f"n{counts[0]}") if len(counts) == 1 else state


def returned(state: State, token: str) -> State:
    """So many nobles among the cards given back."""
    n, nobles = state.frames[-1].n, int(token[1:])
    return settle(replace(pass_unseen(state, state.seat, n - nobles, nobles), frames=()))


# Extend and Complete


def extend(state: State, token: str) -> State:
    """The tower to extend."""
    return replace(state, frames=(Frame("storeys", tower=tower_of(token)),))


def storeys(state: State, token: str) -> State:
    """So many storeys on top, stones among them."""
    old = state.frames[-1].tower
    assert old
    count, _, rest = token[1:].partition("s")
    n = int(count)
    if old.plain:
        stones = len(old.stones) + token.count("s")
        new = plain(old.low, old.height + n, old.complete, stones)
    else:
        new = run(
            old.low - n, old.high, old.complete, (*read_stones(f"s{rest}" if rest else ""), *old.stones)
        )
    return _lay(state, old, new)


def complete(state: State, token: str) -> State:
    """A tower is flipped, or enough are."""
    if token == q.FLIPPED:
        return settle(state)
    tower = tower_of(token)
    assert tower
    state = change_towers(state, state.seat, tower, replace(tower, complete=True))
    if all(standing.complete for standing in state.towers[state.seat]):
        return settle(state)
    return replace(state, frames=(Frame("complete", 1),))


# What a Giostra leaves of storeys laid with a stone (SG-9.5)


def without_stone(frame: Frame, rank: int) -> Frame | None:
    """What was laid in ``frame`` less one stone, where that still is a Build or an Extend of that kind."""
    tower, n = frame.tower, frame.n - 1
    assert tower
    new, height = n + 1 == tower.height, tower.height - 1
    if tower.plain:
        rest = plain(tower.low, height, tower.complete, len(tower.stones) - 1)
    else:
        others = tuple(stone for stone in tower.stones if stone != rank)
        if rank == tower.low:
            rest = run(tower.low + 1, tower.high, tower.complete, others)
        elif new and rank == tower.high:
            rest = run(tower.low, tower.high - 1, tower.complete, others)
        else:
            return None
    stands = rest.height >= 3 and len(rest.stones) < rest.height and n > 0
    return Frame("remains", n, frame.put - bags.one(PIETRA), rest, open=False) if stands else None


def before(frame: Frame) -> Tower | None:
    """The tower as it stood before the storeys in ``frame`` were laid, None for a Build."""
    tower, n = frame.tower, frame.n
    assert tower
    if n == tower.height:
        return None
    if tower.plain:
        stones = len(tower.stones) - bags.count(frame.put, PIETRA)
        return plain(tower.low, tower.height - n, tower.complete, stones)
    low = tower.low + n
    return run(low, tower.high, tower.complete, [stone for stone in tower.stones if stone >= low])


def laid_cards(old: Tower | None, new: Tower) -> Bag:
    """The cards of both backs that turn ``old`` into ``new``."""
    stones = len(new.stones) - (len(old.stones) if old else 0)
    return new.bag - (old.bag if old else 0) + bags.one(PIETRA, stones)
