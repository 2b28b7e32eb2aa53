"""The desk's routes: who may look at what, who may send which form."""

from __future__ import annotations

from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Lifespan

from device.event.desk.acting import Acting
from device.event.desk.front import PAGES, RANKS, SMALL, DeskSetup, Front
from device.event.desk.looking import Looking
from device.event.desk.planning import Planning
from device.event.desk.spare import Spares


def make_app(setup: DeskSetup, lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """Make the desk's pages; what runs beside them is its ``lifespan``."""
    front = Front(setup)
    look = Looking(front)
    act = Acting(front, look)
    plan = Planning(front)
    viewer, judge, organiser = (partial(front.route, least) for least in RANKS)
    return Starlette(
        routes=[
            Mount("/static", StaticFiles(directory=PAGES / "static")),
            Route("/public", look.public),
            Route("/public/standings", partial(look.standings, me=None)),
            Route("/login", front.login, methods=["GET", "POST"]),
            *Spares(front).routes(),
            organiser("/desk", act=act.rule_here),
            viewer("/logout", act=act.leave),
            viewer("/", look.tables),
            viewer("/changes", look.changes),
            viewer("/round/{number:int}/table/{table}", look.table),
            judge("/round/{number:int}/table/{table}/rule", act=act.rule),
            judge("/round/{number:int}/table/{table}/points", act=act.give_points),
            judge("/round/{number:int}/table/{table}/type", act=act.type),
            judge("/round/{number:int}/table/{table}/call", act=act.call),
            judge("/call/{row:int}", act=act.answer),
            organiser("/round/{number:int}/table/{table}/revoke", act=act.revoke),
            viewer("/journal/{result:int}", look.journal),
            judge("/upload", look.upload_page, act.upload, limit=setup.largest + SMALL),
            judge("/folder", act=act.folder),
            judge("/seen/{row:int}", act=act.seen),
            viewer("/{what}.csv", look.csv),
            viewer("/people", look.people),
            organiser("/people", act=plan.add_person),
            organiser("/people/{row:int}", act=plan.turn_person),
            organiser("/people.csv", act=plan.import_people),
            viewer("/rounds", look.rounds),
            organiser("/rounds", act=plan.type_seats),
            organiser("/rounds.csv", act=plan.import_seats),
            organiser("/rounds/{number:int}/draw", act=plan.draw),
            judge("/rounds/{number:int}/clock", act=plan.set_clock),
            judge("/rollcall", look.rollcall),
            judge("/rollcall/{number:int}", act=plan.call_roll),
            judge("/rollcall/{number:int}/join", act=plan.join),
            judge("/rollcall/{number:int}/out", act=plan.take_out),
            judge("/round/{number:int}/table/{table}/seats", act=plan.reseat),
            viewer("/standings", look.standings),
            organiser("/event", act=plan.name_event),
            organiser("/event/delay", act=plan.set_delay),
            organiser("/event/order", act=plan.set_order),
            viewer("/paper/{what}/{number:int}", look.paper),
            viewer("/audit", look.audit),
            organiser("/bundle", look.bundle),
            organiser("/accounts", look.accounts, act.renew),
            organiser("/accounts/close", act=act.close),
            viewer("/password", look.password_page, act.password),
        ],
        exception_handlers={HTTPException: front.not_done},
        lifespan=lifespan,
    )
