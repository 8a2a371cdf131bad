"""The application: which address gives which answer. What each takes is in `api`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException

from npn import __version__
from npn.web.api import CALLS, Call
from npn.web.door import Door
from npn.web.message import Answer, WebJob, refusal
from npn.web.worker_pool import ServerLimits, WorkerPool

STATIC = Path(__file__).parent / "static"
ABOUT = "Read a recipe and simulate it: what each step takes, and what is where after it."
UNSURE = {
    404: "there is nothing at this address: / is the page, /docs says what else there is",
    405: "this address does not take that: see /docs",
}


def create_app(
    limits: ServerLimits | None = None,
    model: str | None = None,
    hosts: Iterable[str] = (),
    origins: Iterable[str] = (),
) -> FastAPI:
    """The server as an ASGI application. The workers live as long as it runs."""
    limits = limits or ServerLimits()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.pool = WorkerPool(limits, model)
        app.state.pool.start()
        yield
        app.state.pool.close()

    app = FastAPI(
        title="npn",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    for call in CALLS:
        app.add_api_route(
            f"/api/{call.job}",
            _endpoint(call, limits),
            methods=[call.method],
            summary=call.about,
            name=f"{call.method.lower()}_{call.job}",
            operation_id=f"{call.method.lower()}_{call.job}",
            openapi_extra=call.openapi(),
            response_class=Response,
            responses=call.responses(),
        )
    _add_pages(app)
    app.add_exception_handler(StarletteHTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_middleware(Door, hosts=tuple(hosts), origins=tuple(origins))
    return app


def _endpoint(call: Call, limits: ServerLimits) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        body = await _body(request, limits) if call.method == "POST" else b""
        type_ = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        job = WebJob(call.job, dict(request.query_params), type_, body)
        if call.method == "GET" and "text" in request.query_params:
            job = WebJob(
                call.job,
                {k: v for k, v in request.query_params.items() if k != "text"},
                "text/plain",
                request.query_params["text"].encode(errors="replace"),
            )
        return _response(await request.app.state.pool.run(job))

    return endpoint


async def _body(request: Request, limits: ServerLimits) -> bytes:
    """The body, unless it is too large or too slow."""
    large = f"this is larger than {limits.body / 1e6:g} MB: send one recipe at a time"
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > limits.body:
        raise HTTPException(413, large)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.sending):
            async for part in request.stream():
                size += len(part)
                if size > limits.body:
                    raise HTTPException(413, large)
                parts.append(part)
    except TimeoutError:
        raise HTTPException(408, "the request took too long to arrive: send it again") from None
    return b"".join(parts)


def _response(answer: Answer) -> Response:
    headers = {}
    if answer.notes:
        headers["npn-notes"] = quote(" | ".join(answer.notes)[:2_000], safe=" ,.:;|")
    if answer.file:
        headers["content-disposition"] = f'attachment; filename="{answer.file}"'
    if answer.status == 503:
        headers["retry-after"] = "5"
    return Response(answer.body, answer.status, headers, media_type=answer.type)


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(STATIC / "index.html")

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return FileResponse(STATIC / "docs.html")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)
    sentence = UNSURE.get(error.status_code, str(error.detail))
    return _response(refusal(sentence, error.status_code))


async def _invalid(request: Request, error: Exception) -> Response:
    return _response(refusal("this request is not understood: see /docs", 422))
