"""Whose verdict it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from triage.workspace.reviewer import git_user_name, reviewer_name


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(folder / "none"))
    monkeypatch.delenv("TRIAGE_REVIEWER", raising=False)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    return folder


def test_the_option_comes_first_then_the_environment_then_settings_then_git(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".gitconfig").write_text("[user]\n\tname = git-wei\n")
    assert reviewer_name(None, None, home) == "git-wei"
    assert reviewer_name(None, "set-wei", home) == "set-wei"
    monkeypatch.setenv("TRIAGE_REVIEWER", " env-wei ")
    assert reviewer_name(None, "set-wei", home) == "env-wei"
    assert reviewer_name("option-wei", "set-wei", home) == "option-wei"
    assert reviewer_name("  ", None, home) == "env-wei"


def test_without_any_of_these_it_is_the_login(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "login-wei")
    assert reviewer_name(None, None, home) == "login-wei"


def test_a_repositorys_own_name_goes_before_the_users(home: Path, tmp_path: Path) -> None:
    (home / ".gitconfig").write_text("[user]\nname = everywhere\n")
    repository = tmp_path / "repo"
    inside = repository / "a" / "b"
    inside.mkdir(parents=True)
    (repository / ".git").mkdir()
    (repository / ".git" / "config").write_text('[remote "user"]\nname = no\n[user] name = "here # 韦" ; x\n')
    assert git_user_name(inside) == "here # 韦"
    (repository / ".git" / "config").write_text("[user]\n# name = no\n")
    assert git_user_name(inside) == "everywhere"


def test_an_included_file_is_followed_and_a_circle_ends(home: Path) -> None:
    (home / ".gitconfig").write_text("[include]\npath = ~/more\n")
    (home / "more").write_text("[include]\npath = .gitconfig\n[user]\nname = included\n")
    assert git_user_name(home) == "included"


def test_a_linked_worktree_has_its_repositorys_name(home: Path, tmp_path: Path) -> None:
    repository, tree = tmp_path / "repo", tmp_path / "tree"
    git = ["git", "-C", str(repository), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    repository.mkdir()
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "config", "user.name", "of the repository"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tree)], check=True)
    assert git_user_name(tree) == "of the repository"


def test_a_name_has_no_control_characters(home: Path) -> None:
    (home / ".gitconfig").write_text("[user]\nname = we\x1b]0\x07i\n")
    assert git_user_name(home) == "we<ESC>]0<BEL>i"
