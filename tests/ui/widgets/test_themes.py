"""Theme files and the palette, against the ratios of the design."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from textual.app import App
from textual.color import Color

from triage.errors import TriageError
from triage.ui.palette import ANSI, CLASS_KEYS, DARK, LIGHT, ROLES, Palette, contrast, tint_variable
from triage.ui.theme_files import load_themes, read_theme
from triage.ui.themes import (
    ANSI_NAME,
    DARK_NAME,
    LIGHT_NAME,
    built_in,
    choose,
    textual_theme,
    theme_variable_defaults,
)

ANSI_NAMES = """default black red green yellow blue magenta cyan white bright_black bright_red bright_green
bright_yellow bright_blue bright_magenta bright_cyan bright_white""".split()
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
    "okabe": {
        "text": (16.7, 15.3, 12.6), "muted": (7.3, 6.7, 5.5), "faint": (5.7, 5.2, 4.3),
        "retrieval": (8.2, 7.5, 6.2),
        "ranking": (8.4, 7.7, 6.4), "refusal": (6.2, 5.7, 4.7), "citation-semantic": (5.6, 5.1, 4.2),
        "other": (9.9, 9.0, 7.5), "bad": (6.5, 5.9, 4.9), "good": (10.4, 9.6, 7.9),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", ["dark", "light", "okabe"])
def test_every_colour_has_the_contrast_of_the_design(name: str) -> None:
    own = read_theme(SHIPPED / f"triage-{name}.toml").colours
    for key, wanted in RATIOS[name].items():
        for ground, ratio in zip(("bg", "raised", "cursor"), wanted, strict=True):
            reached = contrast(Color.parse(own[key]), Color.parse(own[ground]))
            assert reached == pytest.approx(ratio, abs=0.07), (key, ground)


LEAST = {
    # name: on its own tint, ink on the worst fill, text on done
    "dark": (5.4, 6.5, 7.1), "light": (4.6, 5.7, 10.6), "okabe": (4.6, 5.6, 8.8),
    "contrast": (7.0, 9.8, 10.2),
}  # fmt: skip


@pytest.mark.parametrize("name", LEAST)
def test_words_stay_readable_on_tints_and_fills(name: str) -> None:
    least, ink, done = LEAST[name]
    theme = read_theme(SHIPPED / f"triage-{name}.toml")
    own = {key: Color.parse(value) for key, value in theme.colours.items()}
    variables = textual_theme(theme).variables
    for key in CLASS_KEYS:
        assert contrast(own[key], Color.parse(variables[tint_variable(key)])) >= least - 0.06, key
    fills = [contrast(own["ink"], own[key]) for key in (*CLASS_KEYS, "focus", "text", "bad")]
    assert min(fills) >= ink - 0.06
    assert contrast(own["text"], own["done"]) == pytest.approx(done, abs=0.06)


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_every_word_can_be_read_on_every_ground(path: Path) -> None:
    """WCAG 2: 7 for text, 4.5 for what is said beside it, and 7 for all in the theme of high contrast."""
    theme = read_theme(path)
    if theme.ansi:
        assert set(theme.colours.values()) <= {f"ansi_{name}" for name in ANSI_NAMES}
        return
    own = {key: Color.parse(value) for key, value in theme.colours.items()}
    high = path.stem == "triage-contrast"
    for role in (*ROLES, *CLASS_KEYS):
        if role in ("bg", "raised", "cursor", "ink", "done"):
            continue
        for ground in ("bg", "raised", "cursor"):
            least = 7.0 if high or role == "text" else 4.5
            if not high and ground == "cursor" and role != "text":
                # The cursor's row says faint things in muted, and Okabe's green in bold there.
                least = {"faint": 3.5, "citation-semantic": 4.2}.get(role, 4.5)
            assert contrast(own[role], own[ground]) >= least - 0.05, (role, ground)
    assert contrast(own["bg"], own["raised"]) >= 1.08
    assert contrast(own["bg"], own["cursor"]) >= 1.2


# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# IEEE TVCG 15(6), 2009: the matrices of severity 1.0, for linear RGB.
SIGHTS = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)
# look.md section 5, and ours for high contrast: the nearest pair of the four classes and bad, CIE76.
NEAREST = {
    "dark": (52, 16, 19, 19), "light": (45, 29, 17, 20), "okabe": (38, 21, 18, 16),
    "contrast": (34, 24, 24, 24),
}  # fmt: skip

Triple = tuple[float, ...]


def times(matrix: tuple[Triple, ...], vector: Triple) -> Triple:
    return tuple(sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix)


def lab(colour: Color, sight: str) -> Triple:
    """CIE L*a*b* (D65) of a colour as it is seen by this sight."""
    parts = [channel / 255 for channel in colour.rgb]
    linear = tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    seen = tuple(min(max(part, 0.0), 1.0) for part in times(SIGHTS[sight], linear))
    share = [part / white for part, white in zip(times(XYZ, seen), WHITE, strict=True)]
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in share)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", NEAREST)
def test_classes_and_bad_are_told_apart_by_every_sight(name: str, sight: str) -> None:
    own = read_theme(SHIPPED / f"triage-{name}.toml").colours
    seen = [lab(Color.parse(own[key]), sight) for key in (*CLASS_KEYS[:4], "bad")]
    nearest = min(dist(one, other) for one, other in combinations(seen, 2))
    assert round(nearest) == NEAREST[name][list(SIGHTS).index(sight)]


def test_the_shipped_files_are_the_built_in_themes() -> None:
    assert read_theme(SHIPPED / "triage-dark.toml").colours == DARK
    assert read_theme(SHIPPED / "triage-light.toml").colours == LIGHT
    assert read_theme(SHIPPED / "triage-ansi.toml").colours == ANSI
    for theme in built_in():
        assert textual_theme(read_theme(SHIPPED / f"{theme.name}.toml")).variables == theme.variables
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
            "line 2: colors.primary: 'bluish' is no colour: colours are written \"#RRGGBB\" (and 1 more)",
        ),
        ('[roles]\nbg = "#12"\n', "roles.bg: '#12' is no colour"),
        ("[roles]\nbg = 7\n", "roles.bg: 7 is no colour"),
        ('[roles]\nbg = "#11223344"\n', "roles.bg: '#11223344' must be opaque"),
        ('[classes]\nretrieval = "ansi_red"\n', "classes.retrieval: 'ansi_red' needs ansi = true"),
        ('[classes]\nwrong = "#fff"\n', "classes.wrong: is not known"),
        ("roles = 3\n", "roles: must be a table"),
        ('dark = "yes"\n', "dark: must be true or false"),
        ("name = 3\n", "name: must be a word"),
        ("colours = 3\n", "line 1: colours: is no key of a theme: did you mean colors?"),
        ("tint = 3\n", "tint: must be a number from 0 to 1"),
        ("[roles]\nbgg = '#fff'\n", "line 2: roles.bgg: is not known: did you mean bg?"),
        ("name: mine\n", "line 1: name: is no TOML"),
        ('name = "a\\u009b31m"\n', "name: must be a word"),
        ("\ntint = " + "9" * 5000, "line 2: tint: is no TOML: a number has too many digits"),
        ("tint = " + "9" * 400, "tint: must be a number from 0 to 1, is 99999"),
        (f'dark = "{"x" * 5000}"\n', f"is '{'x' * 38}»"),
        ("x = " + "[" * 3000, "is nested too deeply"),
    ],
)
def test_a_wrong_theme_is_told_with_file_key_and_reason(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(TriageError) as caught:
        read_theme(path)
    assert "mine.toml" in str(caught.value)
    assert said in str(caught.value)


def test_what_is_no_file_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "gone.toml").symlink_to("nowhere")
    (tmp_path / "notes.txt").write_text("no theme")
    _, errors = load_themes([tmp_path])
    assert [str(error) for error in errors] == [
        "theme not usable: folder.toml: is no file",
        "theme not usable: gone.toml: No such file or directory",
        "theme not usable: pipe.toml: is no file",
    ]


def test_wrong_theme_files_leave_the_others_usable(shared: Callable[[str], Path]) -> None:
    bad = [shared("bugfiles/029_theme_bad_colour.toml"), shared("bugfiles/029_theme_broken.yaml")]
    themes, errors = load_themes([SHIPPED, *bad, SHIPPED / "not-there.toml"])
    assert len(errors) == 3
    assert {theme.name for theme in themes} == {
        DARK_NAME,
        LIGHT_NAME,
        ANSI_NAME,
        "triage-okabe",
        "triage-contrast",
    }
    assert "029_theme_bad_colour.toml" in str(errors[0])
    assert "colors.primary" in str(errors[0])
    assert "029_theme_broken.yaml, line 1: name: is no TOML" in str(errors[1])


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
