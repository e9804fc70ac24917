"""The files of the page: held in memory, fresh after a change, and all of a page known before its first module runs."""

from __future__ import annotations

import json
import os
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from helpers.browser import needs_browser
from solvent.core.domain import workbench_folder
from solvent.registry import all_domains
from solvent.web.application import STATIC
from solvent.web.page_files import PageFiles, list_modules, reachable
from solvent.web.serving import open_port
from solvent.web.settings import Settings
from web.calling import call, run_alone

PAGES = {domain.name: workbench_folder(domain.page) for domain in all_domains() if domain.page is not None}


def fetch(files: PageFiles, path: str, **headers: str) -> Response:
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/{path}",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    return run_alone(files.get_response(path, scope))


IMPORT = re.compile(r'^(?:import|export) (?:\{([^}]*)\}|\*|(\w+))[^"]*from "([^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export (?:default )?(?:async )?(?:function|class|const|let)\*? (\w+)", re.MULTILINE)


def exported(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    lists = re.findall(r"^export \{([^}]*)\}", text, re.MULTILINE)
    named = {name.split(" as ")[-1].strip() for each in lists for name in each.split(",")}
    return (
        named | set(EXPORT.findall(text)) | ({"default"} if re.search("^export default", text, re.MULTILINE) else set())
    )


@pytest.mark.parametrize("folder", [STATIC, *PAGES.values()], ids=lambda folder: folder.parent.name)
def test_every_module_imports_what_there_is(folder: Path) -> None:
    """A browser shows nothing of a page with one name wrong, and says so only there."""
    found = 0
    for path in folder.rglob("*.js"):
        for names, default, source in IMPORT.findall(path.read_text(encoding="utf-8")):
            module = STATIC / source.removeprefix("/static/") if source.startswith("/static/") else path.parent / source
            assert module.is_file(), f"{path}: {source}"
            wanted = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
            wanted |= {"default"} if default else set()
            assert wanted <= exported(module), f"{path}: {sorted(wanted - exported(module))} of {source}"
            found += len(wanted)
    assert found > 50


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.js"
    path.write_text("first")
    files = PageFiles(tmp_path)
    reply = fetch(files, "a.js")
    assert reply.body == b"first"
    assert reply.headers["cache-control"] == "no-cache"
    assert reply.headers["content-type"].startswith("text/javascript")
    assert fetch(files, "a.js", if_none_match=reply.headers["etag"]).status_code == 304
    path.write_text("later")
    os.utime(path, ns=(1, 1))
    assert fetch(files, "a.js", if_none_match=reply.headers["etag"]).body == b"later"


def test_nothing_outside_of_the_folder_is_handed_out(workbench: str) -> None:
    for path in (
        "/static/../application.py",
        "/static/%2e%2e/application.py",
        "/static/..%2fapplication.py",
        "/static/",
    ):
        assert call(workbench, "GET", path).status in (404, 405), path


def test_modules_are_found_through_those_that_import_them(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.js").write_text('import { b } from "./deep/b.js";\nconst later = () => import("./never.js");\n')
    (tmp_path / "deep" / "b.js").write_text('import { a } from "../a.js";\nexport { c } from "/static/c.js";\n')
    (tmp_path / "c.js").write_text("")
    found = reachable({"/static/": tmp_path}, "/static/a.js")
    assert found == ["/static/a.js", "/static/deep/b.js", "/static/c.js"]


def test_all_that_is_named_beforehand_is_there(workbench: str) -> None:
    head = list_modules(STATIC, PAGES)
    assert head.splitlines()[0] in call(workbench, "GET", "/").data.decode()
    listed = json.loads(re.findall(r'id="modules">(.*)</script>', head)[0])
    assert {"gallery", "bench", *(f"domains/{name}" for name in PAGES)} == set(listed)
    addresses = {*re.findall(r'href="([^"]+)"', head), *(each for one in listed.values() for each in one)}
    assert {address for address in addresses if call(workbench, "GET", address).status != 200} == set()


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("name", list(PAGES))
def test_a_board_asks_for_no_module_that_was_not_named_beforehand(page: Any, name: str) -> None:
    """One more would be learned of only after another had come."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(re.sub(r"^https?://[^/]+", "", request.url)))
    page.goto(f"#/example/{name}/{next(iter(_examples(name)))}")
    page.locator(".bench .stage svg:visible, .bench .stage canvas:visible").first.wait_for()
    head = list_modules(STATIC, PAGES)
    modules = [each for each in asked if each.endswith(".js")]
    assert len(modules) > 10
    assert [each for each in modules if f'"{each}"' not in head] == []


def _examples(name: str) -> list[str]:
    return [example.name for domain in all_domains() if domain.name == name for example in domain.examples()]


def test_connections_do_not_keep_back_the_end_of_a_reply() -> None:
    """asyncio sets TCP_NODELAY where the protocol is named, and only there."""
    with open_port(Settings(port=0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP
