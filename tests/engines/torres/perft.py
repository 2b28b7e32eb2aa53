"""Positions, and how many ways there are to make one choice, two, and so on."""

FIGURES = {
    "two start": (
        "seats=2 blocks=...1//..1..1/.......1/1/..1..1//....1 a=- b=- king=- turn=a doing=enter:c-1:n0:new",
        (8, 56, 336, 12768),
    ),
    "two early": (
        "seats=2 blocks=...1.2/.....1/..1..1/.......1/1/..1/1/....1 a=d1,d3 b=c2,c3 king=e8 turn=b "
        "round=3 left=3 stacks.a=3 stacks.b=3-3 deck.a=7 deck.b=9 played.a=move "
        "points.a=s6/-/- points.b=s8/-/-",
        (37, 1238, 37819),
    ),
    "two card": (
        "seats=2 blocks=...1.2/..1..1/..1..1/.....1.1/1.....21/.112...1/1......1/....11 "
        "a=g1,h1,d3,e3,g3 b=f2,b3 king=h6 turn=a phase=2 round=3 left=0 placed=1 "
        "stacks.a=3-3 stacks.b=3-3 deck.a=7 deck.b=7 played.a=block,move played.b=block,ap6,ap7 "
        "points.a=s7/s4/- points.b=s11+c1x1/s1/- doing=card:c-1:n0:open",
        (8, 106, 3581),
    ),
    "two late": (
        "seats=2 blocks=...1.2.1/..1..1/..1..1/...1.1.1/1..1..21/.1121.11/1..2...1/....11 "
        "a=e1,g1,d3,g3,f7 b=b7,c7 king=h5 turn=a phase=3 round=2 left=4 placed=1 "
        "stacks.a=3-3-3 stacks.b=3-3-3 deck.a=4 deck.b=5 played.a=under,block,ap7,move "
        "played.b=block,ap6,ap7,reposition points.a=s7/s5/s1 points.b=s11+c1x1/s3/s3",
        (48, 2162, 51772),
    ),
    "three late": (
        "seats=3 blocks=...1/..1....1/1.1.21.2/....1..1/1.3/..11.121/.....1/....1 a=g3,g4,a8 "
        "b=a3,e6,f8 c=b3,f3,c4,f4 king=d1 turn=a phase=2 round=3 stacks.a=3 stacks.b=3 stacks.c=3 "
        "deck.a=9 deck.b=6 deck.c=6 played.a=reposition played.b=under,doors played.c=diagonal,ap6 "
        "points.a=s6+b1/-/- points.b=s7+c1x1+c4x1+b2/s2/- points.c=s7+b3/-/-",
        (44, 1851, 75361),
    ),
    "four card": (
        "seats=4 blocks=..211/....1/.21..11/.......1/1.21.1.1/..1..11/...1/...111 a=c6,h7 b=e3,f3 "
        "c=b5 d=c3 king=a5 turn=b start=d round=4 left=3 placed=2 stacks.b=2 stacks.c=3 "
        "deck.a=9 deck.b=7 deck.d=9 played.b=block points.a=s10+b3/-/- points.b=s6+b4/-/- "
        "points.c=s7+b5/-/- points.d=s11+b3/-/- doors=descend next_start=last_chooses "
        "doing=card:c-1:n0:open",
        (7, 40, 1048),
    ),
    "four late": (
        "seats=4 blocks=..211/....1.11/121..11//1.21.1.1/1.1..11/...1/...1221 a=e5,h7 b=e3,b4 c=g5 "
        "d=c3 king=e2 turn=b start=b phase=2 round=2 stacks.a=3-2 stacks.b=3-3 stacks.c=2-2 "
        "stacks.d=2-2 deck.a=8 deck.b=5 deck.c=8 deck.d=9 played.a=doors played.b=block,ap7,move "
        "played.c=doors played.d=ap6 points.a=s10+c3x1+b5/s3/- points.b=s6+b4/s5/- "
        "points.c=s10+b7/-/- points.d=s11+c2x1+b3/s4+b2/- doors=descend next_start=last_chooses",
        (51, 2410, 108614),
    ),
}
