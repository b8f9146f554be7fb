"""Build the wheel and try it where there is no checkout.

    .venv/bin/python packaging/check_wheel.py                the locked packages, this Python
    .venv/bin/python packaging/check_wheel.py --python PATH  under another one
    .venv/bin/python packaging/check_wheel.py --extras ""    without the window
    .venv/bin/python packaging/check_wheel.py --with uv      as uv or pipx install a program

Makes an environment in a temporary folder, installs the wheel there, and runs in an empty folder
what the README shows: the help, a draft, a check, a release and an estimate of the sample, then
the window's test of itself without a display. What the wheel brings must suffice.
"""

import supported_python

supported_python.insist(__file__)

import argparse  # noqa: E402 - the version of Python comes first
import os  # noqa: E402
import shutil  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from pathlib import Path  # noqa: E402

import lock  # noqa: E402
import qt_libraries  # noqa: E402
from outside_checkout import run_outside  # noqa: E402
from setup_log import ROOT, SetupError, open_log, run_logged, step  # noqa: E402

_RESOURCES = "import dpdesk.resources as r; print(r.resource_root())"


def build(folder: Path, log: Path) -> Path:
    """Builds the wheel from the checkout, with the hatchling that is installed.

    Raises:
        SetupError: It could not be built.
    """
    step("building the wheel")
    alone = ["--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel"]
    if run_logged([*pip, *alone, "."], log, cwd=ROOT) != 0:
        raise SetupError(f"The wheel could not be built. Everything pip said is in {log}")
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, python: str, extras: str, tool: str, folder: Path, log: Path) -> Path:
    """Installs the wheel into an environment of its own.

    Args:
        wheel: The wheel.
        python: The Python of the environment.
        extras: Its extras with commas between; may be empty.
        tool: "pip" for the locked packages; "uv" or "pipx" as these install a program, with the
            newest packages that pyproject.toml allows.
        folder: A folder for the environment.
        log: What the installer says.

    Returns:
        The program `dpdesk` in the environment.

    Raises:
        SetupError: It could not be installed.
    """
    step(f"installing it with {tool} under {python}")
    wanted = f"dpdesk[{extras}] @ {wheel.as_uri()}" if extras else str(wheel)
    programs = folder / "programs"
    if tool == "pip":
        environment = folder / "environment"
        programs = environment / ("Scripts" if os.name == "nt" else "bin")
        names = [name for name in extras.split(",") if name]
        pip = [str(programs / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
        commands = [
            [python, "-m", "venv", str(environment)],
            [*pip, *lock.pip_options(names)],
            [*pip, "--no-index", "--no-deps", str(wheel)],
        ]
    elif tool == "uv":
        commands = [[sys.executable, "-m", "uv", "tool", "install", "--python", python, wanted]]
    else:
        commands = [[tool, "install", "--python", python, wanted]]
    places = {
        "UV_TOOL_DIR": str(folder / "environment"),
        "UV_TOOL_BIN_DIR": str(programs),
        "PIPX_HOME": str(folder / "environment"),
        "PIPX_BIN_DIR": str(programs),
    }
    for command in commands:
        if run_logged(command, log, cwd=folder, env={**os.environ, **places}) != 0:
            raise SetupError(f"The wheel could not be installed. Everything said is in {log}")
    size = sum(path.lstat().st_size for path in (folder / "environment").rglob("*"))
    step(f"the environment holds {size / 1e6:.0f} MB")
    return programs / ("dpdesk.exe" if os.name == "nt" else "dpdesk")


def commands(sample: Path, extras: str) -> list[list[str]]:
    """What is run, one after the other, in an empty folder.

    Args:
        sample: The sample survey of the wheel.
        extras: The extras that are installed, with commas between.
    """
    known = ["--epsilon", "4", "--purpose", "shares", "--confirm-domains"]
    asked = ["--declare", "age=17..90", "--query", "mean of age", "--epsilon", "0.5"]
    run = [
        ["--version"],
        ["--help"],
        ["draft", str(sample), "-o", "plan.json", *known],
        ["check", "plan.json", str(sample)],
        ["release", str(sample), "--plan", "plan.json", "--out", "release"],
        ["estimate", "release"],
    ]
    parts = extras.split(",")
    if {"statistics", "all"}.intersection(parts):
        run.append(["query", str(sample), *asked])
    if {"learning", "all"}.intersection(parts):
        taught = ["--epsilons", "1", "--repetitions", "2", "--learner", "tree"]
        run.append(["learn", "--example", "pima", *taught])
    if {"window", "all"}.intersection(parts):
        run.append(["--self-test"])
    return run


def try_out(program: Path, extras: str, folder: Path) -> None:
    """Runs the program in an empty folder, without what this environment sets.

    Raises:
        SetupError: A command failed, or what it reads is not what the wheel brought.
    """
    work = folder / "work"
    work.mkdir()
    surroundings = {"DPDESK_LEDGER": str(work / "ledger.sqlite")}
    environment = folder / "environment"
    python = next(environment.rglob("python.exe" if os.name == "nt" else "bin/python"))
    told = run_outside([python, "-c", _RESOURCES], work, surroundings)
    found = Path(told.stdout.strip() or ".").resolve()
    if not found.is_relative_to(environment.resolve()):
        raise SetupError(f"The resources are not those of the wheel: {found} {told.stderr}")
    sample = found / "samples" / "affairs" / "affairs.csv"
    for words in commands(sample, extras):
        step("running dpdesk " + " ".join(words[:1]))
        done = run_outside([program, *words], work, surroundings)
        if done.returncode != 0:
            raise SetupError(f"dpdesk {words[0]} failed: {done.stdout[-400:]}{done.stderr[-400:]}")


def main(arguments: Sequence[str]) -> int:
    """Build, install, try out.

    Returns:
        The exit status.
    """
    parser = argparse.ArgumentParser(prog="check_wheel.py", description="Try the wheel.")
    parser.add_argument("--python", default=sys.executable, help="the Python to install it under")
    parser.add_argument("--extras", default="all", help="its extras (default: all)")
    parser.add_argument("--with", dest="tool", choices=("pip", "uv", "pipx"), default="pip")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the wheel")
    options = parser.parse_args(arguments)
    try:
        log = open_log()
        with tempfile.TemporaryDirectory(prefix="dpdesk-wheel-") as name:
            folder = Path(name)
            wheel = build(folder, log)
            if options.keep is not None:
                shutil.copy(wheel, options.keep)
            if {"window", "all"}.intersection(options.extras.split(",")):
                qt_libraries.ensure()
            program = install(wheel, options.python, options.extras, options.tool, folder, log)
            try_out(program, options.extras, folder)
    except SetupError as error:
        print(f"dpdesk: {error}", file=sys.stderr)
        return 1
    step("the wheel works")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
