"""Walking a game's tree: perft for counting, playouts for trying, interpret for reading the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from random import Random
from typing import Any

from engines.contract import (
    Choice,
    Decide,
    Domain,
    Exact,
    Game,
    Interpretation,
    OutOfStep,
    Refusal,
    Report,
    Several,
)
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
    pending = game.rules.pending(state)
    if isinstance(pending, Decide) and len(pending.seats) > 1:
        sealed = product(*(game.rules.legal(state, seat) for seat in pending.seats))
        return {
            " ".join(choice.token for choice in choices): perft(
                game, game.rules.reveal(state, choices), depth - 1
            )
            for choices in sealed
        }
    if depth == 1:
        return {choice.token: 1 for choice in game.rules.legal(state)}
    return {
        choice.token: perft(game, game.rules.apply(state, choice), depth - 1)
        for choice in game.rules.legal(state)
    }


def playout(game: Game[Any, Any], state: Any, rng: Random) -> Iterator[tuple[Any, int | None, Choice]]:
    """Play on at random to the end in one sampled world: each state, who chose (None: the table), and what.

    Choices are among :func:`true_choices`, reports come from the world. Sealed choices come one seat after
    the other with the state in which all of them were made. Raises :class:`NothingTrue`.
    """
    world = game.worlds.sample(state, rng)
    while not state.termination:
        pending = game.rules.pending(state)
        if isinstance(pending, Report):
            made: list[tuple[int | None, Choice]] = [(None, game.worlds.answer(world, state, rng))]
        elif isinstance(pending, Decide):
            made = [(seat, rng.choice(true_choices(game, world, state, seat, rng))) for seat in pending.seats]
        for seat, choice in made:
            yield state, seat, choice
            world = game.worlds.advance(world, state, choice, rng)
        choices = [choice for _, choice in made]
        state = game.rules.apply(state, choices[0]) if len(made) == 1 else game.rules.reveal(state, choices)


class NothingTrue(Exception):
    """In a sampled world nothing that may be answered is possible; only after a rule was overruled."""


DRAWS = 10_000
"""So many answers are drawn to a question that is not listed before none counts as possible."""


def true_choices(game: Game[Any, Any], world: Any, state: Any, seat: int, rng: Random) -> list[Choice]:
    """What the world's pieces allow ``seat``: the legal choices among those listed, else one that is drawn.

    Raises :class:`NothingTrue` where there is none.
    """
    pending = game.rules.pending(state)
    assert isinstance(pending, Decide)
    if isinstance(pending.domain, Domain):
        listed = game.rules.legal(state, seat)
        true = [choice for choice in listed if game.worlds.true(world, state, choice, seat)]
    else:
        drawn = (Choice(pending.question, pending.domain.draw(rng)) for _ in range(DRAWS))
        true = list(islice((one for one in drawn if _allowed(game, world, state, one, seat)), 1))
    if not true:
        raise NothingTrue
    return true


def _allowed(game: Game[Any, Any], world: Any, state: Any, choice: Choice, seat: int) -> bool:
    """Whether a drawn choice is legal and true."""
    return not game.rules.why_not(state, choice, seat) and game.worlds.true(world, state, choice, seat)


def interpret(game: Game[Any, Any], state: Any, observation: Observation) -> Interpretation:
    """Which choices of the seat to move explain what a sensor saw; an unchanged table is Exact(()).

    Candidates are tried likeliest first, and the first that can be explained counts. Raises
    :class:`engines.errors.Malformed` for a layout text that cannot be read.
    """
    layouts = [game.sight.read(text) for text, _ in observation.candidates]
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
    if game.sight.of(state) == seen:
        return Exact(())
    return game.sight.explain(state, seen) or _explain(game, state, seen)


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
        state = game.rules.apply(state, choice)
        if not game.rules.pending(state).open:
            texts.append(game.notation.text(begun))
            begun = []
    return texts, tuple(begun)


def steps_of(game: Game[Any, Any], state: Any, choices: Sequence[Choice]) -> list[str]:
    """The notation of each step as :func:`whole_steps` has it, one that is only begun among them."""
    texts, begun = whole_steps(game, state, choices)
    return [*texts, game.notation.text(begun)] if begun else texts


def _explain(game: Game[Any, Any], state: Any, seen: Any) -> Interpretation:
    """The single steps that lead to a layout other than the state's."""
    found: list[tuple[Choice, ...]] = []
    nearest: tuple[Choice, ...] = ()
    left = game.sight.differences(seen, game.sight.of(state))
    refused: list[tuple[str, Refusal]] = []
    todo: list[tuple[Any, tuple[Choice, ...]]] = [(state, ())]
    reached = set()
    while todo:
        here, path = todo.pop(0)
        for choice in _visible(game, here, refused):
            after = game.rules.apply(here, choice)
            if after in reached:
                continue
            reached.add(after)
            longer = (*path, choice)
            layout = game.sight.of(after)
            if layout == seen:
                found.append(longer)
                continue
            differences = game.sight.differences(seen, layout)
            if len(differences) < len(left):
                nearest, left = longer, differences
            if game.rules.pending(after).open:
                todo.append((after, longer))
    if len(found) == 1:
        return Exact(found[0])
    if found:
        return Several(tuple(sorted(found)))
    named = [refusal for token, refusal in refused if any(place.endswith(token) for place in left)]
    return OutOfStep(nearest, left, named[0] if named else None)


def _visible(game: Game[Any, Any], state: Any, refused: list[tuple[str, Refusal]]) -> list[Choice]:
    """The legal choices that may change what a camera sees; refused ones are noted on the way."""
    pending = game.rules.pending(state)
    if not isinstance(pending, Decide):
        return []
    for token in pending.domain.tokens:
        choice = Choice(pending.question, token)
        if game.sight.visible(choice):
            refusal = game.rules.why_not(state, choice)
            if refusal:
                refused.append((token, refusal))
    return [choice for choice in game.rules.legal(state) if game.sight.visible(choice)]
