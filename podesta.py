"""A rules engine for four modern board games that gives its reasons: the library behind the box.

>>> import podesta
>>> match = podesta.new("torres", seats=2, seed=7)
>>> match.play("E d1")
>>> match.why_not("E d1")
'The castle on d1 is taken. Choose a castle without a piece. TO-1.5'

:func:`new` plays in a world sampled from its seed, which supplies everything drawn or revealed at a table.
:func:`follow` keeps the score of a real table, which reports. :func:`load` reads a recorded match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from random import Random
from typing import Any, Final, overload

import msgspec

import engines
from engines import match as matches
from engines import matchfile, notation, search
from engines.board import Board
from engines.contract import SEATS, Choice, Decide, Level, Over, Report, Setup, totals, winners
from engines.errors import EngineError, Malformed
from engines.errors import Refused as Unworded
from engines.facts import is_sample, playable, schema
from engines.plugged import games
from engines.remedies import Attempt
from engines.texts import Texts
from engines.words import Words

__all__ = ["GAMES", "Error", "Match", "Refused", "Step", "follow", "games", "load", "new"]

GAMES: Final = engines.GAMES
"""The built-in games for :func:`new` and :func:`follow`; :func:`games` names all installed ones."""

Error = EngineError
"""The error for a game's name, a set-up, a step, a seat or a file; its message is one line."""


class Refused(Error):
    """A step that the rules forbid. Its message is the reason, the remedy and the clause.

    ``clause`` is the value for ``waive`` of :meth:`Match.play` if people let the step stand; ``figures`` are
    those of the reason.
    """

    def __init__(self, sentence: str, clause: str, figures: Mapping[str, int | str]) -> None:
        super().__init__(sentence)
        self.clause, self.figures = clause, dict(figures)


class Step(msgspec.Struct, frozen=True):
    """One step of a match: its ``number`` from 1, its player (``seat`` and ``name``, None and "" for the
    table), its notation, its effect in words, and every seat's points after it.
    """

    number: int
    seat: int | None
    name: str
    text: str
    said: str
    points: tuple[int, ...]


class Match:
    """A match in memory: :meth:`legal` steps, :meth:`play`, :meth:`why_not`, :meth:`score`, :meth:`undo`.

    ``print`` shows the table as everybody sees it. ``rules`` is the engine's match, with the states.
    """

    def __init__(self, rules: matches.Match, names: Sequence[str], seed: int | None = None) -> None:
        """Take a match. ``seed`` draws the world that answers for the table; None means a real table."""
        self.rules = rules
        seats = [f"{name} ({letter})" for name, letter in zip(names, SEATS, strict=False)]
        self.names = tuple(seats if len(set(names)) < len(names) else names)
        self._words = Words(Texts.load("en", self.game), rules.game, self.names, rules.setup.facts)
        self._seed = seed
        # The number of steps and the world before each decision, for undo.
        self._past: list[tuple[int, Any]] = [(at, None) for at in range(len(rules.steps))]
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
        """True once the match has ended."""
        return bool(self.rules.state.termination)

    @property
    def sample(self) -> bool:
        """True if the facts of its copy are made up, since nobody told real ones."""
        return is_sample(self.rules.setup.facts)

    @property
    def to_move(self) -> int | None:
        """The seat that decides, from 0; of several that choose unseen, the first that has not chosen.

        None at the end, and while the table must report.
        """
        pending = self.rules.pending
        return pending.seats[0] if isinstance(pending, Decide) else None

    @property
    def question(self) -> str:
        """The pending question, in words."""
        return self._words.prompt(self.rules.pending)

    def legal(self) -> list[str]:
        """List the legal steps of :attr:`to_move` as text; for a report of a real table, its possible
        answers.

        In a sampled world, list only steps that its pieces allow. The list is empty at the end, and if there
        are too many answers to list, as for a real tower's tray.
        """
        if self.over:
            return []
        state = self.rules.state
        return [self.rules.game.notation.text(choices) for choices in self._whole(state, self._world)]

    def _whole(self, state: Any, world: Any, chance: Random | None = None) -> Iterator[tuple[Choice, ...]]:
        """Yield each whole step from here, or with ``chance`` one that is drawn."""
        game, sealed, listed = self.rules.game, self._together(), self._choices(state, world)
        for choice in [chance.choice(listed)] if chance else listed:
            after = None if sealed else game.rules.apply(state, choice)
            if sealed or not game.rules.pending(after).open:
                yield (choice,)
                continue
            there = world if self._seed is None else game.worlds.advance(world, state, choice, self._chance())
            yield from ((choice, *rest) for rest in self._whole(after, there, chance))

    def pick(self, chance: Random) -> str:
        """Draw a legal step, choice by choice: much faster than :meth:`legal` if that is long.

        Raises :class:`Error` if there is none.
        """
        pending = self.rules.pending
        if isinstance(pending, Over) or not (isinstance(pending, Decide) or pending.domain.listed):
            raise Error(f"nothing to pick from: {self.question}")
        return self.rules.game.notation.text(next(self._whole(self.rules.state, self._world, chance)))

    def _choices(self, state: Any, world: Any) -> list[Choice]:
        seat, game = self.to_move, self.rules.game
        if self._seed is None or seat is None:
            return list(game.rules.legal(state, seat))
        return search.true_choices(game, world, state, seat, self._chance())

    def _together(self) -> bool:
        """Return True if several seats choose now, unseen by each other."""
        asked = self.rules.game.rules.pending(self.rules.state)
        return isinstance(asked, Decide) and len(asked.seats) > 1

    def _chance(self) -> Random:
        """Return the next chance: the same after the same steps, even after an undo."""
        return Random(f"{self._seed} {len(self.rules.steps)}")

    def play(self, step: str, seat: int | str | None = None, waive: str = "") -> None:
        """Make a step; in a sampled world the table's reports follow by themselves.

        Only a player who chooses unseen out of turn needs ``seat``. ``waive`` is a clause that people
        overrule: the step stands although the clause forbids it. Raises :class:`Refused` with the reason,
        another :class:`Error` for an invalid step or a ``waive`` that no refusal needs; the match then stays
        unchanged.
        """
        read, world = self._read(step, seat, waive)
        if waive and not self.why_not(step, seat):
            raise Error(f"nothing forbids {step!r}: play it without waive={waive!r}")
        self._past.append((len(self), self._world))
        self.rules.add(read)
        self._world = world
        self._report()

    def _read(self, step: str, seat: int | str | None, waive: str = "") -> tuple[matches.Read, Any]:
        """Return a legal step, and the world after it; raises :class:`Error` in words."""
        if not isinstance(step, str):
            raise Error(f"a step is text, as legal() has it, not {step!r}")
        actor = None if seat is None else self._seat(seat)
        try:
            read = self.rules.read(step, actor, (waive,) if waive else ())
        except Unworded as error:
            raise self._refused(error, actor) from error
        except Malformed as error:
            said = error.asked and str(error).replace(
                repr(error.asked.question), repr(self._words.prompt(error.asked))
            )
            raise Error(said or str(error)) from error
        return read, self._after(read, step)

    def _seat(self, said: int | str) -> int:
        """Return a seat by its number, letter or player's name; raises :class:`Error` for an unknown one."""
        for seat, name in enumerate(self.names):
            if said in (seat, SEATS[seat], name):
                return seat
        raise Error(f"no seat {said!r}: they are 0 to {len(self.names) - 1}, or {', '.join(self.names)}")

    def _after(self, read: matches.Read, step: str) -> Any:
        """Return the world after a step; raises :class:`Error` if its pieces do not allow the step."""
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
        """Let the world answer the table's questions."""
        game = self.rules.game
        while self._seed is not None and isinstance(self.rules.pending, Report):
            state, choices, chance = self.rules.state, list[Choice](), self._chance()
            while not choices or game.rules.pending(state).open:
                choices.append(game.worlds.answer(self._world, state, chance))
                self._world = game.worlds.advance(self._world, state, choices[-1], chance)
                state = game.rules.apply(state, choices[-1])
            self.rules.play(game.notation.text(choices))

    def why_not(self, step: str, seat: int | str | None = None) -> str:
        """Return the reason why a step cannot be made, empty if it can.

        The text has the reason with its figures, the remedy, and the clause; or the fault of the step's text.
        """
        try:
            self._read(step, seat)
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
        """Take back the last decision and the reports after it; raises :class:`Error` without one."""
        if not self._past:
            raise Error("nothing is left to take back")
        steps, self._world = self._past.pop()
        self.rules.cut(steps)

    def score(self) -> dict[str, int]:
        """Return each player's points if the match ended now."""
        points = totals(self.rules.game.scoring.bookings(self.rules.state), len(self.names))
        return dict(zip(self.names, points, strict=True))

    def winners(self) -> list[str]:
        """Name the players who would win if the match ended now; several may share the victory."""
        return [self.names[seat] for seat in winners(self.rules.game, self.rules.state)]

    def copy(self, seed: int | None = None, steps: int | None = None) -> Match:
        """Return an independent match that goes on from here, or from the latest decision after at most
        ``steps`` steps; from the first decision if fewer steps came before it.

        With a ``seed`` it goes on in another world, drawn from all that agree with the known facts.
        """
        other = copy(self)
        other.rules = self.rules.branch(len(self.rules.steps))
        other._past = list(self._past)
        while steps is not None and len(other) > steps and other._past:
            other.undo()
        if seed is not None:
            other._seed = seed
            other._world = self.rules.game.worlds.sample(other.rules.state, Random(f"{seed} world"))
            other._report()
        return other

    def playout(self, chance: Random) -> tuple[int, ...]:
        """Play on at random to the end, in a world drawn from all that agree with the known facts, and return
        every seat's points. The match itself stays unchanged.
        """
        walk = search.playout(self.rules.game, self.rules.state, chance)
        while True:
            try:
                next(walk)
            except StopIteration as end:
                return tuple(totals(self.rules.game.scoring.bookings(end.value), len(self.names)))

    @property
    def position(self) -> str:
        """The state in one line, for :func:`new` and :func:`follow`."""
        return self.rules.game.position.write(self.rules.state)

    def save(self, path: str | Path) -> None:
        """Write a match file for :func:`load`; raises :class:`Error` if it cannot be written.

        A loaded match is a followed one: the file does not hold the world that :func:`new` drew.
        """
        rules = self.rules
        file = matchfile.MatchFile(
            self.game,
            rules.game.rules_version,
            self.names,
            rules.setup,
            tuple(rules.steps),
            result=matchfile.result(rules),
        )
        try:
            Path(path).write_text(matchfile.write(file), "utf-8")
        except OSError as error:
            raise Error(f"{path}: {error.strerror}") from error

    def seen_by(self, seat: int | str) -> str:
        """Show the table as a player sees it, hidden pieces last; raises :class:`Error` for an unknown
        seat.
        """
        seat = self._seat(seat)
        held = "" if self._seed is None else self.rules.game.worlds.held(self._world, self.rules.state, seat)
        return "\n".join(filter(None, (str(self), held and f"{self.names[seat]} holds {held}")))

    def __str__(self) -> str:
        """Show the table as everybody sees it: boards, pieces beside them, scores, and the question."""
        game, state = self.rules.game, self.rules.state
        boards = filter(None, (sight.board(state) for sight in game.in_sight(state).values()))
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Return its parts for a pickle: steps and world; the reader's own rules apply."""
        rules = self.rules
        return _restored, (
            self.game,
            rules.setup,
            rules.steps,
            self.names,
            self._seed,
            self._past,
            self._world,
        )

    def __repr__(self) -> str:
        """Return a description in a line."""
        return f"<podesta.Match {self.game}: {len(self.rules.steps)} steps, {self.score()}>"

    def __len__(self) -> int:
        """Return the number of steps."""
        return len(self.rules.steps)

    def __iter__(self) -> Iterator[Step]:
        """Yield every step, with the points after it."""
        return map(self.__getitem__, range(len(self)))

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> list[Step]: ...
    def __getitem__(self, at: int | slice) -> Step | list[Step]:
        """Return the step at a place from 0, or those of a slice; raises IndexError."""
        if isinstance(at, slice):
            return [self[place] for place in range(len(self))[at]]
        if not -len(self) <= at < len(self):
            raise IndexError(f"no step {at}: there are {len(self)}")
        at %= len(self)
        made, state = self.rules.steps[at], self.rules.points[at + 1].state
        points = totals(self.rules.game.scoring.bookings(state), len(self.names))
        name = "" if made.seat is None else self.names[made.seat]
        text = made.text if isinstance(made, matches.Step | matches.Adjustment) else " ".join(made.words)
        said = self._words.overruled(self._words.made(self.rules, at), made)
        return Step(at + 1, made.seat, name, text, said, tuple(points))


def _drawn(board: Board) -> str:
    """Draw a board in text: a line for each row, ``.`` for an empty cell, and heights with the pieces after
    them.
    """
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


def _restored(
    game: str,
    setup: Setup,
    steps: Sequence[matches.Made],
    names: Sequence[str],
    seed: Any,
    past: Any,
    world: Any,
) -> Match:
    """Return a match from its pickle."""
    match = Match(matches.replay(engines.game(game), setup, steps), names)
    match._seed, match._past, match._world = seed, past, world
    return match


def new(
    game: str,
    seats: int | None = None,
    seed: int = 0,
    names: Sequence[str] = (),
    position: str = "",
    **options: str | int,
) -> Match:
    """Begin a match in a world drawn by ``seed``, which deals, draws and reveals as a table would.

    It seats as many players as there are ``names``, otherwise two. It begins with a ``position``, if one is
    given, instead of the set-up. Facts of a copy that the game needs are made up, and the match is marked so.
    ``options`` are those of ``match.rules.game.options``, with True and False for yes and no, and ``level``.
    Raises :class:`Error`.
    """
    rules = _begun(game, seats, names, position, options)
    return Match(rules, _named(names, rules.setup.seats), seed)


def follow(
    game: str,
    seats: int | None = None,
    names: Sequence[str] = (),
    position: str = "",
    **options: str | int,
) -> Match:
    """Begin to follow a match at a real table: each card drawn or revealed there is played as a step."""
    rules = _begun(game, seats, names, position, options)
    return Match(rules, _named(names, rules.setup.seats))


def _begun(
    game: str, seats: int | None, names: Sequence[str], position: str, options: Mapping[str, str | int]
) -> matches.Match:
    seats = len(names) or 2 if seats is None else seats
    if not isinstance(game, str) or not isinstance(seats, int):
        raise Error(f"a match is of a game's name and a number of seats, not {game!r} and {seats!r}")
    level, levels = options.get("level", Level.FULL), engines.game(game).levels
    if level not in levels:
        raise Error(f"no level {level!r}: {game} has {' and '.join(levels)}")
    said = ((name, ("no", "yes")[of] if isinstance(of, bool) else str(of)) for name, of in options.items())
    chosen = tuple(sorted(one for one in said if one[0] != "level"))
    setup = Setup(seats=seats, options=chosen, level=Level(level), position=position)
    return matches.Match(engines.game(game), playable(schema(game), setup))


def _named(names: Sequence[str], seats: int) -> tuple[str, ...]:
    if len(names) not in (0, seats):
        raise Error(f"{len(names)} names for {seats} seats")
    return tuple(names) or tuple(f"Seat {SEATS[seat]}" for seat in range(seats))


def load(path: str | Path) -> Match:
    """Read a recorded match: a journal of the box (``.podesta``) or a match file; a loop over it gives its
    steps as :class:`Step`. Raises :class:`Error` for an unreadable file.
    """
    path = Path(path)
    if path.suffix == ".podesta":
        from device.match import JournalError, Replay, read  # noqa: PLC0415 – the box reads its journals

        try:
            journal = read(path)
        except JournalError as error:
            raise Error(str(error)) from error
        replay = Replay(journal.header, journal.records)
        return Match(replay.match, replay.names)
    try:
        file = matchfile.read(path.read_text("utf-8"), path.name)
    except (OSError, UnicodeError) as error:
        raise Error(f"{path}: {getattr(error, 'strerror', 'not a match file')}") from error
    return Match(matchfile.play(file), file.names)
