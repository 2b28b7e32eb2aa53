"""A rules engine for four modern board games that gives its reasons: the library behind the box.

>>> import podesta
>>> match = podesta.new("torres", seats=2, seed=7)
>>> match.play("E d1")
>>> match.why_not("E d1")
'Seat 1 stands there: d1. TO-2.3'

:func:`new` plays in a world sampled from its seed: what would be drawn or revealed at a table comes from
there. :func:`follow` keeps the score of a real table, which reports. :func:`load` reads a recorded match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

import engines
from engines import match as matches
from engines import matchfile, notation, search
from engines.board import Board
from engines.contract import SEATS, Choice, Decide, Level, Over, Report, Setup, totals, winners
from engines.errors import EngineError, did_you_mean
from engines.errors import Refused as Unworded
from engines.facts import is_sample, playable, schema
from engines.remedies import Attempt
from engines.texts import Texts
from engines.words import Words

__all__ = ["GAMES", "Error", "Match", "Refused", "Turn", "follow", "load", "new"]

GAMES: Final = engines.GAMES
"""What :func:`new` and :func:`follow` know by name; those of other packages come beside them."""

Error = EngineError
"""Whatever is wrong with a game's name, a set-up, a step or a file; its message is one line."""


class Refused(Error):
    """A step that the rules forbid. Its message is the reason, the remedy and the clause.

    ``clause`` is what :meth:`Match.play` takes as ``waive`` where people let it stand, ``figures`` are what
    the reason names.
    """

    def __init__(self, sentence: str, clause: str, figures: Mapping[str, int | str]) -> None:
        super().__init__(sentence)
        self.clause, self.figures = clause, dict(figures)


class Turn(msgspec.Struct, frozen=True):
    """One step of a recorded match: its ``number`` from 1, whose it is (``seat`` and ``name``, "" for the
    table), its notation, what it does in words, and every seat's points after it.
    """

    number: int
    seat: int | None
    name: str
    text: str
    said: str
    points: tuple[int, ...]


class _Before(msgspec.Struct, frozen=True):
    """What a decision is taken back to: how many steps there were, and the world."""

    steps: int
    world: Any


class Match:
    """A match in memory: :meth:`legal` steps, :meth:`play`, :meth:`why_not`, :meth:`score`, :meth:`undo`.

    ``print`` shows the table as everybody sees it. ``rules`` is the engine below, for those who want states.
    """

    def __init__(self, rules: matches.Match, names: Sequence[str], seed: int | None = None) -> None:
        """``seed`` draws the world that answers for the table; None where the table is real."""
        self.rules = rules
        self.names = tuple(names)
        self._words = Words(Texts.load("en", self.game), rules.game, self.names, rules.setup.facts)
        self._seed = seed
        self._past: list[_Before] = []
        self._world: Any = None
        if seed is not None:
            self._world = rules.game.worlds.sample(rules.state, Random(f"{seed} world"))
            self._report()

    @property
    def game(self) -> str:
        """The game's id."""
        return self.rules.game.id

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.rules.state.termination)

    @property
    def sample(self) -> bool:
        """Whether the copy it is played with is made up, since nobody told what theirs has printed."""
        return is_sample(self.rules.setup.facts)

    @property
    def to_move(self) -> int | None:
        """The seat that decides, from 0; of several that choose unseen the first that has not.

        None at the end and where the table is to report.
        """
        pending = self.rules.pending
        return pending.seats[0] if isinstance(pending, Decide) else None

    @property
    def question(self) -> str:
        """What is asked now, in words."""
        return self._words.prompt(self.rules.pending)

    def legal(self) -> list[str]:
        """The steps that :attr:`to_move` may make, as text; of a report of a real table what may be said.

        Only what the world's pieces allow, where there is one. Empty at the end, and where answers are too
        many to list, as of a real tower's tray.
        """
        if self.over:
            return []
        state = self.rules.state
        return [self.rules.game.notation.text(choices) for choices in self._whole(state, self._world, ())]

    def _whole(self, state: Any, world: Any, begun: tuple[Choice, ...]) -> Iterator[tuple[Choice, ...]]:
        """Each whole step that goes on from choices made."""
        game, sealed = self.rules.game, self._together()
        for choice in self._choices(state, world):
            made = (*begun, choice)
            after = None if sealed else game.rules.apply(state, choice)
            if sealed or not game.rules.pending(after).open:
                yield made
                continue
            there = world
            if self._seed is not None:
                there = game.worlds.advance(world, state, choice, self._chance())
            yield from self._whole(after, there, made)

    def pick(self, chance: Random) -> str:
        """One of the legal steps, drawn choice by choice: where :meth:`legal` is long, far sooner.

        Raises :class:`Error` where there is none.
        """
        pending = self.rules.pending
        if isinstance(pending, Over) or not (isinstance(pending, Decide) or pending.domain.listed):
            raise Error(f"nothing to pick from: {self.question}")
        game, state, world, made = self.rules.game, self.rules.state, self._world, list[Choice]()
        while not made or (not self._together() and game.rules.pending(state).open):
            made.append(chance.choice(self._choices(state, world)))
            if self._seed is not None:
                world = game.worlds.advance(world, state, made[-1], self._chance())
            if not self._together():
                state = game.rules.apply(state, made[-1])
        return game.notation.text(made)

    def _choices(self, state: Any, world: Any) -> list[Choice]:
        seat, game = self.to_move, self.rules.game
        if self._seed is None or seat is None:
            return list(game.rules.legal(state, seat))
        return search.true_choices(game, world, state, seat, self._chance())

    def _together(self) -> bool:
        """Whether several seats choose now, unseen by each other."""
        asked = self.rules.game.rules.pending(self.rules.state)
        return isinstance(asked, Decide) and len(asked.seats) > 1

    def _chance(self) -> Random:
        """What is drawn next: the same after the same steps, also once some were taken back."""
        return Random(f"{self._seed} {len(self.rules.steps)}")

    def play(self, step: str, seat: int | None = None, waive: str = "") -> None:
        """Make a step; what the table then reports follows by itself, where there is a world.

        ``seat`` is needed by nobody but who chooses unseen out of turn. ``waive`` is a clause that people
        overrule: the step stands although it forbids it. Raises :class:`Refused` with the reason, another
        :class:`Error` for a text that is no step, and changes nothing then.
        """
        try:
            read = self.rules.read(step, seat, (waive,) if waive else ())
        except Unworded as error:
            raise self._refused(error, seat) from error
        world = self._after(read, step)
        self._past.append(_Before(len(self.rules.steps), self._world))
        self.rules.add(read)
        self._world = world
        self._report()

    def _after(self, read: matches.Read, step: str) -> Any:
        """The world after a step; raises :class:`Error` for what its pieces do not allow."""
        world, game, seat = self._world, self.rules.game, read.step.seat
        if self._seed is None:
            return world
        made = notation.walk(game, self.rules.state, read.choices, seat, read.step.waived)
        for state, choice in made:
            if seat is not None and not read.step.waived and not game.worlds.true(world, state, choice, seat):
                raise Error(f"{step!r}: {self.names[seat]} does not have what that takes")
            world = game.worlds.advance(world, state, choice, self._chance())
        return world

    def _report(self) -> None:
        """Let the world answer what the table is asked."""
        game = self.rules.game
        while self._seed is not None and isinstance(self.rules.pending, Report):
            state, choices, chance = self.rules.state, list[Choice](), self._chance()
            while not choices or game.rules.pending(state).open:
                choices.append(game.worlds.answer(self._world, state, chance))
                self._world = game.worlds.advance(self._world, state, choices[-1], chance)
                state = game.rules.apply(state, choices[-1])
            self.rules.play(game.notation.text(choices))

    def why_not(self, step: str, seat: int | None = None) -> str:
        """Why a step cannot be made: the reason with its figures, what would do instead, and the clause; or
        what is wrong with the text. Empty where it can be.
        """
        try:
            read = self.rules.read(step, seat)
            self._after(read, step)
        except Unworded as error:
            return str(self._refused(error, seat))
        except Error as error:
            return str(error)
        return ""

    def _refused(self, error: Unworded, seat: int | None) -> Refused:
        *begun, choice = error.choices
        actor = self.to_move if seat is None else seat
        attempt = Attempt(self.rules, begun, choice, error.refusal, actor)
        told = [self._words.refusal(error.refusal), self._words.remedy(attempt), error.refusal.clause]
        return Refused(" ".join(filter(None, told)), error.refusal.clause, dict(error.refusal.figures))

    def undo(self) -> None:
        """Take back the last decision and what was reported after it; raises :class:`Error` for none."""
        if not self._past:
            raise Error("nothing is left to take back")
        before = self._past.pop()
        self.rules.cut(before.steps)
        self._world = before.world

    def score(self) -> dict[str, int]:
        """Each player's points if the match ended now."""
        points = totals(self.rules.game.scoring.bookings(self.rules.state), len(self.names))
        return dict(zip(self.names, points, strict=True))

    def winners(self) -> list[str]:
        """Who would win if the match ended now; several share it."""
        return [self.names[seat] for seat in winners(self.rules.game, self.rules.state)]

    def copy(self, seed: int | None = None) -> Match:
        """A match of its own that goes on from here; with a ``seed`` in another world, drawn from all that
        agree with what is known.
        """
        other = copy(self)
        other.rules = self.rules.branch(len(self.rules.steps))
        other._past = list(self._past)
        if seed is not None:
            other._seed = seed
            other._world = self.rules.game.worlds.sample(self.rules.state, Random(f"{seed} world"))
        return other

    def playout(self, chance: Random) -> tuple[int, ...]:
        """Play on at random to the end, in a world drawn from all that agree with what is known; every seat's
        points. The match itself stays where it is.
        """
        walk = search.playout(self.rules.game, self.rules.state, chance)
        while True:
            try:
                next(walk)
            except StopIteration as end:
                return tuple(totals(self.rules.game.scoring.bookings(end.value), len(self.names)))

    def seen_by(self, seat: int) -> str:
        """The table as that player sees it, own hidden pieces last; raises :class:`Error` for no seat."""
        if not 0 <= seat < len(self.names):
            raise Error(f"no seat {seat}: they are 0 to {len(self.names) - 1}")
        held = "" if self._seed is None else self.rules.game.worlds.held(self._world, self.rules.state, seat)
        return "\n".join(filter(None, (str(self), held and f"{self.names[seat]} holds {held}")))

    def __str__(self) -> str:
        """The table as everybody sees it: boards, what lies beside them, scores, and what is asked."""
        game, state = self.rules.game, self.rules.state
        layouts = [(sight, sight.of(state)) for sight in game.in_sight(state).values()]
        boards = [board for sight, layout in layouts if (board := sight.board(layout)) is not None]
        points = ", ".join(f"{name} {points}" for name, points in self.score().items())
        pending = self.rules.pending
        who = "" if isinstance(pending, Over) else f"{self._words.actor(pending)}: "
        sample = " (a made-up copy)" if self.sample else ""
        return "\n".join(
            [
                f"{game.title}{sample}",
                *map(_drawn, boards),
                *self._words.lies(game.telling.zones(state)),
                points,
                f"{who}{self.question}",
            ]
        )

    def __repr__(self) -> str:
        """What it is, in a line."""
        return f"<podesta.Match {self.game}: {len(self.rules.steps)} steps, {self.score()}>"

    def __iter__(self) -> Iterator[Turn]:
        """Every step that was made, with the points after it."""
        game = self.rules.game
        for at, made in enumerate(self.rules.steps):
            points = totals(game.scoring.bookings(self.rules.points[at + 1].state), len(self.names))
            name = "" if made.seat is None else self.names[made.seat]
            text = made.text if isinstance(made, matches.Step | matches.Adjustment) else " ".join(made.words)
            yield Turn(at + 1, made.seat, name, text, self._words.made(self.rules, at), tuple(points))


def _drawn(board: Board) -> str:
    """A board in text: a row a line, ``.`` for an empty cell; heights, and pieces behind them."""
    width = 3 if max((cell.height for cell in board.cells if cell), default=0) > 9 else 2
    rows = [" " * 2 + "".join(f" {chr(ord('a') + at):{width}}" for at in range(board.columns)).rstrip()]
    for row in range(board.rows):
        places = range(row * board.columns, (row + 1) * board.columns)
        half = " " if board.halves(places[0]) % 2 else ""
        signs = []
        for cell in (board.cells[place] for place in places):
            mark = "" if cell is None else f"{cell.height or ''}{cell.piece}" or cell.ground or "."
            signs.append(f" {mark:{width}}")
        rows.append(f"{row + 1} {half}{''.join(signs)}".rstrip())
    return "\n".join(rows)


def new(game: str, seats: int = 2, seed: int = 0, names: Sequence[str] = (), **options: str) -> Match:
    """Begin a match in a world drawn by ``seed``: it deals, draws and reveals what a table would.

    A copy's facts that the game cannot be played without are made up, which is marked. ``options`` are the
    game's, as ``podesta rules GAME`` lists them, and ``level``. Raises :class:`Error`.
    """
    return Match(_begun(game, seats, options), _named(names, seats), seed)


def follow(game: str, seats: int = 2, names: Sequence[str] = (), **options: str) -> Match:
    """Begin to follow a match at a real table: what is drawn or revealed there is played as a step."""
    return Match(_begun(game, seats, options), _named(names, seats))


def _begun(game: str, seats: int, options: Mapping[str, str]) -> matches.Match:
    level = next((level for level in Level if level.value == options.get("level", Level.FULL.value)), None)
    if level is None:
        raise Error(f"no level {options['level']!r}{did_you_mean(options['level'], list(Level))}")
    chosen = tuple(sorted((name, value) for name, value in options.items() if name != "level"))
    setup = Setup(seats=seats, options=chosen, level=level)
    return matches.Match(engines.game(game), playable(schema(game), setup))


def _named(names: Sequence[str], seats: int) -> tuple[str, ...]:
    if len(names) not in (0, seats):
        raise Error(f"{len(names)} names for {seats} seats")
    return tuple(names) or tuple(f"Seat {SEATS[seat]}" for seat in range(seats))


def load(path: str | Path) -> Match:
    """Read a recorded match: a journal of the box (``.podesta``) or a match file; a loop over it gives its
    steps as :class:`Turn`. Raises :class:`Error` for a broken match file, OSError.
    """
    path = Path(path)
    if path.suffix == ".podesta":
        from device.match import Replay, read  # noqa: PLC0415 – the box's journals are read by the box's code

        journal = read(path)
        replay = Replay(journal.header, journal.records)
        return Match(replay.match, replay.names)
    file = matchfile.read(path.read_text("utf-8"), path.name)
    return Match(matchfile.play(file), file.names)
