"""The box's screen: pages as values, and as lines of text. For pixels see :mod:`device.screen.pixels`."""

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
)
from device.screen.text import text_lines
