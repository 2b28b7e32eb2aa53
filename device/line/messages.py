"""Messages of the line: the kinds of frames as values. Pure.

:func:`parse` reads what a node sends to the box, :func:`write` gives the kind and arguments of any message,
in either direction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from device import telemetry
from device.keys import LONG_FORM, Hold, Key, Press, Turn
from device.line.frames import LineFrame
from device.telemetry import GatePassed, Health, ScaleMessage, Weight
from device.texts import Why
from engines import errors

PROTOCOL = "1"
BOX = "podesta"
CAPS = ("step", "reading", "ask", "watch", "open", "tell", "key", "scale")
ASKS = ("legal", "score", "turn", "position", "why", "match", "readings")
NARROWED = ("legal", "why")
"""The questions that may have notation behind them."""
CODES = (
    *("garbled", "checksum", "malformed", "kind", "hello", "seat"),
    *("noseat", "stale", "ambiguous", "refused", "disk", "busy", "held", "reused", "fault"),
)
"""The codes of an ``err``; the table in ``hardware/PROTOCOL.md`` tells what to do about each."""

NAME_LENGTH = 24
"""The most letters of a player's name."""

MOST_DETENTS = 99
"""The most detents of one ``key turn``."""

_ID = re.compile(r"[a-z0-9_-]{1,32}")
_SEAT = re.compile(r"[a-z]")
_NUMBER = re.compile(r"[0-9]{1,10}")
_BAR = re.compile(r"(?:^|\s)\|(?:\s|$)")  # notation may have bars of its own, without spaces
_CONFIDENCE = re.compile(r"0(\.[0-9]{1,6})?|1(\.0{1,6})?")
_DETENTS = re.compile(r"[+-]?[1-9][0-9]?")
_SETTING = re.compile(r"([a-z_]+)=(\S+)")


class MessageError(Exception):
    """A message that cannot be carried out, and why."""

    def __init__(self, code: str, why: Why) -> None:
        """Take one of :data:`CODES`, and the reason for people, which is English on the line."""
        if code not in CODES:
            raise ValueError(f"no such code on the line: {code}")
        super().__init__(f"{code} {why}")
        self.code = code
        self.why = why
        self.text = str(why)


class Hello(msgspec.Struct, frozen=True):
    """A node's introduction: its name, its version and its capabilities; ``seat`` binds it to one player."""

    id: str
    version: str
    caps: tuple[str, ...]
    seat: str | None = None


class Step(msgspec.Struct, frozen=True):
    """A step in the game's notation; ``head`` is the last record known to the sender."""

    text: str
    head: int | None = None
    seat: str | None = None


class Reading(msgspec.Struct, frozen=True):
    """A sensor's reading: candidates as (confidence 0 to 1, value), in the order they were sent."""

    what: str
    candidates: tuple[tuple[float, str], ...]


class Open(msgspec.Struct, frozen=True):
    """A request to open a match: its game, the players by seat (empty: unnamed), the settings unlike the
    default.

    ``settings`` are (key, value) as sent; the game defines them.
    """

    game: str
    names: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()


class Tell(msgspec.Struct, frozen=True):
    """The pieces that the sender's seat holds, written like a hand in the game's position text."""

    held: str


class Stroke(msgspec.Struct, frozen=True):
    """A press or hold of a key of the box, or a turn of its knob, by a node."""

    event: Press | Hold | Turn


class Ask(msgspec.Struct, frozen=True):
    """A question: ``what`` is one of :data:`ASKS`; ``text`` narrows it (``why`` needs one)."""

    what: str
    text: str = ""


class Ping(msgspec.Struct, frozen=True):
    """A test whether the box answers; the answer is :class:`Ack`."""


class Ack(msgspec.Struct, frozen=True):
    """The frame ``seq`` is done; an entry is on disk as record ``head``."""

    seq: int
    head: int | None = None


class Err(msgspec.Struct, frozen=True):
    """The frame ``seq`` (None: an unreadable line) was not done, and why."""

    seq: int | None
    code: str
    text: str


class Greeting(msgspec.Struct, frozen=True):
    """The box's hello. ``re`` is the hello that it answers, None if the box has just opened the line.

    ``seat`` is the seat that the node is bound to, ``last`` the number of the node's last frame that was
    done.
    """

    re: int | None = None
    seat: str | None = None
    last: int | None = None


class Answer(msgspec.Struct, frozen=True):
    """One line in answer to the :class:`Ask` ``seq``."""

    what: str
    seq: int
    text: str


class Event(msgspec.Struct, frozen=True):
    """News of record ``number``, public: ``text`` tells whose turn it is now and what happened."""

    number: int
    text: str


Entry = Open | Step | Reading | Tell
"""Messages that become a record, once even if they are repeated."""

FromNode = Hello | Entry | Stroke | ScaleMessage | Ask | Ping | Ack | Err
Message = FromNode | Greeting | Answer | Event


def parse(frame: LineFrame) -> FromNode:
    """Read a node's message from a frame.

    :raises MessageError: with code ``kind`` or ``malformed``, and the form to write instead.
    """
    reader = _READERS.get(frame.kind)
    if reader is None:
        raise MessageError("kind", f"no kind {frame.kind}{suggest_nearest(frame.kind, _READERS)}")
    return reader(frame.args)


def write(message: Message) -> tuple[str, str]:
    """Return the kind and the arguments of a message."""
    match message:
        case Hello(id, version, caps, seat):
            return "hello", f"{id} {version} {','.join(caps) or '-'}" + _write_option("seat", seat)
        case Open(game, names, settings):
            words = [game, ",".join(names), *[f"{key}={value}" for key, value in settings]]
            return "open", " ".join(word for word in words if word)
        case Step(text, head, seat):
            known = "" if head is None else f"@{head} "
            return "step", known + (f"{seat}: " if seat else "") + text
        case Reading(what, candidates):
            return "reading", f"{what} " + " | ".join(f"{conf:.6g} {value}" for conf, value in candidates)
        case Tell(held):
            return "tell", held
        case Stroke(event):
            return "key", _write_stroke(event)
        case Weight() | GatePassed() | Health():
            return telemetry.write(message)
        case Ask(what, text):
            return "ask", f"{what} {text}".rstrip()
        case Ping():
            return "ping", ""
        case Ack(seq, head):
            return "ack", str(seq) if head is None else f"{seq} {head}"
        case Err(seq, code, text):
            return "err", f"{'-' if seq is None else seq} {code} {text}".rstrip()
        case Greeting(re_seq, seat, last):
            options = _write_option("re", re_seq) + _write_option("seat", seat) + _write_option("last", last)
            return "hello", f"{BOX} {PROTOCOL} {','.join(CAPS)}{options}"
        case Answer(what, seq, text):
            return what, f"{seq} {text}".rstrip()
        case Event(number, text):
            return "event", f"{number} {text}".rstrip()


def suggest_nearest(word: str, known: Iterable[str]) -> str:
    """Return the hint behind an unknown word: the nearest known one, or all of them."""
    near = errors.nearest(word, known)
    return f"; did you mean {near}?" if near else f"; there are {', '.join(known)}"


def _write_option(name: str, value: object) -> str:
    return "" if value is None else f" {name}={value}"


def _write_stroke(event: Press | Hold | Turn) -> str:
    if isinstance(event, Turn):
        return f"turn {event.steps:+d}"
    return event.key.value + (" hold" if isinstance(event, Hold) else "")


def _make_error(text: str) -> MessageError:
    return MessageError("malformed", text)


def _read_hello(args: str) -> Hello:
    words = args.split()
    if len(words) not in (3, 4):
        raise _make_error("write: hello NAME VERSION CAPS [seat=a]")
    name, version, caps, *options = words
    if options and not options[0].startswith("seat="):
        raise _make_error(f"write: hello NAME VERSION CAPS [seat=a], a word each; the last is {options[0]}")
    if not _ID.fullmatch(name):
        raise _make_error(f"a name is 1 to 32 of a-z 0-9 _ -, not {name}")
    if name == BOX:
        raise _make_error(f"{BOX} is the box itself; does your end echo what it gets?")
    wanted = () if caps == "-" else tuple(caps.split(","))
    for cap in wanted:
        if cap not in CAPS:
            raise _make_error(f"no capability {cap}{suggest_nearest(cap, CAPS)}")
    seat = None
    if options:
        seat = options[0].removeprefix("seat=")
        if not _SEAT.fullmatch(seat):
            raise _make_error(f"write seat=a (a letter), not {options[0]}")
    return Hello(name, version, wanted, seat)


def _read_open(args: str) -> Open:
    game, *words = args.split() or [""]
    if not game or "=" in game or "," in game:
        raise _make_error("write: open GAME [NAME,NAME] [KEY=VALUE]…")
    settings: dict[str, str] = {}
    while words and "=" in words[-1]:
        word = words.pop()
        setting = _SETTING.fullmatch(word)
        if setting is None or setting[1] in settings:
            raise _make_error(f"a setting is key=value, and there once, not {word}")
        settings[setting[1]] = setting[2]
    named = " ".join(words)
    if "=" in named:
        raise _make_error("names come before the settings: open GAME [NAME,NAME] [KEY=VALUE]…")
    names = tuple(name.strip() for name in named.split(",")) if named else ()
    for name in names:
        if not 1 <= len(name) <= NAME_LENGTH or names.count(name) > 1:
            raise _make_error(
                f"a name has 1 to {NAME_LENGTH} letters and is each player's own, not {name or 'nothing'}"
            )
    return Open(game, names, tuple(reversed(settings.items())))


def _read_step(args: str) -> Step:
    head = seat = None
    if args.startswith("@"):
        word, _, args = args.partition(" ")
        if not _NUMBER.fullmatch(word[1:]):
            raise _make_error(f"after @ stands a record number, not {word[1:] or 'nothing'}")
        head, args = int(word[1:]), args.strip()
    letter, colon, rest = args.partition(":")
    if colon and _SEAT.fullmatch(letter):
        seat, args = letter, rest.strip()
    if not args:
        raise _make_error("write: step [@RECORD] [SEAT:] NOTATION")
    return Step(args, head, seat)


def _read_reading(args: str) -> Reading:
    what, _, listed = args.partition(" ")
    candidates = []
    for part in _BAR.split(listed):
        confidence, _, value = part.strip().partition(" ")
        if not value.strip():
            raise _make_error("write: reading WHAT CONFIDENCE VALUE [| CONFIDENCE VALUE] …")
        if not _CONFIDENCE.fullmatch(confidence):
            raise _make_error(f"a confidence is 0.00 to 1.00, not {confidence}")
        candidates.append((float(confidence), value.strip()))
    return Reading(what, tuple(candidates))


def _read_tell(args: str) -> Tell:
    if not args:
        raise _make_error("write: tell HELD, as a position has it, for example tell 5,8,8")
    return Tell(args)


def _read_key(args: str) -> Stroke:
    word, _, rest = args.partition(" ")
    rest = rest.strip()
    if word == "turn" and _DETENTS.fullmatch(rest):
        return Stroke(Turn(int(rest)))
    if word in tuple(Key) and not rest:
        return Stroke(Press(Key(word)))
    if word in LONG_FORM and rest == "hold":
        return Stroke(Hold(Key(word)))
    held = " or ".join(f"{key.value} hold" for key in Key if key in LONG_FORM)
    raise _make_error(f"write: key {', '.join(Key)}, {held}, or turn +1 to turn -{MOST_DETENTS}")


def _make_reader(kind: str) -> Callable[[str], ScaleMessage]:
    def read(args: str) -> ScaleMessage:
        try:
            return telemetry.read(kind, args)
        except ValueError as error:
            raise _make_error(str(error)) from None

    return read


def _read_ask(args: str) -> Ask:
    what, _, text = args.partition(" ")
    if what not in ASKS:
        unknown = f"no question {what}{suggest_nearest(what, ASKS)}"
        raise _make_error(unknown if what else f"ask {', '.join(ASKS)}?")
    if what == "why" and not text.strip():
        raise _make_error("write: ask why NOTATION")
    if what not in NARROWED and text.strip():
        raise _make_error(f"nothing stands behind ask {what}: not {text.strip()}")
    return Ask(what, text.strip())


def _read_ack(args: str) -> Ack:
    words = args.split()
    if len(words) not in (1, 2) or not all(_NUMBER.fullmatch(word) for word in words):
        raise _make_error("write: ack NUMBER")
    return Ack(*map(int, words))


def _read_err(args: str) -> Err:
    seq, _, rest = args.partition(" ")
    code, _, text = rest.strip().partition(" ")
    if not code or not (seq == "-" or _NUMBER.fullmatch(seq)):
        raise _make_error("write: err NUMBER CODE TEXT")
    return Err(None if seq == "-" else int(seq), code, text.strip())


_READERS: dict[str, Callable[[str], FromNode]] = {
    "hello": _read_hello,
    "open": _read_open,
    "step": _read_step,
    "reading": _read_reading,
    "tell": _read_tell,
    "key": _read_key,
    **{kind: _make_reader(kind) for kind in telemetry.KINDS},
    "ask": _read_ask,
    "ping": lambda _: Ping(),
    "ack": _read_ack,
    "err": _read_err,
}
KINDS = tuple(_READERS)
"""The kinds of messages that a node may send."""
