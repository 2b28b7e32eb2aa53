"""Whether a home-made node keeps to the protocol: plays the box to it and says what it does wrong.

The kit waits for hellos, holds answers back, damages them, opens the line anew and pulls the cable. It needs
somebody's hand only where a node sends nothing by itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Literal, Protocol

import msgspec

from device.line.frames import Frame, FrameReader, Garbled, encode
from device.line.messages import (
    Ack,
    Answer,
    Ask,
    Err,
    Event,
    FromNode,
    Greeting,
    Hello,
    Message,
    MessageError,
    Open,
    Ping,
    Reading,
    Step,
    Stroke,
    Tell,
    parse,
    write,
)
from device.line.session import TOLD_A_SECOND
from device.telemetry import KINDS as TELEMETRY
from device.telemetry import Weight

HELLO_S = 8.0
"""A node that has just been plugged in, and perhaps starts, says hello within this time."""

AGAIN_S = (0.4, 4.0)
"""What is said again each second comes no sooner and no later."""

QUIET_S = 3.0
"""Nothing that was answered comes again within this time."""

MOVING_A_SECOND = 5
"""Weights of a load that moves."""

JUMP = 1000
"""So far on the box says a node had counted."""

GARBAGE = b"\xff\xfe\x00\n" + b"x" * 700 + b"\n12\n99 wobble 1 2\n7 ack\n8 err\n"

_KEPT = ("open", "step", "reading", "tell", "key")
_ANSWERS = {
    "legal": "-",
    "score": "a:12 b:9",
    "turn": "b action",
    "position": "-",
    "why": "- it is legal",
    "match": "toy Adso,William level=full head=6",
    "readings": "tray",
}


class Wire(Protocol):
    """A serial port with time: what the kit needs of it."""

    def open(self) -> None:
        """Open it; :raises OSError: when it is not there."""

    def close(self) -> None:
        """Close it, as if the cable was pulled."""

    def write(self, data: bytes) -> None:
        """Send bytes."""

    def read(self, seconds: float) -> bytes:
        """What comes, as soon as anything comes; empty when nothing did within so many seconds."""
        ...

    def now(self) -> float:
        """Seconds since whenever."""
        ...


class Check(msgspec.Struct, frozen=True):
    """One thing that was tried: what was ``seen`` and, where it ``fail``ed, the ``remedy``."""

    verdict: Literal["ok", "fail", "not tried"]
    name: str
    seen: str
    remedy: str = ""


class Kit:
    """Plays the box to one node; :meth:`run` once."""

    def __init__(self, wire: Wire, hand: Callable[[str], None], patience_s: float = 30.0) -> None:
        """``hand(text)`` asks somebody to make the node send something, then it has ``patience_s`` to."""
        self._wire = wire
        self._hand = hand
        self._patience_s = patience_s
        self._reader = FrameReader()
        self._seq = self._record = self._last = 0
        self._pending: deque[Frame] = deque()
        self._hello: Hello | None = None
        self._greeted = False
        self._garbled = ""
        self._faults: dict[str, str] = {}
        self._numbers: dict[int, str] = {}
        self._heard: list[Frame] = []
        self._times: dict[str, deque[float]] = {"all": deque(), "moving": deque()}

    def run(self) -> Iterator[Check]:
        """Try everything, and give each check when it is done.

        :raises OSError: when the port cannot be had, or goes.
        """
        self._open()
        yield from (greeted := list(self._greeting()))
        if self._hello is None:
            return
        yield from self._anew(greeted[-1].verdict == "ok")
        yield from self._unanswered()
        yield from self._told_to_say_hello()
        yield from self._replugged()
        yield from self._all_along()
        self._wire.close()

    # What is tried

    def _greeting(self) -> Iterator[Check]:
        name = "says hello"
        first = self._hear(HELLO_S, _is("hello"))
        if first is None:
            seen = self._garbled or (_quoted(self._heard[-1]) if self._heard else "nothing was heard")
            yield Check(
                "fail",
                name,
                f"no hello within {HELLO_S:g} s; {seen}",
                "check port, baud rate and RX/TX; then send: 1 hello NAME VERSION CAPS",
            )
            return
        yield Check("ok", name, _quoted(first))
        again, gap = self._timed(AGAIN_S[1], _is("hello"))
        yield _again("says hello again until it is answered", again, gap, "say hello each second until then")
        hello = again or first
        self._last = hello.seq + JUMP
        self._greet(hello)
        more = 0
        end = self._wire.now() + QUIET_S
        while self._hear(end - self._wire.now(), _is("hello")):
            more += 1
        yield _judged(
            more <= 1,  # one may have been on its way
            "takes the answer to its hello",
            "no further hello" if more <= 1 else f"{more} more within {QUIET_S:g} s",
            f"stop when a hello with re=NUMBER comes, such as: 2 {' '.join(write(Greeting(hello.seq)))}",
        )

    def _anew(self, quiet: bool) -> Iterator[Check]:
        if self._hello and "scale" in self._hello.caps:
            said = {frame.kind for frame in self._heard}
            yield _judged(
                {"health", "weight"} <= said,
                "a scale says health and weight when its hello is answered",
                f"it said {', '.join(sorted(said - {'hello'})) or 'nothing'}",
                "send health and weight then: what was said before is lost",
            )
        for name, before, remedy in (
            ("says hello when the box opens the line anew", b"", "answer a hello without re= with a hello"),
            (
                "goes on after garbage",
                GARBAGE,
                "drop what cannot be read up to the next line end, and lines of more than 512 bytes",
            ),
        ):
            if not quiet:
                yield Check("not tried", name, "it says hello all the time")
                continue
            self._wire.write(before)
            self._say(Greeting())
            hello = self._hear(AGAIN_S[1], _is("hello"))
            yield _judged(hello is not None, name, _seen(hello, AGAIN_S[1]), remedy)
            if hello:
                self._greet(hello)

    def _unanswered(self) -> Iterator[Check]:
        names = {
            "": "says a line again that got no answer",
            "checksum": "does not take an answer with a wrong checksum",
            "garbled": "says it again when the box could not read it",
            "busy": "says it again when the box is busy",
            "done": "does not say it again once it is answered",
        }
        line, why = self._awaited()
        if line is None:
            yield from (Check("not tried", name, why) for name in names.values())
            return
        for what, name in names.items():
            if what == "checksum":
                if not self._reader.checked:
                    continue
                self._say(Ack(line.seq, self._record + 1), spoilt=True)
            elif what == "garbled":
                self._say(Err(None, "garbled", "not text"))
            elif what == "busy":
                self._say(Err(line.seq, "busy", "send it again later"))
            elif what == "done":
                self._acknowledge(line)
            before = len(self._heard)
            again, gap = self._timed(QUIET_S if what == "done" else AGAIN_S[1], _same(line))
            if what == "done":
                yield _judged(
                    again is None,
                    name,
                    "no more of it" if again is None else f"{_quoted(again)} after {gap:.1f} s",
                    "an ack with its number ends a line, an err too",
                )
                return
            others = [
                each for each in self._heard[before:] if _text(each) == _text(line) and each.seq != line.seq
            ]
            remedy = "send the same line with the same number after a second, until its answer comes"
            if again is None and others:
                yield Check(
                    "fail", name, f"as number {others[0].seq} instead of {line.seq}: done twice", remedy
                )
            else:
                yield _again(name, again, gap, remedy, AGAIN_S[0] if what == "" else 0)
            if again is None:
                self._acknowledge(line)
                return

    def _told_to_say_hello(self) -> Iterator[Check]:
        name = "says hello when told to"
        line, why = self._any_line()
        if line is None:
            yield Check("not tried", name, why)
            return
        self._say(Err(line.seq, "hello", "say hello first, for example: 1 hello keypad-1 1 step"))
        hello = self._hear(AGAIN_S[1], _is("hello"))
        yield _judged(
            hello is not None, name, _seen(hello, AGAIN_S[1]), "answer an err with hello with a hello"
        )
        if hello:
            self._greet(hello)

    def _replugged(self) -> Iterator[Check]:
        name, second = (
            "says hello after the line was gone and came back",
            "says again then what got no answer",
        )
        line, why = self._awaited()
        self._wire.close()
        self._wire.read(1.0)
        self._open()
        hello = self._hear(HELLO_S, _is("hello"))
        remedy = "after an unplugged cable begin again: hello each second until it is answered"
        yield _judged(hello is not None, name, _seen(hello, HELLO_S), remedy)
        if hello is None or line is None:
            yield Check("not tried", second, why or "no hello")
            return
        if hello.seq <= line.seq:
            yield Check("not tried", second, "opening the port reset the node, as it does many boards")
            self._greet(hello)
            return
        self._last = line.seq - 1
        self._greet(hello)
        again = self._hear(AGAIN_S[1], _same(line))
        yield _judged(again is not None, second, _seen(again, AGAIN_S[1]), f"send {_quoted(line)} again")
        self._acknowledge(line)

    def _all_along(self) -> Iterator[Check]:
        self._hear(QUIET_S, lambda frame: False)
        count = len(self._heard)
        for name, fine, remedy in (
            (
                "counts its lines",
                f"{count} lines",
                "one more for each new line, on from last= of the box's hello",
            ),
            ("says what the protocol knows", f"{count} lines", "hardware/PROTOCOL.md, What you may send"),
            (
                "keeps to checksums",
                "on every line" if self._reader.checked else "none used; on a long cable use them",
                "once one line had a checksum every line has; it is over all bytes before the star",
            ),
            ("does not say too much", "never too fast", "a weight that moves at most 5 times a second"),
        ):
            fault = self._faults.get(name)
            yield _judged(fault is None, name, fault or fine, remedy)

    # What is heard

    def _hear(self, seconds: float, wanted: Callable[[Frame], bool]) -> Frame | None:
        """The next line that is wanted, left to be answered; others are answered as the box would."""
        end = self._wire.now() + seconds
        while True:
            while self._pending:
                frame = self._pending.popleft()
                if wanted(frame):
                    return frame
                self._reply(frame)
            if (left := end - self._wire.now()) <= 0:
                return None
            for item in self._reader.feed(self._wire.read(left)):
                if isinstance(item, Garbled):
                    self._unreadable(item)
                else:
                    self._note(item)
                    self._pending.append(item)

    def _timed(self, seconds: float, wanted: Callable[[Frame], bool]) -> tuple[Frame | None, float]:
        began = self._wire.now()
        return self._hear(seconds, wanted), self._wire.now() - began

    def _awaited(self) -> tuple[Frame | None, str]:
        """A line that has to be answered, by somebody's hand where none comes; else why there is none."""
        if self._hello and not set(_KEPT) & set(self._hello.caps):
            return None, "it sends nothing that the box records or does"
        return self._by_hand(lambda frame: frame.kind in _KEPT)

    def _any_line(self) -> tuple[Frame | None, str]:
        return self._by_hand(lambda frame: frame.kind not in ("hello", "ack", "err"))

    def _by_hand(self, wanted: Callable[[Frame], bool]) -> tuple[Frame | None, str]:
        if line := self._hear(QUIET_S, wanted):
            return line, ""
        if self._hello and "watch" in self._hello.caps:
            self._record += 1
            self._say(Event(self._record, "turn b action step a: P d m6"))
        self._hand("now make it send something: press a key of it, put something on it")
        line = self._hear(self._patience_s, wanted)
        return line, "" if line else f"it sent nothing of the kind within {self._patience_s:g} s"

    def _unreadable(self, item: Garbled) -> None:
        if item.code == "garbled" and not self._greeted:  # while it starts, or with the port opened mid-line
            self._garbled = f"what comes cannot be read: {item.text}"
            return
        name = "says what the protocol knows" if item.code == "malformed" else "keeps to checksums"
        self._faults.setdefault(name, item.text)
        self._say(Err(None, item.code, item.text))

    def _note(self, frame: Frame) -> None:
        self._heard.append(frame)
        try:
            self._follow(frame, parse(frame))
        except MessageError as error:
            self._faults.setdefault("says what the protocol knows", f"{_quoted(frame)}: {error.text}")
        if frame.kind == "hello":
            return
        before = self._numbers.get(frame.seq)
        fault = ""
        if before not in (None, _text(frame)):
            fault = f"number {frame.seq} was {before}, then {_text(frame)}"
        elif (
            before is None and self._greeted and frame.seq <= (most := max(self._numbers, default=self._last))
        ):
            fault = f"{_quoted(frame)} after number {most}"
        if fault:
            self._faults.setdefault("counts its lines", fault)
        self._numbers[frame.seq] = _text(frame)

    def _follow(self, frame: Frame, said: FromNode) -> None:
        """What is wrong with a line that can be read."""
        if isinstance(said, Hello):
            self._hello = said
            return
        cap = "scale" if frame.kind in TELEMETRY else frame.kind
        if cap in (*_KEPT, "scale") and self._hello and cap not in self._hello.caps:
            raise MessageError("kind", f"its hello did not offer {cap}")
        if isinstance(said, Reading) and (sure := sum(chance for chance, _ in said.candidates)) > 1.005:
            raise MessageError("malformed", f"only one can be true, yet the confidences add up to {sure:.2f}")
        if frame.kind in TELEMETRY:
            self._paced("all", TOLD_A_SECOND)
            if isinstance(said, Weight) and not said.rests:
                self._paced("moving", MOVING_A_SECOND + 1)  # one may have waited on the way

    def _paced(self, what: str, most: int) -> None:
        times, now = self._times[what], self._wire.now()
        times.append(now)
        while now - times[0] >= 1:
            times.popleft()
        if len(times) > most:
            words = "weights that move" if what == "moving" else "words of a scale"
            self._faults.setdefault("does not say too much", f"{len(times)} {words} within a second")

    # What is said

    def _open(self) -> None:
        self._wire.open()
        self._reader = FrameReader()
        self._pending.clear()
        self._greeted = False
        self._seq = 0
        self._say(Greeting())

    def _greet(self, hello: Frame) -> None:
        self._numbers = {}
        self._greeted = True
        self._say(Greeting(hello.seq, None, self._last or None))

    def _acknowledge(self, line: Frame) -> None:
        self._record += 1
        self._last = max(self._last, line.seq)
        self._say(Ack(line.seq, None if line.kind == "key" else self._record))

    def _reply(self, frame: Frame) -> None:
        try:
            said = parse(frame)
        except MessageError as error:
            self._say(Err(frame.seq, error.code, error.text))
            return
        match said:
            case Hello():
                self._greet(frame)
            case Open() | Step() | Reading() | Tell() | Stroke():
                self._acknowledge(frame)
            case Ask(what):
                self._say(Answer(what, frame.seq, _ANSWERS[what]))
            case Ack() | Err():
                pass
            case Ping() | _:
                self._say(Ack(frame.seq))

    def _say(self, message: Message, *, spoilt: bool = False) -> None:
        self._seq += 1
        line = encode(self._seq, *write(message), checked=self._reader.checked)
        if spoilt:
            line = line[:-5] + (b"0000\n" if line[-5:-1] != b"0000" else b"1111\n")
        self._wire.write(line)


def _again(name: str, again: Frame | None, gap: float, remedy: str, least: float = AGAIN_S[0]) -> Check:
    if again is None:
        return Check("fail", name, f"not within {AGAIN_S[1]:g} s", remedy)
    return _judged(gap >= least, name, f"{_quoted(again)} after {gap:.1f} s", remedy)


def _judged(fine: bool, name: str, seen: str, remedy: str) -> Check:
    return Check("ok", name, seen) if fine else Check("fail", name, seen, remedy)


def _is(kind: str) -> Callable[[Frame], bool]:
    return lambda frame: frame.kind == kind


def _same(line: Frame) -> Callable[[Frame], bool]:
    return lambda frame: frame.seq == line.seq and _text(frame) == _text(line)


def _text(frame: Frame) -> str:
    return f"{frame.kind} {frame.args}".strip()


def _quoted(frame: Frame) -> str:
    return f"“{frame.seq} {_text(frame)}”"


def _seen(frame: Frame | None, seconds: float) -> str:
    return _quoted(frame) if frame else f"none within {seconds:g} s"
