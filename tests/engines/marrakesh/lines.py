"""A table of Marrakesh for the tests: positions, and the steps played on them."""

from engines import marrakesh
from engines.contract import Level, Setup
from engines.fact_kinds import write_word
from engines.facts import Facts, sample, with_facts
from engines.marrakesh.book import EXPANSIONS
from engines.marrakesh.facts import OASES, SCHEMA, SQUARE, Printing
from engines.marrakesh.pieces import AREAS, LETTERS
from engines.marrakesh.state import ON_PATH
from tests.engines.asked import Asked

GAME = marrakesh.GAME
_asked = Asked(GAME)
at, answer, play = _asked.at, _asked.answer, _asked.play
tokens, refusal, overruled = _asked.tokens, _asked.refusal, _asked.overruled
fields = _asked.fields

SAMPLE = sample(SCHEMA)
_TILES = {fact: f"{fact.name}:{write_word(fact.kind, SAMPLE[fact.name])}" for fact in SCHEMA if fact.late}
KNOWN = "/".join(text for fact, text in _TILES.items() if not fact.when)
"""All tiles of the sample copy as a position has them."""
ALL_KNOWN = "/".join(_TILES.values())
"""Also the facts of expansions."""
EVERYTHING = {each.name: each.option.values[1] for each in EXPANSIONS}
"""Options with which every expansion is played."""
PRINTED = Printing()
BOARDS = Facts.of(SCHEMA).confirm({fact.name: SAMPLE[fact.name] for fact in SCHEMA if not fact.late})
"""A copy of which only the boards are known."""
ALL = "".join(f"1{letter}" for letter in LETTERS)
LEFT = {1: ALL.removesuffix("1l1u1o"), 2: "1t1g1k1w1y1b", 3: "1t1g1k", 4: "0"}
"""What is behind a screen after the throw of each round."""
THROWN = {1: ("1l1u1o", "sss"), 2: ("1n1p1r", "nps"), 3: ("1w1y1b", "wyb"), 4: ("1t1g1k", "tgk")}
"""What each seat throws in a round, and where its assistants go."""
DEMANDS = {"a": "1,3,5", "b": "2,4,6", "c": "7,8,9", "d": "10,11,12"}
STOCK = {
    2: ("t-g-k-", "w-y-b-"),
    3: ("t-g---", "w-y---", "b-p---"),
    4: ("t-g---", "w-y---", "b-p---", "r-k---"),
}


def setup(seats: int = 2, start: int = 0, *, known: bool = True, **options: str) -> Setup:
    """A set-up with the sample copy, of which the tiles may be unknown."""
    chosen = tuple(options.items())
    return with_facts(SAMPLE if known else BOARDS, Setup(seats, start, chosen, Level.FULL))


def turn(doing: str = "action", going: str = "use_a", seats: int = 2, **more: object) -> str:
    """A position in which seat a started the round, ``going`` goes on and ``doing`` is asked.

    ``more`` are further fields, ``board_a`` for ``board.a``. What follows from a board follows: vendors,
    entertainers and caravans stand where they come first, as do claimed oases; stairs tell their lines.
    """
    fields = {name[:-2] + "." + name[-1] if name[-2:-1] == "_" else name: str(v) for name, v in more.items()}
    letters, number = "abcd"[:seats], int(fields.get("round", "1"))
    season = int(fields.get("season", "1"))
    coming = _coming(going, letters, number, season)
    frames = [f"effect:{word}" for word in reversed(coming)]
    frames += ["effect:assistant"] * going.startswith("use")
    told = {
        "seats": str(seats),
        "turn": _seat(going, fields.pop("turn", "")),
        "holder": letters[(1 - number) % seats],
    }
    told["doing"] = "/".join([*frames, doing])
    for seat, letter in enumerate(letters):
        side = _followed({name[:-2]: value for name, value in fields.items() if name[-2:] == f".{letter}"})
        side = _usual(letter, going, coming, number, season) | {"stock": STOCK[seats][seat]} | side
        gone = len(_words(side.get("oases", "-")))
        side["stock"] = (
            "-" * gone + side["stock"][gone:] if f"stock.{letter}" not in fields else side["stock"]
        )
        told |= {f"{name}.{letter}": value for name, value in side.items()}
    told |= {name: value for name, value in fields.items() if "." not in name}
    return " ".join(f"{name}={value}" for name, value in told.items())


def worded(words: str) -> str:
    """Return the position of such words: ``choose choose_a round=2``."""
    asked = [word for word in words.split() if "=" not in word]
    fields = dict(word.split("=", 1) for word in words.split() if "=" in word)
    return turn(*asked, seats=int(fields.pop("seats", "2")), **fields)


def _seat(going: str, told: str) -> str:
    return told or (going[-1] if going[-2:-1] == "_" else "a")


def _coming(going: str, letters: str, number: int, season: int) -> list[str]:
    """The words of a set-up, round or season's end that come after one."""

    def by_seat(*words: str) -> list[str]:
        return [f"{word}_{letter}" for word in words for letter in letters]

    again = by_seat("turn_up") if season < 3 else []
    for words in (
        [*by_seat("choose"), "throw", "claim", *by_seat("use", "rapids"), "round_over"],
        [*by_seat("season_rapids"), "river_tile", *by_seat("provision"), *again, "season_over"],
        [*by_seat("stock", "turn_up"), "season"],
    ):
        if going in words and (number == 4 or words[-1] != "season_over"):
            claim = [word.replace("claim", "claim_a") for word in words]
            return claim[words.index(going) + 1 :]
    raise ValueError(f"nothing comes after {going!r}")


def _usual(letter: str, going: str, coming: list[str], number: int, season: int) -> dict[str, str]:
    """Return what lies before a seat when nothing else is told: of keshis, assistants, provision tiles."""
    began = "season" in coming
    turned = f"turn_up_{letter}" not in coming and going != f"turn_up_{letter}"
    up = _words(DEMANDS[letter])[
        : season - began + (turned and (began or ("season_over" in coming and season < 3)))
    ]
    side = {"demands": ",".join(up) or "-"}
    if began:
        return side
    if f"choose_{letter}" in coming or going == f"choose_{letter}":
        return side | {"behind": {1: ALL, 2: LEFT[1], 3: LEFT[2], 4: LEFT[3]}[number]}
    side["behind"] = LEFT[number]
    if "throw" in coming or going == "throw":
        return side | dict(zip(("chosen", "assistants"), THROWN[number], strict=True))
    if f"use_{letter}" in coming or going == f"use_{letter}":
        side["assistants"] = "sss"
    return side


def _followed(side: dict[str, str]) -> dict[str, str]:
    """A side with what follows from its keshis, oases and pawns."""
    board = dict(zip(side.get("board", "0")[1::2], map(int, side.get("board", "0")[::2]), strict=False))
    caravans = [0, min(board.get("n", 0), 3), 0]
    caravans[2] = min(board.get("n", 0) - caravans[1], 3)
    caravans[0] = board.get("n", 0) - sum(caravans)
    lines = sum(line <= int(side.get("mosque", "0")) for line in PRINTED.mosque_lines)
    lines += sum(line <= int(side.get("palace", "0")) for line in PRINTED.palace_lines)
    found = {
        "vendors": AREAS[: board.get("r", 0)] or "-",
        "square": ",".join(SQUARE[: board.get("p", 0)]) or "-",
        "caravans": ".".join(map(str, caravans)),
        "claimed": ",".join(OASES[: len(_words(side.get("oases", "-")))]) or "-",
        "lines": str(lines),
    }
    assert sum(ON_PATH) >= board.get("n", 0)
    return found | side


def _words(value: str) -> list[str]:
    return [] if value == "-" else value.split(",")
