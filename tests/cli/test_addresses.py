"""An address in place of a file: read as it stands if a domain knows it and no file has that name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import structs

from cli import coins
from cli.conftest import PAYABLE
from helpers.command import Run
from solvent.core.errors import ParseError

ADDRESS = "https://coins.example/pay?coins/5,3,7/10"


@pytest.fixture(autouse=True)
def _coins_have_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the coins domain know addresses that end with the coins and the amount."""

    def read(text: str) -> coins.Purse:
        if "coins/" not in text:
            return coins.parse(text)
        values, _, pay = text.partition("coins/")[2].partition("/")
        if not pay.isdigit():
            raise ParseError("an amount", pay, line=1, column=len(text) - len(pay) + 1)
        return coins.Purse(tuple(map(int, values.split(","))), int(pay))

    known = structs.replace(coins.DOMAIN, parse=read, sniff=lambda text: "coins/" in text or coins.sniff(text))
    monkeypatch.setattr(coins, "DOMAIN", known)


def test_an_address_is_read_as_it_stands(run: Run):
    from_file, from_address = run("solve", "payable.txt"), run("solve", ADDRESS)
    assert (from_address.code, from_address.err) == (0, "")
    assert from_address.out.splitlines()[:1] == from_file.out.splitlines()[:1]
    assert run("solve", ADDRESS, "--as", "coins").code == 0
    assert run("solve", "https://coins.example/pay?coins/1,2/9").code == 10


def test_other_commands_take_addresses_too(run: Run):
    assert json.loads(run("convert", ADDRESS, "--to", "json").out) == {"coins": [5, 3, 7], "pay": 10}
    assert run("solve", ADDRESS, "--certificate", "proof.json").code == 0
    assert run("check", ADDRESS, "proof.json").code == 0


@pytest.mark.parametrize("words", [[], ["--as", "coins"]])
def test_a_mistake_in_an_address_is_told_as_such(run: Run, words: list[str]):
    ran = run("solve", ADDRESS.replace("/10", "/ten"), *words)
    assert (ran.code, ran.out) == (30, "")
    assert ran.err == "solvent: the address, line 1, column 39: expected an amount, found 'ten'\n"


@pytest.mark.parametrize("words", [[], ["--as", "coins"]])
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("boards/first.txt", "there is no folder boards"),
        ("https://example.org/a.txt", "Solvent does not read this address; download it, then give the file"),
        ("first.txt", "there is no such file"),
        ("COINS 1 PAY 1", "there is no such file"),
    ],
)
def test_other_names_are_files_that_are_missing(run: Run, name: str, why: str, words: list[str]):
    ran = run("solve", name, *words)
    assert (ran.code, ran.out) == (30, "")
    assert ran.err == f"solvent: cannot read {name}: {why}\n"


def test_several_lines_are_no_address(run: Run):
    assert "cannot read" in run("solve", f"{ADDRESS}\n{ADDRESS}").err


def test_a_file_of_that_name_comes_first(run: Run):
    file = Path("coins/1,2/9")
    file.parent.mkdir(parents=True)
    file.write_text(PAYABLE)
    assert run("solve", str(file)).code == 0
    file.unlink()
    assert run("solve", str(file)).code == 10
