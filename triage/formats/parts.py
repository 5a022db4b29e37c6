"""The nested parts of a record, made ready for the models: every reader returns plain, rightly typed values.

A reader raises `Unreadable` where the field as a whole can't be used, and calls `note` for a part of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from triage.formats.values import Unreadable, entries, flag, ident, idents, items, number, shown, text

Note = Callable[[str, str], None]
"""Takes the place inside the field (`[1].score`) and the reason."""

SCORE_ALIASES = {"relevancy": "answer_relevancy", "correctness": "answer_correctness"}
KNOWN_SCORES = (
    "faithfulness", "answer_relevancy", "answer_correctness", "factual_correctness", "completeness",
    "groundedness", "clarity",
)  # fmt: skip
TOP_SCORES = {**{name: name for name in KNOWN_SCORES}, **SCORE_ALIASES}
"""Score names that may stand at the record's top level."""

_EMPTY: tuple[Any, ...] = (None, "", [], {})
_DOCUMENT_PARTS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("text", text),
    ("score", number),
    ("title", text),
    ("version", text),
)
_PARAMS = ("params", "arguments", "args", "kwargs")


def _maybe(read: Callable[[Any], Any], source: dict[str, Any], key: str, place: str, note: Note) -> Any:
    """`source[key]` by `read`; None, with a note, where it can't be read."""
    value = source.get(key)
    if value is None:
        return None
    try:
        return read(value)
    except Unreadable as error:
        note(f"{place}.{key}", str(error))
        return None


def documents(value: Any, note: Note) -> list[dict[str, Any]]:
    """A ranked list of documents: ids, or objects with an `id`."""
    read = []
    for index, item in enumerate(items(value)):
        if not isinstance(item, dict):
            try:
                read.append({"id": ident(item)})
            except Unreadable as error:
                raise Unreadable(f"item {index + 1}: {error}") from None
            continue
        read.append(_document(item, index, note))
    return read


def evidence(value: Any, note: Note) -> list[dict[str, Any]]:
    """Documents with their texts."""
    for index, item in enumerate(items(value)):
        if not isinstance(item, dict):
            raise Unreadable(f"item {index + 1}: {shown(item)} is no object with id and text")
    return documents(value, note)


def _document(item: dict[str, Any], index: int, note: Note) -> dict[str, Any]:
    if item.get("id") is None:
        raise Unreadable(f"item {index + 1} has no id")
    place = f"[{index + 1}]"
    try:
        read: dict[str, Any] = {"id": ident(item["id"])}
    except Unreadable as error:
        raise Unreadable(f"item {index + 1}: {error}") from None
    for key, reader in _DOCUMENT_PARTS:
        value = item.get(key)
        if value is not None:
            # Nearly all texts are texts; only the others need a closer look.
            read[key] = (
                value if type(value) is str and reader is text else _maybe(reader, item, key, place, note)
            )
    return read


def scores(value: Any, note: Note) -> dict[str, float]:
    """Scores by name, aliases resolved; what is no finite number is left out.

    An alias speaks where its name itself is not recorded, or can't be read.
    """
    read: dict[str, float] = {}
    given = {name: item for name, item in entries(value).items() if item is not None}
    for name in sorted(given, key=SCORE_ALIASES.__contains__):
        known = SCORE_ALIASES.get(name, name)
        if known in read:
            note(f".{name}", f"{known} is recorded too and is used")
            continue
        try:
            read[known] = number(given[name])
        except Unreadable as error:
            note(f".{name}", str(error))
    return read


def judges(value: Any, note: Note) -> list[dict[str, Any]]:
    """Several judges' scores."""
    read = []
    for index, item in enumerate(items(value)):
        if not isinstance(item, dict):
            raise Unreadable(f"item {index + 1}: {shown(item)} is no judge")
        place = f"[{index + 1}]"

        def inner(where: str, reason: str, place: str = place) -> None:
            note(f"{place}.scores{where}", reason)

        one: dict[str, Any] = {"judge": _maybe(text, item, "judge", place, note) or str(index + 1)}
        if item.get("scores") is not None:
            try:
                one["scores"] = scores(item["scores"], inner)
            except Unreadable as error:
                note(f"{place}.scores", str(error))
        one["reason"] = _maybe(text, item, "reason", place, note)
        read.append(one)
    return read


def judges_mean(read: list[dict[str, Any]]) -> dict[str, float]:
    """The mean of several judges' scores, each over the judges that gave it."""
    given: dict[str, list[float]] = {}
    for judge in read:
        for name, value in judge.get("scores", {}).items():
            given.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in given.items()}


def facts(value: Any, note: Note, place: str = "") -> list[dict[str, Any]]:
    """Golden facts: texts (not judged), or objects with `fact` and `hit`."""
    read = []
    for index, item in enumerate(items(value)):
        if isinstance(item, dict):
            if item.get("fact") is None:
                raise Unreadable(f"item {index + 1} has no fact")
            here = f"{place}[{index + 1}]"
            read.append({"fact": text(item["fact"]), "hit": _maybe(flag, item, "hit", here, note)})
        else:
            read.append({"fact": text(item)})
    return read


def golden(value: Any, note: Note) -> dict[str, Any]:
    """Golden facts by kind."""
    read: dict[str, Any] = {}
    for kind in ("must", "compare", "exclude"):
        if entries(value).get(kind) is None:
            continue
        try:
            read[kind] = facts(value[kind], note, f".{kind}")
        except Unreadable as error:
            note(f".{kind}", str(error))
    return read


def plan(value: Any, note: Note) -> list[Any]:
    """Retrieval steps; a nested list is a parallel group."""
    read: list[Any] = []
    for index, item in enumerate(items(value)):
        try:
            read.append([_step(one) for one in item] if isinstance(item, list) else _step(item))
        except Unreadable as error:
            raise Unreadable(f"step {index + 1}: {error}") from None
    return read


def _step(item: Any) -> dict[str, Any]:
    if not isinstance(item, dict):
        return {"step": text(item)}
    if item.get("step") is None:
        raise Unreadable("no name of the step")
    return {"step": text(item["step"]), "ids": None if item.get("ids") is None else idents(item["ids"])}


def tools(value: Any, note: Note) -> list[Any]:
    """Tool calls; a nested list is a parallel group."""
    read: list[Any] = []
    for index, item in enumerate(items(value)):
        try:
            read.append([_call(one) for one in item] if isinstance(item, list) else _call(item))
        except Unreadable as error:
            raise Unreadable(f"call {index + 1}: {error}") from None
    return read


def _call(item: Any) -> dict[str, Any]:
    if isinstance(item, str):
        return {"name": item}
    call = entries(item)
    if call.get("name") is None and isinstance(call.get("function"), dict):
        call = {**call, **call["function"]}
    if call.get("name") is None:
        raise Unreadable("no name of the tool")
    given: Any = next((call[key] for key in _PARAMS if call.get(key) is not None), {})
    if isinstance(given, str):
        given = _parsed(given)
    read: dict[str, Any] = {"name": text(call["name"]), "params": entries(given)}
    for key in ("ok", "strict"):
        if call.get(key) is not None:
            read[key] = flag(call[key])
    empty = flag(call["empty"]) if call.get("empty") is not None else False
    if "result" in call:
        read["result"] = call["result"]
        # 0 and false are results; only their like may compare equal to nothing.
        empty = empty or any(call["result"] == one and type(call["result"]) is type(one) for one in _EMPTY)
    return {**read, "empty": empty}


def _parsed(given: str) -> Any:
    """Parameters that a chat API wrote as JSON inside a text."""
    try:
        return json.loads(given) if given.strip() else {}
    except (ValueError, RecursionError):
        raise Unreadable("parameters are no JSON object") from None


def conflict(value: Any, note: Note) -> dict[str, Any]:
    """Conflicting sources: what was expected, and whether the answer named the difference."""
    read = entries(value)
    kinds = (("expected", text), ("resolved", flag), ("correct", flag))
    return {key: _maybe(reader, read, key, "", note) for key, reader in kinds}


def attempts(value: Any, note: Note) -> list[dict[str, Any]]:
    """Repeated samples: objects, or truth values alone."""
    read = []
    for index, item in enumerate(items(value)):
        if isinstance(item, bool):
            read.append({"passed": item})
            continue
        if not isinstance(item, dict):
            raise Unreadable(f"item {index + 1}: {shown(item)} is no attempt")
        place = f"[{index + 1}]"
        answer, passed = _maybe(text, item, "answer", place, note), _maybe(flag, item, "passed", place, note)
        read.append({"answer": answer, "passed": passed})
    return read


def history(value: Any, note: Note) -> list[dict[str, Any]]:
    """Chat messages as chat APIs write them; `text` stands for `content`, parts are joined."""
    read = []
    for index, item in enumerate(items(value)):
        if not isinstance(item, dict):
            raise Unreadable(f"item {index + 1}: {shown(item)} is no message")
        place = f"[{index + 1}]"
        role = item.get("role")
        role = role if type(role) is str else _maybe(text, item, "role", place, note)
        words = item.get("content") if item.get("content") is not None else item.get("text")
        name = _maybe(text, item, "name", place, note)
        message = {"role": role or "", "content": content(words), "name": name}
        if item.get("tool_calls") is not None:
            message["tool_calls"] = item["tool_calls"]
        read.append(message)
    return read


def content(value: Any) -> str | None:
    """What a chat message says; parts are joined, anything else is told as its JSON."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        texts = [
            part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str)
        ]
        if len(texts) == len(value):
            return "\n".join(texts)
    return json.dumps(value, ensure_ascii=False)


def turns(value: Any, note: Note) -> list[dict[str, Any]]:
    """Judged turns, each an object as it came, but for what measures read of it: its slots and `passed`."""
    read: list[dict[str, Any]] = []
    for index, item in enumerate(items(value)):
        if not isinstance(item, dict):
            raise Unreadable(f"turn {index + 1}: {shown(item)} is no object")
        judged = {
            key: _maybe(reader, item, key, f"[{index + 1}]", note)
            for key, reader in (("passed", flag), ("slots", entries), ("expected_slots", entries))
            if item.get(key) is not None
        }
        read.append({**item, **judged})
    return read


def feedback(value: Any, note: Note) -> dict[str, Any]:
    """What the user did or said afterwards."""
    given = entries(value)
    return {
        "thumb": _maybe(_thumb, given, "thumb", "", note),
        **{key: _maybe(flag, given, key, "", note) for key in ("repeated", "no_follow_up", "handed_off")},
    }


def _thumb(value: Any) -> str:
    word = value.strip().casefold() if isinstance(value, str) else ""
    if word not in ("up", "down"):
        raise Unreadable(f"{shown(value)} is neither up nor down")
    return word


def routes(value: Any, note: Note) -> list[str]:
    """Accepted routes: one, or a list."""
    return idents(value if isinstance(value, list) else [value])
