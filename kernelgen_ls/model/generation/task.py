"""From a specification to a task: what is missing is asked for, the rest is put into the words of the prompts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from kernelgen_ls.kernel.cases.sheet import CaseTable
from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.spec.specification import HOW_TO_SAY, Specification, SpecTensor
from kernelgen_ls.kernel.writer.templates import host_template, kernel_template, tiling_template
from kernelgen_ls.model.generation.answer import entry_signature
from kernelgen_ls.model.prompts.task import GenerationTask, TaskTensor, case_series, case_table
from kernelgen_ls.settings import GenerationMode

_DESCRIPTION = re.compile(r"^## +(?:功能描述|Functional Description)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_DTYPES = re.compile(r"^## +(?:支持的数据类型|Supported Data Types)", re.MULTILINE | re.IGNORECASE)


class IncompleteSpecificationError(ValueError):
    """A kernel cannot be asked for yet; the message says what is missing and how to say it."""

    def __init__(self, operator: str, missing: Sequence[str], problems: Sequence[str] = ()) -> None:
        self.missing = tuple(missing)
        ways = "; ".join(f"{name}: {HOW_TO_SAY[name]}" for name in missing)
        lacks = f"The specification of {operator or 'this operator'} lacks {', '.join(missing)} ({ways})."
        super().__init__(" ".join((lacks, *(f"{problem}." for problem in problems))))


@frozen
class ProjectFiles:
    """What the project has already that a generation should fit: texts, empty where there is none."""

    api_desc: str = ""
    kernel: str = ""
    kernel_path: str = ""
    tiling: str = ""
    host: str = ""
    cases: CaseTable = field(factory=CaseTable)
    in_project: bool = False
    """The operator has an ``op_host``: its entry function takes tiling data."""


def choose_mode(specification: Specification, wanted: GenerationMode) -> GenerationMode:
    """The mode that ``auto`` means: ``static`` where every input has a fixed shape, ``dynamic`` otherwise."""
    if wanted is not GenerationMode.AUTO:
        return wanted
    fixed = all(tensor.fixed_shape is not None for tensor in specification.inputs)
    return GenerationMode.STATIC if fixed and specification.inputs else GenerationMode.DYNAMIC


def task_for(
    specification: Specification,
    chip: Chip,
    *,
    mode: GenerationMode = GenerationMode.AUTO,
    project: ProjectFiles | None = None,
    case: int = 0,
) -> GenerationTask:
    """The task of writing an operator; ``case`` chooses the test case of a static one.

    Raises :class:`IncompleteSpecificationError` when no source says the name, what is computed, the tensors, their
    element types, or, for a static kernel without test cases, the shapes.
    """
    project = project or ProjectFiles()
    mode = choose_mode(specification, mode)
    missing = _missing(specification, mode, project)
    if missing:
        raise IncompleteSpecificationError(specification.name, missing, specification.problems)
    entry = entry_signature(project.kernel, specification.kernel_name) or entry_signature(project.kernel) or ""
    full = mode is GenerationMode.FULL
    return GenerationTask(
        operator=specification.name,
        kernel=specification.kernel_name,
        mode=mode,
        api_desc=_api_desc(specification, mode, project.api_desc),
        cases=_cases(specification, mode, project.cases, case),
        chip=chip,
        kernel_template=kernel_template(specification, entry, tiling=full or project.in_project),
        host_template=(project.host or host_template(specification, chip.config_name)) if full else "",
        tiling_template=(project.tiling or tiling_template(specification)) if full else "",
        formula=specification.formula,
        inputs=tuple(_tensor(specification, tensor, mode) for tensor in specification.inputs),
        outputs=tuple(_tensor(specification, tensor, mode) for tensor in specification.outputs),
        attributes=tuple((a.name, a.default) for a in specification.attributes if a.default is not None),
        kernel_file=project.kernel_path,
    )


def _missing(specification: Specification, mode: GenerationMode, project: ProjectFiles) -> list[str]:
    optional = set()
    if specification.description or project.api_desc:
        optional.add("formula")
    if mode is not GenerationMode.STATIC or project.cases.rows:
        optional.add("shapes")
    return [name for name in specification.missing if name not in optional]


def _tensor(specification: Specification, tensor: SpecTensor, mode: GenerationMode) -> TaskTensor:
    dtypes = specification.tensor_dtypes(tensor)
    shape = tensor.fixed_shape if mode is GenerationMode.STATIC else None
    most_axes = max((len(other.shape) for other in specification.inputs if other.shape is not None), default=0)
    vector = tensor.shape is not None and len(tensor.shape) == 1 < most_axes
    return TaskTensor(tensor.name, dtypes[0] if dtypes else "", shape or (), vector, dtypes)


def _dtypes(specification: Specification) -> tuple[str, ...]:
    tensors = specification.inputs + specification.outputs
    found = [dtype for tensor in tensors for dtype in specification.tensor_dtypes(tensor)]
    return tuple(dict.fromkeys(found))


def _api_desc(specification: Specification, mode: GenerationMode, written: str) -> str:
    text = written.strip() or describe(specification)
    place = _DESCRIPTION.search(text)
    if mode is GenerationMode.STATIC and place is not None and not _DTYPES.search(text):
        listed = "\n".join(f"- torch.{dtype}" for dtype in _dtypes(specification))
        text = f"{text[: place.start()]}## 支持的数据类型\n\n{listed}\n\n{text[place.start() :]}"
    return text


def describe(specification: Specification) -> str:
    """An ``api_desc.md`` for a specification that was written elsewhere."""
    arguments = [tensor.name for tensor in specification.inputs]
    arguments += [f"{a.name}={a.default}" if a.default is not None else a.name for a in specification.attributes]
    parts = [
        f"# {specification.name}",
        "## 支持的数据类型",
        "\n".join(f"- torch.{dtype}" for dtype in _dtypes(specification)),
        "## 功能描述",
        specification.description,
        f"计算公式：\n\n$$\n{specification.formula}\n$$" if specification.formula else "",
        "## 接口定义",
        f"```python\ndef {specification.kernel_name}({', '.join(arguments)}):\n    ...\n```",
        "### 输入",
        "\n".join(_tensor_line(specification, tensor) for tensor in specification.inputs),
        "### 输出",
        "\n".join(_tensor_line(specification, tensor) for tensor in specification.outputs),
    ]
    if specification.attributes:
        parts += ["### 属性", "\n".join(_attribute_line(specification, a.name) for a in specification.attributes)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _tensor_line(specification: Specification, tensor: SpecTensor) -> str:
    facts = [", ".join(specification.tensor_dtypes(tensor))]
    if tensor.shape is not None:
        facts.append(f"形状 [{', '.join(tensor.shape)}]")
    facts.append(tensor.description)
    return f"- `{tensor.name}`: " + "，".join(fact for fact in facts if fact)


def _attribute_line(specification: Specification, name: str) -> str:
    attribute = next(a for a in specification.attributes if a.name == name)
    default = f"默认值 {attribute.default}" if attribute.default is not None else ""
    return f"- `{name}`: " + "，".join(fact for fact in (attribute.type, default, attribute.description) if fact)


def _cases(specification: Specification, mode: GenerationMode, table: CaseTable, case: int) -> str:
    if not table.rows:
        table = _own_case(specification)
    if mode is GenerationMode.STATIC:
        return case_series(table.row(min(case, len(table.rows) - 1)))
    return case_table(table.names, table.rows)


def _own_case(specification: Specification) -> CaseTable:
    """The one case that the specification itself describes."""
    row: dict[str, str] = {"case_id": "0"}
    for tensor in specification.inputs:
        row[f"{tensor.name}_shape"] = f"[{', '.join(tensor.shape)}]" if tensor.shape is not None else "ND"
    row["dtype"] = _dtypes(specification)[0]
    row.update(_defaults(specification))
    return CaseTable(tuple(row), (tuple(row.values()),))


def _defaults(specification: Specification) -> Mapping[str, str]:
    return {a.name: a.default for a in specification.attributes if a.default is not None}
