"""Somebody at a line of a simulated box who plays a match at random and tells what the table shows."""

from __future__ import annotations

import os
import select
import time
import tty
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from device.line import FrameReader, LineFrame, encode
from engines.contract import SEATS, Choice, Decide, Game, Multiset, Over, Report, Setup
from engines.search import true_choices

PATIENCE_S = 30.0
"""A box that has not answered for so long will not."""


class NodePlayer:
    """A node at the far end of a simulated line."""

    def __init__(self, port: Path, name: str) -> None:
        """Plug it in and say hello; raises TimeoutError where nobody answers."""
        self.events: list[str] = []
        self._file = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._file)
        self._reader = FrameReader()
        self._number = 0
        self.do(f"hello {name} 1 step,watch,open,key")

    def do(self, said: str) -> str:
        """Say a line and return its answer; raises TimeoutError, and RuntimeError if the box says no."""
        self._number += 1
        kind, _, args = said.partition(" ")
        os.write(self._file, encode(self._number, kind, args))
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for frame in self._heard(0.05):
                words = frame.args.split()
                answers = f"re={self._number}" in words or words[:1] == [str(self._number)]
                if frame.kind == "err" and answers:
                    raise RuntimeError(f"{said}: {frame.args}")
                if answers:
                    return f"{frame.kind} {frame.args}"
        raise TimeoutError(f"{said}: no answer within {PATIENCE_S:g} s")

    def event(self, seconds: float) -> str | None:
        """Return the next event that was not looked at yet; None if none comes in time."""
        end = time.monotonic() + seconds
        while not self.events and (left := end - time.monotonic()) > 0:
            for _ in self._heard(left):
                pass
        return self.events.pop(0) if self.events else None

    def close(self) -> None:
        """Leave the line."""
        os.close(self._file)

    def _heard(self, seconds: float) -> Iterator[LineFrame]:
        """Return the box's next answer within a while; keep events apart."""
        if not select.select([self._file], [], [], seconds)[0]:
            return
        for item in self._reader.feed(os.read(self._file, 4096)):
            if isinstance(item, LineFrame) and item.kind == "event":
                self.events.append(item.args)
            elif isinstance(item, LineFrame):
                yield item


class RandomMatch:
    """A match played at random, as far as a question that the table is asked."""

    def __init__(self, game: Game[Any, Any], setup: Setup, rng: Random) -> None:
        """Start a match."""
        self._game, self._rng = game, rng
        self._state = game.rules.start(setup)
        self._world = game.worlds.sample(self._state, rng)

    def on(self, question: str) -> Iterator[str]:
        """Play on until the table is asked that, or to the end: a line of the protocol for each step."""
        begun: list[Choice] = []
        while not isinstance(pending := self._game.rules.pending(self._state), Over):
            if pending.question == question:
                return
            if isinstance(pending, Report):
                answer = self._game.worlds.answer(self._world, self._state, self._rng)
                yield from self._make([(None, answer)], begun)
            elif isinstance(pending, Decide):
                yield from self._make([(seat, self._chosen(seat)) for seat in pending.seats], begun)

    def _chosen(self, seat: int) -> Choice:
        return self._rng.choice(true_choices(self._game, self._world, self._state, seat, self._rng))

    @property
    def asked(self) -> Multiset | None:
        """Return the question that the table is asked, None at the end."""
        pending = self._game.rules.pending(self._state)
        return (
            pending.domain if isinstance(pending, Report) and isinstance(pending.domain, Multiset) else None
        )

    def tell(self, token: str) -> str:
        """Answer the table's question; return the line that does."""
        asked = self.asked
        assert asked
        (line,) = self._make([(None, Choice(asked.name, token))], [])
        return line

    def _make(self, made: Sequence[tuple[int | None, Choice]], begun: list[Choice]) -> Iterator[str]:
        """Make a choice, or the sealed ones of several seats; return the lines of steps now whole."""
        rules = self._game.rules
        for _, choice in made:
            self._world = self._game.worlds.advance(self._world, self._state, choice, self._rng)
        if len(made) > 1:
            self._state = rules.reveal(self._state, [choice for _, choice in made])
            for seat, choice in made:
                yield _line(seat, self._game.notation.text([choice]))
            return
        ((seat, choice),) = made
        self._state = rules.apply(self._state, choice)
        begun.append(choice)
        if not rules.pending(self._state).open:
            yield _line(seat, self._game.notation.text(begun))
            begun.clear()


def _line(seat: int | None, text: str) -> str:
    return f"step {text}" if seat is None else f"step {SEATS[seat]}: {text}"
