"""Writes the JSON schemas of what commands print with `--json` into `docs/schemas`.

`--check` writes nothing and ends with 1 where a file is not what it would be.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kernelgen_ls.report.json_schema import generate_schema, verify_schema

FOLDER = Path(__file__).resolve().parent.parent / "docs/schemas"


def main() -> int:
    check, code = "--check" in sys.argv[1:], 0
    for name, schema in (("verify", verify_schema()), ("generate", generate_schema())):
        path = FOLDER / f"{name}.schema.json"
        text = json.dumps(schema, indent=2) + "\n"
        if check and (not path.is_file() or path.read_text(encoding="utf-8") != text):
            print(f"docs/schemas/{path.name} is out of date: run scripts/generate_schemas.py")
            code = 1
        elif not check:
            path.write_text(text, encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
