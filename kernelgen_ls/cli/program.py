"""The ``kernelgen-ls`` program: one table of commands, each imported only when it runs."""

from __future__ import annotations

from typing import Any

import click

import kernelgen_ls
from kernelgen_ls.cli.lazy_group import Entry, LazyGroup

COMMANDS = {
    "serve": Entry("kernelgen_ls.cli.serve:serve", "Run the language server over stdio (editors start this)."),
    "check": Entry("kernelgen_ls.cli.check:check", "Check kernels and print what a compiler would refuse."),
    "complete": Entry("kernelgen_ls.cli.complete:complete", "Print the ghost text at FILE:LINE:COL."),
    "generate": Entry("kernelgen_ls.cli.generate:generate", "Write a kernel from a specification."),
    "verify": Entry("kernelgen_ls.cli.verify:verify", "Run a kernel on its cases and compare, on a runner."),
    "measure": Entry("kernelgen_ls.cli.measure:measure", "Measure a kernel's latency on a runner."),
    "model": Entry("kernelgen_ls.cli.model:model", "List, choose, inspect and fetch language models."),
    "runner": Entry("kernelgen_ls.cli.runner:runner", "Run the compile and measure service."),
    "doctor": Entry("kernelgen_ls.cli.doctor:doctor", "Say what works here and what to do where it does not."),
    "demo": Entry("kernelgen_ls.cli.demo:demo", "Show the server at work on an example, in the terminal."),
    "settings": Entry("kernelgen_ls.cli.settings:settings", "Print the settings."),
    "stats": Entry("kernelgen_ls.cli.stats:stats", "Print how often proposals were shown and accepted."),
    "records": Entry("kernelgen_ls.cli.records:records", "Export recorded generations for training."),
    "bench": Entry("kernelgen_ls.cli.bench:bench", "Measure this project's own speed and quality."),
    "train": Entry("kernelgen_ls.cli.train:train", "Train the starter model."),
}


class Program(LazyGroup):
    """The group of commands, which ends each of them with a status of the table in ``cli/errors.py``."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Whatever is no verdict, and be it a defect of ours, must not look like one."""
        from kernelgen_ls.cli.console import accept_every_character
        from kernelgen_ls.cli.errors import ExitStatus, NoAnswerError
        from kernelgen_ls.folders import NotWrittenError

        accept_every_character()
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            if error.exit_code != ExitStatus.WRONG:
                raise
            raise NoAnswerError(error.format_message()) from error
        except NotWrittenError as error:
            raise NoAnswerError(str(error)) from error
        except (KeyboardInterrupt, click.Abort):
            click.echo("Interrupted.", err=True)
            raise SystemExit(ExitStatus.INTERRUPTED) from None
        except (click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception:
            import traceback

            traceback.print_exc()
            raise SystemExit(ExitStatus.NO_ANSWER) from None


@click.group(
    cls=Program,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A language server for AscendC kernels with a kernel-writing model inside.",
)
@click.version_option(kernelgen_ls.__version__, prog_name="kernelgen-ls")
def main() -> None:
    """Dispatch to a command."""
