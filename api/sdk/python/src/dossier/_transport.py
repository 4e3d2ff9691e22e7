from __future__ import annotations

import http.client
import io
import json
import mimetypes
import os
import ssl
import time
import uuid
from dataclasses import dataclass
from decimal import Decimal
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, BinaryIO, Callable, Generic, Iterable, Iterator, List, Mapping, Optional, Tuple, TypeVar, Union
from urllib.parse import quote, urlencode, urlsplit

from ._problem import Problem
from .problems import BY_CODE
from .types import API_VERSION

T = TypeVar("T")
CHUNK = 1 << 16


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list; next_token is None on the last."""

    items: List[T]
    next_token: Optional[str]


class Upload:
    """A file to upload. It is read while it is sent, never as a whole."""

    def __init__(self, name: str, open_: Callable[[], BinaryIO], content_type: Optional[str] = None) -> None:
        self.name = name
        self.open = open_
        self.content_type = content_type or mimetypes.guess_type(name)[0] or "application/octet-stream"

    @classmethod
    def at(cls, path: Union[str, "os.PathLike[str]"], content_type: Optional[str] = None) -> "Upload":
        """A file of the disk."""
        return cls(os.path.basename(path), lambda: open(path, "rb"), content_type)

    @classmethod
    def of(cls, name: str, data: bytes, content_type: Optional[str] = None) -> "Upload":
        """A file whose bytes are at hand."""
        return cls(name, lambda: io.BytesIO(data), content_type)


class Download:
    """A file that is being read. Use it in a with statement."""

    def __init__(self, response: http.client.HTTPResponse, connection: http.client.HTTPConnection) -> None:
        self._response, self._connection = response, connection
        self.content_type: str = response.headers.get_content_type()
        self.filename: Optional[str] = _filename(response.headers)

    def read(self, size: Optional[int] = None) -> bytes:
        return self._response.read(size)

    def __iter__(self) -> Iterator[bytes]:
        while chunk := self._response.read(CHUNK):
            yield chunk

    def __enter__(self) -> "Download":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()


def _filename(headers: Message) -> Optional[str]:
    return headers.get_filename()


class Transport:
    """Makes requests: repeats reuse one Idempotency-Key and wait as long as Retry-After says."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        tries: int = 4,
        max_wait: float = 60.0,
        timeout: float = 60.0,
        context: Optional[ssl.SSLContext] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """A repeat is never put off for longer than max_wait seconds; timeout is for each wait on the network."""
        parts = urlsplit(url)
        self._secure, self._host, self._prefix = parts.scheme == "https", parts.netloc, parts.path.rstrip("/")
        self._key, self._tries, self._max_wait, self._timeout = key, tries, max_wait, timeout
        self._context, self._sleep = context, sleep

    def _answer(self, method: str, path: str, **rest: Any) -> Any:
        _, data = self._call(method, path, **rest)
        return json.loads(data, parse_float=Decimal)

    def _page(self, method: str, path: str, **rest: Any) -> Page[Any]:
        response, data = self._call(method, path, **rest)
        return Page(json.loads(data, parse_float=Decimal), response.headers.get("X-Next-Token"))

    def _send(self, method: str, path: str, **rest: Any) -> None:
        self._call(method, path, **rest)

    def _download(self, method: str, path: str, **rest: Any) -> Download:
        response, connection = self._open(method, path, **rest)
        return Download(response, connection)

    def _each(self, page: Callable[[Optional[str]], Page[T]]) -> Iterator[T]:
        token: Optional[str] = None
        while True:
            found = page(token)
            yield from found.items
            if not found.next_token or found.next_token == token:
                return
            token = found.next_token

    def _call(self, method: str, path: str, **rest: Any) -> Tuple[http.client.HTTPResponse, bytes]:
        response, connection = self._open(method, path, **rest)
        try:
            return response, response.read()
        finally:
            connection.close()

    def _open(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        form: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> Tuple[http.client.HTTPResponse, http.client.HTTPConnection]:
        headers = {"x-api-key": self._key, "User-Agent": f"dossier-python/{API_VERSION}"}
        if method != "GET":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if actor is not None:
            headers["x-actor"] = actor
        address = self._prefix + path + _query(query)
        wait = 0.5
        for attempt in range(1, max(self._tries, 1) + 1):
            try:
                return self._once(method, address, headers, body, form)
            except Problem as problem:
                again = problem.status in (429, 502, 503, 504) or problem.code == "idempotency_in_progress"
                pause = wait if problem.retry_after is None else problem.retry_after
                if not again or attempt >= self._tries or pause > self._max_wait:
                    raise
            except (OSError, http.client.HTTPException):
                pause = wait
                if attempt >= self._tries:
                    raise
            self._sleep(pause)
            wait = min(wait * 2, self._max_wait)
        raise AssertionError("unreachable")

    def _once(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str],
        body: Optional[Mapping[str, Any]],
        form: Optional[Mapping[str, Any]],
    ) -> Tuple[http.client.HTTPResponse, http.client.HTTPConnection]:
        connection = self._connect()
        try:
            sent, payload = dict(headers), _payload(body, form)
            if payload is not None:
                sent["Content-Type"], sent["Content-Length"] = payload.content_type, str(payload.size)
            connection.request(method, address, body=payload.chunks() if payload else None, headers=sent)
            response = connection.getresponse()
            if response.status >= 300:
                raise _problem(response)
            return response, connection
        except BaseException:
            connection.close()
            raise

    def _connect(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._host, timeout=self._timeout, context=self._context)
        return http.client.HTTPConnection(self._host, timeout=self._timeout)


def segment(value: str) -> str:
    """A value as a part of a path."""
    return quote(value, safe="")


def _query(query: Optional[Mapping[str, Any]]) -> str:
    pairs = {name: _text(value) for name, value in (query or {}).items() if value is not None}
    return "?" + urlencode(pairs) if pairs else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(one) for one in value)
    return str(value)


def _problem(response: http.client.HTTPResponse) -> Problem:
    data = response.read(1 << 20)
    try:
        body = json.loads(data)
    except ValueError:
        body = None
    if not isinstance(body, dict) or "code" not in body:
        body = {"code": "unknown", "detail": f"the answer is no problem document: {response.status} {response.reason}"}
    body.setdefault("requestId", response.headers.get("X-Request-Id", ""))
    kind = BY_CODE.get(body["code"], Problem)
    return kind(response.status, body, _retry_after(response.headers.get("Retry-After")))


def _retry_after(text: Optional[str]) -> Optional[float]:
    if text is None:
        return None
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


@dataclass(frozen=True)
class _Payload:
    content_type: str
    size: int
    chunks: Callable[[], Iterable[bytes]]


def _payload(body: Optional[Mapping[str, Any]], form: Optional[Mapping[str, Any]]) -> Optional[_Payload]:
    if form is not None:
        return _form(form)
    if body is None:
        return None
    data = _json(body).encode()
    return _Payload("application/json", len(data), lambda: [data])


def _json(value: Any) -> str:
    """JSON in which a Decimal keeps its digits."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(str(name))}:{_json(one)}" for name, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_json(one) for one in value) + "]"
    if isinstance(value, Decimal):
        return format(value, "f")
    return json.dumps(value, allow_nan=False)


def _form(form: Mapping[str, Any]) -> _Payload:
    """A multipart form: fields before files, so that these can be streamed."""
    boundary = uuid.uuid4().hex
    parts: List[Tuple[bytes, Optional[Upload]]] = []
    uploads: List[Tuple[str, Upload]] = []
    for name, value in form.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, Upload):
                uploads.append((name, one))
            elif one is not None:
                parts.append((f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{_text(one)}\r\n'.encode(), None))
    for name, upload in uploads:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{_quoted(upload.name)}"\r\n'
        parts.append((f"{head}Content-Type: {upload.content_type}\r\n\r\n".encode(), upload))
    end = f"--{boundary}--\r\n".encode()
    size = sum(len(head) + (_size(upload) + 2 if upload else 0) for head, upload in parts) + len(end)

    def chunks() -> Iterator[bytes]:
        for head, upload in parts:
            yield head
            if upload:
                with upload.open() as file:
                    while chunk := file.read(CHUNK):
                        yield chunk
                yield b"\r\n"
        yield end

    return _Payload(f"multipart/form-data; boundary={boundary}", size, chunks)


def _size(upload: Upload) -> int:
    with upload.open() as file:
        return file.seek(0, os.SEEK_END)


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


__all__: List[str] = ["Download", "Page", "Transport", "Upload", "segment"]
