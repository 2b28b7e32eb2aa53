"""Seating: draws the tables of a round so that people meet others and nobody is always first.

::

    people = [Person("Ada"), Person("Ben", table="3"), …]
    one = draw(people, SeatingRules(), 7, rounds_before)
    [*faults(people, rounds_before, one, SeatingRules())]      # ["Ada and Ben meet again: rounds 1 and 3"]

The rules, strictly in this order: people kept apart do not meet; each teacher sits at another table; pairs
meet again as seldom as possible, counted squared; nobody is at a smaller table again; nobody is always first.
Simulated annealing finds a round: two people change places, and only their two tables are scored again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain, combinations, permutations
from random import Random
from typing import Final, TypeVar

import msgspec

T = TypeVar("T", str, tuple[str, str])

LEAST, MOST = 2, 4
"""The fewest and the most people at a table."""
TRIES: Final = 400
"""The number of changes tried for each person in one annealing."""
WARM, COLD = 2.0, 0.05
"""The temperatures of the first and the last change, in the cost of a pair that meets again."""
APART, TEACHERS = 1 << 32, 1 << 16
"""The costs of two people kept apart at one table, and of a second teacher: no number of pairs that meet
again outweighs them.
"""
SMALL: Final = 0.3
"""The cost of a person at a smaller table again, in the first annealing of a round."""


class SeatingError(ValueError):
    """People who cannot be seated; one line with their names and the remedy."""


class Person(msgspec.Struct, frozen=True):
    """A player; ``table`` is the table of one who cannot move, empty for others."""

    name: str
    table: str = ""
    teaches: bool = False


class SeatingRules(msgspec.Struct, frozen=True):
    """The sizes of tables, the preferred one first, and the pairs to keep apart."""

    sizes: tuple[int, ...] = (4, 3)
    apart: tuple[tuple[str, str], ...] = ()


class SeatedRound(msgspec.Struct, frozen=True):
    """The people at each table of a round, by its name and in the order of their seats; the people who sit
    out, and those who were not there.
    """

    tables: Mapping[str, tuple[str, ...]]
    byes: tuple[str, ...] = ()
    away: tuple[str, ...] = ()

    @property
    def small(self) -> list[str]:
        """The people at tables that are smaller than the largest."""
        largest = max(map(len, self.tables.values()), default=0)
        return [name for people in self.tables.values() if len(people) < largest for name in people]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of people who meet."""
        return [pair for people in self.tables.values() for pair in _list_pairs({*people})]


class Met(msgspec.Struct, frozen=True):
    """The past of a round: how often each pair met, and how often each person sat out, was at a small table,
    and had each seat.
    """

    pairs: Counter[tuple[str, str]]
    byes: Counter[str]
    small: Counter[str]
    seats: Counter[tuple[str, int]]

    @classmethod
    def of(cls, rounds: Iterable[SeatedRound]) -> Met:
        """Count the meetings and seats of rounds."""
        met = cls(Counter(), Counter(), Counter(), Counter())
        for one in rounds:
            met.byes.update(one.byes)
            met.pairs.update(one.pairs)
            met.small.update(one.small)
            for people in one.tables.values():
                met.seats.update((name, seat) for seat, name in enumerate(people))
        return met


def _list_pairs(names: Iterable[str]) -> Iterable[tuple[str, str]]:
    return combinations(sorted(names), 2)


def choose_sizes(people: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of the tables that seat most people; among equals, those with most tables of the first
    size.

    Raises :class:`SeatingError` if not even one table is full.
    """
    best: tuple[int, ...] = ()
    for first in range(people // sizes[0], -1, -1):
        left = people - first * sizes[0]
        rest = choose_sizes(left, sizes[1:]) if len(sizes) > 1 and left >= min(sizes[1:]) else ()
        found = (*(sizes[0],) * first, *rest)
        if sum(found) > sum(best):
            best = found
    if not best:
        raise SeatingError(
            f"{people} people fill no table of {' or '.join(map(str, sizes))}: change the sizes"
        )
    return best


def draw(
    people: Sequence[Person], rules: SeatingRules, seed: int, played: Sequence[SeatedRound] = ()
) -> SeatedRound:
    """Draw a round after those ``played``, its tables named by number; the same ``seed`` draws the same.

    Raises :class:`SeatingError` if the rules allow no seating.
    """
    _check_possible(people, rules)
    sizes, met, rng = choose_sizes(len(people), rules.sizes), Met.of(played), Random(f"{seed} {len(played)}")
    movable = [person.name for person in people if not person.table]
    rng.shuffle(movable)
    movable.sort(key=lambda name: -met.byes[name])  # people who sat out play
    out = len(people) - sum(sizes)
    byes, playing = movable[len(movable) - out :] if out else [], movable[: len(movable) - out]
    if len(byes) < out:
        raise SeatingError(f"{out} people sit out, and only {len(byes)} of them can move")
    rng.shuffle(playing)
    tables: list[list[str]] = [
        [person.name for person in people if person.table == str(number)]
        for number in range(1, len(sizes) + 1)
    ]
    fixed = [len(names) for names in tables]
    for names, size in zip(tables, sizes, strict=True):
        while len(names) < size:
            names.append(playing.pop())
    teachers = {person.name for person in people if person.teaches}
    best = _run_annealing(tables, fixed, partial(_compute_cost, met, rules, teachers, max(sizes)), rng)
    seated = {str(n): _order_seats(names, met.seats, rng) for n, names in enumerate(best, 1)}
    return SeatedRound(seated, tuple(sorted(byes)))


def _check_possible(people: Sequence[Person], rules: SeatingRules) -> None:
    twice = [name for name, n in Counter(person.name for person in people).items() if n > 1]
    if twice:
        raise SeatingError(f"{twice[0]} is there twice: tell them apart")
    if not rules.sizes or not all(LEAST <= size <= MOST for size in rules.sizes):
        raise SeatingError(f"tables are of {LEAST} to {MOST} people")
    tables = choose_sizes(len(people), rules.sizes)
    for name, fixed in Counter(person.table for person in people if person.table).items():
        if not name.isdigit() or not 1 <= int(name) <= len(tables):
            raise SeatingError(f"there is no table {name}: {len(tables)} are played on, 1 to {len(tables)}")
        if fixed > tables[int(name) - 1]:
            raise SeatingError(f"{fixed} people cannot move from table {name} of {tables[int(name) - 1]}")


def _compute_cost(
    met: Met, rules: SeatingRules, teachers: Set[str], largest: int, names: Sequence[str]
) -> tuple[int, int]:
    """Return the costs of a table: of meetings, in pairs that meet for the second time; and of its size,
    which comes after these.
    """
    pairs, small = met.pairs, met.small
    found = sum(2 * pairs[pair] - 1 for pair in _list_pairs(names) if pairs[pair])
    apart = sum(a in names and b in names for a, b in rules.apart)
    teaching = max(0, sum(name in teachers for name in names) - 1) if teachers else 0
    less = sum(small[name] ** 2 for name in names) if len(names) < largest else 0
    return found + APART * apart + TEACHERS * teaching, less


def _run_annealing(
    tables: list[list[str]],
    fixed: Sequence[int],
    cost: Callable[[Sequence[str]], tuple[int, int]],
    rng: Random,
) -> list[list[str]]:
    """Swap people who can move, with a falling temperature, until nothing is wrong or all tries are done;
    return the best tables on the way. The first ``fixed`` people of a table stay; each swap scores only two
    tables again.

    If pairs still meet again, try once more without regard for smaller tables.
    """
    places = [(table, seat) for table, names in enumerate(tables) for seat in range(fixed[table], len(names))]
    tries = TRIES * len(places) if len(tables) > 1 and len(places) > 1 else 0
    costs = [cost(names) for names in tables]
    whole = sum(meeting for meeting, _ in costs), sum(less for _, less in costs)
    least, best = whole, [[*names] for names in tables]
    for small in (SMALL, 0.0):
        for n in range(tries):
            if n % len(places) == 0 and least == (0, 0):
                return best
            (a, i), (b, j) = rng.choice(places), rng.choice(places)
            if a == b:
                continue
            most = -WARM * (COLD / WARM) ** (n / tries) * math.log(1.0 - rng.random())
            tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
            new = cost(tables[a]), cost(tables[b])
            more, less = (new[0][k] + new[1][k] - costs[a][k] - costs[b][k] for k in (0, 1))
            if more + small * less > most:
                tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
                continue
            costs[a], costs[b] = new
            whole = whole[0] + more, whole[1] + less
            if whole < least:
                least, best = whole, [[*names] for names in tables]
        if least[0] == 0:
            break
    return best


def _order_seats(names: Sequence[str], seats: Mapping[tuple[str, int], int], rng: Random) -> tuple[str, ...]:
    """Return people in the order whose first person was first least often and whose seats are most even."""

    def count_uneven(order: Sequence[str]) -> tuple[int, int]:
        had = [seats[name, seat] for seat, name in enumerate(order)]
        return had[0], sum(n**2 for n in had)

    return min(permutations(rng.sample(list(names), len(names))), key=count_uneven)


# Faults of a round, and late changes


def find_faults(
    people: Sequence[Person], before: Sequence[SeatedRound], one: SeatedRound, rules: SeatingRules
) -> Iterator[str]:
    """Yield the faults of a round that follows those ``before``, in the order of the rules."""
    rounds, number, out = [*before, one], len(before) + 1, Counter(chain(*(each.byes for each in before)))
    yield from (f"{name} sits out {out[name] + 1} times" for name in one.byes if out[name])
    teachers = {person.name for person in people if person.teaches}
    for table, there in one.tables.items():
        for a, b in rules.apart:
            if {a, b} <= {*there}:
                yield f"{a} and {b} must be kept apart but sit together in round {number}"
        if len(teaching := sorted(teachers.intersection(there))) > 1:
            yield f"{' and '.join(teaching)} both teach at {table} in round {number}"
    played = Counter(name for each in rounds for name in chain(*each.tables.values()))
    met, small = _number([each.pairs for each in rounds]), _number([each.small for each in rounds])
    first = _number([[there[0] for there in each.tables.values()] for each in rounds])
    repeats = [(f"{a} and {b} meet again", when) for (a, b), when in met]
    repeats += [(f"{name} is at a smaller table again", when) for name, when in small]
    repeats += [(f"{name} always sits first", when) for name, when in first if len(when) == played[name]]
    for said, (*others, last) in repeats:
        if others and last == number:
            yield f"{said}: rounds {', '.join(map(str, others))} and {last}"


def _number(of_rounds: Iterable[Iterable[T]]) -> list[tuple[T, list[int]]]:
    """Return the sorted items of rounds, each with the numbers of its rounds."""
    found = dict[T, list[int]]()
    for number, there in enumerate(of_rounds, 1):
        for one in there:
            found.setdefault(one, []).append(number)
    return sorted(found.items())


def choose_latecomer_table(
    tables: Mapping[str, Sequence[str]], name: str, rules: SeatingRules, played: Sequence[SeatedRound] = ()
) -> str:
    """Return a latecomer's table: the one, of those with a free seat, where they met fewest people.

    Raises :class:`SeatingError` if all are full, or the person has a seat.
    """
    if any(name in there for there in tables.values()):
        raise SeatingError(f"{name} sits already")
    met, most = Met.of(played).pairs, max(rules.sizes)
    apart = {other for pair in rules.apart if name in pair for other in pair}
    free = [table for table, there in tables.items() if len(there) < most and not apart.intersection(there)]
    if not free:
        raise SeatingError(f"no table has a seat left for {name}: they stand by for the next round")
    return min(free, key=lambda table: sum(met[min(name, one), max(name, one)] for one in tables[table]))
