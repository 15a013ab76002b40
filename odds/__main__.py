"""The command `odds`, also as `python -m odds`."""

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of the process, and exit."""
    # An interrupt while modules are imported ends the process as it ends any other, with no traceback.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from odds.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
