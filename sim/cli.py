"""The command line. Exit codes: 0 done; 1 something is wrong inside a file that could be read (check, scenario);
2 wrong use or bad input; 130 interrupted."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer

from sim.commands import (
    balance,
    bench,
    calibrate,
    cards,
    check,
    diagnose,
    ladder,
    lucky,
    replay,
    report,
    run,
    scenario,
    table,
    tune,
    verify,
)
from sim.errors import InputError, Interrupted

# Typer brings its own copy of click in some versions, the installed one in others.
UsageError = cast(
    type[Exception], next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
)

app = typer.Typer(
    name="cardmill",
    help="Plays trading-card games by the million and says what the results mean.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    run.run,
    report.report,
    table.table,
    lucky.lucky,
    balance.balance,
    ladder.ladder,
    tune.tune,
    calibrate.calibrate,
    diagnose.diagnose,
    replay.replay,
    verify.verify,
    scenario.scenario,
    check.check,
    cards.cards,
    bench.bench,
):
    app.command()(command)


def _version(asked: bool) -> None:
    if asked:
        from sim.provenance import versions

        print(f"cardmill {versions()['cardmill']}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    pass


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # card names must not fail on a terminal of another encoding
            stream.reconfigure(errors="replace")
    try:
        result = typer.main.get_command(app).main(arguments, prog_name="cardmill", standalone_mode=False)
        sys.stdout.flush()
        if result == 130:  # some versions of Typer take Ctrl-C themselves
            raise KeyboardInterrupt
        return result if isinstance(result, int) else 0
    except UsageError as error:
        cast(Any, error).show()
        return 2
    except InputError as error:
        print(f"cardmill: {error}", file=sys.stderr)
        return 2
    except Interrupted as error:
        print(f"cardmill: {error}", file=sys.stderr)
        return 130
    except (KeyboardInterrupt, typer.Abort):
        print("cardmill: stopped", file=sys.stderr)
        return 130
    except (BrokenPipeError, SystemExit) as error:
        if isinstance(error, SystemExit) and not _reader_left(error):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _reader_left(error: BaseException) -> bool:
    """`cardmill table ... | head`: Typer and Rich leave by SystemExit then."""
    cause = error.__context__
    return isinstance(cause, OSError) and cause.errno in (errno.EPIPE, errno.EINVAL)


def main() -> None:
    """The console script. SIGTERM is taken as Ctrl-C is: commands say or keep what they have."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(run_command())


if __name__ == "__main__":
    main()
