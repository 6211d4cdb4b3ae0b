"""What writes an operator's kernel by rule: its specification as it is understood, in the files of a task."""

from __future__ import annotations

from collections.abc import Sequence

from kernelgen_ls.kernel.formula import Formula
from kernelgen_ls.kernel.spec.understood import understood
from kernelgen_ls.kernel.writer import NotWritten, write
from kernelgen_ls.model.generation.candidate import Writer
from kernelgen_ls.model.generation.sources import OperatorSources
from kernelgen_ls.model.prompts.task import GeneratedFile, GenerationTask
from kernelgen_ls.settings import GenerationMode


def rule_writer(sources: OperatorSources, task: GenerationTask) -> Writer:
    """What writes the kernel that ``task`` asks for; for any shape it brings its own op_host and tiling header."""

    def written() -> Sequence[GeneratedFile] | str:
        spec, project = sources.specification, sources.project
        formula = understood(spec)
        found = write(
            spec,
            task.chip,
            static=task.mode is GenerationMode.STATIC,
            kernel=project.kernel,
            host=project.host,
            formula=formula if isinstance(formula, Formula) else None,
        )
        if isinstance(found, NotWritten):
            return found.reason
        texts = {
            f"op_host/{task.kernel}_tiling.h": found.tiling,
            f"op_host/{task.kernel}.cpp": found.host,
            task.kernel_path: found.kernel,
        }
        return tuple(GeneratedFile(path, text) for path, text in texts.items() if text)

    return written
