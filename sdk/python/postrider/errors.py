"""What is raised when the API refuses a request. Failures to reach it are raised as httpx raises them."""

from __future__ import annotations

from typing import Any

import httpx


class PostriderError(Exception):
    """An answer of the API that is an error."""

    status: int
    #: Such as ``validation_failed``; ``unknown`` when the answer is not the API's own, such as a proxy's page.
    code: str
    #: What is wrong with which field, ``{"path": …, "message": …}``; empty unless the code is ``validation_failed``.
    details: list[dict[str, str]]
    #: Names the request in the service's logs.
    request_id: str | None
    #: Seconds after which it makes sense to try again, where the answer says so.
    retry_after: float | None

    def __init__(self, response: httpx.Response) -> None:
        body = _read(response)
        super().__init__(body.get("message") or f"HTTP {response.status_code}")
        self.status = response.status_code
        self.code = body.get("error") or "unknown"
        self.details = body.get("details") or []
        self.request_id = body.get("request_id") or response.headers.get("x-request-id")
        self.retry_after = _read_retry_after(response)

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed later. 409 only while its first attempt is still being worked on."""
        if self.status == 409:
            return self.code == "idempotency_in_progress"
        return self.status in (429, 502, 503, 504)


def _read(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _read_retry_after(response: httpx.Response) -> float | None:
    """Seconds: the API never sends a date."""
    try:
        seconds = float(response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if seconds >= 0 else None
