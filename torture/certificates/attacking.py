"""Try certificates on instances, and have whatever is accepted judged."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Any

import solvent
from solvent.core.errors import CertificateRejected, NotChecked, ParseError
from solvent.proof.certificate import decode_certificate
from torture.campaign import Tally, Trial
from torture.certificates import dungeon, harmony, starbattle, valency
from torture.certificates.case import CannotJudge, Case, Certificate, Forger
from torture.certificates.forging import mutate
from torture.certificates.malformed import spoil, spoil_bytes
from torture.failing import Failures
from torture.table import NOT_JUDGED

FORGERS: tuple[Forger, ...] = (dungeon.FORGER, harmony.FORGER, starbattle.FORGER, valency.FORGER)
TRIES = 150
"""How many certificates are tried on each instance: making one and knowing the truth costs as much as many checks."""
HUNG_SECONDS = 20.0
ALLOWED_OVERRUN = 0.25
"""Seconds that a check may go on past its limit, and beside them a twentieth of the limit."""


def run(trial: Trial, forgers: tuple[Forger, ...] = FORGERS) -> None:
    """Attack instance after instance."""
    attack = Attack(trial)
    for forger in forgers:
        for group in forger.groups:
            trial.tally.accept(f"{forger.domain}/{group}", 0)
    for dice in trial.rounds():
        attack.attack(dice, dice.choices(forgers, [forger.share for forger in forgers])[0])


class Attack:
    """Try certificates and keep what goes wrong."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.tally: Tally = trial.tally
        self.failures = Failures(trial, "certificates")

    def attack(self, dice: Random, forger: Forger) -> None:
        """Make two instances and try certificates on each: honest ones, then forged ones, also the other's."""
        try:
            cases = [forger.make(dice) for _ in range(2)]
        except Exception:
            self.failures.keep("crashed", f"{forger.domain}: making an instance and asking about it")
            return
        for case, other in (cases, cases[::-1]):
            for certificate in case.honest:
                self.try_one(dice, forger, case, certificate)
            for _ in range(TRIES):
                self._attack_once(dice, forger, case, other.honest)

    def _attack_once(self, dice: Random, forger: Forger, case: Case, others: Sequence[Certificate]) -> None:
        target, forged = self._forge(dice, case, others)
        if isinstance(forged, bytes):
            self._try_bytes(forger, target, forged)
        elif forged is not None:
            self.try_one(dice, forger, target, forged)

    def _forge(self, dice: Random, case: Case, others: Sequence[Certificate]) -> tuple[Case, Any]:
        """Return what to try on which instance."""
        kind = dice.random()
        honest = case.honest or list(others)
        if kind < 0.12 and case.forge is not None:
            return case, case.forge(dice)
        if not honest:
            return case, None
        if kind < 0.22 and others:
            other = dice.choice(others)
            return case, other if dice.random() < 0.5 else mutate(dice, other, case.words)
        certificate = dice.choice(honest)
        if kind < 0.34 and case.perturb is not None:
            target = case.perturb(dice)
            return target, certificate if dice.random() < 0.7 else mutate(dice, certificate, case.words)
        if kind < 0.38:
            return case, spoil(dice, certificate)
        if kind < 0.41:
            return case, spoil_bytes(dice, certificate)
        return case, mutate(dice, certificate, case.words)

    def _try_bytes(self, forger: Forger, case: Case, data: bytes) -> None:
        try:
            certificate = decode_certificate(data)
        except ParseError:
            self.tally.count(f"{forger.domain}/malformed")
            return
        except Exception:
            self.failures.keep("crashed", f"{forger.domain}: reading a certificate", data=data)
            return
        self.try_one(Random(0), forger, case, certificate)

    def try_one(self, dice: Random, forger: Forger, case: Case, certificate: Any) -> None:
        """Check a certificate, and have it judged if it is accepted."""
        group = _group(forger, certificate)
        self.tally.count(group)
        seconds = 0.2 if dice.random() < 0.01 else None
        began = time.process_time()
        try:
            solvent.check(case.problem, certificate, seconds=seconds)
        except CertificateRejected:
            accepted = False
        except NotChecked:
            accepted = False
            if seconds is None:
                self._fail("crashed", f"{group}: not checked, though there was no limit", case, certificate)
        except Exception:
            accepted = False
            self._fail("crashed", f"{group}: checking", case, certificate)
        else:
            accepted = True
        taken = time.process_time() - began
        self.tally.measure("longest check", taken)
        if taken > HUNG_SECONDS:
            self._fail("hung", f"{group}: {taken:.1f} s of CPU time", case, certificate)
        if seconds is not None:
            self.tally.measure("past the limit of a check", taken - seconds)
            if taken > 1.05 * seconds + ALLOWED_OVERRUN:
                self._fail(
                    "overrun", f"{group}: {taken:.2f} s of CPU time where {seconds} s were allowed", case, certificate
                )
        if accepted:
            self._judge(group, case, certificate)

    def _fail(self, kind: str, what: str, case: Case, certificate: Any) -> None:
        self.failures.keep(kind, what, problem=case.problem, certificate=certificate)

    def _judge(self, group: str, case: Case, certificate: Certificate) -> None:
        try:
            false = case.judge(certificate)
        except CannotJudge:
            self.tally.accept(f"{group}{NOT_JUDGED}")
            return
        self.tally.accept(group)
        if false is not None:
            self._fail("wrong", f"{group} was accepted, but {false}", case, certificate)


def _group(forger: Forger, certificate: Any) -> str:
    """Name what is tried: the form, with its rule or technique, if there is such a one."""
    if isinstance(certificate, dict) and isinstance(certificate.get("form"), str):
        group = forger.group(certificate)
        if group in forger.groups:
            return f"{forger.domain}/{group}"
    return f"{forger.domain}/malformed"
