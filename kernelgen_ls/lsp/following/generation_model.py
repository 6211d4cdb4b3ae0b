"""The generation model's engine: the typing model's own where one model serves both, else a worker of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelgen_ls.lsp.following.typing_model import TypingModel
from kernelgen_ls.lsp.session.ports import Background, Board, SettingsInForce
from kernelgen_ls.lsp.session.status import model_part
from kernelgen_ls.model.messages import EngineStatus
from kernelgen_ls.settings import Settings

if TYPE_CHECKING:
    from kernelgen_ls.model.engine.protocol import Engine


class GenerationModel:
    """Starts a second worker only when a generation first needs one."""

    def __init__(
        self,
        settings: SettingsInForce,
        tasks: Background,
        board: Board,
        typing: TypingModel,
        worker: tuple[str, ...] | None = None,
    ) -> None:
        """``worker`` is another command to run as the model's worker."""
        self._settings = settings
        self._tasks = tasks
        self._board = board
        self._typing = typing
        self._worker = worker
        self._own: Engine | None = None
        settings.on_change(self._settings_changed)

    async def engine(self) -> Engine:
        """The engine to generate with, its model loaded. Raises ``EngineError`` that says what is missing."""
        from kernelgen_ls.model.engine.local import LocalEngine
        from kernelgen_ls.model.engine.protocol import EngineError
        from kernelgen_ls.model.store import NoModelError, generation_choice, typing_choice

        model = self._settings.now.model
        try:
            choice = generation_choice(model)
            shared = choice == typing_choice(model)
        except NoModelError as error:
            raise EngineError(str(error)) from error
        if shared:
            engine = self._typing.engine
            if engine is None:
                raise EngineError("the model is still starting", "Try again in a moment")
            await self._typing.loaded()
        else:
            if self._own is None:
                self._own = LocalEngine(self._worker)
                self._own.on_status(self._on_status)
                await self._own.start(choice)
            engine = self._own
        if engine.status.model is None:
            raise EngineError(engine.status.detail or "no model is loaded", "See `kernelgen-ls doctor`")
        return engine

    async def close(self) -> None:
        """End the worker of its own, if there is one."""
        own, self._own = self._own, None
        if own is not None:
            await own.close()
            self._board.update(generation_model=None)

    def _on_status(self, status: EngineStatus) -> None:
        if self._own is not None:
            self._board.update(generation_model=model_part(status))

    def _settings_changed(self, old: Settings, new: Settings) -> None:
        if old.model != new.model and self._own is not None:
            self._tasks.spawn(self.close(), "end of the generation model after a change of settings")
