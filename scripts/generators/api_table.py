"""The table that hover and completion read, from our declarations."""

from __future__ import annotations

from pathlib import Path

from kernelgen_ls.runner.toolchains.embedded.api_table import TABLE, table_text


def texts() -> dict[Path, str]:
    return {TABLE: table_text()}
