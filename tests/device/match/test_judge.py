"""The judge's PIN: who knows it gets in, who guesses waits, and nothing that breaks opens."""

import hashlib
import hmac
import io
import logging
import os
import shutil
import stat
import traceback
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.match import judge as module
from device.match.judge import Judge, JudgeError, Locked, Unlocked, WrongPin
from tests.device.clocks import FakeClock

pytestmark = pytest.mark.usefixtures("cheap_pins")

PIN = "739105"
NO_PIN = "00000"


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def clock():
    return FakeClock(mono_ms=1_000)


@pytest.fixture
def judge(state, clock):
    judge = Judge(state, clock.stamp)
    judge.set(PIN)
    return judge


@pytest.fixture
def full(monkeypatch):
    """Make the disk refuse every write from now on."""

    def refuse(path, data):
        raise OSError(28, "No space left on device")

    return lambda: monkeypatch.setattr(module, "replace_file", refuse)


def guess(judge, times=1):
    return [judge.unlock(NO_PIN) for _ in range(times)]


class TestThePin:
    @pytest.mark.parametrize("pin", ["0000", "1234", "12345678"])
    def test_it_opens_and_nothing_near_it(self, state, clock, pin):
        judge = Judge(state, clock.stamp)
        judge.set(pin)
        assert judge.unlock(pin) == Unlocked()
        for other in (pin[:-1], pin + "0", pin[::-1] + "1", "", " " + pin, pin + "\n", "塔" * 4, "\ud800"):
            assert judge.unlock(other) == WrongPin(2)
            assert judge.unlock(pin) == Unlocked()

    @pytest.mark.parametrize(
        "pin", ["", "123", "123456789", "12a4", "12 4", "-123", "١٢٣٤", "²²²²", "1234\n"]
    )
    def test_only_4_to_8_digits_can_be_set(self, judge, pin):
        with pytest.raises(ValueError, match=r"^a judge's PIN is 4 to 8 digits$"):
            judge.set(pin)
        assert judge.unlock(PIN) == Unlocked()

    def test_without_one_nobody_is_let_in(self, state, clock):
        judge = Judge(state, clock.stamp)
        assert not judge.is_set
        for attempt in (judge.find_wait_s, lambda: judge.unlock(PIN), lambda: judge.unlock("")):
            with pytest.raises(JudgeError, match="the box has no PIN yet"):
                attempt()
        judge.set(PIN)
        assert judge.is_set
        guess(judge)
        judge.clear()
        assert not judge.is_set
        assert list(state.iterdir()) == []
        judge.clear()

    def test_another_process_sets_or_clears_it(self, judge, state, clock):
        guess(judge, 3)
        Judge(state, clock.stamp).set("2468")
        assert judge.unlock(PIN) == WrongPin(2)
        assert judge.unlock("2468") == Unlocked()
        Judge(state, clock.stamp).clear()
        assert not judge.is_set

    def test_a_guess_costs_and_is_compared_in_constant_time(self, judge, monkeypatch):
        """Four digits are few: each guess from a stolen file must cost 16 MB and a while."""
        asked, compared, scrypt = [], [], hashlib.scrypt
        monkeypatch.setattr(hashlib, "scrypt", lambda *raw, **how: asked.append(how) or scrypt(*raw, **how))
        monkeypatch.setattr(hmac, "compare_digest", lambda *pair: compared.append(pair) or False)
        assert judge.unlock(PIN) == WrongPin(2)
        assert [(how["n"], how["r"], how["p"]) for how in asked] == [(2**14, 8, 1)]
        assert len(compared) == 1


class TestGuessing:
    @given(st.lists(st.sampled_from(["right", "wrong", "wrong", "wait", "restart", "reboot"]), max_size=14))
    @settings(deadline=None)
    def test_agrees_with_a_plain_count(self, tmp_path_factory, whats):
        """Two hands and a counter; a restart changes nothing, a reboot begins the minute again.

        Also a minute that had passed: after a reboot nobody can tell that it had.
        """
        with mock.patch.object(module, "_hash", lambda pin, salt: f"{pin} {salt}"):  # many tries, none dear
            self.count_along(tmp_path_factory.mktemp("state"), whats)

    def count_along(self, state, whats):
        clock = FakeClock()
        judge = Judge(state, clock.stamp)
        judge.set(PIN)
        wrong = left = 0
        for what in whats:
            match what:
                case "wait":
                    clock.advance(20_000)
                    left = max(left - 20, 0)
                case "restart":
                    judge = Judge(state, clock.stamp)
                case "reboot":
                    clock.reboot()
                    judge = Judge(state, clock.stamp)
                    left = 60 if wrong == 3 else 0
                case _ if left:
                    assert judge.unlock(PIN if what == "right" else NO_PIN) == Locked(left)
                case "right":
                    assert judge.unlock(PIN) == Unlocked()
                    wrong = 0
                case "wrong":
                    wrong = wrong % 3 + 1
                    left = 60 if wrong == 3 else 0
                    assert judge.unlock(NO_PIN) == (Locked(60) if left else WrongPin(3 - wrong))


class TestRestart:
    def test_a_try_counts_before_it_is_looked_at(self, judge, state, clock, monkeypatch):
        """Who pulls the plug while the box still thinks has used a try up."""

        def unplugged(*_, **__):
            raise KeyboardInterrupt

        for _ in range(3):
            with monkeypatch.context() as patch:
                patch.setattr(hashlib, "scrypt", unplugged)
                with pytest.raises(KeyboardInterrupt):
                    Judge(state, clock.stamp).unlock(NO_PIN)
        assert Judge(state, clock.stamp).unlock(PIN) == Locked(60)

    def test_after_a_reboot_the_minute_starts_anew_once(self, judge, state, clock):
        guess(judge, 3)
        clock.advance(50_000)
        clock.reboot()
        clock.advance(7_000)
        again = Judge(state, clock.stamp)
        clock.advance(10_000)
        assert again.unlock(PIN) == Locked(50)
        clock.advance(10_000)
        assert Judge(state, clock.stamp).unlock(PIN) == Locked(40)
        clock.advance(40_000)
        assert again.unlock(PIN) == Unlocked()


class TestDiskTrouble:
    def test_a_full_disk_locks_all_the_same(self, judge, clock, full, caplog):
        full()
        assert guess(judge, 3) == [WrongPin(2), WrongPin(1), Locked(60)]
        assert judge.unlock(PIN) == Locked(60)
        assert "state/judge-tries: kept in memory only: No space left on device" in caplog.text
        clock.advance(60_000)
        assert judge.unlock(PIN) == Unlocked()
        assert guess(judge) == [WrongPin(2)]

    @pytest.mark.parametrize("name", ["judge", "judge-tries"])
    def test_what_cannot_be_read_is_locked(self, judge, state, clock, name):
        (state / name).unlink(missing_ok=True)
        (state / name).mkdir()
        for one in (judge, Judge(state, clock.stamp)):
            assert one.is_set
            with pytest.raises(JudgeError, match=rf"state/{name}: cannot be read \(Is a directory\): locked"):
                one.unlock(PIN)
        shutil.rmtree(state)
        state.write_text("x")  # a state folder that is no folder is not an open box
        judge = Judge(state, clock.stamp)
        assert judge.is_set
        with pytest.raises(JudgeError, match="cannot be read"):
            judge.unlock(PIN)


class TestGarbled:
    @pytest.fixture
    def tried(self, judge, state):
        guess(judge)
        return {name: (state / name).read_bytes() for name in ("judge", "judge-tries")}

    @pytest.mark.parametrize("name", ["judge", "judge-tries"])
    def test_no_cut_and_no_flipped_bit_opens(self, judge, state, clock, tried, name):
        whole = tried[name]
        damaged = [whole[:size] for size in range(len(whole))]
        damaged += [
            whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in range(len(whole))
        ]
        damaged += [whole + b"\n", whole * 2, b"\n" + whole, b"null\n", b"{}", bytes(200)]
        damaged.append(b"null\n%b\n" % hashlib.sha256(b"null").hexdigest().encode())
        for content in damaged:
            (state / name).write_bytes(content)
            for one in (judge, Judge(state, clock.stamp)):
                assert one.is_set
                for attempt in (one.find_wait_s, lambda one=one: one.unlock(PIN)):
                    with pytest.raises(JudgeError, match=rf"state/{name}: not as it was written: locked"):
                        attempt()

    def test_tries_for_another_pin_count_for_nothing(self, judge, state, tried):
        guess(judge, 2)
        old = (state / "judge-tries").read_bytes()
        judge.set(PIN)
        (state / "judge-tries").write_bytes(old)
        assert guess(judge) == [WrongPin(2)]


class TestSecrecy:
    def test_files_are_for_their_owner_alone(self, judge, state):
        before = os.umask(0o027)
        try:
            guess(judge)
            assert os.umask(0o027) == 0o027  # what others write is as readable as it was
        finally:
            os.umask(before)
        assert [stat.S_IMODE(file.stat().st_mode) for file in sorted(state.iterdir())] == [0o600] * 2

    def test_the_pin_is_nowhere(self, judge, state, clock, caplog, capfd, monkeypatch):
        """Neither it nor a guess, in files, logs, tracebacks, texts of values or the judge's memory."""
        caplog.set_level(logging.DEBUG)
        told = io.StringIO()
        values = [judge, *guess(judge), judge.unlock(PIN), *guess(judge, 3), judge.unlock(PIN)]
        values += [
            module._read(state / "judge", module._Secret),
            module._read(state / "judge-tries", module._Tries),
        ]
        written = [file.read_bytes() for file in state.iterdir()]
        monkeypatch.setattr(
            module, "replace_file", lambda path, data: (_ for _ in ()).throw(OSError(28, "full"))
        )
        clock.advance(60_000)
        guess(judge)
        values.append(vars(judge))
        for attempt in (lambda: judge.set(PIN), lambda: judge.set(f"{PIN}x"), lambda: judge.set(f"{PIN}000")):
            try:
                attempt()
            except (OSError, ValueError):
                traceback.print_exc(file=told)
        (state / "judge").write_bytes(b"x")
        for attempt in (judge.find_wait_s, lambda: judge.unlock(PIN)):
            try:
                attempt()
            except JudgeError:
                traceback.print_exc(file=told)
        out, err = capfd.readouterr()
        secret = module._Secret("5a17", "deadbeef")
        texts = [told.getvalue(), caplog.text, out, err, *map(repr, values), *map(str, values), repr(secret)]
        assert told.getvalue().count("Traceback") >= 5
        assert "kept in memory only" in caplog.text
        assert len(written) == 2
        for text in [*texts, *[raw.decode() for raw in written]]:
            assert PIN not in text
            assert NO_PIN not in text.replace("0" * 20, "")
        assert "deadbeef" not in repr(secret)
