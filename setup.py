"""Compile the kernels: every `*_kernel.py` is an extension module of the same name.

Everything else about the package stands in pyproject.toml. SOLVENT_KERNELS says how:

    compiled   optimised; where compiling fails, the package is built without machine code and runs as plain Python
    required   the same, but a failure is an error
    checked    with bounds checks and sanitizers, for tests; a failure is an error
    plain      do not compile
"""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from compileall import compile_dir
from pathlib import Path
from runpy import run_path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, str(Path(__file__).resolve().parent))

from building.compiler import choose_compiler
from building.freshness import touch_changed

HOW = os.environ.get("SOLVENT_KERNELS", "compiled")
if HOW not in ("compiled", "required", "checked", "plain"):
    sys.exit(f"expected SOLVENT_KERNELS as compiled, required, checked or plain, found {HOW!r}")
SHARED = "solvent.engine.cython_shared"
"""What typed memoryviews need, compiled once instead of into every kernel."""
BUILD = Path("build") / "c" / HOW
PACKAGE = Path("src") / "solvent"


def compiler_flags() -> list[str]:
    """Return the flags for the C compiler, as gcc and clang understand them."""
    if sys.platform == "win32" and "ziglang" not in os.environ.get("CC", ""):
        return ["/O2"]
    # Floats must come out the same on every machine, so no fused multiply and add.
    flags = ["-g0", "-ffp-contract=off", "-Wno-unused-function", "-Wno-unreachable-code-fallthrough"]
    if HOW == "checked":
        # Python itself is built with -fwrapv, which would hide overflows of signed numbers.
        return [*flags, "-O1", "-g1", "-fno-wrapv", "-fno-omit-frame-pointer", *SANITIZERS]
    if platform.machine().lower() in ("x86_64", "amd64") and not builds_for_arm():
        flags.append("-mpopcnt")  # one instruction, in every such processor since 2008
    return [*flags, "-fwrapv", "-O2"]


def builds_for_arm() -> bool:
    """Tell whether code for two processors is made in one go, as universal builds of Python for macOS do."""
    return "arm64" in f"{sysconfig.get_config_var('CFLAGS')} {os.environ.get('ARCHFLAGS')}"


SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize=alignment", "-fno-sanitize-recover=all"]


def kernel_extensions() -> list[Extension]:
    """Return the kernels, translated to C."""
    if HOW == "plain":
        return []
    from Cython.Build import cythonize

    flags = compiler_flags()
    links = SANITIZERS[:1] if HOW == "checked" else ["-Wl,-s"] if sys.platform == "linux" else []  # -s: no symbols
    sources = sorted(Path("src").rglob("*_kernel.py"))
    modules = [(".".join(path.with_suffix("").parts[1:]), str(path)) for path in sources]
    # The shared part's C source is written by `cythonize`, into its folder for C.
    modules.append((SHARED, str(Path("src", *SHARED.split(".")).with_suffix(".c"))))
    checks = HOW == "checked"
    directives: dict[str, Any] = {
        "language_level": 3,
        "boundscheck": checks,
        "initializedcheck": checks,
        "wraparound": False,
        "cdivision": True,
        "infer_types": True,
        "auto_pickle": False,
        "freethreading_compatible": False,
    }
    BUILD.mkdir(parents=True, exist_ok=True)
    translated = BUILD / "kernels.stamp"
    touch_changed(stamped["stamp_text"](), translated, PACKAGE)
    stamp = stamped["stamp_text"]()
    extensions = cythonize(
        [Extension(name, [path], extra_compile_args=flags, extra_link_args=links) for name, path in modules],
        build_dir=str(BUILD),
        compiler_directives=directives,
        shared_utility_qualified_name=SHARED,
        nthreads=os.cpu_count() or 1,
        quiet=True,
    )
    translated.write_text(stamp, encoding="utf-8")
    return extensions  # type: ignore[no-any-return]


class build_kernels(build_ext):
    """Compile all kernels or none: compiled ones call each other in C, so half of them would be of no use."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1
        self.in_source_tree = bool(self.inplace or self.editable_mode)
        if self.inplace:  # on the way into the sources, so that one way of building never takes what another left
            self.build_lib = str(Path("build") / "inplace" / HOW)

    def run(self) -> None:
        if self.in_source_tree:  # what is there may be of other sources
            remove_machine_code(Path("src"))
        try:
            super().run()
        except Exception as failure:  # setuptools and compilers fail in many ways
            if HOW != "compiled":
                raise
            report(f"the kernels could not be compiled, so they run as plain Python ({failure})")
            remove_machine_code(Path("src") if self.in_source_tree else Path(self.build_lib))
            self.extensions.clear()
        if self.in_source_tree:
            if self.extensions:
                stamped["write_stamp"]((BUILD / "kernels.stamp").read_text(encoding="utf-8"))
            # Installers do this for what they copy; here, too, the first run costs what every other does.
            compile_dir(str(PACKAGE), quiet=2)


def remove_machine_code(folder: Path) -> None:
    """Remove compiled kernels and the stamp that says what they were compiled from."""
    for pattern in ("solvent/**/*.so", "solvent/**/*.pyd", "solvent/**/*.stamp"):
        for path in folder.glob(pattern):
            path.unlink()


def report(message: str) -> None:
    """Tell the person who builds."""
    sys.stderr.write(f"solvent: {message}\n")


stamped = run_path(str(PACKAGE / "engine" / "build.py"))
choose_compiler()
try:
    kernels = kernel_extensions()
except Exception as failure:  # Cython may be missing, or refuse a source
    if HOW != "compiled":
        raise
    report(f"the kernels could not be translated to C, so they run as plain Python ({failure})")
    kernels = []
if not kernels and "editable_wheel" in sys.argv:  # without extensions it does not call `build_ext`
    remove_machine_code(Path("src"))
setup(ext_modules=kernels, cmdclass={"build_ext": build_kernels})
