"""What menus are made of: a line that cannot be chosen now stays in its place and says why."""

from device.keys.cues import Cue
from device.menus.views import Item, Menu
from device.screen.pages import HeaderMark, TextPage


def test_ok_on_a_grey_line_says_why_and_does_nothing_else(player):
    done, cues = [], []
    items = [
        Item("Pass", lambda: done.append("pass")),
        Item("Purchase", lambda: done.append("purchase"), "Seven cards are the most."),
    ]
    player.box.on_cue = cues.append
    player.box.push(Menu(player.box, "Adso", "Your action?", items))
    assert player.page.grey == (1,)
    player.choose("Purchase")
    assert isinstance(player.page, TextPage)
    assert (player.page.header.left, player.page.header.mark) == ("Adso", HeaderMark.REFUSED)
    assert player.page.text == "Seven cards are the most."
    assert (done, cues) == ([], [Cue.REFUSED])
    player.back()
    assert (player.items, player.page.index) == (["Pass", "Purchase"], 1)
    player.choose("Pass")
    assert done == ["pass"]
