"""The chart library (Vega, Vega-Lite and vega-embed) as one script: bundled once from the installed package, then kept.

Bundling takes seconds, and gives the same script for the same version. It is kept in the folder that `CARDMILL_CACHE`
names, else in the user's cache folder; where that cannot be written, it is made each time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import cache
from importlib import metadata
from pathlib import Path

SNIPPET = "window.vegaEmbed = vegaEmbed;"


@cache
def chart_library() -> str:
    """The script, safe inside of a script element."""
    kept = _folder() / f"charts-{metadata.version('vl-convert-python')}.js"
    script = _read(kept)
    if script is None:
        import vl_convert

        script = vl_convert.javascript_bundle(SNIPPET).replace("</script", "<\\/script")
        _keep(kept, script)
    return script


def _folder() -> Path:
    named = os.environ.get("CARDMILL_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "cardmill"


def _mark(script: str) -> str:
    """First line of the file: says whether the rest is whole, and what was asked for."""
    return "// " + hashlib.blake2b((SNIPPET + script).encode(), digest_size=16).hexdigest()


def _read(file: Path) -> str | None:
    """What is kept; None where there is nothing, or it is not whole."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        mark, _, script = file.read_bytes().decode().partition("\n")
        if mark == _mark(script):
            return script
    return None


def _keep(file: Path, script: str) -> None:
    """Written under another name and renamed: several processes may do so at once."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".charts-", suffix=".part", delete=False) as part:
            part.write(f"{_mark(script)}\n{script}".encode())
        os.replace(part.name, file)
