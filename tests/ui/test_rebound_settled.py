"""`[keys]` of the settings: which keys come of it, and what is told."""

from __future__ import annotations

import string

import pytest
from textual.binding import BindingsMap

from triage.ui.keymap import ALWAYS, Keyboard, key_named, keyboard
from triage.ui.keys import (
    ACTIONS,
    ALIAS,
    BY_ID,
    HEARD,
    NO_KEY,
    bindings,
    keyed,
    keys_of,
    shown,
    shown_keys,
    typed,
)


def reasons(made: Keyboard) -> list[str]:
    return [f"{told.ident}: {told.reason}" for told in made.problems]


def bound(where: str, made: Keyboard) -> dict[str, list[str]]:
    """Key -> ids of the actions that Textual does on it."""
    made_of = BindingsMap(bindings(where))
    made_of.apply_keymap(made.textual)
    found: dict[str, list[str]] = {}
    for key, binding in made_of:
        if key != NO_KEY:
            found.setdefault(key, []).append((binding.id or "").partition(":")[0])
    return {key: sorted(set(ids)) for key, ids in found.items()}


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("?", "question_mark"), (",", "comma"), ("comma", "comma"), ("esc", "escape"), ("Esc", "escape"),
        ("ctrl+S", "ctrl+s"), ("Control+s", "ctrl+s"), ("PgUp", "pageup"), ("shift+a", "A"), ("f5", "f5"),
        ("space", "space"), ("Return", "enter"), ("ctrl+i", "tab"), ("ж", "ж"), ("、", "ideographic_comma"),
        ("/", "slash"), ("-", "minus"), ("\u3000", "ideographic_space"), ("ctrl+/", "ctrl+underscore"),
        ("ctrl+@", "ctrl+@"), ("ctrl+[", "escape"), ("ctrl+h", "backspace"), ("ctrl+\\", "ctrl+backslash"),
        ("\x1b", None), ("\u200d", None), ("ctrl+退", None), ("u\u0301", None),
        ("f50", None), ("foo", None), ("cmd+x", None), ("", None), ("ctrl+", None),
    ],
)  # fmt: skip
def test_a_key_is_known_however_it_is_written(written: str, key: str | None) -> None:
    assert key_named(written) == key


@pytest.mark.parametrize("sign", [*string.punctuation, *"，。；？－＋＠＼＿／《》“—·×é退👍"])
def test_a_key_that_writes_is_known_as_one_and_shown_as_written(sign: str) -> None:
    key = key_named(sign)
    assert key is not None
    assert typed(key) and shown(key) == sign
    made = keyboard(dict.fromkeys(("filter.leave", "quit"), sign))
    assert [told.reason for told in made.problems if told.ident == "filter.leave"] == [
        f"{sign} is written into the field, so it can't be a key there"
    ]
    # A key that writes never ends the app from within a note.
    assert made.textual["quit:anywhere"] == "no_key"


def test_every_default_written_down_is_the_default() -> None:
    made = keyboard({action.id: ",".join(action.keys) for action in ACTIONS})
    assert made == ({}, {}, [])


@pytest.mark.parametrize(
    ("asked", "told", "changed"),
    [
        ({"undo": "w"}, [], {"undo": "w"}),
        ({"undo": "w, ctrl+u"}, [], {"undo": "w,ctrl+u"}),
        ({"undo": ""}, [], {"undo": ""}),
        ({"reviewer": "N"}, [], {"reviewer": "N"}),
        ({"undo": "z", "unfold": "u"}, [], {"undo": "z", "unfold": "u"}),
        ({"undoo": "w"}, ["undoo: no such action (did you mean undo?)"], {}),
        ({"undo": "escpe"}, ["undo: no such key: escpe (did you mean escape?)"], {}),
        (
            {"undo": "n"},
            ["undo: n is undo, so not note as well: note has no key, it is in the palette"],
            {"undo": "n", "note": ""},
        ),
        (
            {"redo": "w", "undo": "w"},
            ["undo: w is undo, so not redo as well: redo is on U"],
            {"undo": "w"},
        ),
        ({"undo": "down"}, ["undo: down is undo, so not down as well: down has no key"], None),
        (
            {"undo": "？"},
            ["undo: ？ is undo, so not help as well: that is one of its full-width forms"],
            {"undo": "fullwidth_question_mark", "help:alias": ""},
        ),
        ({"help": "f1"}, [], {"help": "f1", "help:alias": ""}),
        ({"document": "w"}, [], {"document": "w"}),
        (
            {"note.save": "s"},
            ["note.save: s is written into the field, so it can't be a key there"],
            {},
        ),
        (
            {"note.save": "ctrl+k,f2"},
            ["note.save: ctrl+k moves or changes the text in the field"],
            {"note.save": "f2"},
        ),
        ({"back": ""}, ["back: can't be without a key, so it keeps esc"], {}),
        ({"back": "w"}, ["back: w can't leave a field, so esc does it as well"], {"back": "w,escape"}),
        ({"undo": "ctrl+p"}, ["undo: ctrl+p is palette, so not undo as well: undo is on u"], {}),
    ],
)
def test_what_is_asked_for_is_done_or_told(
    asked: dict[str, str], told: list[str], changed: dict[str, str] | None
) -> None:
    made = keyboard(asked)
    assert reasons(made)[: len(told)] == told
    if changed is not None:
        assert reasons(made) == told
        assert made.changed == changed


@pytest.mark.parametrize("ident", BY_ID)
def test_rebinding_one_action_leaves_every_other_as_it_was(ident: str) -> None:
    """Textual clears a key of everything when it rebinds it: two actions share `o`, and `d`."""
    where = BY_ID[ident].where
    before = bound(where, Keyboard({}, {}, []))
    made = keyboard({ident: "f12"})
    assert made.problems == []
    after = bound(where, made)
    assert after.pop("f12") == [ident]
    wanted = {key: [name for name in ids if name != ident] for key, ids in before.items()}
    assert after == {key: ids for key, ids in wanted.items() if ids}


@pytest.mark.parametrize("ident", [ident for ident in BY_ID if ident not in ALWAYS])
def test_every_other_action_can_be_without_a_key(ident: str) -> None:
    made = keyboard({ident: ""})
    assert made.problems == []
    assert not any(ident in ids for ids in bound(BY_ID[ident].where, made).values())
    assert keys_of(BY_ID[ident], made.changed) == ()
    assert shown_keys(made.changed)[ident] == "ctrl+p"


def test_quitting_by_a_letter_is_not_done_inside_a_field() -> None:
    made = BindingsMap(bindings("app"))
    made.apply_keymap(keyboard({"quit": "Q, f10", "suspend": "Z"}).textual)
    priority = {key: binding.priority for key, binding in made}
    assert (priority["Q"], priority["f10"], priority["Z"]) == (False, True, False)


def test_full_width_forms_follow_the_key() -> None:
    made = keyboard({"verdict.retrieval": "7"})
    assert made.changed == {"verdict.retrieval": "7", "verdict.retrieval" + ALIAS: "７"}
    assert bound("screen", made)["７"] == ["verdict.retrieval"]
    assert "１" not in bound("screen", made)


def test_a_hint_names_the_keys_as_they_are() -> None:
    hint = "{note.save} saves   esc, then y saves   esc leaves   {no such} {braces.of.data}"
    assert keyed(hint, {}) == "ctrl+s saves   esc, then y saves   esc leaves   {no such} {braces.of.data}"
    changed = keyboard({"back": "ctrl+g", "note.save": "f2"}).changed
    assert keyed(hint, changed).startswith("f2 saves   ctrl+g, then y saves   ctrl+g leaves")


def test_every_action_is_heard_somewhere_and_every_key_can_be_written() -> None:
    places = {place for chain in HEARD for place in chain}
    assert {action.where for action in ACTIONS} <= places
    for action in ACTIONS:
        assert [shown(key_named(key) or "?!") for key in action.keys] == [shown(key) for key in action.keys]
