"""Every verb for every domain: the answer of the API is the library's."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import solvent
from solvent import asking
from solvent.core.domain import Drawing
from solvent.reading import format_problem, parse_problem
from solvent.registry import all_domains, domain_names, get_domain
from solvent.web import schemas
from solvent.web.verbs import VERBS
from solvent.web.work import PICTURE_NODES
from web.calling import an_example, ask_in_full, call, post

DOMAINS = domain_names()
NODES = 20_000
"""Enough for the examples, and the same on every machine."""
EXAMPLES = [(domain.name, example.name) for domain in all_domains() for example in domain.examples()]


def text_of(domain: str, name: str) -> str:
    return next(example.text for example in get_domain(domain).examples() if example.name == name)


def first_text(domain: str) -> str:
    return get_domain(domain).examples()[0].text


def without_times(value: Any) -> Any:
    """Leave out what may differ from one run to the next."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if "second" not in key and key != "line"}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def as_sent(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_it_says_what_it_is_and_allows(workbench: str) -> None:
    about = msgspec.json.decode(call(workbench, "GET", "/api/about").data, type=schemas.About)
    assert about.version == solvent.__version__
    assert [domain.name for domain in about.domains] == DOMAINS
    for shown in about.domains:
        domain = get_domain(shown.name)
        assert shown.questions == {name: question.text for name, question in domain.questions.items()}
        assert [option.name for option in shown.solve_options] == [option.name for option in domain.solve_options]
        assert ("hint" in shown.can) == (domain.hints is not None)
        assert ("generate" in shown.can) == (domain.generator is not None)


def test_the_examples_are_listed_and_told_whole(workbench: str) -> None:
    listed = call(workbench, "GET", "/api/examples").json
    assert [(each["domain"], each["name"]) for each in listed] == EXAMPLES
    assert all(each["text"] is None for each in listed)
    domain, name, text = an_example()
    assert call(workbench, "GET", f"/api/examples/{domain}/{name}").json["text"] == text


@pytest.mark.parametrize(
    "path", ["/api/examples/{}/none", "/api/examples/none/{}", "/api/pictures/none/none.svg", "/api/none"]
)
def test_what_is_not_there_is_missing(workbench: str, path: str) -> None:
    domain, name, _ = an_example()
    reply = call(workbench, "GET", path.format(domain if path.endswith("none") else name))
    assert reply.status == 404
    assert reply.error["kind"] == "missing"


def test_a_verb_is_posted(workbench: str) -> None:
    for verb in VERBS:
        for method in ("GET", "PUT", "DELETE", "PATCH", "OPTIONS"):
            reply = call(workbench, method, f"/api/{verb.name}")
            assert reply.status == 405
            assert reply.error["kind"] == "method"
            assert reply.headers["allow"] == "POST"
    assert call(workbench, "POST", "/api/about", {}).status == 405


def drawn_small(domain: str, text: str) -> list[str]:
    """Return an instance as the library draws it small, by itself and with its answer."""
    problem = solvent.parse(text, domain=domain)
    certificate = asking.ask(problem, budget=asking.limits(nodes=PICTURE_NODES)).certificate
    drawings = [Drawing(bare=True), Drawing(certificate=certificate, bare=True)]
    return [get_domain(domain).draw_svg(problem, drawing) for drawing in drawings]


@pytest.mark.parametrize("domain", DOMAINS)
def test_pictures_of_examples_are_the_librarys(workbench: str, domain: str) -> None:
    for example in get_domain(domain).examples():
        reply = call(workbench, "GET", f"/api/pictures/{domain}/{example.name}.svg")
        assert reply.status == 200
        assert reply.data.decode() in drawn_small(domain, example.text)


@pytest.mark.parametrize("domain", DOMAINS)
def test_load_reads_and_detects(workbench: str, domain: str) -> None:
    for example in get_domain(domain).examples():
        problem = solvent.parse(example.text)
        loaded = ask_in_full(workbench, "load", {"text": example.text})
        assert loaded["domain"] == problem.domain == domain
        assert loaded["text"] == format_problem(problem)
        assert parse_problem(loaded["text"], domain=domain) == parse_problem(format_problem(problem), domain=domain)
        assert ask_in_full(workbench, "load", {"text": loaded["text"], "domain": domain})["text"] == loaded["text"]


@pytest.mark.parametrize(("domain", "name"), EXAMPLES)
def test_ask_gives_the_librarys_answer_and_its_certificate_is_accepted(workbench: str, domain: str, name: str) -> None:
    text = text_of(domain, name)
    problem = solvent.parse(text, domain=domain)
    expected = next(each for each in get_domain(domain).examples() if each.name == name).expected
    for question, verdict in expected.items():
        answered = ask_in_full(workbench, "ask", {"text": text, "question": question, "nodes": NODES})
        answer = asking.ask(problem, question, budget=asking.limits(nodes=NODES))
        assert without_times(answered["certificate"]) == without_times(as_sent(answer.certificate))
        assert answered["verdict"] == answer.verdict.value
        if answered["verdict"] != "UNKNOWN":
            assert answered["verdict"] == verdict.value
            assert answered["certified"]
            solvent.check(problem, answered["certificate"])
            checked = ask_in_full(workbench, "check", {"text": text, "certificate": answered["certificate"]})
            assert checked == {"accepted": True, "violations": []}


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_certificate_for_something_else_is_not_accepted(workbench: str, domain: str) -> None:
    text = first_text(domain)
    checked = ask_in_full(workbench, "check", {"text": text, "certificate": {"form": "nothing"}})
    assert not checked["accepted"]
    assert checked["violations"]


@pytest.mark.parametrize("domain", DOMAINS)
def test_hints_are_the_librarys(workbench: str, domain: str) -> None:
    text = first_text(domain)
    reply = post(workbench, "hints", {"text": text, "nodes": NODES, "count": 3})
    if get_domain(domain).hints is None:
        assert reply.status == 422
        assert reply.error["kind"] == "option"
        return
    given = reply.json["hints"]
    problem = solvent.parse(text)
    expected = [hint for _, hint in zip(range(3), solvent.hints(problem, nodes=NODES), strict=False)]
    assert [hint["caption"] for hint in given] == [hint.caption for hint in expected]
    assert [hint["certificate"] for hint in given] == [as_sent(hint.certificate) for hint in expected]


@pytest.mark.parametrize("domain", DOMAINS)
def test_explanations_are_the_librarys(workbench: str, domain: str) -> None:
    reply = post(workbench, "explain", {"text": first_text(domain), "nodes": NODES})
    if "explain" not in call(workbench, "GET", "/api/about").json["domains"][DOMAINS.index(domain)]["can"]:
        assert reply.status == 422
        return
    explanation = solvent.explain(solvent.parse(first_text(domain)), nodes=NODES)
    assert [section["heading"] for section in reply.json["sections"]] == [
        heading for heading, _ in explanation.sections
    ]


@pytest.mark.parametrize("domain", DOMAINS)
def test_what_is_made_from_a_seed_is_the_librarys(workbench: str, domain: str) -> None:
    reply = post(workbench, "generate", {"domain": domain, "seed": 3})
    if get_domain(domain).generator is None:
        assert reply.status == 422
        return
    made = reply.json
    problem = solvent.generate(domain, seed=3)
    assert made["text"] == solvent.format(problem)
    for answer in made["answers"]:
        solvent.check(problem, answer["certificate"])


@pytest.mark.parametrize("domain", DOMAINS)
def test_pictures_are_the_librarys_also_with_the_solution(workbench: str, domain: str) -> None:
    text = first_text(domain)
    problem = solvent.parse(text)
    assert ask_in_full(workbench, "draw", {"text": text})["svg"] == solvent.draw(problem)
    answered = ask_in_full(workbench, "ask", {"text": text, "nodes": NODES})
    drawn = ask_in_full(workbench, "draw", {"text": text, "certificate": answered["certificate"]})
    assert drawn["svg"] == solvent.draw(problem, certificate=answered["certificate"])
    for view in getattr(get_domain(domain), "views", {}):
        assert "<svg" in ask_in_full(workbench, "draw", {"text": text, "view": view})["svg"]


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_format_is_written_or_said_to_be_too_small(workbench: str, domain: str) -> None:
    text = first_text(domain)
    assert ask_in_full(workbench, "format", {"text": text})["text"] == solvent.format(solvent.parse(text))
    for format in get_domain(domain).formats:
        reply = post(workbench, "format", {"text": text, "format": format})
        if reply.status == 422:
            assert reply.error["kind"] == "option"
        else:
            assert reply.json == {"format": format, "text": solvent.format(solvent.parse(text), format)}


@pytest.mark.parametrize("domain", DOMAINS)
def test_files_for_other_programs_are_written(workbench: str, domain: str) -> None:
    owner = get_domain(domain)
    text = first_text(domain)
    answered = ask_in_full(workbench, "ask", {"text": text, "nodes": NODES})
    given = {"text": text, "certificate": answered["certificate"], "stats": answered["stats"]}
    for ending in owner.exports.kinds if owner.exports is not None else ("none",):
        reply = post(workbench, "export", {**given, "ending": ending})
        if reply.status == 200:
            assert reply.data
            assert reply.headers["content-type"] == "application/octet-stream"
        else:
            assert reply.error["kind"] == "option"
    rejected = post(workbench, "export", {**given, "certificate": {"form": "nothing"}, "ending": "none"})
    assert rejected.error["kind"] in ("certificate", "option")


@pytest.mark.parametrize("domain", DOMAINS)
def test_unknown_names_are_said_with_those_there_are(workbench: str, domain: str) -> None:
    text = first_text(domain)
    owner = get_domain(domain)
    wrong: list[tuple[str, dict[str, object], str]] = [
        ("ask", {"text": text, "question": "nonsense"}, next(iter(owner.questions))),
        ("ask", {"text": text, "options": {"nonsense": 1}}, ""),
        ("ask", {"text": text, "options": {"budget": 1}}, ""),
        ("ask", {"text": text, "options": {"listen": 1}}, ""),
        ("ask", {"text": text, "options": {"__class__": 1}}, ""),
        ("ask", {"text": text, "domain": "nonsense"}, domain),
        ("ask", {"text": text, "rules": {"nonsense": 1}}, ""),
        ("draw", {"text": text, "view": "nonsense"}, ""),
        ("format", {"text": text, "format": "nonsense"}, next(iter(owner.formats))),
        ("generate", {"domain": domain, "options": {"nonsense": 1}}, ""),
        ("generate", {"domain": "nonsense"}, domain),
        ("hints", {"text": text, "options": {"path": True}}, ""),
    ]
    for verb, body, there in wrong:
        reply = post(workbench, verb, body)
        assert reply.status == 422, (verb, body, reply.data)
        assert reply.error["kind"] == "option"
        assert there in reply.error["message"]


@pytest.mark.parametrize("domain", DOMAINS)
def test_options_of_the_wrong_kind_are_refused(workbench: str, domain: str) -> None:
    owner = get_domain(domain)
    groups = {"ask": owner.solve_options, "generate": owner.options("generate")}
    if owner.hints is not None:
        groups["hints"] = owner.options("hint")
    for verb, options in groups.items():
        for option in options:
            for value in (10**30, -(10**30), 1.5, "\0", "nonsense", "", "../../etc/passwd"):
                given = {"options": {option.name: value}, "seconds": 0}
                about = {"domain": domain} if verb == "generate" else {"text": first_text(domain)}
                reply = post(workbench, verb, {**about, **given})
                assert reply.status in (200, 422), (verb, option.name, value, reply.data)


def test_what_only_files_need_is_not_offered_to_make_something_new(workbench: str) -> None:
    shown = {each["name"]: each["generate_options"] for each in call(workbench, "GET", "/api/about").json["domains"]}
    for domain in DOMAINS:
        known = get_domain(domain).options("generate")
        assert {each["name"] for each in shown[domain]} == {
            each.name for each in known if not (each.about_file or each.of_files)
        }
        for option in shown[domain]:
            assert option["opens_file"] or "the file" not in option["help"]


def test_an_error_says_where_and_what(workbench: str) -> None:
    failed = post(workbench, "load", {"text": "4 1\nABCD\nAB\nABCD\nABCD\n"}).error
    assert failed["kind"] == "instance"
    assert failed["where"]["line"] == 3
    assert "AB" in failed["value"]
    assert "line 3" in failed["message"]
    for text in ("", " \n", "nonsense that nobody knows", "a\0b"):
        reply = post(workbench, "load", {"text": text})
        assert reply.status == 422
        assert reply.error["kind"] == "instance"


def test_time_is_capped_by_the_server(workbench: str) -> None:
    about = call(workbench, "GET", "/api/about").json
    text = an_example()[2]
    answered = ask_in_full(workbench, "ask", {"text": text, "seconds": 1e9})
    assert f"--seconds {about['most_seconds']:g}" in answered["command"]
    assert f"--seconds {about['seconds']:g}" in ask_in_full(workbench, "ask", {"text": text})["command"]
    nothing = ask_in_full(workbench, "ask", {"text": text, "seconds": 0})
    assert nothing["verdict"] in ("YES", "NO", "UNKNOWN")  # what is seen at a glance needs no time


def test_running_out_is_unknown_and_no_failure(workbench: str) -> None:
    seen = set()
    for domain, name in EXAMPLES:
        answered = ask_in_full(workbench, "ask", {"text": text_of(domain, name), "nodes": 1})
        seen.add(answered["verdict"])
        if answered["verdict"] == "UNKNOWN":
            assert answered["reason"]
            assert answered["certificate"] is None
    assert "UNKNOWN" in seen
