"""Messages: each stays its time, and only a more urgent one replaces it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.menus.telling import LEAST_MS, PLAIN_MS, URGENT_MS, Message, Messages
from tests.device.conftest import Ticks

A, B = Message("a"), Message("b")
URGENT = Message("u", urgent=True)


@pytest.fixture
def messages(ticks):
    return Messages(ticks)


def test_a_message_stays_its_time_and_goes(messages, ticks):
    assert (messages.shown, messages.due_ms()) == (None, None)
    for _ in range(3):  # the same is said once
        messages.say("a")
        ticks.now += 300
    assert (messages.shown, messages.due_ms()) == (A, PLAIN_MS - 900)
    ticks.now += PLAIN_MS - 901
    assert (messages.shown, messages.due_ms()) == (A, 1)
    ticks.now += 1
    assert (messages.shown, messages.due_ms()) == (None, None)


def test_a_key_takes_a_plain_one_away_and_does_what_it_says(messages):
    messages.say("a")
    messages.say("b")
    assert not messages.key_pressed()
    assert messages.shown == B
    assert not messages.key_pressed()
    assert messages.shown is None
    assert not messages.key_pressed()


def test_an_urgent_one_replaces_plain_ones_and_a_key_answers_it_and_does_nothing_else(messages, ticks):
    messages.say("a")
    messages.say("b")
    messages.say("u", urgent=True)
    assert (messages.shown, messages.due_ms()) == (URGENT, URGENT_MS)
    assert messages.key_pressed()
    assert messages.shown == URGENT
    ticks.now += LEAST_MS
    assert messages.key_pressed()
    assert messages.shown is None
    messages.say("u", urgent=True)
    ticks.now += URGENT_MS
    assert messages.shown is None


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(0, 5000)), max_size=20))
def test_none_goes_before_its_time_unless_for_a_more_urgent_one(said):
    ticks = Ticks()
    messages = Messages(ticks)
    since, shown = 0.0, None
    for text, urgent, pause in said:
        messages.say(text, urgent=urgent)
        for _ in range(pause // 50 + 1):
            now = messages.shown
            if now != shown:
                early = shown is not None and ticks.now - since < shown.stays_ms
                assert not early or (now is not None and now.urgent and not shown.urgent)
                since, shown = ticks.now, now
            ticks.now += 50
    ticks.now += 1_000_000
    assert messages.shown is None


def test_what_was_read_again_is_withdrawn_and_nothing_else(messages, ticks):
    for text, about in (("a", "tray"), ("b", ""), ("c", "tray"), ("d", "board")):
        messages.say(text, about=about)
    ticks.now += 100
    messages.withdraw("")
    assert messages.shown.text == "a"
    messages.withdraw("tray")
    assert (messages.shown, messages.due_ms()) == (B, PLAIN_MS)
    messages.withdraw("tray")
    ticks.now += PLAIN_MS
    assert messages.shown.text == "d"
