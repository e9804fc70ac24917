"""Find a C compiler for the kernels: the machine's own, or the one that PyPI has as `ziglang`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from importlib.util import find_spec


def machine_has_compiler() -> bool:
    """Tell whether setuptools will find a C compiler without help."""
    if sys.platform == "win32":
        return True  # setuptools knows where to look for Microsoft's, and says so if it is not there
    wanted = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(shlex.split(wanted)[0]) is not None


def choose_compiler() -> None:
    """Have setuptools use `ziglang` where it is installed and the machine has no compiler of its own."""
    if machine_has_compiler() or find_spec("ziglang") is None:
        return
    zig = f"{shlex.quote(sys.executable)} -m ziglang cc"
    # LDSHARED and CFLAGS say how Python itself was built, with a compiler that is not here.
    os.environ.update(CC=zig, LDSHARED=f"{zig} -shared", CFLAGS="")
