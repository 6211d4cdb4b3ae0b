"""The files a generation starts from where the project has none yet: empty entry function, OpDef, tiling structure."""

from __future__ import annotations

from kernelgen_ls.kernel.dtypes import FLOAT32, find_dtype
from kernelgen_ls.kernel.spec.specification import Specification, SpecTensor

_ATTRIBUTE_TYPES = {
    "int": "Int",
    "float": "Float",
    "bool": "Bool",
    "string": "String",
    "list of int": "ListInt",
    "list of float": "ListFloat",
    "list of bool": "ListBool",
}
_REQUIREMENTS = {"required": "REQUIRED", "optional": "OPTIONAL", "dynamic": "DYNAMIC"}


def kernel_template(specification: Specification, entry: str = "", *, tiling: bool = False) -> str:
    """A kernel file with an empty entry function.

    ``entry`` is the signature that the project has already; otherwise every tensor and a workspace are parameters, and
    with ``tiling`` the tiling data's address.
    """
    if not entry:
        names = [tensor.name for tensor in specification.inputs + specification.outputs] + ["workspace"]
        parameters = ", ".join(f"GM_ADDR {name}" for name in [*names, *(["tiling"] if tiling else [])])
        entry = f'extern "C" __global__ __aicore__ void {specification.kernel_name}({parameters})'
    return f'#include "kernel_operator.h"\n\nusing namespace AscendC;\n\n{entry}\n{{\n}}\n'


def tiling_template(specification: Specification) -> str:
    """A tiling header with an empty structure, registered for the operator."""
    name = specification.name
    return (
        '#include "register/tilingdata_base.h"\n\nnamespace optiling {\n'
        f"BEGIN_TILING_DATA_DEF({name}TilingData)\nEND_TILING_DATA_DEF;\n\n"
        f"REGISTER_TILING_DATA_CLASS({name}, {name}TilingData)\n}}\n"
    )


def host_template(specification: Specification, config_name: str) -> str:
    """A host file: an empty tiling function and the operator's definition for the chip family ``config_name``."""
    name = specification.name
    tensors = specification.inputs + specification.outputs
    columns = max((len(specification.tensor_dtypes(t)) for t in tensors), default=1) or 1
    lines = [
        f'#include "{specification.kernel_name}_tiling.h"',
        '#include "register/op_def_registry.h"',
        '#include "tiling/platform/platform_ascendc.h"',
        "",
        "namespace optiling {",
        "static ge::graphStatus TilingFunc(gert::TilingContext *context)",
        "{",
        "    return ge::GRAPH_SUCCESS;",
        "}",
        "}",
        "",
        "namespace ops {",
        f"class {name} : public OpDef {{",
        "public:",
        f"    explicit {name}(const char *name) : OpDef(name)",
        "    {",
        *(line for t in specification.inputs for line in _operand("Input", specification, t, columns)),
        *(line for t in specification.outputs for line in _operand("Output", specification, t, columns)),
        *(f"        {_attribute(a.name, a.type, a.default)}" for a in specification.attributes),
        "        this->AICore().SetTiling(optiling::TilingFunc);",
        f'        this->AICore().AddConfig("{config_name}");',
        "    }",
        "};",
        "",
        f"OP_ADD({name});",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _operand(kind: str, specification: Specification, tensor: SpecTensor, columns: int) -> list[str]:
    # A tensor of which nothing is said is in the type of the first one.
    first = (*specification.inputs, *specification.outputs)[0]
    types = specification.tensor_dtypes(tensor) or specification.tensor_dtypes(first)
    named = [find_dtype(name) or FLOAT32 for name in types] or [FLOAT32]
    known = [f"ge::{dtype.graph}" for dtype in named]
    dtypes = ", ".join(known + known[-1:] * (columns - len(known)))
    formats = ", ".join(["ge::FORMAT_ND"] * max(columns, len(known)))
    return [
        f'        this->{kind}("{tensor.name}")',
        f"            .ParamType({_REQUIREMENTS.get(tensor.requirement, 'REQUIRED')})",
        f"            .DataType({{{dtypes}}})",
        f"            .Format({{{formats}}});",
    ]


def _attribute(name: str, kind: str, default: str | None) -> str:
    method = _ATTRIBUTE_TYPES.get(kind, "Float")
    if default is None:
        return f'this->Attr("{name}").{method}();'
    value = default.strip()
    if kind == "string":
        plain = value.strip("\"'")
        value = f'"{plain}"'
    elif kind == "bool":
        value = value.lower()
    elif kind.startswith("list"):
        value = f"{{{value.strip('[](){} ').lower()}}}"
    return f'this->Attr("{name}").AttrType(OPTIONAL).{method}({value});'
