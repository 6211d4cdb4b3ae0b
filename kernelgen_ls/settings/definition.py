"""Every setting once: its type, default, unit, meaning, and who may set it.

A setting is an attrs field of one of the section classes below; its public name is ``section.camelCase``, in editors
with the prefix ``kernelgen.``. The editors' schemas, their defaults and the settings page are derived from here.

Values come in layers, later ones win: the user's file (``settings.json`` in the user's configuration folder), the
project's file (``.kernelgen.json`` in the project's root), what the editor sends. Only settings marked
``Origin.PROJECT`` may stand in the project's file: a repository must never choose a program, an endpoint, a token, a
model or where data goes. A bad value is reported by name and the default (or the lower layer's value) is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, cast

import attrs
from attrs import frozen

from kernelgen_ls.kernel.chips import DEFAULT_CHIP, chip_named
from kernelgen_ls.kernel.findings import Severity

PREFIX = "kernelgen"
"""What the editors write before every name."""
PROJECT_FILE = ".kernelgen.json"
USER_FILE = "settings.json"


class Origin(str, Enum):
    """Who may set a setting."""

    USER = "user"
    """Only the user's own configuration; refused in a project's file."""
    PROJECT = "project"
    """The project's file too."""


class CompletionTrigger(str, Enum):
    """When ghost text is asked for."""

    AUTOMATIC = "automatic"
    MANUAL = "manual"


class PromptStyle(str, Enum):
    """How the typing model is prompted."""

    AUTO = "auto"
    PREFILL = "prefill"
    FIM = "fim"
    STARTER = "starter"


class PromptProfile(str, Enum):
    """The language and wording of generation prompts."""

    AUTO = "auto"
    CHINESE = "zh"
    ENGLISH = "en"
    STARTER = "starter"


class GenerationWriter(str, Enum):
    """Who writes kernels."""

    BOTH = "both"
    """A rule what it can, the model what it cannot."""
    RULE = "rule"
    MODEL = "model"


class GenerationMode(str, Enum):
    """Which files a generation writes."""

    AUTO = "auto"
    STATIC = "static"
    DYNAMIC = "dynamic"
    FULL = "full"


class TwinOnSave(str, Enum):
    """What the twin does when a file is saved."""

    OFF = "off"
    FINDINGS = "findings"


class Transport(str, Enum):
    """How a runner is reached."""

    LOCAL = "local"
    SSH = "ssh"
    TLS = "tls"


class LogLevel(str, Enum):
    """How much the log says."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    DEBUG = "debug"


class LintSeverity(str, Enum):
    """What a lint counts as; ``off`` silences it."""

    OFF = "off"
    ERROR = Severity.ERROR.value
    WARNING = Severity.WARNING.value
    INFORMATION = Severity.INFORMATION.value
    HINT = Severity.HINT.value


@frozen
class About:
    """What is known of a setting beside its type and default. ``minimum`` and ``maximum`` are inclusive."""

    meaning: str
    origin: Origin = Origin.PROJECT
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    accept: Callable[[str], object] | None = None
    """Raises ValueError, which says what there is, for a text that is no value."""


def _setting(default: Any, meaning: str, **about: Any) -> Any:
    return attrs.field(default=default, metadata={"about": About(meaning, **about)})


@frozen
class RunnerSettings:
    """One runner: a machine that compiles and measures kernels."""

    name: str = _setting("", "The name that the other runner settings use.", origin=Origin.USER)
    transport: Transport = _setting(Transport.LOCAL, "How it is reached.", origin=Origin.USER)
    host: str = _setting("", "SSH destination (as `ssh` takes it) or TLS host name.", origin=Origin.USER)
    port: int = _setting(0, "TCP port; 0 is the transport's own default.", origin=Origin.USER, minimum=0, maximum=65535)
    program: str = _setting("kernelgen-ls", "The program to run at the other end of `ssh`.", origin=Origin.USER)
    authority: str = _setting("", "TLS: file of the certificate authority to trust.", origin=Origin.USER)
    certificate: str = _setting("", "TLS: file of this client's certificate.", origin=Origin.USER)
    key: str = _setting("", "TLS: file of this client's private key.", origin=Origin.USER)
    token_command: tuple[str, ...] = _setting(
        (), "TLS: a command, as a list of arguments, that prints the access token.", origin=Origin.USER
    )
    soc: str = _setting("", "Use it only for this chip; empty: whatever it has.", origin=Origin.USER)


@frozen
class CompletionSettings:
    """Ghost text."""

    enabled: bool = _setting(True, "Propose code while typing.")
    trigger: CompletionTrigger = _setting(
        CompletionTrigger.AUTOMATIC, "`automatic`: while typing; `manual`: only when asked for."
    )
    minimum_delay: int = _setting(
        75, "Shortest pause in typing before the model is asked.", unit="ms", minimum=0, maximum=5000
    )
    maximum_delay: int = _setting(
        1000,
        "Longest pause in typing that is waited for; the pause adapts in between.",
        unit="ms",
        minimum=0,
        maximum=10000,
    )
    budget: int = _setting(
        3000,
        "Time for one proposal; at its end the whole lines there are are shown.",
        unit="ms",
        minimum=50,
        maximum=60000,
    )
    max_tokens: int = _setting(96, "Longest proposal.", unit="tokens", minimum=1, maximum=1024)
    max_lines: int = _setting(12, "Longest proposal.", unit="lines", minimum=1, maximum=200)
    alternatives: int = _setting(3, "Proposals on a manual request.", minimum=1, maximum=8)
    drafting: bool = _setting(True, "Speed decoding up with drafts from text that is already there (never changes it).")
    prefix_lines: int = _setting(
        256, "Lines before the cursor that the model sees.", unit="lines", minimum=8, maximum=4096
    )
    suffix_lines: int = _setting(
        64, "Lines after the cursor that the model sees.", unit="lines", minimum=0, maximum=1024
    )
    items: bool = _setting(
        False, "Also offer the proposal in the ordinary completion list, for editors without inline completion."
    )
    exclude: tuple[str, ...] = _setting((), "File patterns (globs) that get no ghost text and are offered as none.")


@frozen
class ModelSettings:
    """Which language model runs on this machine, and how."""

    path: str = _setting(
        "",
        "GGUF file for typing and generation; empty: the one chosen with `kernelgen-ls model use`.",
        origin=Origin.USER,
    )
    typing_path: str = _setting("", "GGUF file for typing alone; empty: the same model.", origin=Origin.USER)
    generation_path: str = _setting("", "GGUF file for generation alone; empty: the same model.", origin=Origin.USER)
    prompt_style: PromptStyle = _setting(
        PromptStyle.AUTO, "How the typing model is prompted; `auto` reads it from the model.", origin=Origin.USER
    )
    gpu_layers: int = _setting(
        -1, "Layers on the GPU; -1: all of them where this build of llama.cpp can.", origin=Origin.USER, minimum=-1
    )
    threads: int = _setting(
        0, "Threads; 0: one for each physical core.", origin=Origin.USER, unit="threads", minimum=0, maximum=512
    )
    spin_count: int = _setting(
        1000,
        "How long idle threads of the engine spin before they sleep (GOMP_SPINCOUNT). The default decodes fastest on a "
        "quiet machine; 0 suits one whose cores are always taken; -1: the library's own, slow beside a compiler.",
        origin=Origin.USER,
        minimum=-1,
    )
    context: int = _setting(
        0, "Context window; 0: chosen from the model and the memory.", origin=Origin.USER, unit="tokens", minimum=0
    )
    state_cache: int = _setting(
        2048, "Disk space for the evaluated state of documents; 0: none.", origin=Origin.USER, unit="MiB", minimum=0
    )


@frozen
class GenerationSettings:
    """Generate kernel and Fix with KernelGen."""

    enabled: bool = _setting(True, "Offer *Generate kernel* and *Fix with KernelGen*.")
    mode: GenerationMode = _setting(
        GenerationMode.AUTO,
        "Files to write: the kernel alone (`static`, `dynamic`) or host, tiling and kernel (`full`).",
    )
    writer: GenerationWriter = _setting(
        GenerationWriter.BOTH,
        "Who writes kernels: a rule from the formula, at once and without a model, what it can (`both`), or one alone.",
    )
    profile: PromptProfile = _setting(PromptProfile.AUTO, "Prompt profile; `auto` reads it from the model.")
    candidates: int = _setting(
        0,
        "Kernels that the model tries for one request; the first that is right, or compiles where nobody can execute "
        "it, ends it. 0: as many as suit the model (four, eight of the starter).",
        minimum=0,
        maximum=64,
    )
    rounds: int = _setting(
        3, "Repairs tried for each, from errors or from a wrong run.", unit="rounds", minimum=0, maximum=16
    )
    max_tokens: int = _setting(16384, "Longest answer, reasoning included.", unit="tokens", minimum=64, maximum=131072)
    temperature: float = _setting(0.7, "Sampling temperature.", minimum=0.0, maximum=2.0)
    grammar: bool = _setting(True, "Hold the answer to its frame with a grammar.")
    time_limit: int = _setting(1800, "Time for one request.", unit="s", minimum=10, maximum=86400)
    records: bool = _setting(
        False, "Keep each generation and what became of it on this machine (for training).", origin=Origin.USER
    )


def _chip_or_none(name: str) -> object:
    return chip_named(name) if name else None


@frozen
class CheckSettings:
    """Compile diagnostics."""

    enabled: bool = _setting(True, "Check kernels.")
    on_save: bool = _setting(True, "Check when a file is saved.")
    on_idle: bool = _setting(True, "Check after a pause in typing.")
    idle_delay: int = _setting(800, "The pause that starts a check.", unit="ms", minimum=100, maximum=60000)
    chip: str = _setting(
        "",
        "The chip to check for; empty: the one that the operator's folders, definition or build name, "
        f"else {DEFAULT_CHIP.soc}.",
        accept=_chip_or_none,
    )
    host_files: bool = _setting(True, "Check `op_host` files too.")
    lints: Mapping[str, LintSeverity] = _setting(
        {}, "Severity of single lints by code, e.g. `kernel/copy-alignment`; `off` silences one."
    )


@frozen
class RunnersSettings:
    """Machines that compile and measure."""

    pool: tuple[RunnerSettings, ...] = _setting((), "The runners there are, beside `local`.", origin=Origin.USER)
    check: str = _setting(
        "", "Runner whose compiler checks kernels after the embedded checker; empty: none.", origin=Origin.USER
    )
    verify: str = _setting(
        "",
        "Runner that runs kernels on their cases; empty: the one that measures, else the twin here. Generated "
        "kernels are run on this one, else on the twin.",
        origin=Origin.USER,
    )
    measure: str = _setting("", "Runner that measures latency; empty: estimates only.", origin=Origin.USER)
    measure_on_save: bool = _setting(False, "Measure after a save whose check finds no error.", origin=Origin.USER)


@frozen
class TwinSettings:
    """Running kernels on their cases, on this machine or a runner."""

    lens: bool = _setting(True, "*Run on CPU* above an entry function, with the verdict there is.")
    on_save: TwinOnSave = _setting(
        TwinOnSave.OFF,
        "`findings`: after a save whose check finds no error, run the kernel on its cases and show what is wrong.",
        origin=Origin.USER,
    )


@frozen
class ApiSettings:
    """Help on AscendC names. Turn off what another language server beside this one gives already."""

    hover: bool = _setting(True, "Explain AscendC names on hover.")
    completion: bool = _setting(True, "Complete AscendC names.")
    signature_help: bool = _setting(True, "Show parameters of AscendC calls.")
    symbols: bool = _setting(True, "Outline entry functions, classes and stages.")


@frozen
class LatencySettings:
    """How long kernels take."""

    hover: bool = _setting(True, "Latency on hovering an entry function.")
    lens: bool = _setting(True, "Latency and *Measure* above an entry function.")
    history: int = _setting(100, "Measurements kept for one kernel.", origin=Origin.USER, minimum=1, maximum=10000)


@frozen
class LogSettings:
    """The log (standard error; the editor's output panel)."""

    level: LogLevel = _setting(LogLevel.WARNING, "How much is logged.", origin=Origin.USER)


@frozen
class Settings:
    """All settings, read once; sections are immutable values."""

    completion: CompletionSettings = CompletionSettings()
    model: ModelSettings = ModelSettings()
    generation: GenerationSettings = GenerationSettings()
    check: CheckSettings = CheckSettings()
    runners: RunnersSettings = RunnersSettings()
    twin: TwinSettings = TwinSettings()
    api: ApiSettings = ApiSettings()
    latency: LatencySettings = LatencySettings()
    log: LogSettings = LogSettings()


@frozen
class Setting:
    """One setting as the schemas and the documentation show it. ``name`` has no ``kernelgen.`` prefix."""

    name: str
    kind: Any
    default: Any
    about: About


@frozen
class Problem:
    """A value that was not taken: which setting, and why, for the user."""

    name: str
    message: str


def all_settings() -> tuple[Setting, ...]:
    """Every setting in the order of this file."""
    return tuple(
        Setting(f"{section}.{camel(field.name)}", field.type, field.default, field.metadata["about"])
        for section, kind in sections().items()
        for field in attrs.fields(kind)
    )


def sections() -> dict[str, Any]:
    """The section classes by name, their field types resolved."""
    return {
        field.name: attrs.resolve_types(cast(Any, field.type)) for field in attrs.fields(attrs.resolve_types(Settings))
    }


def camel(name: str) -> str:
    """``gpu_layers`` -> ``gpuLayers``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
