"""The command and the Python that the page shows do the same."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import solvent
from solvent.cli.start import main
from solvent.registry import all_domains, domain_names, get_domain
from solvent.web import schemas
from solvent.web.equivalents import differing, same_instance, same_question
from web.calling import ask_in_full, inside

DOMAINS = domain_names()
NODES = 20_000


def run_command(command: str, capfd: pytest.CaptureFixture[str], *more: str) -> Any:
    first, *rest = shlex.split(command)
    assert first == "solvent"
    capfd.readouterr()
    code = main([*rest, *more])
    out = capfd.readouterr().out
    assert code in (0, 10, 20), (command, code)
    return json.loads(out) if "--json" in more else out


def run_python(python: str) -> dict[str, Any]:
    names: dict[str, Any] = {"solvent": solvent}
    exec(python, names)
    return names


def call(verb: str, body: dict[str, Any]) -> Any:
    reply = inside("POST", f"/api/{verb}", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


@pytest.mark.parametrize("domain", DOMAINS)
def test_answers(
    domain: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    owner = get_domain(domain)
    example = owner.examples()[0]
    for name in ("it's here.txt", "-odd name.txt"):
        Path(name).write_text(example.text, encoding="utf-8")
        for question in owner.questions:
            body = {"text": example.text, "domain": domain, "name": name, "question": question, "nodes": NODES}
            answered = call("ask", body)
            by_hand = run_command(answered["command"], capfd, "--json")
            assert (by_hand["verdict"], by_hand["question"]) == (answered["verdict"], question)
            answer = run_python(answered["python"])["answer"]
            assert (answer.verdict.value, answer.question) == (answered["verdict"], question)


@pytest.mark.parametrize("domain", DOMAINS)
def test_options_of_answers(
    domain: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every option with another value than it has by default, one at a time."""
    monkeypatch.chdir(tmp_path)
    owner = get_domain(domain)
    example = owner.examples()[0]
    Path("instance.txt").write_text(example.text, encoding="utf-8")
    for option in owner.solve_options:
        if option.opens_file:
            continue
        if option.type is bool:
            value: Any = not option.default
        elif option.choices:
            value = next(choice for choice in option.choices if choice != option.default)
        elif option.type in (int, float):
            value = option.type((option.default or option.minimum or 0) + 1)
        else:
            continue
        body = {"text": example.text, "nodes": 500, "options": {option.name: value}}
        reply = inside("POST", "/api/ask", json=body)
        if reply.status_code == 422:
            continue
        answered = reply.json()
        assert run_command(answered["command"], capfd, "--json")["verdict"] == answered["verdict"]
        assert run_python(answered["python"])["answer"].verdict.value == answered["verdict"]


@pytest.mark.parametrize("domain", [each.name for each in all_domains() if each.hints is not None])
def test_hints(domain: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    example = get_domain(domain).examples()[0]
    Path("instance.txt").write_text(example.text, encoding="utf-8")
    for more in ({}, {"count": 3}, {"path": True, "count": 2000}):
        given = call("hints", {"text": example.text, "nodes": NODES, **more})
        captions = [hint["caption"] for hint in given["hints"]]
        steps = run_python(given["python"])["steps"]
        assert [step.caption for step in steps][: len(captions)] == captions
        assert captions[0].split()[0] in run_command(given["command"], capfd)


@pytest.mark.parametrize("domain", [each.name for each in all_domains() if each.explain is not None])
def test_explanations(
    domain: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    example = get_domain(domain).examples()[0]
    Path("instance.txt").write_text(example.text, encoding="utf-8")
    given = call("explain", {"text": example.text, "nodes": NODES})
    explanation = run_python(given["python"])["explanation"]
    assert [heading for heading, _ in explanation.sections] == [section["heading"] for section in given["sections"]]
    assert given["sections"][0]["heading"] in run_command(given["command"], capfd)


@pytest.mark.parametrize("domain", [each.name for each in all_domains() if each.generator is not None])
def test_what_is_made(workbench: str, domain: str, capfd: pytest.CaptureFixture[str]) -> None:
    made = ask_in_full(workbench, "generate", {"domain": domain, "seed": 5})
    assert solvent.format(run_python(made["python"])["problem"]) == made["text"]
    assert run_command(made["command"], capfd).strip() == made["text"].strip()


def test_only_what_differs_is_said() -> None:
    options = get_domain(DOMAINS[0]).solve_options
    assert differing(options, {option.name: option.default for option in options}) == {}


def test_values_are_written_so_that_they_are_read_the_same() -> None:
    instance = schemas.Load(text="x", name="a b.txt", domain="d", rules={"r": "it's"})
    limits = {"seconds": 0.1, "nodes": None}
    options = {"flag": True, "other": False, "exact": 1.23456789}
    assert same_question(instance, "q", proof=False, limits=limits, options=options) == {
        "command": """solvent solve 'a b.txt' --as d --rule 'r=it'"'"'s' --ask q --seconds 0.1 --no-proof"""
        " --flag --no-other --exact 1.23456789",
        "python": """problem = solvent.load('a b.txt', domain='d', r="it's")\n"""
        "answer = solvent.ask(problem, 'q', seconds=0.1, proof=False, flag=True, other=False, exact=1.23456789)",
    }
    odd = same_question(schemas.Load(text="x", name="-x"), "q", proof=True, limits={}, options={"profile": True})
    assert odd["command"] == "solvent solve ./-x --ask q --profile profile"
    assert odd["python"] == "problem = solvent.load('-x')\nanswer = solvent.ask(problem, 'q', profile=True)"
    unnamed = same_question(schemas.Load(text="x"), "q", proof=True, limits={"seconds": 5.0}, options={})
    assert (
        unnamed["python"] == "problem = solvent.load('instance.txt')\nanswer = solvent.ask(problem, 'q', seconds=5.0)"
    )
    made = schemas.Generate(domain="d", seed=3, options={"wide": True, "kind": "a b"})
    assert same_instance(made) == {
        "command": "solvent generate d --seed 3 --wide --kind 'a b'",
        "python": "problem = solvent.generate('d', seed=3, wide=True, kind='a b')",
    }
