r"""Formulas in TeX as text that reads like one: `\frac{a}{b} \le x^2` becomes `a/b ≤ x²`.

Not a typesetter: what it does not know stays as it is written, so nothing is lost. No Qt here.
"""

# ruff: noqa: RUF001 - signs that look like letters are what this table is for

from __future__ import annotations

import re

MAX_LENGTH = 4000
MAX_DEPTH = 40

_SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "times": "×", "cdot": "·", "div": "÷",
    "pm": "±", "mp": "∓", "ast": "∗", "star": "⋆", "circ": "∘", "bullet": "•", "oplus": "⊕",
    "otimes": "⊗", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
    "approx": "≈", "equiv": "≡", "sim": "∼", "simeq": "≃", "cong": "≅", "propto": "∝", "ll": "≪",
    "gg": "≫", "infty": "∞", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫",
    "iint": "∬", "oint": "∮", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂",
    "subseteq": "⊆", "supset": "⊃", "supseteq": "⊇", "cup": "∪", "cap": "∩", "setminus": "∖",
    "emptyset": "∅", "varnothing": "∅", "forall": "∀", "exists": "∃", "neg": "¬", "lnot": "¬",
    "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "to": "→", "rightarrow": "→",
    "leftarrow": "←", "gets": "←", "leftrightarrow": "↔", "Rightarrow": "⇒", "implies": "⇒",
    "Leftarrow": "⇐", "Leftrightarrow": "⇔", "iff": "⇔", "mapsto": "↦", "uparrow": "↑",
    "downarrow": "↓", "ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱",
    "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉",
    "mid": "|", "parallel": "∥", "perp": "⊥", "angle": "∠", "degree": "°", "prime": "′",
    "hbar": "ℏ", "ell": "ℓ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "therefore": "∴",
    "because": "∵", "quad": "  ", "qquad": "    ", "colon": ":", "lbrace": "{", "rbrace": "}",
    "vert": "|", "Vert": "‖", "backslash": "\\", "dagger": "†", "triangle": "△", "square": "□",
}  # fmt: skip
_SIGNS = {
    ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "{": "{", "}": "}", "%": "%", "$": "$",
    "&": "&", "#": "#", "_": "_", "|": "‖", "\\": "\n", "\n": " ",
}  # fmt: skip
_PLAIN = {  # the argument as it is
    "text", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "textbf", "textit", "texttt",
    "operatorname", "mathcal", "boldsymbol", "bm", "mbox", "displaystyle", "boxed", "textrm",
}  # fmt: skip
_NOTHING = {"left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr",
            "limits", "nolimits", "displaystyle", "textstyle", "label", "nonumber"}  # fmt: skip
_ACCENTS = {"hat": "\u0302", "bar": "\u0304", "overline": "\u0305", "tilde": "\u0303",
            "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308"}  # fmt: skip
_DOUBLE = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "E": "𝔼", "H": "ℍ"}
_UP = dict(zip("0123456789+-=()nia", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃ", strict=True)) | {
    "b": "ᵇ", "c": "ᶜ", "d": "ᵈ", "e": "ᵉ", "j": "ʲ", "k": "ᵏ", "m": "ᵐ", "o": "ᵒ", "p": "ᵖ",
    "r": "ʳ", "s": "ˢ", "t": "ᵗ", "u": "ᵘ", "v": "ᵛ", "x": "ˣ", "y": "ʸ", "z": "ᶻ", "T": "ᵀ",
    "*": "*", "′": "′",
}  # fmt: skip
_DOWN = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True)) | {
    "a": "ₐ", "e": "ₑ", "h": "ₕ", "i": "ᵢ", "j": "ⱼ", "k": "ₖ", "l": "ₗ", "m": "ₘ", "n": "ₙ",
    "o": "ₒ", "p": "ₚ", "r": "ᵣ", "s": "ₛ", "t": "ₜ", "u": "ᵤ", "v": "ᵥ", "x": "ₓ",
}  # fmt: skip
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\\\n|[{}^_~&]|\s+|[^\\{}^_~&\s]", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[a-zA-Z*]{1,20}\}(?:\{[lcr|]*\})?")


def to_text(tex: str) -> str:
    """A formula as text; too long or too deep ones as they are written."""
    if len(tex) > MAX_LENGTH:
        return tex
    reader = _Reader(_TOKEN.findall(_ENVIRONMENT.sub("", tex)))
    try:
        text = reader.sequence(0)
    except _TooDeep:
        return tex
    lines = [re.sub(r"[ \t]{5,}", "    ", line).strip() for line in text.split("\n")]
    return "\n".join(line for line in lines if line)


class _TooDeep(Exception):
    """Nobody means that."""


class _Reader:
    """Walks the tokens of a formula."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def sequence(self, depth: int) -> str:
        """Everything up to the closing brace, or the end."""
        if depth > MAX_DEPTH:
            raise _TooDeep
        parts: list[str] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token == "}":
                self._at += 1
                if depth:
                    break
                continue
            parts.append(self._one(depth))
        return "".join(parts)

    def _one(self, depth: int) -> str:
        """The next thing: a sign, a group, a command with what belongs to it."""
        token = self._tokens[self._at]
        self._at += 1
        if token == "{":
            return self.sequence(depth + 1)
        if token in ("^", "_"):
            return _raised(self._argument(depth), token)
        if token == "~" or token.isspace():
            return " "
        if token == "&":
            return " "
        if token.startswith("\\"):
            return self._command(token[1:], depth)
        return token

    def _argument(self, depth: int) -> str:
        """The group or sign that a command takes."""
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        if self._at >= len(self._tokens) or self._tokens[self._at] == "}":
            return ""
        if depth > MAX_DEPTH:
            raise _TooDeep
        return self._one(depth + 1)

    def _command(self, name: str, depth: int) -> str:
        if name in _SYMBOLS:
            return _SYMBOLS[name]
        if name in _SIGNS:
            return _SIGNS[name]
        if name in _NOTHING:
            return ""
        if name in ("frac", "dfrac", "tfrac"):
            above, below = self._argument(depth), self._argument(depth)
            return f"{_grouped(above)}/{_grouped(below)}"
        if name == "sqrt":
            return "√" + _grouped(self._argument(depth))
        if name == "mathbb":
            argument = self._argument(depth)
            return _DOUBLE.get(argument, argument)
        if name in _PLAIN:
            return self._argument(depth)
        if name in _ACCENTS:
            argument = self._argument(depth)
            return argument + _ACCENTS[name] if len(argument) == 1 else argument
        if name.isalpha() and len(name) > 1:
            return self._named(name, depth)
        return "\\" + name

    def _named(self, name: str, depth: int) -> str:
        """A function such as log stays a word; what is not known stays as it is written."""
        known = {"log", "ln", "exp", "sin", "cos", "tan", "min", "max", "arg", "lim", "sup", "inf",
                 "det", "dim", "ker", "gcd", "deg", "mod", "bmod", "Pr", "argmax", "argmin",
                 "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "cot", "sec"}  # fmt: skip
        if name in known:
            return name
        if self._at < len(self._tokens) and self._tokens[self._at] == "{":
            self._at += 1
            return f"\\{name}{{{self.sequence(depth + 1)}}}"
        return "\\" + name


def _raised(text: str, sign: str) -> str:
    """As superscript or subscript where every character has one."""
    table = _UP if sign == "^" else _DOWN
    bare = text.strip()
    if bare and all(character in table for character in bare):
        return "".join(table[character] for character in bare)
    return sign + _grouped(bare)


def _grouped(text: str) -> str:
    """In parentheses, unless it is one thing."""
    bare = text.strip()
    return bare if len(bare) == 1 or bare.isalnum() else f"({bare})"
