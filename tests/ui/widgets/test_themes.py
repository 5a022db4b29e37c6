"""Theme files and the palette, against the ratios of the design."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App
from textual.color import Color

from triage.errors import TriageError
from triage.ui.palette import CLASS_KEYS, DARK, LIGHT, ROLES, TINT, Palette, contrast, mixed
from triage.ui.themes import (
    ANSI_NAME,
    DARK_NAME,
    LIGHT_NAME,
    choose,
    load_themes,
    read_theme,
    textual_theme,
    theme_variable_defaults,
)  # fmt: skip

SHIPPED = Path(__file__).resolve().parents[3] / "themes"
# look.md section 5: contrast on bg, raised, cursor.
RATIOS = {
    "dark": {
        "text": (14.3, 13.1, 10.1), "muted": (6.5, 6.0, 4.6), "faint": (5.2, 4.7, 3.6),
        "retrieval": (9.2, 8.4, 6.4),
        "ranking": (12.3, 11.3, 8.7), "refusal": (7.4, 6.8, 5.2), "citation-semantic": (13.0, 11.9, 9.1),
        "other": (9.8, 9.0, 6.9), "bad": (6.5, 6.0, 4.6), "good": (9.8, 9.0, 6.9),
    },
    "light": {
        "text": (14.5, 13.1, 12.0), "muted": (5.9, 5.3, 4.8), "faint": (5.1, 4.6, 4.2),
        "retrieval": (7.9, 7.2, 6.6),
        "ranking": (5.5, 5.0, 4.5), "refusal": (5.9, 5.3, 4.8), "citation-semantic": (5.4, 4.9, 4.5),
        "other": (7.4, 6.7, 6.1), "bad": (10.3, 9.4, 8.5), "good": (6.3, 5.7, 5.2),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", ["dark", "light"])
def test_every_colour_has_the_contrast_of_the_design(name: str) -> None:
    own = read_theme(SHIPPED / f"triage-{name}.toml").colours
    for key, wanted in RATIOS[name].items():
        for ground, ratio in zip(("bg", "raised", "cursor"), wanted, strict=True):
            reached = contrast(Color.parse(own[key]), Color.parse(own[ground]))
            assert reached == pytest.approx(ratio, abs=0.06), (key, ground)


@pytest.mark.parametrize(
    ("name", "least", "ink", "done"), [("dark", 5.4, 6.5, 7.1), ("light", 4.6, 5.7, 10.6)]
)
def test_words_stay_readable_on_tints_and_fills(name: str, least: float, ink: float, done: float) -> None:
    theme = read_theme(SHIPPED / f"triage-{name}.toml")
    own = {key: Color.parse(value) for key, value in theme.colours.items()}
    for key in CLASS_KEYS:
        tint = mixed(own[key], own["bg"], TINT[name == "dark"])
        assert contrast(own[key], tint) >= least - 0.06, key
    fills = [contrast(own["ink"], own[key]) for key in (*CLASS_KEYS, "focus", "text", "bad")]
    assert min(fills) >= ink - 0.06
    assert contrast(own["text"], own["done"]) == pytest.approx(done, abs=0.06)


def test_the_shipped_files_are_the_built_in_themes() -> None:
    assert read_theme(SHIPPED / "triage-dark.toml").colours == DARK
    assert read_theme(SHIPPED / "triage-light.toml").colours == LIGHT
    themes, errors = load_themes([SHIPPED])
    assert not errors
    assert {DARK_NAME, LIGHT_NAME, ANSI_NAME} <= {theme.name for theme in themes}


def test_a_missing_key_takes_the_default(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n[roles]\nbad = "#ff0000"\n', "utf-8")
    theme = read_theme(path)
    assert theme.colours == {**DARK, "bad": "#ff0000"}
    assert textual_theme(theme).error == "#ff0000"
    path.write_text('name = "mine"\ndark = false\n', "utf-8")
    assert read_theme(path).colours == LIGHT


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[colors]\nprimary = "bluish"\nbackground = "#12"\n',
            "colors.primary: 'bluish' is no colour (and 1 more)",
        ),
        ('[roles]\nbg = "#12"\n', "roles.bg: '#12' is no colour"),
        ("[roles]\nbg = 7\n", "roles.bg: 7 is no colour"),
        ('[roles]\nbg = "#11223344"\n', "roles.bg: '#11223344' must be opaque"),
        ('[classes]\nretrieval = "ansi_red"\n', "classes.retrieval: 'ansi_red' needs ansi = true"),
        ('[classes]\nwrong = "#fff"\n', "classes.wrong: is not known"),
        ("roles = 3\n", "roles: must be a table"),
        ('dark = "yes"\n', "dark: must be true or false"),
        ("name = 3\n", "name: must be a word"),
        ("colours = 3\n", "colours: is no key of a theme"),
        ("name: mine\n", "is no TOML"),
    ],
)
def test_a_wrong_theme_is_told_with_file_key_and_reason(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(TriageError) as caught:
        read_theme(path)
    assert "mine.toml" in str(caught.value)
    assert said in str(caught.value)


def test_wrong_theme_files_leave_the_others_usable(shared: Callable[[str], Path]) -> None:
    bad = [shared("bugfiles/029_theme_bad_colour.toml"), shared("bugfiles/029_theme_broken.yaml")]
    themes, errors = load_themes([SHIPPED, *bad, SHIPPED / "not-there.toml"])
    assert len(errors) == 3
    assert {theme.name for theme in themes} == {DARK_NAME, LIGHT_NAME, ANSI_NAME}
    assert "029_theme_bad_colour.toml" in str(errors[0])
    assert "colors.primary" in str(errors[0])
    assert "029_theme_broken.yaml" in str(errors[1])


def test_few_colours_choose_the_terminals_own_unless_a_theme_was_asked_for() -> None:
    known = [DARK_NAME, LIGHT_NAME, ANSI_NAME]
    assert choose(None, None, known, "truecolor") == DARK_NAME
    assert choose(None, LIGHT_NAME, known, "256") == LIGHT_NAME
    assert choose(None, "gone", known, "256") == DARK_NAME
    assert choose(None, LIGHT_NAME, known, "standard") == ANSI_NAME
    assert choose(LIGHT_NAME, None, known, "standard") == LIGHT_NAME
    with pytest.raises(TriageError, match="no such theme"):
        choose("gone", None, known, "truecolor")


def test_without_colour_nothing_has_a_colour_and_fills_are_reversed() -> None:
    palette = Palette({}, dark=True, ansi=False, colourless=True)
    styles = [
        palette(key, on) for key in (*ROLES, *CLASS_KEYS) for on in ("", "bg", "raised", "cursor", "done")
    ]
    styles += [make(key) for key in (*CLASS_KEYS, "test-set") for make in (palette.fill, palette.tint)]
    assert all(style.color is None and style.bgcolor is None for style in [*styles, palette.chip])
    assert all(palette.fill(key).reverse and palette.fill(key).bold for key in (*CLASS_KEYS, "focus"))
    assert palette("bad").bold
    assert not palette("muted").dim


def test_sixteen_colours_never_print_text_in_bright_black() -> None:
    palette = Palette({}, dark=True, ansi=True, colourless=False)
    for role in ("text", "muted", "faint", "other"):
        colour = palette(role).color
        assert colour is not None
        assert colour.is_default
    ground = palette.fill("ranking").bgcolor
    assert ground is not None
    assert ground.number == 3
    assert palette.tint("ranking") == palette("ranking")
    assert palette.fill("other").reverse


def test_in_256_colours_the_tones_stay_grey_and_apart() -> None:
    from rich.color import ColorSystem

    for theme in load_themes([SHIPPED], "256")[0]:
        if theme.ansi:
            continue
        shown = {}
        for role in ROLES:
            colour = Color.parse(theme.variables[role])
            down = colour.rich_color.downgrade(ColorSystem.EIGHT_BIT)
            shift = [abs(one - other) for one, other in zip(down.get_truecolor(), colour.rgb, strict=True)]
            assert max(shift) < 8, role
            shown[role] = down.number
        assert len({shown["bg"], shown["raised"], shown["cursor"]}) == 3
        assert contrast(Color.parse(theme.variables["text"]), Color.parse(theme.variables["cursor"])) > 7
        assert contrast(Color.parse(theme.variables["faint"]), Color.parse(theme.variables["raised"])) > 4


async def test_every_variable_parses_under_every_theme() -> None:
    names = [f"${key}" for key in theme_variable_defaults() if key.startswith(("cls-", "tint-"))]
    names += [f"${role}" for role in ROLES if role != "text"]

    class Small(App[None]):
        CSS = "".join(f".x{at} {{ color: {name}; background: {name}; }}\n" for at, name in enumerate(names))

        def get_theme_variable_defaults(self) -> dict[str, str]:
            return theme_variable_defaults()

    app = Small()
    async with app.run_test() as pilot:
        for theme in load_themes([SHIPPED])[0]:
            app.register_theme(theme)
            app.theme = theme.name
            await pilot.pause()
        app.theme = "nord"
        await pilot.pause()
