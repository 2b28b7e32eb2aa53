"""The tables that random matches are walked at, and a player who does everything."""

from engines.contract import Level, Setup

MASTER = (("master", "yes"),)
SETUPS = {
    "two": Setup(),
    "three": Setup(seats=3, start=1),
    "four": Setup(seats=4, start=3, options=(("doors", "descend"), ("next_start", "last_chooses"))),
    "master": Setup(seats=3, options=(*MASTER, ("master_cards", "yes"), ("scoring_order", "leader_first"))),
    "score": Setup(seats=4, start=2, level=Level.SCORE),
}


def busy(game, state, world, seat, true, rng):
    """Blocks would crowd out all else; the other actions come as often, and the turn seldom ends early."""
    others = [choice for choice in true if choice.token[0] != "B" and choice.token not in ("end", "stacks")]
    if true[0].question == "action" and others and rng.random() < 0.6:
        return rng.choice(others)
    longer = [choice for choice in true if choice.token != "end"]
    return rng.choice(longer if longer and rng.random() < 0.9 else true)
