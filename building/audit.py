"""Look for known vulnerabilities in the packages that are installed here, and say how many could be looked up.

`pip-audit` counts a package that it cannot look up as clean. Where the advisories cannot be reached, as on a machine
without the internet, that would be a pass which says nothing; so it is said.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from typing import Any

EXPLAINED: Mapping[str, str] = {}
"""Advisories that do not touch Solvent, by their number, and why."""
OWN = "solvent"


def main() -> int:
    """Audit this environment; returns 1 if something is known and not explained."""
    words = [sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "-f", "json"]
    words += ["--path", sysconfig.get_path("purelib")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        sys.stderr.write(f"The packages were not audited: {done.stderr.strip()[-500:]}\n")
        return 0 if "Connection" in done.stderr else 1
    lines, known = summary(report)
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if known else 0


def summary(report: Mapping[str, Any]) -> tuple[list[str], int]:
    """Return what to print, and how many vulnerabilities are known and not explained."""
    packages = [package for package in report["dependencies"] if package["name"] != OWN]
    audited = [package for package in packages if "skip_reason" not in package]
    lines, known = [], 0
    for package in audited:
        for found in package["vulns"]:
            names = {found["id"], *found.get("aliases", ())}
            why = next((EXPLAINED[name] for name in sorted(names) if name in EXPLAINED), None)
            known += why is None
            fixed = ", ".join(found["fix_versions"]) or "no version yet"
            remark = f"explained: {why}" if why else f"fixed in {fixed}"
            lines.append(f"{package['name']} {package['version']}: {found['id']} ({remark})")
    lines.append(f"Audited {len(audited)} of {len(packages)} packages. Known vulnerabilities: {known}.")
    if len(audited) < len(packages):
        missed = len(packages) - len(audited)
        lines.append(f"{missed} could not be looked up: the advisories cannot be reached from here.")
    return lines, known


if __name__ == "__main__":
    sys.exit(main())
