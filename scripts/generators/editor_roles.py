"""What says that a file may be an operator's, in the editors' own sources, from `kernelgen_ls.kernel.roles`."""

from __future__ import annotations

import json
from pathlib import Path

from kernelgen_ls.kernel.roles import FOLDERS, HEAD_CHARACTERS, KERNEL_SUFFIXES, LANGUAGES, MARKS
from scripts.generators import GENERATED, ROOT

NEOVIM = ROOT / "editors/neovim/lua/kernelgen/marks.lua"
VSCODE = ROOT / "editors/vscode/src/marks.ts"

LISTS = (
    ("marks", MARKS, "A text with one of these may be an operator's: the server, which reads it whole, decides."),
    (
        "folders",
        FOLDERS,
        "Where an operator's two sides lie; what is below may be an operator's, whatever it says.",
    ),
    ("suffixes", KERNEL_SUFFIXES, "What is a kernel by its name alone."),
)
LINE_WIDTH = 120  # as biome.json has it: a list that fits on a line stands on one
HEAD = "Only so much of a text is looked at: a file says what it is by its includes and its first function."


def vscode() -> str:
    lines = [f"// {GENERATED}"]
    languages = ("languages", LANGUAGES, "The languages whose documents may be the server's.")
    for name, values, meaning in (languages, *LISTS):
        head = f"export const {name}: readonly string[] = ["
        line = head + ", ".join(map(json.dumps, values)) + "];"
        broken = [head, *(f"  {json.dumps(value)}," for value in values), "];"]
        lines += ["", f"/** {meaning} */", *([line] if len(line) <= LINE_WIDTH else broken)]
    return "\n".join([*lines, "", f"/** {HEAD} */", f"export const headCharacters = {HEAD_CHARACTERS};", ""])


def neovim() -> str:
    lines = [f"-- {GENERATED}", "return {"]
    for name, values, meaning in LISTS:
        lines += [f"  --- {meaning}", f"  {name} = {{", *(f"    '{value}'," for value in values), "  },"]
    return "\n".join([*lines, f"  --- {HEAD}", f"  head_characters = {HEAD_CHARACTERS},", "}", ""])


def texts() -> dict[Path, str]:
    return {NEOVIM: neovim(), VSCODE: vscode()}
