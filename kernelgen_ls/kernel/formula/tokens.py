"""A formula's text as words: plain notation and LaTeX give the same ones, so that one parser reads both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto

from attrs import frozen

from kernelgen_ls.kernel.formula.tree import FormulaError


class Kind(Enum):
    """What a word is."""

    NUMBER = auto()
    NAME = auto()
    TEXT = auto()
    """A quoted string."""
    SIGN = auto()
    BREAK = auto()
    """Where a line ends, or prose stands: no formula goes across it unless a bracket is open."""
    END = auto()


@frozen
class Token:
    """A word of a formula; ``start`` is where it stands in the text, ``latex`` whether LaTeX's rules hold there."""

    kind: Kind
    text: str
    start: int
    latex: bool = False
    spaced: bool = True
    """Whether a space, or the beginning, stands before it."""

    def isa(self, *signs: str) -> bool:
        """Whether it is one of these signs."""
        return self.kind is Kind.SIGN and self.text in signs


FRACTIONS = ("\\frac", "\\dfrac", "\\tfrac", "\\cfrac")
"""How LaTeX writes a fraction."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SIGNS = {
    "×": "*",
    "·": "*",
    "⋅": "*",
    "∗": "*",
    "⊙": "*",
    "⨀": "*",
    "÷": "/",
    "／": "/",
    "−": "-",
    "–": "-",
    "－": "-",
    "＋": "+",
    "＊": "*",
    "≤": "<=",
    "⩽": "<=",
    "≥": ">=",
    "⩾": ">=",
    "≠": "!=",
    "＝": "=",
    "≈": "=",
    "←": "=",
    "＜": "<",
    "＞": ">",
    "（": "(",
    "）": ")",
    "［": "[",
    "］": "]",
    "【": "[",
    "】": "]",
    "｛": "{",
    "｝": "}",
    "，": ",",
    "、": ",",
    "：": ":",
    "｜": "|",
    "∣": "|",
    "∧": "and",
    "∨": "or",
    "¬": "~",
    "…": "...",
    "√": "\\sqrt",
    "∑": "\\sum",
    "Σ": "\\sum",
    "∏": "\\prod",
    "⌊": "\\lfloor",
    "⌋": "\\rfloor",
    "⌈": "\\lceil",
    "⌉": "\\rceil",
    "⊤": "T",
    "∫": "\\int",
    "∂": "\\partial",
    "＾": "^",
    "％": "%",
    "∈": "\\in",
}
_POWERS = {"⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9", "⁻": "-"}
_GREEK = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ϵ": "epsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ν": "nu",
    "ξ": "xi",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "φ": "phi",
    "ϕ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
    "Δ": "Delta",
    "∞": "inf",
    "µ": "mu",
}
_COMMANDS = {
    "cdot": "*",
    "times": "*",
    "odot": "*",
    "ast": "*",
    "otimes": "*",
    "div": "/",
    "le": "<=",
    "leq": "<=",
    "leqslant": "<=",
    "lt": "<",
    "gt": ">",
    "ge": ">=",
    "geq": ">=",
    "geqslant": ">=",
    "ne": "!=",
    "neq": "!=",
    "land": "and",
    "wedge": "and",
    "lor": "or",
    "vee": "or",
    "lnot": "~",
    "neg": "~",
    "leftarrow": "=",
    "gets": "=",
    "approx": "=",
    "coloneqq": "=",
    "equiv": "=",
    "lvert": "|",
    "rvert": "|",
    "vert": "|",
    "mid": "|",
    "ldots": "...",
    "dots": "...",
    "cdots": "...",
    "lbrace": "\\{",
    "rbrace": "\\}",
    "|": "\\|",
    "lVert": "\\|",
    "rVert": "\\|",
    "Vert": "\\|",
    "top": "T",
}
_WORDS = _words(
    """
    exp ln log sin cos tan sinh cosh tanh arcsin arccos arctan max min det gcd sup inf arg lg erf sign argmax
    argmin
    """
)
_GREEK_COMMANDS = {
    **{name: name for name in _GREEK.values() if name != "inf"},
    "varepsilon": "epsilon",
    "varphi": "phi",
    "vartheta": "theta",
    "infty": "inf",
    "ell": "l",
    "Delta": "Delta",
    "Theta": "Theta",
    "Sigma": "Sigma",
    "Phi": "Phi",
    "Gamma": "Gamma",
    "Lambda": "Lambda",
    "Omega": "Omega",
}
_NOTHING = _words(
    """
    left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr displaystyle textstyle limits
    nolimits rm bf it cal boldsymbol nonumber notag scriptstyle
    """
)
_SPACES = frozenset(("quad", "qquad", ",", ";", ":", "!", " ", "enspace", "thinspace", "hspace"))
_WORDY = _words(
    """
    text mathrm operatorname mathbf mathit textbf textit mathsf mathtt texttt textrm mathbb mathcal mbox bm
    operatorname*
    """
)
_PLAIN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:(?<=[\d.])[fF])?(?![\w.])|\d+\.?\d*|\.\d+)"
    r"|(?P<name>[A-Za-z_](?:\w|\\_(?=\w))*'*)"
    r"|(?P<text>\"[^\"\n]*\"|'[^'\n]*')"
    r"|(?P<sign>\*\*|//|<=|>=|==|!=|:=|<-|->|\.\.\.|&&|\|\||[-+*/%@^=<>()\[\]{},.:|&!~?_;'])",
    re.ASCII,
)
_LATEX_NAME = re.compile(r"[A-Za-z](?:[A-Za-z0-9]|\\_(?=\w))*'*", re.ASCII)
_COMMAND = re.compile(r"\\(?P<name>[A-Za-z]+\*?|.)", re.DOTALL)
_GROUP = re.compile(r"\s*\{")
_PROSE = re.compile(r"[\u3000-\u3002\u300a-\u300f\u4e00-\u9fff\uff01\uff1b\uff1f“”‘’]+")
_LATEX = re.compile(r"\\[A-Za-z|{]|[_^]\s*\{")


def tokens(text: str, known: frozenset[str] = frozenset()) -> list[Token]:
    """The words of a text and an end. ``known`` are names that stand as they are, underscores and all.

    Raises ``FormulaError`` at a sign that no formula has and at braces that do not balance.
    """
    found = list(_Reader(text, known, bool(_LATEX.search(text)), 0).read())
    return [*found, Token(Kind.END, "", len(text))]


@frozen
class _Reader:
    """Reads one text in one notation; ``shift`` is where it stands in the whole."""

    text: str
    known: frozenset[str]
    latex: bool
    shift: int

    def read(self) -> Iterator[Token]:
        at = 0
        spaced = True
        while at < len(self.text):
            before = at
            found, at = self._next(at)
            for token in found:
                yield Token(token.kind, token.text, token.start + self.shift, self.latex or token.latex, spaced)
                spaced = False
            spaced = spaced or (not found and before != at)

    def _next(self, at: int) -> tuple[list[Token], int]:
        """The words at ``at``, none for a space, and where they end."""
        text, character = self.text, self.text[at]
        if character == "\n":
            return [Token(Kind.BREAK, "\n", at)], at + 1
        if character.isspace() or character in "$~`\u200b\ufeff":
            return [], at + 1
        if text.startswith("&nbsp", at):
            return [], at + 5 + (text[at + 5 : at + 6] == ";")
        if character == "\\":
            return self._command(at)
        if prose := _PROSE.match(text, at):
            return [Token(Kind.BREAK, prose.group(), at)], prose.end()
        if character in _POWERS:
            end = at
            while end < len(text) and text[end] in _POWERS:
                end += 1
            power = "".join(_POWERS[sign] for sign in text[at:end])
            sign = [Token(Kind.SIGN, "-", at)] if power.startswith("-") else []
            return [Token(Kind.SIGN, "^", at), *sign, Token(Kind.NUMBER, power.lstrip("-"), at)], end
        if character in _SIGNS:
            return [self._sign(_SIGNS[character], at)], at + 1
        if character in _GREEK:
            tail = re.compile(r"\w*", re.ASCII).match(text, at + 1)
            end = tail.end() if tail and not self.latex else at + 1
            return [Token(Kind.NAME, _GREEK[character] + text[at + 1 : end], at)], end
        return self._plain(at)

    def _sign(self, sign: str, at: int) -> Token:
        return Token(Kind.NAME if sign == "T" else Kind.SIGN, sign, at)

    def _plain(self, at: int) -> tuple[list[Token], int]:
        text = self.text
        match = _PLAIN.match(text, at)
        if match is None:
            raise FormulaError(text[at], "no formula has such a sign", self.shift + at)
        if match.lastgroup == "name" and self.latex:
            whole = match.group()
            if whole not in self.known or "_" not in whole:
                latex_name = _LATEX_NAME.match(text, at)
                if latex_name is None:
                    return [Token(Kind.SIGN, "_", at)], at + 1
                return [Token(Kind.NAME, latex_name.group().replace("\\_", "_"), at)], latex_name.end()
        if match.lastgroup == "sign":
            sign = {"**": "^", "&&": "and", ":=": "=", "<-": "="}.get(match.group(), match.group())
            if sign == ";":
                return [Token(Kind.BREAK, ";", at)], match.end()
            return [Token(Kind.SIGN, sign, at)], match.end()
        if match.lastgroup == "name" and match.group().startswith("_"):
            return [Token(Kind.SIGN, "_", at)], at + 1
        kind = {"number": Kind.NUMBER, "name": Kind.NAME, "text": Kind.TEXT}[str(match.lastgroup)]
        word = match.group()[1:-1] if kind is Kind.TEXT else match.group().replace("\\_", "_")
        if kind is Kind.NAME and word in ("and", "or", "not"):
            return [Token(Kind.SIGN, word, at)], match.end()
        return [Token(kind, word, at)], match.end()

    def _command(self, at: int) -> tuple[list[Token], int]:
        match = _COMMAND.match(self.text, at)
        if match is None:
            raise FormulaError("\\", "a backslash with nothing behind it", self.shift + at)
        name, end = match.group("name"), match.end()
        if name in _WORDY or name.rstrip("*") in _WORDY:
            return self._words(end)
        if name in _NOTHING or name.rstrip("*") in _NOTHING:
            # `\left.` and `\right.` show nothing.
            if name in ("left", "right") and self.text[end : end + 1] == ".":
                end += 1
            return [], end
        if name in ("quad", "qquad"):
            return [Token(Kind.SIGN, "\\quad", at)], end
        if name in _SPACES:
            return [], end
        if name == "\\":
            size = re.compile(r"\s*\[[^\]\n]*(?:pt|em|ex|mm)\]").match(self.text, end)
            return [Token(Kind.BREAK, "\\\\", at)], size.end() if size else end
        if name == "_":
            return [Token(Kind.SIGN, "_", at)], end
        if name in ("tag", "label"):
            return [], self._closing(end)[1]
        if name in ("begin", "end"):
            start, close = self._closing(end)
            environment = self.text[start : close - 1].strip().rstrip("*")
            if name == "begin" and environment == "array" and _GROUP.match(self.text, close):
                close = self._closing(close)[1]
            return [Token(Kind.SIGN, f"\\{name} {environment}", at)], close
        if name in _GREEK_COMMANDS:
            return [Token(Kind.NAME, _GREEK_COMMANDS[name], at)], end
        if name.rstrip("*") in _WORDS:
            return [Token(Kind.NAME, name.rstrip("*"), at)], end
        sign = _COMMANDS.get(name, "%" if name == "%" else f"\\{name}")
        return [self._sign(sign, at)], end

    def _closing(self, at: int) -> tuple[int, int]:
        """Where the group that opens at ``at`` has its content, and where it ends."""
        opening = _GROUP.match(self.text, at)
        if opening is None:
            raise FormulaError(self.text[max(at - 6, 0) : at], "a group in braces must follow", self.shift + at)
        depth = 1
        for end in range(opening.end(), len(self.text)):
            if self.text[end] in "{}" and self.text[end - 1] != "\\":
                depth += 1 if self.text[end] == "{" else -1
                if not depth:
                    return opening.end(), end + 1
        raise FormulaError("{", "the brace is never closed", self.shift + at)

    def _words(self, at: int) -> tuple[list[Token], int]:
        r"""What ``\text{...}`` holds, in plain notation: there an underscore belongs to its name."""
        if not _GROUP.match(self.text, at):
            return [], at
        start, end = self._closing(at)
        inner = self.text[start : end - 1]
        if "\\" in inner.replace("\\_", "") or "{" in inner:
            words = list(_Reader(inner, self.known, self.latex, self.shift + start).read())
        else:
            # An escaped underscore is one character: the words behind it stand where they are said to stand.
            plain = inner.replace("\\_", "_")
            words = list(_Reader(plain, self.known, False, self.shift + start).read())
        return [Token(word.kind, word.text, word.start - self.shift, True, word.spaced) for word in words], end
