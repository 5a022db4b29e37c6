"""The user's keys: `[keys]` of the settings checked, clashes settled, and told to Textual in its terms."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from textual.keys import Keys

from triage.errors import did_you_mean
from triage.ui.actions import Action
from triage.ui.keys import (
    ACTIONS,
    ALIAS,
    ANYWHERE,
    BY_ID,
    HEARD,
    NO_KEY,
    binding_id,
    binding_keys,
    character_of,
    shown,
    typed,
)

ALWAYS = ("back", "palette", "quit", "filter.close", "runs.back", "slices.back", "reading.pause")
"""Actions that keep their keys rather than have none: without them there is no way out or on."""
_FIELDS = ("filter", "note")
"""Places where text is typed."""
_NAMES = frozenset(key.value for key in Keys if not key.value.startswith("<"))
_MODIFIERS = ("ctrl", "shift", "alt", "super", "hyper", "meta")
_SAME = {
    "esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup",
    "pgdn": "pagedown", "pgdown": "pagedown", "bs": "backspace", "spacebar": "space", " ": "space",
    "control": "ctrl", "option": "alt", "\u3000": "ideographic_space",
    "ctrl+i": "tab", "ctrl+m": "enter", "ctrl+h": "backspace", "ctrl+left_square_bracket": "escape",
    "ctrl+slash": "ctrl+underscore", "ctrl+space": "ctrl+@", "ctrl+at": "ctrl+@",
}  # fmt: skip
"""Names that people write -> Textual's; those with ctrl are one and the same to a terminal."""
_FULL_WIDTH = 0xFEE0
"""From a printable ASCII character to its full-width form."""


class Told(NamedTuple):
    """What could not be done: the id under `[keys]` that asked for it; why, and what was done instead."""

    ident: str
    reason: str


class Keyboard(NamedTuple):
    """The keys in force.

    Args:
        changed: binding id -> keys joined by commas, for every id that is not as it is by default.
        textual: the same for `App.set_keymap`, with the ids that Textual must be told of besides.
        problems: what of the settings could not be done, and what was done instead.
    """

    changed: dict[str, str]
    textual: dict[str, str]
    problems: list[Told]


def key_named(text: str) -> str | None:
    """A key as Textual names it, from how a person writes it; None = there is no such key."""
    text = _SAME.get(text, text.strip())
    if len(text) == 1:
        return _named(text) if text.isprintable() else None
    *modifiers, last = text.split("+") if not text.endswith("++") else [*text[:-2].split("+"), "+"]
    modifiers = [_SAME.get(word.lower(), word.lower()) for word in modifiers]
    if not last or any(word not in _MODIFIERS for word in modifiers):
        return None
    if modifiers and not last.isascii():
        return None
    if len(last) > 1:
        last = _SAME.get(last.lower(), last.lower())
    if modifiers == ["shift"] and len(last) == 1 and last.isalpha():
        return last.upper()
    last = _named(last.lower() if modifiers else last) if len(last) == 1 else last
    whole = "+".join([*modifiers, last])
    whole = _SAME.get(whole, whole)
    if len(last) > 1 and not {last, whole} & _NAMES and not character_of(last):
        return None
    return whole


def _named(character: str) -> str:
    """Textual's name of a character's key: `question_mark`, `space`, `a`."""
    if character.isalnum() or not character.isprintable():
        return character
    # The public way from a character to its key is the one from a binding.
    from textual.binding import Binding

    return next(iter(Binding.make_bindings([Binding(character if character != "," else "comma", "x")]))).key


def keyboard(asked: Mapping[str, str]) -> Keyboard:
    """The keys that follow from `[keys]`: action id -> keys joined by commas, "" = none.

    What is asked for wins over a default; of two that ask for one key the first in the table keeps it.
    """
    problems: list[Told] = []
    wanted: dict[str, list[str]] = {}
    for ident, text in asked.items():
        action = BY_ID.get(ident)
        if action is None:
            hint = did_you_mean(ident, BY_ID, "triage settings --write lists the ids")
            problems.append(Told(ident, f"no such action ({hint})"))
        elif (keys := _asked(action, text, problems)) is not None:
            wanted[ident] = keys
    taken = _settled(wanted, problems)
    changed: dict[str, str] = {}
    for action in ACTIONS:
        keys, aliases = taken[action.id], taken[action.id + ALIAS]
        if keys != [_plain(key) for key in action.keys]:
            changed[action.id] = ",".join(keys)
        if aliases != [_plain(alias) for alias in action.aliases]:
            changed[action.id + ALIAS] = ",".join(aliases)
    return Keyboard(changed, _for_textual(changed, taken), problems)


def _plain(key: str) -> str:
    return _named(key) if len(key) == 1 else key


def _asked(action: Action, text: str, problems: list[Told]) -> list[str] | None:
    """The keys asked for an action; None = it keeps its own."""
    keys: list[str] = []

    def tell(reason: str) -> None:
        problems.append(Told(action.id, reason))

    alone = text in (",", " ", "\u3000")
    words = [text] if alone else [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        key = key_named(word)
        if key is None:
            hint = did_you_mean(word.lower(), (*_NAMES, *_SAME), "one such as u, ctrl+u, f5, comma")
            tell(f"no such key: {word} ({hint})")
        elif action.where in _FIELDS and typed(key):
            tell(f"{shown(key)} is written into the field, so it can't be a key there")
        elif action.where in _FIELDS and key in _field_keys(action.where):
            tell(f"{shown(key)} moves or changes the text in the field")
        else:
            keys.append(key)
    if words and not keys:
        return None
    if action.id in ALWAYS and not keys:
        tell(f"can't be without a key, so it keeps {' '.join(map(shown, action.keys))}")
        return None
    if action.id == "back" and all(typed(key) or key in _field_keys(*_FIELDS) for key in keys):
        tell(f"{' '.join(map(shown, keys))} can't leave a field, so esc does it as well")
        keys.append("escape")
    return list(dict.fromkeys(keys))


def _field_keys(*places: str) -> frozenset[str]:
    """Keys that the fields of these places keep for themselves."""
    from textual.binding import Binding
    from textual.widgets import Input, TextArea

    own = {"filter": Input.BINDINGS, "note": TextArea.BINDINGS}
    made = Binding.make_bindings([binding for place in places for binding in own[place]])
    return frozenset(binding.key for binding in made) - {"enter", "escape"}


def _full_width(action: Action, keys: Iterable[str]) -> list[str]:
    """What a Chinese input method sends for these keys, where the action is one that listens to that."""
    if not action.aliases:
        return []
    made = []
    for key in keys:
        own = [_plain(alias) for alias in action.aliases] if key == _plain(action.keys[0]) else []
        character = character_of(key)
        if character.isascii() and character > " ":
            own.append(_named(chr(ord(character) + _FULL_WIDTH)))
        made += own
    return list(dict.fromkeys(made))


def _together(one: Action, other: Action) -> bool:
    """Are both heard at one time, and not kept apart by what there is to do, as those with one default?"""
    if set(one.keys) & set(other.keys):
        return False
    return any(one.where in places and other.where in places for places in HEARD)


class _Board:
    """Which action has which key, no key doing two things in one place."""

    def __init__(self, asked: Container[str], problems: list[Told]) -> None:
        self._asked, self._problems = asked, problems
        self._holders: dict[str, list[Action]] = {}

    def take(self, action: Action, key: str) -> Action | None:
        """Who has the key already; None = it is the action's now."""
        for holder in self._holders.get(key, ()):
            if holder is not action and _together(holder, action):
                return holder
        self._holders.setdefault(key, []).append(action)
        return None

    def fill(self, action: Action, keys: Iterable[str], otherwise: Iterable[str] = ()) -> list[str]:
        """Give an action what is free of its keys; if nothing is, what is free of `otherwise`."""
        holders = {key: self.take(action, key) for key in dict.fromkeys(keys)}
        kept = [key for key, holder in holders.items() if holder is None]
        if holders and not kept:
            kept = [key for key in otherwise if self.take(action, key) is None]
        for key, holder in holders.items():
            if holder is not None:
                self._tell(action, holder, key, kept)
        return kept

    def _tell(self, action: Action, holder: Action, key: str, kept: list[str]) -> None:
        left = f"{action.id} is on {' '.join(map(shown, kept))}"
        if key in map(_plain, action.aliases):
            left = "that is one of its full-width forms"
        elif not kept:
            left = f"{action.id} has no key" + (", it is in the palette" if action.palette else "")
        ident = action.id if action.id in self._asked and holder.id not in self._asked else holder.id
        self._problems.append(Told(ident, f"{shown(key)} is {holder.id}, so not {action.id} as well: {left}"))


def _settled(wanted: Mapping[str, list[str]], problems: list[Told]) -> dict[str, list[str]]:
    """Every action's keys and full-width forms."""
    board = _Board(wanted, problems)
    own = {action.id: [_plain(key) for key in action.keys] for action in ACTIONS}
    for ident in ALWAYS:
        for key in wanted.get(ident, own[ident][-1:]):
            board.take(BY_ID[ident], key)
    taken: dict[str, list[str]] = {}
    for action in sorted(ACTIONS, key=lambda action: action.id not in wanted):
        taken[action.id] = board.fill(action, wanted.get(action.id, own[action.id]), own[action.id])
    for action in ACTIONS:
        aliases = [_plain(alias) for alias in action.aliases]
        if action.id in wanted:
            aliases = _full_width(action, taken[action.id])
        taken[action.id + ALIAS] = board.fill(action, aliases)
    return taken


def _ids(action: Action, taken: Mapping[str, list[str]]) -> Iterator[tuple[str, list[str], list[str]]]:
    """Textual's binding ids of an action, with the keys by default and now."""
    for ident, before in binding_keys(action).items():
        now = [key for key in taken[action.id] if binding_id(action, key) == ident]
        yield ident, [_plain(key) for key in before], now
    if action.aliases:
        yield action.id + ALIAS, [_plain(alias) for alias in action.aliases], taken[action.id + ALIAS]


def _for_textual(changed: Mapping[str, str], taken: Mapping[str, list[str]]) -> dict[str, str]:
    """A keymap that comes out right although Textual clears a key of all that it does when it rebinds one."""
    rows = [(action.where, *row) for action in ACTIONS for row in _ids(action, taken)]
    told = set(changed) | {f"{ident}{ANYWHERE}" for ident in changed}
    while True:
        keys = {
            (where, key) for where, ident, before, now in rows if ident in told for key in (*before, *now)
        }
        more = {
            ident
            for where, ident, before, now in rows
            if any((where, key) in keys for key in (*before, *now))
        }
        if more <= told:
            break
        told |= more
    return {ident: ",".join(now) or NO_KEY for _, ident, _, now in rows if ident in told}
