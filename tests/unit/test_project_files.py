"""What the pages for contributors name exists, and the notes of a release are what the changelog says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import kernelgen_ls
from scripts.release_notes import notes, problems

ROOT = Path(__file__).parents[2]
PAGES = ("CONTRIBUTING.md", "SECURITY.md", "README.md")
MADE = ("build/", ".venv", "~")
"""Where what is named exists only after it was made."""


@pytest.mark.parametrize("page", PAGES)
def test_the_paths_that_a_page_names_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    spans = [word for span in re.findall(r"`([^`\n]+)`", text) for word in span.split()]
    links = re.findall(r"\]\(([^)#\s]+)\)", text)
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}
    named = [word.rstrip(".,:;") for word in spans if word.split("/")[0] in folders and "/" in word]
    named += [link for link in links if "://" not in link]
    assert named
    assert [path for path in named if not path.startswith(MADE) and not (ROOT / path).exists()] == []


def test_every_target_of_make_is_listed() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    make = ["make", "--no-print-directory", "help"]
    listed = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split()[1] for line in listed.splitlines()} == targets


CHANGELOG = """# Changelog

## Unreleased

## 1.2.0 - 2026-01-31

### Added

- a thing

## 1.1.0 - 2025-12-24

- another
"""


@pytest.mark.parametrize(
    ("version", "expected"), [("1.2.0", "### Added\n\n- a thing"), ("1.1.0", "- another"), ("1", "")]
)
def test_the_notes_of_a_version(version: str, expected: str) -> None:
    assert notes(version, CHANGELOG) == expected


def test_the_program_and_the_extension_have_one_version() -> None:
    assert problems(kernelgen_ls.__version__, ROOT) == []
    assert len(problems("0.0.0", ROOT)) == 2
