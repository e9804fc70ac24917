"""Forged certificates of every form: whatever is accepted must be true by brute force that shares no code with Solvent.

Four ways to forge: certificates of other instances, and of the same one before something in it was changed; honest
ones with a few things changed; ones made up from scratch; and data that is hardly a certificate.
"""

from __future__ import annotations

from torture.campaign import Campaign
from torture.certificates.attacking import run

CAMPAIGN = Campaign("certificates", "forged certificates", 15.0, run)
