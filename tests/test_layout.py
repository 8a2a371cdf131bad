"""Dependencies point downwards only, and what is heavy stays where it is needed."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import npn

ROOT = Path(npn.__file__).parent
REPOSITORY = Path(__file__).parent.parent
CODE_PATH = re.compile(r"`(src/npn/[a-z0-9_/.]+)`")
CODE_NAME = re.compile(r"`([a-z0-9_]+)`")

# A room is a module or a package, or a package inside `corpus`, `rules`, `networks` and `training`.
# Each may import from itself and from the rooms listed here, anywhere in its code.
CORE = {"errors", "recipe", "trace", "trace_json", "corrections", "tracker"}
GRAMMAR = CORE | {"language", "rules/lexicon", "rules/grammar"}
RULES = GRAMMAR | {"rules/simulation", "rules"}
PAPER = CORE | {"language", "rules/simulation", "networks/common", "networks/paper"}
MODELS = RULES | PAPER | {"networks/baselines", "networks/generator", "networks/world"}
TRAINING = MODELS | {"formats", "evaluation", "training/data", "training"}  # gold is learnt from
TRAINING |= {"training/paper", "training/generator", "training/world", "corpus/sharding"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "partial_files": set(),
    "signals": {"errors"},
    "recipe": {"errors"},
    "trace": {"errors", "recipe", "trace_json"},
    "trace_json": {"errors", "recipe", "trace"},
    "corrections": {"errors", "trace"},
    "tracker": {"errors", "recipe", "trace", "corrections"},
    "language": CORE,
    "formats": CORE | {"language"},
    "rules/lexicon": CORE | {"language"},
    "rules/grammar": GRAMMAR,
    "rules/simulation": GRAMMAR | {"rules/simulation"},
    "rules": RULES,
    "networks/common": {"errors", "trace", "partial_files"},
    "networks/paper": PAPER,
    "networks/baselines": {"networks/common", "networks/paper"},
    "networks/generator": CORE | {"language", "networks/common", "networks/paper"},
    "networks/world": RULES | {"networks/common"},
    "evaluation": {"errors", "recipe", "trace", "tracker", "language"},
    "training/data": RULES
    | {"formats", "evaluation", "networks/common", "networks/paper", "corpus/sharding"}
    | {"partial_files"},
    "training": TRAINING,
    "training/paper": TRAINING,
    "training/generator": TRAINING,
    "training/world": TRAINING,
    "models": TRAINING,
    "suggestions": MODELS | {"models"},
    "reproduction": TRAINING | {"models"},
    "linking": CORE | {"language", "formats"},
    "corpus/sharding": CORE | {"formats", "partial_files", "signals"},
    "corpus": CORE | {"language", "formats", "models", "corpus/sharding"},
    "asking": CORE | {"language", "formats"},
    "web": CORE
    | {"language", "rules", "formats", "models", "evaluation"}  # labels are gold
    | {"suggestions", "asking", "signals", "__init__"},  # and the version
}
TOP = {"commands", "cli", "__init__", "__main__"}  # may import everything below them
EXCEPTIONS = {
    ("recipe.py", "npn.formats"),  # Recipe.from_text: the door to the readers
}
HEAVY = {"torch", "gensim", "matplotlib", "tensorboard", "sacrebleu", "rouge_score"}
HEAVY_IN = {"training", "reproduction"}
NUMBERS = {"numpy", "torch", "safetensors"}
TORCH_FILES = {"network.py", "losses.py"}
INNER = {"corpus", "rules", "networks", "training"}  # whose folders are rooms of their own


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
    """The package or module of a file, at the top."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def room(parts: list[str]) -> str:
    """The room of a module, given as the parts of its name after `npn`."""
    if parts[0] in INNER and ROOT.joinpath(*parts[:2]).is_dir() and len(parts) > 1:
        return "/".join(parts[:2])
    return parts[0]


def room_of(path: Path) -> str:
    return room(list(path.relative_to(ROOT).with_suffix("").parts))


def is_network(path: Path) -> bool:
    """Whether PyTorch may be imported, although the file is not about training."""
    return part(path) == "networks" and path.name in TORCH_FILES


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_part_has_its_place() -> None:
    unplaced = {room_of(path) for path in modules()} - MAY_IMPORT.keys() - TOP - {"networks"}
    assert not unplaced, f"say in {Path(__file__).name} what these may import: {unplaced}"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_imports_point_downwards(path: Path) -> None:
    here = room_of(path)
    if here in TOP:
        forbidden = {"npn.cli"} if here == "commands" else set()
        assert not forbidden & set(imports(path))
        return
    for imported in imports(path):
        if not imported.startswith("npn") or (name(path), imported) in EXCEPTIONS:
            continue
        there = room([*imported.split("."), "__init__"][1:])
        assert there == here or there in MAY_IMPORT[here], f"{name(path)} imports {imported}"


@pytest.mark.parametrize("path", [p for p in modules() if part(p) == "evaluation"], ids=name)
def test_of_language_evaluation_sees_the_base_forms_of_verbs_alone(path: Path) -> None:
    seen = {imported for imported in imports(path) if imported.startswith("npn.language")}
    assert seen <= {"npn.language.verbs"}


@pytest.mark.parametrize("path", modules(), ids=name)
def test_heavy_libraries_stay_in_training(path: Path) -> None:
    if part(path) in HEAVY_IN or is_network(path):
        return
    found = {imported for imported in imports(path) if imported.split(".")[0] in HEAVY}
    assert not found, f"{name(path)} imports {found}"


@pytest.mark.parametrize("path", [p for p in modules() if is_network(p)], ids=name)
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


@pytest.mark.parametrize("path", sorted(ROOT.glob("networks/*/tracker.py")), ids=name)
def test_whatever_a_tracker_reaches_is_free_of_torch(path: Path) -> None:
    assert not {imported for imported in reached(path) if imported.split(".")[0] in HEAVY}


def test_imports_inside_functions_are_seen() -> None:
    assert "npn.formats" in set(imports(ROOT / "recipe.py"))


def test_what_is_reached_over_several_files_is_seen() -> None:
    assert "torch" in reached(ROOT / "networks" / "paper" / "network.py")
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


PYTHON_FILE = re.compile(r"`([\w./-]+\.py)`")


def test_the_pages_name_files_that_exist() -> None:
    """A path may leave out how it begins: "rules/simulation/states.py"."""
    files = [
        f"/{path.relative_to(REPOSITORY)}"
        for folder in ("src", "tests", "labels", "benchmarks", "experiments", "examples", "docs")
        for path in (REPOSITORY / folder).rglob("*.py")
    ]
    pages = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]
    named = {
        (page.name, name)
        for page in pages
        for name in PYTHON_FILE.findall(page.read_text(encoding="utf-8"))
        if page.name != "CHANGELOG.md" and "NAME" not in name
    }
    assert len(named) > 50
    assert [
        name for name in sorted(named) if not any(f.endswith(f"/{name[1]}") for f in files)
    ] == []


MAP_ROW = re.compile(r"\| (`[^|]*`) \| [^|]+ \|")
CODE = re.compile(r"`([^`]+)`")


def contributing(title: str) -> str:
    """A section of CONTRIBUTING.md."""
    page = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return page.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_the_map_of_the_house_is_the_tree() -> None:
    section = contributing("The way round the house")
    named = {path for row in MAP_ROW.findall(section) for path in CODE.findall(row)}
    tree = {
        *(f"{path.parent.relative_to(ROOT)}/" for path in ROOT.rglob("*.py")),
        *(f"{path.parent.relative_to(ROOT)}/" for path in ROOT.rglob("*.toml")),
        *(path.name for path in ROOT.glob("*.py") if not path.name.startswith("__")),
    } - {"./"}
    assert named == tree


def test_each_question_has_its_file() -> None:
    answers = re.findall(r"\| .+ \| `(src/npn/[a-z0-9_/.]+)` \|", contributing("Which file?"))
    assert len(answers) >= 10
    assert not {path for path in answers if not (REPOSITORY / path).is_file()}


def test_each_class_has_a_name_of_its_own() -> None:
    places: dict[str, list[str]] = {}
    for path in modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name(path))
    assert not {one: where for one, where in places.items() if len(where) > 1}


def test_no_name_of_a_module_is_the_beginning_of_ten_others() -> None:
    """Ten modules that begin with one word want a folder of that name."""
    stems = {path.stem for path in modules()}
    for stem in stems:
        longer = [other for other in stems if other.startswith(f"{stem}_")]
        assert len(longer) < 10, f"{stem}: {longer}"


def test_tests_lie_where_the_code_lies() -> None:
    """A folder of tests has the name of a folder of the package, but for these."""
    others = {"attacks", "golden", "labels"}
    tests = REPOSITORY / "tests"
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")} - {Path()}
    astray = {path for path in folders if not (ROOT / path).is_dir()}
    assert {str(path) for path in astray} <= others


def test_the_picture_of_the_data_flow_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(REPOSITORY / "docs"))
    drawn = import_module("draw_data_flow").draw()
    assert drawn == (REPOSITORY / "docs" / "data-flow.svg").read_text(encoding="utf-8")


# Names that only their author can read.
RIDDLES = {"told", "said", "own", "some", "alike", "shelves", "standing", "deed", "telling"}


@pytest.mark.parametrize("path", modules(), ids=name)
def test_names_are_nouns_of_the_field(path: Path) -> None:
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    names = {getattr(node, key, "") for node in tree for key in ("id", "arg", "attr", "name")}
    assert not {one for one in names if str(one).lower().strip("_") in RIDDLES}
