"""Walks of a game's tree: perft counts, playouts try, ``explain`` reads the table."""

from __future__ import annotations

from collections.abc import Generator, Sequence
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
    Over,
    Refusal,
    Report,
    Several,
    Sight,
)

MOST_STATES = 10_000
"""The most states that are looked at for one layout before it counts as out of step."""


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:
    """Count the ways to make ``depth`` choices from ``state``, in the referee's knowledge.

    Certain and possible choices count alike, listed reports are expanded, and the sealed choices of several
    seats count as one. A walk to the end, or to a question that lists no answers, does not count.
    """
    if depth == 0:
        return 1
    return sum(divide(game, state, depth).values())


def divide(game: Game[Any, Any], state: Any, depth: int) -> dict[str, int]:
    """Split :func:`perft` by the first choice's token; ``depth`` is 1 or more."""
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


def playout(
    game: Game[Any, Any], state: Any, rng: Random
) -> Generator[tuple[Any, int | None, Choice], None, Any]:
    """Play at random to the end in one sampled world; yield each state, the seat (None: the table) and its
    choice; return the last state.

    Seats choose among :func:`true_choices`; the world answers reports. Sealed choices come one by one with
    the same state. Raises :class:`NothingTrue`.
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
    return state


class NothingTrue(Exception):
    """A sampled world allows no answer; this happens only after a rule was overruled."""


DRAWS = 10_000
"""The answers that are drawn to an unlisted question before none counts as possible."""


def true_choices(game: Game[Any, Any], world: Any, state: Any, seat: int, rng: Random) -> list[Choice]:
    """Return the legal choices that the world's pieces allow ``seat``; one drawn choice if none are listed.

    Raises :class:`NothingTrue` if there is none.
    """
    pending = game.rules.pending(state)
    assert isinstance(pending, Decide)
    if isinstance(pending.domain, Domain):
        listed = game.rules.legal(state, seat)
        true = [choice for choice in listed if game.worlds.true(world, state, choice, seat)]
    else:
        drawn = (Choice(pending.question, pending.domain.draw(rng)) for _ in range(DRAWS))
        legal = (choice for choice in drawn if not game.rules.why_not(state, choice, seat))
        true = list(islice((one for one in legal if game.worlds.true(world, state, one, seat)), 1))
    if not true:
        raise NothingTrue
    return true


def whole_steps(
    game: Game[Any, Any], state: Any, choices: Sequence[Choice]
) -> tuple[list[str], tuple[Choice, ...]]:
    """Return the notation of the steps that ``choices`` finish from ``state`` on, and the other choices.

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
    """Return the notation of the steps of :func:`whole_steps`, with an unfinished one at the end."""
    texts, begun = whole_steps(game, state, choices)
    return [*texts, game.notation.text(begun)] if begun else texts


def explain(game: Game[Any, Any], sight: Sight[Any], state: Any, seen: Any) -> Interpretation:
    """Find choices of the current turn that lead to the layout ``seen``; Exact(()) if nothing has changed.

    Try visible steps and listed reports until it is another seat's turn: single steps first, then two and so
    on. No step may leave more differences than before, once the table has reported its outcome. The fewest
    steps that lead there count.

    If none do, the nearest layout has the fewest differences after a single step, or fewer :func:`changes`
    after several.
    """
    left = sight.differences(seen, sight.of(state))
    if not left:
        return Exact(())
    if told := sight.explain(state, seen):
        return told
    nearest: tuple[Choice, ...] = ()
    reached, met = {state}, [state]
    begun: list[tuple[Any, tuple[Choice, ...], int]] = [(state, (), len(left))]
    while begun:
        found: list[tuple[Choice, ...]] = []
        todo, begun = begun, []
        for here, path, most in todo:  # it grows: open steps are appended
            legal = game.rules.legal(here) if _find_question(game, here) else []
            for choice in filter(sight.visible, legal):
                after = game.rules.apply(here, choice)
                if after in reached or len(reached) > MOST_STATES:
                    continue
                reached.add(after)
                longer = (*path, choice)
                differences = sight.differences(seen, sight.of(after))
                if not differences:
                    found.append(longer)
                    continue
                size = len if todo[0][0] is state else changes
                if size(differences) < size(left):
                    nearest, left = longer, differences
                pending = game.rules.pending(after)
                if pending.open:
                    todo.append((after, longer, most))
                elif after.seat != state.seat:
                    continue
                elif isinstance(pending, Report):  # it may fill the gap that the step left
                    begun.append((after, longer, most))
                elif len(differences) <= most:
                    begun.append((after, longer, len(differences)))
                else:
                    continue
                met.append(after)
        if found:
            return Exact(found[0]) if len(found) == 1 else Several(tuple(sorted(found)))
    return OutOfStep(nearest, left, _find_refusal(game, sight, met, left))


def changes(differences: Sequence[str]) -> int:
    """Count the changes behind these differences: a piece gone here and come there is one."""
    come = sum(word[0] == "+" for word in differences)
    return max(come, len(differences) - come)


def _find_question(game: Game[Any, Any], state: Any) -> Decide | Report | None:
    """Return the question of a state; None after the end, or if several seats choose at once."""
    pending = game.rules.pending(state)
    if isinstance(pending, Over) or (isinstance(pending, Decide) and len(pending.seats) > 1):
        return None
    return pending


def _find_refusal(
    game: Game[Any, Any], sight: Sight[Any], met: Sequence[Any], left: Sequence[str]
) -> Refusal | None:
    """Return the first refusal, in the order of states ``met``, of a choice that a difference names."""
    for state in met:
        asked = _find_question(game, state)
        if asked is None:
            continue
        written = asked.domain.written if isinstance(asked.domain, Domain) else ()
        for token in (*asked.domain.tokens, *written):
            choice = Choice(asked.question, token)
            if any(place.endswith(token) for place in left) and sight.visible(choice):
                refusal = game.rules.why_not(state, choice)
                if refusal:
                    return refusal
    return None
