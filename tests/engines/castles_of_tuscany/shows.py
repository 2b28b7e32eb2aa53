"""Chains in a recorded match: what its tiles set off."""

FOLLOWS = ("neutral", "refill", "bonus")
"""What is told in the middle of a chain."""


def chains(match):
    """By action the answers to what its tiles do: ``pick``, ``square``, ``yield``, ``wild``."""
    found = [[]]
    for point, step in zip(match.points, match.steps, strict=False):
        words = step.text.split()
        if not point.state.frames:
            found.append([])
        elif words[0] not in (*FOLLOWS, "first", "show", "print"):
            found[-1].append("none" if words[1:] == ["none"] else words[0])
    return found
