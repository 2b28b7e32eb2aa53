"""The node that other tests use: what it says again, and what it does not take for the box's."""

import os
import threading
import tty

import pytest

from device.line.frames import FrameReader, LineFrame, encode
from tests.e2e import line_node
from tests.e2e.line_node import LineNode

ANSWERS = {"hello": "hello podesta 1 ask re={}", "ask": "match {} torres Ada,Leo level=full head=7"}


def serve(file, heard):
    """A box that looks at nothing the first time it is told."""
    reader, seen = FrameReader(checked=True), set()
    while "ask" not in seen or len(heard) < 4:
        for frame in reader.feed(os.read(file, 4096)):
            if isinstance(frame, LineFrame):
                heard.append(frame.kind)
                known = ANSWERS[frame.kind].format(frame.seq)
                answer = (
                    known if frame.kind in seen else f"err {frame.seq} busy too much; send this again later"
                )
                seen.add(frame.kind)
                kind, _, args = answer.partition(" ")
                os.write(file, encode(len(heard), kind, args, checked=True))


def test_what_a_box_is_too_busy_for_is_said_again(tmp_path, monkeypatch):
    """Under load a node took that for the answer to its hello, and to what it asked."""
    monkeypatch.setattr(line_node, "AGAIN_S", 0.1)
    node, heard = LineNode(tmp_path / "line"), []
    file = os.open(node.path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(file)
    box = threading.Thread(target=serve, args=(file, heard), daemon=True)
    box.start()
    try:
        assert node.do("ask match").endswith("head=7")
        box.join(5)
        assert heard == ["hello", "hello", "ask", "ask"]
    finally:
        node.close()
        os.close(file)


def test_its_own_words_that_come_back_are_not_the_boxs(tmp_path, monkeypatch):
    """A port that is being opened echoes: answered at once, that filled it before the box could listen."""
    monkeypatch.setattr(line_node, "AGAIN_S", 0.05)
    node, said = LineNode(tmp_path / "line"), []
    monkeypatch.setattr(node, "send", said.append)
    monkeypatch.setattr(node, "_frames", lambda _wait: node._reader.feed(said[-1]) if len(said) < 50 else [])
    with pytest.raises(AssertionError, match="no answer"):
        node.do("ping", timeout=0.01)
    node.close()
    assert len(said) == 1
