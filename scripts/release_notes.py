"""Prints what CHANGELOG.md says of a version. Usage: release_notes.py VERSION

Ends with 1, and says why, where the version is not the same everywhere or has no notes. Standard library only.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def problems(version: str, root: Path) -> list[str]:
    """Where the program or the extension has another version than this one."""
    program = re.search(r'^__version__ = "(.*)"$', (root / "kernelgen_ls/__init__.py").read_text("utf-8"), re.M)
    extension = json.loads((root / "editors/vscode/package.json").read_text("utf-8"))["version"]
    found = {"kernelgen_ls/__init__.py": program[1] if program else "", "editors/vscode/package.json": extension}
    return [f"{file} says {other}, not {version}" for file, other in found.items() if other != version]


def notes(version: str, changelog: str) -> str:
    """The section of a version, without its heading; empty where there is none."""
    for section in re.split(r"^## ", changelog, flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        if heading.split()[0] == version:
            return body.strip()
    return ""


def main() -> int:
    version = sys.argv[1]
    said = problems(version, ROOT)
    text = notes(version, (ROOT / "CHANGELOG.md").read_text("utf-8"))
    if not text:
        said.append(f"CHANGELOG.md says nothing of {version}")
    if said:
        print("\n".join(said), file=sys.stderr)
        return 1
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
