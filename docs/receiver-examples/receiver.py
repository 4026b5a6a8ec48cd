"""Receives inbound mail. Answers 401 to what is not signed with our secret."""

import hashlib
import hmac
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "").encode()
PORT = int(os.environ.get("PORT", "8088"))
LIMIT = 26 * 1024 * 1024  # a message has 25 MiB at most


def is_signed(body: bytes, header: str) -> bool:
    expected = "hmac-sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), header.encode("latin-1"))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        if length > LIMIT:
            self.answer(413)
            return
        body = self.rfile.read(length)
        if not is_signed(body, self.headers.get("X-Svc-Inbound-Sig", "")):
            self.answer(401)
            return
        # Store it here, under the delivery id: a repeat has the same one.
        recipient = self.headers.get("X-Svc-Inbound-Recipient", "").encode("latin-1").decode("utf-8", "replace")
        print(self.headers.get("X-Svc-Inbound-Delivery"), recipient, len(body), flush=True)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print("listening", flush=True)
    server.serve_forever()
