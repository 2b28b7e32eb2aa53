"""A check of home-made nodes: plays the box to a node (``played``) and names its faults.

The kit waits for hellos, delays answers, damages them, opens the line again and pulls the cable. It needs
somebody's hand only if a node sends nothing by itself. The running box never loads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from device.line import messages
from device.line.frames import LineFrame
from device.line.kit import played
from device.line.kit.played import PlayedBox, TimedPort
from device.line.session import SAY_HELLO, TELEMETRY_A_SECOND
from engines.packages import Trial

HELLO_S = 8.0
"""The longest time until a node that was just plugged in, and perhaps starts, says hello."""

AGAIN_S = (0.4, 4.0)
"""The shortest and the longest time until a line that is repeated each second comes again."""

QUIET_S = 3.0
"""The time within which an answered line must not come again."""

JUMP = 1000
"""The numbers that the box adds to a node's count in its answer to a hello."""

GARBAGE = b"\xff\xfe\x00\n" + b"x" * 700 + b"\n12\n99 wobble 1 2\n7 ack\n8 err\n"

_UNANSWERED = {
    "": (
        "says a line again that got no answer",
        "send the same line with the same number after a second, until its answer comes",
    ),
    "checksum": (
        "does not take an answer with a wrong checksum",
        "drop a line whose checksum is wrong as if it had not come",
    ),
    "garbled": (
        "says it again when the box could not read it",
        "after err with garbled or checksum send again what has no answer",
    ),
    "busy": (
        "says it again when the box is busy",
        "after err with busy send the same line again in a second",
    ),
    "done": ("does not say it again once it is answered", "an ack with its number ends a line, an err too"),
}


class Kit:
    """A check of one node; call :meth:`run` once."""

    def __init__(self, wire: TimedPort, hand: Callable[[str], None], patience_s: float = 30.0) -> None:
        """Check the node at ``wire``; ``hand(text)`` asks somebody to make it send within ``patience_s``."""
        self._box = PlayedBox(wire)
        self._hand = hand
        self._patience_s = patience_s

    def run(self) -> Iterator[Trial]:
        """Yield each check as it is done.

        :raises OSError: if the port cannot be opened, or goes.
        """
        self._box.open()
        yield from (greeted := list(self._check_greeting()))
        if self._box.hello is None:
            return
        yield from self._check_reopened(greeted[-1].verdict == "ok")
        yield from self._check_unanswered()
        yield from self._check_told()
        yield from self._check_replugged()
        yield from self._check_all_along()
        self._box.wire.close()

    # What is tried

    def _check_greeting(self) -> Iterator[Trial]:
        name = "says hello"
        first = self._box.hear(HELLO_S, _is_hello)
        if first is None:
            seen, remedy = self._box.came
            if self._box.heard:
                seen, remedy = played.quote(self._box.heard[-1]), ""
            elif not seen:
                seen, remedy = "nothing was heard", "check port, baud rate and RX/TX"
            remedy = f"{remedy}; then send" if remedy else "send"
            yield Trial(
                "fail",
                name,
                f"no hello within {HELLO_S:g} s; {seen}",
                f"{remedy}: 1 hello NAME VERSION CAPS",
            )
            return
        yield Trial("ok", name, played.quote(first))
        again, gap = self._box.measure(AGAIN_S[1], _is_hello)
        yield _judge_repeat(
            "says hello again until it is answered", again, gap, "say hello each second until then"
        )
        hello = again or first
        self._box.last = hello.seq + JUMP
        self._box.greet(hello)
        more, answer = 0, " ".join(messages.write(messages.Greeting(hello.seq)))
        end = self._box.wire.now() + QUIET_S
        while self._box.hear(end - self._box.wire.now(), _is_hello):
            more += 1
        yield Trial.judge(
            more <= 1,  # one may have been on its way
            "takes the answer to its hello",
            "no further hello" if more <= 1 else f"{more} more within {QUIET_S:g} s",
            f"stop when a hello with re=NUMBER comes, such as: 2 {answer}",
        )

    def _check_reopened(self, quiet: bool) -> Iterator[Trial]:
        if self._box.hello and "scale" in self._box.hello.caps:
            said = {frame.kind for frame in self._box.heard}
            yield Trial.judge(
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
                yield Trial("not tried", name, "it says hello all the time")
                continue
            self._box.wire.write(before)
            self._box.say(messages.Greeting())
            yield self._check_hello(name, remedy)

    def _check_hello(self, name: str, remedy: str) -> Trial:
        """Wait for a hello, and answer it."""
        hello = self._box.hear(AGAIN_S[1], _is_hello)
        if hello:
            self._box.greet(hello)
        return Trial.judge(hello is not None, name, _describe(hello, AGAIN_S[1]), remedy)

    def _check_unanswered(self) -> Iterator[Trial]:
        line, why = self._find_repeated_line()
        if line is None:
            yield from (Trial("not tried", name, why) for name, _ in _UNANSWERED.values())
            return
        for what, (name, remedy) in _UNANSWERED.items():
            match what:
                case "checksum" if not self._box.checked:
                    continue
                case "checksum":
                    self._box.say(messages.Ack(line.seq, self._box.record + 1), spoilt=True)
                case "garbled":
                    self._box.say(messages.Err(None, "garbled", "not text"))
                case "busy":
                    self._box.say(messages.Err(line.seq, "busy", "send it again later"))
                case "done":
                    self._box.acknowledge(line)
            before = len(self._box.heard)
            again, gap = self._box.measure(QUIET_S if what == "done" else AGAIN_S[1], _match_line(line))
            if what == "done":
                seen = f"{played.quote(again)} after {gap:.1f} s" if again else "no more of it"
                yield Trial.judge(again is None, name, seen, remedy)
                return
            text = played.write_text(line)
            said = [each for each in self._box.heard[before:] if played.write_text(each) == text]
            others = [each.seq for each in said if each.seq != line.seq]
            if again is None and others and what != "busy":
                yield Trial("fail", name, f"as number {others[0]}, not {line.seq}: done twice", remedy)
            else:
                yield _judge_repeat(name, again, gap, remedy, 0 if what else AGAIN_S[0])
            if again is None:
                self._box.acknowledge(line)
                return

    def _check_told(self) -> Iterator[Trial]:
        name = "says hello when told to"
        line, why = self._ask_hand(lambda frame: frame.kind not in ("hello", "ack", "err"))
        if line is None:
            yield Trial("not tried", name, why)
            return
        self._box.say(messages.Err(line.seq, "hello", SAY_HELLO))
        yield self._check_hello(name, "answer an err with hello with a hello")

    def _check_replugged(self) -> Iterator[Trial]:
        name, second = (
            "says hello after the line was gone and came back",
            "says again then what got no answer",
        )
        line, why = self._find_repeated_line()
        self._box.wire.close()
        self._box.wire.read(1.0)
        self._box.open()
        hello = self._box.hear(HELLO_S, _is_hello)
        remedy = "after an unplugged cable begin again: hello each second until it is answered"
        yield Trial.judge(hello is not None, name, _describe(hello, HELLO_S), remedy)
        if hello is None or line is None:
            yield Trial("not tried", second, why or "no hello")
            return
        if hello.seq <= line.seq:
            yield Trial("not tried", second, "opening the port reset the node, as it does many boards")
            self._box.greet(hello)
            return
        self._box.greet(hello)
        again = self._box.hear(AGAIN_S[1], _match_line(line))
        yield Trial.judge(
            again is not None, second, _describe(again, AGAIN_S[1]), f"send {played.quote(line)} again"
        )
        self._box.acknowledge(line)

    def _check_all_along(self) -> Iterator[Trial]:
        self._box.hear(QUIET_S, lambda frame: False)
        count = len(self._box.heard)
        for name, fine, remedy in (
            (
                played.NUMBERS,
                f"{count} lines",
                "one more for each new line, on from last= of the box's hello",
            ),
            (played.WORDS, f"{count} lines", "hardware/PROTOCOL.md, What you may send"),
            (
                played.CHECKSUMS,
                "on every line" if self._box.checked else "none used; on a long cable use them",
                "once one line had a checksum every line has; it is over all bytes before the star",
            ),
            (
                played.PACE,
                f"{count} lines, never too fast",
                f"at most {played.LINES_A_SECOND} lines a second, {TELEMETRY_A_SECOND} words of a scale, "
                f"{played.MOVING_A_SECOND} weights that move",
            ),
        ):
            fault = self._box.faults.get(name)
            yield Trial.judge(fault is None, name, fault or fine, remedy)

    def _find_repeated_line(self) -> tuple[LineFrame | None, str]:
        """Return a line that must be answered, sent by hand if necessary; else None and why there is none."""
        if self._box.hello and not set(played.REPEATED) & set(self._box.hello.caps):
            return None, "it sends nothing that the box records or does"
        return self._ask_hand(lambda frame: frame.kind in played.REPEATED)

    def _ask_hand(self, wanted: Callable[[LineFrame], bool]) -> tuple[LineFrame | None, str]:
        if line := self._box.hear(QUIET_S, wanted):
            return line, ""
        if self._box.hello and "watch" in self._box.hello.caps:
            self._box.record += 1
            self._box.say(messages.Event(self._box.record, "turn b action step a: P d m6"))
        self._hand("now make it send something: press a key of it, put something on it")
        line = self._box.hear(self._patience_s, wanted)
        return line, "" if line else f"it sent nothing of the kind within {self._patience_s:g} s"


def _judge_repeat(
    name: str, again: LineFrame | None, gap: float, remedy: str, least: float = AGAIN_S[0]
) -> Trial:
    if again is None:
        return Trial("fail", name, f"not within {AGAIN_S[1]:g} s", remedy)
    return Trial.judge(gap >= least, name, f"{played.quote(again)} after {gap:.1f} s", remedy)


def _is_hello(frame: LineFrame) -> bool:
    return frame.kind == "hello"


def _match_line(line: LineFrame) -> Callable[[LineFrame], bool]:
    return lambda frame: frame.seq == line.seq and played.write_text(frame) == played.write_text(line)


def _describe(frame: LineFrame | None, seconds: float) -> str:
    return played.quote(frame) if frame else f"none within {seconds:g} s"
