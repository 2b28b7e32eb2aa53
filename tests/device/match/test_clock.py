"""The players' clock: every interval is somebody's or nobody's, and an undo gives time back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.match import clock
from device.match.clock import ChessClock, ClockState, ClockTimes, SystemClock
from device.match.records import Draft, Kind, Record, hash_header, seal
from tests.device.clocks import FakeClock
from tests.device.commands.recorded import ruling

A, B, C = 0, 1, 2


def fold(records, asked=None) -> ClockTimes:
    """The times that a clock reads off a log."""
    return ChessClock(records).read(None, asked)


def turns(log: Log) -> tuple[tuple[int, int], ...]:
    """The turns that count, in the order they began."""
    clock = ChessClock(log.records)
    return tuple((seat, ms) for (at, seat), ms in clock.spent.items() if at in clock.alive)


class Log:
    """A log that is written group by group, each so many ms after the one before."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.records: list[Record] = []
        self.groups = 0

    def add(self, ms: int, *drafts: Draft) -> Log:
        self.clock.advance(ms)
        self.groups += 1
        for draft in drafts:
            record = seal(
                draft, self.clock.stamp(), seq=len(self.records) + 1, group=self.groups, salt="0",
                group_size=len(drafts), prev=self.records[-1].hash if self.records else hash_header({}),
            )  # fmt: skip
            self.records.append(record)
        return self

    def reboot(self, up_ms: int = 0) -> Log:
        self.clock.reboot()
        self.clock.advance(up_ms)
        return self

    def times(self, asked=None) -> ClockTimes:
        return fold(self.records, asked)

    def live(self, ms: int, *asked: int) -> ClockTimes:
        """Return what a clock on the wall shows ``ms`` after the last record."""
        clock = ChessClock(self.records)
        self.clock.advance(ms)
        try:
            return clock.read(self.clock.stamp(), asked)
        finally:
            self.clock.advance(-ms)


def step(seat: int, *, sealed: bool = False) -> Draft:
    return Draft(
        kind=Kind.STEP, payload="B d3", seat=seat, visibility=f"seat:{'abcd'[seat]}" if sealed else "public"
    )


REPORT = Draft(kind=Kind.REPORT, payload="7")
NOTE = Draft(kind=Kind.NOTE, payload="n")
SILENT = [Draft(kind=kind, payload="x", seat=0) for kind in (Kind.NOTE, Kind.READING, Kind.PRIVATE)]


def begun() -> Log:
    """A match whose first report is in; from here on every millisecond is somebody's."""
    return Log().add(0, REPORT)


def test_a_correction_takes_nobodys_time_and_gives_none_back():
    log = begun().add(10, step(A)).add(20, step(B)).add(30, step(A))
    before = log.times().seats, turns(log)
    for line in ("amend 2 C d3", "strike 3", "insert 4 b P d d"):
        log.add(5, ruling("by ab"), ruling(line))
    after = log.times()
    assert (after.seats, turns(log)) == before
    assert after.admin == 15


class TestTheEnd:
    def test_abandoned_stands_still_whoever_is_asked(self):
        log = begun().add(1, step(A)).add(5, ruling("pause")).add(7, ruling("abandon late"))
        shown = log.live(50, B)
        assert (shown.state, shown.seats, shown.table, shown.admin) == (
            ClockState.ABANDONED, (1, 0, 0, 0), 0, 62,
        )  # fmt: skip
        log.add(1, ruling("undo 4")).add(1, ruling("resume"))
        assert log.live(2, B).seats == (1, 7, 0, 0)

    @pytest.mark.parametrize("back", ["undo 2", "rollback 2"])
    def test_taking_the_last_step_back_starts_it_again(self, back):
        log = begun().add(1, step(A), ruling("over double_pass")).add(9, ruling(back))
        assert log.live(10, A).seats[A] == 11
        assert log.live(10).state is ClockState.RUNS
        assert log.add(5, ruling("undo 3")).live(10).state is ClockState.OVER


def test_a_struck_step_was_still_thought_about():
    log = begun().add(1, step(A)).add(20, step(B)).add(300, step(A)).add(9, ruling("strike 2"))
    assert log.times().seats == (301, 20, 0, 0)
    assert log.add(1, ruling("strike 4")).live(7, A).present == {A: 307}
    log = begun().add(10, step(A)).add(20, step(B)).add(1, ruling("strike 3"))
    assert log.live(7, A).present == {A: 17}


class TestAskedAtOnce:
    def test_three(self):
        log = begun().add(10, step(B, sealed=True)).add(5, step(C, sealed=True)).add(1, step(A))
        assert log.times().seats == (16, 10, 15, 0)
        # The next question is another turn, even for who answered last.
        assert turns(log.add(2, step(A)))[-2:] == ((A, 16), (A, 2))

    def test_who_has_answered_does_not_pay_for_who_has_not(self):
        log = begun().add(10, step(A, sealed=True)).add(5, step(B, sealed=True)).add(1, ruling("undo 3"))
        log.add(2, step(B, sealed=True)).add(1, ruling("undo 5")).add(1, ruling("undo 2"))
        assert log.live(3, A, B).present == {A: 13, B: 20}
        assert log.add(3, step(A, sealed=True)).add(4, step(B)).times().seats == (13, 24, 0, 0)

    def test_taken_back_whole(self):
        """Revealed answers go only by agreement, and with them what was thought in the question."""
        log = begun().add(7, step(C)).add(10, step(A, sealed=True)).add(5, step(B)).add(2, step(C))
        log.add(1, ruling("by abc"), ruling("rollback 3"))
        assert log.times().seats == (10, 15, 7, 0)
        assert log.add(1, ruling("rollback 2")).times().seats == (0, 0, 7, 0)
        assert log.times().admin == 19  # 10 and 5 that two shared, 2, and the rulings


def whole(log: Log, line: list[tuple[int, int]]) -> bool:
    """Return True if all of the last group counts, and not only what a rollback left of it."""
    last = log.records[line[-1][0] - 1]
    return sum(group == last.group for _, group in line) == sum(
        record.group == last.group and record.kind in (Kind.STEP, Kind.REPORT) for record in log.records
    )


@st.composite
def logs(draw, seats: int = 3) -> Log:
    """Any log the referee could write of a game without sealed questions."""
    log = Log()
    line: list[tuple[int, int]] = []  # (record, group) of the steps and reports that count
    undone: list[list[tuple[int, int]]] = []  # what counted before the undos that may be undone now
    for _ in range(draw(st.integers(0, 25))):
        ms = draw(st.integers(0, 1000))
        what = draw(st.sampled_from(
            ["step"] * 6 + ["undo"] * 3 + ["redo", "report", "silent", "pause", "resume", "call", "answered",
             "adjust", "rollback", "reboot", "utc", "steps"]
        ))  # fmt: skip
        if what == "reboot":
            log.reboot(draw(st.integers(0, 10**6)))
        elif what == "utc":
            log.clock.set_utc(draw(st.integers(0, 2**41)))
        elif what in ("step", "steps", "report"):
            play = [step(draw(st.integers(0, seats - 1))) for _ in range(2 if what == "steps" else 1)]
            log.add(ms, *([REPORT] if what == "report" else play))
            line += [(record.seq, record.group) for record in log.records if record.group == log.groups]
            undone = []
        elif what == "undo" and line and whole(log, line):
            undone.append(list(line))
            group = line[-1][1]
            log.add(ms, ruling(f"undo {group}"))
            line = [one for one in line if one[1] != group]
        elif what == "redo" and len(undone) == 1 and log.records[-1].payload.startswith("undo"):
            log.add(ms, ruling(f"undo {log.groups}"))
            line = undone.pop()
        elif what == "rollback" and line:
            at = draw(st.integers(0, len(line) - 1))
            log.add(ms, ruling("by abc"), ruling(f"rollback {line[at][0]}"))
            line, undone = line[:at], []
        elif what == "silent":
            log.add(ms, draw(st.sampled_from(SILENT)))
        elif what in ("pause", "resume", "call", "answered"):
            log.add(ms, ruling(what))
        elif what == "adjust":
            log.add(ms, ruling("adjust b +3"))
    log.line = [seq for seq, _ in line]
    return log


def intervals(records: list[Record]) -> list[tuple[int, list[Record]]]:
    """The ms that each group which ends an interval ended; the naive reading."""
    found, mark = [], None
    for group in sorted({record.group for record in records}):
        members = [record for record in records if record.group == group]
        ends = any(record.kind in (Kind.STEP, Kind.REPORT, Kind.RULING) for record in members)
        same = mark is not None and mark.boot_id == members[0].boot_id
        if ends:
            found.append((members[0].mono_ms - mark.mono_ms if same else 0, members))
        if ends or not same:
            mark = members[0]
    return found


def naive(log: Log) -> tuple[tuple[int, ...], int]:
    """Seats and table word for word: a step's time is its seat's if the turn's position counts in the end."""
    seats, table = [0, 0, 0, 0], 0
    seat_of = {record.seq: record.seat for record in log.records if record.kind is Kind.STEP}
    final = [seq for seq in log.line if seq in seat_of]
    line: list[int] = []
    before: dict[int, list[int]] = {}  # the line before each group
    stopped: set[str] = set()
    held: list[tuple[list[int], int]] = []
    for passed, members in intervals(log.records):
        before[members[0].group] = line
        word, _, figure = members[-1].payload.partition(" ")
        charged = 0 if stopped else passed
        if members[0].kind in (Kind.STEP, Kind.REPORT):
            charged += sum(ms for trunk, ms in held if trunk == line)
            held = [one for one in held if one[0] != line]
        if members[0].kind is Kind.REPORT:
            table += charged
        elif members[0].kind is Kind.STEP:
            for record in members:
                trunk = list(line)
                while trunk and seat_of[trunk[-1]] == record.seat:
                    trunk.pop()
                if final[: len(trunk)] == trunk:
                    seats[record.seat] += charged
                line, charged = [*line, record.seq], 0
        elif word == "rollback":
            line = [seq for seq in line if seq < int(figure)]
        elif word == "undo":
            line = before[int(figure)]
        elif word in ("pause", "call"):
            held.append((line, charged))
            stopped.add(word)
        elif word in ("resume", "answered"):
            stopped -= {"pause" if word == "resume" else "call"}
    return tuple(seats), table


class TestProperties:
    @given(logs())
    def test_agrees_with_the_naive_reading(self, log):
        times = log.times()
        assert (times.seats, times.table) == naive(log)

    @given(logs())
    def test_nothing_is_lost_and_nothing_made_up(self, log):
        times = log.times()
        assert sum(times.seats) + times.table + times.admin == sum(ms for ms, _ in intervals(log.records))
        assert sum(ms for _, ms in turns(log)) == sum(times.seats)
        assert min(*times.seats, times.table, times.admin, *[ms for _, ms in turns(log)]) >= 0

    @given(logs(), st.integers(0, 5000))
    def test_what_runs_is_what_is_charged_in_the_end(self, log, ms):
        log.clock.advance(0)
        if log.records and log.records[-1].boot_id != log.clock.stamp().boot_id:
            log.add(0, NOTE)
        for seat in range(3):
            shown = log.live(ms, seat)
            after = Log()
            after.records, after.groups, after.clock = list(log.records), log.groups, FakeClock()
            after.clock.__dict__.update(vars(log.clock))
            after.add(ms, step(seat))
            assert after.times().seats == shown.seats
            assert (seat, shown.present[seat]) in turns(after)
        shown = log.live(ms)
        assert log.add(ms, REPORT).times().table == shown.table


def test_system_clock_goes_forward_within_one_boot():
    system = SystemClock()
    first, second = system.stamp(), system.stamp()
    assert second.mono_ms >= first.mono_ms
    assert first.utc_ms > 1_600_000_000_000
    assert first.boot_id == second.boot_id == SystemClock().stamp().boot_id


def test_without_a_boot_id_each_process_makes_one_up(monkeypatch):
    monkeypatch.setattr(clock, "_BOOT_ID", Path("/nonexistent"))
    system = SystemClock()
    assert len(system.boot_id) == 36
    assert system.stamp().boot_id == system.boot_id != SystemClock().boot_id
