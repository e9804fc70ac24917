"""Build the wheel and the source archive, and try the wheel as its users will: installed, away from the sources."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DIST = PROJECT / "dist"

SMOKE_TEST = PROJECT / "building" / "smoke.py"
IN_THE_ARCHIVE = ("docs/README.md", "tests/README.md", "examples", "Makefile", "CHANGELOG.md", "LICENSE", "setup.py")


def main() -> None:
    """Build both into dist/, check them, and run the smoke test on the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", str(DIST), str(PROJECT), quiet=True)
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, DIST.iterdir()))
    (wheel,) = DIST.glob("*.whl")
    (archive,) = DIST.glob("*.tar.gz")
    require_contents(archive)
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        venv.create(environment, with_pip=True)
        python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run(*pip, str(wheel))
        run(str(python), str(SMOKE_TEST), folder=folder)
    sys.stdout.write(f"{wheel.name} and {archive.name} are in dist/\n")


def require_contents(archive: Path) -> None:
    """Stop if the source archive lacks what someone who packages it needs."""
    import tarfile

    with tarfile.open(archive) as opened:
        names = opened.getnames()
    top = names[0].split("/")[0]
    for wanted in IN_THE_ARCHIVE:
        if not any(name == f"{top}/{wanted}" or name.startswith(f"{top}/{wanted}/") for name in names):
            sys.exit(f"expected {wanted} in {archive.name}, found none")


def run(*words: str, folder: str | None = None, quiet: bool = False) -> None:
    """Run a command; show what it printed if it fails."""
    done = subprocess.run(words, cwd=folder, capture_output=quiet, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout or ''}{done.stderr or ''}")


if __name__ == "__main__":
    main()
