"""Which GGUF file: what the user chose, what there is on this machine, what ships with the package."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path

from attrs import field, frozen

from kernelgen_ls.folders import cache_folder, config_folder, data_folder, write_json
from kernelgen_ls.model import gguf_file
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.gguf_file import GgufError, GgufFile
from kernelgen_ls.settings import ModelSettings

CHOICE_FILE = "models.json"
STARTER = Path(__file__).parent / "starter.gguf"
"""The small model that ships with the package."""

_MOST_FILES = 500
_DEEPEST = 6


class Role(str, Enum):
    """What a model is used for."""

    TYPING = "typing"
    GENERATION = "generation"


class ChoiceFileError(ValueError):
    """The file that holds the user's choice cannot be read or written."""


class NoModelError(ValueError):
    """No model is chosen: ``problem`` says so, ``advice`` what to do; the text is both."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem}: {advice}")
        self.problem = problem
        self.advice = advice


@frozen
class Choice:
    """What `kernelgen-ls model use` has stored; an empty role uses ``both``."""

    both: str = ""
    typing: str = ""
    generation: str = ""

    def path(self, role: Role) -> str:
        """The file for ``role``, empty where nothing was chosen."""
        return (self.typing if role is Role.TYPING else self.generation) or self.both


@frozen
class Found:
    """A GGUF file on this machine: its header, or why it cannot be used."""

    path: Path
    file: GgufFile | None = None
    problem: str = ""
    roles: tuple[str, ...] = field(default=())
    """What it is in use for."""


def choice_file() -> Path:
    """Where the choice is stored."""
    return config_folder() / CHOICE_FILE


def models_folder() -> Path:
    """Where `kernelgen-ls model pull` puts files."""
    return data_folder() / "models"


def states_folder() -> Path:
    """Where evaluated states of documents are kept."""
    return cache_folder() / "states"


def read_choice(path: Path | None = None) -> Choice:
    """The stored choice; an empty one where there is none. Raises :class:`ChoiceFileError`."""
    path = path or choice_file()
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Choice()
    except (OSError, ValueError) as error:
        raise ChoiceFileError(f"{path} cannot be read: {error}. Choose again: `kernelgen-ls model use PATH`") from error
    entries = raw if isinstance(raw, dict) else {}
    return Choice(**{name: str(entries.get(name, "") or "") for name in ("both", "typing", "generation")})


def write_choice(choice: Choice, path: Path | None = None) -> None:
    """Store a choice, whole or not at all. Raises :class:`ChoiceFileError`."""
    entries = {"both": choice.both, "typing": choice.typing, "generation": choice.generation}
    try:
        write_json(path or choice_file(), {name: value for name, value in entries.items() if value})
    except OSError as error:
        raise ChoiceFileError(str(error)) from error


def chosen(settings: ModelSettings, role: Role, choice: Choice | None = None) -> ModelChoice | None:
    """The model for ``role``: the settings' own, the settings', the stored one, the starter; None where none is.

    Without ``choice`` the stored one is read; a choice file that cannot be read counts as none (``doctor`` says so).
    """
    if choice is None:
        try:
            choice = read_choice()
        except ChoiceFileError:
            choice = Choice()
    own = settings.typing_path if role is Role.TYPING else settings.generation_path
    named = own or settings.path or choice.path(role)
    path = Path(named).expanduser() if named else STARTER
    if not named and not path.is_file():
        return None
    return ModelChoice(
        path=path,
        context=settings.context,
        gpu_layers=settings.gpu_layers,
        threads=settings.threads,
        state_dir=states_folder() if settings.state_cache else None,
        state_bytes=settings.state_cache << 20,
        spin=settings.spin_count if settings.spin_count >= 0 else None,
        starter=is_starter(path),
    )


def typing_choice(settings: ModelSettings) -> ModelChoice:
    """The model to type with. Raises :class:`NoModelError`."""
    return _needed(settings, Role.TYPING)


def generation_choice(settings: ModelSettings) -> ModelChoice:
    """The model to generate with. Raises :class:`NoModelError`."""
    return _needed(settings, Role.GENERATION)


def _needed(settings: ModelSettings, role: Role) -> ModelChoice:
    choice = chosen(settings, role)
    if choice is None:
        raise NoModelError(
            "No model is chosen",
            "fetch one with `kernelgen-ls model pull REPOSITORY`, or use a GGUF file with "
            "`kernelgen-ls model use PATH`",
        )
    return choice


def is_starter(path: Path) -> bool:
    """Whether ``path`` is the model that ships with the package."""
    return path == STARTER or (path.exists() and STARTER.exists() and path.samefile(STARTER))


def known_folders() -> tuple[Path, ...]:
    """Where models lie on this machine: ours, then those of other programs."""
    home = Path.home()
    caches = Path(os.environ.get("XDG_CACHE_HOME", home / ".cache"))
    hub = Path(os.environ.get("HF_HUB_CACHE", Path(os.environ.get("HF_HOME", caches / "huggingface")) / "hub"))
    return (
        models_folder(),
        hub,
        caches / "llama.cpp",
        home / "Library" / "Caches" / "llama.cpp",
        Path(os.environ.get("MODELSCOPE_CACHE", caches / "modelscope")),
        home / ".lmstudio" / "models",
        caches / "lm-studio" / "models",
        home / "models",
    )


def found(
    folders: Iterable[Path] | None = None, choice: Choice | None = None, settings: ModelSettings | None = None
) -> list[Found]:
    """The starter, the chosen files and every GGUF file in ``folders``, each once, checked by its header.

    What each is used for goes by ``settings`` first, as ``chosen`` does.
    """
    choice = choice if choice is not None else Choice()
    used = {
        role: picked.path for role in Role if (picked := chosen(settings or ModelSettings(), role, choice)) is not None
    }
    named = [*used.values(), *(Path(path) for path in (choice.both, choice.typing, choice.generation) if path)]
    paths = [*([STARTER] if STARTER.is_file() else []), *named]
    for folder in known_folders() if folders is None else folders:
        paths += list(_files(folder, _DEEPEST))[:_MOST_FILES]
    seen: set[Path] = set()
    result = []
    for path in paths:
        real = path.resolve()
        if real not in seen:
            seen.add(real)
            roles = tuple(role.value for role, picked in used.items() if picked.resolve() == real)
            result.append(_examined(path, roles))
    return result


def _files(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.suffix == ".gguf" and entry.is_file():
            if not _later_part(entry.stem):
                yield entry
        elif depth and entry.is_dir():
            yield from _files(entry, depth - 1)


def _later_part(stem: str) -> bool:
    pieces = stem.rsplit("-", 3)
    return len(pieces) == 4 and pieces[2] == "of" and pieces[1].isdecimal() and int(pieces[1]) > 1


def _examined(path: Path, roles: tuple[str, ...]) -> Found:
    try:
        return Found(path, gguf_file.check(path), roles=roles)
    except GgufError as error:
        return Found(path, problem=str(error), roles=roles)
