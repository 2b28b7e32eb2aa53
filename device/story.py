"""A match as its records tell it: the log, what of it counts, and the position that leads to.

A :class:`Story` only looks: :mod:`device.referee` writes. Both the daemon and ``podesta replay`` read a
journal through it, so a replay is the same replay everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

import engines
from device.records import Kind, Record, cancelled, effective
from device.rulings import Abandon, parse_ruling
from engines.contract import SEATS, Level, Refusal, Setup
from engines.match import Match, Step


class Header(msgspec.Struct, frozen=True):
    """What is settled when a match is opened, as the journal's header keeps it."""

    game: str
    names: tuple[str, ...]
    setup: Setup
    simulated: bool = False

    def fields(self) -> dict[str, str]:
        """The header as a journal stores it."""
        fields = {
            "game": self.game,
            "rules_version": str(engines.game(self.game).rules_version),
            "start": SEATS[self.setup.start],
            "level": self.setup.level.value,
            "position": self.setup.position,
            "simulated": "yes" if self.simulated else "no",
        }
        fields |= {f"seat.{SEATS[seat]}": name for seat, name in enumerate(self.names)}
        return fields | {f"option.{name}": value for name, value in self.setup.options}

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> Header:
        """The header that :meth:`fields` wrote; raises ValueError naming what is missing."""
        try:
            names = tuple(fields[f"seat.{seat}"] for seat in SEATS if f"seat.{seat}" in fields)
            options = tuple(
                (key.removeprefix("option."), value)
                for key, value in fields.items()
                if key.startswith("option.")
            )
            start = SEATS.index(fields["start"])
            setup = Setup(len(names), start, options, Level(fields["level"]), fields.get("position", ""))
            return cls(fields["game"], names, setup, fields.get("simulated") == "yes")
        except KeyError as error:
            raise ValueError(f"the match header lacks {error.args[0]}") from error


class Story:
    """A match read from its records. Raises what a strict replay raises, and ValueError for a bad header."""

    def __init__(self, header: Mapping[str, str], records: Sequence[Record]) -> None:
        """``header`` as :meth:`Header.fields` gives it."""
        self.header = Header.read(header)
        self.names = self.header.names
        self.game = engines.game(self.header.game)
        self.match = Match(self.game, self.header.setup)
        self.log: list[Record] = list(records)
        self.history: list[Record] = []
        """The steps and reports that count, one to each of ``match.steps``."""
        self.follow()
        self.drift = self._drift()
        """The first record whose digest differs from the replay's, 0 if none does."""

    @property
    def abandoned(self) -> bool:
        """Whether the match was given up."""
        gone = cancelled(self.log)
        return any(
            record.kind is Kind.RULING
            and record.group not in gone
            and isinstance(parse_ruling(record.payload), Abandon)
            for record in self.log
        )

    @property
    def over(self) -> bool:
        """Whether nothing more is asked."""
        return bool(self.match.state.termination) or self.abandoned

    def follow(self) -> None:
        """Bring the match to what the log adds up to, replaying only what differs."""
        self.history = effective(self.log)
        steps = [Step(record.seat, record.payload) for record in self.history]
        same = 0
        for ours, theirs in zip(self.match.steps, steps, strict=False):
            if ours != theirs:
                break
            same += 1
        self.match.cut(same)
        for step in steps[same:]:
            self.match.play(step.text, step.seat)

    def digest(self, state: Any) -> str:
        """What a record says of the state it leads to, so that a replay that drifts is noticed."""
        position = hashlib.sha256(self.game.position(state).encode()).hexdigest()[:16]
        return f"{self.game.rules_version}:{position}"

    def _drift(self) -> int:
        for record, point in zip(self.history, self.match.points[1:], strict=True):
            version = record.state_digest.partition(":")[0]
            if version == str(self.game.rules_version) and record.state_digest != self.digest(point.state):
                return record.seq
        return 0

    def shown(self, record: Record) -> str:
        """What everybody may read of a record: its payload, or nothing while it is a sealed choice.

        A sealed choice that was undone before all were revealed stays a secret for good.
        """
        if record.visibility == "public":
            return record.payload
        revealed = self.history[: len(self.history) - len(self.match.points[-1].sealed)]
        return record.payload if any(record.seq == one.seq for one in revealed) else ""

    def evidence(self, refusal: Refusal) -> list[Record]:
        """The records that a refusal by knowledge rests on."""
        return [self.history[number - 1] for number in self.match.evidence(refusal)]
