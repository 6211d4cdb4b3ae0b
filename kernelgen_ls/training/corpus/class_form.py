"""A kernel as a class with Init, Process and its stages, and the entry function that runs it."""

from __future__ import annotations

from kernelgen_ls.training.corpus.buffers import declarations, init_lines
from kernelgen_ls.training.corpus.entry import entry_head, opened
from kernelgen_ls.training.corpus.naming import NamedKernel
from kernelgen_ls.training.corpus.stages import compute_lines, copy_in_lines, copy_out_lines, fused_lines
from kernelgen_ls.training.corpus.work_split import loop_head


def class_lines(k: NamedKernel) -> list[str]:
    """The class and, after it, the entry function."""
    hand, q = k.hand, k.q
    stages = _stages(k)
    private = [f"\t{line}" if line else "" for stage in stages for line in stage]
    members = [] if hand.pipe_argument else [f"\t{q}TPipe {k.pipe};"]
    members += [f"\t{line}" for line in declarations(k)]
    if hand.sizes != "const":
        members += [f"\t{s.type} {s.ref.removeprefix('this->')};" for s in k.sizes.values()]
    members += [f"\t{hand.integer} {name};" for name in (k.length, k.padded, k.first, k.last) if name]
    public = [f"\t{line}" if line else "" for line in _public(k)]
    lines = ["template <typename T>"] if hand.template else []
    lines += [f"class {k.klass} {{"]
    if hand.members_first:
        lines += ["private:", *members, "", "public:", *public, "", "private:", *private, "};"]
    else:
        lines += ["public:", *public, "", "private:", *private]
        lines += ["", *members, "};"] if private else [*members, "};"]
    lines.append("")
    return lines + _entry(k)


def _public(k: NamedKernel) -> list[str]:
    hand, q = k.hand, k.q
    init, process, *_ = hand.methods
    lines = []
    if hand.constructor:
        lines += [f"__aicore__ inline {k.klass}() {{}}"]
    arguments = [f"GM_ADDR {t.name}" for t in (*k.operator.inputs, k.operator.output)]
    store = []
    if hand.sizes != "const":
        by_struct = hand.sizes == "struct" and hand.language != "en"
        prefix = f"{k.data}." if by_struct else ""
        arguments += [f"const {k.struct} &{k.data}"] if by_struct else [f"{s.type} {s.param}" for s in k.sizes.values()]
        store = [f"{s.ref} = {prefix}{s.param};" for s in k.sizes.values()]
    if hand.pipe_argument:
        arguments.append(f"{q}TPipe *{k.pipe}")
    lines += [*k.say.line("init"), *opened(k, f"__aicore__ inline void {init}({', '.join(arguments)})")]
    lines += [f"\t{line}" for line in [*store, *init_lines(k)]] + ["}"]
    lines += ["", *k.say.line("process"), *opened(k, f"__aicore__ inline void {process}()")]
    head, first = loop_head(k)
    lines += [f"\t{head}", *[f"\t\t{line}" for line in first]]
    if hand.fused:
        lines += [f"\t\t{line}" for line in fused_lines(k)]
    else:
        lines += [f"\t\t{call};" for call in _calls(k)]
    return [*lines, "\t}", "}"]


def _calls(k: NamedKernel) -> list[str]:
    _, _, copy_in, compute, copy_out = k.hand.methods
    if k.kind == "tail":
        return [
            f"{copy_in}({k.offset}, {k.count})",
            f"{compute}({k.count})",
            f"{copy_out}({k.offset}, {k.count})",
        ]
    return [f"{copy_in}({k.index})", f"{compute}()", f"{copy_out}({k.index})"]


def _stages(k: NamedKernel) -> list[list[str]]:
    if k.hand.fused:
        return []
    hand = k.hand
    _, _, copy_in, compute, copy_out = hand.methods
    i = hand.integer
    if k.kind == "tail":
        span = f"{i} {k.offset}, {i} {k.count}"
        signatures = [span, f"{i} {k.count}", span]
    else:
        signatures = [f"{i} {k.index}", "", f"{i} {k.index}"]
    bodies = [copy_in_lines(k), compute_lines(k), copy_out_lines(k)]
    stages = []
    for name, kind, signature, body in zip(
        (copy_in, compute, copy_out), ("copy_in", "compute", "copy_out"), signatures, bodies, strict=True
    ):
        stage = [*k.say.line(kind), *opened(k, f"__aicore__ inline void {name}({signature})")]
        stage += [f"\t{line}" for line in body] + ["}"]
        if kind != "copy_out":
            stage.append("")
        stages.append(stage)
    return stages


def _entry(k: NamedKernel) -> list[str]:
    hand, q = k.hand, k.q
    init, process, *_ = hand.methods
    lines = entry_head(k)
    arguments = [t.name for t in (*k.operator.inputs, k.operator.output)]
    if hand.sizes == "struct":
        lines.append(f"\t{k.struct} {k.data};")
        by_struct = hand.language != "en"
        arguments += [k.data] if by_struct else [f"{k.data}.{s.field}" for s in k.sizes.values()]
    elif hand.sizes == "dynamic":
        lines.append(f"\tGET_TILING_DATA({k.data}, tiling);")
        arguments += [f"{k.data}.{s.field}" for s in k.sizes.values()]
    nested = "\t"
    if hand.sizes == "dynamic" and hand.tiling_key:
        lines.append("\tif (TILING_KEY_IS(1)) {")
        nested = "\t\t"
    if hand.pipe_argument:
        lines.append(f"{nested}{q}TPipe {k.pipe};")
        arguments.append(f"&{k.pipe}")
    type_ = k.operator.inputs[0].dtype
    if hand.uses_dtype_macro and hand.sizes == "dynamic":
        type_ = "DTYPE_" + k.operator.inputs[0].name.upper()
    generic = f"<{type_}>" if hand.template else ""
    lines.append(f"{nested}{k.klass}{generic} {k.op};")
    lines += [f"{nested}{k.op}.{init}({', '.join(arguments)});", f"{nested}{k.op}.{process}();"]
    if nested == "\t\t":
        lines.append("\t}")
    return [*lines, "}"]
