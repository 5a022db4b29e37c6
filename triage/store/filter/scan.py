"""The words of a filter text: which are names, which are values, where each begins.

luqum reads the structure, this reads the words, because three things that people type would be lost in its
lexer: a name that is no field is text (`kb:1`), the full-width marks of a Chinese keyboard, and marks inside
bare words (`[S1]`, `don't`, `C:/x`). Words therefore go to luqum as numbered stand-ins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from triage.store.filter.syntax import Word

MAX_WORDS = 200
MAX_NESTING = 40
MAX_LENGTH = 20_000

_COLON = ":："
_OPEN = "(（"
_CLOSE = ")）"
_WIDE_QUOTES = "“”"
_QUOTES = '"' + _WIDE_QUOTES
_OPERATORS = {"&&": "AND", "||": "OR"}
_WORD_OPERATORS = ("AND", "OR", "NOT")
_ESCAPABLE = frozenset("\\+-!(){}[]^\"~*?:/&|<>=' ：（）“”")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text does not parse, and the 1-based column where it shows."""

    title: str
    column: int
    hint: str = ""


@dataclass(slots=True)
class Scan:
    """A filter text in stand-ins: `w3` is `words[3]`, `f1:` is `names[1]`.

    `query` is what luqum parses; `places` maps offsets in it to columns of the typed text. `fault` is the
    first thing that can't be read; `named` tells that a known field was named anywhere.
    """

    words: list[Word] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    size: int = 0
    fault: Fault | None = None

    @property
    def query(self) -> str:
        """The text for luqum."""
        return "".join(self.pieces)

    @property
    def named(self) -> bool:
        """Does the text name a known field?"""
        return bool(self.names)

    def column(self, offset: int) -> int:
        """The typed column of the piece that stands at `offset` of `query`."""
        return max((place for place in self.places if place[0] <= offset), default=(0, 1))[1]


def scan(text: str, known: Callable[[str], bool]) -> Scan:
    """Cut `text` into stand-ins for luqum; never raises, a `fault` tells what is wrong.

    Args:
        text: the filter text as typed.
        known: tells whether a name before `:` is a field or a key of the run.
    """
    return _Scanner(text, known).run()


class _Scanner:
    def __init__(self, text: str, known: Callable[[str], bool]) -> None:
        self.text = text
        self.known = known
        self.at = 0
        self.out = Scan()
        self.groups: list[tuple[int, bool]] = []
        self.after_operand = False

    def run(self) -> Scan:
        if len(self.text) > MAX_LENGTH:
            self._fail("the filter is too long", MAX_LENGTH, f"at most {MAX_LENGTH} characters")
            return self.out
        while self.at < len(self.text):
            if self.text[self.at].isspace():
                self.at += 1
            else:
                self._step(self.text[self.at])
        if self.groups:
            self._fail("`(` is never closed", self.groups[-1][0])
        if len(self.out.words) > MAX_WORDS:
            self._fail("too many words", self.out.words[MAX_WORDS].column - 1, f"at most {MAX_WORDS}")
        return self.out

    @property
    def _in_field(self) -> bool:
        return bool(self.groups) and self.groups[-1][1]

    def _step(self, character: str) -> None:
        operator = _OPERATORS.get(self.text[self.at : self.at + 2])
        if operator:
            self._operator(operator, 2)
        elif character in _OPEN:
            self._open(self._in_field)
        elif character in _CLOSE:
            self._close()
        elif character == "!":
            self._operator("NOT", 1)
        elif character in "+-" and self._is_prefix(character):
            if character == "-":
                self._operator("NOT", 1)
            else:
                self.at += 1
        elif character in _QUOTES:
            self._phrase()
        elif self._in_field and character in "<>[{":
            self._start()
            self._value(self.at)
        else:
            self._bare()

    def _is_prefix(self, sign: str) -> bool:
        following = self.text[self.at + 1 : self.at + 2]
        if not following or following.isspace() or following == sign or following in _CLOSE:
            return False
        return not (self._in_field and following.isdigit())

    # what is written for luqum

    def _emit(self, piece: str, start: int) -> None:
        self.out.places.append((self.out.size, start + 1))
        self.out.pieces.append(piece)
        self.out.size += len(piece)

    def _start(self) -> None:
        # luqum binds a space weaker than OR before a word, stronger before `-`: so each space becomes an AND.
        if self.after_operand:
            self._emit("AND ", self.at)
        self.after_operand = False

    def _word(self, word: Word) -> None:
        self._emit(f"w{len(self.out.words)} ", word.column - 1)
        self.out.words.append(word)
        self.after_operand = True

    def _operator(self, operator: str, length: int) -> None:
        if operator == "NOT":
            self._start()
        self._emit(f"{operator} ", self.at)
        self.after_operand = False
        self.at += length

    def _open(self, in_field: bool) -> None:
        self._start()
        self.groups.append((self.at, in_field))
        if len(self.groups) > MAX_NESTING:
            self._fail("groups are nested too deeply", self.at, f"at most {MAX_NESTING} deep")
        self._emit("( ", self.at)
        self.at += 1

    def _close(self) -> None:
        if self.groups:
            self.groups.pop()
        else:
            self._fail("`)` without `(`", self.at)
        self._emit(") ", self.at)
        self.after_operand = True
        self.at += 1

    def _fail(self, title: str, offset: int, hint: str = "") -> None:
        if self.out.fault is None:
            self.out.fault = Fault(title, offset + 1, hint)

    # words, phrases, values

    def _bare(self) -> None:
        start = self.at
        name, end = self._read(start, stop=_COLON)
        if name and self._is_colon(end) and self.known(_text(name)):
            self._field(_text(name), start, end)
            return
        parts, end = self._read(start)
        self.at = end
        if self.text[start:end] in _WORD_OPERATORS:
            self.at = start
            self._operator(self.text[start:end], end - start)
            return
        self._start()
        self._word(_word(parts, start, wild=self._in_field))

    def _is_colon(self, at: int) -> bool:
        return at < len(self.text) and self.text[at] in _COLON

    def _phrase(self) -> None:
        start = self.at
        word = self._read_phrase()
        if word is None:
            return
        if self._is_colon(self.at) and self.known(word.text):
            self._field(word.text, start, self.at)
            return
        self._start()
        self._word(word)
        self._no_modifier()

    def _read_phrase(self) -> Word | None:
        start = self.at
        closing = self._closing_quote(start)
        if closing < 0:
            self._fail("the quote is never closed", start, 'a quote mark as text reads \\"')
            self.at = len(self.text)
            return None
        inner = self.text[start + 1 : closing]
        self.at = closing + 1
        return Word(inner.replace('\\"', '"').replace("\\\\", "\\"), start + 1)

    def _closing_quote(self, start: int) -> int:
        wide = self.text[start] in _WIDE_QUOTES
        for closers in (_WIDE_QUOTES, '"') if wide else ('"', _WIDE_QUOTES):
            at = start + 1
            while at < len(self.text):
                if self.text[at] == "\\" and self.text[at + 1 : at + 2] in ('"', "\\"):
                    at += 1
                elif self.text[at] in closers:
                    return at
                at += 1
        return -1

    def _no_modifier(self) -> None:
        mark = self.text[self.at : self.at + 1]
        if mark in ("~", "^"):
            self._fail(f"`{mark}` after a phrase", self.at, "there is no fuzzy or weighted search")
            self.at += 1

    def _field(self, name: str, start: int, colon: int) -> None:
        self._start()
        self._emit(f"f{len(self.out.names)}:", start)
        self.out.names.append(name)
        self.at = colon + 1
        self._value(start)

    def _value(self, start: int) -> None:
        gap = self._skip()
        first = self.text[self.at : self.at + 1]
        if not first or first in _CLOSE:
            self._fail(
                f"nothing after `{self.text[start : self.at].strip()}`", self.at, "`*` means: recorded"
            )
            self.after_operand = True
        elif first in _OPEN:
            self._open(True)
        elif first in _QUOTES:
            word = self._read_phrase()
            if word is not None:
                self._word(word)
                self._no_modifier()
        elif first in "[{":
            self._range()
        elif first in "<>":
            self._comparison()
        elif first == "!" and not gap:
            self._operator("NOT", 1)
            self._value(start)
        else:
            begin = self.at
            parts, self.at = self._read(begin)
            if gap and self.text[begin : self.at] in _WORD_OPERATORS:
                self._fail(f"nothing after `{self.text[start:begin].strip()}`", begin, "`*` means: recorded")
            self._word(_word(parts, begin, wild=True))

    def _comparison(self) -> None:
        start = self.at
        sign = self.text[self.at]
        self.at += 1
        if self.text[self.at : self.at + 1] == "=":
            sign += "="
            self.at += 1
        self._emit(sign, start)
        word = self._bound("")
        if word is None:
            self._fail(f"nothing after `{sign}`", self.at)
        else:
            self._word(word)

    def _range(self) -> None:
        start = self.at
        self.at += 1
        low = self._bound("]}")
        self._skip()
        to = self.text[self.at : self.at + 2] == "TO" and self.text[self.at + 2 : self.at + 3].isspace()
        self.at += 2 if to else 0
        high = self._bound("]}") if to else None
        self._skip()
        closing = self.text[self.at : self.at + 1]
        if low is None or high is None or closing not in ("]", "}"):
            self._fail("a range reads [a TO b]", start, "{a TO b} leaves the ends out, `*` is an open end")
            self.at = max(self.at, start + 1)
            self.after_operand = True
            return
        self._emit(self.text[start], start)
        self._word(low)
        self._emit("TO ", self.at)
        self._word(high)
        self._emit(f"{closing} ", self.at)
        self.at += 1

    def _bound(self, stop: str) -> Word | None:
        self._skip()
        first = self.text[self.at : self.at + 1]
        if first and first in _QUOTES:
            return self._read_phrase()
        start = self.at
        parts, self.at = self._read(start, stop=stop)
        return _word(parts, start, wild=True) if parts else None

    def _skip(self) -> int:
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at - start

    def _read(self, start: int, stop: str = "") -> tuple[list[tuple[str, bool]], int]:
        """Characters from `start` up to a space, group, quote or one of `stop`; each with "was escaped"."""
        parts: list[tuple[str, bool]] = []
        at = start
        while at < len(self.text):
            character = self.text[at]
            if character == "\\" and self.text[at + 1 : at + 2] in _ESCAPABLE and at + 1 < len(self.text):
                parts.append((self.text[at + 1], True))
                at += 2
                continue
            if character.isspace() or character in _OPEN or character in _CLOSE or character in _QUOTES:
                break
            if character in stop or self.text[at : at + 2] in _OPERATORS:
                break
            parts.append((character, False))
            at += 1
        return parts, at


def _text(parts: list[tuple[str, bool]]) -> str:
    return "".join(character for character, _ in parts)


def _word(parts: list[tuple[str, bool]], start: int, *, wild: bool) -> Word:
    pattern = None
    if wild and any(character in "*?" and not escaped for character, escaped in parts):
        cuts = [""]
        for character, escaped in parts:
            if character in "*?" and not escaped:
                cuts += [character, ""]
            else:
                cuts[-1] += character
        pattern = tuple(cuts)
    return Word(_text(parts), start + 1, pattern)
