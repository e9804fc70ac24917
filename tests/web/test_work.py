"""What workers do with a request: no file is opened for it, whatever it names."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import solvent
from solvent.core.errors import BadOption, SolventError
from solvent.reading import format_problem, parse_problem
from solvent.registry import all_domains, domain_names, get_domain
from solvent.web import schemas, work
from web.calling import call

_opened: list[str] | None = None
"""What is opened while somebody wants to know; None otherwise. A hook stays for as long as Python runs."""


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if _opened is not None and event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str | bytes):
        path = arguments[0]
        _opened.append(path if isinstance(path, str) else path.decode(errors="replace"))


sys.addaudithook(_note)


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is opened from now on, but for Python's own modules and kernels, in a folder where everything named is."""
    global _opened
    monkeypatch.chdir(tmp_path)
    found: list[str] = []
    _opened = found
    yield found
    _opened = None


def foreign(opened: list[str]) -> list[str]:
    """Leave out what belongs to Python, and to its packages."""
    own = [Path(solvent.__file__).parent, Path(msgspec.__file__).parent.parent, Path(sys.base_prefix)]
    kept = [str(place.resolve()) for place in own]
    return [
        path
        for path in opened
        if not any(str(Path(path).resolve()).startswith(place) for place in kept)
        and not path.startswith(("/proc/", "/dev/", "/sys/"))
        and not path.endswith((".pyc", ".py", ".so"))
        and path not in ("/etc/localtime", ".")  # Python lists the folder it is in when it looks for a module
    ]


def instances() -> list[tuple[str, str]]:
    """Return an example of each domain in each format that can hold it, with the name of the format."""
    found = []
    for domain in all_domains():
        problem = parse_problem(domain.examples()[0].text, domain=domain.name)
        for format in domain.formats:
            try:
                found.append((domain.name, format_problem(problem, format)))
            except BadOption:
                continue
    return found


@pytest.mark.parametrize(("domain", "text"), instances())
def test_reading_opens_nothing_beside(domain: str, text: str, opened: list[str]) -> None:
    for verb in (work.load, work.draw, work.format_as):
        takes = {work.load: schemas.Load, work.draw: schemas.Draw, work.format_as: schemas.Format}[verb]
        verb(takes(text=text, domain=domain, name="../../etc/passwd"))
    assert foreign(opened) == []


FILES = ["secret.tsx", "secret.png", "secret.json", "secret.xml", "secret.csv", "secret.ldtk", "secret.txt"]
NAMING = [
    *(f'<map version="1.0" orientation="orthogonal" width="2" height="2" tilewidth="8" tileheight="8">'
      f'<tileset firstgid="1" source="{name}"/><layer name="a" width="2" height="2"><data encoding="csv">1,1,1,1</data>'
      f"</layer></map>" for name in ("secret.tsx", "/etc/passwd", "../secret.tsx", "file:///etc/passwd")),
    '{"type": "map", "width": 2, "height": 2, "tilesets": [{"firstgid": 1, "source": "secret.json"}], "layers": []}',
    '{"rules": "secret.json", "grid": "2x2"}',
    '{"rules": {"file": "secret.json"}, "graph": "secret.csv", "lattice": "secret.json"}',
    '{"defs": {}, "levels": [], "externalLevels": true, "jsonVersion": "1.5.3", "worlds": "secret.ldtk"}',
    '<set><tiles><tile name="secret"/></tiles><neighbors/></set>',
    '<!DOCTYPE a SYSTEM "secret.xml"><set/>',
    "secret.txt",
    "./secret.txt",
    "/etc/passwd",
    "file:///etc/passwd",
    "@secret.txt",
]  # fmt: skip


@pytest.mark.parametrize("domain", [None, *domain_names()])
def test_names_inside_an_instance_are_not_followed(domain: str | None, opened: list[str]) -> None:
    for name in FILES:
        Path(name).write_text('{"secret": "contents"}')
    opened.clear()
    for text in NAMING:
        try:
            reply = work.load(schemas.Load(text=text, domain=domain))
        except SolventError as error:
            reply = str(error).encode()
        assert b"contents" not in reply
        assert b"root:" not in reply
    assert foreign(opened) == []


@pytest.mark.parametrize("domain", [each.name for each in all_domains() if each.generator is not None])
def test_no_option_names_a_file(domain: str, opened: list[str]) -> None:
    owner = get_domain(domain)
    assert owner.generator is not None
    source = owner.generator.source
    for option in owner.generator.options:
        if not option.opens_file:
            continue
        example = owner.examples()[0].name
        names = [*FILES, "/etc/passwd", "../secret.json", f"{example}.json", example, f"./{example}", "", "."]
        for name in names:
            if name and name != ".":
                Path(Path(name).name).write_text("{}")
        opened.clear()
        for name in names:
            if option.name == source and name == example:
                continue
            with pytest.raises(BadOption):
                work.generate(schemas.Generate(domain=domain, options={option.name: name}))
        assert foreign(opened) == []


@pytest.mark.parametrize("domain", domain_names())
def test_options_beside_those_of_generators_open_nothing_either(domain: str) -> None:
    owner = get_domain(domain)
    for options in (owner.solve_options, owner.options("hint"), owner.options("rule")):
        assert not any(option.opens_file for option in options)  # or `_allowed` would have to let some through


MOUNTS = ["/static/", *(f"/domains/{name}/" for name in domain_names()), "/api/examples/", "/api/pictures/", "/"]
WAYS = [
    *(
        "../../pyproject.toml",
        "../schemas.py",
        "..%2fschemas.py",
        "%2e%2e/schemas.py",
        "%2e%2e%2fschemas.py",
        "..%5cschemas.py",
    ),
    *("....//schemas.py", "%252e%252e/schemas.py", "//etc/passwd", "%2fetc%2fpasswd", "/etc/passwd", "..;/schemas.py"),
    *(
        "%c0%ae%c0%ae/schemas.py",
        "app.js/../../schemas.py",
        "%00",
        "app.js%00.svg",
        "../static/../schemas.py",
        "~root/.profile",
    ),
    *(
        "../__init__.py",
        "../domain.py",
        "..",
        ".",
        "%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "x" * 5000,
    ),
]


@pytest.mark.parametrize("mount", MOUNTS)
def test_no_way_leads_out_of_what_is_shown(workbench: str, mount: str) -> None:
    for way in WAYS:
        for path in (mount + way, mount.rstrip("/") + "/" + way + "/a.svg"):
            reply = call(workbench, "GET", path)
            assert reply.status in (400, 404), (path, reply.status, reply.data[:200])
            assert b"root:" not in reply.data
            assert b"import" not in reply.data
            assert reply.headers["x-content-type-options"] == "nosniff"


def test_folders_are_not_listed_and_python_is_not_shown(workbench: str) -> None:
    for path in ("/static", "/static/", "/domains/", "/domains", *(f"/domains/{name}/" for name in domain_names())):
        assert call(workbench, "GET", path).status == 404
    for name in domain_names():
        for file in ("__init__.py", "page.py", "../page.py", "__pycache__/"):
            assert call(workbench, "GET", f"/domains/{name}/{file}").status == 404


def test_a_file_is_opened_as_text_or_by_a_domain_that_reads_other_files(opened: list[str]) -> None:
    for domain in all_domains():
        text = next(iter(domain.examples())).text
        asked = schemas.Open(name="/etc/passwd", data=text.encode())
        assert msgspec.json.decode(work.open_file(asked))["domain"] == domain.name
    with pytest.raises(SolventError, match="picture"):
        work.open_file(schemas.Open(name="photo.jpg", data=b"\xff\xd8\xff"))
    assert "/etc/passwd" not in opened
