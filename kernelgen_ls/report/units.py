"""Numbers with their units, for people."""

from __future__ import annotations


def size_text(size: float) -> str:
    """Bytes as files are counted: powers of ten, one decimal ("2.6 MB", "1.1 GB")."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def count_text(number: float) -> str:
    """How many weights or tokens, in millions or thousands of millions ("2.4 M", "1.2 B")."""
    return f"{number / 1e9:.1f} B" if number >= 1e9 else f"{number / 1e6:.1f} M"
