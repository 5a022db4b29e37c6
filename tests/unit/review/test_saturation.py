"""New labels and sub-reasons along what was read."""

from __future__ import annotations

from triage.review.saturation import Met, saturation, window


def test_new_kinds_are_told_by_window_in_reading_order() -> None:
    cases = [Met("", ("stale-doc",), ("no_citation",)), Met(), Met("", ("stale-doc", "routing"))]
    found = saturation([*cases, Met("", (), ("no_citation",)), Met()], every=2)
    assert [(one.first, one.last, one.labels, one.reasons) for one in found.windows] == [
        (1, 2, ("stale-doc",), ("no_citation",)),
        (3, 4, ("routing",), ()),
        (5, 5, (), ()),
    ]
    assert found.since == 2 and found.kinds == 3
    # Met five times in all, `routing` once.
    assert found.unseen == 1 / 5
    assert (
        found.said == "no new label or sub-reason in the last 2 read: further reading seldom finds new kinds"
    )


def test_a_label_and_a_sub_reason_of_one_name_are_two_kinds() -> None:
    assert saturation([Met("", ("ok",)), Met("", (), ("ok",))], every=1).windows[1].reasons == ("ok",)


def test_what_was_read_lately_is_said() -> None:
    cases = [Met("", ("a",))] * 20 + [Met("", ("b", "b"), ("r",))] + [Met()] * 3
    assert saturation(cases).said == (
        "1 new label and 1 new sub-reason in the last 10 read: reading on still finds new kinds"
    )


def test_too_few_read_tell_nothing() -> None:
    assert saturation([]).said == "nothing is read" and saturation([]).unseen is None
    assert saturation([Met("", ("a",))] * 19).said.startswith("19 read, too few to tell")
    assert saturation([Met()] * 30).said == "30 read, none of them with a label or a failure"


def test_windows_grow_with_what_was_read() -> None:
    assert [window(count) for count in (5, 59, 60, 199, 200)] == [10, 10, 20, 20, 50]
