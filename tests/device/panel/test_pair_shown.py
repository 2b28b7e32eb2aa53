"""Taking a seat with a phone, in a real browser."""

from tests.device.games import enter
from tests.device.panel.browsing import browsing, sit
from tests.device.panel.test_tapping import Tapper

BEGUN = 2


@browsing("torres_two", BEGUN, act="paired")
async def test_a_phone_takes_its_seat_and_plays_its_turns_only(page, box, library, file):
    mover = file.steps[BEGUN].seat
    play, pair = (
        "document.querySelector('#play').textContent",
        "(document.querySelector('#pair')?.textContent ?? '')",
    )
    await page.open(box.url, width=390, height=844)
    await page.until(f"{pair}.includes('Who are you?')")
    assert "listen" in await page.eval(pair), "that the network must be trusted is said"
    assert await page.eval("document.querySelector('#play .foot button')") is None
    await page.eval(f"document.querySelectorAll('#pair .choose')[{mover}].click()")
    await page.until("document.querySelector('#pair input') !== null")
    code = box.pairings.asking.code
    await page.eval("document.querySelector('#pair input').focus()")
    await page.call("Input.insertText", text=f"{(int(code) + 1) % 10**6:06}")
    await page.eval("document.querySelector('#pair form').requestSubmit()")
    await page.until("document.querySelector('.toast').textContent.startsWith('wrong code')")
    await page.eval("new Promise(done => setTimeout(done, 1100))")
    await page.call("Input.insertText", text=code)
    await page.eval("document.querySelector('#pair form').requestSubmit()")
    await page.until(f"{pair}.includes('acts for {file.names[mover]}')")
    await page.until("document.querySelector('#play .foot button') !== null")
    await page.until("document.title.includes('Your turn')")
    at = BEGUN
    while file.steps[at].seat == mover:
        enter(library.referee, file.steps[at : at + 1])
        at += 1
    await page.until(f"{play}.includes('{file.names[1 - mover]}')")
    left = "[...document.querySelectorAll('#play .foot button, #play .record')].map(one => one.textContent)"
    assert await page.eval(left) == ["Undo"], "of what it entered itself"
    assert await page.eval("document.title") == "Podestà"
    assert "podesta" not in await page.eval("document.cookie + location.href.slice(5)")
    errors = [one for one in page.errors if "409" not in str(one)]
    assert errors == [], "but for the wrong code"


THE_ANSWER_IS_LOST = """(() => {
  const real = window.fetch;
  window.fetch = async (path, ...more) => {
    const answer = await real(path, ...more);
    if (!String(path).startsWith("match/step")) return answer;
    window.fetch = real;
    throw new TypeError("as on a phone that falls asleep right after the tap");
  };
})()"""


@browsing("torres_two", BEGUN, act="paired")
async def test_an_ended_pairing_and_an_entry_whose_answer_was_lost_are_told_at_once(page, box, library, file):
    step = file.steps[BEGUN]
    await sit(page, box, step.seat)
    await page.until("document.querySelector('#play .foot button') !== null")
    await page.eval(THE_ANSWER_IS_LOST)
    await Tapper(page, library.referee).enter(step.text)
    await page.until("document.querySelector('.toast').textContent.startsWith('Recorded.')")
    assert [line.made for line in library.referee.replay.history[BEGUN:]] == [step]
    box.pairings.end("phone-1")
    toast = "document.querySelector('.toast').textContent"
    await page.until(f"{toast} === 'This phone no longer acts for {file.names[step.seat]}.'")
    await page.until("document.querySelector('#play .foot button') === null")


@browsing("nobles", 30, act="paired")
async def test_a_hand_is_tapped_and_kept_while_others_act(page, box, library, file, begun):
    await sit(page, box, file.steps[begun].seat, touch=True)
    await page.until("document.querySelector('.hand summary') !== null")
    await page.eval("document.querySelector('.hand summary').click()")
    await page.until("document.querySelectorAll('.hand .more').length > 0")
    counted, size = await page.eval(ALL_TAPPED)
    assert counted == size > 0
    enter(library.referee, [file.steps[begun]])
    await page.until(f"document.querySelector('.steps').textContent === 'entry {begun + 1}'")
    assert await page.eval("document.querySelectorAll('.hand[open] .more').length > 0"), "it closed"
    assert page.errors == []
    await page.eval("document.querySelector('.hand .enter > .choose').click()")
    await page.until("document.querySelector('.toast').textContent.includes('cannot be the hand')")


ALL_TAPPED = """(async () => {
  for (let n = 0; n < 200; n++) {
    const more = [...document.querySelectorAll('.hand .more')].find(one => !one.disabled);
    const said = document.querySelector('.hand [role=status]').textContent;
    const [counted, all] = said.match(/\\d+/g).map(Number);
    if (counted >= all || !more) return [counted, all];
    more.click();
  }
})()"""
"""Pieces of every kind, until the hand has as many as it holds."""
