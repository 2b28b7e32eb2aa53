"""The promises of every game, tried in random matches, for ``podesta plugin check`` and the tests."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import product
from random import Random
from typing import Any, Final

from msgspec.structs import replace

import engines
from engines import packages, remedies, rules, search
from engines.contract import (
    ADJUSTMENT,
    COLOURS,
    HEIGHT,
    SEATS,
    WIDTH,
    Choice,
    Decide,
    Domain,
    Game,
    Label,
    Level,
    Over,
    Setup,
    totals,
)
from engines.errors import EngineError, Refused
from engines.facts import called, playable, schema
from engines.match import Match
from engines.match import replay as replayed
from engines.packages import Trial
from engines.texts import TextError, Texts
from engines.words import Words

LONGEST: Final = 20_000
"""The choices after which a random match counts as endless."""
MATCHES: Final = 12
"""The number of random matches, but at least one of each set-up."""
LOOKED_AT: Final = 60
"""The most states of a match on which promises are tried."""
VARIANTS: Final = 0, 1, -1
"""Indexes of an option's values: the default, the second, the last."""


def setups(game: Game[Any, Any]) -> dict[str, Setup]:
    """Return set-ups by name: every level with every variant of the options, and every number of seats."""

    def options(variant: int) -> tuple[tuple[str, str], ...]:
        chosen = ((each, each.values[variant]) for each in game.options)
        return tuple((each.name, value) for each, value in chosen if value != each.values[0])

    found = {}
    variants = dict.fromkeys(map(options, VARIANTS))
    for (level, chosen), seats in zip(product(game.levels, variants), [*game.seats] * 9, strict=False):
        found[f"{level} {seats} {' '.join(value for _, value in chosen)}".rstrip()] = Setup(
            seats=seats, start=seats - 1, options=chosen, level=level
        )
    for seats in game.seats:
        found.setdefault(f"{Level.FULL} {seats}", Setup(seats=seats))
    return {name: playable(schema(game.id), setup) for name, setup in found.items()}


def conforming(game_id: str, seed: int = 1) -> Iterator[Trial]:
    """Try each promise in random matches of each of the :func:`setups`."""
    game = engines.game(game_id)
    kinds = list(setups(game).items())
    played: list[tuple[str, TriedGame, Match, list[Any]]] = []

    def play(number: int, name: str, setup: Setup) -> Iterator[str]:
        table = TriedGame(game, setup)
        played.append((name, table, *table.played(Random(number))))
        yield from ()

    tables = enumerate(kinds * (MATCHES // len(kinds) or 1), seed)
    plays = _try_promise("plays", PLAYS, ((kind[0], play(at, *kind)) for at, kind in tables))
    yield plays
    if plays.verdict == "fail":
        return
    for promise, (method, remedy) in OF_A_STATE.items():
        found = (
            (name, (why for state in states for why in method(table, state)))
            for name, table, _, states in played
        )
        yield _try_promise(promise, remedy, found)
    for promise, (whole, remedy) in OF_A_MATCH.items():
        yield _try_promise(promise, remedy, ((name, whole(table, match)) for name, table, match, _ in played))


def _try_promise(promise: str, remedy: str, found: Iterable[tuple[str, Iterator[str]]]) -> Trial:
    """Return the trial of a promise, failed if a table has a fault."""
    wrong = next((f"{name}: {why}" for name, each in found if (why := _find_first(each))), "")
    return Trial("fail", promise, wrong, remedy) if wrong else Trial("ok", promise, "kept")


def _find_first(tried: Iterator[str]) -> str:
    """Return the first fault; an error of the game's code is one, with its file and line."""
    try:
        return next(tried, "")
    except Refused as error:
        return f"the list offers {error.token}, the check {error.refusal.check} refuses it: {error}"
    except (TextError, EngineError) as error:
        return str(error)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{packages.why(error)}, in {last.filename} line {last.lineno}"


class TriedGame:
    """A game with a set-up. Each promise is a method that yields faults."""

    def __init__(self, game: Game[Any, Any], setup: Setup) -> None:
        """Take a game and a set-up."""
        self.game, self.setup = game, setup

    @cached_property
    def words(self) -> Words:
        """The game's words, which raise :class:`engines.texts.TextError` if one is missing."""
        texts = Texts.load("en", self.game.id, strict=True)
        names = [f"Seat {SEATS[seat]}" for seat in range(self.setup.seats)]
        return Words(texts, self.game, names, self.setup.facts)

    def played(self, rng: Random) -> tuple[Match, list[Any]]:
        """Return a random match, each step read back from its text, and some of its states with the last.

        Raises :class:`engines.errors.EngineError`.
        """
        game, match = self.game, Match(self.game, self.setup)
        states, begun = list[Any](), list[Choice]()
        for state, seat, choice in search.playout(game, match.state, rng):
            states.append(state)
            if len(states) > LONGEST:
                raise EngineError(f"does not end within {LONGEST} choices")
            begun.append(choice)
            after = None
            if not (sealed := len(self.asked(state)) > 1):
                after = game.rules.apply(state, choice)
                if game.rules.pending(after).open:
                    continue
            read = match.read(game.notation.text(begun), seat)
            if (list(read.choices) != begun) if sealed else (read.after.state != after):
                made = " ".join(one.token for one in begun)
                raise EngineError(f"{made} is written and read back as {read.step.text}")
            match.add(read)
            begun = []
        return match, [*states[:: len(states) // LOOKED_AT + 1], match.state]

    def asked(self, state: Any) -> tuple[int | None, ...]:
        """Return the seats that are asked; None for the table."""
        pending = self.game.rules.pending(state)
        return pending.seats if isinstance(pending, Decide) else (None,)

    def wider(self, state: Any) -> list[Choice]:
        """Return all answers in the pending question's list, illegal ones too."""
        pending = self.game.rules.pending(state)
        tokens = () if isinstance(pending, Over) else pending.domain.tokens
        return [Choice(pending.question, token) for token in tokens]  # type: ignore[union-attr]

    def passing(self, state: Any, seat: int | None = None) -> list[Choice]:
        """Return all answers that the checks let pass: the slow, independent twin of ``legal``."""
        return [one for one in self.wider(state) if not self.game.rules.why_not(state, one, seat)]

    def lists(self, state: Any) -> Iterator[str]:
        """Check that list and checks agree over the whole domain, in its order, each choice once."""
        pending = self.game.rules.pending(state)
        for seat in self.asked(state):
            both = self.game.rules.legal(state, seat), self.passing(state, seat)
            if both[0] != both[1]:
                listed, passed = (" ".join(one.token for one in each) or "nothing" for each in both)
                yield f"lists {listed}, the checks let pass {passed}, in {self.game.position.write(state)}"
            for token in getattr(getattr(pending, "domain", None), "written", ()):
                choice = Choice(pending.question, token)  # type: ignore[union-attr]
                if not self.game.rules.why_not(state, choice, seat):
                    yield f"{token} is not listed and passes, in {self.game.position.write(state)}"

    def ends(self, state: Any) -> Iterator[str]:
        """Check that after each legal choice the step can be ended."""
        for choice in self.game.rules.legal(state) if len(self.asked(state)) == 1 else ():
            if not self.closes(self.game.rules.apply(state, choice)):
                yield f"after {choice.token} nothing ends the step, in {self.game.position.write(state)}"

    def closes(self, state: Any) -> bool:
        """Return True if some choices end the open step; draw answers that are too many to list."""
        pending = self.game.rules.pending(state)
        if isinstance(pending, Over) or not pending.open:
            return True
        found = self.game.rules.legal(state)
        if not isinstance(pending.domain, Domain):
            drawn = (Choice(pending.question, pending.domain.draw(Random(at))) for at in range(99))
            found = [choice for choice in drawn if not self.game.rules.why_not(state, choice)]
        return any(self.closes(self.game.rules.apply(state, choice)) for choice in found)

    def positions(self, state: Any) -> Iterator[str]:
        """Check that a position is one line, reads back with the copy's facts, and can start a match."""
        position, facts = self.game.position, self.setup.facts
        text = position.write(state)
        yield from (f"{text}: has the problem {one.check}" for one in position.status(text, facts))
        begun = self.game.rules.start(replace(self.setup, start=0, options=(), position=text))
        for what, again in (("reads", position.read(text, facts)), ("starts", begun)):
            if again != state or "\n" in text:
                yield f"{text!r} {what} as {position.write(again)!r}"

    def scores(self, state: Any) -> Iterator[str]:
        """Check that every seat has one place, ordered by points, and a figure in every tally."""
        game, seats = self.game, self.setup.seats
        bookings, known = game.scoring.bookings(state), (*game.scoring.CATEGORIES, ADJUSTMENT)
        for one in bookings:
            if not one.points or not 0 <= one.seat < seats or one.category not in known:
                add = "" if one.category in known else f": add {one.category!r} to CATEGORIES"
                yield f"books {one.points} points as {one.category} for seat {one.seat}{add}"
        points, places = totals(bookings, seats), game.scoring.ranking(state)
        ranked = [(seat, place.points) for place in places for seat in place.seats]
        by_points = sorted(enumerate(points), key=lambda one: -one[1])
        if sorted(ranked) != sorted(by_points) or [one for _, one in ranked] != [one for _, one in by_points]:
            yield f"ranks seat and points {ranked}, books {points}"
        for tally in game.scoring.tallies(state):
            if len(tally.figures) != seats:
                yield f"tally {tally.name} has {len(tally.figures)} figures for {seats} seats"

    def texts(self, state: Any) -> Iterator[str]:
        """Check that a state can be told in words; raises :class:`engines.texts.TextError`."""
        game, words = self.game, self.words
        pending = game.rules.pending(state)
        words.prompt(pending)
        for verb in getattr(getattr(pending, "domain", None), "verbs", ()):
            words(f"verb.{verb.name}", pending.figures)
        for seat in self.asked(state):
            for choice in game.rules.legal(state, seat):
                key = game.notation.label(choice).key
                itself = re.search(r"\d", choice.token) and key.endswith(choice.token)
                if not (itself or key in words.texts or key in called(game.id, self.setup.facts)):
                    yield f"no text {key}, for the answer {choice.token}"
                words.choice(choice)
                words.labels(filter(None, [game.rules.gives_up(state, choice)]))
            for choice in self.wider(state):
                if refusal := game.rules.why_not(state, choice, seat):
                    words.refusal(refusal)
        words.ties(game.scoring.ranking(state))
        words.labels(Label(f"tally.{one.name}") for one in game.scoring.tallies(state))
        words.labels(game.telling.about(state))
        words.lies(game.telling.zones(state))
        for booking in game.scoring.bookings(state):
            words.booked(booking.category, booking.part)
        for sight in game.in_sight(state).values():
            board = sight.board(state)
            for cell in filter(None, board.cells if board else ()):
                words.stands(cell)

    def sayable(self, match: Match) -> Iterator[str]:
        """Check that each step can be told, and that categories, options, checks and remedies have words."""
        game, words = self.game, self.words
        words.labels(Label(f"category.{name}") for name in game.scoring.CATEGORIES)
        words.labels(Label(f"group.{name}") for name in game.scoring.GROUPS)
        words.labels(Label(f"option.{option.name}") for option in game.options)
        words.labels(Label(f"option_value.{value}") for option in game.options for value in option.values)
        named = [f"refused.{check.name}" for check in getattr(game.rules, "checks", ())]
        named += [f"remedy.{name}" for name in remedies.load(game.id)]
        yield from (f"no text {key}" for key in named if key not in words.texts)
        words.labels(game.telling.opening(match.points[0].state))
        for at in range(len(match.steps)):
            words.made(match, at)
            before, after = match.points[at].state, match.points[at + 1].state
            words.labels(game.telling.hands(before, match.chosen(at), after))
            words.labels(game.telling.news(before, after))

    def drawn(self, state: Any) -> Iterator[str]:
        """Check that a drawn table stays within its frame, and has only known colours, icons and words.

        Raises :class:`engines.texts.TextError`.
        """
        scene, words = self.game.telling.scene(state), self.words
        if scene is None:
            return
        drawing = engines.drawing(self.game.id)
        colours = {"", *COLOURS, *drawing.light}
        words.labels(filter(None, [scene.when]))
        for panel in scene.panels:
            words(f"panel.{panel.name}")
            right, below = panel.x + panel.width * panel.scale, panel.y + panel.height * panel.scale
            if min(panel.x, panel.y) < 0 or right > WIDTH + 1 or below > HEIGHT + 8:
                yield f"panel {panel.name} reaches {right:.0f} × {below:.0f} of {WIDTH} × {HEIGHT}"
        tablet = tuple(panel.tablet or panel for panel in scene.panels)
        for faces in dict.fromkeys((scene.panels, tablet)):
            met: set[str] = set()
            for panel in faces:
                for mark in panel.marks:
                    words.labels([mark.text] if isinstance(mark.text, Label) else [])
                    if unknown := sorted({mark.fill, mark.edge, mark.ink} - colours):
                        yield f"panel {panel.name}: no colour {unknown[0]} in drawing.toml"
                    if mark.icon and mark.icon not in drawing.icons:
                        yield f"panel {panel.name}: no icon {mark.icon} in drawing.toml"
                    if not (-2 <= mark.x <= panel.width + 2 and -2 <= mark.y <= panel.height + 2):
                        yield f"panel {panel.name}: a mark at {mark.x:.0f}, {mark.y:.0f} is outside"
                    if mark.key in met:
                        yield f"two marks have the key {mark.key}"
                    met |= {mark.key} - {""}

    def clauses(self, state: Any) -> Iterator[str]:
        """Check that all cited clauses exist; raises :class:`engines.errors.EngineError`."""
        game, places = self.game, self.game.scoring.ranking(state)
        cited: list[Any] = [*getattr(game.rules, "checks", ()), *game.options, *places]
        cited += [*game.scoring.bookings(state), *game.scoring.tallies(state)]
        cited += [tie for place in places for tie in place.ties]
        for seat, choice in product(self.asked(state), self.wider(state)):
            cited += filter(None, [game.rules.why_not(state, choice, seat)])
        if isinstance(over := game.rules.pending(state), Over):
            if not over.clause:
                yield f"termination {over.termination!r} has no clause in Rulebook({{…}})"
            cited.append(over)
        for clause in {one.clause for one in cited}:
            rules.load(game.id).clause(clause)

    def damaged(self, match: Match) -> Iterator[str]:
        """Check that a position without a field, value or figures is read or refused, and read without a
        usual value.
        """
        usual, words = getattr(self.game.position, "USUAL", {}), self.game.position.write(match.state).split()
        for at, word in enumerate(words):
            name = word.partition("=")[0]
            for bad in ("", f"{name}=", re.sub(r"\d", "x", word)):
                try:
                    self.game.position.read(" ".join([*words[:at], bad, *words[at + 1 :]]), self.setup.facts)
                except EngineError as error:
                    if usual.get(name) and not (bad or getattr(error, "problems", None)):
                        yield f"a position without {word} is not read: {error}"

    def replays(self, match: Match) -> Iterator[str]:
        """Check that the steps lead to the same states again."""
        if replayed(self.game, self.setup, match.steps).points != match.points:
            yield "the same steps lead to another state"


Promise = Callable[[TriedGame, Any], Iterator[str]]
PLAYS: Final = "mend what is named, of a list and a check the one that is wrong; podesta.new plays it, too"
WORDS: Final = "write it into texts.en.toml, or give the figure that it asks for"
OF_A_STATE: Final[dict[str, tuple[Promise, str]]] = {
    "lists": (
        TriedGame.lists,
        "the list of a question and its checks say the same: mend the one that is wrong",
    ),
    "steps end": (TriedGame.ends, "list a choice only where the step that it begins can be ended"),
    "positions": (TriedGame.positions, "write all that the state holds, and read it back"),
    "scores": (TriedGame.scores, "look at Scoring in engines.contract; engines.kit.ranked makes the places"),
    "texts": (TriedGame.texts, WORDS),
    "scene": (TriedGame.drawn, "see engines.contract.scene; colours and icons stand in drawing.toml"),
    "clauses": (TriedGame.clauses, "write it into rules.toml, cite another, or name a termination's"),
}
"""The promises of each state, with a remedy each."""
OF_A_MATCH: Final[dict[str, tuple[Promise, str]]] = {
    "telling": (TriedGame.sayable, WORDS),
    "damaged positions": (TriedGame.damaged, "raise Malformed for what is no value; USUAL fits all seats"),
    "replay": (TriedGame.replays, "what happens depends on the state and the choice alone"),
}
"""The promises of a whole match, with a remedy each."""
