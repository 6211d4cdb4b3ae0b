"""Small functions that kernels bring along: copies of any length, conversions that are none for float."""

from __future__ import annotations

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
_BY_NAME = {
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
        if f" {name}(" in text or f"\n{name}(" in text:
            yield helper.strip().split("\n")
