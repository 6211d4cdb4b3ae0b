"""The settings' defaults in the editors' own files, from `kernelgen_ls.settings`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kernelgen_ls.settings import all_settings
from kernelgen_ls.settings.schema import json_schema, plain
from scripts.generators import GENERATED, ROOT

NEOVIM_DEFAULTS = ROOT / "editors/neovim/lua/kernelgen/defaults.lua"
NEOVIM_HELP = ROOT / "editors/neovim/doc/kernelgen-settings.txt"
VSCODE_MANIFEST = ROOT / "editors/vscode/package.json"


def lua(value: Any) -> str:
    """A plain value as a Lua literal."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
    if isinstance(value, list):
        return "{ " + ", ".join(lua(item) for item in value) + " }" if value else "{}"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"[{lua(key)}] = {lua(item)}" for key, item in value.items()) + " }" if value else "{}"
    raise TypeError(f"no Lua literal for {value!r}")


def neovim_defaults() -> str:
    lines = [
        f"-- {GENERATED}",
        "--- The server's settings and their defaults.",
        "return {",
    ]
    for setting in all_settings():
        unit = f" ({setting.about.unit})" if setting.about.unit else ""
        lines.append(f"  --- {setting.about.meaning}{unit}")
        lines.append(f"  ['{setting.name}'] = {lua(plain(setting.default))},")
    return "\n".join([*lines, "}", ""])


def neovim_help() -> str:
    lines = [
        "*kernelgen-settings.txt*  The settings of kernelgen-ls",
        "",
        GENERATED,
        "",
        "==============================================================================",
        "SETTINGS                                                *kernelgen-settings*",
        "",
        "Give them in |kernelgen.setup()| under `settings`: >lua",
        "",
        "    require('kernelgen').setup({ settings = { ['completion.maxLines'] = 4 } })",
        "<",
    ]
    schema = json_schema()
    for setting in all_settings():
        about = setting.about
        tag = f"*kernelgen-{setting.name}*"
        lines += [tag.rjust(78), setting.name]
        described = schema[f"kernelgen.{setting.name}"]
        kind = " | ".join(f'"{value}"' for value in described["enum"]) if "enum" in described else described["type"]
        unit = f", {about.unit}" if about.unit else ""
        lines.append(f"    {kind}{unit}, default `{json.dumps(plain(setting.default), ensure_ascii=False)}`")
        lines += [f"    {about.meaning}", ""]
    return "\n".join([*lines, " vim:tw=78:ts=8:ft=help:norl:", ""])


def vscode_manifest() -> str:
    """The extension's manifest with its configuration section renewed."""
    manifest = json.loads(VSCODE_MANIFEST.read_text(encoding="utf-8"))
    own = manifest["contributes"]["configuration"]["properties"]
    schema = json_schema()
    # Where the server is found is the extension's own setting, not the server's: it stays as it is.
    kept = {name: value for name, value in own.items() if name.startswith("kernelgen.server.")}
    manifest["contributes"]["configuration"]["properties"] = {**kept, **schema}
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def texts() -> dict[Path, str]:
    return {NEOVIM_DEFAULTS: neovim_defaults(), NEOVIM_HELP: neovim_help(), VSCODE_MANIFEST: vscode_manifest()}
