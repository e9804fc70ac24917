"""How files begin that Solvent wrote about findings, so that they are not taken for instances, and may be replaced."""

from __future__ import annotations

CERTIFICATE = rb'\{\s*"solvent"\s*:\s*[0-9]'
JUNIT = rb'<\?xml version="1.0" encoding="UTF-8"\?>\s*<testsuites name="Solvent">'
SARIF = rb'\{"\$schema":"[^"]*","version":"2.1.0","runs":\[\{"tool":\{"driver":\{"name":"Solvent",'
GITLAB = rb'\[(\{"check_name": "|\]\n$)'
MARKDOWN = rb"## Solvent: "
