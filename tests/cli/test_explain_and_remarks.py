"""What a domain says beside its answers: explanations with a picture, and remarks that matter."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import solvent
from cli import coins
from helpers.command import Ran, Run
from solvent.core.answer import Verdict
from solvent.core.domain import Drawing, Request
from solvent.core.errors import UnsoundAnswer
from solvent.core.explanation import Explanation
from solvent.proof.certificate import make_certificate

Install = Callable[..., None]


@pytest.fixture
def talking(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Let coins explain a payment with a picture; what it is called with changes the plan or further slots."""

    def install(plan: Sequence[str] = ("take 3", "take 7"), **slots: Any) -> None:
        def explain(problem: coins.Purse, request: Request) -> Explanation:
            sections = (("Coins", (f"{len(problem.coins)} coins",)),)
            if problem.pay != 10:
                return Explanation(sections, {"coins": 2})
            proof = make_certificate("coins", "payable", Verdict.YES, "plan", plan=plan)
            return Explanation(sections, {"coins": 3}, drawing=Drawing(certificate=proof))

        monkeypatch.setattr(coins, "DOMAIN", structs.replace(coins.DOMAIN, explain=explain, **slots))

    install()
    return install


@pytest.mark.usefixtures("talking")
@pytest.mark.parametrize("option", ["-o", "--output"])
def test_explain_writes_the_picture_it_has(run: Run, option: str) -> None:
    plain = run("explain", "payable.txt")
    assert plain == Ran(0, "(5)  (3)  (7) → 10\n\nCoins\n  3 coins\n", "")
    assert run("explain", "payable.txt", option, "why.svg") == plain
    assert "2 marked" in Path("why.svg").read_text()
    ran = run("explain", "payable.txt", option, "other.svg", "--json")
    assert json.loads(ran.out) == {"domain": "coins", "remarks": [], "coins": 3}
    assert Path("other.svg").read_text() == Path("why.svg").read_text()


@pytest.mark.usefixtures("talking")
def test_explain_without_a_picture_says_so(run: Run) -> None:
    ran = run("explain", "unpayable.txt", "-o", "why.svg")
    assert ran.code == 0
    assert "2 coins" in ran.out
    assert ran.err == "solvent: why.svg not written: this explanation has nothing to point at in a picture\n"
    assert not Path("why.svg").exists()


@pytest.mark.usefixtures("talking")
@pytest.mark.parametrize("name", ["a.png", "A.PDF"])
@pytest.mark.parametrize("command", ["explain", "draw"])
def test_a_drawing_is_not_written_under_the_name_of_another_kind_of_picture(run: Run, command: str, name: str) -> None:
    ran = run(command, "payable.txt", "-o", name)
    assert (ran.code, ran.out) == (2, "")
    assert f"choose a name that ends in .svg instead of '{name}'" in " ".join(ran.err.split())
    assert not Path(name).exists()


@pytest.mark.usefixtures("talking")
def test_explain_errors(run: Run) -> None:
    assert run("explain", "payable.txt", "-o", "-").code == 2
    ran = run("explain", "payable.txt", "-o", "no/such.svg")
    assert (ran.code, ran.err.startswith("solvent: cannot write no/such.svg: ")) == (30, True)
    assert "3 coins" in ran.out


@pytest.mark.usefixtures("talking")
def test_python_draws_the_same_picture(run: Run) -> None:
    run("explain", "payable.txt", "-o", "why.svg")
    purse = solvent.load("payable.txt")
    assert solvent.draw(purse, explanation=solvent.explain(purse)) + "\n" == Path("why.svg").read_text()
    purse = solvent.load("unpayable.txt")
    assert solvent.draw(purse, explanation=solvent.explain(purse)) == solvent.draw(purse)


def test_what_a_picture_shows_is_checked(run: Run, talking: Install) -> None:
    talking(plan=["take 3"])
    with pytest.raises(UnsoundAnswer, match="the plan pays a different amount"):
        run("explain", "payable.txt")


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_remarks_that_matter_are_written_out(run: Run, talking: Install, count: int) -> None:
    remarks = [f"Coin {number} is foreign." for number in range(1, count + 1)]
    talking(remarks=lambda problem: remarks)
    assert "foreign" not in run("solve", "payable.txt").out
    talking(remarks=lambda problem: remarks, remarks_matter=True)
    for command in ("solve", "explain"):
        ran = run(command, "payable.txt")
        assert ran.err == ""
        assert ("Reading it assumed:\n" in ran.out) == bool(remarks)
        assert all(f"  - {remark}\n" in ran.out for remark in remarks[:12])
        assert ("and 18 more; 'solvent solve -v' shows them all" in ran.out) == (count == 30)
    assert all(f"  - {remark}\n" in run("draw", "payable.txt").err for remark in remarks[:12])
    for command in ("solve", "explain", "hint"):
        ran = run(command, "payable.txt", "--json")
        assert (ran.err, json.loads(ran.out)["remarks"]) == ("", remarks)
    for words in (("-n", "2", "-o", "made{seed}.txt"), ("-o", "made.txt")):
        assert [run("generate", "coins", *words).err.count(f"  - {remark}\n") for remark in remarks[:12]] == [1] * min(
            count, 12
        )
    made = json.loads(run("generate", "coins", "--json").out)["instances"]
    assert [one["remarks"] for one in made] == [remarks]
    verbose: Any = run("solve", "payable.txt", "-v")
    assert verbose.err == ""
    assert all(f"  - {remark}\n" in verbose.out for remark in remarks)
