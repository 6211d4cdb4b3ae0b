"""A table of test cases beside an operator: ``test_cases.csv``."""

from __future__ import annotations

import csv
import io

from attrs import frozen

from kernelgen_ls.kernel.dtypes import dtypes_in

SHEET = "test_cases.csv"


@frozen
class CaseTable:
    """Test cases as a table of text."""

    names: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def parse(cls, text: str) -> CaseTable:
        """The cases of a ``test_cases.csv``: separated by ``;``, the first line naming the columns."""
        lines = [row for row in csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=";") if any(row)]
        if not lines:
            return cls()
        width = len(lines[0])
        return cls(tuple(lines[0]), tuple(tuple((row + [""] * width)[:width]) for row in lines[1:]))

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The element types that the rows name, in order, each once."""
        every = [place for place, name in enumerate(self.names) if name.endswith("dtype")]
        columns = [place for place in every if self.names[place] == "dtype"] or every
        return tuple(dict.fromkeys(dtype for row in self.rows for place in columns for dtype in dtypes_in(row[place])))

    def row(self, index: int) -> dict[str, str]:
        """One case by the columns' names."""
        return dict(zip(self.names, self.rows[index], strict=True))
