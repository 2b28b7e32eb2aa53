"""Random plausible games as lists of steps, and matches opened for them."""

from functools import cache
from random import Random

import engines
from device.match.replay import Header
from engines.contract import Level, Setup
from engines.match import Match, Step
from tests.device.conftest import NAMES
from tests.engines.castles_of_tuscany import table
from tests.engines.marrakesh import lines as marrakesh
from tests.engines.tables import PLAYERS
from tests.engines.torres import walking
from tests.engines.walks import seldom_pass, walk

EVERYBODY = (*NAMES, "Severin", "Ubertino")
TORRES = {name: Header("torres", EVERYBODY[: one.seats], one) for name, one in walking.SETUPS.items()}
"""Matches of Torres for two, three and four, of each level and with each option."""
TUSCANY = {
    name: Header("castles_of_tuscany", EVERYBODY[: one.seats], one)
    for name, one in {
        "two": table.setup(2, 1, round_end="at_once", inn_may_discard="yes"),
        "three": table.setup(3, unknown=True),
        "four": table.setup(4, 2, extra_on_cards="no", all_green="yes"),
        "score": table.setup(2, level=Level.SCORE),
    }.items()
}
"""Matches of The Castles of Tuscany on the sample copy; for three, most of it is told in the match."""
MARRAKESH = {
    name: Header("marrakesh", EVERYBODY[: one.seats], one)
    for name, one in {
        "two": marrakesh.setup(2, 1, river_shared_space="yes"),
        "four": marrakesh.setup(4, oasis_exchange_goods="no"),
        "told": marrakesh.setup(2, known=False),
    }.items()
}
"""Matches of Marrakesh on the sample copy; the tiles of one are told in the match."""
FULL = Setup()
TABLE_LEVEL = Setup(level=Level.TABLE)
MUST = Setup(start=1, options=(("donazione", "must"),))
SCORE_LEVEL = Setup(level=Level.SCORE)
_SETUPS = {"full": FULL, "must": MUST, "table": TABLE_LEVEL, "score": SCORE_LEVEL}
HEADERS = {name: Header("san_gimignano", NAMES, setup) for name, setup in _SETUPS.items()}
HEADERS |= {f"torres-{name}": header for name, header in TORRES.items()}
HEADERS |= {f"tuscany-{name}": header for name, header in TUSCANY.items() if name != "three"}
HEADERS |= {f"marrakesh-{name}": header for name, header in MARRAKESH.items() if name != "four"}
"""Matches of every game, for as many as it seats, of each level."""
PLAYED = {name: header for name, header in HEADERS.items() if header.setup.level is not Level.SCORE}


@cache
def game_steps(seed: int, setup: Setup = FULL, game_id: str = "san_gimignano") -> tuple[Step, ...]:
    """The steps of one random game from set-up to its end, always the same for a seed."""
    game = engines.game(game_id)
    steps, begun = [], []
    for made in walk(game, setup, Random(seed), PLAYERS.get(game_id, seldom_pass)):
        if len(made.choices) > 1:
            steps += [Step(seat, choice.token) for seat, choice in made.choices.items()]
            continue
        ((seat, choice),) = made.choices.items()
        begun.append(choice)
        if not game.rules.pending(made.after).open:
            steps.append(Step(seat, game.notation.text(begun)))
            begun = []
    return tuple(steps)


def replayed(steps, setup: Setup = FULL, game_id: str = "san_gimignano") -> Match:
    """The match after these steps."""
    match = Match(engines.game(game_id), setup)
    for step in steps:
        match.play(step.text, step.seat)
    return match


def enter(referee, steps) -> None:
    """Send steps to a referee and wait for the disk: what is on its way is counted anew at each step."""
    for number, step in enumerate(steps):
        referee.step(step.text, seat=step.seat, channel="keys")
        if number % 8 == 7:
            assert referee.wait(30)
    assert referee.wait(30)


def say(referee, *texts) -> None:
    """Enter steps by the keys and wait for the disk."""
    for text in texts:
        referee.step(text, channel="keys")
    assert referee.wait(30)
