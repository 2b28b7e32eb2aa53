"""Walking a game's tree: perft for counting, playouts for trying, interpret for reading the table."""

from __future__ import annotations

from collections.abc import Iterator
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
    Sealed choices come one seat after the other with the state in which all of them were made.
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


def _true_choice(game: Game[Any, Any], world: Any, state: Any, seat: int, rng: Random) -> Choice:
    legal = game.legal(state, seat)
    return rng.choice([choice for choice in legal if game.true(world, state, choice, seat)])


class Exact(msgspec.Struct, frozen=True):
    """One explanation: the choices that lead from the state to what was seen.

    They may leave the step open: what a camera cannot see (which cards were drawn) is then asked.
    """

    choices: tuple[Choice, ...]


class Several(msgspec.Struct, frozen=True):
    """Several explanations, of which people choose."""

    explanations: tuple[tuple[Choice, ...], ...]


class OutOfStep(msgspec.Struct, frozen=True):
    """No step leads there. ``nearest`` is the best explanation, ``differences`` what it leaves unexplained,
    ``refusal`` the rule in the way of the plainest try, where one is known.
    """

    nearest: tuple[Choice, ...]
    differences: tuple[str, ...]
    refusal: Refusal | None


Interpretation = Exact | Several | OutOfStep


def interpret(game: Game[Any, Any], state: Any, observation: Observation) -> Interpretation:
    """Which choices of the seat to move explain what a sensor saw; an unchanged table is Exact(()).

    Candidates are tried likeliest first, and the first that can be explained counts. Raises
    :class:`engines.errors.Malformed` for a layout text that cannot be read.
    """
    answers = [_explain(game, state, game.read_layout(text)) for text, _ in observation.candidates]
    if not answers:
        raise EngineError(f"an observation of {observation.what!r} with no candidate")
    return next((answer for answer in answers if not isinstance(answer, OutOfStep)), answers[0])


def _explain(game: Game[Any, Any], state: Any, seen: Any) -> Interpretation:
    if game.layout(state) == seen:
        return Exact(())
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
