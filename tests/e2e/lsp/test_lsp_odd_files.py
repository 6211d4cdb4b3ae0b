"""Files that break parsers: the server answers, says what it could not do, and goes on."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from tests.e2e.lsp.lsp_client import NAMES, editor

GOOD = (Path(__file__).parents[2] / "kernels" / "clean" / "vector_sum.cpp").read_text(encoding="utf-8")
HEAD = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) {\n'
ODD = {
    "nested.cpp": HEAD + "{" * 20_000,
    "brackets.cpp": HEAD + "f(" * 20_000,
    "nul.cpp": HEAD + "\x00\x01\x02" * 1000 + "}\n",
    "crlf.cpp": GOOD.replace("\n", "\r\n"),
    "cr.cpp": GOOD.replace("\n", "\r"),
    "no_newline.cpp": GOOD.rstrip(),
    "bom.cpp": "\ufeff" + GOOD,
    "mojibake.cpp": HEAD + "// " + "\ufffd" * 2000 + "\n}\n",
    "separators.cpp": HEAD + "// a\u2028b\x0cc\x85d\n int y = zz;\n}\n",
    "empty.asc": "",
    "long_line.cpp": HEAD + "int a = 0" + " + 1" * 50_000 + ";\n}\n",
    "huge.cpp": HEAD + "int a;\n" * 700_000 + "}\n",
}


async def test_odd_files_do_not_stop_the_server(tmp_path: Path) -> None:
    options = {"completion.enabled": False, "generation.enabled": False, "check.onIdle": False}
    async with editor(NAMES[1], tmp_path, options=options) as one:
        for name, text in ODD.items():
            uri = one.open(name, text)
            document = types.TextDocumentIdentifier(uri)
            at = types.Position(1, 30)
            await one.client.text_document_hover_async(types.HoverParams(document, at))
            await one.client.text_document_completion_async(types.CompletionParams(document, at))
            await one.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
            await one.client.text_document_code_action_async(
                types.CodeActionParams(document, types.Range(at, at), types.CodeActionContext([]))
            )
            one.close(uri)
        uri = one.open("good.cpp", GOOD)
        found = await one.diagnostics(uri, 1)
        assert not [each for each in found if each.severity is types.DiagnosticSeverity.Error]


async def test_an_untitled_document_is_checked_alone(tmp_path: Path) -> None:
    options = {"completion.enabled": False, "generation.enabled": False, "check.onIdle": False}
    async with editor(NAMES[0], tmp_path, options=options) as one:
        uri = "untitled:Untitled-1"
        text = GOOD.replace("FreeTensor(", "FreeTensr(", 1)
        one.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, types.LanguageKind.Cpp, 1, text))
        )
        found = await one.diagnostics(uri, 1)
        assert [each.severity for each in found].count(types.DiagnosticSeverity.Error) == 1
        document = types.TextDocumentIdentifier(uri)
        assert await one.client.text_document_code_lens_async(types.CodeLensParams(document)) is None
        outcome = await one.command("kernelgen.measure", uri)
        assert outcome["reason"]
