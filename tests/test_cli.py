"""The `npn` program as a person meets it: what it prints where, and how it ends."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest

from npn import __version__
from npn.cli import run
from npn.commands import COMMANDS
from npn.formats.writing import writers

EXAMPLES = Path(__file__).parent.parent / "examples"
RECIPES = [path for path in sorted(EXAMPLES.iterdir()) if path.suffix not in (".py", ".ipynb")]
PANCAKES = str(EXAMPLES / "pancakes.txt")
SOUP = '{"title": "Soup", "ingredients": ["1 leek", "water"], "steps": ["Boil the leek."]}\n'
FOREIGN = json.dumps(
    {
        "title": "Suppe",
        "ingredients": ["1 Lauch", "Wasser"],
        "steps": ["Den Lauch mit dem Wasser in einen Topf geben und lange kochen lassen."],
    }
)
SCHEMA = json.loads(files("npn").joinpath("trace.schema.json").read_text())
NPN = [sys.executable, "-c", "from npn.cli import main; main()"]


def npn(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*NPN, *arguments], capture_output=True, text=True, timeout=60, check=False, **options
    )


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def soups(tmp_path: Path) -> Path:
    """Three recipes, of which the second cannot be used."""
    path = tmp_path / "soups.jsonl"
    path.write_text(SOUP + '{"title": "No steps", "ingredients": ["1 leek"]}\n' + SOUP)
    return path


# What is printed


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"npn {__version__}\n"


def test_help_names_every_command_and_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    page = capsys.readouterr().out
    for name, about in COMMANDS.items():
        assert f"  {name} " in page
        assert about in page
    assert "npn track soup.txt" in page


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_with_help_and_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert isinstance(import_module(f"npn.commands.{name}").command, click.Command)
    assert run([name, "--help"]) == 0
    assert f"npn {name}" in capsys.readouterr().out.split("Usage:", 1)[1].split("\n", 1)[1]


def test_formats_lists_what_is_read_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats"]) == 0
    page = capsys.readouterr().out
    for name in ("text", "meal-master", "schema-org", "cooklang", *writers()):
        assert f"\n  {name} " in page
    assert max(map(len, page.splitlines())) <= 80


@pytest.mark.parametrize("example", RECIPES, ids=lambda path: path.name)
def test_every_example_is_tracked_by_the_schema(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", str(example), "--to", "json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for line in out.splitlines():
        trace = json.loads(line)
        jsonschema.Draft202012Validator(SCHEMA).validate(trace)
        assert len(trace["ingredients"]) > 2
        assert any(step["entities"] for step in trace["steps"])


@pytest.mark.parametrize("model", ["mention", "previous", "first-mention", "weak-labels"])
def test_every_tracker_follows_the_schema(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", PANCAKES, "--to", "json", "--model", model]) == 0
    trace = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(SCHEMA).validate(trace)
    assert trace["model"] == model
    assert len(trace["steps"]) == 6


def test_several_files_in_the_order_given(capsys: pytest.CaptureFixture[str]) -> None:
    drinks = str(EXAMPLES / "three-drinks.jsonl")
    assert run(["track", drinks, PANCAKES, "--to", "json"]) == 0
    titles = [json.loads(line)["title"] for line in capsys.readouterr().out.splitlines()]
    assert titles == ["Ginger Lemonade", "Hot Chocolate", "Mint Tea", "Sunday Pancakes"]


def test_standard_input() -> None:
    done = npn("track", "-", "--to", "json", input=Path(PANCAKES).read_text())
    assert json.loads(done.stdout)["title"] == "Sunday Pancakes"


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    recipe = tmp_path / "r.jsonl"
    recipe.write_text(SOUP.replace("Soup", "Crème brûlée"), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*NPN, "track", str(recipe), "--to", "json"],
        capture_output=True,
        env=environment,
        check=True,
    )
    assert "Crème brûlée" in done.stdout.decode()


def test_the_readme_shows_what_the_demo_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", PANCAKES]) == 0
    readme = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out.rstrip() in readme


def test_the_readme_shows_what_next_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["next", str(EXAMPLES / "oat-cookies.json"), "--after", "3"]) == 0
    readme = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out.rstrip() in readme


def test_the_readme_shows_python_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    readme = Path("README.md").read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in readme.split("```python\n")[1:]]
    assert len(blocks) == 2
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    assert names["sim"].state("butter") != names["other"].state("butter")


# Recipes that cannot be used


def test_one_bad_recipe_does_not_stop_the_rest(
    soups: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", str(soups), "--to", "json"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    problem, total = err.splitlines()
    assert problem.startswith(f"npn: {soups}, line 2: ")
    assert total == "npn: 1 problem, 2 recipes tracked"


def test_strict_stops_at_the_first_bad_recipe(
    soups: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.jsonl"
    assert run(["track", str(soups), "--strict", "--to", "json", "-o", str(target)]) == 2
    (problem,) = capsys.readouterr().err.splitlines()
    assert problem.startswith(f"npn: {soups}, line 2: ")
    assert list(tmp_path.iterdir()) == [soups]


def test_one_bad_file_does_not_stop_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.txt"
    assert run(["track", str(missing), PANCAKES, "--to", "json"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert str(missing) in err.splitlines()[0]


@pytest.mark.parametrize(
    "content", [None, b"", b"\x00\x01\x02\xff" * 50, b"[" * 100_000, b"<html><p>hello</p></html>"]
)
def test_nothing_to_read_is_one_sentence_and_status_2(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "recipe"
    if content is not None:
        path.write_bytes(content)
    target = tmp_path / "out.md"
    assert run(["track", str(path), "--to", "markdown", "-o", str(target)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (sentence,) = err.splitlines()
    assert sentence.startswith("npn: ")
    assert str(path) in sentence
    assert not target.exists()


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_recipe_that_cannot_be_tracked_is_named_with_its_file(
    processes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, several = (tmp_path / name for name in ("good.txt", "bad.txt", "several.jsonl"))
    endless = "( " * 90_000 + "egg"  # more words than the paper's network reads at once
    good.write_text("Eggs\n\n2 eggs\n\nBeat the eggs.\n")
    bad.write_text(f"Eggs\n\n2 eggs\n\nBeat the {endless}.\n")
    recipes = [{"ingredients": ["1 egg"], "steps": [step]} for step in ("Beat it.", endless)]
    several.write_text("".join(json.dumps(recipe) + "\n" for recipe in recipes))
    arguments = ["track", str(good), str(bad), str(several), "--model", "paper", "--to", "json"]
    assert run([*arguments, "--processes", processes]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    assert f"npn: {bad}: " in said.err
    assert f"npn: {several}, line 2: " in said.err
    assert "npn: 2 problems, 2 recipes tracked" in said.err


def test_a_directory_is_not_a_recipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_nothing_read_from_several_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", str(tmp_path / "a"), str(tmp_path / "b")]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "npn: 2 problems, 0 recipes tracked"


def test_a_recipe_in_another_language_is_tracked_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "suppen.jsonl"
    path.write_text(f"{FOREIGN}\n{SOUP}{FOREIGN}\n")
    assert run(["track", str(path), "--to", "json"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 3
    assert err.splitlines() == [
        f"npn: {path}, line 1 does not look English: expect little of its trace",
        "npn: 2 recipes in all do not look English",
    ]


# Mistakes on the command line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["trakc"], 'no command "trakc"'),
        ([PANCAKES], f"npn track {PANCAKES}"),
        (["track", PANCAKES, "--model", "oracle"], "oracle"),
        (["track", PANCAKES, "--to", "yaml"], "yaml"),
        (["track", PANCAKES, "--lexicon", "nowhere"], "lexicon"),
        (["track", PANCAKES, "--wrong"], "--wrong"),
    ],
)
def test_a_mistake_is_named(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "Traceback" not in err


def test_a_missing_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("npn.cli.invoke", missing)
    assert run(["train"]) == 2
    assert "pip install 'npn[train]'" in capsys.readouterr().err


# -o FILE


def test_the_file_is_replaced_in_one_piece(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    target.chmod(0o640)
    assert run(["track", PANCAKES, "-o", str(target)]) == 0
    assert target.read_text().startswith("Sunday Pancakes\n")
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "out.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    assert run(["track", PANCAKES, "-o", str(link)]) == 0
    assert link.is_symlink()
    assert target.read_text().startswith("Sunday Pancakes\n")


def test_a_failure_leaves_the_old_file_alone(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    assert run(["track", str(tmp_path / "missing"), "-o", str(target)]) == 2
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("place", ["no/such/folder/out.txt", "."])
def test_a_place_that_cannot_be_written_is_one_sentence(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", PANCAKES, "-o", str(tmp_path / place)]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"npn: cannot write {tmp_path / place}: ")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_fails_at_the_last_moment_leaves_nothing(
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("npn.commands.files.os.fsync", fail)
    target = tmp_path / "out.txt"
    assert run(["track", PANCAKES, "-o", str(target)]) == 2
    assert capsys.readouterr().err == f"npn: cannot write {target}: {os.strerror(code)}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [[], ["-o", "/dev/full"]])
def test_a_full_disk_is_one_sentence(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*NPN, "track", PANCAKES, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert "No space left on device" in sentence


# Pipes and signals


@pytest.mark.skipif(os.name != "posix", reason="pipes as on Unix")
@pytest.mark.parametrize("form", [one.name for one in writers().values() if not one.one_each])
def test_a_closed_pipe_ends_quietly(form: str, tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_text(SOUP * 3_000)
    with subprocess.Popen(
        [*NPN, "track", str(many), "--model", "weak-labels", "--to", form],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 1


@pytest.mark.skipif(os.name != "posix", reason="descriptors as on Unix")
def test_without_standard_error_problems_do_not_slip_into_the_output(soups: Path) -> None:
    script = 'exec "$@" 2>&-'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *NPN, "track", str(soups), "--to", "json"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    assert [json.loads(line)["title"] for line in done.stdout.splitlines()] == ["Soup", "Soup"]


@pytest.mark.skipif(os.name != "posix", reason="descriptors as on Unix")
def test_without_standard_output_one_sentence() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *NPN, "track", PANCAKES],
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "npn: standard output is closed; name a file with -o\n"


@pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_in_one_word_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    number = signal.Signals[name]
    target, pipe = tmp_path / "out.jsonl", tmp_path / "soups.jsonl"
    target.write_text("what stood there before")
    os.mkfifo(pipe)
    with subprocess.Popen(
        [*NPN, "track", str(pipe), "--to", "json", "-o", str(target)],
        stderr=subprocess.PIPE,
        # Tests in the background may have been started with signals ignored.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    ) as process:
        assert process.stderr is not None
        with pipe.open("w") as soups:  # waits until the other side reads
            soups.write(SOUP)
            soups.flush()
            assert any(path.suffix == ".part" for path in tmp_path.iterdir())
            process.send_signal(number)
            assert process.wait(timeout=60) == 128 + number
        assert process.stderr.read() == b"npn: stopped\n"
    assert sorted(tmp_path.iterdir()) == [target, pipe]
    assert target.read_text() == "what stood there before"


def test_what_a_killed_run_left_behind_is_removed(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / f".out.jsonl.{gone.pid}.part").write_text("half")
    foreign = tmp_path / ".out.jsonl.mine.part"
    foreign.write_text("somebody else's")
    target = tmp_path / "out.jsonl"
    assert run(["track", PANCAKES, "--to", "json", "-o", str(target)]) == 0
    assert sorted(tmp_path.iterdir()) == [foreign, target]


@pytest.mark.parametrize("link", [False, True])
def test_a_recipe_is_not_written_over_with_its_trace(
    link: bool, soups: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = soups
    if link:
        output = soups.with_name("link")
        output.symlink_to(soups)
    before = soups.read_bytes()
    assert run(["track", PANCAKES, str(soups), "-o", str(output)]) == 2
    assert capsys.readouterr().err == (
        f"npn: {output} is itself one of the files to read: write to another file\n"
    )
    assert soups.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["track", "--too", "x", "soup.txt"], "no such option '--too'"),
        (["track", "--to", "x", "soup.txt"], "invalid value for '--to': 'x' is not one of"),
        (["export"], "missing argument 'RUN'"),
        (["next", "soup.txt", "-n", "many"], "invalid value for '-n'"),
    ],
)
def test_a_wrong_option_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith(f"npn: {said}")
    assert line.endswith(f"(npn {arguments[0]} --help says more)")


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_goes_to_a_terminal_only(
    terminal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = tmp_path / "many.jsonl"
    many.write_text(SOUP * 3)
    errors = io.StringIO()
    monkeypatch.setattr(errors, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", errors)
    monkeypatch.setattr("npn.commands.files.BETWEEN_SHOWS", 0.0)
    assert run(["track", str(many), "--to", "json", "-o", str(tmp_path / "out")]) == 0
    shown = errors.getvalue()
    assert ("3 recipes, " in shown) == terminal
    assert shown.endswith("\r\x1b[K") if terminal else shown == ""


def test_running_out_of_memory_is_said_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("npn.models.load_tracker", full)
    assert run(["track", "soup.txt"]) == 2
    assert capsys.readouterr().err == (
        "npn: there is not enough memory; give fewer or smaller recipes at once\n"
    )
