"""Every finding of the twin has its page, and every page a finding."""

from __future__ import annotations

import re

from tests.unit.twin.verifying import ROOT

_TWIN = ROOT / "kernelgen_ls/runner/toolchains/twin"
_REPORTED = re.compile(r'Tier::\w+, "(?P<code>[a-z-]+)"|"twin/(?P<ours>[a-z-]+)"')
_NO_FINDING = {"README", "limits"}


def test_every_finding_has_its_page_and_its_row() -> None:
    places = [*_TWIN.glob("*.py"), *(_TWIN / "runtime").glob("*.cpp"), ROOT / "kernelgen_ls/report/verification.py"]
    texts = [path.read_text(encoding="utf-8") for path in places]
    codes = {match["code"] or match["ours"] for text in texts for match in _REPORTED.finditer(text)}
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/twin").glob("*.md")}
    assert codes == pages.keys() - _NO_FINDING
    index = pages["README"]
    for code in codes:
        assert pages[code].startswith(f"# twin/{code}\n"), code
        assert f"| [twin/{code}]({code}.md) |" in index, code
