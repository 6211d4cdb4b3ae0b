"""The JSON schemas of what commands print with `--json`."""

from __future__ import annotations

import json
from pathlib import Path

from kernelgen_ls.report.json_schema import generate_schema, verify_schema
from scripts.generators import ROOT


def texts() -> dict[Path, str]:
    schemas = {"verify": verify_schema(), "generate": generate_schema()}
    folder = ROOT / "docs/schemas"
    return {folder / f"{name}.schema.json": json.dumps(schema, indent=2) + "\n" for name, schema in schemas.items()}
