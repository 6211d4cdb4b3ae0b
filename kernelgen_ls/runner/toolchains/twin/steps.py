"""The steps of the flow with the twin: this machine's C++ compiler compiles, a process of the sandbox runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve, field, frozen

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution.arguments import operator_without_tiling, tiling_data
from kernelgen_ls.runner.execution.cases import Case, judge, overflows
from kernelgen_ls.runner.execution.ended import EndedError, known_chip
from kernelgen_ls.runner.execution.flow import Launched, Run, Timed
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome, ToolchainInfo
from kernelgen_ls.runner.toolchains.configurations import kernel_configurations
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.runner.toolchains.twin.build import Builder, Library
from kernelgen_ls.runner.toolchains.twin.choosing import Choice, Choices, UnchosenError
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler, find_compiler
from kernelgen_ls.runner.toolchains.twin.declared import as_declared
from kernelgen_ls.runner.toolchains.twin.host_request import HostTiling, NotTiled
from kernelgen_ls.runner.toolchains.twin.host_tiling import host_tilings
from kernelgen_ls.runner.toolchains.twin.launch import Launch, Ran, run_library
from kernelgen_ls.runner.toolchains.twin.runtime_build import runtime_program
from kernelgen_ls.runner.toolchains.twin.schedules import both_schedules, merged

_MOST_CONFIGURATIONS = 512
"""A case is in one of all that there are, not only in those that differ most."""
LIMITS = "Runs on this machine's processor: no latencies, and rounding where the hardware's is not documented differs."


@frozen
class TwinKernel:
    """A kernel with the configurations that its cases need, compiled as they are needed."""

    tree: SourceTree
    builder: Builder
    program: Path
    choices: Choices
    chosen: Mapping[str, Choice] = field(factory=dict)
    """What each case, by its name, is run as."""
    libraries: Mapping[str, Library] = field(factory=dict)
    operator: OperatorDefinition | None = None
    untiled: Mapping[str, str] = field(factory=dict)
    """Why a case, by its name, has no tiling, or no configuration that is known to be its own."""
    template_arguments: Mapping[str, tuple[int, ...]] = field(factory=dict)
    """What the template tiling key of a case, by its name, was made of."""
    findings: tuple[Finding, ...] = ()
    only_timed: bool = False


class TwinSteps:
    """The steps with the compiler of this machine, which is looked for with the first of them."""

    def __init__(self, config: RunnerConfig) -> None:
        self._config = config

    @property
    def compiler(self) -> Compiler:
        """The compiler. Raises UnavailableError that says what to install."""
        return find_compiler()

    def info(self) -> ToolchainInfo:
        """The compiler's version. Raises UnavailableError."""
        return ToolchainInfo("twin", self.compiler.version, limits=LIMITS)

    def compile(self, run: Run) -> TwinKernel:
        """The kernel's texts laid out for the compiler; what is compiled of them the cases say."""
        request = run.request
        chip = known_chip(request.chip)
        tree = SourceTree.of(run.texts, str(run.folder / "src"))
        builder = Builder(self.compiler, self._config, run.folder, chip, run.cancelled)
        builder.write(tree)
        plan = kernel_configurations(tree, request.entry, chip, _MOST_CONFIGURATIONS)
        operator = plan.host.operator_for(run.kernel.name)
        return TwinKernel(
            tree, builder, runtime_program(self.compiler), Choices.of(plan, run.kernel), operator=operator
        )

    def prepare(self, run: Run, compiled: TwinKernel, cases: tuple[Case, ...]) -> tuple[TwinKernel, tuple[Case, ...]]:
        """The tilings that op_host computes where the cases give none, and the configurations that the cases need."""
        if not run.request.cases.endswith(".py"):
            cases = tuple(as_declared(case, compiled.operator) for case in cases)
        compiled, cases = self._tiled(run, compiled, cases)
        compiled = _chosen(compiled, cases)
        libraries: dict[str, Library] = {}
        for choice in compiled.chosen.values():
            if choice.name not in libraries:
                name = f"kernel-{len(libraries)}"
                built = compiled.builder.build(compiled.tree, run.request.entry, run.kernel, choice, name)
                libraries[choice.name] = built
        (run.folder / "outputs").mkdir(exist_ok=True)
        return evolve(compiled, libraries=libraries), cases

    def launch(self, run: Run, compiled: TwinKernel, case: Case, number: int) -> Launched:
        """One case, in two schedules."""
        if case.name in compiled.untiled:
            return Launched((), (Outcome.NOT_EXECUTED, f"not executed: {compiled.untiled[case.name]}"))
        library = compiled.libraries[compiled.chosen[case.name].name]
        tiling = tiling_data(run.request.files, run.kernel, case)
        chip = compiled.builder.chip
        one = Launch(library, run.kernel, case, tiling, chip, compiled.operator)
        place = _entry_location(run)

        def ran(launch: Launch) -> Ran:
            return self._ran(run, compiled, launch, place)

        def right(outputs: tuple[Path, ...]) -> bool:
            return judge(case, list(outputs)).outcome is Outcome.PASSED

        both = both_schedules(one, ran, right, place)
        apart = both.ran.isolation
        if both.lacks:
            return Launched((), (Outcome.NOT_EXECUTED, f"not executed by the twin: {both.lacks}"), both.findings, apart)
        if both.ran.end != "done":
            said = next((f for f in both.findings if f.severity is Severity.ERROR), None)
            fault = (Outcome.RUNTIME_ERROR, _sentence(said))
            return Launched((), fault, both.findings, apart, printed=both.ran.printed)
        launched = Launched(both.ran.outputs, None, both.findings, apart, both.ran.spent, both.ran.printed)
        return self._saturated(run, compiled, one, place, launched)

    def time(self, run: Run, compiled: TwinKernel, case: Case, number: int) -> Timed:
        """Raises :class:`EndedError`: the twin has no clock."""
        raise EndedError(Outcome.INFRA_ERROR, "the twin measures nothing: name a runner with a device")

    def _tiled(self, run: Run, compiled: TwinKernel, cases: tuple[Case, ...]) -> tuple[TwinKernel, tuple[Case, ...]]:
        """The cases with what op_host gives those without a tiling; what the cases file gives stays."""
        operator = operator_without_tiling(run.request.files, run.kernel, cases)
        if operator is None:
            return compiled, cases
        lacking = tuple(case for case in cases if case.tiling is None)
        chip = compiled.builder.chip
        found = host_tilings(run.texts, operator, lacking, chip, self.compiler, self._config, run.cancelled)
        told = {case.name: tiling for case, tiling in zip(lacking, found, strict=True)}
        untiled = {name: tiling.reason for name, tiling in told.items() if isinstance(tiling, NotTiled)}
        arguments = {name: one.template_arguments for name, one in told.items() if isinstance(one, HostTiling)}
        compiled = evolve(compiled, untiled=untiled, template_arguments=arguments)
        return compiled, tuple(_told(case, told.get(case.name)) for case in cases)

    def _saturated(self, run: Run, compiled: TwinKernel, one: Launch, place: Location, launched: Launched) -> Launched:
        """The same in the device's saturation mode, where something is not finite and nobody says which mode it is."""
        case = one.case
        if case.saturation is not None or not overflows(case, launched.outputs):
            return launched
        other = self._ran(run, compiled, evolve(one, case=evolve(case, saturation=True)), place)
        if other.lacks or other.end != "done":
            return launched
        right, also = (judge(case, list(all_)).outcome is Outcome.PASSED for all_ in (launched.outputs, other.outputs))
        if right == also:
            return launched
        outputs = launched.outputs if right else other.outputs
        return evolve(launched, outputs=outputs, findings=merged(launched.findings, (_one_mode(place, right),)))

    def _ran(self, run: Run, compiled: TwinKernel, one: Launch, place: Location) -> Ran:
        target = run.folder / "outputs"
        return run_library(one, compiled.program, run.texts, place, target, self._config, run.cancelled)


def _chosen(compiled: TwinKernel, cases: tuple[Case, ...]) -> TwinKernel:
    """The kernel with what each case that has a tiling is run as, or why it is not."""
    chosen, untiled = dict[str, Choice](), dict(compiled.untiled)
    for case in cases:
        if case.name in untiled:
            continue
        try:
            chosen[case.name] = compiled.choices.for_case(case, compiled.template_arguments.get(case.name, ()))
        except UnchosenError as problem:
            untiled[case.name] = str(problem)
    return evolve(compiled, chosen=chosen, untiled=untiled)


def _told(case: Case, tiling: HostTiling | NotTiled | None) -> Case:
    """The case as op_host says that it is launched."""
    if not isinstance(tiling, HostTiling):
        return case
    return evolve(
        case,
        tiling={"hex": tiling.tiling.hex()},
        tiling_key=case.tiling_key if case.tiling_key is not None else tiling.key,
        block_dim=tiling.blocks,
        workspace=max(case.workspace, sum(tiling.workspaces)),
    )


def _sentence(finding: Finding | None) -> str:
    if finding is None:
        return "the run was ended"
    return f"{finding.location.path}:{finding.location.range.start.line + 1}: {finding.message}"


def _one_mode(place: Location, infinite: bool) -> Finding:
    which = "with infinities and not in the device's saturation mode" if infinite else "in saturation mode only"
    message = (
        f"halfs overflow here: the outputs are right {which}; SATURATION in the cases file says which one is meant"
    )
    return Finding(place, Severity.INFORMATION, message, FoundBy.TWIN, "twin/saturation")


def _entry_location(run: Run) -> Location:
    source = Source.parse(run.texts[run.request.entry])
    span = next((f.name_span for f in source.structure.entries if f.name == run.kernel.name), None)
    where = source.range(span) if span is not None else Range(Position(0, 0), Position(0, 0))
    return Location(run.request.entry, where)
