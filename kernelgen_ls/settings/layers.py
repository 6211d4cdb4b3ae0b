"""Who may set what: the user's file, the project's file and the editor's values, laid over each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kernelgen_ls.folders import config_folder
from kernelgen_ls.settings.definition import PROJECT_FILE, USER_FILE, Origin, Problem, Settings
from kernelgen_ls.settings.values import flat, read_layer


def read(
    raw: Mapping[str, Any],
    *,
    base: Settings | None = None,
    origin: Origin = Origin.USER,
) -> tuple[Settings, tuple[Problem, ...]]:
    """Lay ``raw`` over ``base`` (the defaults when None) and say what could not be taken.

    ``raw`` may be nested (``{"completion": {"enabled": true}}``) or flat (``{"completion.enabled": true}``), with or
    without the ``kernelgen`` prefix. A value of None means "not set"; one that equals the default is set. Never raises
    on bad content.
    """
    return read_layer(raw, base or Settings(), origin)


def flatten(raw: Mapping[str, Any]) -> dict[str, Any]:
    """``raw`` by full names (``completion.enabled``), however it was nested or prefixed: to merge two layers."""
    return {f"{section}.{key}" if key else section: value for section, key, value in flat(raw)}


def load(root: Path | None = None) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings without an editor: the user's file, then the project's in ``root``."""
    user, problems = _load_file(user_file(), Settings(), Origin.USER)
    if root is None:
        return user, problems
    project, more = _load_file(root / PROJECT_FILE, user, Origin.PROJECT)
    return project, problems + more


def project_folder(start: Path) -> Path | None:
    """The folder whose settings hold for ``start``: the nearest one at or above it that has a project file."""
    start = start.absolute()
    return next((folder for folder in (start, *start.parents) if (folder / PROJECT_FILE).is_file()), None)


def user_file() -> Path:
    """Where the user's own settings stand, for every editor and for the command line."""
    return config_folder() / USER_FILE


def _load_file(path: Path, base: Settings, origin: Origin) -> tuple[Settings, tuple[Problem, ...]]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return base, ()
    except (OSError, ValueError, RecursionError) as error:
        return base, (
            Problem(str(path), f"not read: {error}. Correct the file; until then its settings do not count."),
        )
    if not isinstance(raw, dict):
        return base, (Problem(str(path), "not read: the file must hold one JSON object."),)
    return read(raw, base=base, origin=origin)
