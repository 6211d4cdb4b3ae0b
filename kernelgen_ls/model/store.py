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

STORED_FILE = "models.json"
STARTER = Path(__file__).parent / "starter.gguf"
"""The small model that ships with the package."""

_MOST_FILES = 500
_DEEPEST = 6


class Purpose(str, Enum):
    """What a model is used for."""

    TYPING = "typing"
    GENERATION = "generation"


class StoredFileError(ValueError):
    """The file that holds what the user chose cannot be read or written."""


class NoModelError(ValueError):
    """No model is chosen: ``problem`` says so, ``advice`` what to do; the text is both."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem}: {advice}")
        self.problem = problem
        self.advice = advice


@frozen
class StoredModels:
    """What `kernelgen-ls model use` has stored; an empty purpose uses ``both``."""

    both: str = ""
    typing: str = ""
    generation: str = ""

    def path(self, purpose: Purpose) -> str:
        """The file for ``purpose``, empty where nothing was chosen."""
        return (self.typing if purpose is Purpose.TYPING else self.generation) or self.both


@frozen
class Found:
    """A GGUF file on this machine: its header, or why it cannot be used."""

    path: Path
    file: GgufFile | None = None
    problem: str = ""
    purposes: tuple[str, ...] = field(default=())
    """What it is in use for."""


def stored_file() -> Path:
    """Where what the user chose is stored."""
    return config_folder() / STORED_FILE


def models_folder() -> Path:
    """Where `kernelgen-ls model pull` puts files."""
    return data_folder() / "models"


def states_folder() -> Path:
    """Where evaluated states of documents are kept."""
    return cache_folder() / "states"


def read_stored(path: Path | None = None) -> StoredModels:
    """What is stored; nothing where there is no file. Raises :class:`StoredFileError`."""
    path = path or stored_file()
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return StoredModels()
    except (OSError, ValueError) as error:
        raise StoredFileError(f"{path} cannot be read: {error}. Choose again: `kernelgen-ls model use PATH`") from error
    entries = raw if isinstance(raw, dict) else {}
    return StoredModels(**{name: str(entries.get(name, "") or "") for name in ("both", "typing", "generation")})


def write_stored(stored: StoredModels, path: Path | None = None) -> None:
    """Store what is to be used, whole or not at all. Raises :class:`StoredFileError`."""
    entries = {"both": stored.both, "typing": stored.typing, "generation": stored.generation}
    try:
        write_json(path or stored_file(), {name: value for name, value in entries.items() if value})
    except OSError as error:
        raise StoredFileError(str(error)) from error


def chosen(settings: ModelSettings, purpose: Purpose, stored: StoredModels | None = None) -> ModelChoice | None:
    """The model for ``purpose``: the settings' own, the settings', the stored one, the starter; None where none is.

    Without ``stored`` the user's file is read; one that cannot be read counts as none (``doctor`` says so).
    """
    if stored is None:
        try:
            stored = read_stored()
        except StoredFileError:
            stored = StoredModels()
    own = settings.typing_path if purpose is Purpose.TYPING else settings.generation_path
    named = own or settings.path or stored.path(purpose)
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
    return _needed(settings, Purpose.TYPING)


def generation_choice(settings: ModelSettings) -> ModelChoice:
    """The model to generate with. Raises :class:`NoModelError`."""
    return _needed(settings, Purpose.GENERATION)


def _needed(settings: ModelSettings, purpose: Purpose) -> ModelChoice:
    choice = chosen(settings, purpose)
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
    folders: Iterable[Path] | None = None, stored: StoredModels | None = None, settings: ModelSettings | None = None
) -> list[Found]:
    """The starter, the chosen files and every GGUF file in ``folders``, each once, checked by its header.

    What each is used for goes by ``settings`` first, as ``chosen`` does.
    """
    stored = stored if stored is not None else StoredModels()
    used = {
        purpose: picked.path
        for purpose in Purpose
        if (picked := chosen(settings or ModelSettings(), purpose, stored)) is not None
    }
    named = [*used.values(), *(Path(path) for path in (stored.both, stored.typing, stored.generation) if path)]
    paths = [*([STARTER] if STARTER.is_file() else []), *named]
    for folder in known_folders() if folders is None else folders:
        paths += list(_files(folder, _DEEPEST))[:_MOST_FILES]
    seen: set[Path] = set()
    result = []
    for path in paths:
        real = path.resolve()
        if real not in seen:
            seen.add(real)
            purposes = tuple(purpose.value for purpose, picked in used.items() if picked.resolve() == real)
            result.append(_examined(path, purposes))
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


def _examined(path: Path, purposes: tuple[str, ...]) -> Found:
    try:
        return Found(path, gguf_file.check(path), purposes=purposes)
    except GgufError as error:
        return Found(path, problem=str(error), purposes=purposes)
