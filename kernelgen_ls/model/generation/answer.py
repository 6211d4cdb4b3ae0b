"""Reading the model's answer: the reasoning, then files in one of two frames.

The answer proper begins after the **last** ``</think>``: while it reasons the model drafts blocks that look like the
answer and are not. What the frame looks like is ``prompts.frame``'s. A block whose end is missing is salvaged and said
to be cut.
"""

from __future__ import annotations

import re
from enum import Enum

from attrs import frozen

from kernelgen_ls.model.prompts.frame import FENCED, HEADER, TAG_END, TAGGED, THINK, THINK_END
from kernelgen_ls.model.prompts.task import GeneratedFile

_LOOKS_LIKE_CODE = re.compile(r"__aicore__|__global__|BEGIN_TILING_DATA_DEF|OP_ADD\s*\(|#\s*include")


class Part(str, Enum):
    """Where a streamed answer stands."""

    REASONING = "reasoning"
    WRITING = "writing"


class Cut(str, Enum):
    """Why an answer is not whole; the values are shown to the user."""

    NO = ""
    REASONING = "the model ran out of tokens while reasoning"
    CODE = "the model's answer is cut off in the middle of the code"
    NOTHING = "the model's answer contains no code block"
    LOOP = "the model wrote the same over and over"
    FILES = "the model's answer lacks a file that was asked for"
    UNCLOSED = "the model did not close its code block"
    """It ended of itself: nothing says that code is missing, so the checker is asked."""

    @property
    def whole(self) -> bool:
        """Whether nothing says that code is missing."""
        return self in (Cut.NO, Cut.UNCLOSED)


@frozen
class Answer:
    """What was read. ``files`` may hold a salvaged, incomplete file when ``cut`` is ``CODE``."""

    reasoning: str
    files: tuple[GeneratedFile, ...]
    cut: Cut = Cut.NO

    @property
    def whole(self) -> bool:
        """Whether nothing says that code is missing."""
        return self.cut.whole


_LOOPS = ((40, 8, 240), (160, 6, 0), (400, 5, 0), (1600, 4, 0))
"""Pieces of up to so many characters loop when they stand so many times in a row, over at least so many characters."""
_LOOP_LINE = 800
"""A piece of one line has to go on for longer: lists of equal words in a definition are long."""
_LOOP_TAIL = max(unit * times for unit, times, _ in _LOOPS)


def loops(text: str) -> bool:
    """Whether a text ends in a piece that is repeated word for word, as models do that lost the thread.

    The longer a piece, the fewer repeats are believed to be meant; a table of zeros, a ruler of dashes or the columns
    of a definition are no loop.
    """
    tail = text[-_LOOP_TAIL:]
    for unit in range(1, min(_LOOPS[-1][0], len(tail) // 2) + 1):
        piece = tail[-unit:]
        if not tail.endswith(piece, 0, -unit) or not piece.strip():
            continue
        least, chars = next((times, chars) for most, times, chars in _LOOPS if unit <= most)
        chars = chars if "\n" in piece else max(chars, _LOOP_LINE)
        times = max(least, -(-chars // unit))
        if unit * times <= len(tail) and tail.endswith(piece * times):
            return True
    return False


class AnswerReader:
    """Takes a streamed answer and says which part is being written; :meth:`finish` reads the files.

    ``thinking`` says that the prompt already opened the reasoning, as the model's own template does.
    """

    def __init__(self, *, kernel_path: str, thinking: bool = True) -> None:
        self._kernel_path = kernel_path
        self._pieces: list[str] = []
        self._part = Part.REASONING if thinking else Part.WRITING
        self._held = ""

    @property
    def part(self) -> Part:
        """What the model is doing now."""
        return self._part

    @property
    def text(self) -> str:
        """Everything so far."""
        return "".join(self._pieces)

    @property
    def tail(self) -> str:
        """The latest pieces, enough of them to see a loop."""
        return "".join(self._pieces[-_LOOP_TAIL:])

    def feed(self, piece: str) -> str:
        """Add a piece; returns what of it is reasoning, to be shown to whoever wants to read along."""
        self._pieces.append(piece)
        recent = self._held + piece
        if self._part is Part.WRITING:
            at = recent.find(THINK)
            self._held = recent[at + len(THINK) :] if at >= 0 else recent[-len(THINK) + 1 :]
            self._part = Part.REASONING if at >= 0 else Part.WRITING
            return ""
        reasoning, closed, rest = recent.partition(THINK_END)
        if closed:
            self._part, self._held = Part.WRITING, rest[-len(THINK) + 1 :]
            return reasoning
        # The beginning of the closing tag may have arrived already.
        keep = next((n for n in range(len(THINK_END) - 1, 0, -1) if recent.endswith(THINK_END[:n])), 0)
        self._held = recent[len(recent) - keep :]
        return recent[: len(recent) - keep]

    def finish(self, *, stopped_early: bool = False) -> Answer:
        """The answer read to its end; ``stopped_early`` says that a limit, not the model, ended it."""
        return read_answer(
            self.text, kernel_path=self._kernel_path, stopped_early=stopped_early, thinking=self._part is Part.REASONING
        )


def read_answer(text: str, *, kernel_path: str, stopped_early: bool = False, thinking: bool = False) -> Answer:
    """Read a complete text; ``kernel_path`` names the file of a ``<kernel_impl>`` block.

    ``thinking`` says that a text without ``</think>`` is all reasoning.
    """
    reasoning, closed, proper = text.rpartition(THINK_END)
    # A model that forgot to close its reasoning, but ended of itself with the frame's end, has answered.
    answered = not stopped_early and proper.rstrip().endswith(TAG_END)
    if not closed and thinking and not answered:
        return Answer(text.strip(), (), Cut.REASONING if stopped_early else Cut.NOTHING)
    reasoning = reasoning.removeprefix(THINK).strip()
    files, cut = _tagged(proper, kernel_path)
    if not files:
        files, cut = _headed(proper)
    if not files:
        files, cut = _bare(proper, kernel_path)
    if not files:
        return Answer(reasoning, (), Cut.CODE if stopped_early else Cut.NOTHING)
    files = tuple(GeneratedFile(file.path, _undumped(file.text)) for file in files)
    if cut is Cut.CODE and not stopped_early:
        cut = Cut.UNCLOSED
    return Answer(reasoning, files, cut)


def _tagged(text: str, path: str) -> tuple[tuple[GeneratedFile, ...], Cut]:
    """The last ``<kernel_impl>`` block that has code in it."""
    for block in reversed(list(TAGGED.finditer(text))):
        code, whole = _fenced(block["body"], need_fence=False)
        if code.strip():
            return (GeneratedFile(path, code),), Cut.NO if whole or block.group().endswith(TAG_END) else Cut.CODE
    return (), Cut.NOTHING


def _headed(text: str) -> tuple[tuple[GeneratedFile, ...], Cut]:
    """One file a header line; a later block of the same path wins, unless it is cut and the earlier one is not."""
    headers = list(HEADER.finditer(text))
    files: dict[str, tuple[str, bool]] = {}
    for number, header in enumerate(headers):
        end = headers[number + 1].start() if number + 1 < len(headers) else len(text)
        code, whole = _fenced(text[header.end() : end], need_fence=True)
        known = files.get(header["path"])
        if code.strip() and (known is None or whole or not known[1]):
            files[header["path"]] = (code, whole)
    cut = Cut.NO if all(whole for _, whole in files.values()) else Cut.CODE
    return tuple(GeneratedFile(path, code) for path, (code, _) in files.items()), cut


def _bare(text: str, path: str) -> tuple[tuple[GeneratedFile, ...], Cut]:
    """A fence without any frame, if it holds device or host code: the last such one."""
    for block in reversed(list(FENCED.finditer(text))):
        if _LOOKS_LIKE_CODE.search(block["code"]):
            return (GeneratedFile(path, block["code"].rstrip() + "\n"),), Cut.NO if block["end"] else Cut.CODE
    return (), Cut.NOTHING


def _fenced(text: str, *, need_fence: bool) -> tuple[str, bool]:
    """The code of the first fence and whether the fence is closed."""
    block = FENCED.search(text)
    if block is not None:
        return block["code"].rstrip() + "\n", bool(block["end"])
    if need_fence or not _LOOKS_LIKE_CODE.search(text):
        return "", False
    return text.strip() + "\n", False


_DUMPED = re.compile(r"\\([\"\\])")
_PLAIN_QUOTE = re.compile(r'(?<!\\)(?:\\\\)*"')


def _undumped(code: str) -> str:
    """Code all of whose quotes were written as ``\\"``, as in a JSON string, with these escapes undone once."""
    if '\\"' not in code or _PLAIN_QUOTE.search(code):
        return code
    return _DUMPED.sub(r"\1", code)


_ENTRY = re.compile(
    r'(?P<head>extern\s+"C"\s+__global__\s+__aicore__\s+void\s+(?P<name>\w+)\s*\()(?P<parameters>[^)]*)\)', re.DOTALL
)


def with_tiling_parameter(text: str, kernel: str = "") -> str:
    """Put ``GM_ADDR tiling`` back as the last parameter of the entry function, and of nothing else.

    The model is shown entry functions without it. ``kernel`` restricts it to the entry of that name; an entry that has
    a ``tiling`` parameter already is left alone.
    """

    def complete(match: re.Match[str]) -> str:
        parameters = match["parameters"]
        if (kernel and match["name"] != kernel) or re.search(r"\btiling\b", parameters):
            return match.group()
        separator = ", " if parameters.strip() else ""
        return f"{match['head']}{parameters.rstrip()}{separator}GM_ADDR tiling)"

    return _ENTRY.sub(complete, text)


def entry_signature(text: str, kernel: str = "") -> str | None:
    """The entry function's signature with its white space made single, None where there is none."""
    for match in _ENTRY.finditer(text):
        if not kernel or match["name"] == kernel:
            return re.sub(r"\s+", " ", match.group()).strip()
    return None


def with_entry_name(text: str, template: str) -> str:
    """``text`` with its only entry function named like that of ``template``, if they take equally many parameters.

    A renamed entry is the commonest slip of a model and harmless to mend; an entry with other parameters is returned
    as it is: the checker will say what is wrong, changing it blindly would hide it.
    """
    wanted, entries = _ENTRY.search(template), list(_ENTRY.finditer(text))
    if wanted is None or len(entries) != 1 or wanted["name"] == entries[0]["name"]:
        return text
    found = entries[0]
    if len(wanted["parameters"].split(",")) != len(found["parameters"].split(",")):
        return text
    return text[: found.start("name")] + wanted["name"] + text[found.end("name") :]
