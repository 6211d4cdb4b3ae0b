"""The screen as the user's terminal gets it: Neovim's redraw events laid onto a grid, one frame a flush."""

from __future__ import annotations

from typing import Any

from attrs import define, field


@define
class Grid:
    """A grid of cells; ``frames`` holds the whole screen at each flush since ``forget``."""

    rows: list[list[str]] = field(factory=list)
    frames: list[list[str]] = field(factory=list)

    def forget(self) -> None:
        self.frames.clear()

    def take(self, batches: list[Any]) -> None:
        """One ``redraw`` notification's content."""
        for name, *calls in batches:
            apply = getattr(self, "_" + name, None)
            if apply:
                for arguments in calls:
                    apply(*arguments)

    def _grid_resize(self, _grid: int, width: int, height: int) -> None:
        self.rows = [[" "] * width for _ in range(height)]

    def _grid_clear(self, _grid: int) -> None:
        self.rows = [[" "] * len(row) for row in self.rows]

    def _grid_line(self, _grid: int, row: int, column: int, cells: list[Any], *_wrap: Any) -> None:
        for cell in cells:
            repeat = cell[2] if len(cell) > 2 else 1
            for _ in range(repeat):
                self.rows[row][column] = cell[0]
                column += 1

    def _grid_scroll(self, _grid: int, top: int, bottom: int, left: int, right: int, rows: int, _columns: int) -> None:
        moved = range(top, bottom - rows) if rows > 0 else range(bottom - 1, top - rows - 1, -1)
        for row in moved:
            self.rows[row][left:right] = self.rows[row + rows][left:right]

    def _flush(self) -> None:
        self.frames.append(self.shown())

    def shown(self) -> list[str]:
        """The rows as they are now, right-hand blanks removed."""
        return ["".join(row).rstrip() for row in self.rows]
