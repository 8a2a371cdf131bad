"""Ctrl-C at any moment ends the program in one line, and nothing swallows it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
PANCAKES = str(Path(__file__).parent.parent / "examples" / "pancakes.txt")
PATIENCE = 300  # seconds: a busy machine may give a process no time for long
# Runs npn, and interrupts it where the import of so many modules has begun.
INTERRUPTED = """
import os, signal, sys
moment = int(sys.argv.pop(1))
begun = 0

def interrupt(event, arguments):
    global begun
    if event == "import":
        begun += 1
        if begun == moment:
            os.kill(os.getpid(), signal.SIGINT)

sys.argv[0] = "npn"
from npn.__main__ import main
sys.addaudithook(interrupt)
main()
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        # Tests in the background may have been started with it ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        check=False,
    )


@pytest.mark.parametrize("moment", [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144])
def test_an_interrupt_while_the_program_is_loaded(moment: int, tmp_path: Path) -> None:
    done = run(INTERRUPTED, str(moment), "track", PANCAKES, "-o", str(tmp_path / "out.txt"))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "npn: stopped\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("moment", [40, 80, 120, 160])
@pytest.mark.parametrize("command", ["prepare", "corpus track", "export"])
def test_an_interrupt_while_a_command_is_loaded(command: str, moment: int, tmp_path: Path) -> None:
    arguments = [*command.split(), PANCAKES, "-o", str(tmp_path / "out")]
    done = run(INTERRUPTED, str(moment), *arguments)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.startswith("npn: stopped")
    assert done.stderr.count("\n") == 1


# A module that drops whatever is raised while it is loaded, as compiled ones do.
SWALLOWING = """
import os, signal, sys
try:
    os.kill(os.getpid(), signal.SIGINT)
    loaded = True
except BaseException:
    loaded = False
"""


def test_an_import_is_not_interrupted_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "swallowing.py").write_text(SWALLOWING)
    program = f"""
import sys
from npn.signals import stop_cleanly
stop_cleanly()
sys.path.append({str(tmp_path)!r})
try:
    import swallowing
    print("goes on")
except KeyboardInterrupt:
    print(sys.modules["swallowing"].loaded)
"""
    assert run(program).stdout == "True\n"


def test_an_interrupt_that_python_swallows_is_raised_again() -> None:
    program = """
import os, signal
from npn.signals import stop_cleanly

class Dropped:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        [].append(0)

stop_cleanly()
try:
    Dropped()
    print("goes on")
except KeyboardInterrupt:
    print("heard")
"""
    done = run(program)
    assert (done.stdout, done.stderr) == ("heard\n", "")


def test_an_ignored_interrupt_stays_ignored(tmp_path: Path) -> None:
    program = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{INTERRUPTED}"
    done = run(program, "50", "track", PANCAKES, "-o", str(tmp_path / "out.txt"))
    assert (done.returncode, done.stderr) == (0, "")


def test_every_public_name_is_there() -> None:
    import npn

    assert all(getattr(npn, name) is not None for name in npn.__all__)
    assert set(npn.__all__) <= set(dir(npn))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        npn.nothing  # type: ignore[attr-defined]  # noqa: B018
