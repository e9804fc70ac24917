"""The verbs of editors and of proofs that are stepped through, and what there is to begin from."""

from __future__ import annotations

from typing import Any

import pytest

from solvent.core.domain import Domain
from solvent.registry import all_domains
from web.calling import inside

EDITED = [domain for domain in all_domains() if domain.page is not None and domain.page.edit is not None]
STEPPED = [domain for domain in all_domains() if domain.page is not None and domain.page.proof_steps is not None]


@pytest.mark.parametrize("domain", list(all_domains()), ids=lambda domain: domain.name)
def test_templates_load_and_have_pictures_for_light_and_dark(domain: Domain[Any]) -> None:
    shown = inside("GET", f"/api/templates/{domain.name}").json()
    assert shown or domain not in EDITED
    for template in shown:
        loaded = inside("POST", "/api/load", json={"text": template["text"], "domain": domain.name})
        assert loaded.status_code == 200, loaded.text
        pictures = [
            inside("GET", f"/api/pictures/{domain.name}/templates/{template['name']}.svg{query}")
            for query in ("", "?dark=true")
        ]
        assert [picture.status_code for picture in pictures] == [200, 200]
        assert all(picture.text.startswith("<svg") for picture in pictures)


def test_an_unknown_template_is_missing() -> None:
    assert inside("GET", "/api/pictures/nothing/templates/nothing.svg").status_code == 404
    assert inside("GET", f"/api/pictures/{next(iter(all_domains())).name}/templates/nothing.svg").status_code == 404


@pytest.mark.parametrize("domain", EDITED, ids=lambda domain: domain.name)
def test_an_edit_that_means_nothing_is_refused(domain: Domain[Any]) -> None:
    text = domain.examples()[0].text
    refused = inside("POST", "/api/edit", json={"text": text, "domain": domain.name, "action": {"do": "nothing"}})
    assert refused.status_code == 422
    assert refused.json()["error"]["kind"] == "option"


@pytest.mark.parametrize("domain", STEPPED, ids=lambda domain: domain.name)
def test_proofs_come_in_steps(domain: Domain[Any]) -> None:
    seen = 0
    for example in domain.examples()[:8]:
        given = {"text": example.text, "domain": domain.name}
        answer = inside("POST", "/api/ask", json=given).json()
        if answer["certificate"] is None:
            continue
        reply = inside("POST", "/api/steps", json={**given, "certificate": answer["certificate"], "count": 40})
        if reply.status_code == 422:
            assert reply.json()["error"]["kind"] == "option"  # it says why there is nothing to step through
            continue
        steps = reply.json()["steps"]
        assert steps
        assert all(step["text"].strip() for step in steps)
        assert len({step["text"] for step in steps}) > len(steps) // 3  # not the same words over and over
        seen += 1
    assert seen


def test_a_forged_certificate_has_no_steps() -> None:
    for domain in STEPPED:
        example = domain.examples()[0]
        question = domain.first_question
        forged = {"domain": domain.name, "question": question, "verdict": "YES", "form": "plan", "version": 1}
        body = {"text": example.text, "domain": domain.name, "certificate": forged}
        assert inside("POST", "/api/steps", json=body).status_code == 422


def test_refusals_are_quiet_for_those_who_ask() -> None:
    body = {"text": "no such thing"}
    loud = inside("POST", "/api/load", json=body)
    quiet = inside("POST", "/api/load", json=body, headers={"solvent-refusals": "quiet"})
    assert (loud.status_code, quiet.status_code) == (422, 200)
    assert "solvent-refusals" not in loud.headers
    assert quiet.headers["solvent-refusals"] == "quiet"
    assert loud.json() == quiet.json()
    missing = inside("GET", "/api/examples/nothing/nothing", headers={"solvent-refusals": "quiet"})
    assert missing.status_code == 404  # that is an error of whoever asks


@pytest.mark.parametrize("domain", list(all_domains()), ids=lambda domain: domain.name)
def test_every_format_has_a_sample_that_loads(domain: Domain[Any]) -> None:
    samples = inside("GET", f"/api/samples/{domain.name}").json()
    assert len(samples) >= len(domain.formats) - 2  # some are only read, or hold next to nothing
    for sample in samples:
        loaded = inside("POST", "/api/load", json={"text": sample["text"]})
        assert loaded.json()["domain"] == domain.name, sample["format"]
    assert inside("GET", "/api/samples/nothing").status_code == 422


def test_a_store_that_is_sent_is_served_and_goes_with_the_server(tmp_path: Any) -> None:
    import sqlite3

    from solvent.core.errors import BadOption
    from solvent.web.served_files import MAX_SENT, ServedFiles

    made = tmp_path / "a.db"
    with sqlite3.connect(made) as database:
        database.execute("create table kept (x)")
    served = ServedFiles([])
    ids = [served.take_store("../../a.db", made.read_bytes()) for _ in range(MAX_SENT + 2)]
    paths = [store.path for store in served._found.stores.values()]  # type: ignore[union-attr]
    assert len(set(ids)) == len(ids)
    assert len(paths) == MAX_SENT
    assert {path.name for path in paths} == {"a.db"}
    with pytest.raises(BadOption, match="store of results"):
        served.take_store("a.db", b"no store")
    served.close()
    assert not any(path.exists() for path in paths)
