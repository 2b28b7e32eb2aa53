"""Walking a game's tree: perft for counting, playouts for trying, interpret for reading the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import msgspec

from engines.contract import Choice, Decide, Game, Refusal, Report
from engines.errors import EngineError
from engines.observation import Observation


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:
    """How many ways there are to make ``depth`` choices from ``state``, in the referee's knowledge.

    Certain and possible choices count alike, listed reports are expanded, the sealed choices of several seats
    count as one, and a walk that meets the end or a question that is not listed counts for nothing.
    """
    if depth == 0:
        return 1
    return sum(divide(game, state, depth).values())


def divide(game: Game[Any, Any], state: Any, depth: int) -> dict[str, int]:
    """:func:`perft` split by the first choice's token; ``depth`` is 1 or more."""
    pending = game.pending(state)
    if isinstance(pending, Decide) and len(pending.seats) > 1:
        sealed = product(*(game.legal(state, seat) for seat in pending.seats))
        return {
            " ".join(choice.token for choice in choices): perft(game, game.reveal(state, choices), depth - 1)
            for choices in sealed
        }
    if depth == 1:
        return {choice.token: 1 for choice in game.legal(state)}
    return {choice.token: perft(game, game.apply(state, choice), depth - 1) for choice in game.legal(state)}


def playout(game: Game[Any, Any], state: Any, rng: Random) -> Iterator[tuple[Any, int | None, Choice]]:
    """Play on at random to the end in one sampled world: each state, who chose (None: the table), and what.

    Choices come from the legal list, restricted to what the world's pieces allow; reports from the world.
    Sealed choices come one seat after the other with the state in which all of them were made. Raises
    :class:`NothingTrue`.
    """
    world = game.sample(state, rng)
    while not state.termination:
        pending = game.pending(state)
        if isinstance(pending, Report):
            made: list[tuple[int | None, Choice]] = [(None, game.answer(world, state, rng))]
        elif isinstance(pending, Decide):
            made = [(seat, _true_choice(game, world, state, seat, rng)) for seat in pending.seats]
        for seat, choice in made:
            yield state, seat, choice
            world = game.advance(world, state, choice, rng)
        choices = [choice for _, choice in made]
        state = game.apply(state, choices[0]) if len(made) == 1 else game.reveal(state, choices)


class NothingTrue(Exception):
    """In a sampled world nothing that is listed is possible; this happens only after a rule was overruled."""


def _true_choice(game: Game[Any, Any], world: Any, state: Any, seat: int, rng: Random) -> Choice:
    true = [choice for choice in game.legal(state, seat) if game.true(world, state, choice, seat)]
    if not true:
        raise NothingTrue
    return rng.choice(true)


class Exact(msgspec.Struct, frozen=True, tag=True):
    """One explanation: the choices that lead from the state to what was seen.

    They may leave the step open: what a camera cannot see (which cards were drawn) is then asked. In a game
    whose turns are several steps they may be those of several, one after the other: see :func:`steps_of`.
    """

    choices: tuple[Choice, ...]


class Several(msgspec.Struct, frozen=True, tag=True):
    """Several explanations, of which people choose; the plainest first where the game can tell."""

    explanations: tuple[tuple[Choice, ...], ...]


class Misread(msgspec.Struct, frozen=True):
    """An explanation if the sensor was wrong in one place: there its reading shows ``differences`` from what
    ``choices`` lead to.
    """

    choices: tuple[Choice, ...]
    differences: tuple[str, ...]


class OutOfStep(msgspec.Struct, frozen=True, tag=True):
    """No step leads there. ``nearest`` is the best explanation, ``differences`` what it leaves unexplained,
    ``refusal`` the rule in the way of the plainest try, where one is known.

    ``misread`` are explanations that each hold if a single place was misread, the plainest first; it is empty
    where the game cannot tell or where no single place would do.
    """

    nearest: tuple[Choice, ...]
    differences: tuple[str, ...]
    refusal: Refusal | None
    misread: tuple[Misread, ...] = ()


Interpretation = Exact | Several | OutOfStep


def interpret(game: Game[Any, Any], state: Any, observation: Observation) -> Interpretation:
    """Which choices of the seat to move explain what a sensor saw; an unchanged table is Exact(()).

    Candidates are tried likeliest first, and the first that can be explained counts. Raises
    :class:`engines.errors.Malformed` for a layout text that cannot be read.
    """
    layouts = [game.read_layout(text) for text, _ in observation.candidates]
    if not layouts:
        raise EngineError(f"an observation of {observation.what!r} with no candidate")
    first: Interpretation | None = None
    for seen in layouts:
        answer = _meaning(game, state, seen)
        if not isinstance(answer, OutOfStep):
            return answer
        first = first or answer
    assert first is not None
    return first


def _meaning(game: Game[Any, Any], state: Any, seen: Any) -> Interpretation:
    """What one layout means: unchanged, what the game says itself, or the step that leads there."""
    if game.layout(state) == seen:
        return Exact(())
    return game.explain(state, seen) or _explain(game, state, seen)


def whole_steps(
    game: Game[Any, Any], state: Any, choices: Sequence[Choice]
) -> tuple[list[str], tuple[Choice, ...]]:
    """The notation of each step that ``choices`` finish from ``state`` on, and the choices of one begun.

    The choices must be those of an :class:`Exact`, :class:`Several` or :class:`OutOfStep` for this state.
    """
    texts: list[str] = []
    begun: list[Choice] = []
    for choice in choices:
        begun.append(choice)
        state = game.apply(state, choice)
        if not game.pending(state).open:
            texts.append(game.text(begun))
            begun = []
    return texts, tuple(begun)


def steps_of(game: Game[Any, Any], state: Any, choices: Sequence[Choice]) -> list[str]:
    """The notation of each step as :func:`whole_steps` has it, one that is only begun among them."""
    texts, begun = whole_steps(game, state, choices)
    return [*texts, game.text(begun)] if begun else texts


def _explain(game: Game[Any, Any], state: Any, seen: Any) -> Interpretation:
    """The single steps that lead to a layout other than the state's."""
    found: list[tuple[Choice, ...]] = []
    nearest: tuple[Choice, ...] = ()
    left = game.differences(seen, game.layout(state))
    refused: list[tuple[str, Refusal]] = []
    todo: list[tuple[Any, tuple[Choice, ...]]] = [(state, ())]
    reached = set()
    while todo:
        here, path = todo.pop(0)
        for choice in _visible(game, here, refused):
            after = game.apply(here, choice)
            if after in reached:
                continue
            reached.add(after)
            longer = (*path, choice)
            layout = game.layout(after)
            if layout == seen:
                found.append(longer)
                continue
            differences = game.differences(seen, layout)
            if len(differences) < len(left):
                nearest, left = longer, differences
            if game.pending(after).open:
                todo.append((after, longer))
    if len(found) == 1:
        return Exact(found[0])
    if found:
        return Several(tuple(sorted(found)))
    named = [refusal for token, refusal in refused if any(place.endswith(token) for place in left)]
    return OutOfStep(nearest, left, named[0] if named else None)


def _visible(game: Game[Any, Any], state: Any, refused: list[tuple[str, Refusal]]) -> list[Choice]:
    """The legal choices that may change what a camera sees; refused ones are noted on the way."""
    pending = game.pending(state)
    if not isinstance(pending, Decide):
        return []
    for token in pending.domain.tokens:
        choice = Choice(pending.question, token)
        if game.visible(choice):
            refusal = game.why_not(state, choice)
            if refusal:
                refused.append((token, refusal))
    return [choice for choice in game.legal(state) if game.visible(choice)]
