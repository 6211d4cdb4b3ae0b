"""Writes every generated file that is not what it should be: `make generate`."""

from __future__ import annotations

from scripts.generators import NAMES, ROOT, stale


def main() -> None:
    for name in NAMES:
        for path, text in stale(name).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
