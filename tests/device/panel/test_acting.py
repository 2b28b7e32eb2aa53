"""Steps entered on the page: the same questions, records and undo as at the box, and what is refused."""

import asyncio
import json
import re
from random import Random
from types import SimpleNamespace

import httpx
import pytest
from msgspec.structs import replace

from device.match import CannotUndo, Header, MatchDoor, Pause, Resume, Rollback, Source, list_undoable
from device.menus import Box
from device.panel import Phones, make_app
from device.panel.acting import Acting
from device.panel.app import LOOK_ONLY
from device.panel.copies import Copies
from device.screen.pixels import pages_of
from device.settings import Confirm, Entries, PanelSettings
from engines import matchfile
from engines.contract import Decide, Setup
from engines.notation import CLOSING
from engines.readings import Observation
from tests.device.conftest import MATCHES, NAMES
from tests.device.games import PLAYED, enter, game_steps
from tests.device.panel.fakes import HERE, ask
from tests.engines.marrakesh.lines import setup, turn

KEYS = Source("keys")
NO_SCREEN = SimpleNamespace(subscribe=lambda _: lambda: None, last_image=None, page=None, online=True)


class AtThePage:
    """A box with a table, and a page that asks it."""

    def __init__(self, table, ticks, *, act=True, confirm=None, voices=dict):
        self.table = table
        self.box = Box(MatchDoor(table, confirm), pages=pages_of, strict=True, now_ms=ticks)
        may = act if isinstance(act, str) else "play" if act else "none"
        pairings = self.box.pairings
        asked = (voices, lambda: self.box.confirming, self.answer)
        self.phones = Phones(self.box.door, self.box.voices, may, pairings, *asked)
        self.acting = Acting(self.box.door, self.box.voices, self.phones)
        copies = Copies(self.box.door, self.box.voices, self.phones)
        self.hardware = SimpleNamespace(faults={"slow_disk": False}, set_fault=self.set_fault)
        more = [route for part in (self.phones, self.acting, copies) for route in part.list_routes()]
        more.append(self.phones.make_fault_route(self.hardware))
        self.app = make_app(
            None, NO_SCREEN, lambda _: {}, texts=self.texts, own=self.phones.write_rights, more=more
        )

    def texts(self, cookies):
        return self.box.voices.asked(cookies).texts

    def answer(self, yes):
        asked = self.box.confirming
        (asked.accept if yes else asked.decline)()

    def set_fault(self, name, on):
        self.hardware.faults[name] = on

    def open(self, header):
        self.referee = self.box.door.open(header, source=KEYS)
        return self

    def ask(self, method, path, **more):
        """The status and the answer: JSON, or the sentence that refuses."""
        answer = ask(self.app, method, path, **more)
        self.referee.wait(30)
        return answer.status_code, answer.json() if answer.is_success else answer.text.strip()

    def question(self, *tokens, **more):
        status, asked = self.ask("GET", "/match/question", t=tokens, **more)
        assert status == 200, asked
        return asked

    def choose(self, text, shown=True):
        """Tap a step together; what it would be, once it is whole."""
        left = self.referee.replay.game.notation.tokens(text)
        asked = self.question(**({"shown": 1} if shown else {}))
        assert asked["tokens"] == left[: len(asked["tokens"])]
        while not asked["whole"]:
            token = (*left, CLOSING)[len(asked["tokens"])]
            if asked["entry"] is None:
                (answer,) = [one for one in asked["answers"] if one["token"] == token]
                assert answer["legal"]
                assert answer["label"]
            asked = self.question(*asked["tokens"], token, shown=1)
        assert asked["tokens"] in (left, [*left, CLOSING])
        return asked

    def enter(self, text):
        asked = self.choose(text)
        return self.ask("POST", "/match/step", t=asked["tokens"], head=asked["head"])


@pytest.fixture
def page(table, ticks):
    return AtThePage(table, ticks)


def test_what_is_not_legal_is_there_and_says_why(page):
    page.open(PLAYED["full"])
    page.enter(game_steps(3)[0].text)
    asked = page.question()
    for answer in asked["answers"]:
        status, why = page.ask("GET", "/match/why", t=[answer["token"]])
        assert status == 200
        assert (why is None) == answer["legal"]
        if why:
            assert why["reason"]
            assert why["clause"].startswith("SG-")
            assert why["text"]
            status, said = page.ask("POST", "/match/step", t=[answer["token"]], head=asked["head"])
            assert status == 400
            assert why["clause"] in said
    assert {answer["legal"] for answer in asked["answers"]} == {True, False}
    assert page.referee.head == asked["head"]


def test_undo_names_what_it_takes_back(page):
    page.open(PLAYED["full"])
    status, nothing = page.ask("GET", "/match/undo")
    assert (status, nothing["offers"], nothing["why"]) == (200, [], page.box.texts("undo.nothing"))
    said = ""
    for step in game_steps(3):
        said = page.enter(step.text)[1]["says"]
        if page.ask("GET", "/match/undo")[1]["offers"]:
            break
    before = [line.text for line in page.referee.replay.history]
    (offer,) = page.ask("GET", "/match/undo")[1]["offers"]
    assert offer["says"] == f"Take back – {said}"
    status, done = page.ask("POST", "/match/undo", group=offer["group"])
    assert (status, done["says"]) == (200, f"Taken back – {said}")
    assert [line.text for line in page.referee.replay.history] == before[:-1]
    (again,) = [one for one in page.ask("GET", "/match/undo")[1]["offers"] if "Put back" in one["says"]]
    assert page.ask("POST", "/match/undo", group=again["group"])[0] == 200
    assert [line.text for line in page.referee.replay.history] == before
    assert page.ask("POST", "/match/undo", group=again["group"])[0] == 409, "it is done already"


def test_a_report_is_not_undone_and_the_page_says_so(page):
    page.open(PLAYED["full"])
    page.enter(game_steps(3)[0].text)
    with pytest.raises(CannotUndo):
        list_undoable(page.referee.replay)
    _, told = page.ask("GET", "/match/undo")
    assert told["offers"] == []
    assert "cannot be taken back" in told["why"]
    assert told["why"].endswith("Use the box's keys for that.")


def test_something_was_entered_meanwhile_and_half_a_step_is_not_recorded(page):
    page.open(PLAYED["full"])
    assert page.ask("POST", "/match/step", head=0) == (400, "the step is not complete")
    for wrong in (["nonsense"], ["x"] * 201):
        assert page.ask("GET", "/match/question", t=wrong)[0] == 400
    assert page.ask("POST", "/match/step", head="last")[0] == 400
    assert page.referee.head == 0
    steps = game_steps(3)
    asked = page.choose(steps[0].text)
    page.box.door.step(steps[0].text, source=KEYS)
    status, said = page.ask("POST", "/match/step", t=asked["tokens"], head=asked["head"])
    assert (status, said) == (409, "something was entered since")
    assert len(page.referee.replay.history) == 1


@pytest.mark.parametrize(("act", "origin"), [(False, HERE), (True, "https://example.com")])
def test_a_page_that_may_only_look_or_is_somebody_else_s(table, ticks, act, origin):
    page = AtThePage(table, ticks, act=act)
    page.referee = SimpleNamespace(wait=lambda _: True)
    assert page.ask("GET", "/match/question") == (409, "no match is open")
    asked = page.open(PLAYED["full"]).choose(game_steps(3)[0].text)
    assert asked["act"] is act
    for path, params in (("step", {"t": asked["tokens"], "head": 0}), ("undo", {"group": 1})):
        status, said = page.ask("POST", f"/match/{path}", origin=origin, **params)
        assert status == 403
        assert said.startswith("refused: https://example.com") if act else said == str(LOOK_ONLY)
    assert "panel.act" in str(LOOK_ONLY)
    assert page.referee.head == 0
    phone = Phone(page)
    assert phone.ask("GET", "/pair")[1] == {
        "act": "play" if act else "none",
        "seats": [],
        "asks": "",
        "held": [],
    }
    assert phone.ask("POST", "/pair", seat=0)[0] in (403, 409), "where phones are not paired"


def test_what_a_page_seldom_asks_is_refused_in_its_language(table, ticks):
    page = AtThePage(table, ticks, act="paired").open(PLAYED["full"])
    phone, head = Phone(page).sit(0), page.referee.head
    phone.cookies.set("language", "ja")
    ways = [
        ("GET", "/nowhere", {}),
        ("GET", "/screen.png", {"scale": 99}),
        ("POST", "/match/step", {"head": "x"}),
        ("POST", "/match/step", {"head": head}),
        ("POST", "/match/step", {"head": head, "t": ["x"] * 999}),
        ("POST", "/pair", {"seat": 7}),
    ]
    for method, path, asked in ways:
        status, why = phone.ask(method, path, **asked)
        assert (status // 100, bool(kana(why))) == (4, True), (path, asked, why)
        assert not re.search("[a-z]{3,}", why.replace("head", "").replace("scale", "")), why


@pytest.mark.parametrize(
    ("settings", "simulated", "acts"),
    [
        ({}, True, "play"),
        ({"host": "localhost"}, True, "play"),
        ({"host": "::1"}, True, "play"),
        ({"host": "0.0.0.0"}, True, "paired"),
        ({"host": "box.example.org"}, True, "paired"),
        ({"host": "0.0.0.0"}, False, "paired"),
        ({}, False, "none"),
        ({"host": "0.0.0.0", "act": "play"}, False, "play"),
        ({"act": "none"}, True, "none"),
    ],
)
def test_who_may_act(settings, simulated, acts):
    assert PanelSettings(**settings).acts(simulated=simulated) == acts


def test_what_people_confirm_waits_at_the_box(table, ticks):
    page = AtThePage(table, ticks, confirm=Confirm(page=Entries(reports="ask"))).open(PLAYED["full"])
    step = game_steps(3)[0]
    status, answer = page.enter(step.text)
    assert status == 200
    assert answer["held"]
    assert "box" in answer["says"]
    assert page.referee.head == 0
    page.box.stack[-1].ok()
    assert [line.text for line in page.referee.replay.history] == [step.text]


def test_what_cannot_be_recorded_now_says_why(table, ticks, disk):
    """A seat that a node speaks for, a match that stands still, a disk that is full."""
    page = AtThePage(table, ticks, voices=lambda: {0: "pad-a", 1: "pad-b"}).open(PLAYED["full"])
    first, second = (step.text for step in game_steps(3)[:2])
    page.box.door.rule(Pause(), source=KEYS)
    assert page.enter(first) == (409, "the match is stopped: paused")
    page.box.door.rule(Resume(), source=KEYS)
    assert page.enter(first)[0] == 200, "what the table shows is everybody's"
    status, said = page.enter(second)
    assert (status, "speaks for seat" in said) == (403, True)
    page = AtThePage(table, ticks).open(PLAYED["full"])
    disk.fail(OSError(28, "No space left on device"))
    status, said = page.enter(first)
    assert (status, "No space left" in said) == (503, True)


def test_what_is_chosen_unseen(toy, page):
    page.open(Header(toy, NAMES, Setup()))
    asked = page.question()
    assert asked["covered"] == page.box.texts("play.reveal")
    assert asked["answers"] == []
    asked = page.question(shown=1)
    assert (asked["who"], asked["seat"], asked["covered"]) == (NAMES[0], 0, "")
    first = asked["answers"][0]["token"]
    assert page.ask("POST", "/match/step", t=[first], head=0)[0] == 200
    assert page.question(shown=1)["who"] == NAMES[1]
    assert first not in str(page.ask("GET", "/match/undo")[1])
    assert page.ask("POST", "/match/step", t=[first], head=1)[0] == 200
    assert not isinstance(page.referee.replay.match.pending, Decide)


def test_what_is_not_listed(toy, page):
    page.open(Header(toy, NAMES, Setup(options=(("stakes", "yes"),))))
    kinds = {}
    for _ in range(40):
        asked = page.question(shown=1)
        if asked["over"]:
            break
        entry = asked["entry"]
        if entry:
            kinds[entry["kind"]] = entry
            token = str(entry["start"] + len(kinds) + page.referee.head) if entry["kind"] == "number" else ""
            token = token or f"1{entry['counts'][0]['letter']}"
        else:
            token = next(one["token"] for one in asked["answers"] if one["legal"])
        chosen = page.question(token, shown=1)
        assert chosen["whole"]
        assert page.ask("POST", "/match/step", t=chosen["tokens"], head=chosen["head"])[0] == 200
    assert kinds["number"]["least"] == 0
    assert kinds["number"]["most"] == 250
    assert [one["letter"] for one in kinds["counts"]["counts"]] == ["r", "g"]
    assert page.question("1r")["over"]
    assert page.ask("POST", "/match/step", t=["1r"], head=page.referee.head)[0] == 409


def test_what_is_printed_is_chosen_by_its_name(page):
    file = matchfile.read((MATCHES / "marrakesh_two_told.match").read_text("utf-8"))
    page.open(Header(file.game, file.names, file.setup))
    enter(page.referee, file.steps[:219])
    several = page.question()["entry"]
    assert several["says"] == "Mosque 1, palace 2: 1 to 6, one by one"
    assert several["several"]
    assert ["deploy_w", "1 white keshi"] in several["words"]
    enter(page.referee, file.steps[219:226])
    one = page.question()["entry"]
    assert one["says"] == "River tile 16"
    assert not one["several"]
    assert ["spare_oasis", "one of three spare oases, free"] in one["words"]


def test_a_name_is_typed(page, table, ticks):
    page.open(PLAYED["full"])
    typed = []
    page.acting._typed = typed.append
    assert page.ask("POST", "/box/type", text="Ubertino") == (200, None)
    assert page.ask("POST", "/box/type", text="U" * 401)[0] == 400
    assert page.ask("POST", "/box/type", origin="https://example.com", text="Bo")[0] == 403
    assert typed == ["Ubertino"]
    onlooker = AtThePage(table, ticks, act=False)
    onlooker.referee = page.referee
    assert onlooker.ask("POST", "/box/type", text="Bo") == (403, str(LOOK_ONLY))


@pytest.mark.parametrize(
    ("total", "told"), [(5, "The scale counts 5, not 6."), (6, "")], ids=["otherwise", "so"]
)
def test_counts_that_a_scale_contradicts_are_told_before_they_are_recorded(page, total, told):
    position = turn("tray", "throw", round=2, inside="1l")
    page.open(Header("marrakesh", NAMES, replace(setup(), position=position)))
    seen = Observation("tray", ((f"total {total}", 0.97),))
    asyncio.run(page.box.door.observe(seen, source=Source("scale:tray")))
    asked = page.question("2n2p2r")
    assert (asked["whole"], asked["gives_up"]) == (True, told)
    assert page.question()["gives_up"] == ""
    assert page.enter("tray 2n2p2r")[0] == 200


class Phone:
    """A browser on a network, with cookies of its own."""

    def __init__(self, page):
        self.page, self.cookies = page, httpx.Cookies()

    def ask(self, method, path, **more):
        answer = ask(self.page.app, method, path, cookies=self.cookies, **more)
        self.page.referee.wait(30)
        self.set_cookie = answer.headers.get("set-cookie", "")
        told = answer.json() if answer.text.startswith(("{", "[")) else answer.text.strip()
        return answer.status_code, told

    def sit(self, seat):
        assert self.ask("POST", "/pair", seat=seat)[0] == 204
        code = self.page.box.pairings.asking.code
        assert self.ask("POST", "/pair", code=f"{code[:3]} {code[3:]}")[0] == 204
        return self

    def enter(self, made):
        game = self.page.referee.replay.game
        tokens = game.notation.tokens(made.text)
        _, asked = self.ask("GET", "/match/question", t=tokens)
        whole = tokens if asked["whole"] else [*tokens, CLOSING]
        return self.ask("POST", "/match/step", t=whole, head=asked["head"])


@pytest.fixture
def paired(table, ticks):
    return AtThePage(table, ticks, act="paired").open(PLAYED["torres-two"])


def test_a_phone_acts_for_its_own_seat_and_the_record_says_which(paired):
    steps = game_steps(3, PLAYED["torres-two"].setup, "torres")
    mine, other = Phone(paired).sit(steps[0].seat), Phone(paired).sit(1 - steps[0].seat)
    onlooker = Phone(paired)
    assert onlooker.ask("GET", "/match/question")[1]["act"] is False
    status, why = onlooker.enter(steps[0])
    assert (status, "choose yours" in why) == (403, True)
    status, why = other.enter(steps[0])
    assert (status, why) == (403, "this phone acts for another seat")
    assert mine.ask("GET", "/match/question")[1]["act"] is True
    assert mine.enter(steps[0])[0] == 200
    line = paired.referee.replay.history[-1]
    assert (line.made, line.record.channel) == (steps[0], "page:phone-1")
    assert other.ask("GET", "/match/undo")[1]["offers"] == []
    (offer,) = mine.ask("GET", "/match/undo")[1]["offers"]
    assert other.ask("POST", "/match/undo", group=offer["group"])[0] == 409
    assert mine.ask("POST", "/match/undo", group=offer["group"])[0] == 200
    assert paired.referee.replay.history == []


def kana(told):
    """The Japanese letters in what a page is told: none of them in English."""
    return re.findall("[ぁ-ヿ]", json.dumps(told, ensure_ascii=False))


def test_two_phones_play_one_match_in_two_languages(table, ticks):
    steps = game_steps(3)[:16]
    page = AtThePage(table, ticks, act="paired").open(PLAYED["full"])
    phones = [Phone(page).sit(0), Phone(page).sit(1)]
    phones[1].cookies.set("language", "ja")
    for step in steps:
        english, japanese = (phone.ask("GET", "/match/question")[1] for phone in phones)
        assert not kana(english)
        assert kana(japanese)
        status, entered = phones[step.seat or 0].enter(step)
        assert status == 200, entered
        assert bool(kana(entered["says"])) == (step.seat == 1)
    assert list(page.referee.replay.match.steps) == list(steps)
    stale = {"t": ["pass"], "head": 0}
    english, japanese = (phone.ask("POST", "/match/step", **stale)[1] for phone in phones)
    assert (bool(kana(english)), bool(kana(japanese))) == (False, True)


def test_a_phone_s_secrets_are_cookies_that_no_script_reads_and_stand_in_no_answer(paired):
    phone = Phone(paired)
    phone.ask("POST", "/pair", seat=0)
    assert "httponly" in phone.set_cookie.lower()
    assert "samesite=strict" in phone.set_cookie.lower()
    code = paired.box.pairings.asking.code
    assert phone.ask("POST", "/pair", code=code) == (204, "")
    token = phone.cookies["podesta_phone"]
    assert phone.ask("GET", "/pair") == (200, {"act": "paired", "seats": [0], "asks": "", "held": [""]})
    for path in ("/match/question", "/match/undo", "/status"):
        assert token not in str(phone.ask("GET", path))


def test_nobody_elsewhere_pairs_for_a_visitor(paired):
    """A foreign page is refused by its origin, one that a foreign name leads here for by its name."""
    phone = Phone(paired)
    assert phone.ask("POST", "/pair", origin="https://evil.example", seat=0)[0] == 403
    assert phone.ask("POST", "/pair", host="evil.example", origin="http://evil.example", seat=0)[0] == 421
    assert paired.box.pairings.asking is None


def test_codes_that_are_guessed(paired):
    phone = Phone(paired)
    assert phone.ask("POST", "/pair", seat=0)[0] == 204
    right = paired.box.pairings.asking.code
    wrong = f"{(int(right) + 1) % 10**6:06}"
    assert phone.ask("POST", "/pair", code=wrong) == (409, "wrong code; tries left: 4")
    assert phone.ask("POST", "/pair", code=right) == (409, "wait 1 s before the next try")
    assert Phone(paired).ask("POST", "/pair", code=right)[0] == 409, "it is another phone's"
    assert phone.ask("POST", "/pair", seat=7) == (400, "nobody sits at seat 7")


def at_the_box(page, label):
    """Choose the item of the page that the box shows."""
    menu = page.box.stack[-1]
    next(item for item in menu.items if item.label == label).act()
    page.referee.wait(30)


def test_at_a_shared_table_every_entry_counts_after_a_yes_at_the_box(table, ticks):
    page = AtThePage(table, ticks, act="table").open(PLAYED["torres-two"])
    first, second = game_steps(3, PLAYED["torres-two"].setup, "torres")[:2]
    assert page.question()["act"]
    assert page.enter(first.text)[1]["held"]
    assert page.referee.replay.history == []
    at_the_box(page, "no")
    assert page.referee.replay.history == []
    page.enter(first.text)
    at_the_box(page, "yes, that is right")
    assert [line.made for line in page.referee.replay.history] == [first]
    assert page.referee.replay.history[0].record.channel == "page"
    (offer,) = page.ask("GET", "/match/undo")[1]["offers"]
    assert page.ask("POST", "/match/undo", group=offer["group"])[1]["held"]
    assert len(page.referee.replay.history) == 1
    assert offer["says"] in page.box.page().prompt
    at_the_box(page, "yes, that is right")
    assert page.referee.replay.history == []
    assert page.enter(second.text)[0] in (200, 400), "the page goes on"


def test_a_fact_is_kept_at_once_where_all_share_the_page_and_else_proposed(table, ticks, paired):
    phone = Phone(paired).sit(0)
    known = {one["name"]: one for one in phone.ask("GET", "/copies/torres")[1]["facts"]}
    name, value = "cell_pitch", "31.5"
    where = f"/copies/torres/{name}"
    assert Phone(paired).ask("POST", where, value=value)[0] == 403
    status, why = phone.ask("POST", where, value=value)
    assert (status, "once people there confirm it" in why) == (409, True)
    assert phone.ask("GET", "/copies/torres")[1]["facts"] == list(known.values())
    assert known[name]["label"] in paired.box.page().prompt
    at_the_box(paired, "yes, that is right")
    after = {one["name"]: one["value"] for one in phone.ask("GET", "/copies/torres")[1]["facts"]}
    assert after[name] == value


def test_a_phone_proposes_a_simulated_fault_and_the_box_asks(paired):
    phone, faults = Phone(paired).sit(0), paired.hardware.faults
    for name, switch, status in (("fog", "on", 400), ("slow_disk", "maybe", 400)):
        assert phone.ask("POST", f"/fault/{name}/{switch}")[0] == status
    assert Phone(paired).ask("POST", "/fault/slow_disk/on")[0] == 403
    for switch, word, answer, on in (
        ("on", "start", "no", False),
        ("on", "start", "yes, that is right", True),
        ("off", "end", "yes, that is right", False),
    ):
        before = dict(faults)
        status, why = phone.ask("POST", f"/fault/slow_disk/{switch}")
        assert (status, "once people there confirm it" in why) == (409, True)
        assert faults == before
        assert f"Slow disk: {word} it?" in paired.box.page().prompt
        at_the_box(paired, answer)
        assert faults == {"slow_disk": on}


def refused(phone):
    """The tokens of a refused answer that people may let stand, and what is said of it."""
    asked = phone.ask("GET", "/match/question")[1]
    for answer in asked["answers"]:
        why = phone.ask("GET", "/match/why", t=[answer["token"]])[1]
        if isinstance(why, dict) and why["may_stand"]:
            return asked, answer["token"], why
    raise AssertionError("nothing is refused that may stand")


def test_a_phone_asks_the_table_to_let_a_refused_step_stand(table, ticks):
    page = AtThePage(table, ticks, act="paired").open(PLAYED["full"])
    for step in game_steps(3)[:6]:
        enter(page.referee, [step])
    page.box.follow()
    mover = page.referee.replay.match.pending.seats[0]
    phone, other = Phone(page).sit(mover), Phone(page).sit(1 - mover)
    asked, token, why = refused(phone)
    before = len(page.referee.replay.history)
    assert other.ask("POST", "/match/stand", t=[token], head=asked["head"])[0] == 403
    assert phone.ask("POST", "/match/stand", t=[token], head=asked["head"] - 1)[0] == 409
    status, answer = phone.ask("POST", "/match/stand", t=[token], head=asked["head"])
    assert (status, answer["held"]) == (200, True)
    assert why["clause"] in page.box.page().prompt
    assert len(page.referee.replay.history) == before
    at_the_box(page, "yes, that is right")
    assert len(page.referee.replay.history) == before, "a reason and everybody's consent come first"
    play = page.box.show_match()
    assert (play.question.waived, play.source.channel) == ((why["clause"],), "page:phone-1")


def test_a_step_that_should_stand_is_not_asked_any_more_once_an_entry_is_taken_back(table, ticks):
    page = AtThePage(table, ticks, act="paired").open(PLAYED["full"])
    for step in game_steps(3)[:6]:
        enter(page.referee, [step])
    page.box.follow()
    phone = Phone(page).sit(page.referee.replay.match.pending.seats[0])
    asked, token, _ = refused(phone)
    assert phone.ask("POST", "/match/stand", t=[token], head=asked["head"])[1]["held"]
    page.box.door.rule(Pause(), source=KEYS)
    page.box.door.rule(Resume(), source=KEYS)
    assert page.box.confirming
    line = next(one for one in reversed(page.referee.replay.history) if one.seat is not None)
    page.box.door.rule(Rollback(line.seq), source=KEYS)
    assert page.box.confirming is None


def test_the_other_seat_says_yes_on_its_phone(table, ticks):
    confirm = Confirm(page=Entries("other", "auto"))
    page = AtThePage(table, ticks, act="paired", confirm=confirm).open(PLAYED["torres-two"])
    first = game_steps(3, PLAYED["torres-two"].setup, "torres")[0]
    mine, other = Phone(page).sit(first.seat), Phone(page).sit(1 - first.seat)
    assert mine.enter(first)[1]["held"]
    asks = other.ask("GET", "/pair")[1]["asks"]
    assert asks
    assert mine.ask("GET", "/pair")[1]["asks"] == ""
    assert mine.ask("POST", "/match/confirm", asks=asks, yes=1)[0] == 403
    assert other.ask("POST", "/match/confirm", asks="else", yes=1)[0] == 409
    other.cookies.set("language", "ja")
    spoken = other.ask("GET", "/pair")[1]["asks"]
    assert kana(spoken)
    assert not kana(asks)
    assert other.ask("POST", "/match/confirm", asks=asks, yes=1)[0] == 409, "that was asked in English"
    asks = spoken
    assert other.ask("POST", "/match/confirm", asks=asks, yes=1)[0] == 204
    assert [line.made for line in page.referee.replay.history] == [first]
    assert other.ask("GET", "/pair")[1]["asks"] == ""


def test_an_entry_that_is_sent_twice_with_one_key_is_made_once(paired):
    first = game_steps(3, PLAYED["torres-two"].setup, "torres")[0]
    phone, other = Phone(paired).sit(first.seat), Phone(paired).sit(1 - first.seat)
    tokens = paired.referee.replay.game.notation.tokens(first.text)
    head = phone.ask("GET", "/match/question")[1]["head"]
    assert phone.ask("GET", "/match/landed", n="a-1") == (200, "null")
    once, again = (phone.ask("POST", "/match/step", t=tokens, head=head, n="a-1") for _ in range(2))
    assert once == again == phone.ask("GET", "/match/landed", n="a-1")
    assert once[0] == 200
    assert len(paired.referee.replay.history) == 1
    assert other.ask("GET", "/match/landed", n="a-1") == (200, "null"), "another phone's key"
    assert phone.ask("POST", "/match/step", t=tokens, head=head, n="a-2")[0] == 409
    assert phone.ask("GET", "/match/landed", n="a-2")[0] == 409, "it arrived, and was refused"


def test_where_all_choose_unseen_each_phone_answers_for_its_own_seat_in_any_order(table, ticks, toy):
    page = AtThePage(table, ticks, act="paired").open(Header(toy, NAMES, Setup()))
    first, second = (Phone(page).sit(seat) for seat in range(2))
    asked = second.ask("GET", "/match/question")[1]
    assert (asked["seat"], asked["act"], asked["covered"]) == (1, True, ""), "nobody else sees this phone"
    status, recorded = second.ask("POST", "/match/step", t=["odd"], head=asked["head"])
    assert (status, recorded["says"]) == (200, page.box.words_of(page.referee.replay).by(1, ""))
    assert second.ask("GET", "/match/question")[1]["act"] is False, "it waits for the other"
    asked = first.ask("GET", "/match/question")[1]
    assert (asked["seat"], asked["act"], asked["said"]) == (0, True, "")
    assert first.ask("POST", "/match/step", t=["even"], head=asked["head"])[0] == 200
    made = [(line.seat, line.text, line.record.channel) for line in page.referee.replay.history]
    assert sorted(made) == [(0, "even", "page:phone-1"), (1, "odd", "page:phone-2")]


def test_a_hand_told_by_a_phone_serves_that_phone_alone(table, ticks):
    page = AtThePage(table, ticks, act="paired").open(PLAYED["full"])
    enter(page.referee, game_steps(3)[:6])
    game = page.referee.replay.game
    mover = page.referee.replay.match.pending.seats[0]
    mine, also, other = Phone(page).sit(mover), Phone(page).sit(mover), Phone(page).sit(1 - mover)
    world = game.worlds.sample(page.referee.replay.match.state, Random(4))
    held = game.worlds.held(world, page.referee.replay.match.state, mover)

    def legal(phone):
        return [one["token"] for one in phone.ask("GET", "/match/question")[1]["answers"] if one["legal"]]

    before = legal(mine)
    status, told = mine.ask("POST", "/match/hand", content="nonsense", seat=mover)
    assert (status, told) == (400, "that cannot be the hand, by what everybody saw: count again")
    assert other.ask("POST", "/match/hand", content=held, seat=mover)[0] == 403
    assert mine.ask("POST", "/match/hand", content=held, seat=mover)[0] == 204
    assert mine.ask("GET", "/pair")[1]["held"] == [held]
    assert other.ask("GET", "/match/hand", seat=mover)[0] == 403
    holds = mine.ask("GET", "/match/hand", seat=mover)[1]
    assert holds["size"] == len(held.split(","))
    assert set(held.split(",")) <= {word for word, _, _ in holds["kinds"]}
    assert [phone.ask("GET", "/pair")[1]["held"] for phone in (also, other)] == [[""], [""]]
    after = [choice.token for choice in game.rules.legal_for(page.referee.replay.match.state, mover, held)]
    assert sorted(legal(mine)) == sorted(after)
    assert legal(also) == before
    for token in set(before) - set(after):
        why = mine.ask("GET", "/match/why", t=[token])[1]
        assert held in why["reason"]
        assert why["clause"] == ""
        assert also.ask("GET", "/match/why", t=[token]) == (200, "null")
