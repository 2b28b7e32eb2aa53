"""What a recorded match can show, by the words of its note."""

from itertools import pairwise

from engines.contract import ADJUSTMENT, Level
from engines.match import Step
from engines.torres.cards import CARDS
from engines.torres.scoring import KING


def texts(match):
    return [step.text for step in match.steps if isinstance(step, Step)]


def pairs(match):
    """(state before, step, state after) of every step."""
    for (before, after), step in zip(pairwise(match.points), match.steps, strict=True):
        yield before.state, step, after.state


def played(name):
    return lambda match: any(text.split()[0] == name for text in texts(match))


def bump_by_a_step(match):
    return any(
        step.text.startswith("S ")
        and sum(_bumps(after)) > sum(_bumps(before))
        and before.phase == after.phase
        for before, step, after in pairs(match)
        if isinstance(step, Step)
    )


def _bumps(state):
    return [sum(line.bumps for line in lines) for lines in state.lines]


def two_bonuses(match):
    return any(
        sum(lines[phase].king == KING[phase + 1] for lines in match.state.lines) > 1 for phase in range(3)
    )


def down_to_six(match):
    """A castle vanished by a Move block, and six were left."""
    return any(
        step.text.startswith("move ") and len(before.ground.castles) == 7 and len(after.ground.castles) == 6
        for before, step, after in pairs(match)
        if isinstance(step, Step)
    )


def through_a_door(match):
    """A knight moved to a space that no walk of so many points reaches."""
    from tests.engines.torres import truth

    for before, step, _ in pairs(match):
        if isinstance(step, Step) and step.text.startswith("M "):
            here, target = step.text[2:].split("-")
            heights, held = truth.board(before), truth.pieces(before)
            if target in truth.doors(heights, here) and target not in truth.beside(here) - held:
                return True
    return False


SHOWS = {
    **{f"{name} played": played(name) for name in CARDS},
    "a bump by a score step": bump_by_a_step,
    "two king's bonuses at once": two_bonuses,
    "down to six castles": down_to_six,
    "through a door": through_a_door,
    "two players": lambda match: match.setup.seats == 2,
    "three players": lambda match: match.setup.seats == 3,
    "four players": lambda match: match.setup.seats == 4,
    "stacks sorted by hand": lambda match: any(text.startswith("end ") for text in texts(match)),
    "the king moves": lambda match: any(
        before.phase < after.phase and step.text != "K stay" and before.king != after.king
        for before, step, after in pairs(match)
        if isinstance(step, Step)
    ),
    "the last player chooses who starts": lambda match: any(
        text.startswith("first ") for text in texts(match)
    ),
    "castles founded by the players": lambda match: any(text.startswith("F ") for text in texts(match)),
    "master cards": lambda match: any(line.cards for lines in match.state.lines for line in lines),
    "no play followed": lambda match: match.setup.level is Level.SCORE,
    "an overruled step": lambda match: any(isinstance(s, Step) and s.waived for s in match.steps),
    "points by hand": lambda match: any(
        booking.category == ADJUSTMENT for booking in match.game.scoring.bookings(match.state)
    ),
}


def shown(match):
    """Everything that a match shows."""
    return [what for what, shows in SHOWS.items() if shows(match)]


def turns(match):
    """How many turns were played."""
    return len({(p.state.phase, p.state.round, p.state.seat) for p in match.points if not p.state.frames})
