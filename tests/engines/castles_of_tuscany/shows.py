"""What a recorded match can show, by the words of its note."""

from itertools import pairwise

from engines import bags
from engines.castles_of_tuscany.kinds import CASTLE, KINDS, WILD
from engines.castles_of_tuscany.scoring import bookings
from engines.contract import Level

FOLLOWS = ("neutral", "refill", "bonus")
"""What is told in the middle of a chain."""


def pairs(match):
    """(state before, words, state after) of every step."""
    for (before, after), step in zip(pairwise(match.points), match.steps, strict=True):
        yield before.state, step.text.split(), after.state


def played(shows):
    """Whether some step shows it, of its state before, its words and its state after."""
    return lambda match: any(shows(*one) for one in pairs(match))


def scored(category, points=None):
    """Whether something was booked so."""
    return lambda match: any(
        one.category == category and points in (None, one.points) for one in bookings(match.state)
    )


def asked(state):
    """The question on top of what has been begun, empty for none."""
    return state.frames[-1].question if state.frames else ""


def chains(match):
    """By action the answers to what its tiles do: ``pick``, ``square``, ``yield``, ``wild``."""
    found = [[]]
    for before, words, _ in pairs(match):
        if not before.frames:
            found.append([])
        elif words[0] not in (*FOLLOWS, "first", "show", "print"):
            found[-1].append("none" if words[1:] == ["none"] else words[0])
    return found


def three_effects(match):
    """A castle takes a tile, and what that tile does gives something that works as well."""
    return any("pick" in chain[:-1] for chain in chains(match))


def again(before, words, after):
    """Neutral tiles that came up for five alike make five alike themselves (CT-3.6)."""
    return words[0] == "neutral" and before.frames[-1].n == 1 and asked(after) == "neutral"


def reshuffled(before, words, after):
    """The discards became the deck (CT-3.3)."""
    return bool(before.discards) and bags.total(after.discards) < bags.total(before.discards)


def fits_nobody(state, *_):
    """A tile lies open whose colour has no empty space in any region."""
    if state.frames:
        return False
    grounds = [state.known_region(seat) for seat in range(state.variant.seats)]
    empty = [set(_empty(land, side)) for land, side in zip(grounds, state.sides, strict=True) if land]
    return any(not any(tile[0] in kinds for kinds in empty) for tile in state.display)


def _empty(land, side):
    return (kind for space, kind in enumerate(land.kinds) if not side.filled >> space & 1)


def inn_at_full_storage(before, words, after):
    """2 VP instead of a wild hex, with the storage full (CT-5.3)."""
    gains = before.own.gains, after.sides[before.seat].gains
    full = len(before.own.stored) >= before.own.places()
    return full and len(gains[0]) < len(gains[1]) and gains[1][-1].category == "inns"


def side(number):
    """Whether a colour bonus was taken from this side of its tile (CT-4.2)."""
    return lambda before, _, after: any(
        (was, now) == (number - 1, number) for was, now in zip(before.taken, after.taken, strict=True)
    )


def marble(left):
    """Whether one was returned with so many actions left."""
    return played(lambda before, words, _: words == ["marble"] and before.left == left)


def paid(unit):
    """Whether part of a price was paid so, ``unit`` of its letters."""
    return played(lambda _, words, __: words[0] == "P" and any(map(unit, words[2:])))


def own_piles_empty(before, words, after):
    return words[0] == "T" and not any(before.own.piles) and len(after.display) < len(before.display)


def placed(before, after):
    """The spaces that were filled."""
    return after.sides[before.seat].filled & ~before.own.filled


def wild_placed(before, words, after):
    return words[0] == "P" and after.sides[before.seat].wild != before.own.wild


def several_farm_kinds(before, words, after):
    shown = [kinds for space, kinds in after.sides[before.seat].shown if placed(before, after) >> space & 1]
    return any(len(kinds) > 1 for kinds in shown)


def castle_by_a_castle(before, words, after):
    """A castle's pick is a castle, which picks again."""
    return words[0] == "pick" and any(
        before.known_region(before.seat).kinds[space] == CASTLE
        for space in range(30)
        if placed(before, after) >> space & 1
    )


SHOWS = {
    "two players": lambda match: match.setup.seats == 2,
    "three players": lambda match: match.setup.seats == 3,
    "four players": lambda match: match.setup.seats == 4,
    "no play followed": lambda match: match.setup.level is Level.SCORE,
    "a chain of three effects": three_effects,
    "a castle takes a castle": played(castle_by_a_castle),
    "a castle's tile declined": lambda match: any("none" in chain for chain in chains(match)),
    "five alike": played(lambda before, words, after: words[0] == "refill" and asked(after) == "neutral"),
    "five alike twice": played(again),
    "a marble before the action": marble(1),
    "a marble after the action": marble(0),
    "region cards reshuffled": played(reshuffled),
    "a take with empty piles": played(own_piles_empty),
    "a tile that fits nobody": played(fits_nobody),
    "a stored tile leaves": played(lambda _, words, __: words[0] == "T" and ">" in words),
    "which of several tiles": played(
        lambda _, words, __: len(words) > (4 if words[0] == "P" else 2) and words[0] in ("P", "pick")
    ),
    "a worker paid": paid(lambda unit: unit == WILD),
    "a pair paid": paid(lambda unit: len(unit) == 2 and unit[0] == unit[1] and unit[0] in KINDS),
    "a wild hex placed": played(wild_placed),
    "an inn at full storage": played(inn_at_full_storage),
    "a tile leaves for a wild hex": played(lambda _, words, __: words[0] == "wild" and words[1] != "points"),
    "a colour bonus": played(side(1)),
    "the other side of a colour bonus": played(side(2)),
    "several farm kinds on a tile": played(several_farm_kinds),
    "a board told": played(lambda _, words, __: words[0] == "print"),
    "bonus values told": played(lambda _, words, __: words[0] == "bonus"),
}


def shown(match):
    """Everything that a match shows."""
    return [what for what, shows in SHOWS.items() if shows(match)]


def turns(match):
    """How many turns were played: actions but for those that a marble gave."""
    words = [words for before, words, _ in pairs(match) if not before.frames]
    return sum(one[0] in "DTP" for one in words) - words.count(["marble"])
