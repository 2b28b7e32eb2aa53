"""Every check of The Castles of Tuscany: an answer that it refuses, with its figures, and one let pass.

A position is as :func:`.table.turn` takes it: what is asked, and fields.
"""

from tests.engines.cases import rows
from tests.engines.castles_of_tuscany.table import BOARDS as PRINTED_BOARDS
from tests.engines.castles_of_tuscany.table import worded

BOARDS = PRINTED_BOARDS.removeprefix("boards=")


def begun(question: str, region: str = "", outline: str = "5.5", boards: str = BOARDS) -> str:
    """A set-up in which a has some boards and b is asked; with no board yet, a is."""
    copy = f"seats=2 draw=2 farms=4 outline={outline} storage=2 boards={boards} bonus=- cards=- yields=-"
    return " ".join(f"{copy} turn={'b' if region else 'a'} {region} doing={question} rules=1".split())


A, B = "region.a=A1,B1+1,C1-1", "region.b=A2"
FIRST = begun("top_board:new").removesuffix(" rules=1")
ONE = begun("top_board:new", A)
TWO = begun("middle_board", f"{A} {B}")
SEAM = begun("middle_board", f"{A} {B}", outline="3.4.3")
THREE = begun("bottom_board", f"{A} {B},B2+0")
CASTLES = begun("bottom_board", f"{A} {B},B2+0", boards=BOARDS.replace("C2:icrqqttrff", "C2:cccqqttrff"))
PRINTED = begun("print:tC2:new", f"{A} {B},B2+0,C2+0", boards=BOARDS.replace("C2:icrqqttrff,", ""))
FINAL = "seats=2 draw=2 farms=4 outline=5.5 storage=2 boards=- bonus=- cards=- yields=- level=score round=3"
SPLIT = "cards=9.13.11.19.15.20.17.18"

ROWS = """
# Set-up
board.free CT-1.5: {ONE}
    A1 is refused (board=A1 seat=0); A2 passes
board.free CT-1.5: {TWO}
    B1+0 is refused (board=B1 seat=0); B2+0 passes
board.set CT-1.5: {FIRST}
    after A1: A2+0 is refused (board=A2 set=A); after A1: B2'+0 passes
board.seam CT-1.5: {SEAM}
    B2+0 is refused (board=B2); in {TWO}: B2+0 passes
board.castles CT-1.5: {CASTLES}
    C2+0 is refused (board=C2 castles=5); in {THREE}: C2+0 passes
print.castles CT-1.5: {PRINTED}
    cccqqttrff is refused (board=C2 castles=5); icrqqttrff passes
castle.space CT-2.3: first_castle:new filled=- display=- filled_b=-
    c1 is refused (space=c1 kind=m colour=m); b1 passes
square.left CT-5.2: square:new filled=b1,c1 squares_a=cards,cards,cards squares_b=cards,cards
    cards is refused (square=cards all=5); yield passes
# The turn
action.left CT-3.1: action left=0 marble_a=1
    D is refused (remedy=action.marble); in action marble_a=1: D passes
marble.once CT-3.2: action marble_a=1 marbled=yes
    marble is refused; in action marble_a=1: marble passes
marble.none CT-3.2: action
    marble is refused; with left=0 marble_a=1: marble passes
end.action CT-3.1: action marble_a=1
    end is refused (left=1); with left=0: end passes
# Taking
take.display CT-3.4: action display=c,t,i,fa,q,m,m,r
    Tv is refused (tile=v); in action: Tv passes
take.display CT-3.4: action display=- came=cttiffffqqqvvvvmmmrrr neutral=- round=3 trigger=a left=1
    Tv is refused (tile=v variant=take.empty); in action: Tv passes
take.free CT-3.4: action stored=m squares_a=storage
    Tv>m is refused; Tv passes
discard.stored CT-3.4: action stored=v filled=b1
    after Tm: q is refused (tile=q); after Tm: v passes
refill.own CT-1.3: refill:new came=c display=t,i,fa,q,v,m,r
    c is refused (kind=c all=1 seat=0); in refill:new display=t,i,fa,q,v,m,r: c passes
neutral.left CT-1.3: neutral:n2:new display=c,c,c,i,q,v neutral=1t1i
    c is refused (kind=c all=4); with display=c,c,t,i,q,v neutral=1c1t1i: c passes
# Placing
place.filled CT-3.7: action stored=v
    Pb1 is refused (space=b1); in action stored=m: Pc1 passes
place.filled CT-3.7: pick:new filled=b1,c1
    c1 is refused (space=c1); b2 passes
place.next CT-3.7: action stored=v
    Pe1 is refused (space=e1); with filled=b1,c1: Pd1 passes
place.next CT-3.7: pick:new filled=b1,c1
    e5 is refused (space=e5); b2 passes
place.stored CT-3.7: action stored=v
    Pc1 is refused (space=c1 kind=m); with stored=m: Pc1 passes
place.stored CT-3.7: action
    Pc1 is refused (space=c1 kind=m variant=place.empty); with stored=w: Pc1 passes
place.price CT-3.8: action stored=m hand_a=1
    Pc1 is refused (colour=m hand=1 workers=0); with workers_a=1: Pc1 passes
place.unseen CT-3.8: action stored=m hand_a=2 {SPLIT} discards=16m
    Pc1 is refused (colour=m hand=2 workers=0 unseen=1); with discards=15m: Pc1 passes
tile.stored CT-3.7: action stored=m,w squares_a=storage
    after Pc1: v is refused (tile=v space=c1 kind=m colour=m); after Pc1: m passes
# Paying
pay.short CT-3.8: pay:n2:sc1:tm stored=m
    . is refused (n=2 all=2); mm passes
pay.short CT-3.8: pay:n1:sc1:tm:p1m stored=m
    . is refused (n=1 all=2); m passes
pay.own CT-3.8: pay:n1:sc1:tm:p1m stored=m
    mm is refused (colour=m); in pay:n2:sc1:tm stored=m: mm passes
pay.workers CT-3.8: pay:n2:sc1:tm stored=m
    w is refused (workers=0); with workers_a=1 hand_a=3: w passes
pay.hand CT-3.8: pay:n2:sc1:tm stored=m workers_a=1 hand_a=1
    vv is refused (needed=2 hand=1); with hand_a=3: vv passes
pay.unseen CT-3.8: pay:n2:sc1:tm stored=m {SPLIT} discards=17m2v
    m is refused (colour=m needed=1 unseen=0 all=17); tt passes
pay.rest CT-3.8: pay:n2:sc1:tm stored=m hand_a=2
    vv is refused (hand=0 workers=0); with workers_a=1 hand_a=3: vv passes
# Effects
pick.display CT-5.1: pick:new filled=b1,c1 display=c,t,i,fa,q,v,r,r
    b2 is refused (space=b2 kind=m); in pick:new filled=b1,c1: b2 passes
pick_tile.display CT-5.1: pick_tile:sf3 filled=b1,c1,d1,d2,d3,e3 display=fa,fb,t,q,v,m,r,r
    v is refused (tile=v space=f3 kind=f colour=f); fb passes
wild.stored CT-5.3: wild:new filled=b1,c1 stored=v inn_may_discard=yes
    q is refused (tile=q); v passes
yield.known CT-5.8: yield:n1:new yields=g2,m1
    g3 is refused (reward=g3); g2 passes
reward.none CT-5.8: reward:n1
    . is refused; after w1: . passes
reward.once CT-5.8: reward:n1:tw1
    w2 is refused (reward=w2); o2 passes
# A final table
final.storage CT-5.9: {FINAL} turn=b counted.a=40,20,5,9,3,5,4 counted.b=50,20 doing=final_stored:new
    3 is refused (number=6 all=5); 2 passes
final.green CT-4.1: {FINAL} counted.a=50,28,1,0,0,2 doing=final_empty:new
    0 is refused (number=28 all=29); 1 passes
final.orange CT-7.2: {FINAL} all_green=yes counted.a=51 doing=final_green:new
    25 is refused (number=51 all=50); 26 passes
final.supply CT-1.4: {FINAL} turn=b counted.a=40,20,1,9,3,5,4 counted.b=50,20,1 doing=final_marble:new
    4 is refused (number=13 all=12); 3 passes
"""


def _position(words: str) -> str:
    return worded(words.format(**globals()))


CASES = rows(ROWS, _position)
KNOWLEDGE = {"place.unseen", "pay.unseen", "refill.own", "neutral.left"}
