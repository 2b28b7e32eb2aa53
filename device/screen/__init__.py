"""What the box shows: pages as values, and as lines of text. For pixels see :mod:`device.screen.pixels`."""

from device.screen.pages import (
    CountsPage,
    CropPage,
    GridPage,
    Header,
    ListPage,
    Mark,
    NoticePage,
    Page,
    QrPage,
    Sign,
    TablePage,
    TextPage,
    WheelPage,
    cover,
)
from device.screen.text import text_lines

__all__ = [
    "CountsPage",
    "CropPage",
    "GridPage",
    "Header",
    "ListPage",
    "Mark",
    "NoticePage",
    "Page",
    "QrPage",
    "Sign",
    "TablePage",
    "TextPage",
    "WheelPage",
    "cover",
    "text_lines",
]
