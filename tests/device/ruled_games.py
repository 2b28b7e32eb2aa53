"""Random games with random rulings thrown in, through the referee, on a journal that lives in memory."""

import secrets
from random import Random

from device.match.correction import Correction, list_alternatives, list_undoable
from device.match.history import find_place
from device.match.records import Stamp, hash_header, seal
from device.match.referee import CannotUndo, Closed, Misfit, Referee
from device.match.replay import Header
from device.match.rulings import Adjust, Answered, Call, Override, Pause, Resume, Rollback
from engines.contract import SEATS, Choice, Decide, Level, Report, Setup
from engines.errors import EngineError
from engines.match import Step
from engines.search import true_choices
from tests.device.conftest import NAMES
from tests.device.games import MARRAKESH, TORRES, TUSCANY
from tests.engines.tables import PLAYERS
from tests.engines.walks import seldom_pass

STAMP = Stamp(1_700_000_000_000, 0, "memory")
HEADERS = [
    *(
        Header("san_gimignano", NAMES, setup)
        for setup in (
            Setup(),
            Setup(start=1, options=(("donazione", "must"),)),
            Setup(level=Level.TABLE),
            Setup(options=(("nobles", "yes"),)),
            Setup(options=(("nobles", "yes"), ("pietra_guard", "yes")), level=Level.TABLE),
            Setup(options=(("deals", "2"),)),
            Setup(options=(("nobles", "yes"), ("deals", "2"))),
        )
    ),
    *TORRES.values(),
    *TUSCANY.values(),
    *MARRAKESH.values(),
]
"""Matches of every game, one after the other."""

RULED = 0.06
"""How often people rule instead of playing on."""


class Memory:
    """What a journal is to a referee, without a disk under it."""

    path = "memory"

    def __init__(self, header):
        self.header = header
        self.records = []

    def append(self, drafts, stamp=None):
        group = self.records[-1].group + 1 if self.records else 1
        fresh = []
        for seq, draft in enumerate(drafts, len(self.records) + 1):
            prev = (fresh or self.records)[-1].hash if fresh or self.records else hash_header(self.header)
            fresh.append(
                seal(draft, STAMP, seq=seq, group=group, group_size=len(drafts), prev=prev,
                     salt=secrets.token_hex(16))
            )  # fmt: skip
        self.records += fresh
        return tuple(fresh)

    def close(self):
        """Nothing to close."""


class Ruled:
    """One game being played and ruled on; ``done`` counts what was ruled, by its word."""

    def __init__(self, header: Header, rng: Random):
        self.journal = Memory(header.write())
        self.seats = len(header.names)
        self.facts = header.setup.facts
        self.everybody = SEATS[: self.seats]
        self.choose = PLAYERS.get(header.game, seldom_pass)
        self.referee = Referee(self.journal, stamp=lambda: STAMP)
        self.game = self.referee.replay.game
        self.rng = rng
        self.done = {}
        self.overruled = False

    def play(self, most=250):
        """Play to the end, or until ``most`` entries; then a few rulings on what came of it."""
        world = at = None
        while not self.referee.replay.over and len(self.referee.replay.log) < most:
            if self.rng.random() < RULED:
                self.rule()
            state = self.referee.replay.match.state
            if state.termination or self.referee.replay.abandoned:
                break
            if self.referee.replay.match.points[-1] is not at:
                world = self.game.worlds.sample(state, self.rng)
            made = len(self.referee.replay.match.steps) + 1
            world = self._step(world)
            told = len(self.referee.replay.match.steps) - made  # what was seen before is told by itself
            at = None if told else self.referee.replay.match.points[-1]
        for _ in range(self.rng.randrange(3)):
            self.rule()
        assert self.referee.wait(30)
        self.referee.close()

    def _step(self, world):
        """One true step in this world; the world after it."""
        state, choices = self.referee.replay.match.state, []
        pending = self.game.rules.pending(state)
        seat = pending.seats[0] if isinstance(pending, Decide) else None
        while not choices or pending.open:
            if isinstance(pending, Report):
                choice = self.game.worlds.answer(world, state, self.rng)
            else:
                true = true_choices(self.game, world, state, seat, self.rng)
                choice = self.choose(self.game, state, world, seat, true, self.rng)
            world = self.game.worlds.advance(world, state, choice, self.rng)
            state = self.game.rules.apply(state, choice)
            choices.append(choice)
            pending = self.game.rules.pending(state)
        self.referee.step(self.game.notation.text(choices), seat=seat, channel="keys")
        return world

    def rule(self):
        """One ruling, as likely refused as not; what is refused must change nothing."""
        name = self.rng.choice([
            *("undo", "undo", "rollback", "amend", "amend", "strike"),
            *("insert", "adjust", "pause", "call", "override"),
        ])  # fmt: skip
        head, state = self.referee.head, self.referee.replay.match.state
        try:
            done = getattr(self, f"_{name}")()
        except (EngineError, CannotUndo, Closed, Misfit):
            done = False
        if done:
            self.done[name] = self.done.get(name, 0) + 1
        else:
            assert (self.referee.head, self.referee.replay.match.state) == (head, state)

    def _line(self):
        lines = [line for line in self.referee.replay.history if line.play]
        return self.rng.choice(lines) if lines else None

    def _undo(self):
        self.referee.undo(self.rng.choice(list_undoable(self.referee.replay)), channel="keys")
        return True

    def _rollback(self):
        line = self._line()
        return line and self.referee.rule(Rollback(line.seq), channel="keys", by=self.everybody)

    def _edit(self, first):
        """A correction; what no longer fits after it is corrected too, or struck, a few times."""
        line = self._line()
        if line is None:
            return False
        draft = Correction(self.referee.replay)
        match = self.referee.replay.match.branch(find_place(self.referee.replay.history, line.seq))
        first(draft, line, match)
        for _ in range(12):
            tried = draft.attempt()
            if not draft.edits or not tried.stuck:
                break
            stuck, options = tried.stuck, []
            if isinstance(stuck.made, Step):
                options = list_alternatives(tried.match, stuck.made)
            if options and self.rng.random() < 0.7:
                draft.amend(stuck, stuck.seat, self.rng.choice(options))
            else:
                draft.strike(stuck)
        return draft.edits and self.referee.rule(*draft.edits, channel="keys", by=self.everybody)

    def _amend(self):
        def first(draft, line, match):
            options = list_alternatives(match, line.made)
            if options:
                draft.amend(line, line.seat, self.rng.choice(options))

        return self._edit(first)

    def _strike(self):
        return self._edit(lambda draft, line, match: draft.strike(line))

    def _insert(self):
        def first(draft, line, match):
            state, choices, pending = match.state, [], match.pending
            seat = pending.seats[0] if isinstance(pending, Decide) else None
            while not choices or self.game.rules.pending(state).open:
                asked = self.game.rules.pending(state)
                drawn = [] if asked.domain.listed else [Choice(asked.question, asked.domain.draw(self.rng))]
                choice = self.rng.choice(self.game.rules.legal(state, seat) or drawn)
                state = self.game.rules.apply(state, choice)
                choices.append(choice)
            draft.insert(line, seat, self.game.notation.text(choices))

        return self._edit(first)

    def _adjust(self):
        points = self.rng.choice([-10, -5, -1, 1, 3, 20])
        adjust = Adjust(self.rng.randrange(self.seats), points, "soak")
        return self.referee.rule(adjust, channel="keys", by="judge")

    def _pause(self):
        if self.referee.replay.affairs.call:
            return False
        self.referee.rule(Pause(), channel="keys")
        return self.referee.rule(Resume(), channel="keys")

    def _call(self):
        self.referee.rule(Call("soak"), channel="keys")
        return self.referee.rule(Answered(), channel="keys", by="judge")

    def _override(self):
        """Something that is not legal, and whatever must follow it, stands."""
        match, state, choices, waived = self.referee.replay.match, self.referee.replay.match.state, [], []
        pending = match.pending
        if not isinstance(pending, Decide):
            return False
        seat = pending.seats[0]
        barred = [
            (choice, refusal)
            for choice in (Choice(pending.question, token) for token in pending.domain.tokens)
            if (refusal := self.game.rules.why_not(state, choice, seat))
        ]
        if not barred:
            return False
        choice, refusal = self.rng.choice(barred)
        state = self.game.rules.overrule(state, choice, refusal.clause, seat)
        choices.append(choice)
        waived.append(refusal.clause)
        while self.game.rules.pending(state).open:
            choices.append(self.rng.choice(self.game.rules.legal(state)))
            state = self.game.rules.apply(state, choices[-1])
        override = Override(tuple(waived), "soak")
        text = self.game.notation.text(choices)
        self.referee.step(text, seat=seat, channel="keys", override=override, by=self.everybody)
        self.overruled = True
        return True
