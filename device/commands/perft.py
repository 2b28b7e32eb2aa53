"""`podesta perft GAME`: how many ways there are to make so many choices, in the referee's knowledge.

The figure tells whether what is legal has changed: two versions of the rules are compared by it.
"""

from __future__ import annotations

import argparse

import engines
from device.commands import add_copy, add_game, facts_of, whole
from device.texts import Texts
from engines import search
from engines.contract import Setup
from engines.facts import is_sample


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    add_game(parser)
    parser.add_argument("--depth", metavar="N", type=whole(1, 99), required=True, help="how many choices")
    parser.add_argument(
        "--position", metavar="TEXT", default="", help="where to count from (default: the start)"
    )
    add_copy(parser)
    parser.add_argument("--divide", action="store_true", help="split the count by the first choice")


def run(options: argparse.Namespace) -> None:
    """Print how many positions there are; raises BadPosition, and CommandError for a copy's file."""
    game = engines.game(options.game)
    at, facts = options.position, facts_of(options.game, options.copy)
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
