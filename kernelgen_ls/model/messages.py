"""What travels between the model engine (in the server) and the model worker (the process that owns llama.cpp).

Text is Python ``str``; tokens are ids of the loaded model's vocabulary; times are milliseconds; sizes are bytes.
A prompt is a sequence of segments, because special tokens may only come from this project's own text: a user's file
that spells ``<|im_end|>`` must reach the model as characters.
"""

from __future__ import annotations

from enum import Enum

from attrs import field, frozen

MOST_TEMPLATE_CHARS = 128 * 1024
"""Length of a template that is run; the longest of published models have a tenth of it."""


@frozen
class Segment:
    """A piece of a prompt; ``special`` says whether special tokens are recognised in it (our own text only)."""

    text: str
    special: bool = False


class Role(str, Enum):
    """Who speaks in a turn; the values are what chat templates and servers call them."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@frozen
class Turn:
    """What one side says: pieces of text, the stable ones first, so that their evaluated state is of use to others."""

    role: Role
    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.pieces)


@frozen
class Conversation:
    """A prompt as turns, before any model's way to write them down.

    A last turn of the assistant is an answer begun: the model goes on with it. ``thinking`` asks for a reasoning before
    the answer; one that is begun has none. ``shared`` counts the leading pieces that other prompts begin with too.
    """

    turns: tuple[Turn, ...]
    thinking: bool = False
    shared: int = 0


@frozen
class Sampling:
    """How the next token is drawn. ``temperature`` 0 is greedy, and exact under speculative drafting."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0


class StopReason(str, Enum):
    """Why a text ended."""

    END = "end"
    """The model ended it (end of generation token)."""
    RULE = "rule"
    """A stopping rule of the request: brackets, empty line, dedent, a repeat of what follows."""
    LENGTH = "length"
    """``max_tokens`` reached."""
    BUDGET = "budget"
    """``budget_ms`` reached; whole lines only."""
    CONTEXT = "context"
    """The context window is full."""


@frozen
class StopRules:
    """When an inline completion ends (see ``model.completion.stopping``).

    ``following`` is the text after the cursor (a bounded piece): producing its first non-empty line ends the text.
    ``multiline`` False ends at the first line break. ``indent`` is the indentation (columns) of the cursor's line: a
    line indented less ends a block. ``stop_texts`` end it literally and are not part of the result.
    """

    multiline: bool = True
    indent: int = 0
    following: str = ""
    line_prefix: str = ""
    stop_texts: tuple[str, ...] = field(default=())
    max_lines: int = 24


@frozen
class CompleteRequest:
    """One inline completion.

    ``sequence`` names the evaluated prompt that is reused (one a view of a document). The last segment that is not
    ``special`` ends at the cursor (a FIM prompt has its middle token behind it); with ``heal`` its last token(s) are
    backed up and the answer constrained to start with their characters (token healing), and the result does not
    repeat them. ``alternatives`` > 1 samples further ones after the greedy
    one. ``draft`` turns n-gram drafting on, from the prompt and from the texts that the engine was told of (see
    ``DraftText``). ``conversation`` is the prompt as turns where it is made of turns, for an engine that writes them
    itself; others never see it.
    """

    sequence: str
    prompt: tuple[Segment, ...]
    stop: StopRules = StopRules()
    max_tokens: int = 96
    budget_ms: int = 0
    heal: bool = True
    alternatives: int = 1
    sampling: Sampling = Sampling()
    draft: bool = True
    conversation: Conversation | None = None


@frozen
class Timings:
    """What a request cost. ``reused`` prompt tokens came from the KV cache, ``evaluated`` ones were computed."""

    evaluated: int = 0
    reused: int = 0
    generated: int = 0
    drafted: int = 0
    accepted: int = 0
    queue_ms: float = 0.0
    first_ms: float = 0.0
    total_ms: float = 0.0
    decode_ms: float = 0.0
    """Time from the first token that was generated to the last."""
    prompt: int = 0
    """Tokens of the prompt that were computed; ``evaluated`` counts those of the answer and its drafts too."""
    healed: int = 0
    """Prompt tokens backed up by token healing: their text came from the model again."""


@frozen
class Candidate:
    """One text the model produced, without special tokens; ``logprob`` is the mean natural logarithm per token."""

    text: str
    stop: StopReason
    tokens: int
    logprob: float = 0.0


@frozen
class CompleteResult:
    """The answer to ``CompleteRequest``: the greedy candidate first."""

    candidates: tuple[Candidate, ...]
    timings: Timings


@frozen
class WarmRequest:
    """Evaluate a prompt's start into a sequence, at the lowest priority: the next request is short then."""

    sequence: str
    prompt: tuple[Segment, ...]


@frozen
class GenerateRequest:
    """A whole answer, streamed as progress ``{"text": str, "tokens": int}``.

    ``shared`` counts leading segments that many requests have in common: their state is kept (memory and disk) and
    evaluated once. ``grammar`` is GBNF; it applies after ``grammar_after`` has been produced (``</think>``), from the
    start when that is empty. For ``conversation`` see ``CompleteRequest``.
    """

    prompt: tuple[Segment, ...]
    max_tokens: int = 16384
    sampling: Sampling = Sampling(temperature=0.7, top_p=0.9)
    stop_texts: tuple[str, ...] = field(default=())
    grammar: str = ""
    grammar_after: str = ""
    shared: int = 0
    conversation: Conversation | None = None


@frozen
class GenerateResult:
    """The whole text of a generation."""

    text: str
    stop: StopReason
    timings: Timings


@frozen
class FimTokens:
    """The texts of a vocabulary's fill-in-the-middle tokens; empty where it has none."""

    prefix: str = ""
    suffix: str = ""
    middle: str = ""


@frozen
class ModelInfo:
    """What a worker loaded."""

    path: str
    name: str
    architecture: str
    parameters: int
    bytes: int
    context: int
    """Context length in use, tokens."""
    trained_context: int
    vocabulary: int
    fim: bool
    """The tokenizer has FIM tokens."""
    chat_template: str
    """Jinja text; empty where the model has none."""
    gpu_layers: int
    threads: int
    starter: bool = False
    quantisation: str = ""
    """The tensor type most of the weights are in, e.g. ``Q4_K``."""
    fim_tokens: FimTokens = FimTokens()
    begin_text: str = ""
    """The spelling of the token that begins a text (BOS), for the chat template; empty where there is none."""
    end_text: str = ""
    """That of the one that ends it (EOS)."""
    chat_problem: str = ""
    """Why the chat template cannot be used, in a line for the user; empty where it can, and where there is none."""


@frozen
class Speed:
    """Measured on this machine with this model, tokens per second; 0 while unknown."""

    prefill: float = 0.0
    decode: float = 0.0


class EngineState(str, Enum):
    """Where a model's worker stands; shown in the editors' status."""

    OFF = "off"
    """No engine or no model: ``detail`` says what is missing and what to do."""
    LOADING = "loading"
    READY = "ready"
    BUSY = "busy"
    SLOW = "slow"
    """Ready, but measured too slow to type with."""
    FAILED = "failed"
    """The worker died or refused the model; the next request tries again."""


@frozen
class EngineStatus:
    """What the status bar shows. ``progress`` is the fraction loaded, 0 to 1."""

    state: EngineState
    detail: str = ""
    model: ModelInfo | None = None
    speed: Speed = Speed()
    progress: float = 0.0


@frozen
class LoadRequest:
    """Load a model. 0 and -1 stand for "choose by the machine".

    ``state_dir`` empty: no states on disk. ``chunk`` is the most tokens evaluated in one step: what a cancel waits for
    where the evaluation itself cannot be stopped (GPU layers).
    """

    path: str
    context: int = 0
    gpu_layers: int = -1
    threads: int = 0
    sequences: int = 16
    chunk: int = 0
    state_dir: str = ""
    state_bytes: int = 2 << 30
    reserve: int = 0
    """Bytes of memory other models of ours will take, when ``context`` is chosen by the machine."""
    exact: bool = False
    """Keep the KV cache in 32 bits: twice the memory, and no rounding that depends on how a prompt was cut."""


@frozen
class TokenizeRequest:
    """The token ids of a prompt, as ``complete`` would evaluate it before healing."""

    prompt: tuple[Segment, ...]


@frozen
class TokenizeResult:
    """Ids and the text of each (special tokens spelled out; a partial character as U+FFFD)."""

    tokens: tuple[int, ...]
    pieces: tuple[str, ...]


@frozen
class DraftText:
    """A text of the workspace to look drafts up in, under a name; an empty ``text`` forgets it."""

    name: str
    text: str


@frozen
class DraftTexts:
    """Texts to add, replace or forget."""

    texts: tuple[DraftText, ...]


@frozen
class SequenceRequest:
    """Names a sequence: ``save`` writes its state to disk, ``forget`` drops it from memory."""

    sequence: str


@frozen
class Stats:
    """What a worker did since it started, and what it holds."""

    requests: int = 0
    cancelled: int = 0
    evaluated: int = 0
    """Tokens evaluated, prompts and generated ones together, those of cancelled requests too."""
    reused: int = 0
    generated: int = 0
    drafted: int = 0
    accepted: int = 0
    aborted: int = 0
    """Evaluations stopped midway for a cancel or for a request of higher priority."""
    sequences: int = 0
    """Those that hold something."""
    cells: int = 0
    """Tokens held in memory over all sequences (shared ones counted once for each)."""
    saved: int = 0
    restored: int = 0
    evicted: int = 0
    memory: int = 0
    """Resident bytes of the worker; 0 where the system does not say."""
    speed: Speed = Speed()
