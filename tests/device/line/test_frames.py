import binascii
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from device.line.frames import LIMIT, MAX_SEQ, FrameReader, Garbled, LineFrame, encode, make_sendable

seqs = st.integers(0, MAX_SEQ)
kinds = st.from_regex(r"[a-z]{1,10}", fullmatch=True)
words = st.text(
    st.characters(
        categories=["L", "N", "P", "S"],
    ),
    min_size=1,
    max_size=12,
)
args = st.lists(words | st.sampled_from(["*", "5-7*", "*12"]), max_size=8).map(" ".join)
args = args.filter(lambda text: not re.search(r"\*[0-9A-Fa-f]{4}", text))
frames = st.builds(LineFrame, seqs, kinds, args, st.just(True))


def line(frame: LineFrame) -> bytes:
    return encode(frame.seq, frame.kind, frame.args, checked=frame.checked)


def codes(items: list[LineFrame | Garbled]) -> list[str]:
    return [item.code if isinstance(item, Garbled) else "frame" for item in items]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\n\n\n", b" \n", b"\t\r\n"])
def test_line_ends_and_spaces_around(end):
    assert FrameReader().feed(b"  7 ping" + end) == [LineFrame(7, "ping")]


def test_check_value_of_the_catalogue():
    # CRC-16/XMODEM: the check value over "123456789" is 31C3.
    assert binascii.crc_hqx(b"123456789", 0) == 0x31C3
    assert encode(7, "ping", checked=True) == b"7 ping*%04X\n" % binascii.crc_hqx(b"7 ping", 0)


@pytest.mark.parametrize("tail", [b"*0000", b"*12345", b"*0000x", b"*0000*0000", b"*abcd 1"])
def test_wrong_checksum(tail):
    assert codes(FrameReader().feed(b"7 ping" + tail + b"\n")) == ["checksum"]


def test_something_behind_a_good_checksum():
    good = encode(7, "ping", checked=True)[:-1]
    for tail in (b"*0000", good[-5:], b"x", b" x", b"*"):
        assert codes(FrameReader().feed(good + tail + b"\n")) == ["checksum"]
    assert codes(FrameReader().feed(good + b" \t\n")) == ["frame"]


def test_after_a_checksum_lines_without_are_refused():
    reader = FrameReader()
    assert codes(reader.feed(b"1 ping\n" + encode(2, "ping", checked=True) + b"3 ping\n")) == [
        "frame",
        "frame",
        "checksum",
    ]
    assert codes(FrameReader(checked=True).feed(b"1 ping\n")) == ["checksum"]


@pytest.mark.parametrize(
    "bad", [b"hello", b"17", b"x 1 step", b"-1 ping", b"4294967296 ping", b"12345678901 ping"]
)
def test_text_that_is_no_frame_is_answered_each_time(bad):
    assert codes(FrameReader().feed((bad + b"\n") * 2)) == ["malformed", "malformed"]


@pytest.mark.parametrize("bad", [b"\xff\xfe", b"1 ping \x00", b"1 ping \x1b[A", b"1 step " + b"x" * LIMIT])
def test_a_burst_is_answered_once(bad):
    assert codes(FrameReader().feed((bad + b"\n") * 3 + b"1 ping\n" + bad + b"\n")) == [
        "garbled",
        "frame",
        "garbled",
    ]


def test_endless_line_is_told_at_once_and_not_kept():
    reader = FrameReader()
    assert codes(reader.feed(b"x" * (LIMIT + 1))) == ["garbled"]
    for _ in range(20):
        assert reader.feed(b"x" * 1000) == []
        assert len(reader._rest) <= LIMIT
    assert reader.feed(b"9 ping\n") == []
    assert reader.feed(b"9 ping\n") == [LineFrame(9, "ping")]


def test_backspaces_of_a_terminal():
    assert FrameReader().feed(b"7 pong\x7f\x7f\x7fing\n") == [LineFrame(7, "ping")]
    assert FrameReader().feed("\b\b7 pé\bing\n".encode()) == [LineFrame(7, "ping")]
    assert FrameReader().feed(b"7\b\n") == []
    body = b"7 pong\x7f\x7f\x7fing"  # under a checksum it is damage
    assert codes(FrameReader().feed(b"%s*%04X\n" % (body, binascii.crc_hqx(body, 0)))) == ["garbled"]


@given(st.lists(frames.map(line) | st.binary(max_size=40) | st.just(b"\r\n"), max_size=4), st.data())
@example([b"  " * LIMIT, b" 1 ping\n", b"2 ping\n"], None)
def test_any_chunking_gives_the_same(parts, data):
    stream = b"".join(parts)
    whole = FrameReader().feed(stream)
    single = FrameReader()
    assert [item for byte in stream for item in single.feed(bytes([byte]))] == whole
    if data is not None:
        cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
        reader = FrameReader()
        chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
        assert [item for chunk in chunks for item in reader.feed(chunk)] == whole


@given(st.one_of(st.binary(max_size=1500), st.lists(st.binary(max_size=700)).map(b"\n".join)), frames)
def test_after_any_garbage_the_next_good_line_is_read(garbage, frame):
    reader = FrameReader()
    reader.feed(garbage + b"\n")
    assert reader.feed(line(frame)) == [frame]


@given(frames, frames, frames)
@example(
    LineFrame(1, "step", "X 8 8 > m6 d", True), LineFrame(2, "ping", "", True), LineFrame(3, "ping", "", True)
)
def test_a_flipped_bit_never_makes_another_frame(before, frame, after):
    good = line(frame)
    allowed = {(f.seq, f.kind, f.args) for f in (before, frame, after)}
    for bit in range(8 * len(good)):
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        # The one case that rests on chance (see FrameReader): not what is tested here.
        if bad[bit // 8] in b"\r\n" and binascii.crc_hqx(good[: bit // 8 + 1], 0) == 0:
            continue
        reader = FrameReader()
        got = reader.feed(line(before) + bytes(bad) + line(after))
        assert {(f.seq, f.kind, f.args) for f in got if isinstance(f, LineFrame)} <= allowed


@given(seqs, kinds, args, st.booleans())
def test_round_trip(seq, kind, text, checked):
    assert FrameReader().feed(encode(seq, kind, text, checked=checked)) == [
        LineFrame(seq, kind, text, checked)
    ]


@pytest.mark.parametrize(
    "bad",
    [
        (1, "a b"),
        (-1, "ping"),
        (1, ""),
        (1, "x", "a*beef"),
        (1, "x", "a*beef b"),
        (1, "x", "a\nb"),
        (1, "x", "y" * LIMIT),
    ],
)
def test_what_cannot_be_sent(bad):
    with pytest.raises(ValueError, match="cannot be sent"):
        encode(*bad)


@given(st.text(), st.integers(8, 60))
def test_tidy_text_can_always_be_sent(text, room):
    short = make_sendable(text, room)
    assert len(short.encode()) <= room
    assert FrameReader().feed(encode(1, "x", short)) == [LineFrame(1, "x", short)]
    assert make_sendable("a\nb  c*d *1234") == "a b c*d * 1234"
    assert (make_sendable("abcdefghij", 10), make_sendable("abcdefghijk", 10)) == ("abcdefghij", "abcdef …")
