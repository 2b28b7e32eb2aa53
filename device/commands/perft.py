"""`podesta perft GAME`: the number of ways to make so many choices, in the referee's knowledge.

The figure shows whether two versions of the rules allow the same.
"""

from __future__ import annotations

import engines
from device.commands import Options, command, read_facts, take
from device.texts import Texts
from engines import search
from engines.contract import Setup
from engines.facts import is_sample


@command(
    take.game,
    take.option("--depth N", "how many choices", type=take.whole(1, 99), required=True),
    take.option("--position TEXT", "where to count from (default: the start)", default=""),
    take.copy,
    take.option("--divide", "split the count by the first choice"),
)
def run(options: Options) -> None:
    """Print the count; raises BadPosition, and CommandError for a faulty copy's file."""
    game = engines.game(options.game)
    at, facts = options.position, read_facts(options.game, options.copy)
    state = game.position.read(at, facts) if at else game.rules.start(Setup(game.seats[0], facts=facts))
    if options.divide:
        counts = search.divide(game, state, options.depth)
        for token, count in counts.items():
            print(f"{token}: {count}")
        print(f"total: {sum(counts.values())}")
    else:
        print(search.perft(game, state, options.depth))
    if is_sample(facts):
        print(Texts.load("en")("facts.sample_match"))
