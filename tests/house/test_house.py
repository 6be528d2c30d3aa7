"""The house rules that a machine can hold."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer

ROOT = Path(__file__).parents[2]
CODE = [path for room in ("sim", "kernels", "analysis", "bench", "tests") for path in (ROOT / room).rglob("*.py")]
SHIPPED = [path for path in CODE if path.relative_to(ROOT).parts[0] in ("sim", "kernels", "analysis")]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> set[str]:
    """Modules that a file imports, at any depth of its code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_layers() -> None:
    """Imports go one way (the contracts stand in pyproject.toml)."""
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SHIPPED, ids=shown)
def test_nobody_imports_tests_or_bench(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports(path)} & {"tests", "bench"}


def test_names_of_files_suit_every_system() -> None:
    """What Windows cannot name, a clone there lacks; two names that differ in case only are one file on a Mac."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    names = [name for name in listed.stdout.decode().split("\0") if name]
    if listed.returncode or not names:
        pytest.skip("not a clone: no list of files")
    assert [name for name in names if set(name) & set('<>:"|?*\\') or name.endswith((".", " "))] == []
    assert len({name.casefold() for name in names}) == len(names)


def test_kernels_need_numpy_and_numba_only() -> None:
    allowed = {"numpy", "numba", "llvmlite", "kernels", *sys.stdlib_module_names}
    for path in (ROOT / "kernels").rglob("*.py"):
        assert {name.partition(".")[0] for name in imports(path)} <= allowed, shown(path)


@pytest.mark.parametrize("path", CODE, ids=shown)
def test_no_file_is_too_long(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 600


@pytest.mark.parametrize("path", SHIPPED, ids=shown)
def test_every_module_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree), "a module needs a docstring"


def test_dependencies_are_used_and_explained() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    modules = {"vl-convert-python": "vl_convert"}
    used = {name.partition(".")[0] for path in SHIPPED for name in imports(path)}
    for requirement in PROJECT["project"]["dependencies"]:
        name = re.split(r"[ =<>~!]", requirement, maxsplit=1)[0]
        assert modules.get(name, name) in used, f"{name} is not used"
        assert re.search(rf'"{re.escape(requirement)}",\s+# \S', text), f"{name}: one comment says why"
    imported = used - set(sys.stdlib_module_names) - {"sim", "kernels", "analysis"}
    named = {re.split(r"[ =<>~!]", r, maxsplit=1)[0] for r in PROJECT["project"]["dependencies"]}
    assert imported <= {modules.get(name, name) for name in named} | {"llvmlite", "ray", "fsspec", "msvcrt"}


def test_data_files_go_into_the_wheel() -> None:
    """Everything that the program reads at run time lies inside of the three packages."""
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["sim", "kernels", "analysis"]
    kinds = {path.suffix for room in ("sim", "kernels", "analysis") for path in (ROOT / room).rglob("*.*")}
    assert {".toml", ".lark"} <= kinds


# documents


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{target} is not there"


def commands_of(page: Path) -> list[str]:
    """The `cardmill` and `make` lines of the shell blocks and inline code of a page."""
    text = page.read_text(encoding="utf-8")
    lines = [
        line
        for block in re.findall(r"```(?:sh|bash|console)\n(.*?)```", text, re.DOTALL)
        for line in block.splitlines()
    ]
    lines += re.findall(r"`((?:cardmill|make) [^`]+)`", text)
    joined = "\n".join(lines).replace("\\\n", " ")
    return [
        line.strip().removeprefix("$ ")
        for line in joined.splitlines()
        if re.match(r"(\$ )?(cardmill|make) ", line.strip())
    ]


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_commands_of_documents_exist(page: Path) -> None:
    from sim.cli import app

    group = typer.main.get_command(app)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    for line in commands_of(page):
        words = shlex.split(line, comments=True)
        if words[0] == "make":
            assert {word for word in words[1:] if "=" not in word} <= targets, line
            continue
        assert words[1] in group.commands or words[1].startswith("-"), line  # type: ignore[attr-defined]
        if words[1] in group.commands:  # type: ignore[attr-defined]
            command = group.commands[words[1]]  # type: ignore[attr-defined]
            options = {name for parameter in command.params for name in parameter.opts} | {"--help", "-h"}
            assert {word.partition("=")[0] for word in words[2:] if word.startswith("--")} <= options, line


def test_every_command_stands_in_the_readme() -> None:
    from sim.cli import app

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in typer.main.get_command(app).commands:  # type: ignore[attr-defined]
        assert f"cardmill {name}" in readme


def test_versions_agree() -> None:
    version = PROJECT["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
