"""Positions, and how many ways there are to make one choice, two, and so on."""

from tests.engines.castles_of_tuscany.table import WHOLE

FIGURES = {
    "two start": (
        f"seats=2 {WHOLE} rules=1 turn=a doing=top_board:new",
        (4, 48, 576, 1728),
    ),
    "two early": (
        f"seats=2 {WHOLE} rules=1 region.a=A3,B4+0,C3-1 filled.a=e3,f3 hand.a=2 workers.a=1 squares.a=yield "
        "piles.a=6.7.7 turned.a=1r gains.a=areas:1:f3,yields:3:o3*/-/- region.b=A1,B1+0,C1-1 "
        "filled.b=d3 stored.b=r squares.b=storage piles.b=6.7.7 turned.b=1f "
        "gains.b=storage:2:storage/-/- display=c,t,i,fa,facd,facd,q,m neutral=3c3t3i2f3q4v3m3r "
        "discards=2c1r yields_left=25 turn=b",
        (11, 189, 1601, 29282),
    ),
    "two chain": (
        f"seats=2 {WHOLE} rules=1 region.a=A3,B4+0,C3-1 filled.a=d1,d2,e3,f3 farms.a=d1acd,d2acd stored.a=fa "
        "hand.a=6 squares.a=yield piles.a=3.7.7 turned.a=1t3r gains.a=areas:1:f3,yields:3:o3*,"
        "farms:3:d2/-/- region.b=A1,B1+0,C1-1 filled.b=c1,d1,c2,c3,d3 squares.b=storage piles.b=3.7.7 "
        "turned.b=1f1m2r gains.b=storage:2:storage,yields:2:g2,areas:3:d1,bonus:6:m,areas:1:c1/-/- "
        "display=t,t,i,q,r,r,r,r neutral=3c3t3i2f3q4v3m3r discards=5c4t2f2v2m4r yields_left=24 "
        "taken=1m turn=b left=0 doing=pick:new",
        (7, 138, 1048, 8859),
    ),
    "two late": (
        f"seats=2 {WHOLE} rules=1 region.a=A3,B4+0,C3-1 filled.a=b1,c1,d1,e1,f1,b2,c2,d2,e2,f2,c3,e3,f3,b4,"
        "c4 "
        "wild.a=b1 farms.a=c1a,d1acd,d2acd hand.a=2 workers.a=2 squares.a=yield,yield,yield "
        "piles.a=0.1.7 turned.a=2t1f2q3v2m3r gains.a=areas:1:f3,yields:3:o3*,farms:3:d2,areas:6:c1,"
        "areas:1:b2/areas:1:c2,areas:1:b1,areas:3:f1,areas:3:e1/- region.b=A1,B1+0,C1-1 filled.b=c1,d1,"
        "b2,c2,b3,c3,d3,e3,f3,b4,c4,e4,c5,c6 farms.b=e3bcd,f3ab stored.b=r,w hand.b=3 marble.b=1 "
        "squares.b=storage,yield,yield piles.b=0.0.7 turned.b=1t1i4f1q2v2m3r gains.b=storage:2:storage,"
        "yields:2:g2,areas:3:d1,bonus:6:m,areas:1:c1,areas:3:c4,yields:3:g3/farms:3:e3,areas:3:b4,"
        "areas:3:f3,farms:1:f3,areas:3:c6,bonus:6:q/- display=fbd,fabc,q,q,v,m,r,r "
        "neutral=3c3t3i2f3q4v3m3r discards=6c9t5i10f9q11v12m9r yields_left=21 taken=1q1m turn=b round=3",
        (20, 120, 423, 1573),
    ),
    "three chain": (
        f"seats=3 {WHOLE} rules=1 region.a=A1,B1+0,C3+0 filled.a=b3,c3,d3,e3,a4,b4,a5,a6 farms.a=d3bd,e3d "
        "hand.a=6 squares.a=yield,yield piles.a=0.7.7 turned.a=1c1t1i1f1v1m1r gains.a=farms:2:d3,"
        "areas:3:e3,yields:2:g2,areas:3:b3,yields:3:o3*,areas:1:a5/areas:1:a6/- region.b=A3,B3-1,C4+1 "
        "filled.b=b2,c2,b3,d3,e3,e4,f5,e6,f6 wild.b=c2,d3,f5 marble.b=1 squares.b=yield piles.b=2.7.7 "
        "turned.b=1t1f1v1m1r gains.b=areas:1:b2,areas:1:c2,areas:3:e3,areas:1:e4,bonus:6:i,"
        "areas:3:f6/yields:3:o3*,yields:3:g3/- region.c=A2,B4+0,C1-1 filled.c=f1,e2,f2,e3,f3,e4,e5 "
        "wild.c=f3 stored.c=v,m hand.c=4 squares.c=storage,yield,yield piles.c=0.7.7 "
        "turned.c=1c1q1v1m3r gains.c=storage:2:storage,areas:1:e5,areas:1:f3,yields:2:o2*,yields:2:o2*,"
        "areas:3:f1,areas:1:f2/-/- display=c,fd,fab,q,v,m,r,r neutral=4c3t3i2f3q3v3m3r "
        "discards=4c8t4i10f7q6v8m6r yields_left=16 taken=1i turn=a start=b round=2 left=0 "
        "doing=pick:new round_end=at_once inn_may_discard=yes",
        (11, 209, 2004, 31450),
    ),
    "four late": (
        f"seats=4 {WHOLE} rules=1 region.a=A3,B1+0,C4+1 filled.a=a1,a2,b2,d2,a3,b3,c3,d3,a4,b4,d4,b5,d5,e5,"
        "b6,"
        "c6,d6,e6 wild.a=a1,a2,e5 farms.a=d3acd,b6ac,c6acd hand.a=2 marble.a=2 workers.a=1 "
        "squares.a=yield,yield,yield piles.a=0.0.7 turned.a=1c2t1i2f2q3v2m1r gains.a=farms:3:d3,"
        "areas:1:b2,bonus:6:i,yields:3:g3,areas:3:a4,bonus:6:t/areas:1:b5,yields:2:o2,yields:2:o2,"
        "yields:2:g2,yields:2:g2,farms:2:b6,areas:6:b4,yields:3:g3,areas:1:a1,bonus:6:c,farms:1:c6,"
        "areas:3:d6,bonus:6:q,inns:2:points,areas:3:e5,bonus:6:r,yields:3:g3/- region.b=A1,B3+1,C1+1 "
        "filled.b=b1,c1,d1,e1,b2,c2,d2,e2,c3,d3,e3,f3,d4,e4 wild.b=c1,d3 stored.b=c,t,q marble.b=1 "
        "squares.b=cards,storage,storage,yield piles.b=0.0.7 turned.b=1c2t1i2f3q3v1m1r "
        "gains.b=yields:3:o3,areas:3:b2,bonus:6:m,areas:1:b1,areas:6:e2/areas:3:d2,storage:2:storage,"
        "areas:3:f3,storage:2:storage,areas:6:d4/- region.c=A4,B4-1,C2-1 filled.c=c1,c2,d2,c3,d3,e3,c4,"
        "d4,e4,f4,d5,e5,c6,d6,e6 wild.c=c1,f4 farms.c=d6bcd,e6bd stored.c=v hand.c=10 "
        "squares.c=storage,storage piles.c=0.1.7 turned.c=1c2t1i3f1q2v1m2r gains.c=storage:2:storage,"
        "areas:3:f4,areas:3:c2,bonus:3:m,areas:1:c1/areas:3:e5,farms:2:e6,areas:3:d6,farms:1:d6,"
        "areas:6:d3,bonus:6:v,storage:2:storage/- region.d=A2,B2-1,C3+0 filled.d=b1,c1,d1,e1,b2,c2,d2,"
        "e2,d3,e3,b4,c4,d4,e4 wild.d=e1 farms.d=b2ab,c2bc stored.d=v hand.d=7 marble.d=1 workers.d=1 "
        "squares.d=storage,yield piles.d=0.1.7 turned.d=1t1i3f2q3v1m2r gains.d=farms:2:b2,areas:3:c2,"
        "farms:1:c2,areas:1:e3,storage:2:storage/areas:1:c4,bonus:3:i,areas:3:e1,areas:3:d1,areas:1:b4,"
        "areas:3:d4/- display=c,c,i,i,q,v,m,m neutral=2c4t3i2f2q2v1m3r discards=6t4i1f6q9v4m5r "
        "yields_left=2 taken=1c1t2i1q1v2m1r turn=d start=c round=3 extra_on_cards=no all_green=yes",
        (12, 168, 804, 4902),
    ),
}
