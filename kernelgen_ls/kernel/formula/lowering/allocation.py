"""Places for virtual registers: a temporary is used again as soon as nobody reads its value any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, field

from kernelgen_ls.kernel.formula.lowering.graph import Scalar
from kernelgen_ls.kernel.formula.lowering.selection import APART, Instruction, Virtual
from kernelgen_ls.kernel.formula.lowering.steps import Register, Step


@define
class Allocation:
    """Places the registers of ``instructions`` in order.

    ``borrowed`` are tensors' own registers that may hold other values: an input's once nobody reads it any more, an
    output's until its own value is there.
    """

    instructions: Sequence[Instruction]
    borrowed: Sequence[Register]
    kept: frozenset[Virtual]
    """Values that are read after the last instruction."""
    places: dict[Virtual, Register] = field(factory=dict)
    busy: dict[Register, Virtual] = field(factory=dict)
    temporaries: list[Register] = field(factory=list)
    _last: dict[Virtual, int] = field(factory=dict)
    _written: dict[Register, int] = field(factory=dict)

    def steps(self, comments: Mapping[int, str]) -> tuple[Step, ...]:
        """The instructions as steps; ``comments`` are said before the first step of each assignment."""
        for number, one in enumerate(self.instructions):
            self._last.update(dict.fromkeys((arg for arg in (one.dst, *one.args) if isinstance(arg, Virtual)), number))
            if one.dst.fixed is not None:
                self._written[one.dst.fixed] = number
        self._last.update(dict.fromkeys(self.kept, len(self.instructions)))
        computed = {one.dst for one in self.instructions}
        for virtual in self._last:
            if virtual.fixed is not None and virtual not in computed:  # loaded: it is there from the beginning
                self.busy[virtual.fixed] = virtual
        found, said = [], -1
        for number, one in enumerate(self.instructions):
            args = tuple(arg if isinstance(arg, Scalar) else self._source(arg) for arg in one.args)
            dying = [reg for reg, holder in self.busy.items() if self._last[holder] == number]
            if one.op not in APART:
                self._free(dying)
            dst = self._place(one.dst, number)
            self._free([reg for reg in dying if self.busy.get(reg) is not one.dst])
            comment = comments.get(one.origin, "") if one.origin != said else ""
            said = one.origin
            found.append(Step(one.op, dst, args, one.mode, comment))
            if self._last[one.dst] == number:
                self._free([dst])
        return tuple(found)

    def _free(self, registers: Sequence[Register]) -> None:
        for register in registers:
            self.busy.pop(register, None)

    def _source(self, virtual: Virtual) -> Register:
        if virtual not in self.places:  # nobody computes it: a tensor as it is loaded, or scratch memory
            self.places[virtual] = virtual.fixed or self._temporary(virtual, 0)
        return self.places[virtual]

    def _place(self, virtual: Virtual, number: int) -> Register:
        register = virtual.fixed or self._temporary(virtual, number)
        self.places[virtual] = register
        self.busy[register] = virtual
        return register

    def _temporary(self, virtual: Virtual, number: int) -> Register:
        fits = [one for one in (*self._borrowed(virtual, number), *self.temporaries) if one not in self.busy]
        same = [one for one in fits if (one.type, one.is_long) == (virtual.type, virtual.is_long)]
        if same:
            return same[0]
        count = sum(one.type == virtual.type and one.is_long == virtual.is_long for one in self.temporaries)
        fresh = Register(f"%{virtual.type}{'' if virtual.is_long else ' one'}{count}", virtual.type, virtual.is_long)
        self.temporaries.append(fresh)
        return fresh

    def _borrowed(self, virtual: Virtual, number: int) -> list[Register]:
        """The tensors' own registers that may hold a value from here to where it is last read."""
        last = self._last[virtual]
        return [
            one
            for one in self.borrowed
            for own in (self._written.get(one, -1),)
            if own < number or last < own or (last == own and self.instructions[own].op not in APART)
        ]
