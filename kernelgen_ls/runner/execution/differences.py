"""How wrong values lie in an output: which elements, and in what way they differ from the golden ones.

What is said holds for every wrong element and for no right one; where no rule fits, the span is given and no more.
The parts of blocks are what each of them wrote, where that is known; else those of an output split evenly: a guess, and
worded as one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernelgen_ls.kernel.chips import BLOCK_BYTES
from kernelgen_ls.runner.execution.writers import NOBODY, Writers

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[Any]

_NEARLY_ALL = 0.95
"""So large a share is wrong everywhere, and the rest right by chance."""
_FEW = 4
"""So many rows or columns are named one by one."""


@frozen
class Differing:
    """An output beside its golden one, elements in a row: ``wrong`` marks those that are not within the tolerance.

    ``untouched`` marks those that still are what the output's memory held before the launch; ``size`` is an element's,
    in bytes; ``relative`` how far apart two values may be that count as the same (a share); ``writers`` who wrote the
    elements, where that is known.
    """

    shape: tuple[int, ...]
    wrong: Flags
    got: Numbers
    expected: Numbers
    untouched: Flags
    size: int
    relative: float
    writers: Writers | None = None


def spread(one: Differing, blocks: int = 1) -> str:
    """Where the wrong elements are and how they are wrong, in words: ``only the last 3 elements; each is 0``."""
    return _scaled(one) or "; ".join(part for part in (_where(one, blocks), _how(one)) if part)


def _scaled(one: Differing) -> str:
    """One factor for the whole output, the elements that are right by chance (zeros) among them."""
    import numpy as np

    got, expected = one.got.astype(np.float64), one.expected.astype(np.float64)
    bad = expected[one.wrong]
    if len(bad) < 2 or not (np.isfinite(got).all() and np.isfinite(expected).all()):
        return ""
    if (bad == 0).any() or (bad == bad[0]).all():
        return ""
    factor = float(np.median(got[one.wrong] / bad))
    if factor == 0 or (np.abs(got - factor * expected) > one.relative * np.maximum(1, np.abs(got))).any():
        return ""
    return "every value has the wrong sign" if factor == -1 else f"every value is {factor:.4g} times what is right"


def _where(one: Differing, blocks: int) -> str:
    import numpy as np

    total, at = one.wrong.size, np.flatnonzero(one.wrong)
    if at.size == total > 1:
        return "every element"
    first, last = int(at[0]), int(at[-1])
    whole = last - first + 1 == at.size
    if whole and last == total - 1 and at.size * one.size < BLOCK_BYTES and first * one.size % BLOCK_BYTES == 0:
        return f"only {_last(at.size)}, which do not fill {BLOCK_BYTES} bytes: the tail"
    if at.size == 1:
        return ""  # its index says it
    shared = _in_parts(one) or _in_rows(one) or _in_shares(one, blocks)
    return shared or _in_line(first, last, at.size, total) or _stride(at, total)


def _in_rows(one: Differing) -> str:
    """Wrong in whole rows, or in the same columns of every row (a row is the last dimension)."""
    if len(one.shape) < 2 or one.shape[-1] < 2 or one.wrong.size == one.shape[-1]:
        return ""
    length = one.shape[-1]
    rows = one.wrong.reshape(-1, length)
    columns, touched = _any(rows, 0), _any(rows, 1)
    if all(rows[row].all() for row in touched):
        if touched[-1] == len(rows) - 1 and len(touched) > 1 and touched[-1] - touched[0] + 1 == len(touched):
            return f"every row from row {touched[0]} on"
        return f"only {_named('row', touched)}" if len(touched) <= _FEW else f"{len(touched)} of {len(rows)} whole rows"
    if not all(rows[row][columns].all() for row in touched) or len(columns) == length:
        return ""
    of = "in every row" if len(touched) == len(rows) else f"in {len(touched)} of {len(rows)} rows"
    if columns[-1] == length - 1 and columns[-1] - columns[0] + 1 == len(columns):
        return f"only {_last(len(columns))} {of}: the tails"
    return f"only {_named('column', columns)} {of}" if len(columns) <= _FEW else ""


def _in_parts(one: Differing) -> str:
    """Wrong in what one core wrote, or from one element on in what each of them did."""
    import numpy as np

    if one.writers is None or len(one.writers.names) < 2:
        return ""
    names, of = one.writers.names, one.writers.of
    touched = [int(number) for number in np.unique(of[one.wrong])]
    if touched[0] == NOBODY:
        return ""
    parts = {number: one.wrong[of == number] for number in touched}
    if len(parts) == 1:
        ((number, part),) = parts.items()
        from_ = f", from its element {_true(part)[0]} on" if _suffix(part) and not part.all() else ""
        return f"{names[number]}'s part only{from_}" if part.all() or from_ else f"only in {names[number]}'s part"
    starts = {_true(part)[0] for part in parts.values()}
    if len(parts) == len(names) and len(starts) == 1 and starts != {0} and all(map(_suffix, parts.values())):
        return f"every {names[0].rpartition(' ')[0]}'s part from its element {starts.pop()} on"
    return ""


def _in_shares(one: Differing, blocks: int) -> str:
    """Wrong in one block's share, or in every block's from one element on, where nobody knows who wrote it."""
    total = one.wrong.size
    if one.writers is not None and (one.writers.of[one.wrong] != NOBODY).any():
        return ""
    if blocks < 2 or total % blocks or total // blocks < 2:
        return ""
    shares = one.wrong.reshape(blocks, -1)
    touched = _any(shares, 1)
    said = f"where {blocks} blocks share the output evenly"
    if len(touched) == 1:
        share = shares[touched[0]]
        how = "all of it" if share.all() else f"from its element {_true(share)[0]} on" if _suffix(share) else ""
        return f"only the part of block {touched[0]} ({', '.join(part for part in (how, said) if part)})"
    starts = {_true(share)[0] for share in shares if share.any()}
    if len(touched) == blocks and len(starts) == 1 and all(_suffix(share) for share in shares):
        return f"every block's part from its element {starts.pop()} on ({said})"
    return ""


def _in_line(first: int, last: int, count: int, total: int) -> str:
    """One run of elements."""
    if last - first + 1 != count:
        return ""
    if last == total - 1:
        return f"every element from element {first} on"
    return f"only the first {count} elements" if first == 0 else f"only elements {first} to {last}"


def _stride(at: npt.NDArray[np.intp], total: int) -> str:
    """Every n-th element, else the span they lie in."""
    if at.size > _NEARLY_ALL * total:
        return "nearly every element"
    step = math.gcd(*(int(value) for value in at - at[0]))
    first = int(at[0])
    if step > 1 and first < step and at.size == len(range(first, total, step)):
        return (
            f"every {step}th element, from element {first} on" if step > 2 else f"every second element, from {first} on"
        )
    return f"scattered between elements {first} and {int(at[-1])}"


def _how(one: Differing) -> str:
    """What the wrong elements have in common."""
    import numpy as np

    if one.untouched[one.wrong].all():
        # What comes from memory without a value looks the same, and so does an integer that is computed so.
        if np.issubdtype(one.got.dtype, np.floating):
            return "never written, or with what was never given a value"
        return f"each is {one.got[one.wrong][0]}, as before the launch: never written, or computed so"
    if one.wrong.sum() == 1:
        return ""
    if not np.issubdtype(one.got.dtype, np.floating):
        got, expected = one.got[one.wrong].astype(object), one.expected[one.wrong].astype(object)
        return _common(got, expected, exact=True, relative=0.0)
    got, expected = one.got[one.wrong], one.expected[one.wrong]
    if np.isnan(got).all():
        return "each is nan"
    if not (np.isfinite(got).all() and np.isfinite(expected).all()):
        return ""
    return _common(got, expected, exact=False, relative=one.relative)


def _common(got: Numbers, expected: Numbers, *, exact: bool, relative: float) -> str:
    import numpy as np

    def same(values: Numbers, scale: Numbers | None = None) -> bool:
        if exact:
            return bool((values == values[0]).all())
        middle = np.median(values)
        allowed = relative * (abs(middle) if scale is None else np.maximum(np.abs(scale), abs(middle)))
        return bool((np.abs(values - middle) <= allowed).all())

    if (got == got[0]).all():
        return f"each is {got[0]:g}"
    if (expected == expected[0]).all():
        return ""  # one right value for all: any of the rules below would fit or none
    if not exact and (expected != 0).all() and same(got / expected):
        factor = float(np.median(got / expected))
        return "each has the wrong sign" if abs(factor + 1) <= relative else f"each is {factor:.4g} times what is right"
    offset = got - expected
    if same(offset, expected):
        by = offset[0] if exact else float(np.median(offset))
        return f"each is {abs(by):.4g} too {'large' if by > 0 else 'small'}"
    return ""


def in_common(kinds: Mapping[str, Sequence[tuple[str, bool]]]) -> str:
    """What wrong cases have in common that no right one has: "" where nothing does.

    ``kinds`` gives, by the word that goes before it, a property of every case ("" where it has none) and whether the
    case is wrong: ``{"in": [("float16", True), ("float32", False)]}``.
    """
    for word, cases in kinds.items():
        wrong = {value for value, is_wrong in cases if is_wrong}
        right = {value for value, is_wrong in cases if not is_wrong}
        if wrong and right and "" not in wrong and not wrong & right:
            return f"wrong in every case {word} {' or '.join(sorted(wrong))} and in no other"
    return ""


def _true(flags: Flags) -> list[int]:
    return [int(place) for place in flags.nonzero()[0]]


def _any(rows: Flags, axis: int) -> list[int]:
    return [int(place) for place in rows.any(axis=axis, keepdims=True).reshape(-1).nonzero()[0]]


def _suffix(flags: Flags) -> bool:
    places = _true(flags)
    return bool(places) and places[-1] == flags.size - 1 and places[-1] - places[0] + 1 == len(places)


def _last(count: int) -> str:
    return "the last element" if count == 1 else f"the last {count} elements"


def _named(what: str, numbers: list[int]) -> str:
    return f"{what}{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
