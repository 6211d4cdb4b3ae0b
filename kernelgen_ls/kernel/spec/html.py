"""Markdown's own form of the tables and lists of definitions that a description writes in HTML."""

from __future__ import annotations

import html
import re

_TABLE = re.compile(r"<table\b[^>]*>(?P<rows>.*?)</table>", re.DOTALL | re.IGNORECASE)
_ROW = re.compile(r"<tr\b[^>]*>(?P<cells>.*?)(?=<tr\b|</tr>|\Z)", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t[hd]\b(?P<spans>[^>]*)>(?P<text>.*?)(?=<t[hd]\b|</t[hd]>|\Z)", re.DOTALL | re.IGNORECASE)
_SPAN = re.compile(r"(?:row|col)span\s*=\s*[\"']?(?!1\b)\d", re.IGNORECASE)
_LIST = re.compile(r"<dl\b[^>]*>(?P<items>.*?)</dl>", re.DOTALL | re.IGNORECASE)
_TERM = re.compile(r"<dt\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^>]*>")


def without_html(text: str) -> str:
    """The text with its HTML tables as Markdown's and lists of definitions as lists.

    A table whose cells stretch over several rows or columns stays as it is: its columns are no columns.
    """
    return _LIST.sub(_as_list, _TABLE.sub(_as_table, text))


def _as_table(match: re.Match[str]) -> str:
    if _SPAN.search(match["rows"]):
        return match[0]
    rows = [[_plain(cell["text"]) for cell in _CELL.finditer(row["cells"])] for row in _ROW.finditer(match["rows"])]
    lines = [f"| {' | '.join(cells)} |" for cells in rows if cells]
    if not lines:
        return ""
    return "\n".join(["", lines[0], "|" + " - |" * len(rows[0]), *lines[1:], ""])


def _as_list(match: re.Match[str]) -> str:
    terms = _TERM.split(match["items"])[1:]
    return "\n".join(["", *(f"- {_plain(term)}" for term in terms), ""])


def _plain(written: str) -> str:
    """What a cell or term says, on one line."""
    return re.sub(r"\s+", " ", html.unescape(_TAG.sub(" ", written))).strip().replace("|", "\\|")
