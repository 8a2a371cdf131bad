"""Dependencies point downwards only, and what is heavy stays where it is needed."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import npn

ROOT = Path(npn.__file__).parent
REPOSITORY = Path(__file__).parent.parent
CODE_PATH = re.compile(r"`(src/npn/[a-z0-9_/.]+)`")
CODE_NAME = re.compile(r"`([a-z0-9_]+)`")

# package or module -> the parts of npn it may import, anywhere in its code
CORE = {"errors", "recipe", "trace", "trace_json", "tracker"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "recipe": {"errors"},
    "trace": {"errors", "recipe", "trace_json"},
    "trace_json": {"errors", "recipe", "trace"},
    "tracker": {"errors", "recipe", "trace"},
    "language": CORE,
    "knowledge": CORE | {"language"},
    "rules": CORE | {"language", "knowledge"},
    "formats": CORE | {"language"},
    "network": {"errors"},
    "baselines": {"errors", "network"},
    "generation": {"errors", "network"},
    "runtime": CORE | {"language", "knowledge", "network", "generation"},
    "training": CORE
    | {"language", "knowledge", "rules", "formats", "runtime"}
    | {"network", "baselines", "generation", "evaluation"},  # gold is learnt from, too
    "evaluation": {"errors", "recipe", "trace", "tracker", "language"},
    "models": CORE | {"language", "knowledge", "rules", "runtime", "training"},
    "reproduction": CORE
    | {"language", "knowledge", "network", "generation", "runtime", "training", "evaluation"}
    | {"models"},
    "suggestions": CORE | {"language", "runtime", "models"},
    "corpus": CORE | {"language", "formats", "models"},
    "asking": CORE | {"language", "formats"},
    "web": CORE
    | {"language", "knowledge", "formats", "models", "evaluation"}  # labels are gold
    | {"suggestions", "asking", "__init__"},  # and the version
}
TOP = {"commands", "cli", "__init__", "__main__"}  # may import everything below them
EXCEPTIONS = {
    ("recipe.py", "npn.formats"),  # Recipe.from_text: the door to the readers
}
HEAVY = {"torch", "gensim", "matplotlib", "tensorboard", "sacrebleu", "rouge_score"}
HEAVY_IN = {"training", "network", "baselines", "generation", "reproduction"}
ANY_NUMBERS = {"network", "baselines", "generation"}
NUMBERS = {"numpy", "torch", "array_api_compat"}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, at its top or inside a function. `from npn.a import b` is
    npn.a.b where that is a module, and imports for type checking count."""
    package = ["npn", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            base += node.module.split(".") if node.module else []
            for name in node.names:
                yield ".".join([*base, name.name] if is_module([*base, name.name]) else base)


def is_module(parts: list[str]) -> bool:
    place = ROOT.joinpath(*parts[1:])
    return parts[0] == "npn" and (place.is_dir() or place.with_suffix(".py").is_file())


def part(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_part_has_its_place() -> None:
    unplaced = {part(path) for path in modules()} - MAY_IMPORT.keys() - TOP
    assert not unplaced, f"say in {Path(__file__).name} what these may import: {unplaced}"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_imports_point_downwards(path: Path) -> None:
    here = part(path)
    if here in TOP:
        forbidden = {"npn.cli"} if here == "commands" else set()
        assert not forbidden & set(imports(path))
        return
    for imported in imports(path):
        if not imported.startswith("npn") or (name(path), imported) in EXCEPTIONS:
            continue
        there = [*imported.split("."), "__init__"][1]
        assert there == here or there in MAY_IMPORT[here], f"{name(path)} imports {imported}"


@pytest.mark.parametrize("path", [p for p in modules() if part(p) == "evaluation"], ids=name)
def test_of_language_evaluation_sees_the_base_forms_of_verbs_alone(path: Path) -> None:
    seen = {imported for imported in imports(path) if imported.startswith("npn.language")}
    assert seen <= {"npn.language.verbs"}


@pytest.mark.parametrize("path", modules(), ids=name)
def test_heavy_libraries_stay_in_training(path: Path) -> None:
    if part(path) in HEAVY_IN:
        return
    found = {imported for imported in imports(path) if imported.split(".")[0] in HEAVY}
    assert not found, f"{name(path)} imports {found}"


@pytest.mark.parametrize(
    "path", [path for path in modules() if part(path) in ANY_NUMBERS], ids=name
)
def test_networks_know_numbers_only(path: Path) -> None:
    for imported in imports(path):
        top = imported.split(".")[0]
        assert top in NUMBERS | {"npn", "__future__"} or top in sys.stdlib_module_names, imported


def reached(start: Path) -> set[str]:
    """Every module imported by a file, by what that imports, and so on."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for imported in set(imports(waiting.pop())) - seen:
            seen.add(imported)
            parts = imported.split(".")
            if parts[0] == "npn":
                packages = [
                    ROOT.joinpath(*parts[1:n], "__init__.py") for n in range(2, len(parts) + 1)
                ]
                module = ROOT.joinpath(*parts[1:]).with_suffix(".py")
                waiting += [file for file in (*packages, module) if file.is_file()]
    return seen


@pytest.mark.parametrize("path", [p for p in modules() if part(p) == "runtime"], ids=name)
def test_whatever_the_runtime_reaches_is_free_of_torch(path: Path) -> None:
    assert not {imported for imported in reached(path) if imported.split(".")[0] in HEAVY}


def test_imports_inside_functions_are_seen() -> None:
    assert "npn.formats" in set(imports(ROOT / "recipe.py"))


def test_what_is_reached_over_several_files_is_seen() -> None:
    assert "torch" in reached(ROOT / "network" / "network.py")
    assert "npn.errors" in reached(ROOT / "rules" / "selection.py")


def test_the_map_of_the_paper_names_files_that_exist() -> None:
    page = (REPOSITORY / "docs" / "paper-to-code.md").read_text(encoding="utf-8")
    named = set(CODE_PATH.findall(page))
    assert len(named) > 20
    assert not {path for path in named if not (REPOSITORY / path).exists()}


def test_the_map_of_the_paper_names_functions_that_exist() -> None:
    page = (REPOSITORY / "docs" / "paper-to-code.md").read_text(encoding="utf-8")
    named = {name for name in CODE_NAME.findall(page) if "_" in name}
    defined = {
        node.name
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert len(named) > 15
    assert not named - defined
