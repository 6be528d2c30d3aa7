"""What commands share: options, messages, progress."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

GameOption = Annotated[str, typer.Option("--game", help="Which game.", metavar="GAME")]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="0 to 2^64 - 1; without one a random seed is chosen and printed.")
]
ThreadsOption = Annotated[int | None, typer.Option("--threads", help="Worker threads; one a core without it.")]
EngineOption = Annotated[str, typer.Option("--engine", help="Where games are played: local or ray.", metavar="ENGINE")]
JsonOption = Annotated[bool, typer.Option("--json", help="The result as JSON on stdout.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")]
CardsOption = Annotated[
    list[str] | None, typer.Option("--cards", help="A card file of your own; may be given again.", metavar="FILE")
]
SharesOption = Annotated[
    str | None,
    typer.Option(
        "--shares",
        help="How common each deck is in the field: uniform, observed, a file, or as in mine=3,other=1.",
        metavar="SHARES",
    ),
]


def stderr() -> Console:
    """A console for messages; results go to stdout."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """A result for machines."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def show(renderable: Any) -> None:
    """A result for people; wide tables are not cut where the output goes to a file."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=max(80, _width(console, renderable)))
    console.print(renderable)


def _width(console: Console, renderable: Any) -> int:
    return console.measure(renderable, options=console.options.update(width=10_000)).maximum


@contextlib.contextmanager
def words_for_people(*kinds: type[Exception]) -> Iterator[None]:
    """Errors of the analysis, which knows nothing of this package, become messages with exit code 2."""
    try:
        yield
    except BrokenPipeError:
        raise
    except kinds as error:
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{error.filename or 'the file'}: {error.strerror}") from None
        raise InputError(str(error.args[0]) if error.args else str(error)) from None


class Bar:
    """`sim.runs.Progress` on a terminal: a bar with games a second and the time that is left, on stderr."""

    def say(self, text: str) -> None:
        print(text, file=sys.stderr)

    @contextlib.contextmanager
    def compiling(self) -> Iterator[None]:
        text = "Compiling the engine for this machine, once: about a minute; later starts use the cache"
        if not sys.stderr.isatty():
            self.say(text)
            yield
            return
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
        with Progress(*columns, console=stderr(), transient=True) as progress:
            progress.add_task(text, total=None)
            yield

    @contextlib.contextmanager
    def playing(self, done: int, total: int) -> Iterator[Callable[[int], None]]:
        if not sys.stderr.isatty():  # rich takes a twentieth of a second to load
            yield lambda now: None
            return
        from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
        from rich.text import Text

        class Games(ProgressColumn):
            def render(self, task: Task) -> Text:
                speed = f"{task.speed:,.0f} games/s" if task.speed else ""
                return Text(f"{int(task.completed):,} of {int(task.total or 0):,} games  {speed}")

        columns = TextColumn("playing"), BarColumn(), Games(), TextColumn("left"), TimeRemainingColumn()
        with Progress(*columns, console=stderr(), transient=True) as progress:
            task = progress.add_task("playing", total=total, completed=done)
            # the speed is that of this session: games played before do not count
            yield lambda now: progress.update(task, completed=now)
