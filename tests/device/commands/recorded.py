"""A whole match played at random, always the same one, as a match file and as a journal."""

from functools import cache
from random import Random

import engines
from device.exports import account
from device.match.correction import list_undoable
from device.match.journal import Journal, read
from device.match.journal_text import encode
from device.match.library import Library
from device.match.records import Draft, Kind, Record, Stamp, hash_header, seal, verify
from device.match.replay import Header, Replay
from device.match.rulings import Adjust, Agree, Amend, Answered, Call, Dispute, Override, Pause, Resume
from engines.contract import Setup
from engines.match import Match
from engines.matchfile import MatchFile, result, write
from engines.search import playout
from tests.device.clocks import FakeClock

GAME = engines.game("san_gimignano")
NAMES = ("Adso", "William")
HEADER = Header(GAME.id, NAMES, Setup())


@cache
def played() -> Match:
    """The first random match of more than 40 steps in which both have points."""
    for seed in range(200):
        match, step = Match(GAME, Setup()), []
        for state, _, choice in playout(GAME, match.state, Random(seed)):
            step.append(choice)
            if not GAME.rules.pending(GAME.rules.apply(state, choice)).open:
                match.play(GAME.notation.text(step))
                step = []
        if (
            len(match.steps) > 40
            and len({booking.seat for booking in GAME.scoring.bookings(match.state)}) == 2
        ):
            return match
    raise AssertionError("no such match")


def match_file(**changes) -> str:
    """The match's text; ``changes`` replace fields of its MatchFile."""
    match = played()
    fields = {"names": NAMES, "setup": Setup(), "steps": tuple(match.steps), "result": result(match)}
    return write(MatchFile(GAME.id, GAME.rules_version, **fields | changes))


def drafts(steps: int = 10**6) -> list[Draft]:
    """The match's first ``steps`` steps as they would be recorded, each a group of its own."""
    return list(_every_draft()[:steps])


@cache
def _every_draft() -> tuple[Draft, ...]:
    match, replay = played(), Replay(HEADER.write(), [])
    return tuple(
        Draft(
            kind=Kind.REPORT if step.seat is None else Kind.STEP,
            payload=step.text,
            seat=step.seat,
            state_digest=replay.digest(point.state),
        )
        for step, point in zip(match.steps, match.points[1:], strict=True)
    )


def journal(path, recorded=None, header=HEADER) -> str:
    """A journal at ``path`` holding ``recorded`` drafts or groups of them, a second apart; by default the
    whole match. Its path as text.
    """
    clock = FakeClock()
    with Journal.create(path, header.write(), clock.stamp) as made:
        for draft in drafts() if recorded is None else recorded:
            made.append(draft if isinstance(draft, list) else [draft])
            clock.advance(1000)
    return str(path)


def of_journal(path) -> account.Account:
    """Return what a journal without damage tells everybody."""
    reading = read(path)
    assert reading.damage is None
    return account.read_log(reading.header, reading.records)


def ruling(payload: str) -> Draft:
    """A ruling to be recorded."""
    return Draft(kind=Kind.RULING, payload=payload)


def chained(header, groups, salt="5a17", clock=None) -> list[Record]:
    """The records that groups of drafts make, their salts and times always the same."""
    clock = clock or FakeClock()
    log, prev = [], hash_header(header)
    for number, group in enumerate(groups, 1):
        drafts = group if isinstance(group, list) else [group]
        for draft in drafts:
            place = {"seq": len(log) + 1, "group": number, "group_size": len(drafts)}
            log.append(seal(draft, clock.stamp(), **place, prev=prev, salt=f"{salt}{len(log):04x}"))
            prev = log[-1].hash
        clock.advance(1000)
    return log


def resealed(header, records, change) -> list[Record]:
    """Return the same log with ``change`` made to each record, every digest and link made good again."""
    tip, log = hash_header(header), []
    for record in records:
        changed = change(record)
        fields = {name: getattr(changed, name) for name in Draft.__struct_fields__ if name != "evidence"}
        place = {name: getattr(changed, name) for name in ("seq", "group", "group_size", "salt")}
        stamp = Stamp(record.utc_ms, record.mono_ms, record.boot_id)
        log.append(seal(Draft(**fields), stamp, prev=tip, **place))
        tip = log[-1].hash
    assert verify(header, log) is None
    return log


def built(path, header, records) -> str:
    """A journal file of these records; its path as text."""
    path.write_bytes(encode(header, records))
    return str(path)


class Played:
    """A match at a table of its own, entered through the referee as the box does."""

    def __init__(self, folder, header=HEADER):
        self.clock = FakeClock()
        self.table = Library(folder, stamp=self.clock.stamp, simulated=header.simulated)
        self.referee = self.table.open_match(header)

    def steps(self, *texts, seat=None, **more):
        for text in texts:
            self.clock.advance(1500)
            self.referee.step(text, seat=seat, channel="keys", **more)
            assert self.referee.wait(30)

    def rule(self, *rulings, **more):
        self.clock.advance(1500)
        self.referee.rule(*rulings, channel="keys", **more)
        assert self.referee.wait(30)

    def done(self):
        """Close it; the journal's path as text."""
        assert self.referee.wait(30)
        assert not self.referee.lost
        path = self.referee.path
        self.table.leave()
        return path


def ruled_match(folder, header=HEADER, later_ms=0) -> str:
    """A short match with every kind of ruling in it, begun so much later; the journal's path.

    A judge is called, a market card was entered wrongly, Adso builds and takes it back, points are given by
    hand, Adso closes against the rules and everybody agrees, and in the end they disagree about the score.
    """
    game = Played(folder, header)
    game.clock.advance(later_ms)
    referee = game.referee
    game.steps("8 6 10 9", "P d d")
    game.rule(Call("which card was it?"))
    game.rule(Answered(), by="judge")
    game.steps("P m6 d")
    game.rule(Pause())
    game.rule(Resume())
    game.rule(*[Amend(number(referee, "P m6 d"), "P m9 d")], by="ab")
    game.steps("B 5-7")
    referee.undo(list_undoable(referee.replay)[0], channel="keys")
    game.rule(Adjust(0, 7, "slow play, said Guido"), by="ab")
    game.steps("B 8-10", "pass")
    game.steps("close", override=Override(("SG-3.12",), "we all wanted to"), by="ab")
    game.steps("pass", "pass")
    game.rule(Agree(0))
    game.rule(Dispute(1, (0, 5)))
    return game.done()


def number(referee, text) -> int:
    """The record under which a line of this text counts."""
    return next(line.seq for line in referee.replay.history if line.text == text)
