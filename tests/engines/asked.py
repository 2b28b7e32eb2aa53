"""A game at a position: what is asked there, what may be answered, what follows."""

from typing import Any

from msgspec import Struct

from engines import notation
from engines.contract import Choice, Game, Refusal


class Asked(Struct, frozen=True, eq=False):
    """The questions of one game."""

    game: Game[Any, Any]

    def at(self, position: str, path: str = "") -> Any:
        """The state of a position text (written over as many lines as it takes) after the tokens of ``path``.

        A position that begins with ! is taken as it is, wrong or not.
        """
        text = " ".join(position.split())
        place: Any = self.game.position
        state = place.parse(text[1:]) if text[:1] == "!" else place.read(text)
        for token in path.split():
            choice = self.answer(state, token)
            refusal = self.game.rules.why_not(state, choice)
            assert refusal is None, f"{token}: {refusal}"
            state = self.game.rules.apply(state, choice)
        return state

    def answer(self, state: Any, token: str) -> Choice:
        """``token`` as the answer to what the state asks; it must be written as the domain writes its own."""
        pending: Any = self.game.rules.pending(state)
        assert pending.domain.holds(token), f"{token!r} is not in {pending.domain.name}"
        return Choice(pending.question, token)

    def play(self, state: Any, *steps: str) -> Any:
        """The state after whole steps in notation."""
        for text in steps:
            _, state = notation.read(self.game, state, text)
        return state

    def tokens(self, state: Any) -> list[str]:
        """Return what may be answered."""
        return [choice.token for choice in self.game.rules.legal(state)]

    def refusal(self, state: Any, token: str) -> Refusal | None:
        """Why ``token`` may not be answered."""
        return self.game.rules.why_not(state, self.answer(state, token))

    def fields(self, state: Any) -> dict[str, str]:
        """The fields of the state's position text."""
        return dict(word.split("=", 1) for word in self.game.position.write(state).split())

    def points(self, state: Any) -> list[dict[str, int]]:
        """Booked points by seat and category."""
        booked: list[dict[str, int]] = [{} for _ in range(self.game.rules.seated(state))]
        for booking in self.game.scoring.bookings(state):
            mine = booked[booking.seat]
            mine[booking.category] = mine.get(booking.category, 0) + booking.points
        return booked

    def overruled(self, position: str, path: str, token: str) -> Any:
        """The state after ``token``, which is refused, was let stand."""
        state = self.at(position, path)
        refusal = self.refusal(state, token)
        assert refusal is not None
        return self.game.rules.overrule(state, self.answer(state, token), refusal.clause)


class Ask:
    """A question of a second model: what is ``true`` may be answered with all pieces open, what is ``public``
    as far as everybody sees. A report has its one true answer in ``told``. What has one answer goes by itself
    where it is not ``always`` asked. It goes on with a step where that was ``begun``, or ``after`` one of
    these questions.
    """

    def __init__(self, question, seat, true, public=None, *, told=None, begun=False, always=False, after=()):
        self.question, self.seat, self.told, self.begun = question, seat, told, begun
        self.always, self.after = always, after
        self.true = set(true)
        self.public = self.true if public is None else set(public)

    @property
    def by_itself(self):
        """Whether nobody is asked."""
        return self.told is None and len(self.public) == 1 and not self.always
