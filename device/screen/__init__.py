"""The box's screen: pages as values and as lines of text; :mod:`device.screen.pixels` draws them."""

from device.screen.pages import (
    CountsPage,
    CropPage,
    GridPage,
    HeaderMark,
    HeaderWords,
    ListPage,
    NoticePage,
    Page,
    PageHeader,
    QrPage,
    Sign,
    TablePage,
    TextPage,
    WheelPage,
    cover,
    text_lines,
)
