"""Pairing a phone with a seat: one code, one seat, once; whoever guesses waits ever longer."""

import json

import pytest

from device.match.pairing import AGAIN_S, CODE_S, TRIES, PairingError, Pairings, read_code


class Time:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def pairings(tmp_path, time):
    pairings = Pairings(tmp_path, now_s=time)
    pairings.follow("friday")
    return pairings


def wrong(code):
    return f"{(int(code) + 1) % 10**6:06}"


def test_a_code_typed_on_the_phone_that_asked_gives_the_seat_for_two_minutes(pairings, time):
    late = pairings.ask("secret", 1).code
    time.now += CODE_S
    with pytest.raises(PairingError, match="no code is shown"):
        pairings.enter("secret", late)
    asking = pairings.ask("another", 1, "10.0.0.7")
    assert len(asking.code) == 6
    with pytest.raises(PairingError, match="no code is shown for this phone"):
        pairings.enter("secret", asking.code)
    with pytest.raises(PairingError, match="try again once it is, in 120 s at the latest"):
        pairings.ask("third", 0)
    token = pairings.enter("another", asking.code)
    assert pairings.find_phone(token).seats == (1,)
    assert pairings.find_phone(token).name == "phone-1"
    assert pairings.asking is None
    with pytest.raises(PairingError, match="no code is shown"):
        pairings.enter("another", asking.code)


def test_a_phone_may_hold_several_seats_and_a_seat_several_phones(pairings):
    token = pairings.enter("one", pairings.ask("one", 0).code)
    same = pairings.enter("one", pairings.ask("one", 2).code, token)
    assert same == token
    assert pairings.find_phone(token).seats == (0, 2)
    other = pairings.enter("two", pairings.ask("two", 0).code)
    assert pairings.find_phone(other).seats == (0,)
    assert [phone.name for phone in pairings.phones] == ["phone-1", "phone-2"]


def test_who_guesses_waits_twice_as_long_each_time_and_then_for_all(pairings, time):
    code = pairings.ask("secret", 1).code
    for nth in range(TRIES - 1):
        with pytest.raises(PairingError, match=f"wrong code; tries left: {TRIES - 1 - nth}"):
            pairings.enter("secret", wrong(code))
        with pytest.raises(PairingError, match=f"wait {2**nth} s"):
            pairings.enter("secret", code)
        time.now += 2**nth
    with pytest.raises(PairingError, match="wrong five times"):
        pairings.enter("secret", wrong(code))
    for nth in range(3):
        with pytest.raises(PairingError, match=f"try again in {AGAIN_S * 2**nth:.0f} s"):
            pairings.ask("fresh", 1)
        time.now += AGAIN_S * 2**nth
        with pytest.raises(PairingError, match="wrong code"):
            pairings.enter("fresh", wrong(pairings.ask("fresh", 1).code))
        time.now += CODE_S
        assert pairings.asking is None


def test_a_code_that_nobody_typed_is_no_guess(pairings, time):
    for at in range(5):
        pairings.ask("slow", 1, f"10.0.0.{at}")
        time.now += CODE_S
        assert pairings.enter("quick", pairings.ask("quick", 0, "10.0.0.7").code)


def test_who_asks_for_nothing_waits_longer_each_time_at_that_address_alone(pairings, time):
    for nth in range(3):
        pairings.ask(f"fresh cookie {nth}", 1, "10.0.0.66")
        time.now += CODE_S
        with pytest.raises(PairingError, match=f"try again in {AGAIN_S * 2**nth:.0f} s"):
            pairings.ask("another cookie", 1, "10.0.0.66")
        assert pairings.enter("guest", pairings.ask("guest", 0, "10.0.0.7").code)
        time.now += AGAIN_S * 2**nth
    assert pairings.enter("good", pairings.ask("good", 1, "10.0.0.66").code)
    assert pairings.ask("again", 1, "10.0.0.66"), "a code that is typed makes it good"


def test_one_phone_cannot_keep_the_others_waiting_by_asking_again(pairings, time):
    until = pairings.ask("greedy", 1).until
    time.now += CODE_S / 2
    assert pairings.ask("greedy", 0).until == until
    time.now += CODE_S / 2
    assert pairings.ask("patient", 0, "10.0.0.7").seat == 0


def test_pairings_outlive_a_restart_and_end_with_the_match(pairings, tmp_path):
    token = pairings.enter("secret", pairings.ask("secret", 1).code)
    again = Pairings(tmp_path)
    again.follow("friday")
    assert again.find_phone(token).seats == (1,)
    again.follow("saturday")
    assert again.find_phone(token) is None
    assert Pairings(tmp_path).phones == ()


def test_neither_token_nor_secret_lie_on_the_disk(pairings, tmp_path):
    asking = pairings.ask("secret", 1)
    assert read_code(tmp_path) == (1, asking.code)
    token = pairings.enter("secret", asking.code)
    assert read_code(tmp_path) is None
    kept = (tmp_path / "phones.json").read_text()
    assert token not in kept
    assert json.loads(kept)["phones"][0]["seats"] == [1]


def test_a_torn_file_is_said_and_phones_pair_again(tmp_path, caplog):
    (tmp_path / "phones.json").write_text("{torn")
    assert Pairings(tmp_path).phones == ()
    assert "phones.json" in caplog.text
