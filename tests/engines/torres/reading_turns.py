"""Random turns for reading boards, and boards that no turn can lead to, each for a reason of its own."""

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from engines.kit.rulebook import question
from engines.torres.book import BOOK
from engines.torres.cells import FULL, NAMES, NEXT, cells
from engines.torres.ground import survey
from engines.torres.layouts import Layout, of
from engines.torres.state import State
from tests.engines.torres import truth
from tests.engines.torres.table import GAME
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import walk

TABLES = ("two", "three", "four", "master")


class Turn(Struct, frozen=True):
    """A turn made at random: where it began, what was done, and how the table looked then."""

    state: State
    choices: tuple
    layout: Layout

    def __str__(self):
        done = " ".join(choice.token for choice in self.choices)
        return f"{GAME.position.write(self.state)}: {done}"


def turn_key(state):
    """Return what changes when the turn is over: also where a phase ends with it."""
    asked = question(state) if not state.termination else ""
    return state.phase, state.round, state.seat, asked in ("king", "master", "")


def starts(name, number):
    """The states of a random match in which a turn begins."""
    last = None
    for made in walk(GAME, SETUPS[name], Random(number), busy):
        state = made.after
        if state.termination or question(state) != "action":
            continue
        if turn_key(state) != last:
            yield state
        last = turn_key(state)


def weight(choice):
    """Seldom what does not show, and cards as often as blocks."""
    token = choice.token
    if token[0] in "ST" or token in ("end", "stacks"):
        return 0.02
    return {"card": 12.0, "N": 12.0}.get(token) or {"B": 0.6, "M": 2.5}[token[0]]


def random_turn(state, rng, weigh=weight):
    """One turn from ``state``, up to where it ends by itself or nothing more is wanted."""
    made, here = [], state
    while True:
        found = BOOK.lists_at(here)
        if question(here) == "action":
            weights = [weigh(one) for one in found]
            choice = rng.choices(found, weights)[0] if any(weights) else found[-1]
            if not any(weights) or choice.token in ("end", "stacks") or (made and rng.random() < 0.08):
                break
        else:
            choice = rng.choice(found)
        after = BOOK.play(here, choice)
        made.append(choice)
        here = after
        if turn_key(after) != turn_key(state):
            break
    return Turn(state, tuple(made), of(here))


# Boards that no turn leads to


def free_of(layout):
    held = 1 << layout.king
    for own in layout.knights:
        held |= own
    return [cell for cell in range(64) if not held >> cell & 1]


def others(turn):
    """The spaces of knights that are not the mover's, by seat."""
    return [
        (seat, cell)
        for seat, own in enumerate(turn.layout.knights)
        if seat != turn.state.seat
        for cell in cells(own)
    ]


def with_knights(layout, seat, own):
    knights = list(layout.knights)
    knights[seat] = own
    return replace(layout, knights=tuple(knights))


def with_blocks(layout, more):
    heights = bytearray(layout.heights)
    for cell, number in more.items():
        heights[cell] += number
    return replace(layout, heights=bytes(heights))


def foreign_knight(turn, rng):
    """Somebody else's knight has moved."""
    seat, cell = rng.choice(others(turn))
    target = rng.choice(free_of(turn.layout))
    return with_knights(turn.layout, seat, turn.layout.knights[seat] ^ (1 << cell | 1 << target))


def king(turn, rng):
    """The king has moved, in the middle of a phase."""
    return replace(turn.layout, king=rng.choice(free_of(turn.layout)))


def knight_gone(turn, rng):
    """Fewer knights than before: none ever leaves the board."""
    seat = turn.state.seat
    before = turn.state.knights[seat].bit_count()
    own = list(cells(turn.layout.knights[seat]))
    rng.shuffle(own)
    return with_knights(turn.layout, seat, sum(1 << cell for cell in own[: before - 1]))


def knights_made(turn, rng):
    """Four new knights would take eight action points."""
    seat, own = turn.state.seat, turn.layout.knights[turn.state.seat]
    wanted = turn.state.knights[seat].bit_count() + 4
    free = free_of(turn.layout)
    rng.shuffle(free)
    while own.bit_count() < wanted:
        own |= 1 << free.pop()
    return with_knights(turn.layout, seat, own)


def too_high(turn, rng):
    """A column higher than its castle's area."""
    ground = survey(turn.layout.heights)
    cell = rng.choice([cell for cell in free_of(turn.layout) if ground.heights[cell]])
    area = next(castle for castle in ground.castles if castle >> cell & 1).bit_count()
    if area > 10:
        return None
    return with_blocks(turn.layout, {cell: area + 1 - ground.heights[cell]})


def too_many(turn, rng):
    """More blocks than the fullest stack and a card bring."""
    state, layout = turn.state, turn.layout
    most = max(state.stacks[state.seat], default=0) - state.placed + 1
    while sum(layout.heights) - state.ground.blocks <= max(most, 0):
        room = [cell for cell in cells(survey(layout.heights).room) if cell in free_of(layout)]
        if not room:
            return None
        layout = with_blocks(layout, {rng.choice(room): 1})
    return layout


def blocks_gone(turn, rng):
    """Two columns lower than before: one card a turn moves one block."""
    before = turn.state.ground.heights
    columns = [cell for cell in range(64) if before[cell] and turn.layout.heights[cell]]
    one, other = rng.sample(columns, 2)
    heights = bytearray(turn.layout.heights)
    heights[one], heights[other] = before[one] - 1, before[other] - 1
    return replace(turn.layout, heights=bytes(heights))


def joined(turn, rng):
    """Two castles on which others stand have grown together."""
    held = sum(1 << cell for _, cell in others(turn)) | 1 << turn.state.king
    ground = survey(turn.layout.heights)
    standing = [castle for castle in ground.castles if castle & held]
    bridges = []
    for cell in free_of(turn.layout):
        touched = [castle for castle in standing if castle & NEXT[cell] and not ground.heights[cell]]
        if len(touched) > 1:
            bridges.append(cell)
    return with_blocks(turn.layout, {rng.choice(bridges): 1}) if bridges else None


def on_top(turn, rng):
    """A block under somebody else's knight."""
    _, cell = rng.choice(others(turn))
    return with_blocks(turn.layout, {cell: 1}) if turn.layout.heights[cell] < 12 else None


def on_another(turn, rng):
    """Two pieces on one space."""
    seat, (_, cell) = turn.state.seat, rng.choice(others(turn))
    own = turn.layout.knights[seat]
    return with_knights(turn.layout, seat, own & (own - 1) | 1 << cell)


def teleported(turn, rng):
    """A knight where no way of so many action points leads, in a turn in which a card was played before."""
    state = turn.state
    seat, own = state.seat, state.knights[state.seat]
    if not state.carded or not own:
        return None
    cell = rng.choice(list(cells(own)))
    standing = truth.pieces(state) - {NAMES[one] for one in cells(own)}
    reached = truth.reach(truth.board(state), standing, NAMES[cell], state.left, state.variant.descend)
    far = [one for one in cells(FULL & ~state.taken()) if NAMES[one] not in reached]
    if not far:
        return None
    return with_knights(of(state), seat, own ^ (1 << cell | 1 << rng.choice(far)))


ILLEGAL = (
    foreign_knight,
    king,
    knight_gone,
    knights_made,
    too_high,
    too_many,
    blocks_gone,
    joined,
    on_top,
    on_another,
    teleported,
)


def illegal(turn, rng):
    """(what is wrong, a board that no turn leads to)."""
    while True:
        kind = rng.choice(ILLEGAL)
        if kind is teleported:
            turn = Turn(replace(turn.state, carded=True), (), turn.layout)
        layout = kind(turn, rng)
        if layout is not None and layout != of(turn.state):
            return Turn(turn.state, turn.choices, layout), kind.__name__


def turns(first, number):
    """``number`` random turns at all tables from seed ``first`` on, some begun already: (turn, rng)."""
    made = 0
    match = first
    while True:
        for name in TABLES:
            rng = Random(match)
            for start in starts(name, match):
                turn = random_turn(start, rng)
                if rng.random() < 0.25:
                    turn = random_turn(_begun(start, rng), rng)
                yield turn, rng
                made += 1
                if made == number:
                    return
        match += 1


def _begun(start, rng):
    """Return the same turn when something has been done already."""
    here = start
    for _ in range(rng.randint(1, 3)):
        after = here
        while after is here or after.frames:
            found = BOOK.lists_at(after)
            weights = [weight(one) if one.question == "action" else 1 for one in found]
            after = BOOK.play(after, rng.choices(found, weights)[0])
            if turn_key(after) != turn_key(start):
                return here
        here = after
    return here
