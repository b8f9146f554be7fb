"""Start dpdesk on the sample survey, from a checkout and nothing but Python.

    python3 packaging/start.py

Sets up what is missing (see `environment.py`), then opens the window on the sample. Where there
is no display it does the same work on the command line and says where the files are.
"""

import supported_python

supported_python.insist(__file__)

import argparse  # noqa: E402 - the version of Python comes first
import sys  # noqa: E402

import environment  # noqa: E402
import sample_session  # noqa: E402
from setup_log import SetupError  # noqa: E402


def main(arguments: list[str]) -> int:
    """Set up and start.

    Args:
        arguments: The words after the program's name.

    Returns:
        The exit status.
    """
    parser = argparse.ArgumentParser(
        prog="start.py", description="Set up dpdesk and start it on the sample survey."
    )
    parser.add_argument(
        "--no-window",
        action="store_true",
        help="do the work on the command line even where there is a display",
    )
    options = parser.parse_args(arguments)
    try:
        python = environment.ensure(["all"])
        if not options.no_window and sample_session.has_display(python):
            return sample_session.open_window(python)
        return sample_session.release_sample(python)
    except SetupError as error:
        print(f"dpdesk: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
