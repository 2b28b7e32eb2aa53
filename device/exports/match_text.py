"""A match as a match file: what counts as steps, what was ruled as remarks beside them.

A choice that is still sealed is left out, and said to be. A match file separates the players by commas: a
name with one in it loses it, and a remark keeps the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from device.exports.account import Account, Ruled
from engines import matchfile
from engines.match import Made
from engines.matchfile import MatchFile
from engines.texts import plain


def write(account: Account) -> str:
    """Return the text of a match file: :func:`engines.matchfile.read` reads it back as the account."""
    header = account.header
    names = tuple(_name(name, seat) for seat, name in enumerate(header.names))
    steps = tuple(account.match.steps)
    file = MatchFile(
        game=header.game,
        rules_version=account.rules_version,
        names=names,
        setup=header.setup,
        steps=steps,
        simulated=account.simulated,
        note=account.note,
        result=matchfile.result(account.match),
    )
    head, _, _ = matchfile.write(file).partition("\n\n")
    lines = [head, "", *(_remark(text) for text in _renamed(account, names)), *_body(account, steps)]
    return "\n".join(lines) + "\n"


def _body(account: Account, steps: tuple[Made, ...]) -> Iterator[str]:
    rulings = list(account.rulings)
    number = 0
    for row in account.rows:
        while rulings and rulings[0].number <= row.number:
            yield _ruling(rulings.pop(0))
        if row.sealed:
            yield _remark(f"record {row.number}: a sealed choice {row.text}")
            continue
        number += 1
        yield f"{number} {matchfile.line(steps[number - 1])}"
    yield from map(_ruling, rulings)


def _ruling(ruled: Ruled) -> str:
    said = "a ruling about a sealed choice" if ruled.ruling is None else str(ruled.ruling)
    said += f", about {ruled.what!r}" if ruled.what else ""
    said += f", agreed by {ruled.by}" if ruled.by else ""
    return _remark(f"record {ruled.number}: {said}" + (", undone" if ruled.undone else ""))


def _renamed(account: Account, names: tuple[str, ...]) -> Iterator[str]:
    for letter, name, written in zip("abcd", account.header.names, names, strict=False):
        if name != written:
            yield f"seat {letter} is {name!r}"


def _name(name: str, seat: int) -> str:
    return plain(" ".join(name.replace(",", " ").split())) or "abcd"[seat]


def _remark(text: str) -> str:
    return f"# {plain(' '.join(text.split()))}"
