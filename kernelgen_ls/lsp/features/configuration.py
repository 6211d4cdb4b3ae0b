"""Settings: the user's file, the project's file, then what the editor sends; re-read whenever one changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path

from kernelgen_ls.settings import PREFIX, Problem, Settings, flatten, load, read

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer
    from kernelgen_ls.lsp.session.session import Session


ANSWER_SECONDS = 10.0
"""How long an editor may take to tell its settings; the model's start waits for them."""


def register(server: KernelServer) -> None:
    """Register the configuration notifications."""
    session = server.session

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        if session.client.configuration:
            await pull(session)
            return
        given = params.settings
        if isinstance(given, Mapping):
            session.editor_settings = dict(given)
        reread(session)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_workspace_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        gone, fresh = (
            [Path(path) for folder in folders if (path := to_fs_path(folder.uri))]
            for folders in (params.event.removed, params.event.added)
        )
        kept = tuple(root for root in session.client.roots if root not in gone)
        session.client = attrs.evolve(session.client, roots=(*kept, *(root for root in fresh if root not in kept)))
        # Which files belong to an operator, and whose settings hold, goes by the folders.
        reread(session)
        session.checks.changed_outside()


async def pull(session: Session) -> None:
    """Ask the client for its settings and make them hold; without that ability only the files are read again."""
    if session.client.configuration:
        try:
            answers = await asyncio.wait_for(
                session.server.workspace_configuration_async(
                    types.ConfigurationParams(items=[types.ConfigurationItem(section=PREFIX)])
                ),
                ANSWER_SECONDS,
            )
        except (JsonRpcException, asyncio.TimeoutError) as error:
            session.say(f"The editor gave no settings ({error or 'no answer'}); what it sent at the start holds.")
            answers = []
        if answers and isinstance(answers[0], Mapping):
            session.editor_settings = {**flatten(session.initial_editor_settings), **flatten(answers[0])}
    reread(session)


async def ask(session: Session) -> None:
    """Ask the client to tell when its settings change, where it waits to be asked (VS Code does)."""
    if not session.client.registers_configuration:
        return
    options = types.DidChangeConfigurationRegistrationOptions(section=PREFIX)
    registration = types.Registration(
        id="kernelgen-configuration", method=types.WORKSPACE_DID_CHANGE_CONFIGURATION, register_options=options
    )
    try:
        await session.server.client_register_capability_async(types.RegistrationParams(registrations=[registration]))
    except JsonRpcException as error:
        session.say(f"The editor does not tell of changed settings ({error}): restart the server after a change.")


def reread(session: Session) -> None:
    """Read all layers again, apply them, and report what could not be taken."""
    settings, problems = read_settings(session)
    session.apply_settings(settings)
    report(session, problems)


def read_settings(session: Session) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings that hold now: the user's file, the project's over it, and over both what the editor sends.

    An editor sends what is set in it, so that a default which was chosen there counts: the clients leave out the rest.
    """
    base, problems = load(session.root)
    settings, more = read(session.editor_settings, base=base)
    return settings, problems + more


def report(session: Session, problems: tuple[Problem, ...]) -> None:
    """One message for all problems, not one for each."""
    if problems:
        session.say("KernelGen settings: " + " ".join(problem.message for problem in problems))
