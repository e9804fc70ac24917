"""From requests to replies: what each address does. Instances are never touched here; workers do that."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from solvent.core.domain import (
    Domain,
    Explaining,
    Exporting,
    Generating,
    Grading,
    Hinting,
    Option,
    Profiling,
    Ruled,
    hint_options,
)
from solvent.core.workbench import Playing, workbench_folder
from solvent.registry import all_domains, domain_names, get_domain
from solvent.version import __version__
from solvent.web import words, work
from solvent.web.bodies import read_body
from solvent.web.failures import Refusal, refusal_for
from solvent.web.guards import refusal_response
from solvent.web.lanes import SECONDS_BESIDE, SECONDS_TO_COMPILE, Lanes
from solvent.web.settings import Settings
from solvent.web.streaming import EventStream, Hear, attend
from solvent.web.verbs import BINARY, Verb

log = logging.getLogger("solvent.web")

Endpoint = Callable[[Request], Awaitable[Any]]

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""For a picture that somebody opens by itself: nothing in it runs."""
MOST_PICTURES = 500
"""How many pictures of examples are kept; there are far fewer."""


class Endpoints:
    """Answer requests for one server."""

    def __init__(self, settings: Settings, lanes: Lanes) -> None:
        self._settings = settings
        self._lanes = lanes
        self._pictures: dict[tuple[str, str], bytes] = {}

    def of_verb(self, verb: Verb) -> Endpoint:
        """Return what answers requests with a verb."""

        async def answer(request: Request) -> Any:
            wanted = self._within_limits(await read_body(request, verb.takes, self._settings))
            wants_events = "text/event-stream" in request.headers.get("accept", "")
            if verb.streams and wants_events:
                return EventStream(lambda hear: self._perform(verb, wanted, hear), self._log)
            result = await attend(request.receive, self._perform(verb, wanted, None))
            if result is None:
                raise Refusal("stopped", "The work was stopped.")
            return Response(
                result,
                media_type="application/json" if verb.gives is not None else BINARY,
                headers={"cache-control": "no-store"},
            )

        return self.guarded(answer)

    def guarded(self, endpoint: Endpoint) -> Endpoint:
        """Return the same endpoint with its errors as replies."""

        async def answer(request: Request) -> Any:
            try:
                return await endpoint(request)
            except Exception as error:
                refusal = refusal_for(error)
                if refusal.failure.kind == "bug":
                    self._log(error)
                return refusal_response(refusal)

        return answer

    async def about(self, request: Request) -> Response:  # noqa: ARG002
        """Say what this server is and allows."""
        return as_json(
            words.About(
                version=__version__,
                domains=[_show_domain(domain) for domain in all_domains()],
                seconds=self._settings.seconds,
                most_seconds=self._settings.most_seconds,
                body_bytes=self._settings.body_bytes,
                files=bool(self._settings.paths),
                runs=bool(self._settings.paths),
            )
        )

    async def examples(self, request: Request) -> Response:  # noqa: ARG002
        """List the bundled instances."""
        return as_json(
            [
                words.ExampleShown(
                    domain=domain.name,
                    name=example.name,
                    title=example.title,
                    expected={question: verdict.value for question, verdict in example.expected.items()},
                )
                for domain in all_domains()
                for example in domain.examples()
            ]
        )

    async def example(self, request: Request) -> Response:
        """Return a bundled instance."""
        domain, found = self._find_example(request)
        return as_json(
            words.ExampleShown(
                domain=domain,
                name=found.name,
                title=found.title,
                expected={question: verdict.value for question, verdict in found.expected.items()},
                text=found.text,
            )
        )

    async def picture(self, request: Request) -> Response:
        """Draw a bundled instance."""
        domain, found = self._find_example(request)
        key = (domain, found.name)
        if key not in self._pictures:
            drawn = await self._lanes.quick.run(work.draw_example, *key, seconds=self._quick_seconds)
            if len(self._pictures) < MOST_PICTURES:
                self._pictures[key] = drawn
        else:
            drawn = self._pictures[key]
        return Response(
            drawn,
            media_type="image/svg+xml",
            headers={"cache-control": "max-age=3600", "content-security-policy": SVG_POLICY},
        )

    async def _perform(self, verb: Verb, wanted: words.Request, hear: Hear | None) -> bytes:
        if verb.is_quick:
            lane, seconds = self._lanes.quick, self._quick_seconds
        else:
            lane = self._lanes.long
            budget = getattr(wanted, "seconds", None)
            seconds = (self._settings.most_seconds if budget is None else budget) + SECONDS_BESIDE + SECONDS_TO_COMPILE
        if hear is not None and (lane.is_full or not lane.is_ready):
            message = (
                "Waiting for a free worker" if lane.is_ready else "Getting ready, which takes a minute the first time"
            )
            hear(("progress", msgspec.json.encode(words.Progress(kind="waiting", message=message))))
        result: bytes = await lane.run(verb.does, wanted, seconds=seconds, hear=hear)
        return result

    @property
    def _quick_seconds(self) -> float:
        return self._settings.quick_seconds

    def _within_limits(self, wanted: words.Request) -> words.Request:
        """Return a request with no more time than this server allows."""
        if isinstance(wanted, words.Ask | words.Hints | words.Explain | words.Generate):
            return msgspec.structs.replace(wanted, seconds=self._settings.allowed_seconds(wanted.seconds))
        return wanted

    def _find_example(self, request: Request) -> tuple[str, Any]:
        domain, name = request.path_params["domain"], request.path_params["name"]
        for example in get_domain(domain).examples() if domain in domain_names() else ():
            if example.name == name:
                return domain, example
        raise Refusal("missing", f"there is no example {name!r} of {domain!r}")

    def _log(self, error: BaseException) -> None:
        log.error("a request met a bug", exc_info=error)


def as_json(value: Any) -> Response:
    """Return a reply in JSON."""
    return Response(msgspec.json.encode(value), media_type="application/json", headers={"cache-control": "no-store"})


def _show_domain(domain: Domain) -> words.DomainShown:
    abilities = {
        "hint": isinstance(domain, Hinting),
        "explain": isinstance(domain, Explaining),
        "generate": isinstance(domain, Generating),
        "grade": isinstance(domain, Grading),
        "play": isinstance(domain, Playing),
        "rules": isinstance(domain, Ruled),
        "profile": isinstance(domain, Profiling),
    }
    return words.DomainShown(
        name=domain.name,
        title=domain.title,
        questions=dict(domain.questions),
        formats=dict(domain.formats),
        views=dict(getattr(domain, "views", {})),
        exports=dict(domain.exports) if isinstance(domain, Exporting) else {},
        can=[name for name, able in abilities.items() if able],  # type: ignore[misc]  # the literals above
        solve_options=_show_options(domain.solve_options),
        hint_options=_show_options(hint_options(domain)) if isinstance(domain, Hinting) else [],
        generate_options=_show_options(domain.generate_options) if isinstance(domain, Generating) else [],
        rule_options=_show_options(domain.rule_options) if isinstance(domain, Ruled) else [],
        generate_source=getattr(domain, "generate_source", None),
        workbench=workbench_folder(domain) is not None,
    )


def _show_options(options: Any) -> list[words.OptionShown]:
    return [_show_option(option) for option in options]


def _show_option(option: Option) -> words.OptionShown:
    return words.OptionShown(
        name=option.name,
        default=option.default,
        help=option.help,
        type=option.type.__name__,  # type: ignore[arg-type]  # one of the four kinds of options
        minimum=option.minimum,
        maximum=option.maximum,
        choices=list(option.choices),
        opens_file=option.opens_file,
    )
