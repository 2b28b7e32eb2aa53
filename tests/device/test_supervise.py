"""Parts that fail in ways nobody foresaw begin again, say why, and take nothing with them."""

import asyncio
import logging

import pytest

from device.supervise import Backoff, describe_error, keep
from device.texts import quoted


def watch(loop, run, seconds, retry_s=(1.0, 8.0)):
    """Keep a part for so long; what was told of it, each with its time from the start."""
    told = []

    async def main():
        begin = loop.time()
        kept = asyncio.create_task(
            keep("part", run, lambda name, why: told.append((loop.time() - begin, name, why)), retry_s)
        )
        await asyncio.sleep(seconds)
        kept.cancel()

    loop.run_until_complete(main())
    return told


def test_a_part_that_fails_begins_again_ever_later(loop, caplog):
    async def run():
        raise RecursionError("too deep")

    told = watch(loop, run, 20)
    assert [(at, why) for at, _, why in told if why] == [
        (at, quoted("RecursionError: too deep")) for at in (0, 1, 3, 7, 15)
    ]
    assert [at for at, _, why in told if not why] == [1, 3, 7, 15]
    assert {name for _, name, _ in told} == {"part"}
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert errors[1].getMessage() == "part: RecursionError: too deep; begins again in 2 s"
    assert errors[1].exc_info


def test_the_first_of_a_group_is_the_cause():
    group = ExceptionGroup("several", [ExceptionGroup("inner", [ValueError("a\n  line")]), OSError("b")])
    assert describe_error(group) == "ValueError: a line"
    assert describe_error(RecursionError()) == "RecursionError"


@pytest.mark.parametrize("error", [asyncio.CancelledError, KeyboardInterrupt])
def test_an_end_that_is_wanted_is_an_end(error):
    async def run():
        raise error

    with pytest.raises(error):
        asyncio.run(keep("part", run, lambda _name, _why: pytest.fail("kept")))


def test_each_wait_is_twice_as_long_up_to_the_longest():
    backoff = Backoff(1, 5)
    assert [backoff.wait() for _ in range(5)] == [1, 2, 4, 5, 5]
