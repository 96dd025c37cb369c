"""The routes of jobs, campaigns and studies.

Handlers are imported at the first call, because they import scipy and other slow modules that
sliders do not need.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ackclock.lab.endpoints import body_endpoint, frames, parameters_endpoint
from ackclock.lab.server.guard import FRAMED, check_seal, seal
from ackclock.lab.settings import Settings

NOTE = "Ackclock-Note"
"""Header of a list that is not complete."""
_EVENTS = "text/event-stream"


def routes(settings: Settings) -> list[Route]:
    """Return all routes."""
    return [*_jobs(settings), *_campaigns(settings), *_studies(settings)]


def _jobs(settings: Settings) -> list[Route]:
    def listed() -> list[dict[str, Any]]:
        from ackclock.lab.jobs import api as jobs

        return jobs.jobs(settings)

    def start(body: dict[str, Any]) -> Response:
        from ackclock.lab.jobs import api as jobs

        return JSONResponse({"id": jobs.started(settings, body)}, 201)

    def go_on(name: str) -> Response:
        from ackclock.lab.jobs import api as jobs

        jobs.gone_on(settings, name)
        return Response(status_code=204)

    def stop(name: str) -> Response:
        from ackclock.lab.jobs import api as jobs

        jobs.stopped(settings, name)
        return Response(status_code=204)

    def events(name: str) -> Response:
        from ackclock.lab.jobs import api as jobs

        job = jobs.job_of(settings, name)
        return StreamingResponse(jobs.events(job), media_type=_EVENTS)

    one = "/api/jobs/{name}"
    return [
        Route("/api/jobs", parameters_endpoint(listed), methods=["GET"]),
        Route("/api/jobs", body_endpoint(start), methods=["POST"]),
        Route(one, parameters_endpoint(go_on), methods=["POST"]),
        Route(one, parameters_endpoint(stop), methods=["DELETE"]),
        Route(f"{one}/events", parameters_endpoint(events), methods=["GET"]),
    ]


def _campaigns(settings: Settings) -> list[Route]:
    def listed() -> Response:
        from ackclock.lab.campaigns import api as campaigns
        from ackclock.lab.campaigns import folders

        note = folders.found(settings).note
        return JSONResponse(campaigns.campaigns(settings), headers={NOTE: note} if note else {})

    def means(name: str, **query: str) -> dict[str, Any]:
        from ackclock.lab.campaigns import api as campaigns

        return campaigns.means(settings, name, query)

    def runs(name: str, **query: str) -> dict[str, Any]:
        from ackclock.lab.campaigns import api as campaigns

        return campaigns.runs(settings, name, query)

    def trace(name: str, number: str, **query: str) -> Response:
        from ackclock.lab.campaigns import api as campaigns

        return frames(campaigns.run_trace(settings, name, number, query))

    def state(name: str, number: str) -> dict[str, Any]:
        from ackclock.lab.campaigns import api as campaigns

        return campaigns.run_state(settings, name, number)

    def report(name: str) -> Response:
        from ackclock.lab.campaigns import api as campaigns

        return HTMLResponse(campaigns.report(settings, name))

    def report_frame(name: str) -> dict[str, str]:
        from ackclock.lab.campaigns import api as campaigns

        # Errors are reported here, because a frame cannot report them.
        campaigns.report(settings, name)
        return {"path": f"/reports/{quote(name)}/{seal(settings, name)}"}

    def framed_report(name: str, seal: str) -> Response:
        check_seal(settings, name, seal)
        response = report(name)
        response.headers.update(FRAMED)
        return response

    def compare(name: str, body: dict[str, Any]) -> dict[str, Any]:
        from ackclock.lab.campaigns import api as campaigns

        return campaigns.comparison(settings, name, body)

    one = "/api/campaigns/{name}"
    run = f"{one}/runs/{{number}}"
    return [
        Route("/api/campaigns", parameters_endpoint(listed), methods=["GET"]),
        Route(f"{one}/summary", parameters_endpoint(means), methods=["GET"]),
        Route(f"{one}/runs", parameters_endpoint(runs), methods=["GET"]),
        Route(f"{run}/trace", parameters_endpoint(trace), methods=["GET"]),
        Route(f"{run}/state", parameters_endpoint(state), methods=["GET"]),
        Route(f"{one}/report", parameters_endpoint(report), methods=["GET"]),
        Route(f"{one}/report/frame", parameters_endpoint(report_frame), methods=["GET"]),
        Route("/reports/{name}/{seal}", parameters_endpoint(framed_report), methods=["GET"]),
        Route(f"{one}/compare", _body_endpoint_to(compare), methods=["POST"]),
    ]


def _body_endpoint_to(answer: Callable[[str, dict[str, Any]], Any]) -> Callable[[Request], Any]:
    """Return the endpoint for a function of a name in the path, and of a body."""

    async def endpoint(request: Request) -> Response:
        name = request.path_params["name"]
        made: Response = await body_endpoint(lambda body: answer(name, body))(request)
        return made

    return endpoint


def _studies(settings: Settings) -> list[Route]:
    def listed() -> list[dict[str, Any]]:
        from ackclock.lab.studies import api as studies

        return studies.studies(settings)

    def one(name: str) -> dict[str, Any]:
        from ackclock.lab.studies import api as studies

        return studies.study(settings, name)

    def point(name: str, number: str) -> dict[str, Any]:
        from ackclock.lab.studies import api as studies

        return studies.point(name, number)

    return [
        Route("/api/studies", parameters_endpoint(listed), methods=["GET"]),
        Route("/api/studies/{name}", parameters_endpoint(one), methods=["GET"]),
        Route("/api/studies/{name}/points/{number}", parameters_endpoint(point), methods=["GET"]),
    ]
