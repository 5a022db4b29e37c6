"""Every action, once: bindings, footer, help, palette and README's key table are drawn from here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from textual.binding import Binding
from textual.keys import REPLACED_KEYS, format_key, key_to_character

from triage.ui.actions import APP, CASES, Action, Group, Where
from triage.ui.actions_over import OVER
from triage.ui.actions_review import REVIEW

HEARD: tuple[tuple[Where, ...], ...] = (
    ("list", "screen", "app"),
    ("panels", "screen", "app"),
    ("doors", "screen", "app"),
    ("filter", "screen", "app"),
    ("note",),
    ("runs", "app"),
    ("slices", "app"),
    ("codes", "app"),
    ("groups", "app"),
    ("agreement", "app"),
    ("judges", "app"),
    ("reviewed", "app"),
    ("review", "app"),
    ("disputes", "app"),
    ("reading", "app"),
)
"""Places whose keys are heard at one time, nearest first: one key can't do two things there."""
SCREENS: Mapping[str, tuple[Where, ...]] = {
    "triage": ("screen", "list", "panels", "doors", "filter", "note"),
    "runs": ("runs",),
    "slices": ("slices",),
    "codes": ("codes",),
    "groups": ("groups",),
    "agreement": ("agreement",),
    "judges": ("judges",),
    "reviewed": ("reviewed",),
    "review": ("review",),
    "disputes": ("disputes",),
    "reading": ("reading",),
}
"""The places that make up a screen, for its help; "app" is heard in each."""
ACTIONS: tuple[Action, ...] = (*CASES, *OVER, *REVIEW, *APP)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}
GROUPS: Mapping[Group, str] = {
    "verdict": "verdicts",
    "note": "notes and labels",
    "move": "moving",
    "look": "filter and view",
    "run": "runs and files",
    "app": "the app",
}


NO_KEY = "no_key"
"""A key that no terminal sends: it holds the place of an action without a key, so that it can get one."""
ALIAS, ANYWHERE = ":alias", ":anywhere"
"""Endings of a binding's id: its full-width forms, and the keys that work from inside a field too."""


_ANYWHERE = ("quit", "suspend")
"""Actions that a key which writes nothing does from inside a field too."""


_HYPHENED = {"fullwidth_hyphen_minus": "\uff0d"}
"""A name of a key from which its character's own name does not follow."""


def character_of(key: str) -> str:
    """The character that a key writes, "" = none; Textual has none for short names such as `slash`."""
    named = key_to_character(key) or _HYPHENED.get(key)
    return named or (key_to_character(REPLACED_KEYS[key]) or "" if key in REPLACED_KEYS else "")


def typed(key: str) -> bool:
    """Does the key write a character, so that a field keeps it for itself?"""
    return (character_of(key) or "\n").isprintable()


def binding_id(action: Action, key: str) -> str:
    """The id under which Textual rebinds this key of an action."""
    return action.id + (ANYWHERE if action.id in _ANYWHERE and not typed(key) else "")


def binding_keys(action: Action) -> dict[str, list[str]]:
    """Textual's binding ids of an action -> its keys under each; one without a key can be given one."""
    idents = (action.id, action.id + ANYWHERE) if action.id in _ANYWHERE else (action.id,)
    made = {ident: [key for key in action.keys if binding_id(action, key) == ident] for ident in idents}
    return {ident: keys or [NO_KEY] for ident, keys in made.items()}


def bindings(where: Where) -> list[Binding]:
    """Textual bindings of what `where` binds."""
    made: list[Binding] = []
    for action in ACTIONS:
        if action.where != where:
            continue
        for ident, keys in binding_keys(action).items():
            priority = ident.endswith(ANYWHERE)
            made.extend(
                Binding(key, action.run, action.says, show=False, id=ident, priority=priority) for key in keys
            )
        for alias in action.aliases:
            made.append(Binding(alias, action.run, show=False, system=True, id=action.id + ALIAS))
    return made


def same_keys(**runs: str) -> list[Binding]:
    """Bindings of actions that do something of their own elsewhere: id (`_` for `.`) -> Textual action."""
    made: list[Binding] = []
    for name, run in runs.items():
        action = BY_ID[name.replace("_", ".")]
        made.extend(
            Binding(key, run, show=False, id=action.id)
            for key in action.keys
            if typed(key) or action.id not in _ANYWHERE
        )
        made.extend(Binding(alias, run, show=False, id=action.id + ALIAS) for alias in action.aliases)
    return made


_SHOWN = {
    "ideographic_space": "full-width space",
    "escape": "esc",
    "space": "space",
    "pagedown": "pgdn",
    "pageup": "pgup",
}


def shown(key: str) -> str:
    """A key as it is written for people: `esc`, `ctrl+s`, `/`."""
    if key in _SHOWN or len(key) == 1:
        return _SHOWN.get(key, key)
    if typed(key):
        return character_of(key)
    *modifiers, last = key.split("+")
    named = _SHOWN.get(last) or (
        last if last in {"enter", "tab", "up", "down", "left", "right", "home", "end", "backspace"} else ""
    )
    return "+".join([*modifiers, named or format_key(last)])


def keys_of(action: Action, keymap: Mapping[str, str]) -> tuple[str, ...]:
    """Keys of an action under the user's `keymap` (id -> keys joined by commas), written for people."""
    raw = keymap.get(action.id)
    keys: Iterable[str] = action.keys if raw is None else filter(None, raw.split(","))
    return tuple(shown(key.strip()) for key in keys)


def aliases_of(action: Action, keymap: Mapping[str, str]) -> tuple[str, ...]:
    """The full-width forms of its keys, written for people."""
    raw = keymap.get(action.id + ALIAS)
    aliases: Iterable[str] = action.aliases if raw is None else filter(None, raw.split(","))
    return tuple(shown(alias) for alias in aliases)


def shown_key(ident: str, keymap: Mapping[str, str]) -> str:
    """The key that is named for an action; what has none is in the palette, so that one's key."""
    return next(iter(keys_of(BY_ID[ident], keymap) or keys_of(BY_ID["palette"], keymap)))


def shown_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """Action id -> the key that is named for it."""
    return {action.id: shown_key(action.id, keymap) for action in ACTIONS}


_IN_HINT = re.compile(r"\{([a-z.]+)\}|(?:^|(?<=   )|(?<= or ))esc\b")


def keyed(hint: str, keymap: Mapping[str, str]) -> str:
    """A hint with the keys as the user has them: for `{note.save}`, and for an `esc` that begins an item."""
    keys = shown_keys(keymap)
    return _IN_HINT.sub(lambda found: keys.get(found[1] or "back", found[0]), hint)


def key_table() -> str:
    """README's table of keys, as Markdown: by group and screen, each with the id that rebinds it."""
    lines = ["| key | does | id |", "| --- | --- | --- |"]
    for name, places in SCREENS.items():
        here = [
            action for action in ACTIONS if action.where in (*places, *(("app",) if name == "triage" else ()))
        ]
        parts = GROUPS.items() if name == "triage" else [(None, f"on the {name.capitalize()} screen")]
        for group, title in parts:
            lines.append(f"| **{title}** | | |")
            for action in here:
                if group in (None, action.group):
                    keys = " ".join(f"`{key}`" for key in keys_of(action, {})) or "(palette)"
                    lines.append(f"| {keys} | {action.says} | `{action.id}` |")
    return "\n".join(lines)
