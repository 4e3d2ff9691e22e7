"""python3 -m unittest discover -s tests, with src on PYTHONPATH."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import tempfile
import threading
import tracemalloc
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Tuple

import dossier

Answer = Tuple[int, Dict[str, str], Any]


class ClientTest(unittest.TestCase):
    def client(self, answer: Callable[[int, str, bytes], Answer]) -> Tuple[dossier.Client, List[Dict[str, str]], List[float]]:
        """A client of a server that answers by the number of the request, its path and its body."""
        seen: List[Dict[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                seen.append(dict(self.headers.items()))
                status, headers, value = answer(len(seen), self.path, body)
                data = json.dumps(value).encode() if not isinstance(value, str) else value.encode()
                self.send_response(status)
                for name, text in headers.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        waits: List[float] = []
        return dossier.Client(f"http://127.0.0.1:{server.server_port}", "dsr_test_key", sleep=waits.append), seen, waits

    def test_repeats(self) -> None:
        bodies: List[bytes] = []

        def answer(n: int, _path: str, body: bytes) -> Answer:
            bodies.append(body)
            answers: List[Answer] = [(429, {"Retry-After": "7"}, {}), (503, {}, {}), (201, {}, {"lead": {"id": "one"}})]
            return answers[n - 1]

        client, seen, waits = self.client(answer)
        self.assertEqual(client.create_lead({"firstName": "Ann", "lastName": None})["lead"]["id"], "one")
        self.assertEqual(len({headers["Idempotency-Key"] for headers in seen}), 1)
        self.assertEqual(set(bodies), {b'{"firstName":"Ann","lastName":null}'})
        self.assertEqual(waits[0], 7.0)
        self.assertEqual(len(waits), 2)

    def test_problem(self) -> None:
        client, seen, _ = self.client(lambda n, path, body: (404, {}, {"code": "lead_not_found", "detail": "No such lead"}))
        with self.assertRaises(dossier.problems.LeadNotFound) as caught:
            client.read_lead("a/b")
        self.assertEqual((caught.exception.status, len(seen)), (404, 1))

    def test_long_wait(self) -> None:
        client, seen, _ = self.client(lambda n, path, body: (429, {"Retry-After": "3600"}, {"code": "rate_limited", "detail": "slow"}))
        with self.assertRaises(dossier.problems.RateLimited):
            client.list_agents()
        self.assertEqual(len(seen), 1)

    def test_pages(self) -> None:
        def answer(_n: int, path: str, _body: bytes) -> Answer:
            if "token=second" in path:
                return 200, {}, [{"id": "3"}]
            return 200, {"X-Next-Token": "second"}, [{"id": "1"}, {"id": "2"}]

        client, _, _ = self.client(answer)
        self.assertEqual([lead["id"] for lead in client.list_leads_all(tags=["a", "b"])], ["1", "2", "3"])

    def test_decimals(self) -> None:
        client, _, _ = self.client(lambda n, path, body: (200, {}, '{"results": {"value": 0.1234567890123456789}}'))
        found: Any = client.spread_results("one")
        self.assertEqual(found["results"]["value"], Decimal("0.1234567890123456789"))

    def test_upload(self) -> None:
        bodies: List[bytes] = []

        def answer(n: int, _path: str, body: bytes) -> Answer:
            bodies.append(body)
            return (503, {"Retry-After": "0"}, {}) if n == 1 else (201, {}, {"documents": [{"id": "d"}]})

        client, seen, _ = self.client(answer)
        client.create_documents(lead_id="lead", files=[dossier.Upload.of("a.pdf", b"some bytes")])
        for body, headers in zip(bodies, seen):
            self.assertEqual(len(body), int(headers["Content-Length"]))
            self.assertIn(b'name="files"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\nsome bytes\r\n', body)
            self.assertIn(b'name="leadId"\r\n\r\nlead\r\n', body)
        self.assertEqual(len(bodies), 2)

    def test_upload_streams(self) -> None:
        """A large file is read from the disk while it is sent: the client never holds it."""
        size, got = 32 << 20, [0]

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                left = int(self.headers["Content-Length"])
                while left > 0:
                    read = len(self.rfile.read(min(left, 1 << 16)))
                    left, got[0] = left - read, got[0] + read
                self.send_response(201)
                self.send_header("Content-Length", "17")
                self.end_headers()
                self.wfile.write(b'{"documents": []}')

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            file.truncate(size)
            client = dossier.Client(f"http://127.0.0.1:{server.server_port}", "dsr_test_key")
            tracemalloc.start()
            client.create_documents(lead_id="lead", files=[dossier.Upload.at(file.name)])
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        self.assertGreater(got[0], size)
        self.assertLess(peak, size // 4)

    def test_verify(self) -> None:
        key, body = b"0123456789abcdef0123456789abcdef", b'{"id":"e","type":"lead.erased","data":{}}'
        secret = "whsec_" + base64.b64encode(key).decode()
        signature = base64.b64encode(hmac.new(key, b"e.1000." + body, hashlib.sha256).digest()).decode()
        headers = {"Webhook-Id": "e", "webhook-timestamp": "1000", "webhook-signature": "v1,AAAA v1," + signature}
        self.assertEqual(dossier.verify(body, headers, "whsec_AAAA", secret, now=1100)["type"], "lead.erased")
        for sent, secrets, now in ((body + b" ", [secret], 1100), (body, [secret], 2000), (body, ["whsec_AAAA"], 1100)):
            with self.assertRaises(dossier.NotGenuine):
                dossier.verify(sent, headers, *secrets, now=now)


if __name__ == "__main__":
    unittest.main()
