"""One field and one value as an SQL condition. What a person typed only ever travels as a parameter.

Every condition is 0 or 1 and never NULL, so that its NOT is the complement, cases without the field included.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from triage.errors import FilterError
from triage.store.filter.dates import stored, stretch
from triage.store.filter.fields import Field
from triage.store.filter.match import number, spec, truth
from triage.store.filter.syntax import Span, Value, Word
from triage.store.search_tokens import question

if TYPE_CHECKING:
    from triage.store.search_tokens import Search

_LONGEST_LIKE = 10_000
"""Characters of an ASCII needle that, all escaped, stays within SQLite's 50,000 bytes a pattern."""


@dataclass(frozen=True, slots=True)
class Clause:
    """An SQL condition over the aliases c, p, m, r, and its parameters in order."""

    sql: str
    params: tuple[Any, ...] = ()


NEVER = Clause("0")
ALWAYS = Clause("1")


def never_null(sql: str, *params: Any) -> Clause:
    """The condition, 0 where it would be NULL."""
    return Clause(f"COALESCE({sql}, 0)", params)


def any_of(clauses: list[Clause]) -> Clause:
    """One of the conditions holds."""
    return _joined(" OR ", clauses) if clauses else NEVER


def all_of(clauses: list[Clause]) -> Clause:
    """Each of the conditions holds."""
    return _joined(" AND ", clauses) if clauses else ALWAYS


def negated(clause: Clause) -> Clause:
    """The complement."""
    return Clause(f"NOT {clause.sql}", clause.params)


_ALIAS = re.compile(r"\b([cmpr])\.")


def looked_up(clause: Clause, rev: int, run_id: str) -> Clause:
    """The same condition on a run, asked of its verdicts or of the index of ids, and not of every case.

    A run has few reviews beside its cases; a case without one passes none of these but `r.verdict IS NULL`.
    """
    if "r.verdict IS NULL" in clause.sql:
        return negated(looked_up(never_null("r.verdict IS NOT NULL"), rev, run_id))
    aliases = set(_ALIAS.findall(clause.sql))
    params: tuple[Any, ...] = (rev,)
    if aliases == {"c"} and clause.sql.count("c.") == clause.sql.count("c.case_id"):
        table, where = "cases n", "n.rev = ?"
    elif "r" in aliases and aliases <= {"c", "r"}:
        table = "reviews_now v CROSS JOIN cases n ON n.rev = ? AND n.case_id = v.case_id"
        where, params = "v.run_id = ?", (rev, run_id)
    else:
        return clause
    test = _ALIAS.sub(lambda found: {"c": "n.", "r": "v."}[found[1]], clause.sql)
    found = f"SELECT n.pk FROM {table} WHERE {where} AND {test}"
    return Clause(f"(m.case_pk IN ({found}))", (*params, *clause.params))


def _joined(word: str, clauses: list[Clause]) -> Clause:
    if len(clauses) == 1:
        return clauses[0]
    params = tuple(param for clause in clauses for param in clause.params)
    return Clause(f"({word.join(clause.sql for clause in clauses)})", params)


def refuse(title: str, column: int, hint: str = "") -> NoReturn:
    """Refuse a filter text.

    Raises:
        FilterError: always; `column` is 1-based.
    """
    raise FilterError(title, f"column {column}", hint, column=column)


def on_field(field: Field, value: Value, search: Search | None = None) -> Clause:
    """`field:value` for a field with a column of its own; `search` is the index of the run's texts.

    Raises:
        FilterError: the field can't take such a value.
    """
    if isinstance(value, Word) and value.is_star:
        return _recorded(field)
    if field.kind == "text":
        if isinstance(value, Span):
            refuse(f"`{field.name}` is text and has no order", value.column, f"as in {field.example}")
        test = contains(_QUERY if field.name == "query" else field.column, value)
        if search is None or field.name not in search.columns or value.pattern is not None:
            return test
        return _by_index(search, value.text, test, field.name)
    if field.kind == "word":
        return _word(field.column, value)
    if field.kind == "list":
        return _element(field.column, value)
    if field.kind == "truth":
        return _truth(field, value)
    if field.kind == "date":
        return _date(field, value)
    return numeric(field, value)


def _recorded(field: Field) -> Clause:
    if field.name == "note":
        return never_null("r.note <> ''")
    if field.name in ("label", "inferred"):
        return never_null(f"{field.column} NOT IN ('', '[]', 'null')")
    if field.kind == "list":
        return never_null(f"{field.column} <> 'null'")
    return Clause(f"({field.column} IS NOT NULL)")


# text


def is_caseless(text: str) -> bool:
    """True where comparing characters alone finds `text`: none has a case or is part of another's folding."""
    return all(
        character.casefold() == character.lower() == character.upper() == character
        and not unicodedata.combining(character)
        and character not in "\u02bc\u02be"
        for character in text
    )


_QUERY = "COALESCE(p.query, c.query)"
"""What was asked; a conversation without a query of its own asks by its last turn, which is in the row."""


def contains(column: str, word: Word) -> Clause:
    """`column` contains the word, case-folded."""
    if word.pattern is not None:
        return Clause(f"triage_test({column}, ?)", (spec(word, inside=True),))
    return _contains(column, word.text)


def _contains(column: str, text: str) -> Clause:
    if not text:
        return Clause(f"({column} IS NOT NULL)")
    if is_caseless(text):
        return never_null(f"instr({column}, ?) > 0", text)
    folded = text.casefold()
    if not folded.isascii() or "\0" in folded or len(folded) > _LONGEST_LIKE:
        return Clause(f"triage_has({column}, ?)", (folded,))
    # LIKE folds ASCII alone and stops at a NUL: only a text with more than ASCII is looked through again.
    found, pattern = _like(column, folded)
    return Clause(
        f"CASE WHEN {found} THEN 1 WHEN {_beyond_ascii(column)} THEN triage_has({column}, ?) ELSE 0 END",
        (pattern, folded),
    )


def _like(column: str, folded: str) -> tuple[str, str]:
    pattern = "".join(f"\\{letter}" if letter in "%_\\" else letter for letter in folded)
    return f"{column} LIKE ? ESCAPE '\\'", f"%{pattern}%"


def _beyond_ascii(column: str) -> str:
    return f"length(CAST({column} AS BLOB)) <> length({column})"


def anywhere(text: str, search: Search | None = None) -> Clause:
    """A bare word: query, answer or note contains `text` literally; `search` is the index of texts."""
    test = any_of([_contains(column, text) for column in (_QUERY, "p.answer", "r.note")])
    if search is None:
        return test
    noted = _contains("v.note", text)
    notes = f"""SELECT n.pk FROM reviews_now v CROSS JOIN cases n ON n.rev = ? AND n.case_id = v.case_id
        WHERE v.run_id = ? AND {noted.sql}"""
    return _by_index(search, text, test, "", Clause(notes, (search.rev, search.run_id, *noted.params)))


def _by_index(search: Search, text: str, test: Clause, column: str, others: Clause | None = None) -> Clause:
    """The cases that the index finds, or among `others`; looked through only where it is not sure.

    `test` is the condition without an index; `column` is a column of the index, "" = any.
    """
    asked = question(text)
    if asked is None:
        return test
    named = f"{column} : " if column else ""
    table = search.table
    if asked.phrases:
        found = Clause(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (f"{named}({asked.phrases})",))
    else:
        found = Clause(
            f"""SELECT s.rowid FROM search_words w CROSS JOIN {table} s
                WHERE w.rev = ? AND instr(w.word, ?) > 0 AND s.{table} MATCH ? || '"' || w.word || '"'""",
            (search.rev, asked.inside, named),
        )
    every = [found] if others is None else [found, others]
    params = tuple(param for clause in every for param in clause.params)
    within = Clause(f"m.case_pk IN ({' UNION ALL '.join(clause.sql for clause in every)})", params)
    return within if asked.sure else all_of([within, test])


# words


def equals(column: str, text: str) -> Clause:
    """`column` equals `text`, case-folded."""
    if is_caseless(text):
        return never_null(f"{column} = ?", text)
    folded = text.casefold()
    if not folded.isascii():
        return never_null(f"triage_fold({column}) = ?", folded)
    wide = f"{_beyond_ascii(column)} THEN triage_fold({column}) = ?"
    return never_null(f"CASE WHEN {wide} ELSE {column} = ? COLLATE NOCASE END", folded, folded)


def _word(column: str, value: Value) -> Clause:
    if isinstance(value, Word) and value.pattern is None:
        return equals(column, value.text)
    return Clause(f"triage_test({column}, ?)", (spec(value),))


def _element(column: str, value: Value) -> Clause:
    test = Clause(f"triage_list({column}, ?)", (spec(value),))
    if not column.startswith("p.") or isinstance(value, Span) or value.pattern or stretch(value.text):
        return test
    # Lists of ids are long and many: one that does not hold the quoted id anywhere is not taken apart.
    quoted = json.dumps(value.text, ensure_ascii=False)
    if is_caseless(value.text):
        return Clause(f"CASE WHEN instr({column}, ?) > 0 THEN {test.sql} ELSE 0 END", (quoted, *test.params))
    if not quoted.isascii() or len(quoted) > _LONGEST_LIKE:
        return test
    found, pattern = _like(column, quoted)
    return Clause(
        f"CASE WHEN {found} OR {_beyond_ascii(column)} THEN {test.sql} ELSE 0 END", (pattern, *test.params)
    )


# numbers, truth values, dates


def numeric(field: Field, value: Value) -> Clause:
    """A number equals, or lies within a span; `2..4` is a span too.

    Raises:
        FilterError: the value is no number.
    """
    if isinstance(value, Word):
        low, dots, high = value.text.partition("..")
        if not dots:
            return never_null(f"{field.column} = ?", _number(field, value))
        column = value.column
        value = Span(_end(low, column), _end(high, column + len(low) + 2), True, True, column)
    ends = [None if end is None else _number(field, end) for end in (value.low, value.high)]
    return _between(field.column, value, ends)


def _end(text: str, column: int) -> Word | None:
    return None if text in ("", "*") else Word(text, column)


def _number(field: Field, word: Word) -> float:
    found = None if word.pattern else number(word.text)
    if found is None:
        refuse(f"`{field.name}` takes a number", word.column, "as in :2  :>=2  :[1 TO 3]")
    return found


def _between(column: str, span: Span, ends: list[Any]) -> Clause:
    clauses = []
    if ends[0] is not None:
        clauses.append(never_null(f"{column} {'>=' if span.include_low else '>'} ?", ends[0]))
    if ends[1] is not None:
        clauses.append(never_null(f"{column} {'<=' if span.include_high else '<'} ?", ends[1]))
    return all_of(clauses) if clauses else Clause(f"({column} IS NOT NULL)")


def _truth(field: Field, value: Value) -> Clause:
    known = None if isinstance(value, Span) or value.pattern else truth(value.text)
    if known is None:
        refuse(f"`{field.name}` is true or false", value.column, f"as in {field.example}")
    return never_null(f"{field.column} = ?", int(known))


def _date(field: Field, value: Value) -> Clause:
    # Stored times are UTC in ISO 8601; cut to the second they compare as text, whatever follows.
    column = f"substr(replace({field.column}, ' ', 'T'), 1, 19)"
    if isinstance(value, Word):
        low, dots, high = value.text.partition("..")
        if not dots:
            begin, end = _stretch(field, value)
            return _between(column, Span(value, value, True, False, value.column), [begin, end])
        place = value.column
        value = Span(_end(low, place), _end(high, place + len(low) + 2), True, True, place)
    ends: list[str | None] = [None, None]
    if value.low is not None:
        ends[0] = _stretch(field, value.low)[0 if value.include_low else 1]
    if value.high is not None:
        ends[1] = _stretch(field, value.high)[1 if value.include_high else 0]
    return _between(column, Span(value.low, value.high, True, False, value.column), ends)


def _stretch(field: Field, word: Word) -> tuple[str, str]:
    found = None if word.pattern else stretch(word.text, year=True)
    if found is None:
        example = "as in :2026-11-28  :>2026-11  :<=2026-11-28T18:30"
        refuse(f"`{field.name}` takes a date", word.column, example)
    return stored(found[0]), stored(found[1])
