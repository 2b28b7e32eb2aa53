"""What stood on the table when a reading was made, by what people played: the truth behind its picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from device.facts import Sizes
from device.match import Kind, Replay
from device.sensors.messages import Expected
from engines.contract import Multiset, Report
from engines.errors import EngineError
from engines.match import Step
from engines.observation import read


class Shown(NamedTuple):
    """What a reading of a sight or an answer, ``what``, was ``expected`` to find, and what was there."""

    what: str
    expected: Expected
    layout: str


def shown(replay: Replay, record: int, sizes: Sizes) -> Shown:
    """Return what a match says of its reading with that number: what lay there is how that place looks once
    it looks otherwise than before the reading, or as before if it never does.

    ``sizes`` are the copy's. Raises EngineError for a record that is no reading, or an answer never given.
    """
    if not (0 < record <= len(replay.log) and replay.log[record - 1].kind is Kind.READING):
        raise EngineError(f"record {record} is no reading")
    what = read(replay.log[record - 1].payload).what
    match, game = replay.first(record - 1).match, replay.game
    pending = match.pending
    domain = pending.domain if isinstance(pending, Report) else None
    expected = Expected(
        "kept",
        len(match.steps),
        replay.header.game,
        game.position.write(match.state),
        sizes.cell_mm or 0.0,
        sizes.block_mm or (0.0, 0.0, 0.0),
        facts=replay.header.setup.facts,
        question=pending.question if isinstance(pending, Report) else "",
        domain=domain if isinstance(domain, Multiset) else None,
    )
    lines = zip(replay.history, replay.match.points[1:], strict=True)
    later = [(line.made, point) for line, point in lines if line.seq > record]
    sight = game.in_sight(match.state).get(what)
    if sight is None:
        answer = next((made.text for made, _ in later if isinstance(made, Step)), "")
        if not answer:
            raise EngineError(f"record {record}: {what} was never answered")
        return Shown(what, expected, answer)
    now = sight.of(match.state)
    layouts = (sight.of(point.state) for _, point in later)
    return Shown(what, expected, sight.written(next((one for one in layouts if one != now), now)))


def readings_before(replay: Replay, record: int, what: str) -> Iterator[int]:
    """Yield the numbers of earlier readings of the same, the latest first."""
    for one in reversed(replay.log[: record - 1]):
        if one.kind is Kind.READING and one.payload.startswith(f"{what} "):
            yield one.seq
