"""Small functions that kernels bring along: copies of any length, conversions that are none for float."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_LOAD = """
// Copies any number of elements, which need fill no block.
template <typename T>
__aicore__ inline void Load(const LocalTensor<T> &local, const GlobalTensor<T> &global, uint32_t count)
{
DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
DataCopyPadExtParams<T> padding{false, 0, 0, 0};
DataCopyPad(local, global, copy, padding);
}
"""
_STORE = """
template <typename T>
__aicore__ inline void Store(const GlobalTensor<T> &global, const LocalTensor<T> &local, uint32_t count)
{
DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
DataCopyPad(global, local, copy);
}
"""
_FIRST_OF = """
// A tensor's first element for the scalar unit, which waits until the vector unit has computed it.
template <typename T>
__aicore__ inline T FirstOf(const LocalTensor<T> &local)
{
event_t computed = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
SetFlag<HardEvent::V_S>(computed);
WaitFlag<HardEvent::V_S>(computed);
return local.GetValue(0);
}
"""
_IN_FLOAT = """
// Where a tensor is computed: float in its own place, any other type in a buffer.
template <typename T>
__aicore__ inline LocalTensor<float> InFloat(const LocalTensor<T> &local, TBuf<TPosition::VECCALC> &buffer)
{
if constexpr (std::is_same_v<T, float>) {
return local;
} else {
return buffer.Get<float>();
}
}
"""
_WIDEN = """
template <typename T>
__aicore__ inline void Widen(const LocalTensor<float> &to, const LocalTensor<T> &from, uint32_t count)
{
if constexpr (!std::is_same_v<T, float>) {
Cast(to, from, RoundMode::CAST_NONE, count);
}
}
"""
_NARROW = """
template <typename T>
__aicore__ inline void Narrow(const LocalTensor<T> &to, const LocalTensor<float> &from, uint32_t count)
{
if constexpr (!std::is_same_v<T, float>) {
Cast(to, from, RoundMode::CAST_RINT, count);
}
}
"""
_LENGTH_OF = """
// How many elements a tensor of a list has.
template <typename T>
__aicore__ inline uint32_t LengthOf(const ListTensorDesc &list, uint32_t index)
{
uint64_t shape[8];  // a tensor has at most as many axes
TensorDesc<T> tensor;
tensor.SetShapeAddr(shape);
list.GetDesc(tensor, index);
uint32_t length = 1;
for (uint32_t axis = 0; axis < tensor.GetDim(); axis++) {
length *= tensor.GetShape(axis);
}
return length;
}
"""
_BY_NAME = {
    "LengthOf": _LENGTH_OF,
    "Load": _LOAD,
    "Store": _STORE,
    "FirstOf": _FIRST_OF,
    "InFloat": _IN_FLOAT,
    "Widen": _WIDEN,
    "Narrow": _NARROW,
}


def helpers(lines: Sequence[str]) -> Iterator[list[str]]:
    """The functions that ``lines`` call, each as lines."""
    text = "\n".join(lines)
    for name, helper in _BY_NAME.items():
        if re.search(rf"\b{name}[(<]", text):
            yield helper.strip().split("\n")
