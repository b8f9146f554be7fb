"""A server on this machine for tests of tables at an address: folders, parts of files, versions."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Server:
    """What is served, and how.

    Attributes:
        files: What lies at which path.
        ranges: Whether parts of a file are handed out.
        versions: Whether a version is told.
        lengths: Whether it is told how long a file is.
        answers: Status of the paths that are refused.
        pages: What the pages of folders hold that are not lists of the files in them.
        moved: Where to look instead.
        stated: What is told of the length of a file, if not its own.
        sent: The bytes of each answer with a body, in their order.
        asked: The path and query of each question, in their order.
    """

    files: dict[str, bytes]
    ranges: bool = True
    versions: bool = True
    lengths: bool = True
    answers: dict[str, int] = field(default_factory=dict)
    pages: dict[str, bytes] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    stated: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(files: dict[str, bytes], **how: Any) -> Iterator[Server]:
    """Serves files at the url of what it yields."""
    told = Server(dict(files), **how)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            path = self.path.partition("?")[0]
            told.asked.append(self.path)
            body, status, headers = told.files.get(path, b""), 200, {}
            if path in told.answers:
                body, status = b"secret words", told.answers[path]
            elif path in told.moved:
                status, headers = 302, {"Location": told.moved[path]}
            elif path in told.pages:
                body, headers = told.pages[path], {"Content-Type": "text/html"}
            elif path.endswith("/"):
                names = [name.removeprefix(path) for name in told.files if name.startswith(path)]
                links = "".join(f'<a href="{name}">{name}</a>' for name in ["?C=N", *names])
                body, headers = links.encode(), {"Content-Type": "text/html"}
            elif path not in told.files:
                status = 404
            elif told.versions:
                headers["ETag"] = f'"{hash(body)}"'
            wanted = re.fullmatch(r"bytes=([0-9]+)-([0-9]+)", self.headers.get("Range", ""))
            if wanted and told.ranges and status == 200:
                first, last, whole = int(wanted[1]), int(wanted[2]), len(body)
                body, status = body[first : last + 1], 206
                headers["Content-Range"] = f"bytes {first}-{first + len(body) - 1}/{whole}"
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if told.lengths:
                self.send_header("Content-Length", told.stated.get(path, str(len(body))))
            else:
                self.send_header("Connection", "close")
                self.close_connection = True
            self.end_headers()
            if with_body:
                told.sent.append(len(body))
                # A reader may leave before the end.
                try:
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
